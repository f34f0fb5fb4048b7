//! Reads a journal without changing it, for reports, live views and other programs.
//!
//! Invariant: a [`Reader`] keeps one line in memory, and no line of more than [`LONGEST`] bytes,
//! whatever the file is.

use super::lines::{self, Line, Reasons};
use super::records::{DoneRecord, OutputRecord, StageEndRecord, StageRecord, TestRecord, test_record};
use super::{Header, VERSION};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A longer line is not ours, and counts as damaged.
const LONGEST: usize = 64 << 20;

/// The contents of a journal.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The header, which identifies the run.
    pub header: Header,
    /// The stages in the order in which they ran.
    pub stages: Vec<StageRecord>,
    /// Whether the search has finished. Otherwise it is still running, or was stopped.
    pub is_done: bool,
    /// The end of the search, if it has finished.
    pub done: Option<DoneRecord>,
    /// The output of the test about the input and the result, as far as it was recorded.
    pub outputs: Vec<OutputRecord>,
    /// Whether the last line is incomplete because it was being written or the run was killed.
    pub is_cut_short: bool,
    /// The numbers of lines that cannot be parsed, counted from 1. Their contents are missing here.
    pub damaged: Damaged,
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

/// One line of a journal.
#[derive(Clone, Debug)]
pub enum Record {
    /// A stage begins.
    Stage(StageRecord),
    /// A test of the last stage was settled.
    Test(TestRecord),
    /// The last stage has ended.
    StageEnd(StageEndRecord),
    /// The user skipped the rest of the last stage.
    Skipped,
    /// The search has finished.
    Done(DoneRecord),
    /// The output of the test.
    Output(OutputRecord),
}

/// Reads a journal line by line, even of a run in progress. The file is not changed and no lock is
/// taken.
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    header: Header,
    reasons: Reasons,
    line: Vec<u8>,
    number: usize,
    has_stage: bool,
    is_cut_short: bool,
    damaged: Damaged,
}

impl Reader {
    /// Opens a journal and reads its first line.
    pub fn open(path: &Path) -> Result<Reader, ReadError> {
        let failed = |reason: io::Error| ReadError::Io { path: path.to_owned(), reason };
        let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?);
        let mut line = Vec::new();
        let header = match next_line(&mut file, &mut line).map_err(failed)? {
            Some(_) => header(&line, path)?,
            None => return Err(ReadError::NotAJournal(path.to_owned())),
        };
        Ok(Reader {
            path: path.to_owned(),
            file,
            header,
            reasons: Reasons::default(),
            line,
            number: 1,
            has_stage: false,
            is_cut_short: false,
            damaged: Damaged::default(),
        })
    }

    /// The header, which identifies the run.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the last line that was read is incomplete because it is being written or the run
    /// was killed.
    pub fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// The numbers of the lines so far that cannot be parsed, counted from 1.
    pub fn damaged(&self) -> &Damaged {
        &self.damaged
    }

    /// The record on the line; `None` if it cannot be parsed or does not fit here.
    fn record(&mut self) -> Option<Record> {
        Some(match Line::parse(&self.line)? {
            Line::Stage(stage) => {
                self.has_stage = true;
                Record::Stage(stage.into())
            }
            Line::Test(test) if self.has_stage => Record::Test(test_record(&test, &mut self.reasons)?),
            Line::End(end) if self.has_stage => Record::StageEnd(end.into()),
            Line::Done(done) if done.done => {
                Record::Done(DoneRecord { bytes: done.bytes, cached: done.cached, at: done.at })
            }
            Line::Output(output) => Record::Output(output.into()),
            Line::Skip(_) if self.has_stage => Record::Skipped,
            Line::Test(_) | Line::End(_) | Line::Skip(_) | Line::Done(_) => return None,
        })
    }
}

/// Lines that cannot be parsed. There may be millions of them, so only the first are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damaged {
    /// How many there are.
    pub count: usize,
    /// The numbers of the first ten, counted from 1.
    pub first: Vec<usize>,
}

impl Damaged {
    /// Whether every line could be parsed.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn add(&mut self, line: usize) {
        const KEPT: usize = 10;
        self.count += 1;
        if self.first.len() < KEPT {
            self.first.push(line);
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Record, ReadError>;

    /// The next line that can be understood.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let is_kept = match next_line(&mut self.file, &mut self.line) {
                Ok(Some(0)) => return None,
                Ok(length) => length.is_some(),
                Err(reason) => return Some(Err(ReadError::Io { path: self.path.clone(), reason })),
            };
            self.number += 1;
            self.is_cut_short = is_kept && self.line.last() != Some(&b'\n');
            if self.is_cut_short {
                continue;
            }
            match is_kept.then(|| self.record()).flatten() {
                Some(record) => return Some(Ok(record)),
                None => self.damaged.add(self.number),
            }
        }
    }
}

/// Reads a line with its end and returns its length, which is 0 at the end of the file, or `None`
/// if it is too long to be kept.
fn next_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<usize>> {
    line.clear();
    let length = file.by_ref().take(LONGEST as u64).read_until(b'\n', line)?;
    if length < LONGEST || line.last() == Some(&b'\n') {
        return Ok(Some(length));
    }
    line.clear();
    file.skip_until(b'\n')?;
    Ok(None)
}

/// Reads a journal as a whole, even of a run in progress. The file is not changed and no lock is
/// taken.
pub fn read(path: &Path) -> Result<Recorded, ReadError> {
    let mut reader = Reader::open(path)?;
    let (mut stages, mut outputs, mut end) = (Vec::<StageRecord>::new(), Vec::new(), None);
    for record in reader.by_ref() {
        match (record?, stages.last_mut()) {
            (Record::Stage(stage), _) => stages.push(stage),
            (Record::Test(test), Some(stage)) => stage.tests.push(test),
            (Record::StageEnd(end), Some(stage)) => stage.end = Some(end),
            (Record::Skipped, Some(stage)) => stage.is_skipped = true,
            (Record::Done(done), _) => end = Some(done),
            (Record::Output(output), _) => outputs.push(output),
            // A reader returns no test before a stage.
            (Record::Test(_) | Record::StageEnd(_) | Record::Skipped, None) => {}
        }
    }
    let Reader { header, is_cut_short, damaged, .. } = reader;
    Ok(Recorded { header, stages, is_done: end.is_some(), done: end, outputs, is_cut_short, damaged })
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
