//! Inputs in Java syntax.

use super::{Factory, GivenObject, Input, Number};
use lapidary_classfile::Text;
use lapidary_jvm::{BaseType, FieldType};
use std::fmt::{Display, Formatter, Result};

/// Writes the input as in Java; objects whose fields were set are written like records.
impl Display for Input<Number> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Input::Number(base, number) | Input::Boxed(base @ BaseType::Boolean, number) => {
                f.write_str(&literal(*base, *number))
            }
            Input::Boxed(base, number) => {
                write!(f, "new {}({})", simple_name(&base.wrapper().into()), literal(*base, *number))
            }
            Input::Null => f.write_str("null"),
            Input::Text(units) => f.write_str(&quoted(units.iter().map(|unit| integer(*unit) as u16))),
            Input::Array(element, inputs) => {
                write!(f, "new {}[] {{{}}}", java_name(element), listed(inputs))
            }
            // Where the program chose at random, the number of alternatives was not recorded.
            Input::Choice(chosen, 0) => write!(f, "choice {chosen}"),
            Input::Choice(chosen, count) => write!(f, "choice {chosen} of {count}"),
            Input::Constant(class, name) => write!(f, "{}.{name}", class_name(class)),
            Input::Made(call, inputs) => write!(f, "{}({})", maker(call), listed(inputs)),
            Input::Elements(class, inputs) if class.as_str().ends_with("Set") => {
                write!(f, "{}[{}]", simple_name(class), listed(&without_repetitions(inputs)))
            }
            Input::Elements(class, inputs) => write!(f, "{}[{}]", simple_name(class), listed(inputs)),
            Input::Entries(class, inputs) => write!(f, "{}{{{}}}", simple_name(class), entries(inputs)),
            Input::Object(object) => object.fmt(f),
            Input::Shared(number, input) => write!(f, "#{number}={input}"),
            Input::Same(number) => write!(f, "#{number}"),
        }
    }
}

impl Display for GivenObject<Number> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let fields: Vec<String> = self.fields.iter().map(|field| format!("{}={}", field.name, field.value)).collect();
        let number = if self.is_shared { format!("#{}", self.number) } else { String::new() };
        write!(f, "{}{number}{{{}}}", class_name(&self.class), fields.join(", "))
    }
}

fn listed(inputs: &[Input<Number>]) -> String {
    inputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The elements that a set keeps. Objects that look alike may still be different, so they stay.
fn without_repetitions(inputs: &[Input<Number>]) -> Vec<Input<Number>> {
    let mut kept: Vec<Input<Number>> = Vec::new();
    for input in inputs {
        let is_value = !matches!(input, Input::Object(_) | Input::Made(..) | Input::Array(..));
        if !is_value || !kept.contains(input) {
            kept.push(input.clone());
        }
    }
    kept
}

fn entries(inputs: &[Input<Number>]) -> String {
    let entry = |pair: &[Input<Number>]| pair.iter().map(ToString::to_string).collect::<Vec<_>>().join("=");
    inputs.chunks(2).map(entry).collect::<Vec<_>>().join(", ")
}

fn maker(call: &Factory) -> String {
    let class = class_name(&call.class);
    if call.method == "<init>" { format!("new {class}") } else { format!("{class}.{}", call.method) }
}

fn class_name(class: &Text) -> String {
    class.as_str().replace(['/', '$'], ".")
}

fn simple_name(class: &Text) -> String {
    let name = class.as_str();
    name.rsplit(['/', '$']).next().unwrap_or_default().to_owned()
}

/// The bits of `Float.NaN` and `Double.NaN`. Other NaNs have no name.
const NAN_OF_FLOAT: u32 = 0x7fc0_0000;
const NAN_OF_DOUBLE: u64 = 0x7ff8_0000_0000_0000;

fn literal(base: BaseType, number: Number) -> String {
    match (base, number) {
        (BaseType::Boolean, number) => (integer(number) & 1 == 1).to_string(),
        (BaseType::Char, number) => format!("'{}'", escaped(&[integer(number) as u16], '\'')),
        (BaseType::Long, number) => format!("{}L", integer(number)),
        (_, Number::Integer(number)) => number.to_string(),
        (_, Number::Float(number)) if number.is_finite() => format!("{number:?}f"),
        (_, Number::Double(number)) if number.is_finite() => format!("{number:?}"),
        (_, Number::Float(number)) if number.is_nan() && number.to_bits() != NAN_OF_FLOAT => {
            format!("Float.intBitsToFloat({:#x})", number.to_bits())
        }
        (_, Number::Double(number)) if number.is_nan() && number.to_bits() != NAN_OF_DOUBLE => {
            format!("Double.longBitsToDouble({:#x}L)", number.to_bits())
        }
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

/// Escapes every character that is not printable ASCII, as Java does.
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

/// A text in quotation marks, as Java would write it.
pub fn quoted(units: impl IntoIterator<Item = u16>) -> String {
    format!("\"{}\"", escaped(&units.into_iter().collect::<Vec<_>>(), '"'))
}

pub(crate) fn java_name(type_: &FieldType) -> String {
    match type_ {
        FieldType::Base(base) => crate::names::base_name(*base).to_owned(),
        FieldType::Object(name) => class_name(name),
        FieldType::Array(element) => java_name(element) + "[]",
    }
}

#[cfg(test)]
mod tests {
    use super::super::GivenField;
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
        let other = Input::Number(BaseType::Float, Number::Float(f32::from_bits(0xffc0_0001)));
        assert_eq!(other.to_string(), "Float.intBitsToFloat(0xffc00001)");
        assert_eq!(Input::Number(BaseType::Long, Number::Integer(7)).to_string(), "7L");
    }

    #[test]
    fn objects_show_the_fields_that_were_read() {
        let number = Input::Number(BaseType::Int, Number::Integer(3));
        let inner = GivenField { owner: "p/Node".into(), name: "next".into(), value: Input::Same(1) };
        let value = GivenField { owner: "p/Node".into(), name: "value".into(), value: number.clone() };
        let object = GivenObject { number: 1, class: "p/Node".into(), fields: vec![value, inner], is_shared: true };
        assert_eq!(Input::Object(object).to_string(), "p.Node#1{value=3, next=#1}");
        let call = Factory { class: "p/A$Point".into(), method: "<init>".into(), descriptor: "(I)V".into() };
        assert_eq!(Input::Made(call, vec![number.clone()]).to_string(), "new p.A.Point(3)");
        let set = Input::Elements("java/util/HashSet".into(), vec![number.clone(), Input::Null, number.clone()]);
        assert_eq!(set.to_string(), "HashSet[3, null]");
        let pair = vec![Input::Boxed(BaseType::Long, Number::Integer(1)), number];
        assert_eq!(Input::Entries("java/util/HashMap".into(), pair).to_string(), "HashMap{new Long(1L)=3}");
    }
}
