//! Tests of the type rules: one wrong program for each, and the clauses of each.

use lapidary_fji::{FjiModel, check};
use lapidary_logic::Var;
use lapidary_reduce::Model;

#[track_caller]
fn assert_error(source: &str, expected: &str) {
    assert_eq!(check(source).unwrap_err().to_string(), expected);
}

#[track_caller]
fn assert_clauses(source: &str, expected: &[&str]) {
    let model = FjiModel::parse("x.fji", source).unwrap();
    let names = |vars: &[Var], separator: &str| {
        vars.iter().map(|var| model.items()[var.index()].label.as_str()).collect::<Vec<_>>().join(separator)
    };
    let clauses = model.constraint().clauses();
    let clauses = clauses.map(|c| format!("{} => {}", names(c.premises, " & "), names(c.conclusions, " | ")));
    assert_eq!(clauses.collect::<Vec<_>>(), expected);
}

#[test]
fn names_must_be_unique_and_known() {
    assert_error("class A {} interface A {}", "1:12: A: `A` is declared more than once");
    assert_error("class String {}", "1:1: String: `String` is built in and cannot be declared");
    assert_error("class A { A f; B f; }", "1:1: A: `f` is declared more than once");
    assert_error("class A { A f; } class B extends A { A f; }", "1:18: B: `f` is declared more than once");
    assert_error("class A { A m() { ... } A m() { ... } }", "1:1: A: `m` is declared more than once");
    assert_error("class A { A m(A x, A x) { ... } }", "1:11: A.m(): `x` is declared more than once");
    assert_error("interface I { I m(); I m(); }", "1:1: I: `m` is declared more than once");
    assert_error("class A { B f; }", "1:1: A: there is no class or interface `B`");
    assert_error("interface I { B m(); }", "1:15: I.m(): there is no class or interface `B`");
    assert_error("class A { A m() { return (B) this; } }", "1:11: A.m(): there is no class or interface `B`");
}

#[test]
fn hierarchies_must_be_sound() {
    assert_error("class A extends B {} class B extends A {}", "1:1: A: the class is its own superclass");
    assert_error("class A extends A {}", "1:1: A: the class is its own superclass");
    assert_error("class A extends I {} interface I {}", "1:1: A: `I` is not a class");
    assert_error("class A extends EmptyInterface {}", "1:1: A: `EmptyInterface` is not a class");
    assert_error("class A extends B {}", "1:1: A: there is no class or interface `B`");
    assert_error("class A implements B {} class B {}", "1:1: A: `B` is not an interface");
    assert_error("class A implements String {}", "1:1: A: `String` is not an interface");
    assert_error("class A implements I {}", "1:1: A: there is no class or interface `I`");
}

#[test]
fn methods_must_override_and_implement_with_the_same_type() {
    assert_error(
        "class A { A m() { ... } } class B extends A { B m() { ... } }",
        "1:47: B.m(): overrides a method of `A` that has another type, `A m()`",
    );
    assert_error(
        "class A implements I { A m() { ... } } interface I { A m(A x); }",
        "1:1: A: does not implement `A m(A x)` of `I`",
    );
    assert_error("class A implements I {} interface I { A m(); }", "1:1: A: does not implement `A m()` of `I`");
    check("class A implements I {} interface I {}").unwrap();
}

#[test]
fn constructors_must_be_canonical() {
    let program = |constructor: &str| format!("class A {{ A f; }}\nclass B extends A {{ A g; {constructor} }}");
    check(&program("B(A f, A g) { super(f); this.g = g; }")).unwrap();
    let expected = "2:1: B: the constructor must be `B(A f, A g) { super(f); this.g = g; }`";
    assert_error(&program("B(A g, A f) { super(f); this.g = g; }"), expected);
    assert_error(&program("B(A f, A g) { super(); this.g = g; }"), expected);
    assert_error(&program("B(A f, A g) { super(f); this.g = f; }"), expected);
    assert_error(&program("A(A f, A g) { super(f); this.g = g; }"), expected);
}

#[test]
fn expressions_must_fit() {
    let in_method =
        |body: &str| format!("class A {{ A f; A m(A x) {{ return {body}; }} }} class B {{}} interface I {{}}");
    let error = |body: &str, problem: &str| assert_error(&in_method(body), &format!("1:16: A.m(): {problem}"));
    check(&in_method("new A((A) new B()).m(x.f)")).unwrap();
    error("y", "there is no variable `y` here");
    error("x.g", "`A` has no field `g`");
    error("x.n()", "`A` has no method `n`");
    error("((I) x).f", "`I` has no field `f`");
    error("(...).f", "nothing is known about `...`, so it has no members");
    error("x.m()", "`A.m` takes 1 arguments, not 0");
    error("new A(x, x)", "`new A` takes 1 arguments, not 2");
    error("new B()", "`B` is not a subtype of `A`");
    error("x.m(new Object())", "`Object` is not a subtype of `A`");
    error("(A) new I()", "`I` is not a class");
    assert_error("class A {}\nthis", "2:1: the main expression: there is no variable `this` here");
}

#[test]
fn built_in_types_ask_for_nothing() {
    assert_clauses(
        "class A extends String { Object m(EmptyInterface x) { return (Object) this.m(new A()); } }",
        &["A.m() => A", "A.m()!code => A.m()", "A.m()!code => A"],
    );
}

#[test]
fn one_of_several_inherited_methods_is_enough() {
    assert_clauses(
        "class A { A m() { ... } } class B extends A { A m() { return new B().m(); } }",
        &[
            "A.m() => A",
            "A.m()!code => A.m()",
            "B => A",
            "B.m() => B",
            "B.m() => A",
            "B.m()!code => B.m()",
            "B.m()!code => B",
            "B.m()!code => A.m() | B.m()",
        ],
    );
}

#[test]
fn one_of_several_ways_to_an_interface_is_enough() {
    assert_clauses(
        "interface I {} class A implements I {} class B extends A implements I { I m() { return this; } }",
        &[
            "A<I => A",
            "A<I => I",
            "B => A",
            "B.m() => B",
            "B.m() => I",
            "B.m()!code => B.m()",
            "B.m()!code => A<I | B<I",
            "B<I => B",
            "B<I => I",
        ],
    );
}

#[test]
fn the_main_expression_requires_what_it_uses() {
    assert_clauses(
        "class A { B f; } class B { B m() { ... } } new A(new B()).f.m()",
        &["A => B", "B.m() => B", "B.m()!code => B.m()", " => A", " => B", " => B.m()"],
    );
}
