//! Generic signatures of merged classes. Uses of a collapsed class become uses of the other without
//! type arguments. A signature that uses a type variable that is no longer declared is dropped.

use super::rename::Renaming;
use crate::generics;
use lapidary_classfile::{Attribute, Text};
use lapidary_jvm::{ClassSignature, ClassType, GenericType, MethodSignature, Segment, TypeArgument, TypeParameter};

/// Drops signatures that use type variables of the enclosing class, because that is another class
/// now.
pub(super) fn drop_outer_variables(attributes: &mut Vec<Attribute>) {
    let of_variable = |text: &Text| generics::of_field(text).is_none_or(|demands| demands.outer_variables);
    let of_member = |text: &Text| match text.as_bytes().first() {
        Some(b'(' | b'<') => generics::of_method(text).is_none_or(|demands| demands.outer_variables),
        _ => of_variable(text),
    };
    let before = attributes.len();
    attributes.retain_mut(|attribute| match attribute {
        Attribute::Signature(text) => !of_member(text),
        Attribute::LocalVariableTypeTable(table) => {
            table.retain(|variable| !of_variable(&variable.type_));
            !table.is_empty()
        }
        _ => true,
    });
    if attributes.len() != before {
        drop_deep_annotations(attributes);
    }
}

/// Adds an interface, without type arguments, to the signature of a class that has one.
pub(super) fn add_interface(attributes: &mut [Attribute], interface: &Text) {
    for attribute in attributes {
        if let Attribute::Signature(text) = attribute
            && let Ok(mut signature) = ClassSignature::parse(text.as_bytes())
        {
            signature.interfaces.push(plain(interface.clone()));
            *text = signature.signature();
        }
    }
}

/// Drops annotations inside type arguments, which may no longer exist.
pub(super) fn drop_deep_annotations(attributes: &mut Vec<Attribute>) {
    attributes.retain_mut(|attribute| match attribute {
        Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
            list.retain(|annotation| annotation.path.is_empty());
            !list.is_empty()
        }
        _ => true,
    });
}

/// The kind of element that a signature belongs to.
#[derive(Clone, Copy)]
pub(super) enum SignatureOf {
    Class,
    Method,
    Field,
}

/// The signature with classes renamed; `None` if it cannot be parsed.
pub(super) fn renamed(renaming: &Renaming, text: &Text, sort: SignatureOf) -> Option<Text> {
    let bytes = text.as_bytes();
    Some(match sort {
        SignatureOf::Class => {
            let mut signature = ClassSignature::parse(bytes).ok()?;
            renaming.bounds(&mut signature.type_parameters);
            renaming.class_type(&mut signature.superclass);
            signature.interfaces.iter_mut().for_each(|interface| renaming.class_type(interface));
            signature.signature()
        }
        SignatureOf::Method => {
            let mut signature = MethodSignature::parse(bytes).ok()?;
            renaming.bounds(&mut signature.type_parameters);
            let types = signature.parameters.iter_mut().chain(&mut signature.result).chain(&mut signature.throws);
            types.for_each(|part| renaming.generic_type(part));
            signature.signature()
        }
        SignatureOf::Field => {
            let mut signature = GenericType::parse_field(bytes).ok()?;
            renaming.generic_type(&mut signature);
            signature.signature()
        }
    })
}

fn plain(name: Text) -> ClassType {
    ClassType { segments: vec![Segment { name, arguments: Vec::new() }] }
}

impl Renaming {
    fn bounds(&self, parameters: &mut [TypeParameter]) {
        for parameter in parameters {
            let bounds = parameter.class_bound.iter_mut().chain(&mut parameter.interface_bounds);
            bounds.for_each(|bound| self.generic_type(bound));
        }
    }

    fn generic_type(&self, part: &mut GenericType) {
        match part {
            GenericType::Class(class) => self.class_type(class),
            GenericType::Array(element) => self.generic_type(element),
            GenericType::Base(_) | GenericType::Variable(_) => {}
        }
    }

    fn class_type(&self, class: &mut ClassType) {
        if class.enclosing_names().iter().any(|name| self.is_erased(name)) {
            *class = plain(self.name(&class.name()));
            return;
        }
        for argument in class.segments.iter_mut().flat_map(|segment| &mut segment.arguments) {
            match argument {
                TypeArgument::Any => {}
                TypeArgument::Exact(bound) | TypeArgument::Extends(bound) | TypeArgument::Super(bound) => {
                    self.generic_type(bound);
                }
            }
        }
    }
}
