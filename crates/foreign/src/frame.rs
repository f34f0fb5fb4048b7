//! Messages between this process and a child: a length of eight bytes, then the content.

use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};
use std::io;
use std::os::fd::BorrowedFd;

/// The number of bytes that announce the length of a message.
const PREFIX: usize = 8;

/// Waits until a socket is ready for the next piece of a message. An error ends the exchange.
pub trait Wait<E> {
    fn for_reading(&mut self) -> Result<(), E>;
    fn for_writing(&mut self) -> Result<(), E>;

    /// Decides whether to receive a message of this length.
    fn for_message(&mut self, _length: u64) -> Result<(), E> {
        Ok(())
    }
}

/// Sends a message. It never raises SIGPIPE.
pub fn write<E: From<io::Error>>(socket: BorrowedFd<'_>, content: &[u8], wait: &mut impl Wait<E>) -> Result<(), E> {
    let prefix = (content.len() as u64).to_le_bytes();
    for mut part in [&prefix[..], content] {
        while !part.is_empty() {
            wait.for_writing()?;
            match send(socket, part, SendFlags::NOSIGNAL) {
                Ok(sent) => part = &part[sent..],
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(errno) => return Err(io::Error::from(errno).into()),
            }
        }
    }
    Ok(())
}

/// Receives a message. The end of the stream is an error of kind `UnexpectedEof`.
pub fn read<E: From<io::Error>>(socket: BorrowedFd<'_>, wait: &mut impl Wait<E>) -> Result<Vec<u8>, E> {
    let mut prefix = [0; PREFIX];
    fill(socket, &mut prefix, wait)?;
    let length = u64::from_le_bytes(prefix);
    wait.for_message(length)?;
    let length = usize::try_from(length).map_err(|_| io::Error::other("a message is too long"))?;
    let mut content = Vec::new();
    // A dying child may announce any length; memory is taken as its bytes arrive.
    while content.len() < length {
        let start = content.len();
        content.resize(length.min(start.max(1 << 16) * 2), 0);
        fill(socket, &mut content[start..], wait)?;
    }
    Ok(content)
}

fn fill<E: From<io::Error>>(socket: BorrowedFd<'_>, mut buffer: &mut [u8], wait: &mut impl Wait<E>) -> Result<(), E> {
    while !buffer.is_empty() {
        wait.for_reading()?;
        match recv(socket, &mut *buffer, RecvFlags::empty()) {
            Ok((_, 0)) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            Ok((_, read)) => buffer = &mut buffer[read..],
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(errno) => return Err(io::Error::from(errno).into()),
        }
    }
    Ok(())
}
