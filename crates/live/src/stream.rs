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
        let Some(terminal) = self.unhurried() else {
            self.print(bytes);
            return bytes.len();
        };
        offer_to(terminal, bytes, patience)
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

/// Writes what a terminal, which is open so that writing does not wait, takes within this time.
fn offer_to(mut terminal: &File, bytes: &[u8], patience: Duration) -> usize {
    let until = Instant::now() + patience;
    let mut taken = 0;
    while taken < bytes.len() {
        match terminal.write(&bytes[taken..]) {
            Ok(0) => return taken,
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

fn becomes_writable(terminal: &File, patience: Duration) -> bool {
    let Ok(patience) = Timespec::try_from(patience) else { return false };
    poll(&mut [PollFd::new(terminal, PollFlags::OUT)], Some(&patience)).is_ok_and(|ready| ready > 0)
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::backlog::Way;
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    use std::io::Read;
    use std::os::fd::{FromRawFd, OwnedFd};
    use std::ptr::{null, null_mut};
    use std::thread::JoinHandle;

    /// A terminal of our own, in which nobody but the test reads.
    pub struct Pty {
        /// The side of the one who looks.
        screen: Option<File>,
        terminal: File,
    }

    impl Pty {
        pub fn open() -> Pty {
            let (mut screen, mut terminal) = (-1, -1);
            // SAFETY: both places are written by the call, and it has no use for the rest.
            let opened = unsafe { libc::openpty(&mut screen, &mut terminal, null_mut(), null(), null()) };
            assert_eq!(opened, 0, "{}", io::Error::last_os_error());
            // SAFETY: the call has opened both for us.
            let [screen, terminal] = [screen, terminal].map(|number| unsafe { OwnedFd::from_raw_fd(number) });
            // The text arrives as it is.
            let mut settings = tcgetattr(&terminal).unwrap();
            settings.make_raw();
            tcsetattr(&terminal, OptionalActions::Now, &settings).unwrap();
            fcntl_setfl(&terminal, fcntl_getfl(&terminal).unwrap() | OFlags::NONBLOCK).unwrap();
            Pty { screen: Some(screen.into()), terminal: terminal.into() }
        }

        /// Reads so many bytes in a thread.
        pub fn read_beside(&self, count: usize) -> JoinHandle<Vec<u8>> {
            let mut screen = self.screen.as_ref().unwrap().try_clone().unwrap();
            std::thread::spawn(move || {
                let mut bytes = vec![0; count];
                screen.read_exact(&mut bytes).unwrap();
                bytes
            })
        }

        /// Closes the side of the one who looks.
        pub fn hang_up(&mut self) {
            self.screen = None;
        }
    }

    impl Way for &Pty {
        fn offer(&self, bytes: &[u8], patience: Duration) -> usize {
            offer_to(&self.terminal, bytes, patience)
        }

        fn print(&self, bytes: &[u8]) {
            let flags = fcntl_getfl(&self.terminal).unwrap();
            fcntl_setfl(&self.terminal, flags - OFlags::NONBLOCK).unwrap();
            (&self.terminal).write_all(bytes).unwrap();
        }
    }

    #[test]
    fn an_offer_says_how_much_was_taken() {
        let pty = Pty::open();
        let bytes = vec![b'x'; 100_000];
        let taken = offer_to(&pty.terminal, &bytes, Duration::ZERO);
        assert!(0 < taken && taken < bytes.len(), "{taken}");
        assert_eq!(pty.read_beside(taken).join().unwrap(), bytes[..taken]);
    }
}
