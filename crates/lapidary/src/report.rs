//! The report of a reduction.

use lapidary_reduce::{Counts, FileTree, Stop};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// The outcome of a reduction: the result, and the cost of the search.
#[derive(Debug)]
pub struct Report {
    /// The input, as the caller named it.
    pub input: PathBuf,
    /// The kind that the input was recognised as.
    pub model: String,
    /// The strategies that ran, by name.
    pub strategy: String,
    /// The smallest input that was found to fail; for a jar, the files in it.
    pub result: FileTree,
    /// Where the result was saved.
    pub saved: Option<PathBuf>,
    /// The labels of the remaining items, if the model has named items and is never rebuilt.
    pub kept: Option<Vec<String>>,
    /// Items that the main model saw in the input.
    pub items_before: usize,
    /// Items that it sees in the result.
    pub items_after: usize,
    /// Clauses over the items of the input.
    pub clauses: usize,
    /// The size of the input.
    pub bytes_before: u64,
    /// The size of the result.
    pub bytes_after: u64,
    /// How many tests of each kind the search needed.
    pub counts: Counts,
    /// How many times the test ran, including checks and speculation.
    pub runs: u64,
    /// How many runs were not needed, because a farm had their results from earlier runs.
    pub cached_elsewhere: u64,
    /// How many candidates were rejected before the test, because they do not compile.
    pub refused: u64,
    /// How many candidates had all the output to be preserved, and more.
    pub supersets: u64,
    /// How long everything took.
    pub total: Duration,
    /// How long it took until the search began.
    pub before: Duration,
    /// The time spent in tests, summed over all jobs.
    pub in_tests: Duration,
    /// The share of runs on the input that were interesting.
    pub reliability: f64,
    /// Why the search ended early; the result is then the best so far.
    pub stop: Option<Stop>,
    /// The outcome of the last run of the test, on the result.
    pub check: Check,
}

/// The outcome of the last run of the test, on the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// The result still fails.
    Interesting,
    /// The result did not fail this time: the test is flaky.
    Flaky,
    /// The test did not run to its end, for this reason.
    NotRun(String),
}

impl Report {
    /// Whether the search finished without being stopped.
    pub fn is_complete(&self) -> bool {
        self.stop.is_none()
    }

    /// The report without the result itself, as docs/reference/cli.md describes it.
    pub fn json(&self) -> Value {
        json!({
            "command": "reduce",
            "input": self.input.to_string_lossy(),
            "model": self.model,
            "strategy": self.strategy,
            "items": { "before": self.items_before, "after": self.items_after },
            "bytes": { "before": self.bytes_before, "after": self.bytes_after },
            "clauses": self.clauses,
            "tests": {
                "search": self.counts.search,
                "confirm": self.counts.confirm,
                "run": self.runs,
                "cached": self.counts.cached + self.cached_elsewhere,
                "interesting": self.counts.interesting,
                "unresolved": self.counts.unresolved,
                "timed_out": self.counts.timed_out,
                "supersets": self.supersets,
                "refused": self.refused,
            },
            "seconds": {
                "total": self.total.as_secs_f64(),
                "before": self.before.as_secs_f64(),
                "in_tests": self.in_tests.as_secs_f64(),
            },
            "reliability": self.reliability,
            "result": self.saved.as_ref().map(|path| path.to_string_lossy()),
            "complete": self.is_complete(),
        })
    }
}
