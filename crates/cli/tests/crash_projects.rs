//! `lapidary crash` on several files, and on malformed ones.

use crate::support;

use serde_json::json;
use std::fs;
use support::{Place, Run};

const LIST_H: &str = "#include <stddef.h>\nstruct node { int value; struct node *next; };\n\
                      int length(struct node *list);\nint last(struct node *list);\n";
const LIST_C: &str = "#include \"list.h\"\n\nint length(struct node *list)\n{\n    int n = 0;\n    \
                      for (; list != NULL; list = list->next)\n        n++;\n    return n;\n}\n\n\
                      int last(struct node *list)\n{\n    while (list->next != NULL)\n        list = list->next;\n    \
                      return list->value;\n}\n";
const MAIN_C: &str = "#include <stdio.h>\n#include \"list.h\"\n\nint main(void)\n{\n    struct node one = {1, NULL};\n    \
                      printf(\"%d\\n\", length(&one));\n    printf(\"%d\\n\", last(&one));\n    return last(NULL);\n}\n";

fn list(place: &Place, directory: &str) {
    place.write(&format!("{directory}/src/main.c"), MAIN_C);
    place.write(&format!("{directory}/src/list.c"), LIST_C);
    place.write(&format!("{directory}/include/list.h"), LIST_H);
}

fn assert_list_is_small(place: &Place, result: &str, run: &Run) {
    let (main, list) = (place.read(&format!("{result}/src/main.c")), place.read(&format!("{result}/src/list.c")));
    assert!(main.contains("last(") && !main.contains("printf"), "{main}\n{run}");
    assert!(list.contains("while (") && !list.contains("length"), "{list}\n{run}");
}

#[test]
fn several_files_become_a_smaller_directory() {
    let place = Place::new();
    list(&place, "lists");
    let files = ["lists/src/main.c", "lists/src/list.c", "lists/include/list.h"];
    let options = ["--flags", "-Ilists/include", "--json", "summary.json"];
    let run = place.lapidary(&[&["crash"][..], &files, &options].concat()).ends_with(0);
    let run = run.prints(&[
        "null pointer at src/list.c:13 in last",
        "--- src/list.c\n",
        "-->     while (",
        "result: lists.reduced\n",
    ]);
    assert_list_is_small(&place, "lists.reduced", &run);
    assert_eq!(place.json("summary.json")["failure"]["frames"][1]["file"], "src/main.c");
}

#[test]
fn a_project_is_built_by_its_compile_commands() {
    let place = Place::new();
    list(&place, "project");
    let root = place.path("project");
    let command = |file: &str| json!({"directory": root, "file": file, "command": format!("gcc -Iinclude -c {file}")});
    let commands = json!([command("src/main.c"), command("src/list.c"), command("src/other.c")]);
    place.write("project/src/other.c", "int main(void) { return 0; }\n");
    place.write("project/build/compile_commands.json", commands.to_string());
    let both = place.lapidary(&["crash", "-p", "project/build", "--out", "small"]).ends_with(2);
    let both = both.complains(&["more than one program", "multiple definition of `main'"]);
    assert!(!both.stderr.contains("lapidary-candidate"), "{both}");
    let files = ["project/src/main.c", "project/src/list.c"];
    let run = place.lapidary(&[&["crash", "-p", "project/build", "--out", "small"][..], &files].concat()).ends_with(0);
    let run = run.prints(&["null pointer at src/list.c:13 in last"]);
    assert_list_is_small(&place, "small", &run);
    let run = place.lapidary(&["crash", "-p", "project/src", "--out", "other"]).ends_with(2);
    run.complains(&["compile_commands.json"]);
    assert!(!place.exists("small/src/other.c"), "what is not named is not part of the program");
    place.write("elsewhere.c", "int x;\n");
    let run = place.lapidary(&["crash", "-p", "project/build", "elsewhere.c", "--out", "other"]).ends_with(2);
    run.complains(&["elsewhere.c is not among the compile commands"]);
}

#[test]
fn a_build_directory_that_is_far_away() {
    let place = Place::new();
    list(&place, "home/lists");
    place.write("home/private.h", "#error \"not the project's\"\n");
    let root = place.path("home/lists");
    let command = |file: &str| json!({"directory": root, "file": file, "command": format!("gcc -Iinclude -c {file}")});
    let commands = json!([command("src/main.c"), command("src/list.c")]);
    place.write("elsewhere/build/compile_commands.json", commands.to_string());
    let run = place.lapidary(&["crash", "-p", "elsewhere/build", "--out", "small"]).ends_with(0);
    run.prints(&["null pointer at list.c:13 in last"]);
    assert!(place.exists("small/list.c") && !place.exists("small/home"));
}

#[test]
fn headers_that_are_not_named_are_found() {
    let place = Place::new();
    place.write("two/lib.h", "void f(int n);\n");
    place.write("two/main.c", "#include \"lib.h\"\nint main(void)\n{\n    f(1);\n    f(0);\n}\n");
    place.write("two/a.c", "#include \"lib.h\"\n#include <assert.h>\nvoid f(int n)\n{\n    assert(n);\n}\n");
    let run = place.lapidary(&["crash", "two/main.c", "two/a.c", "--out", "small"]).ends_with(0);
    run.prints(&["assertion `n` failed at a.c:5 in f"]);
    assert!(place.exists("small/a.c") && place.exists("small/lib.h"), "the header belongs to the program");
    let run = place.lapidary(&["slice", "two/a.c:5", "two/main.c", "--dynamic"]).ends_with(0);
    assert!(run.stdout.contains("assert(n);"), "{run}");
}

