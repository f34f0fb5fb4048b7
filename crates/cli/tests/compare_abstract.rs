//! `lapidary compare` with abstract classes, and how much of the differing code ran.

use crate::support;

use lapidary_testkit::javac;
use support::pair::{compare, pair};
use support::{Place, Run};

/// Receipts add different points to accounts, after asking another object for a number.
fn receipts(points: &str, other: &str, number: &str) -> String {
    format!(
        "{other}
         class Account {{ int points; void add(int n) {{ points += n; }} }}
         class Receipt {{ void print(Account a, int p) {{ a.add({points}); }} }}
         public class T {{ static void f(int p) {{ int r = {number}; new Receipt().print(new Account(), r); }} }}"
    )
}

fn without_random(place: &Place, options: &[&str]) -> Run {
    compare(place, &[&["--fuzz-first", "0"], options].concat())
}

#[test]
fn what_the_concrete_classes_cannot_decide_is_not_dropped() {
    let reads = "class Db { int read(int x) { try { return new java.io.FileInputStream(\"/dev/zero\").read() + x; } catch (java.io.IOException e) { return 0; } } }";
    let number = "new Db().read(p)";
    let place = pair(&receipts("p", reads, number), &receipts("p - 1", reads, number));
    let run = without_random(&place, &["--abstract", "Db", "--policy", "shallow"]).ends_with(3);
    let run = run
        .prints(&["\nunknown\n"])
        .complains(&["a difference was not confirmed: with the concrete classes", "not supported"]);
    assert!(!run.stderr.contains("dropped"), "{run}");
}

#[test]
fn what_the_concrete_classes_cannot_do_is_dropped() {
    let even = "class Even { int of(int x) { return x * 2; } }";
    let odd = |points: &str| receipts(points, even, "new Even().of(p)");
    let place = pair(&odd("p"), &odd("p % 2 == 0 ? p : 5"));
    without_random(&place, &["--abstract", "Even", "--policy", "shallow"])
        .ends_with(0)
        .prints(&["\nequivalent\n"])
        .complains(&["1 difference of abstract classes was dropped"]);
}

#[test]
fn calls_of_classes_written_by_hand_count() {
    let place = pair(&receipts("p", "", "p"), &receipts("p - 1", "", "p"));
    let account = place.write("hand/Account.java", "class Account { int points; void add(int n) { } }");
    javac(&[], &place.path("hand/classes"), [account]);
    without_random(&place, &["--abstractions", "hand/classes"])
        .ends_with(1)
        .prints(&["`Account@1.add(0)` has become `Account@1.add(-1)`"]);
}

/// Every number of steps is a path of its own.
const STEPS: &str = "class Steps { int of(int x) { int n = 0; while (x > 1 && n < 1000000) { x = x % 2 == 0 ? x / 2 : 3 * x + 1; n++; } return n; } }";

#[test]
fn auto_abstracts_when_the_concrete_classes_take_too_long() {
    let steps = |points: &str| receipts(points, STEPS, "new Steps().of(p)");
    let place = pair(&steps("p"), &steps("p == 999999 ? 5 : p"));
    let options = ["--abstract", "auto", "--policy", "shallow", "--budget", "4s", "--json", "-"];
    let summary = without_random(&place, &options).ends_with(3).json();
    assert_eq!(summary["abstracted"], true, "{summary}");
    assert_eq!(summary["verdict"], "unknown", "{summary}");
}

#[test]
fn auto_abstracts_nothing_that_is_not_needed() {
    let place = pair(&receipts("p + p", "", "p"), &receipts("2 * p", "", "p"));
    let run = without_random(&place, &["--abstract", "auto"]).ends_with(0).prints(&["\nequivalent\n"]);
    assert_eq!(run.remarks(), Vec::<&str>::new(), "{run}");
    without_random(&place, &["--abstract", "auto", "--show-abstractions"])
        .ends_with(0)
        .prints(&["// Abstraction of Account, policy mnemonic", "\nequivalent\n"]);
}

#[test]
fn lines_that_never_run_are_counted() {
    let source = |sum: &str| {
        format!(
            "public class T {{\n static int f(int x) {{\n  return {sum};\n }}\n static int unused(int x) {{\n  int y = {sum};\n  return y;\n }}\n}}\n"
        )
    };
    let added = "class Added {\n int g() {\n  return 5;\n }\n}\n";
    let place = pair(&source("x + x"), &format!("{}{added}", source("2 * x")));
    // A line of `f`, two of `unused`, and two of the added class: its constructor and `g`.
    without_random(&place, &[]).ends_with(0).prints(&["\nequivalent\n", "1 of 5 lines of changed methods ran"]);
    without_random(&place, &["--abstract", "Added"]).prints(&["1 of 5 lines of changed methods ran"]);
}
