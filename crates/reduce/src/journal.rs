//! The journal: one line of JSON per event, append-only, so that a run survives anything and can go on.
//!
//! The first line says what run this is; then come lines for stages and tests, in the order in which a run with one job
//! settles them, whatever the number of jobs. A resumed run replays from the start with every recorded judgment in the
//! cache: it goes through the same events and appends from where the journal ends. The format is described in
//! docs/reference/journal.md.

use crate::{Event, Judgment, Key, StageInfo, Verdict};
use lapidary_logic::{Var, VarSet};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use thiserror::Error;

/// What makes two runs the same run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the journal's format.
    pub journal: u32,
    pub lapidary: String,
    /// The content key of the input.
    pub input: String,
    /// Everything that decides which candidates are tried and how they are judged.
    pub run: Vec<String>,
}

#[derive(Debug, Error)]
pub enum JournalError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0} does not start like a journal of this version; delete it or start without --resume")]
    NotAJournal(String),
    #[error("{0} belongs to another run ({1}); start without --resume, or with the same input and options")]
    AnotherRun(String, String),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Stage(StageLine),
    Test(TestLine),
}

#[derive(Serialize, Deserialize)]
struct StageLine {
    stage: String,
    round: u32,
    strategy: String,
    items: usize,
    clauses: usize,
    bytes: u64,
    at: f64,
}

#[derive(Serialize, Deserialize)]
struct TestLine {
    test: u64,
    stage: String,
    key: String,
    verdict: String,
    reason: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    timed_out: bool,
    bytes: u64,
    items: usize,
    /// The items the candidate lacks of those its stage started with, as ranges.
    removed: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    improved: bool,
    seconds: f64,
    at: f64,
}

/// A journal open for appending.
pub struct Journal {
    file: File,
    started: Instant,
    /// How many events an earlier run has recorded: as many are skipped when they come by again.
    replay: u64,
}

impl Journal {
    /// Begins a new journal, in place of what was there.
    pub fn create(path: &Path, header: &Header) -> Result<Journal, JournalError> {
        let mut file = File::create(path)?;
        writeln!(file, "{}", serde_json::to_string(header).expect("a header is plain data"))?;
        Ok(Journal { file, started: Instant::now(), replay: 0 })
    }

    /// Opens the journal of an interrupted run and returns what it knows. A last line that was cut short is dropped.
    pub fn resume(path: &Path, header: &Header) -> Result<(Journal, Vec<(Key, Judgment)>), JournalError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let name = path.display().to_string();
        let first = lines.next().ok_or_else(|| JournalError::NotAJournal(name.clone()))?;
        let found: Header = serde_json::from_str(first).map_err(|_| JournalError::NotAJournal(name.clone()))?;
        if found != *header {
            return Err(JournalError::AnotherRun(name, difference(&found, header)));
        }
        let mut known = Vec::new();
        let mut replay = 0;
        for line in lines {
            replay += 1;
            if let Ok(Line::Test(test)) = serde_json::from_str(line) {
                known.extend(test.judgment());
            }
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Journal { file, started: Instant::now(), replay }, known))
    }

    pub fn stage(&mut self, stage: &StageInfo<'_>) -> io::Result<()> {
        let at = self.elapsed();
        self.append(&Line::Stage(StageLine {
            stage: stage.name.to_owned(),
            round: stage.round,
            strategy: stage.strategy.to_owned(),
            items: stage.items,
            clauses: stage.clauses,
            bytes: stage.bytes,
            at,
        }))
    }

    pub fn test(&mut self, event: &Event<'_>) -> io::Result<()> {
        let at = self.elapsed();
        self.append(&Line::Test(TestLine {
            test: event.number,
            stage: event.stage.to_owned(),
            key: event.key.to_string(),
            verdict: verdict_name(event.judgment.verdict).to_owned(),
            reason: event.judgment.reason.clone(),
            timed_out: event.judgment.timed_out,
            bytes: event.bytes,
            items: event.keep.len(),
            removed: ranges(&event.start.minus(event.keep)),
            improved: event.improved,
            seconds: round(event.judgment.elapsed),
            at,
        }))
    }

    fn append(&mut self, line: &Line) -> io::Result<()> {
        if self.replay > 0 {
            self.replay -= 1;
            return Ok(());
        }
        let mut text = serde_json::to_string(line).expect("a line is plain data");
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }

    fn elapsed(&self) -> f64 {
        round(self.started.elapsed())
    }
}

