//! The classes of a program, for recognisers that need more than the stack. Names are written as in
//! a [`MethodName`](lapidary_jvm::MethodName).

use lapidary_classfile::{Class, Instruction, MemberRef, Method};
use lapidary_jvm::{ClassId, ClassPath, ClassPathError, Hierarchy, Platform, decoded_name, encoded_name};
use std::path::PathBuf;
use std::sync::Arc;

/// A program and the JDK it runs on.
pub struct Classes {
    application: ClassPath,
    hierarchy: Hierarchy,
}

impl Classes {
    /// Opens the classes of these directories and jars. Without a JDK, its classes count as
    /// missing.
    pub fn open(class_path: &[PathBuf]) -> Result<Classes, ClassPathError> {
        let everything = ClassPath::open(class_path, Platform::installed().ok())?;
        Ok(Classes {
            application: ClassPath::open(class_path, None)?,
            hierarchy: Hierarchy::new([], Arc::new(everything)),
        })
    }

    /// Returns whether a class is in the program's own directories and jars.
    pub fn is_of_application(&self, class: &str) -> bool {
        self.application.class(&decoded_name(class)).is_some()
    }

    pub fn class(&self, name: &str) -> Option<&Arc<Class>> {
        self.hierarchy.class(self.id(name))
    }

    /// The names of the class itself and all its supertypes, including interfaces.
    pub fn supertypes(&self, class: &str) -> Vec<String> {
        let id = self.id(class);
        let above = self.hierarchy.all_supertypes(id).iter().filter(|above| **above != id);
        [id].iter().chain(above).map(|id| self.name(*id)).collect()
    }

    /// The superclasses of a class, nearest first.
    pub fn superclasses(&self, class: &str) -> Vec<String> {
        let id = self.id(class);
        self.hierarchy.superclasses(id).filter(|above| *above != id).map(|id| self.name(id)).collect()
    }

    /// The interfaces that a class or one of its superclasses declares directly.
    pub fn declared_interfaces(&self, class: &str) -> Vec<String> {
        let own = [class.to_owned()].into_iter().chain(self.superclasses(class));
        let named = own.flat_map(|class| self.class(&class).map_or(Vec::new(), |class| class.interfaces.clone()));
        named.map(|name| encoded_name(&name)).collect()
    }

    /// Finds a method that a class itself declares.
    pub fn method(&self, class: &str, name: &str, descriptor: &str) -> Option<&Method> {
        let (name, descriptor) = (decoded_name(name), decoded_name(descriptor));
        self.class(class)?.method(&name.as_str(), &descriptor.as_str())
    }

    fn id(&self, class: &str) -> ClassId {
        self.hierarchy.id(&decoded_name(class))
    }

    fn name(&self, id: ClassId) -> String {
        encoded_name(self.hierarchy.name(id))
    }
}

/// The methods that the code of a class calls.
pub fn called(class: &Class) -> impl Iterator<Item = &MemberRef> {
    class.methods.iter().filter_map(Method::code).flat_map(|code| &code.instructions).filter_map(|instruction| {
        match instruction {
            Instruction::Invoke(_, member) => Some(&**member),
            _ => None,
        }
    })
}

/// The descriptors of the multi-dimensional arrays that a class creates.
pub fn multi_arrays(class: &Class) -> impl Iterator<Item = String> {
    let code = class.methods.iter().filter_map(Method::code).flat_map(|code| &code.instructions);
    code.filter_map(|instruction| match instruction {
        Instruction::MultiANewArray(array, _) => Some(array.as_str().into_owned()),
        Instruction::ANewArray(element) if element.as_bytes().starts_with(b"[") => Some(format!("[{element}")),
        _ => None,
    })
    .filter(|descriptor| descriptor.starts_with("[["))
}
