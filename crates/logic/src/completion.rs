//! Values for auxiliary variables once the items are fixed.
//!
//! The search uses unit propagation, and backtracks where that is not enough. Variables still open
//! at the end become true, which satisfies every clause with an open conclusion, so only clauses
//! whose open literals are all premises need a decision. If each auxiliary variable stands for a
//! subformula, the search never backtracks.

use crate::index::{Lists, clause_number};
use crate::{Clause, Cnf, Var, VarSet};

/// Extends the first `items` variables of `keep` to a solution by choosing the others.
pub(crate) fn complete(cnf: &Cnf, keep: &VarSet, items: usize) -> Option<VarSet> {
    let fixed = VarSet::of(cnf.variables(), keep.iter().filter(|var| var.index() < items));
    if items >= cnf.variables() {
        return cnf.is_satisfied_by(&fixed).then_some(fixed);
    }
    let mut search = Search::new(cnf, &fixed, items)?;
    search.run().then(|| search.solution(fixed))
}

#[derive(Clone, Copy)]
struct Literal {
    var: Var,
    value: bool,
}

#[derive(Clone, Copy)]
struct Assignment {
    literal: Literal,
    /// A decision whose other value has not been tried.
    is_open: bool,
}

/// The clauses that the items leave undecided, reduced to auxiliary variables.
struct Search {
    items: usize,
    literals: Vec<Literal>,
    ends: Vec<usize>,
    /// For each variable, twice the number of each clause it occurs in, plus one where it is a
    /// conclusion.
    occurrences: Lists<u32>,
    values: Vec<Option<bool>>,
    /// For each clause, the number of true literals. `open` counts literals without a value, and
    /// `open_conclusions` those of them that are conclusions.
    satisfied: Vec<u32>,
    open: Vec<u32>,
    open_conclusions: Vec<u32>,
    trail: Vec<Assignment>,
    /// Literals forced by a clause.
    pending: Vec<Literal>,
    /// Every clause that would be violated if all open variables became true, and some that were so
    /// earlier.
    doubtful: Vec<usize>,
}

impl Search {
    /// Prepares the search; `None` if the items alone violate a clause.
    fn new(cnf: &Cnf, fixed: &VarSet, items: usize) -> Option<Self> {
        let mut literals = Vec::new();
        let mut ends = Vec::new();
        for clause in cnf.clauses().filter(|clause| !is_satisfied_by_items(clause, fixed, items)) {
            let start = literals.len();
            literals.extend(auxiliary(clause.premises, items).map(|var| Literal { var, value: false }));
            literals.extend(auxiliary(clause.conclusions, items).map(|var| Literal { var, value: true }));
            if literals.len() == start {
                return None;
            }
            ends.push(literals.len());
        }
        Some(Self::over(literals, ends, items, cnf.variables() - items))
    }

    fn over(literals: Vec<Literal>, ends: Vec<usize>, items: usize, variables: usize) -> Self {
        let clauses = ends.len();
        let occurrences = Lists::group(variables, || {
            (0..clauses).flat_map(|clause| {
                let occurrence = move |l: &Literal| (l.var.index() - items, occurrence_number(clause, l.value));
                literals[range(&ends, clause)].iter().map(occurrence)
            })
        });
        let count = |clause, wanted: fn(&&Literal) -> bool| {
            clause_number(literals[range(&ends, clause)].iter().filter(wanted).count())
        };
        Search {
            items,
            occurrences,
            values: vec![None; variables],
            satisfied: vec![0; clauses],
            open: (0..clauses).map(|clause| count(clause, |_| true)).collect(),
            open_conclusions: (0..clauses).map(|clause| count(clause, |literal| literal.value)).collect(),
            trail: Vec::new(),
            pending: Vec::new(),
            doubtful: Vec::new(),
            literals,
            ends,
        }
    }

    fn run(&mut self) -> bool {
        for clause in 0..self.ends.len() {
            self.notice(clause);
        }
        loop {
            if !self.propagate() {
                if !self.backtrack() {
                    return false;
                }
            } else if let Some(var) = self.undecided_premise() {
                let is_consistent = self.assign(Assignment { literal: Literal { var, value: false }, is_open: true });
                debug_assert!(is_consistent, "a clause with one open literal would have been propagated");
            } else {
                return true;
            }
        }
    }

