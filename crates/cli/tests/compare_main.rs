//! `lapidary compare` of `main` methods with and without given arguments, and options that only
//! change the search.

use crate::support;

use serde_json::Value;
use support::Place;
use support::pair::{compare, pair};

const OLD: &str = "public class T {
    static class Inner { int go(int x) { return x + 1; } }
    static int f(int x) { return new Inner().go(x); }
    static int steps(int a, int b) { int s = 0; if (a > 0) s += 1; if (b > 0) s += 2; if (a > b) s += 4; return s; }
    public static void main(String[] args) { System.out.println(args.length > 0 && args[0].equals(\"b\") ? 1 : 2); }
}";

#[test]
fn main_has_the_arguments_that_are_given() {
    let place = main_differs();
    let with = |arguments: &[&str]| {
        place.lapidary(&[&["compare", "old/classes", "new/classes", "--main", "T.main"], arguments].concat())
    };
    with(&["--", "a"]).ends_with(0).prints(&["\nequivalent\n"]);
    with(&["--", "b"]).ends_with(1).prints(&["\ndifferent\n", "{\"b\"}"]);
    with(&["--symbolic-args", "--fuzz-first", "0"]).ends_with(1).prints(&["\ndifferent\n", "{\"b\"}"]);
    with(&["--symbolic-args", "--", "a"]).ends_with(2);
}

fn main_differs() -> Place {
    pair(OLD, &OLD.replace("? 1 : 2", "? 3 : 2"))
}

/// Four branches in a row are sixteen paths, or one path after merging.
#[test]
fn merged_paths_are_fewer_and_say_the_same() {
    let place = pair(OLD, &OLD.replace("s += 2", "s += 1 + 1 + 0 * a"));
    let found = |options: &[&str]| -> Value {
        let given = ["compare", "old/classes", "new/classes", "--main", "T.steps", "--fuzz-first", "0", "--json", "-"];
        serde_json::from_str(&place.lapidary(&[&given[..], options].concat()).ends_with(0).stdout).unwrap()
    };
    let (apart, merged) = (found(&[]), found(&["--merge"]));
    assert_eq!((&apart["verdict"], &merged["verdict"]), (&"equivalent".into(), &"equivalent".into()));
    let paths = |found: &Value| found["paths"].as_u64().unwrap();
    assert!(paths(&merged) < paths(&apart), "{} and {}", paths(&merged), paths(&apart));
    let place = pair(OLD, &OLD.replace("s += 2", "s += b == 7 ? 3 : 2"));
    place
        .lapidary(&["compare", "old/classes", "new/classes", "--main", "T.steps", "--fuzz-first", "0", "--merge"])
        .ends_with(1)
        .prints(&["\ndifferent\n", ", 7)"]);
}

#[test]
fn a_class_inside_another_that_did_not_change_is_suggested_and_read_again() {
    let place = pair(OLD, &OLD.replace("x + 1", "1 + x"));
    place
        .lapidary(&["compare", "old/classes", "new/classes", "--main", "T.f", "--write-spec", "change.toml"])
        .ends_with(0);
    let text = std::fs::read_to_string(place.path("change.toml")).unwrap();
    assert!(text.contains("class = \"T$Inner\""), "{text}");
    compare(&place, &["--spec", "change.toml"]).ends_with(0).prints(&["equivalent\n"]);
}
