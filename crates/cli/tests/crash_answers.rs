//! `lapidary crash` gives no wrong answer: what it calls the same failure is the same, and what it saves was run.

mod support;

use rustix::process::Signal;
use std::time::{Duration, Instant};
use support::{Place, wait_until};

fn minimised(files: &[(&str, &str)], arguments: &[&str]) -> (Place, support::Run) {
    let place = Place::new();
    files.iter().for_each(|(name, text)| _ = place.write(name, text));
    let run = place.lapidary(&[&["crash"], arguments].concat());
    (place, run)
}

#[test]
fn a_failure_in_a_header_does_not_keep_a_line_of_the_source() {
    let header = "#include <assert.h>\n\n\nstatic void check(int n)\n{ assert(n != 3); }\n";
    let source =
        "#include \"check.h\"\n\nint unused;\n\nint other(void) { return 1; }\n\nint main(void)\n{\n    check(3);\n}\n";
    let (place, run) = minimised(&[("check.h", header), ("u.c", source)], &["u.c"]);
    let run = run.ends_with(0).prints(&["failed at check.h:5 in check"]);
    assert!(!run.stdout.contains("check.h:5:3: in check\n      int other"), "{run}");
    let result = place.read("u.reduced.c");
    assert!(!result.contains("other") && result.contains("check("), "{result}");
    assert!(!run.stdout.contains("-->"), "the statement is not in this file: {run}");
}

#[test]
fn lines_that_are_counted_otherwise_are_not_marked() {
    let text = "#include <stdlib.h>\n#line 3 \"p.c\"\nint other(void)\n{\n    return 1;\n}\nint main(void)\n{\n    if (other())\n        abort();\n}\n";
    let (place, run) = minimised(&[("p.c", text)], &["p.c"]);
    let run = run.ends_with(0).prints(&["abort at p.c:10 in main"]);
    assert!(place.read("p.reduced.c").contains("abort();"));
    assert!(!run.stdout.contains("-->") && !run.stdout.contains("in main\n      "), "{run}");
}

#[test]
fn parameters_stay_with_their_arguments() {
    let text = "#include <assert.h>\nvoid check(int n);\nint main(void)\n{\n    check(3);\n    return 0;\n}\nvoid check(int n)\n{\n    assert(n != 3);\n}\n";
    let (place, run) = minimised(&[("kr.c", text)], &["kr.c"]);
    run.ends_with(0);
    let result = place.read("kr.reduced.c");
    assert!(result.contains("check(3)") && !result.contains("void check();"), "{result}");
}

#[test]
fn what_is_saved_when_it_is_stopped_was_run() {
    let place = Place::new();
    // The assertion looks at its own line, so that a text without its gaps does not fail.
    let text = "#include <assert.h>\n#include <unistd.h>\nint one(void)\n{\n    return 1;\n}\nint two(void)\n{\n    return 2;\n}\n\
                int main(void)\n{\n    usleep(100000);\n    int n = one() + two();\n    assert(n == 0 || __LINE__ < 15);\n    return n;\n}\n";
    place.write("line.c", text);
    let run = place.start(&["crash", "line.c", "-j1", "--quiet"]);
    let blank = |text: &str| text.lines().filter(|line| line.trim().is_empty()).count();
    wait_until("the result is smaller", || place.exists("line.reduced.c") && blank(&place.read("line.reduced.c")) > 0);
    run.signal(Signal::INT);
    run.wait().ends_with(3);
    let saved = place.read("line.reduced.c");
    let line = saved.lines().nth(14).unwrap_or_default();
    assert!(line.contains("assert("), "{saved}");
    place.lapidary(&["crash", "line.reduced.c", "--out", "again.c", "--budget", "1", "--quiet"]).ends_with(3);
}

