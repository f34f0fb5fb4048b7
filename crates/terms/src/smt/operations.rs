//! Operations in SMT-LIB 2, one line each. Its bit-vectors and floats match Java's, with two
//! exceptions: casts to integers must be made to saturate, and the bits of NaN must be chosen.

use super::script::literal;
use crate::{Binary, Constant, Sort, Unary};

/// The text of the operation on an operand of this sort.
pub fn unary(operation: Unary, sort: Sort, a: &str) -> String {
    match operation {
        Unary::Not => format!("(not {a})"),
        Unary::Negate => format!("(bvneg {a})"),
        Unary::Complement => format!("(bvnot {a})"),
        Unary::SignExtend(width) => format!("((_ sign_extend {}) {a})", width - sort.width()),
        Unary::ZeroExtend(width) => format!("((_ zero_extend {}) {a})", width - sort.width()),
        Unary::Extract { high, low } => format!("((_ extract {high} {low}) {a})"),
        Unary::FloatNegate => format!("(fp.neg {a})"),
        Unary::SquareRoot => format!("(fp.sqrt RNE {a})"),
        Unary::IsNan => format!("(fp.isNaN {a})"),
        Unary::ToSingle => format!("((_ to_fp 8 24) RNE {a})"),
        Unary::ToDouble => format!("((_ to_fp 11 53) RNE {a})"),
        Unary::ToInteger(width) => to_integer(width, sort, a),
        Unary::RawBits => raw_bits(sort, a),
        Unary::FromRawBits if sort.width() == 32 => format!("((_ to_fp 8 24) {a})"),
        Unary::FromRawBits => format!("((_ to_fp 11 53) {a})"),
    }
}

/// The operator, with the rounding mode if it has one.
pub fn binary(operation: Binary) -> &'static str {
    match operation {
        Binary::Add => "bvadd",
        Binary::Subtract => "bvsub",
        Binary::Multiply => "bvmul",
        Binary::Divide => "bvsdiv",
        Binary::Remainder => "bvsrem",
        Binary::And => "bvand",
        Binary::Or => "bvor",
        Binary::Xor => "bvxor",
        Binary::ShiftLeft => "bvshl",
        Binary::ShiftRight => "bvashr",
        Binary::ShiftRightUnsigned => "bvlshr",
        Binary::Concat => "concat",
        Binary::Equal => "=",
        Binary::SignedLess => "bvslt",
        Binary::SignedLessEqual => "bvsle",
        Binary::UnsignedLess => "bvult",
        Binary::UnsignedLessEqual => "bvule",
        Binary::Conjunction => "and",
        Binary::FloatAdd => "fp.add RNE",
        Binary::FloatSubtract => "fp.sub RNE",
        Binary::FloatMultiply => "fp.mul RNE",
        Binary::FloatDivide => "fp.div RNE",
        Binary::FloatLess => "fp.lt",
        Binary::FloatLessEqual => "fp.leq",
        Binary::FloatEqual => "fp.eq",
    }
}

fn to_integer(width: u8, sort: Sort, a: &str) -> String {
    let limit = 2f64.powi(i32::from(width) - 1);
    let float = |value: f64| match sort {
        Sort::Single => literal(Constant::Single(value as f32)),
        _ => literal(Constant::Double(value)),
    };
    let (above, below) = (float(limit), float(-limit));
    let bits = |value: u64| literal(Constant::bits(width, value));
    let (zero, least) = (bits(0), bits(1 << (width - 1)));
    let greatest = bits((1 << (width - 1)) - 1);
    format!(
        "(ite (fp.isNaN {a}) {zero} (ite (fp.geq {a} {above}) {greatest} (ite (fp.leq {a} {below}) {least} \
         ((_ fp.to_sbv {width}) RTZ {a}))))"
    )
}

fn raw_bits(sort: Sort, a: &str) -> String {
    let nan = match sort {
        Sort::Single => Constant::Single(f32::NAN),
        _ => Constant::Double(f64::NAN),
    };
    let bits = literal(Constant::bits(sort.width(), nan.unsigned()));
    format!("(ite (fp.isNaN {a}) {bits} (fp.to_ieee_bv {a}))")
}
