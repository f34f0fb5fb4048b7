//! Queries on classes outside the program: those of the JDK and of the class path.
//!
//! A missing class is given the benefit of the doubt: everything that the program relies on is
//! assumed to be there.

use crate::member::{Member, Sort};
use lapidary_classfile::{Text, access};
use lapidary_jvm::{Answer, ClassId, Hierarchy, Resolution};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

pub(crate) struct Library<'a> {
    pub hierarchy: &'a Hierarchy,
    owed: Mutex<HashMap<ClassId, Owed>>,
}

/// A member of a library class.
pub(crate) struct LibraryMember {
    pub access: u16,
    /// Whether the member is certain to exist. Otherwise a missing class may have it.
    pub certain: bool,
}

/// A set of methods by name and descriptor.
type Owed = BTreeSet<(Text, Text)>;

impl<'a> Library<'a> {
    pub fn new(hierarchy: &'a Hierarchy) -> Self {
        Library { hierarchy, owed: Mutex::default() }
    }

    pub fn is_subtype(&self, from: &Text, to: &Text) -> bool {
        let (from, to) = (self.hierarchy.id(from), self.hierarchy.id(to));
        !matches!(self.hierarchy.is_subtype(from, to), Answer::No)
    }

    pub fn is_interface(&self, name: &Text) -> bool {
        name.as_bytes().first() != Some(&b'[') && self.hierarchy.is_interface(self.hierarchy.id(name)).unwrap_or(true)
    }

    /// The member that a reference to this class resolves to.
    pub fn member(&self, class: &Text, member: &Member) -> Option<LibraryMember> {
        let id = self.hierarchy.id(class);
        match member.sort {
            Sort::Field => {
                let resolved = self.hierarchy.resolve_field(id, &member.name, &member.descriptor);
                self.found(resolved, |field| self.hierarchy.field(field).access)
            }
            Sort::Method => {
                let resolved = match self.hierarchy.is_interface(id) {
                    Some(true) => self.hierarchy.resolve_interface_method(id, &member.name, &member.descriptor),
                    _ => self.hierarchy.resolve_method(id, &member.name, &member.descriptor),
                };
                self.found(resolved, |method| self.hierarchy.method(method).access)
            }
        }
    }

    fn found<T>(&self, resolved: Resolution<T>, access: impl Fn(T) -> u16) -> Option<LibraryMember> {
        match resolved {
            Resolution::Found(member) => Some(LibraryMember { access: access(member), certain: true }),
            Resolution::Unknown(_) => Some(LibraryMember { access: access::PUBLIC, certain: false }),
            _ => None,
        }
    }

    /// The abstract methods that a class which extends or implements this one must implement.
    pub fn abstract_methods(&self, class: &Text) -> Owed {
        let id = self.hierarchy.id(class);
        let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
        owed.entry(id).or_insert_with(|| self.find_abstract_methods(id)).clone()
    }

    /// Returns whether the class has a body for the method: its own, or an inherited one that is
    /// not in a hidden interface.
    pub fn implements(&self, class: &Text, member: &Member, hidden_interfaces: &BTreeSet<Text>) -> bool {
        let id = self.hierarchy.id(class);
        // An interface inherits no methods of `Object`, although class files name it as the
        // superclass.
        let foreign =
            self.hierarchy.is_interface(id).unwrap_or(false).then(|| self.hierarchy.id(&"java/lang/Object".into()));
        let declared = |above: ClassId| {
            let method = || self.hierarchy.declared_method(above, &member.name, &member.descriptor);
            (Some(above) != foreign).then(method).flatten()
        };
        let has_body = |method| self.hierarchy.method(method).access & (access::ABSTRACT | access::STATIC) == 0;
        // The nearest superclass that declares it decides, whatever interfaces declare.
        let in_class = self.hierarchy.superclasses(id).filter(|_| !self.is_interface(class)).find_map(declared);
        if let Some(method) = in_class {
            return has_body(method);
        }
        let all = self.hierarchy.all_supertypes(id);
        let object = self.hierarchy.object();
        let declares = |above: &ClassId| *above != object && declared(*above).is_some();
        let declaring: Vec<ClassId> = all.iter().copied().filter(declares).collect();
        let hidden = |above: ClassId| {
            declaring.iter().any(|other| *other != above && self.hierarchy.is_subtype(*other, above) == Answer::Yes)
        };
        let counts = |above: &ClassId| !hidden_interfaces.contains(self.hierarchy.name(*above));
        let has_default = |above: &ClassId| declared(*above).is_some_and(has_body) && counts(above) && !hidden(*above);
        all.iter().any(|above| self.hierarchy.is_missing(*above)) || declaring.iter().any(has_default)
    }

