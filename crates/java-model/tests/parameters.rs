//! Tests of removing parameters with the arguments of all callers: the results for small examples,
//! and that the JVM accepts every combination.

use crate::support;

use lapidary_classfile::Class;
use lapidary_java_model::ParameterModel;
use lapidary_logic::{Var, VarSet};
use lapidary_reduce::{FileTree, Model};
use std::collections::BTreeMap;
use std::path::Path;
use support::program::{class, listing};
use support::{FIXTURES, ask_jvm, assert_valid, class_path, compile, compile_with, fixture, full, samples};

fn model(source: &str) -> ParameterModel {
    ParameterModel::new(&compile(source), class_path())
}

fn labels(model: &ParameterModel) -> Vec<&str> {
    model.items().iter().map(|item| item.label.as_str()).collect()
}

/// The program without the named parameters.
#[track_caller]
fn losing(model: &ParameterModel, gone: &[&str]) -> FileTree {
    let mut keep = full(model);
    for label in gone {
        let place = labels(model).iter().position(|found| found == label);
        keep.remove(Var::new(place.unwrap_or_else(|| panic!("no {label} among {:?}", labels(model)))));
    }
    assert!(model.constraint().is_satisfied_by(&keep), "{gone:?} can go");
    model.render(&keep).unwrap()
}

/// Every sub-input that satisfies the clauses.
fn all_sub_inputs(model: &ParameterModel) -> Vec<FileTree> {
    let count = model.items().len();
    assert!(count <= 12, "{count} are too many to try all");
    let sets = (0..1usize << count)
        .map(|bits| VarSet::of(count, (0..count).filter(|index| bits >> index & 1 == 1).map(Var::new)));
    sets.filter(|keep| model.constraint().is_satisfied_by(keep)).map(|keep| model.render(&keep).unwrap()).collect()
}

fn methods(class: &Class) -> Vec<String> {
    class.methods.iter().map(|method| format!("{}{}", method.name, method.descriptor)).collect()
}

#[test]
fn one_of_three_parameters_is_needed() {
    let source = "class A { static int m(int a, long b, String c) { return a; }
        static int call(String s) { return m(3, s.length(), s); } }";
    let model = model(source);
    let m = "A.m:(IJLjava/lang/String;)I!parameter";
    let left = losing(&model, &[&format!("{m}(1)"), &format!("{m}(2)")]);
    assert_eq!(listing(&left, "A.m:(I)I"), ["iload_0", "ireturn"]);
    let called = ["iconst_3", "aload_0", "invokevirtual java/lang/String.length", "i2l", "pop2"];
    let call = [&called[..], &["invokestatic A.m", "ireturn"]].concat();
    assert_eq!(listing(&left, "A.call:(Ljava/lang/String;)I"), call);
    assert_valid(&all_sub_inputs(&model));
}

#[test]
fn a_parameter_that_is_still_read_is_zero_or_null() {
    let source = "class A { static int m(int a, double b, Object c) { while (a > 0) { a--; b += a; }
        return c == null ? (int) b : c.hashCode(); } }";
    let model = model(source);
    let left = losing(&model, &["A.m:(IDLjava/lang/Object;)I!parameter(1)"]);
    let body = listing(&left, "A.m:(ILjava/lang/Object;)I");
    assert_eq!(body[..4], ["dconst_0", "dstore_2", "iload_0", "ifle"]);
    assert!(body.contains(&"aload_1".to_owned()), "what is behind moves up: {body:?}");
    assert_valid(&all_sub_inputs(&model));
}

