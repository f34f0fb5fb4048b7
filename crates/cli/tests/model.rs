//! `lapidary model` and the commands that only print or show.

use crate::support;

use std::fs;
use support::{Place, example};

fn figure1() -> Place {
    let place = Place::new();
    place.example("examples/fji/figure1.fji");
    place
}

const FIGURE1: &str = "examples/fji/figure1.fji";

#[test]
fn items_and_clauses_are_listed() {
    let run = figure1().lapidary(&["model", FIGURE1]).ends_with(0);
    run.prints(&["figure1.fji: fji", "20 items", "31 clauses", "A.m()!code", "[M.main()!code] ⇒ [A<I]"]);
}

#[test]
fn long_lists_are_printed_only_when_asked_for() {
    let place = Place::new();
    place.write("numbers.txt", support::numbers(60));
    assert!(!place.lapidary(&["model", "numbers.txt"]).ends_with(0).stdout.contains("line @59"));
    place.lapidary(&["model", "numbers.txt", "--items"]).ends_with(0).prints(&["60 items", "line @1 ", "line @59 "]);
    let program: String = (0..30).map(|n| format!("int f{n}(void) {{ return {n}; }}\n")).collect();
    place.write("many.c", program);
    assert!(!place.lapidary(&["model", "many.c"]).ends_with(0).stdout.contains('⇒'));
    place.lapidary(&["model", "many.c", "--clauses"]).ends_with(0).prints(&["⇒", "f29"]);
}

#[test]
fn the_valid_sub_programs_of_the_paper_are_counted() {
    figure1().lapidary(&["model", FIGURE1, "--count"]).ends_with(0).prints(&["valid sub-inputs: 6766\n"]);
}

/// The number of solutions of a small formula, by trying every assignment.
fn solutions(variables: usize, clauses: &[Vec<i64>]) -> usize {
    let holds =
        |assignment: usize, literal: i64| (assignment >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0);
    (0..1usize << variables)
        .filter(|&assignment| clauses.iter().all(|clause| clause.iter().any(|&literal| holds(assignment, literal))))
        .count()
}

#[test]
fn the_constraint_is_printed_as_dimacs() {
    let run = figure1().lapidary(&["model", FIGURE1, "--dimacs"]).ends_with(0);
    let lines = run.stdout.lines().filter(|line| !line.starts_with('c'));
    let mut words = lines.map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    let header = words.next().unwrap();
    assert_eq!(header, ["p", "cnf", "20", "31"]);
    let clauses: Vec<Vec<i64>> = words
        .map(|clause| {
            let numbers: Vec<i64> = clause.iter().map(|word| word.parse().unwrap()).collect();
            let (last, literals) = numbers.split_last().unwrap();
            assert_eq!(*last, 0);
            assert!(literals.iter().all(|literal| (1..=20).contains(&literal.abs())));
            literals.to_vec()
        })
        .collect();
    assert_eq!(clauses.len(), 31);
    assert_eq!(solutions(20, &clauses), 6766);
    assert!(run.stdout.contains("M.main()!code"), "comments tell which variable is which");
}

#[test]
fn random_valid_sub_inputs_are_checked() {
    let place = figure1();
    // A program without classes is an empty file, which cannot be an input.
    let check = format!("test ! -s {{}} || {} model {{}}", env!("CARGO_BIN_EXE_lapidary"));
    let run = place.lapidary(&["model", FIGURE1, "--check", "20", "--", "sh", "-c", &check]).ends_with(0);
    run.prints(&["20 of 20 random valid sub-inputs", "(100.0 %)"]);
}

#[test]
fn rejected_sub_inputs_are_counted() {
    let place = figure1();
    let run = place.lapidary(&["model", FIGURE1, "--check", "10", "--", "sh", "-c", "exit 4"]).ends_with(1);
    run.prints(&["0 of 10 random valid sub-inputs", "10 rejected: exit code 4"]);
    let seeded = |seed: &str| {
        let check = ["--check", "10", "--seed", seed, "--", "grep", "-q", "class B", "{}"];
        place.lapidary(&[&["model", FIGURE1], &check[..]].concat()).stdout
    };
    assert_eq!(seeded("3"), seeded("3"));
}

