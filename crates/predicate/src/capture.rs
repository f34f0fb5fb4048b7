//! Captures the beginning of an output stream, up to a bound.

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The captured output of one stream of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes, up to the bound.
    pub head: Vec<u8>,
    /// The number of bytes after them that were dropped.
    pub dropped: u64,
}

/// The reading end of a stream, read whenever there is data so that the writer never blocks for
/// long.
pub struct Stream {
    pipe: Option<OwnedFd>,
    keep: usize,
    captured: Captured,
}

impl Stream {
    pub fn new(pipe: OwnedFd, keep: usize) -> io::Result<Self> {
        fcntl_setfl(&pipe, OFlags::NONBLOCK)?;
        Ok(Stream { pipe: Some(pipe), keep, captured: Captured::default() })
    }

    /// The pipe, or `None` once its end was reached.
    pub fn open(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Reads once. Returns false if there is nothing to read now, or the stream has ended.
    pub fn read(&mut self, buffer: &mut [u8]) -> bool {
        let Some(pipe) = &self.pipe else { return false };
        match rustix::io::read(pipe, &mut *buffer) {
            Ok(0) => self.close(),
            Ok(count) => self.take(&buffer[..count]),
            Err(Errno::INTR) => true,
            Err(Errno::AGAIN) => false,
            Err(_) => self.close(),
        }
    }

    /// The output captured since the last call.
    pub fn take_captured(&mut self) -> Captured {
        std::mem::take(&mut self.captured)
    }

    /// Reads the remaining output of a stream whose writers have ended, and returns everything
    /// captured.
    pub fn finish(mut self, buffer: &mut [u8]) -> Captured {
        while self.read(buffer) {}
        self.captured
    }

    fn close(&mut self) -> bool {
        self.pipe = None;
        false
    }

    fn take(&mut self, bytes: &[u8]) -> bool {
        let room = bytes.len().min(self.keep - self.captured.head.len());
        self.captured.head.extend_from_slice(&bytes[..room]);
        self.captured.dropped += (bytes.len() - room) as u64;
        true
    }
}
