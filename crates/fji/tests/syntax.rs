//! Tests of parsing and printing programs: round trips, error messages, hostile text.

use crate::support;

use lapidary_fji::{FjiModel, check, parse, print, reduce, type_check};
use lapidary_logic::{Var, VarSet};
use lapidary_reduce::Model;
use proptest::prelude::*;
use support::programs;

const FIGURE_1: &str = include_str!("figure1.fji");

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_program_reads_as_itself(program in programs()) {
        prop_assert_eq!(parse(&print(&program)).unwrap(), program);
    }

    /// A text that still parses after random edits has all properties of a program; any other gives
    /// an error value.
    #[test]
    fn mutated_text_is_a_program_or_an_error(
        program in programs(),
        edits in prop::collection::vec((any::<usize>(), 0_usize..4, piece()), 0..12),
    ) {
        let mut text = print(&program);
        for (place, length, replacement) in edits {
            edit(&mut text, place, length, &replacement);
        }
        if let Ok(program) = parse(&text) {
            prop_assert_eq!(parse(&print(&program)), Ok(program));
        }
        let _ = check(&text);
    }

    #[test]
    fn any_text_is_a_program_or_an_error(text in "\\PC*") {
        let _ = check(&text);
    }

    /// White space and comments between tokens change neither the program nor its candidates.
    #[test]
    fn candidates_of_badly_laid_out_text_are_the_reduced_programs(
        program in programs(),
        gaps in prop::collection::vec(gap(), 1..40),
        bits in prop::collection::vec(any::<bool>(), 64),
    ) {
        let text = relaid(&print(&program), &gaps);
        let model = FjiModel::parse("x.fji", &text).unwrap();
        prop_assert_eq!(model.program(), &program);
        let variables = model.items().len();
        prop_assert_eq!(model.text(&VarSet::full(variables)), text.as_str());
        let keep = VarSet::of(variables, (0..variables).filter(|&index| bits[index % 64]).map(Var::new));
        let candidate = model.text(&keep);
        prop_assert_eq!(parse(&candidate), Ok(reduce(&program, model.numbering(), &keep)), "{}", candidate);
    }
}

fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "",
        "class",
        "interface ",
        "{",
        "}",
        "(",
        ")",
        ";",
        ",",
        ".",
        "...",
        "new ",
        "this",
        "/*",
        "*/",
        "//",
        "\n",
        "return ",
        "super",
        "extends A",
        "implements I0",
        "C0",
        "x",
        "=",
        "é",
        "\u{0}",
        "\"",
        "1",
    ];
    prop::sample::select(pieces.to_vec()).prop_map(str::to_owned)
}

fn gap() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![" ", "\n", "\r\n\t", " /* a */ ", "// b\n", "/* c\n d */", " // class X {}\n\n", "/***/"])
}

/// Replaces some characters near `place`.
fn edit(text: &mut String, place: usize, length: usize, replacement: &str) {
    let borders: Vec<usize> = text.char_indices().map(|(index, _)| index).chain([text.len()]).collect();
    let start = place % borders.len();
    let end = (start + length).min(borders.len() - 1);
    text.replace_range(borders[start]..borders[end], replacement);
}

/// The text with its white space replaced by other gaps.
fn relaid(text: &str, gaps: &[&str]) -> String {
    let words = text.split_whitespace().enumerate();
    words.map(|(index, word)| format!("{}{word}", gaps[index % gaps.len()])).collect()
}

#[track_caller]
fn assert_error(source: &str, expected: &str) {
    assert_eq!(check(source).unwrap_err().to_string(), expected);
}

#[test]
fn syntax_errors_say_where_and_what() {
    assert_error("class A {\n    B\n}", "3:1: expected the name of a field or a method, found `}`");
    assert_error("class class {}", "1:7: expected the name of the class, found the keyword `class`");
    assert_error("class A { B m() { } }", "1:19: expected `return` or `...`, found `}`");
    assert_error("class A {", "1:10: expected a field, a constructor, a method or `}`, found the end of the program");
    assert_error("class A {} }", "1:12: expected a class, an interface or the main expression, found `}`");
    assert_error("new Object() class", "1:14: expected the end of the program, found the keyword `class`");
    assert_error("/* é */ #", "1:9: expected a name, a keyword or a punctuation mark, found `#`");
    assert_error("\n  /* x", "2:3: expected `*/` somewhere behind `/*`, found the end of the program");
    assert_error("new A(x y)", "1:9: expected `,` or `)`, found `y`");
    assert_error(
        "class A { A() { super(); } A() { super(); } }",
        "1:28: expected a field, a method or `}` behind the constructor, found `A`",
    );
}

#[test]
fn deep_expressions_are_refused_and_those_at_the_limit_fit_the_stack() {
    let shapes = [
        ("(", "x", ")"),
        ("new A(", "x", ")"),
        ("(A) ", "x", ""),
        ("", "x", ".f"),
        ("x.m(", "x", ")"),
        ("(", "x", ".f.f)"),
        ("(A) ((A) x).m(y, ", "x", ".f)"),
    ];
    for (open, inner, close) in shapes {
        let nested = |depth: usize| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
        let error = parse(&nested(100_000)).unwrap_err();
        assert!(error.to_string().ends_with("the expression is nested more than 100 deep"), "{error}");
        let deepest = (1..=100).rev().find_map(|depth| parse(&nested(depth)).ok()).unwrap();
        assert_eq!(parse(&print(&deepest)).unwrap(), deepest);
        assert!(type_check(&deepest).is_err());
    }
    let wide = format!("new A({}x)", "x.m(x), ".repeat(1_000));
    assert_eq!(print(&parse(&wide).unwrap()).trim_end(), wide);
}

#[test]
fn what_the_language_fills_in_may_be_left_out() {
    let short = parse("class A {}").unwrap();
    assert_eq!(parse("class A extends Object implements EmptyInterface { }").unwrap(), short);
    assert_eq!(print(&short), "class A {\n}\n");
    check("class A { A() { super(); } }").unwrap();
}

#[test]
fn the_empty_text_is_the_empty_program() {
    let model = FjiModel::parse("empty.fji", "").unwrap();
    assert!(model.items().is_empty());
    assert_eq!(model.text(&VarSet::empty(0)), "");
}

#[test]
fn figure_1_prints_as_a_program_equal_to_itself() {
    let program = parse(FIGURE_1).unwrap();
    assert_eq!(parse(&print(&program)).unwrap(), program);
}
