//! Constants in Java syntax.

use lapidary_classfile::{Constant, Text};
use lapidary_jvm::{BaseType, FieldType};

/// A number that an instruction pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Number {
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
}

impl Number {
    /// The number as an expression of a primitive type.
    pub fn text(self, wanted: BaseType) -> String {
        match (self, wanted) {
            (Number::Int(value), BaseType::Boolean) => (value != 0).to_string(),
            (Number::Int(value), BaseType::Byte) => format!("(byte) {value}"),
            (Number::Int(value), BaseType::Short) => format!("(short) {value}"),
            (Number::Int(value), BaseType::Char) => char_text(value as u16),
            (Number::Int(value), _) => value.to_string(),
            (Number::Long(value), _) => format!("{value}L"),
            (Number::Float(bits), _) => float_text(bits),
            (Number::Double(bits), _) => double_text(bits),
        }
    }
}

fn char_text(unit: u16) -> String {
    match u8::try_from(unit) {
        Ok(byte @ b' '..=b'~') if byte != b'\'' && byte != b'\\' => format!("'{}'", byte as char),
        _ => format!("(char) {unit}"),
    }
}

fn float_text(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() { format!("{value:?}f") } else { format!("Float.intBitsToFloat({})", bits as i32) }
}

fn double_text(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_finite() { format!("{value:?}") } else { format!("Double.longBitsToDouble({}L)", bits as i64) }
}

/// A string literal.
pub fn string_text(text: &Text) -> String {
    let mut result = String::from("\"");
    for unit in text.utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => result.push_str("\\\""),
            Ok(b'\\') => result.push_str("\\\\"),
            Ok(b'\n') => result.push_str("\\n"),
            Ok(b'\t') => result.push_str("\\t"),
            Ok(b'\r') => result.push_str("\\r"),
            Ok(byte @ b' '..=b'~') => result.push(byte as char),
            _ => result.push_str(&format!("\\u{unit:04x}")),
        }
    }
    result.push('"');
    result
}

/// The default value of a variable of the type.
pub fn default_text(type_: &FieldType) -> &'static str {
    match type_ {
        FieldType::Base(BaseType::Boolean) => "false",
        FieldType::Base(BaseType::Char) => "'\\0'",
        FieldType::Base(_) => "0",
        _ => "null",
    }
}

/// An expression for a symbol of a primitive type.
pub fn symbol_text(base: BaseType) -> String {
    let name = ["Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double"][base as usize];
    format!("{}.new{name}()", crate::names::marker("lapidary/Symbolic"))
}

/// The value of a constant field.
pub fn constant_text(constant: &Constant, type_: &FieldType) -> String {
    let base = match type_ {
        FieldType::Base(base) => *base,
        _ => BaseType::Int,
    };
    match constant {
        Constant::Int(value) => Number::Int(*value).text(base),
        Constant::Long(value) => Number::Long(*value).text(base),
        Constant::Float(bits) => Number::Float(*bits).text(base),
        Constant::Double(bits) => Number::Double(*bits).text(base),
        Constant::String(text) => string_text(text),
        _ => "null".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_written_in_the_type_that_is_wanted() {
        assert_eq!(Number::Int(1).text(BaseType::Boolean), "true");
        assert_eq!(Number::Int(97).text(BaseType::Char), "'a'");
        assert_eq!(Number::Int(39).text(BaseType::Char), "(char) 39");
        assert_eq!(Number::Int(-1).text(BaseType::Byte), "(byte) -1");
        assert_eq!(Number::Long(5).text(BaseType::Long), "5L");
        assert_eq!(Number::Float(1.5f32.to_bits()).text(BaseType::Float), "1.5f");
        assert_eq!(
            Number::Double(f64::NAN.to_bits()).text(BaseType::Double),
            "Double.longBitsToDouble(9221120237041090560L)"
        );
        assert_eq!(string_text(&"a\"b\nü".into()), "\"a\\\"b\\n\\u00fc\"");
    }
}
