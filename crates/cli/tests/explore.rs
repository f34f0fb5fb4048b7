//! `lapidary explore`: every path with an input, findings that the real machine confirms.

mod support;

use std::fs;
use std::process::Command;
use support::{Place, Run};

const PRICES: &str = r#"
package shop;
public class Prices {
    static int share(int total, int people) {
        return total / people;
    }
    static String grade(int points) {
        if (points < 50) return "low";
        return points < 90 ? "good" : "best";
    }
    static void check(byte[] code) {
        assert code == null || code.length < 2 || code[0] + code[1] != 42 : "the secret";
    }
    static int many(int a) { return a; }
    static int many(long a) { return 1; }
    static int rank(int points) {
        int rank = points < 50 ? 3 : points < 90 ? 2 : 1;
        if (rank > 7)
            rank = 0;
        return rank;
    }
    static int started(Thread thread) { return 0; }
}"#;

fn place() -> Place {
    let place = Place::new();
    let source = tempfile::tempdir().unwrap();
    fs::write(source.path().join("Prices.java"), PRICES).unwrap();
    let javac = Command::new("javac")
        .arg("-g")
        .arg("-d")
        .arg(place.path("classes"))
        .arg(source.path().join("Prices.java"))
        .output();
    assert!(javac.expect("javac is installed").status.success());
    place
}

fn explore(options: &[&str]) -> Run {
    let place = place();
    let arguments: Vec<&str> = ["explore", "classes"].iter().chain(options).copied().collect();
    place.lapidary(&arguments)
}

#[test]
fn every_path_has_an_input_and_an_outcome() {
    let run = explore(&["--main", "shop.Prices.grade"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    for grade in ["low", "good", "best"] {
        assert!(run.stdout.contains(&format!("returns \"{grade}\"")), "{run:?}");
    }
    assert!(run.stdout.contains("3 paths, all of them; 0 findings"), "{run:?}");
    assert!(run.stdout.contains("lines 3 of 3, branches 5 of 6, in 2 methods of the program"), "{run:?}");
}

#[test]
fn merged_paths_are_fewer() {
    let run = explore(&["--main", "shop.Prices.rank", "--merge"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("1 paths, all of them"), "{run:?}");
    assert!(run.stdout.contains("never run: shop/Prices.java:19"), "{run:?}");
}

#[test]
fn what_is_found_happens_on_the_real_machine() {
    let run = explore(&["--main", "shop.Prices.share"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stdout.contains("finding  (0, 0) throws java.lang.ArithmeticException: / by zero at shop.Prices.share:5"),
        "{run:?}"
    );
    assert!(!run.stdout.contains("not confirmed"), "{run:?}");
    let run = explore(&["--main", "shop.Prices.check", "--findings", "--bound", "2"]);
    assert!(run.stdout.contains("throws java.lang.AssertionError: the secret"), "{run:?}");
    assert!(run.stdout.contains(" 1 findings"), "{run:?}");
}

#[test]
fn what_cannot_be_explored_is_said_clearly() {
    let says = |main: &str, text: &str| {
        let run = explore(&["--main", main]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(text), "{run:?}");
    };
    says("shop.Nothing.at", "there is no class shop.Nothing in classes");
    says("shop.Prices.nothing", "class shop.Prices has no method nothing");
    says("Prices", "CLASS.METHOD is expected");
    says("shop.Prices.many", "several methods are called shop.Prices.many; say which: --main 'shop.Prices.many(I)I'");
    says("shop.Prices.started", "takes a java.lang.Thread, of which nothing but null can be made");
    let run = explore(&["--main", "shop.Prices.many(J)I"]);
    assert_eq!(run.code, Some(0), "{run:?}");
}
