//! Inputs that break libclang, a grammar or the solver: the run goes on without them, says so once,
//! and leaves nothing behind.

use crate::support;

use std::process::Command;
use std::time::Duration;
use support::{Place, Run, wait_until};

fn reduced(place: &Place, file: &str, kept: &str) -> Run {
    place.lapidary(&["reduce", file, "--force", "--", "grep", "-q", kept, "{}"]).ends_with(0)
}

/// Nested deeper than libclang's stack, however large that is.
fn too_deep_for_libclang() -> String {
    format!("int y;\nint x = {}1;\nint z;\n", "(".repeat(200_000))
}

#[test]
fn a_program_that_crashes_libclang_is_reduced_by_its_grammar() {
    let place = Place::new();
    place.write("deep.c", too_deep_for_libclang());
    let run = reduced(&place, "deep.c", "int x");
    run.complains(&["libclang cannot read", "deep.c (it crashed", "its grammar is used"]);
    assert!(place.read("deep.reduced.c").contains("int x"));
}

#[test]
fn nesting_that_libclang_can_read_is_no_trouble() {
    let place = Place::new();
    place.write("deep.c", format!("int y;\nint x = {}1{};\n", "(".repeat(1_200), ")".repeat(1_200)));
    let run = reduced(&place, "deep.c", "int x = ((");
    assert!(!run.stderr.contains("warning"), "{run}");
}

#[test]
fn only_regular_files_are_included() {
    let place = Place::new();
    place.write("zero.c", "#include \"/dev/zero\"\nint x;\nint y;\n");
    reduced(&place, "zero.c", "int x").complains(&["#include \"/dev/zero\" names no regular file"]);
    assert!(Command::new("mkfifo").arg(place.path("pipe.h")).status().unwrap().success());
    place.write("pipe.c", "#include \"pipe.h\"\nint x;\nint y;\n");
    reduced(&place, "pipe.c", "int x").complains(&["#include \"pipe.h\" names no regular file"]);
    // A pipe behind a header is found out by libclang's sleep.
    place.write("header.h", "#include \"pipe.h\"\n");
    place.write("behind.c", "#include \"header.h\"\nint x;\nint y;\n");
    reduced(&place, "behind.c", "int x").complains(&["libclang cannot read", "waits for something"]);
}

#[test]
fn killed_children_change_nothing() {
    let place = Place::new();
    place.example("examples/c/inventory.c");
    place.example("examples/c/still-warns");
    let arguments =
        ["reduce", "examples/c/inventory.c", "--force", "--jobs", "1", "--", "examples/c/still-warns", "{}"];
    place.lapidary(&arguments).ends_with(0);
    let undisturbed = place.read("examples/c/inventory.reduced.c");
    let running = place.start(&arguments);
    // A question is asked again a few times. Children have the hidden argument in their command line.
    for _ in 0..4 {
        std::thread::sleep(Duration::from_millis(300));
        let _ = Command::new("pkill").args(["-KILL", "-P", &running.id().to_string(), "-f", "__foreign"]).status();
    }
    running.wait().ends_with(0);
    assert_eq!(place.read("examples/c/inventory.reduced.c"), undisturbed);
}

#[test]
fn a_grammar_that_crashes_is_an_error_and_not_a_crash() {
    let place = Place::new();
    place.write("input.txt", "some text\n");
    place.write(
        "bad.c",
        "#include <stdlib.h>\nconst void *tree_sitter_bad(void) { return 0; }\n\
        __attribute__((constructor)) static void start(void) { abort(); }\n",
    );
    let mut compiler = Command::new("cc");
    let built = compiler.args(["-shared", "-fPIC", "bad.c", "-o", "bad.so"]).current_dir(place.path("")).status();
    assert!(built.unwrap().success());
    let run = place.lapidary(&["reduce", "input.txt", "--as", "tree:./bad.so", "--", "true", "{}"]).ends_with(2);
    run.complains(&["cannot load the grammar library ./bad.so", "crashed (abort)"]);
}

#[test]
fn an_interrupt_does_not_wait_for_a_libclang_that_hangs() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("pipe.h")).status().unwrap().success());
    place.write("header.h", "#include \"pipe.h\"\n");
    place.write("behind.c", "#include \"header.h\"\nint x;\nint y;\n");
    let running = place.start(&["reduce", "behind.c", "--", "grep", "-q", "int x", "{}"]);
    let children =
        || Command::new("pgrep").args(["-P", &running.id().to_string(), "-f", "__foreign"]).output().unwrap();
    wait_until("libclang reads the file", || !children().stdout.is_empty());
    running.signal(rustix::process::Signal::TERM);
    let run = running.wait().ends_with(3);
    assert!(!run.stderr.contains("waits for something"), "nobody waited for that: {run}");
}

#[test]
fn a_concept_that_recurses_without_end() {
    let place = Place::new();
    place.write(
        "concept.cpp",
        "template <class T> struct A {};\ntemplate <class T> concept C = requires(T t) { f(t); };\n\
         template <class T> requires C<A<T>> void f(A<T>) {}\nstatic_assert(!C<A<int>>);\nint kept;\nint other;\n",
    );
    reduced(&place, "concept.cpp", "int kept");
    assert!(!place.read("concept.reduced.cpp").contains("other"));
}
