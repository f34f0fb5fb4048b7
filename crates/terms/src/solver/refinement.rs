//! Refinement: values that do not satisfy the constraints never leave the solver.
//!
//! For the SMT solver, remainders of floats and `Math.sin` are functions that could have any
//! values. Where the true values are known, an answer that assumes others is turned into a lemma
//! ("for these arguments the result is that") and the solver is asked again. After a few rounds the
//! answer is "unknown". Where the last bits of a result are not certain, the lemma gives a range, so
//! that nothing is impossible only because of these bits.

use super::{Answer, Layer, Solver, all_hold};
use crate::evaluate::{Evaluation, true_value};
use crate::{Assignment, Constant, Functions, Node, Term, Terms};
use std::sync::Arc;

const ROUNDS: usize = 8;

/// A layer that corrects wrong assumptions about functions.
pub struct Refinement {
    functions: Arc<dyn Functions + Send + Sync>,
}

impl Refinement {
    pub fn new(functions: Arc<dyn Functions + Send + Sync>) -> Refinement {
        Refinement { functions }
    }

    /// The applications for which the assignment assumes a wrong result.
    fn mistakes(&self, terms: &Terms, constraints: &[Term], assignment: &Assignment) -> Vec<Mistake> {
        let mut evaluation = Evaluation::new(terms, assignment, &*self.functions);
        let mut mistakes = Vec::new();
        for application in terms.reachable(constraints) {
            let Node::Apply(function, arguments) = terms.node(application) else { continue };
            let values: Vec<Constant> = arguments.iter().map(|argument| evaluation.value(*argument)).collect();
            let name = terms.function_name(*function);
            let truth = true_value(name, &values, terms.sort(application), &*self.functions);
            if let Some(result) = truth.filter(|truth| assignment.get(application) != Some(*truth)) {
                let tolerance = self.functions.tolerance(name, &values);
                mistakes.push(Mistake { application, arguments: values, result, tolerance });
            }
        }
        mistakes
    }
}

struct Mistake {
    application: Term,
    arguments: Vec<Constant>,
    result: Constant,
    /// How far the result may be from the true one, in units in the last place.
    tolerance: u32,
}

impl Mistake {
    /// The lemma that states the true result for these arguments.
    fn lemma(&self, terms: &mut Terms) -> Term {
        let Node::Apply(_, arguments) = terms.node(self.application).clone() else {
            unreachable!("mistakes are about applications")
        };
        let mut lemma = self.result_is_near(terms);
        for (argument, value) in arguments.iter().zip(&self.arguments) {
            let value = terms.value(*value);
            let equal = terms.equals(*argument, value);
            let differs = terms.not(equal);
            lemma = terms.or_bool(differs, lemma);
        }
        lemma
    }

    fn result_is_near(&self, terms: &mut Terms) -> Term {
        let result = match self.result {
            Constant::Double(result) if self.tolerance > 0 && !result.is_nan() => result,
            result => {
                let result = terms.value(result);
                return terms.equals(self.application, result);
            }
        };
        let (mut low, mut high) = (result, result);
        for _ in 0..self.tolerance {
            (low, high) = (low.next_down(), high.next_up());
        }
        let (low, high) = (terms.double(low), terms.double(high));
        let (above, below) = (terms.fle(low, self.application), terms.fle(self.application, high));
        terms.and_bool(above, below)
    }
}

