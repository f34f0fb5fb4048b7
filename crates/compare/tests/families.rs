//! Pairs of versions whose inputs are objects, collections, arrays, enums, records and strings.
//! Equal ones must not be called different, and different ones must not be called equal. The pairs
//! are in `families/`, each after its name.

use crate::support::{Patch, compared, compiled};
use lapidary_compare::{ComparisonResult, Techniques, Verdict};
use lapidary_symbolic::PathLimits;
use std::time::Duration;

#[test]
fn equal_versions_are_not_called_different() {
    let wrong = judged(include_str!("families/equal.txt"), |comparison| comparison.verdict != Verdict::Different);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn different_versions_are_found_to_be() {
    let wrong = judged(include_str!("families/different.txt"), |comparison| comparison.verdict == Verdict::Different);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The pairs that are judged wrongly, with the verdict, with and without sharing of common code.
fn judged(text: &str, is_right: fn(&ComparisonResult) -> bool) -> Vec<String> {
    let patches: Vec<Patch<'_>> = text.split("=== ").skip(1).map(patch).collect();
    let versions = [0, 1].map(|version| compiled(&patches, version));
    let limits = PathLimits { array_length: 2, ..PathLimits::default() };
    let mut wrong = Vec::new();
    for patch in &patches {
        for sharing in [true, false] {
            let comparison = compared(&versions, patch, &limits, Techniques { sharing, ..Techniques::default() });
            if !is_right(&comparison) {
                wrong.push(format!("{}, sharing {sharing}: {}", patch.name, said(&comparison)));
            }
        }
    }
    wrong
}

fn patch(text: &str) -> Patch<'_> {
    let (name, source) = text.split_once('\n').unwrap();
    Patch { name, source, spec: "", merges: false, time: Duration::from_secs(5) }
}

fn said(comparison: &ComparisonResult) -> String {
    let input = comparison.difference.as_ref().map(|found| format!("{:?} {:?}", found.at, found.new.inputs));
    format!("{:?} {:?} {:?} {input:?}", comparison.verdict, comparison.stopped, comparison.unsupported)
}
