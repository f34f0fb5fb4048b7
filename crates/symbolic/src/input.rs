//! What a path was given: values made of symbols, and what they are once the symbols have values.

use crate::value::Value;
use lapidary_jvm::{BaseType, FieldType};

/// Something that came from outside, in the order in which the program asked for it. `V` is a value of the machine on the way,
/// and a [`Number`] at the end.
#[derive(Clone, Debug, PartialEq)]
pub enum Input<V = Value> {
    Number(BaseType, V),
    Null,
    /// UTF-16 units.
    Text(Vec<V>),
    /// The elements, and what they are.
    Array(FieldType, Vec<Input<V>>),
    /// What `selectState` chose, out of how many.
    Choice(u32, u32),
}

/// A number of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Integer(i64),
    Float(f32),
    Double(f64),
}

impl<V> Input<V> {
    /// The same with every value replaced.
    pub fn map<W>(&self, replace: &mut impl FnMut(&V) -> W) -> Input<W> {
        match self {
            Input::Number(base, value) => Input::Number(*base, replace(value)),
            Input::Null => Input::Null,
            Input::Text(units) => Input::Text(units.iter().map(replace).collect()),
            Input::Array(element, inputs) => {
                let inputs = inputs.iter().map(|input| input.map(replace)).collect();
                Input::Array(element.clone(), inputs)
            }
            Input::Choice(chosen, count) => Input::Choice(*chosen, *count),
        }
    }
}

/// As one would write it in Java.
impl std::fmt::Display for Input<Number> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Input::Number(base, number) => write!(f, "{}", literal(*base, *number)),
            Input::Null => f.write_str("null"),
            Input::Text(units) => {
                let units: Vec<u16> = units.iter().map(|unit| integer(*unit) as u16).collect();
                write!(f, "\"{}\"", escaped(&units, '"'))
            }
            Input::Array(element, inputs) => {
                write!(f, "new {}[] {{", java_name(element))?;
                for (place, input) in inputs.iter().enumerate() {
                    write!(f, "{}{input}", if place == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
            Input::Choice(chosen, count) => write!(f, "choice {chosen} of {count}"),
        }
    }
}

fn literal(base: BaseType, number: Number) -> String {
    match (base, number) {
        (BaseType::Boolean, number) => (integer(number) & 1 == 1).to_string(),
        (BaseType::Char, number) => format!("'{}'", escaped(&[integer(number) as u16], '\'')),
        (BaseType::Long, number) => format!("{}L", integer(number)),
        (_, Number::Integer(number)) => number.to_string(),
        (_, Number::Float(number)) if number.is_finite() => format!("{number:?}f"),
        (_, Number::Double(number)) if number.is_finite() => format!("{number:?}"),
        (_, Number::Float(number)) => not_finite("Float", number.into()),
        (_, Number::Double(number)) => not_finite("Double", number),
    }
}

fn not_finite(class: &str, number: f64) -> String {
    let name = if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "POSITIVE_INFINITY"
    } else {
        "NEGATIVE_INFINITY"
    };
    format!("{class}.{name}")
}

fn integer(number: Number) -> i64 {
    match number {
        Number::Integer(number) => number,
        Number::Float(number) => number as i64,
        Number::Double(number) => number as i64,
    }
}

/// Java's escapes for everything that is not a printable ASCII character.
pub fn escaped(units: &[u16], quote: char) -> String {
    let mut text = String::new();
    for unit in units {
        match char::from_u32((*unit).into()) {
            Some('\n') => text.push_str("\\n"),
            Some('\r') => text.push_str("\\r"),
            Some('\t') => text.push_str("\\t"),
            Some(character) if character == quote || character == '\\' => text.extend(['\\', character]),
            Some(character) if (' '..='~').contains(&character) => text.push(character),
            _ => text.push_str(&format!("\\u{unit:04x}")),
        }
    }
    text
}

pub(crate) fn java_name(type_: &FieldType) -> String {
    match type_ {
        FieldType::Base(base) => crate::step::base_name(*base).to_owned(),
        FieldType::Object(name) => name.as_str().replace(['/', '$'], "."),
        FieldType::Array(element) => java_name(element) + "[]",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_look_like_java() {
        let text = Input::Text("a\"\n\u{e9}".encode_utf16().map(|unit| Number::Integer(unit.into())).collect());
        assert_eq!(text.to_string(), r#""a\"\n\u00e9""#);
        let bytes =
            vec![Input::Number(BaseType::Byte, Number::Integer(-1)), Input::Number(BaseType::Byte, Number::Integer(2))];
        assert_eq!(Input::Array(FieldType::Base(BaseType::Byte), bytes).to_string(), "new byte[] {-1, 2}");
        assert_eq!(Input::Number(BaseType::Boolean, Number::Integer(1)).to_string(), "true");
        assert_eq!(Input::Number(BaseType::Float, Number::Float(f32::NAN)).to_string(), "Float.NaN");
        assert_eq!(Input::Number(BaseType::Long, Number::Integer(7)).to_string(), "7L");
    }
}