    /// The superinterfaces of the class whose bodies of the method do not count: either an
    /// interface in between makes the method abstract again, or a superclass does, and superclasses
    /// take precedence over interfaces.
    pub fn hidden_bodies(&self, class: &Text, member: &Member) -> BTreeSet<Text> {
        let declared = |above: ClassId| {
            let method = self.hierarchy.declared_method(above, &member.name, &member.descriptor)?;
            Some((above, self.hierarchy.method(method).access & access::ABSTRACT != 0))
        };
        let id = self.hierarchy.id(class);
        let is_interface = |id: ClassId| self.hierarchy.is_interface(id) == Some(true);
        let declaring: Vec<_> = self.hierarchy.all_supertypes(id).iter().copied().filter_map(declared).collect();
        let hides = |one: ClassId, other: ClassId| {
            one != other && (!is_interface(one) || self.hierarchy.is_subtype(one, other) == Answer::Yes)
        };
        let hidden = declaring.iter().filter(|(other, other_is_abstract)| {
            is_interface(*other)
                && !other_is_abstract
                && declaring.iter().any(|(one, is_abstract)| *is_abstract && hides(*one, *other))
        });
        hidden.map(|(id, _)| self.hierarchy.name(*id).clone()).collect()
    }

    /// The class in which a reference finds the member, given the whole program.
    pub fn resolve(&self, owner: &Text, member: &Member) -> Option<Text> {
        let id = self.hierarchy.id(owner);
        let (name, descriptor) = (&member.name, &member.descriptor);
        let class = match member.sort {
            Sort::Field => self.hierarchy.resolve_field(id, name, descriptor).found()?.class,
            Sort::Method if self.hierarchy.is_interface(id) == Some(true) => {
                self.hierarchy.resolve_interface_method(id, name, descriptor).found()?.class
            }
            Sort::Method => self.hierarchy.resolve_method(id, name, descriptor).found()?.class,
        };
        Some(self.hierarchy.name(class).clone())
    }

    /// Returns whether a subclass can do without a constructor of its own.
    pub fn has_plain_constructor(&self, class: &Text) -> bool {
        let id = self.hierarchy.id(class);
        self.hierarchy.is_missing(id)
            || self
                .hierarchy
                .declared_method(id, &"<init>".into(), &"()V".into())
                .is_some_and(|method| self.hierarchy.method(method).access & (access::PUBLIC | access::PROTECTED) != 0)
    }

    fn find_abstract_methods(&self, id: ClassId) -> Owed {
        let mut owed = Owed::new();
        for above in self.hierarchy.all_supertypes(id) {
            for method in self.hierarchy.declared_methods(*above) {
                let method = self.hierarchy.method(method);
                if method.access & access::ABSTRACT != 0 {
                    owed.insert((method.name.clone(), method.descriptor.clone()));
                }
            }
        }
        let class = self.hierarchy.name(id).clone();
        owed.retain(|(name, descriptor)| {
            let member = Member { sort: Sort::Method, name: name.clone(), descriptor: descriptor.clone() };
            !self.implements(&class, &member, &BTreeSet::new())
        });
        owed
    }
}
