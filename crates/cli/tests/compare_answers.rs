//! `lapidary compare` with objects as inputs: equal versions are never called different, and
//! nothing is claimed without a check.

use crate::support;

use support::pair::{compare, pair};

const PERSON: &str = "class Person { int age; int getAge() { return age; } }\n";

fn with_person(old: &str, new: &str) -> support::Place {
    let class = |body: &str| format!("{PERSON}class T {{ {body} }}");
    pair(&class(old), &class(new))
}

#[test]
fn a_program_is_equivalent_to_itself_without_being_run() {
    let source = "class It { int v; } class T { It[] a; int f() { return a[0].v; } }";
    let run = compare(&pair(source, source), &[]).ends_with(0);
    assert_eq!(run.stdout, "no class differs\nequivalent\n");
    let unknown = ["compare", "old/classes", "new/classes", "--main", "T.g"];
    pair(source, source).lapidary(&unknown).ends_with(2).complains(&["class T has no method g"]);
}

#[test]
fn files_that_the_program_may_read_count_although_no_class_differs() {
    let source = "class T { static int f(int n) { return n; } }";
    let place = pair(source, source);
    place.write("old/classes/words.properties", "a=1");
    place.write("new/classes/words.properties", "a=2");
    compare(&place, &["--fuzz-first", "0"]).ends_with(0).prints(&["equivalent\n1 path of the old version"]);
}

#[test]
fn reading_a_field_of_an_input_is_no_write() {
    let place = with_person(
        "boolean f(Person p) { return p.getAge() >= 18; }",
        "boolean f(Person p) { boolean is = p.getAge() >= 18; return is; }",
    );
    compare(&place, &[]).ends_with(0).prints(&["\nequivalent\n"]);
}

#[test]
fn a_method_that_nobody_calls_changes_nothing() {
    let old = "boolean f(Person p) { return p.getAge() >= 18; }";
    compare(&with_person(old, &format!("{old} int g() {{ return 1; }}")), &[])
        .ends_with(0)
        .prints(&["\nequivalent\n", "0 of 1 line of changed methods ran"]);
}

#[test]
fn values_of_any_class_are_of_those_that_the_code_asks_about() {
    let versions = |test: &str| {
        let class = |result: &str| format!("class T {{ static int f(Object o) {{ return {test} ? {result} : 0; }} }}");
        pair(&class("1"), &class("2"))
    };
    let tests = [
        "o instanceof Double",
        "o instanceof int[]",
        "o instanceof java.util.List",
        "o != null && o.getClass() == Short.class",
    ];
    for test in tests {
        compare(&versions(test), &["--fuzz-first", "0"]).ends_with(1).prints(&["different\n", "the result differs"]);
    }
}

#[test]
fn a_verdict_names_what_it_rests_on() {
    let source = "class T { static int f(Object o, java.util.List<Integer> l) { return l.size(); } }";
    let place = pair(source, &source.replace("return", "int n = 0; return n +"));
    compare(&place, &[]).ends_with(4).prints(&[
        "\nno difference found (texts up to 4 characters; characters below U+0100; ",
        "arrays and collections up to 4 elements; ",
        "List only as ArrayList",
        "Object only as Integer, String, Object",
        " s of 1200 s used)\n",
    ]);
    let summary = compare(&place, &["--json", "-"]).ends_with(4).json();
    assert_eq!(summary["verdict"], "no difference found");
    assert!(summary["restrictions"].as_array().unwrap().contains(&"characters below U+0100".into()), "{summary}");
}

