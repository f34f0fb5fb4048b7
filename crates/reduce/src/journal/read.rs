//! Reads a journal without changing it, for reports, live views and other programs.

use super::lines::{self, EndLine, KeptLine, Line, Reasons, StageLine, TestLine, parse_ranges};
use super::{Header, VERSION};
use crate::{Judgment, Key};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The contents of a journal.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The header, which identifies the run.
    pub header: Header,
    /// The stages in the order in which they ran.
    pub stages: Vec<StageRecord>,
    /// Whether the search has finished. Otherwise it is still running, or was stopped.
    pub is_done: bool,
    /// Whether the last line is incomplete because it was being written or the run was killed.
    pub is_cut_short: bool,
    /// The numbers of lines that cannot be parsed, counted from 1. Their contents are missing here.
    pub damaged: Vec<usize>,
}

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
    /// The tests that were settled, in order.
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
    pub removed: Vec<ItemRecord>,
    /// The number of removed items that are not listed.
    pub more_removed: usize,
    /// The items that are left.
    pub kept: Vec<KeptRecord>,
    /// The number of kept items that are not listed.
    pub more_kept: usize,
}

/// An item that is left at the end of a stage.
#[derive(Clone, Debug)]
pub struct KeptRecord {
    /// The number of the item in its stage.
    pub item: usize,
    /// Its label and kind.
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

/// Why a file cannot be read as a journal.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// The file is empty.
    #[error("{} holds nothing yet: its run has not begun", .0.display())]
    Empty(PathBuf),
    /// The file does not begin like a journal.
    #[error("{} is not a journal: its first line does not say which version it has", .0.display())]
    NotAJournal(PathBuf),
    /// It was written in another version of the format.
    #[error("{} is a journal in version {version} of the format, and this program reads version {VERSION} only", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version that it names.
        version: u64,
    },
}

/// Reads a journal, even of a run in progress. The file is not changed and no lock is taken.
pub fn read(path: &Path) -> Result<Recorded, ReadError> {
    let failed = |reason: io::Error| ReadError::Io { path: path.to_owned(), reason };
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| {
        line.clear();
        reader.read_until(b'\n', line).map_err(failed)
    };
    next(&mut line)?;
    let mut recorded = Recorded {
        header: header(&line, path)?,
        stages: Vec::new(),
        is_done: false,
        is_cut_short: false,
        damaged: Vec::new(),
    };
    let mut reasons = Reasons::default();
    for number in 2.. {
        if next(&mut line)? == 0 {
            break;
        }
        recorded.is_cut_short = line.last() != Some(&b'\n');
        if !recorded.is_cut_short && recorded.take(&line, &mut reasons).is_none() {
            recorded.damaged.push(number);
        }
    }
    Ok(recorded)
}

fn header(line: &[u8], path: &Path) -> Result<Header, ReadError> {
    let path = path.to_owned();
    if line.is_empty() {
        return Err(ReadError::Empty(path));
    }
    match lines::version(line) {
        Some(version) if version != u64::from(VERSION) => Err(ReadError::OtherVersion { path, version }),
        _ => serde_json::from_slice(line).map_err(|_| ReadError::NotAJournal(path)),
    }
}

impl Recorded {
    /// Adds the contents of a line; `None` if it cannot be parsed or does not fit here.
    fn take(&mut self, line: &[u8], reasons: &mut Reasons) -> Option<()> {
        match serde_json::from_slice(lines::unsealed(line)?).ok()? {
            Line::Stage(stage) => self.stages.push(stage.into()),
            Line::Test(test) => self.stages.last_mut()?.tests.push(test_record(&test, reasons)?),
            Line::End(end) => self.stages.last_mut()?.end = Some(end.into()),
            Line::Skip(_) => self.stages.last_mut()?.is_skipped = true,
            Line::Done(done) => self.is_done = done.done,
        }
        Some(())
    }
}

fn test_record(line: &TestLine, reasons: &mut Reasons) -> Option<TestRecord> {
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
            labels: line.labels.into_iter().map(ItemRecord::from).collect(),
            tests: Vec::new(),
            end: None,
            is_skipped: false,
        }
    }
}

impl From<EndLine> for StageEndRecord {
    fn from(line: EndLine) -> Self {
        StageEndRecord {
            removed: line.removed.into_iter().map(ItemRecord::from).collect(),
            more_removed: line.more_removed,
            kept: line.kept.into_iter().map(KeptRecord::from).collect(),
            more_kept: line.more_kept,
        }
    }
}

impl From<KeptLine> for KeptRecord {
    fn from(line: KeptLine) -> Self {
        let keeper = match (line.test, line.needed_by) {
            (Some(reason), _) => Some(KeeperRecord::Test { reason, with: line.with }),
            (None, Some(items)) => Some(KeeperRecord::NeededBy(items)),
            (None, None) => None,
        };
        KeptRecord { item: line.item, named: ItemRecord::from((line.label, line.kind)), keeper }
    }
}

impl From<(String, String)> for ItemRecord {
    fn from((label, kind): (String, String)) -> Self {
        ItemRecord { label, kind }
    }
}
