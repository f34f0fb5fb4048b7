//! Constants without indices, as held by `ldc`, field initialisers and bootstrap arguments.

use crate::Text;
use std::sync::Arc;

/// A loadable constant. Floating-point values are kept as bits, so that every NaN survives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    Int(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    String(Text),
    /// An internal name, or the descriptor of an array class.
    Class(Text),
    MethodType(Text),
    MethodHandle(Arc<Handle>),
    Dynamic(Arc<Dynamic>),
}

impl Constant {
    /// Returns whether the value takes two slots, which decides between `ldc` and `ldc2_w`.
    pub fn is_wide(&self) -> bool {
        match self {
            Constant::Long(_) | Constant::Double(_) => true,
            Constant::Dynamic(dynamic) => matches!(dynamic.descriptor.as_bytes(), b"J" | b"D"),
            _ => false,
        }
    }
}

/// A field or method as an instruction names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberRef {
    /// An internal name, or the descriptor of an array class.
    pub owner: Text,
    pub name: Text,
    pub descriptor: Text,
    /// Whether the reference says that the owner is an interface. Always false for fields.
    pub interface: bool,
}

/// The name and the descriptor of a field or method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameAndType {
    pub name: Text,
    pub descriptor: Text,
}

/// A method handle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    pub kind: HandleKind,
    pub member: Arc<MemberRef>,
}

/// The behaviour of a method handle (JVMS table 5.4.3.5-A).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum HandleKind {
    GetField = 1,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    NewInvokeSpecial,
    InvokeInterface,
}

impl HandleKind {
    pub fn from_byte(byte: u8) -> Option<Self> {
        use HandleKind::*;
        let all = [
            GetField,
            GetStatic,
            PutField,
            PutStatic,
            InvokeVirtual,
            InvokeStatic,
            InvokeSpecial,
            NewInvokeSpecial,
            InvokeInterface,
        ];
        all.get(usize::from(byte).wrapping_sub(1)).copied()
    }

    pub fn is_field(self) -> bool {
        self <= HandleKind::PutStatic
    }
}

/// A call site or constant that a bootstrap method computes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dynamic {
    /// The index into the class's `BootstrapMethods` attribute.
    pub bootstrap: u16,
    pub name: Text,
    pub descriptor: Text,
}

/// An entry of the `BootstrapMethods` attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BootstrapMethod {
    pub handle: Arc<Handle>,
    pub arguments: Vec<Constant>,
}