#[test]
fn models_made_elsewhere_are_shown_and_counted() {
    let place = Place::new();
    place.example("examples/model/packages.json");
    let run = place.lapidary(&["model", "--model", "examples/model/packages.json", "--count"]).ends_with(0);
    run.prints(&["27 items", "[browser] ∧ [printd] ⇒ [dialog-gem] ∨ [dialog-ore]", "valid sub-inputs: "]);
}

#[test]
fn the_kind_is_told_from_the_name_or_from_the_option() {
    let place = Place::new();
    place.write("a.py", "def f():\n    return 1\n");
    place.write("project/a.txt", "a\n");
    place.lapidary(&["model", "a.py"]).ends_with(0).prints(&["a.py: tree:python"]);
    place.lapidary(&["model", "a.py", "--as", "lines"]).ends_with(0).prints(&["a.py: lines", "2  line"]);
    place.lapidary(&["model", "a.py", "--as", "bytes"]).ends_with(0).prints(&["a.py: bytes", "22 items"]);
    place.lapidary(&["model", "project"]).ends_with(0).prints(&["project: dir", "a.txt"]);
}

#[test]
fn completions_for_shells() {
    for shell in ["bash", "zsh", "fish"] {
        Place::new().lapidary(&["completions", shell]).ends_with(0).prints(&["lapidary", "reduce", "resume"]);
    }
}

#[test]
fn manual_pages() {
    Place::new().lapidary(&["man"]).ends_with(0).prints(&[".TH", "lapidary", "reduce"]);
    Place::new().lapidary(&["man", "reduce"]).ends_with(0).prints(&[".TH", "\\-\\-strategy", "\\-\\-preserve"]);
}

#[test]
fn help_and_version() {
    let place = Place::new();
    place.lapidary(&["--version"]).ends_with(0).prints(&["lapidary 0."]);
    place.lapidary(&["--help"]).ends_with(0).prints(&["reduce", "model", "demo", "completions", "man"]);
    place.lapidary(&["reduce", "--help"]).ends_with(0).prints(&[
        "INPUT -- TEST",
        "--expect",
        "--resume",
        "still fails",
    ]);
    assert_eq!(place.lapidary::<&str>(&[]).ends_with(2).stdout, "");
}

#[test]
fn the_demo_shows_reductions_and_keeps_them_if_asked() {
    let place = Place::new();
    let run = place.lapidary(&["demo", "--keep", "kept"]).ends_with(0);
    let run =
        run.prints(&["$ lapidary reduce figure1.fji --force --strategy gbr", "11 items left: A, A.m()", "Your turn"]);
    assert!(run.stdout.contains("skipped: cc") || run.stdout.contains("$ lapidary reduce inventory.c"), "{run}");
    let input = fs::read_to_string(example(FIGURE1)).unwrap();
    assert_eq!(place.read("kept/figure1.fji"), input);
    assert!(place.read("kept/figure1.reduced.fji").len() < input.len());
}

#[test]
fn a_check_that_hangs_is_ended() {
    let place = figure1();
    let check = ["--check", "2", "--timeout", "0.3", "--", "sh", "-c", "sleep 100"];
    let run = place.lapidary(&[&["model", FIGURE1], &check[..]].concat()).ends_with(1);
    run.prints(&["0 of 2 random valid sub-inputs", "2 rejected: "]).prints(&["0.3 s"]);
}

#[test]
fn how_long_a_check_may_take_is_learnt_from_the_whole_input() {
    let place = figure1();
    place.script("check", &format!("cmp -s $1 {} || sleep 100", place.path(FIGURE1).display()));
    let check = ["--check", "3", "--", "./check", "{}"];
    let run = place.lapidary(&[&["model", FIGURE1], &check[..]].concat()).ends_with(1);
    assert!(run.stdout.contains(" rejected: ") && !run.stderr.contains("whole input"), "{run}");
    let run = place.lapidary(&["model", FIGURE1, "--check", "1", "--", "false"]).ends_with(1);
    run.complains(&["warning: the whole input is rejected too"]);
}

#[test]
fn one_thing_is_not_many() {
    let place = Place::new();
    place.write("a.txt", "a");
    place.lapidary(&["model", "a.txt", "--as", "lines"]).ends_with(0).prints(&["\n1 item\n"]);
}
