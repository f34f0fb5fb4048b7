//! The journal: an append-only file with one line of JSON per event, from which an interrupted run
//! can be resumed.
//!
//! The first line identifies the run. Then come lines for stages and tests, always in the order in
//! which a run with one job settles them. A resumed run starts over with every recorded judgment in
//! the cache: it repeats the same events and appends where the journal ends. [`read()`] is for
//! other readers. docs/reference/journal.md describes the format.
//!
//! Each line ends with a checksum. Invariant: a line about a test takes less than 220 bytes, unless
//! its reason is long or the candidate differs much from the last interesting one. Values that
//! would repeat on every line are omitted.

mod lines;
mod read;
mod records;

pub use lines::Of;
pub use read::{Damaged, ReadError, Reader, Record, Recorded, read};
pub use records::{
    DoneRecord, ItemRecord, KeeperRecord, KeptRecord, OutputRecord, RemovedRecord, StageEndRecord, StageRecord,
    TestRecord,
};

use crate::{Event, Item, Judgment, Key, Skip, StageEnd, StageInfo};
use lapidary_logic::{Var, VarSet};
use lines::{DoneLine, EndLine, Judged, KeptLine, Line, Reasons, RemovedLine, SkipLine, StageLine, TestLine, ranges};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The version of the journal's format.
pub const VERSION: u32 = 2;

/// The end of the name of each journal; what is before it is the name of the result.
pub const ENDING: &str = ".journal.jsonl";

/// The largest number of items of a stage that are listed with their labels; further items are only
/// counted.
const LISTED: usize = 2_000;

/// The first line of a journal, which identifies the run and its tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the journal's format.
    pub journal: u32,
    /// The version of the program.
    pub lapidary: String,
    /// The content key of the input.
    pub input: String,
    /// The settings that decide which candidates are tried and how they are judged.
    pub run: Vec<String>,
    /// The test as a user would type it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub test: String,
    /// The tools used, with their versions. A run may be resumed with other versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// The files or the directory of the input, if they are on disk, as [`Header::inputs`] reads
    /// them. A run may be resumed from another place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// The command: `reduce` or `crash`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// How the failure can be shown without Lapidary, for whoever packs the result. The engine does
    /// not look at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduction: Option<serde_json::Value>,
}

impl Header {
    /// Creates the header of a run of this version of the program. `input` is the content key of
    /// the input. Two runs count as the same if `input` and `run` are equal.
    pub fn new(input: Key, run: Vec<String>) -> Self {
        let lapidary = env!("CARGO_PKG_VERSION").to_owned();
        Header {
            journal: VERSION,
            lapidary,
            input: input.to_string(),
            run,
            test: String::new(),
            tools: Vec::new(),
            paths: Vec::new(),
            command: String::new(),
            reproduction: None,
        }
    }

    /// Adds the command, and where its input is.
    pub fn of(self, command: &str, paths: &[PathBuf]) -> Self {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let paths = paths.iter().map(|path| absolute(path).to_string_lossy().into_owned()).collect();
        Header { command: command.to_owned(), paths, ..self }
    }

    /// Adds how the failure can be shown.
    pub fn reproduced_by(self, reproduction: Option<serde_json::Value>) -> Self {
        Header { reproduction, ..self }
    }

    /// Adds the test and the tools.
    pub fn describing(self, test: String, tools: Vec<String>) -> Self {
        Header { test, tools, ..self }
    }

    /// The files or the directory of the input. Those below the directory of the journal are found
    /// even if that directory was moved.
    pub fn inputs(&self, journal: &Path) -> Vec<PathBuf> {
        let directory = journal.parent().unwrap_or(Path::new(""));
        self.paths.iter().map(|path| directory.join(path)).collect()
    }

    /// The strategy that the user asked for; `None` if the default stages ran.
    pub fn strategy(&self) -> Option<&str> {
        self.run.iter().find_map(|text| text.strip_prefix("--strategy "))
    }

