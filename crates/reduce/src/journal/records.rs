//! The lines of a journal as values for readers.

use super::lines::{EndLine, KeptLine, Of, OutputLine, Reasons, RemovedLine, StageLine, TestLine, parse_ranges};
use crate::{Judgment, Key};

/// A stage of the search.
#[derive(Clone, Debug)]
pub struct StageRecord {
    /// The model, as `lapidary model` calls it.
    pub name: String,
    /// The round, counted from 1.
    pub round: u32,
    /// The strategy.
    pub strategy: String,
    /// How many items the model has.
    pub items: usize,
    /// How many clauses the constraint has.
    pub clauses: usize,
    /// The size of the candidate the stage starts from.
    pub bytes: u64,
    /// Seconds since the run began.
    pub at: f64,
    /// The labels of all items, if there are few.
    pub labels: Vec<ItemRecord>,
    /// The tests that were settled, in order. Empty in what a [`Reader`](super::Reader) returns,
    /// where they follow one by one.
    pub tests: Vec<TestRecord>,
    /// The outcome of the stage; `None` if it has not finished.
    pub end: Option<StageEndRecord>,
    /// Whether the user skipped the rest of it.
    pub is_skipped: bool,
}

/// The label and kind of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRecord {
    /// The readable name of the item.
    pub label: String,
    /// The kind of item, such as "class" or "line".
    pub kind: String,
}

/// A test that was settled.
#[derive(Clone, Debug)]
pub struct TestRecord {
    /// The number of the test, counted from 1.
    pub number: u64,
    /// The content key of the candidate.
    pub key: Key,
    /// The verdict with its reason and the time the test took.
    pub judgment: Judgment,
    /// The size of the candidate.
    pub bytes: u64,
    /// The variables removed from the last interesting candidate of the stage, as ranges with first
    /// and last.
    pub removed: Vec<(usize, usize)>,
    /// The variables added to the last interesting candidate of the stage, as ranges with first and
    /// last.
    pub added: Vec<(usize, usize)>,
    /// Whether it became the best result.
    pub improved: bool,
    /// Seconds since the run began.
    pub at: f64,
}

/// The outcome of a stage.
#[derive(Clone, Debug, Default)]
pub struct StageEndRecord {
    /// The removed items, without those whose parent was removed as well.
    pub removed: Vec<RemovedRecord>,
    /// The number of removed items that are not listed.
    pub more_removed: usize,
    /// The items that are left.
    pub kept: Vec<KeptRecord>,
    /// The number of kept items that are not listed.
    pub more_kept: usize,
    /// Seconds since the run began.
    pub at: f64,
}

/// An item that a stage removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedRecord {
    /// The label and kind of the item.
    pub named: ItemRecord,
    /// The bytes of the input that went with the item; 0 if they were not recorded.
    pub bytes: u64,
    /// The label of the item around it, if there is one.
    pub parent: Option<String>,
}

/// An item that is left at the end of a stage.
#[derive(Clone, Debug)]
pub struct KeptRecord {
    /// The number of the item in its stage.
    pub item: usize,
    /// The label and kind of the item.
    pub named: ItemRecord,
    /// The reason why it stays, known for stages that found nothing more to remove.
    pub keeper: Option<KeeperRecord>,
}

/// The reason why an item stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeeperRecord {
    /// The test rejected a candidate without the item.
    Test {
        /// The reason of the judgment.
        reason: String,
        /// How many other items were missing from that candidate.
        with: usize,
    },
    /// A clause says that these items need it. If there are none, it must always stay.
    NeededBy(Vec<String>),
}

/// The end of a search that was not stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoneRecord {
    /// The size of the result.
    pub bytes: u64,
    /// How many answers came from the cache, if that was recorded.
    pub cached: Option<u64>,
    /// Seconds since the run began.
    pub at: f64,
}

/// The output of the test about the input or the result.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputRecord {
    /// The candidate.
    pub of: Of,
    /// The reason of the judgment.
    pub reason: String,
    /// Whether the candidate was judged not to be interesting: the test is flaky.
    pub is_uninteresting: bool,
    /// The beginning of the standard output.
    pub stdout: String,
    /// The number of bytes after it.
    pub more_stdout: u64,
    /// The beginning of the standard error.
    pub stderr: String,
    /// The number of bytes after it.
    pub more_stderr: u64,
    /// How a program failed, for pages about the run. The engine does not look at it.
    pub failure: Option<serde_json::Value>,
    /// Seconds since the run began.
    pub at: f64,
}

