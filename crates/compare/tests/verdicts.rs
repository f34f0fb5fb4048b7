//! Small patches with known verdicts, each with and without the techniques that make comparing cheaper.
//!
//! In the sources `«old|new»` stands for what the old version has and what the new one has in its place. Each patch is a package of its own,
//! and `T.f` is compared.

use lapidary_compare::{
    Budget, Changes, Comparison, Confirmed, Rules, Spec, Techniques, Tolerance, Verdict, Version, Versions, compare,
};
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{Limits, Machine, MathFunctions, search};
use lapidary_terms::Config;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

struct Patch {
    name: &'static str,
    source: &'static str,
    /// Empty: the one that the difference suggests.
    spec: &'static str,
    merges: bool,
    verdict: Verdict,
}

const fn patch(name: &'static str, verdict: Verdict, source: &'static str) -> Patch {
    Patch { name, source, spec: "", merges: false, verdict }
}

const fn with_spec(name: &'static str, verdict: Verdict, spec: &'static str, source: &'static str) -> Patch {
    Patch { name, source, spec, merges: false, verdict }
}

const PATCHES: &[Patch] = &[
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
        Verdict::SameUpToTheBound,
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
        Verdict::SameUpToTheBound,
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
        Verdict::SameUpToTheBound,
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
        Verdict::SameUpToTheBound,
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
    Patch {
        merges: true,
        ..with_spec(
            "overflow_on_one_way",
            Verdict::Different,
            "numbers = \"no-overflow\"",
            "class T {
                 static int f(int x, int z) {
                     int y = 0, m = 2147483647;
                     if (x == 5) { y = m + 1; }
                     return z == «7|8» ? 1 : 2;
                 }
             }",
        )
    },
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
    let versions = [0, 1].map(compiled);
    for patch in PATCHES {
        for techniques in [
            Techniques::default(),
            Techniques { sharing: false, ..Techniques::default() },
            Techniques { cancelling: false, ..Techniques::default() },
            Techniques { induction: false, ..Techniques::default() },
        ] {
            let comparison = compared(&versions, patch, techniques);
            let found = (comparison.verdict, &comparison.unsupported, comparison.stopped);
            assert_eq!(comparison.verdict, patch.verdict, "{} with {techniques:?}: {found:?}", patch.name);
        }
    }
}

#[test]
fn what_versions_have_in_common_is_run_once() {
    let versions = [0, 1].map(compiled);
    let patch = PATCHES.iter().find(|patch| patch.name == "mended_behind_common_code").unwrap();
    let with = compared(&versions, patch, Techniques::default());
    let without = compared(&versions, patch, Techniques { sharing: false, ..Techniques::default() });
    assert_eq!((with.old_paths, with.pairs), (without.old_paths, without.pairs));
    assert!(with.common == 2 && with.taken_over == 1, "{} {}", with.common, with.taken_over);
    assert!(with.instructions * 3 < without.instructions * 2, "{} {}", with.instructions, without.instructions);
    assert_eq!((without.common, without.taken_over), (0, 0));
}

/// All patches of one version, compiled.
fn compiled(version: usize) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for patch in PATCHES {
        let file = directory.path().join(format!("{}.java", patch.name));
        std::fs::write(&file, format!("package {};\n{}", patch.name, of_version(patch.source, version))).unwrap();
        files.push(file);
    }
    let javac = Command::new("javac").args(["-g", "-nowarn", "-d"]).arg(directory.path()).args(files).output();
    let javac = javac.expect("javac is installed");
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    directory
}

fn of_version(source: &str, version: usize) -> String {
    let mut parts = source.split(['«', '»']);
    let mut text = String::new();
    while let Some(common) = parts.next() {
        text.push_str(common);
        let chosen = parts.next().and_then(|both| both.splitn(2, '|').nth(version));
        text.push_str(chosen.unwrap_or_default());
    }
    text
}

fn compared(directories: &[TempDir; 2], patch: &Patch, techniques: Techniques) -> Comparison {
    let class_paths = [0, 1].map(|version| class_path(directories[version].path()));
    let changes = Changes::between(&class_paths[0], &class_paths[1]);
    let spec = if patch.spec.is_empty() { Spec::of_changes(&changes) } else { Spec::read(patch.spec).unwrap() };
    let [old, new] = class_paths;
    let limits = || Limits { array_length: 1, object_depth: 2, ..Limits::default() };
    let old = Machine::new(Arc::new(Hierarchy::new([], old)), solver(), limits());
    let hierarchy = Arc::new(old.world.hierarchy.beside(new));
    let new = old.beside(hierarchy, solver(), limits());
    let version = |machine| version(machine, patch, &spec, &changes);
    let mut versions = Versions::new(version(old), version(new));
    let mut search = search::named("fair", 1).unwrap();
    let budget = Budget { time: Duration::from_secs(20), techniques, ..Budget::default() };
    compare(&mut versions, &spec, &mut *search, &budget, &mut |_| Confirmed::Yes)
}

fn class_path(classes: &Path) -> Arc<ClassPath> {
    let platform = Platform::installed().expect("a JDK is installed");
    Arc::new(ClassPath::open(&[classes.to_owned()], Some(platform)).unwrap())
}

fn solver() -> Box<lapidary_terms::Chain> {
    let config = Config { functions: Arc::new(MathFunctions), ..Config::default() };
    Box::new(config.build().expect("libz3 is installed"))
}

fn version(mut machine: Machine, patch: &Patch, spec: &Spec, changes: &Changes) -> Version {
    machine.merging.is_on = patch.merges;
    machine.notes_overflow = spec.numbers == Tolerance::NoOverflow;
    machine.partition = Some(Rc::new(Rules::new(spec.clone(), changes.clone(), Default::default())));
    let class = machine.world.class_named(&format!("{}/T", patch.name)).unwrap();
    let hierarchy = machine.world.hierarchy.clone();
    let found = hierarchy.declared_methods(class.id).find(|id| hierarchy.method(*id).name == "f");
    let method = machine.world.method(found.expect("T.f"));
    let entry = machine.entry(&method).unwrap();
    Version { machine, entry }
}
