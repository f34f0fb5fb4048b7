//! The reasons why a method body has no types.

use super::state::Type;
use lapidary_classfile::{Position, Text};
use thiserror::Error;

/// A body that the verifier would reject, or that the checker cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("instruction {position}: {trouble}")]
pub struct Untypable {
    pub position: Position,
    pub trouble: Trouble,
}

impl Untypable {
    pub(super) fn at(position: usize) -> impl Fn(Trouble) -> Untypable {
        move |trouble| Untypable { position: position as Position, trouble }
    }
}

/// The ways in which a body can fail to type-check.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    #[error("the method has no code")]
    NoCode,
    #[error("the operand stack has too few values")]
    Underflow,
    #[error("expected {wanted}, found {found}")]
    Expected { wanted: &'static str, found: Type },
    #[error("local {slot} holds {found}, not {wanted}")]
    Local { slot: u16, wanted: &'static str, found: Type },
    #[error("{from} is not a {to}")]
    NotAssignable { from: Type, to: Text },
    #[error("{0} is not a descriptor")]
    Malformed(Text),
    #[error("a value of two slots would be cut in half")]
    HalfValue,
    #[error("a constructor of {found} is called on an object of class {wanted}")]
    WrongConstructor { wanted: Text, found: Text },
    #[error("a constructor returns before its super call")]
    NotConstructed,
    #[error("a value is returned from a method of type {0}")]
    WrongReturn(Text),
    #[error("there is no suitable instruction {0}")]
    NoSuchTarget(Position),
    #[error("there is no stack map frame at {0}, where control arrives")]
    NoFrame(Position),
    #[error("the frame at {target} expects {wanted} in {place}, found {found}")]
    Frame { target: Position, place: Place, wanted: Type, found: Type },
    #[error("stacks of different heights meet at {0}")]
    StackHeights(Position),
    #[error("control runs past the end of the code")]
    FallsOff,
    #[error("subroutines are nested too deeply or return to nowhere")]
    Subroutine,
    #[error("the types do not settle")]
    Unsettled,
    #[error("the code holds more values at once than can be followed")]
    TooLarge,
}

/// The place of a value in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Local(usize),
    Operand(usize),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Local(slot) => write!(f, "local {slot}"),
            Place::Operand(depth) => write!(f, "operand {depth}"),
        }
    }
}