impl TestLine {
    fn judgment(&self) -> Option<(Key, Judgment)> {
        let verdict = match self.verdict.as_str() {
            "interesting" => Verdict::Interesting,
            "uninteresting" => Verdict::Uninteresting,
            "unresolved" => Verdict::Unresolved,
            _ => return None,
        };
        let elapsed = Duration::try_from_secs_f64(self.seconds).ok()?;
        let judgment = Judgment { verdict, reason: self.reason.clone(), timed_out: self.timed_out, elapsed };
        Some((Key::parse(&self.key)?, judgment))
    }
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Interesting => "interesting",
        Verdict::Uninteresting => "uninteresting",
        Verdict::Unresolved => "unresolved",
    }
}

/// To microseconds.
fn round(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}

/// `3-7,9` for the variables 3, 4, 5, 6, 7, 9.
fn ranges(vars: &VarSet) -> String {
    let mut text = String::new();
    let vars: Vec<Var> = vars.iter().collect();
    let mut rest = &vars[..];
    while let Some(first) = rest.first() {
        let length = rest.iter().enumerate().take_while(|(offset, var)| var.index() == first.index() + offset).count();
        if !text.is_empty() {
            text.push(',');
        }
        match length {
            1 => text.push_str(&first.index().to_string()),
            _ => text.push_str(&format!("{}-{}", first.index(), first.index() + length - 1)),
        }
        rest = &rest[length..];
    }
    text
}

/// In a few words, the first way in which two runs differ.
fn difference(found: &Header, wanted: &Header) -> String {
    if found.input != wanted.input {
        return "the input has changed".to_owned();
    }
    if found.lapidary != wanted.lapidary || found.journal != wanted.journal {
        return format!("it was written by version {}", found.lapidary);
    }
    let missing = |from: &Header, of: &Header| of.run.iter().find(|part| !from.run.contains(part)).cloned();
    match (missing(wanted, found), missing(found, wanted)) {
        (Some(had), Some(has)) => format!("it had {had}, this one has {has}"),
        (Some(had), None) => format!("it had {had}"),
        (None, Some(has)) => format!("it did not have {has}"),
        (None, None) => "its options stood in another order".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_short() {
        let vars = [1, 2, 3, 5, 8, 9].into_iter().map(Var::new);
        assert_eq!(ranges(&VarSet::of(10, vars)), "1-3,5,8-9");
        assert_eq!(ranges(&VarSet::empty(10)), "");
    }

    #[test]
    fn runs_differ_in_what_one_has_and_the_other_has_not() {
        let header = |run: &[&str]| Header {
            journal: 1,
            lapidary: "x".into(),
            input: "a".into(),
            run: run.iter().map(|&part| part.into()).collect(),
        };
        let differ = |found: &[&str], wanted: &[&str]| difference(&header(found), &header(wanted));
        assert_eq!(
            differ(&["--decompiler a", "m"], &["--decompiler b", "m"]),
            "it had --decompiler a, this one has --decompiler b"
        );
        assert_eq!(differ(&["t", "--repeat 3"], &["t"]), "it had --repeat 3");
        assert_eq!(differ(&["t"], &["t", "--repeat 3"]), "it did not have --repeat 3");
    }

    #[test]
    fn a_journal_of_another_input_is_refused_and_a_cut_line_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let header = Header { journal: 1, lapidary: "x".into(), input: "a".into(), run: vec!["t".into()] };
        drop(Journal::create(&path, &header).unwrap());
        let other = Header { input: "b".into(), ..header.clone() };
        assert!(matches!(Journal::resume(&path, &other), Err(JournalError::AnotherRun(..))));
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"test\":1,\"sta").unwrap();
        let (_, known) = Journal::resume(&path, &header).unwrap();
        assert!(known.is_empty());
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("}\n"));
    }
}
