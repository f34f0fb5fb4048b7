//! Subtyping between classes and between arrays.

use super::{ClassId, Hierarchy};
use crate::descriptor::FieldType;
use lapidary_classfile::Text;

/// The answer to a question about classes, some of which may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
    /// The answer depends on this missing class.
    Unknown(ClassId),
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Self {
        if yes { Answer::Yes } else { Answer::No }
    }
}

/// A class and all its supertypes.
pub(super) struct Ancestors {
    sorted: Box<[ClassId]>,
    first_missing: Option<ClassId>,
}

impl Ancestors {
    pub fn new(mut ids: Vec<ClassId>, first_missing: Option<ClassId>) -> Self {
        ids.sort_unstable();
        Ancestors { sorted: ids.into(), first_missing }
    }
}

impl Hierarchy {
    /// Returns whether `below` is `above`, or a direct or indirect subtype of it.
    pub fn is_subtype(&self, below: ClassId, above: ClassId) -> Answer {
        if below == above || above == self.well_known.object {
            return Answer::Yes;
        }
        let ancestors = self.ancestors(below);
        match ancestors.sorted.binary_search(&above) {
            Ok(_) => Answer::Yes,
            Err(_) => ancestors.first_missing.map_or(Answer::No, Answer::Unknown),
        }
    }

    /// Returns the class and all its supertypes, in no particular order. Missing classes are
    /// included, but their supertypes are unknown and therefore absent.
    pub fn all_supertypes(&self, id: ClassId) -> &[ClassId] {
        &self.ancestors(id).sorted
    }

    /// Returns a missing class among this one and its supertypes.
    pub fn missing_supertype(&self, id: ClassId) -> Option<ClassId> {
        self.ancestors(id).first_missing
    }

    /// Returns whether a value of one type can be assigned to another without a cast (JLS 4.10). A
    /// primitive type is assignable only to itself.
    pub fn is_assignable(&self, from: &FieldType, to: &FieldType) -> Answer {
        match (from, to) {
            _ if from == to => Answer::Yes,
            (FieldType::Base(_), _) | (_, FieldType::Base(_)) => Answer::No,
            (FieldType::Object(from), FieldType::Object(to)) => self.is_subtype(self.id(from), self.id(to)),
            (FieldType::Array(from), FieldType::Array(to)) => self.is_assignable(from, to),
            (FieldType::Array(_), FieldType::Object(to)) => self.is_above_arrays(to).into(),
            (FieldType::Object(_), FieldType::Array(_)) => Answer::No,
        }
    }

    /// Returns the least common superclass as the verifier sees it: for an interface and anything
    /// else it is `java/lang/Object`. The error is the missing class on which the answer depends.
    pub fn common_superclass(&self, one: ClassId, other: ClassId) -> Result<ClassId, ClassId> {
        if one == other {
            return Ok(one);
        }
        if self.is_interface(one).ok_or(one)? || self.is_interface(other).ok_or(other)? {
            return Ok(self.object());
        }
        let above: Vec<ClassId> = self.superclasses(one).collect();
        for candidate in self.superclasses(other) {
            if above.contains(&candidate) {
                return Ok(candidate);
            }
            if self.is_missing(candidate) {
                return Err(candidate);
            }
        }
        match above.last() {
            Some(last) if self.is_missing(*last) => Err(*last),
            _ => Ok(self.object()),
        }
    }

    fn is_above_arrays(&self, class: &Text) -> bool {
        let class = self.id(class);
        [self.well_known.object, self.well_known.cloneable, self.well_known.serializable].contains(&class)
    }
}
