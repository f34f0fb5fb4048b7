//! Tests that cannot run, do not find the input interesting, or misbehave. The exit code is right,
//! a message says what to do or the run continues, and no process is left.

use crate::support;

use std::fs;
use support::{Place, running, unique_sleep};

/// A reduction of the numbers with a script as the test. The script looks for 17 in its own way.
fn reduced_with(body: &str, options: &[&str]) -> (Place, serde_json::Value) {
    let place = Place::with_numbers();
    place.script("check", body);
    let arguments = [&["reduce", "input.txt", "--json", "summary.json"], options, &["--", "./check", "{}"]].concat();
    place.lapidary(&arguments).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "17");
    let summary = place.json("summary.json");
    (place, summary)
}

/// Options for tests of which some hang. The timeout is long enough for the others on a busy
/// machine.
const PATIENT: [&str; 4] = ["--jobs", "1", "--timeout", "3"];

/// Shell text that runs `command` the first two times and fails from then on, so that there
/// are few timeouts to wait for.
fn twice(command: &str) -> String {
    format!("{{ mkdir \"${{0%/*}}/first\" 2>&- || mkdir \"${{0%/*}}/second\" 2>&- || exit 1; {command}; }}")
}

/// A run whose test cannot be started.
fn cannot_start(place: &Place, test: &[&str], words: &[&str]) {
    place.lapidary(&[&["reduce", "input.txt", "--"], test].concat()).ends_with(2).complains(words);
    assert!(!place.exists("input.reduced.txt") && !place.exists("input.reduced.txt.journal.jsonl"));
}

#[test]
fn a_test_that_is_not_executable() {
    let place = Place::with_numbers();
    place.write("check", "#!/bin/sh\n");
    cannot_start(&place, &["./check"], &["./check is not executable", "chmod +x ./check"]);
}

#[test]
fn a_test_that_is_not_there() {
    let place = Place::with_numbers();
    cannot_start(&place, &["./nosuch"], &["no such command: ./nosuch"]);
    cannot_start(&place, &["no-such-command"], &["no such command: no-such-command"]);
}

#[test]
fn a_test_that_is_a_directory_or_empty() {
    let place = Place::with_numbers();
    place.write("checks/one", "");
    place.script("nothing", "");
    fs::write(place.path("nothing"), "").unwrap();
    place.write("nothing", "");
    cannot_start(&place, &["./checks"], &["./checks is a directory"]);
    cannot_start(&place, &["./nothing"], &["./nothing is empty"]);
}

#[test]
fn a_test_that_does_not_say_what_runs_it() {
    let place = Place::with_numbers();
    place.script("check", "");
    place.write("check", "grep -q 17 input.txt\n");
    cannot_start(&place, &["./check"], &["./check", "first line", "#!/bin/sh"]);
    place.write("check", "#!/no/such/shell\ngrep -q 17 input.txt\n");
    cannot_start(&place, &["./check"], &["./check", "/no/such/shell", "does not exist"]);
}

/// The input is not interesting: exit code 1, and no result.
fn not_interesting(body: &str, options: &[&str], words: &[&str]) {
    let place = Place::with_numbers();
    place.script("check", body);
    let arguments = [&["reduce", "input.txt"], options, &["--", "./check", "{}"]].concat();
    let run = place.lapidary(&arguments).ends_with(1);
    assert_eq!(run.stdout, "");
    run.complains(&["does not find the input interesting"]).complains(words);
    assert!(!place.exists("input.reduced.txt"), "there is no result");
}

#[test]
fn a_test_that_fails_on_the_input_shows_its_own_output() {
    let body = "echo hello from the test; echo and its complaint >&2; exit 3";
    let words = ["exit code 3", "stdout of the test", "hello from the test", "stderr of the test", "and its complaint"];
    not_interesting(body, &[], &words);
}

#[test]
fn a_test_that_fails_on_the_input_with_much_output_shows_the_end() {
    not_interesting("seq 1 500; exit 1", &[], &["480 lines before", "\n481\n", "\n500"]);
}

#[test]
fn a_test_that_is_not_as_expected_says_what_was_missing() {
    not_interesting("echo all is well", &["--expect", "stdout~internal error"], &["internal error", "all is well"]);
}

#[test]
fn a_test_that_is_killed_by_a_signal_on_the_input() {
    not_interesting("kill -SEGV $$", &[], &["killed by SIGSEGV"]);
}