/// Versions that a caller can tell apart, by something that one call with new inputs does not show.
#[test]
fn a_verdict_names_what_one_call_does_not_show() {
    let op =
        "interface Op { int apply(int x); } class Twice implements Op { public int apply(int x) { return 2 * x; } }
        class App { static int calls; static int run() { return T.f(x -> x + calls++); } }";
    let door = "enum Door { FRONT, BACK; int opened; void open() { opened++; } }";
    let span = "class Span { final int a; Span(int a) { this.a = a; } public String toString() { return \"[\" + a + \")\"; } }";
    let cases = [
        (
            "class T { static final Integer FIVE = 5; static boolean f(Integer x) { return x == FIVE; } }".to_owned(),
            ("x == FIVE", "false"),
            "boxed numbers and texts only as new objects",
        ),
        (
            "class T { static java.util.function.IntUnaryOperator f(int k) { return x -> x + k; } }".to_owned(),
            ("x + k", "x - k"),
            "later calls of the body on the lambda of T that a call hands out were not compared",
        ),
        (
            format!("{span} class T {{ static Span f(int k) {{ return new Span(k); }} }}"),
            (")\"; }", "]\"; }"),
            "later calls of toString on the Span that a call hands out were not compared",
        ),
        (
            "class T { static Runnable left; static void f(int k) { left = () -> System.out.print(k + 1); } }"
                .to_owned(),
            ("k + 1", "k + 2"),
            "later calls of the body on the lambda of T that a call hands out were not compared",
        ),
        (
            format!("{op} class T {{ static int f(Op op) {{ return op.apply(3) + op.apply(3); }} }}"),
            ("op.apply(3) + op.apply(3)", "2 * op.apply(3)"),
            "Op only as Twice",
        ),
        (
            "class T { static int limit = 10; static void set(int n) { limit = n; } static boolean f(int x) { return x > limit; } }"
                .to_owned(),
            ("x > limit", "x > 10"),
            "T.limit only with its initial value",
        ),
        (
            "class T { static java.util.Map<Integer, Integer> seen = new java.util.TreeMap<>();
                static int f(int x) { seen.put(x, 1); return x; } }"
                .to_owned(),
            ("put(x, 1)", "put(x, 2)"),
            "what is left in T.seen was not compared",
        ),
        (
            format!("{door} class T {{ static boolean f(Door d) {{ return d.opened > 3; }} }}"),
            ("d.opened > 3", "d.opened > 4"),
            "Door.opened only with its initial value",
        ),
        (
            "class T { static int f(int x) { try { return 1 / x; }
                catch (ArithmeticException e) { throw new IllegalStateException(\"no\", e); } } }"
                .to_owned(),
            (", e)", ")"),
            "causes of exceptions were not compared",
        ),
        (
            "class T { static int f(int x) { RuntimeException e = new RuntimeException();
                if (x > 0) e.addSuppressed(new Error()); throw e; } }"
                .to_owned(),
            ("x > 0", "x > 1"),
            "causes of exceptions were not compared",
        ),
        (
            "class T { int n; synchronized int f(int x) { return n + x; } }".to_owned(),
            ("synchronized", ""),
            "only one thread",
        ),
    ];
    for (source, (from, to), named) in cases {
        assert!(source.contains(from), "{source}");
        let place = pair(&source, &source.replace(from, to));
        compare(&place, &["--fuzz-first", "0"]).ends_with(4).prints(&["no difference found (", named]);
    }
}

/// Random inputs come first and make both versions load classes in another order.
#[test]
fn a_lambda_that_an_argument_keeps_is_named_after_random_inputs() {
    let source = "class Box { Runnable kept; }
        class T { static void f(Box box, int k) { box.kept = () -> System.out.print(k + 1); } }";
    let place = pair(source, &source.replace("k + 1", "k + 2"));
    let named = "later calls of the body on the lambda of T that a call hands out were not compared";
    compare(&place, &[]).ends_with(4).prints(&["no difference found (", named]);
}

#[test]
fn questions_about_the_surroundings_are_not_taken_for_each_other() {
    let asked = [("System.currentTimeMillis()", "System.nanoTime()"), ("memory.maxMemory()", "memory.freeMemory()")];
    for (old, new) in asked {
        let source =
            format!("class T {{ static long f() {{ Runtime memory = Runtime.getRuntime(); return {old}; }} }}");
        let run = compare(&pair(&source, &source.replace(old, new)), &["--fuzz-first", "0"]);
        assert!(run.code == Some(1) || run.code == Some(3), "{run}");
    }
}

