//! A concrete class implements every abstract method it inherits (JLS 8.1.1.1; dissertation §4.3.3).
//!
//! *owes(C, m)* is true wherever an abstract declaration of m is kept in C or above it on an unbroken chain; it flows
//! down the kept `extends` and `implements` items. *has(C, m)* can be true only where an implementation is.

use super::Rules;
use super::declaration::{Member, Sort};
use super::holds::{Holds, any_of};
use lapidary_classfile::{Method, Text, access};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Interfaces whose bodies do not count as implementations.
pub(super) type Hidden = Rc<BTreeSet<Text>>;

/// What a class owes, by name and descriptor.
type Debts = BTreeMap<(Text, Text), Holds>;

impl Rules<'_> {
    pub(super) fn obligations(&mut self) {
        let mut debts = HashMap::new();
        for class in 0..self.words.classes.len() {
            let owed = self.owed(class, &mut debts);
            let flags = self.program.class(class).access;
            if flags & (access::ABSTRACT | access::INTERFACE) == 0 {
                owed.into_iter().for_each(|(method, owes)| self.repay(class, method, owes));
            }
        }
    }

    fn repay(&mut self, class: usize, (name, descriptor): (Text, Text), owes: Holds) {
        let member = Member { sort: Sort::Method, name, descriptor };
        let name = self.program.class(class).name.clone();
        let hidden = Rc::new(self.library.hidden_bodies(&name, &member));
        let has = self.implemented(&name, &member, &hidden);
        let class = self.words.classes[class].class;
        match owes {
            Holds::Always => self.need(&[class], has),
            Holds::If(owes) => self.need(&[class, owes], has),
            Holds::Never => {}
        }
    }

    fn owed(&mut self, class: usize, known: &mut HashMap<usize, Debts>) -> Debts {
        if let Some(debts) = known.get(&class) {
            return debts.clone();
        }
        known.insert(class, Debts::new());
        let mut sources: BTreeMap<(Text, Text), Vec<Vec<lapidary_logic::Var>>> = BTreeMap::new();
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        for (method, method_vars) in owner.methods.iter().zip(&vars.methods).filter(|(method, _)| is_abstract(method)) {
            sources.entry(signature(method)).or_default().push(vec![method_vars.method]);
        }
        for (edge, supertype) in self.supertypes(class) {
            for (method, owes) in self.owed_above(&supertype, known) {
                let conditions = [edge, owes].into_iter().filter_map(|condition| match condition {
                    Holds::If(var) => Some(var),
                    _ => None,
                });
                sources.entry(method).or_default().push(conditions.collect());
            }
        }
        let debts: Debts = sources.into_iter().map(|(method, sources)| (method, self.debt(sources))).collect();
        known.insert(class, debts.clone());
        debts
    }

    /// A variable that is true wherever all conditions of one of the sources are.
    fn debt(&mut self, sources: Vec<Vec<lapidary_logic::Var>>) -> Holds {
        match sources.as_slice() {
            _ if sources.iter().any(Vec::is_empty) => Holds::Always,
            [source] if source.len() == 1 => Holds::If(source[0]),
            _ => {
                let owes = self.cnf.add_variable();
                sources.iter().for_each(|source| self.imply(source, &[owes]));
                Holds::If(owes)
            }
        }
    }

    fn owed_above(&mut self, supertype: &Text, known: &mut HashMap<usize, Debts>) -> Debts {
        match self.program.find(supertype) {
            Some(class) => self.owed(class, known),
            None => {
                let methods = self.library.abstract_methods(supertype);
                methods.into_iter().map(|method| (method, Holds::Always)).collect()
            }
        }
    }

    /// When the class declares or inherits a body for the method.
    fn implemented(&mut self, class: &Text, member: &Member, hidden: &Hidden) -> Holds {
        let Some(index) = self.program.find(class) else {
            let has_body = self.library.implements(class, member) && !hidden.contains(class);
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
        // What a superclass declares abstract, `Object` does not implement, and for nobody does it do so by way of an
        // interface. `Object` comes last in the list.
        let mut object_counts = !self.program.class(index).is_interface();
        for (edge, supertype) in self.supertypes(index) {
            let above = self.implemented(&supertype, member, hidden);
            object_counts &= above != Holds::Never || self.program.class(index).superclass.as_ref() != Some(&supertype);
            if object_counts || supertype != "java/lang/Object" {
                alternatives.push((edge, above));
            }
        }
        let holds = any_of(&mut self.cnf, alternatives);
        self.implementations.insert(key, holds);
        holds
    }
}

fn is_abstract(method: &Method) -> bool {
    method.access & access::ABSTRACT != 0
}

fn signature(method: &Method) -> (Text, Text) {
    (method.name.clone(), method.descriptor.clone())
}
