//! Tests with damaged class files: they never cause a panic, and a class that can be written reads
//! back equal.

use crate::support::compile;
use crate::support::mutation::{Random, mutant};
use lapidary_classfile::Class;

const MUTANTS_PER_CLASS: u64 = 400;

#[test]
fn damaged_classes_are_errors_or_survive() {
    let compiled = compile("shapes", &["-g", "-parameters"]);
    let (mut readable, mut refused) = (0, 0);
    for (number, (path, bytes)) in compiled.classes().into_iter().enumerate() {
        for seed in 0..MUTANTS_PER_CLASS {
            let mutant = mutant(&bytes, &mut Random::new(seed + 100_000 * number as u64));
            let Ok(class) = Class::read(&mutant) else {
                refused += 1;
                continue;
            };
            readable += 1;
            if let Ok(written) = class.write() {
                assert_eq!(Class::read(&written).as_ref(), Ok(&class), "{} seed {seed}", path.display());
            }
        }
    }
    assert!(
        readable > 500 && refused > 500,
        "{readable} readable, {refused} refused: the damage is too light or too heavy"
    );
}

#[test]
fn every_truncation_is_an_error() {
    let compiled = compile("module", &[]);
    for (path, bytes) in compiled.classes() {
        for length in 0..bytes.len() {
            assert!(Class::read(&bytes[..length]).is_err(), "{} cut to {length}", path.display());
        }
    }
}
