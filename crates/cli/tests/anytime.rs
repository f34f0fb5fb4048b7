//! Stopping at any moment loses nothing: the best result is on disk, nothing stays running, and a
//! resumed run ends with the result of an uninterrupted one. And the result depends neither on the
//! number of jobs nor on where a run starts.

use crate::support;

use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use support::{Place, running, unique_sleep, wait_until};

/// A reduction of the numbers. The test wants two of them and logs the candidates that it judged.
/// Once, after at least eight candidates and when a smaller result is on disk, it first runs
/// another command.
struct Interrupted {
    place: Place,
}

impl Interrupted {
    fn new(instead: &str) -> Interrupted {
        let place = Place::with_numbers();
        let log = place.path("log");
        let armed = place.path("armed");
        fs::write(&log, "").unwrap();
        fs::write(&armed, "").unwrap();
        let body = format!(
            "if test -e {armed} && test $(wc -l < {log}) -ge 8 && test $(wc -c < {result}) -lt 111
             then rm -f {armed}; {instead}; fi
             grep -q 17 $1 && grep -q 31 $1; found=$?
             cksum < $1 >> {log}; exit $found",
            armed = armed.display(),
            log = log.display(),
            result = place.path("input.reduced.txt").display()
        );
        place.script("check", &body);
        Interrupted { place }
    }

    /// The command line, with further options.
    fn arguments<'a>(options: &[&'a str]) -> Vec<&'a str> {
        [&["reduce", "input.txt", "--jobs", "1"], options, &["--", "./check", "{}"]].concat()
    }

    /// The candidates that were judged, without the checks of the input.
    fn judged(&self) -> Vec<String> {
        let input = std::process::Command::new("sh")
            .args(["-c", "cksum < input.txt"])
            .current_dir(self.place.path(""))
            .output()
            .unwrap();
        let input = String::from_utf8(input.stdout).unwrap();
        self.place.read("log").lines().filter(|line| *line != input.trim_end()).map(str::to_owned).collect()
    }

    /// Asserts that the result on disk is interesting, smaller than the input, and has a journal.
    #[track_caller]
    fn assert_saved(&self) {
        let result = self.place.read("input.reduced.txt");
        assert!(result.contains("17") && result.contains("31"), "{result}");
        assert!(result.len() < self.place.read("input.txt").len(), "some tests before the stop were interesting");
        assert!(self.place.lines("input.reduced.txt.journal.jsonl") >= 4);
        assert_eq!(temporary_files(&self.place), Vec::<String>::new());
    }

    /// Asserts that resuming ends like an uninterrupted run, and judges nothing twice.
    #[track_caller]
    fn assert_resumes(&self) {
        self.place.lapidary(&Interrupted::arguments(&["--resume"])).ends_with(0);
        let other = Interrupted::new("true");
        other.place.lapidary(&Interrupted::arguments(&[])).ends_with(0);
        assert_eq!(self.place.read("input.reduced.txt"), other.place.read("input.reduced.txt"));
        assert_eq!(self.judged(), other.judged(), "the same tests in the same order, none of them twice");
        assert_eq!(journal(&self.place, "input.reduced.txt"), journal(&other.place, "input.reduced.txt"));
    }
}

/// The files that an interrupted save would leave beside the result.
fn temporary_files(place: &Place) -> Vec<String> {
    let names = fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".lapidary-")).collect()
}

/// The lines of a journal without times.
fn journal(place: &Place, result: &str) -> Vec<Value> {
    let timeless = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let fields = line.as_object_mut().unwrap();
        fields.retain(|field, _| !["at", "seconds", "sum"].contains(&field.as_str()));
        if let Some(reproduction) = fields.get_mut("reproduction").and_then(Value::as_object_mut) {
            // The only part that depends on the place.
            assert!(reproduction.remove("directory").is_some());
        }
        line
    };
    place.read(&format!("{result}.journal.jsonl")).lines().map(timeless).collect()
}

