//! The demands of generic signatures: classes, classes that must be generic themselves, and type
//! variables declared outside.

use lapidary_classfile::Text;
use lapidary_jvm::{ClassSignature, ClassType, GenericType, MethodSignature, TypeArgument, TypeParameter};
use std::collections::BTreeSet;

/// The demands of a signature, or of a part of one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Demands {
    pub classes: BTreeSet<Text>,
    /// Classes that are used with type arguments.
    pub generic: BTreeSet<Text>,
    /// Whether the signature uses a type variable that it does not declare.
    pub outer_variables: bool,
}

/// The demands of a class's type parameters, and those of each supertype with the superclass first.
pub(crate) fn of_class(signature: &Text) -> Option<(Demands, Vec<Demands>)> {
    let parsed = ClassSignature::parse(signature.as_bytes()).ok()?;
    let scope = &parsed.type_parameters;
    let mut parameters = Demands::default();
    parameters.add_bounds(scope, scope);
    let supertypes = [&parsed.superclass].into_iter().chain(&parsed.interfaces).map(|supertype| {
        let mut demands = Demands::default();
        demands.add_class(supertype, scope);
        demands
    });
    let supertypes = supertypes.collect();
    Some((parameters, supertypes))
}

pub(crate) fn of_method(signature: &Text) -> Option<Demands> {
    let parsed = MethodSignature::parse(signature.as_bytes()).ok()?;
    let scope = &parsed.type_parameters;
    let mut demands = Demands::default();
    demands.add_bounds(scope, scope);
    let types = parsed.parameters.iter().chain(&parsed.result).chain(&parsed.throws);
    types.for_each(|part| demands.add(part, scope));
    Some(demands)
}

/// The demands of the signature of a field, local variable or record component.
pub(crate) fn of_field(signature: &Text) -> Option<Demands> {
    let parsed = GenericType::parse_field(signature.as_bytes()).ok()?;
    let mut demands = Demands::default();
    demands.add(&parsed, &[]);
    Some(demands)
}

/// A class signature without the removed interfaces, and with `Object` in place of a removed
/// superclass.
pub(crate) fn keeping(signature: &Text, superclass: bool, interface: impl Fn(usize) -> bool) -> Text {
    let Ok(mut parsed) = ClassSignature::parse(signature.as_bytes()) else { return signature.clone() };
    if !superclass {
        let object = lapidary_jvm::Segment { name: "java/lang/Object".into(), arguments: Vec::new() };
        parsed.superclass = ClassType { segments: vec![object] };
    }
    let mut place = 0..;
    parsed.interfaces.retain(|_| place.next().is_some_and(&interface));
    parsed.signature()
}

impl Demands {
    fn add_bounds(&mut self, parameters: &[TypeParameter], scope: &[TypeParameter]) {
        for parameter in parameters {
            let bounds = parameter.class_bound.iter().chain(&parameter.interface_bounds);
            bounds.for_each(|bound| self.add(bound, scope));
        }
    }

    fn add(&mut self, part: &GenericType, scope: &[TypeParameter]) {
        match part {
            GenericType::Base(_) => {}
            GenericType::Class(class) => self.add_class(class, scope),
            GenericType::Variable(name) => {
                self.outer_variables |= !scope.iter().any(|parameter| parameter.name == *name);
            }
            GenericType::Array(element) => self.add(element, scope),
        }
    }

    fn add_class(&mut self, class: &ClassType, scope: &[TypeParameter]) {
        let names = class.enclosing_names();
        for (segment, name) in class.segments.iter().zip(&names).filter(|(segment, _)| !segment.arguments.is_empty()) {
            self.generic.insert(name.clone());
            for argument in &segment.arguments {
                match argument {
                    TypeArgument::Any => {}
                    TypeArgument::Exact(bound) | TypeArgument::Extends(bound) | TypeArgument::Super(bound) => {
                        self.add(bound, scope);
                    }
                }
            }
        }
        self.classes.extend(names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supertypes_go_from_the_signature_with_their_arguments() {
        let text = Text::from("<T:Ljava/lang/Object;U::Lp/I<TT;>;>Lp/A<TT;>.B<[I>;Lp/I<Lp/C<TU;>;>;Lp/J;");
        assert_eq!(keeping(&text, true, |_| true), text);
        let trimmed = keeping(&text, false, |index| index == 1);
        assert_eq!(trimmed, "<T:Ljava/lang/Object;U::Lp/I<TT;>;>Ljava/lang/Object;Lp/J;");
    }

    #[test]
    fn demands_are_told_apart_by_supertype() {
        let text = Text::from("<T:Ljava/lang/Object;>Lp/A<TT;>;Lp/I<Lp/C;>;");
        let (parameters, supertypes) = of_class(&text).unwrap();
        assert!(!parameters.outer_variables && supertypes.iter().all(|demands| !demands.outer_variables));
        assert!(
            supertypes[0].generic.contains(&Text::from("p/A")) && supertypes[1].classes.contains(&Text::from("p/C"))
        );
        assert!(of_method(&Text::from("<U:Ljava/lang/Object;>(TU;)TT;")).unwrap().outer_variables);
        assert!(!of_method(&Text::from("<U:Ljava/lang/Object;>(TU;)V")).unwrap().outer_variables);
        assert!(of_class(&Text::from("Lp/A")).is_none());
    }
}
