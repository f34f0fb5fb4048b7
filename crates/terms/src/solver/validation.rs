//! Validation: every answer is checked. For tests.
//!
//! Values must satisfy each constraint when it is evaluated, and a second solver, given the same
//! query, must not contradict the answer. A wrong answer is a bug of a layer, so it is a panic.

use super::{Answer, Layer, Solver, all_hold};
use crate::{Functions, Term, Terms};
use std::sync::Arc;

/// A layer that checks every answer and panics if it is wrong.
pub struct Validation {
    plain: Box<dyn Solver>,
    functions: Arc<dyn Functions + Send + Sync>,
}

impl Validation {
    /// Creates a validation that compares answers with those of `plain`.
    pub fn new(plain: Box<dyn Solver>, functions: Arc<dyn Functions + Send + Sync>) -> Validation {
        Validation { plain, functions }
    }
}

impl Layer for Validation {
    fn name(&self) -> &'static str {
        "validation"
    }

    /// Passes the query on and checks the answer.
    ///
    /// # Panics
    /// If the answer is wrong.
    fn solve(&mut self, terms: &mut Terms, constraints: &[Term], next: &mut dyn Solver) -> Answer {
        let answer = next.solve(terms, constraints);
        if let Answer::Satisfiable(assignment) = &answer {
            let holds = all_hold(terms, constraints, assignment, &*self.functions);
            assert!(holds, "{assignment:?} does not satisfy\n{}", show(terms, constraints));
        }
        match (&answer, self.plain.solve(terms, constraints)) {
            (Answer::Satisfiable(_), Answer::Unsatisfiable) | (Answer::Unsatisfiable, Answer::Satisfiable(_)) => {
                panic!("the chain says {answer:?}, the plain solver the opposite, of\n{}", show(terms, constraints))
            }
            _ => answer,
        }
    }
}

fn show(terms: &Terms, constraints: &[Term]) -> String {
    constraints.iter().map(|constraint| terms.show(*constraint) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::super::scripted::Trying;
    use super::super::{Stage, Statistics};
    use super::*;
    use crate::{NoFunctions, Sort};

    struct Wrong(Answer);

    impl Solver for Wrong {
        fn solve(&mut self, _: &mut Terms, _: &[Term]) -> Answer {
            self.0.clone()
        }

        fn statistics(&self) -> Statistics {
            Statistics::default()
        }
    }

    fn ask(answer: Answer) -> Answer {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let three = terms.int(3);
        let constraint = terms.slt(three, x);
        let validation = Validation::new(Box::new(Trying::default()), Arc::new(NoFunctions));
        Stage::new(validation, Box::new(Wrong(answer))).solve(&mut terms, &[constraint])
    }

    #[test]
    #[should_panic(expected = "does not satisfy")]
    fn wrong_values_are_noticed() {
        ask(Answer::Satisfiable(Default::default()));
    }

    #[test]
    #[should_panic(expected = "the opposite")]
    fn wrong_contradictions_are_noticed() {
        ask(Answer::Unsatisfiable);
    }

    #[test]
    fn not_knowing_is_not_wrong() {
        assert_eq!(ask(Answer::Unknown("tired".into())), Answer::Unknown("tired".into()));
    }
}
