//! Folding: values that constraints state are substituted in the others.
//!
//! Conjunctions are split. A constraint like `x == 5` gives `x` its value and is removed; the
//! others are simplified with it, which may give further values. Contradictions are answered
//! directly, and so are queries of which nothing is left.

use super::{Answer, Layer, Solver};
use crate::{Assignment, Binary, Constant, Node, Set, Substitution, Term, Terms, Unary};

/// A layer that substitutes the values that constraints state.
#[derive(Default)]
pub struct Folding;

impl Layer for Folding {
    fn name(&self) -> &'static str {
        "folding"
    }

    fn solve(&mut self, terms: &mut Terms, constraints: &[Term], next: &mut dyn Solver) -> Answer {
        let Some((values, rest)) = fold(terms, constraints) else { return Answer::Unsatisfiable };
        if rest.is_empty() {
            return Answer::Satisfiable(values);
        }
        match next.solve(terms, &rest) {
            Answer::Satisfiable(assignment) => Answer::Satisfiable(values.joined(&assignment)),
            other => other,
        }
    }
}

/// The values that constraints give to symbols, and the remaining constraints; `None` if they
/// contradict each other.
fn fold(terms: &mut Terms, constraints: &[Term]) -> Option<(Assignment, Vec<Term>)> {
    let mut values = Assignment::new();
    let mut rest = take_apart(terms, constraints)?;
    loop {
        let mut found = Substitution::new();
        for constraint in &rest {
            let Some((symbol, value)) = stated_value(terms, *constraint) else { continue };
            if values.get(symbol).is_some_and(|before| before != value) {
                return None;
            }
            values.set(symbol, value);
            let value = terms.value(value);
            found.replace(symbol, value);
        }
        if found.is_empty() {
            return Some((values, rest));
        }
        let simplified: Vec<Term> = rest.iter().map(|constraint| found.apply(terms, *constraint)).collect();
        rest = take_apart(terms, &simplified)?;
    }
}

/// Splits conjunctions and removes duplicates; `None` if a constraint is false or the negation of
/// another.
fn take_apart(terms: &mut Terms, constraints: &[Term]) -> Option<Vec<Term>> {
    let mut open: Vec<Term> = constraints.iter().rev().copied().collect();
    let (mut seen, mut result) = (Set::default(), Vec::new());
    while let Some(constraint) = open.pop() {
        match *terms.node(constraint) {
            Node::Constant(value) if value.is_true() => continue,
            Node::Constant(_) => return None,
            _ if !seen.insert(constraint) => continue,
            Node::Binary(Binary::Conjunction, a, b) => open.extend([b, a]),
            _ => result.push(constraint),
        }
    }
    let contradicted = result.iter().any(|constraint| seen.contains(&terms.not(*constraint)));
    (!contradicted).then_some(result)
}

/// The symbol and its value, if the constraint states exactly that.
fn stated_value(terms: &Terms, constraint: Term) -> Option<(Term, Constant)> {
    match *terms.node(constraint) {
        Node::Symbol => Some((constraint, Constant::Bool(true))),
        Node::Unary(Unary::Not, a) if is_symbol(terms, a) => Some((a, Constant::Bool(false))),
        Node::Binary(Binary::Equal, a, b) if is_symbol(terms, a) => Some((a, terms.constant(b)?)),
        _ => None,
    }
}

fn is_symbol(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term), Node::Symbol)
}

#[cfg(test)]
mod tests {
    use super::super::scripted::Trying;
    use super::super::{Solver, Stage};
    use super::*;
    use crate::Sort;

    #[test]
    fn values_that_follow_from_each_other_need_no_solver() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let (three, sum, ten) = (terms.int(3), terms.add(x, y), terms.int(10));
        let constraints = [terms.equals(sum, ten), terms.equals(x, three)];
        let solver = Trying::default();
        let asked = solver.asked.clone();
        let mut folding = Stage::new(Folding, Box::new(solver));
        let Answer::Satisfiable(found) = folding.solve(&mut terms, &constraints) else { panic!("no values found") };
        assert_eq!(found.get(y), Some(Constant::bits(32, 7)));
        let four = terms.int(4);
        let contradiction = [constraints[0], constraints[1], terms.equals(y, four)];
        assert_eq!(folding.solve(&mut terms, &contradiction), Answer::Unsatisfiable);
        assert!(asked.lock().unwrap().is_empty());
        let counts = folding.statistics().0[0];
        assert_eq!((counts.queries, counts.answered), (2, 2));
    }

    #[test]
    fn opposites_contradict() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let (product, limit) = (terms.mul(x, y), terms.int(100));
        let small = terms.slt(product, limit);
        let large = terms.not(small);
        let mut folding = Stage::new(Folding, Box::new(Trying::default()));
        assert_eq!(folding.solve(&mut terms, &[small, large]), Answer::Unsatisfiable);
    }

    #[test]
    fn remaining_constraints_are_passed_on_simplified() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let (two, product, ten) = (terms.int(2), terms.mul(x, y), terms.int(10));
        let constraints = [terms.equals(x, two), terms.slt(ten, product)];
        let both = terms.all(&constraints);
        let solver = Trying::default();
        let asked = solver.asked.clone();
        let mut folding = Stage::new(Folding, Box::new(solver));
        let Answer::Satisfiable(found) = folding.solve(&mut terms, &[both]) else { panic!("no values found") };
        assert!(terms.evaluate(both, &found).is_true());
        let doubled = terms.mul(y, two);
        assert_eq!(*asked.lock().unwrap(), [[terms.slt(ten, doubled)]]);
    }
}
