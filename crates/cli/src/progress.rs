//! Progress: one live line on a terminal, a plain line every few seconds elsewhere, nothing when quiet.

use crate::say::{self, complain};
use lapidary_reduce::{Counts, StageInfo};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

pub struct Progress {
    style: Style,
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
    pub fn new(quiet: bool, original: u64) -> Self {
        let style = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Style::Quiet,
            (false, true) => Style::Live,
            (false, false) => Style::Plain,
        };
        Progress { style, started: Instant::now(), last: None, original, best: original, stage: String::new() }
    }

    pub fn stage(&mut self, stage: &StageInfo<'_>) {
        self.stage = format!("{}: {} on {}", stage.name, stage.strategy, counted(stage.items, "item"));
    }

    pub fn improved(&mut self, bytes: u64) {
        self.best = bytes;
    }

    pub fn test(&mut self, counts: &Counts) {
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

    /// Makes room for other output.
    pub fn clear(&self) {
        if self.style == Style::Live {
            say::err(format_args!("\r\x1b[K"));
        }
    }

    fn line(&self, counts: &Counts) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let percent = 100.0 * self.best as f64 / self.original.max(1) as f64;
        format!(
            "{percent:5.1} % left ({} bytes) | {} tests, {:.0}/s | {:.0} s | {}",
            thousands(self.best),
            thousands(counts.run),
            counts.run as f64 / seconds.max(0.001),
            seconds,
            self.stage
        )
    }
}

/// How far a row of checks has come, on a terminal only.
pub struct Row {
    length: u32,
    is_live: bool,
    last: Option<Instant>,
}

impl Row {
    pub fn new(length: u32) -> Self {
        Row { length, is_live: io::stderr().is_terminal(), last: None }
    }

    pub fn at(&mut self, done: u32, accepted: u32) {
        const PAUSE: Duration = Duration::from_millis(100);
        if self.is_live && self.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            self.last = Some(Instant::now());
            draw(&format!("{done} of {} checked, {accepted} accepted", self.length));
        }
    }

    /// Makes room for other output.
    pub fn clear(&self) {
        if self.is_live {
            say::err(format_args!("\r\x1b[K"));
        }
    }
}

/// Puts a line in the place of the last one.
fn draw(line: &str) {
    let width = rustix::termios::tcgetwinsize(io::stderr()).map_or(0, |size| size.ws_col as usize);
    // A terminal that does not know its width says 0.
    let width = if width == 0 { 80 } else { width.max(20) };
    let shown: String = line.chars().take(width - 1).collect();
    let mut stderr = io::stderr().lock();
    // A terminal that is gone is no reason to stop.
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
