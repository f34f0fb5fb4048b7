//! The library as a stranger uses it: inputs in memory, closures as tests, results on disk only
//! where asked for.

use lapidary::{
    Budget, Cancel, Check, Command, Effort, Error, Existing, FileTree, Freedom, Reading, Reduction, Saving, Subject,
    Test, Watcher,
};
use lapidary_reduce::journal::{KeeperRecord, read};
use lapidary_reduce::{Counts, Event, StageInfo};
use std::sync::atomic::{AtomicU64, Ordering};

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

fn numbers(count: usize) -> Vec<u8> {
    (0..count).map(|number| format!("line {number}\n")).collect::<String>().into_bytes()
}

fn result_of(report: &lapidary::Report) -> Vec<u8> {
    report.result.only_file().expect("a file stays a file").to_vec()
}

#[test]
fn bytes_are_shrunk_in_memory_and_nothing_is_written() {
    let place = tempfile::tempdir().unwrap();
    let before = std::env::current_dir().unwrap().read_dir().unwrap().count();
    let report = Reduction::of(Subject::bytes("input.bin", b"\0\x01abc\xffneedle\0def".to_vec()).unwrap())
        .test(|bytes: &[u8]| contains(bytes, b"needle"))
        .run(&mut ())
        .unwrap();
    assert_eq!(result_of(&report), b"needle");
    assert!(report.saved.is_none() && report.is_complete() && report.check == Check::Interesting);
    assert_eq!(std::env::current_dir().unwrap().read_dir().unwrap().count(), before);
    assert_eq!(place.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_closure_may_borrow_and_the_result_does_not_depend_on_jobs() {
    let calls = AtomicU64::new(0);
    let reduce = |jobs| {
        Reduction::of(Subject::bytes("notes.txt", numbers(60)).unwrap())
            .test(|bytes: &[u8]| {
                calls.fetch_add(1, Ordering::Relaxed);
                contains(bytes, b"17") && contains(bytes, b"42")
            })
            .jobs(jobs)
            .run(&mut ())
            .unwrap()
    };
    let (one, four) = (reduce(1), reduce(4));
    assert_eq!(result_of(&one), result_of(&four));
    assert_eq!(one.counts.search, four.counts.search);
    assert!(calls.load(Ordering::Relaxed) > 0);
}

#[test]
fn whole_trees_are_reduced_with_a_closure_over_trees() {
    let file = |name: &str, text: &str| (name.into(), lapidary_reduce::Entry::file(text));
    let tree = FileTree::directory("project", [file("a.txt", "one\n"), file("b.txt", "two\nbug\n")].into());
    let report = Reduction::of(Subject::tree(tree, &Reading::default()).unwrap())
        .test(Test::of_tree(|tree| {
            let has_bug = |entry: &lapidary_reduce::Entry| match entry {
                lapidary_reduce::Entry::File { content, .. } => contains(content, b"bug"),
                _ => false,
            };
            tree.entries().any(|(_, entry)| has_bug(entry))
        }))
        .run(&mut ())
        .unwrap();
    assert_eq!(report.result.entries().count(), 1);
    assert_eq!(report.bytes_after, 3);
}

#[test]
fn a_test_that_panics_is_an_error_for_any_number_of_jobs() {
    for jobs in [1, 4] {
        let subject = || Subject::bytes("notes.txt", numbers(30)).unwrap();
        let at_once = Reduction::of(subject()).test(|_: &[u8]| panic!("boom")).jobs(jobs).run(&mut ());
        let Err(Error::BadInput(message)) = at_once else { panic!("{at_once:?}") };
        assert!(message.contains("the test panicked: boom") && message.contains("catch_unwind"), "{message}");
        let input = numbers(30);
        let later = Reduction::of(subject()).test(|bytes: &[u8]| bytes == input || panic!("boom"));
        let report = later.jobs(jobs).run(&mut ()).unwrap();
        assert!(report.stop.as_ref().is_some_and(|stop| stop.to_string().contains("boom")), "{:?}", report.stop);
        assert_eq!(result_of(&report), input);
    }
}

#[test]
fn a_resumed_run_refuses_the_journal_of_a_test_with_another_name() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("small.txt");
    let reduce = |name: &str| {
        Reduction::of(Subject::bytes("notes.txt", numbers(9)).unwrap())
            .test(Test::from(|bytes: &[u8]| contains(bytes, b"line 7")).named(name))
            .save(Saving { path: path.clone(), existing: Existing::Resume })
            .run(&mut ())
    };
    assert!(reduce("version 1").is_ok() && reduce("version 1").is_ok());
    let refused = reduce("version 2").unwrap_err().to_string();
    assert!(refused.contains("version 1") && refused.contains("version 2"), "{refused}");
}

#[test]
fn errors_tell_bad_input_from_an_input_that_does_not_fail() {
    let subject = || Subject::bytes("notes.txt", numbers(3)).unwrap();
    let never = Reduction::of(subject()).test(|_: &[u8]| false).run(&mut ());
    assert!(matches!(never, Err(Error::NotInteresting { .. })));
    assert!(matches!(Reduction::of(subject()).run(&mut ()), Err(Error::BadInput(_))));
    assert!(matches!(Subject::bytes("empty", Vec::new()), Err(Error::BadInput(_))));
    for name in ["", ".", "..", "a/b", "/a", "a/", "a\0"] {
        assert!(matches!(Subject::bytes(name, numbers(3)), Err(Error::BadInput(_))), "{name:?}");
    }
    assert!(matches!(Subject::open("/nowhere/at/all"), Err(Error::BadInput(_))));
    let wrong = Reduction::of(subject()).test(Command::new("/nowhere/at/all")).run(&mut ());
    assert!(matches!(wrong, Err(Error::BadInput(_))));
    let cancel = Cancel::new();
    cancel.cancel();
    let effort = Effort { cancel, ..Effort::default() };
    let stopped = Reduction::of(subject()).test(|_: &[u8]| true).effort(effort).run(&mut ());
    assert!(matches!(stopped, Err(Error::Stopped(_))));
}

#[test]
fn a_saved_run_that_was_stopped_goes_on_where_it_was() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("small.txt");
    let reduce = |existing, budget: Option<u64>| {
        let reduction = Reduction::of(Subject::bytes("notes.txt", numbers(200)).unwrap())
            .test(|bytes: &[u8]| contains(bytes, b"line 77\n") && contains(bytes, b"line 150\n"))
            .freedom(Freedom { rename: false, rewrite: false })
            .save(Saving { path: path.clone(), existing });
        let reduction = budget.map(Budget::Tests).into_iter().fold(reduction, Reduction::budget);
        reduction.run(&mut ()).unwrap()
    };
    let stopped = reduce(Existing::Refuse, Some(7));
    assert!(stopped.stop.is_some() && path.exists());
    let journal = Saving::to(&path).journal();
    assert!(!read(&journal).unwrap().is_done);
    let finished = reduce(Existing::Resume, None);
    assert!(finished.is_complete());
    assert_eq!(std::fs::read(&path).unwrap(), result_of(&finished));
    let recorded = read(&journal).unwrap();
    assert!(recorded.is_done && recorded.damaged.is_empty());
    let tests: usize = recorded.stages.iter().map(|stage| stage.tests.len()).sum();
    assert_eq!(tests as u64, finished.counts.search + finished.counts.confirm);
    let last = recorded.stages.iter().rev().find(|stage| stage.name == "lines").unwrap();
    for kept in &last.end.as_ref().unwrap().kept {
        assert!(
            matches!(&kept.keeper, Some(KeeperRecord::Test { reason, .. }) if reason == "the test says no"),
            "{kept:?}"
        );
    }
}

