//! Small compiled Java programs, and a worker to query.

use lapidary_java_workers::{Decompiler, Installed};
use lapidary_reduce::{Entry, FileTree};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Fetches the decompiler from Maven Central, unless the user's cache has it.
pub fn install(decompiler: &str) -> Installed {
    let decompiler = Decompiler::parse(decompiler).unwrap();
    decompiler.install(&mut |line| eprintln!("{line}")).unwrap_or_else(|error| panic!("{error}"))
}

pub type Classes = BTreeMap<PathBuf, Vec<u8>>;

/// Compiles source files, given by name and text.
pub fn compile(sources: &[(&str, &str)]) -> Classes {
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (directory.path().join("from"), directory.path().join("to"));
    fs::create_dir_all(&from).unwrap();
    sources.iter().for_each(|(name, text)| fs::write(from.join(name), text).unwrap());
    lapidary_testkit::javac(&["--release", "17"], &to, sources.iter().map(|(name, _)| from.join(name)));
    let mut classes = Classes::new();
    for entry in fs::read_dir(to.join("p")).unwrap().flatten() {
        classes.insert(Path::new("p").join(entry.file_name()), fs::read(entry.path()).unwrap());
    }
    classes
}

pub fn tree(classes: &Classes) -> FileTree {
    let entries = classes.iter().map(|(path, bytes)| (path.clone(), Entry::file(bytes.clone())));
    FileTree::directory("classes", entries.collect())
}

pub fn write(classes: &Classes, directory: &Path) {
    for (path, bytes) in classes {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// The answer of a worker.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub exit: i64,
    pub stdout: String,
    pub decompiled: i64,
}

/// A running worker.
pub struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    previous: Classes,
    requests: u32,
}

impl Worker {
    pub fn start(installed: &Installed, options: &[&str]) -> Self {
        let (program, arguments) = installed.command(&[]);
        let mut command = Command::new(program);
        command.args(arguments).args(options).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut worker = Worker { child, stdin, stdout, previous: Classes::new(), requests: 0 };
        assert_eq!(worker.line(), serde_json::json!({"lapidary": 1}));
        worker
    }

    /// Asks about a directory that holds these classes.
    pub fn ask(&mut self, classes: &Classes) -> Answer {
        let directory = tempfile::tempdir().unwrap();
        write(classes, directory.path());
        let changed = classes.iter().filter(|(path, bytes)| self.previous.get(*path) != Some(*bytes));
        let changed: Vec<_> = changed.map(|(path, _)| path.clone()).collect();
        let removed: Vec<_> = self.previous.keys().filter(|path| !classes.contains_key(*path)).cloned().collect();
        self.previous = classes.clone();
        self.request(directory.path(), &changed, &removed)
    }

    pub fn request(&mut self, candidate: &Path, changed: &[PathBuf], removed: &[PathBuf]) -> Answer {
        let request = serde_json::json!({
            "id": self.requests, "candidate": candidate, "directory": candidate.parent(),
            "changed": changed, "removed": removed,
        });
        writeln!(self.stdin, "{request}").unwrap();
        let answer = self.line();
        assert_eq!(answer["id"], self.requests);
        self.requests += 1;
        Answer {
            exit: answer["exit"].as_i64().unwrap(),
            stdout: answer["stdout"].as_str().unwrap().to_owned(),
            decompiled: answer["decompiled"].as_i64().unwrap(),
        }
    }

    fn line(&mut self) -> serde_json::Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
