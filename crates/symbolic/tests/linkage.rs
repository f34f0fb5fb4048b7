//! Classes that do not fit together, since one was recompiled without the others. Both machines
//! throw the same errors.

use crate::support;

use lapidary_testkit::javac_texts;
use std::path::Path;
use support::cases::{java, run, successful};

/// Compiles one class after the other; later ones see the earlier ones.
fn compile(directory: &Path, sources: &[&str]) {
    for source in sources {
        let name = source.split("class ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap();
        javac_texts(&["-cp", directory.to_str().unwrap()], directory, &[(&format!("{name}.java"), source)]);
    }
}

const USER: &str = "class User {
    static void call(Runnable what) { try { what.run(); System.out.println(\"fine\"); } catch (Throwable t) { System.out.println(t); } }
    public static void main(String[] a) { test(); }
    static void test() {
        call(() -> System.out.println(Used.were));
        call(() -> Used.were = 3);
        call(() -> System.out.println(new Used().are));
        call(() -> new Used().are = 3);
        call(() -> Used.was(1, \"\"));
        call(() -> new Used().is(new int[0], null));
    }
}";

const BEFORE: &str = "class Used { static int were; int are; static void was(int i, String s) {} long is(int[] a, Object o) { return 1; } }";
const AFTER: &str = "class Used { int were; static int are; void was(int i, String s) {} static long is(int[] a, Object o) { return 1; } }";

fn both(directory: &Path, class: &str) -> (String, String) {
    let real = successful(java(directory).arg(class)).stdout;
    let path = run(&mut support::machine(directory), class, "test");
    (path.stdout, String::from_utf8(real).unwrap())
}

#[test]
fn members_that_became_static_or_are_no_longer() {
    let directory = tempfile::tempdir().unwrap();
    compile(directory.path(), &[BEFORE, USER, AFTER]);
    let (ours, real) = both(directory.path(), "User");
    assert_eq!(ours, real);
    assert_eq!(real.matches("IncompatibleClassChangeError").count(), 6, "{real}");
}

const CIRCLE: &str = "class Circle {
    public static void main(String[] a) { test(); }
    static void test() { try { new Lower(); } catch (Throwable t) { System.out.println(t.getClass()); } }
}";

#[test]
fn classes_that_are_their_own_superclass() {
    let directory = tempfile::tempdir().unwrap();
    let parts = ["class Upper {}", "class Lower extends Upper {}", CIRCLE];
    compile(directory.path(), &parts);
    let apart = tempfile::tempdir().unwrap();
    compile(apart.path(), &["class Lower {}", "class Upper extends Lower {}"]);
    std::fs::copy(apart.path().join("Upper.class"), directory.path().join("Upper.class")).unwrap();
    let (ours, real) = both(directory.path(), "Circle");
    assert_eq!(ours, real);
    assert_eq!(real, "class java.lang.ClassCircularityError\n");
}
