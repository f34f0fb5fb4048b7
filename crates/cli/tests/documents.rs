//! Documents arrive where they were asked for: in pipes, in streams, and in files of which only the
//! content may be changed. One that cannot be written does not take the others with it.

use crate::support::{Place, Run, patient, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::cell::RefCell;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const SEVENTEEN: [&str; 5] = ["--", "grep", "-q", "17", "input.txt"];

/// A reduction of `input.txt` to the line with 17.
fn reduce(place: &Place, options: &[&str]) -> Run {
    place.lapidary(&[&["reduce", "input.txt", "--quiet"], options, &SEVENTEEN[..]].concat())
}

fn make_pipe(place: &Place) {
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
}

/// `cat pipe > read`.
fn read_pipe(place: &Place) -> Child {
    let read = File::create(place.path("read")).unwrap();
    Command::new("cat").arg(place.path("pipe")).stdout(read).spawn().unwrap()
}

/// Whether all events of a run have arrived.
fn has_events(place: &Place) -> bool {
    let text = place.read("read");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is = |event: Option<&Value>, name| event.is_some_and(|event| event["event"] == name);
    is(events.first(), "begin") && is(events.last(), "end")
}

#[test]
fn a_reader_that_waits_at_a_pipe_gets_all_events() {
    let place = Place::with_numbers();
    make_pipe(&place);
    // A reader who is shown an end too early does not always look in time.
    for _ in 0..8 {
        let mut reader = read_pipe(&place);
        let stat = format!("/proc/{}/stat", reader.id());
        wait_until("the reader waits", || fs::read_to_string(&stat).unwrap().contains("(cat) S "));
        reduce(&place, &["--force", "--events", "pipe"]).ends_with(0);
        reader.wait().unwrap();
        assert!(has_events(&place), "{}", place.read("read"));
    }
}

/// A run that writes events to the pipe, once it has said that nobody reads there.
fn waiting_for_a_reader(place: &Place) -> Child {
    let said = File::create(place.path("said")).unwrap();
    let mut command = place.command();
    command.args(["reduce", "input.txt", "--events", "pipe"]).args(SEVENTEEN);
    let run = RefCell::new(command.stdout(Stdio::null()).stderr(said).spawn().unwrap());
    wait_until("the run waits", || {
        assert!(run.borrow_mut().try_wait().unwrap().is_none(), "{}", place.read("said"));
        place.read("said").contains("waiting for a reader of pipe")
    });
    run.into_inner()
}

#[test]
fn a_reader_of_a_pipe_may_come_later() {
    let place = Place::with_numbers();
    make_pipe(&place);
    let mut run = waiting_for_a_reader(&place);
    let mut reader = read_pipe(&place);
    assert_eq!(run.wait().unwrap().code(), Some(0), "{}", place.read("said"));
    reader.wait().unwrap();
    assert!(has_events(&place), "{}", place.read("read"));
    place.assert_clean("a reader that comes later");
}

#[test]
fn a_run_that_waits_for_a_reader_can_be_stopped() {
    let place = Place::with_numbers();
    make_pipe(&place);
    let mut run = waiting_for_a_reader(&place);
    kill_process(Pid::from_child(&run), Signal::INT).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(2), "{}", place.read("said"));
    assert!(place.read("said").contains("nobody reads the pipe"), "{}", place.read("said"));
    place.assert_clean("a reader that never comes");
}

#[test]
fn a_summary_goes_to_the_stream_that_dev_stdout_names() {
    let place = Place::with_numbers();
    fs::write(place.path("out"), "").unwrap();
    let before = fs::metadata(place.path("out")).unwrap().ino();
    let script = "{ echo before; \"$LAPIDARY\" reduce input.txt -q --json /dev/stdout -- grep -q 17 input.txt; echo \"code $?\"; } >> out";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(place.path("")).env("TMPDIR", place.tmpdir());
    assert!(shell.env("LAPIDARY", env!("CARGO_BIN_EXE_lapidary")).status().unwrap().success());
    let out = place.read("out");
    let json = out.strip_prefix("before\n").and_then(|rest| rest.strip_suffix("code 0\n"));
    let summary: Value = serde_json::from_str(json.unwrap_or_else(|| panic!("{out}"))).unwrap();
    assert_eq!(summary["command"], "reduce");
    assert_eq!(fs::metadata(place.path("out")).unwrap().ino(), before, "it is the file of the caller");
}

/// Something mounted, until it is dropped.
struct Mounted(PathBuf);