#[test]
fn a_slice_that_takes_for_ever_is_stopped() {
    let place = Place::new();
    let text = "#include <stdlib.h>\n#include <unistd.h>\nint main(void)\n{\n    while (getenv(\"LAPIDARY_TRACE\"))\n        sleep(1);\n    abort();\n}\n";
    place.write("slow.c", text);
    let started = Instant::now();
    place.lapidary(&["crash", "slow.c", "--budget", "2s", "--quiet"]).ends_with(3);
    assert!(started.elapsed() < Duration::from_secs(40), "it took {:?}", started.elapsed());
    let run = place.start(&["crash", "slow.c", "--out", "other.c", "--quiet"]);
    wait_until("the search has begun", || place.exists("other.c"));
    run.signal(Signal::INT);
    let started = Instant::now();
    run.wait().ends_with(3);
    assert!(started.elapsed() < Duration::from_secs(30), "it took {:?}", started.elapsed());
}

#[test]
fn windows_line_ends_stay() {
    let text = "#include <stdlib.h>\r\n\r\nint other(void) { return 1; }\r\nint main(void)\r\n{\r\n    other();\r\n    abort();\r\n}\r\n";
    let (place, run) = minimised(&[("win.c", text)], &["win.c"]);
    run.ends_with(0);
    let result = place.read("win.reduced.c");
    assert!(result.contains("    abort();\r\n") && !result.replace("\r\n", "").contains('\n'), "{result:?}");
}

#[test]
fn options_that_are_odd() {
    let text = "#include <stdlib.h>\nint main(void) { abort(); }\n";
    let place = Place::new();
    place.write("sub/a.c", text);
    for place_of_it in ["sub/a.c:2", "./sub/a.c:2", "a.c:2"] {
        let run = ["crash", "sub/a.c", "--at", place_of_it, "--force", "--quiet", "--out", "small.c"];
        place.lapidary(&run).ends_with(0);
    }
    place.lapidary(&["crash", "sub/a.c", "--at", "./sub/a.c:1"]).ends_with(2).complains(&["does not fail at a.c:1"]);
    for odd in ["1e300", "0", "-1", "nan"] {
        place.lapidary(&["crash", "sub/a.c", &format!("--timeout={odd}")]).ends_with(2).complains(&["--timeout"]);
    }
    place.lapidary(&["crash", "sub/a.c", "--flags", "-DA=\"x"]).ends_with(2).complains(&["--flags", "not closed"]);
    let quoted = ["crash", "sub/a.c", "--flags", "-DA='1 + 1' -DB", "--force", "--quiet", "--out", "small.c"];
    place.lapidary(&quoted).ends_with(0);
    place.lapidary(&["crash", "sub/a.c", "one", "two"]).ends_with(2).complains(&["cannot read one", "behind --"]);
}

#[test]
fn a_home_that_cannot_be_written_is_no_obstacle() {
    let place = Place::new();
    place.write("a.c", "#include <stdlib.h>\nint main(void) { abort(); }\n");
    for home in [Some("/proc/nope"), None] {
        let mut command = place.command();
        command.args(["crash", "a.c", "--force", "--quiet"]).env_remove("XDG_CACHE_HOME").env_remove("HOME");
        home.into_iter().for_each(|home| _ = command.env("HOME", home));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_slice_that_does_not_compile_gets_what_it_lacks() {
    // `return 2` is not run, and without it the function has no end.
    let text = "#include <stdlib.h>\nint picked(int n)\n{\n    if (n > 5)\n        return 1;\n    return 2;\n}\nint other(int n)\n{\n    \
                return n * 2;\n}\nint main(void)\n{\n    int junk = other(4);\n    junk++;\n    if (picked(9) == 1)\n        abort();\n    \
                return junk;\n}\n";
    let (place, run) = minimised(&[("picked.c", text)], &["picked.c"]);
    run.ends_with(0);
    let journal = place.read("picked.reduced.c.journal.jsonl");
    let test_of = |stage: &str| {
        let of_stage = |line: &&str| line.starts_with("{\"test\"") && line.contains(&format!("\"stage\":\"{stage}\""));
        journal.lines().find(of_stage).unwrap_or_default().to_owned()
    };
    assert!(test_of("dynamic slice").contains("return-type"), "{journal}");
    assert!(test_of("completed slice").contains("\"verdict\":\"interesting\""), "{journal}");
    assert_eq!(test_of("static slice"), "");
}
