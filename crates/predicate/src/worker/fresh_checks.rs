//! Checks that warm workers agree with fresh ones.
//!
//! A process that stays alive can keep state that it should have dropped. So some verdicts are
//! checked with a fresh worker: the first interesting one, then regularly some of each kind, and
//! those of candidates that were interesting and are judged again, as final results are. A fresh
//! worker may take as long as fifty warm verdicts, so checks are put off until they are a small
//! share of the time. After the first disagreement, warm workers are no longer used.

use lapidary_reduce::{Judgment, Key, Verdict};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Decides which verdicts of a worker a fresh process checks.
pub struct FreshChecks {
    /// The number of verdicts of a kind between two checks; 0 for no checks.
    every: u64,
    /// The largest share of the time that checks may take, not counting the first one.
    share: f64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    interesting: HashSet<Key>,
    interesting_count: u64,
    uninteresting_count: u64,
    /// Whether a check is due that was put off.
    is_owed: bool,
    in_verdicts: Duration,
    in_checks: Duration,
    checks: u64,
    disagreements: u64,
}

impl FreshChecks {
    pub fn new(every: u64, share: f64) -> Self {
        FreshChecks { every, share, state: Mutex::default() }
    }

    /// Whether warm workers must no longer be used.
    pub fn is_broken(&self) -> bool {
        self.state().disagreements > 0
    }

    /// Whether a candidate was interesting before, so that judging it again means confirming it.
    pub fn is_asked_again(&self, candidate: &Key) -> bool {
        self.every > 0 && self.state().interesting.contains(candidate)
    }

    /// Records a verdict of a warm worker.
    pub fn remember(&self, candidate: Key, judgment: &Judgment) {
        let mut state = self.state();
        state.in_verdicts += judgment.elapsed;
        let count = match judgment.verdict {
            Verdict::Interesting => {
                state.interesting.insert(candidate);
                state.interesting_count += 1;
                state.interesting_count - 1
            }
            Verdict::Uninteresting => {
                state.uninteresting_count += 1;
                state.uninteresting_count
            }
            Verdict::Unresolved => return,
        };
        state.is_owed |= self.every > 0 && count.is_multiple_of(self.every);
    }

    /// Whether the last recorded verdict must be checked now.
    pub fn is_due(&self) -> bool {
        let mut state = self.state();
        let is_affordable = state.in_checks.as_secs_f64() <= self.share * state.in_verdicts.as_secs_f64();
        let is_due = state.is_owed && is_affordable;
        state.is_owed &= !is_due;
        is_due
    }

    /// Compares the verdicts of a warm and a fresh worker. Returns a warning for the user if they
    /// differ.
    pub fn compare(&self, warm: &Judgment, cold: &Judgment) -> Option<String> {
        let mut state = self.state();
        state.checks += 1;
        state.in_checks += cold.elapsed;
        let says_nothing = [warm, cold].iter().any(|judgment| judgment.verdict == Verdict::Unresolved);
        if warm.verdict == cold.verdict || says_nothing {
            return None;
        }
        state.disagreements += 1;
        Some(format!(
            "the worker remembers what it should not: a candidate was {} for one that had judged others before ({}) and {} \
             for a fresh one ({}); in {} of {} checks they disagreed. From now on every candidate gets a fresh worker",
            name(warm.verdict),
            warm.reason,
            name(cold.verdict),
            cold.reason,
            state.disagreements,
            state.checks,
        ))
    }

    /// The number of checks and of disagreements.
    pub fn counts(&self) -> (u64, u64) {
        let state = self.state();
        (state.checks, state.disagreements)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Interesting => "interesting",
        Verdict::Uninteresting => "uninteresting",
        Verdict::Unresolved => "unresolved",
    }
}
