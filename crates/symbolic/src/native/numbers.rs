//! Bits of floating-point numbers, and the functions of `Math` that are not written in Java.

use super::{Call, Effect, Line, value};
use crate::machine::{Halt, Machine};
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::Kind;
use lapidary_terms::{Constant, Functions, Node, Sort, Term, Unary};

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Float.floatToRawIntBits(F)I", float_bits),
    ("java/lang/Float.intBitsToFloat(I)F", bits_to_float),
    ("java/lang/Double.doubleToRawLongBits(D)J", double_bits),
    ("java/lang/Double.longBitsToDouble(J)D", bits_to_double),
    ("java/lang/Math.sqrt(D)D", square_root),
    ("java/lang/Math.sin(D)D", function),
    ("java/lang/Math.cos(D)D", function),
    ("java/lang/Math.tan(D)D", function),
    ("java/lang/Math.exp(D)D", function),
    ("java/lang/Math.log(D)D", function),
    ("java/lang/Math.log10(D)D", function),
    ("java/lang/Math.pow(DD)D", function),
    ("java/lang/StrictMath.sqrt(D)D", square_root),
    ("java/lang/StrictMath.sin(D)D", function),
    ("java/lang/StrictMath.cos(D)D", function),
    ("java/lang/StrictMath.tan(D)D", function),
    ("java/lang/StrictMath.asin(D)D", function),
    ("java/lang/StrictMath.acos(D)D", function),
    ("java/lang/StrictMath.atan(D)D", function),
    ("java/lang/StrictMath.log(D)D", function),
    ("java/lang/StrictMath.log10(D)D", function),
    ("java/lang/StrictMath.sinh(D)D", function),
    ("java/lang/StrictMath.cosh(D)D", function),
    ("java/lang/StrictMath.tanh(D)D", function),
    ("java/lang/StrictMath.expm1(D)D", function),
    ("java/lang/StrictMath.log1p(D)D", function),
    ("java/lang/StrictMath.atan2(DD)D", function),
    ("java/lang/StrictMath.IEEEremainder(DD)D", function),
];

/// A function of one double, by class and name.
type Function = (&'static str, fn(f64) -> f64);

/// `Math` is as exact as the processor's library; `StrictMath` is fdlibm to the last bit where `libm` is.
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

/// From here on the smaller exponential function does not matter any more.
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

/// Half of an exponential function that may overflow although the half does not.
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

/// In Java, unlike C, one to the power of anything infinite or undefined is undefined.
fn power(base: f64, exponent: f64) -> f64 {
    match exponent {
        exponent if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() => f64::NAN,
        exponent => base.powf(exponent),
    }
}

fn float_bits(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Float(number) => value(number.to_bits() as i32),
        Value::Symbolic(Kind::Float, term) => {
            let bits = raw_bits(machine, term);
            value(Value::of_term(Kind::Int, bits, &machine.terms))
        }
        _ => machine.broken("bits of something that is no float"),
    }
}

fn double_bits(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Double(number) => value(number.to_bits() as i64),
        Value::Symbolic(Kind::Double, term) => {
            let bits = raw_bits(machine, term);
            value(Value::of_term(Kind::Long, bits, &machine.terms))
        }
        _ => machine.broken("bits of something that is no double"),
    }
}

/// Bits that became a float are the same bits again. Terms know a single NaN, and there are many.
fn raw_bits(machine: &mut Machine, float: Term) -> Term {
    match *machine.terms.node(float) {
        Node::Unary(Unary::FromRawBits, bits) => bits,
        _ => machine.terms.raw_bits(float),
    }
}

fn bits_to_float(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Int(bits) => value(Value::Float(f32::from_bits(bits as u32))),
        Value::Symbolic(Kind::Int, term) => {
            let float = machine.terms.from_raw_bits(term);
            value(Value::of_term(Kind::Float, float, &machine.terms))
        }
        _ => machine.broken("a float from something that is no int"),
    }
}

fn bits_to_double(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Long(bits) => value(Value::Double(f64::from_bits(bits as u64))),
        Value::Symbolic(Kind::Long, term) => {
            let float = machine.terms.from_raw_bits(term);
            value(Value::of_term(Kind::Double, float, &machine.terms))
        }
        _ => machine.broken("a double from something that is no long"),
    }
}

/// IEEE 754 says what it is to the last bit, and solvers know it.
fn square_root(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match (call.value(0).kind(), call.value(0).term(&mut machine.terms)) {
        (Some(Kind::Double), Some(term)) => {
            let root = machine.terms.fsqrt(term);
            value(Value::of_term(Kind::Double, root, &machine.terms))
        }
        _ => machine.broken("a square root of something that is no double"),
    }
}

/// A function of doubles: computed where its arguments are numbers, else left uninterpreted.
fn function(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let class = call.method.class_name.as_str();
    let name = format!("{}.{}", class.rsplit('/').next().unwrap_or_default(), call.method.name);
    let doubles = call.arguments.iter().filter(|argument| argument.kind() == Some(Kind::Double));
    let terms: Vec<Term> = doubles.filter_map(|argument| argument.term(&mut machine.terms)).collect();
    if terms.len() != call.arguments.len() {
        return machine.broken("a function of something that is no double");
    }
    let numbers: Option<Vec<Constant>> = terms.iter().map(|term| machine.terms.constant(*term)).collect();
    let known = numbers.and_then(|numbers| MathFunctions.call(&name, &numbers, Sort::Double));
    match known {
        Some(number) => value(Value::of_constant(Kind::Double, number)),
        None => {
            let applied = machine.terms.apply(&name, &terms, Sort::Double);
            value(Value::of_term(Kind::Double, applied, &machine.terms))
        }
    }
}

/// The functions above as the solver may ask for them.
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
