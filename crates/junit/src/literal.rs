//! Values as Java literals. All of them are ASCII, so no encoding can change them.

use lapidary_jvm::BaseType;
use lapidary_symbolic::{Input, Number, escaped};

/// The longest text in one literal. A class file allows 65,535 bytes, and a character takes up to
/// three.
const LONGEST: usize = 20_000;

/// A text as a literal, or as an expression that puts it together.
pub fn text(units: &[u16]) -> String {
    let quoted = |units: &[u16]| format!("\"{}\"", escaped(units, '"'));
    if units.len() <= LONGEST {
        return quoted(units);
    }
    let parts: String = units.chunks(LONGEST).map(|part| format!(".append({})", quoted(part))).collect();
    format!("new StringBuilder(){parts}.toString()")
}

/// A text of Rust as a literal that fits into an annotation.
pub fn title(text: &str) -> String {
    const MOST: usize = 500;
    let units: Vec<u16> = text.encode_utf16().collect();
    let end = if units.len() > MOST { " ..." } else { "" };
    format!("\"{}{end}\"", escaped(&units[..units.len().min(MOST)], '"'))
}

/// A number as an expression of exactly this type.
pub fn number(base: BaseType, number: Number) -> String {
    let literal = Input::Number(base, number);
    match base {
        BaseType::Byte => format!("(byte) {literal}"),
        BaseType::Short => format!("(short) {literal}"),
        _ => literal.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(written: &str) -> String {
        text(&written.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn texts_are_escaped_for_source_files() {
        assert_eq!(of("a\"b\\u0041\n\r\t"), r#""a\"b\\u0041\n\r\t""#);
        assert_eq!(of("\u{0}\u{8}é😀"), r#""\u0000\u0008\u00e9\ud83d\ude00""#);
        assert_eq!(text(&[0xdc00, 0x2028]), r#""\udc00\u2028""#);
        // A line feed written as a Unicode escape would end the line of the source.
        assert!(!of("\n\r").contains("\\u000"));
    }

    #[test]
    fn long_texts_are_put_together() {
        let long = text(&vec![u16::from(b'x'); LONGEST + 1]);
        assert!(long.starts_with("new StringBuilder().append(\"xxx") && long.ends_with(".append(\"x\").toString()"));
        assert!(title(&"y".repeat(1000)).ends_with("y ...\""));
    }

    #[test]
    fn numbers_are_exact_and_have_their_type() {
        let integer = |base, value| number(base, Number::Integer(value));
        assert_eq!(integer(BaseType::Byte, -128), "(byte) -128");
        assert_eq!(integer(BaseType::Short, 3), "(short) 3");
        assert_eq!(integer(BaseType::Int, i32::MIN.into()), "-2147483648");
        assert_eq!(integer(BaseType::Long, i64::MIN), "-9223372036854775808L");
        assert_eq!(integer(BaseType::Char, 0x27), r"'\''");
        assert_eq!(integer(BaseType::Char, 0xd800), r"'\ud800'");
        assert_eq!(integer(BaseType::Boolean, 1), "true");
        let double = |value| number(BaseType::Double, Number::Double(value));
        assert_eq!([double(-0.0), double(0.1), double(5e-324)], ["-0.0", "0.1", "5e-324"]);
        assert_eq!(double(f64::NEG_INFINITY), "Double.NEGATIVE_INFINITY");
        assert_eq!(double(f64::from_bits(0x7ff8_0000_0000_0001)), "Double.longBitsToDouble(0x7ff8000000000001L)");
        assert_eq!(number(BaseType::Float, Number::Float(f32::MAX)), "3.4028235e38f");
        assert_eq!(number(BaseType::Float, Number::Float(f32::NAN)), "Float.NaN");
    }
}