    /// With paths that are relative to the directory of the journal where they are below it.
    fn beside(&self, journal: &Path) -> Header {
        let journal = std::path::absolute(journal).unwrap_or_else(|_| journal.to_owned());
        let relative = |path: &String| {
            let inside = journal.parent().and_then(|directory| Path::new(path).strip_prefix(directory).ok());
            inside.map_or_else(|| path.clone(), |inside| inside.to_string_lossy().into_owned())
        };
        Header { paths: self.paths.iter().map(relative).collect(), ..self.clone() }
    }

    fn is_same_run(&self, other: &Header) -> bool {
        (&self.lapidary, &self.input, &self.run) == (&other.lapidary, &other.input, &other.run)
    }
}

/// Why a journal cannot be continued.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not begin like a journal.
    #[error("{0} does not start like a journal of this version; --force starts over")]
    NotAJournal(String),
    /// It was written in another version of the format.
    #[error(
        "{0} is a journal in version {1} of the format, and this program continues version {VERSION} only; --force starts over"
    )]
    OtherVersion(String, u64),
    /// It belongs to a run with another input or other options.
    #[error("{0} belongs to another run ({1}); use the same input and options, or start over with --force")]
    AnotherRun(String, String),
}

/// A journal open for appending.
pub struct Journal {
    file: File,
    started: Instant,
    /// Seconds that earlier runs recorded. Times go on from there.
    before: f64,
    /// The events that an earlier run recorded. They are not written again.
    replay: Replay,
    /// The last interesting candidate of the stage, to which others are compared.
    base: Option<VarSet>,
    /// The size of the candidate that the stage began with.
    stage_bytes: u64,
    reasons: Reasons,
}

impl Journal {
    /// Begins a new journal and replaces an existing file.
    pub fn create(path: &Path, header: &Header) -> Result<Journal, JournalError> {
        let mut file = File::create(path)?;
        file.write_all(lines::sealed(&header.beside(path)).as_bytes())?;
        Ok(Journal::appending(file, Replay::default(), 0.0))
    }