impl Layer for Refinement {
    fn name(&self) -> &'static str {
        "refinement"
    }

    fn solve(&mut self, terms: &mut Terms, constraints: &[Term], next: &mut dyn Solver) -> Answer {
        let mut refined = constraints.to_vec();
        for _ in 0..ROUNDS {
            let mut assignment = match next.solve(terms, &refined) {
                Answer::Satisfiable(assignment) => assignment,
                other => return other,
            };
            let mistakes = self.mistakes(terms, constraints, &assignment);
            mistakes.iter().for_each(|mistake| assignment.set(mistake.application, mistake.result));
            if all_hold(terms, constraints, &assignment, &*self.functions) {
                return Answer::Satisfiable(assignment);
            }
            if mistakes.is_empty() {
                return Answer::Unknown("the solver's values do not satisfy the constraints".into());
            }
            let known = refined.len();
            for mistake in &mistakes {
                let lemma = mistake.lemma(terms);
                if !refined.contains(&lemma) {
                    refined.push(lemma);
                }
            }
            if refined.len() == known {
                return Answer::Unknown("it depends on the last bits of a function's result".into());
            }
        }
        Answer::Unknown("no values were found that fit the true results of functions".into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Stage, Statistics};
    use super::*;
    use crate::{NoFunctions, Sort};
    use std::collections::VecDeque;

    /// A solver that gives prepared answers and records how many constraints each query had.
    struct Prepared(VecDeque<Answer>, Arc<std::sync::Mutex<Vec<usize>>>);

    impl Solver for Prepared {
        fn solve(&mut self, _: &mut Terms, constraints: &[Term]) -> Answer {
            self.1.lock().unwrap().push(constraints.len());
            self.0.pop_front().unwrap_or(Answer::Unsatisfiable)
        }

        fn statistics(&self) -> Statistics {
            Statistics::default()
        }
    }

    #[test]
    fn wrong_remainders_are_corrected() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Double);
        let (two, one) = (terms.double(2.0), terms.double(1.0));
        let remainder = terms.frem(x, two);
        let is_one = terms.feq(remainder, one);
        let answer = |value: f64| {
            let entries = [(x, Constant::Double(value)), (remainder, Constant::Double(1.0))];
            Answer::Satisfiable(entries.into_iter().collect())
        };
        let seen = Arc::default();
        let prepared = Prepared([answer(4.0), answer(5.0)].into(), Arc::clone(&seen));
        let mut refinement = Stage::new(Refinement::new(Arc::new(NoFunctions)), Box::new(prepared));
        assert_eq!(refinement.solve(&mut terms, &[is_one]), answer(5.0));
        assert_eq!(*seen.lock().unwrap(), [1, 2]);
    }

    #[test]
    fn uncertain_bits_make_nothing_impossible() {
        struct Rough;
        impl Functions for Rough {
            fn call(&self, _: &str, _: &[Constant], _: Sort) -> Option<Constant> {
                Some(Constant::Double(1.0))
            }

            fn tolerance(&self, _: &str, _: &[Constant]) -> u32 {
                2
            }
        }
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Double);
        let rough = terms.apply("rough", &[x], Sort::Double);
        let near = terms.double(1.0f64.next_up());
        let is_near = terms.feq(rough, near);
        let entries = [(x, Constant::Double(0.0)), (rough, Constant::Double(1.0f64.next_up()))];
        let answer = Answer::Satisfiable(entries.into_iter().collect());
        let seen = Arc::default();
        let prepared = Prepared([answer.clone(), answer].into(), Arc::clone(&seen));
        let mut refinement = Stage::new(Refinement::new(Arc::new(Rough)), Box::new(prepared));
        assert!(matches!(refinement.solve(&mut terms, &[is_near]), Answer::Unknown(_)));
        assert_eq!(*seen.lock().unwrap(), [1, 2]);
    }

    #[test]
    fn values_that_do_not_fit_are_no_answer() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let ten = terms.int(10);
        let large = terms.slt(ten, x);
        let wrong = Answer::Satisfiable([(x, Constant::bits(32, 3))].into_iter().collect());
        let prepared = Prepared([wrong].into(), Arc::default());
        let mut refinement = Stage::new(Refinement::new(Arc::new(NoFunctions)), Box::new(prepared));
        assert!(matches!(refinement.solve(&mut terms, &[large]), Answer::Unknown(_)));
    }
}
