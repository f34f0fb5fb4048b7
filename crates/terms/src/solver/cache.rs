//! The cache of earlier queries, their consequences, and the values found for them.
//!
//! A set of constraints is unsatisfiable if a subset is, and satisfiable if a superset is.
//! Moreover, the values that satisfied one set often satisfy the next, and trying them costs
//! microseconds (KLEE's counter-example cache).

use super::{Answer, Layer, Solver, all_hold};
use crate::{Assignment, Functions, Map, Node, Set, Term, Terms};
use std::collections::VecDeque;
use std::sync::Arc;

/// The number of earlier assignments to try.
const RECENT: usize = 16;
/// The number of sets with a constraint in common to examine.
const LOOKED_AT: usize = 64;
/// The number of sets after which all are forgotten. Memory stays bounded, and old sets belong to
/// other paths.
const MOST: usize = 200_000;

/// A layer that answers queries from earlier ones.
pub struct Cache {
    functions: Arc<dyn Functions + Send + Sync>,
    exact: Map<Arc<[Term]>, Answer>,
    /// Unsatisfiable sets by their last constraint.
    unsatisfiable: Map<Term, Vec<Arc<[Term]>>>,
    /// Satisfiable sets by each of their constraints.
    satisfiable: Map<Term, Vec<Arc<[Term]>>>,
    recent: VecDeque<Assignment>,
}

impl Cache {
    pub fn new(functions: Arc<dyn Functions + Send + Sync>) -> Cache {
        Cache {
            functions,
            exact: Map::default(),
            unsatisfiable: Map::default(),
            satisfiable: Map::default(),
            recent: VecDeque::new(),
        }
    }

    fn find(&self, terms: &Terms, constraints: &[Term], set: &[Term]) -> Option<Answer> {
        if let Some(answer) = self.exact.get(set) {
            return Some(answer.clone());
        }
        if self.has_unsatisfiable_subset(set) {
            return Some(Answer::Unsatisfiable);
        }
        self.by_superset(set).or_else(|| self.by_recent_values(terms, constraints))
    }

    fn has_unsatisfiable_subset(&self, set: &[Term]) -> bool {
        let members: Set<Term> = set.iter().copied().collect();
        let candidates = set.iter().filter_map(|constraint| self.unsatisfiable.get(constraint)).flatten();
        candidates.into_iter().any(|candidate| candidate.iter().all(|constraint| members.contains(constraint)))
    }

    fn by_superset(&self, set: &[Term]) -> Option<Answer> {
        let lists: Option<Vec<_>> = set.iter().map(|constraint| self.satisfiable.get(constraint)).collect();
        let shortest = lists?.into_iter().min_by_key(|list| list.len())?;
        let mut newest = shortest.iter().rev().take(LOOKED_AT);
        let superset = newest.find(|candidate| is_subset(set, candidate))?;
        self.exact.get(superset).cloned()
    }

    fn by_recent_values(&self, terms: &Terms, constraints: &[Term]) -> Option<Answer> {
        let holds = |assignment: &&Assignment| all_hold(terms, constraints, assignment, &*self.functions);
        self.recent.iter().rev().find(holds).cloned().map(Answer::Satisfiable)
    }

    fn remember(&mut self, set: Arc<[Term]>, answer: &Answer) {
        if self.exact.len() >= MOST {
            *self = Cache { recent: std::mem::take(&mut self.recent), ..Cache::new(self.functions.clone()) };
        }
        if self.exact.insert(set.clone(), answer.clone()).is_some() {
            return;
        }
        match answer {
            Answer::Satisfiable(assignment) => {
                for constraint in &*set {
                    self.satisfiable.entry(*constraint).or_default().push(set.clone());
                }
                self.remember_values(assignment);
            }
            Answer::Unsatisfiable => {
                if let Some(last) = set.last() {
                    self.unsatisfiable.entry(*last).or_default().push(set.clone());
                }
            }
            Answer::Unknown(_) => {}
        }
    }

    /// Moves an assignment to the front, so that the most recently useful one is tried first.
    fn remember_values(&mut self, assignment: &Assignment) {
        self.recent.retain(|known| known != assignment);
        self.recent.push_back(assignment.clone());
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }
}

impl Layer for Cache {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn solve(&mut self, terms: &mut Terms, constraints: &[Term], next: &mut dyn Solver) -> Answer {
        let mut set = constraints.to_vec();
        set.sort_unstable();
        set.dedup();
        let found = self.find(terms, constraints, &set);
        let answer = found.unwrap_or_else(|| next.solve(terms, &set));
        // A solver that was only interrupted may know it the next time.
        if !matches!(answer, Answer::Unknown(_)) {
            self.remember(set.into(), &answer);
        }
        match answer {
            Answer::Satisfiable(assignment) => Answer::Satisfiable(relevant(terms, constraints, &assignment)),
            other => other,
        }
    }
}

