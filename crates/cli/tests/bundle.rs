//! `lapidary bundle` and `--bundle`: what is packed shows the failure on another machine, as far as
//! a namespace without our program and without the files of the run is one.

use crate::java_support::jar;
use crate::support::{Place, Run, pair, patient};
use lapidary_testkit::javac;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of a bundle, away from everything that made it.
struct Elsewhere(tempfile::TempDir);

impl Elsewhere {
    /// Copies a bundle, or unpacks its archive, into an empty directory.
    fn with(place: &Place, bundle: &str) -> Elsewhere {
        let directory = tempfile::tempdir().unwrap();
        run(Command::new("cp").arg("-R").arg(place.path(bundle)).arg(directory.path().join("a bundle's copy")));
        Elsewhere(directory)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("a bundle's copy").join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs `reproduce.sh` where there is nothing but the system, Java's tools and the bundle.
    fn reproduce(&self) -> Run {
        let mut command = Command::new("bwrap");
        for shown in ["/usr", "/etc", "/bin", "/sbin", "/lib", "/lib64", "/opt"] {
            if Path::new(shown).exists() {
                command.args(["--ro-bind", shown, shown]);
            }
        }
        command.args([
            "--proc",
            "/proc",
            "--dev",
            "/dev",
            "--tmpfs",
            "/tmp",
            "--tmpfs",
            "/home/other",
            "--unshare-all",
        ]);
        let maven = std::env::home_dir().unwrap().join(".cache/lapidary/jars/cfr-0.152.jar");
        if maven.is_file() {
            let inside = "/home/other/.m2/repository/org/benf/cfr/0.152/cfr-0.152.jar";
            command.arg("--ro-bind").arg(&maven).arg(inside);
        }
        command.arg("--ro-bind").arg(self.path("")).arg("/home/other/a bundle").args(["--clearenv", "--chdir", "/"]);
        command.args(["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/home/other"]);
        let output = command.args(["sh", "/home/other/a bundle/reproduce.sh"]).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    #[track_caller]
    fn shows_the_failure(&self) -> Run {
        let run = self.reproduce().ends_with(0);
        assert_eq!(run.stdout.lines().last(), Some("reproduced"), "{run}");
        run
    }

    #[track_caller]
    fn does_not_show_it(&self) -> Run {
        let run = self.reproduce().ends_with(1);
        assert!(run.stdout.lines().last().unwrap_or_default().starts_with("not reproduced: "), "{run}");
        run
    }
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The files below a directory, sorted.
fn files(root: &Path) -> Vec<String> {
    let output = Command::new("find").args([".", "-type", "f"]).current_dir(root).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut files: Vec<String> = text.lines().map(|line| line.trim_start_matches("./").to_owned()).collect();
    files.sort();
    files
}

#[test]
fn a_bundle_shows_the_failure_elsewhere() {
    let place = Place::with_numbers();
    place.script("tests/check", "here=$(dirname \"$0\")\n. \"$here/lib/words.sh\"\ngrep -q \"$word\" \"$1\"");
    place.write("tests/lib/words.sh", "word=17\n");
    place.lapidary(&["reduce", "input.txt", "--", "tests/check", "{}"]).ends_with(0);
    let run = place.lapidary(&["bundle", "input.reduced.txt.journal.jsonl", "--out", "packed"]).ends_with(0);
    run.prints(&["input/input.txt", "test/check", "reproduce.sh was tried and shows the failure", "packed.zip"]);
    let expected = [
        "ISSUE.md",
        "input/input.txt",
        "output.txt",
        "report.html",
        "reproduce.sh",
        "test/check",
        "test/lib/words.sh",
        "versions.txt",
    ];
    assert_eq!(files(&place.path("packed")), expected);
    let elsewhere = Elsewhere::with(&place, "packed");
    elsewhere.shows_the_failure();
    fs::write(elsewhere.path("input/input.txt"), "18\n").unwrap();
    elsewhere.does_not_show_it().prints(&["not reproduced: exit code 1 instead of 0"]);
    assert!(place.read("packed/ISSUE.md").contains("17"), "a short input is part of the text");
    assert!(place.read("packed/versions.txt").contains("Lapidary"));
}

#[test]
fn the_archive_has_the_same_files_and_the_same_bytes_each_time() {
    let place = Place::with_numbers();
    place.lapidary(&["reduce", "input.txt", "--bundle", "packed", "--", "grep", "-q", "17", "{}"]).ends_with(0);
    let first = fs::read(place.path("packed.zip")).unwrap();
    place.lapidary(&["bundle", "input.reduced.txt", "--out", "packed", "--force"]).ends_with(0);
    assert!(fs::read(place.path("packed.zip")).unwrap() == first);
    fs::create_dir(place.path("unpacked")).unwrap();
    run(Command::new("unzip").arg("-q").arg(place.path("packed.zip")).current_dir(place.path("unpacked")));
    assert_eq!(files(&place.path("unpacked/packed")), files(&place.path("packed")));
    let mode = place.path("unpacked/packed/reproduce.sh").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    Elsewhere::with(&place, "unpacked/packed").shows_the_failure();
}

#[test]
fn names_may_be_unusual_and_tests_may_be_named_by_any_path() {
    let place = Place::new();
    place.write("it's $HOME/a `b`.txt", "one\n17\nthree\n");
    place.write("words of a test.txt", "17\n");
    let script = place.script("tests of 'mine'/is it.sh", "grep -q -f \"$2\" \"$1\"");
    let words = place.path("words of a test.txt");
    for (number, test) in [script.to_str().unwrap(), "tests of 'mine'/is it.sh"].into_iter().enumerate() {
        let bundle = format!("packed {number}");
        let given = ["reduce", "it's $HOME/a `b`.txt", "--force", "--bundle", &bundle, "--", test, "{}"];
        place.lapidary(&[&given[..], &[words.to_str().unwrap()]].concat()).ends_with(0);
        let elsewhere = Elsewhere::with(&place, &bundle);
        elsewhere.shows_the_failure();
        let texts = ["reproduce.sh", "ISSUE.md"].map(|name| elsewhere.read(name)).concat();
        assert!(!texts.contains(place.path("").to_str().unwrap()), "no path of this machine: {texts}");
        fs::write(elsewhere.path("input/a `b`.txt"), "16\n").unwrap();
        elsewhere.does_not_show_it();
    }
}

#[test]
fn expectations_are_spelled_out() {
    let place = Place::new();
    place.write("in.txt", "a\nerror: 42 things\nb\n");
    place.script("tool", "cat \"$1\" >&2; echo \"in $1\"; grep -q error \"$1\" && kill -SEGV $$; exit 3");
    let expect =
        ["--expect", "exit=SEGV", "--expect", r"stderr~\berror: \d+ things$", "--expect", "stdout~(?i)IN /.*txt"];
    let options = ["--expect", "output!~nothing", "--bundle", "packed", "--", "./tool", "{}"];
    place.lapidary(&[&["reduce", "in.txt"], &expect[..], &options].concat()).ends_with(0);
    let elsewhere = Elsewhere::with(&place, "packed");
    elsewhere.shows_the_failure();
    fs::write(elsewhere.path("input/in.txt"), "error: some things\n").unwrap();
    elsewhere.does_not_show_it().prints(&[r"stderr does not match /\berror: \d+ things$/"]);
    fs::write(elsewhere.path("input/in.txt"), "fine: 42 things\n").unwrap();
    elsewhere.does_not_show_it().prints(&["exit code 3 instead of 139 (SEGV)"]);
}

#[test]
fn what_is_preserved_is_compared() {
    let place = Place::new();
    place.write("in.txt", "x\nkeep 1\ny\nkeep 2\n");
    place.script("tool", "echo \"$1:12: $$ found\"; grep keep \"$1\" | sort -r; exit 4");
    let given =
        ["reduce", "in.txt", "--preserve", "exit,stdout", "--normalise", r"lines,s/: \d+ (found)/: PID $1/,sort"];
    place.lapidary(&[&given[..], &["--bundle", "packed", "--", "./tool", "{}"]].concat()).ends_with(0);
    let elsewhere = Elsewhere::with(&place, "packed");
    elsewhere.shows_the_failure();
    fs::write(elsewhere.path("input/in.txt"), "keep 2\nkeep 1\n").unwrap();
    elsewhere.shows_the_failure();
    fs::write(elsewhere.path("input/in.txt"), "keep 3\nkeep 1\n").unwrap();
    elsewhere.does_not_show_it().prints(&["stdout differs from expected/stdout"]);
}

#[test]
fn a_script_is_not_written_if_it_could_check_nothing() {
    let place = Place::new();
    place.write("in.txt", "x\nkeep\n");
    place.script("tool", "grep keep \"$1\"; head -c 70000 /dev/zero | tr '\\0' x");
    let given = ["reduce", "in.txt", "--preserve", "stdout", "--bundle", "packed", "--", "./tool", "{}"];
    let run = place.lapidary(&given).ends_with(0);
    run.prints(&["reproduce.sh was not tried"])
        .complains(&["the standard output", "nothing is left that it could check"]);
    assert!(!place.exists("packed/reproduce.sh"));
}

#[test]
fn a_directory_goes_along_as_it_is() {
    let place = Place::new();
    place.script("project/run.sh", ". ./lib/a.sh\necho \"$word\"");
    place.write("project/lib/a.sh", "word=needle\nother=hay\n");
    place.write("project/lib/b.sh", "unused=1\n");
    place.script("check", "cd \"$1\" && ./run.sh | grep needle");
    place.lapidary(&["reduce", "project", "--bundle", "packed", "--", "./check", "{}"]).ends_with(0);
    let elsewhere = Elsewhere::with(&place, "packed");
    assert!(elsewhere.path("input/project/run.sh").metadata().unwrap().permissions().mode() & 0o100 != 0);
    assert!(!elsewhere.path("input/project/lib/b.sh").exists());
    elsewhere.shows_the_failure().prints(&["needle"]);
    fs::write(elsewhere.path("input/project/lib/a.sh"), "").unwrap();
    elsewhere.does_not_show_it();
}

#[test]
fn hostile_output_is_shown_and_does_no_harm() {
    let place = Place::new();
    place.write("in.txt", "```\n</pre><script>alert(1)</script>\n\x1b[2Jevil\n");
    place.script(
        "tool",
        "grep evil \"$1\" && cat \"$1\" && printf '\\342\\200\\256rtl\\000\\377-->\\n````\\n' && exit 7",
    );
    place
        .lapidary(&["reduce", "in.txt", "--expect", "exit=7", "--bundle", "packed", "--", "./tool", "{}"])
        .ends_with(0);
    for name in ["ISSUE.md", "output.txt", "versions.txt"] {
        let text = place.read(&format!("packed/{name}"));
        let is_bad = |c: char| c.is_control() && !"\n\t".contains(c) || c == '\u{202e}';
        assert!(!text.contains(is_bad), "{name}: {text}");
    }
    let issue = place.read("packed/ISSUE.md");
    assert!(issue.contains("\n`````\n"), "the fence is longer than what it holds: {issue}");
    Elsewhere::with(&place, "packed").shows_the_failure();
}

#[test]
fn secrets_and_the_environment_stay_here() {
    let place = Place::with_numbers();
    place.script("check", "grep -q 17 \"$1\"");
    let arguments =
        ["reduce", "input.txt", "--bundle", "packed", "--", "./check", "{}", "--remote-header", "x-key: 5eCr3t"];
    let mut command = place.command();
    command.args(arguments).args(["--api-token=5eCr3t", "https://me:5eCr3t@host/"]).env("MY_TOKEN", "5eCr3t");
    command.env("CFLAGS", "-O2 -DX").env("LDFLAGS", "--password=5eCr3t");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for name in files(&place.path("packed")) {
        let bytes = fs::read(place.path("packed").join(&name)).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("5eCr3t"), "{name}");
    }
    let script = place.read("packed/reproduce.sh");
    assert!(script.contains("CFLAGS='-O2 -DX'; export CFLAGS") && !script.contains("MY_TOKEN"), "{script}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("look like secrets"), "{output:?}");
    Elsewhere::with(&place, "packed").shows_the_failure();
}

#[test]
fn the_page_shows_the_result_and_nothing_that_was_removed() {
    let place = Place::new();
    place.write("in.txt", "a customer\nneedle\nanother customer\n");
    place.script("check", "echo \"from a colleague: $(wc -l < \"$1\")\"; grep -q needle \"$1\"");
    let test = ["--preserve", "exit", "--bundle", "packed", "--", "./check", "{}"];
    place.lapidary(&[&["reduce", "in.txt"], &test[..]].concat()).ends_with(0);
    let page = place.read("packed/report.html");
    assert!(
        page.contains("<h1>in.txt</h1>") && page.contains("needle") && page.contains("Size over candidates"),
        "{page}"
    );
    for words in ["customer", "colleague", "./check", place.path("").to_str().unwrap()] {
        assert!(!page.contains(words), "{words}: {page}");
    }
    place.lapidary(&["report", "in.reduced.txt", "-o", "mine.html"]).ends_with(0);
    assert!(["customer", "./check"].iter().all(|words| place.read("mine.html").contains(words)));
}

#[test]
fn a_test_that_needs_more_than_the_bundle_has_is_noticed() {
    let place = Place::with_numbers();
    place.write("data/words", "17\n");
    place.script(
        "check",
        &format!("cd {} && set -- \"$1\" w*s && grep -q -f \"$2\" \"$1\"", place.path("data").display()),
    );
    let run = place.lapidary(&["reduce", "input.txt", "--bundle", "packed", "--", "./check", "{}"]).ends_with(0);
    run.complains(&["reproduce.sh needs more of this machine than the bundle has", "does not go along"]);
    Elsewhere::with(&place, "packed").does_not_show_it();
}

/// A script like those of `lapidary init`, for a C file with headers of its own.
fn warning_of_c(place: &Place, more: &str) -> String {
    let here = place.path("").display().to_string();
    let here = here.trim_end_matches('/');
    format!(
        "output=$({{ gcc -iquote {here} -Wall -c \"$1\" -o /dev/null </dev/null 2>&1; }})\n{more}\
         case $output in *'[-Wdiv-by-zero]'*) ;; *) exit 1 ;; esac\nprintf '%s\\n' \"$output\" | head -n 50"
    )
}

#[test]
fn headers_that_the_input_includes_go_along() {
    let place = Place::new();
    place.write("main.c", "#include \"p.h\"\nint helper(int a) { return a + 1; }\nint main(void) { return BAD(1); }\n");
    place.write("p.h", "#include \"lib/q.h\"\n#define BAD(a) ((a) / ZERO)\n");
    place.write("lib/q.h", "#include \"r.h\"\n");
    place.write("lib/r.h", "#define ZERO 0\n");
    place.write("unrelated.h", "#define SECRET 5\n");
    place.script("up.sh", &warning_of_c(&place, ""));
    let run = place.lapidary(&["reduce", "main.c", "--bundle", "packed", "--", "./up.sh", "{}"]).ends_with(0);
    run.prints(&["reproduce.sh was tried and shows the failure"]);
    let packed: Vec<String> = files(&place.path("packed/test"));
    assert_eq!(packed, ["lib/q.h", "lib/r.h", "p.h", "up.sh"]);
    Elsewhere::with(&place, "packed").shows_the_failure();
}

#[test]
fn modules_that_the_input_imports_go_along() {
    let place = Place::new();
    place.write("app.py", "import os, helpmod\nfrom pack.deep import boom as bang\nvalues = [1, 2]\nbang(values[0])\n");
    place.write("helpmod.py", "ZERO = 0\n");
    place.write("pack/__init__.py", "");
    place.write("pack/deep.py", "from . import near\nimport helpmod\ndef boom(x):\n    return x / near.NONE\n");
    place.write("pack/near.py", "NONE = 0\n");
    place.write("pack/unused.py", "x = 1\n");
    place.write("values.py", "x = 1\n");
    let here = place.path("").display().to_string();
    let body = format!(
        "export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={}\noutput=$(python3 \"$1\" 2>&1)\n\
         case $output in *'ZeroDivisionError: division by zero'*) ;; *) exit 1 ;; esac",
        here.trim_end_matches('/')
    );
    place.script("up.sh", &body);
    let run = place.lapidary(&["reduce", "app.py", "--budget", "5s", "--bundle", "packed", "--", "./up.sh", "{}"]);
    run.prints(&["reproduce.sh was tried and shows the failure"]);
    let expected = ["helpmod.py", "pack/__init__.py", "pack/deep.py", "pack/near.py", "up.sh"];
    assert_eq!(files(&place.path("packed/test")), expected);
    Elsewhere::with(&place, "packed").shows_the_failure();
}

/// A trial that fails shows nothing of the failure: the run has seen it.
#[test]
fn the_issue_shows_what_the_run_saw_if_the_trial_fails() {
    let place = Place::new();
    place.write("main.c", "#include \"p.h\"\nint main(void) { return BAD(1); }\n");
    place.write("p.h", "#define BAD(a) ((a) / 0)\n");
    fs::create_dir(place.path("state")).unwrap();
    fs::write(place.path("state/lock"), "").unwrap();
    let lock = place.path("state").display().to_string();
    place.script("up.sh", &warning_of_c(&place, &format!("D={lock}\nset -- $D/l*k; [ -e \"$1\" ] || exit 1\n")));
    place.lapidary(&["reduce", "main.c", "--", "./up.sh", "{}"]).ends_with(0);
    fs::remove_file(place.path("state/lock")).unwrap();
    let run = place.lapidary(&["bundle", "main.reduced.c", "--out", "packed"]).ends_with(1);
    run.complains(&["reproduce.sh did not show the failure", &lock, "name that file in the test"]);
    let issue = place.read("packed/ISSUE.md");
    let (steps, actual) = issue.split_once("## Actual behaviour").unwrap();
    let (actual, _) = actual.split_once("## Expected").unwrap();
    assert!(actual.contains("[-Wdiv-by-zero]") && !actual.contains("It prints nothing"), "{actual}");
    assert!(!actual.contains("Exit code 1") && !actual.contains(&place.path("").display().to_string()), "{actual}");
    assert!(!steps.contains("It says `reproduced`") && steps.contains("exit code 1 instead of 0"), "{steps}");
}

#[test]
fn the_issue_shows_a_short_script() {
    let place = Place::with_numbers();
    place.script("check", "# Is it there?\ngrep -q 17 \"$1\"");
    place.lapidary(&["reduce", "input.txt", "--bundle", "packed", "--", "./check", "{}"]).ends_with(0);
    let issue = place.read("packed/ISSUE.md");
    assert!(issue.contains("   # Is it there?\n   grep -q 17 \"$1\"\n"), "{issue}");
    assert!(issue.contains("Exit code 0, by which the test says that the input still fails."), "{issue}");
}

/// `printf '%s\n'` names no file `n`, and `test` no file of that name.
#[test]
fn a_file_with_the_name_of_a_fragment_does_not_go_along() {
    let place = Place::with_numbers();
    for (name, text) in [
        ("n", "private"),
        ("n.sh", "cat data.txt"),
        ("data.txt", "private"),
        ("notes.txt", "private"),
        ("output", "private"),
        ("test", "private"),
        ("found", "private"),
        ("check.sh", "exit 0"),
    ] {
        place.write(name, text);
    }
    place.write("words", "17\n");
    place.write("set.txt", "x\n");
    let body = "# See notes.txt.\noutput=$(cat \"$1\")\ntest -n \"$output\" || exit 1\n\
        grep -q x \"$(dirname \"$0\")/set.txt\" || exit 1\n\
        if grep -q -f \"${0%/*}/\"words \"$1\"; then printf '%s\\n' \"it was found\"; else exit 1; fi";
    place.script("check", body);
    place.lapidary(&["reduce", "input.txt", "--bundle", "packed", "--", "./check", "{}"]).ends_with(0);
    assert_eq!(files(&place.path("packed/test")), ["check", "set.txt", "words"]);
    Elsewhere::with(&place, "packed").shows_the_failure();
}

#[test]
fn a_long_number_has_commas() {
    let place = Place::new();
    place.write("input.txt", "x".repeat(3999) + "\n" + &"y\n".repeat(4000));
    let test = ["reduce", "input.txt", "--bundle", "packed", "--", "grep", "-q", "xxx", "{}"];
    place.lapidary(&test).ends_with(0);
    assert!(place.read("packed/ISSUE.md").contains("from 12,000 to "), "{}", place.read("packed/ISSUE.md"));
}

#[test]
fn a_failure_that_is_gone_is_a_negative_verdict() {
    let place = Place::with_numbers();
    place.lapidary(&["reduce", "input.txt", "--", "grep", "-q", "17", "{}"]).ends_with(0);
    fs::write(place.path("input.reduced.txt"), "18\n").unwrap();
    let run = place.lapidary(&["bundle", "input.reduced.txt", "--json", "-"]).ends_with(1);
    assert_eq!(run.json()["reproduced"], "no");
    assert!(place.read("input.reduced.txt.bundle/output.txt").contains("not seen again: exit code 1 instead of 0"));
}

#[test]
fn only_an_earlier_bundle_is_replaced() {
    let place = Place::with_numbers();
    place.write("mine/notes.txt", "important");
    let reduce = |options: &[&str]| {
        place.lapidary(&[&["reduce", "input.txt"], options, &["--", "grep", "-q", "17", "{}"]].concat())
    };
    reduce(&["--bundle", "mine"]).ends_with(2).complains(&["mine exists", "--force"]);
    reduce(&["--force", "--bundle", "mine"]).ends_with(2).complains(&["mine is not a bundle"]);
    reduce(&["--bundle", "no/such/place"]).ends_with(2).complains(&["the directory of no/such/place does not exist"]);
    reduce(&["--bundle", "/proc/bundle"]).ends_with(2).complains(&["cannot write to /proc"]);
    assert!(!place.exists("input.reduced.txt"), "all of this is said before anything runs");
    reduce(&["--bundle", "packed"]).ends_with(0);
    let again = ["bundle", "input.reduced.txt", "--out", "packed"];
    place.lapidary(&again).ends_with(2).complains(&["packed exists"]);
    place.lapidary(&[&again[..], &["--force"]].concat()).ends_with(0);
    place.lapidary(&["bundle", "input.reduced.txt", "--out", "mine", "--force"]).ends_with(2);
    place
        .lapidary(&["bundle", "input.reduced.txt", "--out", "/proc/x"])
        .ends_with(2)
        .complains(&["cannot write to /proc"]);
}

#[test]
fn what_is_no_journal_is_said_to_be_none() {
    let place = Place::with_numbers();
    place.lapidary(&["reduce", "input.txt", "--", "grep", "-q", "17", "{}"]).ends_with(0);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    let bundle = |name: &str, text: &str| {
        place.write(name, text);
        place.lapidary(&["bundle", name])
    };
    bundle("x.journal.jsonl", "").ends_with(2).complains(&["x.journal.jsonl holds nothing yet"]);
    bundle("x.journal.jsonl", "{\"a\":1}\n").ends_with(2).complains(&["is not a journal"]);
    bundle("x.journal.jsonl", "{\"journal\":1}\n").ends_with(2).complains(&["version 1 of the format"]);
    bundle("x.journal.jsonl", &journal[..40]).ends_with(2).complains(&["is not a journal"]);
    bundle("x.journal.jsonl", &journal).ends_with(2).complains(&["the result of x.journal.jsonl", "cannot read x"]);
    bundle("notes.txt", &journal).ends_with(2).complains(&["is not called RESULT.journal.jsonl"]);
    place.lapidary(&["bundle", "none.journal.jsonl"]).ends_with(2).complains(&["cannot read none.journal.jsonl"]);
    // A journal that was cut short later on still says how to show the failure.
    let (unfinished, _) = journal.split_once("{\"done\":").unwrap();
    place.write("input.reduced.txt.journal.jsonl", &unfinished[..unfinished.len() - 30]);
    let run = place.lapidary(&["bundle", "input.reduced.txt"]).ends_with(0);
    run.prints(&["shows the failure"]);
    assert!(place.read("input.reduced.txt.bundle/ISSUE.md").contains("stopped early"));
}

/// The first line as earlier versions wrote it.
#[test]
fn the_journal_of_an_earlier_version_will_do() {
    let place = Place::with_numbers();
    let given = ["reduce", "input.txt", "--expect", "exit!=1", "--", "grep", "-q", "17", "{}"];
    place.lapidary(&given).ends_with(0);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    let (start, rest) = journal.split_once(",\"reproduction\":").unwrap();
    let (_, rest) = rest.split_once(",\"sum\":").unwrap();
    place.write("input.reduced.txt.journal.jsonl", format!("{start},\"sum\":{rest}"));
    let run = place.lapidary(&["bundle", "input.reduced.txt"]).ends_with(0);
    run.complains(&["what the journal of an older version does not note"]);
    let elsewhere = Elsewhere::with(&place, "input.reduced.txt.bundle");
    elsewhere.shows_the_failure();
    fs::write(elsewhere.path("input/input.txt"), "1\n").unwrap();
    elsewhere.does_not_show_it().prints(&["exit code 1"]);
}

#[test]
fn a_worker_leaves_the_script_out_and_says_so() {
    let place = Place::new();
    place.write("input.txt", "1\n2\n3\n4\n");
    let answers = r#"echo '{"lapidary": 1, "name": "test"}'
        id=0
        while read -r line; do
            path=${line#*'"candidate":"'}
            if grep -q 3 "${path%%'"'*}"; then verdict=interesting; else verdict=uninteresting; fi
            echo "{\"id\": $id, \"verdict\": \"$verdict\", \"reason\": \"\"}"
            id=$((id + 1))
        done"#;
    let worker = place.script("worker.sh", answers);
    let given = ["reduce", "input.txt", "-j1", "--bundle", "packed", "--worker", worker.to_str().unwrap()];
    let run = place.lapidary(&given).ends_with(0);
    run.complains(&["the test is no command that a shell could run"]).prints(&["reproduce.sh was not tried"]);
    assert_eq!(
        files(&place.path("packed")),
        ["ISSUE.md", "input/input.txt", "output.txt", "report.html", "versions.txt"]
    );
}

const CRASHING: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include \"limits of it.h\"\n\
    int noise(int n) { return n + 1; }\n\
    int main(int count, char **words) {\n    int n = noise(count);\n    char line[LONGEST];\n\
    if (!fgets(line, sizeof line, stdin)) return 1;\n    FILE *file = fopen(words[1], \"r\");\n    if (!file) return 2;\n\
    int divisor = atoi(line);\n    printf(\"%d\\n\", 100 / (divisor - WRONG));\n    return n;\n}\n";

#[test]
fn a_crash_is_built_and_run_elsewhere() {
    let place = Place::new();
    place.write("a program.c", CRASHING);
    place.write("limits of it.h", "#define LONGEST 80\n");
    place.write("some data.txt", "x\n");
    place.write("stdin", "17\n");
    let mut command = place.command();
    command.args([
        "crash",
        "a program.c",
        "--flags",
        "-DWRONG=17 -std=gnu11",
        "--bundle",
        "packed",
        "--",
        "some data.txt",
    ]);
    command.stdin(fs::File::open(place.path("stdin")).unwrap());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("reproduce.sh was tried and shows the failure"), "{output:?}");
    let elsewhere = Elsewhere::with(&place, "packed");
    let script = elsewhere.read("reproduce.sh");
    assert!(script.contains("gcc") && script.contains("-DWRONG=17") && script.contains("136 (SIGFPE)"), "{script}");
    elsewhere.shows_the_failure();
    let source = elsewhere.read("input/a program.c");
    fs::write(elsewhere.path("input/a program.c"), source.replace("100 /", "100 -").replace("/", "-")).unwrap();
    elsewhere.does_not_show_it();
    fs::write(elsewhere.path("input/a program.c"), "int main( {").unwrap();
    elsewhere.does_not_show_it().prints(&["it does not compile"]);
}

#[test]
fn the_kind_of_a_crash_is_recognised_elsewhere() {
    let kinds = [
        ("a.c", "", "#include <assert.h>\nint main() { int sum = 2; assert(sum == 3); }\n", "sum == 3"),
        ("e.cpp", "", "#include <stdexcept>\nint main() { throw std::out_of_range(\"no 7\"); }\n", "out_of_range"),
        (
            "o.c",
            "",
            "int f(int n) { volatile char a[4096]; a[0] = n; return f(n + 1) + a[0]; }\nint main() { return f(1); }\n",
            "139",
        ),
        (
            "s.c",
            "-fsanitize=address",
            "#include <stdlib.h>\nint main() { char *p = malloc(4); p[4] = 1; return p[4]; }\n",
            "heap-buffer-overflow",
        ),
        (
            "u.c",
            "-fsanitize=undefined",
            "int main(int n, char **w) { int top = 2147483647; top += n; return top; }\n",
            "signed integer overflow",
        ),
    ];
    for (name, flags, text, sign) in kinds {
        let place = Place::new();
        place.write(name, text);
        let run = place.lapidary(&["crash", name, "--flags", flags, "--bundle", "packed"]).ends_with(0);
        let elsewhere = Elsewhere::with(&place, "packed");
        assert!(elsewhere.read("reproduce.sh").contains(sign), "{run}\n{}", elsewhere.read("reproduce.sh"));
        elsewhere.shows_the_failure();
        fs::write(elsewhere.path(&format!("input/{name}")), "int main() { return 0; }\n").unwrap();
        elsewhere.does_not_show_it();
    }
}

#[test]
fn a_crash_of_several_files_goes_along_with_them() {
    let place = Place::new();
    place.write("src/main.c", "#include \"list.h\"\nint main() { return get((struct list *)0); }\n");
    place.write("src/list.c", "#include \"list.h\"\nint get(struct list *l) { return l->first; }\n");
    place.write("src/list.h", "struct list { int first; };\nint get(struct list *l);\n");
    place.lapidary(&["crash", "src/main.c", "src/list.c", "--bundle", "packed"]).ends_with(0);
    let elsewhere = Elsewhere::with(&place, "packed");
    elsewhere.shows_the_failure();
    let left = files(&elsewhere.path("input"));
    assert!(left.contains(&"src/list.c".to_owned()), "{left:?}");
    fs::write(elsewhere.path("input/src/main.c"), "int main() { return 0; }\n").unwrap();
    elsewhere.does_not_show_it();
}

/// CFR writes code that does not compile for this class.
const STEP: &str = "package shop; import java.util.function.Function; public interface Step {
    static <A, B, C> Function<A, C> both(Function<? super A, ? extends B> f, Function<? super B, ? extends C> g) {
        return object -> g.apply(f.apply(object)); } }";

fn compiled(place: &Place, name: &str, text: &str) -> PathBuf {
    let source = place.write(name, text);
    let classes = place.path("classes");
    javac(&["-g"], &classes, [source]);
    classes
}

#[test]
fn the_decompilers_sources_and_errors_are_in_the_bundle() {
    let place = Place::new();
    let classes = compiled(&place, "source/Step.java", STEP);
    let entries = vec![("shop/Step.class".to_owned(), fs::read(classes.join("shop/Step.class")).unwrap())];
    place.write("app.jar", jar(&entries));
    let run = place.lapidary(&["reduce", "app.jar", "--decompiler", "cfr", "--bundle", "packed"]).ends_with(0);
    run.prints(&["reproduce.sh was tried and shows the failure"]);
    let elsewhere = Elsewhere::with(&place, "packed");
    assert!(elsewhere.read("decompiled/shop/Step.java").contains("interface Step"));
    assert!(elsewhere.read("decompiled/errors.txt").contains("shop/Step.java: incompatible types"));
    assert!(elsewhere.path("classes/shop/Step.class").is_file());
    let issue = elsewhere.read("ISSUE.md");
    assert!(issue.contains("-Dartifact=org.benf:cfr:0.152") && issue.contains("incompatible types"), "{issue}");
    elsewhere.shows_the_failure();
    let plain = compiled(&place, "plain/Plain.java", "class Plain { int x() { return 1; } }");
    let entries = vec![("Plain.class".to_owned(), fs::read(plain.join("Plain.class")).unwrap())];
    fs::write(elsewhere.path("input/app.jar"), jar(&entries)).unwrap();
    elsewhere.does_not_show_it().prints(&["not reproduced"]);
}

#[test]
fn an_analysis_is_asked_elsewhere() {
    // CFR is used where it is in the cache.
    lapidary_java_workers::Decompiler::parse("cfr").unwrap().install(&mut |_| {}).unwrap();
    let place = Place::new();
    let text = "class Small { public static void main(String[] words) { if (words.length > 1) lost(words[1]); }
        static void lost(String word) { System.out.println(word); } }";
    compiled(&place, "Small.java", text);
    place.script("analyses/mine", "cat \"$(dirname \"$0\")/known methods.txt\" > \"$3\"");
    place.write("analyses/known methods.txt", "Small.main:([Ljava/lang/String;)V\n");
    let given = ["triage", "classes", "--main", "Small", "--own", "cha", "--others", "none", "--reduce", "mine"];
    let asked =
        ["--analysis", "mine=analyses/mine {classpath} {main} {out}", "--bundle", "packed", "--", "one", "it's two"];
    let run = place.lapidary(&[&given[..], &asked].concat()).ends_with(1);
    run.prints(&["reproduce.sh was tried and shows the failure", "disassembled/Small.txt", "decompiled/Small.java"]);
    assert!(place.read("packed/decompiled/Small.java").contains("class Small"));
    let elsewhere = Elsewhere::with(&place, "packed");
    elsewhere.shows_the_failure().prints(&["mine misses Small.lost:(Ljava/lang/String;)V"]);
    let known = "Small.main:([Ljava/lang/String;)V\nSmall.lost:(Ljava/lang/String;)V\n";
    fs::write(elsewhere.path("test/analyses/known methods.txt"), known).unwrap();
    elsewhere.does_not_show_it().prints(&["the analysis finds the method"]);
    let other = text.replace("words.length > 1", "words.length > 9");
    let source = place.write("other/Small.java", other);
    javac(&["-g"], &elsewhere.path("input/classes"), [source]);
    elsewhere.does_not_show_it().prints(&["the program does not enter the method"]);
}

#[test]
fn a_difference_is_shown_elsewhere() {
    let old = "class T { static int f(int n) { return n == 41 ? 1 : 2; } }";
    let place = pair::pair(old, &old.replace("1 : 2", "3 : 2"));
    let run = pair::compare(&place, &["--bundle", "packed"]).ends_with(1);
    run.prints(&["reproduce.sh was tried and shows the failure"]);
    let elsewhere = Elsewhere::with(&place, "packed");
    elsewhere.shows_the_failure();
    assert!(elsewhere.read("ISSUE.md").contains("T.f(41)"), "{}", elsewhere.read("ISSUE.md"));
    the_page_is_fit_to_be_sent(&place, &["T.f(41)", "The input that shows it", "<h3>old</h3>"]);
    let (old, new) = ("input/versions/old/T.class", "input/versions/new/T.class");
    fs::copy(elsewhere.path(old), elsewhere.path(new)).unwrap();
    elsewhere.does_not_show_it();
    let same =
        pair::pair("class T { static int f(int n) { return n; } }", "class T { static int f(int n) { return n; } }");
    pair::compare(&same, &["--bundle", "packed"]).complains(&["no difference was found, so there is no bundle"]);
    assert!(!same.exists("packed"));
}

/// A part that is the same in both versions is no difference.
#[test]
fn a_difference_in_the_output_is_told_in_words() {
    let old = "class T { static char f(String s) { if (s.length() == 1) System.out.println(\"one\"); return '\\''; } }";
    let place = pair::pair(old, &old.replace("one", "single"));
    pair::compare(&place, &["--bundle", "packed"]).ends_with(1);
    let issue = place.read("packed/ISSUE.md");
    assert!(issue.starts_with("# T.f: the output differs"), "{issue}");
    assert!(issue.contains("prints \"one\"") && issue.contains("prints \"single\""), "{issue}");
    assert!(issue.contains("returns '\\''") && !issue.contains("T:0") && !issue.contains("I:39"), "{issue}");
    assert!(place.read("packed/versions.txt").contains("found with: Lapidary"));
}

/// `output.txt` is what the script prints, so that both can be compared.
#[test]
fn the_output_is_that_of_the_script() {
    let old = "class T { static char f(String s) { if (s.length() == 1) System.out.println(\"one\"); return '\\''; } }";
    let place = pair::pair(old, &old.replace("one", "single"));
    pair::compare(&place, &["--bundle", "packed"]).ends_with(1);
    let work = place.path("tried");
    run(Command::new("sh").arg(place.path("packed/reproduce.sh")).env("REPRODUCE_IN", &work));
    let printed = fs::read_to_string(work.join("stdout")).unwrap();
    assert!(printed.contains("I:39"), "{printed}");
    let output = place.read("packed/output.txt");
    assert!(output.contains(&format!("--- standard output\n{printed}")), "{printed} is not in {output}");
}

/// The page of a bundle has these words, loads nothing, and names no directory of this machine.
#[track_caller]
fn the_page_is_fit_to_be_sent(place: &Place, words: &[&str]) {
    let page = place.read("packed/report.html");
    for word in words {
        assert!(page.contains(word), "{word} is not on the page: {page}");
    }
    let directory = place.path("").canonicalize().unwrap();
    assert!(!page.contains(directory.to_str().unwrap()) && !page.contains("/tmp/"), "a path of this machine: {page}");
}

#[test]
fn a_finding_is_shown_elsewhere() {
    let place = Place::new();
    let text = "class T { static int f(int n, String text) { return 10 / (text.length() - n * 2); } }";
    compiled(&place, "T.java", text);
    let given = ["explore", "classes", "--main", "T.f", "--bundle", "packed"];
    place.lapidary(&patient(&given)).ends_with(1).prints(&["reproduce.sh was tried and shows the failure"]);
    let elsewhere = Elsewhere::with(&place, "packed");
    elsewhere.shows_the_failure();
    the_page_is_fit_to_be_sent(&place, &["ArithmeticException", "What it can do"]);
    let source = place.write("other/T.java", "class T { static int f(int n, String text) { return 1; } }");
    javac(&["-g"], &elsewhere.path("input/versions/program"), [source]);
    elsewhere.does_not_show_it();
    let again = place.lapidary(&patient(&given)).ends_with(2);
    again.complains(&["packed exists"]);
}

/// The script is plain POSIX: every shell that is here can read it.
#[test]
fn scripts_are_read_by_every_shell() {
    let place = Place::with_numbers();
    place.lapidary(&["reduce", "input.txt", "--bundle", "packed", "--", "grep", "-q", "17", "{}"]).ends_with(0);
    let script = place.path("packed/reproduce.sh");
    for shell in ["sh", "dash", "bash"] {
        let output = Command::new(shell).args([OsStr::new("-n"), script.as_os_str()]).output();
        assert!(output.is_ok_and(|output| output.status.success() && output.stderr.is_empty()), "{shell}");
    }
    run(Command::new("bash").arg("--posix").arg(&script).current_dir("/"));
}
