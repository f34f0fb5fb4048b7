//! Access control (JVMS 5.4.4). Modules are ignored: every package counts as exported to all.

use crate::hierarchy::{Answer, ClassId, FieldId, Hierarchy, MethodId};
use lapidary_classfile::access as flag;

/// A member as access control sees it.
#[derive(Clone, Copy)]
struct Member {
    class: ClassId,
    access: u16,
}

impl Hierarchy {
    /// Returns whether code of class `from` may name the class.
    pub fn can_access_class(&self, from: ClassId, class: ClassId) -> Answer {
        match self.class(class) {
            None => Answer::Unknown(class),
            Some(found) => (found.access & flag::PUBLIC != 0 || self.same_package(from, class)).into(),
        }
    }

    /// Returns whether code of class `from` may use the method through a reference that names class
    /// `named`.
    pub fn can_access_method(&self, from: ClassId, named: ClassId, method: MethodId) -> Answer {
        self.can_access_member(from, named, Member { class: method.class, access: self.method(method).access })
    }

    /// Returns whether code of class `from` may use the field through a reference that names class
    /// `named`.
    pub fn can_access_field(&self, from: ClassId, named: ClassId, field: FieldId) -> Answer {
        self.can_access_member(from, named, Member { class: field.class, access: self.field(field).access })
    }

    /// Returns the nest host of a class: the host it names, if that host names it as a member;
    /// otherwise the class itself.
    pub fn nest_host(&self, class: ClassId) -> ClassId {
        let named = self.class(class).and_then(|found| found.nest_host()).map(|host| self.id(host));
        let agreed = named.filter(|host| {
            let members = self.class(*host).map_or(&[][..], |found| found.nest_members());
            self.same_package(class, *host) && members.contains(self.name(class))
        });
        agreed.unwrap_or(class)
    }

    fn can_access_member(&self, from: ClassId, named: ClassId, member: Member) -> Answer {
        if member.access & flag::PUBLIC != 0 || from == member.class {
            return Answer::Yes;
        }
        if member.access & flag::PRIVATE != 0 {
            return (self.nest_host(from) == self.nest_host(member.class)).into();
        }
        if self.same_package(from, member.class) {
            return Answer::Yes;
        }
        if member.access & flag::PROTECTED != 0 { self.can_access_protected(from, named, member) } else { Answer::No }
    }

    /// A subclass in another package may use a protected instance member only on objects of its own
    /// class or subclasses.
    fn can_access_protected(&self, from: ClassId, named: ClassId, member: Member) -> Answer {
        match self.is_subtype(from, member.class) {
            Answer::Yes if member.access & flag::STATIC != 0 || self.surely_below(from, named) => Answer::Yes,
            Answer::Yes => self.is_subtype(named, from),
            otherwise => otherwise,
        }
    }
}