#[test]
fn all_that_override_each_other_change_together() {
    let source = "interface I { void m(int a, String b); } abstract class S { public void m(int a, String b) { } }
        class C extends S implements I { } class D extends C { public void m(int a, String b) { super.m(b.length(), b); } }
        class User { void use(I i, S s, D d) { i.m(1, \"i\"); s.m(2, \"s\"); d.m(3, null); } }";
    let model = model(source);
    assert_eq!(labels(&model).iter().filter(|label| label.contains(".m:")).count(), 2, "{:?}", labels(&model));
    let left = losing(&model, &["I.m:(ILjava/lang/String;)V!parameter(1)"]);
    for name in ["I", "S", "D"] {
        assert!(methods(&class(&left, name)).contains(&"m(I)V".to_owned()), "{name}");
    }
    assert_valid(&all_sub_inputs(&model));
}

#[test]
fn prescribed_methods_keep_their_parameters() {
    let source = "import java.util.function.*;
        class A implements Comparable<A> { public int compareTo(A a) { return 0; } public boolean equals(Object o) { return true; }
            interface F { int f(int x, String s); } F lambda() { return (x, s) -> x; } int made(int i) { return i; }
            IntUnaryOperator handle() { return this::made; } enum E { ONE(1); E(int i) { } } record R(int i) { } }";
    assert_eq!(labels(&model(source)), Vec::<&str>::new());
}

#[test]
fn overloads_stay_different() {
    let source = "class A { void m(int a) { } void m(int a, String b) { } void n(int a) { } void n(int a, int b) { }
        void toString(long l) { } void use() { m(1); m(2, \"\"); n(1); n(1, 2); toString(3); } }";
    let model = model(source);
    assert!(!labels(&model).iter().any(|label| label.starts_with("A.n:")), "{:?}", labels(&model));
    let without = |label: &str| {
        let place = labels(&model).iter().position(|found| *found == label).unwrap();
        full(&model).without(&[Var::new(place)])
    };
    let fits = |label: &str| model.constraint().is_satisfied_by(&without(label));
    assert!(fits("A.m:(I)V!parameter(0)") && fits("A.m:(ILjava/lang/String;)V!parameter(0)"));
    assert!(!fits("A.m:(ILjava/lang/String;)V!parameter(1)"), "two methods m(int)");
    assert!(!fits("A.toString:(J)V!parameter(0)"), "the method of Object");
    assert_valid(&all_sub_inputs(&model));
}

#[test]
fn arguments_go_where_they_are_computed() {
    let source = "class A { static int x; static long f(long a, int b, Object c) { return a + b; } static int g(int a, int b) { return b; }
        static void use(boolean t, int[] i, Object o) {
            x += g(t ? g(1, 2) : 3, i[x++]); f(t ? 1 : x, x = g(x, 5), t && o != null ? o : new Object[] {o, f(1, 2, null)}); } }";
    let model = model(source);
    let called = [
        "A.f:(JILjava/lang/Object;)J!parameter(0)",
        "A.f:(JILjava/lang/Object;)J!parameter(1)",
        "A.f:(JILjava/lang/Object;)J!parameter(2)",
        "A.g:(II)I!parameter(0)",
        "A.g:(II)I!parameter(1)",
    ];
    assert_eq!(labels(&model)[..5], called);
    assert_valid(&all_sub_inputs(&model));
}

#[test]
fn constructors_and_recursion() {
    let source = "class B { B(int i, Object o) { } } class A extends B { final int f; A(int i, String s, long l) { super(i, s); f = i; }
        static int r(int n, int m) { return n == 0 ? m : r(n - 1, m); } A make() { return new A(r(3, 4), \"s\", 5L); } }";
    let model = model(source);
    let left = losing(&model, &["A.r:(II)I!parameter(1)", "A.<init>:(ILjava/lang/String;J)V!parameter(1)"]);
    let constructor = listing(&left, "A.<init>:(IJ)V");
    assert_eq!(constructor[..5], ["aconst_null", "astore", "aload_0", "iload_1", "aload"]);
    let made = listing(&left, "A.make:()LA;");
    assert_eq!(made, ["new", "dup", "iconst_3", "invokestatic A.r", "ldc2_w", "invokespecial A.<init>", "areturn"]);
    assert_valid(&all_sub_inputs(&model));
}

#[test]
fn declarations_no_longer_mention_the_parameter() {
    let source = "import java.lang.annotation.*; import java.util.*;
        class A { @Retention(RetentionPolicy.RUNTIME) @Target({ElementType.PARAMETER, ElementType.TYPE_USE}) @interface N { }
            <T> Class<?> m(List<T> a, @N String b, T... c) { class Local { } return Local.class; } }";
    let tree = compile_with(&["-g", "-parameters"], source);
    let model = ParameterModel::new(&tree, class_path());
    let label = "A.m:(Ljava/util/List;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/Class;!parameter(2)";
    let left = losing(&model, &[label]);
    let words = format!("{:?}", class(&left, "A"));
    assert!(words.contains("(Ljava/util/List<TT;>;Ljava/lang/String;)Ljava/lang/Class<*>;"), "{words}");
    let local = format!("{:?}", class(&left, "A$1Local").attributes);
    assert!(local.contains("(Ljava/util/List;Ljava/lang/String;)Ljava/lang/Class;"), "the method around: {local}");
    assert_valid(&all_sub_inputs(&model));
}

#[test]
fn the_machine_accepts_samples_of_every_fixture() {
    let mut candidates = Vec::new();
    for name in FIXTURES {
        let tree = fixture(name);
        let model = ParameterModel::new(&tree, class_path());
        assert!(model.render(&full(&model)).unwrap() == tree, "{name}");
        candidates.extend(samples(&model, 40));
    }
    for (candidate, answer) in candidates.iter().zip(ask_jvm(&candidates)) {
        assert!(answer.is_clean(), "{}: {}", candidate.name(), answer.text);
    }
}

/// The classes of one source, with those of another as versions for another release.
fn with_versions(source: &str, other_release: &str) -> FileTree {
    let base = compile(source);
    let mut entries: BTreeMap<_, _> = base.entries().map(|(path, entry)| (path.to_owned(), entry.clone())).collect();
    for (path, entry) in compile(&format!("{source} {other_release}")).entries() {
        if base.entry(path).is_none() {
            entries.insert(Path::new("META-INF/versions/9").join(path), entry.clone());
        }
    }
    FileTree::directory("program", entries)
}

#[test]
fn methods_used_by_versions_for_another_release_keep_their_parameters() {
    let source = "class B { B(int i, String s) { } static int f(int i, String s) { return i; }
            int g(int i, String s) { return i; } int own(int i, String s) { return i; }
            int overloaded(int i, String s) { return i; } int free(int i, String s) { return free(i, s); } }
        interface F { int apply(int i, String s); }";
    let other = "class Other extends B { Other() { super(1, null); } int own(int i, String s) { return f(i, s); }
        int overloaded(int i) { return g(i, null); }
        F lambda() { return (i, s) -> i; } }";
    let model = ParameterModel::new(&with_versions(source, other), class_path());
    let free = "B.free:(ILjava/lang/String;)I!parameter";
    assert_eq!(labels(&model), [format!("{free}(0)"), format!("{free}(1)")]);
}
