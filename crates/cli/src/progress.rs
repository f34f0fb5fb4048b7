//! Progress: a view of a run on standard error, and a line for series of checks.

use crate::say::complain;
use lapidary::{Counts, Event, FileTree, StageInfo, Trial, Watcher};
use lapidary_live::{Reporter, View};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

pub use lapidary_live::{counted, thousands};

/// Shows a run to the user: what the view shows, and warnings.
pub struct Progress {
    reporter: Reporter,
    is_quiet: bool,
    /// Whether warnings are shown even with `--quiet`.
    warns_always: bool,
    /// Called with a description of how the input fails.
    on_failure: fn(&str),
}

impl Progress {
    pub fn new(view: &View, is_quiet: bool) -> Self {
        Progress { reporter: view.reporter(), is_quiet, warns_always: false, on_failure: |_| {} }
    }

    /// Calls `show` once it is known how the input fails.
    pub fn on_failure(self, show: fn(&str)) -> Self {
        Progress { on_failure: show, ..self }
    }

    /// Shows warnings even with `--quiet`.
    pub fn warning_always(self) -> Self {
        Progress { warns_always: true, ..self }
    }
}

impl Watcher for Progress {
    fn warning(&mut self, text: &str) {
        if self.warns_always || !self.is_quiet {
            complain!("warning: {text}");
        }
        self.reporter.warning(text);
    }

    fn note(&mut self, text: &str) {
        complain!("note: {text}");
        self.reporter.note(text);
    }

    fn phase(&mut self, what: &str) {
        self.reporter.phase(what);
    }

    fn input_fails(&mut self, words: &str) {
        (self.on_failure)(words);
    }

    fn search_begins(&mut self, bytes: u64) {
        self.reporter.search_begins(bytes);
    }

    fn stage(&mut self, stage: &StageInfo<'_>) {
        self.reporter.stage(stage);
    }

    fn skipped(&mut self, stage: &StageInfo<'_>) {
        self.reporter.skipped(stage);
    }

    fn trying(&mut self, trial: &Trial<'_>) {
        self.reporter.trying(trial);
    }

    fn test(&mut self, event: &Event<'_>, counts: &Counts) {
        self.reporter.test(event, counts);
    }

    fn improved(&mut self, best: &FileTree, bytes: u64) {
        self.reporter.improved(best, bytes);
    }

    fn search_ends(&mut self) {
        self.reporter.search_ends();
    }
}

/// The progress of a series of checks, shown on a terminal only.
pub struct Row {
    length: u32,
    is_quiet: bool,
    is_live: bool,
    last: Option<Instant>,
}

impl Row {
    pub fn new(length: u32, is_quiet: bool) -> Self {
        Row { length, is_quiet, is_live: !is_quiet && io::stderr().is_terminal(), last: None }
    }

    pub fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    pub fn at(&mut self, done: u32, accepted: u32) {
        const PAUSE: Duration = Duration::from_millis(100);
        if self.is_live && self.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            self.last = Some(Instant::now());
            lapidary_live::draw_line(&format!("{done} of {} checked, {accepted} accepted", self.length));
        }
    }

    /// Clears the line for other output.
    pub fn clear(&self) {
        if self.is_live {
            lapidary_live::clear_line();
        }
    }
}
