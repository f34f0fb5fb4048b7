//! Shared test support: scripts in temporary directories, and a list of running processes.

use lapidary_predicate::{CommandConfig, CommandPredicate, Timeout};
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A directory with a test script in it.
pub struct Script {
    _directory: tempfile::TempDir,
    pub path: PathBuf,
}

impl Script {
    pub fn new(body: &str) -> Self {
        let directory = tempfile::Builder::new().prefix("script-").tempdir().unwrap();
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let (draft, path) = (directory.path().join("draft"), directory.path().join("test.sh"));
        fs::write(&draft, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
        // A file that was open for writing here may be busy, because children of other threads
        // inherit it for a while.
        assert!(Command::new("cp").arg("-p").args([&draft, &path]).status().unwrap().success());
        Script { _directory: directory, path }
    }

    pub fn config(&self) -> CommandConfig {
        CommandConfig { timeout: Timeout::Fixed(Duration::from_secs(20)), ..CommandConfig::new(&self.path) }
    }

    pub fn predicate(&self) -> CommandPredicate {
        CommandPredicate::new(self.config()).unwrap()
    }
}

/// Judges a tiny candidate by a script.
pub fn judge(body: &str) -> Judgment {
    judge_with(body, |_| {})
}

pub fn judge_with(body: &str, configure: impl FnOnce(&mut CommandConfig)) -> Judgment {
    let script = Script::new(body);
    let mut config = script.config();
    configure(&mut config);
    CommandPredicate::new(config).unwrap().judge(&tiny(), &Cancel::new()).unwrap()
}

pub fn tiny() -> FileTree {
    FileTree::file("input.txt", "hello\n")
}

/// An argument for `sleep` of about 1000 s that no other process uses.
pub fn unique_sleep() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("1000.{}{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed) + 1000)
}

/// The running processes with this text in their command line.
pub fn running(marker: &str) -> Vec<String> {
    let is_number = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().parse::<u32>().is_ok());
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path()).filter(|path| is_number(path));
    let lines = processes.filter_map(|path| fs::read(path.join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).filter(|line| line.contains(marker)).collect()
}

/// After this time something hangs, even on a very busy machine. It keeps a broken test from
/// running forever; no test depends on the speed of the machine.
const HANGS: Duration = Duration::from_secs(1200);

pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < HANGS, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
