//! Harmful programs: `lapidary crash` runs many variants of them, and must leave no trace.

use crate::support;

use support::{Place, Run};

const ABORT: &str = "    abort();\n    return 0;\n}\n";

fn program(includes: &str, body: &str) -> String {
    format!("#include <stdlib.h>\n{includes}int main(void)\n{{\n{body}{ABORT}")
}

fn minimised(name: &str, text: &str, options: &[&str]) -> (Place, Run) {
    let place = Place::new();
    place.write(name, text);
    let run = place.lapidary(&[&["crash", name, "--out", "small.c"], options].concat());
    (place, run)
}

#[test]
fn a_program_that_prints_without_end_until_it_fails() {
    let body = "    for (int i = 0; i < 3000000; i++)\n        puts(\"again and again\");\n";
    let (place, run) = minimised("loud.c", &program("#include <stdio.h>\n", body), &[]);
    run.ends_with(0).prints(&["abort at loud.c:7 in main"]);
    assert!(!place.read("small.c").contains("puts"));
}

#[test]
fn children_that_outlive_the_program() {
    let body = "    for (int i = 0; i < 3; i++)\n        if (fork() == 0) {\n            setsid();\n            \
                for (;;)\n                pause();\n        }\n";
    // `Place` checks after every run that no process is left.
    let (_, run) = minimised("forks.c", &program("#include <unistd.h>\n", body), &[]);
    run.ends_with(0).prints(&["abort at forks.c:11 in main"]);
}

#[test]
fn a_fork_bomb_that_meets_a_limit() {
    let place = Place::new();
    let body = "    for (int i = 0; i < 6; i++)\n        fork();\n    if (getppid() < 2)\n        return 0;\n";
    place.write("bomb.c", program("#include <unistd.h>\n", body));
    let mut command = place.command();
    command.args(["crash", "bomb.c", "--out", "small.c", "--budget", "10", "-j1"]);
    let output = command.output().unwrap();
    let code = output.status.code().unwrap();
    assert!([0, 3].contains(&code), "{}", String::from_utf8_lossy(&output.stderr));
    place.wait_until_clean();
}

#[test]
fn a_program_that_deletes_where_it_is_and_ends_its_group() {
    let body = "    remove(\"small.c\");\n    signal(SIGTERM, SIG_IGN);\n    kill(0, SIGTERM);\n";
    let (place, run) = minimised("group.c", &program("#include <signal.h>\n#include <stdio.h>\n", body), &["-j1"]);
    run.ends_with(0).prints(&["abort at group.c:9 in main"]);
    assert!(place.exists("small.c"));
}

#[test]
fn memory_has_a_limit() {
    let body = "    for (char *p; (p = malloc(1 << 28)) != NULL;)\n        p[0] = 1;\n";
    let (_, run) = minimised("eats.c", &program("", body), &[]);
    run.ends_with(0).prints(&["abort at eats.c:6 in main"]);
}

#[test]
fn a_sandbox_keeps_files_from_being_written() {
    let writes = "    FILE *f = fopen(\"written\", \"w\");\n    if (f)\n        fputs(\"x\", f);\n";
    let text = program("#include <stdio.h>\n", writes);
    let (place, run) = minimised("writes.c", &text, &["--sandbox"]);
    run.ends_with(0).prints(&["abort at writes.c:8 in main"]);
    assert!(!place.exists("written"), "nothing is written in the sandbox");
    let (place, run) = minimised("writes.c", &text, &["--sandbox=off"]);
    run.ends_with(0);
    assert!(place.exists("written"), "the program does what it always does without");
}
