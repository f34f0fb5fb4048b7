//! Errors in a program, with their places.

use crate::syntax::{Declaration, Signature};
use std::fmt;
use thiserror::Error;

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FjiError {
    #[error("{position}: expected {expected}, found {found}")]
    Syntax { position: Position, expected: String, found: String },
    #[error("{position}: the expression is nested more than {limit} deep")]
    TooDeep { position: Position, limit: usize },
    #[error("{position}: {error}")]
    Type { position: Position, error: TypeError },
}

/// A program that does not type check.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{place}: {problem}")]
pub struct TypeError {
    /// A declaration or a member of one (`A`, `A.m()`), or the main expression.
    pub place: String,
    /// The offset at which the place starts in the source.
    pub offset: usize,
    pub problem: Problem,
}

impl TypeError {
    pub(crate) fn at(declaration: &Declaration, problem: Problem) -> Self {
        TypeError { place: declaration.name().to_owned(), offset: declaration.span().0.start, problem }
    }

    pub(crate) fn in_member(type_name: &str, signature: &Signature, problem: Problem) -> Self {
        TypeError { place: format!("{type_name}.{}()", signature.name), offset: signature.span.0.start, problem }
    }

    pub(crate) fn located_in(self, source: &str) -> FjiError {
        FjiError::Type { position: Position::of(source, self.offset), error: self }
    }
}

/// A line and a column, both counted from one; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl Position {
    /// The position of a byte of `source`; an offset past the end gives the end.
    pub fn of(source: &str, offset: usize) -> Position {
        let before = source.get(..offset).unwrap_or(source);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A violated rule of the type system, or of an assumption behind it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    #[error("`{0}` is declared more than once")]
    Duplicate(String),
    #[error("`{0}` is built in and cannot be declared")]
    BuiltIn(String),
    #[error("there is no class or interface `{0}`")]
    UnknownType(String),
    #[error("`{0}` is not a class")]
    NotAClass(String),
    #[error("`{0}` is not an interface")]
    NotAnInterface(String),
    #[error("the class is its own superclass")]
    CyclicInheritance,
    #[error("the constructor must be `{expected}`")]
    Constructor { expected: String },
    #[error("overrides a method of `{superclass}` that has another type, `{inherited}`")]
    Override { superclass: String, inherited: String },
    #[error("does not implement `{signature}` of `{interface}`")]
    NotImplemented { interface: String, signature: String },
    #[error("there is no variable `{0}` here")]
    UnknownVariable(String),
    #[error("`{type_name}` has no field `{field}`")]
    NoField { type_name: String, field: String },
    #[error("`{type_name}` has no method `{method}`")]
    NoMethod { type_name: String, method: String },
    #[error("nothing is known about `...`, so it has no members")]
    MemberOfOpaque,
    #[error("`{callee}` takes {expected} arguments, not {found}")]
    ArgumentCount { callee: String, expected: usize, found: usize },
    #[error("`{found}` is not a subtype of `{expected}`")]
    Mismatch { expected: String, found: String },
}
