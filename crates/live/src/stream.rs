//! The two streams for people, and writing to a terminal without waiting for it.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Where text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Stream {
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Stream::Out => io::stdout().is_terminal(),
            Stream::Err => io::stderr().is_terminal(),
        }
    }

    /// Writes everything, however long that takes. A reader that has gone is not an error, since
    /// results are on disk.
    pub(crate) fn print(self, bytes: &[u8]) {
        let _ = match self {
            Stream::Out => io::stdout().write_all(bytes),
            Stream::Err => io::stderr().write_all(bytes),
        };
    }

    /// Writes what the terminal takes within this time, and returns how much that was. A terminal
    /// that has gone takes everything.
    pub(crate) fn offer(self, bytes: &[u8], patience: Duration) -> usize {
        let Some(mut terminal) = self.unhurried() else {
            self.print(bytes);
            return bytes.len();
        };
        let until = Instant::now() + patience;
        let mut taken = 0;
        while taken < bytes.len() {
            match terminal.write(&bytes[taken..]) {
                Ok(count) => taken += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if !becomes_writable(terminal, until.saturating_duration_since(Instant::now())) {
                        return taken;
                    }
                }
                Err(_) => return bytes.len(),
            }
        }
        taken
    }

    /// The terminal behind the stream, opened once more: whether writing waits is a property of an
    /// open file, and other processes share the one that we were given. None if it cannot be opened.
    fn unhurried(self) -> Option<&'static File> {
        static OPENED: [OnceLock<Option<File>>; 2] = [const { OnceLock::new() }; 2];
        let number = self as usize;
        let open = || {
            let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
            OpenOptions::new().write(true).custom_flags(flags).open(format!("/proc/self/fd/{}", number + 1)).ok()
        };
        OPENED[number].get_or_init(|| self.is_terminal().then(open).flatten()).as_ref()
    }
}

fn becomes_writable(terminal: &File, patience: Duration) -> bool {
    let Ok(patience) = Timespec::try_from(patience) else { return false };
    poll(&mut [PollFd::new(terminal, PollFlags::OUT)], Some(&patience)).is_ok_and(|ready| ready > 0)
}
