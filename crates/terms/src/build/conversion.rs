//! Java's casts between numbers: to floats they round to nearest, from floats they truncate and
//! saturate.

use crate::{Binary, Constant, Node, Sort, Term, Terms, Unary};

impl Terms {
    /// The single nearest to a signed integer or a double.
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
            Node::Binary(operation, x, y) => match self.in_singles(operation, x, y) {
                Some(single) => single,
                None => self.convert_integer(Unary::ToSingle, a),
            },
            _ => self.convert_integer(Unary::ToSingle, a),
        }
    }

    /// The single that results from one operation on doubles that hold singles. A double has more
    /// than twice the digits of a single, so rounding to double first changes nothing (Figueroa).
    fn in_singles(&mut self, operation: Binary, x: Term, y: Term) -> Option<Term> {
        let (x, y) = (self.as_single(x)?, self.as_single(y)?);
        match operation {
            Binary::FloatAdd => Some(self.fadd(x, y)),
            Binary::FloatSubtract => Some(self.fsub(x, y)),
            Binary::FloatMultiply => Some(self.fmul(x, y)),
            Binary::FloatDivide => Some(self.fdiv(x, y)),
            _ => None,
        }
    }

    fn as_single(&mut self, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::Unary(Unary::ToDouble, inner) if self.sort(inner) == Sort::Single => Some(inner),
            Node::Constant(Constant::Double(value)) if f64::from(value as f32) == value => {
                Some(self.single(value as f32))
            }
            _ => None,
        }
    }

    /// The double nearest to a signed integer or a single.
    pub fn to_double(&mut self, a: Term) -> Term {
        if self.sort(a) == Sort::Double {
            return a;
        }
        match self.fold_unary(Unary::ToDouble, a) {
            Some(folded) => folded,
            None => self.convert_integer(Unary::ToDouble, a),
        }
    }

    /// Java's `(int)` and `(long)` of a float: NaN gives zero, and a value out of range gives the
    /// nearest integer in range.
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

    /// Java's `intBitsToFloat` and `longBitsToDouble`; every NaN becomes the canonical one.
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

    /// Converts a signed integer. A sign extension before the conversion makes no difference and is
    /// dropped.
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
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_double_has_digits_enough_for_one_operation(a: u32, b: u32, near in -3i32..4) {
            // Any two singles, and two of nearly the same magnitude.
            for b in [b, a.wrapping_add_signed(near)] {
                let (x, y) = (f32::from_bits(a), f32::from_bits(b));
                let (wide_x, wide_y) = (f64::from(x), f64::from(y));
                let pairs = [(wide_x + wide_y, x + y), (wide_x - wide_y, x - y), (wide_x * wide_y, x * y), (wide_x / wide_y, x / y)];
                for (wide, narrow) in pairs {
                    let rounded = wide as f32;
                    prop_assert!(rounded.to_bits() == narrow.to_bits() || rounded.is_nan() && narrow.is_nan(), "{x:e} {y:e}");
                }
            }
        }
    }

    #[test]
    fn an_operation_between_casts_is_one_of_singles() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Single), terms.symbol("y", Sort::Single));
        let (wide_x, wide_y) = (terms.to_double(x), terms.to_double(y));
        let sum = terms.fadd(wide_x, wide_y);
        assert_eq!(terms.to_single(sum), terms.fadd(x, y));
        let (tenth, single_tenth) = (terms.double(0.1), terms.single(0.1));
        let product = terms.fmul(wide_x, tenth);
        assert_ne!(terms.to_single(product), terms.fmul(x, single_tenth), "0.1 is no single");
        let three = terms.fadd(sum, wide_y);
        let (narrow, of_two) = (terms.to_single(three), terms.fadd(x, y));
        assert_ne!(narrow, terms.fadd(of_two, y), "the sum of three is rounded twice");
    }

    #[test]
    fn lossless_round_trip_casts_are_removed() {
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
