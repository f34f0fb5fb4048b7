//! `reduce --remote` and `farm`, with a real farm: the result and the journal are those of a run on
//! this machine, and what goes wrong is explained.

use crate::support;

use lapidary_farm::Farm;
use lapidary_testkit::farm::{own, shared};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use support::{Place, Run, wait_until};

/// A C program with a part that a shell test looks for.
const PROGRAM: &str = "#include <stdio.h>
struct point { int x, y; };
static int add(int a, int b) { return a + b; }
static int scale(struct point *p, int f) { p->x *= f; return p->x; }
int trigger(int n) { int a[4]; return a[n] + __builtin_popcount(n); }
int main(int argc, char **argv) {
    struct point p = { argc, 2 };
    printf(\"%d %d\\n\", add(p.x, p.y), scale(&p, 3));
    return trigger(argc);
}
";

fn c_program() -> Place {
    let place = Place::new();
    place.write("input.c", PROGRAM);
    place.script("check", "gcc -w -S -o - input.c 2>/dev/null | grep -q popcount");
    place
}

/// Numbers, and a test that needs a file beside it.
fn text() -> Place {
    let place = Place::with_numbers();
    place.write("wanted", "17\n31\n");
    place.script("check", "for line in $(cat \"$(dirname \"$0\")/wanted\"); do grep -qx $line \"$1\" || exit 1; done");
    place
}

fn reduce(place: &Place, input: &str, options: &[&str], test: &[&str]) -> Run {
    let words = [&["reduce", input, "--force", "--json", "report.json"], options, &["--"], test].concat();
    place.lapidary(&words)
}

/// The lines of a journal without times, and without outputs, which name directories of each run.
fn journal(place: &Place, name: &str) -> Vec<Value> {
    fn timeless(value: Value) -> Value {
        match value {
            Value::Object(fields) => {
                let is_time = |name: &String| ["seconds", "at", "sum", "stdout", "stderr"].contains(&name.as_str());
                fields
                    .into_iter()
                    .filter(|(name, _)| !is_time(name))
                    .map(|(name, value)| (name, timeless(value)))
                    .collect()
            }
            Value::Array(values) => values.into_iter().map(timeless).collect(),
            value => value,
        }
    }
    place.read(name).lines().map(|line| timeless(serde_json::from_str(line).unwrap())).collect()
}

fn is_the_same_on_a_farm(place: &Place, input: &str, test: &[&str]) {
    let result = input.replace('.', ".reduced.");
    let saved = format!("{result}.journal.jsonl");
    reduce(place, input, &["--jobs", "1"], test).ends_with(0);
    let (expected, expected_journal) = (place.read(&result), journal(place, &saved));
    let local = place.json("report.json");
    assert!(expected.len() < place.read(input).len() / 2);
    let address = shared().address();
    for (jobs, cache) in [("1", "--remote-no-cache"), ("4", "--remote-no-cache"), ("1", "--remote-patience=60")] {
        reduce(place, input, &["--remote", address, "--jobs", jobs, cache], test).ends_with(0);
        assert_eq!(place.read(&result), expected, "--jobs {jobs} {cache}");
        assert_eq!(journal(place, &saved), expected_journal, "--jobs {jobs} {cache}");
        let remote = place.json("report.json");
        for count in ["search", "interesting", "confirm", "timed_out"] {
            assert_eq!(remote["tests"][count], local["tests"][count], "{count} with --jobs {jobs} {cache}");
        }
        let runs = remote["tests"]["run"].as_u64().unwrap();
        match cache == "--remote-no-cache" {
            true => assert!(runs > 0),
            false => assert_eq!(runs, 0, "the farm knows all results"),
        }
    }
}

#[test]
fn a_c_program_is_reduced_to_what_a_local_run_gives() {
    is_the_same_on_a_farm(&c_program(), "input.c", &["./check"]);
}

#[test]
fn a_text_is_reduced_to_what_a_local_run_gives() {
    is_the_same_on_a_farm(&text(), "input.txt", &["./check", "{}"]);
}

#[test]
fn a_directory_is_reduced_to_what_a_local_run_gives() {
    let place = Place::new();
    for name in ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt"] {
        place.write(&format!("input.d/{name}"), format!("{name}\n"));
    }
    place.script("check", "grep -q c.txt \"$1/sub/c.txt\" && [ -e input.d/a.txt ]");
    reduce(&place, "input.d", &["--as", "dir"], &["./check", "{}"]).ends_with(0);
    let expected = journal(&place, "input.d.reduced.journal.jsonl");
    let options = ["--as", "dir", "--remote", shared().address(), "--remote-property", "OSFamily=linux"];
    reduce(&place, "input.d", &options, &["./check", "{}"]).ends_with(0);
    assert_eq!(journal(&place, "input.d.reduced.journal.jsonl"), expected);
    assert!(place.exists("input.d.reduced/sub/c.txt") && !place.exists("input.d.reduced/sub/d.txt"));
}

