//! Removing variables from a solution, together with everything that depends on them.
//!
//! This is the opposite of growing a solution: a clause that has all its premises and has lost its
//! last conclusion must lose a premise as well, and so on. Counts per clause keep the cost
//! proportional to the clauses of the removed variables.

use crate::{Reasoner, Var, VarSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which premise to remove when a clause with several premises loses its last conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sacrifice {
    /// The premise that comes last in the variable order.
    Last,
    /// The premise that comes first in the variable order.
    First,
}

/// A solution from which variables are removed, together with everything that depends on them. The
/// cost is proportional to the clauses of the removed variables.
#[derive(Debug)]
pub struct Remover<'a> {
    reasoner: &'a Reasoner,
    current: VarSet,
    /// For each clause, how many premises are not in `current` and how many conclusions are.
    missing_premises: Vec<u32>,
    present_conclusions: Vec<u32>,
}

impl<'a> Remover<'a> {
    /// Prepares to remove variables from `current`, which must be a solution.
    pub fn new(reasoner: &'a Reasoner, current: VarSet) -> Self {
        let index = reasoner.index();
        let mut missing_premises = index.premise_counts();
        let mut present_conclusions = vec![0; index.clauses()];
        for var in current.iter() {
            index.as_premise.get(var.index()).iter().for_each(|&clause| missing_premises[clause as usize] -= 1);
            index.as_conclusion.get(var.index()).iter().for_each(|&clause| present_conclusions[clause as usize] += 1);
        }
        Remover { reasoner, current, missing_premises, present_conclusions }
    }

    /// The variables that are left.
    pub fn current(&self) -> &VarSet {
        &self.current
    }

    /// `vars` and everything that must be removed with them so that the rest is a solution; `None`
    /// if that includes a required variable. Changes nothing.
    ///
    /// Forced removals come first. Then, while there are violated clauses with several premises,
    /// the first of them in the formula loses the premise that `sacrifice` selects among those that
    /// unit propagation does not find in every solution. Variables that are not in `current` are
    /// ignored.
    pub fn consequences(&mut self, vars: &[Var], sacrifice: Sacrifice) -> Option<Vec<Var>> {
        let mut wave = Wave::default();
        let is_possible = vars.iter().all(|&var| self.drop(var, &mut wave)) && self.follow(&mut wave, sacrifice);
        for &var in &wave.gone[..wave.counted] {
            self.uncount(var);
        }
        self.current.extend(wave.gone.iter().copied());
        is_possible.then_some(wave.gone)
    }

    /// Removes the variables that `consequences` returned.
    pub fn commit(&mut self, gone: &[Var]) {
        for &var in gone {
            if self.current.remove(var) {
                self.count(var);
            }
        }
    }

    fn follow(&mut self, wave: &mut Wave, sacrifice: Sacrifice) -> bool {
        loop {
            if !self.follow_forced(wave) {
                return false;
            }
            let Some(Reverse(clause)) = wave.choices.pop() else { return true };
            if self.is_violated(clause) && !self.give_up_premise(clause, wave, sacrifice) {
                return false;
            }
        }
    }

    /// Removes everything that is forced; false if that includes a required variable.
    fn follow_forced(&mut self, wave: &mut Wave) -> bool {
        let index = self.reasoner.index();
        while let Some(&var) = wave.gone.get(wave.counted) {
            wave.counted += 1;
            self.count(var);
            for &premise in index.predecessors.get(var.index()) {
                if !self.drop(Var::new(premise as usize), wave) {
                    return false;
                }
            }
            for &clause in index.as_conclusion.get(var.index()) {
                if !self.is_violated(clause) {
                    continue;
                }
                match index.premises.get(clause as usize) {
                    [] => return false,
                    &[premise] if !self.drop(premise, wave) => return false,
                    [_] => {}
                    _ => wave.choices.push(Reverse(clause)),
                }
            }
        }
        true
    }