#[test]
fn signals_stop_a_run_in_good_order() {
    for signal in ["INT", "TERM", "HUP"] {
        let sleep = unique_sleep();
        let stopped = Interrupted::new(&format!("setsid sleep {sleep} & kill -{signal} $PPID; sleep {sleep}"));
        let arguments = Interrupted::arguments(&["--json", "summary.json"]);
        let run = stopped.place.lapidary(&arguments).ends_with(3).complains(&["stopped early", "--resume"]);
        assert!(run.stdout.contains("result: input.reduced.txt"), "{run}");
        assert_eq!(running(&sleep), Vec::<String>::new());
        assert_eq!(stopped.place.json("summary.json")["complete"], false);
        stopped.assert_saved();
        stopped.assert_resumes();
    }
}

#[test]
fn a_signal_from_outside_stops_all_jobs_at_once() {
    let sleep = unique_sleep();
    let place = Place::with_numbers();
    let log = place.path("log");
    // After a while, all tests hang.
    let body = format!("test $(wc -l < {0}) -lt 8 || sleep {sleep}; echo >> {0}; grep -q 17 $1", log.display());
    fs::write(&log, "").unwrap();
    place.script("check", &body);
    let options = ["--jobs", "4", "--timeout", "900", "--json", "summary.json"];
    let run = place.start(&[&["reduce", "input.txt"], &options[..], &["--", "./check", "{}"]].concat());
    wait_until("the tests hang", || running(&sleep).len() >= 2);
    run.signal(Signal::INT);
    run.wait().ends_with(3);
    let summary = place.json("summary.json");
    assert_eq!(summary["tests"]["timed_out"], 0, "no test was waited for: {summary}");
    assert!(place.read("input.reduced.txt").contains("17"));
}

#[test]
fn after_kill_9_by_the_test_nothing_stays_and_resume_works() {
    let sleep = unique_sleep();
    let instead = format!("setsid sleep {sleep} & kill -9 $PPID; sleep {sleep}");
    let killed = Interrupted::new(&instead);
    let mut child = killed.place.command().args(Interrupted::arguments(&[])).spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "it was killed");
    killed.place.wait_until_clean();
    assert_eq!(running(&sleep), Vec::<String>::new());
    killed.assert_saved();
    killed.assert_resumes();
}

#[test]
fn after_kill_9_from_outside_nothing_stays_and_resume_works() {
    let sleep = unique_sleep();
    let killed = Interrupted::new(&format!("env -u TMPDIR setsid sleep {sleep} & sleep {sleep}"));
    let run = killed.place.start(&Interrupted::arguments(&[]));
    wait_until("the test hangs", || running(&sleep).len() >= 2);
    run.kill();
    killed.place.wait_until_clean();
    assert_eq!(running(&sleep), Vec::<String>::new());
    killed.assert_saved();
    killed.assert_resumes();
}

#[test]
fn a_journal_whose_last_line_was_cut_short_is_good_enough() {
    let stopped = Interrupted::new("kill -9 $PPID; sleep 100");
    let mut child = stopped.place.command().args(Interrupted::arguments(&[])).spawn().unwrap();
    child.wait().unwrap();
    stopped.place.wait_until_clean();
    let path = stopped.place.path("input.reduced.txt.journal.jsonl");
    let text = fs::read(&path).unwrap();
    fs::write(&path, &text[..text.len() - 20]).unwrap();
    fs::remove_file(stopped.place.path("input.reduced.txt")).unwrap();
    stopped.place.lapidary(&Interrupted::arguments(&["--resume"])).ends_with(0);
    let other = Interrupted::new("true");
    other.place.lapidary(&Interrupted::arguments(&[])).ends_with(0);
    assert_eq!(stopped.place.read("input.reduced.txt"), other.place.read("input.reduced.txt"));
    assert_eq!(journal(&stopped.place, "input.reduced.txt"), journal(&other.place, "input.reduced.txt"));
}

