//! Small patches with known verdicts, each with and without the techniques that make comparing
//! cheaper.

use crate::support::{Patch, compiled};
use lapidary_compare::{ComparisonResult, Techniques, Verdict};
use lapidary_symbolic::PathLimits;
use std::time::Duration;
use tempfile::TempDir;

struct Judged {
    patch: Patch<'static>,
    verdict: Verdict,
}

const fn patch(name: &'static str, verdict: Verdict, source: &'static str) -> Judged {
    with_spec(name, verdict, "", source)
}

const fn with_spec(name: &'static str, verdict: Verdict, spec: &'static str, source: &'static str) -> Judged {
    Judged { patch: Patch { name, source, spec, merges: false, time: Duration::from_secs(20) }, verdict }
}

const fn merging(mut judged: Judged) -> Judged {
    judged.patch.merges = true;
    judged
}

const PATCHES: &[Judged] = &[
    patch(
        "inherited",
        Verdict::Different,
        "class Ledger { static int total; static void book(int n) { total += n; } }
         class Base { void print(int p) { Ledger.book(p«| - 1»); } }
         class Sub extends Base { }
         class T { static void f(int p) { new Sub().print(p); } }",
    ),
    patch(
        "inherited_write",
        Verdict::Different,
        "class Account { int points; }
         class Base { void print(Account a, int p) { a.points = p«| - 1»; } }
         class Sub extends Base { }
         class T { static void f(int p) { new Sub().print(new Account(), p); } }",
    ),
    patch(
        "inner_loop",
        Verdict::Different,
        "class T {
             static int g(int n) { int i = 0; while (i < n) { i++; } return i; }
             static int f(int n) {
                 int r = 0;
                 for (int j = 0; j < 2; j++) { int i = 0; while (i < n) { i += 1; } r = r + g(i)«| + j»; }
                 return r;
             }
         }",
    ),
    patch(
        "initialiser_write",
        Verdict::Different,
        "class Ledger { static int total; }
         class Receipt { static { Ledger.total = «5|6»; } void print(int p) { } }
         class T { static void f(int p) { new Receipt().print(p); } }",
    ),
    patch(
        "initialiser_call",
        Verdict::Different,
        "class Ledger { static int total; static void book(int n) { total += n; } }
         class Receipt { static { Ledger.book(«5|6»); } void print(int p) { } }
         class T { static void f(int p) { new Receipt().print(p); } }",
    ),
    patch(
        "initialisers_of_the_library",
        Verdict::NoDifferenceFound,
        "class T {
             static boolean f(String s) {
                 if (s == null) return false;
                 «for (int i = 0; i < s.length(); i++) { if (s.charAt(i) < '0') return false; if (s.charAt(i) > '9') return false; } return !s.isEmpty();|return s.matches(\"[0-9]+\");»
             }
         }",
    ),
    patch(
        "array_in_text",
        Verdict::Different,
        "class Account { String name; void name(char[] c) { name = new String(c); } }
         class Receipt { void print(Account a, int p) { a.name(new char[] {«'a'|'b'», (char) (p & 127)}); } }
         class T { static void f(int p) { new Receipt().print(new Account(), p); } }",
    ),
    patch(
        "inherited_static",
        Verdict::Different,
        "class Ledger { static int total; }
         class Receipt extends Ledger { void print(int p) { total = p«| - 1»; } }
         class T { static void f(int p) { new Receipt().print(p); } }",
    ),
    patch(
        "other_owner",
        Verdict::Equivalent,
        "class A { int x; }
         class B extends A { }
         class Receipt { void print(B b, int p) { «b.x = p|A a = b; a.x = p»; } }
         class T { static void f(int p) { new Receipt().print(new B(), p); } }",
    ),
    patch(
        "aliases",
        Verdict::NoDifferenceFound,
        "final class Leaf { int x; }
         final class Pair { Leaf left, right; }
         class T {
             static int f(Pair p) {
                 if (p == null || p.left == null || p.right == null) return 0;
                 p.left.x = 1;
                 p.right.x = 2;
                 return «p.left.x|1»;
             }
         }",
    ),
    patch(
        "added_class",
        Verdict::NoDifferenceFound,
        "interface Shape { int area(int x); }
         «|final class Arc implements Shape { public int area(int x) { return 1; } }»
         final class Circle implements Shape { public int area(int x) { return x == 3 ? 8 : 1; } }
         final class Square implements Shape { public int area(int x) { return 1; } }
         class T { static int f(Shape s, int x) { return s == null ? 0 : s.area(x); } }",
    ),
    patch(
        "added_constant",
        Verdict::Different,
        "enum Color { «|Z, »A, B }
         class T { static int f(Color c, int x) { return c == Color.B && x == 123456789 ? «2|0» : 0; } }",
    ),
    patch(
        "hidden_field",
        Verdict::Different,
        "class A { int x = 5; }
         class B extends A { int x; B(int n) { x = «5|n == 123456789 ? 7 : 5»; } }
         class T { static B f(int n) { return new B(n); } }",
    ),
    patch(
        "own_message",
        Verdict::Different,
        "class T {
             static int f(int[] a) { «|if (a == null) throw new NullPointerException(\"a must not be null\");» return a.length; }
         }",
    ),
    patch(
        "surroundings",
        Verdict::NoDifferenceFound,
        "class T { static int f(int x) { return System.getenv(\"SHOP\") != null && x == 5 ? «1|2» : 0; } }",
    ),
    with_spec(
        "loop_before_call",
        Verdict::Different,
        "result = \"changed\"\n[[changed]]\nclass = \"loop_before_call.T\"\n[[unchanged]]\nclass = \"loop_before_call.Account\"",
        "class Account { int points; void add(int n) { points += n; } }
         class T {
             static int f(int n) {
                 int s = 0;
                 for (int i = 0; i < n; i++) { s = s + i«| + i»; }
                 new Account().add(s);
                 return 0;
             }
         }",
    ),
    with_spec(
        "tolerance_in_loop",
        Verdict::Different,
        "numbers = { ulp = 1 }",
        "class T {
             static double f(int n) {
                 double x = «1.0|1.0000000000000002»;
                 for (int i = 0; i < n; i++) { x = x * x; }
                 return x;
             }
         }",
    ),
    with_spec(
        "infinitely_far",
        Verdict::Different,
        "numbers = { ulp = 4294967295 }",
        "class T { static float f(int x) { return x == 7 ? «Float.MAX_VALUE|Float.POSITIVE_INFINITY» : x; } }",
    ),
    with_spec(
        "near_enough",
        Verdict::Equivalent,
        "numbers = { ulp = 1 }",
        "class T { static double f(int x) { return x == 7 ? «1.0|1.0000000000000002» : 0; } }",
    ),
    with_spec(
        "overflow_of_library",
        Verdict::Different,
        "numbers = \"no-overflow\"",
        "class T { static int f(int n) { return (\"hello world\".hashCode() > 0 ? 1 : 2) + (n == «5|6» ? 1 : 0); } }",
    ),
    merging(with_spec(
        "overflow_on_one_way",
        Verdict::Different,
        "numbers = \"no-overflow\"",
        "class T {
             static int f(int x, int z) {
                 int y = 0, m = 2147483647;
                 if (x == 5) { y = m + 1; }
                 return z == «7|8» ? 1 : 2;
             }
         }"
    )),
    with_spec(
        "not_field",
        Verdict::Different,
        "[[changed]]\nclass = \"not_field.Audit\"\n[[changed]]\nclass = \"not_field.Customer\"\nnot = { field = \"vip\", equals = true }",
        "class Audit { int n; void note(int p) { n += p; } }
         class Customer { final boolean vip; Customer(boolean v) { vip = v; } void buy(Audit a, int p) { a.note(p«| - 1»); } }
         class T { static void f(int p) { new Customer(true).buy(new Audit(), p); } }",
    ),
    with_spec(
        "static_call",
        Verdict::Different,
        "output = \"changed\"",
        "class Ledger { static int total; static void book(int n) { total += n; } }
         class Receipt { void print(int p) { Ledger.book(p«| - 5»); } }
         class T { static void f(int p) { new Receipt().print(p); } }",
    ),
    patch(
        "fields_in_another_order",
        Verdict::Equivalent,
        "final class P { int x, y; }
         class T {
             static int f(P a, P b) {
                 if (a == null || b == null) return 0;
                 «int u = b.x; int v = b.y;|int v = b.y; int u = b.x;»
                 return u - 2 * v + a.x;
             }
         }",
    ),
    patch(
        "long_initialiser",
        Verdict::Different,
        "class T {
             static int sum;
             static { for (int i = 0; i < «1000|1001»; i++) { sum += i; sum ^= i << 3; } }
             static int f(int n, boolean b, boolean c) { return b ? n : c ? -n : n == 7 ? sum : 0; }
         }",
    ),
    patch(
        "behind_common_code",
        Verdict::Different,
        "interface Rule { int price(int n); }
         class Shop {
             static int paid;
             static int rounds(int n, Rule rule) {
                 int sum = 0;
                 for (int i = 0; i < 3; i++) { sum += n > i ? rule.price(n + i) : 1; }
                 paid = sum;
                 return sum;
             }
         }
         class Sale { static int discount(int n) { return n == «77|78» ? 5 : 0; } }
         class T { static int f(int n) { return Shop.rounds(n, m -> m - Sale.discount(m)); } }",
    ),
    patch(
        "mended_behind_common_code",
        Verdict::Equivalent,
        "class Item { final String name; final int price; Item(String n, int p) { name = n; price = p; } }
         class Basket {
             final java.util.ArrayList<Item> items = new java.util.ArrayList<>();
             Basket with(String name, int price) { items.add(new Item(name, price)); return this; }
         }
         class Sum { static int of(Basket b) { int s = 0; «for (Item i : b.items) s += i.price;|for (int i = 0; i < b.items.size(); i++) s = b.items.get(i).price + s;» return s; } }
         class T {
             static int f(int n) {
                 if (n < 0) { return -1; }
                 Basket basket = new Basket().with(\"a\" + 1, n).with(\"b\", 2);
                 return n == 5 ? 0 : Sum.of(basket);
             }
         }",
    ),
];

