//! Which layers a chain has, and in which order.

use super::{Answer, Cache, Folding, Guessing, Independence, Layer, Refinement, Solver, Stage, Statistics, Validation};
use crate::evaluate::{Functions, NoFunctions};
use crate::smt::{SmtSolver, SolverError};
use crate::{Interrupt, Term, Terms};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Switches for what a chain is made of. By default all is on but validation.
#[derive(Clone)]
pub struct Config {
    pub folding: bool,
    pub independence: bool,
    pub cache: bool,
    /// Try some values before the solver is asked about floats.
    pub guessing: bool,
    /// Check every answer, also against a second solver without layers; wrong ones panic. For tests.
    pub validation: bool,
    pub backend: Backend,
    /// For one question; what takes longer is unknown.
    pub time_limit: Duration,
    /// Ends the question that is being answered, and all that come.
    pub interrupt: Interrupt,
    /// True values of uninterpreted functions, as far as they are known.
    pub functions: Arc<dyn Functions + Send + Sync>,
}

/// Which SMT solver is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backend {
    /// `$LAPIDARY_SOLVER` or `$LAPIDARY_Z3`; without them libz3 or `z3 -in`, whichever is there.
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
            interrupt: Interrupt::default(),
            functions: Arc::new(NoFunctions),
        }
    }
}

impl Config {
    /// The SMT solver without any layer that saves it work.
    pub fn plain() -> Config {
        Config { folding: false, independence: false, cache: false, guessing: false, ..Config::default() }
    }

    /// The chain, from the outside: validation, folding, independence, cache, guessing, refinement, solver.
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
        let solver = Box::new(SmtSolver::new(&self.backend, self.time_limit)?.ended_by(self.interrupt.clone()));
        Ok(stage(Refinement::new(self.functions.clone()), solver))
    }
}

fn stage(layer: impl Layer + 'static, next: Box<dyn Solver>) -> Box<dyn Solver> {
    Box::new(Stage::new(layer, next))
}

/// Solvers that ask each other, ready to be asked.
pub struct Chain(Box<dyn Solver>);

impl Chain {
    /// A chain that ends in any solver, with any layers put before it by [`Chain::with`].
    pub fn new(solver: impl Solver + 'static) -> Chain {
        Chain(Box::new(solver))
    }

    /// The chain with one more layer, which is asked first.
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
