//! Extensions and extractions of bit-vectors. They cancel each other, so that Java's casts between
//! byte, char, short, int and long leave no trace where they lose nothing.

use crate::{Binary, Node, Term, Terms, Unary};

/// The limit on the depth to which an extraction is pushed into operations. Chains of operations
/// are as long as loops run.
const DEPTH: u8 = 32;

impl Terms {
    pub fn sign_extend(&mut self, a: Term, width: u8) -> Term {
        let narrow = self.width(a);
        debug_assert!(narrow <= width && width <= 64, "{narrow} to {width} bits");
        if narrow == width {
            return a;
        }
        if let Some(folded) = self.fold_unary(Unary::SignExtend(width), a) {
            return folded;
        }
        match *self.node(a) {
            Node::Unary(Unary::SignExtend(_), inner) => self.sign_extend(inner, width),
            Node::Unary(Unary::ZeroExtend(_), inner) => self.zero_extend(inner, width),
            _ => self.plain_unary(Unary::SignExtend(width), a),
        }
    }

    pub fn zero_extend(&mut self, a: Term, width: u8) -> Term {
        let narrow = self.width(a);
        debug_assert!(narrow <= width && width <= 64, "{narrow} to {width} bits");
        if narrow == width {
            return a;
        }
        if let Some(folded) = self.fold_unary(Unary::ZeroExtend(width), a) {
            return folded;
        }
        match self.zero_extended(a) {
            Some(inner) => self.zero_extend(inner, width),
            None => self.plain_unary(Unary::ZeroExtend(width), a),
        }
    }

    /// The bits from `high` down to `low`, inclusive.
    pub fn extract(&mut self, a: Term, high: u8, low: u8) -> Term {
        self.extract_within(a, high, low, DEPTH)
    }

    fn extract_within(&mut self, a: Term, high: u8, low: u8, depth: u8) -> Term {
        let width = self.width(a);
        debug_assert!(low <= high && high < width, "bits {high} to {low} of {width}");
        if high - low + 1 == width {
            return a;
        }
        if let Some(folded) = self.fold_unary(Unary::Extract { high, low }, a) {
            return folded;
        }
        let inner = depth.checked_sub(1).and_then(|depth| self.extract_inner(a, high, low, depth));
        inner.unwrap_or_else(|| self.plain_unary(Unary::Extract { high, low }, a))
    }

    fn extract_inner(&mut self, a: Term, high: u8, low: u8, depth: u8) -> Option<Term> {
        match *self.node(a) {
            Node::Unary(Unary::Extract { low: inner_low, .. }, x) => {
                Some(self.extract_within(x, high + inner_low, low + inner_low, depth))
            }
            Node::Unary(Unary::ZeroExtend(_), x) => Some(self.extract_of_zero_extension(x, high, low, depth)),
            Node::Unary(Unary::SignExtend(_), x) => Some(self.extract_of_sign_extension(x, high, low, depth)),
            Node::Binary(Binary::Concat, x, y) => self.extract_of_concat(x, y, high, low, depth),
            Node::Binary(Binary::ShiftLeft, x, distance) => {
                let distance = self.number(distance)?;
                self.extract_of_shift(x, distance as u8, high, low, depth)
            }
            Node::Unary(Unary::Complement, x) => {
                let inner = self.extract_within(x, high, low, depth);
                Some(self.not_bits(inner))
            }
            Node::Binary(operation, x, y) => self.extract_of_operation(operation, (x, y), high, low, depth),
            _ => None,
        }
    }

    fn extract_of_zero_extension(&mut self, x: Term, high: u8, low: u8, depth: u8) -> Term {
        let width = self.width(x);
        if high < width {
            return self.extract_within(x, high, low, depth);
        }
        if low >= width {
            return self.bits(high - low + 1, 0);
        }
        let upper = self.extract_within(x, width - 1, low, depth);
        self.zero_extend(upper, high - low + 1)
    }

    fn extract_of_sign_extension(&mut self, x: Term, high: u8, low: u8, depth: u8) -> Term {
        let width = self.width(x);
        if high < width {
            return self.extract_within(x, high, low, depth);
        }
        let upper = self.extract_within(x, width - 1, low.min(width - 1), depth);
        self.sign_extend(upper, high - low + 1)
    }

