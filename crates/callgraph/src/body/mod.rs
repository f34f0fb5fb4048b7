//! What a method does to objects, and nothing else: its [`Body`].
//!
//! A body is made once for every method that is reached, by following values through its stack and local variables. All
//! analyses read the same bodies; they differ in which values they keep apart.

mod calls;
mod dynamic;
mod machine;
mod native;
mod scan;
mod stack;
mod values;
mod walk;

pub(crate) use dynamic::{Adapter, adapter_body};
pub(crate) use machine::{Start, root_body};
pub(crate) use native::native_body;
pub(crate) use scan::scan;
pub(crate) use values::Builder;

use crate::types::{FilterId, TypeId};
use lapidary_classfile::Text;
use lapidary_jvm::{ClassId, FieldId, MethodId};

/// A value of a method: first its parameters (the receiver is one), then its result, then what its code makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(pub u32);

impl Value {
    /// A number, where an object could be.
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
    /// How many values there are, parameters and result included.
    pub values: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// The code names a class, which may thus be loaded.
    Name(ClassId),
    Initialise(ClassId),
    /// The code has the `Class` of an enum. Whoever gets that can ask for the constants.
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
    /// By a handle or an offset that is not followed.
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
    /// From now on the object may be the thread that runs.
    StartThread(Value),
    CurrentThread {
        to: Value,
    },
    /// Every object that is made anywhere and passes.
    Instances {
        filter: FilterId,
        to: Value,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// As resolved; a virtual call runs what the receiver has in its place.
    pub method: MethodId,
    pub is_virtual: bool,
    /// The receiver first, unless the method is static.
    pub arguments: Box<[Value]>,
    pub result: Value,
}

/// An object that is made from a method and some values.
#[derive(Clone, Debug)]
pub(crate) struct Lambda {
    pub adapter: Adapter,
    pub captured: Box<[Value]>,
    pub to: Value,
}

/// A method as one row of a table names it.
pub(crate) fn is_row(class: &Text, name: &Text, descriptor: &Text, row: (&str, &str)) -> bool {
    let (wanted_class, wanted) = (row.0, row.1.as_bytes());
    if *class != wanted_class {
        return false;
    }
    let name = name.as_bytes();
    match wanted.strip_prefix(name) {
        Some(rest) => descriptor.as_bytes().starts_with(rest),
        None => false,
    }
}
