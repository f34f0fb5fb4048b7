//! Java's casts between numbers: rounding to nearest towards floats, towards zero and saturating away from them.

use crate::{Node, Sort, Term, Terms, Unary};

impl Terms {
    /// The single nearest to a signed number or a double.
    pub fn to_single(&mut self, a: Term) -> Term {
        if self.sort(a) == Sort::Single {
            return a;
        }
        if let Some(folded) = self.fold_unary(Unary::ToSingle, a) {
            return folded;
        }
        match *self.node(a) {
            Node::Unary(Unary::ToDouble, inner) if self.sort(inner) == Sort::Single => inner,
            Node::Unary(Unary::ToDouble, inner) if self.is_exact_double(inner) => self.to_single(inner),
            _ => self.convert_integer(Unary::ToSingle, a),
        }
    }

    /// The double nearest to a signed number or a single.
    pub fn to_double(&mut self, a: Term) -> Term {
        if self.sort(a) == Sort::Double {
            return a;
        }
        match self.fold_unary(Unary::ToDouble, a) {
            Some(folded) => folded,
            None => self.convert_integer(Unary::ToDouble, a),
        }
    }

    /// Java's `(int)` and `(long)` of a float: NaN is zero, what is too large is the largest.
    pub fn to_integer(&mut self, a: Term, width: u8) -> Term {
        debug_assert!(matches!(width, 32 | 64), "{width}");
        if let Some(folded) = self.fold_unary(Unary::ToInteger(width), a) {
            return folded;
        }
        match *self.node(a) {
            Node::Unary(Unary::ToDouble, inner) if self.is_exact_double(inner) && self.width(inner) <= width => {
                self.sign_extend(inner, width)
            }
            Node::Unary(Unary::ToDouble, inner) if self.sort(inner) == Sort::Single => self.to_integer(inner, width),
            _ => self.plain_unary(Unary::ToInteger(width), a),
        }
    }

    pub fn to_int(&mut self, a: Term) -> Term {
        self.to_integer(a, 32)
    }

    pub fn to_long(&mut self, a: Term) -> Term {
        self.to_integer(a, 64)
    }

    /// Java's `floatToIntBits` and `doubleToLongBits`.
    pub fn raw_bits(&mut self, a: Term) -> Term {
        self.fold_unary(Unary::RawBits, a).unwrap_or_else(|| self.plain_unary(Unary::RawBits, a))
    }

    /// Java's `intBitsToFloat` and `longBitsToDouble`; every NaN becomes the one there is.
    pub fn from_raw_bits(&mut self, a: Term) -> Term {
        debug_assert!(matches!(self.sort(a), Sort::Bits(32 | 64)));
        if let Some(folded) = self.fold_unary(Unary::FromRawBits, a) {
            return folded;
        }
        match self.as_unary(Unary::RawBits, a) {
            Some(inner) => inner,
            None => self.plain_unary(Unary::FromRawBits, a),
        }
    }

    /// Signed numbers convert as they did before they were made wider.
    fn convert_integer(&mut self, operation: Unary, a: Term) -> Term {
        match self.sign_extended(a) {
            Some(inner) => self.plain_unary(operation, inner),
            None => self.plain_unary(operation, a),
        }
    }

    fn is_exact_double(&self, term: Term) -> bool {
        matches!(self.sort(term), Sort::Bits(width) if width <= 53)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn casts_there_and_back_that_lose_nothing_are_gone() {
        let mut terms = Terms::new();
        let (i, f) = (terms.symbol("i", Sort::Bits(32)), terms.symbol("f", Sort::Single));
        let double = terms.to_double(i);
        assert_eq!(terms.to_int(double), i);
        let wide = terms.to_double(f);
        assert_eq!(terms.to_single(wide), f);
        let bits = terms.raw_bits(f);
        assert_eq!(terms.from_raw_bits(bits), f);
        let single = terms.to_single(i);
        assert_ne!(terms.to_int(single), i);
    }
}
