//! Annotations on declarations and on uses of types (JVMS §4.7.16 to §4.7.22).

use crate::{Position, Text};

/// An annotation with its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// A field descriptor, such as `Ljava/lang/Deprecated;`.
    pub descriptor: Text,
    pub elements: Vec<Element>,
}

/// A named value in an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub name: Text,
    pub value: ElementValue,
}

/// The value of an annotation's element. Small integers are 32 bits wide because those of the
/// constant pool are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementValue {
    Byte(i32),
    Char(i32),
    Short(i32),
    Boolean(i32),
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    String(Text),
    Enum {
        descriptor: Text,
        constant: Text,
    },
    /// A return descriptor: `V` for `void.class`.
    Class(Text),
    Annotation(Box<Annotation>),
    Array(Vec<ElementValue>),
}

/// An annotation on the use of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeAnnotation {
    pub target: TypeTarget,
    /// The steps from the outermost part of the type to the annotated one.
    pub path: Vec<PathStep>,
    pub annotation: Annotation,
}

/// A step from a type to the part of it that is annotated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// 0 steps into an array, 1 into a nested type, 2 to a wildcard's bound, 3 to a type argument.
    pub kind: u8,
    pub argument: u8,
}

/// The annotated use of a type. The second group of variants occurs in a method's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeTarget {
    ClassTypeParameter(u8),
    MethodTypeParameter(u8),
    /// 65,535 is the superclass; anything less is an index into the interfaces.
    Supertype(u16),
    ClassTypeParameterBound {
        parameter: u8,
        bound: u8,
    },
    MethodTypeParameterBound {
        parameter: u8,
        bound: u8,
    },
    Field,
    Return,
    Receiver,
    FormalParameter(u8),
    /// An index into the `Exceptions` attribute.
    Throws(u16),

    LocalVariable(Vec<LocalRange>),
    ResourceVariable(Vec<LocalRange>),
    /// An index into the code's handlers.
    Catch(u16),
    InstanceOf(Position),
    New(Position),
    ConstructorReference(Position),
    MethodReference(Position),
    Cast {
        position: Position,
        argument: u8,
    },
    ConstructorCallArgument {
        position: Position,
        argument: u8,
    },
    MethodCallArgument {
        position: Position,
        argument: u8,
    },
    ConstructorReferenceArgument {
        position: Position,
        argument: u8,
    },
    MethodReferenceArgument {
        position: Position,
        argument: u8,
    },
}

impl TypeTarget {
    /// The annotated instruction, if the target is one.
    pub fn position_mut(&mut self) -> Option<&mut Position> {
        match self {
            TypeTarget::InstanceOf(position)
            | TypeTarget::New(position)
            | TypeTarget::ConstructorReference(position)
            | TypeTarget::MethodReference(position)
            | TypeTarget::Cast { position, .. }
            | TypeTarget::ConstructorCallArgument { position, .. }
            | TypeTarget::MethodCallArgument { position, .. }
            | TypeTarget::ConstructorReferenceArgument { position, .. }
            | TypeTarget::MethodReferenceArgument { position, .. } => Some(position),
            _ => None,
        }
    }

    /// The ranges of code in which the annotated variable lives, if the target is one.
    pub fn ranges_mut(&mut self) -> Option<&mut Vec<LocalRange>> {
        match self {
            TypeTarget::LocalVariable(ranges) | TypeTarget::ResourceVariable(ranges) => Some(ranges),
            _ => None,
        }
    }
}

/// A local variable's slot, from `start` up to but not including `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalRange {
    pub start: Position,
    pub end: Position,
    pub index: u16,
}
