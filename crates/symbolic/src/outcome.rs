//! The outcome of a path as text, and the return value under a witness.

use crate::explore::{Message, Outcome, ReturnValue};
use crate::input::{Number, escaped, quoted};
use crate::machine::Machine;
use crate::replay::RealEnding;
use crate::state::State;
use crate::types::Type;
use crate::value::{Ref, Value};
use lapidary_jvm::{BaseType, FieldType};
use std::fmt::{Display, Formatter, Result};

impl Machine {
    /// A value under the witness of a path.
    pub fn valued(&mut self, state: &State, value: Value) -> ReturnValue {
        self.result(state, value, 3)
    }

    /// The return value of a method under the witness of the path. Nested arrays are shown up to a
    /// depth.
    pub(crate) fn result(&mut self, state: &State, value: Value, depth: u32) -> ReturnValue {
        let Value::Reference(object) = value else { return ReturnValue::Number(self.number(state, value)) };
        let Some(object) = object else { return ReturnValue::Null };
        match state.heap.get(object).elements().filter(|_| depth > 0) {
            Some(elements) => {
                let values: Vec<Value> = (0..elements.len()).map(|index| elements.get(index)).collect();
                let base = self.base_of_elements(state, object);
                let shown = |value| self.result(state, value, depth - 1).declared(base);
                ReturnValue::Array(values.into_iter().map(shown).collect())
            }
            None => self.result_object(state, object),
        }
    }

    fn base_of_elements(&self, state: &State, array: Ref) -> Option<BaseType> {
        let Type::Array(element) = self.world.types.get(state.heap.get(array).type_) else { return None };
        if let Type::Base(base) = self.world.types.get(element) { Some(base) } else { None }
    }

    fn result_object(&mut self, state: &State, object: Ref) -> ReturnValue {
        let class = self.name_of(state, object);
        if class == "java.lang.String" {
            return match self.units_for_witness(state, object) {
                Some((told, units)) => ReturnValue::Text(self.text_of_units(&told, &units)),
                None => ReturnValue::Object(class),
            };
        }
        if let Some(base) = boxed_base(&class) {
            let slot = self.world.instance_slot(&class.replace('.', "/"), "value");
            if let Some(value) = slot.and_then(|slot| state.heap.get(object).fields().get(slot).copied()) {
                return self.result(state, value, 0).declared(Some(base));
            }
        }
        match self.told_text(state, object) {
            Some((told, Some(text))) => match self.units_for_witness(&told, text) {
                Some((told, units)) => ReturnValue::Shown(class, self.text_of_units(&told, &units)),
                None => ReturnValue::Object(class),
            },
            _ => ReturnValue::Object(class),
        }
    }
}

/// The primitive type of a wrapper class.
pub(crate) fn boxed_base(class: &str) -> Option<BaseType> {
    use BaseType::*;
    let bases = [Boolean, Byte, Char, Short, Int, Long, Float, Double];
    bases.into_iter().find(|base| base.wrapper().replace('/', ".") == class)
}

impl ReturnValue {
    /// Converts to a value of the declared type; to the machine, booleans and characters are ints.
    pub fn of_type(self, type_: &FieldType) -> ReturnValue {
        self.declared(if let FieldType::Base(base) = type_ { Some(*base) } else { None })
    }

    fn declared(self, base: Option<BaseType>) -> ReturnValue {
        match (base, self) {
            (Some(BaseType::Boolean), ReturnValue::Number(Number::Integer(number))) => {
                ReturnValue::Truth(number & 1 == 1)
            }
            (Some(BaseType::Char), ReturnValue::Number(Number::Integer(number))) => {
                ReturnValue::Character(number as u16)
            }
            (_, other) => other,
        }
    }
}

impl Display for ReturnValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            ReturnValue::Number(Number::Integer(number)) => write!(f, "{number}"),
            ReturnValue::Number(Number::Float(number)) => f.write_str(&java_float(format!("{number:?}"))),
            ReturnValue::Number(Number::Double(number)) => f.write_str(&java_float(format!("{number:?}"))),
            ReturnValue::Truth(holds) => write!(f, "{holds}"),
            ReturnValue::Character(unit) => write!(f, "'{}'", escaped(&[*unit], '\'')),
            ReturnValue::Null => f.write_str("null"),
            ReturnValue::Text(text) => f.write_str(&quoted(text.encode_utf16())),
            ReturnValue::Array(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
            ReturnValue::Object(class) => write!(f, "an object of {class}"),
            ReturnValue::Shown(class, text) => write!(f, "{class}: {}", readable(text)),
        }
    }
}

fn java_float(shown: String) -> String {
    shown.replace("inf", "Infinity")
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Outcome::Returned(None) => f.write_str("returns"),
            Outcome::Returned(Some(value)) => write!(f, "returns {value}"),
            Outcome::Threw { class, message, trace } => {
                let message = if let Message::Text(text) = message { Some(text.as_str()) } else { None };
                threw(f, class, message, trace.first())
            }
            Outcome::Exited(code) => write!(f, "exits with {code}"),
            Outcome::Unsupported { what, at } => {
                write!(f, "is not supported: {}", readable(what))?;
                at.as_ref().map_or(Ok(()), |at| write!(f, " at {at}"))
            }
            Outcome::TooLong => f.write_str("runs too long"),
        }
    }
}

impl Display for RealEnding {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            RealEnding::Returned(None) => f.write_str("returns"),
            RealEnding::Returned(Some(word)) => write!(f, "returns {}", readable(&crate::replay::spoken(word))),
            RealEnding::Threw { class, message, places } => threw(f, class, message.as_deref(), places.first()),
            RealEnding::Exited(code) => write!(f, "exits with {code}"),
            RealEnding::TimedOut => f.write_str("does not end in time"),
            RealEnding::Refused => f.write_str("does not allow the input"),
            RealEnding::Failed(what) => write!(f, "cannot be asked: {}", readable(what.trim())),
        }
    }
}

fn threw(f: &mut Formatter<'_>, class: &str, message: Option<&str>, place: Option<&String>) -> Result {
    write!(f, "throws {class}")?;
    message.map_or(Ok(()), |message| write!(f, ": {}", readable(message)))?;
    place.map_or(Ok(()), |place| write!(f, " at {place}"))
}

/// A string of the program on one line and safe for a terminal: control characters are written as
/// Java escapes.
pub fn readable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if is_active(character) => shown.push_str(&format!("\\u{:04x}", character as u32)),
            _ => shown.push(character),
        }
    }
    shown
}

/// Whether a character affects how others are shown: control characters, and marks that change the
/// writing direction.
fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_programs_stay_on_their_line() {
        assert_eq!(readable("\u{1b}[31m\nfinding \u{202e}"), "\\u001b[31m\\nfinding \\u202e");
        assert_eq!(readable("Grüße"), "Grüße");
    }

    #[test]
    fn values_look_like_java() {
        let number = |number| ReturnValue::Number(Number::Integer(number));
        assert_eq!(number(1).of_type(&FieldType::Base(BaseType::Boolean)).to_string(), "true");
        assert_eq!(number(97).of_type(&FieldType::Base(BaseType::Char)).to_string(), "'a'");
        assert_eq!(number(97).of_type(&FieldType::Base(BaseType::Int)).to_string(), "97");
        assert_eq!(ReturnValue::Number(Number::Double(f64::NEG_INFINITY)).to_string(), "-Infinity");
    }
}
