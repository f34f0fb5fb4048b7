//! Reading journals: complete, running, cut short, damaged, or of another version.

use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::journal::{KeeperRecord, ReadError, Reader, Record, Resumed, read};
use lapidary_reduce::strategy::named;
use lapidary_reduce::{
    Counts, Event, Header, Journal, Judgment, Key, Limits, Model, Observer, Plan, Session, Source, Stage, StageEnd,
    StageInfo, Verdict, run,
};
use lapidary_testkit::{Scripted, ToyModel};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

struct Recording(Journal);

impl Observer for Recording {
    fn stage(&mut self, stage: &StageInfo<'_>) -> Result<(), String> {
        self.0.stage(stage).map_err(|error| error.to_string())
    }

    fn test(&mut self, event: &Event<'_>, _: &Counts) -> Result<(), String> {
        self.0.test(event).map_err(|error| error.to_string())
    }

    fn stage_ended(&mut self, end: &StageEnd<'_>) -> Result<(), String> {
        self.0.stage_ended(end).map_err(|error| error.to_string())
    }
}

fn toy() -> ToyModel {
    let mut constraint = Cnf::new(8);
    constraint.imply(Var::new(5), Var::new(6));
    ToyModel::new(constraint)
}

fn header() -> Header {
    Header::new(Key([3; 32]), vec!["--seed 0".into()]).describing("./still-fails {}".into(), vec!["gcc 14".into()])
}

/// Reduces eight items of which 2 and 5 are needed. Item 5 needs item 6.
fn reduce_into(mut journal: Journal, known: Vec<(Key, Judgment)>, tests: Option<u64>) -> bool {
    let model = toy();
    let predicate = Scripted::new(|kept: &[usize]| [2, 5].iter().all(|needed| kept.contains(needed)));
    let input = model.render(&VarSet::full(8)).unwrap();
    let stage = Stage {
        name: "toy".into(),
        source: Source::Fixed(&model),
        strategy: named("gbr+polish").unwrap(),
        steered: false,
    };
    let plan = Plan { stages: vec![stage], ..Plan::default() };
    let mut recording = Recording(journal);
    let mut session = Session::new(input, &predicate, Limits { tests, ..Limits::default() }, &mut recording);
    session.remember(known);
    let is_done = run(&mut session, &plan).stop.is_none();
    let (bytes, cached) = (session.best().bytes(), session.counts().cached);
    drop(session);
    journal = recording.0;
    if is_done {
        journal.done(bytes, cached).unwrap();
    }
    is_done
}

fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("result.journal.jsonl");
    (directory, path)
}

fn whole_journal(path: &Path) {
    assert!(reduce_into(Journal::create(path, &header()).unwrap(), Vec::new(), None));
}

#[test]
fn a_reader_learns_what_was_tried_removed_and_kept_and_why() {
    let (_place, path) = place();
    whole_journal(&path);
    let before = std::fs::read(&path).unwrap();
    let recorded = read(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), before, "reading changes nothing");
    assert_eq!(recorded.header, header());
    assert!(recorded.is_done && !recorded.is_cut_short && recorded.damaged.is_empty());
    let first = &recorded.stages[0];
    assert_eq!((first.name.as_str(), first.items, first.labels.len()), ("toy", 8, 8));
    let end = first.end.as_ref().unwrap();
    assert!(!end.removed.is_empty() && end.kept.len() == 3);
    let last = recorded.stages.last().unwrap();
    let kept: Vec<usize> = last.end.as_ref().unwrap().kept.iter().map(|kept| kept.item).collect();
    assert_eq!(kept, [2, 5, 6]);
    for kept in &last.end.as_ref().unwrap().kept {
        match (kept.item, kept.keeper.as_ref().expect("the last pass knows why")) {
            (_, KeeperRecord::Test { reason, .. }) => assert!(!reason.is_empty()),
            (item, KeeperRecord::NeededBy(items)) => assert!(item == 6 && items.len() == 1, "{item} {items:?}"),
        }
    }
    let numbers = recorded.stages.iter().flat_map(|stage| &stage.tests).map(|test| test.number);
    assert!(numbers.eq(1..=recorded.stages.iter().map(|stage| stage.tests.len() as u64).sum()));
}

