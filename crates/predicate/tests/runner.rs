//! A foreign runner: its runs are judged by the same rules as our own.

use lapidary_predicate::{Agreement, Captured, Ending, Judge, Observation, Rules, Runner, TestPredicate};
use lapidary_reduce::{Cancel, FileTree, Predicate, PredicateError, Verdict};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A simulated cluster. It prints the candidate's lines with a directory and an address that differ
/// between runs, and fails on `boom`.
#[derive(Default)]
struct Cluster {
    runs: AtomicU64,
}

impl Runner for Cluster {
    fn run(&self, candidate: &FileTree, timeout: Duration, cancel: &Cancel) -> Result<Observation, PredicateError> {
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let Some(content) = candidate.only_file() else {
            return Err(PredicateError::Fatal("the cluster takes single files".into()));
        };
        let text = String::from_utf8_lossy(content).into_owned();
        let directory = format!("/cluster/{run}");
        let ending = match &text {
            text if text.contains("sleep") => Ending::TimedOut(timeout),
            text if text.contains("boom") => Ending::Exited(1),
            _ => Ending::Exited(0),
        };
        let stdout = text.lines().map(|line| format!("{directory}: {line} at 0x7f{run:06x}\n")).collect::<String>();
        Ok(Observation {
            stdout: Captured { head: stdout.into_bytes(), dropped: 0 },
            elapsed: Duration::from_millis(20),
            directory: directory.into(),
            ..Observation::new(ending)
        })
    }

    fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }
}

fn judge(rules: Rules) -> Judge<Cluster> {
    Judge::of(Cluster::default(), rules)
}

fn verdict(judge: &Judge<Cluster>, text: &str) -> Verdict {
    judge.judge(&FileTree::file("x", text), &Cancel::new()).unwrap().verdict
}

#[test]
fn expectations_and_repetition_hold_for_any_runner() {
    let expectations = vec!["exit=1".parse().unwrap(), "stdout~boom".parse().unwrap()];
    let judge = judge(Rules { expectations, agreement: Agreement::All(3), ..Rules::default() });
    assert_eq!(verdict(&judge, "boom\n"), Verdict::Interesting);
    assert_eq!(judge.runs(), 3, "three runs have to agree");
    assert_eq!(verdict(&judge, "calm\n"), Verdict::Uninteresting);
    assert_eq!(judge.runs(), 4, "one run is enough to turn a candidate down");
}

#[test]
fn output_is_normalised_and_preserved_for_any_runner() {
    let (preserve, normalise) = ("stdout".parse().unwrap(), "addresses".parse().unwrap());
    let judge = judge(Rules { preserve, normalise, ..Rules::default() });
    let original = FileTree::file("x", "a\n");
    let observe = || judge.observe(&original, &Cancel::new()).unwrap();
    judge.calibrate(&[observe(), observe()]).unwrap();
    assert_eq!(verdict(&judge, "a\n"), Verdict::Interesting, "neither the directory nor the address counts");
    assert_eq!(verdict(&judge, "b\n"), Verdict::Uninteresting);
    assert_eq!(verdict(&judge, "b\na\n"), Verdict::Uninteresting);
    assert_eq!(judge.supersets(), 1);
}

#[test]
fn the_timeout_adapts_to_what_the_runner_needs() {
    let judge = judge(Rules::default());
    let before = judge.timeout();
    let observation = judge.observe(&FileTree::file("x", "calm"), &Cancel::new()).unwrap();
    judge.calibrate(&[observation]).unwrap();
    assert!(judge.timeout() < before);
    let judgment = judge.judge(&FileTree::file("x", "sleep"), &Cancel::new()).unwrap();
    assert!(judgment.timed_out && judgment.verdict == Verdict::Unresolved);
}

#[test]
fn a_runner_may_bring_back_a_verdict_of_its_own() {
    let judge = judge(Rules { expectations: vec!["exit=77".parse().unwrap()], ..Rules::default() });
    let settled = Observation::settled(Verdict::Interesting, "the cluster says so");
    let judgment = judge.assess(&settled).unwrap();
    assert!(judgment.is_interesting() && judgment.reason == "the cluster says so");
}