#[test]
fn a_test_that_hangs_on_the_input() {
    let sleep = unique_sleep();
    not_interesting(&format!("sleep {sleep} & sleep {sleep}"), &["--timeout", "1"], &["timed out after 1.0 s"]);
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn a_test_that_hangs_on_some_candidates() {
    let sleep = unique_sleep();
    // Without 23, it hangs as long as there are many lines, so 23 must not be removed.
    let body =
        format!("grep -qx 23 $1 || test $(wc -l < $1) -lt 15 || {}; grep -q 17 $1", twice(&format!("sleep {sleep}")));
    let (place, summary) = reduced_with(&body, &PATIENT);
    assert!(summary["tests"]["timed_out"].as_u64() > Some(0), "{summary}");
    assert!(summary["tests"]["unresolved"].as_u64() >= summary["tests"]["timed_out"].as_u64(), "{summary}");
    assert_eq!(summary["complete"], true);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    assert!(journal.contains(r#""verdict":"unresolved","reason":"timed out after 3.0 s","timed_out":true"#));
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn a_test_that_leaves_daemons() {
    let sleep = unique_sleep();
    let body = format!(
        "setsid sleep {sleep} >/dev/null 2>&1 & (setsid sh -c 'sleep {sleep} & exit' &)
         env -i setsid sleep {sleep} & nohup sleep {sleep} >/dev/null 2>&1 &
         grep -q 17 $1"
    );
    reduced_with(&body, &[]);
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn a_test_that_prints_without_end_on_some_candidates() {
    let body = format!("grep -q 17 $1 && exit 0; {}", twice("yes & yes >&2"));
    let (_, summary) = reduced_with(&body, &PATIENT);
    assert!(summary["tests"]["timed_out"].as_u64() > Some(0), "{summary}");
}

#[test]
fn a_test_that_prints_much_is_no_slower_for_that() {
    reduced_with("head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2; grep -q 17 $1", &[]);
}

#[test]
fn a_test_that_prints_without_end_on_the_input() {
    not_interesting("yes the end is far", &["--timeout", "0.3"], &["timed out after 0.3 s", "the end is far"]);
}

#[test]
fn a_test_that_deletes_its_directory() {
    reduced_with("grep -q 17 $1; found=$?; rm -rf \"$PWD\" \"$TMPDIR\"; exit $found", &[]);
}

#[test]
fn a_test_that_locks_its_directory_and_fills_it() {
    let body = "grep -q 17 $1; found=$?; mkdir a; touch a/b; chmod 000 a; rm $1; mkdir $1; chmod 555 .; exit $found";
    reduced_with(body, &[]);
}

#[test]
fn a_test_that_spoils_its_candidate() {
    reduced_with("grep -q 17 $1; found=$?; echo 17 > $1; exit $found", &[]);
}

#[test]
fn a_test_that_dies_of_a_signal_on_some_candidates() {
    let (place, summary) = reduced_with("grep -q 17 $1 || kill -ABRT $$", &[]);
    assert!(summary["tests"]["unresolved"].as_u64() > Some(0), "{summary}");
    assert_eq!(summary["tests"]["timed_out"], 0);
    assert!(place.read("input.reduced.txt.journal.jsonl").contains("killed by SIGABRT"));
}

#[test]
fn a_test_that_kills_its_process_group() {
    let (_, summary) = reduced_with("grep -q 17 $1 || kill -9 0", &[]);
    assert!(summary["tests"]["unresolved"].as_u64() > Some(0), "{summary}");
}

#[test]
fn a_flaky_test_is_reported_with_its_rate() {
    let place = Place::with_numbers();
    let runs = place.path("runs");
    // Only the second run on the whole input says no.
    let body = format!("echo >> {0}; test $(wc -l < {0}) -ne 2 && grep -q 17 $1", runs.display());
    place.script("check", &body);
    let run = place.lapidary(&["reduce", "input.txt", "--json", "summary.json", "--", "./check", "{}"]).ends_with(0);
    run.complains(&["warning", "flaky", "2 of 3 runs", "--repeat"]);
    let reliability = place.json("summary.json")["reliability"].as_f64().unwrap();
    assert!((reliability - 2.0 / 3.0).abs() < 1e-9, "{reliability}");
    assert_eq!(place.read("input.reduced.txt"), "17");
}

#[test]
fn a_test_that_does_not_find_the_result_interesting_any_more() {
    let place = Place::with_numbers();
    let accepted = place.path("accepted");
    // A candidate without 40 is interesting once and never again.
    let body = format!(
        "grep -q 17 $1 || exit 1; grep -q 40 $1 && exit 0
         key=$(cksum < $1 | tr ' ' -); test ! -e {0}-$key && touch {0}-$key",
        accepted.display()
    );
    place.script("check", &body);
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(1);
    run.complains(&["flaky", "--repeat"]);
    assert!(place.exists("input.reduced.txt"), "the best result is there all the same");
}

#[test]
fn a_test_that_accepts_everything_is_too_weak() {
    let place = Place::with_numbers();
    let run = place.lapidary(&["reduce", "input.txt", "--", "true"]).ends_with(0);
    run.complains(&["warning", "smallest candidate", "too weak"]);
    assert_eq!(place.read("input.reduced.txt"), "");
}

#[test]
fn a_script_given_by_a_relative_path_is_found_although_tests_run_elsewhere() {
    let place = Place::with_numbers();
    place.write("check.sh", "grep -q 17 $1\n");
    place.lapidary(&["reduce", "input.txt", "--", "sh", "check.sh", "{}"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "17");
}

#[test]
fn an_argument_with_the_name_of_the_candidate_means_the_candidate() {
    let place = Place::with_numbers();
    place.lapidary(&["reduce", "input.txt", "--", "grep", "-q", "17", "input.txt"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "17");
}

#[test]
fn an_argument_that_is_found_here_but_not_there_is_worth_a_note() {
    let place = Place::with_numbers();
    fs::create_dir(place.path("data")).unwrap();
    let run = place.lapidary(&["reduce", "input.txt", "--", "ls", "data"]).ends_with(1);
    run.complains(&["note", "directory of its own", "`data`"]);
}
