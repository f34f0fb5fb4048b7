//! Regression tests, one for each bug that was found.

use crate::support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use support::{Place, numbers};

const FIGURE1: &str = "examples/fji/figure1.fji";

/// A reduction of `input.txt` to the line with 17.
fn reduce(place: &Place, options: &[&str]) -> support::Run {
    place.lapidary(&[&["reduce", "input.txt"], options, &["--", "grep", "-q", "17", "input.txt"]].concat())
}

#[test]
fn a_test_that_failed_on_the_input_can_be_mended_and_run_again() {
    let place = Place::with_numbers();
    place.lapidary(&["reduce", "input.txt", "--", "false"]).ends_with(1);
    assert!(!place.exists("input.reduced.txt.journal.jsonl"), "there was no run to resume");
    reduce(&place, &[]).ends_with(0);
}

#[test]
fn a_signal_during_the_first_test_leaves_nothing_in_the_way() {
    let place = Place::with_numbers();
    place.script("check", "kill -INT $PPID; sleep 100");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(3);
    run.complains(&["interrupted before the reduction began"]);
    place.script("check", "grep -q 17 $1");
    place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(0);
}

#[test]
fn a_test_whose_output_cannot_be_preserved() {
    let place = Place::with_numbers();
    place.script("check", &format!("echo >> {0}; wc -l < {0}", place.path("runs").display()));
    let preserve = ["reduce", "input.txt", "--preserve", "stdout", "--", "./check", "{}"];
    place.lapidary(&preserve).ends_with(2).complains(&["does not always behave the same", "stdout", "--normalise"]);
}

#[test]
fn a_name_that_is_not_utf_8_is_no_reason_to_panic() {
    let place = Place::with_numbers();
    let out = OsStr::from_bytes(b"r\xff.txt");
    let mut arguments: Vec<&OsStr> =
        ["reduce", "input.txt", "--json", "summary.json", "--out"].map(AsRef::as_ref).into();
    arguments.push(out);
    arguments.extend(["--", "grep", "-q", "17", "input.txt"].map(OsStr::new));
    place.lapidary(&arguments).ends_with(0);
    assert_eq!(fs::read(place.path(out)).unwrap(), b"17");
    assert_eq!(place.json("summary.json")["complete"], true);
}

#[test]
fn an_output_that_was_there_before_is_kept() {
    let place = Place::with_numbers();
    place.write("result.txt", "precious\n");
    place.write("results/a.txt", "precious\n");
    reduce(&place, &["--out", "result.txt"]).ends_with(2).complains(&["result.txt", "--force"]);
    reduce(&place, &["--out", "results"]).ends_with(2).complains(&["results", "--out"]);
    assert!(!place.exists("result.txt.journal.jsonl"), "a refused run leaves nothing");
}

#[test]
fn neither_the_summary_nor_the_journal_overwrites_the_input() {
    let place = Place::with_numbers();
    reduce(&place, &["--json", "input.txt"]).ends_with(2).complains(&["input.txt"]);
    place.write("notes.journal.jsonl", numbers(20));
    let run = place.lapidary(&["reduce", "notes.journal.jsonl", "--out", "notes", "--force", "--", "true"]);
    run.ends_with(2).complains(&["notes"]);
}

#[test]
fn the_command_of_a_check_is_found_like_a_test() {
    let place = Place::new();
    place.example(FIGURE1);
    place.write("check.sh", "test -e $1\n");
    place.lapidary(&["model", FIGURE1, "--check", "3", "--", "sh", "check.sh", "{}"]).ends_with(0).prints(&["3 of 3"]);
    place.lapidary(&["model", FIGURE1, "--check", "3", "--", "./nosuch"]).ends_with(2).complains(&["./nosuch"]);
    place.lapidary(&["model", FIGURE1, "--check", "3"]).ends_with(2).complains(&["COMMAND"]);
}

#[test]
fn the_directory_of_the_input_is_not_replaced_by_the_result() {
    let place = Place::new();
    place.write("project/input.txt", numbers(40));
    place.write("project/precious.txt", "precious\n");
    for out in ["project", "project/", "./project/../project", "../work", "../work/"] {
        let run =
            place.lapidary(&["reduce", "project/input.txt", "--out", out, "--force", "--", "grep", "-q", "17", "{}"]);
        run.ends_with(2).complains(&[out, "the input is never overwritten"]);
    }
}

#[test]
fn what_is_no_earlier_result_is_not_replaced_even_by_force() {
    let place = Place::with_numbers();
    place.write("precious/a.txt", "precious\n");
    reduce(&place, &["--out", "precious", "--force"]).ends_with(2).complains(&["precious"]);
}

