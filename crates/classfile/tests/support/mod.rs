//! Shared test support: Java fixtures compiled by javac, and damaged class files.
#![allow(dead_code)]

pub mod mutation;
pub mod patch;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiled fixtures; the directory is deleted with the value.
pub struct Compiled {
    directory: tempfile::TempDir,
}

impl Compiled {
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Every class file with its path, in order.
    pub fn classes(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        collect(self.path(), &mut found);
        found.sort();
        found.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

/// The fixtures under `tests/fixtures/NAME`, compiled with these options. Without javac, a test
/// that compiles something fails. If LAPIDARY_SKIP_JAVA is set, the result is `None` with a message
/// instead.
pub fn compile(name: &str, options: &[&str]) -> Option<Compiled> {
    let mut sources = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name), &mut sources);
    compile_files(&sources, options)
}

/// A source text compiled with these options.
pub fn compile_text(file: &str, text: &str, options: &[&str]) -> Option<Compiled> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(file);
    fs::write(&path, text).unwrap();
    compile_files(&[path], options)
}

fn compile_files(sources: &[PathBuf], options: &[&str]) -> Option<Compiled> {
    if Command::new("javac").arg("-version").output().is_err() {
        let skip = std::env::var_os("LAPIDARY_SKIP_JAVA").is_some();
        assert!(
            skip,
            "there is no javac on PATH: `scripts/setup java` installs one, LAPIDARY_SKIP_JAVA=1 goes without"
        );
        eprintln!("skipped: there is no javac on PATH");
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    lapidary_testkit::javac(options, directory.path(), sources);
    Some(Compiled { directory })
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| collect(&entry.unwrap().path(), found));
    } else {
        found.push(path.to_path_buf());
    }
}
