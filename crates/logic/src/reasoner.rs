//! Minimal solutions and progressions over one formula (PLDI 2021, appendix B.3 and B.4).
//!
//! MSA_≤ looks at the clauses whose premises are all true and whose conclusions are all false, and
//! makes the smallest variable among their conclusions true, until there is no such clause.
//! Counters keep track of these clauses, so a whole progression is one pass over the formula:
//! O(literals · log variables).

use crate::index::{Index, clause_number};
use crate::{Cnf, Var, VarSet, VariableOrder, completion};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A formula prepared for many questions.
#[derive(Debug)]
pub struct Reasoner {
    cnf: Cnf,
    order: VariableOrder,
    index: Index,
}

impl Reasoner {
    /// Indexes the formula, with the variable order of [`VariableOrder::of`].
    pub fn new(cnf: &Cnf) -> Self {
        Self::with_order(cnf, VariableOrder::of(cnf))
    }

    /// # Panics
    /// If `order` is not an order of exactly the formula's variables.
    pub fn with_order(cnf: &Cnf, order: VariableOrder) -> Self {
        let index = Index::of(cnf, &order);
        Reasoner { cnf: cnf.clone(), order, index }
    }

    /// The formula.
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// The variables that unit propagation finds in every solution.
    pub fn necessary(&self) -> &VarSet {
        &self.index.necessary
    }

    /// The variable order that minimal solutions follow.
    pub fn order(&self) -> &VariableOrder {
        &self.order
    }

    /// MSA_≤ of the formula with `required` true and everything outside `within` false: a small
    /// solution, the smallest one if all clauses are edges or single required variables. `within`
    /// must be a solution and contain `required`.
    ///
    /// The result is a solution, contains `required`, lies inside `within`, and holds the smallest
    /// variable (among those of `within`) of each clause without premises (Lemmas B.7 and B.8).
    ///
    /// # Panics
    /// If `within` is found not to be a solution that contains `required`.
    pub fn minimal_solution(&self, within: &VarSet, required: &[Var]) -> VarSet {
        let mut growth = Growth::new(self, within, &[]);
        growth.start();
        required.iter().for_each(|&var| growth.ask_for(var));
        growth.settle();
        VarSet::of(within.universe(), growth.chosen)
    }

    /// PROGRESSION(learned, within). The first set is the solution that MSA_≤ finds for the formula
    /// and the learned sets, of each of which at least one variable is true. Then, for each
    /// variable of `within` that is not yet included, smallest first, comes the set that MSA_≤ adds
    /// for it.
    ///
    /// If `within` is a solution and meets every learned set, the result D has the properties of
    /// Lemma B.10:
    /// - SPLIT: D is not empty, its sets are disjoint, and their union is `within`. Only D₀ may be the
    ///   empty set.
    /// - CORRECT: the union of each non-empty prefix of D is a solution and meets every learned set.
    ///
    /// # Panics
    /// If `within` is found not to be a solution, or misses a learned set.
    pub fn progression(&self, learned: &[Vec<Var>], within: &VarSet) -> Progression {
        let mut growth = Growth::new(self, within, learned);
        growth.start();
        growth.settle();
        let mut ends = vec![growth.chosen.len()];
        for &var in self.order.sequence() {
            if within.contains(var) && !growth.is_true.contains(var) {
                growth.choose(var);
                growth.settle();
                ends.push(growth.chosen.len());
            }
        }
        Progression { universe: within.universe(), vars: growth.chosen, ends }
    }

    /// Extends the first `items` variables of `keep` by auxiliary variables to a solution, if there
    /// is one. Variables of `keep` past the first `items` are ignored. The result ranges over all
    /// variables.
    pub fn complete(&self, keep: &VarSet, items: usize) -> Option<VarSet> {
        completion::complete(&self.cnf, keep, items)
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }
}

/// A sequence of disjoint sets. The union of every prefix is a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progression {
    universe: usize,
    vars: Vec<Var>,
    ends: Vec<usize>,
}

impl Progression {
    /// The number of sets, at least one.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no set in the progression.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The variables of one set, in the order in which they were chosen.
    pub fn set(&self, index: usize) -> &[Var] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.vars[start..self.ends[index]]
    }

    /// The sets in order, each with its variables in the order in which they were chosen.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Var]> + '_ {
        (0..self.len()).map(|index| self.set(index))
    }

    /// The union of sets `0..=last`.
    pub fn prefix(&self, last: usize) -> VarSet {
        VarSet::of(self.universe, self.vars[..self.ends[last]].iter().copied())
    }
}

