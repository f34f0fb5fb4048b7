//! Errors in reading a class from bytes, and in writing a class to bytes.

use thiserror::Error;

/// The error for bytes that are not a class file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {offset}: {problem}")]
pub struct ParseError {
    /// The offset from the start of the file.
    pub offset: usize,
    pub problem: Problem,
}

/// The ways in which a class file can be malformed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    #[error("not a class file (it starts with {0:08x} instead of cafebabe)")]
    Magic(u32),
    #[error("the file ends early: {wanted} bytes wanted, {left} left")]
    Truncated { wanted: usize, left: usize },
    #[error("{0} bytes follow where nothing should")]
    TrailingBytes(usize),
    #[error("unknown kind of constant: tag {0}")]
    UnknownTag(u8),
    #[error("a long or double is the last constant, but takes two places")]
    WideLastConstant,
    #[error("constant {index} should be {expected}")]
    WrongConstant { index: u16, expected: &'static str },
    #[error("unknown instruction: opcode {0:#04x}")]
    UnknownOpcode(u8),
    #[error("{target} is not the start of an instruction")]
    NotAnInstruction { target: i64 },
    #[error("malformed {0}")]
    Malformed(&'static str),
    #[error("{0} has no meaning here")]
    Misplaced(&'static str),
    #[error("nested too deeply")]
    TooDeep,
    #[error("stack map frames expand to more entries than the file size allows")]
    TooManyFrames,
}

/// The error for a class that does not fit into a class file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WriteError {
    #[error("in method {method}: {error}")]
    InMethod { method: String, error: Box<WriteError> },
    #[error("the class needs more than 65,534 constants")]
    PoolFull,
    #[error("{count} {what}, but the format holds at most {limit}")]
    TooMany { what: &'static str, count: usize, limit: usize },
    #[error("position {position} is past the end of the code, which has {instructions} instructions")]
    NoSuchPosition { position: u32, instructions: usize },
    #[error("a position outside of a method's code")]
    PositionWithoutCode,
    #[error("the code is empty")]
    EmptyCode,
    #[error("the code takes {0} bytes, and 65,535 is the limit")]
    CodeTooLarge(usize),
    #[error("the conditional branch at {position} is too far from its target, and no frame follows it")]
    BranchTooFar { position: u32 },
    #[error("instruction {position}: {what}")]
    BadOperand { position: u32, what: &'static str },
    #[error("stack map frames are not in ascending order at {position}")]
    UnorderedFrames { position: u32 },
    #[error("a {what} starts at {start} and ends before, at {end}")]
    NegativeRange { what: &'static str, start: u32, end: u32 },
    #[error("malformed descriptor {0}")]
    Descriptor(String),
}