    /// Opens the journal of an interrupted run. The file is truncated at the first damaged line;
    /// the judgments of whole lines after it are still known.
    pub fn resume(path: &Path, header: &Header) -> Result<Resumed, JournalError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let mut lines = text.split_inclusive(|&byte| byte == b'\n');
        let first = lines.next().unwrap_or_default();
        check_header(first, header, path)?;
        let mut replay = Replay { at: first.len() as u64, ..Replay::default() };
        let (mut known, mut reasons, mut damaged) = (Vec::new(), Reasons::default(), None);
        let (mut stages, mut skips, mut before) = (0, Vec::new(), 0.0);
        for (number, line) in (2..).zip(lines) {
            let Some(event) = Line::parse(line) else {
                // A kill leaves an incomplete last line, which is no damage.
                damaged = damaged.or(line.ends_with(b"\n").then_some(number));
                continue;
            };
            if damaged.is_none() {
                replay.lines.push_back((line.len(), identity(&event)));
                stages += u32::from(matches!(event, Line::Stage(_)));
                if let Line::Skip(skip) = &event {
                    skips.push(Skip { stage: stages, answers: skip.answers });
                }
                before = event.at().max(before);
            }
            if let Line::Test(test) = event {
                known.extend(test.judgment(&mut reasons).filter(|(_, judgment)| !judgment.disturbed));
            }
        }
        file.set_len(replay.at + replay.lines.iter().map(|(length, _)| *length as u64).sum::<u64>())?;
        file.seek(SeekFrom::End(0))?;
        Ok(Resumed { journal: Journal::appending(file, replay, before), known, skips, damaged })
    }

    /// Makes sure that what was written so far survives a loss of power.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn appending(file: File, replay: Replay, before: f64) -> Journal {
        Journal {
            file,
            started: Instant::now(),
            before,
            replay,
            base: None,
            stage_bytes: 0,
            reasons: Reasons::default(),
        }
    }

    /// Records that a stage begins.
    pub fn stage(&mut self, stage: &StageInfo<'_>) -> io::Result<()> {
        self.base = None;
        self.stage_bytes = stage.bytes;
        let few = if stage.items.len() <= LISTED { stage.items } else { &[] };
        let at = self.elapsed();
        self.append(&Line::Stage(StageLine {
            stage: stage.name.to_owned(),
            round: stage.round,
            strategy: stage.strategy.to_owned(),
            items: stage.items.len(),
            clauses: stage.clauses,
            bytes: stage.bytes,
            labels: few.iter().map(|item| (item.label.clone(), item.kind.to_string())).collect(),
            at,
        }))
    }

    /// Records that a test is settled.
    pub fn test(&mut self, event: &Event<'_>) -> io::Result<()> {
        let base = self.base.as_ref().filter(|base| base.universe() == event.start.universe()).unwrap_or(event.start);
        let (removed, added) = (ranges(&base.minus(event.keep)), ranges(&event.keep.minus(base)));
        if event.judgment.is_interesting() {
            self.base = Some(event.keep.clone());
        }
        let at = self.elapsed();
        let line = TestLine {
            test: event.number,
            key: event.key.to_string(),
            verdict: Judged::from(event.judgment.verdict),
            reason: self.reasons.shorten(event.judgment),
            timed_out: event.judgment.timed_out,
            disturbed: event.judgment.disturbed,
            bytes: event.bytes,
            removed,
            added,
            improved: event.improved,
            seconds: round(event.judgment.elapsed),
            at,
        };
        self.append(&Line::Test(line))
    }

    /// Records that a stage has ended, with the items that it removed and those that are left.
    pub fn stage_ended(&mut self, end: &StageEnd<'_>) -> io::Result<()> {
        let gone = end.start.minus(end.kept);
        let removed = topmost(end.items, &gone);
        let costs = costs_inside(end.items, &gone, self.stage_bytes);
        let kept: Vec<Var> = end.kept.iter().filter(|var| var.index() < end.items.len()).collect();
        let label = |var: &Var| end.items.get(var.index()).map(|item| item.label.clone());
        let describe = |var: &Var| {
            let item = &end.items[var.index()];
            let (test, with, needed_by) = match end.keepers.get(var.index()).cloned().flatten() {
                Some(crate::Keeper::Test { reason, with }) => (Some(reason.to_string()), with, None),
                Some(crate::Keeper::Clause(premises)) => (None, 0, Some(premises.iter().filter_map(label).collect())),
                None => (None, 0, None),
            };
            KeptLine {
                item: var.index(),
                label: item.label.clone(),
                kind: item.kind.to_string(),
                test,
                with,
                needed_by,
            }
        };
        let named = |var: &Var| {
            let item = &end.items[var.index()];
            let (label, kind, bytes) = (item.label.clone(), item.kind.to_string(), costs[var.index()]);
            match item.parent.and_then(|parent| end.items.get(parent.index())) {
                Some(parent) => RemovedLine::Inside(label, kind, bytes, parent.label.clone()),
                None => RemovedLine::Alone(label, kind, bytes),
            }
        };
        let at = self.elapsed();
        self.append(&Line::End(EndLine {
            end: end.name.to_owned(),
            round: end.round,
            removed: removed.iter().take(LISTED).map(named).collect(),
            more_removed: removed.len().saturating_sub(LISTED),
            kept: kept.iter().take(LISTED).map(describe).collect(),
            more_kept: kept.len().saturating_sub(LISTED),
            at,
        }))
    }

    /// Records that the user skipped a stage after so many answers.
    pub fn skipped(&mut self, stage: &StageInfo<'_>, answers: u64) -> io::Result<()> {
        let at = self.elapsed();
        self.append(&Line::Skip(SkipLine { skip: stage.name.to_owned(), round: stage.round, answers, at }))
    }

    /// Records that the search has finished without being stopped, with so many answers from the
    /// cache.
    pub fn done(&mut self, bytes: u64, cached: u64) -> io::Result<()> {
        let at = self.elapsed();
        self.append(&Line::Done(DoneLine { done: true, bytes, cached: Some(cached), at }))
    }

    /// Records what the test printed about the input or the result. A resumed journal that goes on
    /// differently there stays as it is, since this changes no verdict.
    pub fn output(&mut self, output: &OutputRecord) -> io::Result<()> {
        let line = Line::Output(output.line(self.elapsed()));
        let recorded = self.replay.lines.front().map(|(_, recorded)| *recorded);
        match recorded.is_none_or(|recorded| recorded == identity(&line)) {
            true => self.append(&line),
            false => Ok(()),
        }
    }

    fn append(&mut self, line: &Line) -> io::Result<()> {
        if let Some((length, recorded)) = self.replay.lines.pop_front() {
            if recorded == identity(line) {
                self.replay.at += length as u64;
                return Ok(());
            }
            // The run goes another way from here on, because a test had another outcome.
            self.replay.lines.clear();
            self.file.set_len(self.replay.at)?;
            self.file.seek(SeekFrom::End(0))?;
        }
        self.file.write_all(lines::sealed(line).as_bytes())
    }

    fn elapsed(&self) -> f64 {
        round(self.started.elapsed() + Duration::try_from_secs_f64(self.before).unwrap_or_default())
    }
}

