//! Constants: the values of terms once every symbol has one.
//!
//! Two constants are equal if no operation can tell them apart: zeros with different signs differ,
//! and there is a single NaN. Bits beyond the width of a bit-vector are zero.

use crate::Sort;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The value of a term.
#[derive(Clone, Copy)]
pub enum Constant {
    Bool(bool),
    Bits { width: u8, value: u64 },
    Single(f32),
    Double(f64),
}

impl Constant {
    /// The bit-vector of the lowest `width` bits of `value`.
    pub fn bits(width: u8, value: u64) -> Constant {
        Constant::Bits { width, value: value & mask(width) }
    }

    /// The default value of a symbol without a value.
    pub fn zero(sort: Sort) -> Constant {
        match sort {
            Sort::Bool => Constant::Bool(false),
            Sort::Bits(width) => Constant::Bits { width, value: 0 },
            Sort::Single => Constant::Single(0.0),
            Sort::Double => Constant::Double(0.0),
        }
    }

    pub fn sort(self) -> Sort {
        match self {
            Constant::Bool(_) => Sort::Bool,
            Constant::Bits { width, .. } => Sort::Bits(width),
            Constant::Single(_) => Sort::Single,
            Constant::Double(_) => Sort::Double,
        }
    }

    /// The constant with a NaN replaced by the canonical one of Java's `floatToIntBits`.
    pub fn canonical(self) -> Constant {
        match self {
            Constant::Single(value) if value.is_nan() => Constant::Single(f32::from_bits(0x7fc0_0000)),
            Constant::Double(value) if value.is_nan() => Constant::Double(f64::from_bits(0x7ff8_0000_0000_0000)),
            other => other,
        }
    }

    pub fn is_true(self) -> bool {
        matches!(self, Constant::Bool(true))
    }

    /// A bit-vector as an unsigned number, a float as its bits, or a truth value as 0 or 1.
    pub fn unsigned(self) -> u64 {
        match self.canonical() {
            Constant::Bool(value) => u64::from(value),
            Constant::Bits { value, .. } => value,
            Constant::Single(value) => u64::from(value.to_bits()),
            Constant::Double(value) => value.to_bits(),
        }
    }

    /// A bit-vector as a signed number in two's complement.
    pub fn signed(self) -> i64 {
        match self {
            Constant::Bits { width, value } => signed(width, value),
            other => other.unsigned() as i64,
        }
    }
}

/// The largest unsigned value of a bit-vector.
pub(crate) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

/// Interprets bits in two's complement.
pub(crate) fn signed(width: u8, value: u64) -> i64 {
    let unused = 64 - u32::from(width);
    ((value << unused) as i64) >> unused
}

impl PartialEq for Constant {
    fn eq(&self, other: &Self) -> bool {
        self.sort() == other.sort() && self.unsigned() == other.unsigned()
    }
}

impl Eq for Constant {}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.sort(), self.unsigned()).hash(state);
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Constant::Bool(value) => write!(f, "{value}"),
            Constant::Bits { .. } => write!(f, "{}", self.signed()),
            Constant::Single(value) => write!(f, "{value:?}f"),
            Constant::Double(value) => write!(f, "{value:?}"),
        }
    }
}

impl fmt::Debug for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.sort())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_is_by_bits_with_a_single_nan() {
        assert_ne!(Constant::Double(0.0), Constant::Double(-0.0));
        assert_eq!(Constant::Single(f32::NAN), Constant::Single(f32::from_bits(0xffff_ffff)));
        assert_ne!(Constant::bits(8, 1), Constant::bits(9, 1));
        assert_eq!(Constant::bits(8, 0x1ff), Constant::bits(8, 0xff));
    }

    #[test]
    fn bits_are_read_in_two_s_complement() {
        assert_eq!(Constant::bits(8, 0x80).signed(), -128);
        assert_eq!(Constant::bits(64, u64::MAX).signed(), -1);
        assert_eq!(Constant::bits(1, 1).signed(), -1);
    }
}