#[test]
fn neither_the_result_nor_its_journal_is_overwritten_by_the_summary() {
    let place = Place::with_numbers();
    for json in ["input.reduced.txt", "input.reduced.txt.journal.jsonl"] {
        reduce(&place, &["--json", json]).ends_with(2).complains(&[json]);
    }
}

#[test]
fn a_budget_longer_than_the_clock_can_tell_is_no_limit() {
    for budget in ["9999999999999999999s", "18446744073709551615"] {
        let place = Place::with_numbers();
        reduce(&place, &["--budget", budget]).ends_with(0);
        assert_eq!(place.read("input.reduced.txt"), "17");
    }
}

#[test]
fn limits_beyond_what_the_system_counts_are_no_limits() {
    let place = Place::with_numbers();
    let most = u64::MAX.to_string();
    reduce(&place, &["--limit-cpu", &most, "--limit-memory", &most, "--limit-file", &most]).ends_with(0);
}

#[test]
fn text_that_is_kept_stays_in_all_rounds() {
    let place = Place::with_numbers();
    reduce(&place, &["--strategy", "hdd", "--keep", "(?m)^3$", "--keep", "(?m)^30$"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "3\n17\n30\n");
    reduce(&place, &["--out", "fine.txt", "--keep", "14\n15"]).ends_with(0);
    assert!(place.read("fine.txt").contains("14\n15"), "finer models do not take it away either");
    reduce(&place, &["--out", "none.txt", "--keep", "nowhere"]).ends_with(2).complains(&["nowhere"]);
}

#[test]
fn a_resumed_run_that_is_stopped_early_keeps_the_better_result() {
    let place = Place::with_numbers();
    reduce(&place, &[]).ends_with(0);
    let best = place.read("input.reduced.txt");
    let journal = place.read("input.reduced.txt.journal.jsonl");
    let beginning: Vec<&str> = journal.lines().take(4).collect();
    fs::write(place.path("input.reduced.txt.journal.jsonl"), format!("{}\n", beginning.join("\n"))).unwrap();
    reduce(&place, &["--resume", "--budget", "1"]).ends_with(3);
    assert_eq!(place.read("input.reduced.txt"), best);
}

#[test]
fn without_a_journal_there_is_nothing_to_resume_and_nothing_is_replaced() {
    let place = Place::with_numbers();
    place.write("input.reduced.txt", "precious\n");
    reduce(&place, &["--resume"]).ends_with(2).complains(&["no journal", "--force"]);
    assert_eq!(place.read("input.reduced.txt"), "precious\n");
}

#[test]
fn a_timeout_longer_than_the_clock_can_tell_is_no_limit() {
    let place = Place::with_numbers();
    reduce(&place, &["--timeout", "10000000000000000000"]).ends_with(0);
}

#[test]
fn what_has_no_bytes_goes_too() {
    let place = Place::new();
    place.write("project/main.txt", "17\n");
    place.write("project/empty.txt", "");
    place.lapidary(&["reduce", "project", "--", "grep", "-q", "17", "project/main.txt"]).ends_with(0);
    assert!(!place.exists("project.reduced/empty.txt"));
}

#[test]
fn a_large_binary_file_gets_smaller() {
    let place = Place::new();
    let mut content = vec![0u8; 100_000];
    content[70_000..70_005].copy_from_slice(b"magic");
    place.write("input.bin", content);
    place.lapidary(&["reduce", "input.bin", "--", "grep", "-q", "magic", "input.bin"]).ends_with(0);
    assert_eq!(place.read("input.reduced.bin"), "magic");
}

#[test]
fn what_is_kept_is_kept_by_every_strategy() {
    let place = Place::new();
    place.example(FIGURE1);
    let keep = ["--strategy", "ddmin", "--keep", r"^M\.main\(\)!code$", "--out", "result.fji"];
    place.lapidary(&[&["reduce", FIGURE1], &keep[..], &["--", "grep", "-q", "class", "{}"]].concat()).ends_with(0);
    assert!(place.read("result.fji").contains("new M().x(new A())"));
}

#[test]
fn a_readable_result_is_a_part_of_the_input() {
    let place = Place::new();
    let input = "def main(argv):\n    if argv:\n        raise KeyError(argv)\n    return 1\n\n\nprint('needle')\n";
    place.write("input.py", input);
    place
        .lapidary(&["reduce", "input.py", "--readable", "--", "grep", "-q", "KeyError(argv)", "input.py"])
        .ends_with(0);
    let result = place.read("input.reduced.py");
    assert!(!result.contains("needle"), "{result}");
    let mut rest = input.chars();
    assert!(result.chars().all(|kept| rest.any(|char| char == kept)), "nothing is put in: {result}");
}
