//! Shifts. Distances are as wide as the shifted value; the caller masks them as Java does. A right
//! shift by a constant becomes an extension of an extraction.

use crate::{Binary, Term, Terms};

impl Terms {
    pub fn shl(&mut self, a: Term, distance: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(distance));
        if let Some(folded) = self.fold_binary(Binary::ShiftLeft, a, distance) {
            return folded;
        }
        let width = self.width(a);
        match self.number(distance) {
            Some(0) => a,
            Some(bits) if bits >= u64::from(width) => self.bits(width, 0),
            Some(bits) => self.shift_left_by(a, bits),
            None if self.number(a) == Some(0) => a,
            None => self.plain_binary(Binary::ShiftLeft, a, distance),
        }
    }

    fn shift_left_by(&mut self, a: Term, bits: u64) -> Term {
        let width = self.width(a);
        if let Some((x, inner)) = self.with_constant(Binary::ShiftLeft, a) {
            let distance = self.bits(width, (inner + bits).min(u64::from(width)));
            return self.shl(x, distance);
        }
        let distance = self.bits(width, bits);
        self.plain_binary(Binary::ShiftLeft, a, distance)
    }

    /// Shifts right and fills with the sign.
    pub fn ashr(&mut self, a: Term, distance: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(distance));
        if let Some(folded) = self.fold_binary(Binary::ShiftRight, a, distance) {
            return folded;
        }
        if self.is_never_negative(a) {
            return self.lshr(a, distance);
        }
        let width = self.width(a);
        match self.number(distance) {
            Some(bits) => {
                let low = bits.min(u64::from(width) - 1) as u8;
                let upper = self.extract(a, width - 1, low);
                self.sign_extend(upper, width)
            }
            None => self.plain_binary(Binary::ShiftRight, a, distance),
        }
    }

    /// Shifts right and fills with zeros.
    pub fn lshr(&mut self, a: Term, distance: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(distance));
        if let Some(folded) = self.fold_binary(Binary::ShiftRightUnsigned, a, distance) {
            return folded;
        }
        let width = self.width(a);
        match self.number(distance) {
            Some(bits) if bits >= u64::from(width) => self.bits(width, 0),
            Some(bits) => {
                let upper = self.extract(a, width - 1, bits as u8);
                self.zero_extend(upper, width)
            }
            None if self.number(a) == Some(0) => a,
            None => self.plain_binary(Binary::ShiftRightUnsigned, a, distance),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn shifting_there_and_back_is_a_cast() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let distance = terms.int(24);
        let left = terms.shl(x, distance);
        let byte = terms.extract(x, 7, 0);
        let cast = terms.sign_extend(byte, 32);
        assert_eq!(terms.ashr(left, distance), cast);
    }

    #[test]
    fn bytes_are_found_again() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let (eight, mask) = (terms.int(8), terms.int(0xff));
        let shifted = terms.lshr(x, eight);
        let masked = terms.and(shifted, mask);
        let byte = terms.extract(x, 15, 8);
        assert_eq!(masked, terms.zero_extend(byte, 32));
    }
}
