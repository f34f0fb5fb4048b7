//! Gathers the paths of an exploration while it runs: grouped by outcome, with a few inputs of each
//! group. A million paths take no more memory than a thousand.

use crate::chart::Tone;
use crate::text::cut;
use lapidary::{PathVerdict, call_in_words, path_outcome};
use lapidary_symbolic::{Method, Outcome, PathEnd};
use std::collections::BTreeMap;

/// So many inputs of a group are kept, and so many groups of a kind.
const INPUTS: usize = 20;
const GROUPS: usize = 400;

/// Longer texts are cut.
const LONGEST: usize = 1_000;

/// The paths of an exploration.
#[derive(Default)]
pub struct Paths {
    groups: BTreeMap<(Kind, String), Group>,
    counts: BTreeMap<Kind, u64>,
    /// How many groups of each kind there are.
    sizes: BTreeMap<Kind, usize>,
}

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Assertion,
    Exception,
    Exit,
    Return,
    Unsupported,
    TooLong,
}

/// Paths with the same outcome: the same result, or the same exception at the same place.
#[derive(Default)]
pub(super) struct Group {
    pub count: u64,
    /// Whether the real JVM did the same on one of them.
    pub is_confirmed: bool,
    pub paths: Vec<ShownPath>,
    /// The call stack of the exception, innermost call first.
    pub stack: Vec<String>,
}

/// A path as it is shown.
pub(super) struct ShownPath {
    pub call: String,
    pub outcome: String,
    pub stdout: String,
    pub stderr: String,
    pub is_confirmed: bool,
    /// The behaviour of the real JVM instead.
    pub otherwise: Option<String>,
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Assertion, Kind::Exception, Kind::Exit, Kind::Return, Kind::Unsupported, Kind::TooLong];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Assertion => "failed assertion",
            Kind::Exception => "exception",
            Kind::Exit => "exit",
            Kind::Return => "return",
            Kind::Unsupported => "not supported",
            Kind::TooLong => "too long",
        }
    }

    pub fn tone(self) -> Tone {
        match self {
            Kind::Assertion | Kind::Exception => Tone::Bad,
            Kind::Exit => Tone::Nth(2),
            Kind::Return => Tone::Good,
            Kind::Unsupported => Tone::Unsure,
            Kind::TooLong => Tone::Quiet,
        }
    }
}

impl Paths {
    /// Adds a path, with the verdict of the real JVM on it.
    pub fn add(&mut self, method: &Method, path: &PathEnd, verdict: &PathVerdict) {
        let (kind, key, stack) = place(method, &path.outcome);
        *self.counts.entry(kind).or_default() += 1;
        let size = self.sizes.entry(kind).or_default();
        let key = (kind, key);
        if !self.groups.contains_key(&key) {
            if *size >= GROUPS {
                return;
            }
            *size += 1;
        }
        let group = self.groups.entry(key).or_default();
        group.count += 1;
        group.is_confirmed |= matches!(verdict, PathVerdict::Finding | PathVerdict::Repeated);
        if group.stack.is_empty() {
            group.stack = stack;
        }
        let is_telling = matches!(verdict, PathVerdict::Unconfirmed(_)) && group.paths.len() < 2 * INPUTS;
        if group.paths.len() < INPUTS || is_telling {
            group.paths.push(shown(method, path, verdict));
        }
    }

    /// The number of paths of a kind.
    pub(super) fn count(&self, kind: Kind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    /// The groups of a kind, those with the most paths first.
    pub(super) fn groups(&self, kind: Kind) -> Vec<(&str, &Group)> {
        let own = self.groups.iter().filter(|((of, _), _)| *of == kind);
        let mut groups: Vec<(&str, &Group)> = own.map(|((_, key), group)| (key.as_str(), group)).collect();
        groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.count));
        groups
    }

    /// Paths of a kind that are in none of its groups, because there would be too many.
    pub(super) fn ungrouped(&self, kind: Kind) -> u64 {
        self.count(kind) - self.groups(kind).iter().map(|(_, group)| group.count).sum::<u64>()
    }
}

/// The kind of an outcome, what it has in common with others, and its call stack.
fn place(method: &Method, outcome: &Outcome) -> (Kind, String, Vec<String>) {
    match outcome {
        Outcome::Threw { class, trace, .. } => {
            let kind = if class == "java.lang.AssertionError" { Kind::Assertion } else { Kind::Exception };
            let at = trace.first().map_or_else(String::new, |place| format!(" at {place}"));
            (kind, format!("{class}{at}"), trace.iter().take(64).cloned().collect())
        }
        Outcome::Exited(code) => (Kind::Exit, format!("exit code {code}"), Vec::new()),
        Outcome::Unsupported { what, .. } => (Kind::Unsupported, short(what), Vec::new()),
        Outcome::TooLong => (Kind::TooLong, "too many instructions".to_owned(), Vec::new()),
        Outcome::Returned(_) => (Kind::Return, short(&path_outcome(method, outcome)), Vec::new()),
    }
}

fn shown(method: &Method, path: &PathEnd, verdict: &PathVerdict) -> ShownPath {
    ShownPath {
        call: short(&call_in_words(method, &path.inputs)),
        outcome: short(&path_outcome(method, &path.outcome)),
        stdout: short(&path.stdout),
        stderr: short(&path.stderr),
        is_confirmed: matches!(verdict, PathVerdict::Finding),
        otherwise: match verdict {
            PathVerdict::Unconfirmed(otherwise) => Some(short(otherwise)),
            _ => None,
        },
    }
}

fn short(text: &str) -> String {
    let shown = cut(text, LONGEST);
    if shown.len() < text.len() { format!("{shown}…") } else { shown.to_owned() }
}