#[test]
fn patches_are_judged_right() {
    let versions = versions();
    for Judged { patch, verdict } in PATCHES {
        for techniques in [
            Techniques::default(),
            Techniques { sharing: false, ..Techniques::default() },
            Techniques { cancelling: false, ..Techniques::default() },
            Techniques { induction: false, ..Techniques::default() },
        ] {
            let comparison = compared(&versions, patch, techniques);
            let found = (comparison.verdict, &comparison.unsupported, comparison.stopped);
            assert_eq!(comparison.verdict, *verdict, "{} with {techniques:?}: {found:?}", patch.name);
        }
    }
}

#[test]
fn common_code_is_run_once() {
    let versions = versions();
    let patches = PATCHES.iter().map(|judged| &judged.patch);
    let patch = patches.into_iter().find(|patch| patch.name == "mended_behind_common_code").unwrap();
    let with = compared(&versions, patch, Techniques::default());
    let without = compared(&versions, patch, Techniques { sharing: false, ..Techniques::default() });
    assert_eq!((with.old_paths, with.pairs), (without.old_paths, without.pairs));
    assert!(with.common == 2 && with.taken_over == 1, "{} {}", with.common, with.taken_over);
    assert!(with.instructions * 3 < without.instructions * 2, "{} {}", with.instructions, without.instructions);
    assert_eq!((without.common, without.taken_over), (0, 0));
}

fn versions() -> [TempDir; 2] {
    let patches: Vec<Patch<'_>> = PATCHES.iter().map(|judged| judged.patch).collect();
    [0, 1].map(|version| compiled(&patches, version))
}

fn compared(versions: &[TempDir; 2], patch: &Patch<'_>, techniques: Techniques) -> ComparisonResult {
    let limits = PathLimits { array_length: 1, object_depth: 2, ..PathLimits::default() };
    crate::support::compared(versions, patch, &limits, techniques)
}
