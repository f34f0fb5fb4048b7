//! Text on its way to a terminal that may take it late.

use crate::stream::Stream;
use std::collections::VecDeque;
use std::time::Duration;

/// Text for the terminal that it has not taken yet, in order.
pub(crate) struct Backlog(VecDeque<(Stream, Vec<u8>)>);

impl Backlog {
    pub(crate) const fn new() -> Backlog {
        Backlog(VecDeque::new())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, stream: Stream, text: impl Into<Vec<u8>>) {
        self.0.push_back((stream, text.into()));
    }

    /// Writes what the terminal takes, and waits at most this long where it takes nothing.
    pub(crate) fn offer(&mut self, patience: Duration) {
        while let Some((stream, text)) = self.0.front_mut() {
            let taken = stream.offer(text, patience);
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
