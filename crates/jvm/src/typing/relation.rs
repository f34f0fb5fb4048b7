//! The subtype relation as the verifier sees it (JVMS §4.10.1.2).
//!
//! The verifier treats interfaces like `Object`: it accepts any object for them. A missing class
//! may be anything. A check that depends on one succeeds, and its name is recorded.

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
    /// The pairs that were found to be in the relation, if they are to be recorded.
    pub(super) relied: Option<BTreeSet<(ClassId, ClassId)>>,
}

/// Tells which classes of the program have lost their superclass and are now directly below
/// `Object`.
pub type Cut<'a> = &'a dyn Fn(ClassId) -> bool;

/// A subtype relation on which something depends.
pub(super) struct Link {
    pub from: Text,
    pub to: Text,
    /// Whether the supertype is an interface, which the verifier does not check.
    pub interface: bool,
}

impl<'h> Relation<'h> {
    pub fn new(hierarchy: &'h Hierarchy) -> Self {
        Relation { hierarchy, missing: BTreeSet::new(), cut: None, relied: None }
    }

    /// A relation over a program with some superclass links cut. It records every question that it
    /// answered with yes.
    pub fn recording(hierarchy: &'h Hierarchy, cut: Cut<'h>) -> Self {
        Relation { cut: Some(cut), relied: Some(BTreeSet::new()), ..Relation::new(hierarchy) }
    }

    pub fn into_missing(self) -> BTreeSet<Text> {
        self.missing
    }

    /// Returns whether a value of one type may be used where the other is declared.
    pub fn stands_for(&mut self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (_, Type::Top) | (Type::Null, Type::Object(_)) => true,
            (Type::Object(from), Type::Object(to)) => from == to || self.assignable(from.as_bytes(), to.as_bytes()),
            _ => from == to,
        }
    }

    /// Returns whether one class is assignable to the other; arrays are given as descriptors.
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

    /// The relation that a use of one class as the other depends on. `None` if the language itself
    /// guarantees it, or if the first is not a subtype of the second.
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
