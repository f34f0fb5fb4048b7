//! Shared by the command-line tests: a place to run the real binary in, and checks of what a run
//! leaves behind.
//!
//! Every run that ends, however it ends, must leave its inputs as they were, nothing in TMPDIR and
//! no process: [`Place::lapidary`] checks that each time, so that no test has to ask for it.
#![allow(dead_code)]

pub mod pair;
pub mod shop;
pub mod term;

use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A directory to work in, with its own TMPDIR.
pub struct Place {
    directory: tempfile::TempDir,
    /// The files put there, which no run may change.
    given: RefCell<BTreeMap<PathBuf, Vec<u8>>>,
}

/// The outputs of a run, and how it ended.
#[derive(Debug)]
pub struct Run {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A run in progress. It is killed on drop, so that it does not outlive its test.
pub struct Running<'a> {
    child: Child,
    place: &'a Place,
}

impl Place {
    pub fn new() -> Place {
        let directory = tempfile::Builder::new().prefix("lapidary-cli-test-").tempdir().unwrap();
        let place = Place { directory, given: RefCell::default() };
        fs::create_dir(place.path("")).unwrap();
        fs::create_dir(place.tmpdir()).unwrap();
        place
    }

    /// A place with `input.txt`: the numbers from 1 to 40, one on each line.
    pub fn with_numbers() -> Place {
        let place = Place::new();
        place.write("input.txt", numbers(40));
        place
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join("work").join(name)
    }

    pub fn tmpdir(&self) -> PathBuf {
        self.directory.path().join("tmp")
    }

    /// Writes a file, and creates its directories.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &content).unwrap();
        self.given.borrow_mut().insert(path.clone(), content.as_ref().to_vec());
        path
    }

    /// Writes an executable shell script.
    pub fn script(&self, name: &str, body: &str) -> PathBuf {
        let path = self.write(name, format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Copies a file of the repository's examples, with its permissions.
    pub fn example(&self, name: &str) {
        let path = self.write(name, fs::read(example(name)).unwrap());
        fs::set_permissions(&path, fs::metadata(example(name)).unwrap().permissions()).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// The number of lines of a file; 0 if it does not exist.
    pub fn lines(&self, name: &str) -> usize {
        fs::read_to_string(self.path(name)).map_or(0, |text| text.lines().count())
    }

    /// Runs the binary to its end, and checks what it leaves behind.
    pub fn lapidary<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        self.start(arguments).wait()
    }

    /// Starts the binary.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Running<'_> {
        let child = self.command().args(arguments).spawn().unwrap();
        Running { child, place: self }
    }

    /// The binary, in this place, with its streams captured.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lapidary"));
        command.current_dir(self.path("")).env("TMPDIR", self.tmpdir());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Asserts that the inputs are unchanged, TMPDIR is empty, and no process of this place lives.
    pub fn assert_clean(&self, context: &str) {
        let left: Vec<_> = fs::read_dir(self.tmpdir()).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "left in TMPDIR: {left:?}\n{context}");
        let processes = self.processes();
        assert!(processes.is_empty(), "still running: {processes:?}\n{context}");
        for (path, content) in &*self.given.borrow() {
            let now = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}\n{context}", path.display()));
            assert!(now == *content, "{} was changed\n{context}", path.display());
        }
    }

    /// The processes that have this place in their command line or their environment. A test has it
    /// in its TMPDIR, and so do its children.
    pub fn processes(&self) -> Vec<String> {
        running(self.directory.path().to_str().unwrap())
    }

    /// Like [`Place::assert_clean`], for a run that was killed and cannot clean up itself.
    #[track_caller]
    pub fn wait_until_clean(&self) {
        let is_clean = || self.processes().is_empty() && fs::read_dir(self.tmpdir()).unwrap().next().is_none();
        wait_until("nothing is left behind", is_clean);
        self.assert_clean("after a kill");
    }
}

impl Running<'_> {
    pub fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).unwrap();
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it with SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end, and checks what it leaves behind.
    pub fn wait(mut self) -> Run {
        let stdout = collect(self.child.stdout.take());
        let stderr = collect(self.child.stderr.take());
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(start.elapsed() < HANGS, "lapidary hangs"),
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let run = Run { code: status.code(), stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() };
        assert!(!run.stderr.contains("panicked"), "{run}");
        self.place.assert_clean(&run.to_string());
        run
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Run {
    #[track_caller]
    pub fn ends_with(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Asserts that standard error contains all of these.
    #[track_caller]
    pub fn complains(self, words: &[&str]) -> Run {
        words.iter().for_each(|word| assert!(self.stderr.contains(word), "`{word}` is not in stderr of\n{self}"));
        self
    }

    /// Asserts that standard output contains all of these.
    #[track_caller]
    pub fn prints(self, words: &[&str]) -> Run {
        words.iter().for_each(|word| assert!(self.stdout.contains(word), "`{word}` is not in stdout of\n{self}"));
        self
    }

    /// The lines on standard error, except for progress and the one about the sandbox.
    pub fn remarks(&self) -> Vec<&str> {
        let is_said = |line: &&str| !line.contains(" a sandbox") && !line.contains(" s used");
        self.stderr.lines().filter(is_said).collect()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {:?}\n--- stdout\n{}\n--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

fn collect(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.unwrap().read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The numbers from 1 to `last`, one on each line.
pub fn numbers(last: u32) -> String {
    (1..=last).map(|number| format!("{number}\n")).collect()
}

/// A file of the repository's examples.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// An argument for `sleep` that no other process has: about 1000 s.
pub fn unique_sleep() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1000);
    format!("1000.{}{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The living processes with this in their command line or their environment.
pub fn running(marker: &str) -> Vec<String> {
    let is_number = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().parse::<u32>().is_ok());
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path()).filter(|path| is_number(path));
    let text = |path: PathBuf| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "));
    processes
        .filter_map(|path| Some((text(path.join("cmdline")).ok()?, text(path.join("environ")).unwrap_or_default())))
        .filter(|(command, environment)| command.contains(marker) || environment.contains(marker))
        .map(|(command, _)| command)
        .collect()
}

/// After this time something hangs, even on a very busy machine. It keeps a broken test from
/// running forever; no verdict depends on the speed of the machine.
const HANGS: Duration = Duration::from_secs(1200);

/// The arguments of a command that looks at a Java program, with time enough for a busy machine
/// unless they set a limit themselves.
pub fn patient<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    match arguments.contains(&"--budget") {
        true => arguments.to_vec(),
        false => [&arguments[..1], &["--budget", "20m"], &arguments[1..]].concat(),
    }
}

#[track_caller]
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < HANGS, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether we are root, so that file permissions have no effect.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
