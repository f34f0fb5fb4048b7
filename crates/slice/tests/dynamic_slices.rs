//! Dynamic slices of small programs consist of the lines marked in their comments, for a run with
//! the arguments `1 2`.

use crate::common;

use common::{criterion, differences, programs, units};
use lapidary_slice::{Instrumented, SliceError, apply, dynamic_slice, instrument, values_in};
use std::path::Path;
use std::process::Command;

/// Compiles the traced program, runs it, and returns the trace.
fn trace(path: &Path, instrumented: &Instrumented<'_>) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let text = std::fs::read(path).expect("a readable program");
    let traced = folder.path().join(path.file_name().expect("a name"));
    std::fs::write(&traced, apply(&instrumented.edits, path, &text)).expect("a file");
    let runtime = folder.path().join("runtime.c");
    std::fs::write(&runtime, instrumented.runtime()).expect("a file");
    let (object, program) = (folder.path().join("runtime.o"), folder.path().join("program"));
    let is_cpp = path.extension().is_some_and(|extension| extension == "cpp");
    let flags: &[&str] = if is_cpp { &["-std=c++17"] } else { &["-std=c17", "-pedantic-errors"] };
    run(Command::new("gcc").args(["-O2", "-c"]).arg(&runtime).arg("-o").arg(&object));
    let mut compiler = Command::new(if is_cpp { "g++" } else { "gcc" });
    run(compiler.args(["-g", "-w"]).args(flags).arg(&traced).arg(&object).arg("-o").arg(&program));
    let file = folder.path().join("trace");
    // The exit status does not matter: most of these programs fail.
    Command::new(&program).args(["1", "2"]).env("LAPIDARY_TRACE", &file).output().expect("a run");
    std::fs::read(file).expect("a trace")
}

fn run(command: &mut Command) {
    let done = command.output().expect("a compiler");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn dynamic_slices_are_what_the_comments_say() {
    let mut wrong = Vec::new();
    for path in programs("dynamic") {
        let units = units(&path);
        let instrumented = instrument(&units, &[]);
        let slice =
            dynamic_slice(&instrumented, &trace(&path, &instrumented), Some(&criterion(&path))).expect("a slice");
        wrong.extend(differences(&path, &slice));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn without_a_criterion_the_last_statement_is_meant() {
    let path = programs("dynamic").into_iter().find(|path| path.ends_with("crash.c")).expect("a program that crashes");
    let units = units(&path);
    let instrumented = instrument(&units, &[]);
    let slice = dynamic_slice(&instrumented, &trace(&path, &instrumented), None).expect("a slice");
    assert_eq!(differences(&path, &slice), Vec::<String>::new());
}

#[test]
fn a_broken_trace_is_an_error() {
    let path = programs("dynamic").remove(0);
    let units = units(&path);
    let instrumented = instrument(&units, &[]);
    let mut trace = trace(&path, &instrumented);
    trace.truncate(1000);
    for bad in [Vec::new(), b"something else".to_vec(), trace] {
        let error = dynamic_slice(&instrumented, &bad, None).expect_err("this is no trace");
        assert!(matches!(error, SliceError::BadTrace { .. }));
    }
}

/// A comment `// EXPRESSION is LITERAL` states the value that an expression of its line had when it
/// was last computed. With `is at last`, it had other values before. An expression that was never
/// computed is 0.
#[test]
fn values_are_what_the_comments_say() {
    for path in programs("values") {
        let units = units(&path);
        let instrumented = instrument(&units, &[]);
        let mut found: Vec<(u32, String, String)> = values_in(&instrumented, &trace(&path, &instrumented))
            .into_iter()
            .map(|value| {
                let at_last = if value.varies { "at last " } else { "" };
                let expression = String::from_utf8(value.expression).expect("a text");
                (value.line, expression, format!("{at_last}{}", value.literal))
            })
            .collect();
        let text = std::fs::read_to_string(&path).expect("a readable program");
        let mut expected = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let said = line.split(" // ").skip(1).filter_map(|comment| comment.trim().split_once(" is "));
            expected.extend(said.map(|(what, literal)| (number, what.to_owned(), literal.to_owned())));
        }
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{}", path.display());
    }
}
