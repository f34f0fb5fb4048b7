//! Tests of collapsing classes into their superclasses: the results for small examples, and that
//! the JVM accepts every combination.

use crate::support;

use lapidary_classfile::{Attributed, access};
use lapidary_java_model::CollapseModel;
use lapidary_logic::{Var, VarSet};
use lapidary_reduce::{FileTree, Model};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use support::program::{class, find_class, listing};
use support::{FIXTURES, ask_jvm, assert_valid, class_path, compile, compile_with, fixture, full, samples};

fn model(source: &str) -> CollapseModel {
    CollapseModel::new(&compile(source), class_path())
}

fn labels(model: &CollapseModel) -> Vec<&str> {
    model.items().iter().map(|item| item.label.as_str()).collect()
}

#[track_caller]
fn collapsing(model: &CollapseModel, gone: &[&str]) -> FileTree {
    let place = |label: &&str| labels(model).iter().position(|found| found == label);
    let vars =
        gone.iter().map(|label| Var::new(place(label).unwrap_or_else(|| panic!("no {label} in {:?}", labels(model)))));
    model.render(&full(model).without(&vars.collect::<Vec<_>>())).unwrap()
}

/// Every choice of collapses.
fn all_choices(model: &CollapseModel) -> Vec<FileTree> {
    let count = model.items().len();
    assert!((1..=10).contains(&count), "{count} collapses");
    let chosen = |bits: usize| VarSet::of(count, (0..count).filter(|index| bits >> index & 1 == 1).map(Var::new));
    (0..1 << count).map(|bits| model.render(&chosen(bits)).unwrap()).collect()
}

