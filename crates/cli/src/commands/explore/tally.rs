//! What the command adds up while paths come in, and which of them are findings.
//!
//! Paths that throw the same exception at the same place are one finding. The first of them is replayed; a real machine takes longer to
//! start than most paths to be found.

use super::random::{self, Key};
use lapidary_symbolic::{Message, Method, Outcome, PathEnd, Replayer};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// So many paths with the same exception at the same place are replayed, if none of them is confirmed.
const REPLAYS: u64 = 3;

#[derive(Default)]
pub struct Tally {
    pub paths: Vec<Value>,
    pub findings: u64,
    /// Paths that throw what was confirmed before.
    pub repeated: u64,
    pub unconfirmed: u64,
    pub unsupported: u64,
    pub too_long: u64,
    /// Classes that the program needs and that are not there.
    pub missing: BTreeSet<String>,
    groups: BTreeMap<Key, Group>,
}

/// Paths with the same exception at the same place.
#[derive(Default)]
struct Group {
    is_confirmed: bool,
    replays: u64,
}

/// What a path is to the user.
pub enum Verdict {
    /// It ends as programs do.
    Ordinary,
    /// It throws an exception, and the real machine does so too.
    Finding,
    /// It throws an exception that was confirmed before.
    Repeated,
    /// The real machine does something else.
    Unconfirmed(String),
}

impl Verdict {
    pub fn mark(&self) -> &'static str {
        match self {
            Verdict::Finding => "finding  ",
            Verdict::Repeated => "again    ",
            Verdict::Ordinary | Verdict::Unconfirmed(_) => "",
        }
    }
}

impl Tally {
    /// Counts a path. It comes back with what its replay has told.
    pub fn judge(&mut self, replayer: &Replayer, method: &Method, path: &PathEnd) -> (Verdict, PathEnd) {
        self.missing.extend(missing_class(path));
        self.unsupported += u64::from(matches!(path.outcome, Outcome::Unsupported { .. }));
        self.too_long += u64::from(matches!(path.outcome, Outcome::TooLong));
        let (verdict, path) = self.verdict(replayer, method, path);
        match verdict {
            Verdict::Ordinary => {}
            Verdict::Finding => self.findings += 1,
            Verdict::Repeated => self.repeated += 1,
            Verdict::Unconfirmed(_) => self.unconfirmed += 1,
        }
        (verdict, path)
    }

    /// The exceptions that were confirmed.
    pub fn confirmed(&self) -> BTreeSet<Key> {
        self.groups.iter().filter(|(_, group)| group.is_confirmed).map(|(key, _)| key.clone()).collect()
    }

    fn verdict(&mut self, replayer: &Replayer, method: &Method, path: &PathEnd) -> (Verdict, PathEnd) {
        let key = random::key(path).filter(|_| missing_class(path).is_none());
        let Some(group) = key.map(|key| self.groups.entry(key).or_default()) else {
            return (Verdict::Ordinary, path.clone());
        };
        if group.is_confirmed {
            return (Verdict::Repeated, path.clone());
        }
        if group.replays >= REPLAYS {
            let reason = format!("{REPLAYS} others with this exception at this place were not, either");
            return (Verdict::Unconfirmed(reason), path.clone());
        }
        group.replays += 1;
        match replayer.replay(method, path) {
            Err(error) => (Verdict::Unconfirmed(format!("the replay failed: {error}")), path.clone()),
            Ok(replayed) => {
                let difference = replayed.difference(path);
                group.is_confirmed = difference.is_none();
                (difference.map_or(Verdict::Finding, Verdict::Unconfirmed), replayed.completed(path))
            }
        }
    }
}

/// The class that a path needed and that is not there.
pub fn missing_class(path: &PathEnd) -> Option<String> {
    match &path.outcome {
        Outcome::Threw { class, message: Message::Text(name), .. }
            if class == "java.lang.NoClassDefFoundError" && !name.starts_with("Could not initialize") =>
        {
            Some(name.replace('/', "."))
        }
        _ => None,
    }
}
