//! The functions of `Math` and `StrictMath` that are not written in Java.

use lapidary_terms::{Constant, Functions, Sort};

/// Provides the functions to the solver, by class and name.
pub struct MathFunctions;

/// The results of Java and of this computer are each within one unit in the last place of the true
/// result, which the specification allows for most functions; some may be off by more.
const TOLERANCE: u32 = 4;

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

    fn tolerance(&self, name: &str, arguments: &[Constant]) -> u32 {
        let number = |argument: &Constant| if let Constant::Double(number) = argument { Some(*number) } else { None };
        let numbers: Vec<f64> = arguments.iter().filter_map(number).collect();
        if is_exact(name, &numbers) { 0 } else { TOLERANCE }
    }
}

/// Whether the result is the same on every JVM, to the last bit: for the arguments that the
/// documentation of the function mentions.
fn is_exact(name: &str, arguments: &[f64]) -> bool {
    match (name, arguments) {
        ("StrictMath.IEEEremainder", _) => true,
        (_, numbers) if numbers.iter().any(|number| number.is_nan()) => true,
        ("Math.pow", [base, exponent]) => {
            let is_limit = |number: &f64| *number == 0.0 || number.is_infinite();
            is_limit(base) || is_limit(exponent) || *exponent == 1.0 || is_whole_power(*base, *exponent)
        }
        ("Math.log" | "StrictMath.log", [number]) => *number <= 0.0 || *number == 1.0 || number.is_infinite(),
        ("Math.log10" | "StrictMath.log10", [number]) => {
            *number <= 0.0 || number.is_infinite() || (0..=22).any(|power| 10f64.powi(power) == *number)
        }
        ("StrictMath.atan" | "StrictMath.atan2", numbers) => numbers == [0.0],
        (_, [number]) => *number == 0.0 || number.is_infinite(),
        _ => false,
    }
}

/// Whether a power of whole numbers is a double and was computed exactly. Java guarantees it, too.
fn is_whole_power(base: f64, exponent: f64) -> bool {
    let largest_exponent = 1024.0;
    if base.fract() != 0.0 || exponent.fract() != 0.0 || !(0.0..=largest_exponent).contains(&exponent) {
        return false;
    }
    let mut product = 1.0f64;
    for _ in 0..exponent as u32 {
        let next = product * base;
        if product.mul_add(base, -next) != 0.0 {
            return false;
        }
        product = next;
    }
    product == power(base, exponent)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_the_documentation_gives_are_exact() {
        for (base, exponent) in [(2.0, 10.0), (-3.0, 3.0), (10.0, 22.0), (7.5, 0.0), (7.5, 1.0), (0.0, 2.5)] {
            assert!(is_exact("Math.pow", &[base, exponent]), "{base} {exponent}");
        }
        assert!(is_exact("Math.log10", &[1000.0]) && is_exact("Math.sin", &[0.0]) && is_exact("Math.exp", &[f64::NAN]));
    }

    #[test]
    fn other_results_are_not_exact() {
        for (base, exponent) in [(1.1, 2.0), (10.0, 23.0), (3.0, 40.0), (2.0, 0.5)] {
            assert!(!is_exact("Math.pow", &[base, exponent]), "{base} {exponent}");
        }
        assert!(!is_exact("Math.log10", &[7.943486843694112]) && !is_exact("Math.sin", &[1.0]));
    }
}
