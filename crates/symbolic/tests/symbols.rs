//! Methods on all inputs: which paths exist, and whether the inputs take them.

use crate::support;

use lapidary_symbolic::{ExplorationBudget, Input, Number, Outcome, PathEnd, ReturnValue, State, explore, search};
use std::collections::BTreeSet;
use support::Program;

fn paths(method: &str) -> Vec<PathEnd> {
    let (paths, explored) = Program::compiled("Symbols").explored(method);
    assert!(explored.exhausted, "{explored:?}");
    paths
}

fn integers(path: &PathEnd) -> Vec<i64> {
    let integer = |input: &Input<Number>| match input {
        Input::Number(_, Number::Integer(number)) => *number,
        other => panic!("{other}"),
    };
    path.inputs.iter().map(integer).collect()
}

fn returned(path: &PathEnd) -> i64 {
    match &path.outcome {
        Outcome::Returned(Some(ReturnValue::Number(Number::Integer(number)))) => *number,
        other => panic!("{other:?}"),
    }
}

fn thrown(path: &PathEnd) -> Option<&str> {
    match &path.outcome {
        Outcome::Threw { class, .. } => Some(class),
        _ => None,
    }
}

#[test]
fn every_kind_of_triangle_is_found() {
    let kind = |path: &PathEnd| {
        let [a, b, c] = integers(path)[..] else { panic!("three sides") };
        match (a.min(b).min(c) > 0, a == b && b == c, a == b || b == c || a == c) {
            (false, ..) => -1,
            (_, true, _) => 3,
            (.., true) => 2,
            _ => 1,
        }
    };
    let paths = paths("tri");
    paths.iter().for_each(|path| assert_eq!(returned(path), kind(path)));
    assert_eq!(paths.iter().map(returned).collect::<BTreeSet<_>>(), BTreeSet::from([-1, 1, 2, 3]));
}

#[test]
fn a_division_throws_for_zero_only() {
    for path in paths("div") {
        let divisor = integers(&path)[1];
        assert_eq!(thrown(&path), (divisor == 0).then_some("java.lang.ArithmeticException"));
    }
}

#[test]
fn an_assertion_that_one_sum_breaks() {
    let failing: Vec<PathEnd> =
        paths("sum").into_iter().filter(|path| thrown(path) == Some("java.lang.AssertionError")).collect();
    assert_eq!(failing.len(), 3, "arrays of one, two and three numbers");
    for path in failing {
        let [Input::Array(_, numbers)] = &path.inputs[..] else { panic!("an array") };
        let number = |input: &Input<Number>| {
            if let Input::Number(_, Number::Integer(number)) = input { *number as i32 } else { 0 }
        };
        assert_eq!(numbers.iter().map(number).fold(0, i32::wrapping_add), 1_234_567);
    }
}

#[test]
fn the_texts_of_a_switch_are_found_through_their_hash_codes() {
    let found: BTreeSet<String> = paths("hash")
        .iter()
        .filter(|path| thrown(path).is_none() && returned(path) != 3)
        .map(|path| path.inputs[0].to_string())
        .collect();
    assert_eq!(found, BTreeSet::from(["\"ab\"".to_owned(), "\"cd\"".to_owned()]));
}

#[test]
fn keys_of_a_map_of_the_library_are_found() {
    let found: BTreeSet<i64> =
        paths("map").iter().filter(|path| returned(path) == 1).map(|path| integers(path)[0]).collect();
    assert_eq!(found, BTreeSet::from([1, 17]));
}

#[test]
fn bits_of_floats_survive() {
    assert_eq!(paths("raw").iter().map(returned).collect::<Vec<_>>(), [1]);
}

/// A length with few values forks over them, however large they are; one with many values is cut at
/// the bound.
#[test]
fn lengths_of_new_arrays() {
    assert_eq!(paths("few").iter().map(returned).collect::<BTreeSet<_>>(), BTreeSet::from([0, 20, 21, 22]));
    let (paths, explored) = Program::compiled("Symbols").explored("many");
    assert!(!explored.exhausted);
    assert!(
        paths.iter().any(|path| path.outcome.to_string().contains("more than 3 elements, whose length is an input"))
    );
}

#[test]
fn memory_is_limited_before_it_is_allocated() {
    let (paths, _) = Program::compiled("Symbols").explored("nested");
    assert!(paths[0].outcome.to_string().contains("elements in the arrays of one path"), "{paths:?}");
    let program = Program::compiled("Choices");
    let mut machine = program.machine();
    let method = program.method(&mut machine, "huge");
    let entry = machine.entry(&method).unwrap();
    let mut state = State::new();
    machine.start(&mut state, &entry, &[]);
    let mut chosen = BTreeSet::new();
    let mut search = search::named("breadth", 1).unwrap();
    let budget = ExplorationBudget { paths: 50, ..ExplorationBudget::default() };
    let explored = explore(&mut machine, state, &mut *search, &budget, &mut |path| {
        chosen.insert(returned(path));
    });
    assert_eq!(chosen, (0..50).collect());
    assert!(explored.most_waiting < 10, "{explored:?}");
}

#[test]
fn sorting_forks_over_the_order_of_the_elements() {
    let paths = paths("sortit");
    assert!(paths.iter().any(|path| thrown(path).is_none() && returned(path) == 1));
    assert_eq!(paths.iter().filter(|path| thrown(path).is_some()).count(), 1, "null");
}

#[test]
fn all_kinds_of_numbers_together() {
    let paths = paths("mix");
    let failing: Vec<&PathEnd> =
        paths.iter().filter(|path| thrown(path) == Some("java.lang.IllegalStateException")).collect();
    assert!(!failing.is_empty());
    for path in failing {
        let [a, shift, byte, character, flag] = integers(path)[..] else { panic!("five numbers") };
        let mut mixed = a.wrapping_shl(shift as u32);
        mixed ^= if flag == 1 { byte } else { 0 };
        mixed = mixed.wrapping_add((character == 'x' as i64).into());
        assert_eq!(mixed, 0x12_3456_7890);
    }
}

#[test]
fn boxes_of_small_numbers_are_one_object() {
    let paths = paths("boxes");
    assert_eq!(paths.iter().map(returned).collect::<BTreeSet<_>>(), BTreeSet::from([1, 2, 3]));
    for path in &paths {
        let [a, b] = integers(path)[..] else { panic!("two numbers") };
        let is_small = (-128..128).contains(&a);
        assert_eq!(
            returned(path),
            if a != b {
                3
            } else if is_small {
                1
            } else {
                2
            }
        );
    }
    assert!(paths.len() <= 4, "one for each result, and not one for each number: {}", paths.len());
}

#[test]
fn inputs_can_be_any_nan() {
    let bits = |path: &PathEnd| match path.inputs[..] {
        [Input::Number(_, Number::Float(x)), Input::Number(_, Number::Double(y))] => (x.to_bits(), y.to_bits()),
        _ => panic!("{:?}", path.inputs),
    };
    let paths = paths("nan");
    for path in &paths {
        let (x, y) = bits(path);
        let expected = match (x, y) {
            (0x7fc0_0001, _) => 1,
            (_, u64::MAX) => 2,
            (x, _) if f32::from_bits(x).is_nan() => 3,
            _ => 4,
        };
        assert_eq!(returned(path), expected, "{x:x} {y:x}");
    }
    assert_eq!(paths.iter().map(returned).collect::<BTreeSet<_>>(), BTreeSet::from([1, 2, 3, 4]));
}