/// Versions that other code of the program, or code that is not there, can tell apart.
#[test]
fn a_verdict_names_what_other_code_can_reach() {
    let kind = "class K { int a; int n() { return a; } }";
    let cases = [
        (
            "class T { private static final int[] TWO = {1, 2}; static int[] f(int k) { return k > 0 ? new int[] {1, 2} : null; } }"
                .to_owned(),
            ("new int[] {1, 2}", "TWO"),
            "T.TWO only with its initial value",
        ),
        (
            "class T { static int limit = 10; static boolean f(int x) { return x < limit; } }".to_owned(),
            ("x < limit", "x < 10"),
            "T.limit only with its initial value",
        ),
        (
            "class T { private static final int[] ALL = {5, 6}; static int[] all() { return ALL; }
                static int f(boolean k) { return k ? ALL[0] : 6; } }"
                .to_owned(),
            ("ALL[0]", "5"),
            "T.ALL only with its initial value",
        ),
        (
            "class T { static final java.util.Map<String, Integer> M = new java.util.HashMap<>();
                static int f(boolean b) { return M.getOrDefault(\"x\", 1); } }"
                .to_owned(),
            ("M.getOrDefault(\"x\", 1)", "1"),
            "T.M only with its initial value",
        ),
        (
            format!("{kind} class T {{ static K f(int a) {{ K k = new K(); k.a = a; return k; }} }}"),
            ("int n()", "public int hashCode() { return a; } int n()"),
            "later calls of hashCode on the K that a call hands out were not compared",
        ),
        (
            format!("{kind} class L extends K {{ }} class T {{ static K f(int a) {{ K k = new L(); k.a = a; return k; }} }}"),
            ("extends K {", "extends K { int n() { return 3; }"),
            "later calls of n on the L that a call hands out were not compared",
        ),
        (
            "class K { int a; } class T { static K f(int a) { K k = new K(); k.a = a; return k; } }".to_owned(),
            ("class K {", "class K implements java.io.Serializable {"),
            "the supertypes of K were not compared",
        ),
        (
            "class E extends RuntimeException { } class T { static int f(int k) { if (k < 0) throw new E(); return k; } }"
                .to_owned(),
            ("RuntimeException {", "RuntimeException { public String toString() { return \"E!\"; }"),
            "later calls of toString on the E that a call hands out were not compared",
        ),
        (
            "class T { static void f(int k) { if (k < 0) System.out.flush(); } }".to_owned(),
            ("System.out.flush()", "System.setProperty(\"neg\", \"1\")"),
            "what is left in the system properties was not compared",
        ),
        (
            "interface V { boolean ok(int x); } class Pos implements V { public boolean ok(int x) { return x > 0; } }
                class T { static boolean f(V v, int a, int b) { return v.ok(a) & v.ok(b); } }"
                .to_owned(),
            ("v.ok(a) & v.ok(b)", "v.ok(a) && v.ok(b)"),
            "V only as Pos",
        ),
        (
            "class S { } class C extends S { }
                class T { static int f(S[] a) { if (a == null || a.length == 0) return 0; S o = a[0]; return 1; } }"
                .to_owned(),
            ("S o = a[0];", "S o = a[0]; a[0] = new S(); a[0] = o;"),
            "S[] only as S[]",
        ),
    ];
    for (source, (from, to), named) in cases {
        assert!(source.contains(from), "{source}");
        let place = pair(&source, &source.replace(from, to));
        compare(&place, &["--fuzz-first", "0"]).ends_with(4).prints(&["no difference found (", named]);
    }
}

/// Private objects that other code can get hold of and change. Each case has a method `x == 1`-like
/// question about the initial content, which the second version takes for settled.
#[test]
fn what_a_private_field_leads_to_counts_as_state_when_it_gets_out() {
    let cases = [
        // A row of a table that is returned.
        (
            "private static final int[][] K = {{1, 2}}; static int[] row() { return K[0]; }
                static int f(int x) { return K[0][0] == 1 ? x : x + 1; }",
            ("K[0][0] == 1", "true"),
        ),
        // An iterator that can remove.
        (
            "private static final java.util.List<Integer> K = new java.util.ArrayList<>(java.util.List.of(1));
                static java.util.Iterator<Integer> all() { return K.iterator(); }
                static int f(int x) { return K.size() == 1 ? x : x + 1; }",
            ("K.size() == 1", "true"),
        ),
        // An array that a method of the library fills.
        (
            "private static final char[] K = {'a', 'b'}; static void set(String s) { s.getChars(0, 1, K, 0); }
                static int f(int x) { return K[0] == 'a' ? x : x + 1; }",
            ("K[0] == 'a'", "true"),
        ),
        // An object whose own methods change what it holds.
        (
            "static final class Box { private final int[] data = {1}; void set(int v) { data[0] = v; } int get() { return data[0]; } }
                private static final Box K = new Box(); static void set(int v) { K.set(v); }
                static int f(int x) { return K.get() == 1 ? x : x + 1; }",
            ("K.get() == 1", "true"),
        ),
        // An object inside an object.
        (
            "static class Inner { int v = 1; } static final class Outer { final Inner inner = new Inner(); }
                static final Outer K = new Outer();
                static int f(int x) { return K.inner.v == 1 ? x : x + 1; }",
            ("K.inner.v == 1", "true"),
        ),
        // An anonymous class with a counter.
        (
            "static final java.util.function.IntSupplier K = new java.util.function.IntSupplier() {
                    int calls; public int getAsInt() { return calls++; } };
                static int f(int x) { return K.getAsInt() == 0 ? x : x + 1; }",
            ("K.getAsInt() == 0", "K.getAsInt() >= 0"),
        ),
        // A lambda that captures an array.
        (
            "static java.util.function.IntSupplier count() { int[] calls = {0}; return () -> calls[0]++; }
                static final java.util.function.IntSupplier K = count();
                static int f(int x) { return K.getAsInt() == 0 ? x : x + 1; }",
            ("K.getAsInt() == 0", "K.getAsInt() >= 0"),
        ),
    ];
    for (members, (asked, settled)) in cases {
        let source = format!("class T {{ {members} }}");
        let place = pair(&source, &source.replace(asked, settled));
        let named = ["no difference found (", "T.K only with its initial value"];
        compare(&place, &["--fuzz-first", "0"]).ends_with(4).prints(&named);
    }
}

