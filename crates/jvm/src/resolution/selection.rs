//! Method selection: which method runs when a resolved one is called on an object (JVMS 5.4.5 and
//! 5.4.6).

use crate::descriptor::package;
use crate::hierarchy::{Answer, ClassId, Hierarchy, MethodId};
use lapidary_classfile::access as flag;

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// This method runs. If it is abstract, the call throws `AbstractMethodError`.
    Found(MethodId),
    /// The call throws `AbstractMethodError`: there is no method with code.
    Nothing,
    /// The call throws `IncompatibleClassChangeError`: several default methods apply, and none is
    /// more specific than the others.
    Conflict,
    /// The outcome depends on this missing class.
    Unknown(ClassId),
}

impl Hierarchy {
    /// Returns the method that runs when `resolved`, an instance method, is called on an object of
    /// class `receiver`.
    pub fn select_method(&self, receiver: ClassId, resolved: MethodId) -> Selection {
        let called = self.method(resolved);
        if called.access & flag::PRIVATE != 0 {
            return Selection::Found(resolved);
        }
        for class in self.superclasses(receiver) {
            if self.is_missing(class) {
                return Selection::Unknown(class);
            }
            let declared = self.declared_method(class, &called.name, &called.descriptor);
            if let Some(method) = declared.filter(|method| self.can_override(*method, resolved)) {
                return Selection::Found(method);
            }
        }
        self.select_default(receiver, resolved)
    }

    /// Returns whether one method overrides another of the same name and descriptor (JVMS 5.4.5). A
    /// method that can be inherited counts as overriding itself.
    pub fn can_override(&self, overriding: MethodId, overridden: MethodId) -> bool {
        if overriding == overridden {
            return true;
        }
        let (below, above) = (self.method(overriding), self.method(overridden));
        if (below.access | above.access) & flag::PRIVATE != 0 || below.access & flag::STATIC != 0 {
            return false;
        }
        let inherited_everywhere = above.access & (flag::PUBLIC | flag::PROTECTED) != 0;
        inherited_everywhere
            || self.same_package(overriding.class, overridden.class)
            || self.overrides_through_another(overriding, overridden)
    }

    /// Returns whether a package-private method is overridden through an intermediate one: a method
    /// between the two, in the package of the overridden one, that overrides it and is itself
    /// overridden. Going up one link at a time finds such a chain.
    fn overrides_through_another(&self, overriding: MethodId, overridden: MethodId) -> bool {
        let method = self.method(overriding);
        let mut reached = vec![overriding];
        for class in self.superclasses(overriding.class).skip(1) {
            let declared = self.declared_method(class, &method.name, &method.descriptor);
            let Some(declared) = declared else { continue };
            if !reached.iter().any(|below| self.overrides_directly(*below, declared)) {
                continue;
            }
            if declared == overridden {
                return true;
            }
            reached.push(declared);
        }
        false
    }

    fn overrides_directly(&self, below: MethodId, above: MethodId) -> bool {
        let flags = self.method(above).access;
        let inherited_everywhere = flags & (flag::PUBLIC | flag::PROTECTED) != 0;
        flags & (flag::PRIVATE | flag::STATIC) == 0
            && (inherited_everywhere || self.same_package(below.class, above.class))
    }

    fn select_default(&self, receiver: ClassId, resolved: MethodId) -> Selection {
        let called = self.method(resolved);
        let methods = self.maximally_specific(receiver, &called.name, &called.descriptor);
        let has_code = |method: &&MethodId| self.method(**method).access & flag::ABSTRACT == 0;
        match (self.only_concrete(&methods), self.missing_supertype(receiver)) {
            (Some(method), _) => Selection::Found(method),
            (None, _) if methods.iter().filter(has_code).count() > 1 => Selection::Conflict,
            (None, Some(missing)) => Selection::Unknown(missing),
            (None, None) => Selection::Nothing,
        }
    }

    /// Returns whether two classes are in the same package. All classes are assumed to have the
    /// same loader.
    pub(crate) fn same_package(&self, one: ClassId, other: ClassId) -> bool {
        package(self.name(one)) == package(self.name(other))
    }

    /// Returns whether `below` is certainly `above` or one of its subtypes.
    pub(crate) fn surely_below(&self, below: ClassId, above: ClassId) -> bool {
        self.is_subtype(below, above) == Answer::Yes
    }
}
