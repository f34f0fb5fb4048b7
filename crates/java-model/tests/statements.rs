//! Tests below the level of method bodies: the instructions that are left, and that the JVM accepts
//! them.

use crate::support;

use lapidary_reduce::{FileTree, Model};
use support::program::{Program, body, listing};
use support::{assert_valid, samples};

/// A program with one method, `A.m`, and its items.
struct Method {
    program: Program,
    name: String,
}

impl Method {
    fn new(descriptor: &str, declaration: &str) -> Method {
        let source = format!("class A {{ static int x; static void effect() {{}} {declaration} }}");
        Method { program: Program::statements(&source), name: format!("A.m:{descriptor}") }
    }

    /// The labels of the pieces of a kind: "statement", "branch", "value", "case" or "handler".
    fn pieces(&self, kind: &str) -> Vec<&str> {
        let items = self.program.model.items().iter().filter(|item| item.kind == kind);
        items.map(|item| item.label.as_str()).filter(|label| label.starts_with(&self.name)).collect()
    }

    /// The results of removing one piece of the kind, for each that can be removed alone.
    fn without_each(&self, kind: &str) -> Vec<(String, FileTree)> {
        let pieces = self.pieces(kind).into_iter().filter(|piece| self.program.can_lose(&[piece]));
        pieces.map(|piece| (piece.to_owned(), self.program.losing(&[piece]))).collect()
    }

    fn listing(&self, tree: &FileTree) -> Vec<String> {
        listing(tree, &self.name)
    }

    /// Checks that removing some single piece of the kind leaves exactly these instructions.
    #[track_caller]
    fn can_become(&self, kind: &str, expected: &[&str]) {
        let candidates = self.without_each(kind);
        let found = candidates.iter().find(|(_, tree)| self.listing(tree) == expected);
        let all: Vec<_> = candidates.iter().map(|(piece, tree)| (piece, self.listing(tree))).collect();
        assert!(found.is_some(), "no {kind} leaves {expected:?}: {all:#?}");
    }

    /// Checks that the JVM accepts the result of removing any single piece.
    #[track_caller]
    fn is_valid_without_any(&self) {
        let kinds = ["statement", "branch", "value", "case", "handler"];
        let candidates: Vec<_> = kinds.iter().flat_map(|kind| self.without_each(kind)).collect();
        assert!(!candidates.is_empty());
        assert_valid(&candidates.into_iter().map(|(_, tree)| tree).collect::<Vec<_>>());
    }
}

#[test]
fn an_if_becomes_either_side() {
    let method = Method::new("(I)V", "static void m(int i) { if (i > 3) { x = 1; } else { x = 2; } }");
    let side = |constant| [constant, "putstatic A.x", "return"];
    let branch = method.pieces("branch").into_iter().find(|piece| piece.ends_with('?')).unwrap();
    let other = format!("{branch}else");
    let then = method.program.losing(&[branch]);
    let otherwise = method.program.losing(&[&other]);
    assert_eq!(method.listing(&then), side("iconst_1"), "control goes on behind the condition");
    assert_eq!(method.listing(&otherwise), side("iconst_2"), "or to where it would have jumped");
    method.can_become("statement", &["return"]);
    method.is_valid_without_any();
}

#[test]
fn a_loop_can_go_whole_or_lose_its_body() {
    let method = Method::new("(I)V", "static void m(int i) { effect(); while (i > 0) { i--; x = 3; } effect(); }");
    let calls = ["invokestatic A.effect", "invokestatic A.effect", "return"];
    method.can_become("statement", &calls);
    let emptied = method.without_each("statement").into_iter().any(|(_, tree)| {
        let left = method.listing(&tree);
        left.contains(&"goto".to_owned()) && !left.contains(&"putstatic A.x".to_owned())
    });
    assert!(emptied, "a statement in the loop can go while the loop stays");
    method.is_valid_without_any();
}

#[test]
fn a_call_becomes_a_default() {
    let method = Method::new(
        "(JI)V",
        "static void m(long l, int i) { x = f(l, i + 1, \"s\"); } static int f(long l, int i, String s) { return i; }",
    );
    let arguments = ["lload_0", "iload_2", "iconst_1", "iadd", "pop", "pop2"];
    method.can_become("value", &[&arguments[..], &["iconst_0", "putstatic A.x", "return"]].concat());
    method.is_valid_without_any();
}

#[test]
fn constants_become_zero_and_operators_lose_an_operand() {
    let method = Method::new("(I)I", "static int m(int i) { return i * 77; }");
    method.can_become("value", &["iload_0", "iconst_0", "imul", "ireturn"]);
    method.can_become("value", &["iload_0", "ireturn"]);
    let text = Method::new("()Ljava/lang/String;", "static String m() { return \"text\"; }");
    text.can_become("value", &["aconst_null", "areturn"]);
    method.is_valid_without_any();
}

#[test]
fn a_creation_becomes_null() {
    let method = Method::new("(I)Ljava/lang/Object;", "static Object m(int i) { return new StringBuilder(i); }");
    method.can_become("value", &["aconst_null", "areturn"]);
    method.is_valid_without_any();
}

