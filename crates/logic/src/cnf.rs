//! Formulas in implicative positive form (PLDI 2021, appendix B.1).
//!
//! Invariant: every clause has at least one conclusion, so the set of all variables satisfies the formula. A clause
//! that would break this is refused when it is added, and handed back.

use crate::{Var, VarSet};
use std::collections::HashSet;
use thiserror::Error;

/// `p1 ∧ p2 ∧ … ⇒ c1 ∨ c2 ∨ …`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clause<'a> {
    pub premises: &'a [Var],
    pub conclusions: &'a [Var],
}

impl Clause<'_> {
    pub fn is_satisfied_by(&self, set: &VarSet) -> bool {
        self.conclusions.iter().any(|&v| set.contains(v)) || !self.premises.iter().all(|&v| set.contains(v))
    }

    /// A graph constraint: one premise, one conclusion.
    pub fn is_edge(&self) -> bool {
        self.premises.len() == 1 && self.conclusions.len() == 1
    }

    pub fn literals(&self) -> usize {
        self.premises.len() + self.conclusions.len()
    }
}

/// A clause without a conclusion: the set of all variables would not satisfy it.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the clause {premises:?} ⇒ false forbids the whole input, so the formula cannot describe its sub-inputs")]
pub struct NotImplicative {
    pub premises: Vec<Var>,
}

/// A conjunction of clauses over the variables `0..variables()`.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    variables: usize,
    literals: Vec<Var>,
    /// For each clause: where its premises start, where its conclusions start. The next clause starts where it ends.
    starts: Vec<(u32, u32)>,
}

impl Cnf {
    pub fn new(variables: usize) -> Self {
        Cnf { variables, ..Cnf::default() }
    }

    pub fn variables(&self) -> usize {
        self.variables
    }

    /// A fresh variable behind all others.
    pub fn add_variable(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables - 1)
    }

    /// Adds `premises ⇒ ∨ conclusions`. Literals are sorted and deduplicated; a clause that is always true is dropped.
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

    /// `a ⇒ b`
    pub fn imply(&mut self, a: Var, b: Var) {
        self.add(&[a], &[b]).expect("an edge has a conclusion");
    }

    /// `var` must be true.
    pub fn require(&mut self, var: Var) {
        self.add(&[], &[var]).expect("a required variable is a conclusion");
    }

    /// Adds every clause of `other`, whose variables are among ours.
    pub fn conjoin(&mut self, other: &Cnf) {
        for clause in other.clauses() {
            self.add(clause.premises, clause.conclusions).expect("clauses of a formula have conclusions");
        }
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    pub fn literal_count(&self) -> usize {
        self.literals.len()
    }

    pub fn clause(&self, index: usize) -> Clause<'_> {
        let (premises, conclusions) = self.starts[index];
        let end = self.starts.get(index + 1).map_or(self.literals.len(), |next| next.0 as usize);
        Clause {
            premises: &self.literals[premises as usize..conclusions as usize],
            conclusions: &self.literals[conclusions as usize..end],
        }
    }

    pub fn clauses(&self) -> impl ExactSizeIterator<Item = Clause<'_>> + '_ {
        (0..self.len()).map(|index| self.clause(index))
    }

    pub fn is_satisfied_by(&self, set: &VarSet) -> bool {
        self.first_violated(set).is_none()
    }

    pub fn first_violated(&self, set: &VarSet) -> Option<Clause<'_>> {
        self.clauses().find(|clause| !clause.is_satisfied_by(set))
    }

    /// What the formula says inside `set`, all variables outside being false. Clauses that `set` violates are left out.
    pub fn within(&self, set: &VarSet) -> Cnf {
        let mut result = Cnf::new(self.variables);
        for clause in self.clauses().filter(|clause| clause.premises.iter().all(|&var| set.contains(var))) {
            let conclusions: Vec<Var> = clause.conclusions.iter().copied().filter(|&var| set.contains(var)).collect();
            // Without a conclusion the clause is refused, which leaves it out.
            let _ = result.add(clause.premises, &conclusions);
        }
        result
    }

    /// The same formula with each clause once, in order of first appearance.
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