impl Mounted {
    /// Mounts with these options. Returns `None` only if the system denies the right to mount, and
    /// then says so where the test runner does not hide it.
    fn new(options: &[&str], what: &Path, onto: &Path) -> Option<Mounted> {
        let output = Command::new("mount").args(options).args([what, onto]).env("LC_ALL", "C").output();
        let output = output.expect("mount is needed for these tests: `scripts/setup` installs it");
        if output.status.success() {
            return Some(Mounted(onto.to_owned()));
        }
        let reason = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_denied = reason.contains("must be superuser") || reason.contains("permission denied");
        assert!(is_denied, "cannot mount: {reason}");
        // The test runner captures what `eprintln!` prints, but not this.
        let _ = writeln!(std::io::stderr(), "skipped a test of mounts: {}", reason.trim());
        None
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_file_that_cannot_be_replaced_is_written_in_place() {
    let place = Place::with_numbers();
    for name in ["outside", "there/summary.json"] {
        fs::create_dir_all(place.path("there")).unwrap();
        fs::write(place.path(name), "").unwrap();
    }
    // The directory is read-only; the file in it is one from elsewhere, which can be written.
    let Some(_directory) = Mounted::new(&["--bind"], &place.path("there"), &place.path("there")) else { return };
    let Some(_file) = Mounted::new(&["--bind"], &place.path("outside"), &place.path("there/summary.json")) else {
        return;
    };
    let read_only = Command::new("mount").args(["-o", "remount,bind,ro"]).arg(place.path("there")).status();
    assert!(read_only.unwrap().success());
    for option in ["--resume", "--force"] {
        reduce(&place, &[option, "--json", "there/summary.json"]).ends_with(0);
        assert_eq!(place.json("outside")["command"], "reduce", "{option}");
    }
    reduce(&place, &["--force", "--json", "there/other.json"]).ends_with(2).complains(&["there/other.json"]);
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode() {
    let place = Place::with_numbers();
    fs::write(place.path("summary.json"), "").unwrap();
    fs::set_permissions(place.path("summary.json"), fs::Permissions::from_mode(0o666)).unwrap();
    reduce(&place, &["--json", "summary.json"]).ends_with(0);
    assert_eq!(place.json("summary.json")["command"], "reduce");
    assert_eq!(fs::metadata(place.path("summary.json")).unwrap().permissions().mode() & 0o777, 0o666);
}

#[test]
fn a_document_that_cannot_be_written_does_not_take_the_others_with_it() {
    let place = Place::with_numbers();
    place.write("T.java", "class T { static int f(int x) { if (x == 7) throw new IllegalStateException(); return x; } public static void main(String[] a) throws Exception { T.class.getMethod(\"hidden\").invoke(null); } public static void hidden() { } }");
    place.write(
        "U.java",
        "class T { static int f(int x) { if (x == 8) throw new IllegalStateException(); return x; } }",
    );
    lapidary_testkit::javac(&[], &place.path("old"), [place.path("T.java")]);
    lapidary_testkit::javac(&[], &place.path("new"), [place.path("U.java")]);
    place.write("a.c", "int main(void) { __builtin_trap(); }\n");
    let commands: [(&[&str], &[&str], i32, bool); 5] = [
        (&["reduce", "input.txt", "--force"], &SEVENTEEN[..], 3, true),
        (&["crash", "a.c", "--force"], &[], 2, true),
        (&["explore", "old", "--main", "T.f", "--force"], &[], 2, true),
        (&["compare", "old", "new", "--main", "T.f", "--force"], &[], 2, true),
        (&["triage", "old", "--main", "T", "--own", "cha", "--others", "none"], &[], 2, false),
    ];
    for (first, last, code, has_bundle) in commands {
        for (full, kept) in [("--json", "--report"), ("--report", "--json")] {
            let bundle: &[&str] = if has_bundle { &["--bundle", "bundle"] } else { &[] };
            let options = [first, &[full, "/dev/full", kept, "kept", "--quiet"], bundle, last].concat();
            let options = if matches!(first[0], "explore" | "compare") { patient(&options) } else { options };
            let run = place.lapidary(&options).ends_with(code).complains(&["No space left"]);
            assert!(fs::metadata(place.path("kept")).is_ok_and(|found| found.len() > 0), "{full} {run}");
            assert!(
                !has_bundle || place.exists("bundle/README.md") || place.exists("bundle/reproduce.sh"),
                "{full} {run}"
            );
            let _ = (fs::remove_file(place.path("kept")), fs::remove_dir_all(place.path("bundle")));
            let _ = fs::remove_file(place.path("bundle.zip"));
        }
    }
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let place = Place::with_numbers();
    let summary = "{\n  \"command\": \"model\"\n}\n";
    for name in ["x.json", "y.json", "other.txt"] {
        place.write(name, summary);
    }
    let refused = |arguments: &[&str]| {
        let words = ["--json cannot go to x.json: the input is never overwritten"];
        place.lapidary(arguments).ends_with(2).complains(&words);
    };
    refused(&["model", "x.json", "--json", "x.json"]);
    refused(&["model", "--model", "x.json", "--json", "x.json"]);
    refused(&["model", "y.json", "--check", "1", "--json", "x.json", "--", "cp", "x.json", "copy"]);
    refused(&["init", "--json", "x.json", "grep", "-q", "nothing", "x.json"]);
    refused(&["init", "--json", "x.json", "--input", "x.json", "grep", "-q", "nothing", "y.json"]);
    let mut redirected = place.command();
    redirected.args(["init", "--json", "x.json", "grep", "-q", "nothing"]);
    let run = redirected.stdin(File::open(place.path("x.json")).unwrap()).output().unwrap();
    assert!(String::from_utf8_lossy(&run.stderr).contains("the input is never overwritten"), "{run:?}");
    assert_eq!(place.read("x.json"), summary);
}
