//! Collection of the classes that parts of a class file name.

mod walk;

use lapidary_classfile::{Annotation, Attribute, Class, ElementValue, Text};
use std::collections::HashSet;
use walk::Name;

/// Receives the internal name of each class that is named; array types name the class of their
/// elements.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(Text);

/// Visits every class named anywhere in the class, including itself; some more than once.
pub(crate) fn in_class(class: &Class, found: Sink<'_>) {
    walk::in_class(class, &mut |name| found(name.to_text()));
}

/// The given names that occur in the class.
pub(crate) fn among<'a>(names: impl Iterator<Item = &'a Text>, class: &Class) -> HashSet<Text> {
    // Grouping by length rejects most names quickly.
    let mut of_length: Vec<Vec<&[u8]>> = Vec::new();
    for name in names.map(Text::as_bytes) {
        of_length.resize_with(of_length.len().max(name.len() + 1), Vec::new);
        of_length[name.len()].push(name);
    }
    let mut found = HashSet::new();
    walk::in_class(class, &mut |name: Name<'_>| {
        let name_bytes = name.as_bytes();
        if of_length.get(name_bytes.len()).is_some_and(|names| names.contains(&name_bytes)) {
            found.insert(name.to_text());
        }
    });
    found
}

/// Visits the classes in a field or method descriptor.
pub(crate) fn in_descriptor(descriptor: &Text, found: Sink<'_>) {
    walk::in_descriptor(descriptor, &mut |name| found(name.to_text()));
}

pub(crate) fn in_annotation(annotation: &Annotation, found: Sink<'_>) {
    walk::in_annotation(annotation, &mut |name| found(name.to_text()));
}

pub(crate) fn in_element_value(value: &ElementValue, found: Sink<'_>) {
    walk::in_element_value(value, &mut |name| found(name.to_text()));
}

pub(crate) fn in_attributes(attributes: &[Attribute], found: Sink<'_>) {
    walk::in_attributes(attributes, &mut |name| found(name.to_text()));
}

/// Visits each annotation in an attribute.
pub(crate) fn each_annotation(attribute: &Attribute, act: &mut dyn FnMut(&Annotation)) {
    match attribute {
        Attribute::RuntimeVisibleAnnotations(list) | Attribute::RuntimeInvisibleAnnotations(list) => {
            list.iter().for_each(act);
        }
        Attribute::RuntimeVisibleParameterAnnotations(lists)
        | Attribute::RuntimeInvisibleParameterAnnotations(lists) => lists.iter().flatten().for_each(act),
        Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
            list.iter().for_each(|annotation| act(&annotation.annotation));
        }
        _ => {}
    }
}
