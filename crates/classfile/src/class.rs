//! A class, its fields and its methods.

use crate::raw::OriginalPool;
use crate::{Attribute, Attributed, BootstrapMethod, Code, InnerClass, RecordComponent, Text, access};

/// The version of the class file format; 61 is that of Java 17.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u16,
    /// 65,535 for classes that use preview features.
    pub minor: u16,
}

impl Version {
    /// Returns whether code sizes take fewer bytes, as in class files up to 45.2.
    pub(crate) fn has_short_code(self) -> bool {
        self.major < 45 || (self.major == 45 && self.minor <= 2)
    }
}

/// A class or interface, or a `module-info`. Names are internal names such as `java/lang/Object`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub version: Version,
    pub access: u16,
    pub name: Text,
    /// `None` for `java/lang/Object` and for modules.
    pub superclass: Option<Text>,
    pub interfaces: Vec<Text>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    pub attributes: Vec<Attribute>,
    /// Present when some attribute was kept as bytes that may refer to it.
    pub(crate) original_pool: Option<OriginalPool>,
}

impl Class {
    /// Creates an empty public class.
    pub fn new(version: Version, name: impl Into<Text>, superclass: Option<Text>) -> Self {
        Class {
            version,
            access: access::PUBLIC | access::SUPER,
            name: name.into(),
            superclass,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
            original_pool: None,
        }
    }

    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    pub fn inner_classes(&self) -> &[InnerClass] {
        let list = self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::InnerClasses(list) => Some(list.as_slice()),
            _ => None,
        });
        list.unwrap_or_default()
    }

    pub fn bootstrap_methods(&self) -> &[BootstrapMethod] {
        let list = self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::BootstrapMethods(list) => Some(list.as_slice()),
            _ => None,
        });
        list.unwrap_or_default()
    }

    pub fn nest_host(&self) -> Option<&Text> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::NestHost(host) => Some(host),
            _ => None,
        })
    }

    pub fn nest_members(&self) -> &[Text] {
        let list = self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::NestMembers(list) => Some(list.as_slice()),
            _ => None,
        });
        list.unwrap_or_default()
    }

    /// The permitted subclasses; `None` for a class that is not sealed.
    pub fn permitted_subclasses(&self) -> Option<&[Text]> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::PermittedSubclasses(list) => Some(list.as_slice()),
            _ => None,
        })
    }

    /// The record components; `None` for a class that is not a record.
    pub fn record_components(&self) -> Option<&[RecordComponent]> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Record(list) => Some(list.as_slice()),
            _ => None,
        })
    }

    pub fn method(&self, name: &str, descriptor: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.name == name && method.descriptor == descriptor)
    }
}

impl Attributed for Class {
    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }
}

/// A field of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub access: u16,
    pub name: Text,
    pub descriptor: Text,
    pub attributes: Vec<Attribute>,
}

impl Attributed for Field {
    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }
}

/// A method of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    pub access: u16,
    pub name: Text,
    pub descriptor: Text,
    pub attributes: Vec<Attribute>,
}

impl Method {
    /// The code; `None` for abstract and native methods, and where the code is malformed.
    pub fn code(&self) -> Option<&Code> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Code(code) => Some(&**code),
            _ => None,
        })
    }

    pub fn code_mut(&mut self) -> Option<&mut Code> {
        self.attributes.iter_mut().find_map(|attribute| match attribute {
            Attribute::Code(code) => Some(&mut **code),
            _ => None,
        })
    }

    /// The classes in the `throws` clause.
    pub fn exceptions(&self) -> &[Text] {
        let list = self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Exceptions(list) => Some(list.as_slice()),
            _ => None,
        });
        list.unwrap_or_default()
    }

    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
}

impl Attributed for Method {
    fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }
}
