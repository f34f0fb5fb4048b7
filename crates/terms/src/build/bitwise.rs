//! And, or, exclusive or, and complement. Masking the low bits is an extraction, so that equivalent
//! masks, casts and unsigned shifts become one term.

use crate::constant::mask;
use crate::{Binary, Term, Terms, Unary};

impl Terms {
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(folded) = self.fold_binary(Binary::And, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return a;
        }
        if self.are_complements(a, b) {
            return self.bits(width, 0);
        }
        match self.number(b) {
            Some(constant) => self.and_constant(a, constant),
            None => self.plain_binary(Binary::And, a, b),
        }
    }

    fn and_constant(&mut self, a: Term, constant: u64) -> Term {
        let width = self.width(a);
        if constant == 0 {
            return self.bits(width, 0);
        }
        if constant == mask(width) {
            return a;
        }
        if let Some((x, inner)) = self.with_constant(Binary::And, a) {
            return self.and_constant(x, inner & constant);
        }
        if (constant + 1).is_power_of_two() {
            let low_bits = self.extract(a, constant.trailing_ones() as u8 - 1, 0);
            return self.zero_extend(low_bits, width);
        }
        if let Some(narrow) = self.zero_extended(a) {
            return self.and_narrow(narrow, constant, width);
        }
        let constant = self.bits(width, constant);
        self.plain_binary(Binary::And, a, constant)
    }

    /// Applies a mask to a value that was extended with zeros by masking the value itself.
    fn and_narrow(&mut self, narrow: Term, constant: u64, width: u8) -> Term {
        let narrow_width = self.width(narrow);
        let constant = self.bits(narrow_width, constant);
        let masked = self.and(narrow, constant);
        self.zero_extend(masked, width)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(folded) = self.fold_binary(Binary::Or, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b || self.number(b) == Some(0) {
            return a;
        }
        if self.are_complements(a, b) || self.number(b) == Some(mask(width)) {
            return self.bits(width, u64::MAX);
        }
        match (self.number(b), self.with_constant(Binary::Or, a)) {
            (Some(constant), Some((x, inner))) => {
                let constant = self.bits(width, inner | constant);
                self.or(x, constant)
            }
            _ => self.plain_binary(Binary::Or, a, b),
        }
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(folded) = self.fold_binary(Binary::Xor, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if self.are_complements(a, b) {
            return self.bits(width, u64::MAX);
        }
        if let Some(constant) = self.number(b) {
            return self.xor_constant(a, constant);
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.as_binary(Binary::Xor, x) {
                Some((left, right)) if left == y => return right,
                Some((left, right)) if right == y => return left,
                _ => {}
            }
        }
        self.plain_binary(Binary::Xor, a, b)
    }

    fn xor_constant(&mut self, a: Term, constant: u64) -> Term {
        let width = self.width(a);
        if constant == 0 {
            return a;
        }
        if constant == mask(width) {
            return self.not_bits(a);
        }
        if let Some((x, inner)) = self.with_constant(Binary::Xor, a) {
            return self.xor_constant(x, inner ^ constant);
        }
        if let Some(inner) = self.as_unary(Unary::Complement, a) {
            return self.xor_constant(inner, !constant & mask(width));
        }
        let constant = self.bits(width, constant);
        self.plain_binary(Binary::Xor, a, constant)
    }

    pub fn not_bits(&mut self, a: Term) -> Term {
        if let Some(folded) = self.fold_unary(Unary::Complement, a) {
            return folded;
        }
        if let Some(inner) = self.as_unary(Unary::Complement, a) {
            return inner;
        }
        if let Some((x, constant)) = self.with_constant(Binary::Xor, a) {
            let width = self.width(a);
            return self.xor_constant(x, !constant & mask(width));
        }
        self.plain_unary(Unary::Complement, a)
    }

    fn are_complements(&self, a: Term, b: Term) -> bool {
        self.as_unary(Unary::Complement, a) == Some(b) || self.as_unary(Unary::Complement, b) == Some(a)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn masking_a_byte_undoes_its_sign() {
        let mut terms = Terms::new();
        let byte = terms.symbol("b", Sort::Bits(8));
        let (signed, unsigned, mask) = (terms.sign_extend(byte, 32), terms.zero_extend(byte, 32), terms.int(0xff));
        assert_eq!(terms.and(signed, mask), unsigned);
    }

    #[test]
    fn a_key_applied_twice_cancels() {
        let mut terms = Terms::new();
        let (x, key) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("key", Sort::Bits(32)));
        let hidden = terms.xor(key, x);
        assert_eq!(terms.xor(hidden, key), x);
        let complement = terms.not_bits(x);
        let all = terms.int(-1);
        assert_eq!(terms.or(complement, x), all);
        assert_eq!(terms.xor(complement, all), x);
    }
}