    fn extract_of_concat(&mut self, x: Term, y: Term, high: u8, low: u8, depth: u8) -> Option<Term> {
        let lower_width = self.width(y);
        if low >= lower_width {
            Some(self.extract_within(x, high - lower_width, low - lower_width, depth))
        } else if high < lower_width {
            Some(self.extract_within(y, high, low, depth))
        } else {
            None
        }
    }

    fn extract_of_shift(&mut self, x: Term, distance: u8, high: u8, low: u8, depth: u8) -> Option<Term> {
        if low >= distance {
            Some(self.extract_within(x, high - distance, low - distance, depth))
        } else if high < distance {
            Some(self.bits(high - low + 1, 0))
        } else {
            None
        }
    }

    /// Pushes an extraction into an operation. Low bits of sums and products depend only on low
    /// bits, and bits of bitwise operations only on the same bits. Applied where an operand gets
    /// simpler.
    fn extract_of_operation(
        &mut self,
        operation: Binary,
        (x, y): (Term, Term),
        high: u8,
        low: u8,
        depth: u8,
    ) -> Option<Term> {
        let bitwise = matches!(operation, Binary::And | Binary::Or | Binary::Xor);
        let from_low = matches!(operation, Binary::Add | Binary::Subtract | Binary::Multiply) && low == 0;
        if !(bitwise || from_low) || !(self.narrows_well(x) || self.narrows_well(y)) {
            return None;
        }
        let (x, y) = (self.extract_within(x, high, low, depth), self.extract_within(y, high, low, depth));
        Some(self.binary(operation, x, y))
    }

    fn narrows_well(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Constant(_) | Node::Unary(Unary::SignExtend(_) | Unary::ZeroExtend(_), _))
    }

    /// The concatenation with `a` in the high bits and `b` in the low bits.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a) + self.width(b);
        debug_assert!(width <= 64, "{width} bits");
        if let Some(folded) = self.fold_binary(Binary::Concat, a, b) {
            return folded;
        }
        if self.number(a) == Some(0) {
            return self.zero_extend(b, width);
        }
        self.concat_adjacent(a, b).unwrap_or_else(|| self.plain_binary(Binary::Concat, a, b))
    }

    /// Joins adjacent bits of one value.
    fn concat_adjacent(&mut self, a: Term, b: Term) -> Option<Term> {
        let Node::Unary(Unary::Extract { high, low: middle }, x) = *self.node(a) else { return None };
        let Node::Unary(Unary::Extract { high: below, low }, y) = *self.node(b) else { return None };
        (x == y && middle == below + 1).then(|| self.extract(x, high, low))
    }

    /// The operand of a zero extension.
    pub(crate) fn zero_extended(&self, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::Unary(Unary::ZeroExtend(_), inner) => Some(inner),
            _ => None,
        }
    }

    pub(crate) fn sign_extended(&self, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::Unary(Unary::SignExtend(_), inner) => Some(inner),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn casts_that_lose_nothing_leave_no_trace() {
        let mut terms = Terms::new();
        let byte = terms.symbol("b", Sort::Bits(8));
        let int = terms.sign_extend(byte, 32);
        let long = terms.sign_extend(int, 64);
        assert_eq!(terms.extract(long, 7, 0), byte);
        assert_eq!(terms.extract(long, 31, 0), int);
        let character = terms.zero_extend(byte, 16);
        let number = terms.zero_extend(byte, 32);
        assert_eq!(terms.sign_extend(character, 32), number);
    }

    #[test]
    fn halves_make_a_whole() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(64));
        let (upper, lower) = (terms.extract(x, 63, 32), terms.extract(x, 31, 0));
        assert_eq!(terms.concat(upper, lower), x);
    }

    #[test]
    fn arithmetic_on_bytes_stays_narrow() {
        let mut terms = Terms::new();
        let byte = terms.symbol("b", Sort::Bits(8));
        let (int, one) = (terms.sign_extend(byte, 32), terms.int(1));
        let sum = terms.add(int, one);
        let narrow_one = terms.bits(8, 1);
        assert_eq!(terms.extract(sum, 7, 0), terms.add(byte, narrow_one));
    }

    #[test]
    fn long_chains_are_not_followed_to_their_end() {
        let mut terms = Terms::new();
        let (x, factor, summand) = (terms.symbol("x", Sort::Bits(32)), terms.int(31), terms.int(7));
        let hash = (0..200_000).fold(x, |hash, _| {
            let product = terms.mul(hash, factor);
            terms.add(product, summand)
        });
        let low = terms.extract(hash, 7, 0);
        assert_eq!(terms.width(low), 8);
    }
}
