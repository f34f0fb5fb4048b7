//! Comparisons of bit-vectors. Comparisons with a constant are strict (`x <= 4` becomes `x < 5`),
//! comparisons of extended values become comparisons of the values, and comparisons that ranges
//! decide become constants.

use crate::constant::{mask, signed};
use crate::{Binary, Constant, Node, Term, Terms};

impl Terms {
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        self.less(a, b, Kind::Signed)
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        self.less_or_equal(a, b, Kind::Signed)
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        self.less(a, b, Kind::Unsigned)
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        self.less_or_equal(a, b, Kind::Unsigned)
    }

    fn less(&mut self, a: Term, b: Term, kind: Kind) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if a == b {
            return self.bool(false);
        }
        if let Some(decided) = self.decide(kind.strict(), a, b) {
            return decided;
        }
        match kind {
            Kind::Signed => self.decide_by(self.signed_range(a), self.signed_range(b)),
            Kind::Unsigned => self.decide_by(self.unsigned_range(a), self.unsigned_range(b)),
        }
        .or_else(|| self.less_narrow(a, b, kind))
        .or_else(|| self.less_at_the_edge(a, b, kind))
        .unwrap_or_else(|| self.plain_binary(kind.strict(), a, b))
    }

    fn less_or_equal(&mut self, a: Term, b: Term, kind: Kind) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let width = self.width(a);
        if let Some(constant) = self.number(b)
            && constant != kind.greatest(width)
        {
            let next = self.bits(width, constant.wrapping_add(1));
            return self.less(a, next, kind);
        }
        if let Some(constant) = self.number(a)
            && constant != kind.least(width)
        {
            let previous = self.bits(width, constant.wrapping_sub(1));
            return self.less(previous, b, kind);
        }
        // The opposite is either decided, or the reverse strict comparison of the same or of
        // simpler operands.
        let reverse = self.less(b, a, kind);
        match self.as_binary(kind.strict(), reverse) {
            Some(operands) if operands == (b, a) => self.plain_binary(kind.weak(), a, b),
            _ => self.not_order(reverse),
        }
    }

    /// The negation of a comparison that `less` built.
    fn not_order(&mut self, reverse: Term) -> Term {
        match *self.node(reverse) {
            Node::Binary(Binary::SignedLess, x, y) => self.sle(y, x),
            Node::Binary(Binary::UnsignedLess, x, y) => self.ule(y, x),
            _ => self.not(reverse),
        }
    }

    /// Decides a comparison if it can. A comparison of a constant with nested choices between
    /// constants becomes a combination of their conditions.
    pub(crate) fn decide(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        if let Some(folded) = self.fold_binary(operation, a, b) {
            return Some(folded);
        }
        match (self.constant(a), self.constant(b)) {
            (Some(x), None) => self.decide_choice(b, &|y| operation.apply(x, y), 3),
            (None, Some(y)) => self.decide_choice(a, &|x| operation.apply(x, y), 3),
            _ => None,
        }
    }

    fn decide_choice(&mut self, term: Term, holds: &dyn Fn(Constant) -> Constant, depth: u8) -> Option<Term> {
        if let Some(value) = self.constant(term) {
            return Some(self.value(holds(value)));
        }
        let Node::Choice(condition, a, b) = *self.node(term) else { return None };
        if depth == 0 {
            return None;
        }
        let a = self.decide_choice(a, holds, depth - 1)?;
        let b = self.decide_choice(b, holds, depth - 1)?;
        Some(self.ite(condition, a, b))
    }

    fn decide_by<T: Ord>(&mut self, a: (T, T), b: (T, T)) -> Option<Term> {
        if a.1 < b.0 {
            Some(self.bool(true))
        } else if a.0 >= b.1 {
            Some(self.bool(false))
        } else {
            None
        }
    }

    fn less_narrow(&mut self, a: Term, b: Term, kind: Kind) -> Option<Term> {
        if let Some((x, y)) = self.narrow_both(a, b, Terms::zero_extended, Extension::Zero) {
            return Some(self.less(x, y, Kind::Unsigned));
        }
        let (x, y) = self.narrow_both(a, b, Terms::sign_extended, Extension::Sign)?;
        Some(self.less(x, y, kind))
    }

    /// The operands before the same extension was applied to both. A constant counts as extended if
    /// the extension could have produced it.
    pub(crate) fn narrow_both(
        &mut self,
        a: Term,
        b: Term,
        inner: fn(&Terms, Term) -> Option<Term>,
        extension: Extension,
    ) -> Option<(Term, Term)> {
        match (inner(self, a), inner(self, b)) {
            (Some(x), Some(y)) if self.width(x) == self.width(y) => Some((x, y)),
            (Some(x), None) => Some((x, self.narrow_constant(b, self.width(x), extension)?)),
            (None, Some(y)) => Some((self.narrow_constant(a, self.width(y), extension)?, y)),
            _ => None,
        }
    }

    fn narrow_constant(&mut self, term: Term, width: u8, extension: Extension) -> Option<Term> {
        let wide = self.width(term);
        let value = self.number(term)?;
        let fits = match extension {
            Extension::Zero => value <= mask(width),
            Extension::Sign => signed(width, value) == signed(wide, value),
        };
        fits.then(|| self.bits(width, value))
    }

    /// Turns comparisons that hold for a single value, or for all but one, into equalities.
    fn less_at_the_edge(&mut self, a: Term, b: Term, kind: Kind) -> Option<Term> {
        let width = self.width(a);
        let (least, greatest) = (kind.least(width), kind.greatest(width));
        let (left, right) = (self.number(a), self.number(b));
        if right == Some(least.wrapping_add(1) & mask(width)) && width > 1 {
            let least = self.bits(width, least);
            return Some(self.equals(a, least));
        }
        if left == Some(greatest.wrapping_sub(1) & mask(width)) && width > 1 {
            let greatest = self.bits(width, greatest);
            return Some(self.equals(b, greatest));
        }
        let differs = match (left, right) {
            (Some(constant), _) if constant == least => (a, b),
            (_, Some(constant)) if constant == greatest => (a, b),
            _ => return None,
        };
        let equal = self.equals(differs.0, differs.1);
        Some(self.not(equal))
    }
}