#[test]
fn a_damaged_line_of_a_journal_is_named_and_what_came_before_counts() {
    let stopped = Interrupted::new("kill -9 $PPID; sleep 100");
    let mut child = stopped.place.command().args(Interrupted::arguments(&[])).spawn().unwrap();
    child.wait().unwrap();
    stopped.place.wait_until_clean();
    let path = stopped.place.path("input.reduced.txt.journal.jsonl");
    let mut text = fs::read(&path).unwrap();
    let fifth = text.split_inclusive(|&byte| byte == b'\n').take(4).map(<[u8]>::len).sum::<usize>();
    text[fifth + 9] ^= 0x80;
    fs::write(&path, &text).unwrap();
    let run = stopped.place.lapidary(&Interrupted::arguments(&["--resume"])).ends_with(0);
    let run = run.complains(&["input.reduced.txt.journal.jsonl is damaged in line 5; the run goes on from there"]);
    let other = Interrupted::new("true");
    other.place.lapidary(&Interrupted::arguments(&[])).ends_with(0);
    assert_eq!(stopped.place.read("input.reduced.txt"), other.place.read("input.reduced.txt"), "{run}");
    assert_eq!(journal(&stopped.place, "input.reduced.txt"), journal(&other.place, "input.reduced.txt"));
}

#[test]
fn a_good_result_survives_a_journal_that_knows_nothing() {
    let stopped = Interrupted::new("kill -9 $PPID; sleep 100");
    let mut child = stopped.place.command().args(Interrupted::arguments(&[])).spawn().unwrap();
    child.wait().unwrap();
    stopped.place.wait_until_clean();
    let (path, result) =
        (stopped.place.path("input.reduced.txt.journal.jsonl"), stopped.place.read("input.reduced.txt"));
    let first = fs::read_to_string(&path).unwrap().lines().next().unwrap().to_owned() + "\n";
    fs::write(&path, first).unwrap();
    stopped.place.lapidary(&Interrupted::arguments(&["--resume", "--budget", "1"])).ends_with(3);
    assert_eq!(stopped.place.read("input.reduced.txt"), result);
}

#[test]
fn a_saved_result_that_was_changed_is_found_out() {
    let stopped = Interrupted::new("kill -9 $PPID; sleep 100");
    let mut child = stopped.place.command().args(Interrupted::arguments(&[])).spawn().unwrap();
    child.wait().unwrap();
    stopped.place.wait_until_clean();
    fs::write(stopped.place.path("input.reduced.txt"), "3\n").unwrap();
    let run = stopped.place.lapidary(&Interrupted::arguments(&["--resume"])).ends_with(0);
    let run = run.complains(&["the saved result is not interesting and will be replaced"]);
    let result = stopped.place.read("input.reduced.txt");
    assert!(result.contains("17") && result.contains("31"), "{result}{run}");
}

#[test]
fn tests_that_the_system_killed_are_no_answers() {
    let place = Place::with_numbers();
    let (log, storm) = (place.path("log"), place.path("storm"));
    let body = format!(
        "echo >> {0}; n=$(wc -l < {0}); test -e {1} && test $n -ge 9 && test $n -lt 18 && kill -9 $$
         grep -q 17 $1 && grep -q 31 $1",
        log.display(),
        storm.display()
    );
    place.script("check", &body);
    fs::write(&storm, "").unwrap();
    place.lapidary(&Interrupted::arguments(&[])).ends_with(0);
    let said = place.read("input.reduced.txt.journal.jsonl");
    assert!(said.contains("\"reason\":\"killed from outside 3 times"), "{said}");
    fs::remove_file(&storm).unwrap();
    place.lapidary(&Interrupted::arguments(&["--resume"])).ends_with(0);
    let other = Interrupted::new("true");
    other.place.lapidary(&Interrupted::arguments(&[])).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), other.place.read("input.reduced.txt"));
    assert_eq!(journal(&place, "input.reduced.txt"), journal(&other.place, "input.reduced.txt"));
}

#[test]
fn a_limit_on_file_sizes_is_an_error_and_not_the_end() {
    let place = Place::with_numbers();
    place.script("check", "grep -q 17 $1");
    let lapidary = place.command();
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -f 2; exec \"$0\" \"$@\""]).arg(lapidary.get_program());
    limited.args(Interrupted::arguments(&[])).current_dir(place.path("")).env("TMPDIR", place.tmpdir());
    let output = limited.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("input.reduced.txt.journal.jsonl") && said.contains("File too large"), "{said}");
    assert!(place.read("input.reduced.txt").contains("17"));
    place.assert_clean(&said);
}

