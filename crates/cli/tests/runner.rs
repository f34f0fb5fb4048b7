//! `reduce --runner`: another command starts each test, and nothing else changes.

use crate::support;

use support::Place;

/// Numbers, a test, and a runner that logs what it starts.
fn place() -> Place {
    let place = Place::with_numbers();
    place.script("check", "grep -qx 17 \"$1\" && grep -qx 31 \"$1\"");
    place.script("on-node", &format!("echo \"$@\" >>{}; exec \"$@\"", place.path("log").display()));
    place
}

fn reduce(place: &Place, options: &[&str]) -> support::Run {
    let words = [&["reduce", "input.txt", "--json", "report.json"], options, &["--", "./check", "{}"]].concat();
    place.lapidary(&words)
}

#[test]
fn the_result_is_that_of_a_run_without_a_runner() {
    let place = place();
    reduce(&place, &[]).ends_with(0);
    let (expected, report) = (place.read("input.reduced.txt"), place.json("report.json"));
    let runner = format!("{} --partition 'two words'", place.path("on-node").display());
    // This runner takes its own arguments off.
    place.script("on-node", &format!("shift 2; echo \"$@\" >>{}; exec \"$@\"", place.path("log").display()));
    reduce(&place, &["--runner", &runner, "--jobs", "4", "--force"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), expected);
    let found = place.json("report.json");
    assert_eq!(found["tests"]["search"], report["tests"]["search"]);
    // A guess that is no longer needed may be ended before it writes its line.
    assert!(place.lines("log") as u64 >= found["tests"]["search"].as_u64().unwrap());
    let is_test = |line: &str| line.contains("/check /") && line.ends_with("/input.txt");
    assert!(place.read("log").lines().all(is_test), "{}", place.read("log"));
}

#[test]
fn a_run_can_be_resumed_with_and_without_a_runner() {
    let place = place();
    let runner = place.path("on-node").display().to_string();
    reduce(&place, &["--runner", &runner, "--budget", "5"]).ends_with(3);
    reduce(&place, &["--resume"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt").split_whitespace().collect::<Vec<_>>(), ["17", "31"]);
}

#[test]
fn a_test_that_takes_too_long_is_asked_to_end() {
    let place = place();
    let told = place.path("told");
    // Without 17, the test hangs on a node, where only the runner can end it.
    place.script("check", "grep -qx 17 \"$1\" || exec sleep 1000");
    let body = format!("\"$@\" & test=$!; trap 'echo told >>{}; kill $test; exit 1' TERM; wait $test", told.display());
    place.script("on-node", &body);
    place.write("input.txt", "1\n17\n");
    let runner = place.path("on-node").display().to_string();
    reduce(&place, &["--as", "lines", "--runner", &runner, "--timeout", "4", "--strategy", "polish"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt").trim(), "17");
    assert!(place.lines("told") > 0, "the runner was told to end the test");
}

#[test]
fn a_runner_that_fails_or_goes_with_nothing_else_is_explained() {
    let place = place();
    reduce(&place, &["--runner", "no-such-runner -n1"]).ends_with(1).complains(&["no-such-runner", "not found"]);
    reduce(&place, &["--runner", "env", "--sandbox"]).ends_with(2).complains(&["--runner", "--sandbox"]);
    let words = ["reduce", "input.txt", "--runner", "env", "--worker", "./check"];
    place.lapidary(&words).ends_with(2).complains(&["--runner", "--worker"]);
}
