//! Obligations: a concrete class implements every abstract method it inherits (JLS 8.1.1.1;
//! dissertation §4.3.3).
//!
//! *owes(C, m)* is true wherever an abstract declaration of m is kept in C or in a supertype on an
//! unbroken chain; it flows down the kept `extends` and `implements` items. *has(C, m)* can be true
//! only where an implementation is kept.

use super::Rules;
use super::holds::{Holds, any_of};
use crate::member::{Member, Sort};
use lapidary_classfile::{Method, Text, access};
use lapidary_logic::Var;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Interfaces whose bodies do not count as implementations.
pub(super) type Hidden = Rc<BTreeSet<Text>>;

/// A method by name and descriptor.
pub(super) type Signature = (Text, Text);

/// The methods that a class must implement, each with the condition under which it must.
pub(super) type Debts = BTreeMap<Signature, Holds>;

impl Rules<'_> {
    pub(super) fn obligations(&mut self) {
        for class in 0..self.words.classes.len() {
            let owed = self.owed(class);
            let (flags, var) = (self.program.class(class).access, self.words.classes[class].class);
            if flags & (access::ABSTRACT | access::INTERFACE) == 0 {
                owed.iter().for_each(|(method, owes)| self.repay(&[var], class, method, *owes));
            }
        }
    }

    /// An interface with a lambda expression for one of its methods must have bodies for all
    /// others.
    pub(super) fn functional(&mut self, premises: &[Var], interface: &Text, member: &Member) {
        let Some(class) = self.program.find(interface) else { return };
        let owed = self.owed(class);
        let others =
            owed.iter().filter(|((name, descriptor), _)| (name, descriptor) != (&member.name, &member.descriptor));
        others.for_each(|(method, owes)| self.repay(premises, class, method, *owes));
    }

    fn repay(&mut self, premises: &[Var], class: usize, (name, descriptor): &Signature, owes: Holds) {
        let member = Member { sort: Sort::Method, name: name.clone(), descriptor: descriptor.clone() };
        let name = self.program.class(class).name.clone();
        let hidden = Rc::new(self.library.hidden_bodies(&name, &member));
        let has = self.implemented(&name, &member, &hidden);
        match owes {
            Holds::Always => self.need(premises, has),
            Holds::If(owes) => self.need(&[premises, &[owes]].concat(), has),
            Holds::Never => {}
        }
    }

    fn owed(&mut self, class: usize) -> Rc<Debts> {
        if let Some(debts) = self.debts.get(&class) {
            return debts.clone();
        }
        self.debts.insert(class, Rc::default());
        let mut sources: BTreeMap<Signature, Vec<Vec<Var>>> = BTreeMap::new();
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        for (method, method_vars) in owner.methods.iter().zip(&vars.methods).filter(|(method, _)| is_abstract(method)) {
            sources.entry(signature(method)).or_default().push(vec![method_vars.method]);
        }
        for (edge, supertype) in self.supertypes(class) {
            for (method, owes) in self.owed_above(&supertype).iter() {
                sources.entry(method.clone()).or_default().push(conditions([edge, *owes]));
            }
        }
        let debts: Debts = sources.into_iter().map(|(method, sources)| (method, self.wherever(sources))).collect();
        let debts = Rc::new(debts);
        self.debts.insert(class, debts.clone());
        debts
    }

    /// A variable that is true whenever all conditions of one of the sources are.
    pub(super) fn wherever(&mut self, sources: Vec<Vec<Var>>) -> Holds {
        match sources.as_slice() {
            [] => Holds::Never,
            _ if sources.iter().any(Vec::is_empty) => Holds::Always,
            [source] if source.len() == 1 => Holds::If(source[0]),
            _ => {
                let met = self.cnf.add_variable();
                sources.iter().for_each(|source| self.imply(source, &[met]));
                Holds::If(met)
            }
        }
    }

    fn owed_above(&mut self, supertype: &Text) -> Rc<Debts> {
        match self.program.find(supertype) {
            Some(class) => self.owed(class),
            None => {
                let methods = self.library.abstract_methods(supertype);
                Rc::new(methods.into_iter().map(|method| (method, Holds::Always)).collect())
            }
        }
    }

    /// The condition that the class declares or inherits a body for the method.
    fn implemented(&mut self, class: &Text, member: &Member, hidden: &Hidden) -> Holds {
        let Some(index) = self.program.find(class) else {
            let has_body = self.library.implements(class, member, hidden);
            return if has_body { Holds::Always } else { Holds::Never };
        };
        let key = (class.clone(), member.clone(), hidden.clone());
        if let Some(known) = self.implementations.get(&key) {
            return *known;
        }
        self.implementations.insert(key.clone(), Holds::Never);
        let own = self.own(index, member);
        // An abstract declaration hides the bodies above it.
        if own.is_some_and(|(_, flags)| flags & access::ABSTRACT != 0) {
            return Holds::Never;
        }
        let own = own.filter(|(_, flags)| flags & access::STATIC == 0 && !hidden.contains(class));
        let mut alternatives: Vec<_> = own.map(|(own, _)| (own, Holds::Always)).into_iter().collect();
        for (edge, supertype) in self.supertypes(index) {
            let above = self.implemented(&supertype, member, hidden);
            if above != Holds::Always || supertype != "java/lang/Object" || self.object_counts(index, member) {
                alternatives.push((edge, above));
            }
        }
        let holds = any_of(&mut self.cnf, alternatives);
        self.implementations.insert(key, holds);
        holds
    }

    /// Returns whether a method of `Object` counts as an implementation. It does not if a
    /// superclass declares the method abstract, and it is never inherited through an interface.
    fn object_counts(&self, class: usize, member: &Member) -> bool {
        let (owner, hierarchy) = (self.program.class(class), self.library.hierarchy);
        let declared = |class| hierarchy.declared_method(class, &member.name, &member.descriptor);
        let mut above = hierarchy.superclasses(hierarchy.id(&owner.name)).filter_map(declared);
        !owner.is_interface() && above.all(|method| hierarchy.method(method).access & access::ABSTRACT == 0)
    }
}

/// The variables that must be true for all conditions to hold.
pub(super) fn conditions(all: impl IntoIterator<Item = Holds>) -> Vec<Var> {
    let var = |condition| match condition {
        Holds::If(var) => Some(var),
        Holds::Always | Holds::Never => None,
    };
    all.into_iter().filter_map(var).collect()
}

pub(super) fn is_abstract(method: &Method) -> bool {
    method.access & access::ABSTRACT != 0
}

pub(super) fn signature(method: &Method) -> Signature {
    (method.name.clone(), method.descriptor.clone())
}
