//! A position in a descriptor or signature. The two grammars share their alphabet, their names and
//! their errors.

use lapidary_classfile::Text;
use thiserror::Error;

/// The reason why a descriptor or a signature cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxError {
    #[error("{text}: expected {expected} at byte {at}")]
    Unexpected { text: String, at: usize, expected: &'static str },
    #[error("{text}: more than {limit} levels deep at byte {at}")]
    TooDeep { text: String, at: usize, limit: usize },
    #[error("{text}: the parameters take {slots} slots, a method has 255")]
    TooManySlots { text: String, slots: usize },
}

pub(crate) type Parsed<T> = Result<T, SyntaxError>;

/// Reads bytes from left to right and remembers where it is for the error message.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Steps over `byte` if it comes next.
    pub fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub fn expect(&mut self, byte: u8, expected: &'static str) -> Parsed<()> {
        if self.skip(byte) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    pub fn next(&mut self, expected: &'static str) -> Parsed<u8> {
        let byte = self.peek().ok_or_else(|| self.unexpected(expected))?;
        self.at += 1;
        Ok(byte)
    }

    /// Takes the bytes up to the next one of `ends`, which is not taken; at least one byte.
    pub fn name(&mut self, ends: &[u8], forbidden: &[u8]) -> Parsed<Text> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| ends.contains(byte)).unwrap_or(rest.len());
        let name = &rest[..length];
        if name.is_empty() || name.iter().any(|byte| forbidden.contains(byte)) {
            return Err(self.unexpected("a name"));
        }
        self.at += length;
        Ok(Text::from_bytes(name))
    }

    /// Takes all occurrences of `byte` that come next and returns their number.
    pub fn count(&mut self, byte: u8, limit: usize) -> Parsed<usize> {
        let start = self.at;
        while self.skip(byte) {}
        let count = self.at - start;
        if count > limit { Err(self.too_deep(limit)) } else { Ok(count) }
    }

    pub fn finish<T>(&self, value: T) -> Parsed<T> {
        if self.at == self.bytes.len() { Ok(value) } else { Err(self.unexpected("the end")) }
    }

    pub fn unexpected(&self, expected: &'static str) -> SyntaxError {
        SyntaxError::Unexpected { text: self.shown(), at: self.at, expected }
    }

    pub fn too_deep(&self, limit: usize) -> SyntaxError {
        SyntaxError::TooDeep { text: self.shown(), at: self.at, limit }
    }

    /// The text for an error message, shortened because hostile texts are long.
    pub fn shown(&self) -> String {
        let length = self.bytes.len().min(200);
        String::from_utf8_lossy(&self.bytes[..length]).into_owned()
    }
}
