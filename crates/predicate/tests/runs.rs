//! Runs that end by themselves, and their verdicts.

use crate::support::{Script, judge, judge_with, tiny};
use lapidary_predicate::{Agreement, CommandConfig, CommandPredicate, Ending, Limits, TestPredicate, Timeout};
use lapidary_reduce::{Blob, Cancel, Entry, FileTree, Predicate, PredicateError, Verdict};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

#[test]
fn exit_code_zero_is_interesting() {
    let judgment = judge("exit 0");
    assert_eq!((judgment.verdict, judgment.reason.as_str()), (Verdict::Interesting, "exit code 0"));
    let judgment = judge("exit 7");
    assert_eq!((judgment.verdict, judgment.reason.as_str()), (Verdict::Uninteresting, "exit code 7"));
}

#[test]
fn a_test_killed_by_a_signal_is_unresolved() {
    let judgment = judge("kill -SEGV $$");
    assert_eq!((judgment.verdict, judgment.reason.as_str()), (Verdict::Unresolved, "killed by SIGSEGV"));
}

#[test]
fn the_candidate_is_found_by_name_and_by_argument() {
    assert!(judge("grep -q hello input.txt && [ \"$(ls -A)\" = input.txt ]").is_interesting());
    let with_argument = |config: &mut CommandConfig| config.arguments = vec!["--in={}".into(), "{}".into()];
    let judgment = judge_with("[ \"$1\" = \"--in=$PWD/input.txt\" ] && grep -q hello \"$2\"", with_argument);
    assert!(judgment.is_interesting(), "{judgment:?}");
}

#[test]
fn directories_keep_links_modes_and_empty_directories() {
    let entries = BTreeMap::from([
        (PathBuf::from("deep/er/run"), Entry::File { content: "#!/bin/sh\nexit 5\n".into(), executable: true }),
        (PathBuf::from("deep/plain"), Entry::file("x")),
        (PathBuf::from("empty"), Entry::EmptyDirectory),
        (PathBuf::from("link"), Entry::Link { target: "deep/plain".into() }),
        (PathBuf::from("dangling"), Entry::Link { target: "/nonexistent/place".into() }),
    ]);
    let tree = FileTree::directory("project", entries);
    let script = Script::new(
        "cd project && [ -d empty ] && [ \"$(readlink link)\" = deep/plain ] && [ -L dangling ] && [ ! -x deep/plain ] || exit 1
         deep/er/run; [ $? = 5 ]",
    );
    let judgment = script.predicate().judge(&tree, &Cancel::new()).unwrap();
    assert!(judgment.is_interesting(), "{judgment:?}");
}

#[test]
fn no_path_leads_out_of_the_candidate() {
    let script = Script::new("exit 0");
    let predicate = script.predicate();
    let outside = script.path.with_file_name("outside");
    let file = || Entry::file("x");
    let link = || Entry::Link { target: outside.parent().unwrap().to_path_buf() };
    let trees = [
        FileTree::file("../outside", "x"),
        FileTree::file(outside.to_str().unwrap(), "x"),
        FileTree::file("", "x"),
        FileTree::file("..", "x"),
        FileTree::directory("d", BTreeMap::from([("../../../outside".into(), file())])),
        FileTree::directory("d", BTreeMap::from([(outside.clone(), file())])),
        FileTree::directory("d", BTreeMap::from([("a".into(), link()), ("a/outside".into(), file())])),
        FileTree::directory("d", BTreeMap::from([("a".into(), link()), ("a/b/outside".into(), file())])),
    ];
    for tree in trees {
        let result = predicate.judge(&tree, &Cancel::new());
        assert!(matches!(result, Err(PredicateError::Fatal(_))), "{tree:?}: {result:?}");
    }
    assert!(!outside.exists());
}

#[test]
fn the_environment_is_inherited_with_a_private_tmpdir() {
    let script =
        Script::new("[ -n \"$PATH\" ] && [ -n \"$LAPIDARY_JOB\" ] && mktemp && pwd && read line; echo \"read $?\"");
    let predicate = script.predicate();
    let seen = predicate.observe(&tiny(), &Cancel::new()).unwrap();
    let output = String::from_utf8(seen.stdout.head).unwrap();
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(lines[0].starts_with(predicate.scratch().to_str().unwrap()), "{output}");
    assert!(!PathBuf::from(lines[0]).exists(), "the temporary file vanishes");
    assert_eq!(lines[1], seen.directory.to_str().unwrap());
    assert_eq!(lines[2], "read 1", "stdin is empty");
}

#[test]
fn the_scratch_directory_vanishes_with_the_predicate() {
    let predicate = Script::new("exit 0").predicate();
    let scratch = predicate.scratch().to_path_buf();
    assert!(scratch.is_dir());
    drop(predicate);
    assert!(!scratch.exists());
}

