//! Decides whether two failures are the same: the same kind, message and statement, and a stack
//! that differs only by functions that did not survive.
//!
//! During the search a candidate keeps the line structure of the original, so its line numbers are
//! the original's. For a compacted text, a [`LineMap`] says where the lines went.

use crate::failure::{Failure, Frame, Kind, NULL_POINTER, Site};
use crate::stack::{collapsed, distinct, is_subsequence};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The new positions of the original's lines, for each changed file. Files not in the map are
/// unchanged. Lines not in the map are gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMap(BTreeMap<PathBuf, BTreeMap<u32, u32>>);

impl LineMap {
    pub fn new() -> Self {
        LineMap::default()
    }

    /// Records that line `original` is now line `now`. Once one line of a file is recorded, all
    /// must be.
    pub fn insert(&mut self, file: impl Into<PathBuf>, original: u32, now: u32) {
        self.0.entry(file.into()).or_default().insert(original, now);
    }

    /// Returns the current number of an original line.
    pub fn get(&self, file: &Path, original: u32) -> Option<u32> {
        self.0.get(file).map_or(Some(original), |lines| lines.get(&original).copied())
    }

    /// Returns the original number of a line.
    pub fn original(&self, file: &Path, now: u32) -> Option<u32> {
        let was =
            |lines: &BTreeMap<u32, u32>| lines.iter().find(|(_, line)| **line == now).map(|(original, _)| *original);
        self.0.get(file).map_or(Some(now), was)
    }
}

/// Compares failures with the original's.
#[derive(Clone, Debug)]
pub struct Sameness {
    original: Failure,
    lines: LineMap,
    closeness: Closeness,
}

/// How much of a failure must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closeness {
    /// The error and its statement.
    Error,
    /// Also its reason: calls come from the same lines, and a fault is at the same distance from
    /// null.
    Reason,
}

impl Sameness {
    pub fn new(original: Failure) -> Self {
        Sameness { original, lines: LineMap::new(), closeness: Closeness::Error }
    }

    /// Returns this comparison with the given closeness.
    pub fn with_closeness(self, closeness: Closeness) -> Self {
        Sameness { closeness, ..self }
    }

    /// Returns this comparison for a text whose lines have moved.
    pub fn with_lines(&self, lines: LineMap) -> Self {
        Sameness { lines, ..self.clone() }
    }

    /// Returns the positions of the original's lines in the text.
    pub(crate) fn lines(&self) -> &LineMap {
        &self.lines
    }

    pub fn original(&self) -> &Failure {
        &self.original
    }

    /// Describes how a failure differs from the original's. `None` if it is the same.
    pub fn difference(&self, other: &Failure) -> Option<String> {
        let original = &self.original;
        let same_message = match self.closeness {
            Closeness::Error => same_message(original, other),
            Closeness::Reason => original.message == other.message && same_fault(original, other),
        };
        if original.kind != other.kind || !same_message {
            return Some(format!("fails differently: {}", other.headline()));
        }
        let same_place = match original.kind {
            Kind::StackOverflow => self.same_recursion(other),
            _ => self.same_place(other),
        };
        if !same_place {
            return Some(format!("fails elsewhere: {}", other.headline()));
        }
        if self.closeness == Closeness::Reason && !self.same_sites(other) {
            return Some(format!("is about other memory: {}", other.headline()));
        }
        let overflow = original.kind == Kind::StackOverflow;
        let same_stack = overflow
            || match self.closeness {
                Closeness::Error => callers_survive(&original.frames, &other.frames),
                Closeness::Reason => self.calls_survive(other),
            };
        (!same_stack).then(|| format!("fails by another way: {}", functions(&other.frames).join(" < ")))
    }

    fn same_place(&self, other: &Failure) -> bool {
        match (self.original.place(), other.place()) {
            (Some(original), Some(other)) => self.is_now_at(original, other),
            _ => false,
        }
    }

    /// Returns whether the functions of a candidate's stack, on their lines, form a subsequence of
    /// the original's.
    fn calls_survive(&self, other: &Failure) -> bool {
        let mut rest = self.original.frames.iter();
        other.frames.iter().all(|frame| rest.any(|original| self.is_now_at(original, frame)))
    }

    /// Returns whether the memory was allocated and freed on the same lines. A function that did so
    /// may be missing.
    fn same_sites(&self, other: &Failure) -> bool {
        let is_same = |original: &Site, site: &Site| {
            let is_there = |frame: &Frame| {
                let now = self.lines.get(&frame.file, frame.line);
                frame.file == site.frame.file && now == Some(site.frame.line)
            };
            original.done == site.done && (is_there(&original.frame) || original.callers.iter().any(is_there))
        };
        let (originals, sites) = (&self.original.sites, &other.sites);
        originals.len() == sites.len() && originals.iter().zip(sites).all(|(original, site)| is_same(original, site))
    }

