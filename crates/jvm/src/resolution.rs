//! Resolution of a name in a class file to the member that the JVM uses (JVMS 5.4.3.2 to 5.4.3.4,
//! 5.4.6).
//!
//! A member that is found is the answer even if some class is missing. Only if none is found does
//! the answer depend on the missing class. Access is checked separately: see
//! [`Hierarchy::can_access_method`].

mod access;
mod selection;

pub use selection::Selection;

use crate::hierarchy::{Answer, ClassId, FieldId, Hierarchy, MethodId};
use lapidary_classfile::{Text, access as flag};
use std::collections::HashSet;

/// The result of resolving a reference to a field or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution<T> {
    Found(T),
    /// `NoSuchFieldError` or `NoSuchMethodError`.
    NotFound,
    /// `IncompatibleClassChangeError`: a class where the reference says interface, or an interface
    /// where it says class.
    WrongKind,
    /// Not found, but this missing class may declare it.
    Unknown(ClassId),
}

impl<T> Resolution<T> {
    pub fn found(self) -> Option<T> {
        match self {
            Resolution::Found(member) => Some(member),
            _ => None,
        }
    }
}

/// Every declaration of a member in a class and its supertypes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarations<T> {
    /// The declarations, ordered by the names of their classes.
    pub found: Vec<T>,
    /// A missing class that may hold a further declaration.
    pub missing: Option<ClassId>,
}

impl Hierarchy {
    /// Field resolution (JVMS 5.4.3.2): searches the class, then its superinterfaces, then its
    /// superclass, each with all its supertypes.
    pub fn resolve_field(&self, class: ClassId, name: &Text, descriptor: &Text) -> Resolution<FieldId> {
        let mut seen = HashSet::new();
        let mut stack = vec![class];
        while let Some(next) = stack.pop() {
            if !seen.insert(next) {
                continue;
            }
            if let Some(field) = self.declared_field(next, name, descriptor) {
                return Resolution::Found(field);
            }
            stack.extend(self.superclass(next));
            stack.extend(self.interfaces(next).iter().rev());
        }
        self.not_found(class)
    }

    /// Method resolution (JVMS 5.4.3.3), for a reference that says its owner is a class.
    pub fn resolve_method(&self, class: ClassId, name: &Text, descriptor: &Text) -> Resolution<MethodId> {
        if self.is_interface(class) == Some(true) {
            return Resolution::WrongKind;
        }
        let in_class =
            |class| self.signature_polymorphic(class, name).or_else(|| self.declared_method(class, name, descriptor));
        match self.superclasses(class).find_map(in_class) {
            Some(method) => Resolution::Found(method),
            None => self.resolve_in_superinterfaces(class, name, descriptor),
        }
    }

    /// Interface method resolution (JVMS 5.4.3.4), for a reference that says its owner is an
    /// interface.
    pub fn resolve_interface_method(&self, class: ClassId, name: &Text, descriptor: &Text) -> Resolution<MethodId> {
        if self.is_interface(class) == Some(false) {
            return Resolution::WrongKind;
        }
        let is_public_instance =
            |method: &MethodId| self.method(*method).access & (flag::PUBLIC | flag::STATIC) == flag::PUBLIC;
        let of_object = || self.declared_method(self.object(), name, descriptor).filter(is_public_instance);
        match self.declared_method(class, name, descriptor).or_else(of_object) {
            Some(method) => Resolution::Found(method),
            None => self.resolve_in_superinterfaces(class, name, descriptor),
        }
    }

    /// Returns every declaration of the method in `class` and its supertypes. A reference needs one
    /// of them to be kept, together with the supertypes on some path to it.
    pub fn method_declarations(&self, class: ClassId, name: &Text, descriptor: &Text) -> Declarations<MethodId> {
        self.declarations(class, |class| self.declared_method(class, name, descriptor))
    }

