//! Refinement: values that do not satisfy the constraints never leave the solver.
//!
//! For the SMT solver, remainders of floats and `Math.sin` are functions that could have any
//! values. Where the true values are known, an answer that assumes others is turned into a lemma
//! ("for these arguments the result is that") and the solver is asked again. After a few rounds the
//! answer is "unknown".

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
                mistakes.push(Mistake { application, arguments: values, result });
            }
        }
        mistakes
    }
}

struct Mistake {
    application: Term,
    arguments: Vec<Constant>,
    result: Constant,
}

impl Mistake {
    /// The lemma that states the true result for these arguments.
    fn lemma(&self, terms: &mut Terms) -> Term {
        let Node::Apply(_, arguments) = terms.node(self.application).clone() else {
            unreachable!("mistakes are about applications")
        };
        let result = terms.value(self.result);
        let mut lemma = terms.equals(self.application, result);
        for (argument, value) in arguments.iter().zip(&self.arguments) {
            let value = terms.value(*value);
            let equal = terms.equals(*argument, value);
            let differs = terms.not(equal);
            lemma = terms.or_bool(differs, lemma);
        }
        lemma
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
            refined.extend(mistakes.iter().map(|mistake| mistake.lemma(terms)));
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
