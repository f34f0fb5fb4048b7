//! The keys that are pressed on the terminal.
//!
//! crossterm has a reader, too, but it never returns once the terminal has been closed.

use rustix::event::{PollFd, PollFlags, Timespec};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

/// A key that has a meaning somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    Char(char),
    /// Ctrl with a letter.
    Control(char),
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
}

/// The keyboard of the terminal.
pub(crate) struct Keyboard {
    /// `None` if there is no terminal to read from.
    terminal: Option<File>,
    unread: Vec<u8>,
}

impl Keyboard {
    /// The keyboard behind standard input, or else that of the terminal which controls the process.
    pub fn new() -> Keyboard {
        let input = io::stdin().is_terminal().then(|| rustix::io::dup(rustix::stdio::stdin()).ok()).flatten();
        let terminal = input.map(File::from).or_else(|| File::open("/dev/tty").ok());
        Keyboard { terminal, unread: Vec::new() }
    }

    /// Waits for a key, at most for this long.
    pub fn wait(&mut self, limit: Duration) -> Option<Pressed> {
        if let Some(pressed) = decode(&mut self.unread) {
            return Some(pressed);
        }
        let begun = Instant::now();
        match &mut self.terminal {
            Some(terminal) if is_readable(terminal, limit) => {
                let mut bytes = [0; 64];
                // A terminal that is closed or not ours now has nothing to say.
                let read = terminal.read(&mut bytes).unwrap_or(0);
                self.unread.extend_from_slice(&bytes[..read]);
            }
            _ => std::thread::sleep(limit.saturating_sub(begun.elapsed())),
        }
        decode(&mut self.unread)
    }
}

fn is_readable(terminal: &File, limit: Duration) -> bool {
    let mut polled = [PollFd::new(terminal, PollFlags::IN)];
    let limit = Timespec::try_from(limit).ok();
    rustix::event::poll(&mut polled, limit.as_ref()).is_ok() && polled[0].revents() == PollFlags::IN
}

/// Takes the first key with a meaning from what was typed. The beginning of a key stays.
fn decode(typed: &mut Vec<u8>) -> Option<Pressed> {
    loop {
        let (key, length) = match **typed {
            [] | [ESCAPE] | [ESCAPE, b'O'] => return None,
            [ESCAPE, b'[', ref rest @ ..] => {
                let end = rest.iter().position(|byte| (0x40..=0x7e).contains(byte))?;
                (sequence(&rest[..end], rest[end]), end + 3)
            }
            [ESCAPE, b'O', last, ..] => (sequence(&[], last), 3),
            [byte @ 1..=26, ..] => (Some(Pressed::Control(char::from(byte + b'a' - 1))), 1),
            [byte @ b' '..=b'~', ..] => (Some(Pressed::Char(char::from(byte))), 1),
            [_, ..] => (None, 1),
        };
        typed.drain(..length);
        if key.is_some() {
            return key;
        }
    }
}

const ESCAPE: u8 = 0x1b;

/// The key of an escape sequence, from its parameters and its last byte.
fn sequence(parameters: &[u8], last: u8) -> Option<Pressed> {
    Some(match (last, parameters) {
        (b'A', _) => Pressed::Up,
        (b'B', _) => Pressed::Down,
        (b'H', _) | (b'~', b"1" | b"7") => Pressed::Home,
        (b'F', _) | (b'~', b"4" | b"8") => Pressed::End,
        (b'~', b"5") => Pressed::PageUp,
        (b'~', b"6") => Pressed::PageDown,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(typed: &[u8]) -> Vec<Pressed> {
        let mut typed = typed.to_vec();
        std::iter::from_fn(|| decode(&mut typed)).collect()
    }

    #[test]
    fn letters_and_sequences_are_keys() {
        use Pressed::*;
        assert_eq!(keys(b"q\x03\x1a?"), [Char('q'), Control('c'), Control('z'), Char('?')]);
        assert_eq!(keys(b"\x1b[A\x1bOB\x1b[5~\x1b[6~"), [Up, Down, PageUp, PageDown]);
        assert_eq!(keys(b"\x1b[H\x1b[4~\x1b[1;5A"), [Home, End, Up]);
    }

    #[test]
    fn other_keys_are_passed_over() {
        assert_eq!(keys("\u{1b}[15~é\u{1b}\u{1b}[Zs".as_bytes()), [Pressed::Char('s')]);
        assert_eq!(keys(b"\x1bd"), [Pressed::Char('d')], "with Alt");
    }

    #[test]
    fn half_a_key_waits_for_its_other_half() {
        let mut typed = b"\x1b".to_vec();
        assert_eq!(decode(&mut typed), None);
        typed.extend(b"[");
        assert_eq!(decode(&mut typed), None);
        typed.extend(b"Bx");
        assert_eq!(decode(&mut typed), Some(Pressed::Down));
        assert_eq!(typed, b"x");
    }
}
