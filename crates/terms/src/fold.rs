//! The effect of each operation on values. This is the semantics of terms: the builder folds
//! constants with it, evaluation uses nothing else, and the SMT solver must agree.
//!
//! Numbers are Java's: they wrap, float arithmetic rounds to nearest even, casts from floats
//! saturate. Where Java throws (division by zero) or masks (shift distances), the values are
//! SMT-LIB's, so that every operation has a value.

use crate::constant::{mask, signed};
use crate::{Binary, Constant, Sort, Unary};

impl Unary {
    /// Applies the operation to a value.
    ///
    /// # Panics
    /// If the operation is not defined for the sort of the operand.
    pub fn apply(self, operand: Constant) -> Constant {
        use Constant::{Bits, Bool, Double, Single};
        match (self, operand) {
            (Unary::Not, Bool(value)) => Bool(!value),
            (Unary::Negate, Bits { width, value }) => Constant::bits(width, value.wrapping_neg()),
            (Unary::Complement, Bits { width, value }) => Constant::bits(width, !value),
            (Unary::SignExtend(wide), Bits { width, value }) => Constant::bits(wide, signed(width, value) as u64),
            (Unary::ZeroExtend(wide), Bits { value, .. }) => Constant::bits(wide, value),
            (Unary::Extract { high, low }, Bits { value, .. }) => Constant::bits(high - low + 1, value >> low),
            (Unary::FloatNegate, Single(value)) => Single(-value).canonical(),
            (Unary::FloatNegate, Double(value)) => Double(-value).canonical(),
            (Unary::SquareRoot, Single(value)) => Single(value.sqrt()).canonical(),
            (Unary::SquareRoot, Double(value)) => Double(value.sqrt()).canonical(),
            (Unary::IsNan, Single(value)) => Bool(value.is_nan()),
            (Unary::IsNan, Double(value)) => Bool(value.is_nan()),
            (Unary::RawBits, Single(_) | Double(_)) => Constant::bits(operand.sort().width(), operand.unsigned()),
            (Unary::FromRawBits, Bits { width: 32, value }) => Single(f32::from_bits(value as u32)).canonical(),
            (Unary::FromRawBits, Bits { width: 64, value }) => Double(f64::from_bits(value)).canonical(),
            (Unary::ToSingle | Unary::ToDouble | Unary::ToInteger(_), _) => self.convert(operand),
            _ => unreachable!("{self:?} of {operand:?}"),
        }
    }

    fn convert(self, operand: Constant) -> Constant {
        use Constant::{Bits, Double, Single};
        match (self, operand) {
            (Unary::ToSingle, Bits { width, value }) => Single(signed(width, value) as f32),
            (Unary::ToSingle, Double(value)) => Single(value as f32).canonical(),
            (Unary::ToDouble, Bits { width, value }) => Double(signed(width, value) as f64),
            (Unary::ToDouble, Single(value)) => Double(f64::from(value)).canonical(),
            (Unary::ToInteger(width), Single(value)) => saturate(width, f64::from(value)),
            (Unary::ToInteger(width), Double(value)) => saturate(width, value),
            _ => unreachable!("{self:?} of {operand:?}"),
        }
    }
}

/// Converts a float to an integer: truncates, saturates, and maps NaN to zero.
fn saturate(width: u8, value: f64) -> Constant {
    let largest = signed(64, mask(width) >> 1);
    Constant::bits(width, (value as i64).clamp(-largest - 1, largest) as u64)
}

impl Binary {
    /// Applies the operation to two values.
    ///
    /// # Panics
    /// If the operation is not defined for the sorts of the operands.
    pub fn apply(self, left: Constant, right: Constant) -> Constant {
        use Constant::{Bits, Bool, Double, Single};
        match (self, left, right) {
            (Binary::Equal, _, _) => Bool(left == right),
            (Binary::Concat, Bits { width: a, value: x }, Bits { width: b, value: y }) => {
                Constant::bits(a + b, x << b | y)
            }
            (_, Bits { width, value: x }, Bits { value: y, .. }) => self.on_bits(width, x, y),
            (Binary::Conjunction, Bool(x), Bool(y)) => Bool(x && y),
            (Binary::FloatLess, Single(x), Single(y)) => Bool(x < y),
            (Binary::FloatLess, Double(x), Double(y)) => Bool(x < y),
            (Binary::FloatLessEqual, Single(x), Single(y)) => Bool(x <= y),
            (Binary::FloatLessEqual, Double(x), Double(y)) => Bool(x <= y),
            (Binary::FloatEqual, Single(x), Single(y)) => Bool(x == y),
            (Binary::FloatEqual, Double(x), Double(y)) => Bool(x == y),
            (_, Single(x), Single(y)) => self.on_singles(x, y),
            (_, Double(x), Double(y)) => self.on_doubles(x, y),
            _ => unreachable!("{self:?} of {left:?} and {right:?}"),
        }
    }