#[test]
fn a_journal_grows_by_less_than_two_hundred_bytes_a_test() {
    let place = tempfile::tempdir().unwrap();
    let saving = Saving::to(place.path().join("small.bin"));
    let every_third = |bytes: &[u8]| bytes.iter().filter(|byte| **byte % 3 == 1).count() >= 300;
    let bytes: Vec<u8> = (0..900u32).map(|number| (number % 251) as u8).collect();
    let reading = Reading { kind: Some("bytes".into()), ..Reading::default() };
    let report = Reduction::of(Subject::tree(FileTree::file("input.bin", bytes), &reading).unwrap())
        .test(every_third)
        .save(saving.clone())
        .run(&mut ())
        .unwrap();
    let text = std::fs::read_to_string(saving.journal()).unwrap();
    let tests: Vec<&str> = text.lines().filter(|line| line.starts_with("{\"test\"")).collect();
    assert_eq!(tests.len() as u64, report.counts.search + report.counts.confirm);
    let size: usize = tests.iter().map(|line| line.len() + 1).sum();
    assert!(size < 200 * tests.len(), "{} bytes a test", size / tests.len());
}

#[derive(Default)]
struct Counting {
    stages: u64,
    tests: u64,
    best: u64,
    ended: bool,
    warnings: Vec<String>,
}

impl Watcher for Counting {
    fn warning(&mut self, text: &str) {
        self.warnings.push(text.to_owned());
    }

    fn search_begins(&mut self, bytes: u64) {
        self.best = bytes;
    }

    fn stage(&mut self, _: &StageInfo<'_>) {
        self.stages += 1;
    }

    fn test(&mut self, _: &Event<'_>, _: &Counts) {
        self.tests += 1;
    }

    fn improved(&mut self, _: &FileTree, bytes: u64) {
        assert!(bytes <= self.best);
        self.best = bytes;
    }

    fn search_ends(&mut self) {
        self.ended = true;
    }
}

