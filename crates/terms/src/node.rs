//! What terms are made of.

use crate::Constant;
use std::fmt;

/// A term is a number: two terms of one [`Terms`](crate::Terms) are equal if and only if they were built alike.
/// Operands have smaller numbers than the terms they are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

impl Term {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What kind of value a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// 1 to 64 bits.
    Bits(u8),
    Single,
    Double,
}

impl Sort {
    pub fn is_float(self) -> bool {
        matches!(self, Sort::Single | Sort::Double)
    }

    /// How many bits a value of this sort has.
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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Constant(Constant),
    Symbol,
    Unary(Unary, Term),
    Binary(Binary, Term, Term),
    /// The second if the first is true, else the third.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Not,
    Negate,
    Complement,
    /// To this width.
    SignExtend(u8),
    ZeroExtend(u8),
    /// Both bits are in.
    Extract {
        high: u8,
        low: u8,
    },
    FloatNegate,
    SquareRoot,
    IsNan,
    /// From a signed number or a double.
    ToSingle,
    /// From a signed number or a single.
    ToDouble,
    /// From a float to a signed number of this width, as Java's casts do.
    ToInteger(u8),
    /// A float's bits; those of NaN are the canonical ones.
    RawBits,
    /// The float with these bits.
    FromRawBits,
}

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
    /// The first operand has the higher bits.
    Concat,
    /// No operation can tell the operands apart: NaN equals NaN, zeros of different signs differ.
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
    /// IEEE 754: NaN differs from itself, zeros are equal.
    FloatEqual,
}

impl Binary {
    /// Whether the operands may be exchanged.
    pub fn is_commutative(self) -> bool {
        use Binary::*;
        matches!(self, Add | Multiply | And | Or | Xor | Equal | Conjunction | FloatAdd | FloatMultiply | FloatEqual)
    }

    /// Whether the result is a truth value, whatever the operands are.
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