/// The values of the symbols in the constraints; an earlier assignment may hold others as well.
fn relevant(terms: &mut Terms, constraints: &[Term], assignment: &Assignment) -> Assignment {
    let supports: Vec<_> = constraints.iter().map(|constraint| terms.support(*constraint)).collect();
    let symbols: Set<Term> = supports.iter().flat_map(|support| support.symbols.iter().copied()).collect();
    let functions: Set<_> = supports.iter().flat_map(|support| support.functions.iter().copied()).collect();
    assignment.restricted(|term| match terms.node(term) {
        Node::Apply(function, _) => functions.contains(function),
        _ => symbols.contains(&term),
    })
}

/// Returns whether one sorted list is a subset of another.
fn is_subset(small: &[Term], large: &[Term]) -> bool {
    small.len() <= large.len() && small.iter().all(|term| large.binary_search(term).is_ok())
}

#[cfg(test)]
mod tests {
    use super::super::scripted::Trying;
    use super::super::{Solver, Stage};
    use super::*;
    use crate::{Constant, NoFunctions, Sort};

    struct Fixture {
        terms: Terms,
        cache: Stage<Cache>,
        asked: Arc<std::sync::Mutex<Vec<Vec<Term>>>>,
        x: Term,
        y: Term,
    }

    impl Fixture {
        fn new() -> Fixture {
            let mut terms = Terms::new();
            let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
            let solver = Trying::default();
            let asked = solver.asked.clone();
            Fixture { terms, cache: Stage::new(Cache::new(Arc::new(NoFunctions)), Box::new(solver)), asked, x, y }
        }

        fn above(&mut self, symbol: Term, limit: i32) -> Term {
            let limit = self.terms.int(limit);
            self.terms.slt(limit, symbol)
        }

        fn solve(&mut self, constraints: &[Term]) -> Answer {
            self.cache.solve(&mut self.terms, constraints)
        }

        fn asked(&self) -> usize {
            self.asked.lock().unwrap().len()
        }
    }

    #[test]
    fn the_order_of_constraints_is_no_matter() {
        let mut fixture = Fixture::new();
        let (a, b) = (fixture.above(fixture.x, 2), fixture.above(fixture.y, 3));
        let first = fixture.solve(&[a, b]);
        assert_eq!(fixture.solve(&[b, a, b]), first);
        assert_eq!(fixture.asked(), 1);
    }

    #[test]
    fn supersets_of_the_impossible_are_impossible() {
        let mut fixture = Fixture::new();
        let (x, y) = (fixture.x, fixture.y);
        let (sum, product) = (fixture.terms.add(x, y), fixture.terms.mul(x, y));
        let (positive, odd) = (fixture.above(x, 0), fixture.terms.slt(sum, product));
        let impossible = fixture.terms.slt(x, y);
        let reverse = fixture.terms.slt(y, x);
        assert_eq!(fixture.solve(&[impossible, reverse]), Answer::Unsatisfiable);
        assert_eq!(fixture.solve(&[positive, reverse, odd, impossible]), Answer::Unsatisfiable);
        assert_eq!(fixture.asked(), 1);
    }

    #[test]
    fn subsets_of_the_possible_are_possible() {
        let mut fixture = Fixture::new();
        let (x, y) = (fixture.x, fixture.y);
        let (a, b, c) = (fixture.above(x, 1), fixture.above(y, 2), fixture.terms.slt(x, y));
        fixture.solve(&[a, b, c]);
        let Answer::Satisfiable(found) = fixture.solve(&[c, a]) else { panic!("no values found") };
        assert!(fixture.terms.evaluate(c, &found).is_true());
        let Answer::Satisfiable(found) = fixture.solve(&[a]) else { panic!("no values found") };
        assert_eq!((found.len(), found.get(y)), (1, None));
        assert_eq!(fixture.asked(), 1);
    }

    #[test]
    fn what_is_unknown_is_asked_again() {
        struct Interrupted(u32);
        impl Solver for Interrupted {
            fn solve(&mut self, _: &mut Terms, _: &[Term]) -> Answer {
                self.0 += 1;
                if self.0 == 1 { Answer::Unknown("interrupted".into()) } else { Answer::Unsatisfiable }
            }

            fn statistics(&self) -> super::super::Statistics {
                super::super::Statistics::default()
            }
        }
        let mut fixture = Fixture::new();
        fixture.cache = Stage::new(Cache::new(Arc::new(NoFunctions)), Box::new(Interrupted(0)));
        let above = fixture.above(fixture.x, 2);
        assert!(matches!(fixture.solve(&[above]), Answer::Unknown(_)));
        assert_eq!(fixture.solve(&[above]), Answer::Unsatisfiable);
    }

    #[test]
    fn earlier_values_are_tried() {
        let mut fixture = Fixture::new();
        let (five, three, seven) =
            (fixture.above(fixture.x, 5), fixture.above(fixture.x, 3), fixture.above(fixture.x, 7));
        fixture.solve(&[five]);
        let Answer::Satisfiable(found) = fixture.solve(&[three]) else { panic!("no values found") };
        assert_eq!(found.get(fixture.x), Some(Constant::bits(32, 6)));
        assert_eq!(fixture.asked(), 1);
        fixture.solve(&[seven]);
        assert_eq!(fixture.asked(), 2);
        let counts = fixture.cache.statistics().0[0];
        assert_eq!((counts.queries, counts.answered), (3, 1));
    }
}
