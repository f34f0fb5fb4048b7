//! Solvers, and layers that answer some queries themselves and pass on the rest.
//!
//! After KLEE (Cadar, Dunbar, Engler, OSDI 2008): most queries of a symbolic execution are simple,
//! or were asked before, and a chain of small decorators answers them long before an SMT solver
//! would.

mod cache;
mod chain;
mod folding;
mod guessing;
mod independence;
mod refinement;
mod statistics;
mod validation;

pub use cache::Cache;
pub use chain::{Backend, Chain, Config};
pub use folding::Folding;
pub use guessing::Guessing;
pub use independence::Independence;
pub use refinement::Refinement;
pub use statistics::{LayerCounts, Statistics};
pub use validation::Validation;

use crate::evaluate::{Evaluation, Functions};
use crate::{Assignment, Term, Terms};
use std::time::Instant;

/// The answer to whether constraints can hold together.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The constraints hold under these values. Symbols without a value may have any.
    Satisfiable(Assignment),
    Unsatisfiable,
    /// The answer is unknown for this reason.
    Unknown(String),
}

/// Finds values that satisfy constraints.
pub trait Solver: Send {
    fn solve(&mut self, terms: &mut Terms, constraints: &[Term]) -> Answer;

    /// Statistics of every layer, outermost first.
    fn statistics(&self) -> Statistics;
}

/// A layer, which answers queries itself or with the help of the next solver.
pub trait Layer: Send {
    fn name(&self) -> &'static str;

    fn solve(&mut self, terms: &mut Terms, constraints: &[Term], next: &mut dyn Solver) -> Answer;
}

/// A layer together with the solver below it; counts and times its queries.
pub struct Stage<L> {
    layer: L,
    next: Box<dyn Solver>,
    counts: LayerCounts,
}

impl<L: Layer> Stage<L> {
    pub fn new(layer: L, next: Box<dyn Solver>) -> Stage<L> {
        let counts = LayerCounts::new(layer.name());
        Stage { layer, next, counts }
    }
}

impl<L: Layer> Solver for Stage<L> {
    fn solve(&mut self, terms: &mut Terms, constraints: &[Term]) -> Answer {
        let start = Instant::now();
        let mut next = Asked { solver: &mut *self.next, times: 0 };
        let answer = self.layer.solve(terms, constraints, &mut next);
        self.counts.answered += u64::from(next.times == 0);
        self.counts.queries += 1;
        self.counts.time += start.elapsed();
        answer
    }

    fn statistics(&self) -> Statistics {
        self.next.statistics().below(self.counts)
    }
}

/// The next solver, with a count of the queries sent to it.
struct Asked<'a> {
    solver: &'a mut dyn Solver,
    times: u64,
}

impl Solver for Asked<'_> {
    fn solve(&mut self, terms: &mut Terms, constraints: &[Term]) -> Answer {
        self.times += 1;
        self.solver.solve(terms, constraints)
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}

/// Returns whether all constraints hold. A result that depends on an unknown function value counts
/// as false.
fn all_hold(terms: &Terms, constraints: &[Term], assignment: &Assignment, functions: &dyn Functions) -> bool {
    let mut evaluation = Evaluation::new(terms, assignment, functions);
    // The newest constraint comes first, because earlier assignments were not found for it.
    constraints.iter().rev().all(|constraint| evaluation.value(*constraint).is_true()) && !evaluation.guessed()
}

#[cfg(test)]
mod scripted {
    use super::*;

    /// A solver for tests of layers. It finds small values by trial and records its queries.
    #[derive(Default)]
    pub struct Trying {
        pub asked: std::sync::Arc<std::sync::Mutex<Vec<Vec<Term>>>>,
    }

    impl Solver for Trying {
        fn solve(&mut self, terms: &mut Terms, constraints: &[Term]) -> Answer {
            self.asked.lock().unwrap().push(constraints.to_vec());
            let all = terms.all(constraints);
            let symbols = terms.symbols_in(all);
            let width = 6 / symbols.len().max(1) as u32;
            (0..1u64 << (width * symbols.len() as u32))
                .map(|number| assignment(terms, &symbols, number, width))
                .find(|candidate| terms.evaluate(all, candidate).is_true())
                .map_or(Answer::Unsatisfiable, Answer::Satisfiable)
        }

        fn statistics(&self) -> Statistics {
            Statistics::default()
        }
    }

    fn assignment(terms: &Terms, symbols: &[Term], number: u64, width: u32) -> Assignment {
        let value = |index: usize| number >> (index as u32 * width) & ((1 << width) - 1);
        let entry = |(index, symbol): (usize, &Term)| {
            (*symbol, crate::Constant::bits(terms.sort(*symbol).width(), value(index)))
        };
        symbols.iter().enumerate().map(entry).collect()
    }
}
