//! Attributes with all indices resolved (JVMS §4.7).

use crate::{
    Annotation, BootstrapMethod, Code, Constant, ElementValue, Frame, LineNumber, LocalVariable, NameAndType, Text,
    TypeAnnotation,
};
use std::sync::Arc;

/// An attribute of a class, a member or a body (JVMS section 4.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute {
    Code(Box<Code>),
    ConstantValue(Constant),
    StackMapTable(Vec<Frame>),
    Exceptions(Vec<Text>),
    InnerClasses(Vec<InnerClass>),
    EnclosingMethod(EnclosingMethod),
    Synthetic,
    Deprecated,
    Signature(Text),
    SourceFile(Text),
    SourceDebugExtension(Vec<u8>),
    LineNumberTable(Vec<LineNumber>),
    LocalVariableTable(Vec<LocalVariable>),
    LocalVariableTypeTable(Vec<LocalVariable>),
    RuntimeVisibleAnnotations(Vec<Annotation>),
    RuntimeInvisibleAnnotations(Vec<Annotation>),
    RuntimeVisibleParameterAnnotations(Vec<Vec<Annotation>>),
    RuntimeInvisibleParameterAnnotations(Vec<Vec<Annotation>>),
    RuntimeVisibleTypeAnnotations(Vec<TypeAnnotation>),
    RuntimeInvisibleTypeAnnotations(Vec<TypeAnnotation>),
    AnnotationDefault(ElementValue),
    BootstrapMethods(Vec<BootstrapMethod>),
    MethodParameters(Vec<MethodParameter>),
    Module(Box<Module>),
    /// Packages by internal name (`java/lang`).
    ModulePackages(Vec<Text>),
    ModuleMainClass(Text),
    NestHost(Text),
    NestMembers(Vec<Text>),
    Record(Vec<RecordComponent>),
    PermittedSubclasses(Vec<Text>),
    /// An attribute that the specification does not define in this place, or a malformed one. The
    /// bytes may hold indices into the constant pool of the original file, and offsets into the
    /// original code.
    Unknown {
        name: Text,
        bytes: Arc<[u8]>,
    },
}

impl Attribute {
    /// The name of the attribute in the file.
    pub fn name(&self) -> Text {
        match self {
            Attribute::Unknown { name, .. } => name.clone(),
            known => Text::from(known.known_name()),
        }
    }

    /// The name of an attribute that the specification defines; empty for others.
    pub(crate) fn known_name(&self) -> &'static str {
        match self {
            Attribute::Code(_) => "Code",
            Attribute::ConstantValue(_) => "ConstantValue",
            Attribute::StackMapTable(_) => "StackMapTable",
            Attribute::Exceptions(_) => "Exceptions",
            Attribute::InnerClasses(_) => "InnerClasses",
            Attribute::EnclosingMethod(_) => "EnclosingMethod",
            Attribute::Synthetic => "Synthetic",
            Attribute::Deprecated => "Deprecated",
            Attribute::Signature(_) => "Signature",
            Attribute::SourceFile(_) => "SourceFile",
            Attribute::SourceDebugExtension(_) => "SourceDebugExtension",
            Attribute::LineNumberTable(_) => "LineNumberTable",
            Attribute::LocalVariableTable(_) => "LocalVariableTable",
            Attribute::LocalVariableTypeTable(_) => "LocalVariableTypeTable",
            Attribute::RuntimeVisibleAnnotations(_) => "RuntimeVisibleAnnotations",
            Attribute::RuntimeInvisibleAnnotations(_) => "RuntimeInvisibleAnnotations",
            Attribute::RuntimeVisibleParameterAnnotations(_) => "RuntimeVisibleParameterAnnotations",
            Attribute::RuntimeInvisibleParameterAnnotations(_) => "RuntimeInvisibleParameterAnnotations",
            Attribute::RuntimeVisibleTypeAnnotations(_) => "RuntimeVisibleTypeAnnotations",
            Attribute::RuntimeInvisibleTypeAnnotations(_) => "RuntimeInvisibleTypeAnnotations",
            Attribute::AnnotationDefault(_) => "AnnotationDefault",
            Attribute::BootstrapMethods(_) => "BootstrapMethods",
            Attribute::MethodParameters(_) => "MethodParameters",
            Attribute::Module(_) => "Module",
            Attribute::ModulePackages(_) => "ModulePackages",
            Attribute::ModuleMainClass(_) => "ModuleMainClass",
            Attribute::NestHost(_) => "NestHost",
            Attribute::NestMembers(_) => "NestMembers",
            Attribute::Record(_) => "Record",
            Attribute::PermittedSubclasses(_) => "PermittedSubclasses",
            Attribute::Unknown { .. } => "",
        }
    }
}

/// An element with attributes, and the queries that all such elements share.
pub trait Attributed {
    fn attributes(&self) -> &[Attribute];

    /// The generic signature.
    fn signature(&self) -> Option<&Text> {
        self.attributes().iter().find_map(|attribute| match attribute {
            Attribute::Signature(signature) => Some(signature),
            _ => None,
        })
    }

    fn is_deprecated(&self) -> bool {
        self.attributes().contains(&Attribute::Deprecated)
    }

    /// Annotations on the declaration, visible at run time or not.
    fn annotations(&self) -> impl Iterator<Item = &Annotation> {
        self.attributes().iter().flat_map(|attribute| match attribute {
            Attribute::RuntimeVisibleAnnotations(list) | Attribute::RuntimeInvisibleAnnotations(list) => {
                list.as_slice()
            }
            _ => &[],
        })
    }
}

/// An entry of `InnerClasses`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerClass {
    pub inner: Text,
    /// `None` for local and anonymous classes.
    pub outer: Option<Text>,
    /// `None` for anonymous classes.
    pub name: Option<Text>,
    pub access: u16,
}

/// The method around a local or anonymous class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnclosingMethod {
    pub class: Text,
    /// `None` for a class inside an initialiser.
    pub method: Option<NameAndType>,
}

/// An entry of `MethodParameters`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodParameter {
    pub name: Option<Text>,
    pub access: u16,
}

/// A component of a record class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordComponent {
    pub name: Text,
    pub descriptor: Text,
    pub attributes: Vec<Attribute>,
}

impl Attributed for RecordComponent {
    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }
}

/// The declaration of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub name: Text,
    pub access: u16,
    pub version: Option<Text>,
    pub requires: Vec<ModuleRequires>,
    pub exports: Vec<ModuleExports>,
    pub opens: Vec<ModuleExports>,
    pub uses: Vec<Text>,
    pub provides: Vec<ModuleProvides>,
}

/// A module that a module requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleRequires {
    pub module: Text,
    pub access: u16,
    pub version: Option<Text>,
}

/// A package that is exported or opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleExports {
    pub package: Text,
    pub access: u16,
    /// The modules that see the package; an empty list means all.
    pub to: Vec<Text>,
}

/// A service that a module provides, and the classes that implement it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleProvides {
    pub service: Text,
    pub with: Vec<Text>,
}
