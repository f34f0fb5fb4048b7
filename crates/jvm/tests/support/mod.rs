//! A real JVM to compare with, and a deterministic generator of numbers.

pub mod mutation;

use lapidary_testkit::javac_texts;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Compiles the given sources, each with its file name, into a fresh directory.
pub fn compile(sources: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    javac_texts(&[], directory.path(), sources);
    directory
}

/// A JVM that answers questions about the classes in some directories and its own.
pub struct Oracle {
    program: TempDir,
    class_path: Vec<PathBuf>,
}

impl Oracle {
    pub fn new(class_path: &[&Path]) -> Oracle {
        let program = compile(&[("Oracle.java", include_str!("../java/Oracle.java"))]);
        Oracle { program, class_path: class_path.iter().map(|path| path.to_path_buf()).collect() }
    }

    /// One answer for each question.
    pub fn ask(&self, questions: &[String]) -> Vec<String> {
        let places = self.class_path.iter().map(PathBuf::as_path).chain([self.program.path()]);
        let mut java = Command::new("java")
            .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:ErrorFile=/dev/null"])
            .args(["--add-modules", "ALL-SYSTEM"])
            .args(["--add-opens", "java.base/java.lang.invoke=ALL-UNNAMED", "-cp"])
            .arg(std::env::join_paths(places).unwrap())
            .arg("Oracle")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("java is needed for these tests");
        let mut stdin = java.stdin.take().unwrap();
        let text = questions.join("\n") + "\n";
        let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        let output = java.wait_with_output().unwrap();
        let written = writer.join().unwrap();
        assert!(written.is_ok() && output.status.success(), "the JVM itself failed: {}", output.status);
        let answers: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect();
        assert_eq!(answers.len(), questions.len(), "one answer for each question");
        answers
    }
}

/// Random choices from a seed.
pub struct Random(lapidary_common::Random);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(lapidary_common::Random::new(seed))
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}
