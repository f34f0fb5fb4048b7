//! The support of a term: its symbols, and the uninterpreted functions in it.
//!
//! Sets are cached only for the terms that were asked for, not for those in between. Therefore a
//! chain of a hundred thousand terms costs one walk and one set.

use crate::{Function, Map, Node, Set, Term, Terms};
use std::sync::Arc;

/// Symbols and functions, each in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Support {
    pub symbols: Arc<[Term]>,
    pub functions: Arc<[Function]>,
}

pub(crate) type Supports = Map<Term, Arc<Support>>;

impl Terms {
    /// The symbols in a term, in order.
    pub fn symbols_in(&mut self, term: Term) -> Arc<[Term]> {
        self.support(term).symbols.clone()
    }

    /// The symbols and functions that a term's value depends on.
    pub fn support(&mut self, term: Term) -> Arc<Support> {
        if let Some(known) = self.supports.get(&term) {
            return known.clone();
        }
        let found = Arc::new(self.find_support(term));
        self.supports.insert(term, found.clone());
        found
    }

    fn find_support(&self, term: Term) -> Support {
        let (mut symbols, mut functions) = (Vec::new(), Vec::new());
        self.walk(&[term], |term, node| {
            if let Some(known) = self.supports.get(&term) {
                symbols.extend_from_slice(&known.symbols);
                functions.extend_from_slice(&known.functions);
                return false;
            }
            match node {
                Node::Symbol => symbols.push(term),
                Node::Apply(function, _) => functions.push(*function),
                _ => {}
            }
            true
        });
        Support { symbols: sorted(symbols), functions: sorted(functions) }
    }

    /// All subterms of the given terms, including themselves, operands first.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        self.walk(roots, |term, _| {
            found.push(term);
            true
        });
        found.sort_unstable();
        found
    }

    /// Visits each subterm of the roots once; `visit` decides whether to continue with its
    /// operands.
    pub(crate) fn walk(&self, roots: &[Term], mut visit: impl FnMut(Term, &Node) -> bool) {
        let mut seen: Set<Term> = Set::default();
        let mut open: Vec<Term> = roots.to_vec();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.node(term);
            if visit(term, node) {
                open.extend_from_slice(&node.operands());
            }
        }
    }
}

fn sorted<T: Ord + Clone>(mut items: Vec<T>) -> Arc<[T]> {
    items.sort_unstable();
    items.dedup();
    items.into()
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn symbols_and_functions_are_found_once() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Double));
        let (sine, sum) = (terms.apply("sin", &[y], Sort::Double), terms.fadd(x, y));
        let product = terms.fmul(sine, sum);
        assert_eq!(*terms.symbols_in(product), [x, y]);
        assert_eq!(*terms.symbols_in(sine), [y]);
        assert_eq!(terms.support(product).functions.len(), 1);
        let larger = terms.fadd(product, sine);
        assert_eq!(*terms.symbols_in(larger), [x, y]);
    }
}