    fn give_up_premise(&mut self, clause: u32, wave: &mut Wave, sacrifice: Sacrifice) -> bool {
        let index = self.reasoner.index();
        let mut dispensable = index.premises.get(clause as usize).iter().filter(|&&var| !index.necessary.contains(var));
        let premise = match sacrifice {
            Sacrifice::First => dispensable.next(),
            Sacrifice::Last => dispensable.next_back(),
        };
        premise.is_some_and(|&premise| self.drop(premise, wave))
    }

    /// Marks `var` as removed; false if it is required.
    fn drop(&mut self, var: Var, wave: &mut Wave) -> bool {
        if self.current.remove(var) {
            wave.gone.push(var);
        }
        !self.reasoner.index().necessary.contains(var)
    }

    fn is_violated(&self, clause: u32) -> bool {
        self.present_conclusions[clause as usize] == 0 && self.missing_premises[clause as usize] == 0
    }

    fn count(&mut self, var: Var) {
        let index = self.reasoner.index();
        index.as_premise.get(var.index()).iter().for_each(|&clause| self.missing_premises[clause as usize] += 1);
        index.as_conclusion.get(var.index()).iter().for_each(|&clause| self.present_conclusions[clause as usize] -= 1);
    }

    fn uncount(&mut self, var: Var) {
        let index = self.reasoner.index();
        index.as_premise.get(var.index()).iter().for_each(|&clause| self.missing_premises[clause as usize] -= 1);
        index.as_conclusion.get(var.index()).iter().for_each(|&clause| self.present_conclusions[clause as usize] += 1);
    }
}

/// The progress of one removal.
#[derive(Default)]
struct Wave {
    gone: Vec<Var>,
    /// How many variables of `gone` are included in the clause counts.
    counted: usize,
    /// Clauses with several premises that lost their last conclusion.
    choices: BinaryHeap<Reverse<u32>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cnf;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    /// `0 ∧ 1 ⇒ 2`, `3 ⇒ 1`, in this order of the variables: 2, 0, 1, 3.
    fn reasoner() -> Reasoner {
        let mut cnf = Cnf::new(4);
        cnf.add(&[v(0), v(1)], &[v(2)]).unwrap();
        cnf.imply(v(3), v(1));
        let order = crate::VariableOrder::from_sequence(vec![v(2), v(0), v(1), v(3)]);
        Reasoner::with_order(&cnf, order)
    }

    #[test]
    fn the_sacrifice_decides_which_premise_goes() {
        let reasoner = reasoner();
        let mut remover = Remover::new(&reasoner, VarSet::full(4));
        assert_eq!(remover.consequences(&[v(2)], Sacrifice::First), Some(vec![v(2), v(0)]));
        assert_eq!(remover.consequences(&[v(2)], Sacrifice::Last), Some(vec![v(2), v(1), v(3)]));
        assert_eq!(remover.current(), &VarSet::full(4), "asking changes nothing");
    }

    #[test]
    fn what_goes_anyway_is_no_sacrifice() {
        let reasoner = reasoner();
        let mut remover = Remover::new(&reasoner, VarSet::full(4));
        assert_eq!(remover.consequences(&[v(2), v(0)], Sacrifice::Last), Some(vec![v(2), v(0)]));
        remover.commit(&[v(2), v(0)]);
        assert_eq!(remover.current(), &VarSet::of(4, [v(1), v(3)]));
        assert_eq!(remover.consequences(&[v(0), v(1)], Sacrifice::Last), Some(vec![v(1), v(3)]));
    }

    #[test]
    fn what_is_required_stays_and_is_not_sacrificed() {
        let mut cnf = reasoner().cnf().clone();
        cnf.require(v(3));
        let reasoner = Reasoner::with_order(&cnf, reasoner().order().clone());
        let mut remover = Remover::new(&reasoner, VarSet::full(4));
        assert_eq!(remover.consequences(&[v(1)], Sacrifice::Last), None);
        assert_eq!(remover.consequences(&[v(2)], Sacrifice::Last), Some(vec![v(2), v(0)]));
        assert_eq!(remover.current(), &VarSet::full(4), "a refusal changes nothing");
    }
}
