//! What happens when the whole program is killed.

mod support;

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use support::{running, unique_sleep, wait_until};

/// Examples are built together with the tests, beside the directory the tests are in.
fn probe() -> Command {
    let test = std::env::current_exe().unwrap();
    let probe = test.parent().unwrap().parent().unwrap().join("examples/warden_probe");
    assert!(probe.is_file(), "{} is missing: run all tests of the package", probe.display());
    let mut command = Command::new(probe);
    command.stdout(Stdio::piped());
    command
}

/// A running probe, killed at the latest when the test that started it fails.
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

/// How many processes sleep that long, whatever path `sleep` has.
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
fn a_reader_of_our_output_does_not_wait_for_the_warden() {
    let mut probe = Probe::start(&["true"]);
    let start = Instant::now();
    let mut rest = String::new();
    probe.output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "exit code 0\n");
    assert!(probe.child.wait().unwrap().success());
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(!probe.scratch.exists());
    assert_eq!(running(probe.scratch.to_str().unwrap()), Vec::<String>::new(), "the warden is gone");
}

#[test]
fn what_a_dead_run_left_is_removed_by_the_next() {
    let parent = tempfile::tempdir().unwrap();
    let stale = parent.path().join("lapidary-1-abcdef");
    std::fs::create_dir_all(stale.join("job-0")).unwrap();
    std::fs::write(stale.join("lock"), "").unwrap();
    let living = parent.path().join("lapidary-1-ghijkl");
    std::fs::create_dir_all(&living).unwrap();
    let lock = std::fs::File::create(living.join("lock")).unwrap();
    lock.lock().unwrap();
    let unborn = parent.path().join("lapidary-1-mnopqr");
    std::fs::create_dir_all(&unborn).unwrap();
    let foreign = parent.path().join("lapidary-notes");
    std::fs::create_dir_all(&foreign).unwrap();
    assert!(probe().arg("true").env("TMPDIR", parent.path()).status().unwrap().success());
    let left = [&stale, &living, &unborn, &foreign].map(|path| path.exists());
    assert_eq!(left, [false, true, true, true], "process 1 lives, so a directory without a lock is being made");
}

fn warden_of(scratch: &Path) -> String {
    let output = Command::new("pgrep").args(["-f", &format!("__warden {}", scratch.display())]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
