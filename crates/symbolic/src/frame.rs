//! Stack frames: the calls in progress.

use crate::method::Method;
use crate::notes::Notes;
use crate::place::CodePlace;
use crate::value::{Ref, Value};
use lapidary_jvm::{ClassId, FieldType};
use std::rc::Rc;

/// A call in progress.
#[derive(Clone)]
pub struct Frame {
    pub method: Rc<Method>,
    /// The instruction that runs next; in a caller, the one that runs after the call returns.
    pub pc: usize,
    pub locals: Vec<Value>,
    pub stack: Vec<Value>,
    pub then: Then,
    pub caller: Option<Rc<Frame>>,
    pub depth: u32,
    /// Notes kept for the hook of the machine.
    pub notes: Notes,
}

/// The continuation of a call that returns.
#[derive(Clone, Debug)]
pub enum Then {
    /// The result is pushed in the caller.
    Push,
    /// The class is now initialised, and the caller retries its instruction. The other classes are
    /// its subclasses that wait for it.
    Initialised(ClassId, Rc<[ClassId]>),
    /// The call was the constructor of this exception, which is now thrown.
    Throw(Ref),
    /// The call has built this string; the caller retries its instruction.
    Read(Ref),
    /// The machine made the call for its own purposes. The result is dropped and the caller retries
    /// its instruction.
    Forget,
}

impl Then {
    /// Whether the caller has already moved past the instruction that made the call.
    pub fn is_ordinary(&self) -> bool {
        matches!(self, Then::Push)
    }
}

impl Frame {
    /// A frame for a call that is about to begin. Wide arguments take two local variables each.
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
        Frame { method, pc: 0, locals, stack, then, caller, depth, notes: Notes::default() }
    }

    /// The value `below` places under the top of the stack.
    pub fn peek(&self, below: usize) -> Value {
        self.stack.len().checked_sub(below + 1).map_or(Value::Nothing, |place| self.stack[place])
    }

    /// The topmost `count` values, the top of the stack last. If invalid code has pushed fewer, the
    /// missing ones are `Value::Nothing`.
    pub fn operands(&self, count: usize) -> Vec<Value> {
        (0..count).rev().map(|below| self.peek(below)).collect()
    }

    pub fn drop(&mut self, count: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(count));
    }

    pub fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    /// Pops operands and pushes a result.
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

    /// The calls in progress, innermost first. A caller is at the instruction that made the call.
    pub fn places(self: &Rc<Frame>) -> Vec<CodePlace> {
        let mut places = vec![CodePlace { method: self.method.clone(), at: self.pc }];
        let mut frame = self;
        while let Some(caller) = &frame.caller {
            let at = caller.pc.saturating_sub(usize::from(frame.then.is_ordinary()));
            places.push(CodePlace { method: caller.method.clone(), at });
            frame = caller;
        }
        places
    }
}

/// Truncates an int to fit a field, element or parameter of a narrower type.
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