#[test]
fn an_array_of_an_enum_constant_counts_as_state_when_it_gets_out() {
    let source = "enum E { A; private final int[] v = {1}; int[] all() { return v; } int first() { return v[0]; } }
        class T { static int f(int x) { return E.A.first() == 1 ? x : x + 1; } }";
    let place = pair(source, &source.replace("E.A.first() == 1", "true"));
    compare(&place, &["--fuzz-first", "0"])
        .ends_with(4)
        .prints(&["no difference found (", "E.v only with its initial value"]);
}

#[test]
fn private_tables_that_are_only_read_do_not_count_as_state() {
    let source = "class T { private static final int[] SQUARES = {0, 1, 4, 9};
        static int f(int x) { int sum = x; for (int s : SQUARES) sum += s; return x > 1 && x < 4 ? SQUARES[x] : sum; } }";
    compare(&pair(source, &source.replace("x > 1 && x < 4", "1 < x && 4 > x")), &["--fuzz-first", "0"])
        .ends_with(0)
        .prints(&["\nequivalent\n"]);
}

#[test]
fn a_class_that_has_no_lambdas_is_tried_in_full() {
    let source = "class T { static String f(String s) { return s + 1; } }";
    let run =
        compare(&pair(source, &source.replace("return s + 1", "int n = 1; return s + n")), &["--fuzz-first", "0"])
            .ends_with(4);
    assert!(!run.stdout.contains("String only as"), "{}", run.stdout);
}

#[test]
fn lasting_state_that_the_versions_treat_alike_is_left_alike() {
    let source = "class T { static int last; static int f(int x) { last = x; return x + x; } }";
    compare(&pair(source, &source.replace("x + x", "2 * x")), &["--fuzz-first", "0"])
        .ends_with(0)
        .prints(&["\nequivalent\n"]);
}

#[test]
fn caches_of_the_library_are_nobodys_business() {
    let source = "class T { static String f(boolean b) { return b ? String.format(\"%s!\", b) : \"open\"; } }";
    let place = pair(source, &source.replace("String.format(\"%s!\", b)", "b + \"!\""));
    compare(&place, &["--fuzz-first", "0"]).ends_with(0).prints(&["\nequivalent\n"]);
}

