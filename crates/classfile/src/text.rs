//! Names and string literals as the class file stores them.
//!
//! The format's *modified UTF-8* writes NUL as two bytes and characters past U+FFFF as two
//! surrogates of three bytes each, which need not come in pairs. A [`Text`] keeps these bytes
//! untouched, so even a string that no Rust `str` can hold survives.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::sync::Arc;

/// A string in modified UTF-8, cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Arc<[u8]>);

impl Text {
    /// Creates a text from the bytes in the file, which need not be well-formed.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Text(bytes.into())
    }

    /// Creates a text from UTF-16 units, which may contain lone surrogates.
    pub fn from_utf16(units: &[u16]) -> Self {
        encode(units.iter().copied())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The UTF-16 units of the text, including lone surrogates.
    pub fn utf16(&self) -> Vec<u16> {
        units(&self.0)
    }

    /// The text as a Rust string, with replacement characters for anything that a `str` cannot
    /// hold. Copies only such exotic texts.
    pub fn as_str(&self) -> Cow<'_, str> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(decode(&self.0)),
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        if text.bytes().all(|byte| byte != 0 && byte < 0xf0) {
            Text(text.as_bytes().into())
        } else {
            encode(text.encode_utf16())
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other.as_bytes() || self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

fn encode(units: impl Iterator<Item = u16>) -> Text {
    let mut bytes = Vec::with_capacity(units.size_hint().0 + 8);
    for unit in units {
        match unit {
            1..0x80 => bytes.push(unit as u8),
            0 | 0x80..0x800 => bytes.extend([0xc0 | (unit >> 6) as u8, continuation(unit)]),
            _ => bytes.extend([0xe0 | (unit >> 12) as u8, continuation(unit >> 6), continuation(unit)]),
        }
    }
    Text(bytes.into())
}

fn continuation(unit: u16) -> u8 {
    0x80 | (unit & 0x3f) as u8
}

fn units(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, _)) = rest.split_first() {
        let (unit, length) = decode_unit(first, rest).unwrap_or((0xfffd, 1));
        units.push(unit);
        rest = &rest[length..];
    }
    units
}

fn decode(bytes: &[u8]) -> String {
    char::decode_utf16(units(bytes)).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Decodes one UTF-16 unit and returns it with the number of bytes it took.
fn decode_unit(first: u8, rest: &[u8]) -> Option<(u16, usize)> {
    let low = |index: usize| rest.get(index).filter(|byte| **byte & 0xc0 == 0x80).map(|byte| u16::from(byte & 0x3f));
    match first {
        1..0x80 => Some((first.into(), 1)),
        0xc0..0xe0 => Some((u16::from(first & 0x1f) << 6 | low(1)?, 2)),
        0xe0..0xf0 => Some((u16::from(first & 0x0f) << 12 | low(1)? << 6 | low(2)?, 3)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_string_survives_the_encoding() {
        for text in ["", "java/lang/Object", "a\0b", "é", "日本", "😀", "a😀\0z"] {
            assert_eq!(Text::from(text).as_str(), text);
            assert_eq!(Text::from(text), *text);
        }
        assert_eq!(Text::from("\0").as_bytes(), [0xc0, 0x80]);
        assert_eq!(Text::from("😀").as_bytes().len(), 6);
    }

    #[test]
    fn a_lone_surrogate_is_kept_and_shown_as_a_replacement() {
        let lone = Text::from_bytes(&[b'a', 0xed, 0xa0, 0xbd]);
        assert_eq!(lone.as_str(), "a\u{fffd}");
        assert_eq!(lone.as_bytes(), [b'a', 0xed, 0xa0, 0xbd]);
        assert_ne!(lone, Text::from("a\u{fffd}"));
        assert_eq!(Text::from_utf16(&lone.utf16()), lone);
    }

    #[test]
    fn malformed_bytes_are_shown_not_refused() {
        assert_eq!(Text::from_bytes(&[b'x', 0xff, 0xe0, b'y']).as_str(), "x\u{fffd}\u{fffd}y");
    }
}
