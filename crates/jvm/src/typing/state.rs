//! The types of a method's locals and operands at one position.
//!
//! A local long or double takes two slots, the second of which is [`Type::Top`]; on the operand
//! stack it is one entry, as in the class file's frames. Locals are shared between positions,
//! because few instructions change them.

use super::shape::Shape;
use super::untypable::Trouble;
use lapidary_classfile::{Class, Frame, Method, Position, Text, VerificationType};
use std::fmt;
use std::sync::Arc;

/// A verification type (JVMS §4.10.1.2), with the return addresses of old class files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    Top,
    Int,
    Float,
    Long,
    Double,
    Null,
    UninitializedThis,
    /// An object created by the `new` at this position and not yet constructed.
    Uninitialized(Position),
    /// An internal name, or the descriptor of an array class.
    Object(Text),
    /// Pushed by the `jsr` before this position.
    ReturnAddress(Position),
}

impl Type {
    /// The type of a value with this field descriptor.
    pub fn of_descriptor(descriptor: &[u8]) -> Type {
        match descriptor {
            [b'J', ..] => Type::Long,
            [b'D', ..] => Type::Double,
            [b'F', ..] => Type::Float,
            [b'[', ..] => Type::Object(Text::from_bytes(descriptor)),
            [b'L', name @ .., b';'] => Type::Object(Text::from_bytes(name)),
            _ => Type::Int,
        }
    }

    pub fn is_wide(&self) -> bool {
        matches!(self, Type::Long | Type::Double)
    }

    pub fn slots(&self) -> usize {
        if self.is_wide() { 2 } else { 1 }
    }

    /// Returns whether the type is null or a constructed object.
    pub fn is_reference(&self) -> bool {
        matches!(self, Type::Null | Type::Object(_))
    }

    pub fn is_uninitialized(&self) -> bool {
        matches!(self, Type::UninitializedThis | Type::Uninitialized(_))
    }

    /// The notation of the type in a frame. A return address has none there, and no class file that
    /// may have frames contains one.
    pub fn to_verification(&self) -> VerificationType {
        match self {
            Type::Top | Type::ReturnAddress(_) => VerificationType::Top,
            Type::Int => VerificationType::Int,
            Type::Float => VerificationType::Float,
            Type::Long => VerificationType::Long,
            Type::Double => VerificationType::Double,
            Type::Null => VerificationType::Null,
            Type::UninitializedThis => VerificationType::UninitializedThis,
            Type::Uninitialized(position) => VerificationType::Uninitialized(*position),
            Type::Object(name) => VerificationType::Object(name.clone()),
        }
    }
}

impl From<&VerificationType> for Type {
    fn from(type_: &VerificationType) -> Self {
        match type_ {
            VerificationType::Top => Type::Top,
            VerificationType::Int => Type::Int,
            VerificationType::Float => Type::Float,
            VerificationType::Long => Type::Long,
            VerificationType::Double => Type::Double,
            VerificationType::Null => Type::Null,
            VerificationType::UninitializedThis => Type::UninitializedThis,
            VerificationType::Uninitialized(position) => Type::Uninitialized(*position),
            VerificationType::Object(name) => Type::Object(name.clone()),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Top => f.write_str("nothing"),
            Type::Int => f.write_str("int"),
            Type::Float => f.write_str("float"),
            Type::Long => f.write_str("long"),
            Type::Double => f.write_str("double"),
            Type::Null => f.write_str("null"),
            Type::UninitializedThis => f.write_str("this before its constructor's super call"),
            Type::Uninitialized(position) => write!(f, "the unconstructed object made at {position}"),
            Type::Object(name) => write!(f, "{name}"),
            Type::ReturnAddress(position) => write!(f, "the return address {position}"),
        }
    }
}

/// The types of locals and operands before an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The locals by slot. Slots past the end hold nothing.
    pub locals: Arc<Vec<Type>>,
    /// The operand stack, with the top last.
    pub stack: Vec<Type>,
}

