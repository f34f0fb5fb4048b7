//! A call that is going on.

use crate::boundary::{Open, Part};
use crate::method::Method;
use crate::value::{Ref, Value};
use lapidary_jvm::{ClassId, FieldType};
use std::rc::Rc;

#[derive(Clone)]
pub struct Frame {
    pub method: Rc<Method>,
    /// The instruction that runs next; in a caller, the one that runs when the call has returned.
    pub pc: usize,
    pub locals: Vec<Value>,
    pub stack: Vec<Value>,
    pub then: Then,
    pub caller: Option<Rc<Frame>>,
    pub depth: u32,
    /// The part of the program in which it runs, and what to compare with at its end if it came from the other part.
    pub part: Part,
    /// How many objects there were when it began; counted only where parts are told apart.
    pub objects_before: u32,
    pub crossing: Option<Rc<Open>>,
    /// The loops that it is in, where one turn stands for all.
    pub heads: Vec<Turning>,
}

/// A loop of which one turn is run.
#[derive(Clone)]
pub struct Turning {
    /// Its first instruction and its last.
    pub head: usize,
    pub end: usize,
    /// The variables that were forgotten at its head.
    pub forgotten: Vec<u16>,
}

/// What happens when a call returns.
#[derive(Clone, Debug)]
pub enum Then {
    /// Its result is pushed in the caller.
    Push,
    /// The class is initialised, and the caller tries its instruction again. The others wait for it, since it is above them.
    Initialised(ClassId, Rc<[ClassId]>),
    /// It was the constructor of this exception, which is thrown now.
    Throw(Ref),
    /// It has put this text together; the caller tries its instruction again.
    Read(Ref),
    /// The machine called it for itself; the result is dropped and the caller tries its instruction again.
    Forget,
}

/// An instruction of a method.
#[derive(Clone)]
pub struct Place {
    pub method: Rc<Method>,
    pub at: usize,
}

impl Place {
    pub fn line(&self) -> u16 {
        self.method.line(self.at)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line() {
            0 => write!(f, "{}", self.method),
            line => write!(f, "{}:{line}", self.method),
        }
    }
}

impl Then {
    /// Whether the caller has already gone past the instruction that made the call.
    pub fn is_ordinary(&self) -> bool {
        matches!(self, Then::Push)
    }
}

impl Frame {
    /// A call that is about to begin. Values that take two places among the variables get them.
    pub fn new(method: Rc<Method>, arguments: &[Value], then: Then, caller: Option<Rc<Frame>>) -> Frame {
        let code = method.prepared().map(|prepared| &prepared.code);
        let places = code.map_or(0, |code| usize::from(code.max_locals));
        let mut locals = Vec::with_capacity(places.max(arguments.len()));
        for argument in arguments {
            locals.push(*argument);
            if argument.is_wide() {
                locals.push(Value::Nothing);
            }
        }
        locals.resize(places.max(locals.len()), Value::Nothing);
        let stack = Vec::with_capacity(code.map_or(0, |code| usize::from(code.max_stack)));
        let depth = caller.as_ref().map_or(0, |caller| caller.depth + 1);
        let part = caller.as_ref().map_or(Part::default(), |caller| caller.part);
        Frame {
            method,
            pc: 0,
            locals,
            stack,
            then,
            caller,
            depth,
            part,
            objects_before: 0,
            crossing: None,
            heads: Vec::new(),
        }
    }

    /// The value that many below the top of the stack.
    pub fn peek(&self, below: usize) -> Value {
        self.stack.len().checked_sub(below + 1).map_or(Value::Nothing, |place| self.stack[place])
    }

    /// The uppermost values, the topmost last. Where invalid code has pushed fewer, the rest is nothing.
    pub fn operands(&self, count: usize) -> Vec<Value> {
        (0..count).rev().map(|below| self.peek(below)).collect()
    }

    pub fn drop(&mut self, count: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(count));
    }

    pub fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    /// Takes operands away and pushes a result.
    pub fn replace(&mut self, count: usize, value: Value) {
        self.drop(count);
        self.push(value);
    }

    pub fn local(&self, index: u16) -> Value {
        self.locals.get(usize::from(index)).copied().unwrap_or(Value::Nothing)
    }

    pub fn set_local(&mut self, index: u16, value: Value) {
        if let Some(local) = self.locals.get_mut(usize::from(index)) {
            *local = value;
        }
    }

    /// The calls that are going on, innermost first. A caller stands at the instruction that called.
    pub fn places(self: &Rc<Frame>) -> Vec<Place> {
        let mut places = vec![Place { method: self.method.clone(), at: self.pc }];
        let mut frame = self;
        while let Some(caller) = &frame.caller {
            let at = caller.pc.saturating_sub(usize::from(frame.then.is_ordinary()));
            places.push(Place { method: caller.method.clone(), at });
            frame = caller;
        }
        places
    }
}

/// Makes an int fit a field, element or parameter of a narrower type.
pub fn narrowed(type_: &FieldType, number: i32) -> i32 {
    use lapidary_jvm::BaseType::*;
    match type_ {
        FieldType::Base(Boolean) => number & 1,
        FieldType::Base(Byte) => i32::from(number as i8),
        FieldType::Base(Char) => i32::from(number as u16),
        FieldType::Base(Short) => i32::from(number as i16),
        _ => number,
    }
}
