//! The method of a lambda object: it converts its arguments and calls the implementation.

use super::action::{Action, Adapter, Body, Value};
use super::builder::Builder;
use super::calls::{Invocation, operation};
use super::scan::new_object;
use crate::world::World;
use lapidary_classfile::{HandleKind, InvokeOp, Text};
use lapidary_jvm::{FieldType, MethodType};

/// The body of a lambda's method.
pub(crate) fn adapter_body(world: &mut World, adapter: &Adapter) -> Body {
    let mut builder = Builder::new(adapter.parameters);
    let handle = &adapter.implementation;
    let (Some(op), Ok(wanted)) = (operation(handle.kind), MethodType::parse(handle.member.descriptor.as_bytes()))
    else {
        return builder.finish();
    };
    let Some(method) = world.resolve_method(&handle.member) else { return builder.finish() };
    let mut given = given_values(adapter);
    let mut arguments = Vec::new();
    let makes_object = handle.kind == HandleKind::NewInvokeSpecial;
    if makes_object {
        let class = world.hierarchy.id(&handle.member.owner);
        builder.act(Action::Initialise(class));
        arguments.push(new_object(world, &mut builder, class));
    } else if op != InvokeOp::Static {
        arguments.extend(given.next().map(|(value, _)| value));
    }
    for (parameter, (value, type_)) in wanted.parameters.iter().zip(given) {
        arguments.push(converted(world, &mut builder, value, type_, parameter));
    }
    let expected = wanted.parameters.len() + usize::from(op != InvokeOp::Static);
    arguments.resize(expected, Value::NONE);
    let result =
        if wanted.result.as_ref().is_some_and(FieldType::is_reference) { builder.fresh() } else { Value::NONE };
    let made = arguments.first().copied();
    Invocation { caller: adapter.caller, op, method, arguments, result }.act(world, &mut builder);
    let returned = match (made, &wanted.result, &adapter.used.result) {
        (Some(made), _, _) if makes_object => made,
        (_, Some(given), Some(used)) => converted(world, &mut builder, result, given, used),
        _ => Value::NONE,
    };
    builder.move_to(returned, builder.result());
    builder.finish()
}

/// The captured values, then the arguments, each with its type.
fn given_values(adapter: &Adapter) -> impl Iterator<Item = (Value, &FieldType)> {
    let parameters = &adapter.used.parameters;
    let first_captured = 1 + parameters.len();
    let captured = adapter.captured.parameters.iter().enumerate();
    let captured = captured.map(move |(index, type_)| (Value((first_captured + index) as u32), type_));
    captured.chain(parameters.iter().enumerate().map(|(index, type_)| (Value(1 + index as u32), type_)))
}

/// Converts a value to the wanted type; primitive values are boxed.
fn converted(world: &mut World, builder: &mut Builder, value: Value, given: &FieldType, wanted: &FieldType) -> Value {
    match (given, wanted) {
        (_, FieldType::Base(_)) => Value::NONE,
        (FieldType::Base(base), _) => {
            let class = world.hierarchy.id(&Text::from(base.wrapper()));
            builder.act(Action::Initialise(class));
            new_object(world, builder, class)
        }
        _ => value,
    }
}
