//! Following a run from outside: warnings, progress, improvements.

use lapidary_reduce::{Counts, Event, FileTree, StageInfo, Trial};

/// Follows a run. By default, every method does nothing; `&mut ()` watches nothing.
pub trait Watcher {
    /// Something that a person should know, in one sentence.
    fn warning(&mut self, _text: &str) {}

    /// A remark about the limits of the run, in one sentence.
    fn note(&mut self, _text: &str) {}

    /// Something begins before or after the search, in a few words: "checking the test on the input,
    /// run 1 of 3".
    fn phase(&mut self, _what: &str) {}

    /// The input fails. `words` is the output of the test, or a description of the failure.
    fn input_fails(&mut self, _words: &str) {}

    /// The search begins. The input has this many bytes.
    fn search_begins(&mut self, _bytes: u64) {}

    /// A stage of the search begins.
    fn stage(&mut self, _stage: &StageInfo<'_>) {}

    /// A test starts. With several jobs it may be needed later, or never.
    fn trying(&mut self, _trial: &Trial<'_>) {}

    /// The user skipped the stage in progress.
    fn skipped(&mut self, _stage: &StageInfo<'_>) {}

    /// A test was answered.
    fn test(&mut self, _event: &Event<'_>, _counts: &Counts) {}

    /// A smaller input still fails. The first call is for the input itself. For a crash, `bytes`
    /// counts no white space, because its lines are kept in place during the search.
    fn improved(&mut self, _best: &FileTree, _bytes: u64) {}

    /// The search has ended; the result is about to be checked and saved.
    fn search_ends(&mut self) {}
}

impl Watcher for () {}
