//! Erasure (JLS 4.6): from source types to descriptors.

use super::{GenericType, MethodSignature, TypeParameter};
use crate::descriptor::{FieldType, MethodType};
use lapidary_classfile::Text;

/// The type parameters in scope, innermost declaration first: those of the method, of its class,
/// and of the enclosing classes.
#[derive(Clone, Debug, Default)]
pub struct TypeScope<'a> {
    levels: Vec<&'a [TypeParameter]>,
}

impl<'a> TypeScope<'a> {
    /// The scope of a declaration inside this one.
    pub fn inside(&self, parameters: &'a [TypeParameter]) -> TypeScope<'a> {
        let mut levels = vec![parameters];
        levels.extend(&self.levels);
        TypeScope { levels }
    }

    pub fn parameter(&self, name: &Text) -> Option<&'a TypeParameter> {
        self.levels.iter().flat_map(|level| level.iter()).find(|parameter| parameter.name == *name)
    }

    /// The erasure of a type. `None` if it depends on a type variable that is not in scope or is
    /// bounded by itself.
    pub fn erase(&self, generic: &GenericType) -> Option<FieldType> {
        let budget = self.levels.iter().map(|level| level.len()).sum();
        self.erase_within(generic, budget)
    }

    /// The descriptor that a method with this signature has.
    pub fn erase_method(&self, signature: &MethodSignature) -> Option<MethodType> {
        let scope = self.inside(&signature.type_parameters);
        let parameters = signature.parameters.iter().map(|parameter| scope.erase(parameter)).collect::<Option<_>>()?;
        let result = match &signature.result {
            Some(result) => Some(scope.erase(result)?),
            None => None,
        };
        Some(MethodType { parameters, result })
    }

    /// Erases a type, following at most `budget` type variables. In a valid signature a chain of
    /// bounds visits every type parameter at most once, so their number is enough.
    fn erase_within(&self, generic: &GenericType, budget: usize) -> Option<FieldType> {
        match generic {
            GenericType::Base(base) => Some(FieldType::Base(*base)),
            GenericType::Class(class) => Some(FieldType::Object(class.name())),
            GenericType::Array(element) => Some(self.erase_within(element, budget)?.array()),
            GenericType::Variable(name) => match leftmost_bound(self.parameter(name)?) {
                Some(bound) => self.erase_within(bound, budget.checked_sub(1)?),
                None => Some(FieldType::Object(Text::from("java/lang/Object"))),
            },
        }
    }
}

fn leftmost_bound(parameter: &TypeParameter) -> Option<&GenericType> {
    parameter.class_bound.as_ref().or(parameter.interface_bounds.first())
}
