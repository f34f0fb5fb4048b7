//! Results overwrite neither the input nor, unasked, another result, and a full disk loses nothing.

use crate::support;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Place, numbers, wait_until};

const SEVENTEEN: [&str; 4] = ["--", "grep", "-q", "17"];

/// A reduction of `input.txt` to the line with 17.
fn reduce(place: &Place, options: &[&str]) -> support::Run {
    place.lapidary(&[&["reduce", "input.txt"], options, &SEVENTEEN[..], &["input.txt"]].concat())
}

#[test]
fn a_second_run_on_the_same_output_is_refused() {
    let place = Place::with_numbers();
    reduce(&place, &[]).ends_with(0);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    let words = ["input.reduced.txt", "earlier run", "--resume", "--force", "--out"];
    reduce(&place, &[]).ends_with(2).complains(&words);
    assert_eq!(place.read("input.reduced.txt"), "17");
    assert_eq!(place.read("input.reduced.txt.journal.jsonl"), journal);
}

#[test]
fn force_replaces_the_result_of_an_earlier_run() {
    let place = Place::with_numbers();
    reduce(&place, &[]).ends_with(0);
    place.lapidary(&["reduce", "input.txt", "--force", "--", "grep", "-q", "23", "input.txt"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "23");
    let headers = place.read("input.reduced.txt.journal.jsonl").matches("\"journal\":").count();
    assert_eq!(headers, 1, "the journal is replaced too");
}

#[test]
fn resume_after_the_end_runs_nothing_but_the_checks() {
    let place = Place::with_numbers();
    reduce(&place, &[]).ends_with(0);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    let summary = reduce(&place, &["--resume", "--json", "-"]).ends_with(0).json();
    assert_eq!(place.read("input.reduced.txt"), "17");
    assert_eq!(place.read("input.reduced.txt.journal.jsonl"), journal);
    assert_eq!(summary["tests"]["run"], 4, "three runs on the input, one on the result: {summary}");
}

#[test]
fn resume_with_nothing_to_resume_starts() {
    let place = Place::with_numbers();
    reduce(&place, &["--resume"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "17");
}

#[test]
fn resume_of_another_run_is_refused() {
    let place = Place::with_numbers();
    reduce(&place, &[]).ends_with(0);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    let other_test = ["reduce", "input.txt", "--resume", "--", "grep", "-q", "23", "input.txt"];
    place.lapidary(&other_test).ends_with(2).complains(&[
        "input.reduced.txt.journal.jsonl belongs to another run",
        "it had the test grep -q 17 input.txt, this one has the test grep -q 23 input.txt",
    ]);
    reduce(&place, &["--resume", "--seed", "7"]).ends_with(2).complains(&["(it had --seed 0, this one has --seed 7)"]);
    place.write("input.txt", numbers(50));
    reduce(&place, &["--resume"]).ends_with(2).complains(&["another run", "the input has changed"]);
    assert_eq!(place.read("input.reduced.txt"), "17");
    assert_eq!(place.read("input.reduced.txt.journal.jsonl"), journal);
}

#[test]
fn resume_from_something_that_is_no_journal_is_refused() {
    let place = Place::with_numbers();
    place.write("input.reduced.txt.journal.jsonl", "dear diary\n");
    reduce(&place, &["--resume"]).ends_with(2).complains(&["input.reduced.txt.journal.jsonl", "--force starts over"]);
}

#[test]
fn two_runs_at_the_same_time_on_one_output() {
    let place = Place::with_numbers();
    let (started, go) = (place.path("started"), place.path("go"));
    let body =
        format!("touch {0}; while test ! -e {1}; do sleep 0.01; done; grep -q 17 $1", started.display(), go.display());
    place.script("check", &body);
    let first = place.start(&["reduce", "input.txt", "--", "./check", "{}"]);
    wait_until("the first run tests", || started.exists());
    for option in ["--force", "--resume", "--quiet"] {
        let second = place.command().args(["reduce", "input.txt", option, "--", "true"]).output().unwrap();
        let stderr = String::from_utf8_lossy(&second.stderr);
        assert_eq!(second.status.code(), Some(2), "{option}: {stderr}");
        assert!(stderr.contains("another run is writing input.reduced.txt") && stderr.contains("--out"), "{stderr}");
    }
    fs::write(go, "").unwrap();
    first.wait().ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "17");
}

#[test]
fn the_input_is_never_overwritten() {
    let place = Place::with_numbers();
    let words = ["the input is never overwritten"];
    std::os::unix::fs::symlink("input.txt", place.path("link.txt")).unwrap();
    for out in ["input.txt", "./input.txt", "link.txt", "../work/input.txt"] {
        for option in ["--quiet", "--force", "--resume"] {
            reduce(&place, &["--out", out, option]).ends_with(2).complains(&words).complains(&[out]);
        }
    }
}

#[test]
fn a_result_cannot_go_inside_the_input() {
    let place = Place::new();
    place.write("project/a.txt", "a\n");
    for out in ["project/result", "project", "project/../project/x"] {
        let run = place.lapidary(&["reduce", "project", "--out", out, "--force", "--", "test", "-e", "{}/a.txt"]);
        run.ends_with(2).complains(&["the input is never overwritten", out]);
    }
}

#[test]
fn an_output_in_a_directory_that_is_not_there() {
    let place = Place::with_numbers();
    reduce(&place, &["--out", "nosuch/x"]).ends_with(2).complains(&["nosuch/x", "does not exist"]);
    reduce(&place, &["--out", "input.txt/x"]).ends_with(2).complains(&["input.txt/x"]);
    assert!(!place.exists("nosuch"));
}

#[test]
fn a_summary_that_cannot_be_written_is_said() {
    let place = Place::with_numbers();
    reduce(&place, &["--json", "nosuch/summary.json"])
        .ends_with(2)
        .complains(&["the directory of nosuch/summary.json does not exist"]);
}

#[test]
fn a_reader_who_goes_away_is_no_reason_to_panic() {
    let place = Place::with_numbers();
    place.example("examples/fji/figure1.fji");
    for command in
        ["model examples/fji/figure1.fji", "completions bash", "man", "reduce --quiet input.txt -- grep 17 input.txt"]
    {
        let line = format!("{} {command} | true", env!("CARGO_BIN_EXE_lapidary"));
        let mut shell = Command::new("sh");
        let output =
            shell.args(["-c", &line]).current_dir(place.path("")).env("TMPDIR", place.tmpdir()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
        wait_until("it has ended", || place.processes().is_empty());
        place.assert_clean(command);
    }
    assert_eq!(place.read("input.reduced.txt"), "17");
}

/// A small file system that is unmounted on drop.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts the file system. Returns `None` only if the system denies the right to mount, and
    /// then says so where the test runner does not hide it. Any other problem fails the test.
    fn new(path: PathBuf, kilobytes: u32) -> Option<SmallDisk> {
        fs::create_dir_all(&path).unwrap();
        let size = format!("size={kilobytes}k");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&path).env("LC_ALL", "C");
        let output = mount.output().expect("mount is needed for these tests: `scripts/setup` installs it");
        if output.status.success() {
            return Some(SmallDisk(path));
        }
        let reason = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_denied = reason.contains("must be superuser") || reason.contains("permission denied");
        assert!(is_denied, "cannot mount a small file system: {reason}");
        // The test runner captures what `eprintln!` prints, but not this.
        let _ = writeln!(std::io::stderr(), "skipped a test of a full disk: {}", reason.trim());
        None
    }

    fn fill(&self) {
        let _ = fs::write(self.0.join("ballast"), vec![1; 1 << 22]);
    }

    fn make_room(&self) {
        fs::remove_file(self.0.join("ballast")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_for_candidates_before_the_run() {
    let place = Place::with_numbers();
    let Some(disk) = SmallDisk::new(place.path("disk"), 64) else { return };
    disk.fill();
    let output = place.command().args(["reduce", "input.txt", "--", "true"]).env("TMPDIR", &disk.0).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("No space left") && stderr.contains("TMPDIR"), "{stderr}");
    assert_eq!(names_in(&disk.0), ["ballast"]);
    place.assert_clean("a full disk");
}

#[test]
fn a_full_disk_for_candidates_in_the_middle() {
    let place = Place::with_numbers();
    let Some(disk) = SmallDisk::new(place.path("disk"), 64) else { return };
    let runs = place.path("runs");
    // The eighth test fills the disk for good, including the room that its candidate took.
    let body = format!(
        "echo >> {0}; grep -q 17 $1; found=$?
         test $(wc -l < {0}) -ne 8 || {{ rm $1; head -c 4000000 /dev/zero > {1}/ballast; }}; exit $found",
        runs.display(),
        disk.0.display()
    );
    place.script("check", &body);
    let reduce = |option| {
        let mut command = place.command();
        command.args(["reduce", "input.txt", "--jobs", "1", option, "--", "./check", "{}"]).env("TMPDIR", &disk.0);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, stderr) = reduce("--force");
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("No space left") && stderr.contains("TMPDIR") && stderr.contains("--resume"), "{stderr}");
    assert!(place.read("input.reduced.txt").contains("17"), "the best result is there");
    assert_eq!(names_in(&disk.0), ["ballast"]);
    disk.make_room();
    let (code, stderr) = reduce("--resume");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(place.read("input.reduced.txt"), "17");
    place.assert_clean("a full disk");
}

#[test]
fn a_full_disk_for_the_result() {
    let place = Place::with_numbers();
    let Some(disk) = SmallDisk::new(place.path("disk"), 64) else { return };
    disk.fill();
    let run = reduce(&place, &["--out", "disk/result.txt"]);
    assert!(matches!(run.code, Some(2 | 3)), "{run}");
    run.complains(&["disk/result.txt", "No space left"]);
    disk.make_room();
    reduce(&place, &["--out", "disk/result.txt", "--force"]).ends_with(0);
    assert_eq!(place.read("disk/result.txt"), "17");
}

#[test]
fn a_disk_that_fills_up_while_results_are_written() {
    let place = Place::with_numbers();
    let Some(disk) = SmallDisk::new(place.path("disk"), 64) else { return };
    let runs = place.path("runs");
    let body = format!(
        "echo >> {0}; test $(wc -l < {0}) -ne 8 || head -c 4000000 /dev/zero > {1}/ballast; grep -q 17 $1",
        runs.display(),
        disk.0.display()
    );
    place.script("check", &body);
    let run = |option| {
        place.lapidary(&[
            "reduce",
            "input.txt",
            "--jobs",
            "1",
            "--out",
            "disk/result.txt",
            option,
            "--",
            "./check",
            "{}",
        ])
    };
    let stopped = run("--quiet").ends_with(3).complains(&["disk/result.txt", "No space left"]);
    assert_eq!(stopped.stderr.matches("--resume").count(), 1, "{stopped}");
    assert!(place.read("disk/result.txt").contains("17"), "what was saved before is still there");
    disk.make_room();
    run("--resume").ends_with(0);
    assert_eq!(place.read("disk/result.txt"), "17");
    assert_eq!(names_in(&disk.0), ["result.txt", "result.txt.journal.jsonl"]);
}

fn names_in(directory: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(directory).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn documents_replace_nothing_that_somebody_else_wrote() {
    let place = Place::with_numbers();
    reduce(&place, &["-q"]).ends_with(0);
    place.script("test", "grep -q 17 input.txt");
    place.write("A.java", "class A { static int f(int x) { return x; } }");
    lapidary_testkit::javac(&[], &place.path("classes"), [place.path("A.java")]);
    place.write("a.c", "int main(void) { __builtin_trap(); }\n");
    let commands: [(&[&str], &[&str]); 9] = [
        (&["reduce", "input.txt", "--force", "--json"], &["--", "./test"]),
        (&["reduce", "input.txt", "--force", "--report"], &["--", "./test"]),
        (&["reduce", "input.txt", "--force", "--events"], &["--", "./test"]),
        (&["crash", "a.c", "--report"], &[]),
        (&["bundle", "input.reduced.txt", "--json"], &[]),
        (&["report", "input.reduced.txt", "--out"], &[]),
        (&["report", ".", "--csv"], &[]),
        (&["init", "--json"], &["grep", "-q", "missing", "input.txt"]),
        (&["explore", "classes", "--main", "A.f", "--json"], &[]),
    ];
    for mine in ["test", "input.txt", "input.reduced.txt.journal.jsonl", "A.java"] {
        let before = place.read(mine);
        for (first, last) in commands {
            let run = place.lapidary(&[first, &[mine], last].concat()).ends_with(2);
            let words = ["is not replaced", "the input is never overwritten", "cannot both go to"];
            let is_said = |line: &str| line.contains(mine) && words.iter().any(|word| line.contains(word));
            assert!(run.stderr.lines().any(is_said) && place.read(mine) == before, "{first:?} {mine}: {run}");
        }
    }
    place.write("input.reduced.txt.html", "my own page");
    place.lapidary(&["report", "input.reduced.txt"]).ends_with(2).complains(&["is no page of Lapidary"]);
    assert_eq!(place.read("input.reduced.txt.html"), "my own page");
}

#[test]
fn a_summary_that_cannot_be_printed_is_no_success() {
    let place = Place::with_numbers();
    let run = "\"$LAPIDARY\" reduce input.txt -q --json - -- grep -q 17 input.txt > /dev/full";
    let mut command = Command::new("sh");
    command.args(["-c", run]).current_dir(place.path("")).env("TMPDIR", place.tmpdir());
    let run = command.env("LAPIDARY", env!("CARGO_BIN_EXE_lapidary")).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.code() == Some(3) && said.contains("cannot write to standard output"), "{said}");
    assert_eq!(place.read("input.reduced.txt"), "17");
}
