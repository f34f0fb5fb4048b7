//! Bits of floating-point numbers, and the functions of `Math` that are not written in Java.

use super::{Call, Effect, Line, value};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::math::MathFunctions;
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

const STRICT: &str = "java/lang/StrictMath";

fn float_bits(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    bits(machine, call.value(0), Kind::Int)
}

fn double_bits(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    bits(machine, call.value(0), Kind::Long)
}

fn bits(machine: &mut Machine, number: Value, kind: Kind) -> Result<Effect, Halt> {
    match machine.bits_of(number) {
        Some(bits) => value(Value::of_term(kind, bits, &machine.terms)),
        None => machine.broken("bits of something that is no number"),
    }
}

impl Machine {
    /// The bits of a number. A float that was made from bits has those bits: terms know only one
    /// NaN, while Java has many.
    pub(crate) fn bits_of(&mut self, number: Value) -> Option<Term> {
        Some(match number {
            Value::Float(number) => self.terms.int(number.to_bits() as i32),
            Value::Double(number) => self.terms.long(number.to_bits() as i64),
            Value::Symbolic(Kind::Float | Kind::Double, term) => match *self.terms.node(term) {
                Node::Unary(Unary::FromRawBits, bits) => bits,
                _ => self.terms.raw_bits(term),
            },
            number => number.term(&mut self.terms)?,
        })
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

/// IEEE 754 defines the square root exactly, and solvers support it.
fn square_root(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match (call.value(0), call.value(0).term(&mut machine.terms)) {
        // The sign of a NaN is that of this computer.
        (Value::Double(number), _) => value(Value::Double(number.sqrt())),
        (Value::Symbolic(Kind::Double, _), Some(term)) => {
            let root = machine.terms.fsqrt(term);
            value(Value::of_term(Kind::Double, root, &machine.terms))
        }
        _ => machine.broken("a square root of something that is no double"),
    }
}

/// A function of doubles: computed if its arguments are concrete, else uninterpreted. The last bits
/// of most results depend on the JVM and the processor, so the function counts as a surrounding.
fn function(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let class = call.method.class_name.as_str();
    let name = format!("{}.{}", class.rsplit('/').next().unwrap_or_default(), call.method.name);
    let doubles = call.arguments.iter().filter(|argument| argument.kind() == Some(Kind::Double));
    let terms: Vec<Term> = doubles.filter_map(|argument| argument.term(&mut machine.terms)).collect();
    if terms.len() != call.arguments.len() {
        return machine.broken("a function of something that is no double");
    }
    let numbers: Option<Vec<Constant>> = terms.iter().map(|term| machine.terms.constant(*term)).collect();
    // Newer versions of the library have code for it, which is exact.
    if numbers.is_some() && class == STRICT && machine.world.original(call.method.id).prepared().is_some() {
        return Ok(Effect::OwnCode);
    }
    if numbers.as_ref().is_some_and(|numbers| MathFunctions.tolerance(&name, numbers) > 0) {
        machine.surroundings.insert(call.method.to_string());
    }
    let known = numbers.and_then(|numbers| MathFunctions.call(&name, &numbers, Sort::Double));
    match known {
        Some(number) => value(Value::of_constant(Kind::Double, number)),
        None => {
            let applied = machine.terms.apply(&name, &terms, Sort::Double);
            value(Value::of_term(Kind::Double, applied, &machine.terms))
        }
    }
}
