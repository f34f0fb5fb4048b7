//! Tables of local variables, clipped to the ranges in which the variables have values.

use super::relation::Relation;
use super::state::{State, Type};
use lapidary_classfile::{Attribute, Code, LocalRange, LocalVariable, Position, Text, TypeAnnotation, TypeTarget};
use std::ops::Range;

/// Clips every entry to the ranges in which its slot holds a value that fits. An entry that fits
/// nowhere is dropped.
pub(super) fn clip(code: &mut Code, states: &[Option<State>], relation: &mut Relation<'_>) {
    let described = descriptors(code);
    retain_filled(&mut code.attributes, |attribute| match attribute {
        Attribute::LocalVariableTable(table) => {
            clip_variables(table, |variable| fitting(variable, &variable.type_, states, relation))
        }
        Attribute::LocalVariableTypeTable(table) => clip_variables(table, |variable| {
            let twin = described.iter().find(|other| is_twin(variable, other));
            twin.map_or(Vec::new(), |twin| fitting(variable, &twin.type_, states, relation))
        }),
        Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
            list.retain_mut(|annotation| clip_annotation(annotation, states))
        }
        _ => {}
    });
}

/// Returns whether an attribute describes variables, so that [`clip`] needs the types.
pub(super) fn is_table(attribute: &Attribute) -> bool {
    matches!(
        attribute,
        Attribute::LocalVariableTable(_)
            | Attribute::LocalVariableTypeTable(_)
            | Attribute::RuntimeVisibleTypeAnnotations(_)
            | Attribute::RuntimeInvisibleTypeAnnotations(_)
    )
}

/// Changes the tables of a method and drops those that lose their last entry. A table that was
/// empty from the start stays, because javac writes such tables.
pub(super) fn retain_filled(attributes: &mut Vec<Attribute>, mut change: impl FnMut(&mut Attribute)) {
    attributes.retain_mut(|attribute| {
        let before = entries(attribute);
        change(attribute);
        before == Some(0) || entries(attribute) != Some(0)
    });
}

/// The number of entries of a table whose entries belong to positions.
fn entries(attribute: &Attribute) -> Option<usize> {
    match attribute {
        Attribute::StackMapTable(frames) => Some(frames.len()),
        Attribute::LineNumberTable(lines) => Some(lines.len()),
        Attribute::LocalVariableTable(table) | Attribute::LocalVariableTypeTable(table) => Some(table.len()),
        Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
            Some(list.len())
        }
        _ => None,
    }
}

/// The entries of the table that holds descriptors.
fn descriptors(code: &Code) -> Vec<LocalVariable> {
    let generic = code.attributes.iter().any(|attribute| matches!(attribute, Attribute::LocalVariableTypeTable(_)));
    let tables = code.attributes.iter().filter_map(|attribute| match attribute {
        Attribute::LocalVariableTable(table) if generic => Some(table),
        _ => None,
    });
    tables.flatten().cloned().collect()
}

/// Returns whether an entry is the one that a generic type belongs to. The JVM rejects a class in
/// which a generic entry has no such partner.
fn is_twin(generic: &LocalVariable, other: &LocalVariable) -> bool {
    (other.index, other.start, other.end) == (generic.index, generic.start, generic.end) && other.name == generic.name
}

/// The parts of a variable's range in which its slot holds a value of the right type.
fn fitting(
    variable: &LocalVariable,
    descriptor: &Text,
    states: &[Option<State>],
    relation: &mut Relation<'_>,
) -> Vec<Range<Position>> {
    let wanted = Type::of_descriptor(descriptor.as_bytes());
    stretches(states, variable.start..variable.end, variable.index, |type_| {
        relation.stands_for(type_, &wanted) || (type_.is_uninitialized() && matches!(wanted, Type::Object(_)))
    })
}

fn clip_variables(table: &mut Vec<LocalVariable>, mut parts: impl FnMut(&LocalVariable) -> Vec<Range<Position>>) {
    let mut clipped = Vec::with_capacity(table.len());
    for variable in table.drain(..) {
        for Range { start, end } in parts(&variable) {
            clipped.push(LocalVariable { start, end, ..variable.clone() });
        }
    }
    *table = clipped;
}

/// Clips an annotation. Returns whether the annotated variable still has a value somewhere.
fn clip_annotation(annotation: &mut TypeAnnotation, states: &[Option<State>]) -> bool {
    let (TypeTarget::LocalVariable(ranges) | TypeTarget::ResourceVariable(ranges)) = &mut annotation.target else {
        return true;
    };
    let clipped = ranges.iter().flat_map(|range| {
        let index = range.index;
        let found = stretches(states, range.start..range.end, index, |type_| *type_ != Type::Top);
        found.into_iter().map(move |Range { start, end }| LocalRange { start, end, index })
    });
    *ranges = clipped.collect();
    !ranges.is_empty()
}

/// The parts of a range in which a slot holds a fitting value.
fn stretches(
    states: &[Option<State>],
    range: Range<Position>,
    slot: u16,
    mut fits: impl FnMut(&Type) -> bool,
) -> Vec<Range<Position>> {
    let mut found: Vec<Range<Position>> = Vec::new();
    let end = range.end.min(states.len() as Position);
    for position in range.start..end {
        let Some(state) = &states[position as usize] else { continue };
        if fits(state.local(slot.into())) {
            match found.last_mut() {
                Some(last) if last.end == position => last.end += 1,
                _ => found.push(position..position + 1),
            }
        }
    }
    found
}