#[test]
fn a_reader_returns_line_by_line_what_reading_at_once_does() {
    let (_place, path) = place();
    whole_journal(&path);
    let all = read(&path).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    assert_eq!(reader.header(), &header());
    let (mut stages, mut tests, mut ends, mut done) = (0, Vec::new(), Vec::new(), None);
    for record in reader.by_ref() {
        match record.unwrap() {
            Record::Stage(_) => stages += 1,
            Record::Test(test) => tests.push((test.number, test.key, test.bytes, test.judgment.reason)),
            Record::StageEnd(end) => ends.push((end.kept.len(), end.removed, end.at)),
            Record::Done(record) => done = Some(record),
            Record::Output(_) | Record::Skipped => {}
        }
    }
    assert_eq!(stages, all.stages.len());
    let expected = all.stages.iter().flat_map(|stage| &stage.tests);
    assert!(expected.map(|test| (test.number, test.key, test.bytes, test.judgment.reason.clone())).eq(tests));
    let expected = all.stages.iter().filter_map(|stage| stage.end.as_ref());
    assert!(expected.map(|end| (end.kept.len(), end.removed.clone(), end.at)).eq(ends.clone()));
    let [removed] = &ends[0].1[..] else { panic!("everything is inside of item 0: {ends:?}") };
    assert_eq!((&*removed.named.label, removed.bytes, &removed.parent), ("item 0", 5, &None));
    assert!(done == all.done && done.is_some_and(|done| done.cached.is_some() && done.at >= ends[0].2), "{done:?}");
}

#[test]
fn a_line_that_never_ends_takes_no_memory() {
    let (_place, path) = place();
    whole_journal(&path);
    let text = std::fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    std::fs::write(&path, format!("{first}\n{}\n{rest}", "x".repeat(70 << 20))).unwrap();
    let recorded = read(&path).unwrap();
    assert!(recorded.is_done && recorded.damaged.first == [2], "{:?}", recorded.damaged);
}

#[test]
fn a_journal_of_the_first_program_with_this_version_can_be_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/first-version-2.jsonl");
    let recorded = read(&path).unwrap();
    assert!(recorded.is_done && recorded.damaged.is_empty() && recorded.header.paths.is_empty());
    assert_eq!(recorded.done.unwrap().cached, None);
    let removed = recorded.stages.iter().filter_map(|stage| stage.end.as_ref()).flat_map(|end| &end.removed);
    let labels: Vec<&str> = removed.map(|removed| &*removed.named.label).collect();
    assert!(labels == ["A.n()", "B", "I.n()"], "{labels:?}");
}

#[test]
fn candidates_can_be_put_together_from_the_differences() {
    let (_place, path) = place();
    whole_journal(&path);
    let stage = &read(&path).unwrap().stages[0];
    let mut base: Vec<usize> = (0..8).collect();
    for test in &stage.tests {
        let within = |ranges: &[(usize, usize)], item: usize| ranges.iter().any(|(a, b)| (*a..=*b).contains(&item));
        let mut candidate = base.clone();
        candidate.retain(|&item| !within(&test.removed, item));
        candidate.extend((0..8).filter(|&item| within(&test.added, item)));
        candidate.sort();
        assert_eq!(test.bytes, toy().render(&set(&candidate)).unwrap().bytes());
        if test.judgment.verdict == Verdict::Interesting {
            base = candidate;
        }
    }
}

fn set(items: &[usize]) -> VarSet {
    VarSet::of(8, items.iter().copied().map(Var::new))
}

