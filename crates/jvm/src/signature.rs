//! Generic signatures (JVMS 4.7.9.1): the types that javac saw, as a tree.
//!
//! Printing a parsed signature gives the original bytes. Types nest at most [`MAX_DEPTH`] levels,
//! so walking or dropping a tree never exhausts the stack.

mod erasure;
mod mentions;
mod parse;
mod print;

pub use erasure::TypeScope;
pub use mentions::Mentions;

use crate::cursor::SyntaxError;
use crate::descriptor::BaseType;
use lapidary_classfile::Text;

/// The largest nesting depth of type arguments and arrays. The class-file format has no limit; the
/// types that javac writes stay far below this one.
pub const MAX_DEPTH: usize = 256;

/// The contents of the Signature attribute of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSignature {
    pub type_parameters: Vec<TypeParameter>,
    pub superclass: ClassType,
    pub interfaces: Vec<ClassType>,
}

/// The contents of the Signature attribute of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodSignature {
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<GenericType>,
    /// `None` for `void`.
    pub result: Option<GenericType>,
    /// Classes and type variables. Empty if no thrown type is generic.
    pub throws: Vec<GenericType>,
}

/// `T extends C & I & J`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeParameter {
    pub name: Text,
    pub class_bound: Option<GenericType>,
    pub interface_bounds: Vec<GenericType>,
}

/// A type as written in the source. The Signature attribute of a field, local variable or record
/// component holds one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenericType {
    Base(BaseType),
    Class(ClassType),
    Variable(Text),
    Array(Box<GenericType>),
}

/// A class with its type arguments: `p/Outer<T>.Inner<U>` has two segments, most have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassType {
    /// Never empty. The name of the first segment includes the package.
    pub segments: Vec<Segment>,
}

/// A simple name in a class type, with its type arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub name: Text,
    pub arguments: Vec<TypeArgument>,
}

/// An argument of a parameterised type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeArgument {
    /// `?`
    Any,
    Exact(GenericType),
    /// `? extends T`
    Extends(GenericType),
    /// `? super T`
    Super(GenericType),
}

impl ClassSignature {
    pub fn parse(signature: impl AsRef<[u8]>) -> Result<ClassSignature, SyntaxError> {
        parse::class_signature(signature.as_ref())
    }

    pub fn signature(&self) -> Text {
        print::to_text(|bytes| print::class_signature(self, bytes))
    }

    pub fn mentions(&self) -> Mentions {
        Mentions::default().of_parameters(&self.type_parameters).of_classes(&self.interfaces).of_class(&self.superclass)
    }
}

impl MethodSignature {
    pub fn parse(signature: impl AsRef<[u8]>) -> Result<MethodSignature, SyntaxError> {
        parse::method_signature(signature.as_ref())
    }

    pub fn signature(&self) -> Text {
        print::to_text(|bytes| print::method_signature(self, bytes))
    }

    pub fn mentions(&self) -> Mentions {
        let types = self.parameters.iter().chain(&self.result).chain(&self.throws);
        types.fold(Mentions::default().of_parameters(&self.type_parameters), Mentions::of_type)
    }
}

impl GenericType {
    /// Parses the signature of a field, local variable or record component, which is never a
    /// primitive type.
    pub fn parse_field(signature: impl AsRef<[u8]>) -> Result<GenericType, SyntaxError> {
        parse::field_signature(signature.as_ref())
    }

    pub fn signature(&self) -> Text {
        print::to_text(|bytes| print::generic_type(self, bytes))
    }

    pub fn mentions(&self) -> Mentions {
        Mentions::default().of_type(self)
    }
}

impl ClassType {
    /// The internal name of the class. Segments are joined by `$`, as javac and the JVM's
    /// reflection do.
    pub fn name(&self) -> Text {
        self.enclosing_names().pop().unwrap_or_else(|| Text::from(""))
    }

    /// The internal names of the class and all classes around it, outermost first.
    pub fn enclosing_names(&self) -> Vec<Text> {
        let mut name = Vec::new();
        let mut names = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            if !names.is_empty() {
                name.push(b'$');
            }
            name.extend_from_slice(segment.name.as_bytes());
            names.push(Text::from_bytes(&name));
        }
        names
    }
}

#[cfg(test)]
mod tests;
