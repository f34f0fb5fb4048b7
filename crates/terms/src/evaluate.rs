//! Evaluation of terms under an assignment.
//!
//! The walk is iterative and visits every term at most once, however often it is used. Of a choice,
//! only the selected branch is visited.

use crate::fold::float_remainder;
use crate::terms::REMAINDER;
use crate::{Assignment, Constant, Map, Node, Sort, Term, Terms};

/// True values of functions that are uninterpreted for the solver.
pub trait Functions {
    /// The result of a call, if this function is known.
    fn call(&self, name: &str, arguments: &[Constant], sort: Sort) -> Option<Constant>;

    /// How far the true result may be from that of [`Functions::call`], in units in the last place.
    fn tolerance(&self, _name: &str, _arguments: &[Constant]) -> u32 {
        0
    }
}

/// An implementation of [`Functions`] that knows no function.
pub struct NoFunctions;

impl Functions for NoFunctions {
    fn call(&self, _: &str, _: &[Constant], _: Sort) -> Option<Constant> {
        None
    }
}

impl<F: Fn(&str, &[Constant], Sort) -> Option<Constant>> Functions for F {
    fn call(&self, name: &str, arguments: &[Constant], sort: Sort) -> Option<Constant> {
        self(name, arguments, sort)
    }
}

impl Terms {
    /// The value of a term under an assignment. Symbols and function applications without a value
    /// count as zero.
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Constant {
        Evaluation::new(self, assignment, &NoFunctions).value(term)
    }

    /// The value of a term, with function results taken from `functions` first and from the
    /// assignment otherwise.
    pub fn evaluate_with(&self, term: Term, assignment: &Assignment, functions: &dyn Functions) -> Constant {
        Evaluation::new(self, assignment, functions).value(term)
    }
}

/// Evaluates several terms under one assignment, each sub-term once.
pub struct Evaluation<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    functions: &'a dyn Functions,
    values: Map<Term, Constant>,
    guessed: bool,
}

impl<'a> Evaluation<'a> {
    pub fn new(terms: &'a Terms, assignment: &'a Assignment, functions: &'a dyn Functions) -> Self {
        Evaluation { terms, assignment, functions, values: Map::default(), guessed: false }
    }

    pub fn value(&mut self, term: Term) -> Constant {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.known(next).is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            if let Some(value) = self.step(next, &mut open) {
                self.values.insert(next, value);
                open.truncate(before - 1);
            }
        }
        self.known(term).expect("the walk ends when the term has a value")
    }

    /// Returns whether some value depends on a function result that neither the functions nor the
    /// assignment know.
    pub fn guessed(&self) -> bool {
        self.guessed
    }

    fn known(&self, term: Term) -> Option<Constant> {
        self.terms.constant(term).or_else(|| self.values.get(&term).copied())
    }

    /// The value of a term if its operands have theirs; otherwise pushes the missing operands.
    fn step(&mut self, term: Term, open: &mut Vec<Term>) -> Option<Constant> {
        match self.terms.node(term) {
            Node::Constant(value) => Some(*value),
            Node::Symbol => Some(self.symbol(term)),
            Node::Unary(operation, a) => Some(operation.apply(self.operand(*a, open)?)),
            Node::Binary(operation, a, b) => {
                let (x, y) = (self.operand(*a, open), self.operand(*b, open));
                Some(operation.apply(x?, y?))
            }
            Node::Choice(condition, a, b) => {
                let taken = if self.operand(*condition, open)?.is_true() { a } else { b };
                self.operand(*taken, open)
            }
            Node::Apply(function, arguments) => {
                let values: Vec<_> = arguments.iter().map(|argument| self.operand(*argument, open)).collect();
                let values: Option<Vec<_>> = values.into_iter().collect();
                let name = self.terms.function_name(*function);
                Some(self.application(term, name, &values?))
            }
        }
    }

    fn operand(&self, term: Term, open: &mut Vec<Term>) -> Option<Constant> {
        let known = self.known(term);
        if known.is_none() {
            open.push(term);
        }
        known
    }

    fn symbol(&self, term: Term) -> Constant {
        self.assignment.get(term).unwrap_or(Constant::zero(self.terms.sort(term))).canonical()
    }

    fn application(&mut self, term: Term, name: &str, arguments: &[Constant]) -> Constant {
        let sort = self.terms.sort(term);
        let value = true_value(name, arguments, sort, self.functions).or_else(|| self.assignment.get(term));
        self.guessed |= value.is_none();
        value.unwrap_or(Constant::zero(sort))
    }
}

/// The true value of a function, if it is known. Remainders of floats always are.
pub(crate) fn true_value(
    name: &str,
    arguments: &[Constant],
    sort: Sort,
    functions: &dyn Functions,
) -> Option<Constant> {
    if name == REMAINDER {
        return Some(float_remainder(arguments[0], arguments[1]));
    }
    functions.call(name, arguments, sort).map(Constant::canonical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_term_needs_no_deep_stack() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let mut deep = x;
        for _ in 0..100_000 {
            let product = terms.mul(deep, y);
            deep = terms.xor(product, x);
        }
        let assignment = [(x, Constant::bits(32, 3)), (y, Constant::bits(32, 5))].into_iter().collect();
        let expected = (0..100_000).fold(3u32, |value, _| value.wrapping_mul(5) ^ 3);
        assert_eq!(terms.evaluate(deep, &assignment), Constant::bits(32, u64::from(expected)));
        assert_eq!(*terms.symbols_in(deep), [x, y]);
        assert!(terms.show(deep).contains('x'));
    }

    #[test]
    fn shared_terms_are_evaluated_once() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(64));
        let doubled = (0..500).fold(x, |term, _| {
            let product = terms.mul(term, term);
            terms.xor(product, x)
        });
        let expected = (0..500).fold(7u64, |value, _| value.wrapping_mul(value) ^ 7);
        let assignment = [(x, Constant::bits(64, 7))].into_iter().collect();
        assert_eq!(terms.evaluate(doubled, &assignment), Constant::bits(64, expected));
    }

    #[test]
    fn function_results_come_from_functions_or_assignment() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Double);
        let sine = terms.apply("sin", &[x], Sort::Double);
        let mut assignment: Assignment = [(x, Constant::Double(1.0))].into_iter().collect();
        let known = |name: &str, arguments: &[Constant], _: Sort| match (name, arguments) {
            ("sin", [Constant::Double(value)]) => Some(Constant::Double(value.sin())),
            _ => None,
        };
        assert_eq!(terms.evaluate_with(sine, &assignment, &known), Constant::Double(1f64.sin()));
        assert_eq!(terms.evaluate(sine, &assignment), Constant::Double(0.0));
        assignment.set(sine, Constant::Double(0.5));
        assert_eq!(terms.evaluate(sine, &assignment), Constant::Double(0.5));
        let two = terms.double(2.0);
        let remainder = terms.frem(x, two);
        assert_eq!(terms.evaluate(remainder, &assignment), Constant::Double(1.0));
    }
}