#[test]
fn output_is_expected_and_preserved_as_on_this_machine() {
    let place = Place::with_numbers();
    place.script("check", "echo \"in $1:\"; grep -x 17 \"$1\" && { echo \"$TMPDIR/x has 17\" >&2; exit 3; }");
    for rules in [
        &["--expect", "exit=3", "--expect", "stderr~has 17"][..],
        &["--preserve", "exit,stdout,stderr", "--normalise", "paths"],
        &["--expect", "stdout~^17$", "--repeat", "2"],
    ] {
        reduce(&place, "input.txt", rules, &["./check", "{}"]).ends_with(0);
        let expected = (place.read("input.reduced.txt"), journal(&place, "input.reduced.txt.journal.jsonl"));
        let options = [rules, &["--remote", shared().address(), "--remote-no-cache", "--jobs", "4"]].concat();
        reduce(&place, "input.txt", &options, &["./check", "{}"]).ends_with(0);
        let found = (place.read("input.reduced.txt"), journal(&place, "input.reduced.txt.journal.jsonl"));
        assert_eq!(found, expected, "{rules:?}");
    }
}

#[test]
fn a_test_that_takes_too_long_times_out_on_the_farm() {
    let place = Place::new();
    // Few tests time out, so that the limit can be one that the others never reach.
    place.write("input.txt", "5\n17\n31\n");
    place.script("check", "grep -q 17 $1 || exit 1; grep -q 31 $1 || sleep 1000");
    let options = ["--remote", shared().address(), "--remote-no-cache", "--timeout", "15", "--jobs", "4"];
    let options = [&options[..], &["--strategy", "ddmin", "--as", "lines"]].concat();
    reduce(&place, "input.txt", &options, &["./check", "{}"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt").split_whitespace().collect::<Vec<_>>(), ["17", "31"]);
    assert!(place.json("report.json")["tests"]["timed_out"].as_u64().unwrap() > 0);
}

#[test]
fn a_tool_that_the_farm_lacks_is_named() {
    let place = Place::with_numbers();
    let on_farm = ["--remote", shared().address()];
    reduce(&place, "input.txt", &on_farm, &["no-such-tool", "{}"])
        .ends_with(2)
        .complains(&["`no-such-tool`", "workers"]);
    place.script("check", "no-such-tool $1");
    let run = reduce(&place, "input.txt", &on_farm, &["./check", "{}"]).ends_with(1);
    run.complains(&["ran on the farm, whose workers have no `no-such-tool`"]);
}

#[test]
fn a_file_that_did_not_travel_is_named() {
    let place = Place::with_numbers();
    place.write("data.txt", "17\n");
    let data = place.path("data.txt");
    // The path is put together, so that nobody sees it in the script. The farm's workers are on this
    // machine, so the file is hidden from the test at the moment when it runs.
    let hidden = place.path("hidden");
    let (directory, hidden) = (data.parent().unwrap().display(), hidden.display());
    place.script("check", &format!("a={directory}; [ -e {hidden} ]; cat \"$a-of-mine\"/data.txt || cat da''ta.txt"));
    let run = reduce(&place, "input.txt", &["--remote", shared().address()], &["./check", "{}"]).ends_with(1);
    run.complains(&["the test ran on the farm, which has no `data.txt`", "name it in the arguments"]);
    place.script("check", "grep -q \"$(cat \"$2\")\" \"$1\"");
    let on_farm = ["--remote", shared().address()];
    reduce(&place, "input.txt", &on_farm, &["./check", "{}", "data.txt"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt").trim(), "17");
}

#[test]
fn what_is_not_a_farm_is_said_to_be_none() {
    let place = Place::with_numbers();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let fails = |address: &str, words: &[&str]| {
        reduce(&place, "input.txt", &["--remote", address], &["true"]).ends_with(2).complains(words);
        assert!(!place.exists("input.reduced.txt"));
    };
    fails(&format!("grpc://{nobody}"), &["no farm can be reached", "refused", "check the address"]);
    fails("grpc://no-such-host.invalid:1", &["no farm can be reached at grpc://no-such-host.invalid:1"]);
    fails(&format!("{}/nowhere", shared().address()), &["does not know the instance `nowhere`"]);
    fails("farm:8980", &["grpc://"]);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let place = Place::with_numbers();
    let address = shared().address();
    let run = place.lapidary(&["reduce", "input.txt", "--remote", address, "--worker", "cat"]).ends_with(2);
    run.complains(&["--remote", "--worker"]);
    reduce(&place, "input.txt", &["--remote", address, "--sandbox"], &["true"]).ends_with(2).complains(&["--sandbox"]);
    reduce(&place, "input.txt", &["--remote-property", "a=b"], &["true"]).ends_with(2).complains(&["--remote"]);
    reduce(&place, "input.txt", &["--remote", address, "--remote-property", "colour=blue"], &["true"])
        .ends_with(2)
        .complains(&["refuses the test", "colour"]);
}

/// A reduction on a farm of its own that breaks while it runs; the result is that of a local run.
fn survives(break_it: impl FnOnce(&mut Farm)) {
    let place = text();
    place.script("check", "sleep 0.1; grep -qx 17 $1 && grep -qx 31 $1");
    reduce(&place, "input.txt", &[], &["./check", "{}"]).ends_with(0);
    let saved = "input.reduced.txt.journal.jsonl";
    let (expected, expected_journal) = (place.read("input.reduced.txt"), journal(&place, saved));
    let mut farm = own(2);
    fs::remove_file(place.path(saved)).unwrap();
    let options = ["--force", "--remote", farm.address(), "--jobs", "4", "--remote-patience", "2m"];
    let running = place.start(&[&["reduce", "input.txt"], &options[..], &["--", "./check", "{}"]].concat());
    wait_until("some tests are done", || place.lines(saved) > 4);
    break_it(&mut farm);
    running.wait().ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), expected);
    assert_eq!(journal(&place, saved), expected_journal);
    farm.down().unwrap();
}

#[test]
fn a_killed_worker_changes_nothing() {
    survives(|farm| {
        farm.kill("worker-1").unwrap();
        farm.restart("worker-1").unwrap();
    });
}

#[test]
fn a_restarted_server_changes_nothing() {
    survives(|farm| {
        farm.kill("server").unwrap();
        farm.restart("server").unwrap();
    });
}

#[test]
fn a_farm_that_is_gone_stops_the_run_which_goes_on_elsewhere() {
    let place = text();
    place.script("check", "sleep 0.1; grep -qx 17 $1 && grep -qx 31 $1");
    reduce(&place, "input.txt", &[], &["./check", "{}"]).ends_with(0);
    let saved = "input.reduced.txt.journal.jsonl";
    let (expected, expected_journal) = (place.read("input.reduced.txt"), journal(&place, saved));
    fs::remove_file(place.path(saved)).unwrap();
    let farm = own(2);
    let options = ["--force", "--remote", farm.address(), "--remote-patience", "5"];
    let running = place.start(&[&["reduce", "input.txt"], &options[..], &["--", "./check", "{}"]].concat());
    wait_until("some tests are done", || place.lines(saved) > 4);
    farm.down().unwrap();
    running.wait().ends_with(3).complains(&["has not answered", "--resume"]);
    place.lapidary(&["reduce", "input.txt", "--resume", "--", "./check", "{}"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), expected);
    let is_test = |line: &&Value| line.get("test").is_some_and(Value::is_u64);
    let tests = journal(&place, saved);
    assert!(tests.iter().filter(is_test).count() >= expected_journal.iter().filter(is_test).count());
}

#[test]
fn a_farm_goes_up_says_where_it_is_and_goes_down() {
    let place = Place::with_numbers();
    // The database's user has to get in.
    fs::set_permissions(place.path("..").canonicalize().unwrap(), Permissions::from_mode(0o711)).unwrap();
    let run = |words: &[&str]| {
        let output = place.command().arg("farm").args(words).args(["--dir", "../farm"]).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    };
    run(&["status"]).ends_with(2).complains(&["there is no farm", "lapidary farm up"]);
    run(&["up", "--workers", "1"]).ends_with(0).prints(&["the farm is up at grpc://127.0.0.1:", "farm down --dir "]);
    let status =
        run(&["status"]).ends_with(0).prints(&["database   running", "server     running", "worker-1   running"]);
    run(&["up"]).ends_with(2).complains(&["is running already"]);
    let address = status.stdout.split_whitespace().find(|word| word.starts_with("grpc://")).unwrap();
    let mut reduce = place.command();
    reduce.args(["reduce", "input.txt", "--remote", address, "--", "grep", "-q", "17", "{}"]);
    assert!(reduce.output().unwrap().status.success());
    assert_eq!(place.read("input.reduced.txt").trim(), "17");
    run(&["down"]).ends_with(0);
    run(&["status"]).ends_with(2);
    place.wait_until_clean();
}
