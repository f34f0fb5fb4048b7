//! Types of expressions and declarations, in the detail that a reduction needs: the value that can
//! replace one of the type, and the declaration that must be complete for it.

use crate::tree::EntityId;
use clang_sys::*;
use serde::{Deserialize, Serialize};

/// The number of a canonical type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub(crate) u32);

/// A canonical type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Type {
    pub class: TypeClass,
    /// The canonical type as clang spells it.
    pub spelling: String,
    /// The class or enumeration that declares the type.
    pub declaration: Option<EntityId>,
    /// The type pointed or referred to, the element type of an array, or the result type of a
    /// function.
    pub inner: Option<TypeId>,
    /// The types given as template arguments.
    pub arguments: Vec<TypeId>,
    pub is_const: bool,
}

impl Type {
    /// Returns whether this is the standard library's string class.
    pub fn is_text(&self) -> bool {
        let name = self.spelling.trim_start_matches("const ");
        ["std::basic_string<char", "std::__cxx11::basic_string<char", "std::string"]
            .iter()
            .any(|known| name.starts_with(known))
    }
}

/// The kinds of types, as far as Lapidary tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// A type that depends on a template parameter or fits no other class.
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

    /// Returns whether `0` is accepted wherever a value of the type is expected.
    pub fn has_zero(self) -> bool {
        matches!(self, TypeClass::Boolean | TypeClass::Integer | TypeClass::Floating | TypeClass::Pointer)
    }
}
