//! Instructions that use fields and methods or create objects.

use super::{Observer, Step};
use crate::typing::known;
use crate::typing::shape::{Shape, dimensions, value_length};
use crate::typing::state::Type;
use crate::typing::untypable::Trouble;
use lapidary_classfile::{Dynamic, FieldOp, Instruction, InvokeOp, Kind, MemberRef, Position, Text};
use std::sync::Arc;

impl<O: Observer> Step<'_, O> {
    pub(super) fn field(&mut self, op: FieldOp, member: &MemberRef) -> Result<(), Trouble> {
        let descriptor = member.descriptor.as_bytes();
        if value_length(descriptor) != Some(descriptor.len()) {
            return Err(Trouble::Malformed(member.descriptor.clone()));
        }
        if op.is_put() {
            self.pop_descriptor(descriptor)?;
        }
        if !op.is_static() {
            self.pop_holder(op, member)?;
        }
        if !op.is_put() {
            self.state.stack.push(Type::of_descriptor(descriptor));
        }
        Ok(())
    }

    /// Pops the object whose field is used. A constructor may set its own class's fields before its
    /// super call.
    fn pop_holder(&mut self, op: FieldOp, member: &MemberRef) -> Result<(), Trouble> {
        let before_super = self.state.stack.last() == Some(&Type::UninitializedThis);
        if before_super && op == FieldOp::PutField && member.owner == self.class.name {
            return self.pop_any_reference();
        }
        self.pop_class(member.owner.as_bytes())
    }

    pub(super) fn invoke(&mut self, op: InvokeOp, member: &MemberRef) -> Result<(), Trouble> {
        let shape = Shape::parse(&member.descriptor)?;
        self.pop_arguments(shape)?;
        match op {
            InvokeOp::Static => {}
            InvokeOp::Special if member.name.as_bytes() == b"<init>" => self.construct(member)?,
            InvokeOp::Special => self.pop_special_receiver(member)?,
            InvokeOp::Virtual | InvokeOp::Interface => self.pop_class(member.owner.as_bytes())?,
        }
        self.push_result(shape)
    }

    pub(super) fn invoke_dynamic(&mut self, site: &Dynamic) -> Result<(), Trouble> {
        let shape = Shape::parse(&site.descriptor)?;
        self.pop_arguments(shape)?;
        self.push_result(shape)
    }

    /// Pops the receiver of `super.m()` or of a private method: an object of the current class,
    /// with a method of the class itself or a superclass.
    fn pop_special_receiver(&mut self, member: &MemberRef) -> Result<(), Trouble> {
        let class = self.class;
        if class.name != member.owner && member.owner.as_bytes() != known::OBJECT {
            self.observer.inherit(&class.name, member.owner.as_bytes())?;
        }
        self.pop_class(class.name.as_bytes())
    }

    /// Applies a constructor call, which turns all copies of an unconstructed object into the
    /// constructed one.
    fn construct(&mut self, member: &MemberRef) -> Result<(), Trouble> {
        let receiver = self.pop()?;
        let class = match &receiver {
            Type::UninitializedThis => {
                let mut allowed = self.class.superclass.iter().chain([&self.class.name]);
                if !allowed.any(|name| *name == member.owner) {
                    return Err(wrong_constructor(&self.class.name, member));
                }
                self.class.name.clone()
            }
            Type::Uninitialized(position) => self.made_at(*position, member)?,
            _ => return Err(Trouble::Expected { wanted: "an unconstructed object", found: receiver }),
        };
        self.state.initialize(&receiver, &Type::Object(class));
        Ok(())
    }

    fn made_at(&self, position: Position, member: &MemberRef) -> Result<Text, Trouble> {
        match self.code.instructions.get(position as usize) {
            Some(Instruction::New(class)) if *class == member.owner => Ok(class.clone()),
            Some(Instruction::New(class)) => Err(wrong_constructor(class, member)),
            _ => Err(Trouble::NoSuchTarget(position)),
        }
    }

    /// Pushes a new object. One that the same instruction created in the previous iteration of a
    /// loop and that was never constructed becomes unusable.
    pub(super) fn new_object(&mut self, class: &Text) -> Result<(), Trouble> {
        if dimensions(class.as_bytes()) > 0 {
            return Err(Trouble::Malformed(class.clone()));
        }
        let made = Type::Uninitialized(self.position as Position);
        if self.state.stack.contains(&made) {
            return Err(Trouble::Expected { wanted: "a constructed object", found: made });
        }
        if self.state.locals.contains(&made) {
            let locals = Arc::make_mut(&mut self.state.locals);
            locals.iter_mut().filter(|local| **local == made).for_each(|local| *local = Type::Top);
        }
        self.state.stack.push(made);
        Ok(())
    }

    pub(super) fn leave(&mut self, kind: Option<Kind>) -> Result<(), Trouble> {
        let method = self.method;
        let result = Shape::parse(&method.descriptor)?.result();
        if method.name.as_bytes() == b"<init>" && self.state.locals.contains(&Type::UninitializedThis) {
            return Err(Trouble::NotConstructed);
        }
        match (kind, result) {
            (None, None) => Ok(()),
            (Some(kind), Some(descriptor)) if kind == kind_of(descriptor) => self.pop_descriptor(descriptor),
            _ => Err(Trouble::WrongReturn(method.descriptor.clone())),
        }
    }

    fn pop_arguments(&mut self, shape: Shape<'_>) -> Result<(), Trouble> {
        let first = self.state.stack.len().checked_sub(shape.parameters().count()).ok_or(Trouble::Underflow)?;
        for (argument, descriptor) in self.state.stack[first..].iter().zip(shape.parameters()) {
            super::check_value(self.observer, argument, descriptor)?;
        }
        self.state.stack.truncate(first);
        Ok(())
    }

    fn push_result(&mut self, shape: Shape<'_>) -> Result<(), Trouble> {
        self.state.stack.extend(shape.result().map(Type::of_descriptor));
        Ok(())
    }
}

fn wrong_constructor(class: &Text, member: &MemberRef) -> Trouble {
    Trouble::WrongConstructor { wanted: class.clone(), found: member.owner.clone() }
}

fn kind_of(descriptor: &[u8]) -> Kind {
    match descriptor.first() {
        Some(b'J') => Kind::Long,
        Some(b'F') => Kind::Float,
        Some(b'D') => Kind::Double,
        Some(b'[' | b'L') => Kind::Reference,
        _ => Kind::Int,
    }
}