#[test]
fn a_running_or_killed_run_can_be_read_at_any_moment() {
    let (_place, path) = place();
    whole_journal(&path);
    let whole = std::fs::read(&path).unwrap();
    let first_line = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for length in (first_line + 1..whole.len()).step_by(13) {
        std::fs::write(&path, &whole[..length]).unwrap();
        let recorded = read(&path).unwrap();
        assert!(!recorded.is_done && recorded.damaged.is_empty(), "{length}");
        assert_eq!(recorded.is_cut_short, whole[length - 1] != b'\n', "{length}");
    }
}

#[test]
fn a_resumed_run_leaves_the_journal_of_an_uninterrupted_one() {
    let (_place, whole) = place();
    whole_journal(&whole);
    for tests in 1..8 {
        let (_place, path) = place();
        let is_done = reduce_into(Journal::create(&path, &header()).unwrap(), Vec::new(), Some(tests));
        if !is_done {
            assert!(!read(&path).unwrap().is_done);
        }
        let Resumed { journal, known, .. } = Journal::resume(&path, &header()).unwrap();
        assert!(reduce_into(journal, known, None));
        assert_eq!(timeless(&path), timeless(&whole), "stopped after {tests} tests");
    }
}

/// The lines without their times, and without the checksums that cover these.
fn timeless(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let without_times = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        for field in ["at", "seconds", "sum"] {
            line.as_object_mut().unwrap().remove(field);
        }
        line
    };
    text.lines().map(without_times).collect()
}

#[test]
fn damaged_lines_are_named_and_left_out() {
    let (_place, path) = place();
    whole_journal(&path);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let tests = read(&path).unwrap().stages[0].tests.len();
    lines[2] = "{\"test\":1,\u{fffd}";
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let recorded = read(&path).unwrap();
    assert_eq!(recorded.damaged.first, [3]);
    assert_eq!(recorded.stages[0].tests.len(), tests - 1);
    assert!(recorded.is_done);
}

#[test]
fn what_is_no_journal_of_this_version_is_a_clear_error() {
    let (_place, path) = place();
    let error_for = |content: &str| {
        std::fs::write(&path, content).unwrap();
        read(&path).unwrap_err()
    };
    assert!(matches!(error_for(""), ReadError::Empty(_)));
    assert!(matches!(error_for("dear diary\n"), ReadError::NotAJournal(_)));
    assert!(matches!(error_for("[1,2]\n"), ReadError::NotAJournal(_)));
    let first = error_for("{\"journal\":1,\"lapidary\":\"0.1.0\",\"input\":\"a\",\"run\":[]}\n");
    assert!(first.to_string().contains("version 1 of the format"), "{first}");
    assert!(matches!(read(Path::new("/nowhere/at/all")).unwrap_err(), ReadError::Io { .. }));
}

#[test]
fn nothing_takes_the_place_of_a_result_on_the_word_of_a_journal_alone() {
    let model = toy();
    let predicate = Scripted::new(|kept: &[usize]| [2, 5].iter().all(|needed| kept.contains(needed)));
    let input = model.render(&VarSet::full(8)).unwrap();
    let lie = |vars: &[usize]| {
        let tree = model.render(&VarSet::of(8, vars.iter().copied().map(Var::new))).unwrap();
        (tree.key(), Judgment::new(Verdict::Interesting, "exit code 0"))
    };
    let reduced = |protect: bool| {
        let mut nobody = ();
        let mut session = Session::new(input.clone(), &predicate, Limits::default(), &mut nobody);
        session.remember([lie(&[]), lie(&[2])]);
        if protect {
            session.protect(model.render(&VarSet::of(8, [2, 5, 6].map(Var::new))).unwrap().size());
        }
        let stage = Stage {
            name: "toy".into(),
            source: Source::Fixed(&model),
            strategy: named("gbr+polish").unwrap(),
            steered: false,
        };
        run(&mut session, &Plan { stages: vec![stage], ..Plan::default() });
        session.best().key()
    };
    let right = model.render(&VarSet::of(8, [2, 5, 6].map(Var::new))).unwrap().key();
    assert_eq!(reduced(true), right);
    assert_ne!(reduced(false), right, "without a result to lose, the journal is believed");
}
