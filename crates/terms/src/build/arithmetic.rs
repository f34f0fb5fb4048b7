//! Addition, subtraction, multiplication and division. Constants move outwards: `(x + 1) + y`
//! becomes `(x + y) + 1`.

use crate::constant::mask;
use crate::{Binary, Term, Terms, Unary};

impl Terms {
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(folded) = self.fold_binary(Binary::Add, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.number(b) {
            return self.add_constant(a, constant);
        }
        let inner = [(a, b), (b, a)].into_iter().find_map(|(x, y)| self.add_inner(x, y));
        inner.unwrap_or_else(|| self.plain_binary(Binary::Add, a, b))
    }

    fn add_constant(&mut self, a: Term, constant: u64) -> Term {
        let width = self.width(a);
        if constant & mask(width) == 0 {
            return a;
        }
        if let Some((x, inner)) = self.with_constant(Binary::Add, a) {
            return self.add_constant(x, inner.wrapping_add(constant));
        }
        if let Some((x, y)) = self.as_binary(Binary::Subtract, a)
            && let Some(inner) = self.number(x)
        {
            let sum = self.bits(width, inner.wrapping_add(constant));
            return self.sub(sum, y);
        }
        let constant = self.bits(width, constant);
        self.plain_binary(Binary::Add, a, constant)
    }

    /// Applies the rules that look inside `x`.
    fn add_inner(&mut self, x: Term, y: Term) -> Option<Term> {
        if let Some((inner, constant)) = self.with_constant(Binary::Add, x) {
            let sum = self.add(inner, y);
            return Some(self.add_constant(sum, constant));
        }
        if let Some(negated) = self.as_unary(Unary::Negate, x) {
            return Some(self.sub(y, negated));
        }
        if self.as_unary(Unary::Complement, x) == Some(y) {
            let width = self.width(x);
            return Some(self.bits(width, u64::MAX));
        }
        match self.as_binary(Binary::Subtract, x) {
            Some((left, right)) if right == y => Some(left),
            _ => None,
        }
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(folded) = self.fold_binary(Binary::Subtract, a, b) {
            return folded;
        }
        if let Some(constant) = self.number(b) {
            return self.add_constant(a, constant.wrapping_neg());
        }
        if self.number(a) == Some(0) {
            return self.neg(b);
        }
        self.sub_inner(a, b).unwrap_or_else(|| self.plain_binary(Binary::Subtract, a, b))
    }

    fn sub_inner(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some((inner, constant)) = self.with_constant(Binary::Add, a) {
            let difference = self.sub(inner, b);
            return Some(self.add_constant(difference, constant));
        }
        if let Some((inner, constant)) = self.with_constant(Binary::Add, b) {
            let difference = self.sub(a, inner);
            return Some(self.add_constant(difference, constant.wrapping_neg()));
        }
        if let Some(negated) = self.as_unary(Unary::Negate, b) {
            return Some(self.add(a, negated));
        }
        match self.as_binary(Binary::Add, a) {
            Some((x, y)) if x == b => Some(y),
            Some((x, y)) if y == b => Some(x),
            _ => None,
        }
    }

