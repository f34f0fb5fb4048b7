//! `lapidary reduce` on C and C++, with libclang and without it.

use crate::support;

use serde_json::Value;
use support::{Place, Run};

const SHAPES: &str = "\
#include <stddef.h>
struct point { int x, y; };
typedef struct point point;
static int square(int n) { return n * n; }
static int distance(point a, point b) { return square(a.x - b.x) + square(a.y - b.y); }
int needed(point *p)
{
    point origin = {0, 0};
    if (p == NULL)
        return -1;
    return distance(*p, origin);
}
";

/// A test that wants a program that compiles and contains this word.
fn shapes() -> Place {
    let place = Place::new();
    place.write("shapes.c", SHAPES);
    place.script("check", "gcc -fsyntax-only -Werror \"$1\" && grep -q needed \"$1\"");
    place
}

fn reduce(place: &Place, options: &[&str]) -> Value {
    let arguments = [&["reduce", "shapes.c", "--json", "-"], options, &["--", "./check", "{}"]].concat();
    place.lapidary(&arguments).ends_with(0).json()
}

fn without_libclang(place: &Place, options: &[&str]) -> Run {
    let arguments = [&["reduce", "shapes.c", "--json", "-"], options, &["--", "./check", "{}"]].concat();
    let output = place.command().args(arguments).env("LIBCLANG_PATH", "/nowhere").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn what_a_test_links_stays_defined() {
    let place = Place::new();
    let functions: String =
        (0..12).map(|number| format!("int f{number}(int x) {{ return x + {number}; }}\n")).collect();
    let calls: String = (0..12).map(|number| format!(" + f{number}(n)")).collect();
    let program =
        format!("#include <stdio.h>\n{functions}int main(int n) {{ printf(\"wanted\"); return 0{calls}; }}\n");
    place.write("shapes.c", &program);
    let log = place.path("log");
    let body = format!(
        "gcc -w \"$1\" -o program 2> errors && ./program | grep -q wanted; code=$?\ngrep -c undefined errors >> {}; exit $code",
        log.display()
    );
    place.script("check", &body);
    reduce(&place, &["-j1"]);
    let undefined = place.read("log").lines().filter(|line| *line != "0").count();
    assert!(undefined < 8, "{undefined} candidates called what they do not define");
}

#[test]
fn what_does_not_compile_never_comes_to_the_test() {
    let place = shapes();
    let log = place.path("log");
    let body = format!(
        "gcc -fsyntax-only \"$1\" 2>/dev/null; echo $? >> {}; gcc -fsyntax-only -Werror \"$1\" && grep -q needed \"$1\"",
        log.display()
    );
    place.script("check", &body);
    let summary = reduce(&place, &["-j1"]);
    assert_eq!(summary["model"], "c");
    assert!(summary["tests"]["refused"].as_u64().unwrap() > 0, "{summary}");
    let verdicts = place.read("log");
    let (all, refused) = (verdicts.lines().count(), verdicts.lines().filter(|line| *line != "0").count());
    assert!(refused * 5 < all, "{refused} of {all} candidates did not compile");
}

#[test]
fn without_libclang_the_grammar_is_enough() {
    let place = shapes();
    let run = without_libclang(&place, &[]).ends_with(0);
    assert_eq!(run.json()["model"], "tree:c");
    assert!(!run.stderr.contains("libclang"), "{run}");
    assert!(place.read("shapes.reduced.c").len() < 40);
}

#[test]
fn who_asks_for_libclang_is_told_that_there_is_none() {
    let place = shapes();
    let run = without_libclang(&place, &["--as", "c"]).ends_with(2);
    run.complains(&["libclang", "apt install", "LIBCLANG_PATH"]);
    assert!(!place.exists("shapes.reduced.c"));
    assert_eq!(without_libclang(&place, &["--as", "tree:c"]).ends_with(0).json()["model"], "tree:c");
}

#[test]
fn readable_results_keep_names_and_layout() {
    let place = shapes();
    reduce(&place, &["--readable", "--keep", "distance"]);
    let result = place.read("shapes.reduced.c");
    assert!(result.contains("needed") && result.contains("distance"), "{result}");
    assert!(!result.contains("square(int"), "what nobody needs is gone: {result}");
}

#[test]
fn flags_are_for_reading_the_file() {
    let place = Place::new();
    let text = "#include \"sizes.h\"\n#ifndef SIZE\n#error no size\n#endif\nint a[SIZE];\nint unused(void) { return 1; }\nint needed(void) { return a[0]; }\n";
    place.write("shapes.c", text);
    let directory = place.write("include/sizes.h", "#define SIZE 4\n").parent().unwrap().display().to_string();
    place.script("check", &format!("gcc -I{directory} -fsyntax-only -Werror \"$1\" && grep -q needed \"$1\""));
    let summary = reduce(&place, &["--cflags", &format!("-I{directory}")]);
    assert_eq!(summary["model"], "c");
    assert!(!place.read("shapes.reduced.c").contains("unused"));
}

/// After optimisation, `needed` calls `abort` directly, which the source does not show.
#[test]
fn what_cannot_be_taken_away_is_rewritten() {
    let place = Place::new();
    let text = "void abort(void);\nstatic void helper(int x) { if (x) abort(); }\nvoid needed(void) { helper(1); }\n";
    place.write("shapes.c", text);
    let body = "gcc -O2 -w -S \"$1\" -o - | sed -n '/^needed:/,/size.*needed/p' | grep -qE '(call|jmp).*abort' && gcc -Wall -Werror -fsyntax-only \"$1\"";
    place.script("check", body);
    reduce(&place, &["--readable"]);
    assert!(place.read("shapes.reduced.c").contains("helper("), "taking away is not enough");
    reduce(&place, &["--no-rename", "--force"]);
    let result = place.read("shapes.reduced.c");
    assert!(!result.contains("helper") && result.contains("needed"), "{result}");
}

#[test]
fn in_a_long_line_of_functions_few_tests_find_the_one() {
    let place = Place::new();
    let function = |index: u32| format!("int f{index}(int x) {{ int y = x + {index}; return y; }} ");
    let text: String = (0..2_000).map(function).chain(["int needed(void) { return f7(1); }\n".to_owned()]).collect();
    place.write("shapes.c", text);
    place
        .script("check", "grep -q 'f7(1)' \"$1\" && gcc -w -fsyntax-only -Werror=implicit-function-declaration \"$1\"");
    let summary = reduce(&place, &["--readable"]);
    assert!(place.read("shapes.reduced.c").len() < 100, "{summary}");
    assert!(summary["tests"]["run"].as_u64().unwrap() < 100, "{summary}");
}

#[test]
fn old_and_odd_sources_are_reduced() {
    let sources: [&[u8]; 4] = [
        b"int needed(a, b) int a; char b; { return a + b; } int other(c) int c; { return needed(c, 1); }",
        b"%:define SIZE 3\nint needed<:SIZE:> = <% 1, 2 %>;\nint f(void) <% return needed<:0:>; %>\n",
        b"/* \xe4 */ char *needed = \"\xfc\"; int f(void) { return needed[0]; /* \xdf */ }\n",
        b"int needed; \x01\x80 ??= @ ` int f( {{{ \"open\n",
    ];
    for source in sources {
        let place = Place::new();
        place.write("shapes.c", source);
        place.script("check", "grep -qa needed \"$1\"");
        let summary = reduce(&place, &[]);
        assert_eq!(summary["model"], "c");
        assert_eq!(summary["bytes"]["after"], 6, "{summary}");
    }
}

#[test]
fn no_candidate_is_tested_twice() {
    let place = Place::new();
    place.write(
        "bug.c",
        "int helper(int x) { int y = x * 2; return y; }\nint main(void) { return helper(3); /* BUG */ }\n",
    );
    let log = place.path("log");
    let body = format!("cksum < $1 >> {}; grep -q BUG $1 && gcc -Wall -Werror -c -o /dev/null $1", log.display());
    place.script("check", &body);
    place.lapidary(&["reduce", "bug.c", "--jobs", "1", "--", "./check", "{}"]).ends_with(0);
    let text = place.read("log");
    // The input runs three times before the search, and the result once more after it.
    let mut tests: Vec<&str> = text.lines().skip(3).collect();
    tests.pop();
    let distinct: std::collections::BTreeSet<&str> = tests.iter().copied().collect();
    assert_eq!(distinct.len(), tests.len(), "{text}");
}