/// The journal of an interrupted run, and what it says.
pub struct Resumed {
    /// The journal, which will be appended to.
    pub journal: Journal,
    /// The judgments that need not be asked for again.
    pub known: Vec<(Key, Judgment)>,
    /// The stages that the user skipped, which are skipped again at the same place.
    pub skips: Vec<Skip>,
    /// The number of the first damaged line, counted from 1. It was removed with all after it.
    pub damaged: Option<usize>,
}

/// The lines of an earlier run that this one has not reached yet.
#[derive(Default)]
struct Replay {
    /// Where they begin in the file.
    at: u64,
    /// The length of each, with its identity.
    lines: VecDeque<(usize, u64)>,
}

/// A hash of everything that is the same when a run repeats an event.
fn identity(line: &Line) -> u64 {
    let mut hasher = DefaultHasher::new();
    match line {
        Line::Test(test) => ("test", test.test, &test.key, test.verdict, test.disturbed).hash(&mut hasher),
        Line::Stage(stage) => ("stage", &stage.stage, stage.round, &stage.strategy, stage.items).hash(&mut hasher),
        Line::End(end) => ("end", &end.end, end.round).hash(&mut hasher),
        Line::Skip(skip) => ("skip", &skip.skip, skip.round, skip.answers).hash(&mut hasher),
        Line::Done(_) => "done".hash(&mut hasher),
        Line::Output(output) => ("output", output.output).hash(&mut hasher),
    }
    hasher.finish()
}

/// Refuses the journal of another run, and what is no journal.
fn check_header(first: &[u8], wanted: &Header, path: &Path) -> Result<(), JournalError> {
    let name = path.display().to_string();
    match lines::version(first) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(version) => return Err(JournalError::OtherVersion(name, version)),
        None => return Err(JournalError::NotAJournal(name)),
    }
    let found = lines::unsealed(first).and_then(|first| serde_json::from_slice::<Header>(first).ok());
    let found = found.ok_or_else(|| JournalError::NotAJournal(name.clone()))?;
    match found.is_same_run(wanted) {
        true => Ok(()),
        false => Err(JournalError::AnotherRun(name, difference(&found, wanted))),
    }
}

/// The removed items whose parent was not removed.
fn topmost(items: &[Item], removed: &VarSet) -> Vec<Var> {
    let is_inside = |var: &Var| items[var.index()].parent.is_some_and(|parent| removed.contains(parent));
    removed.iter().filter(|var| var.index() < items.len() && !is_inside(var)).collect()
}

