//! Guessing: for queries about floats, a few values are tried before the solver is asked.
//!
//! SMT solvers are slowest at floats, and queries that come from programs often have many answers:
//! nearly every three doubles show that addition is not associative. A guess is checked by
//! evaluation; a failed guess says nothing.

use super::{Answer, Layer, Solver, all_hold};
use crate::{Assignment, Constant, Functions, Node, Set, Sort, Term, Terms, Unary};
use lapidary_common::Random;
use std::sync::Arc;

/// The number of assignments to try.
const GUESSES: u64 = 100;

/// A layer that tries some values for queries about floats.
pub struct Guessing {
    functions: Arc<dyn Functions + Send + Sync>,
}

impl Guessing {
    pub fn new(functions: Arc<dyn Functions + Send + Sync>) -> Guessing {
        Guessing { functions }
    }
}

impl Layer for Guessing {
    fn name(&self) -> &'static str {
        "guessing"
    }

    fn solve(&mut self, terms: &mut Terms, constraints: &[Term], next: &mut dyn Solver) -> Answer {
        let reachable = terms.reachable(constraints);
        if reachable.iter().all(|term| !is_float(terms.sort(*term))) {
            return next.solve(terms, constraints);
        }
        let bits_of_floats: Set<Term> = reachable.iter().filter_map(|term| bits_of_float(terms, *term)).collect();
        let mut symbols: Vec<Term> =
            constraints.iter().flat_map(|constraint| terms.symbols_in(*constraint).to_vec()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        for number in 0..GUESSES {
            let mut dice = Dice(Random::new(number));
            let mut value = |symbol| match (terms.sort(symbol), bits_of_floats.contains(&symbol)) {
                (Sort::Bits(32), true) => Constant::bits(32, (dice.float() as f32).to_bits().into()),
                (Sort::Bits(64), true) => Constant::bits(64, dice.float().to_bits()),
                (sort, _) => dice.value(sort),
            };
            let guess: Assignment = symbols.iter().map(|symbol| (*symbol, value(*symbol))).collect();
            if all_hold(terms, constraints, &guess, &*self.functions) {
                return Answer::Satisfiable(guess);
            }
        }
        next.solve(terms, constraints)
    }
}

/// The bits that a float is made from.
fn bits_of_float(terms: &Terms, term: Term) -> Option<Term> {
    match *terms.node(term) {
        Node::Unary(Unary::FromRawBits, bits) => Some(bits),
        _ => None,
    }
}

fn is_float(sort: Sort) -> bool {
    matches!(sort, Sort::Single | Sort::Double)
}

/// A deterministic pseudo-random number generator.
struct Dice(Random);

impl Dice {
    fn value(&mut self, sort: Sort) -> Constant {
        match sort {
            Sort::Bool => Constant::Bool(self.0.next() & 1 == 1),
            Sort::Bits(width) => Constant::bits(width, self.integer(width)),
            Sort::Single => Constant::Single(self.float() as f32),
            Sort::Double => Constant::Double(self.float()),
        }
    }

    /// A small integer, an extreme one, or any.
    fn integer(&mut self, width: u8) -> u64 {
        let highest = 1u64 << (width - 1);
        match self.0.next() % 6 {
            0 => 0,
            1 => self.0.next() % 10,
            2 => (self.0.next() % 10).wrapping_neg(),
            3 => highest.wrapping_sub(self.0.next() % 2),
            _ => self.0.next(),
        }
    }

    /// A number as people write it, as computations give it, or a special one.
    fn float(&mut self) -> f64 {
        match self.0.next() % 8 {
            0 => {
                [0.0, -0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308][(self.0.next() % 8) as usize]
            }
            1 => (self.0.next() % 2001) as f64 - 1000.0,
            2 | 3 => ((self.0.next() % 200_001) as f64 - 100_000.0) / 100.0,
            4 | 5 => (self.0.next() as f64 / u64::MAX as f64) * 2.0 - 1.0,
            6 => f64::from_bits(self.0.next()),
            _ => 1e16 * (self.0.next() as f64 / u64::MAX as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scripted::Trying;
    use super::super::{Chain, Solver};
    use super::*;
    use crate::evaluate::NoFunctions;

    #[test]
    fn sums_of_doubles_depend_on_the_order() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::Double));
        let (ab, bc) = (terms.fadd(a, b), terms.fadd(b, c));
        let (left, right) = (terms.fadd(ab, c), terms.fadd(a, bc));
        let (less, finite) = (terms.flt(left, right), terms.double(1e10));
        let bounded = terms.flt(right, finite);
        let asked = Trying::default();
        let questions = asked.asked.clone();
        let mut chain = Chain::new(asked).with(Guessing::new(Arc::new(NoFunctions)));
        let answer = chain.solve(&mut terms, &[less, bounded]);
        let Answer::Satisfiable(values) = answer else { panic!("{answer:?}") };
        assert!(terms.evaluate(less, &values).is_true() && terms.evaluate(bounded, &values).is_true());
        assert!(questions.lock().unwrap().is_empty());
    }

    #[test]
    fn floats_made_from_bits_are_guessed_as_floats() {
        let mut terms = Terms::new();
        let bits = terms.symbol("bits", Sort::Bits(64));
        let (float, low, high) = (terms.from_raw_bits(bits), terms.double(-1e5), terms.double(-1.5));
        let (above, below) = (terms.flt(low, float), terms.flt(float, high));
        let mut chain = Chain::new(Trying::default()).with(Guessing::new(Arc::new(NoFunctions)));
        let Answer::Satisfiable(values) = chain.solve(&mut terms, &[above, below]) else { panic!("no guess fits") };
        assert!(terms.evaluate(above, &values).is_true() && terms.evaluate(below, &values).is_true());
    }

    #[test]
    fn whole_numbers_are_left_to_the_solver() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(8));
        let zero = terms.value(Constant::bits(8, 0));
        let positive = terms.slt(zero, x);
        let asked = Trying::default();
        let questions = asked.asked.clone();
        let mut chain = Chain::new(asked).with(Guessing::new(Arc::new(NoFunctions)));
        assert!(matches!(chain.solve(&mut terms, &[positive]), Answer::Satisfiable(_)));
        assert_eq!(questions.lock().unwrap().len(), 1);
    }
}
