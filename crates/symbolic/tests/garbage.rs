//! No class file makes the machine panic. Damaged ones run until they end, throw, or need something
//! that is missing.

#[path = "../../classfile/tests/support/mutation.rs"]
mod mutation;
use crate::support;

use lapidary_symbolic::{Ending, Machine, State};
use mutation::{Random, mutant};
use support::Program;

/// How many class files are badly damaged, and in how many only a byte or two differ, so that most
/// can still be read.
const MUTANTS: u64 = 150;
const NUDGED: u64 = 200;

/// Damaged code may loop forever.
const INSTRUCTIONS: u64 = 3_000;

/// Runs every static method with symbols for its parameters. Returns how many there were.
fn run_all(machine: &mut Machine) -> usize {
    let Ok(class) = machine.world.class_named("Damaged") else { return 0 };
    let hierarchy = machine.world.hierarchy.clone();
    let methods: Vec<_> = hierarchy.declared_methods(class.id).map(|id| machine.world.method(id)).collect();
    let mut count = 0;
    for method in methods.into_iter().filter(|method| method.is_static()) {
        let Ok(entry) = (if method.type_.parameters.is_empty() { Ok(method) } else { machine.entry(&method) }) else {
            continue;
        };
        let mut state = State::new();
        machine.start(&mut state, &entry, &[]);
        if let Some(Ending::Threw(exception)) = machine.run(&mut state, INSTRUCTIONS) {
            machine.message_of(&state, exception);
        }
        machine.forked.clear();
        count += 1;
    }
    count
}

fn nudged(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(2) {
        let at = random.below(bytes.len());
        bytes[at] = random.below(256) as u8;
    }
    bytes
}

#[test]
fn damaged_classes_never_panic() {
    let program = Program::compiled("Damaged");
    let file = program.path().join("Damaged.class");
    let original = std::fs::read(&file).unwrap();
    assert_eq!(run_all(&mut program.machine()), 8, "six methods, the body of a lambda, the initialiser of the class");
    let mut ran = 0;
    for seed in 0..MUTANTS + NUDGED {
        let mut random = Random::new(seed);
        let damaged = if seed < MUTANTS { mutant(&original, &mut random) } else { nudged(&original, &mut random) };
        std::fs::write(&file, damaged).unwrap();
        ran += usize::from(run_all(&mut program.machine()) > 0);
    }
    assert!(ran > 100, "only {ran} mutants could be read at all");
}