    fn on_bits(self, width: u8, x: u64, y: u64) -> Constant {
        let (a, b) = (signed(width, x), signed(width, y));
        let result = match self {
            Binary::SignedLess => return Constant::Bool(a < b),
            Binary::SignedLessEqual => return Constant::Bool(a <= b),
            Binary::UnsignedLess => return Constant::Bool(x < y),
            Binary::UnsignedLessEqual => return Constant::Bool(x <= y),
            Binary::Add => x.wrapping_add(y),
            Binary::Subtract => x.wrapping_sub(y),
            Binary::Multiply => x.wrapping_mul(y),
            Binary::Divide if y == 0 => (if a < 0 { 1 } else { -1i64 }) as u64,
            Binary::Divide => a.wrapping_div(b) as u64,
            Binary::Remainder if y == 0 => x,
            Binary::Remainder => a.wrapping_rem(b) as u64,
            Binary::And => x & y,
            Binary::Or => x | y,
            Binary::Xor => x ^ y,
            Binary::ShiftLeft if y >= u64::from(width) => 0,
            Binary::ShiftLeft => x << y,
            Binary::ShiftRight => (a >> y.min(63)) as u64,
            Binary::ShiftRightUnsigned if y >= u64::from(width) => 0,
            Binary::ShiftRightUnsigned => x >> y,
            _ => unreachable!("{self:?} of bits"),
        };
        Constant::bits(width, result)
    }

    fn on_singles(self, x: f32, y: f32) -> Constant {
        let result = match self {
            Binary::FloatAdd => x + y,
            Binary::FloatSubtract => x - y,
            Binary::FloatMultiply => x * y,
            Binary::FloatDivide => x / y,
            _ => unreachable!("{self:?} of singles"),
        };
        Constant::Single(result).canonical()
    }

    fn on_doubles(self, x: f64, y: f64) -> Constant {
        let result = match self {
            Binary::FloatAdd => x + y,
            Binary::FloatSubtract => x - y,
            Binary::FloatMultiply => x * y,
            Binary::FloatDivide => x / y,
            _ => unreachable!("{self:?} of doubles"),
        };
        Constant::Double(result).canonical()
    }
}

/// Java's `%` on floats: the result has the sign of the dividend and is exact.
pub(crate) fn float_remainder(left: Constant, right: Constant) -> Constant {
    match (left, right) {
        (Constant::Single(x), Constant::Single(y)) => Constant::Single(x % y).canonical(),
        (Constant::Double(x), Constant::Double(y)) => Constant::Double(x % y).canonical(),
        _ => unreachable!("remainder of {left:?} and {right:?}"),
    }
}

/// The sort of an operation's result.
pub(crate) fn unary_sort(operation: Unary, operand: Sort) -> Sort {
    match operation {
        Unary::Not | Unary::IsNan => Sort::Bool,
        Unary::Negate | Unary::Complement | Unary::FloatNegate | Unary::SquareRoot => operand,
        Unary::SignExtend(width) | Unary::ZeroExtend(width) | Unary::ToInteger(width) => Sort::Bits(width),
        Unary::Extract { high, low } => Sort::Bits(high - low + 1),
        Unary::ToSingle => Sort::Single,
        Unary::ToDouble => Sort::Double,
        Unary::RawBits => Sort::Bits(operand.width()),
        Unary::FromRawBits if operand == Sort::Bits(32) => Sort::Single,
        Unary::FromRawBits => Sort::Double,
    }
}

pub(crate) fn binary_sort(operation: Binary, left: Sort, right: Sort) -> Sort {
    match operation {
        Binary::Concat => Sort::Bits(left.width() + right.width()),
        _ if operation.is_predicate() => Sort::Bool,
        _ => left,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i32) -> Constant {
        Constant::bits(32, value as u64)
    }

    #[test]
    fn numbers_are_java_s() {
        assert_eq!(Binary::Divide.apply(int(i32::MIN), int(-1)), int(i32::MIN));
        assert_eq!(Binary::Remainder.apply(int(i32::MIN), int(-1)), int(0));
        assert_eq!(Binary::Remainder.apply(int(-7), int(3)), int(-1));
        assert_eq!(Binary::ShiftRight.apply(int(-8), int(1)), int(-4));
        assert_eq!(Binary::ShiftRightUnsigned.apply(int(-8), int(28)), int(15));
    }

    #[test]
    fn casts_from_floats_saturate() {
        for (value, expected) in
            [(f64::NAN, 0), (1e10, i32::MAX), (-1e30, i32::MIN), (-1.9, -1), (2147483647.5, i32::MAX)]
        {
            assert_eq!(Unary::ToInteger(32).apply(Constant::Double(value)), int(expected), "{value}");
        }
        let long = Unary::ToInteger(64).apply(Constant::Single(f32::INFINITY));
        assert_eq!(long, Constant::bits(64, i64::MAX as u64));
    }

    #[test]
    fn remainders_of_floats_have_the_sign_of_the_dividend() {
        assert_eq!(float_remainder(Constant::Double(-5.5), Constant::Double(2.0)), Constant::Double(-1.5));
        assert_eq!(float_remainder(Constant::Single(-4.0), Constant::Single(2.0)), Constant::Single(-0.0));
    }
}
