//! The head of an output stream: enough to look at, never enough to fill the memory.

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// What a test printed to one of its streams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes, up to the bound.
    pub head: Vec<u8>,
    /// How many bytes came after them and were thrown away.
    pub dropped: u64,
}

/// The reading end of a stream that is read whenever there is something, so that the writer never blocks for long.
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

    /// The pipe, until its end was read.
    pub fn open(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Reads once. False when there is nothing to read now or ever again.
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

    /// What was read since this was last called.
    pub fn take_captured(&mut self) -> Captured {
        std::mem::take(&mut self.captured)
    }

    /// Everything that was printed, once nobody prints any more.
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
