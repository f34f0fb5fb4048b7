//! A cursor over bytes that never reads past their end and knows its offset in the file.

use crate::{ParseError, Problem};

#[derive(Clone, Debug)]
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The offset of `bytes` in the file.
    base: usize,
}

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8], base: usize) -> Self {
        Input { bytes, at: 0, base }
    }

    /// The current offset from the start of the file.
    pub fn offset(&self) -> usize {
        self.base + self.at
    }

    /// The current offset from the start of these bytes.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn take(&mut self, length: usize) -> Result<&'a [u8], ParseError> {
        match self.bytes[self.at..].get(..length) {
            Some(taken) => {
                self.at += length;
                Ok(taken)
            }
            None => Err(self.error(Problem::Truncated { wanted: length, left: self.left() })),
        }
    }

    pub fn u1(&mut self) -> Result<u8, ParseError> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u2(&mut self) -> Result<u16, ParseError> {
        self.array().map(u16::from_be_bytes)
    }

    pub fn u4(&mut self) -> Result<u32, ParseError> {
        self.array().map(u32::from_be_bytes)
    }

    pub fn i1(&mut self) -> Result<i8, ParseError> {
        self.array().map(i8::from_be_bytes)
    }

    pub fn i2(&mut self) -> Result<i16, ParseError> {
        self.array().map(i16::from_be_bytes)
    }

    pub fn i4(&mut self) -> Result<i32, ParseError> {
        self.array().map(i32::from_be_bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ParseError> {
        match self.bytes[self.at..].first_chunk() {
            Some(chunk) => {
                self.at += N;
                Ok(*chunk)
            }
            None => Err(self.error(Problem::Truncated { wanted: N, left: self.left() })),
        }
    }

    /// Reads a list preceded by its two-byte length. Every entry takes at least `least` bytes.
    pub fn list<T>(
        &mut self,
        least: usize,
        entry: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let count = self.u2()?;
        self.entries(count.into(), least, entry)
    }

    /// Reads `count` entries. Reserves memory only for as many as the remaining bytes can hold.
    pub fn entries<T>(
        &mut self,
        count: usize,
        least: usize,
        mut entry: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let wanted = count.saturating_mul(least);
        if wanted > self.left() {
            return Err(self.error(Problem::Truncated { wanted, left: self.left() }));
        }
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(entry(self)?);
        }
        Ok(list)
    }

    pub fn finish(&self) -> Result<(), ParseError> {
        match self.left() {
            0 => Ok(()),
            left => Err(self.error(Problem::TrailingBytes(left))),
        }
    }

    pub fn error(&self, problem: Problem) -> ParseError {
        ParseError { offset: self.offset(), problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_lies_about_its_length_costs_nothing() {
        let error = Input::new(&[0xff, 0xff, 1, 2], 100).list(2, Input::u2).unwrap_err();
        assert_eq!(error, ParseError { offset: 102, problem: Problem::Truncated { wanted: 131_070, left: 2 } });
    }
}
