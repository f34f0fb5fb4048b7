//! `lapidary compare` where the inputs are objects: what is equal is never called different, and nothing is claimed that was not looked at.

mod support;

use support::pair::{compare, pair};

const PERSON: &str = "class Person { int age; int getAge() { return age; } }\n";

fn with_person(old: &str, new: &str) -> support::Place {
    let class = |body: &str| format!("{PERSON}class T {{ {body} }}");
    pair(&class(old), &class(new))
}

#[test]
fn a_program_is_equivalent_to_itself_without_being_run() {
    let source = "class It { int v; } class T { It[] a; int f() { return a[0].v; } }";
    let run = compare(&pair(source, source), &[]).ends_with(0);
    assert_eq!(run.stdout, "no class differs\nequivalent\n");
    compare(&pair(source, source), &["--main", "T.g"]).ends_with(2);
}

#[test]
fn files_that_the_program_may_read_count_although_no_class_differs() {
    let source = "class T { static int f(int n) { return n; } }";
    let place = pair(source, source);
    place.write("old/classes/words.properties", "a=1");
    place.write("new/classes/words.properties", "a=2");
    compare(&place, &["--fuzz-first", "0"]).ends_with(0).prints(&["equivalent\n1 path of the old version"]);
}

#[test]
fn reading_a_field_of_an_input_is_no_write() {
    let place = with_person(
        "boolean f(Person p) { return p.getAge() >= 18; }",
        "boolean f(Person p) { boolean is = p.getAge() >= 18; return is; }",
    );
    compare(&place, &[]).ends_with(0).prints(&["\nequivalent\n"]);
}

#[test]
fn a_method_that_nobody_calls_changes_nothing() {
    let old = "boolean f(Person p) { return p.getAge() >= 18; }";
    compare(&with_person(old, &format!("{old} int g() {{ return 1; }}")), &[])
        .ends_with(0)
        .prints(&["\nequivalent\n", "0 of 1 lines of changed methods ran"]);
}
