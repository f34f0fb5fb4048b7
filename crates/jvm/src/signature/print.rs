//! Printing of signatures, the inverse of parsing.

use super::{ClassSignature, ClassType, GenericType, MethodSignature, TypeArgument, TypeParameter};
use lapidary_classfile::Text;

pub fn to_text(write: impl FnOnce(&mut Vec<u8>)) -> Text {
    let mut bytes = Vec::new();
    write(&mut bytes);
    Text::from_bytes(&bytes)
}

pub fn class_signature(signature: &ClassSignature, bytes: &mut Vec<u8>) {
    type_parameters(&signature.type_parameters, bytes);
    class_type(&signature.superclass, bytes);
    signature.interfaces.iter().for_each(|interface| class_type(interface, bytes));
}

pub fn method_signature(signature: &MethodSignature, bytes: &mut Vec<u8>) {
    type_parameters(&signature.type_parameters, bytes);
    bytes.push(b'(');
    signature.parameters.iter().for_each(|parameter| generic_type(parameter, bytes));
    bytes.push(b')');
    match &signature.result {
        Some(result) => generic_type(result, bytes),
        None => bytes.push(b'V'),
    }
    for thrown in &signature.throws {
        bytes.push(b'^');
        generic_type(thrown, bytes);
    }
}

pub fn generic_type(generic: &GenericType, bytes: &mut Vec<u8>) {
    match generic {
        GenericType::Base(base) => bytes.push(base.letter()),
        GenericType::Class(class) => class_type(class, bytes),
        GenericType::Variable(name) => {
            bytes.push(b'T');
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(b';');
        }
        GenericType::Array(element) => {
            bytes.push(b'[');
            generic_type(element, bytes);
        }
    }
}

fn type_parameters(parameters: &[TypeParameter], bytes: &mut Vec<u8>) {
    if parameters.is_empty() {
        return;
    }
    bytes.push(b'<');
    for parameter in parameters {
        bytes.extend_from_slice(parameter.name.as_bytes());
        bytes.push(b':');
        parameter.class_bound.iter().for_each(|bound| generic_type(bound, bytes));
        for bound in &parameter.interface_bounds {
            bytes.push(b':');
            generic_type(bound, bytes);
        }
    }
    bytes.push(b'>');
}

fn class_type(class: &ClassType, bytes: &mut Vec<u8>) {
    for (index, segment) in class.segments.iter().enumerate() {
        bytes.push(if index == 0 { b'L' } else { b'.' });
        bytes.extend_from_slice(segment.name.as_bytes());
        type_arguments(&segment.arguments, bytes);
    }
    bytes.push(b';');
}

fn type_arguments(arguments: &[TypeArgument], bytes: &mut Vec<u8>) {
    if arguments.is_empty() {
        return;
    }
    bytes.push(b'<');
    for argument in arguments {
        let (sign, bound): (&[u8], _) = match argument {
            TypeArgument::Any => (b"*", None),
            TypeArgument::Exact(exact) => (b"", Some(exact)),
            TypeArgument::Extends(bound) => (b"+", Some(bound)),
            TypeArgument::Super(bound) => (b"-", Some(bound)),
        };
        bytes.extend_from_slice(sign);
        bound.into_iter().for_each(|bound| generic_type(bound, bytes));
    }
    bytes.push(b'>');
}