    pub fn neg(&mut self, a: Term) -> Term {
        if let Some(folded) = self.fold_unary(Unary::Negate, a) {
            return folded;
        }
        if let Some(inner) = self.as_unary(Unary::Negate, a) {
            return inner;
        }
        if let Some((x, y)) = self.as_binary(Binary::Subtract, a) {
            return self.sub(y, x);
        }
        if let Some((x, constant)) = self.with_constant(Binary::Add, a) {
            let width = self.width(a);
            let constant = self.bits(width, constant.wrapping_neg());
            return self.sub(constant, x);
        }
        self.plain_unary(Unary::Negate, a)
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(folded) = self.fold_binary(Binary::Multiply, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        match self.number(b) {
            Some(constant) => self.multiply_by(a, constant),
            None => self.plain_binary(Binary::Multiply, a, b),
        }
    }

    /// Multiplies by a constant. A product with a power of two becomes a shift, which costs a
    /// solver nothing.
    fn multiply_by(&mut self, a: Term, constant: u64) -> Term {
        let width = self.width(a);
        let constant = constant & mask(width);
        if constant == 0 {
            return self.bits(width, 0);
        }
        if constant == mask(width) {
            return self.neg(a);
        }
        if constant.is_power_of_two() {
            let distance = self.bits(width, u64::from(constant.trailing_zeros()));
            return self.shl(a, distance);
        }
        if let Some((x, inner)) = self.with_constant(Binary::Multiply, a) {
            return self.multiply_by(x, inner.wrapping_mul(constant));
        }
        if let Some((x, distance)) = self.with_constant(Binary::ShiftLeft, a) {
            return self.multiply_by(x, constant << distance);
        }
        let constant = self.bits(width, constant);
        self.plain_binary(Binary::Multiply, a, constant)
    }

    /// Signed division, rounding towards zero. The caller must ensure that the divisor is not zero.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(folded) = self.fold_binary(Binary::Divide, a, b) {
            return folded;
        }
        let width = self.width(a);
        match self.number(b) {
            Some(1) if width > 1 => a,
            Some(constant) if constant == mask(width) => self.neg(a),
            Some(constant) if self.is_below(a, constant) => self.bits(width, 0),
            Some(constant) if self.is_positive_power(constant, width) && self.is_never_negative(a) => {
                let distance = self.bits(width, u64::from(constant.trailing_zeros()));
                self.lshr(a, distance)
            }
            _ => self.plain_binary(Binary::Divide, a, b),
        }
    }

    /// The remainder of [`sdiv`](Terms::sdiv), which has the sign of the dividend.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(folded) = self.fold_binary(Binary::Remainder, a, b) {
            return folded;
        }
        let width = self.width(a);
        match self.number(b) {
            Some(constant) if constant == 1 || constant == mask(width) => self.bits(width, 0),
            Some(constant) if self.is_below(a, constant) => a,
            Some(constant) if self.is_positive_power(constant, width) && self.is_never_negative(a) => {
                let low_bits = self.bits(width, constant - 1);
                self.and(a, low_bits)
            }
            _ => self.plain_binary(Binary::Remainder, a, b),
        }
    }

    fn is_positive_power(&self, constant: u64, width: u8) -> bool {
        constant.is_power_of_two() && constant <= mask(width) >> 1
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn constants_meet() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("y", Sort::Bits(32)));
        let [two, three, minus_five] = [2, 3, -5].map(|value| terms.int(value));
        let sum = terms.add(x, two);
        let sum = terms.add(sum, three);
        assert_eq!(terms.add(sum, minus_five), x);
        let (left, right) = (terms.add(x, two), terms.add(y, three));
        let both = terms.add(left, right);
        let plain = terms.add(x, y);
        assert_eq!(terms.add(both, minus_five), plain);
    }

    #[test]
    fn additions_and_subtractions_cancel() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Bits(64)), terms.symbol("y", Sort::Bits(64)));
        let difference = terms.sub(x, y);
        assert_eq!(terms.add(difference, y), x);
        let sum = terms.add(x, y);
        assert_eq!(terms.sub(sum, x), y);
        let negated = terms.neg(difference);
        assert_eq!(negated, terms.sub(y, x));
        let zero = terms.long(0);
        assert_eq!(terms.sub(sum, sum), zero);
    }

    #[test]
    fn bytes_divide_by_shifting() {
        let mut terms = Terms::new();
        let byte = terms.symbol("b", Sort::Bits(8));
        let (number, sixteen, large) = (terms.zero_extend(byte, 32), terms.int(16), terms.int(256));
        let quotient = terms.sdiv(number, sixteen);
        let upper = terms.extract(byte, 7, 4);
        assert_eq!(quotient, terms.zero_extend(upper, 32));
        assert_eq!(terms.srem(number, large), number);
    }
}