#[test]
fn class_objects_and_annotations_count() {
    let source = "class T { static Class<?> f(int x) { return String.class; } }";
    compare(&pair(source, &source.replace("String.class", "Long.class")), &["--fuzz-first", "0"]).ends_with(1);
    let source = "import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) @interface Limit { int value(); }
        class T { @Limit(5) static int f(int x) { return x; } }";
    let run = compare(&pair(source, &source.replace("@Limit(5)", "@Limit(6)")), &["--fuzz-first", "0"]);
    run.prints(&["1 class differs"]);
}

#[test]
fn calls_that_are_nested_too_deeply_are_not_compared() {
    let source = "class T { static int g(int n, int x) { return n == 0 ? x : g(n - 1, x); }
        static int f(int x) { return g(3000, x); } }";
    let place = pair(source, &source.replace("? x :", "? x + 1 :"));
    compare(&place, &["--fuzz-first", "0"])
        .ends_with(3)
        .prints(&["unknown\n"])
        .complains(&["more than 2000 nested calls"]);
}

#[test]
fn characters_beyond_a_byte_are_tried_where_the_code_asks_about_them() {
    let class = |result: &str| format!("class T {{ static int f(String s) {{ return {result}; }} }}");
    let place = pair(&class("s.length()"), &class("s.codePointCount(0, s.length())"));
    compare(&place, &["--fuzz-first", "0"]).ends_with(1).prints(&[
        "different\n",
        "\\ud801\\udc00",
        "the result differs",
    ]);
}

#[test]
fn one_array_may_be_both_arguments() {
    let source = "class T { static int f(int[] a, int[] b) {
        if (a == null || b == null || a.length == 0 || b.length == 0) return 0;
        a[0] = 1;
        b[0] = 2;
        return a[0];
    } }";
    let place = pair(source, &source.replace("return a[0]", "return 1"));
    compare(&place, &["--fuzz-first", "0"]).ends_with(1).prints(&["T.f(#1=new int[] {0}, #1)"]);
    compare(&place, &["--fuzz-first", "0", "--aliases", "none"]).ends_with(4).prints(&["no object given twice; "]);
}

#[test]
fn an_object_whose_fields_were_set_is_said_to_be_one() {
    let place = with_person(
        "boolean f(Person p) { return p.getAge() >= 18; }",
        "boolean f(Person p) { return p.getAge() > 18; }",
    );
    compare(&place, &["--fuzz-first", "0"])
        .ends_with(1)
        .prints(&["(the fields of Person were set one by one, without the checks of a constructor)"]);
}

#[test]
fn a_difference_in_the_order_of_a_hash_map_is_called_that() {
    let source = "class T { static void f(int n) {
        java.util.Map<String, Integer> m = new java.util.HashMap<>(1);
        for (int i = 0; i < 6; i++) m.put(\"key\" + i * 7919, i);
        System.out.println(m);
    } }";
    let place = pair(source, &source.replace("HashMap<>(1)", "HashMap<>(64)"));
    compare(&place, &["--fuzz-first", "0"])
        .ends_with(1)
        .prints(&["the output differs, only in the order of a HashMap or HashSet"]);
}

#[test]
fn the_capacity_of_an_empty_map_decides_about_an_order_to_come() {
    for kind in ["HashMap<Integer, Integer>", "HashSet<String>"] {
        let source = |capacity: &str| {
            format!("class T {{ static Object f(int x) {{ return new java.util.{kind}({capacity}); }} }}")
        };
        compare(&pair(&source(""), &source("16")), &["--fuzz-first", "0"]).ends_with(0);
        let other = compare(&pair(&source(""), &source("1024")), &["--fuzz-first", "0"]);
        assert_ne!(other.code, Some(0), "{kind}: {other}");
    }
}

#[test]
fn lists_of_different_things_are_never_one_list() {
    let class = |result: &str| {
        format!(
            "import java.util.*; class T {{ static int f(List<String> names, List<Integer> counts) {{ \
             return names != null && names == (Object) counts ? {result} : 0; }} }}"
        )
    };
    compare(&pair(&class("1"), &class("2")), &["--fuzz-first", "0"]).ends_with(4).prints(&["no difference found"]);
    let alike = |result: &str| class(result).replace("List<String>", "Collection<Integer>");
    compare(&pair(&alike("1"), &alike("2")), &["--fuzz-first", "0"]).ends_with(1).prints(&["different"]);
}
