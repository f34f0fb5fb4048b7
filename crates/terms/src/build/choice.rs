//! `ite(c, a, b)`: the value that a condition selects, for values of every sort. Choices between
//! truth values become connectives.

use crate::{Constant, Node, Sort, Term, Terms, Unary};

impl Terms {
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(condition), Sort::Bool);
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(value) = self.constant(condition) {
            return if value.is_true() { a } else { b };
        }
        if let Some(positive) = self.as_unary(Unary::Not, condition) {
            return self.ite(positive, b, a);
        }
        let (a, b) = (self.branch_if(condition, a, true), self.branch_if(condition, b, false));
        if a == b {
            return a;
        }
        match self.sort(a) {
            Sort::Bool => self.choice_of_truths(condition, a, b),
            _ => self.choice_of_values(condition, a, b),
        }
    }

    /// Simplifies a branch that is itself a choice by the same condition.
    fn branch_if(&self, condition: Term, branch: Term, holds: bool) -> Term {
        match *self.node(branch) {
            Node::Choice(inner, a, b) if inner == condition => {
                if holds {
                    a
                } else {
                    b
                }
            }
            _ => branch,
        }
    }

    fn choice_of_truths(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let opposite = self.not(condition);
        match (self.constant(a), self.constant(b)) {
            (Some(Constant::Bool(true)), _) => return self.or_bool(condition, b),
            (Some(_), _) => return self.and_bool(opposite, b),
            (_, Some(Constant::Bool(true))) => return self.or_bool(opposite, a),
            (_, Some(_)) => return self.and_bool(condition, a),
            (None, None) => {}
        }
        if a == condition {
            return self.or_bool(condition, b);
        }
        if b == condition {
            return self.and_bool(condition, a);
        }
        if self.not(a) == b {
            return self.equals(condition, a);
        }
        self.plain_choice(condition, a, b)
    }

    /// Combines nested choices with a branch in common: `ite(c, a, ite(d, a, b))` becomes
    /// `ite(c or d, a, b)`.
    fn choice_of_values(&mut self, condition: Term, a: Term, b: Term) -> Term {
        if let Node::Choice(inner, x, y) = *self.node(b) {
            if x == a {
                let either = self.or_bool(condition, inner);
                return self.ite(either, a, y);
            }
            if y == a {
                let opposite = self.not(inner);
                let either = self.or_bool(condition, opposite);
                return self.ite(either, a, x);
            }
        }
        self.plain_choice(condition, a, b)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn redundant_choices_are_removed() {
        let mut terms = Terms::new();
        let [c, d] = ["c", "d"].map(|name| terms.symbol(name, Sort::Bool));
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Double));
        assert_eq!(terms.ite(c, x, x), x);
        let inner = terms.ite(c, x, y);
        assert_eq!(terms.ite(c, inner, y), inner);
        let (not_c, swapped) = (terms.not(c), terms.ite(c, y, x));
        assert_eq!(terms.ite(not_c, x, y), swapped);
        let (nested, either) = (terms.ite(d, x, y), terms.or_bool(c, d));
        assert_eq!(terms.ite(c, x, nested), terms.ite(either, x, y));
    }

    #[test]
    fn comparing_a_choice_of_constants_asks_the_condition() {
        let mut terms = Terms::new();
        let c = terms.symbol("c", Sort::Bool);
        let (zero, one) = (terms.int(0), terms.int(1));
        let number = terms.ite(c, one, zero);
        let opposite = terms.not(c);
        assert_eq!(terms.equals(number, zero), opposite);
        assert_eq!(terms.slt(zero, number), c);
    }

    #[test]
    fn the_jvm_s_comparison_of_longs_is_the_comparison() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(64)));
        let [minus, zero, plus] = [-1, 0, 1].map(|value| terms.int(value));
        let (less, equal, greater) = (terms.slt(x, y), terms.equals(x, y), terms.slt(y, x));
        let inner = terms.ite(equal, zero, plus);
        let order = terms.ite(less, minus, inner);
        assert_eq!(terms.slt(order, zero), less);
        assert_eq!(terms.equals(order, zero), equal);
        assert_eq!(terms.slt(zero, order), greater);
        let at_least = terms.not(less);
        assert_eq!(terms.sle(zero, order), at_least);
    }
}
