//! Dozens of faults out of those of `make test-faults`: kills, I/O errors, lost power.

use crate::support;
use std::path::Path;
use std::process::Command;

/// Injects this many faults into a subject of bench/faults.
fn survives(subject: &str, faults: u32) {
    let results = tempfile::tempdir().unwrap();
    let mut command = Command::new(support::example("bench/faults/run"));
    command.args(["--subject", subject, "--faults", &faults.to_string(), "--jobs", "2", "--seed", "20"]);
    command.arg("--lapidary").arg(Path::new(env!("CARGO_BIN_EXE_lapidary"))).arg("--results").arg(results.path());
    let output = command.output().expect("Python 3 is needed for this test");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(!said.contains("\n0 faults"), "nothing was injected: {said}");
}

#[test]
fn a_reduction_of_lines_survives_faults() {
    survives("lines", 30);
}

#[test]
fn a_reduction_of_a_directory_survives_faults() {
    survives("directory", 24);
}

#[test]
fn a_reduction_with_a_worker_survives_faults() {
    survives("worker", 12);
}
