//! Random solutions, for checking a model against real tools.

use crate::{Reasoner, Remover, Sacrifice, Var, VarSet, VariableOrder};
use lapidary_common::Random;

/// A random solution, always the same for the same formula and seed. It is grown from random
/// variables, cut out of the full set by random removals, or both. The number of those variables is
/// of a random order of magnitude, so that sizes are spread out.
pub fn random_solution(reasoner: &Reasoner, seed: u64) -> VarSet {
    let mut random = Random::new(seed);
    let variables = reasoner.cnf().variables();
    match random.below(3) {
        0 => grown(reasoner, &mut random),
        1 => cut(reasoner, VarSet::full(variables), &mut random),
        _ => {
            let start = grown(reasoner, &mut random);
            cut(reasoner, start, &mut random)
        }
    }
}

/// The minimal solution under a random order that contains some random variables.
fn grown(reasoner: &Reasoner, random: &mut Random) -> VarSet {
    let mut vars: Vec<_> = (0..reasoner.cnf().variables()).map(Var::new).collect();
    let wanted = shuffled_part(&mut vars, random).to_vec();
    random.shuffle(&mut vars);
    let shuffled = Reasoner::with_order(reasoner.cnf(), VariableOrder::from_sequence(vars));
    shuffled.minimal_solution(&VarSet::full(reasoner.cnf().variables()), &wanted)
}

/// `start` without some random variables and everything that depends on them.
fn cut(reasoner: &Reasoner, start: VarSet, random: &mut Random) -> VarSet {
    let mut vars: Vec<_> = start.iter().collect();
    let unwanted = shuffled_part(&mut vars, random).to_vec();
    let mut remover = Remover::new(reasoner, start);
    for var in unwanted {
        let sacrifice = if random.below(2) == 0 { Sacrifice::First } else { Sacrifice::Last };
        if let Some(gone) = remover.consequences(&[var], sacrifice) {
            remover.commit(&gone);
        }
    }
    remover.current().clone()
}

/// A random part of `vars`, with a size of a random order of magnitude.
fn shuffled_part<'a>(vars: &'a mut [Var], random: &mut Random) -> &'a [Var] {
    random.shuffle(vars);
    let magnitude = usize::BITS - vars.len().leading_zeros();
    let bound = 1usize << random.below(magnitude as usize + 1);
    let size = random.below(bound.min(vars.len()) + 1);
    &vars[..size]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cnf;
    use std::collections::BTreeSet;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    /// A binary tree of items inside items, with some clauses that leave a choice.
    fn tree() -> Cnf {
        let mut cnf = Cnf::new(255);
        for child in 1..255 {
            cnf.imply(v(child), v((child - 1) / 2));
        }
        for index in (0..200).step_by(7) {
            cnf.add(&[v(index), v(index + 1)], &[v(index + 20), v(index + 40)]).unwrap();
        }
        cnf.require(v(0));
        cnf
    }

    #[test]
    fn samples_are_valid_and_of_many_sizes() {
        let cnf = tree();
        let reasoner = Reasoner::new(&cnf);
        let samples: Vec<_> = (0..200).map(|seed| random_solution(&reasoner, seed)).collect();
        assert!(samples.iter().all(|sample| cnf.is_satisfied_by(sample)));
        let within = |range: std::ops::Range<usize>| samples.iter().filter(|s| range.contains(&s.len())).count();
        for range in [0..20, 20..100, 100..200, 200..256] {
            assert!(within(range.clone()) >= 10, "{} samples have a size in {range:?}", within(range.clone()));
        }
    }

    #[test]
    fn the_seed_decides() {
        let reasoner = Reasoner::new(&tree());
        let samples: BTreeSet<_> = (0..100).map(|seed| random_solution(&reasoner, seed)).collect();
        assert_eq!(random_solution(&reasoner, 7), random_solution(&reasoner, 7));
        assert!(samples.len() >= 80, "{} of 100 differ", samples.len());
    }

    #[test]
    fn a_formula_without_variables_has_a_sample() {
        assert_eq!(random_solution(&Reasoner::new(&Cnf::new(0)), 1), VarSet::empty(0));
    }
}
