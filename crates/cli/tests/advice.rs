//! The usual mistakes of a first command line, and the words that set them right.

use crate::support;

use support::Place;

fn place_with(body: &str) -> Place {
    let place = Place::with_numbers();
    place.script("check", body);
    place
}

#[test]
fn a_test_without_dashes_or_before_the_input() {
    let place = place_with("grep -q 17 $1");
    let right = "lapidary reduce input.txt -- ./check {}";
    let complains = |arguments: &[&str]| drop(place.lapidary(arguments).ends_with(2).complains(&[right]));
    complains(&["reduce", "input.txt", "./check", "{}"]);
    complains(&["reduce", "./check", "input.txt"]);
    complains(&["reduce", "check", "input.txt"]);
    complains(&["reduce", "./check", "--", "input.txt"]);
}

#[test]
fn a_script_that_reads_its_argument_and_gets_none() {
    let place = place_with("grep -q 17 \"$1\"");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check"]).ends_with(1);
    run.complains(&["./check reads its arguments but gets no {}", "./check {}"]);
}

#[test]
fn a_test_that_means_the_opposite() {
    let place = place_with("! grep -q 17 $1");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(1);
    run.complains(&["exit code 0 means \"still fails\"", "--expect exit=1"]);
    let place = place_with("exit 3");
    let run = place.lapidary(&["reduce", "input.txt", "--expect", "exit=4", "--", "./check", "{}"]).ends_with(1);
    assert!(!run.stderr.contains("exit code 0 means"), "{run}");
}

#[test]
fn a_script_that_needs_a_file_beside_it() {
    let place = place_with("cat words.txt && grep -q 17 $1");
    place.write("words.txt", "x");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(1);
    run.complains(&["the test runs in a directory of its own, which has no `words.txt`: use an absolute path"]);
}

#[test]
fn a_result_that_should_go_to_standard_output_or_into_a_directory() {
    let place = place_with("grep -q 17 $1");
    let out = |path: &str| place.lapidary(&["reduce", "input.txt", "--out", path, "--", "./check", "{}"]).ends_with(2);
    out("-").complains(&["cannot go to standard output", "--out"]);
    std::fs::create_dir(place.path("results")).unwrap();
    out("results").complains(&["results is a directory and not an earlier result", "--out"]);
    assert!(!place.exists("-") && !place.exists("results.journal.jsonl"));
}

#[test]
fn a_file_with_the_name_of_the_placeholder() {
    let place = place_with("grep -q 17 $1");
    place.write("{}", "x");
    place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "17");
}
