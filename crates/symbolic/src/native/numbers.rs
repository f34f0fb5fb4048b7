//! Bits of floating-point numbers, and the functions of `Math` that are not written in Java.

use super::{Call, Effect, Line, value};
use crate::machine::{Halt, Machine};
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::Kind;
use lapidary_terms::{Constant, Functions, Sort};

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Float.floatToRawIntBits(F)I", float_bits),
    ("java/lang/Float.intBitsToFloat(I)F", bits_to_float),
    ("java/lang/Double.doubleToRawLongBits(D)J", double_bits),
    ("java/lang/Double.longBitsToDouble(J)D", bits_to_double),
    ("java/lang/Math.sqrt(D)D", function),
    ("java/lang/StrictMath.sqrt(D)D", function),
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
    ("java/lang/StrictMath.atan2(DD)D", atan2),
];

/// A function of one double, by name.
type Function = (&'static str, fn(f64) -> f64);

const FUNCTIONS: &[Function] = &[
    ("sqrt", f64::sqrt),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("log", f64::ln),
    ("log10", f64::log10),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("expm1", f64::exp_m1),
    ("log1p", f64::ln_1p),
];

fn float_bits(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Float(number) => value(number.to_bits() as i32),
        Value::Symbolic(_, term) => {
            let bits = machine.terms.raw_bits(term);
            value(Value::of_term(Kind::Int, bits, &machine.terms))
        }
        _ => machine.broken("bits of something that is no float"),
    }
}

fn double_bits(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Double(number) => value(number.to_bits() as i64),
        Value::Symbolic(_, term) => {
            let bits = machine.terms.raw_bits(term);
            value(Value::of_term(Kind::Long, bits, &machine.terms))
        }
        _ => machine.broken("bits of something that is no double"),
    }
}

fn bits_to_float(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Int(bits) => value(Value::Float(f32::from_bits(bits as u32))),
        Value::Symbolic(_, term) => {
            let float = machine.terms.from_raw_bits(term);
            value(Value::of_term(Kind::Float, float, &machine.terms))
        }
        _ => machine.broken("a float from something that is no int"),
    }
}

fn bits_to_double(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Long(bits) => value(Value::Double(f64::from_bits(bits as u64))),
        Value::Symbolic(_, term) => {
            let float = machine.terms.from_raw_bits(term);
            value(Value::of_term(Kind::Double, float, &machine.terms))
        }
        _ => machine.broken("a double from something that is no long"),
    }
}

/// A function of one double: computed where its argument is a number, else left uninterpreted.
fn function(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let name = call.method.name.as_str();
    match call.value(0) {
        Value::Double(number) => {
            let known = FUNCTIONS.iter().find(|(known, _)| *known == name);
            known.map_or_else(
                || machine.broken("a function without a value"),
                |(_, compute)| value(Value::Double(compute(number))),
            )
        }
        Value::Symbolic(_, term) => {
            let applied = machine.terms.apply(&name, &[term], Sort::Double);
            value(Value::of_term(Kind::Double, applied, &machine.terms))
        }
        _ => machine.broken("a function of something that is no double"),
    }
}

fn atan2(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    if let (Value::Double(y), Value::Double(x)) = (call.value(0), call.value(1)) {
        return value(Value::Double(y.atan2(x)));
    }
    let (Some(y), Some(x)) = (call.value(0).term(&mut machine.terms), call.value(1).term(&mut machine.terms)) else {
        return machine.broken("a function of something that is no double");
    };
    let applied = machine.terms.apply("atan2", &[y, x], Sort::Double);
    value(Value::of_term(Kind::Double, applied, &machine.terms))
}

/// The functions above as the solver may ask for them.
pub struct MathFunctions;

impl Functions for MathFunctions {
    fn call(&self, name: &str, arguments: &[Constant], _: Sort) -> Option<Constant> {
        Some(Constant::Double(match arguments {
            [Constant::Double(number)] => FUNCTIONS.iter().find(|(known, _)| *known == name)?.1(*number),
            [Constant::Double(y), Constant::Double(x)] if name == "atan2" => y.atan2(*x),
            _ => return None,
        }))
    }
}
