//! Programs without symbols print the same on a real JVM and on ours.

use crate::support;

use lapidary_symbolic::Outcome;
use std::process::Command;
use support::Program;

/// The output of `main` on a real JVM.
fn really_printed(program: &Program) -> String {
    let java = Command::new("java").args(["-ea", "-cp"]).arg(program.path()).arg(&program.class).output();
    let java = java.expect("java is installed");
    assert!(java.status.success(), "{}", String::from_utf8_lossy(&java.stderr));
    String::from_utf8(java.stdout).unwrap()
}

fn prints_the_same(name: &str) {
    let program = Program::compiled(name);
    let (paths, explored) = program.explored("main");
    assert_eq!((paths.len(), explored.exhausted), (1, true), "{:?}", paths.first().map(|path| &path.outcome));
    assert_eq!(paths[0].outcome, Outcome::Returned(None));
    assert_eq!(paths[0].stdout, really_printed(&program));
}

#[test]
fn the_language() {
    prints_the_same("Language");
}

#[test]
fn the_library() {
    prints_the_same("Library");
}

#[test]
fn the_end_of_the_machine() {
    let program = Program::compiled("Exits");
    let java = Command::new("java").arg("-cp").arg(program.path()).arg(&program.class).output().unwrap();
    let (paths, _) = program.explored("main");
    assert_eq!(paths[0].outcome, Outcome::Exited(java.status.code().unwrap()));
    assert_eq!(paths[0].stdout, String::from_utf8(java.stdout).unwrap());
}
