//! Random solutions, to check a model against the world.

use crate::{Reasoner, Remover, Sacrifice, Var, VarSet, VariableOrder};

/// A random solution; the same for the same formula and seed. It is grown from random variables, or cut out of the full
/// set by random removals, or both, each time of few variables or of many: so sizes are spread out.
pub fn random_solution(reasoner: &Reasoner, seed: u64) -> VarSet {
    let mut random = Random { state: seed };
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

/// The minimal solution, by a random order, that contains some random variables.
fn grown(reasoner: &Reasoner, random: &mut Random) -> VarSet {
    let mut vars: Vec<_> = (0..reasoner.cnf().variables()).map(Var::new).collect();
    let wanted = random.shuffled_part(&mut vars).to_vec();
    random.shuffle(&mut vars);
    let shuffled = Reasoner::with_order(reasoner.cnf(), VariableOrder::from_sequence(vars));
    shuffled.minimal_solution(&VarSet::full(reasoner.cnf().variables()), &wanted)
}

/// `start` without some random variables and what must go with them.
fn cut(reasoner: &Reasoner, start: VarSet, random: &mut Random) -> VarSet {
    let mut vars: Vec<_> = start.iter().collect();
    let unwanted = random.shuffled_part(&mut vars).to_vec();
    let mut remover = Remover::new(reasoner, start);
    for var in unwanted {
        let sacrifice = if random.below(2) == 0 { Sacrifice::First } else { Sacrifice::Last };
        if let Some(gone) = remover.consequences(&[var], sacrifice) {
            remover.commit(&gone);
        }
    }
    remover.current().clone()
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random {
    state: u64,
}

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is at least 1.
    fn below(&mut self, bound: usize) -> usize {
        let scaled = u128::from(self.next()) * bound as u128;
        usize::try_from(scaled >> 64).expect("the quotient is below the bound")
    }

    fn shuffle(&mut self, vars: &mut [Var]) {
        for last in (1..vars.len()).rev() {
            let other = self.below(last + 1);
            vars.swap(last, other);
        }
    }

    /// A random part of `vars`, whose size is of a random order of magnitude.
    fn shuffled_part<'a>(&mut self, vars: &'a mut [Var]) -> &'a [Var] {
        self.shuffle(vars);
        let magnitude = usize::BITS - vars.len().leading_zeros();
        let bound = 1usize << self.below(magnitude as usize + 1);
        let size = self.below(bound.min(vars.len()) + 1);
        &vars[..size]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cnf;
    use std::collections::BTreeSet;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    /// A binary tree of items inside items, with a choice here and there.
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
