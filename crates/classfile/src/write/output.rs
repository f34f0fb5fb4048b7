//! A growing buffer of bytes.

use crate::WriteError;

pub(super) struct Output(Vec<u8>);

impl Output {
    pub fn with_capacity(bytes: usize) -> Self {
        Output(Vec::with_capacity(bytes))
    }

    pub fn u1(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn u2(&mut self, value: u16) {
        self.0.extend(value.to_be_bytes());
    }

    pub fn u4(&mut self, value: u32) {
        self.0.extend(value.to_be_bytes());
    }

    pub fn u8(&mut self, value: u64) {
        self.0.extend(value.to_be_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Writes the length of a list in two bytes.
    pub fn count(&mut self, what: &'static str, count: usize) -> Result<(), WriteError> {
        let limit = usize::from(u16::MAX);
        self.u2(u16::try_from(count).map_err(|_| WriteError::TooMany { what, count, limit })?);
        Ok(())
    }

    /// Writes the length of a list in one byte.
    pub fn short_count(&mut self, what: &'static str, count: usize) -> Result<(), WriteError> {
        let limit = usize::from(u8::MAX);
        self.u1(u8::try_from(count).map_err(|_| WriteError::TooMany { what, count, limit })?);
        Ok(())
    }

    /// Reserves four bytes for the length of the part that follows.
    pub fn open(&mut self) -> usize {
        self.u4(0);
        self.0.len()
    }

    /// Fills in the length of the part written since [`Output::open`].
    pub fn close(&mut self, start: usize) -> Result<(), WriteError> {
        let count = self.0.len() - start;
        let limit = u32::MAX as usize;
        let length = u32::try_from(count).map_err(|_| WriteError::TooMany { what: "bytes", count, limit })?;
        self.0[start - 4..start].copy_from_slice(&length.to_be_bytes());
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    pub fn into_bytes(mut self) -> Vec<u8> {
        self.0.shrink_to_fit();
        self.0
    }
}
