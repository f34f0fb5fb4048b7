//! Ranges of bit-vectors, found without a solver.
//!
//! The search goes only a few nodes deep, so it is cheap enough for every comparison that is built.

use crate::constant::{mask, signed};
use crate::{Binary, Node, Term, Terms, Unary};

const DEPTH: u8 = 4;

impl Terms {
    /// The least and the greatest value, unsigned.
    pub(crate) fn unsigned_range(&self, term: Term) -> (u64, u64) {
        self.unsigned_within(term, DEPTH)
    }

    /// The least and the greatest value in two's complement.
    pub(crate) fn signed_range(&self, term: Term) -> (i64, i64) {
        self.signed_within(term, DEPTH)
    }

    pub(crate) fn is_never_negative(&self, term: Term) -> bool {
        self.signed_range(term).0 >= 0
    }

    /// Returns whether the signed value is never negative and always less than the constant.
    pub(crate) fn is_below(&self, term: Term, constant: u64) -> bool {
        let (least, greatest) = self.signed_range(term);
        least >= 0 && greatest < signed(self.width(term), constant)
    }

    fn unsigned_within(&self, term: Term, depth: u8) -> (u64, u64) {
        let all = (0, mask(self.width(term)));
        if depth == 0 {
            return all;
        }
        match *self.node(term) {
            Node::Constant(value) => (value.unsigned(), value.unsigned()),
            Node::Unary(Unary::ZeroExtend(_), a) => self.unsigned_within(a, depth - 1),
            Node::Choice(_, a, b) => join(self.unsigned_within(a, depth - 1), self.unsigned_within(b, depth - 1)),
            Node::Binary(operation, a, b) => {
                let (a, b) = (self.unsigned_within(a, depth - 1), self.unsigned_within(b, depth - 1));
                unsigned_result(operation, a, b).filter(|(_, greatest)| *greatest <= all.1).unwrap_or(all)
            }
            _ => all,
        }
    }

    fn signed_within(&self, term: Term, depth: u8) -> (i64, i64) {
        let greatest = (mask(self.width(term)) >> 1) as i64;
        let all = (-greatest - 1, greatest);
        if depth == 0 {
            return all;
        }
        match *self.node(term) {
            Node::Unary(Unary::SignExtend(_), a) => self.signed_within(a, depth - 1),
            Node::Choice(_, a, b) => join(self.signed_within(a, depth - 1), self.signed_within(b, depth - 1)),
            Node::Binary(Binary::Add, a, b) => {
                let (a, b) = (self.signed_within(a, depth - 1), self.signed_within(b, depth - 1));
                signed_sum(a, b).filter(|sum| all.0 <= sum.0 && sum.1 <= all.1).unwrap_or(all)
            }
            _ => self.signed_from_unsigned(term, depth).unwrap_or(all),
        }
    }

    /// The signed range of a term whose unsigned values all have the same sign.
    fn signed_from_unsigned(&self, term: Term, depth: u8) -> Option<(i64, i64)> {
        let width = self.width(term);
        let (least, greatest) = self.unsigned_within(term, depth);
        let half = mask(width) >> 1;
        let same_sign = greatest <= half || least > half;
        same_sign.then(|| (signed(width, least), signed(width, greatest)))
    }
}

fn join<T: Ord>(a: (T, T), b: (T, T)) -> (T, T) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The range of an operation's results, if it is known. A sum that may overflow the width is
/// unknown.
fn unsigned_result(operation: Binary, a: (u64, u64), b: (u64, u64)) -> Option<(u64, u64)> {
    match operation {
        Binary::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        Binary::Multiply => Some((a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?)),
        Binary::And => Some((0, a.1.min(b.1))),
        Binary::Or => Some((a.0.max(b.0), all_ones(a.1 | b.1))),
        Binary::Xor => Some((0, all_ones(a.1 | b.1))),
        Binary::ShiftLeft if b.1 < 64 && a.1.leading_zeros() as u64 >= b.1 => Some((a.0 << b.0, a.1 << b.1)),
        _ => None,
    }
}

fn signed_sum(a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
}

/// The least `2^n - 1` that is at least `value`.
fn all_ones(value: u64) -> u64 {
    if value == 0 { 0 } else { u64::MAX >> value.leading_zeros() }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn ranges_of_bytes_are_known() {
        let mut terms = Terms::new();
        let byte = terms.symbol("b", Sort::Bits(8));
        let (positive, any) = (terms.zero_extend(byte, 32), terms.sign_extend(byte, 32));
        assert_eq!(terms.unsigned_range(positive), (0, 255));
        assert_eq!(terms.signed_range(any), (-128, 127));
        let five = terms.int(5);
        let moved = terms.add(any, five);
        assert_eq!(terms.signed_range(moved), (-123, 132));
        let shifted = terms.shl(positive, five);
        assert_eq!(terms.unsigned_range(shifted), (0, 255 << 5));
    }

    #[test]
    fn sums_that_may_wrap_have_any_value() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let one = terms.int(1);
        let next = terms.add(x, one);
        assert_eq!(terms.signed_range(next), (i64::from(i32::MIN), i64::from(i32::MAX)));
        assert_eq!(terms.unsigned_range(next), (0, u64::from(u32::MAX)));
    }
}