    /// Returns every declaration of the field in `class` and its supertypes.
    pub fn field_declarations(&self, class: ClassId, name: &Text, descriptor: &Text) -> Declarations<FieldId> {
        self.declarations(class, |class| self.declared_field(class, name, descriptor))
    }

    /// Returns whether calls of the method may have any descriptor (JVMS 2.9.3).
    pub fn is_signature_polymorphic(&self, method: MethodId) -> bool {
        self.signature_polymorphic(method.class, &self.method(method).name) == Some(method)
    }

    /// The superinterface methods that no other superinterface method overrides (JVMS 5.4.3.3),
    /// ordered by the names of their classes.
    pub(crate) fn maximally_specific(&self, class: ClassId, name: &Text, descriptor: &Text) -> Vec<MethodId> {
        let candidates = self.superinterface_methods(class, name, descriptor);
        let overridden = |method: &MethodId| {
            let others = candidates.iter().filter(|other| *other != method);
            others.into_iter().any(|other| self.is_subtype(other.class, method.class) == Answer::Yes)
        };
        candidates.iter().filter(|method| !overridden(method)).copied().collect()
    }

    /// The only method that has code, or `None` if there is no such method or more than one.
    pub(crate) fn only_concrete(&self, methods: &[MethodId]) -> Option<MethodId> {
        let mut concrete = methods.iter().filter(|method| self.method(**method).access & flag::ABSTRACT == 0);
        concrete.next().copied().filter(|_| concrete.next().is_none())
    }

    fn resolve_in_superinterfaces(&self, class: ClassId, name: &Text, descriptor: &Text) -> Resolution<MethodId> {
        let methods = self.maximally_specific(class, name, descriptor);
        match self.only_concrete(&methods).or_else(|| methods.first().copied()) {
            Some(method) => Resolution::Found(method),
            None => self.not_found(class),
        }
    }

    /// The methods of proper superinterfaces that take part in inheritance: those neither private
    /// nor static.
    fn superinterface_methods(&self, class: ClassId, name: &Text, descriptor: &Text) -> Vec<MethodId> {
        let above = self.all_supertypes(class).iter().filter(|above| **above != class);
        let interfaces = above.filter(|above| self.is_interface(**above) == Some(true));
        let declared = interfaces.filter_map(|interface| self.declared_method(*interface, name, descriptor));
        let mut methods: Vec<MethodId> =
            declared.filter(|method| self.method(*method).access & (flag::PRIVATE | flag::STATIC) == 0).collect();
        methods.sort_by_key(|method| self.name(method.class));
        methods
    }

    /// The only method of this name in `MethodHandle` or `VarHandle`, if it is native and takes any
    /// arguments.
    fn signature_polymorphic(&self, class: ClassId, name: &Text) -> Option<MethodId> {
        let class_name = self.name(class);
        if *class_name != "java/lang/invoke/MethodHandle" && *class_name != "java/lang/invoke/VarHandle" {
            return None;
        }
        let mut named = self.declared_methods(class).filter(|method| self.method(*method).name == *name);
        let only = named.next().filter(|_| named.next().is_none())?;
        let method = self.method(only);
        let any_arguments = method.descriptor.as_bytes().starts_with(b"([Ljava/lang/Object;)");
        let native_varargs = flag::NATIVE | flag::VARARGS;
        (any_arguments && method.access & native_varargs == native_varargs).then_some(only)
    }

    fn declarations<T>(&self, class: ClassId, declared: impl Fn(ClassId) -> Option<T>) -> Declarations<T> {
        let mut classes = self.all_supertypes(class).to_vec();
        classes.sort_by_key(|class| self.name(*class));
        let found = classes.into_iter().filter_map(declared).collect();
        Declarations { found, missing: self.missing_supertype(class) }
    }

    fn not_found<T>(&self, class: ClassId) -> Resolution<T> {
        self.missing_supertype(class).map_or(Resolution::NotFound, Resolution::Unknown)
    }
}

#[cfg(test)]
mod tests;