/// A set of true variables that grows until it is a solution.
struct Growth<'a> {
    reasoner: &'a Reasoner,
    within: &'a VarSet,
    learned: &'a [Vec<Var>],
    is_true: VarSet,
    chosen: Vec<Var>,
    /// For each clause, how many of its premises are not true. Premises outside `within` never will
    /// be.
    missing: Vec<u32>,
    /// Clauses whose premises are all true, each with the rank of its smallest conclusion inside
    /// `within`. Numbers past the formula's clauses are learned sets, and past those single
    /// required variables. All conclusions of an entry have at least its rank, so the smallest
    /// unsatisfied entry names the variable that MSA_≤ takes next.
    pending: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'a> Growth<'a> {
    fn new(reasoner: &'a Reasoner, within: &'a VarSet, learned: &'a [Vec<Var>]) -> Self {
        assert_eq!(within.universe(), reasoner.cnf.variables(), "the set ranges over the formula's variables");
        Growth {
            reasoner,
            within,
            learned,
            is_true: VarSet::empty(within.universe()),
            chosen: Vec::new(),
            missing: reasoner.index.premise_counts(),
            pending: BinaryHeap::new(),
        }
    }

    /// Makes the clauses without premises and the learned sets pending.
    fn start(&mut self) {
        for &clause in &self.reasoner.index.facts {
            self.await_conclusion(clause);
        }
        for (number, set) in self.learned.iter().enumerate() {
            let ranks = set.iter().filter(|&&var| self.within.contains(var)).map(|&var| self.reasoner.order.rank(var));
            let smallest = ranks.min().expect("the set meets every learned set");
            self.pending.push(Reverse((smallest, clause_number(self.reasoner.index.clauses() + number))));
        }
    }

    fn ask_for(&mut self, var: Var) {
        assert!(self.within.contains(var), "{var:?} is required but outside the set");
        self.pending.push(Reverse((self.reasoner.order.rank(var), u32::MAX)));
    }

    fn await_conclusion(&mut self, clause: u32) {
        let mut conclusions = self.reasoner.index.conclusions.get(clause as usize).iter();
        let smallest = conclusions.find(|&&var| self.within.contains(var)).expect("the set is a solution");
        if !self.is_true.contains(*smallest) {
            self.pending.push(Reverse((self.reasoner.order.rank(*smallest), clause)));
        }
    }

    /// Chooses the smallest pending variable until all clauses are satisfied.
    fn settle(&mut self) {
        while let Some(Reverse((rank, clause))) = self.pending.pop() {
            let var = self.reasoner.order.at(rank);
            if !self.is_true.contains(var) && !self.is_satisfied(clause as usize) {
                self.choose(var);
            }
        }
    }

    fn is_satisfied(&self, clause: usize) -> bool {
        let clauses = self.reasoner.index.clauses();
        let conclusions = if clause < clauses {
            self.reasoner.index.conclusions.get(clause)
        } else {
            self.learned.get(clause - clauses).map_or(&[][..], Vec::as_slice)
        };
        conclusions.iter().any(|&var| self.is_true.contains(var))
    }

    fn choose(&mut self, var: Var) {
        self.is_true.insert(var);
        self.chosen.push(var);
        let reasoner = self.reasoner;
        for next in reasoner.index.successors.get(var.index()).iter().map(|&next| Var::new(next as usize)) {
            assert!(self.within.contains(next), "the set is a solution");
            if !self.is_true.contains(next) {
                self.pending.push(Reverse((reasoner.order.rank(next), u32::MAX)));
            }
        }
        for &clause in reasoner.index.as_premise.get(var.index()) {
            self.missing[clause as usize] -= 1;
            if self.missing[clause as usize] == 0 {
                self.await_conclusion(clause);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    /// `(a ∧ b ⇒ c) ∧ (c ⇒ b)` with the order (c, b, a), whose progression section 4.4 gives.
    fn suboptimal() -> Reasoner {
        let mut cnf = Cnf::new(3);
        cnf.add(&[v(0), v(1)], &[v(2)]).unwrap();
        cnf.imply(v(2), v(1));
        Reasoner::with_order(&cnf, VariableOrder::from_sequence(vec![v(2), v(1), v(0)]))
    }

    #[test]
    fn a_progression_follows_the_order_and_not_the_size() {
        let progression = suboptimal().progression(&[vec![v(1), v(2)]], &VarSet::full(3));
        assert_eq!(progression.iter().collect::<Vec<_>>(), [&[v(2), v(1)][..], &[v(0)]]);
        assert_eq!(progression.prefix(0), VarSet::of(3, [v(1), v(2)]));
        assert_eq!(progression.prefix(1), VarSet::full(3));
    }

    #[test]
    fn nothing_required_gives_an_empty_first_set() {
        let progression = suboptimal().progression(&[], &VarSet::of(3, [v(0)]));
        assert_eq!(progression.iter().collect::<Vec<_>>(), [&[][..], &[v(0)]]);
    }

    #[test]
    fn a_conclusion_outside_is_not_chosen() {
        let mut cnf = Cnf::new(3);
        cnf.add(&[v(0)], &[v(1), v(2)]).unwrap();
        let reasoner = Reasoner::new(&cnf);
        assert_eq!(reasoner.minimal_solution(&VarSet::of(3, [v(0), v(2)]), &[v(0)]), VarSet::of(3, [v(0), v(2)]));
    }

    #[test]
    #[should_panic(expected = "the set is a solution")]
    fn a_set_that_is_no_solution_is_a_bug_of_the_caller() {
        let mut cnf = Cnf::new(2);
        cnf.imply(v(0), v(1));
        Reasoner::new(&cnf).minimal_solution(&VarSet::of(2, [v(0)]), &[v(0)]);
    }
}
