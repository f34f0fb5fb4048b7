//! Independence: constraints that share no symbol are solved separately.
//!
//! Most of a path condition concerns other inputs than its last branch. Solved separately, the
//! parts are small, and all but one were asked before. Applications of one function stay together,
//! because the assumptions about it must be consistent.

use super::{Answer, Layer, Solver};
use crate::{Assignment, Function, Map, Term, Terms};

/// A layer that solves independent constraints separately.
#[derive(Default)]
pub struct Independence;

impl Layer for Independence {
    fn name(&self) -> &'static str {
        "independence"
    }

    fn solve(&mut self, terms: &mut Terms, constraints: &[Term], next: &mut dyn Solver) -> Answer {
        let mut joined = Assignment::new();
        let mut unknown = None;
        // The part with the newest constraint comes first: if any part is new, it is that one.
        for part in parts(terms, constraints).iter().rev() {
            match next.solve(terms, part) {
                Answer::Satisfiable(assignment) => joined = joined.joined(&assignment),
                Answer::Unsatisfiable => return Answer::Unsatisfiable,
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        unknown.map_or(Answer::Satisfiable(joined), Answer::Unknown)
    }
}

/// The constraints in groups that share nothing, ordered by the last constraint of each.
fn parts(terms: &mut Terms, constraints: &[Term]) -> Vec<Vec<Term>> {
    let mut groups = Groups::new(constraints.len());
    let mut owners: Map<Dependency, usize> = Map::default();
    for (index, constraint) in constraints.iter().enumerate() {
        let support = terms.support(*constraint);
        let symbols = support.symbols.iter().copied().map(Dependency::Symbol);
        for dependency in symbols.chain(support.functions.iter().copied().map(Dependency::Function)) {
            let owner = *owners.entry(dependency).or_insert(index);
            groups.join(owner, index);
        }
    }
    groups.collect(constraints)
}

#[derive(PartialEq, Eq, Hash)]
enum Dependency {
    Symbol(Term),
    Function(Function),
}

/// Disjoint sets of constraints. The representative of a set is its last constraint.
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Groups {
        Groups { parents: (0..count).collect() }
    }

    fn find(&mut self, mut index: usize) -> usize {
        while self.parents[index] != index {
            self.parents[index] = self.parents[self.parents[index]];
            index = self.parents[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.min(b)] = a.max(b);
    }

    fn collect(&mut self, constraints: &[Term]) -> Vec<Vec<Term>> {
        let mut parts = vec![Vec::new(); constraints.len()];
        for (index, constraint) in constraints.iter().enumerate() {
            parts[self.find(index)].push(*constraint);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::super::scripted::Trying;
    use super::super::{Solver, Stage};
    use super::*;
    use crate::Sort;

    #[test]
    fn parts_share_no_symbol() {
        let mut terms = Terms::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let (ab, cd, bc) = (terms.slt(a, b), terms.slt(c, d), terms.slt(b, c));
        assert_eq!(parts(&mut terms, &[ab, cd]), [[ab], [cd]]);
        assert_eq!(parts(&mut terms, &[ab, cd, bc]), [[ab, cd, bc]]);
        let five = terms.int(5);
        let small = terms.slt(a, five);
        assert_eq!(parts(&mut terms, &[small, cd, ab]), [vec![cd], vec![small, ab]]);
    }

    #[test]
    fn applications_of_one_function_stay_together() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Double));
        let half = terms.double(0.5);
        let constraints = [x, y].map(|symbol| {
            let sine = terms.apply("sin", &[symbol], Sort::Double);
            terms.flt(sine, half)
        });
        assert_eq!(parts(&mut terms, &constraints), [constraints]);
    }

    #[test]
    fn values_of_the_parts_are_joined() {
        let mut terms = Terms::new();
        let symbols = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let seven = terms.int(7);
        let constraints = symbols.map(|symbol| terms.slt(seven, symbol));
        let solver = Trying::default();
        let asked = solver.asked.clone();
        let mut layer = Stage::new(Independence, Box::new(solver));
        let Answer::Satisfiable(found) = layer.solve(&mut terms, &constraints) else { panic!("no values found") };
        assert!(constraints.iter().all(|constraint| terms.evaluate(*constraint, &found).is_true()));
        assert_eq!(asked.lock().unwrap().len(), 3);
    }
}
