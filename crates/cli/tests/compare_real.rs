//! `lapidary compare` and the real JVM: what random testing and replays may call a difference.

use crate::support;

use support::pair::{compare, pair};

#[test]
fn state_that_earlier_calls_left_is_no_difference_but_named() {
    let place = pair(
        "public class T { static int n; static int f(int x) { return x; } }",
        "public class T { static int n; static int f(int x) { return ++n > 5 ? x + 1 : x; } }",
    );
    let summary = compare(&place, &["--json", "-"]).ends_with(4).json();
    assert_eq!(summary["verdict"], "no difference found");
    let restrictions = summary["restrictions"].as_array().unwrap();
    for named in ["T.n only with its initial value", "what is left in T.n was not compared"] {
        assert!(restrictions.contains(&named.into()), "{summary}");
    }
    assert!(summary["random"]["found"].is_null() && summary["random"]["calls"].as_u64() > Some(5), "{summary}");
}

/// In Java, `"\01"` is one character.
#[test]
fn texts_are_written_as_in_java() {
    let old = "public class T { static String f(String s) { return s.length() == 1 ? s + \"1\" : \"\"; } }";
    let place = pair(old, &old.replace("s + \"1\"", "s + \"12\""));
    let run = compare(&place, &["--fuzz-first", "0"]).ends_with(1);
    run.prints(&[r#"on the real JVM: returns "\u00001""#, r#"on the real JVM: returns "\u000012""#]);
}

#[test]
fn fields_in_another_order_or_of_one_version_alone_are_no_difference() {
    let place = pair(
        "class Base { int b; } class Box extends Base { int a; int c; int d; Box(int a) { this.a = a; b = a; d = a; } }
         public class T { static Box f(int n) { return new Box(n); } }",
        "class Base { int d; int b; } class Box extends Base { private int cache; int c; int a; Box(int a) { this.a = a; b = a; cache = 7; d = a; } }
         public class T { static Box f(int n) { return new Box(n); } }",
    );
    compare(&place, &[]).ends_with(0).prints(&["\nequivalent\n", "random testing alone: no difference"]);
}

#[test]
fn fields_that_both_versions_have_count_wherever_they_are_declared() {
    let place = pair(
        "class Base { } class Box extends Base { int d; Box(int a) { d = a; } } public class T { static Box f(int n) { return new Box(n); } }",
        "class Base { int d; } class Box extends Base { Box(int a) { d = a + 1; } } public class T { static Box f(int n) { return new Box(n); } }",
    );
    compare(&place, &["--fuzz-first", "0"]).ends_with(1).prints(&["the result differs"]);
}

#[test]
fn names_that_the_machine_makes_up_are_no_difference() {
    let source = |sum: &str| {
        format!(
            "import java.util.function.*; public class T {{
             static int g(int x) {{ return {sum}; }} static IntUnaryOperator f(int n) {{ return y -> y + n; }} }}"
        )
    };
    let place = pair(&source("x + x"), &source("2 * x"));
    compare(&place, &[]).ends_with(0).prints(&["\nequivalent\n", "random testing alone: no difference"]);
}

/// The maps differ inside, which the real JVM cannot show. It shows only the different times.
fn timed(order: &str, printed: &str) -> String {
    format!(
        "import java.util.*; class R {{ final Map<String, Integer> m; final long at = System.nanoTime(); R(Map<String, Integer> m) {{ this.m = m; }} }}
         public class T {{ static Object f(int n) {{ Map<String, Integer> m = new LinkedHashMap<>(4, 1, {order}); m.put(\"a\", n); {printed} }} }}"
    )
}

#[test]
fn chance_confirms_nothing() {
    for printed in ["System.err.println(System.nanoTime()); return m;", "return new R(m);"] {
        let place = pair(&timed("false", printed), &timed("true", printed));
        compare(&place, &["--fuzz-first", "0"])
            .ends_with(3)
            .prints(&["\nunknown\n"])
            .complains(&["a difference was not confirmed"]);
    }
}

#[test]
fn differences_that_show_beside_chance_are_confirmed() {
    let source = |sum: &str| {
        format!("public class T {{ static int f(int n) {{ System.err.println(System.nanoTime()); return {sum}; }} }}")
    };
    let place = pair(&source("n + 1"), &source("n + 2"));
    compare(&place, &[]).ends_with(1).prints(&["different\n", "random testing alone: a difference"]);
    compare(&place, &["--fuzz-first", "0"]).ends_with(1).prints(&["the result differs"]);
}

#[test]
fn calls_that_do_not_end_do_not_end_random_testing() {
    let source =
        |sum: &str| format!("public class T {{ static int f(byte n) {{ if (n == 0) while (true); return {sum}; }} }}");
    let place = pair(&source("n"), &source("0 + n"));
    let summary = compare(&place, &["--fuzz-first", "120", "--budget", "130s", "--json", "-"]).json();
    // The first JVMs get no further than their first sixteen calls.
    assert!(summary["random"]["calls"].as_u64() > Some(16), "{summary}");
}
