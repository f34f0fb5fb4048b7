//! Shared test support: Java fixtures compiled by javac, and damaged class files.

pub mod mutation;
pub mod patch;

use std::fs;
use std::path::{Path, PathBuf};

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

/// The fixtures under `tests/fixtures/NAME`, compiled with these options. Without javac, the test
/// fails.
#[track_caller]
pub fn compile(name: &str, options: &[&str]) -> Compiled {
    let mut sources = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name), &mut sources);
    compile_files(&sources, options)
}

/// A source text compiled with these options. Without javac, the test fails.
#[track_caller]
pub fn compile_text(file: &str, text: &str, options: &[&str]) -> Compiled {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(file);
    fs::write(&path, text).unwrap();
    compile_files(&[path], options)
}

#[track_caller]
fn compile_files(sources: &[PathBuf], options: &[&str]) -> Compiled {
    let directory = tempfile::tempdir().unwrap();
    lapidary_testkit::javac(options, directory.path(), sources);
    Compiled { directory }
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| collect(&entry.unwrap().path(), found));
    } else {
        found.push(path.to_path_buf());
    }
}
