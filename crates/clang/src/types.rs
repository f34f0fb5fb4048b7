//! Types of expressions and declarations, as far as a reduction asks: what a value of the type could be replaced by, and
//! which declaration must be complete for it.

use crate::tree::EntityId;
use clang_sys::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(crate) u32);

/// A canonical type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub class: TypeClass,
    /// As clang spells the canonical type.
    pub spelling: String,
    /// What declares it: a class or an enumeration.
    pub declaration: Option<EntityId>,
    /// What it points or refers to, the element of an array, the result of a function.
    pub inner: Option<TypeId>,
    /// Types that a template was given for its parameters.
    pub arguments: Vec<TypeId>,
    pub is_const: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeClass {
    Void,
    Boolean,
    Integer,
    Floating,
    Enumeration,
    Pointer,
    MemberPointer,
    Reference,
    Array,
    Record,
    Function,
    /// Depends on a template parameter, or none of the others.
    Other,
}

impl TypeClass {
    #[allow(non_upper_case_globals)]
    pub(crate) fn of(kind: CXTypeKind) -> TypeClass {
        match kind {
            CXType_Void => TypeClass::Void,
            CXType_Bool => TypeClass::Boolean,
            CXType_Char_U..=CXType_Int128 => TypeClass::Integer,
            CXType_Float | CXType_Double | CXType_LongDouble | CXType_Float128 | CXType_Float16 | CXType_Half => {
                TypeClass::Floating
            }
            CXType_Enum => TypeClass::Enumeration,
            CXType_Pointer | CXType_NullPtr | CXType_BlockPointer => TypeClass::Pointer,
            CXType_MemberPointer => TypeClass::MemberPointer,
            CXType_LValueReference | CXType_RValueReference => TypeClass::Reference,
            CXType_ConstantArray | CXType_IncompleteArray | CXType_VariableArray | CXType_DependentSizedArray => {
                TypeClass::Array
            }
            CXType_Record => TypeClass::Record,
            CXType_FunctionProto | CXType_FunctionNoProto => TypeClass::Function,
            _ => TypeClass::Other,
        }
    }

    pub fn is_arithmetic(self) -> bool {
        matches!(self, TypeClass::Boolean | TypeClass::Integer | TypeClass::Floating | TypeClass::Enumeration)
    }

    /// Whether `0` is a value of the type wherever one is expected.
    pub fn has_zero(self) -> bool {
        matches!(self, TypeClass::Boolean | TypeClass::Integer | TypeClass::Floating | TypeClass::Pointer)
    }
}
