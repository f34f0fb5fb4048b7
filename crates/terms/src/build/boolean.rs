//! Truth values. A negated comparison becomes the opposite comparison, so `not` remains only on
//! symbols, equalities, floats and connectives.

use crate::{Binary, Constant, Node, Term, Terms, Unary};

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        if let Some(folded) = self.fold_unary(Unary::Not, a) {
            return folded;
        }
        match *self.node(a) {
            Node::Unary(Unary::Not, inner) => inner,
            Node::Binary(Binary::SignedLess, x, y) => self.sle(y, x),
            Node::Binary(Binary::SignedLessEqual, x, y) => self.slt(y, x),
            Node::Binary(Binary::UnsignedLess, x, y) => self.ule(y, x),
            Node::Binary(Binary::UnsignedLessEqual, x, y) => self.ult(y, x),
            _ => self.plain_unary(Unary::Not, a),
        }
    }

    pub fn and_bool(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        match self.truth(b) {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        if a == b {
            return a;
        }
        if self.not(a) == b {
            return self.bool(false);
        }
        let found = [(a, b), (b, a)].into_iter().find_map(|(x, y)| self.and_rules(x, y));
        found.unwrap_or_else(|| self.plain_binary(Binary::Conjunction, a, b))
    }

    fn and_rules(&mut self, x: Term, y: Term) -> Option<Term> {
        if let Some((left, right)) = self.as_binary(Binary::Conjunction, x) {
            if left == y || right == y {
                return Some(x);
            }
            let opposite = self.not(y);
            if left == opposite || right == opposite {
                return Some(self.bool(false));
            }
        }
        if let Some((left, right)) = self.negated_conjunction(x) {
            if left == y || right == y {
                let other = if left == y { right } else { left };
                let opposite = self.not(other);
                return Some(self.and_bool(y, opposite));
            }
            let opposite = self.not(y);
            if left == opposite || right == opposite {
                return Some(y);
            }
        }
        self.and_orders(x, y)
    }

    /// Combines two comparisons of the same two numbers into one.
    fn and_orders(&mut self, x: Term, y: Term) -> Option<Term> {
        let order = self.order(x)?;
        if let Some(other) = self.order(y) {
            let same_kind = order.signed == other.signed;
            return match same_kind {
                true if order.is_reverse_of(&other) && !order.strict && !other.strict => {
                    Some(self.equals(order.left, order.right))
                }
                true if order.is_reverse_of(&other) => Some(self.bool(false)),
                true if order.left == other.left && order.right == other.right => {
                    Some(if order.strict { x } else { y })
                }
                _ => None,
            };
        }
        if self.states_equality(y, &order) {
            return Some(if order.strict { self.bool(false) } else { y });
        }
        let differ = self.as_unary(Unary::Not, y)?;
        let states = self.states_equality(differ, &order);
        states.then(|| if order.strict { x } else { self.strictly(&order) })
    }

    /// The disjunction, built as a negated conjunction. It has no node of its own, so the rules for
    /// conjunctions are enough.
    pub fn or_bool(&mut self, a: Term, b: Term) -> Term {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and_bool(not_a, not_b);
        self.not(neither)
    }

    fn negated_conjunction(&self, term: Term) -> Option<(Term, Term)> {
        self.as_binary(Binary::Conjunction, self.as_unary(Unary::Not, term)?)
    }

    /// The conjunction of all conditions.
    pub fn all(&mut self, conditions: &[Term]) -> Term {
        let start = self.bool(true);
        conditions.iter().fold(start, |all, condition| self.and_bool(all, *condition))
    }

    fn truth(&self, term: Term) -> Option<bool> {
        match self.constant(term) {
            Some(Constant::Bool(value)) => Some(value),
            _ => None,
        }
    }

    fn order(&self, term: Term) -> Option<Order> {
        let Node::Binary(operation, left, right) = *self.node(term) else { return None };
        let (signed, strict) = match operation {
            Binary::SignedLess => (true, true),
            Binary::SignedLessEqual => (true, false),
            Binary::UnsignedLess => (false, true),
            Binary::UnsignedLessEqual => (false, false),
            _ => return None,
        };
        Some(Order { left, right, signed, strict })
    }

    fn states_equality(&self, term: Term, order: &Order) -> bool {
        self.as_binary(Binary::Equal, term) == Some(self.ordered(order.left, order.right))
    }

    fn strictly(&mut self, order: &Order) -> Term {
        match order.signed {
            true => self.slt(order.left, order.right),
            false => self.ult(order.left, order.right),
        }
    }
}

/// `left < right`, or `left <= right` if not strict.
struct Order {
    left: Term,
    right: Term,
    signed: bool,
    strict: bool,
}

impl Order {
    fn is_reverse_of(&self, other: &Order) -> bool {
        (self.left, self.right) == (other.right, other.left)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn negated_comparisons_become_opposite_comparisons() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("y", Sort::Bits(32)));
        let less = terms.slt(x, y);
        let opposite = terms.not(less);
        assert_eq!(opposite, terms.sle(y, x));
        assert_eq!(terms.not(opposite), less);
        let never = terms.bool(false);
        assert_eq!(terms.and_bool(less, opposite), never);
    }

    #[test]
    fn orders_of_the_same_numbers_are_joined() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Bits(64)), terms.symbol("y", Sort::Bits(64)));
        let (less, at_most, at_least, equal) = (terms.slt(x, y), terms.sle(x, y), terms.sle(y, x), terms.equals(y, x));
        let different = terms.not(equal);
        assert_eq!(terms.and_bool(at_most, at_least), equal);
        assert_eq!(terms.and_bool(at_most, different), less);
        assert_eq!(terms.or_bool(less, equal), at_most);
        assert_eq!(terms.and_bool(at_least, equal), equal);
        let always = terms.bool(true);
        assert_eq!(terms.or_bool(at_most, at_least), always);
    }

    #[test]
    fn contained_conditions_are_absorbed() {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::Bool));
        let (both, either) = (terms.and_bool(a, b), terms.or_bool(a, b));
        assert_eq!(terms.or_bool(both, a), a);
        assert_eq!(terms.and_bool(either, b), b);
        let not_a = terms.not(a);
        assert_eq!(terms.and_bool(either, not_a), terms.and_bool(b, not_a));
    }
}
