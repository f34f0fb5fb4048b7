//! The condition that a reference resolves: some class on an unbroken chain of supertypes declares
//! the member.
//!
//! Members of the same name and type may differ in access or in being static. Then removing one
//! could uncover another that does not fit, so only the member that the reference originally
//! resolved to is accepted.

use super::Rules;
use super::holds::{Holds, any_of};
use crate::library::LibraryMember;
use crate::member::{Member, Sort};
use lapidary_classfile::{Text, access};
use lapidary_jvm::package;
use std::collections::HashSet;

/// A declaration of a member.
#[derive(Clone)]
struct Declaration {
    class: Text,
    access: u16,
    holds: Holds,
    /// Whether the declaration is certain. Otherwise a missing class may declare the member.
    certain: bool,
}

impl Rules<'_> {
    /// The condition that a reference to a member of `owner` finds a declaration.
    pub(crate) fn declared(&mut self, owner: &Text, member: &Member) -> Holds {
        if owner.as_bytes().first() == Some(&b'[') {
            return Holds::Always;
        }
        let key = (owner.clone(), member.clone());
        if let Some(known) = self.declarations.get(&key) {
            return *known;
        }
        let found = self.all_declarations(owner, member);
        let holds = match found.first() {
            None => Holds::Never,
            Some(first) if self.is_inherited(member, first) && found.iter().all(|other| can_stand_in(other, first)) => {
                self.somewhere_above(owner, member, first.certain, &mut HashSet::new())
            }
            Some(first) => {
                let path = self.subtype(owner, &first.class);
                any_of(&mut self.cnf, [(path, first.holds)])
            }
        };
        self.declarations.insert(key, holds);
        holds
    }

    fn is_inherited(&self, member: &Member, declaration: &Declaration) -> bool {
        let owner = self.program.find(&declaration.class);
        let is_interface = owner.is_some_and(|index| self.program.class(index).is_interface());
        inherits(member, declaration.access, is_interface)
    }

    /// The condition that a reference finds exactly its original declaration. Used for private
    /// members and constructors, and for calls of `super`.
    pub(crate) fn declared_at_first(&mut self, owner: &Text, member: &Member) -> Holds {
        let Some(first) = self.all_declarations(owner, member).into_iter().next() else { return Holds::Never };
        let path = self.subtype(owner, &first.class);
        any_of(&mut self.cnf, [(path, first.holds)])
    }

    /// The class in which a reference finds the member, given the whole program.
    pub(crate) fn declaring_class(&self, owner: &Text, member: &Member) -> Option<Text> {
        self.all_declarations(owner, member).into_iter().next().map(|declaration| declaration.class)
    }

    /// The variable and the access flags of a member that a class of the program itself declares.
    pub(crate) fn own(&self, class: usize, member: &Member) -> Option<(Holds, u16)> {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        match member.sort {
            Sort::Method => {
                let (_, place) = self.program.find_method(&owner.name, &member.name, &member.descriptor)?;
                Some((Holds::If(vars.methods[place].method), owner.methods[place].access))
            }
            Sort::Field => {
                let same = |field: &lapidary_classfile::Field| {
                    field.name == member.name && field.descriptor == member.descriptor
                };
                let place = owner.fields.iter().position(same)?;
                Some((Holds::If(vars.fields[place].field), owner.fields[place].access))
            }
        }
    }

    /// All declarations of a member, starting with the one that a reference resolves to.
    fn all_declarations(&self, owner: &Text, member: &Member) -> Vec<Declaration> {
        let mut found = Vec::new();
        self.collect(owner, member, &mut HashSet::new(), &mut found);
        // A missing class counts as declaring a member only if no other class declares it.
        if found.iter().any(|declaration| declaration.certain) {
            found.retain(|declaration| declaration.certain);
        }
        let resolved = self.library.resolve(owner, member);
        if let Some(first) = found.iter().position(|declaration| Some(&declaration.class) == resolved.as_ref()) {
            found.swap(0, first);
        }
        found
    }

    fn collect(&self, class: &Text, member: &Member, visited: &mut HashSet<Text>, found: &mut Vec<Declaration>) {
        if !visited.insert(class.clone()) {
            return;
        }
        let Some(index) = self.program.find(class) else {
            let member = self.library.member(class, member);
            found.extend(member.map(|LibraryMember { access, certain }| Declaration {
                class: class.clone(),
                access,
                holds: Holds::Always,
                certain,
            }));
            return;
        };
        let own = self.own(index, member);
        let first = found.is_empty() && visited.len() == 1;
        let own =
            own.filter(|(_, access)| first || inherits(member, *access, self.program.class(index).is_interface()));
        found.extend(own.map(|(holds, access)| Declaration { class: class.clone(), access, holds, certain: true }));
        let owner = self.program.class(index);
        for supertype in owner.interfaces.iter().chain(&owner.superclass) {
            self.collect(supertype, member, visited, found);
        }
    }

    fn somewhere_above(&mut self, class: &Text, member: &Member, certain: bool, visiting: &mut HashSet<Text>) -> Holds {
        let Some(index) = self.program.find(class) else {
            let member = self.library.member(class, member).filter(|member| member.certain || !certain);
            return if member.is_some() { Holds::Always } else { Holds::Never };
        };
        let key = (class.clone(), member.clone(), certain);
        if let Some(known) = self.anywhere.get(&key) {
            return *known;
        }
        if !visiting.insert(class.clone()) {
            return Holds::Never;
        }
        let own = self.own(index, member);
        let own = own.filter(|(_, access)| inherits(member, *access, self.program.class(index).is_interface()));
        let mut alternatives: Vec<_> = own.map(|(own, _)| (own, Holds::Always)).into_iter().collect();
        for (edge, supertype) in self.supertypes(index) {
            alternatives.push((edge, self.somewhere_above(&supertype, member, certain, visiting)));
        }
        let holds = any_of(&mut self.cnf, alternatives);
        self.anywhere.insert(key, holds);
        holds
    }
}

/// Returns whether a member is inherited. Static and private methods of an interface are found only
/// in that interface.
fn inherits(member: &Member, access: u16, in_interface: bool) -> bool {
    member.sort == Sort::Field || !in_interface || access & (access::STATIC | access::PRIVATE) == 0
}

/// Returns whether `other` can be used wherever `first` can, and in the same way.
fn can_stand_in(other: &Declaration, first: &Declaration) -> bool {
    let fixed = access::STATIC | access::FINAL;
    let same_package = package(&other.class) == package(&first.class);
    other.class == first.class
        || other.access & access::STATIC == first.access & access::STATIC
            && (other.access & access::FINAL == 0 || other.access & fixed == first.access & fixed)
            && (other.access & access::PUBLIC != 0 || same_package && rank(other.access) >= rank(first.access).max(1))
}

fn rank(access: u16) -> u8 {
    match access {
        _ if access & access::PUBLIC != 0 => 3,
        _ if access & access::PROTECTED != 0 => 2,
        _ if access & access::PRIVATE == 0 => 1,
        _ => 0,
    }
}