#[test]
fn a_watcher_sees_warnings_stages_tests_and_improvements() {
    let mut counting = Counting::default();
    let report = Reduction::of(Subject::bytes("notes.txt", numbers(20)).unwrap())
        .test(|bytes: &[u8]| !bytes.is_empty())
        .run(&mut counting)
        .unwrap();
    assert!(counting.stages > 0 && counting.ended);
    assert_eq!(counting.tests, report.counts.search + report.counts.confirm);
    assert_eq!(counting.best, report.bytes_after);
    let weak = Reduction::of(Subject::bytes("notes.txt", numbers(20)).unwrap()).test(|_: &[u8]| true);
    weak.run(&mut counting).unwrap();
    assert!(counting.warnings.iter().any(|warning| warning.contains("too weak")), "{:?}", counting.warnings);
}

/// Skips the stage in progress after so many tests.
struct Impatient {
    control: lapidary::Control,
    after: u64,
}

impl Watcher for Impatient {
    fn test(&mut self, event: &Event<'_>, _: &Counts) {
        if event.number == self.after {
            self.control.skip_stage();
        }
    }
}

/// The lines of a journal without times.
fn lines(journal: &std::path::Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(journal).unwrap();
    let timeless = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        ["at", "seconds", "sum"].iter().for_each(|field| _ = line.as_object_mut().unwrap().remove(*field));
        line
    };
    text.lines().map(timeless).collect()
}

/// Notes the names of stages, and skips the first after its first improvement.
#[derive(Default)]
struct Leaving {
    control: lapidary::Control,
    stages: Vec<String>,
}

impl Watcher for Leaving {
    fn stage(&mut self, stage: &StageInfo<'_>) {
        self.stages.push(format!("{} {}", stage.round, stage.name));
    }

    fn improved(&mut self, _: &FileTree, _: u64) {
        if self.stages.len() == 1 {
            self.control.skip_stage();
        }
    }
}

#[test]
fn a_stage_that_comes_twice_in_a_row_is_skipped_as_one() {
    let function = |number: u32| format!("def f{number}(x):\n    return f{}(x)\n", number / 2);
    let text: String = (0..40).map(function).collect();
    let mut leaving = Leaving::default();
    Reduction::of(Subject::bytes("many.py", text.into()).unwrap())
        .test(|bytes: &[u8]| contains(bytes, b"def f7(") && contains(bytes, b"return f"))
        .effort(Effort { jobs: Some(1), control: leaving.control.clone(), ..Effort::default() })
        .run(&mut leaving)
        .unwrap();
    let left = leaving.stages;
    assert!(left[0] == "1 outline" && left[1] != "1 outline", "{left:?}");
}

#[test]
fn a_stage_that_was_skipped_is_skipped_at_the_same_place_by_a_resumed_run() {
    for (after, jobs) in [(1, 1), (5, 1), (5, 4), (30, 1)] {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("small.txt");
        let journal = Saving::to(&path).journal();
        let control = lapidary::Control::default();
        let reduce = |existing, watcher: &mut dyn Watcher| {
            Reduction::of(Subject::bytes("notes.txt", numbers(100)).unwrap())
                .test(|bytes: &[u8]| contains(bytes, b"line 17\n") && contains(bytes, b"line 52\n"))
                .save(Saving { path: path.clone(), existing })
                .effort(Effort { jobs: Some(jobs), control: control.clone(), ..Effort::default() })
                .run(watcher)
                .unwrap()
        };
        let skipped = reduce(Existing::Refuse, &mut Impatient { control: control.clone(), after });
        assert!(skipped.is_complete(), "the run goes on with the next stage");
        let written = lines(&journal);
        let skip = written.iter().position(|line| line.get("skip").is_some()).expect("it is recorded");
        assert!(read(&journal).unwrap().stages.iter().any(|stage| stage.is_skipped));
        // As after a kill, before the end or long before it.
        let text = std::fs::read_to_string(&journal).unwrap();
        for left in [written.len() - 1, skip + 1, skip + 3] {
            let part: String = text.split_inclusive('\n').take(left).collect();
            std::fs::write(&journal, part).unwrap();
            std::fs::remove_file(&path).unwrap();
            let resumed = reduce(Existing::Resume, &mut ());
            assert_eq!(result_of(&resumed), result_of(&skipped), "after {after}, {left} lines left");
            assert_eq!(lines(&journal), written, "after {after}, {left} lines left");
        }
    }
}

#[test]
fn a_paused_run_starts_no_test_until_it_goes_on() {
    struct Pausing(lapidary::Control, Vec<u64>);
    impl Watcher for Pausing {
        fn test(&mut self, event: &Event<'_>, _: &Counts) {
            self.1.push(event.number);
            if event.number == 3 {
                self.0.pause(true);
                let control = self.0.clone();
                std::thread::spawn(move || control.pause(false));
            }
        }
    }
    let control = lapidary::Control::default();
    let mut watcher = Pausing(control.clone(), Vec::new());
    let report = Reduction::of(Subject::bytes("notes.txt", numbers(30)).unwrap())
        .test(|bytes: &[u8]| contains(bytes, b"line 17\n"))
        .effort(Effort { control, ..Effort::default() })
        .run(&mut watcher)
        .unwrap();
    assert!(report.is_complete() && watcher.1.len() > 3);
}