#[test]
fn arguments_of_a_constructor_become_defaults() {
    let method = Method::new(
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        "static Object m(Object o) { return new String[] {new String(o.toString()), new String(\"text\")}; }",
    );
    let strings = |tree: &FileTree| method.listing(tree).join(" ");
    let left: Vec<_> = method.without_each("value").iter().map(|(_, tree)| strings(tree)).collect();
    let made = "new dup aconst_null invokespecial java/lang/String.<init>";
    let both = left.iter().filter(|listing| listing.contains(made)).count();
    assert!(both >= 2, "either argument can be null: {left:#?}");
    method.is_valid_without_any();
}

#[test]
fn fields_can_stay_unset_before_the_super_call() {
    let source = "class Outer { class In { int f = 3; } int g; }";
    let program = Program::statements(source);
    let labels = program.labels().into_iter().filter(|label| label.starts_with("Outer$In.<init>:(LOuter;)V@"));
    let candidates: Vec<_> =
        labels.filter(|label| program.can_lose(&[label])).map(|label| program.losing(&[label])).collect();
    assert!(candidates.len() >= 2);
    assert_valid(&candidates);
}

#[test]
fn a_try_loses_its_handlers() {
    let method = Method::new(
        "()V",
        "static void m() { try { effect(); } catch (RuntimeException e) { x = 1; } finally { x = 2; } }",
    );
    let handlers = |tree: &FileTree| body(tree, &method.name).handlers.len();
    let original = method.program.losing(&[]);
    assert!(handlers(&original) >= 2);
    let candidates = method.without_each("handler");
    assert!(!candidates.is_empty());
    assert!(candidates.iter().all(|(_, tree)| handlers(tree) < handlers(&original)));
    let all = method.program.losing(&method.pieces("handler"));
    assert_eq!(handlers(&all), 0);
    assert_eq!(method.listing(&all), ["invokestatic A.effect", "iconst_2", "putstatic A.x", "return"]);
    method.is_valid_without_any();
}

#[test]
fn cases_go_where_the_default_goes() {
    let method = Method::new(
        "(I)V",
        "static void m(int i) { switch (i) { case 1: x = 1; break; case 2: x = 2; break; case 900: x = 3; break; } }",
    );
    let cases = method.pieces("case");
    assert_eq!(cases.len(), 3);
    let left = method.listing(&method.program.losing(&[cases[1]]));
    assert_eq!(left.iter().filter(|name| *name == "putstatic A.x").count(), 2, "{left:?}");
    method.can_become("statement", &["return"]);
    method.is_valid_without_any();
}

#[test]
fn a_return_or_throw_becomes_the_smallest_return() {
    let method =
        Method::new("(I)J", "static long m(int i) { if (i > 0) { return 7L; } throw new RuntimeException(); }");
    let listings: Vec<_> = method.without_each("statement").iter().map(|(_, tree)| method.listing(tree)).collect();
    assert!(listings.iter().any(|left| !left.contains(&"athrow".to_owned())), "{listings:?}");
    method.is_valid_without_any();
}

#[test]
fn a_read_of_a_variable_needs_the_stores_it_may_see() {
    let method = Method::new("()V", "static void m() { int i = 5; effect(); x = i; }");
    let statements = method.pieces("statement");
    let label = |range: &str| statements.iter().copied().find(|label| label.ends_with(range)).unwrap();
    let (store, read) = (label("@0-2"), label("@3-5"));
    assert!(!method.program.can_lose(&[store]) && method.program.can_lose(&[read]));
    let left = method.program.losing(&[store, read]);
    assert_eq!(method.listing(&left), ["invokestatic A.effect", "return"]);
    method.is_valid_without_any();
}

#[test]
fn a_constructor_keeps_its_call_of_another() {
    let source = "class B { B(int i) {} } class A extends B { int f; A(int i) { super(i * 2); f = i; } }";
    let program = Program::statements(source);
    let pieces: Vec<_> = program.labels().into_iter().filter(|label| label.starts_with("A.<init>:(I)V@")).collect();
    let removable = pieces.iter().filter(|piece| program.can_lose(&[piece]));
    let candidates: Vec<_> = removable.map(|piece| program.losing(&[piece])).collect();
    assert!(candidates.len() >= 3, "{pieces:?}");
    for candidate in &candidates {
        let left = listing(candidate, "A.<init>:(I)V");
        assert!(left.contains(&"invokespecial B.<init>".to_owned()), "{left:?}");
    }
    assert_valid(&candidates);
}

#[test]
fn a_value_that_arrives_on_a_new_path_has_the_type_it_is_used_as() {
    let source = "class C { } class A extends C { } class B extends C { }
        class M {
            static void use(C c) { }
            static void m(int k) {
                { C c = new B(); while (true) { if (k == 0) { c = new A(); break; } use(c); k--; } }
                return;
            }
        }";
    let program = Program::statements(source);
    assert_valid(&samples(&program.model, 200));
    // Only the removed jump had kept the `A` from being used.
    let jump = program.labels().into_iter().find(|label| *label == "M.m:(I)V@10-11").unwrap().to_owned();
    let whole = listing(&program.losing(&[&jump]), "M.m:(I)V");
    assert!(whole.contains(&"invokestatic M.use".to_owned()), "{whole:?}");
    let cut = program.losing(&[&jump, "A<C"]);
    assert_eq!(listing(&cut, "M.m:(I)V"), ["return"]);
    assert_eq!(listing(&program.losing(&[&jump]), "M.m:(I)V"), whole, "whatever was rendered before");
    assert_valid(&[cut]);
}
