//! The nodes of terms.

use crate::Constant;
use std::fmt;

/// The number of a term. Two terms of one [`Terms`](crate::Terms) are equal if and only if they
/// were built alike. Operands have smaller numbers than the terms that contain them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

impl Term {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sort of a term's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1 to 64 bits.
    Bits(u8),
    Single,
    Double,
}

impl Sort {
    pub fn is_float(self) -> bool {
        matches!(self, Sort::Single | Sort::Double)
    }

    /// The number of bits of a value of this sort.
    pub fn width(self) -> u8 {
        match self {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
            Sort::Single => 32,
            Sort::Double => 64,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "bool"),
            Sort::Bits(width) => write!(f, "bits{width}"),
            Sort::Single => write!(f, "single"),
            Sort::Double => write!(f, "double"),
        }
    }
}

/// An uninterpreted function: its name and the sort of its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function(pub(crate) u32);

/// The operation at the root of a term, and its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Constant(Constant),
    Symbol,
    Unary(Unary, Term),
    Binary(Binary, Term, Term),
    /// The second operand if the first is true, otherwise the third.
    Choice(Term, Term, Term),
    Apply(Function, Box<[Term]>),
}

impl Node {
    /// The operands, in order.
    pub fn operands(&self) -> Operands<'_> {
        const NONE: Term = Term(0);
        match self {
            Node::Constant(_) | Node::Symbol => Operands::Few([NONE; 3], 0),
            Node::Unary(_, a) => Operands::Few([*a, NONE, NONE], 1),
            Node::Binary(_, a, b) => Operands::Few([*a, *b, NONE], 2),
            Node::Choice(a, b, c) => Operands::Few([*a, *b, *c], 3),
            Node::Apply(_, arguments) => Operands::Many(arguments),
        }
    }
}

/// The operands of a node, as a slice.
pub enum Operands<'a> {
    Few([Term; 3], usize),
    Many(&'a [Term]),
}

impl std::ops::Deref for Operands<'_> {
    type Target = [Term];
    fn deref(&self) -> &[Term] {
        match self {
            Operands::Few(terms, count) => &terms[..*count],
            Operands::Many(terms) => terms,
        }
    }
}

/// An operation with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Not,
    Negate,
    Complement,
    /// Extends to this width with the sign.
    SignExtend(u8),
    ZeroExtend(u8),
    /// Extracts bits; both ends are inclusive.
    Extract {
        high: u8,
        low: u8,
    },
    FloatNegate,
    SquareRoot,
    IsNan,
    /// Converts a signed number or a double to a single.
    ToSingle,
    /// Converts a signed number or a single to a double.
    ToDouble,
    /// Converts a float to a signed number of this width, as Java's casts do.
    ToInteger(u8),
    /// The bits of a float; those of NaN are the canonical ones.
    RawBits,
    /// The float with these bits.
    FromRawBits,
}

/// An operation with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    /// Concatenation; the first operand has the higher bits.
    Concat,
    /// Identity: NaN equals NaN, and zeros of different signs differ.
    Equal,
    SignedLess,
    SignedLessEqual,
    UnsignedLess,
    UnsignedLessEqual,
    Conjunction,
    FloatAdd,
    FloatSubtract,
    FloatMultiply,
    FloatDivide,
    FloatLess,
    FloatLessEqual,
    /// Equality of IEEE 754: NaN differs from itself, and zeros are equal.
    FloatEqual,
}

impl Binary {
    /// Returns whether the operands may be exchanged.
    pub fn is_commutative(self) -> bool {
        use Binary::*;
        matches!(self, Add | Multiply | And | Or | Xor | Equal | Conjunction | FloatAdd | FloatMultiply | FloatEqual)
    }

    /// Returns whether the result is a truth value, whatever the operands are.
    pub fn is_predicate(self) -> bool {
        use Binary::*;
        matches!(
            self,
            Equal
                | SignedLess
                | SignedLessEqual
                | UnsignedLess
                | UnsignedLessEqual
                | Conjunction
                | FloatLess
                | FloatLessEqual
                | FloatEqual
        )
    }
}
