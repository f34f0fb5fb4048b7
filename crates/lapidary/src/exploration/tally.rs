//! Counts paths as they are found, and decides which of them are findings.
//!
//! Paths that throw the same exception at the same place are one finding. Only the first of them is
//! replayed, because a JVM takes longer to start than most paths to find.

use super::random::{self, FindingKey};
use lapidary_symbolic::{Message, Method, Outcome, PathEnd, Replayer};
use std::collections::{BTreeMap, BTreeSet};

/// How many paths with the same exception at the same place are replayed until one is confirmed.
const REPLAYS: u64 = 3;

/// The number of paths of each kind.
#[derive(Default)]
pub struct Tally {
    /// Paths that throw an exception, confirmed on the real JVM.
    pub findings: u64,
    /// Paths that throw an exception that was confirmed before.
    pub repeated: u64,
    /// Paths on which the real JVM does something else.
    pub unconfirmed: u64,
    /// Paths that need something unsupported.
    pub unsupported: u64,
    /// Paths that were abandoned because they are too long.
    pub too_long: u64,
    /// Classes that the program needs and that are missing.
    pub missing: BTreeSet<String>,
    groups: BTreeMap<FindingKey, Group>,
}

/// Paths with the same exception at the same place.
#[derive(Default)]
struct Group {
    is_confirmed: bool,
    replays: u64,
}

/// The verdict on a path.
pub enum PathVerdict {
    /// It ends normally.
    Ordinary,
    /// It throws an exception, and so does the real JVM.
    Finding,
    /// It throws an exception that was confirmed before.
    Repeated,
    /// The real JVM does something else.
    Unconfirmed(String),
}

impl Tally {
    /// Counts a path. Returns it completed by its replay.
    pub(super) fn judge(&mut self, replayer: &Replayer, method: &Method, path: &PathEnd) -> (PathVerdict, PathEnd) {
        self.missing.extend(missing_class(path));
        self.unsupported += u64::from(matches!(path.outcome, Outcome::Unsupported { .. }));
        self.too_long += u64::from(matches!(path.outcome, Outcome::TooLong));
        let (verdict, path) = self.verdict(replayer, method, path);
        match verdict {
            PathVerdict::Ordinary => {}
            PathVerdict::Finding => self.findings += 1,
            PathVerdict::Repeated => self.repeated += 1,
            PathVerdict::Unconfirmed(_) => self.unconfirmed += 1,
        }
        (verdict, path)
    }

    /// The exceptions that were confirmed.
    pub fn confirmed(&self) -> BTreeSet<FindingKey> {
        self.groups.iter().filter(|(_, group)| group.is_confirmed).map(|(key, _)| key.clone()).collect()
    }

    fn verdict(&mut self, replayer: &Replayer, method: &Method, path: &PathEnd) -> (PathVerdict, PathEnd) {
        let key = random::key(path).filter(|_| missing_class(path).is_none());
        let Some(group) = key.map(|key| self.groups.entry(key).or_default()) else {
            return (PathVerdict::Ordinary, path.clone());
        };
        if group.is_confirmed {
            return (PathVerdict::Repeated, path.clone());
        }
        if group.replays >= REPLAYS {
            let reason = format!("nor were {REPLAYS} others with this exception at this place");
            return (PathVerdict::Unconfirmed(reason), path.clone());
        }
        group.replays += 1;
        match replayer.replay(method, path) {
            Err(error) => (PathVerdict::Unconfirmed(format!("the replay failed: {error}")), path.clone()),
            Ok(replayed) => {
                let difference = replayed.difference(path);
                group.is_confirmed = difference.is_none();
                (difference.map_or(PathVerdict::Finding, PathVerdict::Unconfirmed), replayed.completed(path))
            }
        }
    }
}

/// The missing class that ended a path.
pub(super) fn missing_class(path: &PathEnd) -> Option<String> {
    match &path.outcome {
        Outcome::Threw { class, message: Message::Text(name), .. }
            if class == "java.lang.NoClassDefFoundError" && !name.starts_with("Could not initialize") =>
        {
            Some(name.replace('/', "."))
        }
        _ => None,
    }
}
