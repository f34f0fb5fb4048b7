//! What the type checker asks of the hierarchy, with missing classes taken to be whatever is needed.

use super::relation::{Link, Relation};
use crate::{Answer, ClassId};
use lapidary_classfile::{MemberRef, Text};

impl Relation<'_> {
    /// Whether a class that is no array may stand for another, to the verifier.
    pub(super) fn class_assignable(&mut self, from: &[u8], to: &[u8]) -> bool {
        let to = self.hierarchy.id_of(to);
        match self.hierarchy.is_interface(to) {
            Some(true) => true,
            Some(false) => {
                let from = self.hierarchy.id_of(from);
                let answer = self.hierarchy.is_subtype(from, to);
                self.yes_or_unknown(answer)
            }
            None => self.note_missing(to),
        }
    }

    /// The relation between two classes that are no arrays; none if the first is not below the second.
    pub(super) fn class_link(&mut self, from: &[u8], to: &[u8]) -> Option<Link> {
        let (from, to) = (Text::from_bytes(from), Text::from_bytes(to));
        let above = self.hierarchy.id(&to);
        let answer = self.hierarchy.is_subtype(self.hierarchy.id(&from), above);
        let interface = self.hierarchy.is_interface(above) == Some(true);
        self.yes_or_unknown(answer).then_some(Link { from, to, interface })
    }

    /// The least class above two. What a missing class extends is not known, so that only `Object` is above it.
    pub(super) fn common_superclass(&mut self, left: &Text, right: &Text) -> Text {
        let common = self.hierarchy.common_superclass(self.hierarchy.id(left), self.hierarchy.id(right));
        let common = common.unwrap_or_else(|missing| {
            self.note_missing(missing);
            self.hierarchy.object()
        });
        self.hierarchy.name(common).clone()
    }

    /// The class that declares a field, and the field's access flags.
    pub(super) fn resolve_field(&self, member: &MemberRef) -> Option<(Text, u16)> {
        let owner = self.hierarchy.owner(&member.owner);
        let own = self.hierarchy.declared_field(owner, &member.name, &member.descriptor);
        let resolve = || self.hierarchy.resolve_field(owner, &member.name, &member.descriptor).found();
        let field = own.or_else(resolve)?;
        Some((self.hierarchy.name(field.class).clone(), self.hierarchy.field(field).access))
    }

    /// The class that declares a method, and the method's access flags.
    pub(super) fn resolve_method(&self, member: &MemberRef) -> Option<(Text, u16)> {
        let owner = self.hierarchy.owner(&member.owner);
        let resolution = match member.interface {
            true => self.hierarchy.resolve_interface_method(owner, &member.name, &member.descriptor),
            false => self.hierarchy.resolve_method(owner, &member.name, &member.descriptor),
        };
        let method = resolution.found()?;
        Some((self.hierarchy.name(method.class).clone(), self.hierarchy.method(method).access))
    }

    fn yes_or_unknown(&mut self, answer: Answer) -> bool {
        match answer {
            Answer::Yes => true,
            Answer::No => false,
            Answer::Unknown(missing) => self.note_missing(missing),
        }
    }

    /// Remembers a missing class, of which anything may be true.
    fn note_missing(&mut self, class: ClassId) -> bool {
        self.missing.insert(self.hierarchy.name(class).clone());
        true
    }
}
