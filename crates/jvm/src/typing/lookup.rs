//! The type checker's questions to the hierarchy. A missing class is taken to be whatever is
//! needed.

use super::relation::{Link, Relation};
use crate::{Answer, ClassId};
use lapidary_classfile::{MemberRef, Text};

impl Relation<'_> {
    /// Returns whether the verifier accepts one class for another, neither of them an array.
    pub(super) fn class_assignable(&mut self, from: &[u8], to: &[u8]) -> bool {
        let to = self.hierarchy.id_of(to);
        match self.hierarchy.is_interface(to) {
            Some(true) if self.relied.is_none() => true,
            Some(true) => {
                let from = self.hierarchy.id_of(from);
                if self.hierarchy.is_subtype(from, to) == Answer::Yes {
                    self.rely(from, to);
                }
                true
            }
            Some(false) => {
                let from = self.hierarchy.id_of(from);
                let answer = self.is_subclass(from, to);
                if answer == Answer::Yes {
                    self.rely(from, to);
                }
                self.yes_or_unknown(answer)
            }
            None => self.note_missing(to),
        }
    }

    /// Returns whether a class is below another that is not an interface, through superclass links
    /// that are left.
    fn is_subclass(&self, from: ClassId, to: ClassId) -> Answer {
        match self.hierarchy.is_subtype(from, to) {
            Answer::Yes if self.cut.is_some() => self.superclasses_left(from).any(|above| above == to).into(),
            answer => answer,
        }
    }

    /// A class and its superclasses, up to the first that has lost its superclass.
    fn superclasses_left(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        let mut whole = true;
        let left = move |class: &ClassId| std::mem::replace(&mut whole, !self.cut.is_some_and(|cut| cut(*class)));
        self.hierarchy.superclasses(class).take_while(left)
    }

    fn rely(&mut self, below: ClassId, above: ClassId) {
        if let Some(relied) = self.relied.as_mut().filter(|_| below != above) {
            relied.insert((below, above));
        }
    }

    /// The relation between two classes that are not arrays; `None` if the first is not a subtype
    /// of the second.
    pub(super) fn class_link(&mut self, from: &[u8], to: &[u8]) -> Option<Link> {
        let (from, to) = (Text::from_bytes(from), Text::from_bytes(to));
        let above = self.hierarchy.id(&to);
        let answer = self.hierarchy.is_subtype(self.hierarchy.id(&from), above);
        let interface = self.hierarchy.is_interface(above) == Some(true);
        self.yes_or_unknown(answer).then_some(Link { from, to, interface })
    }

    /// The least common superclass of two classes. The supertypes of a missing class are unknown,
    /// so for it only `Object` is certain.
    pub(super) fn common_superclass(&mut self, left: &Text, right: &Text) -> Text {
        let (left, right) = (self.hierarchy.id(left), self.hierarchy.id(right));
        let common = self.hierarchy.common_superclass(left, right).unwrap_or_else(|missing| {
            self.note_missing(missing);
            self.hierarchy.object()
        });
        let common = self.left_above(left, right, common);
        if common != self.hierarchy.object() {
            self.rely(left, common);
            self.rely(right, common);
        }
        self.hierarchy.name(common).clone()
    }

    /// The least common superclass once some classes have lost their superclass, given the one that
    /// held before. It stays the same, unless one of the two classes is now cut off from it. Then
    /// it is `Object`, because a class that is cut off from `common` is cut off from everything
    /// above it as well.
    fn left_above(&self, left: ClassId, right: ClassId, common: ClassId) -> ClassId {
        let is_left = |class: ClassId| self.superclasses_left(class).any(|above| above == common);
        let whole = self.cut.is_none() || is_left(left) && is_left(right);
        if whole { common } else { self.hierarchy.object() }
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

    /// Records a missing class, about which anything may be true.
    fn note_missing(&mut self, class: ClassId) -> bool {
        self.missing.insert(self.hierarchy.name(class).clone());
        true
    }
}
