//! Which classes may stand for which, as the verifier sees it (JVMS §4.10.1.2).
//!
//! Interfaces are `Object` to the verifier: any object will do for them. A class that is missing may be anything; what
//! depends on it is taken to be in order, and its name is remembered.

use super::known;
use super::shape::{component, reference};
use super::state::Type;
use super::transfer::Observer;
use super::untypable::Trouble;
use crate::{ClassId, Hierarchy};
use lapidary_classfile::Text;
use std::collections::BTreeSet;

/// The verifier's view of a hierarchy.
pub(super) struct Relation<'h> {
    pub(super) hierarchy: &'h Hierarchy,
    pub(super) missing: BTreeSet<Text>,
    pub(super) cut: Option<Cut<'h>>,
    /// What was found to be below what, if anybody wants to know.
    pub(super) relied: Option<BTreeSet<(ClassId, ClassId)>>,
}

/// The classes of a program that lost their superclass and are right below `Object` now.
pub type Cut<'a> = &'a dyn Fn(ClassId) -> bool;

/// A relation between two classes on which something depends.
pub(super) struct Link {
    pub from: Text,
    pub to: Text,
    /// Whether the second is an interface, so that the verifier does not look.
    pub interface: bool,
}

impl<'h> Relation<'h> {
    pub fn new(hierarchy: &'h Hierarchy) -> Self {
        Relation { hierarchy, missing: BTreeSet::new(), cut: None, relied: None }
    }

    /// A relation between what is left of the classes, which remembers what it was asked and said yes to.
    pub fn recording(hierarchy: &'h Hierarchy, cut: Cut<'h>) -> Self {
        Relation { cut: Some(cut), relied: Some(BTreeSet::new()), ..Relation::new(hierarchy) }
    }

    pub fn into_missing(self) -> BTreeSet<Text> {
        self.missing
    }

    /// Whether a value of one type may be used where the other is declared.
    pub fn stands_for(&mut self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (_, Type::Top) | (Type::Null, Type::Object(_)) => true,
            (Type::Object(from), Type::Object(to)) => from == to || self.assignable(from.as_bytes(), to.as_bytes()),
            _ => from == to,
        }
    }

    /// Whether one class may stand for the other; arrays are descriptors.
    pub fn assignable(&mut self, from: &[u8], to: &[u8]) -> bool {
        if from == to || to == known::OBJECT {
            return true;
        }
        match (component(from), component(to)) {
            (Some(from), Some(to)) => self.component_assignable(from, to),
            (Some(_), None) => matches!(to, b"java/lang/Cloneable" | b"java/io/Serializable"),
            (None, Some(_)) => false,
            (None, None) => self.class_assignable(from, to),
        }
    }

    fn component_assignable(&mut self, from: &[u8], to: &[u8]) -> bool {
        match (reference(from), reference(to)) {
            (Some(from), Some(to)) => self.assignable(from, to),
            _ => from == to,
        }
    }

    /// What a use of one class as the other depends on: nothing if the language itself says that it is one, or if it
    /// is none.
    pub fn link(&mut self, from: &[u8], to: &[u8]) -> Option<Link> {
        match (component(from), component(to)) {
            (Some(from), Some(to)) => self.link(reference(from)?, reference(to)?),
            (None, None) if from != to && to != known::OBJECT => self.class_link(from, to),
            _ => None,
        }
    }
}

impl Observer for Relation<'_> {
    fn assign(&mut self, from: &Text, to: &[u8]) -> Result<(), Trouble> {
        if self.assignable(from.as_bytes(), to) {
            return Ok(());
        }
        Err(Trouble::NotAssignable { from: Type::Object(from.clone()), to: Text::from_bytes(to) })
    }
}