    /// Returns whether the same calls recur. The exact place where the stack ends is random.
    fn same_recursion(&self, other: &Failure) -> bool {
        let originals = recurring_calls(&self.original.frames);
        let others = recurring_calls(&other.frames);
        if originals.is_empty() {
            return self.same_place(other);
        }
        let is_known = |frame: &&Frame| originals.iter().any(|original| self.is_now_at(original, frame));
        let recurs = |original: &&Frame| others.iter().any(|other| other.function == original.function);
        others.iter().all(is_known) && originals.iter().all(recurs)
    }

    /// Returns whether the original fails on a line. For a stack overflow, every recurring call is
    /// such a line.
    pub(crate) fn is_place(&self, file: &Path, line: u32) -> bool {
        let recurring = Some(&self.original).filter(|original| original.kind == Kind::StackOverflow);
        let recurring = recurring.map_or_else(Vec::new, |original| recurring_calls(&original.frames));
        let mut places = self.original.place().into_iter().chain(recurring);
        places.any(|place| place.line == line && place.file.ends_with(file))
    }

    /// Returns a function of the original's stack that is missing from another stack although the
    /// program still has it.
    pub(crate) fn bypassed<'s>(&'s self, other: &Failure, defines: impl Fn(&str) -> bool) -> Option<&'s str> {
        let is_overflow = self.original.kind == Kind::StackOverflow;
        let active = functions(&other.frames);
        let is_bypassed = |function: &&str| !is_overflow && !active.contains(function) && defines(function);
        functions(&self.original.frames).into_iter().find(is_bypassed)
    }

    fn is_now_at(&self, original: &Frame, other: &Frame) -> bool {
        original.file == other.file
            && original.function == other.function
            && self.lines.get(&original.file, original.line) == Some(other.line)
    }
}

/// Returns whether the messages match. A null pointer must stay one. Another pointer may become
/// null, since null plus an index has an address that depends on the index.
fn same_message(original: &Failure, other: &Failure) -> bool {
    let become_null = || other.message.strip_prefix(NULL_POINTER).is_some_and(|rest| rest.trim() == original.message);
    original.message == other.message || matches!(original.kind, Kind::Signal(_)) && become_null()
}

/// Returns whether the faults match. A fault at or near null must keep its distance, which is that
/// of a member. Any other fault must stay away from null.
fn same_fault(original: &Failure, other: &Failure) -> bool {
    match (original.near_null(), other.near_null()) {
        (Some(distance), other) => other == Some(distance),
        (None, other) => other.is_none(),
    }
}

fn functions(frames: &[Frame]) -> Vec<&str> {
    frames.iter().map(|frame| frame.function.as_str()).collect()
}

/// Returns whether the functions of a candidate's stack are those of the original's that survived,
/// regardless of recursion depth.
fn callers_survive(original: &[Frame], candidate: &[Frame]) -> bool {
    let (original, candidate) = (functions(original), functions(candidate));
    is_subsequence(&collapsed(&candidate), &original) || is_subsequence(&distinct(&candidate), &distinct(&original))
}