    fn solution(&self, mut result: VarSet) -> VarSet {
        let chosen = self.values.iter().enumerate().filter(|(_, value)| value.unwrap_or(true));
        result.extend(chosen.map(|(offset, _)| Var::new(self.items + offset)));
        result
    }

    fn propagate(&mut self) -> bool {
        while let Some(literal) = self.pending.pop() {
            let is_consistent = match self.value(literal.var) {
                Some(value) => value == literal.value,
                None => self.assign(Assignment { literal, is_open: false }),
            };
            if !is_consistent {
                self.pending.clear();
                return false;
            }
        }
        true
    }

    /// Sets the value; false if that breaks a clause.
    fn assign(&mut self, assignment: Assignment) -> bool {
        let Literal { var, value } = assignment.literal;
        self.values[var.index() - self.items] = Some(value);
        self.trail.push(assignment);
        let mut is_consistent = true;
        for position in 0..self.occurrences.get(var.index() - self.items).len() {
            let (clause, is_conclusion) = self.occurrence(var, position);
            self.open[clause] -= 1;
            self.open_conclusions[clause] -= u32::from(is_conclusion);
            self.satisfied[clause] += u32::from(is_conclusion == value);
            is_consistent &= self.satisfied[clause] + self.open[clause] > 0;
            self.notice(clause);
        }
        is_consistent
    }

    fn notice(&mut self, clause: usize) {
        if self.satisfied[clause] == 0 && self.open[clause] == 1 {
            let literals = &self.literals[range(&self.ends, clause)];
            let unit = literals.iter().find(|literal| self.value(literal.var).is_none());
            self.pending.extend(unit.copied());
        }
        if self.is_doubtful(clause) {
            self.doubtful.push(clause);
        }
    }

    fn is_doubtful(&self, clause: usize) -> bool {
        self.satisfied[clause] == 0 && self.open_conclusions[clause] == 0
    }

    /// Undoes the last open decision and tries its other value; false if there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(Assignment { literal, is_open }) = self.trail.pop() {
            self.unassign(literal);
            if is_open {
                self.pending.push(Literal { var: literal.var, value: !literal.value });
                self.doubtful = (0..self.ends.len()).filter(|&clause| self.is_doubtful(clause)).collect();
                return true;
            }
        }
        false
    }

    fn unassign(&mut self, literal: Literal) {
        self.values[literal.var.index() - self.items] = None;
        for position in 0..self.occurrences.get(literal.var.index() - self.items).len() {
            let (clause, is_conclusion) = self.occurrence(literal.var, position);
            self.open[clause] += 1;
            self.open_conclusions[clause] += u32::from(is_conclusion);
            self.satisfied[clause] -= u32::from(is_conclusion == literal.value);
        }
    }

    /// A premise without a value, in a clause that would be violated if all open variables became
    /// true.
    fn undecided_premise(&mut self) -> Option<Var> {
        while let Some(clause) = self.doubtful.pop() {
            if self.is_doubtful(clause) {
                let literals = &self.literals[range(&self.ends, clause)];
                return literals.iter().map(|literal| literal.var).find(|&var| self.value(var).is_none());
            }
        }
        None
    }

    /// A clause in which `var` occurs, and whether it is a conclusion there.
    fn occurrence(&self, var: Var, position: usize) -> (usize, bool) {
        let occurrence = self.occurrences.get(var.index() - self.items)[position];
        (occurrence as usize / 2, occurrence % 2 == 1)
    }

    fn value(&self, var: Var) -> Option<bool> {
        self.values[var.index() - self.items]
    }
}

fn is_satisfied_by_items(clause: &Clause<'_>, fixed: &VarSet, items: usize) -> bool {
    clause.conclusions.iter().any(|&var| var.index() < items && fixed.contains(var))
        || clause.premises.iter().any(|&var| var.index() < items && !fixed.contains(var))
}

fn auxiliary(vars: &[Var], items: usize) -> impl Iterator<Item = Var> + '_ {
    vars.iter().copied().filter(move |var| var.index() >= items)
}

