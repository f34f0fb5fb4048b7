//! When two numbers count as equal.

use super::{Differs, Matching, Same};
use crate::spec::Tolerance;
use lapidary_classfile::Kind;
use lapidary_symbolic::Value;
use lapidary_terms::{Term, Terms};

impl<'a> Matching<'a> {
    pub(super) fn numbers(&mut self, old: Value, new: Value) -> Same {
        let tolerance = self.tolerance;
        let kind = old.kind();
        let terms = self.versions.terms();
        let (Some(old), Some(new)) = (old.term(terms), new.term(terms)) else { return Err(Differs) };
        if old == new && (self.cancels || terms.constant(old).is_some()) {
            return Ok(());
        }
        if terms.sort(old) != terms.sort(new) {
            return Err(Differs);
        }
        let differ = match self.cancels {
            true => {
                let same = same_numbers(terms, kind, old, new, tolerance);
                terms.not(same)
            }
            false => differ_by_copy(terms, kind, (old, new), tolerance),
        };
        match terms.constant(differ) {
            Some(differ) if differ.is_true() => Err(Differs),
            Some(_) => Ok(()),
            None => {
                let at = self.at.clone();
                self.differs.push((differ, at));
                Ok(())
            }
        }
    }
}

/// The condition that the numbers differ, stated about a copy of the old number so that identical
/// terms are not recognised.
fn differ_by_copy(terms: &mut Terms, kind: Option<Kind>, (old, new): (Term, Term), tolerance: Tolerance) -> Term {
    let sort = terms.sort(old);
    let copy = terms.symbol("copy", sort);
    let is_copy = same_numbers(terms, kind, old, copy, Tolerance::Exact);
    let same = same_numbers(terms, kind, copy, new, tolerance);
    let differ = terms.not(same);
    terms.and_bool(is_copy, differ)
}

/// Whether numbers cannot be told apart by a program (equal bits, or two NaNs), or are equal within
/// the tolerance.
fn same_numbers(terms: &mut Terms, kind: Option<Kind>, old: Term, new: Term, tolerance: Tolerance) -> Term {
    if !matches!(kind, Some(Kind::Float | Kind::Double)) {
        return terms.equals(old, new);
    }
    let (old_bits, new_bits) = (terms.raw_bits(old), terms.raw_bits(new));
    let (old_nan, new_nan) = (terms.is_nan(old), terms.is_nan(new));
    let both_nan = terms.and_bool(old_nan, new_nan);
    let close = match tolerance {
        Tolerance::Ulp(apart) => within(terms, old_bits, new_bits, apart),
        _ => terms.equals(old_bits, new_bits),
    };
    terms.or_bool(close, both_nan)
}

/// Whether the bits are those of a finite number.
fn is_finite(terms: &mut Terms, bits: Term) -> Term {
    let width = terms.sort(bits).width();
    let fraction = if width == 32 { 23 } else { 52 };
    let exponent = terms.extract(bits, width - 2, fraction);
    let largest = terms.bits(width - 1 - fraction, (1 << (width - 1 - fraction)) - 1);
    let is_largest = terms.equals(exponent, largest);
    terms.not(is_largest)
}

/// Whether two floating-point numbers of the same sign are at most `apart` representable numbers
/// apart. Zeros of either sign are close.
fn within(terms: &mut Terms, old: Term, new: Term, apart: u32) -> Term {
    let width = terms.sort(old).width();
    let sign_bits = (terms.extract(old, width - 1, width - 1), terms.extract(new, width - 1, width - 1));
    let same_sign = terms.equals(sign_bits.0, sign_bits.1);
    let (up, down) = (terms.sub(old, new), terms.sub(new, old));
    let limit = terms.bits(width, apart.into());
    let (far_up, far_down) = (terms.ult(limit, up), terms.ult(limit, down));
    let far = terms.and_bool(far_up, far_down);
    let close = terms.not(far);
    let close = terms.and_bool(same_sign, close);
    let (old_finite, new_finite) = (is_finite(terms, old), is_finite(terms, new));
    let both_finite = terms.and_bool(old_finite, new_finite);
    let close = terms.and_bool(close, both_finite);
    let equal = terms.equals(old, new);
    let close = terms.or_bool(close, equal);
    let rest = (terms.extract(old, width - 2, 0), terms.extract(new, width - 2, 0));
    let zero = terms.bits(width - 1, 0);
    let zeros = (terms.equals(rest.0, zero), terms.equals(rest.1, zero));
    let both_zero = terms.and_bool(zeros.0, zeros.1);
    terms.or_bool(close, both_zero)
}
