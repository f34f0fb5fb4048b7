//! `lapidary crash` from the outside: from a program that fails to the few lines that fail in the
//! same way.

use crate::support;

use rustix::process::Signal;
use serde_json::json;
use std::fs::File;
use support::{Place, Run, wait_until};

/// The assertion fails for a station that has no readings; the rest is there to be removed.
const STATIONS: &str = "\
#include <assert.h>
#include <stdio.h>

/* Of what was measured. */
int mean(int sum, int count)
{
    assert(count > 0);
    return sum / count;
}

int warmest(int a, int b)
{
    return a > b ? a : b;
}

int main(void)
{
    printf(\"%d\\n\", warmest(3, 4));
    printf(\"%d\\n\", mean(12, 4));
    printf(\"%d\\n\", mean(0, 0));
    return 0;
}
";

fn stations() -> Place {
    let place = Place::new();
    place.write("stations.c", STATIONS);
    place
}

/// The code of a text without white space.
fn code(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn with_stdin(place: &Place, arguments: &[&str], input: &str) -> Run {
    place.write("given.txt", input);
    let mut command = place.command();
    command.args(arguments).stdin(File::open(place.path("given.txt")).unwrap());
    let output = command.output().unwrap();
    let run = Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    place.assert_clean(&run.to_string());
    run
}

#[test]
fn an_assertion_is_found_and_the_program_made_small() {
    let place = stations();
    let run = place.lapidary(&["crash", "stations.c", "--json", "summary.json"]).ends_with(0);
    let run = run.prints(&[
        "assertion `count > 0` failed at stations.c:7 in mean\n",
        "stations.c:20:5: in main\n      printf(\"%d\\n\", mean(0, 0));\n",
        "-->     assert(count > 0);\n",
        "result: stations.reduced.c\n",
    ]);
    let result = place.read("stations.reduced.c");
    assert!(result.contains("    assert(count > 0);\n"), "lines that stay are as they were: {result}");
    assert!(!result.contains("warmest") && !result.contains("printf"), "{result}");
    assert!(result.len() < STATIONS.len() / 2, "{result}\n{run}");
    let summary = place.json("summary.json");
    assert_eq!(summary["command"], "crash");
    assert_eq!(summary["failure"]["kind"], "assertion");
    assert_eq!(summary["failure"]["message"], "count > 0");
    assert_eq!(summary["failure"]["frames"][0]["line"], 7);
    assert_eq!(summary["failure"]["frames"][1]["function"], "main");
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["result"], "stations.reduced.c");
    let line = summary["line"].as_u64().unwrap() as usize;
    assert_eq!(result.lines().nth(line - 1).unwrap().trim(), "assert(count > 0);");
    let (run, search) = (&summary["tests"]["run"], &summary["tests"]["search"]);
    assert!(run.as_u64() >= Some(5), "the original, several times, and the result are run: {run}");
    assert!(search.as_u64() > Some(2), "{search}");
}

#[test]
fn the_result_fails_in_the_same_way_and_nothing_more_goes() {
    let place = stations();
    place.lapidary(&["crash", "stations.c", "--out", "small.c", "--quiet"]).ends_with(0);
    let run = place.lapidary(&["crash", "small.c", "--out", "again.c"]).ends_with(0);
    run.prints(&["assertion `count > 0` failed at small.c:"]);
    assert_eq!(code(&place.read("again.c")), code(&place.read("small.c")));
}

#[test]
fn every_approach_keeps_the_failure() {
    let place = Place::new();
    let text =
        "#include <stdlib.h>\nint unused(void) { return 1; }\nint main(void)\n{\n    unused();\n    abort();\n}\n";
    place.write("small.c", text);
    for approach in ["naive", "delta", "slicing", "default"] {
        let run = place.lapidary(&["crash", "small.c", "--force", "--strategy", approach, "--json", "-"]).ends_with(0);
        assert_eq!(run.json()["strategy"], approach);
        let result = place.read("small.reduced.c");
        assert!(result.contains("    abort();") && !result.contains("unused"), "{approach}: {result}");
    }
}

#[test]
fn slicing_puts_arguments_where_they_are_read() {
    let place = Place::new();
    let text = "#include <assert.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int n = atoi(argv[1]);\n    \
                int m = 2 * n;\n    assert(n != 7);\n    return m;\n}\n";
    place.write("given.c", text);
    place.lapidary(&["crash", "given.c", "--strategy", "slicing", "--", "7"]).ends_with(0);
    let result = place.read("given.reduced.c");
    assert!(result.contains("n = 7;") && !result.contains("atoi"), "{result}");
}

#[test]
fn arguments_and_input_are_the_programs() {
    let place = Place::new();
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int n = 0;\n    \
                scanf(\"%d\", &n);\n    puts(\"read\");\n    if (n == 7 && argc == 3)\n        abort();\n    return 0;\n}\n";
    place.write("reader.c", text);
    let arguments = ["crash", "reader.c", "--", "-v", "--out"];
    with_stdin(&place, &arguments, "8\n").ends_with(1).complains(&["does not fail: exit code 0", "read"]);
    with_stdin(&place, &arguments, "7\n").ends_with(0).prints(&["abort at reader.c:9 in main"]);
    assert!(!place.read("reader.reduced.c").contains("puts"));
}

#[test]
fn an_exception_and_a_finding_of_a_sanitizer() {
    let place = Place::new();
    let text = "struct nothing {};\n\nint count(const char *text) {\n    if (!*text)\n        throw nothing();\n    \
                return 1;\n}\n\nint main() {\n    int n = count(\"a\");\n    return n + count(\"\");\n}\n";
    place.write("count.cpp", text);
    let run = place.lapidary(&["crash", "count.cpp"]).ends_with(0);
    run.prints(&["uncaught exception nothing at count.cpp:5 in count"]);
    assert!(place.read("count.reduced.cpp").contains("throw nothing();"));

    place
        .write("over.c", "int a[4];\nint main(int argc, char **argv)\n{\n    int i = 3 + argc;\n    return a[i];\n}\n");
    place.lapidary(&["crash", "over.c"]).ends_with(1).complains(&["does not fail"]);
    let run = place.lapidary(&["crash", "over.c", "--flags", "-fsanitize=address"]).ends_with(0);
    run.prints(&["AddressSanitizer: global-buffer-overflow", "at over.c:5 in main"]);
}

#[test]
fn a_place_that_was_expected() {
    let place = stations();
    let run = place.lapidary(&["crash", "stations.c", "--at", "stations.c:8"]).ends_with(2);
    run.complains(&["does not fail at stations.c:8, but: assertion `count > 0` failed at stations.c:7"]);
    place.lapidary(&["crash", "stations.c", "--at", "7"]).ends_with(2).complains(&["FILE:LINE"]);
    assert!(!place.exists("stations.reduced.c") && !place.exists("stations.reduced.c.journal.jsonl"));
    place.lapidary(&["crash", "stations.c", "--at", "stations.c:7", "--quiet"]).ends_with(0);
}

#[test]
fn an_earlier_result_is_not_replaced_unasked() {
    let place = stations();
    place
        .lapidary(&["crash", "stations.c", "--quiet", "--budget", "3"])
        .ends_with(3)
        .complains(&["--resume continues"]);
    let saved = place.read("stations.reduced.c");
    assert!(saved.contains("assert(count > 0);"));
    place.lapidary(&["crash", "stations.c"]).ends_with(2).complains(&["--resume", "--force", "--out"]);
    assert_eq!(place.read("stations.reduced.c"), saved);
    place.lapidary(&["crash", "stations.c", "--force", "--quiet"]).ends_with(0);
}

#[test]
fn a_resumed_run_ends_as_one_that_was_never_stopped() {
    let place = stations();
    let run = place.lapidary(&["crash", "stations.c", "--out", "whole.c", "-j1", "--json", "-"]).ends_with(0);
    let needed = run.json()["tests"]["run"].as_u64().unwrap();
    place.lapidary(&["crash", "stations.c", "-j1", "--budget", "4", "--quiet"]).ends_with(3);
    let changed = place.lapidary(&["crash", "stations.c", "--resume", "--flags", "-O1"]).ends_with(2);
    changed.complains(&["stations.reduced.c.journal.jsonl", "--flags `-O1`", "--flags none"]);
    let run = place.lapidary(&["crash", "stations.c", "-j1", "--resume", "--json", "-"]).ends_with(0);
    assert_eq!(place.read("stations.reduced.c"), place.read("whole.c"));
    let after = run.json()["tests"]["run"].as_u64().unwrap();
    assert!(after < needed, "{after} programs were run after the first four, {needed} in all");
}

#[test]
fn a_signal_leaves_the_best_result_and_nothing_running() {
    let place = Place::new();
    // Every program takes a while, so that the signal comes in the middle of the search.
    let slow = STATIONS.replace("    assert", "    usleep(100000);\n    assert").replace("<stdio.h>", "<unistd.h>");
    let slow = format!("#include <stdio.h>\n{slow}");
    place.write("slow.c", &slow);
    let run = place.start(&["crash", "slow.c", "-j1", "--quiet", "--json", "summary.json"]);
    let is_smaller = || place.exists("slow.reduced.c") && place.read("slow.reduced.c").len() < slow.len();
    wait_until("the result is smaller", is_smaller);
    run.signal(Signal::INT);
    run.wait().ends_with(3).complains(&["stopped early: interrupted", "--resume continues"]);
    let result = place.read("slow.reduced.c");
    assert!(result.contains("    assert(count > 0);\n"), "{result}");
    assert_eq!(result.lines().count(), slow.lines().count(), "what was run had its lines where they were");
    let summary = place.json("summary.json");
    assert_eq!((&summary["complete"], &summary["smallest"]), (&json!(false), &json!(false)));
    place.lapidary(&["crash", "slow.reduced.c", "--out", "again.c", "--quiet"]).ends_with(0);
}

#[test]
fn standard_output_is_for_one_reader() {
    let place = stations();
    let run = place.lapidary(&["crash", "stations.c", "--json", "-"]).ends_with(0);
    assert_eq!(run.json()["input"], "stations.c");
    let run = place.lapidary(&["crash", "stations.c", "--force", "--quiet"]).ends_with(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

const QUEUE: &str = "\
#include <stdlib.h>
struct element {
    struct element *following;
    int payload;
};

static int payload_of(struct element *element)
{
    return element->following->payload;
}

int main(void)
{
    struct element *element = calloc(1, sizeof *element);
    return payload_of(element);
}
";

#[test]
fn names_become_short_if_asked_and_those_of_the_error_stay() {
    let place = Place::new();
    place.write("queue.c", QUEUE);
    place.lapidary(&["crash", "queue.c", "--strategy", "delta"]).ends_with(0);
    assert!(place.read("queue.reduced.c").contains("following"), "names are not changed unasked");
    let run = place.lapidary(&["crash", "queue.c", "--strategy", "delta", "--rename", "--force"]).ends_with(0);
    run.prints(&["segmentation fault", " in payload_of\n"]);
    let result = place.read("queue.reduced.c");
    assert!(!result.contains("following") && !result.contains("element"), "{result}");
    assert!(result.contains("payload_of(") && result.contains("calloc(") && result.contains("main("), "{result}");
}

#[test]
fn the_preprocessor_can_go_first() {
    let place = Place::new();
    place.write("limit.h", "#define LIMIT 3\nstatic int limited(int n) { if (n > LIMIT) abort(); return n; }\n");
    let text = "#include <stdlib.h>\n#include \"limit.h\"\nint main(int count, char **words)\n{\n    \
                int n = limited(2);\n    return limited(n + LIMIT);\n}\n";
    place.write("a.c", text);
    place.lapidary(&["crash", "a.c", "--preprocess"]).ends_with(0).prints(&[
        "abort at a.i:",
        " in limited\n",
        "result: a.reduced.i\n",
    ]);
    let result = place.read("a.reduced.i");
    assert!(!result.contains('#') && !result.contains("LIMIT") && result.contains("abort()"), "{result}");
    assert!(result.len() < 200, "what is in headers goes too: {result}");
    assert_eq!(place.read("a.c"), text);
    place.write("b.c", "int twice(int n) { return 2 * n; }\n");
    let run = place.lapidary(&["crash", "a.c", "b.c", "--preprocess"]).ends_with(2);
    run.complains(&["only one file can be preprocessed, and the program has 2"]);
}

#[test]
fn a_loop_without_end_costs_little() {
    let place = Place::new();
    place.write(
        "loop.c",
        "int main(void)\n{\n    int *p = 0;\n    int n = 3;\n    while (n)\n        n--;\n    return *p;\n}\n",
    );
    place.lapidary(&["crash", "loop.c"]).ends_with(0).prints(&["null pointer at loop.c:7 in main\n"]);
    assert!(!place.read("loop.reduced.c").contains("while"));
}
