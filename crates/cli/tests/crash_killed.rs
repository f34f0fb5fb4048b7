//! Compilers and programs that something else kills while `lapidary crash` uses them.

use crate::support;
use std::fs;
use std::process::Command;
use support::{Place, Run};

const PROGRAM: &str = "#include <stdio.h>\n#include <stdlib.h>\n\nstruct item {\n    int weight;\n    struct item *next;\n};\n\n\
    static int total(const struct item *item)\n{\n    int sum = 0;\n    for (int i = 0; i < 3; i++) {\n        \
    sum += item->weight;\n        item = item->next;\n    }\n    return sum;\n}\n\n\
    int main(void)\n{\n    struct item last = { 2, NULL };\n    struct item first = { 1, &last };\n    \
    printf(\"%d\\n\", total(&first));\n    return 0;\n}\n";

/// A directory with the program and a compiler that is killed when the shell words after `when`
/// hold. `$n` is the number of the call.
fn place(when: &str) -> Place {
    let place = Place::new();
    place.write("list.c", PROGRAM);
    compiler(&place, when);
    place
}

fn compiler(place: &Place, when: &str) {
    let calls = place.path("calls");
    let body = format!(
        "echo >> {0}; n=$(wc -l < {0}); echo \"$@\" | grep -q fsanitize=address && asan=1\n\
         if {when}; then kill -9 $$; fi\nexec gcc \"$@\"",
        calls.display()
    );
    place.script("gcc-killed", &body);
}

fn crash(place: &Place, options: &[&str]) -> Run {
    let compiler = place.path("gcc-killed");
    // A busy machine must not change an answer.
    let words = ["crash", "list.c", "-j1", "--timeout", "100", "--compiler", compiler.to_str().unwrap()];
    place.lapidary(&[&words, options].concat())
}

fn undisturbed() -> Place {
    let place = place("false");
    crash(&place, &[]).ends_with(0);
    place
}

const JOURNAL: &str = "list.reduced.c.journal.jsonl";

#[test]
fn a_compiler_that_is_killed_now_and_then_changes_nothing() {
    let quiet = undisturbed();
    for when in ["[ $(($n % 3)) = 0 ]", "[ \"$asan\" ] && [ $(($n % 2)) = 0 ]"] {
        let place = place(when);
        crash(&place, &[]).ends_with(0);
        assert_eq!(place.read("list.reduced.c"), quiet.read("list.reduced.c"), "killed if {when}");
        assert!(!place.read(JOURNAL).contains("disturbed"), "trying again helps");
    }
}

#[test]
fn a_compiler_that_complains_of_a_killed_helper_is_run_again() {
    let quiet = undisturbed();
    let place = Place::new();
    place.write("list.c", PROGRAM);
    let calls = place.path("calls");
    let words = "gcc: fatal error: Killed signal terminated program cc1";
    let body = format!(
        "echo >> {0}; n=$(wc -l < {0})\nif [ $(($n % 3)) = 0 ]; then echo '{words}' >&2; exit 1; fi\nexec gcc \"$@\"",
        calls.display()
    );
    place.script("gcc-killed", &body);
    crash(&place, &[]).ends_with(0);
    assert_eq!(place.read("list.reduced.c"), quiet.read("list.reduced.c"));
}

#[test]
fn a_lasting_storm_ends_the_run_and_the_next_one_goes_on() {
    let quiet = undisturbed();
    let calls = quiet.lines("calls");
    for first in [calls - 4, calls - 1] {
        let place = place(&format!("[ $n -ge {first} ]"));
        let run = crash(&place, &[]).ends_with(3);
        run.complains(&["killed from outside", "gcc-killed"]);
        assert!(!place.read(JOURNAL).contains("\"done\":true"), "{}", place.read(JOURNAL));
        fs::remove_file(place.path("calls")).unwrap();
        compiler(&place, "false");
        crash(&place, &["--resume"]).ends_with(0);
        assert_eq!(place.read("list.reduced.c"), quiet.read("list.reduced.c"), "a storm from call {first} of {calls}");
    }
}

#[test]
fn a_storm_from_the_beginning_says_nothing_about_the_program() {
    for when in ["true", "[ \"$asan\" ]", "echo \"$@\" | grep -q list.c"] {
        let run = crash(&place(when), &[]).ends_with(3);
        run.complains(&["killed from outside", "gcc-killed"]);
    }
}

/// Becomes part of each program, beside its text: counts its runs and kills some of them.
const KILLER: &str = "#include <signal.h>\n#include <stdio.h>\n\
    __attribute__((constructor)) static void count(void)\n{\n    FILE *runs = fopen(RUNS, \"a\");\n    \
    fputc('x', runs);\n    fflush(runs);\n    if (ftell(runs) % 3 == 0)\n        raise(SIGKILL);\n    fclose(runs);\n}\n";

#[test]
fn a_program_that_is_killed_now_and_then_changes_nothing() {
    let quiet = undisturbed();
    let place = Place::new();
    place.write("list.c", PROGRAM);
    place.write("killer.c", KILLER);
    let (runs, object) = (place.path("runs"), place.path("killer.o"));
    let mut make = Command::new("gcc");
    make.arg(format!("-DRUNS=\"{}\"", runs.display())).arg("-c").arg(place.path("killer.c")).arg("-o").arg(&object);
    assert!(make.status().unwrap().success());
    let body = "case \" $* \" in *' -c '*|*' -shared '*|*' -E '*|*--version*) exec gcc \"$@\";; esac\nexec gcc \"$@\"";
    place.script("gcc-killed", &format!("{body} {}", object.display()));
    // In a sandbox the program could not count its runs.
    crash(&place, &["--sandbox=off"]).ends_with(0);
    assert!(place.read("runs").len() > 20, "programs ran with what kills them");
    assert_eq!(place.read("list.reduced.c"), quiet.read("list.reduced.c"));
    assert!(!place.read(JOURNAL).contains("disturbed"), "trying again helps");
}
