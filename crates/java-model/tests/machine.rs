//! Tests that nothing invalid is produced: for every fixture, a real JVM loads, verifies and
//! resolves random solutions of every model.

use crate::support;

use support::{FIXTURES, ask_jvm, fixture, models, samples};

/// The number of candidates for each model.
const SAMPLES: u64 = 200;

#[test]
fn the_fixtures_themselves_are_clean() {
    let trees: Vec<_> = FIXTURES.iter().map(|name| fixture(name)).collect();
    for (name, answer) in FIXTURES.iter().zip(ask_jvm(&trees)) {
        assert!(answer.is_clean(), "{name}: {}", answer.text);
    }
}

/// One test for each fixture, so that a failure names it.
macro_rules! machine_accepts {
    ($($fixture:ident),*) => {
        $(#[test]
        fn $fixture() {
            accepts_all_samples(stringify!($fixture));
        })*

        #[test]
        fn no_fixture_is_left_out() {
            assert_eq!([$(stringify!($fixture)),*], FIXTURES);
        }
    };
}

machine_accepts!(
    annotations,
    arrays,
    bridges,
    constants,
    defaults,
    enums,
    fields,
    generics,
    handlers,
    lambdas,
    nested,
    records,
    sealing,
    shapes,
    switches,
    varargs
);

fn accepts_all_samples(name: &str) {
    let tree = fixture(name);
    let mut named = Vec::new();
    for (kind, model) in models(&tree) {
        let samples = samples(&*model, SAMPLES).into_iter().enumerate();
        named.extend(samples.map(|(seed, sample)| (format!("{name} as {kind}, {seed}"), sample)));
    }
    let (contexts, candidates): (Vec<_>, Vec<_>) = named.into_iter().unzip();
    let answers = contexts.iter().zip(ask_jvm(&candidates));
    let unclean: Vec<_> = answers.filter(|(_, answer)| !answer.is_clean()).collect();
    let words: Vec<_> = unclean.iter().take(3).map(|(context, answer)| format!("{context}: {}", answer.text)).collect();
    assert!(unclean.is_empty(), "{} of {} are rejected\n{}", unclean.len(), candidates.len(), words.join("\n"));
}
