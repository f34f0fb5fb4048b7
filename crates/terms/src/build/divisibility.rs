//! Remainders compared with constants. `x % 400 == 0` needs no division: multiplying by the inverse
//! of the odd part of the divisor maps its multiples, and nothing else, to the numbers around zero
//! (Warren, *Hacker's Delight*, 10-17). Solvers are slow at division.

use crate::{Constant, Term, Terms};

impl Terms {
    /// The condition that `x % divisor` is `remainder`; `None` if the divisor is zero or cannot be
    /// negated.
    pub(super) fn equals_remainder(&mut self, x: Term, divisor: u64, remainder: u64) -> Option<Term> {
        let width = self.width(x);
        let signed = |number: u64| Constant::bits(width, number).signed();
        let (divisor, remainder) = (signed(divisor), signed(remainder));
        let divisor = u64::try_from(divisor.checked_abs()?).ok().filter(|size| *size > 0)?;
        if divisor > greatest(width) {
            return None;
        }
        if remainder.unsigned_abs() >= divisor {
            return Some(self.bool(false));
        }
        let (zero, rest) = (self.bits(width, 0), self.bits(width, remainder as u64));
        let multiple = self.sub(x, rest);
        let is_multiple = self.is_multiple(multiple, divisor);
        Some(match remainder.signum() {
            0 => is_multiple,
            1 => {
                let is_positive = self.slt(zero, x);
                self.and_bool(is_positive, is_multiple)
            }
            _ => {
                let is_negative = self.slt(x, zero);
                self.and_bool(is_negative, is_multiple)
            }
        })
    }

    fn is_multiple(&mut self, x: Term, divisor: u64) -> Term {
        let width = self.width(x);
        let zeros = divisor.trailing_zeros() as u8;
        let odd = divisor >> zeros;
        let has_zeros = match zeros {
            0 => self.bool(true),
            _ => {
                let low = self.extract(x, zeros - 1, 0);
                let none = self.bits(zeros, 0);
                self.equals(low, none)
            }
        };
        if odd == 1 {
            return has_zeros;
        }
        let inverse = self.bits(width, inverse(odd));
        let quotient = self.mul(x, inverse);
        let (lowest, highest) = ((greatest(width) + 1) / odd, greatest(width) / odd);
        let (lowest, highest) = (self.bits(width, lowest.wrapping_neg()), self.bits(width, highest));
        let (above, below) = (self.sle(lowest, quotient), self.sle(quotient, highest));
        let is_quotient = self.and_bool(above, below);
        self.and_bool(has_zeros, is_quotient)
    }
}

/// The greatest signed number of this width.
fn greatest(width: u8) -> u64 {
    (1u64 << (width - 1)) - 1
}

/// The multiplicative inverse of an odd number by Newton's method: each round doubles the number of
/// correct bits.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Binary, Node, Sort};

    #[test]
    fn inverses_multiply_to_one() {
        for odd in [1u64, 3, 5, 25, 125, 0xffff_ffff, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    #[test]
    fn every_remainder_of_every_byte_is_right() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(8));
        for divisor in [-127i8, -100, -7, -1, 1, 2, 3, 4, 6, 7, 12, 64, 100, 127] {
            for remainder in -13i8..=13 {
                let Some(term) = terms.equals_remainder(x, divisor as u64, remainder as u64) else {
                    panic!("{divisor} divides")
                };
                for value in i8::MIN..=i8::MAX {
                    let given = Assignment::from_iter([(x, Constant::bits(8, value as u64))]);
                    let expected = value.wrapping_rem(divisor) == remainder;
                    assert_eq!(terms.evaluate(term, &given).is_true(), expected, "{value} % {divisor} == {remainder}");
                }
            }
        }
        assert_eq!(terms.equals_remainder(x, 0, 0), None);
        assert_eq!(terms.equals_remainder(x, i8::MIN as u64, 0), None);
    }

    #[test]
    fn a_leap_year_needs_no_division() {
        let mut terms = Terms::new();
        let year = terms.symbol("year", Sort::Bits(32));
        let (century, zero) = (terms.int(400), terms.int(0));
        let remainder = terms.srem(year, century);
        let divides = terms.equals(remainder, zero);
        let is_division =
            |term: &Term| matches!(terms.node(*term), Node::Binary(Binary::Remainder | Binary::Divide, ..));
        assert!(!terms.reachable(&[divides]).iter().any(is_division));
    }
}
