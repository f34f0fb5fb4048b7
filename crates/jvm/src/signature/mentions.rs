//! The classes and type variables that a signature names. A class that is removed must not be among
//! them.

use super::{ClassType, GenericType, TypeArgument, TypeParameter};
use lapidary_classfile::Text;
use std::collections::BTreeSet;

/// The classes and type variables that occur in a signature, in order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Internal names. `Lp/A<TT;>.B;` mentions `p/A` and `p/A$B`.
    pub classes: BTreeSet<Text>,
    /// Type variables that are used; those that are only declared are not included.
    pub variables: BTreeSet<Text>,
}

impl Mentions {
    pub(super) fn of_type(mut self, generic: &GenericType) -> Self {
        self.add_type(generic);
        self
    }

    pub(super) fn of_class(mut self, class: &ClassType) -> Self {
        self.add_class(class);
        self
    }

    pub(super) fn of_classes(self, classes: &[ClassType]) -> Self {
        classes.iter().fold(self, Mentions::of_class)
    }

    pub(super) fn of_parameters(self, parameters: &[TypeParameter]) -> Self {
        let bounds =
            parameters.iter().flat_map(|parameter| parameter.class_bound.iter().chain(&parameter.interface_bounds));
        bounds.fold(self, Mentions::of_type)
    }

    fn add_type(&mut self, generic: &GenericType) {
        match generic {
            GenericType::Base(_) => {}
            GenericType::Class(class) => self.add_class(class),
            GenericType::Variable(name) => {
                self.variables.insert(name.clone());
            }
            GenericType::Array(element) => self.add_type(element),
        }
    }

    fn add_class(&mut self, class: &ClassType) {
        self.classes.extend(class.enclosing_names());
        for argument in class.segments.iter().flat_map(|segment| &segment.arguments) {
            match argument {
                TypeArgument::Any => {}
                TypeArgument::Exact(bound) | TypeArgument::Extends(bound) | TypeArgument::Super(bound) => {
                    self.add_type(bound);
                }
            }
        }
    }
}
