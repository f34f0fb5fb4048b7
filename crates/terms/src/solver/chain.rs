//! The layers of a chain, and their order.

use super::{Answer, Cache, Folding, Guessing, Independence, Layer, Refinement, Solver, Stage, Statistics, Validation};
use crate::evaluate::{Functions, NoFunctions};
use crate::smt::{SmtSolver, SolverError};
use crate::{Curfew, Term, Terms};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Configuration of a chain. By default everything is on except validation.
#[derive(Clone)]
pub struct Config {
    pub folding: bool,
    pub independence: bool,
    pub cache: bool,
    /// Whether to try some values before asking the solver about floats.
    pub guessing: bool,
    /// Whether to check every answer, also against a second solver without layers. A wrong answer
    /// panics. For tests.
    pub validation: bool,
    pub backend: Backend,
    /// The time limit for one query; a query that takes longer answers "unknown".
    pub time_limit: Duration,
    /// Interrupts the current query and all later ones.
    pub curfew: Curfew,
    /// True values of uninterpreted functions, as far as they are known.
    pub functions: Arc<dyn Functions + Send + Sync>,
}

/// The SMT solver to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backend {
    /// `$LAPIDARY_SOLVER` or `$LAPIDARY_Z3`; without them libz3 or `z3 -in`, whichever is
    /// installed.
    Automatic,
    /// Z3's shared library.
    Library(PathBuf),
    /// A program with arguments that reads SMT-LIB 2.
    Command(String),
}

impl Default for Config {
    fn default() -> Self {
        Config {
            folding: true,
            independence: true,
            cache: true,
            guessing: true,
            validation: false,
            backend: Backend::Automatic,
            time_limit: Duration::from_secs(5),
            curfew: Curfew::default(),
            functions: Arc::new(NoFunctions),
        }
    }
}

impl Config {
    /// The configuration of an SMT solver without any layer that saves it work.
    pub fn plain() -> Config {
        Config { folding: false, independence: false, cache: false, guessing: false, ..Config::default() }
    }

    /// Builds the chain, from the outside in: validation, folding, independence, cache, guessing,
    /// refinement, solver.
    pub fn build(&self) -> Result<Chain, SolverError> {
        let mut solver = self.checked_solver()?;
        if self.guessing {
            solver = stage(Guessing::new(self.functions.clone()), solver);
        }
        if self.cache {
            solver = stage(Cache::new(self.functions.clone()), solver);
        }
        if self.independence {
            solver = stage(Independence, solver);
        }
        if self.folding {
            solver = stage(Folding, solver);
        }
        if self.validation {
            let validation = Validation::new(self.checked_solver()?, self.functions.clone());
            solver = stage(validation, solver);
        }
        Ok(Chain(solver))
    }

    fn checked_solver(&self) -> Result<Box<dyn Solver>, SolverError> {
        let solver = Box::new(SmtSolver::new(&self.backend, self.time_limit)?.ended_by(self.curfew.clone()));
        Ok(stage(Refinement::new(self.functions.clone()), solver))
    }
}

fn stage(layer: impl Layer + 'static, next: Box<dyn Solver>) -> Box<dyn Solver> {
    Box::new(Stage::new(layer, next))
}

/// A chain of solvers, ready for queries.
pub struct Chain(Box<dyn Solver>);

impl Chain {
    /// Creates a chain that ends in any solver. [`Chain::with`] adds layers in front of it.
    pub fn new(solver: impl Solver + 'static) -> Chain {
        Chain(Box::new(solver))
    }

    /// Adds a layer in front of the chain.
    pub fn with(self, layer: impl Layer + 'static) -> Chain {
        Chain(stage(layer, self.0))
    }
}

impl Solver for Chain {
    fn solve(&mut self, terms: &mut Terms, constraints: &[Term]) -> Answer {
        self.0.solve(terms, constraints)
    }

    fn statistics(&self) -> Statistics {
        self.0.statistics()
    }
}
