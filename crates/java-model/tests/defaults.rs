//! Tests of inherited bodies: of methods that were made abstract again, of those implemented by
//! lambdas, and of those inherited from two sides.

use crate::support;

use support::assert_valid;
use support::program::Program;

#[test]
fn a_default_above_an_abstract_declaration_is_no_implementation() {
    // Map has a body for it, which AbstractMap inherits; ConcurrentMap makes it abstract again.
    let program = Program::items(
        "abstract class Half extends java.util.AbstractMap<String, String> {
             public String putIfAbsent(String key, String value) { return null; }
             public String getOrDefault(Object key, String other) { return other; }
         }
         class Whole extends Half implements java.util.concurrent.ConcurrentMap<String, String> {
             public java.util.Set<java.util.Map.Entry<String, String>> entrySet() { return null; }
             public boolean remove(Object key, Object value) { return false; }
             public boolean replace(String key, String old, String value) { return false; }
             public String replace(String key, String value) { return null; }
         }",
    );
    let remove = "Whole.remove:(Ljava/lang/Object;Ljava/lang/Object;)Z";
    let put = "Half.putIfAbsent:(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    let edge = "Whole<java/util/concurrent/ConcurrentMap";
    for method in [remove, put] {
        assert!(!program.can_lose(&[method]), "{method}");
        assert!(program.can_lose(&[method, edge]), "{method} with {edge}");
    }
    assert!(
        program.can_lose(&["Half.getOrDefault:(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"]),
        "ConcurrentMap has a body for this one"
    );
}

#[test]
fn object_does_not_implement_what_a_superclass_declares_abstract() {
    let program = Program::items(
        "abstract class Value { public abstract boolean equals(Object other); }
         class Row extends Value { public boolean equals(Object other) { return false; } }
         class Low extends Row {}",
    );
    let body = "Row.equals:(Ljava/lang/Object;)Z";
    assert!(!program.can_lose(&[body]));
    assert!(program.can_lose(&[body, "Row<Value"]) && program.can_lose(&[body, "Value.equals:(Ljava/lang/Object;)Z"]));
}

#[test]
fn a_lambda_needs_an_abstract_method_and_bodies_for_the_others() {
    let program = Program::items(
        "interface Function { default void special() { general(); } void general(); }
         interface Special extends Function { void special(); default void general() { special(); } }
         class User { Special make() { return () -> System.out.println(); } }",
    );
    assert!(!program.can_lose(&["Special.special:()V"]), "Function has a body for it");
    assert!(!program.can_lose(&["Special.general:()V"]), "nothing else has a body for it");
    assert!(program.can_lose(&["Special.general:()V", "Function.general:()V", "Function.special:()V!code"]));
    let code = "User.make:()LSpecial;!code";
    assert_valid(&[program.losing(&[
        "Special.special:()V",
        "Special.general:()V!code",
        code,
        "User.lambda$make$0:()V",
    ])]);
}

#[test]
fn the_method_that_settles_a_conflict_stays() {
    let program = Program::items(
        "interface Left { default int m() { return 1; } }
         interface Right { default int m() { return 2; } }
         class Both implements Left, Right { public int m() { return Left.super.m(); } }",
    );
    assert!(!program.can_lose(&["Both.m:()I"]));
    for settled in ["Left.m:()I", "Right.m:()I", "Both<Right"] {
        let users = program.losing_with_users(&[settled, "Both.m:()I"]);
        assert_valid(&[users]);
    }
    assert!(program.can_lose(&["Both.m:()I", "Right.m:()I"]));
}

#[test]
fn a_superclass_settles_a_conflict() {
    let program = Program::items(
        "interface Left { default int m() { return 1; } }
         interface Right { default int m() { return 2; } }
         class Base { public int m() { return 3; } }
         class Both extends Base implements Left, Right {}",
    );
    assert!(!program.can_lose(&["Base.m:()I"]) && !program.can_lose(&["Both<Base"]));
    assert!(program.can_lose(&["Base.m:()I", "Both<Left"]) && program.can_lose(&["Both<Base", "Both<Right"]));
}

#[test]
fn an_interface_that_overrides_stays_below_what_it_overrides() {
    let program = Program::items(
        "interface Top { default int m() { return 1; } }
         interface Low extends Top { default int m() { return 2; } }
         interface Other extends Top {}
         class User implements Low, Other {}",
    );
    assert!(!program.can_lose(&["Low<Top"]), "the two methods would have nothing to do with each other");
    for enough in ["Other<Top", "User<Other", "Low.m:()I", "Top.m:()I"] {
        assert!(program.can_lose(&[enough]), "{enough}");
        assert!(program.can_lose(&["Low<Top", enough]), "{enough}");
    }
}

#[test]
fn an_abstract_declaration_conflicts_with_a_default() {
    let program = Program::items(
        "interface Left { default int m() { return 1; } }
         interface Right { int m(); }
         interface Both extends Left, Right { int m(); }",
    );
    assert!(!program.can_lose(&["Both.m:()I"]));
    assert!(program.can_lose(&["Both.m:()I", "Left.m:()I"]) && program.can_lose(&["Both.m:()I", "Both<Left"]));
}

#[test]
fn one_of_many_declarations_stays_below_all_others() {
    let program = Program::items(
        "interface A { default int m() { return 1; } }
         interface B extends A { default int m() { return 2; } }
         interface C extends B { default int m() { return 3; } }
         interface X extends A {}
         interface Y extends B {}
         class D implements C, X, Y {}",
    );
    assert!(!program.can_lose(&["C<B"]) && !program.can_lose(&["B<A"]));
    for one in ["A.m:()I", "B.m:()I", "C.m:()I", "X<A", "Y<B"] {
        assert!(program.can_lose(&[one]), "{one}");
    }
    assert!(program.can_lose(&["C<B", "Y<B", "X<A"]) && program.can_lose(&["B<A", "X<A"]));
    assert!(!program.can_lose(&["C<B", "X<A"]), "Y brings what B declares, and nothing is below it");
}
