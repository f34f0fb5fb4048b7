//! Substitution of terms by known ones.

use crate::{Map, Node, Term, Terms};

/// A map of replacements. Results are cached, so rewriting several terms costs no more than the
/// parts they share.
#[derive(Default)]
pub struct Substitution {
    results: Map<Term, Term>,
}

impl Substitution {
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Adds a replacement.
    ///
    /// # Panics
    /// If the term was already rewritten, because cached results would be wrong.
    pub fn replace(&mut self, term: Term, by: Term) {
        let before = self.results.insert(term, by);
        assert!(before.is_none_or(|before| before == by), "a term is replaced by one thing");
    }

    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// The term with all replacements applied, simplified.
    pub fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.results.contains_key(&next) {
                open.pop();
                continue;
            }
            let waiting = open.len();
            let operands = terms.node(next).operands();
            open.extend(operands.iter().filter(|operand| !self.results.contains_key(*operand)));
            if open.len() == waiting {
                let result = self.rebuild(terms, next);
                self.results.insert(next, result);
                open.pop();
            }
        }
        self.results[&term]
    }

    fn rebuild(&self, terms: &mut Terms, term: Term) -> Term {
        let result = |operand: &Term| self.results[operand];
        let node = terms.node(term);
        if node.operands().iter().all(|operand| result(operand) == *operand) {
            return term;
        }
        match node.clone() {
            Node::Constant(_) | Node::Symbol => term,
            Node::Unary(operation, a) => terms.unary(operation, result(&a)),
            Node::Binary(operation, a, b) => terms.binary(operation, result(&a), result(&b)),
            Node::Choice(condition, a, b) => terms.ite(result(&condition), result(&a), result(&b)),
            Node::Apply(function, arguments) => {
                let arguments: Vec<Term> = arguments.iter().map(result).collect();
                terms.apply_again(function, &arguments)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn known_values_are_folded() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let five = terms.int(5);
        let product = terms.mul(x, y);
        let sum = terms.add(product, x);
        let mut known = Substitution::new();
        known.replace(x, five);
        let result = known.apply(&mut terms, sum);
        let plain = terms.mul(y, five);
        assert_eq!(result, terms.add(plain, five));
        assert_eq!(known.apply(&mut terms, y), y);
    }

    #[test]
    fn remainders_of_known_floats_are_folded() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Double);
        let (two, seven, one) = (terms.double(2.0), terms.double(7.0), terms.double(1.0));
        let remainder = terms.frem(x, two);
        let mut known = Substitution::new();
        known.replace(x, seven);
        assert_eq!(known.apply(&mut terms, remainder), one);
    }
}