const CHAIN: &str = "abstract class A { int a; A(int i) { a = i; } abstract int m(); int up() { return a; } }
    class B extends A implements Runnable { B(int i, String s) { super(i); } int m() { return 1; } public void run() { } }
    final class C extends B { final String c; C(String s) { super(3, s); c = s; } int m() { return c.length() + super.up(); }
        C same(C other, B[] all) { return other == null ? this : (C) all[0]; } }
    class User { int use(A a) { C c = new C(\"c\"); return a instanceof C ? c.same(c, new C[2]).m() : a.m(); } }";

#[test]
fn a_chain_becomes_one_class() {
    let model = model(CHAIN);
    assert_eq!(labels(&model), ["B", "C"]);
    let left = collapsing(&model, &["B", "C"]);
    assert!(find_class(&left, "B").is_none() && find_class(&left, "C").is_none());
    let a = class(&left, "A");
    let mut methods: Vec<String> =
        a.methods.iter().map(|method| format!("{}{}", method.name, method.descriptor)).collect();
    methods.sort_unstable();
    let expected = [
        "<init>(I)V",
        "<init>(ILjava/lang/String;)V",
        "<init>(Ljava/lang/String;)V",
        "m()I",
        "run()V",
        "same(LA;[LA;)LA;",
        "up()I",
    ];
    assert_eq!(methods, expected);
    assert_eq!(a.interfaces, ["java/lang/Runnable"]);
    assert_eq!(a.access & (access::ABSTRACT | access::FINAL), access::FINAL);
    assert_eq!(a.fields.iter().filter(|field| field.access & access::FINAL != 0).count(), 0);
    assert_eq!(
        listing(&left, "A.<init>:(Ljava/lang/String;)V")[..4],
        ["aload_0", "iconst_3", "aload_1", "invokespecial A.<init>"]
    );
    assert!(listing(&left, "A.m:()I").contains(&"invokevirtual A.up".to_owned()));
    assert_valid(&all_choices(&model));
}

#[test]
fn a_class_in_the_middle_goes_alone() {
    let model = model(CHAIN);
    let left = collapsing(&model, &["B"]);
    assert_eq!(class(&left, "C").superclass, Some("A".into()));
    assert_eq!(class(&left, "A").access & access::ABSTRACT, 0);
    let left = collapsing(&model, &["C"]);
    assert_eq!(class(&left, "B").superclass, Some("A".into()));
    assert!(listing(&left, "B.m:()I").contains(&"invokespecial A.up".to_owned()), "the class above is still there");
}

#[test]
fn constructors_that_hand_on_their_parameters_go() {
    let model = model("class A { private A(int i, long l, Object o) { } static class B extends A { public B(int i, long l, Object o) { super(i, l, o); } }
        static Object make() { return new B(1, 2, null); } }");
    assert_eq!(labels(&model), ["A$B"]);
    let left = collapsing(&model, &["A$B"]);
    let constructors: Vec<_> = class(&left, "A").methods.into_iter().filter(|method| method.name == "<init>").collect();
    assert_eq!(constructors.len(), 1);
    assert_eq!(constructors[0].access & (access::PUBLIC | access::PRIVATE), access::PUBLIC);
    assert!(class(&left, "A").nest_members().is_empty() && class(&left, "A").inner_classes().is_empty());
    assert_valid(&all_choices(&model));
}

#[test]
fn classes_that_would_clash_or_change_meaning_stay_apart() {
    let apart = [
        "class A { int m() { return 1; } } class B extends A { int m() { return super.m(); } }",
        "class A { int f; } class B extends A { String f; }",
        "class A { static int f = Integer.parseInt(\"1\"); } class B extends A { static int g = Integer.parseInt(\"2\"); }",
        "class A { A(int i) { } } class B extends A { B(int i) { super(i + 1); } }",
        "class A { } class B extends A { } class C extends A { }",
        "class A { void m(A a) { } } class B extends A { void m(B b) { } }",
        "class A { static void m() { } static void n() { m(); } } class B extends A { static void m() { } }",
        "class A { } abstract class B extends A { }",
        "sealed class A permits B { } final class B extends A { }",
        "enum A { ONE { } }",
        "class A { static class X { } } class B extends A { static class X { } }",
    ];
    for source in apart {
        assert_eq!(labels(&model(source)), Vec::<&str>::new(), "{source}");
    }
}

#[test]
fn generic_signatures_follow() {
    let source = "import java.util.*; class A<T> { T get(List<T> list) { return list.get(0); } }
        class B<U, V extends B<?, ?>> extends A<U> implements Comparable<B<U, V>> { V v; U u(Map<U, V> map) { return null; } <X> X x(X x) { return x; }
            public int compareTo(B<U, V> b) { return 0; } class Inner<W> { W w; U u; } }
        class User<T> extends B<T, B<?, ?>> { Map<String, B<T, ?>> map; B<T, ?>.Inner<T> inner; List<String> plain; }";
    let tree = compile_with(&["-g"], source);
    let model = CollapseModel::new(&tree, class_path());
    assert_eq!(labels(&model), ["B", "User"]);
    let left = collapsing(&model, &["B"]);
    assert_eq!(*class(&left, "User").signature().unwrap(), "<T:Ljava/lang/Object;>LA;");
    let field = |name: &str| {
        let user = class(&left, "User");
        let field = user.fields.iter().find(|field| field.name == name).cloned().unwrap();
        field.signature().map(ToString::to_string)
    };
    assert_eq!(field("map").as_deref(), Some("Ljava/util/Map<Ljava/lang/String;LA;>;"));
    assert_eq!(field("inner").as_deref(), Some("LB$Inner;"));
    assert_eq!(field("plain").as_deref(), Some("Ljava/util/List<Ljava/lang/String;>;"));
    assert_valid(&all_choices(&model));
}

#[test]
fn lambdas_nested_and_anonymous_classes_move() {
    let source = "import java.util.function.*; class Outer { static class A { Supplier<String> s() { return () -> \"a\"; } String n() { return \"x\" + hashCode(); } }
        static class B extends A { IntSupplier t(int i) { return () -> i + k().get(); } Supplier<Integer> k() { return this::hashCode; }
            class In { Object o = new Object() { public String toString() { return n() + hashCode(); } }; } }
        Object made = new B() { int more; IntSupplier t(int i) { return null; } }; }";
    let model = CollapseModel::new(&compile_with(&["-g", "-parameters"], source), class_path());
    assert_eq!(labels(&model), ["Outer$1", "Outer$B"]);
    let left = collapsing(&model, &["Outer$B", "Outer$1"]);
    assert_eq!(class(&left, "Outer$A").bootstrap_methods().len(), 3, "the overridden method's is gone");
    assert_eq!(class(&left, "Outer").nest_members().len(), 3);
    assert_valid(&all_choices(&model));
}

#[test]
fn the_machine_accepts_samples_of_every_fixture() {
    let mut candidates = Vec::new();
    for name in FIXTURES {
        let tree = fixture(name);
        let model = CollapseModel::new(&tree, class_path());
        assert!(model.render(&full(&model)).unwrap() == tree, "{name}");
        candidates.extend(samples(&model, 8));
    }
    for (candidate, answer) in candidates.iter().zip(ask_jvm(&candidates)) {
        assert!(answer.is_clean(), "{}: {}", candidate.name(), answer.text);
    }
}

#[test]
fn nothing_is_collapsed_into_a_class_that_another_release_names() {
    let source =
        "class A { void n() { } } final class B extends A { final void m() { } } class C { } class D extends C { }";
    assert_eq!(labels(&model(source)), ["B", "D"]);
    let mut entries: BTreeMap<_, _> =
        compile(source).entries().map(|(path, entry)| (path.to_owned(), entry.clone())).collect();
    let other = compile("class A { } class Other extends A { void m() { } }");
    let other = other.entry(Path::new("Other.class")).unwrap().clone();
    entries.insert(PathBuf::from("META-INF/versions/9/Other.class"), other);
    let model = CollapseModel::new(&FileTree::directory("program", entries), class_path());
    assert_eq!(labels(&model), ["D"], "`Other` may extend `A` and redefine `m` as long as `A` is as it was");
}
