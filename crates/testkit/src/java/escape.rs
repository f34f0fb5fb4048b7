//! Ways in which the behaviour of a method escapes a call: the call does nothing but keep what is
//! needed to run the method later. Its caller, or a later call, then runs it.

use super::syntax::{Program, Type};
use super::templates::type_name;

/// One such way: members of a class whose method `go` makes the entry method run later.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Route {
    pub name: &'static str,
    /// The place that a truthful answer about two versions has to mention.
    pub names: Escape,
    /// `$P` stands for parameters, `$A` for arguments, `$F` for fields that hold them, `$S` for
    /// assignments of them, `@` for the class itself. `later($A)` runs the entry method.
    members: &'static str,
}

/// Where the behaviour goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Escape {
    /// Into an object that the call hands out.
    Object,
    /// Into state that a later call reads.
    State,
}

impl Escape {
    /// Whether a restriction of a comparison mentions it.
    pub fn is_named_in(self, restriction: &str) -> bool {
        match self {
            Escape::Object => restriction.starts_with("later calls of "),
            Escape::State => {
                restriction.ends_with(" only with its initial value") || restriction.starts_with("what is left in ")
            }
        }
    }
}

const fn object(name: &'static str, members: &'static str) -> Route {
    Route { name, names: Escape::Object, members }
}

const fn state(name: &'static str, members: &'static str) -> Route {
    Route { name, names: Escape::State, members }
}

pub const ROUTES: [Route; 27] = [
    object("lambda", "static Supplier<Object> go($P) { return () -> later($A); }"),
    object("lambda in an array", "static Object[] go($P) { return new Supplier[] { () -> later($A) }; }"),
    object("lambda in a list", "static List<Runnable> go($P) { return List.of(() -> later($A)); }"),
    object(
        "lambda in a map",
        "static Map<String, Runnable> go($P) {
            Map<String, Runnable> all = new HashMap<>(); all.put(\"later\", () -> later($A)); return all; }",
    ),
    object("lambda in an Optional", "static Optional<Runnable> go($P) { return Optional.of(() -> later($A)); }"),
    object(
        "lambda in an argument",
        "static class Box { Runnable kept; }
        static void go(Box box$,P) { box.kept = () -> later($A); }",
    ),
    object("lambda in an argument's list", "static void go(List<Runnable> kept$,P) { kept.add(() -> later($A)); }"),
    object("lambda in a static field", "static Runnable kept; static void go($P) { kept = () -> later($A); }"),
    object(
        "lambda in a static list",
        "static final List<Runnable> KEPT = new ArrayList<>(); static void go($P) { KEPT.add(() -> later($A)); }",
    ),
    object("lambda in a field", "Runnable kept; void go($P) { kept = () -> later($A); }"),
    object(
        "method reference",
        "$F @($P) { $S } Object all() { return later($A); }
        static Supplier<Object> go($P) { return new @($A)::all; }",
    ),
    object(
        "method of an object",
        "static class Kept { $F Kept($P) { $S } Object all() { return later($A); } }
        static Kept go($P) { return new Kept($A); }",
    ),
    object(
        "inherited method",
        "static class Above { $F Object all() { return later($A); } }
        static class Kept extends Above { Kept($P) { $S } }
        static Above go($P) { return new Kept($A); }",
    ),
    object(
        "default method",
        "interface Kept { Object all(); default Object twice() { all(); return all(); } }
        static Kept go($P) { return () -> later($A); }",
    ),
    object(
        "inner class",
        "$F class Kept { Object all() { return later($A); } }
        static Kept go($P) { @ made = new @(); made.set($A); return made.new Kept(); }
        void set($P) { $S }",
    ),
    object(
        "iterator",
        "static Iterator<Object> go($P) { return new Iterator<>() {
            public boolean hasNext() { return true; }
            public Object next() { return later($A); } }; }",
    ),
    object(
        "toString",
        "static class Kept { $F Kept($P) { $S } public String toString() { return \"\" + later($A); } }
        static Object go($P) { return new Kept($A); }",
    ),
    object(
        "equals",
        "static class Kept { $F Kept($P) { $S } public boolean equals(Object other) { return other == later($A); }
            public int hashCode() { return 1; } }
        static Object go($P) { return new Kept($A); }",
    ),
    object(
        "exception",
        "static class Kept extends RuntimeException { $F Kept($P) { $S } Object all() { return later($A); } }
        static void go($P) { throw new Kept($A); }",
    ),
    object("comparator", "static Comparator<String> go($P) { return (one, other) -> later($A) == one ? 1 : 0; }"),
    state(
        "second call",
        "static boolean called; static Object go($P) { if (called) { return later($A); } called = true; return null; }",
    ),
    state(
        "count in an array",
        "static final int[] CALLS = new int[1]; static Object go($P) { return CALLS[0]++ > 2 ? later($A) : null; }",
    ),
    state(
        "static list",
        "private static final List<String> CALLS = new ArrayList<>();
        static Object go($P) { CALLS.add(\"\"); return CALLS.size() > 2 ? later($A) : null; }",
    ),
    state(
        "static map",
        "private static final Map<String, Integer> CALLS = new HashMap<>();
        static Object go($P) { return CALLS.merge(\"\", 1, Integer::sum) > 2 ? later($A) : null; }",
    ),
    state(
        "field of an enum",
        "enum Kept { ONE; boolean called; }
        static Object go($P) { if (Kept.ONE.called) { return later($A); } Kept.ONE.called = true; return null; }",
    ),
    state(
        "static field of another class",
        "static class Count { private static int calls; static int next() { return calls++; } }
        static Object go($P) { return Count.next() > 2 ? later($A) : null; }",
    ),
    state(
        "static object",
        "static class Count { int calls; }
        static final Count COUNT = new Count();
        static Object go($P) { return COUNT.calls++ > 2 ? later($A) : null; }",
    ),
];

/// The class of the method `go` for a program that has a route.
pub fn class_of(program: &Program) -> String {
    format!("{}Escape", program.name)
}

/// The source of that class.
pub fn printed(program: &Program, route: &Route) -> String {
    let receiver = (!program.is_static).then(|| (program.name.clone(), "self".to_owned()));
    let parameters = program.entry.parameters.iter().enumerate();
    let parameters = parameters.map(|(place, local)| (type_name(&program.name, local.type_), format!("given{place}")));
    let all: Vec<(String, String)> = receiver.into_iter().chain(parameters).collect();
    let joined = |each: &dyn Fn(&(String, String)) -> String, between: &str| -> String {
        all.iter().map(each).collect::<Vec<_>>().join(between)
    };
    let declared = joined(&|(type_, name)| format!("{type_} {name}"), ", ");
    let names = joined(&|(_, name)| name.clone(), ", ");
    let more = if all.is_empty() { String::new() } else { format!(", {declared}") };
    let members = route.members.replace("$,P", &more).replace("$P", &declared).replace("$A", &names);
    let members = members.replace("$F", &joined(&|(type_, name)| format!("{type_} {name};"), " "));
    let members = members.replace("$S", &joined(&|(_, name)| format!("this.{name} = {name};"), " "));
    let class = class_of(program);
    let (owner, passed) = match program.is_static {
        true => (program.name.as_str(), names.as_str()),
        false => ("self", names.split_once(", ").map_or("", |(_, rest)| rest)),
    };
    let run = match program.entry.returns {
        Type::Void => format!("{owner}.run({passed}); return null;"),
        _ => format!("return {owner}.run({passed});"),
    };
    format!(
        "
class {class} {{
    static Object later({declared}) {{ {run} }}
    {}
}}
",
        members.replace('@', &class)
    )
}
