//! The values that expressions had in a run, as literals.

use crate::instrument::Instrumented;
use crate::program::{Place, Program};
use lapidary_clang::{Type, TypeClass};
use std::path::PathBuf;

/// An expression and the value it had when it was last computed. An expression that was never
/// computed can have any value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownValue {
    pub file: PathBuf,
    /// The line on which the expression begins, counted from 1.
    pub line: u32,
    pub expression: Vec<u8>,
    pub literal: String,
    /// Whether the expression had different values before.
    pub varies: bool,
}

/// The number of bytes of a value that are recorded, as in `runtime.c`.
const KEPT: usize = 128;

/// The size of a value in a trace: its length, its form, and its first bytes.
pub(crate) const VALUE: usize = 8 + KEPT;

/// Reads the values that a run recorded. Values that cannot be written as a literal are left out.
pub(crate) fn known_values(instrumented: &Instrumented<'_>, values: &[u8]) -> Vec<KnownValue> {
    let program = &instrumented.graph.program;
    let watched = instrumented.given.iter().zip(&instrumented.watched.given);
    let read = watched.zip(values.chunks_exact(VALUE)).filter(|((_, is_watched), _)| **is_watched);
    read.filter_map(|((place, _), value)| known_value(program, *place, value)).collect()
}

/// The forms of recorded values, as in `runtime.c`.
const NEVER: u32 = 0;
const TEXT: u32 = 2;
const SOURCE: u32 = 3;
const VARIES: u32 = 0x100;

fn known_value(program: &Program<'_>, place: Place, value: &[u8]) -> Option<KnownValue> {
    let half = |at: usize| u32::from_le_bytes(value[at..at + 4].try_into().expect("four bytes"));
    let (size, form, varies) = (half(0) as usize, half(4) & !VARIES, half(4) & VARIES != 0);
    let bytes = value[8..].get(..size)?;
    let syntax = program.syntax(place);
    let of_type = syntax.type_of(syntax.as_written(place.node))?;
    let literal = match form {
        NEVER => literal_of_nothing(of_type, syntax.is_cpp())?,
        TEXT => text_literal(bytes),
        SOURCE if bytes.is_empty() => return None,
        SOURCE => String::from_utf8(bytes.to_vec()).ok()?,
        _ => literal(of_type, bytes, syntax.is_cpp())?,
    };
    let file = &program.files[program.file_of(place)];
    let before = &file.text[..program.node(place).start as usize];
    let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    Some(KnownValue { file: file.path.clone(), line, expression: program.text(place).to_vec(), literal, varies })
}

/// Returns the shortest literal of a type.
fn literal_of_nothing(of_type: &Type, is_cpp: bool) -> Option<String> {
    match of_type.class {
        TypeClass::Record if of_type.is_text() => Some(text_literal(b"")),
        TypeClass::Record => Some("{}".to_owned()),
        TypeClass::Floating => Some("0".to_owned()),
        _ => literal(of_type, &[0; 4], is_cpp),
    }
}

/// Formats a value as a literal. `None` if no literal has this type in every context.
fn literal(of_type: &Type, bytes: &[u8], is_cpp: bool) -> Option<String> {
    let name = of_type.spelling.trim_start_matches("const ").trim_start_matches("volatile ");
    let mut wide = [0; 8];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let unsigned = u64::from_le_bytes(wide);
    let shift = 64 - 8 * bytes.len().max(1) as u32;
    let signed = (unsigned << shift) as i64 >> shift;
    match of_type.class {
        _ if bytes.is_empty() => None,
        TypeClass::Boolean if is_cpp => Some((unsigned != 0).to_string()),
        TypeClass::Boolean => Some(unsigned.to_string()),
        TypeClass::Integer if name == "char" && matches!(bytes[0], b' '..=b'~') => Some(character_literal(bytes[0])),
        TypeClass::Integer if name.starts_with("unsigned") => Some(match u32::try_from(unsigned) {
            Ok(small) if i32::try_from(small).is_ok() => small.to_string(),
            Ok(small) => format!("{small}u"),
            Err(_) => format!("{unsigned}ul"),
        }),
        TypeClass::Integer | TypeClass::Enumeration => match i32::try_from(signed) {
            Ok(i32::MIN) => None,
            Ok(small) if is_cpp && of_type.class == TypeClass::Enumeration => {
                (!name.contains(['(', '<'])).then(|| format!("{name}({small})"))
            }
            Ok(small) => Some(small.to_string()),
            Err(_) => (signed != i64::MIN).then(|| format!("{signed}l")),
        },
        TypeClass::Floating => floating_literal(bytes),
        TypeClass::Pointer if unsigned == 0 => Some(if is_cpp { "nullptr" } else { "0" }.to_owned()),
        _ => None,
    }
}

fn floating_literal(bytes: &[u8]) -> Option<String> {
    let (text, is_finite) = match bytes.len() {
        4 => {
            let number = f32::from_le_bytes(bytes.try_into().ok()?);
            (format!("{number:?}f"), number.is_finite())
        }
        8 => {
            let number = f64::from_le_bytes(bytes.try_into().ok()?);
            (format!("{number:?}"), number.is_finite())
        }
        _ => return None,
    };
    is_finite.then_some(text)
}

fn character_literal(byte: u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("'\\{}'", byte as char),
        _ => format!("'{}'", byte as char),
    }
}

fn text_literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', *byte as char]),
            b' '..=b'~' => text.push(*byte as char),
            // Use three digits, so that a following digit is not read as part of the escape.
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(class: TypeClass, spelling: &str) -> Type {
        Type {
            class,
            spelling: spelling.into(),
            declaration: None,
            inner: None,
            arguments: Vec::new(),
            is_const: false,
        }
    }

    #[test]
    fn literals_have_the_type_of_the_value() {
        let c = |class, spelling: &str, bytes: &[u8]| literal(&of(class, spelling), bytes, false);
        let cpp = |class, spelling: &str, bytes: &[u8]| literal(&of(class, spelling), bytes, true);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(c(TypeClass::Integer, "int", &(-7_i32).to_le_bytes()), some("-7"));
        assert_eq!(c(TypeClass::Integer, "int", &i32::MIN.to_le_bytes()), None, "it is an expression");
        assert_eq!(c(TypeClass::Integer, "long", &(1_i64 << 40).to_le_bytes()), some("1099511627776l"));
        assert_eq!(c(TypeClass::Integer, "unsigned int", &u32::MAX.to_le_bytes()), some("4294967295u"));
        assert_eq!(c(TypeClass::Integer, "const char", b"'"), some(r"'\''"));
        assert_eq!(c(TypeClass::Integer, "char", &[0xff]), some("-1"));
        assert_eq!(c(TypeClass::Floating, "double", &0.1_f64.to_le_bytes()), some("0.1"));
        assert_eq!(c(TypeClass::Floating, "float", &2_f32.to_le_bytes()), some("2.0f"));
        assert_eq!(c(TypeClass::Floating, "double", &f64::NAN.to_le_bytes()), None);
        assert_eq!(c(TypeClass::Pointer, "int *", &[0; 8]), some("0"));
        assert_eq!(c(TypeClass::Pointer, "int *", &[1; 8]), None);
        assert_eq!(cpp(TypeClass::Pointer, "int *", &[0; 8]), some("nullptr"));
        assert_eq!(cpp(TypeClass::Enumeration, "a::State", &2_u32.to_le_bytes()), some("a::State(2)"));
        assert_eq!(cpp(TypeClass::Boolean, "bool", &[1]), some("true"));
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(text_literal(b"a\"b\\\n1"), r#""a\"b\\\0121""#);
    }
}
