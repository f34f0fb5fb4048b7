//! The facts in a journal, gathered in one pass that keeps neither tests nor labels of items in
//! memory.

use super::thin::{Sample, Times};
use lapidary_reduce::journal::{
    Damaged, DoneRecord, ENDING, OutputRecord, ReadError, Reader, Record, StageEndRecord, StageRecord, TestRecord,
};
use lapidary_reduce::{Header, Verdict};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A curve of the best size keeps about so many points.
const CURVE: usize = 4_000;

/// So many candidates are shown as dots.
const DOTS: usize = 1_200;

/// A run as its journal tells it.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The journal.
    pub path: PathBuf,
    /// The header, which identifies the run.
    pub header: Header,
    /// The stages in order.
    pub stages: Vec<StageSeen>,
    /// All tests by verdict.
    pub tally: Tally,
    /// The candidates that were found not to compile.
    pub invalid: u64,
    /// The size of the input.
    pub bytes_before: u64,
    /// The size of the best result.
    pub bytes_after: u64,
    /// Seconds from the beginning to the last line.
    pub seconds: f64,
    /// Seconds in tests, summed over all jobs.
    pub in_tests: f64,
    /// The end of the search, if it has finished.
    pub done: Option<DoneRecord>,
    /// The output of the test.
    pub outputs: Vec<OutputRecord>,
    /// Whether the last line is incomplete.
    pub is_cut_short: bool,
    /// Lines that cannot be understood.
    pub damaged: Damaged,
    /// Whether the run holds its journal at this moment.
    pub is_running: bool,
    pub(super) curve: Sample<Point>,
    pub(super) tried: Sample<(Point, Verdict)>,
    pub(super) times: Times,
}

/// A size at a moment of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub test: u64,
    pub at: f64,
    pub bytes: u64,
}

/// A stage with what its tests came to.
#[derive(Clone, Debug)]
pub struct StageSeen {
    /// The line of the journal, without labels and tests.
    pub stage: StageRecord,
    /// The tests by verdict.
    pub tally: Tally,
    /// The number of the last test before it.
    pub before: u64,
    /// The number of its last test.
    pub last: u64,
    /// Seconds at its last line.
    pub until: f64,
    /// The best size at its end.
    pub bytes_after: u64,
}

impl StageSeen {
    /// Its outcome, if it has ended.
    #[must_use]
    pub fn end(&self) -> Option<&StageEndRecord> {
        self.stage.end.as_ref()
    }
}

/// Tests by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that found the candidate interesting.
    pub interesting: u64,
    /// Tests that did not.
    pub uninteresting: u64,
    /// Tests that could not decide.
    pub unresolved: u64,
    /// Tests that were ended because they took too long, whatever their verdict.
    pub timed_out: u64,
}

impl Tally {
    /// All tests.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.interesting + self.uninteresting + self.unresolved
    }

    fn push(&mut self, test: &TestRecord) {
        match test.judgment.verdict {
            Verdict::Interesting => self.interesting += 1,
            Verdict::Uninteresting => self.uninteresting += 1,
            Verdict::Unresolved => self.unresolved += 1,
        }
        self.timed_out += u64::from(test.judgment.timed_out);
    }
}

impl Gathered {
    /// Reads a journal, even of a run in progress.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no journal of this version.
    pub fn read(path: &Path) -> Result<Gathered, ReadError> {
        let mut reader = Reader::open(path)?;
        let mut gathered = Gathered {
            path: path.to_owned(),
            header: reader.header().clone(),
            stages: Vec::new(),
            invalid: 0,
            tally: Tally::default(),
            bytes_before: 0,
            bytes_after: 0,
            seconds: 0.0,
            in_tests: 0.0,
            done: None,
            outputs: Vec::new(),
            is_cut_short: false,
            damaged: Damaged::default(),
            is_running: is_held(path),
            curve: Sample::new(CURVE),
            tried: Sample::new(DOTS),
            times: Times::default(),
        };
        for record in reader.by_ref() {
            gathered.take(record?);
        }
        gathered.is_cut_short = reader.is_cut_short();
        gathered.damaged = reader.damaged().clone();
        Ok(gathered)
    }

    /// The result, which is beside its journal.
    #[must_use]
    pub fn result(&self) -> Option<PathBuf> {
        let name = self.path.file_name()?.to_str()?.strip_suffix(ENDING)?;
        Some(self.path.with_file_name(name))
    }

    /// The files or the directory of the input.
    #[must_use]
    pub fn inputs(&self) -> Vec<PathBuf> {
        self.header.inputs(&self.path)
    }

    /// The number of tests so far.
    #[must_use]
    pub fn tests(&self) -> u64 {
        self.tally.all()
    }

    fn take(&mut self, record: Record) {
        match record {
            Record::Stage(stage) => self.begin(stage),
            Record::Test(test) => self.test(&test),
            Record::StageEnd(end) => self.end(end),
            Record::Done(done) => {
                self.seconds = self.seconds.max(done.at);
                // The result may have lost blank lines that candidates keep.
                self.bytes_after = done.bytes;
                self.done = Some(done);
            }
            Record::Output(output) => self.outputs.push(output),
            Record::Skipped => {
                if let Some(last) = self.stages.last_mut() {
                    last.stage.is_skipped = true;
                }
            }
        }
    }

    fn begin(&mut self, stage: StageRecord) {
        if self.stages.is_empty() {
            (self.bytes_before, self.bytes_after) = (stage.bytes, stage.bytes);
            self.curve.push(Point { test: 0, at: 0.0, bytes: stage.bytes });
        }
        self.seconds = self.seconds.max(stage.at);
        let tests = self.tests();
        let stage = StageRecord { labels: Vec::new(), ..stage };
        let (until, bytes_after) = (stage.at, self.bytes_after);
        self.stages.push(StageSeen { stage, tally: Tally::default(), before: tests, last: tests, until, bytes_after });
    }

    fn test(&mut self, test: &TestRecord) {
        let point = Point { test: test.number, at: test.at, bytes: test.bytes };
        self.tally.push(test);
        self.invalid += u64::from(test.judgment.is_invalid());
        self.in_tests += test.judgment.elapsed.as_secs_f64();
        self.times.push(test.judgment.elapsed.as_secs_f64());
        self.seconds = self.seconds.max(test.at);
        self.tried.push((point, test.judgment.verdict));
        if test.improved {
            self.bytes_after = test.bytes;
            self.curve.push(point);
        }
        let bytes_after = self.bytes_after;
        if let Some(stage) = self.stages.last_mut() {
            stage.tally.push(test);
            (stage.last, stage.until, stage.bytes_after) = (test.number, test.at, bytes_after);
        }
    }

    fn end(&mut self, end: StageEndRecord) {
        self.seconds = self.seconds.max(end.at);
        if let Some(stage) = self.stages.last_mut() {
            stage.until = stage.until.max(end.at);
            stage.stage.end = Some(end);
        }
    }
}

/// Whether a run holds the lock of the journal.
fn is_held(path: &Path) -> bool {
    let lock = File::open(path).map(|file| file.try_lock_shared());
    matches!(lock, Ok(Err(std::fs::TryLockError::WouldBlock)))
}