impl OutputRecord {
    /// An output to be recorded. Long streams are cut, and bytes that are no text are replaced.
    pub fn new(of: Of, reason: impl Into<String>, stdout: &[u8], stderr: &[u8]) -> Self {
        const KEPT: usize = 16 << 10;
        let cut = |stream: &[u8]| {
            let head = &stream[..stream.len().min(KEPT)];
            (String::from_utf8_lossy(head).into_owned(), (stream.len() - head.len()) as u64)
        };
        let ((stdout, more_stdout), (stderr, more_stderr)) = (cut(stdout), cut(stderr));
        OutputRecord {
            of,
            reason: reason.into(),
            is_uninteresting: false,
            stdout,
            more_stdout,
            stderr,
            more_stderr,
            failure: None,
            at: 0.0,
        }
    }

    pub(super) fn line(&self, at: f64) -> OutputLine {
        let Self { of, reason, is_uninteresting, stdout, more_stdout, stderr, more_stderr, failure, .. } = self.clone();
        OutputLine { output: of, reason, is_uninteresting, stdout, more_stdout, stderr, more_stderr, failure, at }
    }
}

impl From<OutputLine> for OutputRecord {
    fn from(line: OutputLine) -> Self {
        let OutputLine { output, reason, is_uninteresting, stdout, more_stdout, stderr, more_stderr, failure, at } =
            line;
        OutputRecord { of: output, reason, is_uninteresting, stdout, more_stdout, stderr, more_stderr, failure, at }
    }
}

/// The test that a line records; `None` if a part of it cannot be understood.
pub(super) fn test_record(line: &TestLine, reasons: &mut Reasons) -> Option<TestRecord> {
    let (key, judgment) = line.judgment(reasons)?;
    Some(TestRecord {
        number: line.test,
        key,
        judgment,
        bytes: line.bytes,
        removed: parse_ranges(&line.removed)?,
        added: parse_ranges(&line.added)?,
        improved: line.improved,
        at: line.at,
    })
}

impl From<StageLine> for StageRecord {
    fn from(line: StageLine) -> Self {
        StageRecord {
            name: line.stage,
            round: line.round,
            strategy: line.strategy,
            items: line.items,
            clauses: line.clauses,
            bytes: line.bytes,
            at: line.at,
            labels: line.labels.into_iter().map(|(label, kind)| ItemRecord { label, kind }).collect(),
            tests: Vec::new(),
            end: None,
            is_skipped: false,
        }
    }
}

impl From<EndLine> for StageEndRecord {
    fn from(line: EndLine) -> Self {
        StageEndRecord {
            removed: line.removed.into_iter().map(RemovedRecord::from).collect(),
            more_removed: line.more_removed,
            kept: line.kept.into_iter().map(KeptRecord::from).collect(),
            more_kept: line.more_kept,
            at: line.at,
        }
    }
}

impl From<RemovedLine> for RemovedRecord {
    fn from(line: RemovedLine) -> Self {
        let (label, kind, bytes, parent) = match line {
            RemovedLine::Inside(label, kind, bytes, parent) => (label, kind, bytes, Some(parent)),
            RemovedLine::Alone(label, kind, bytes) => (label, kind, bytes, None),
            RemovedLine::Named(label, kind) => (label, kind, 0, None),
        };
        RemovedRecord { named: ItemRecord { label, kind }, bytes, parent }
    }
}

impl From<KeptLine> for KeptRecord {
    fn from(line: KeptLine) -> Self {
        let keeper = match (line.test, line.needed_by) {
            (Some(reason), _) => Some(KeeperRecord::Test { reason, with: line.with }),
            (None, Some(items)) => Some(KeeperRecord::NeededBy(items)),
            (None, None) => None,
        };
        let KeptLine { item, label, kind, .. } = line;
        KeptRecord { item, named: ItemRecord { label, kind }, keeper }
    }
}
