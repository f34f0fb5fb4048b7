//! Floats as in IEEE 754 and Java: rounding to nearest even, and a single NaN. Few identities hold
//! for all of them.

use crate::{Binary, Constant, Node, Sort, Term, Terms, Unary};

impl Terms {
    pub fn fadd(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_binary(Binary::FloatAdd, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if self.is_float(b, -0.0) {
            return a;
        }
        self.plain_binary(Binary::FloatAdd, a, b)
    }

    pub fn fsub(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_binary(Binary::FloatSubtract, a, b) {
            return folded;
        }
        if self.is_float(b, 0.0) {
            return a;
        }
        if let Some(inner) = self.as_unary(Unary::FloatNegate, b) {
            return self.fadd(a, inner);
        }
        self.plain_binary(Binary::FloatSubtract, a, b)
    }

    pub fn fmul(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_binary(Binary::FloatMultiply, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if self.is_float(b, 1.0) {
            return a;
        }
        if self.is_float(b, -1.0) {
            return self.fneg(a);
        }
        if self.is_float(b, 2.0) {
            return self.fadd(a, a);
        }
        self.plain_binary(Binary::FloatMultiply, a, b)
    }

    pub fn fdiv(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_binary(Binary::FloatDivide, a, b) {
            return folded;
        }
        if self.is_float(b, 1.0) {
            return a;
        }
        if let Some(reciprocal) = self.exact_reciprocal(b) {
            let reciprocal = self.value(reciprocal);
            return self.fmul(a, reciprocal);
        }
        self.plain_binary(Binary::FloatDivide, a, b)
    }

    pub fn fneg(&mut self, a: Term) -> Term {
        if let Some(folded) = self.fold_unary(Unary::FloatNegate, a) {
            return folded;
        }
        match self.as_unary(Unary::FloatNegate, a) {
            Some(inner) => inner,
            None => self.plain_unary(Unary::FloatNegate, a),
        }
    }

    /// The square root, rounded to nearest: Java's `Math.sqrt`.
    pub fn fsqrt(&mut self, a: Term) -> Term {
        self.fold_unary(Unary::SquareRoot, a).unwrap_or_else(|| self.plain_unary(Unary::SquareRoot, a))
    }

    pub fn flt(&mut self, a: Term, b: Term) -> Term {
        if a == b || self.is_nan_constant(a) || self.is_nan_constant(b) {
            return self.bool(false);
        }
        if let Some(decided) = self.decide(Binary::FloatLess, a, b) {
            return decided;
        }
        if let Some(squared) = self.compare_root(Binary::FloatLess, a, b) {
            return squared;
        }
        if let Some((x, y)) = self.exact_integers(a, b) {
            return self.slt(x, y);
        }
        self.plain_binary(Binary::FloatLess, a, b)
    }

    pub fn fle(&mut self, a: Term, b: Term) -> Term {
        if self.is_nan_constant(a) || self.is_nan_constant(b) {
            return self.bool(false);
        }
        if a == b {
            return self.is_number(a);
        }
        if let Some(decided) = self.decide(Binary::FloatLessEqual, a, b) {
            return decided;
        }
        if let Some(squared) = self.compare_root(Binary::FloatLessEqual, a, b) {
            return squared;
        }
        if let Some((x, y)) = self.exact_integers(a, b) {
            return self.sle(x, y);
        }
        self.plain_binary(Binary::FloatLessEqual, a, b)
    }

    /// Java's `==`: NaN differs from itself, zeros are equal.
    pub fn feq(&mut self, a: Term, b: Term) -> Term {
        if self.is_nan_constant(a) || self.is_nan_constant(b) {
            return self.bool(false);
        }
        if a == b {
            return self.is_number(a);
        }
        if let Some(decided) = self.decide(Binary::FloatEqual, a, b) {
            return decided;
        }
        if let Some(squared) = self.compare_root(Binary::FloatEqual, a, b) {
            return squared;
        }
        if let Some((x, y)) = self.exact_integers(a, b) {
            return self.equals(x, y);
        }
        if self.equals_only_itself(a) || self.equals_only_itself(b) {
            return self.equals(a, b);
        }
        self.plain_binary(Binary::FloatEqual, a, b)
    }

    pub fn is_nan(&mut self, a: Term) -> Term {
        if let Some(folded) = self.fold_unary(Unary::IsNan, a) {
            return folded;
        }
        match *self.node(a) {
            Node::Unary(Unary::FloatNegate, inner) => self.is_nan(inner),
            Node::Unary(Unary::ToSingle | Unary::ToDouble, inner) => match self.sort(inner) {
                Sort::Bits(_) => self.bool(false),
                _ => self.is_nan(inner),
            },
            _ => self.plain_unary(Unary::IsNan, a),
        }
    }

    fn is_number(&mut self, a: Term) -> Term {
        let nan = self.is_nan(a);
        self.not(nan)
    }

    /// The integers behind two floats, if every such integer has a float of its own: then they
    /// compare as integers do.
    fn exact_integers(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        match (self.exact_integer(a), self.exact_integer(b)) {
            (Some(x), Some(y)) if self.sort(x) == self.sort(y) => Some((x, y)),
            (Some(x), None) => Some((x, self.integral_constant(b, self.width(x))?)),
            (None, Some(y)) => Some((self.integral_constant(a, self.width(y))?, y)),
            _ => None,
        }
    }

    fn exact_integer(&self, term: Term) -> Option<Term> {
        let Node::Unary(Unary::ToSingle | Unary::ToDouble, inner) = *self.node(term) else { return None };
        let significant = if self.sort(term) == Sort::Single { 24 } else { 53 };
        matches!(self.sort(inner), Sort::Bits(width) if width <= significant).then_some(inner)
    }

    /// A float constant as a signed integer of this width, if it is one.
    fn integral_constant(&mut self, term: Term, width: u8) -> Option<Term> {
        let value = self.constant(term)?;
        let number = Unary::ToInteger(width).apply(value);
        let back = match value {
            Constant::Single(_) => Unary::ToSingle.apply(number),
            _ => Unary::ToDouble.apply(number),
        };
        Binary::FloatEqual.apply(back, value).is_true().then(|| self.value(number))
    }

    /// Returns whether a term is a constant that no other float equals: neither zero, of which
    /// there are two, nor NaN.
    fn equals_only_itself(&self, term: Term) -> bool {
        match self.constant(term) {
            Some(Constant::Single(value)) => value != 0.0,
            Some(Constant::Double(value)) => value != 0.0,
            _ => false,
        }
    }

    fn is_nan_constant(&self, term: Term) -> bool {
        match self.constant(term) {
            Some(Constant::Single(value)) => value.is_nan(),
            Some(Constant::Double(value)) => value.is_nan(),
            _ => false,
        }
    }

    /// The reciprocal of a power of two, if it is itself a power of two of the same sort. Dividing
    /// by the one and multiplying by the other round the same number.
    fn exact_reciprocal(&self, term: Term) -> Option<Constant> {
        match self.constant(term)? {
            Constant::Single(value) => {
                let is_power = value.is_normal() && value.recip().is_normal() && value.to_bits().trailing_zeros() >= 23;
                is_power.then(|| Constant::Single(value.recip()))
            }
            Constant::Double(value) => {
                let is_power = value.is_normal() && value.recip().is_normal() && value.to_bits().trailing_zeros() >= 52;
                is_power.then(|| Constant::Double(value.recip()))
            }
            Constant::Bool(_) | Constant::Bits { .. } => None,
        }
    }

    /// Returns whether a term is this constant, including its sign.
    fn is_float(&self, term: Term, value: f64) -> bool {
        match self.constant(term) {
            Some(Constant::Single(found)) => found.to_bits() == (value as f32).to_bits(),
            Some(Constant::Double(found)) => found.to_bits() == value.to_bits(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Binary, Node, Sort, Terms};

    #[test]
    fn only_identities_of_all_floats_are_applied() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Double);
        let (zero, minus_zero) = (terms.double(0.0), terms.double(-0.0));
        assert_eq!(terms.fadd(x, minus_zero), x);
        assert_ne!(terms.fadd(x, zero), x);
        assert_eq!(terms.fsub(x, zero), x);
        let always = terms.bool(true);
        assert_ne!(terms.feq(x, x), always);
        assert_eq!(terms.equals(x, x), always);
    }

    #[test]
    fn powers_of_two_only_move_the_exponent() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Double);
        let (two, half, eight, eighth, three) =
            (terms.double(2.0), terms.double(0.5), terms.double(-8.0), terms.double(-0.125), terms.double(3.0));
        assert_eq!(terms.fdiv(x, two), terms.fmul(half, x));
        assert_eq!(terms.fdiv(x, eight), terms.fmul(x, eighth));
        assert_eq!(terms.fmul(two, x), terms.fadd(x, x));
        assert_eq!(terms.fdiv(x, half), terms.fadd(x, x));
        let third = terms.double(1.0 / 3.0);
        assert_ne!(terms.fdiv(x, three), terms.fmul(x, third));
        let (least, largest) = (terms.double(f64::MIN_POSITIVE), terms.double(2f64.powi(1023)));
        for extreme in [least, largest] {
            let quotient = terms.fdiv(x, extreme);
            assert!(matches!(terms.node(quotient), Node::Binary(Binary::FloatDivide | Binary::FloatMultiply, _, _)));
        }
    }

    #[test]
    fn integers_compare_as_integers() {
        let mut terms = Terms::new();
        let i = terms.symbol("i", Sort::Bits(32));
        let (double, ten, int_ten) = (terms.to_double(i), terms.double(10.0), terms.int(10));
        assert_eq!(terms.flt(double, ten), terms.slt(i, int_ten));
        let (single, single_ten) = (terms.to_single(i), terms.single(10.0));
        assert_ne!(terms.flt(single, single_ten), terms.slt(i, int_ten));
    }
}