fn range(ends: &[usize], clause: usize) -> std::ops::Range<usize> {
    let start = if clause == 0 { 0 } else { ends[clause - 1] };
    start..ends[clause]
}

fn occurrence_number(clause: usize, is_conclusion: bool) -> u32 {
    clause_number(2 * clause + usize::from(is_conclusion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    const ALL: usize = 11;

    type Literals = (Vec<usize>, Vec<usize>);

    #[test]
    fn without_auxiliary_variables_it_is_a_check() {
        let mut cnf = Cnf::new(2);
        cnf.imply(v(0), v(1));
        assert_eq!(complete(&cnf, &VarSet::of(2, [v(0)]), 2), None);
        assert_eq!(complete(&cnf, &VarSet::of(2, [v(1)]), 2), Some(VarSet::of(2, [v(1)])));
    }

    #[test]
    fn auxiliary_variables_of_the_given_set_do_not_count() {
        let mut cnf = Cnf::new(2);
        cnf.imply(v(0), v(1));
        assert_eq!(complete(&cnf, &VarSet::of(1, [v(0)]), 1), Some(VarSet::full(2)));
        assert_eq!(complete(&cnf, &VarSet::of(2, [v(0)]), 1), Some(VarSet::full(2)));
    }

    #[test]
    fn a_wrong_decision_is_taken_back() {
        let mut cnf = Cnf::new(5);
        cnf.add(&[], &[v(1), v(2)]).unwrap();
        cnf.add(&[], &[v(1), v(3)]).unwrap();
        cnf.add(&[v(2), v(3)], &[v(0)]).unwrap();
        cnf.add(&[v(1), v(4)], &[v(0)]).unwrap();
        let solution = complete(&cnf, &VarSet::empty(1), 1).unwrap();
        assert!(cnf.is_satisfied_by(&solution));
        assert!(solution.contains(v(1)) && !solution.contains(v(0)));
    }

    /// Making 1 false also satisfies `3 ∧ 4 ⇒ 0`, but then both values of 5 fail. With 1 true, that
    /// clause needs a decision of its own.
    #[test]
    fn a_clause_satisfied_by_a_wrong_decision_is_looked_at_again() {
        let clauses: [Literals; 10] = [
            (vec![], vec![1, 5, 7]),
            (vec![], vec![1, 5, 8]),
            (vec![7, 8], vec![0]),
            (vec![5], vec![1, 9]),
            (vec![5], vec![1, 10]),
            (vec![9, 10], vec![0]),
            (vec![3], vec![1]),
            (vec![5, 6], vec![0]),
            (vec![3, 4], vec![0]),
            (vec![1, 2], vec![0]),
        ];
        let cnf = formula(&clauses);
        let solution = complete(&cnf, &VarSet::empty(1), 1).unwrap();
        assert!(cnf.is_satisfied_by(&solution));
    }

    proptest! {
        #[test]
        fn a_completion_is_found_exactly_if_there_is_one(
            clauses in prop::collection::vec(
                (prop::collection::vec(0..ALL, 0..4), prop::collection::vec(0..ALL, 1..3)), 0..24),
            items in 0..ALL,
            bits in 0..1usize << ALL,
        ) {
            let cnf = formula(&clauses);
            let keep = set(bits);
            let mask = (1 << items) - 1;
            let exists = (0..1 << ALL).any(|other| other & mask == bits & mask && cnf.is_satisfied_by(&set(other)));
            let found = complete(&cnf, &keep, items);
            prop_assert_eq!(found.is_some(), exists);
            if let Some(found) = found {
                prop_assert!(cnf.is_satisfied_by(&found));
                prop_assert!((0..items).all(|item| found.contains(v(item)) == keep.contains(v(item))));
            }
        }
    }

    fn formula(clauses: &[Literals]) -> Cnf {
        let mut cnf = Cnf::new(ALL);
        for (premises, conclusions) in clauses {
            let vars = |indices: &[usize]| indices.iter().map(|&index| v(index)).collect::<Vec<_>>();
            cnf.add(&vars(premises), &vars(conclusions)).unwrap();
        }
        cnf
    }

    fn set(bits: usize) -> VarSet {
        VarSet::of(ALL, (0..ALL).filter(|index| bits >> index & 1 == 1).map(v))
    }
}
