//! Equality of values of any sort, that is, values that no operation can tell apart. An invertible
//! operation is removed if it was applied to both sides, or if its inverse can be applied to a
//! constant on the other side.

use crate::build::compare::Extension;
use crate::{Binary, Constant, Node, Sort, Term, Terms, Unary};

impl Terms {
    /// Equality as identity: on floats, NaN equals NaN, and zeros of different signs differ. Java's
    /// `==` is [`feq`](Terms::feq).
    pub fn equals(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if a == b {
            return self.bool(true);
        }
        if let Some(decided) = self.decide(Binary::Equal, a, b) {
            return decided;
        }
        let (a, b) = self.ordered(a, b);
        match self.sort(a) {
            Sort::Bool => self.equal_truths(a, b),
            Sort::Bits(_) => self.equal_bits(a, b),
            _ => self.plain_binary(Binary::Equal, a, b),
        }
    }

    fn equal_truths(&mut self, a: Term, b: Term) -> Term {
        if let Some(value) = self.constant(b) {
            return if value.is_true() { a } else { self.not(a) };
        }
        let opposite = self.not(a);
        if opposite == b {
            return self.bool(false);
        }
        match (self.as_unary(Unary::Not, a), self.as_unary(Unary::Not, b)) {
            (Some(x), Some(y)) => self.equals(x, y),
            (Some(x), None) => self.differ(x, b),
            (None, Some(y)) => self.differ(a, y),
            (None, None) => self.plain_binary(Binary::Equal, a, b),
        }
    }

    fn differ(&mut self, a: Term, b: Term) -> Term {
        let equal = self.equals(a, b);
        self.not(equal)
    }

    fn equal_bits(&mut self, a: Term, b: Term) -> Term {
        let (x, y) = (self.unsigned_range(a), self.unsigned_range(b));
        let (i, j) = (self.signed_range(a), self.signed_range(b));
        if x.1 < y.0 || y.1 < x.0 || i.1 < j.0 || j.1 < i.0 {
            return self.bool(false);
        }
        if let Some((x, y)) = self.narrow_both(a, b, Terms::zero_extended, Extension::Zero) {
            return self.equals(x, y);
        }
        if let Some((x, y)) = self.narrow_both(a, b, Terms::sign_extended, Extension::Sign) {
            return self.equals(x, y);
        }
        let simpler = match self.number(b) {
            Some(constant) => self.equals_constant(a, constant),
            None => self.equals_alike(a, b),
        };
        simpler.unwrap_or_else(|| self.plain_binary(Binary::Equal, a, b))
    }

    fn equals_constant(&mut self, a: Term, constant: u64) -> Option<Term> {
        let width = self.width(a);
        match *self.node(a) {
            Node::Binary(Binary::Add, x, y) => {
                let moved = constant.wrapping_sub(self.number(y)?);
                Some(self.equals_number(x, moved))
            }
            Node::Binary(Binary::Subtract, x, y) => match self.number(x) {
                Some(from) => Some(self.equals_number(y, from.wrapping_sub(constant))),
                None => (constant == 0).then(|| self.equals(x, y)),
            },
            Node::Binary(Binary::Xor, x, y) => match self.number(y) {
                Some(key) => Some(self.equals_number(x, key ^ constant)),
                None => (constant == 0).then(|| self.equals(x, y)),
            },
            Node::Binary(Binary::Remainder, x, y) => {
                let divisor = self.number(y)?;
                self.equals_remainder(x, divisor, constant)
            }
            Node::Unary(Unary::Negate, x) => Some(self.equals_number(x, constant.wrapping_neg())),
            Node::Unary(Unary::Complement, x) => Some(self.equals_number(x, !constant)),
            Node::Binary(Binary::Concat, x, y) => {
                let lower_width = self.width(y);
                let upper = self.equals_number(x, constant >> lower_width);
                let lower = self.equals_number(y, constant);
                Some(self.and_bool(upper, lower))
            }
            Node::Unary(Unary::SignExtend(_) | Unary::ZeroExtend(_), x) => {
                // A constant that the extension could produce was handled before.
                debug_assert!(self.width(x) < width);
                Some(self.bool(false))
            }
            _ => None,
        }
    }

    fn equals_number(&mut self, a: Term, number: u64) -> Term {
        let width = self.width(a);
        let number = self.value(Constant::bits(width, number));
        self.equals(a, number)
    }

    /// Removes an invertible operation that was applied to both sides.
    fn equals_alike(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Unary(Unary::Negate, x), Node::Unary(Unary::Negate, y))
            | (Node::Unary(Unary::Complement, x), Node::Unary(Unary::Complement, y)) => Some(self.equals(x, y)),
            (Node::Binary(f, x, shared), Node::Binary(g, y, other)) if f == g && has_inverse(f) => {
                let left = self.common(f, (x, shared), (y, other))?;
                Some(self.equals(left.0, left.1))
            }
            (Node::Binary(Binary::Add, x, y), _) if x == b || y == b => {
                let rest = if x == b { y } else { x };
                Some(self.equals_number(rest, 0))
            }
            (_, Node::Binary(Binary::Add, x, y)) if x == a || y == a => {
                let rest = if x == a { y } else { x };
                Some(self.equals_number(rest, 0))
            }
            _ => None,
        }
    }

    /// The remaining operands of two operations of one kind without an operand that both share.
    fn common(&self, operation: Binary, left: (Term, Term), right: (Term, Term)) -> Option<(Term, Term)> {
        if left.1 == right.1 {
            return Some((left.0, right.0));
        }
        if left.0 == right.0 {
            return Some((left.1, right.1));
        }
        if !operation.is_commutative() {
            return None;
        }
        if left.0 == right.1 {
            return Some((left.1, right.0));
        }
        (left.1 == right.0).then_some((left.0, right.1))
    }
}

fn has_inverse(operation: Binary) -> bool {
    matches!(operation, Binary::Add | Binary::Subtract | Binary::Xor)
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn constants_move_to_one_side() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let (three, ten, seven) = (terms.int(3), terms.int(10), terms.int(7));
        let sum = terms.add(x, three);
        assert_eq!(terms.equals(sum, ten), terms.equals(x, seven));
        let difference = terms.sub(ten, x);
        assert_eq!(terms.equals(difference, three), terms.equals(x, seven));
    }

    #[test]
    fn a_byte_never_equals_a_number_out_of_range() {
        let mut terms = Terms::new();
        let byte = terms.symbol("b", Sort::Bits(8));
        let (number, large) = (terms.sign_extend(byte, 32), terms.int(200));
        let never = terms.bool(false);
        assert_eq!(terms.equals(number, large), never);
        let (minus_one, narrow) = (terms.int(-1), terms.bits(8, 0xff));
        assert_eq!(terms.equals(number, minus_one), terms.equals(byte, narrow));
    }

    #[test]
    fn operands_shared_by_both_sides_cancel() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let (left, right) = (terms.add(z, x), terms.add(y, z));
        assert_eq!(terms.equals(left, right), terms.equals(x, y));
        let zero = terms.int(0);
        let (difference, same) = (terms.sub(x, y), terms.equals(x, y));
        assert_eq!(terms.equals(difference, zero), same);
        assert_eq!(terms.equals(left, x), terms.equals(z, zero));
    }
}
