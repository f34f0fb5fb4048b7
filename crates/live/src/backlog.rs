//! Text on its way to a terminal that may take it late.

use crate::stream::Stream;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A way to a terminal.
pub(crate) trait Way {
    /// Writes what the terminal takes within this time, and returns how much that was.
    fn offer(&self, bytes: &[u8], patience: Duration) -> usize;

    /// Writes everything, however long that takes.
    fn print(&self, bytes: &[u8]);
}

impl Way for Stream {
    fn offer(&self, bytes: &[u8], patience: Duration) -> usize {
        Stream::offer(*self, bytes, patience)
    }

    fn print(&self, bytes: &[u8]) {
        Stream::print(*self, bytes);
    }
}

/// Text for the terminal that it has not taken yet, in order.
pub(crate) struct Backlog<W>(VecDeque<(W, Vec<u8>)>);

impl<W: Way> Backlog<W> {
    pub(crate) const fn new() -> Backlog<W> {
        Backlog(VecDeque::new())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, stream: W, text: impl Into<Vec<u8>>) {
        self.0.push_back((stream, text.into()));
    }

    /// Writes what the terminal takes within this time.
    pub(crate) fn offer(&mut self, patience: Duration) {
        let until = Instant::now() + patience;
        while let Some((stream, text)) = self.0.front_mut() {
            let taken = stream.offer(text, until.saturating_duration_since(Instant::now()));
            text.drain(..taken);
            if !text.is_empty() {
                return;
            }
            self.0.pop_front();
        }
    }

    /// Writes everything, however long the terminal takes.
    pub(crate) fn flush(&mut self) {
        self.0.drain(..).for_each(|(stream, text)| stream.print(&text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::testing::Pty;

    /// More than a terminal takes before somebody reads.
    fn frame() -> Vec<u8> {
        (0..100_000).map(|index| b'a' + (index % 26) as u8).collect()
    }

    #[test]
    fn a_frame_of_many_slices_arrives_with_one_offer() {
        let pty = Pty::open();
        let mut backlog = Backlog::new();
        backlog.push(&pty, frame());
        let read = pty.read_beside(frame().len());
        backlog.offer(Duration::from_secs(600));
        assert!(backlog.is_empty());
        assert_eq!(read.join().unwrap(), frame());
    }

    #[test]
    fn a_terminal_that_takes_nothing_keeps_the_rest_waiting_in_order() {
        let pty = Pty::open();
        let mut backlog = Backlog::new();
        backlog.push(&pty, frame());
        backlog.push(&pty, "the end");
        backlog.offer(Duration::ZERO);
        assert!(!backlog.is_empty());
        let expected = [&frame()[..], b"the end"].concat();
        let read = pty.read_beside(expected.len());
        backlog.flush();
        assert!(backlog.is_empty());
        assert_eq!(read.join().unwrap(), expected);
    }

    #[test]
    fn a_terminal_that_has_gone_takes_everything() {
        let mut pty = Pty::open();
        pty.hang_up();
        let mut backlog = Backlog::new();
        backlog.push(&pty, frame());
        backlog.offer(Duration::ZERO);
        assert!(backlog.is_empty());
    }
}
