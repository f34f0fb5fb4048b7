//! `lapidary crash` gives no wrong answer: the failure of its result is the same, and the result
//! was run.

use crate::support;

use rustix::process::Signal;
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
    // The assertion checks its own line number, so the text does not fail without its gaps.
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
    place.lapidary(&["crash", "slow.c", "--budget", "2s", "--quiet"]).ends_with(3);
    let run = place.start(&["crash", "slow.c", "--out", "other.c", "--quiet"]);
    wait_until("the search has begun", || place.exists("other.c"));
    run.signal(Signal::INT);
    run.wait().ends_with(3);
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
    place.lapidary(&["crash", "sub/a.c", "one", "two"]).ends_with(2).complains(&["cannot read one", "after --"]);
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
    // `return 2` does not run, but without it the function would not return a value.
    let text = "#include <stdlib.h>\nint picked(int n)\n{\n    if (n > 5)\n        return 1;\n    return 2;\n}\nint other(int n)\n{\n    \
                return n * 2;\n}\nint main(void)\n{\n    int junk = other(4);\n    junk++;\n    if (picked(9) == 1)\n        abort();\n    \
                return junk;\n}\n";
    let (place, run) = minimised(&[("picked.c", text)], &["picked.c"]);
    run.ends_with(0);
    let journal = place.read("picked.reduced.c.journal.jsonl");
    // The tests of a stage follow its line.
    let test_of = |stage: &str| {
        let begins = format!("{{\"stage\":\"{stage}\"");
        let mut lines = journal.lines().skip_while(|line| !line.starts_with(&begins)).skip(1);
        lines.next().filter(|line| line.starts_with("{\"test\"")).unwrap_or_default().to_owned()
    };
    assert!(test_of("dynamic slice").contains("return-type"), "{journal}");
    assert!(test_of("completed slice").contains("\"verdict\":\"interesting\""), "{journal}");
    assert_eq!(test_of("static slice"), "");
}

#[test]
fn an_expression_becomes_the_value_that_it_had() {
    let text = "#include <assert.h>\n#include <string.h>\nint twice(int x)\n{\n    return 2 * x;\n}\nvoid check(const char *name, int number)\n{\n    \
                if (strlen(name) > 2)\n        assert(number != 14);\n}\nint main(int argc, char **argv)\n{\n    int sum = 0;\n    for (int i = 1; i < 5; i++)\n        \
                sum += twice(i) - i;\n    check(argv[1], sum + 4);\n}\n";
    let (place, run) = minimised(&[("v.c", text)], &["v.c", "--", "Ada"]);
    run.ends_with(0).prints(&["assertion `number != 14` failed at v.c:10"]);
    let result = place.read("v.reduced.c");
    assert!(result.contains("check(\"Ada\", 14)") && !result.contains("twice"), "{result}");
}

#[test]
fn of_two_calls_on_neighbouring_lines_the_one_that_failed_stays() {
    let text = "#include <assert.h>\nstruct range { int low, high; };\nvoid narrow(struct range *range, int v)\n{\n    range->low = v;\n    \
                if (range->high > 12)\n        range->high = 12;\n    assert(range->low <= range->high);\n}\nvoid both(int v)\n{\n    \
                struct range range = {0, 100};\n    narrow(&range, 1);\n    narrow(&range, v);\n}\nint main(void)\n{\n    both(3);\n    both(14);\n}\n";
    let (place, run) = minimised(&[("n.c", text)], &["n.c"]);
    run.ends_with(0);
    let result = place.read("n.reduced.c");
    // Only the first call sets `high`, so the second cannot run line 7.
    let calls = result.lines().filter(|line| line.contains("narrow(&range")).count();
    assert!(calls == 2 || !result.contains("range->high = 12"), "{result}");
}

#[test]
fn a_value_that_was_looked_up_is_the_one_that_was_not_found() {
    let text = "#include <map>\n#include <stdexcept>\n#include <string>\nstd::map<std::string, int> accounts;\n\
                int &find(const std::string &name)\n{\n    auto it = accounts.find(name);\n    if (it == accounts.end())\n        \
                throw std::runtime_error(\"no account\");\n    return it->second;\n}\nint main()\n{\n    accounts[\"ada\"] = 10;\n    \
                find(\"ada\") -= 3;\n    find(\"cyd\") += 3;\n}\n";
    let (place, run) = minimised(&[("m.cpp", text)], &["m.cpp"]);
    run.ends_with(0);
    let result = place.read("m.reduced.cpp");
    assert!(result.contains("\"cyd\"") && !result.contains("\"\""), "{result}");
    assert!(result.contains("if (it == accounts.end())"), "{result}");
}

#[test]
fn a_function_has_one_type_in_all_files() {
    let one = "int f(int *p);\nint main(void)\n{\n    int x = 3;\n    int *q = 0;\n    if (x > 2)\n        f(q);\n    return 0;\n}\n";
    let other =
        "static int helper(int *p) { return *p + 1; }\nint f(int *p)\n{\n    int r = helper(p);\n    return r;\n}\n";
    let (place, run) = minimised(&[("a.c", one), ("b.c", other)], &["a.c", "b.c", "--out", "r"]);
    run.ends_with(0);
    let (one, other) = (place.read("r/a.c"), place.read("r/b.c"));
    assert!(one.contains("int f(") && other.contains("int f("), "{one}{other}");
}

#[test]
fn of_several_values_in_a_loop_none_stands_for_all() {
    let text = "#include <cassert>\n#include <vector>\nvoid check(const std::vector<int> &all)\n{\n    assert(all[1] != 7);\n}\nint main()\n{\n    \
                std::vector<int> all;\n    for (int i = 0; i < 3; i++)\n        all.push_back(i % 2 ? 7 : 5);\n    check(all);\n}\n";
    let (place, run) = minimised(&[("l.cpp", text)], &["l.cpp"]);
    run.ends_with(0);
    let result = place.read("l.reduced.cpp");
    assert!(result.contains("{5, 7, 5}") || result.contains("i % 2 ? 7 : 5"), "{result}");
}

#[test]
fn each_declarator_can_go() {
    let text = "int main(void)\n{\n    int a, *b = 0;\n    a = 1;\n    return *b + a;\n}\n";
    let (place, run) = minimised(&[("d.c", text)], &["d.c", "--smallest"]);
    run.ends_with(0);
    let result = place.read("d.reduced.c");
    assert!(!result.contains("a,") && !result.contains("a ,"), "{result}");
}

#[test]
fn a_recursion_keeps_the_condition_that_could_have_ended_it() {
    let text = "#include <stdio.h>\nint down(int n)\n{\n    if (n == 0)\n        return 0;\n    printf(\"%d\\n\", n % 7);\n    \
                return 1 + down(n - 1);\n}\nint main(void)\n{\n    return down(-1);\n}\n";
    let (place, run) = minimised(&[("r.c", text)], &["r.c"]);
    run.ends_with(0);
    let result = place.read("r.reduced.c");
    assert!(result.contains("if (n == 0)") && result.contains("down(-1)"), "{result}");
    assert!(!result.contains("printf"), "{result}");
}
