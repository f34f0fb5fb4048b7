//! `--fuzz-first`: what a naive random tester finds, shown apart.

use super::show;
use super::tally::missing_class;
use crate::say::say;
use lapidary_symbolic::{Machine, Method, Outcome, PathEnd, Plan, RandomTester, Tested};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An exception and where it was made: what tells one finding from another.
pub type Key = (String, String);

/// What random testing found, each replayed on a fresh machine.
#[derive(Default)]
pub struct Random {
    tested: Option<Tested>,
    findings: Vec<PathEnd>,
    /// Why there are none, if the tester itself failed.
    failure: Option<String>,
}

pub fn key(path: &PathEnd) -> Option<Key> {
    match &path.outcome {
        Outcome::Threw { class, trace, .. } => Some((class.clone(), trace.first().cloned().unwrap_or_default())),
        _ => None,
    }
}

impl Random {
    /// Tests, and replays what comes out.
    pub fn run(machine: &mut Machine, method: &Method, plan: &Plan, tester: &RandomTester) -> Random {
        let replayer = &tester.replayer;
        if tester.time.is_zero() {
            return Random::default();
        }
        match tester.test(machine, method, plan) {
            Ok(tested) => {
                let happens_again = |path: &&PathEnd| {
                    replayer.replay(method, path).is_ok_and(|replayed| replayed.other_ending(path).is_none())
                };
                let meant = tested.found.iter().filter(|path| missing_class(path).is_none());
                let findings = meant.filter(happens_again).cloned().collect();
                Random { tested: Some(tested), findings, failure: None }
            }
            Err(error) => Random { failure: Some(error.to_string()), ..Random::default() },
        }
    }

    pub fn keys(&self) -> BTreeSet<Key> {
        self.findings.iter().filter_map(key).collect()
    }

    pub fn show(&self, method: &Method) {
        self.findings.iter().for_each(|path| say!("random   {}", show::line(method, path)));
    }

    /// The share of random testing in what was found.
    pub fn tell(&self, symbolic: &BTreeSet<Key>) {
        if let Some(failure) = &self.failure {
            say!("random testing failed: {failure}");
        }
        let Some(tested) = &self.tested else { return };
        let keys = self.keys();
        let all = keys.union(symbolic).count();
        let only = keys.difference(symbolic).count();
        let alone = if only > 0 { format!(", {only} of them by nothing else") } else { String::new() };
        say!(
            "found by random testing: {} of {all} different exceptions{alone}; {} calls in {:.1} s",
            keys.len(),
            tested.calls,
            tested.elapsed.as_secs_f64()
        );
    }

    pub fn as_json(&self, method: &Method, symbolic: &BTreeSet<Key>) -> Value {
        let Some(tested) = &self.tested else { return Value::Null };
        json!({
            "calls": tested.calls,
            "refused": tested.refused,
            "too_long": tested.too_long,
            "exits": tested.exits,
            "seconds": tested.elapsed.as_secs_f64(),
            "findings": self.findings.iter().map(|path| show::line(method, path)).collect::<Vec<_>>(),
            "also_symbolic": self.keys().intersection(symbolic).count(),
        })
    }
}