impl State {
    /// The state in which a method begins.
    pub fn entry(class: &Class, method: &Method) -> Result<State, Trouble> {
        let shape = Shape::parse(&method.descriptor)?;
        let mut locals = Vec::new();
        if !method.is_static() {
            locals.push(receiver(class, method));
        }
        shape.parameters().for_each(|parameter| push_local(&mut locals, Type::of_descriptor(parameter)));
        Ok(State { locals: Arc::new(locals), stack: Vec::new() })
    }

    /// The state that a frame declares.
    pub fn declared(frame: &Frame) -> State {
        State { locals: Arc::new(declared_locals(frame)), stack: frame.stack.iter().map(Type::from).collect() }
    }

    pub fn local(&self, slot: usize) -> &Type {
        self.locals.get(slot).unwrap_or(&Type::Top)
    }

    /// Stores a value in a slot. Values that overlapped with it are lost.
    pub fn set_local(&mut self, slot: usize, value: Type) {
        let locals = Arc::make_mut(&mut self.locals);
        let end = slot + value.slots();
        if locals.len() < end {
            locals.resize(end, Type::Top);
        }
        if slot > 0 && locals[slot - 1].is_wide() {
            locals[slot - 1] = Type::Top;
        }
        for index in slot..end {
            if locals[index].is_wide() && index + 1 < locals.len() {
                locals[index + 1] = Type::Top;
            }
            locals[index] = Type::Top;
        }
        locals[slot] = value;
    }

    /// Turns every copy of an unconstructed object into the constructed one.
    pub fn initialize(&mut self, from: &Type, to: &Type) {
        if self.locals.contains(from) {
            replace_all(Arc::make_mut(&mut self.locals).as_mut_slice(), from, to);
        }
        replace_all(&mut self.stack, from, to);
    }

    pub fn stack_slots(&self) -> usize {
        self.stack.iter().map(Type::slots).sum()
    }

    /// The state as a frame, without the empty slots at its end.
    pub fn to_frame(&self, position: Position) -> Frame {
        let held = self.locals.len() - self.locals.iter().rev().take_while(|type_| **type_ == Type::Top).count();
        let mut locals = Vec::with_capacity(held);
        let mut slot = 0;
        while slot < held {
            locals.push(self.locals[slot].to_verification());
            slot += self.locals[slot].slots();
        }
        Frame { position, locals: locals.into(), stack: self.stack.iter().map(Type::to_verification).collect() }
    }
}

fn receiver(class: &Class, method: &Method) -> Type {
    let constructor = method.name.as_bytes() == b"<init>" && class.superclass.is_some();
    if constructor { Type::UninitializedThis } else { Type::Object(class.name.clone()) }
}

fn declared_locals(frame: &Frame) -> Vec<Type> {
    let mut locals = Vec::with_capacity(frame.locals.len() + 2);
    frame.locals.iter().for_each(|type_| push_local(&mut locals, type_.into()));
    locals
}

fn push_local(locals: &mut Vec<Type>, type_: Type) {
    let wide = type_.is_wide();
    locals.push(type_);
    if wide {
        locals.push(Type::Top);
    }
}

fn replace_all(types: &mut [Type], from: &Type, to: &Type) {
    types.iter_mut().filter(|type_| *type_ == from).for_each(|type_| *type_ = to.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locals(types: &[Type]) -> State {
        State { locals: Arc::new(types.to_vec()), stack: Vec::new() }
    }

    #[test]
    fn a_store_ruins_the_wide_values_it_overlaps() {
        let mut state = locals(&[Type::Long, Type::Top, Type::Double, Type::Top, Type::Int]);
        state.set_local(1, Type::Long);
        assert_eq!(*state.locals, [Type::Top, Type::Long, Type::Top, Type::Top, Type::Int]);
        state.set_local(6, Type::Null);
        assert_eq!(state.local(5), &Type::Top);
        assert_eq!(state.local(6), &Type::Null);
    }

    #[test]
    fn a_frame_has_one_entry_per_wide_local_and_no_empty_end() {
        let state = locals(&[Type::Int, Type::Long, Type::Top, Type::Top, Type::Null, Type::Top]);
        let frame = state.to_frame(3);
        use VerificationType as V;
        assert_eq!(*frame.locals, [V::Int, V::Long, V::Top, V::Null]);
        let again = State::declared(&frame);
        assert_eq!(again.locals[..], state.locals[..5]);
    }
}
