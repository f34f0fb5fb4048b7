//! `lapidary slice` from the outside.

use crate::support;

use rustix::process::Signal;
use serde_json::json;
use std::fs::File;
use support::{Place, wait_until};

const TOTALS: &str = "\
#include <stdio.h>
int main(int argc, char **argv)
{
    int sum = 0;
    int product = 1;
    for (int i = 0; i < 3; i++) {
        sum += i;
        product *= i;
    }
    if (argc > 1)
        sum = argc;
    printf(\"%d\\n\", sum);
    printf(\"%d\\n\", product);
    return 0;
}
";

fn totals() -> Place {
    let place = Place::new();
    place.write("totals.c", TOTALS);
    place
}

#[test]
fn a_static_slice_is_printed_without_the_rest() {
    let run = totals().lapidary(&["slice", "totals.c:12"]).ends_with(0);
    let expected = "\
#include <stdio.h>
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += i;
    }
    if (argc > 1)
        sum = argc;
    printf(\"%d\\n\", sum);
}
";
    assert_eq!(run.stdout, expected, "{run}");
    assert_eq!(run.stderr, "");
}

#[test]
fn a_variable_narrows_the_question() {
    let place = Place::new();
    let text = "int main(void)\n{\n    int a = 1, b;\n    a = 2;\n    b = 3;\n    int c = a + b;\n    return c;\n}\n";
    place.write("two.c", text);
    let lines =
        |at: &str| place.lapidary(&["slice", at, "--json", "-"]).ends_with(0).json()["files"][0]["lines"].clone();
    assert_eq!(lines("two.c:6"), json!([1, 2, 3, 4, 5, 6, 8]));
    assert_eq!(lines("two.c:6:a"), json!([1, 2, 3, 4, 6, 8]));
    assert_eq!(lines("two.c:6:b"), json!([1, 2, 3, 5, 6, 8]));
}

#[test]
fn a_dynamic_slice_is_of_one_run() {
    let place = totals();
    let lines = |arguments: &[&str]| {
        let all = [&["slice", "totals.c:12", "--dynamic", "--json", "-"], arguments].concat();
        let run = place.lapidary(&all).ends_with(0);
        assert_eq!(run.json()["kind"], "dynamic");
        run.json()["files"][0]["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line.as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    let (without, with) = (lines(&[]), lines(&["--", "x"]));
    assert!(without.contains(&7) && !without.contains(&11), "{without:?}");
    assert!(with.contains(&11) && !with.contains(&7), "what was overwritten does not matter: {with:?}");
}

#[test]
fn the_run_is_given_what_stands_on_standard_input() {
    let place = Place::new();
    let text = "#include <stdio.h>\nint main(void)\n{\n    int n = 0, m = 5;\n    scanf(\"%d\", &n);\n    \
                if (n > 3)\n        m = n;\n    return m;\n}\n";
    place.write("read.c", text);
    let lines = |input: &str| {
        place.write("input.txt", input);
        let mut command = place.command();
        command.args(["slice", "read.c:8", "--dynamic"]).stdin(File::open(place.path("input.txt")).unwrap());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(lines("9\n").contains("m = n;"));
    assert!(!lines("1\n").contains("m = n;"));
}

/// A program that never ends, and the first statements of its slice.
const ENDLESS: &str = "#include <unistd.h>\nint main(void)\n{\n    int n = 3, m = 4;\n    m = 5;\n    n = 2;\n    for (;;)\n        usleep(n);\n}\n";

#[test]
fn a_run_that_is_stopped_leaves_a_slice_of_what_it_did() {
    let place = Place::new();
    place.write("endless.c", ENDLESS);
    let run = place.lapidary(&["slice", "endless.c:8", "--dynamic", "--timeout", "1"]).ends_with(0);
    assert!(run.stdout.contains("    n = 2;\n") && !run.stdout.contains("m = 5"), "{run}");
}

#[test]
fn a_signal_ends_the_program_too() {
    let place = Place::new();
    place.write("endless.c", ENDLESS.replace("    m = 5;", "    close(open(\"started\", 64, 0600));"));
    let run = place.start(&["slice", "endless.c:8", "--dynamic", "--flags", "-include fcntl.h"]);
    wait_until("the program runs", || place.exists("started"));
    run.signal(Signal::INT);
    run.wait().ends_with(3).complains(&["interrupted"]);
}

#[test]
fn several_files_are_printed_under_their_names() {
    let place = Place::new();
    place.write("main.c", "int twice(int n);\nint unused(void) { return 3; }\nint main(void)\n{\n    int n = twice(2);\n    return n;\n}\n");
    place.write("twice.c", "int calls;\nint twice(int n)\n{\n    calls++;\n    return 2 * n;\n}\n");
    let run = place.lapidary(&["slice", "main.c:6", "twice.c"]).ends_with(0);
    run.prints(&["--- main.c\n", "--- twice.c\n", "    return 2 * n;\n", "    int n = twice(2);\n"]);
    let run = place.lapidary(&["slice", "main.c:6", "twice.c"]).ends_with(0);
    assert!(!run.stdout.contains("unused") && !run.stdout.contains("calls"), "{run}");
}

#[test]
fn a_project_knows_its_flags() {
    let place = Place::new();
    place.write(
        "p/main.c",
        "#include \"size.h\"\nint main(void)\n{\n    int other = 1;\n    int n = SIZE;\n    return n;\n}\n",
    );
    place.write("p/include/size.h", "#define SIZE 4\n");
    let commands =
        json!([{"directory": place.path("p"), "file": "main.c", "arguments": ["gcc", "-Iinclude", "-c", "main.c"]}]);
    place.write("p/compile_commands.json", commands.to_string());
    let run = place.lapidary(&["slice", "-p", "p", "p/main.c:6"]).ends_with(0).prints(&["int n = SIZE;"]);
    assert!(!run.stdout.contains("other") && run.stderr.is_empty(), "{run}");
    let run = place.lapidary(&["slice", "p/main.c:6"]).ends_with(0);
    run.complains(&["libclang finds errors in main.c", "--flags", "size.h"]);
    place.lapidary(&["slice", "p/main.c:6", "--flags", "-Ip/include"]).ends_with(0);
}

#[test]
fn wrong_questions_say_how_to_ask() {
    let place = totals();
    let refused = |arguments: &[&str], words: &[&str]| {
        place.lapidary(&[&["slice"], arguments].concat()).ends_with(2).complains(words);
    };
    refused(&["totals.c"], &["`totals.c` is not a place", "FILE:LINE"]);
    refused(&["totals.c:twelve"], &["FILE:LINE"]);
    refused(&["totals.c:99"], &["no statement on line 99", "name a line with code"]);
    refused(&["nosuch.c:1"], &["cannot read nosuch.c"]);
    refused(&["totals.c:12", "--", "x"], &["--dynamic"]);
    place.write(
        "ended.c",
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n  if (argc > 1)\n    exit(0);\n  return argc;\n}\n",
    );
    let advice = "line 5 of ended.c was not reached in this run; leave out --dynamic";
    refused(&["ended.c:5", "--dynamic", "--", "x"], &[advice]);
    refused(&["totals.c:12", "--dynamic", "--compiler", "no-such-cc"], &["no compiler no-such-cc"]);
    refused(&["totals.c:12", "--dynamic", "--timeout", "0"], &["--timeout"]);
    place.write("broken.c", "int main(void)\n{\n    int n = 1;\n    return n + ;\n}\n");
    let run = place.lapidary(&["slice", "broken.c:3"]).ends_with(0);
    run.complains(&["libclang finds errors in broken.c"]);
    refused(&["broken.c:3", "--dynamic"], &["does not compile"]);
}

#[test]
fn without_libclang_there_is_no_slice() {
    let output = totals().command().args(["slice", "totals.c:12"]).env("LIBCLANG_PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("apt install"));
}

#[test]
fn a_question_that_makes_no_sense_is_refused() {
    let place = totals();
    place.lapidary(&["slice", "totals.c:12:zzz"]).ends_with(2).complains(&["there is no variable zzz on line 12"]);
    place.lapidary(&["slice", "totals.c:1"]).ends_with(2).complains(&["no statement on line 1", "a line with code"]);
    place.write("broken.c", "int main(void)\n{\n    return nothing;\n}\n");
    let run = place.lapidary(&["slice", "broken.c:3", "--dynamic"]).ends_with(2);
    let run = run.complains(&["does not compile", "nothing"]);
    assert!(!run.stderr.contains("LAPIDARY"), "{run}");
}
