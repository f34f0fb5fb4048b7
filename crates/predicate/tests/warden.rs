//! Tests of what remains when the whole program is killed.

use crate::support::{running, unique_sleep, wait_until};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The example program, which cargo builds with the tests, in a directory beside them.
fn probe() -> Command {
    let test = std::env::current_exe().unwrap();
    let probe = test.parent().unwrap().parent().unwrap().join("examples/warden_probe");
    assert!(probe.is_file(), "{} is missing: run all tests of the package", probe.display());
    let mut command = Command::new(probe);
    command.stdout(Stdio::piped());
    command
}

/// A running probe, killed when the test ends.
struct Probe {
    child: Child,
    output: BufReader<ChildStdout>,
    scratch: PathBuf,
}

impl Probe {
    fn start(arguments: &[&str]) -> Self {
        let mut child = probe().args(arguments).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut scratch = String::new();
        output.read_line(&mut scratch).unwrap();
        Probe { child, output, scratch: PathBuf::from(scratch.trim()) }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The number of `sleep` processes with this argument, whatever the path of `sleep`.
fn sleepers(time: &str) -> usize {
    running(&format!("sleep {time}")).iter().filter(|line| line.split(' ').next().unwrap().ends_with("sleep")).count()
}

#[test]
fn after_a_kill_nothing_runs_and_nothing_is_left_on_disk() {
    let sleep = unique_sleep();
    let body = format!("chmod 000 .; setsid sleep {sleep} & nohup sleep {sleep} & sleep {sleep}");
    let mut probe = Probe::start(&["sh", "-c", &body]);
    wait_until("all sleep", || sleepers(&sleep) == 3);
    probe.kill();
    wait_until("all are gone", || running(&sleep).is_empty());
    wait_until("the directory is gone", || !probe.scratch.exists());
    wait_until("the warden is gone", || running(probe.scratch.to_str().unwrap()).is_empty());
}

#[test]
fn after_a_kill_no_worker_runs() {
    let sleep = unique_sleep();
    let body = format!("echo '{{\"lapidary\":1}}'; setsid sleep {sleep} & sleep {sleep}");
    let mut probe = Probe::start(&["--worker", "sh", "-c", &body]);
    wait_until("both sleep", || sleepers(&sleep) == 2);
    probe.kill();
    wait_until("all are gone", || running(&sleep).is_empty() && !probe.scratch.exists());
}

#[test]
fn the_warden_survives_what_ends_the_terminal() {
    let sleep = unique_sleep();
    let mut probe = Probe::start(&["sleep", &sleep]);
    wait_until("it sleeps", || sleepers(&sleep) == 1);
    let warden = warden_of(&probe.scratch);
    for signal in ["-INT", "-TERM", "-HUP"] {
        assert!(Command::new("kill").args([signal, &warden]).status().unwrap().success());
    }
    probe.kill();
    wait_until("all are gone", || running(&sleep).is_empty() && !probe.scratch.exists());
}

#[test]
fn a_test_that_kills_its_parent_leaves_nothing() {
    let sleep = unique_sleep();
    let mut probe = Probe::start(&["sh", "-c", &format!("setsid sleep {sleep} & kill -9 $PPID; sleep {sleep}")]);
    assert!(!probe.child.wait().unwrap().success());
    wait_until("all are gone", || running(&sleep).is_empty() && !probe.scratch.exists());
}

#[test]
fn the_warden_does_not_hold_our_output() {
    let sleep = unique_sleep();
    let probe = Probe::start(&["sleep", &sleep]);
    wait_until("it sleeps", || sleepers(&sleep) == 1);
    let output = std::fs::read_link(format!("/proc/{}/fd/1", probe.child.id())).unwrap();
    let held = std::fs::read_dir(format!("/proc/{}/fd", warden_of(&probe.scratch))).unwrap();
    let mut held = held.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
    assert!(held.all(|file| file != output), "a reader of our output would wait for the warden");
}

#[test]
fn the_warden_ends_with_us() {
    let mut probe = Probe::start(&["true"]);
    let mut rest = String::new();
    probe.output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "exit code 0\n");
    assert!(probe.child.wait().unwrap().success());
    assert!(!probe.scratch.exists());
    assert_eq!(running(probe.scratch.to_str().unwrap()), Vec::<String>::new(), "the warden is gone");
}

/// A directory as a run leaves it that was killed together with its warden.
fn left_by_a_run(parent: &Path, name: &str) -> PathBuf {
    let directory = parent.join(name);
    std::fs::create_dir_all(directory.join("job-0")).unwrap();
    std::fs::write(directory.join("lock"), lapidary_common::own::label(name)).unwrap();
    directory
}

#[test]
fn what_a_dead_run_left_is_removed_by_the_next() {
    let parent = tempfile::tempdir().unwrap();
    let stale = left_by_a_run(parent.path(), "lapidary-1-abcdef");
    let living = left_by_a_run(parent.path(), "lapidary-1-ghijkl");
    let lock = std::fs::File::open(living.join("lock")).unwrap();
    lock.lock().unwrap();
    assert!(probe().arg("true").env("TMPDIR", parent.path()).status().unwrap().success());
    assert_eq!([&stale, &living].map(|path| path.exists()), [false, true]);
}

#[test]
fn a_directory_that_no_run_made_is_never_removed() {
    let parent = tempfile::tempdir().unwrap();
    let no_process = "lapidary-999999999-thesis";
    let users: Vec<PathBuf> = [
        (no_process, None),
        ("lapidary-1-being-made", None),
        ("lapidary-999999999-locked", Some(String::new())),
        ("lapidary-999999999-copy", Some(lapidary_common::own::label("lapidary-1-original"))),
        ("lapidary-notes", Some(String::new())),
    ]
    .into_iter()
    .map(|(name, lock)| {
        let directory = parent.path().join(name);
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("chapter"), "text").unwrap();
        lock.iter().for_each(|lock| std::fs::write(directory.join("lock"), lock).unwrap());
        directory
    })
    .collect();
    assert!(probe().arg("true").env("TMPDIR", parent.path()).status().unwrap().success());
    for directory in users {
        assert!(directory.join("chapter").exists(), "{} is the user's", directory.display());
    }
}

fn warden_of(scratch: &Path) -> String {
    let output = Command::new("pgrep").args(["-f", &format!("__warden {}", scratch.display())]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