#[test]
fn a_failure_that_does_not_happen_every_time_can_be_reduced() {
    let place = Place::with_numbers();
    let count = place.path("count");
    // It fails on every third run only.
    let body = format!("echo >> {0}; grep -q 17 $1 && test $(($(wc -l < {0}) % 3)) = 0", count.display());
    place.script("check", &body);
    let reduce = |options: &[&str]| place.lapidary(&Interrupted::arguments(options));
    reduce(&["--any-of", "3", "--strategy", "ddmin"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "17\n");
    reduce(&["--any-of", "3", "--repeat", "2", "--force"]).ends_with(2).complains(&["--any-of", "--repeat"]);
}

#[test]
fn a_budget_of_tests() {
    let limited = Interrupted::new("true");
    let arguments = Interrupted::arguments(&["--budget", "15", "--json", "summary.json"]);
    limited.place.lapidary(&arguments).ends_with(3).complains(&["budget is used up", "--resume"]);
    let summary = limited.place.json("summary.json");
    let needed = summary["tests"]["search"].as_u64().unwrap() + summary["tests"]["confirm"].as_u64().unwrap();
    assert_eq!((needed, &summary["complete"]), (15, &Value::from(false)), "{summary}");
    limited.assert_saved();
    let journal_before = limited.place.lines("input.reduced.txt.journal.jsonl");
    limited.place.lapidary(&Interrupted::arguments(&["--resume", "--budget", "3"])).ends_with(3);
    let more = limited.place.lines("input.reduced.txt.journal.jsonl") - journal_before;
    assert!((3..=9).contains(&more), "three more tests, and perhaps the beginnings of stages: {more}");
}

#[test]
fn no_budget_at_all_saves_the_input() {
    let place = Place::with_numbers();
    place.lapidary(&["reduce", "input.txt", "--budget", "0", "--", "grep", "-q", "17", "input.txt"]).ends_with(3);
    assert_eq!(place.read("input.reduced.txt"), place.read("input.txt"));
}

#[test]
fn a_budget_of_time() {
    let place = Place::with_numbers();
    place.script("check", "sleep 0.1; grep -q 17 $1 && grep -q 31 $1");
    let options = ["--jobs", "1", "--budget", "600ms", "--json", "summary.json"];
    let run = place.lapidary(&[&["reduce", "input.txt"], &options[..], &["--", "./check", "{}"]].concat());
    run.ends_with(3).complains(&["budget is used up"]);
    let summary = place.json("summary.json");
    assert!(summary["tests"]["search"].as_u64() <= Some(6), "each of them takes 100 ms at least: {summary}");
    let result = place.read("input.reduced.txt");
    assert!(result.contains("17") && result.contains("31"), "{result}");
    place.script("check", "grep -q 17 $1 && grep -q 31 $1");
    place.lapidary(&["reduce", "input.txt", "--resume", "--", "./check", "{}"]).ends_with(0);
    let other = Interrupted::new("true");
    other.place.lapidary(&Interrupted::arguments(&[])).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), other.place.read("input.reduced.txt"));
}

#[test]
fn a_budget_of_time_covers_the_checks_of_the_input() {
    let place = Place::with_numbers();
    place.script("check", "sleep 1; grep -q 17 $1");
    let options = ["--jobs", "1", "--budget", "900ms", "--json", "summary.json"];
    let run = place.lapidary(&[&["reduce", "input.txt"], &options[..], &["--", "./check", "{}"]].concat());
    run.ends_with(3).complains(&["budget is used up"]);
    assert_eq!(place.json("summary.json")["tests"]["search"], 0);
    assert_eq!(place.read("input.reduced.txt"), place.read("input.txt"));
}

