//! The class to write, and the state that is collected while it is written.

use crate::Policy;
use crate::body::Body;
use crate::names::{Names, parameter_names};
use lapidary_classfile::{Class, Text, access};
use lapidary_jvm::{FieldType, MethodType};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A class that is being written.
pub struct Subject<'h> {
    pub names: Names<'h>,
    pub class: &'h Class,
    pub policy: Policy,
    /// The bodies by method index.
    pub bodies: Vec<Option<Body<'h>>>,
    /// Fields that the written class has as well.
    pub kept: BTreeSet<usize>,
    /// Fields that only ever hold containers created by the class itself.
    pub own_fields: BTreeSet<usize>,
    pub lists: RefCell<BTreeMap<(Scope, FieldType), String>>,
    /// Methods of the class that written bodies call.
    pub called: RefCell<BTreeSet<usize>>,
    /// Whether a body throws exceptions that the compiler would require to be declared.
    pub throws_freely: Cell<bool>,
    /// The lists that written code reads.
    pub live: RefCell<BTreeSet<String>>,
    /// The names of the parameters, by method.
    pub parameters: Vec<Vec<String>>,
    /// The names that fields and lists must not use.
    pub taken: RefCell<BTreeSet<String>>,
}

/// The owner of the remembered objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    Class,
    Object,
}

impl<'h> Subject<'h> {
    pub fn new(names: Names<'h>, class: &'h Class, policy: Policy) -> Subject<'h> {
        let bodies = match policy {
            Policy::Deep | Policy::Mnemonic => {
                class.methods.iter().map(|method| Body::of(class, method, names.hierarchy)).collect()
            }
            Policy::None | Policy::Shallow => class.methods.iter().map(|_| None).collect(),
        };
        let parameters: Vec<Vec<String>> = class.methods.iter().map(parameter_names).collect();
        let taken = RefCell::new(parameters.iter().flatten().cloned().collect());
        let (kept, own_fields) = Default::default();
        let (lists, called, throws_freely, live) = Default::default();
        let mut subject = Subject {
            names,
            class,
            policy,
            bodies,
            kept,
            own_fields,
            lists,
            called,
            throws_freely,
            live,
            parameters,
            taken,
        };
        subject.kept = subject.find_kept();
        subject.taken.borrow_mut().extend(subject.kept.iter().map(|field| class.fields[*field].name.to_string()));
        subject.own_fields = subject.own_candidates();
        while subject.drop_shared_fields() {}
        subject
    }

    /// Classes that may use private members of this one.
    pub fn near_classes(&self) -> Vec<&'h Class> {
        let hierarchy = self.names.hierarchy;
        let host = hierarchy.nest_host(self.names.class);
        let members = hierarchy.class(host).map_or(&[][..], |class| class.nest_members());
        let ids = members.iter().map(|name| hierarchy.id(name)).chain([host]).filter(|id| *id != self.names.class);
        ids.filter_map(|id| hierarchy.class(id)).map(|class| &**class).collect()
    }

    /// Returns whether the compiler has several methods of this name to choose from.
    pub fn is_overloaded(&self, owner: &Text, name: &Text, parameters: usize) -> bool {
        let hierarchy = self.names.hierarchy;
        let mut found: BTreeSet<Vec<FieldType>> = BTreeSet::new();
        let supertypes = hierarchy.all_supertypes(hierarchy.id(owner)).iter().copied();
        let classes = supertypes.filter(|class| *name != "<init>" || hierarchy.name(*class) == owner);
        for method in classes.flat_map(|class| hierarchy.declared_methods(class)).map(|id| hierarchy.method(id)) {
            let type_ = MethodType::parse(method.descriptor.as_bytes()).ok().filter(|_| method.name == *name);
            let is_open = method.access & access::VARARGS != 0;
            found.extend(
                type_.filter(|type_| type_.parameters.len() == parameters || is_open).map(|type_| type_.parameters),
            );
        }
        found.len() > 1
    }

    /// The visibility of a member. Private members stay private unless enclosing or nested classes
    /// use them, because the written class is no longer nested with these.
    pub fn visibility(&self, flags: u16) -> &'static str {
        match flags & (access::PUBLIC | access::PROTECTED | access::PRIVATE) {
            access::PUBLIC => "public ",
            access::PROTECTED => "protected ",
            access::PRIVATE if self.near_classes().is_empty() => "private ",
            _ => "",
        }
    }
}
