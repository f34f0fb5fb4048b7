//! Writes a program line by line, and knows what is in scope.

use super::random::Random;
use super::{Line, Watch};

/// The number of elements of each array.
pub(super) const LENGTH: usize = 6;

/// The variables and jumps that a statement may use.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Variables that may be written. `counters` may only be read.
    pub numbers: Vec<String>,
    pub counters: Vec<String>,
    pub pointers: Vec<String>,
    pub arrays: Vec<String>,
    pub structs: Vec<String>,
    pub struct_pointers: Vec<String>,
    pub functions: Vec<String>,
    /// The nesting depth of the statement. `may_break` and `may_continue` say whether these jumps
    /// would act on the right statement.
    pub depth: usize,
    pub may_break: bool,
    pub may_continue: bool,
    /// Whether `return` takes a value; it does not in `main`.
    pub returns: bool,
}

pub(super) struct Writer {
    pub random: Random,
    pub lines: Vec<Line>,
    pub scope: Scope,
    /// The number of names made up so far.
    names: usize,
    pub indent: usize,
}

impl Writer {
    pub fn new(random: Random) -> Writer {
        Writer { random, lines: Vec::new(), scope: Scope::default(), names: 0, indent: 0 }
    }

    pub(super) fn line(&mut self, text: &str) {
        let text = format!("{:indent$}{text}", "", indent = 4 * self.indent);
        self.lines.push(Line { text, watch: None });
    }

    /// Adds a line that records a variable. `watched` has `@` where that happens.
    pub(super) fn watched(&mut self, variable: &str, watched: &str) {
        let indent = 4 * self.indent;
        let text = format!("{:indent$}{}", "", watched.replace("@, ", "").replace("@; ", "").replace(" @;", ""));
        let call = format!("WATCH(LINE, {variable})");
        let watch = Watch { variable: variable.to_owned(), text: watched.replace('@', &call) };
        self.lines.push(Line { text, watch: Some(watch) });
    }

    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    pub(super) fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    pub(super) fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }
}
