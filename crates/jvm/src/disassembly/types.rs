//! Names and types as Java source writes them. A malformed one is shown as it is in the file.

use super::constants::escaped;
use crate::descriptor::{BaseType, FieldType, MethodType};
use crate::signature::{ClassType, GenericType, TypeArgument, TypeParameter};
use lapidary_classfile::Text;

/// The name of a class with dots. The `$` of nested classes stays, because it may belong to a name.
pub(super) fn class_name(name: &Text) -> String {
    escaped(name, None).replace('/', ".")
}

/// The type that a class constant names.
pub(super) fn class_constant(name: &Text) -> String {
    FieldType::of_class_constant(name).map_or_else(|_| escaped(name, None), |found| field_type(&found))
}

/// The type that a descriptor of a field names.
pub(super) fn of_descriptor(descriptor: &Text) -> String {
    FieldType::parse(descriptor.as_bytes()).map_or_else(|_| escaped(descriptor, None), |found| field_type(&found))
}

pub(super) fn field_type(of: &FieldType) -> String {
    let element = match of.innermost() {
        FieldType::Base(base) => base_type(*base).to_owned(),
        FieldType::Object(name) => class_name(name),
        FieldType::Array(_) => unreachable!("the innermost type is no array"),
    };
    element + &"[]".repeat(of.dimensions())
}

/// The parameters and the result of a method: `(int, long): void`.
pub(super) fn of_method(descriptor: &Text) -> String {
    let Ok(found) = MethodType::parse(descriptor.as_bytes()) else { return escaped(descriptor, None) };
    let parameters: Vec<String> = found.parameters.iter().map(field_type).collect();
    format!("({}): {}", parameters.join(", "), result(found.result.as_ref()))
}

pub(super) fn result(of: Option<&FieldType>) -> String {
    of.map_or_else(|| "void".to_owned(), field_type)
}

fn base_type(of: BaseType) -> &'static str {
    match of {
        BaseType::Boolean => "boolean",
        BaseType::Byte => "byte",
        BaseType::Char => "char",
        BaseType::Short => "short",
        BaseType::Int => "int",
        BaseType::Long => "long",
        BaseType::Float => "float",
        BaseType::Double => "double",
    }
}

pub(super) fn generic_type(of: &GenericType) -> String {
    match of {
        GenericType::Base(base) => base_type(*base).to_owned(),
        GenericType::Class(class) => class_type(class),
        GenericType::Variable(name) => escaped(name, None),
        GenericType::Array(element) => generic_type(element) + "[]",
    }
}

pub(super) fn class_type(of: &ClassType) -> String {
    let mut text = String::new();
    for (index, segment) in of.segments.iter().enumerate() {
        if index > 0 {
            text.push('.');
        }
        text += &class_name(&segment.name);
        let arguments: Vec<String> = segment.arguments.iter().map(argument).collect();
        if !arguments.is_empty() {
            text += &format!("<{}>", arguments.join(", "));
        }
    }
    text
}

fn argument(of: &TypeArgument) -> String {
    match of {
        TypeArgument::Any => "?".to_owned(),
        TypeArgument::Exact(exact) => generic_type(exact),
        TypeArgument::Extends(bound) => format!("? extends {}", generic_type(bound)),
        TypeArgument::Super(bound) => format!("? super {}", generic_type(bound)),
    }
}

/// `<T extends A & B, U>`, or nothing. The bound `Object` is not worth a word.
pub(super) fn type_parameters(of: &[TypeParameter]) -> String {
    if of.is_empty() {
        return String::new();
    }
    let parameter = |of: &TypeParameter| {
        let bounds = of.class_bound.iter().chain(&of.interface_bounds).map(generic_type);
        let bounds: Vec<String> = bounds.filter(|bound| bound != "java.lang.Object").collect();
        let extends = if bounds.is_empty() { "" } else { " extends " };
        format!("{}{extends}{}", escaped(&of.name, None), bounds.join(" & "))
    };
    format!("<{}>", of.iter().map(parameter).collect::<Vec<_>>().join(", "))
}
