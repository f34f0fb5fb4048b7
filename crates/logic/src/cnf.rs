//! Formulas in implicative positive form (PLDI 2021, appendix B.1).
//!
//! Invariant: every clause has at least one conclusion, so the set of all variables satisfies the
//! formula. Adding a clause without one is an error that returns it.

use crate::{Var, VarSet};
use std::collections::HashSet;
use thiserror::Error;

/// A clause `p1 ∧ p2 ∧ … ⇒ c1 ∨ c2 ∨ …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clause<'a> {
    /// The variables that must all be true for the clause to apply.
    pub premises: &'a [Var],
    /// The variables of which at least one must be true if the clause applies.
    pub conclusions: &'a [Var],
}

impl Clause<'_> {
    /// Whether a set contains one of the conclusions or lacks a premise.
    pub fn is_satisfied_by(&self, set: &VarSet) -> bool {
        self.conclusions.iter().any(|&v| set.contains(v)) || !self.premises.iter().all(|&v| set.contains(v))
    }

    /// Whether the clause is a graph constraint, with one premise and one conclusion.
    pub fn is_edge(&self) -> bool {
        self.premises.len() == 1 && self.conclusions.len() == 1
    }

    /// The number of premises and conclusions.
    pub fn literals(&self) -> usize {
        self.premises.len() + self.conclusions.len()
    }
}

/// A clause without a conclusion: the set of all variables would not satisfy it.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the clause {premises:?} ⇒ false forbids the whole input, so the formula cannot describe its sub-inputs")]
pub struct NotImplicative {
    /// The premises of the clause.
    pub premises: Vec<Var>,
}

/// A conjunction of clauses over the variables `0..variables()`.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    variables: usize,
    literals: Vec<Var>,
    /// For each clause, the start of its premises and of its conclusions. It ends where the next
    /// clause starts.
    starts: Vec<(u32, u32)>,
}

impl Cnf {
    /// A formula over `variables` variables without clauses. Every set satisfies it.
    pub fn new(variables: usize) -> Self {
        Cnf { variables, ..Cnf::default() }
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Adds a variable after all others.
    pub fn add_variable(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables - 1)
    }

    /// Adds `premises ⇒ ∨ conclusions`. Literals are sorted and deduplicated; a clause that is
    /// always true is dropped.
    pub fn add(&mut self, premises: &[Var], conclusions: &[Var]) -> Result<(), NotImplicative> {
        let premises = sorted(premises);
        let conclusions = sorted(conclusions);
        for var in premises.iter().chain(&conclusions) {
            assert!(var.index() < self.variables, "{var:?} is not a variable of this formula");
        }
        if conclusions.is_empty() {
            return Err(NotImplicative { premises });
        }
        if premises.iter().any(|var| conclusions.binary_search(var).is_ok()) {
            return Ok(());
        }
        let start = offset(self.literals.len());
        self.literals.extend(premises);
        self.starts.push((start, offset(self.literals.len())));
        self.literals.extend(conclusions);
        Ok(())
    }

    /// Adds `a ⇒ b`.
    pub fn imply(&mut self, a: Var, b: Var) {
        self.add(&[a], &[b]).expect("an edge has a conclusion");
    }

    /// Adds a clause that makes `var` true.
    pub fn require(&mut self, var: Var) {
        self.add(&[], &[var]).expect("a required variable is a conclusion");
    }

    /// Adds every clause of `other`, which must not have more variables.
    pub fn conjoin(&mut self, other: &Cnf) {
        for clause in other.clauses() {
            self.add(clause.premises, clause.conclusions).expect("clauses of a formula have conclusions");
        }
    }

    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The number of literals in all clauses.
    pub fn literal_count(&self) -> usize {
        self.literals.len()
    }

    /// The clause with this number, in the order in which clauses were added.
    pub fn clause(&self, index: usize) -> Clause<'_> {
        let (premises, conclusions) = self.starts[index];
        let end = self.starts.get(index + 1).map_or(self.literals.len(), |next| next.0 as usize);
        Clause {
            premises: &self.literals[premises as usize..conclusions as usize],
            conclusions: &self.literals[conclusions as usize..end],
        }
    }

    /// All clauses, in the order in which they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = Clause<'_>> + '_ {
        (0..self.len()).map(|index| self.clause(index))
    }

    /// Whether a set satisfies every clause.
    pub fn is_satisfied_by(&self, set: &VarSet) -> bool {
        self.first_violated(set).is_none()
    }

    /// The first clause that a set does not satisfy.
    pub fn first_violated(&self, set: &VarSet) -> Option<Clause<'_>> {
        self.clauses().find(|clause| !clause.is_satisfied_by(set))
    }

    /// The formula restricted to `set`, with all other variables false. Clauses that `set` violates
    /// are omitted.
    pub fn within(&self, set: &VarSet) -> Cnf {
        let mut result = Cnf::new(self.variables);
        for clause in self.clauses().filter(|clause| clause.premises.iter().all(|&var| set.contains(var))) {
            let conclusions: Vec<Var> = clause.conclusions.iter().copied().filter(|&var| set.contains(var)).collect();
            // A clause without a conclusion is refused, and so omitted.
            let _ = result.add(clause.premises, &conclusions);
        }
        result
    }

    /// The formula without repeated clauses, in order of first appearance.
    pub fn without_duplicates(&self) -> Cnf {
        let mut seen = HashSet::new();
        let mut result = Cnf::new(self.variables);
        for clause in self.clauses().filter(|clause| seen.insert(*clause)) {
            result.add(clause.premises, clause.conclusions).expect("clauses of a formula have conclusions");
        }
        result
    }
}

fn sorted(vars: &[Var]) -> Vec<Var> {
    let mut vars = vars.to_vec();
    vars.sort_unstable();
    vars.dedup();
    vars
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).expect("a formula has fewer than 2^32 literals")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    #[test]
    fn a_clause_without_conclusion_is_refused_and_named() {
        let mut cnf = Cnf::new(3);
        assert_eq!(cnf.add(&[v(2), v(1), v(2)], &[]), Err(NotImplicative { premises: vec![v(1), v(2)] }));
        assert!(cnf.is_empty());
    }

    #[test]
    fn the_full_set_satisfies_every_formula() {
        let mut cnf = Cnf::new(3);
        cnf.add(&[v(0), v(1)], &[v(2)]).unwrap();
        cnf.require(v(1));
        assert!(cnf.is_satisfied_by(&VarSet::full(3)));
        assert!(!cnf.is_satisfied_by(&VarSet::of(3, [v(0), v(1)])));
        assert_eq!(cnf.first_violated(&VarSet::empty(3)).unwrap().conclusions, [v(1)]);
    }

    #[test]
    fn inside_a_set_only_what_is_there_counts() {
        let mut cnf = Cnf::new(4);
        cnf.add(&[v(0)], &[v(1), v(2)]).unwrap();
        cnf.imply(v(3), v(0));
        cnf.imply(v(2), v(3));
        let inside = cnf.within(&VarSet::of(4, [v(0), v(2)]));
        assert_eq!(inside.clauses().collect::<Vec<_>>(), [Clause { premises: &[v(0)], conclusions: &[v(2)] }]);
    }

    #[test]
    fn tautologies_and_duplicates_do_not_count() {
        let mut cnf = Cnf::new(2);
        cnf.add(&[v(0)], &[v(0), v(1)]).unwrap();
        cnf.imply(v(0), v(1));
        cnf.imply(v(0), v(1));
        assert_eq!(cnf.len(), 2);
        assert_eq!(cnf.without_duplicates().len(), 1);
    }
}
