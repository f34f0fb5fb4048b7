//! Questions of a program about its surroundings are named, and nothing else is.

use crate::support;

use lapidary_symbolic::{ExplorationBudget, State, explore, search};
use support::Program;

/// A method of `Surroundings.java`, and what it asks for.
const ASKED: &[(&str, &[&str])] = &[
    ("integer", &["java.lang.System.getProperty"]),
    ("flag", &["java.lang.System.getProperty"]),
    ("language", &["java.util.Locale.getDefault"]),
    ("upper", &["java.util.Locale.getDefault"]),
    ("upperIn", &[]),
    ("number", &["java.util.Locale.getDefault"]),
    ("numberIn", &[]),
    ("text", &[]),
    ("printed", &["java.util.Locale.getDefault"]),
    ("printedText", &[]),
    ("bytes", &["java.nio.charset.Charset.defaultCharset"]),
    ("bytesIn", &[]),
    ("thread", &["java.lang.Thread.getName"]),
    ("threadNumber", &["java.lang.Thread.getId"]),
    ("random", &["java.lang.System.nanoTime"]),
    ("seeded", &[]),
    ("hash", &["java.lang.Object.hashCode"]),
    ("identity", &["java.lang.System.identityHashCode"]),
    ("objectText", &["java.lang.Object.hashCode"]),
    ("concatenated", &["java.lang.Object.hashCode"]),
    ("sorted", &[]),
    ("lookup", &[]),
    ("order", &["java.lang.Object.hashCode"]),
    ("texts", &[]),
    ("insertion", &[]),
    ("salted", &["java.lang.System.nanoTime"]),
    ("contained", &[]),
    ("logarithm", &["java.lang.Math.log10"]),
    ("square", &[]),
    ("asserted", &["the setting of assertions (on)"]),
    ("unasserted", &[]),
    ("plain", &[]),
];

#[test]
fn questions_about_the_surroundings_are_named() {
    let program = Program::compiled("Surroundings");
    let mut wrong = String::new();
    for (method, expected) in ASKED {
        let mut machine = program.machine();
        let target = program.method(&mut machine, method);
        let entry = machine.entry(&target).unwrap();
        let mut state = State::new();
        machine.start(&mut state, &entry, &[]);
        let mut search = search::named("depth", 1).unwrap();
        let budget = ExplorationBudget { paths: 4, ..ExplorationBudget::default() };
        explore(&mut machine, state, &mut *search, &budget, &mut |_| {});
        if !machine.surroundings.iter().eq(expected.iter()) {
            wrong += &format!("\n{method}: {:?} and not {expected:?}", machine.surroundings);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
