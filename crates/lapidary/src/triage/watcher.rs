//! Following a triage from outside.

use crate::watcher::Watcher;
use lapidary_triage::tables::Scored;
use lapidary_triage::{Examined, Said, Tools};

/// Follows a triage. By default, every method does nothing; `&mut ()` watches nothing.
pub trait TriageWatcher {
    /// Something that a person should know, in one sentence.
    fn remark(&mut self, _text: &str) {}

    /// A less important remark, in one sentence.
    fn note(&mut self, _text: &str) {}

    /// A phase begins, in a few words.
    fn phase(&mut self, _what: &str) {}

    /// These slow analyses are asked, too.
    fn asking(&mut self, _slow: &[&str]) {}

    /// A program was examined.
    fn examined(&mut self, _examined: &Examined) {}

    /// The tools answered about an input.
    fn answered(&mut self, _scored: &Scored, _tools: &Tools, _said: &[Said]) {}

    /// The watcher that follows the reduction.
    fn reduction(&mut self) -> Box<dyn Watcher + '_> {
        Box::new(())
    }
}

impl TriageWatcher for () {}
