//! Dozens of random programs whose right answer is known: bench/truth with small counts and fixed
//! seeds.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs like `bench/truth/run`, with enough time for a debug build.
fn ask(what: &str, count: usize) {
    let lapidary = Path::new(env!("CARGO_BIN_EXE_lapidary"));
    let out = tempfile::tempdir().unwrap();
    let mut command = Command::new(example(lapidary));
    command.args([
        what,
        "--count",
        &count.to_string(),
        "--jobs",
        "1",
        "--together",
        "3",
        "--seed",
        "20",
        "--seconds",
        "2",
    ]);
    let output = command.arg("--lapidary").arg(lapidary).arg("--out").arg(out.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let kept = out.keep();
        panic!("{said}{}\nkept in {}", String::from_utf8_lossy(&output.stderr), kept.display());
    }
    assert!(said.contains(" 0 wrong") && !said.contains(" 0 right"), "{said}");
}

/// `cargo test` builds examples, too, unless it is given the tests to build.
fn example(lapidary: &Path) -> PathBuf {
    let path = lapidary.with_file_name("examples").join("truth");
    assert!(path.is_file(), "cargo build -p lapidary-cli --example truth");
    path
}

#[test]
fn equal_programs_are_never_called_different() {
    ask("equal", 12);
}

#[test]
fn seeded_differences_are_never_overlooked() {
    ask("seeded", 12);
}

#[test]
fn behaviour_that_escapes_a_call_is_never_forgotten() {
    ask("escaping", 100);
}

#[test]
fn explored_paths_happen_and_none_is_missing() {
    ask("explore", 12);
}