/// For each of the topmost removed items, the bytes of the input that went with it. In some models,
/// the cost of an item covers those inside of it: then all costs together exceed the `bytes` there are.
fn costs_inside(items: &[Item], removed: &VarSet, bytes: u64) -> Vec<u64> {
    if items.iter().map(|item| item.cost).sum::<u64>() > bytes {
        return items.iter().map(|item| item.cost).collect();
    }
    let mut costs = vec![0; items.len()];
    let mut tops: Vec<Option<usize>> = vec![None; items.len()];
    for var in removed.iter().filter(|var| var.index() < items.len()) {
        let (mut path, mut at) = (Vec::new(), var.index());
        while let (None, Some(parent)) = (tops[at], items[at].parent.filter(|parent| removed.contains(*parent))) {
            path.push(at);
            at = parent.index();
        }
        let top = *tops[at].get_or_insert(at);
        path.into_iter().for_each(|inside| tops[inside] = Some(top));
        costs[top] += items[var.index()].cost;
    }
    costs
}

/// Seconds, rounded to microseconds.
fn round(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}

/// Describes the first difference between two runs.
fn difference(found: &Header, wanted: &Header) -> String {
    if found.input != wanted.input {
        return "the input has changed".to_owned();
    }
    if found.lapidary != wanted.lapidary {
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

    const KEY: Key = Key([7; 32]);

    #[test]
    fn runs_differ_in_what_one_has_and_the_other_has_not() {
        let header = |run: &[&str]| Header::new(KEY, run.iter().map(|&part| part.into()).collect());
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
        let header = Header::new(KEY, vec!["t".into()]);
        drop(Journal::create(&path, &header).unwrap());
        let other = Header { input: "b".into(), ..header.clone() };
        assert!(matches!(Journal::resume(&path, &other), Err(JournalError::AnotherRun(..))));
        let with_other_tools = header.clone().describing("x".into(), vec!["gcc 99".into()]);
        assert!(Journal::resume(&path, &with_other_tools).is_ok(), "tools may be updated between two runs");
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"test\":1,\"sta").unwrap();
        let resumed = Journal::resume(&path, &header).unwrap();
        assert!(resumed.known.is_empty() && resumed.damaged.is_none());
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("}\n"));
    }

    fn test_line(number: u64, verdict: Judged, disturbed: bool) -> Line {
        Line::Test(TestLine {
            test: number,
            key: Key([number as u8; 32]).to_string(),
            verdict,
            reason: None,
            timed_out: false,
            disturbed,
            bytes: 1,
            removed: String::new(),
            added: String::new(),
            improved: false,
            seconds: 0.0,
            at: 0.0,
        })
    }

    #[test]
    fn a_damaged_line_is_named_and_cut_off_with_all_after_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let header = Header::new(KEY, vec!["t".into()]);
        let mut journal = Journal::create(&path, &header).unwrap();
        (1..=3).for_each(|number| journal.append(&test_line(number, Judged::Uninteresting, false)).unwrap());
        let mut text = std::fs::read(&path).unwrap();
        let second = text.split_inclusive(|&byte| byte == b'\n').take(2).map(<[u8]>::len).sum::<usize>();
        text[second + 8] = 0xff;
        std::fs::write(&path, &text).unwrap();
        let resumed = Journal::resume(&path, &header).unwrap();
        assert_eq!((resumed.known.len(), resumed.damaged), (2, Some(3)), "a line after it is whole");
        assert_eq!(std::fs::read(&path).unwrap(), text[..second]);
    }

    #[test]
    fn a_disturbed_test_is_asked_for_again_and_the_journal_follows_its_new_outcome() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let header = Header::new(KEY, vec!["t".into()]);
        let mut journal = Journal::create(&path, &header).unwrap();
        let [first, third] = [1, 3].map(|number| test_line(number, Judged::Uninteresting, false));
        journal.append(&first).unwrap();
        journal.append(&test_line(2, Judged::Unresolved, true)).unwrap();
        journal.append(&third).unwrap();
        let Resumed { mut journal, known, .. } = Journal::resume(&path, &header).unwrap();
        assert_eq!(known.iter().map(|(key, _)| key.0[0]).collect::<Vec<_>>(), [1, 3]);
        let second = test_line(2, Judged::Interesting, false);
        [&first, &second].iter().for_each(|line| journal.append(line).unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = [lines::sealed(&header), lines::sealed(&first), lines::sealed(&second)].concat();
        assert_eq!(text, expected, "what came after the disturbed test may not happen any more");
    }

    #[test]
    fn a_journal_of_the_first_version_is_refused_and_left_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let text = r#"{"journal":1,"lapidary":"0.1.0","input":"a","run":[]}"#.to_owned() + "\n";
        std::fs::write(&path, &text).unwrap();
        let error = Journal::resume(&path, &Header::new(KEY, Vec::new())).err().expect("an error").to_string();
        assert!(error.contains("version 1 of the format") && error.contains("--force"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn only_the_topmost_of_what_was_removed_is_listed_with_all_that_went_with_it() {
        let item = |label: &str, bytes| Item::new(label, "x").costing(bytes);
        let (a, c) = (Var::new(1), Var::new(3));
        let items =
            [item("b", 2).inside(a), item("a", 1), item("d", 8).inside(c), item("c", 4).inside(a), item("e", 16)];
        let removed = VarSet::of(5, [0, 1, 2, 3].map(Var::new));
        assert_eq!(topmost(&items, &removed), [a]);
        assert_eq!((costs_inside(&items, &removed, 31)[1], costs_inside(&items, &removed, 30)[1]), (15, 1));
        let removed = VarSet::of(5, [2, 3, 4].map(Var::new));
        assert_eq!(
            (topmost(&items, &removed), costs_inside(&items, &removed, 40)),
            (vec![c, Var::new(4)], vec![0, 0, 0, 12, 16])
        );
    }

    #[test]
    fn an_input_beside_the_journal_is_found_after_both_were_moved() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let inputs = [directory.path().join("in/a.c"), "/elsewhere/b.c".into()];
        Journal::create(&path, &Header::new(KEY, Vec::new()).of("crash", &inputs)).unwrap();
        let header = read(&path).unwrap().header;
        assert_eq!(header.paths, ["in/a.c", "/elsewhere/b.c"]);
        assert_eq!(header.inputs(&path), inputs);
        assert_eq!(header.inputs(Path::new("/moved/journal"))[0], Path::new("/moved/in/a.c"));
    }

    #[test]
    fn times_go_on_where_the_earlier_run_stopped() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let header = Header::new(KEY, vec!["t".into()]);
        let mut journal = Journal::create(&path, &header).unwrap();
        let Line::Test(line) = test_line(1, Judged::Uninteresting, false) else { unreachable!() };
        journal.append(&Line::Test(TestLine { at: 100.5, ..line })).unwrap();
        let mut journal = Journal::resume(&path, &header).unwrap().journal;
        journal.append(&test_line(1, Judged::Uninteresting, false)).unwrap();
        journal.done(1, 7).unwrap();
        let done = read(&path).unwrap().done.unwrap();
        assert!((100.5..110.0).contains(&done.at) && done.cached == Some(7), "{done:?}");
    }

    #[test]
    fn an_output_is_read_back_and_never_cuts_a_journal_off() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let header = Header::new(KEY, vec!["t".into()]);
        let mut journal = Journal::create(&path, &header).unwrap();
        journal.append(&test_line(1, Judged::Uninteresting, false)).unwrap();
        let before = std::fs::read_to_string(&path).unwrap();
        let output = OutputRecord::new(Of::Input, "exit code 1", b"out", &[0xff; 100_000]);
        Journal::resume(&path, &header).unwrap().journal.output(&output).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before, "the earlier run did not write it");
        let mut journal = Journal::resume(&path, &header).unwrap().journal;
        journal.append(&test_line(1, Judged::Uninteresting, false)).unwrap();
        journal.output(&output).unwrap();
        let read = read(&path).unwrap();
        let [found] = &read.outputs[..] else { panic!("{:?}", read.outputs) };
        assert_eq!((found.of, &*found.reason, &*found.stdout), (Of::Input, "exit code 1", "out"));
        assert!(found.stderr.len() < 70_000 && found.more_stderr > 80_000, "{}", found.more_stderr);
    }
}
