//! Events: what crosses the boundary between the parts of a program.

use lapidary_symbolic::{CodePlace, Heap, List, Method, Part, Ref, Value, Written};
use std::rc::Rc;

/// Something that crossed the boundary.
#[derive(Clone)]
pub struct Event {
    pub what: Crossing,
    /// The part that it goes to.
    pub to: Part,
    /// The instruction of the caller where the crossing began.
    pub place: CodePlace,
    /// The number of open crossings.
    pub depth: u32,
    /// The heap at that time.
    pub heap: Heap,
}

/// A way to cross the boundary.
#[derive(Clone)]
pub enum Crossing {
    Called(Rc<Method>, Vec<Value>),
    Returned(Rc<Method>, Option<Value>),
    Threw(Rc<Method>, Ref),
    /// A loop began whose variables have these values.
    Entered(Vec<Value>),
    /// A field or element of the other part was written: object, variable and value.
    Wrote(Option<Ref>, Variable, Value),
    /// A field or element of the other part was read: object, variable and value.
    Read(Option<Ref>, Variable, Value),
}

/// A variable that was written or read.
#[derive(Clone, Debug)]
pub enum Variable {
    Field(String),
    /// The element at this index.
    Element(Value),
}

/// A call across the boundary that has not returned.
#[derive(Clone)]
pub struct Open {
    /// The part of the caller.
    pub from: Part,
    /// The trace before the call.
    pub trace: List<Event>,
    pub objects: u32,
    pub printed: usize,
    pub written: Written,
    pub place: CodePlace,
    pub depth: u32,
}
