//! The vocabulary of bodies: values, and the actions that create and move them.

use crate::types::{FilterId, TypeId};
use lapidary_classfile::{Handle, Text};
use lapidary_jvm::{ClassId, FieldId, MethodId, MethodType};
use std::sync::Arc;

/// A value of a method: first its parameters (including the receiver), then its result, then the
/// values that its code creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(pub u32);

impl Value {
    /// A primitive value in the place of an object.
    pub const NONE: Value = Value(u32::MAX);

    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub fn is_object(self) -> bool {
        self != Value::NONE
    }
}

#[derive(Default)]
pub(crate) struct Body {
    pub actions: Vec<Action>,
    /// The number of values, including parameters and result.
    pub values: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// The code names a class, which may therefore be loaded.
    Name(ClassId),
    Initialise(ClassId),
    /// The code obtains the `Class` of an enum, with which it can ask for the constants.
    MirrorEnum(ClassId),
    New {
        type_: TypeId,
        to: Value,
    },
    Move {
        from: Value,
        to: Value,
        filter: FilterId,
    },
    ReadField {
        field: FieldId,
        to: Value,
    },
    WriteField {
        field: FieldId,
        from: Value,
    },
    LoadElement {
        array: Value,
        to: Value,
    },
    StoreElement {
        array: Value,
        from: Value,
    },
    /// A read through a handle or an offset that is not followed.
    ReadAnything {
        object: Value,
        to: Value,
    },
    WriteAnything {
        object: Value,
        from: Value,
    },
    Call(Call),
    Lambda(Box<Lambda>),
    Throw(Value),
    Catch {
        filter: FilterId,
        to: Value,
    },
    /// The object may be the current thread from now on.
    StartThread(Value),
    CurrentThread {
        to: Value,
    },
    /// Every object created anywhere that passes the filter.
    Instances {
        filter: FilterId,
        to: Value,
    },
}

impl Action {
    /// Visits every value that the action reads or writes.
    pub(super) fn for_each_value(&mut self, visit: &mut impl FnMut(&mut Value)) {
        match self {
            Action::Name(_) | Action::Initialise(_) | Action::MirrorEnum(_) => {}
            Action::New { to, .. }
            | Action::ReadField { to, .. }
            | Action::Catch { to, .. }
            | Action::CurrentThread { to }
            | Action::Instances { to, .. } => visit(to),
            Action::WriteField { from, .. } | Action::Throw(from) | Action::StartThread(from) => visit(from),
            Action::Move { from, to, .. } => [from, to].into_iter().for_each(visit),
            Action::LoadElement { array: object, to: other }
            | Action::StoreElement { array: object, from: other }
            | Action::ReadAnything { object, to: other }
            | Action::WriteAnything { object, from: other } => [object, other].into_iter().for_each(visit),
            Action::Call(call) => call.arguments.iter_mut().chain([&mut call.result]).for_each(visit),
            Action::Lambda(lambda) => lambda.captured.iter_mut().chain([&mut lambda.to]).for_each(visit),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The resolved method. A virtual call runs the receiver's overriding method.
    pub method: MethodId,
    pub is_virtual: bool,
    /// The arguments, with the receiver first unless the method is static.
    pub arguments: Box<[Value]>,
    pub result: Value,
}

/// A function object created from a method and captured values.
#[derive(Clone, Debug)]
pub(crate) struct Lambda {
    pub adapter: Adapter,
    pub captured: Box<[Value]>,
    pub to: Value,
}

/// The method of a lambda object. The single method of its interface passes its arguments, after
/// the captured ones, to the implementation method. The adapter's parameters are the object, those
/// of the interface, and the captured values.
#[derive(Clone, Debug)]
pub(crate) struct Adapter {
    pub interfaces: Vec<ClassId>,
    pub name: Text,
    /// The descriptors under which the method may be called: the erased one and those of bridges.
    pub descriptors: Vec<Text>,
    pub parameters: usize,
    pub(super) caller: ClassId,
    pub(super) used: MethodType,
    pub(super) captured: MethodType,
    pub(super) implementation: Arc<Handle>,
}