#[test]
fn parallel_judgments_do_not_mix_up_exit_codes() {
    let script = Script::new("read code < input.txt; (sleep 0.00$code; exit 9) & exit $code");
    let predicate = script.predicate();
    let check = &|code: u32| {
        let candidate = FileTree::file("input.txt", Blob::from(format!("{code}\n").as_str()));
        let seen = predicate.observe(&candidate, &Cancel::new()).unwrap();
        assert_eq!(seen.ending, Ending::Exited(code as i32));
    };
    std::thread::scope(|scope| {
        for thread in 0..6 {
            scope.spawn(move || (0..30).for_each(|run| check((thread * 30 + run) % 97)));
        }
    });
}

#[test]
fn disagreeing_repeats_are_not_interesting() {
    let counter = tempfile::NamedTempFile::new().unwrap();
    let body = format!("echo run >> {0}; [ $(wc -l < {0}) -lt 3 ]", counter.path().display());
    let judgment = judge_with(&body, |config| config.agreement = Agreement::All(5));
    assert_eq!(judgment.verdict, Verdict::Uninteresting);
    let runs = std::fs::read_to_string(counter.path()).unwrap().lines().count();
    assert_eq!(runs, 3, "it stops at the first run that is not interesting");
}

#[test]
fn one_of_several_runs_may_be_enough() {
    let counter = tempfile::NamedTempFile::new().unwrap();
    let body = format!("echo run >> {0}; [ $(wc -l < {0}) = 3 ]", counter.path().display());
    assert!(judge_with(&body, |config| config.agreement = Agreement::Any(5)).is_interesting());
    assert_eq!(std::fs::read_to_string(counter.path()).unwrap().lines().count(), 3, "one is enough");
    assert!(!judge_with(&body, |config| config.agreement = Agreement::Any(5)).is_interesting());
    assert_eq!(std::fs::read_to_string(counter.path()).unwrap().lines().count(), 8);
}

#[test]
fn a_test_that_is_killed_from_outside_is_run_again() {
    let counter = tempfile::NamedTempFile::new().unwrap();
    let killed_until = |run: u32| {
        std::fs::write(counter.path(), "").unwrap();
        judge(&format!("echo run >> {0}; [ $(wc -l < {0}) -ge {run} ] || kill -9 $$", counter.path().display()))
    };
    assert!(killed_until(3).is_interesting());
    let judgment = killed_until(9);
    assert_eq!((judgment.verdict, judgment.disturbed), (Verdict::Unresolved, true));
    assert_eq!(judgment.reason, "killed from outside 3 times: killed by SIGKILL");
    let wanted = judge_with("kill -9 $$", |config| config.expectations = vec!["exit=KILL".parse().unwrap()]);
    assert!(wanted.is_interesting() && !wanted.disturbed, "who asks for it gets it");
}

#[test]
fn limits_end_a_test() {
    let limits = |limits: Limits| move |config: &mut CommandConfig| config.limits = limits;
    let judgment = judge_with("while :; do :; done", limits(Limits { cpu_seconds: Some(1), ..Limits::default() }));
    assert_eq!((judgment.verdict, judgment.reason.as_str()), (Verdict::Unresolved, "killed by SIGXCPU"));
    let small = limits(Limits { file_size: Some(4096), ..Limits::default() });
    let judgment = judge_with("head -c 100000 /dev/zero > big; [ $(wc -c < big) = 4096 ]", small);
    assert!(judgment.is_interesting(), "{judgment:?}");
    let tight = limits(Limits { memory: Some(64 << 20), ..Limits::default() });
    let judgment = judge_with("! head -c 200000000 /dev/zero | tail -c 150000000 > /dev/null 2>&1", tight);
    assert!(judgment.is_interesting(), "{judgment:?}");
}

#[test]
fn the_adaptive_timeout_follows_the_slowest_interesting_run() {
    let script = Script::new("sleep 0.2");
    let config = CommandConfig { timeout: Timeout::Adaptive, ..script.config() };
    let predicate = CommandPredicate::new(config).unwrap();
    assert_eq!(predicate.timeout(), Duration::from_secs(300));
    let seen = predicate.observe(&tiny(), &Cancel::new()).unwrap();
    predicate.calibrate(std::slice::from_ref(&seen)).unwrap();
    assert_eq!(predicate.timeout(), 10 * seen.elapsed + Duration::from_millis(500));
}

#[test]
fn a_test_that_vanishes_is_an_error_with_and_without_limits() {
    for limits in [Limits::default(), Limits { cpu_seconds: Some(9), ..Limits::default() }] {
        let script = Script::new("exit 0");
        let predicate = CommandPredicate::new(CommandConfig { limits, ..script.config() }).unwrap();
        assert!(predicate.judge(&tiny(), &Cancel::new()).unwrap().is_interesting());
        std::fs::remove_file(&script.path).unwrap();
        let result = predicate.judge(&tiny(), &Cancel::new());
        assert!(matches!(&result, Err(PredicateError::Fatal(message)) if message.contains("test.sh")), "{result:?}");
    }
}
