//! Components of a formula for the model counter: clauses over variables `0..variables`, each of
//! which occurs in a clause.

use crate::Cnf;
use crate::index::{Lists, clause_number};
use std::ops::Range;

/// Twice the variable, plus one if it is negated.
type Literal = u32;

pub(crate) fn literal(var: usize, value: bool) -> Literal {
    clause_number(2 * var + usize::from(!value))
}

/// Clauses in a canonical order, so that equal components are equal values.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Component {
    variables: usize,
    pub literals: Vec<Literal>,
    ends: Vec<usize>,
}

/// The rest of a component after some variables have values: independent components, and a number
/// of free variables.
pub(crate) struct Branch {
    pub free: usize,
    pub components: Vec<Component>,
}

impl Component {
    pub(crate) fn whole(cnf: &Cnf) -> Self {
        let mut whole = Component { variables: cnf.variables(), literals: Vec::new(), ends: Vec::new() };
        for clause in cnf.clauses() {
            whole.literals.extend(clause.premises.iter().map(|var| literal(var.index(), false)));
            whole.literals.extend(clause.conclusions.iter().map(|var| literal(var.index(), true)));
            whole.ends.push(whole.literals.len());
        }
        whole
    }

    /// The variable that occurs most often. Among several, the one nearest to the middle, which
    /// cuts long chains in half.
    pub(crate) fn busiest_variable(&self) -> usize {
        let mut occurrences = vec![0u32; self.variables];
        for literal in &self.literals {
            occurrences[*literal as usize / 2] += 1;
        }
        let middle = self.variables / 2;
        let busier = |&var: &usize| (occurrences[var], std::cmp::Reverse(var.abs_diff(middle)));
        (0..self.variables).max_by_key(busier).expect("a component has variables")
    }

    /// The rest of the component after `decision` and everything that follows from it; `None` for a
    /// contradiction.
    pub(crate) fn given(&self, decision: Option<Literal>) -> Option<Branch> {
        let values = Propagation::new(self).run(decision)?;
        let left: Vec<Vec<Literal>> = (0..self.ends.len()).filter_map(|clause| self.residue(clause, &values)).collect();
        let mut parts = Parts::new(self.variables);
        for clause in &left {
            clause.iter().for_each(|literal| parts.join(clause[0] as usize / 2, *literal as usize / 2));
        }
        Some(parts.split(&values, left))
    }

    /// The clause without its false literals; `None` if a literal is true.
    fn residue(&self, clause: usize, values: &[Option<bool>]) -> Option<Vec<Literal>> {
        let literals = &self.literals[self.range(clause)];
        let is_true = |literal: &Literal| values[*literal as usize / 2] == Some(literal.is_multiple_of(2));
        let is_open = |literal: &&Literal| values[**literal as usize / 2].is_none();
        (!literals.iter().any(is_true)).then(|| literals.iter().filter(is_open).copied().collect())
    }

    fn range(&self, clause: usize) -> Range<usize> {
        let start = if clause == 0 { 0 } else { self.ends[clause - 1] };
        start..self.ends[clause]
    }

    /// A component of these clauses, with variables renumbered from 0.
    fn renumbered(mut clauses: Vec<Vec<Literal>>) -> Self {
        let mut variables: Vec<_> = clauses.iter().flatten().map(|literal| literal / 2).collect();
        variables.sort_unstable();
        variables.dedup();
        for literal in clauses.iter_mut().flatten() {
            let number = variables.binary_search(&(*literal / 2)).expect("the variable was collected");
            *literal = clause_number(2 * number) + *literal % 2;
        }
        clauses.iter_mut().for_each(|clause| clause.sort_unstable());
        clauses.sort_unstable();
        clauses.dedup();
        let mut result = Component { variables: variables.len(), literals: Vec::new(), ends: Vec::new() };
        for clause in clauses {
            result.literals.extend(clause);
            result.ends.push(result.literals.len());
        }
        result
    }
}

struct Propagation<'a> {
    component: &'a Component,
    occurrences: Lists<u32>,
    values: Vec<Option<bool>>,
    open: Vec<usize>,
    pending: Vec<Literal>,
}

impl<'a> Propagation<'a> {
    fn new(component: &'a Component) -> Self {
        let clauses = component.ends.len();
        let occurrences = Lists::group(2 * component.variables, || {
            (0..clauses).flat_map(|clause| {
                component.literals[component.range(clause)].iter().map(move |l| (*l as usize, clause_number(clause)))
            })
        });
        let open = (0..clauses).map(|clause| component.range(clause).len()).collect();
        Propagation { component, occurrences, values: vec![None; component.variables], open, pending: Vec::new() }
    }

    /// The values that follow; `None` for a contradiction.
    fn run(mut self, decision: Option<Literal>) -> Option<Vec<Option<bool>>> {
        self.pending.extend(decision);
        for clause in 0..self.open.len() {
            self.notice_unit(clause)?;
        }
        while let Some(literal) = self.pending.pop() {
            let value = literal.is_multiple_of(2);
            match self.values[literal as usize / 2] {
                Some(known) if known == value => {}
                Some(_) => return None,
                None => self.assign(literal)?,
            }
        }
        Some(self.values)
    }

    fn assign(&mut self, literal: Literal) -> Option<()> {
        self.values[literal as usize / 2] = Some(literal.is_multiple_of(2));
        for position in 0..self.occurrences.get(literal as usize ^ 1).len() {
            let clause = self.occurrences.get(literal as usize ^ 1)[position] as usize;
            self.open[clause] -= 1;
            self.notice_unit(clause)?;
        }
        Some(())
    }

    /// Notes the only literal of a unit clause that is not false; `None` if all are false.
    fn notice_unit(&mut self, clause: usize) -> Option<()> {
        if self.open[clause] <= 1 {
            let literals = &self.component.literals[self.component.range(clause)];
            let is_false = |literal: &Literal| self.values[*literal as usize / 2] == Some(literal % 2 == 1);
            self.pending.push(*literals.iter().find(|literal| !is_false(literal))?);
        }
        Some(())
    }
}

/// Variables joined by clauses (union-find with path halving).
struct Parts {
    parent: Vec<usize>,
}

impl Parts {
    fn new(variables: usize) -> Self {
        Parts { parent: (0..variables).collect() }
    }

    fn root(&mut self, mut var: usize) -> usize {
        while self.parent[var] != var {
            self.parent[var] = self.parent[self.parent[var]];
            var = self.parent[var];
        }
        var
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[b.max(a)] = a.min(b);
    }

    fn split(mut self, values: &[Option<bool>], clauses: Vec<Vec<Literal>>) -> Branch {
        let mut occurs = vec![false; values.len()];
        clauses.iter().flatten().for_each(|literal| occurs[*literal as usize / 2] = true);
        let free = (0..values.len()).filter(|&var| values[var].is_none() && !occurs[var]).count();
        let mut groups: Vec<Vec<Vec<Literal>>> = Vec::new();
        let mut group_of = vec![None; values.len()];
        for clause in clauses {
            let root = self.root(clause[0] as usize / 2);
            let group = *group_of[root].get_or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(clause);
        }
        Branch { free, components: groups.into_iter().map(Component::renumbered).collect() }
    }
}