const PROGRAM: &str = "\
#include <stdio.h>
static int unused(int a) { return a + 1; }
struct pair { int left; int right; };
int twice(int value) {
    int result = value;
    if (value > 3) { result = result + value; } else { result = 2 * value; }
    return result;
}
int main(void) {
    struct pair p = { 1, 2 };
    for (int i = 0; i < 3; i++) { p.left += twice(i); }
    while (p.left < 10) { p.left++; printf(\"%d\\n\", p.left); }
    return p.right;
}
";

/// A program with a loop, and as many opening braces as closing ones.
const LOOP: &str = "grep -q while $1 && grep -q 'left++' $1 &&
    test $(tr -cd '{' < $1 | wc -c) -gt 1 && test $(tr -cd '{' < $1 | wc -c) -eq $(tr -cd '}' < $1 | wc -c)";

/// The result, the journal without times, and the counts that must not depend on the number of
/// jobs.
fn reduced_with_jobs(jobs: &str, input: &str, content: &str, body: &str) -> (String, Vec<Value>, Vec<Value>) {
    let place = Place::new();
    place.write(input, content);
    place.script("check", body);
    let options = ["reduce", input, "--jobs", jobs, "--out", "result", "--json", "summary.json"];
    place.lapidary(&[&options[..], &["--", "./check", "{}"]].concat()).ends_with(0);
    let summary = place.json("summary.json");
    let counts =
        ["search", "confirm", "cached", "interesting", "unresolved"].map(|name| summary["tests"][name].clone());
    (place.read("result"), journal(&place, "result"), counts.into())
}

#[test]
fn neither_result_nor_journal_depends_on_the_number_of_jobs() {
    let numbers = support::numbers(40);
    for (input, content, body) in
        [("input.txt", &*numbers, "grep -q 17 $1 && grep -q 31 $1"), ("loop.c", PROGRAM, LOOP)]
    {
        let alone = reduced_with_jobs("1", input, content, body);
        for jobs in ["2", "4"] {
            let together = reduced_with_jobs(jobs, input, content, body);
            assert_eq!(together.0, alone.0, "{input}, {jobs} jobs");
            assert_eq!(together.1, alone.1, "{input}, {jobs} jobs");
            assert_eq!(together.2, alone.2, "{input}, {jobs} jobs");
        }
    }
}

#[test]
fn a_run_can_be_resumed_with_another_number_of_jobs() {
    let stopped = Interrupted::new("kill -INT $PPID; sleep 100");
    stopped.place.lapidary(&Interrupted::arguments(&[])).ends_with(3);
    let resumed = ["reduce", "input.txt", "--jobs", "4", "--resume", "--", "./check", "{}"];
    stopped.place.lapidary(&resumed).ends_with(0);
    let other = Interrupted::new("true");
    other.place.lapidary(&Interrupted::arguments(&[])).ends_with(0);
    assert_eq!(stopped.place.read("input.reduced.txt"), other.place.read("input.reduced.txt"));
    assert_eq!(journal(&stopped.place, "input.reduced.txt"), journal(&other.place, "input.reduced.txt"));
}

#[test]
fn reducing_a_result_changes_nothing() {
    let numbers = support::numbers(40);
    for (input, content, body) in
        [("input.txt", &*numbers, "grep -q 17 $1 && grep -q 31 $1"), ("loop.c", PROGRAM, LOOP)]
    {
        let (once, ..) = reduced_with_jobs("2", input, content, body);
        let (twice, ..) = reduced_with_jobs("2", input, &once, body);
        assert_eq!(twice, once, "{input}");
    }
}

#[test]
fn a_slow_test_sees_the_input_once_if_time_is_short() {
    let place = Place::with_numbers();
    let log = place.path("log");
    place.script("check", &format!("cksum < $1 >> {}; sleep 0.3; grep -q 17 $1", log.display()));
    let options = ["--jobs", "1", "--budget", "2s", "--json", "summary.json"];
    place.lapidary(&[&["reduce", "input.txt"], &options[..], &["--", "./check", "{}"]].concat()).ends_with(3);
    let log = place.read("log");
    let input = log.lines().next().unwrap();
    assert_eq!(log.lines().filter(|line| *line == input).count(), 1, "{log}");
    let seconds = &place.json("summary.json")["seconds"];
    assert!(seconds["before"].as_f64().unwrap() >= 0.3, "{seconds}");
    let result = std::process::Command::new("sh")
        .args(["-c", "cksum < input.reduced.txt"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let judged = log.lines().filter(|line| *line == String::from_utf8_lossy(&result.stdout).trim_end()).count();
    assert_eq!(judged, 1, "what the budget has stopped is not checked once more: {log}");
}
