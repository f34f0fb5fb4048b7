//! Java class files, read and written without loss (JVMS chapter 4, class-file versions 45 to 65
//! and later).
//!
//! There are two layers. [`raw`] is the file as the format defines it: a constant pool with
//! indices, and attributes as bytes. The [`Class`] tree is the form that programs work with: every
//! index is resolved, every position in a method's code is the index of an instruction, and writing
//! builds a fresh constant pool that holds only the constants that the class uses.
//!
//! An attribute that the tree cannot express is kept as bytes ([`Attribute::Unknown`]). These bytes
//! may hold indices, so a class with such an attribute is written with its original constant pool,
//! followed by any new constants.
//!
//! Architecture invariant: this crate knows the format and nothing of hierarchies, types or
//! reduction.

pub mod access;
mod annotation;
mod attribute;
mod bootstrap;
mod class;
mod code;
mod constant;
mod error;
mod frame;
mod instruction;
mod opaque;
mod opcode;
mod operand;
pub mod raw;
mod read;
mod text;
mod write;

pub use annotation::{Annotation, Element, ElementValue, LocalRange, PathStep, TypeAnnotation, TypeTarget};
pub use attribute::{
    Attribute, Attributed, EnclosingMethod, InnerClass, MethodParameter, Module, ModuleExports, ModuleProvides,
    ModuleRequires, RecordComponent,
};
pub use class::{Class, Field, Method, Version};
pub use code::{Code, Handler, LineNumber, LocalVariable};
pub use constant::{BootstrapMethod, Constant, Dynamic, Handle, HandleKind, MemberRef, NameAndType};
pub use error::{ParseError, Problem, WriteError};
pub use frame::{Frame, VerificationType, field_descriptor_length};
pub use instruction::{Instruction, LookupSwitch, Position, TableSwitch};
pub use operand::{
    Arithmetic, ArrayKind, Comparison, Condition, Conversion, FieldOp, IntegerKind, InvokeOp, Kind, Local, LocalForm,
    Logic, NumberKind, PrimitiveType, Shift, StackOp,
};
pub use text::Text;