/// Returns the calls that occur more than once. The innermost frame is left out, since it may be
/// anything that uses the stack.
fn recurring_calls(frames: &[Frame]) -> Vec<&Frame> {
    let callers: Vec<&Frame> = frames.iter().skip(1).collect();
    let key = |frame: &Frame| (frame.file.clone(), frame.function.clone(), frame.line);
    let mut counts = BTreeMap::new();
    callers.iter().for_each(|frame| *counts.entry(key(frame)).or_insert(0) += 1);
    let recurs = |frame: &Frame| counts[&key(frame)] > 1;
    let mut found: Vec<&Frame> = callers.into_iter().filter(|frame| recurs(frame)).collect();
    found.sort_by_key(|frame| key(frame));
    found.dedup_by_key(|frame| key(frame));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(calls: &[(&str, u32)]) -> Vec<Frame> {
        let frame = |&(function, line): &(&str, u32)| Frame {
            function: function.into(),
            file: "a.c".into(),
            line,
            column: None,
        };
        calls.iter().map(frame).collect()
    }

    fn failure(kind: Kind, calls: &[(&str, u32)]) -> Failure {
        Failure::new(kind, "x", stack(calls))
    }

    #[test]
    fn functions_that_did_not_survive_may_be_missing() {
        let sameness = Sameness::new(failure(Kind::Assertion, &[("f", 3), ("g", 9), ("g", 9), ("main", 20)]));
        let difference = |calls| sameness.difference(&failure(Kind::Assertion, calls));
        assert_eq!(difference(&[("f", 3), ("main", 20)]), None);
        assert_eq!(difference(&[("f", 3), ("g", 8), ("g", 9), ("g", 9), ("main", 21)]), None);
        assert_eq!(
            difference(&[("f", 4), ("main", 20)]).as_deref(),
            Some("fails elsewhere: assertion `x` failed at a.c:4 in f")
        );
        assert!(difference(&[("g", 3), ("main", 20)]).unwrap().contains("elsewhere"));
        assert_eq!(
            difference(&[("f", 3), ("h", 9), ("main", 20)]).as_deref(),
            Some("fails by another way: f < h < main")
        );
        assert!(difference(&[]).is_some());
    }

    #[test]
    fn kind_and_message_must_be_the_same() {
        let original = failure(Kind::Assertion, &[("f", 3)]);
        let sameness = Sameness::new(original.clone());
        let aborted = Failure { kind: Kind::Abort, ..original.clone() };
        let reworded = Failure { message: "y".into(), ..original.clone() };
        let detailed = Failure { detail: "y".into(), ..original };
        assert!(sameness.difference(&aborted).unwrap().starts_with("fails differently: abort"));
        assert!(sameness.difference(&reworded).is_some());
        assert_eq!(sameness.difference(&detailed), None);
    }

    #[test]
    fn a_null_pointer_stays_one_and_another_may_become_one() {
        let with =
            |message: &str| Failure { message: message.into(), ..failure(Kind::Signal("SIGSEGV".into()), &[("f", 3)]) };
        let same = |one: &str, other: &str| Sameness::new(with(one)).difference(&with(other)).is_none();
        assert!(
            same("null pointer in strlen", "null pointer in strlen") && same("in strlen", "null pointer in strlen")
        );
        assert!(same("", "null pointer"));
        assert!(!same("null pointer", "") && !same("", "null pointer in strlen"));
    }

    #[test]
    fn lines_that_moved_are_found_by_the_map() {
        let sameness = Sameness::new(failure(Kind::Assertion, &[("f", 30)]));
        let mut lines = LineMap::new();
        lines.insert("a.c", 30, 3);
        let moved = sameness.with_lines(lines);
        assert_eq!(moved.difference(&failure(Kind::Assertion, &[("f", 3)])), None);
        assert!(moved.difference(&failure(Kind::Assertion, &[("f", 30)])).is_some());
        assert!(sameness.difference(&failure(Kind::Assertion, &[("f", 3)])).is_some());
    }

    #[test]
    fn a_stack_overflow_is_known_by_the_calls_that_recur() {
        let endless = [("log", 1), ("f", 5), ("g", 9), ("f", 5), ("g", 9), ("main", 20)];
        let sameness = Sameness::new(failure(Kind::StackOverflow, &endless));
        let difference = |calls| sameness.difference(&failure(Kind::StackOverflow, calls));
        assert_eq!(difference(&[("g", 8), ("f", 5), ("g", 9), ("f", 5), ("g", 9)]), None);
        assert!(difference(&[("h", 5), ("h", 5), ("h", 5)]).is_some());
        assert!(difference(&[("f", 6), ("f", 6), ("f", 6)]).is_some());
        assert!(difference(&[("f", 5), ("main", 20)]).is_some());
        assert!(difference(&[("f", 5), ("f", 5), ("f", 5)]).is_some(), "g does not recur");
        assert!(sameness.is_place(Path::new("a.c"), 9) && sameness.is_place(Path::new("a.c"), 1));
        assert!(!sameness.is_place(Path::new("a.c"), 20));
    }

    #[test]
    fn a_failure_without_a_place_is_like_no_other() {
        let nowhere = failure(Kind::Signal("SIGKILL".into()), &[]);
        assert!(Sameness::new(nowhere.clone()).difference(&nowhere).is_some());
    }

    #[test]
    fn a_function_that_is_still_there_must_be_on_the_stack() {
        let sameness = Sameness::new(failure(Kind::Assertion, &[("f", 3), ("g", 9), ("main", 20)]));
        let direct = failure(Kind::Assertion, &[("f", 3), ("main", 20)]);
        assert_eq!(sameness.bypassed(&direct, |function| function == "g"), Some("g"));
        assert_eq!(sameness.bypassed(&direct, |_| false), None);
    }
}