/// The way in which bits are extended.
#[derive(Clone, Copy)]
pub(crate) enum Extension {
    Zero,
    Sign,
}

#[derive(Clone, Copy)]
enum Kind {
    Signed,
    Unsigned,
}

impl Kind {
    fn strict(self) -> Binary {
        match self {
            Kind::Signed => Binary::SignedLess,
            Kind::Unsigned => Binary::UnsignedLess,
        }
    }

    fn weak(self) -> Binary {
        match self {
            Kind::Signed => Binary::SignedLessEqual,
            Kind::Unsigned => Binary::UnsignedLessEqual,
        }
    }

    fn greatest(self, width: u8) -> u64 {
        match self {
            Kind::Signed => mask(width) >> 1,
            Kind::Unsigned => mask(width),
        }
    }

    fn least(self, width: u8) -> u64 {
        match self {
            Kind::Signed => (mask(width) >> 1) + 1,
            Kind::Unsigned => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn ranges_decide() {
        let mut terms = Terms::new();
        let byte = terms.symbol("b", Sort::Bits(8));
        let (unsigned, zero, large) = (terms.zero_extend(byte, 32), terms.int(0), terms.int(256));
        let (always, never) = (terms.bool(true), terms.bool(false));
        assert_eq!(terms.slt(unsigned, large), always);
        assert_eq!(terms.slt(unsigned, zero), never);
        assert_eq!(terms.sle(zero, unsigned), always);
        let signed = terms.sign_extend(byte, 32);
        assert_eq!(terms.slt(large, signed), never);
    }

    #[test]
    fn extended_values_compare_as_they_were() {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::Bits(16)));
        let (x, y) = (terms.zero_extend(a, 32), terms.zero_extend(b, 32));
        assert_eq!(terms.slt(x, y), terms.ult(a, b));
        assert_eq!(terms.sle(x, y), terms.ule(a, b));
        let (hundred, narrow) = (terms.int(100), terms.bits(16, 100));
        assert_eq!(terms.slt(x, hundred), terms.ult(a, narrow));
    }

    #[test]
    fn comparisons_with_constants_are_strict() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let (four, five) = (terms.int(4), terms.int(5));
        assert_eq!(terms.sle(x, four), terms.slt(x, five));
        assert_eq!(terms.sle(five, x), terms.slt(four, x));
        let (one, zero) = (terms.int(1), terms.int(0));
        assert_eq!(terms.ult(x, one), terms.equals(x, zero));
    }
}
