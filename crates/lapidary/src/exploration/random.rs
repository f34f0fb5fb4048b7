//! The findings of a naive random tester, kept separate from those of the exploration.

use super::tally::missing_class;
use lapidary_symbolic::{CallPlan, Machine, Method, Outcome, PathEnd, RandomTester, Tested};
use std::collections::BTreeSet;

/// The class of an exception and the place where it was created. Findings are distinguished by it.
pub type FindingKey = (String, String);

/// The outcome of random testing, with each finding replayed in a fresh JVM.
#[derive(Default)]
pub struct RandomFindings {
    /// How much was tested; `None` if random testing was off or failed.
    pub tested: Option<Tested>,
    /// Calls that end with an exception, in a fresh JVM too.
    pub findings: Vec<PathEnd>,
    /// The reason if the tester itself failed.
    pub failure: Option<String>,
}

pub(super) fn key(path: &PathEnd) -> Option<FindingKey> {
    match &path.outcome {
        Outcome::Threw { class, trace, .. } => Some((class.clone(), trace.first().cloned().unwrap_or_default())),
        _ => None,
    }
}

impl RandomFindings {
    /// Runs the tester, and replays its findings.
    pub(super) fn run(
        machine: &mut Machine,
        method: &Method,
        plan: &CallPlan,
        tester: &RandomTester,
    ) -> RandomFindings {
        let replayer = &tester.replayer;
        if tester.time.is_zero() {
            return RandomFindings::default();
        }
        match tester.test(machine, method, plan) {
            Ok(tested) => {
                let happens_again = |path: &&PathEnd| {
                    replayer.replay(method, path).is_ok_and(|replayed| replayed.other_ending(path).is_none())
                };
                let meant = tested.found.iter().filter(|path| missing_class(path).is_none());
                let findings = meant.filter(happens_again).cloned().collect();
                RandomFindings { tested: Some(tested), findings, failure: None }
            }
            Err(error) => RandomFindings { failure: Some(error.to_string()), ..RandomFindings::default() },
        }
    }

    /// The distinct exceptions that were found.
    pub fn keys(&self) -> BTreeSet<FindingKey> {
        self.findings.iter().filter_map(key).collect()
    }
}
