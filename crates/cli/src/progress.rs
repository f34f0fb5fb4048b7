//! Progress: one live line on a terminal, a plain line every few seconds elsewhere, nothing with
//! `--quiet`.

use crate::say::{self, complain};
use lapidary::{FileTree, Watcher};
use lapidary_reduce::{Counts, Event, StageInfo};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shows the progress of a run on standard error.
pub struct Progress {
    style: Style,
    /// Whether warnings are shown even with `--quiet`.
    warns_always: bool,
    /// Called with a description of how the input fails.
    on_failure: fn(&str),
    started: Instant,
    last: Option<Instant>,
    original: u64,
    best: u64,
    stage: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Quiet,
    Live,
    Plain,
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        let style = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Style::Quiet,
            (false, true) => Style::Live,
            (false, false) => Style::Plain,
        };
        Progress {
            style,
            warns_always: false,
            on_failure: |_| {},
            started: Instant::now(),
            last: None,
            original: 0,
            best: 0,
            stage: String::new(),
        }
    }

    /// Calls `show` once it is known how the input fails.
    pub fn on_failure(self, show: fn(&str)) -> Self {
        Progress { on_failure: show, ..self }
    }

    /// Shows warnings even with `--quiet`.
    pub fn warning_always(self) -> Self {
        Progress { warns_always: true, ..self }
    }

    fn line(&self, counts: &Counts) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let percent = 100.0 * self.best as f64 / self.original.max(1) as f64;
        format!(
            "{percent:5.1} % left ({}) | {}, {:.0}/s | {:.0} s | {}",
            counted(self.best as usize, "byte"),
            counted(counts.run as usize, "test"),
            counts.run as f64 / seconds.max(0.001),
            seconds,
            self.stage
        )
    }
}

impl Watcher for Progress {
    fn warning(&mut self, text: &str) {
        if self.warns_always || self.style != Style::Quiet {
            complain!("warning: {text}");
        }
    }

    fn note(&mut self, text: &str) {
        complain!("note: {text}");
    }

    fn input_fails(&mut self, words: &str) {
        (self.on_failure)(words);
    }

    fn search_begins(&mut self, bytes: u64) {
        (self.original, self.best, self.started) = (bytes, bytes, Instant::now());
    }

    fn stage(&mut self, stage: &StageInfo<'_>) {
        self.stage = format!("{}: {} on {}", stage.name, stage.strategy, counted(stage.items.len(), "item"));
    }

    fn test(&mut self, _: &Event<'_>, counts: &Counts) {
        let pause = match self.style {
            Style::Quiet => return,
            Style::Live => Duration::from_millis(100),
            Style::Plain => Duration::from_secs(5),
        };
        if self.last.unwrap_or(self.started).elapsed() < pause {
            return;
        }
        self.last = Some(Instant::now());
        let line = self.line(counts);
        match self.style {
            Style::Live => draw(&line),
            _ => complain!("{line}"),
        }
    }

    fn improved(&mut self, _: &FileTree, bytes: u64) {
        self.best = bytes;
    }

    /// Clears the live line.
    fn search_ends(&mut self) {
        if self.style == Style::Live {
            clear_line();
        }
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
            draw(&format!("{done} of {} checked, {accepted} accepted", self.length));
        }
    }

    /// Clears the line for other output.
    pub fn clear(&self) {
        if self.is_live {
            clear_line();
        }
    }
}

fn clear_line() {
    let _ = write!(io::stderr(), "\r\x1b[K");
}

/// Replaces the live line.
fn draw(line: &str) {
    let line = say::harmless(line);
    let width = rustix::termios::tcgetwinsize(io::stderr()).map_or(0, |size| size.ws_col as usize);
    // A terminal of unknown width reports 0.
    let width = if width == 0 { 80 } else { width.max(20) };
    let shown: String = line.chars().take(width - 1).collect();
    let mut stderr = io::stderr().lock();
    // The run goes on even if the terminal is gone.
    let _ = write!(stderr, "\r{shown}\x1b[K");
    let _ = stderr.flush();
}

/// `1234567` → `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 item`, `1,234 items`.
pub fn counted(number: usize, what: &str) -> String {
    format!("{} {what}{}", thousands(number as u64), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_are_grouped() {
        assert_eq!(super::thousands(7), "7");
        assert_eq!(super::thousands(1234567), "1,234,567");
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(super::counted(1, "item"), "1 item");
        assert_eq!(super::counted(1234, "item"), "1,234 items");
    }
}
