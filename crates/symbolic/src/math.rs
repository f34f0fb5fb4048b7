//! The functions of `Math` and `StrictMath` that are not written in Java.

use lapidary_terms::{Constant, Functions, Sort};

/// Provides the functions to the solver, by class and name.
pub struct MathFunctions;

impl Functions for MathFunctions {
    fn call(&self, name: &str, arguments: &[Constant], _: Sort) -> Option<Constant> {
        Some(Constant::Double(match *arguments {
            [Constant::Double(number)] => FUNCTIONS.iter().find(|(known, _)| *known == name)?.1(number),
            [Constant::Double(one), Constant::Double(other)] => {
                FUNCTIONS_OF_TWO.iter().find(|(known, _)| *known == name)?.1(one, other)
            }
            _ => return None,
        }))
    }
}

/// A function of one double, by class and name.
type Function = (&'static str, fn(f64) -> f64);

/// `Math` is as exact as the platform's math library. `StrictMath` equals fdlibm to the last bit
/// where `libm` does.
const FUNCTIONS: &[Function] = &[
    ("Math.sin", f64::sin),
    ("Math.cos", f64::cos),
    ("Math.tan", f64::tan),
    ("Math.exp", f64::exp),
    ("Math.log", f64::ln),
    ("Math.log10", f64::log10),
    ("StrictMath.sin", libm::sin),
    ("StrictMath.cos", libm::cos),
    ("StrictMath.tan", libm::tan),
    ("StrictMath.asin", libm::asin),
    ("StrictMath.acos", libm::acos),
    ("StrictMath.atan", libm::atan),
    ("StrictMath.log", libm::log),
    ("StrictMath.log10", f64::log10),
    ("StrictMath.sinh", sinh),
    ("StrictMath.cosh", cosh),
    ("StrictMath.tanh", tanh),
    ("StrictMath.expm1", libm::expm1),
    ("StrictMath.log1p", libm::log1p),
];

/// A function of two doubles, by class and name.
type Function2 = (&'static str, fn(f64, f64) -> f64);

const FUNCTIONS_OF_TWO: &[Function2] =
    &[("Math.pow", power), ("StrictMath.atan2", libm::atan2), ("StrictMath.IEEEremainder", libm::remainder)];

/// The argument above which the smaller of the two exponentials no longer matters.
const LARGE: f64 = 22.0;

fn sinh(x: f64) -> f64 {
    let (half, size) = (0.5f64.copysign(x), x.abs());
    let power = libm::expm1(size);
    match size {
        size if size < 1.0 => half * (2.0 * power - power * power / (power + 1.0)),
        size if size < LARGE => half * (power + power / (power + 1.0)),
        _ => huge(size, half),
    }
}

fn cosh(x: f64) -> f64 {
    let size = x.abs();
    match size {
        size if size < 0.5 * std::f64::consts::LN_2 => {
            let power = libm::expm1(size);
            let whole = 1.0 + power;
            1.0 + power * power / (whole + whole)
        }
        size if size < LARGE => {
            let power = libm::exp(size);
            0.5 * power + 0.5 / power
        }
        _ => huge(size, 0.5),
    }
}

/// Half of an exponential that may overflow although its half does not.
fn huge(size: f64, half: f64) -> f64 {
    match libm::exp(size) {
        power if power.is_finite() => half * power,
        _ => {
            let root = libm::exp(0.5 * size);
            half * root * root
        }
    }
}

fn tanh(x: f64) -> f64 {
    let size = x.abs();
    let result = match size {
        size if size < 1.0 => {
            let power = libm::expm1(-2.0 * size);
            -power / (power + 2.0)
        }
        size if size < LARGE => 1.0 - 2.0 / (libm::expm1(2.0 * size) + 2.0),
        size if size.is_nan() => size,
        _ => 1.0,
    };
    result.copysign(x)
}

/// In Java, unlike C, 1 or −1 to an infinite power is NaN, and so is 1 to the power of NaN.
fn power(base: f64, exponent: f64) -> f64 {
    match exponent {
        exponent if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() => f64::NAN,
        exponent => base.powf(exponent),
    }
}