#[test]
fn results_do_not_go_over_the_sources_and_may_go_beside_them() {
    let place = Place::new();
    list(&place, "lists");
    let start = ["crash", "lists/src/main.c", "lists/src/list.c", "--flags", "-Ilists/include", "--json"];
    for wrong in ["lists", "lists/src", "lists/src/list.c"] {
        let run = place.lapidary(&[&start[..], &["x.json", "--out", wrong]].concat()).ends_with(2);
        run.complains(&["the input is never overwritten"]);
    }
    place.lapidary(&[&start[..], &["lists/src/main.c"]].concat()).ends_with(2).complains(&["never overwritten"]);
    place.lapidary(&[&start[..], &["lists/src/summary.json", "--out", "lists/src/small"]].concat()).ends_with(0);
    assert!(place.exists("lists/src/small/list.c") && place.exists("lists/src/summary.json"));
}

#[test]
fn a_crash_in_a_header_beside_the_file() {
    let place = Place::new();
    place.write("divide.h", "static int divide(int a, int b)\n{\n    return a / b;\n}\n");
    place.write(
        "main.c",
        "#include \"divide.h\"\nint main(void)\n{\n    int n = divide(4, 2);\n    return divide(n, n - 2);\n}\n",
    );
    let run = place.lapidary(&["crash", "main.c"]).ends_with(0);
    run.prints(&["integer division by zero at", "divide.h:3 in divide", "main.c:5"]);
    let result = place.read("main.reduced.c");
    assert!(result.contains("#include \"divide.h\"") && result.contains("divide("), "{result}");
    let run = place.lapidary(&["crash", "main.c", "divide.h", "--out", "both"]).ends_with(0);
    run.prints(&["--- divide.h\n", "-->     return ", "result: both\n"]);
    assert!(place.read("both/divide.h").contains(" / "));
}

#[test]
fn a_source_that_is_not_utf_8() {
    let place = Place::new();
    let text = b"#include <stdlib.h>\n/* Z\xfcrich \xff */\nint main(void)\n{\n    const char *s = \"\xe9t\xe9\";\n    if (s[1] == 't')\n        abort();\n    return 0;\n}\n";
    place.write("latin.c", text);
    place.lapidary(&["crash", "latin.c"]).ends_with(0).prints(&["abort at latin.c:7 in main", "-->"]);
    let result = fs::read(place.path("latin.reduced.c")).unwrap();
    assert!(result.windows(7).any(|window| window == b"abort()"));
}

#[test]
fn nothing_that_fails() {
    let place = Place::new();
    place.write("fine.c", "#include <stdio.h>\nint main(void) { puts(\"all is well\"); return 3; }\n");
    let run = place.lapidary(&["crash", "fine.c"]).ends_with(1);
    run.complains(&["does not fail: exit code 3", "all is well"]);
    place.write("waits.c", "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n");
    let run = place.lapidary(&["crash", "waits.c", "--timeout", "0.3"]).ends_with(1);
    run.complains(&["did not fail within 0.3 s"]);
    assert!(!place.exists("fine.reduced.c") && !place.exists("waits.reduced.c.journal.jsonl"));
}

#[test]
fn nothing_that_can_be_compiled() {
    let place = Place::new();
    place.write("broken.c", "int main(void) {\n    return nothing;\n}\n");
    place.lapidary(&["crash", "broken.c"]).ends_with(2).complains(&["does not compile", "broken.c:2", "nothing"]);
    place.write("header.c", "#include \"missing.h\"\nint main(void) { return 0; }\n");
    place.lapidary(&["crash", "header.c"]).ends_with(2).complains(&["does not compile", "missing.h"]);
    place.write("half.c", "int f(void);\nint main(void) { return f(); }\n");
    place.lapidary(&["crash", "half.c"]).ends_with(2).complains(&["does not compile", "undefined reference to `f'"]);
    place.write("notes.txt", "int main(void) {}\n");
    place
        .lapidary(&["crash", "notes.txt"])
        .ends_with(2)
        .complains(&["notes.txt does not have the name of a C or C++ source"]);
    place.lapidary(&["crash", "nosuch.c"]).ends_with(2).complains(&["cannot read nosuch.c"]);
    place.lapidary(&["crash", "."]).ends_with(2).complains(&["is a directory", "-p"]);
    place.lapidary(&["crash"]).ends_with(2);
}

#[test]
fn tools_that_are_missing() {
    let place = Place::new();
    place.write("a.c", "#include <stdlib.h>\nint main(void) { abort(); }\n");
    let run = place.lapidary(&["crash", "a.c", "--compiler", "no-such-cc"]).ends_with(2);
    run.complains(&["no compiler no-such-cc", "install"]);
    let output = place.command().args(["crash", "a.c"]).env("LIBCLANG_PATH", "/nowhere").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("libclang") && stderr.contains("apt install"), "{stderr}");
    assert!(!place.exists("a.reduced.c"));
}
