//! Tests of theorem 3.1 and its converse for random programs.
//!
//! The paper leaves open whether the constraint is exact. For canonical assignments (see
//! `support::canonical`) it is, as far as random programs can tell: an assignment is a solution if
//! and only if its program type checks. Two choices in the rules matter for "only if": a class that
//! reaches an interface along several paths requires only one of them, and built-in types require
//! nothing. Assignments that are not canonical are not solutions (children require their parents),
//! yet make the same program as a canonical one, which may type check.

use crate::support;

use lapidary_common::Random;
use lapidary_fji::{FjiModel, syntax::Program};
use lapidary_fji::{Numbering, parse, print, reduce, type_check};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::Model;
use proptest::prelude::*;
use support::{Choices, canonical, generate, programs};

/// Programs with at most this many variables are checked for all their assignments.
const ENUMERABLE: usize = 10;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonical_assignments_are_solutions_exactly_if_their_programs_type_check(
        program in programs(),
        seed in any::<u64>(),
    ) {
        let (numbering, constraint) = type_check(&program).unwrap();
        for keep in assignments(&numbering, &constraint, seed) {
            let reduced = reduce(&program, &numbering, &keep);
            let outcome = type_check(&reduced).map(|_| ());
            if constraint.is_satisfied_by(&keep) {
                prop_assert_eq!(outcome, Ok(()), "{}\nreduced to\n{}", program, reduced);
                prop_assert_eq!(canonical(&numbering, &keep), keep);
            } else if canonical(&numbering, &keep) == keep {
                prop_assert!(outcome.is_err(), "{program}\nreduced to\n{reduced}\nis no solution, but type checks");
            }
        }
    }

    #[test]
    fn candidates_read_again_are_the_reduced_programs(program in programs(), seed in any::<u64>()) {
        let source = print(&program);
        let model = FjiModel::parse("random.fji", &source).unwrap();
        prop_assert_eq!(model.text(&VarSet::full(model.items().len())), source.as_str());
        for keep in assignments(model.numbering(), model.constraint(), seed).into_iter().take(50) {
            let text = model.text(&keep);
            prop_assert_eq!(parse(&text).unwrap(), reduce(&program, model.numbering(), &keep), "{}", text);
        }
    }
}

/// The number of occurrences of each case of the theorem and its converse in a fixed sample of
/// programs. The numbers show that the properties above are not vacuous; they change when the
/// generator does.
#[test]
fn the_sample_has_all_kinds_of_assignments() {
    let mut random = Random::new(2021);
    let mut counts = [[0_u32; 2]; 3];
    for _ in 0..200 {
        let program = generate(&mut Choices::new((0..200).map(|_| random.next() as u32).collect()));
        count_cases(&program, random.next(), &mut counts);
    }
    let [solutions, canonical, other] = counts;
    println!("[not type-correct, type-correct]: solutions {solutions:?}, canonical {canonical:?}, other {other:?}");
    assert_eq!((solutions[0], canonical[1]), (0, 0));
    assert!(solutions[1] > 1_000 && canonical[0] > 1_000 && other[0] > 1_000 && other[1] > 1_000, "{counts:?}");
}

fn count_cases(program: &Program, seed: u64, counts: &mut [[u32; 2]; 3]) {
    let (numbering, constraint) = type_check(program).unwrap();
    for keep in assignments(&numbering, &constraint, seed) {
        let kind = match constraint.is_satisfied_by(&keep) {
            true => 0,
            false if canonical(&numbering, &keep) == keep => 1,
            false => 2,
        };
        let type_checks = type_check(&reduce(program, &numbering, &keep)).is_ok();
        counts[kind][usize::from(type_checks)] += 1;
    }
}

/// All assignments of a small program; for a larger one, random assignments, their canonical ones,
/// and solutions near them.
fn assignments(numbering: &Numbering, constraint: &Cnf, seed: u64) -> Vec<VarSet> {
    let variables = constraint.variables();
    if variables <= ENUMERABLE {
        let all = (0_u32..1 << variables).map(|bits| (0..variables).filter(move |index| bits >> index & 1 == 1));
        return all.map(|indices| VarSet::of(variables, indices.map(Var::new))).collect();
    }
    let mut random = Random::new(seed);
    let mut result = Vec::new();
    for _ in 0..40 {
        let share = 1 + random.next() % 15;
        let chosen: Vec<_> = (0..variables).filter(|_| random.next() % 16 < share).map(Var::new).collect();
        let keep = VarSet::of(variables, chosen);
        result.push(canonical(numbering, &keep));
        result.push(grown(constraint, keep.clone(), &mut random));
        result.extend(shrunk(constraint, keep.clone(), &mut random));
        let mut broken = grown(constraint, keep.clone(), &mut random);
        broken.remove(Var::new(random.next() as usize % variables));
        result.push(canonical(numbering, &broken));
        result.push(broken);
        result.push(keep);
    }
    result
}

/// A solution that contains `keep`: conclusions of violated clauses are added.
fn grown(constraint: &Cnf, mut keep: VarSet, random: &mut Random) -> VarSet {
    while let Some(clause) = constraint.first_violated(&keep) {
        keep.insert(clause.conclusions[random.next() as usize % clause.conclusions.len()]);
    }
    keep
}

/// A solution inside `keep`: premises of violated clauses are removed.
fn shrunk(constraint: &Cnf, mut keep: VarSet, random: &mut Random) -> Option<VarSet> {
    while let Some(clause) = constraint.first_violated(&keep) {
        if clause.premises.is_empty() {
            return None;
        }
        keep.remove(clause.premises[random.next() as usize % clause.premises.len()]);
    }
    Some(keep)
}
