//! Lookups and methods of method handles.

use super::{Call, Effect, Line, value};
use crate::Ending;
use crate::dynamic::{readable, spread_arguments};
use crate::halt::Halt;
use crate::heap::{Callable, Nature};
use crate::machine::Machine;
use crate::state::State;
use crate::step::elements;
use crate::types::{Type, TypeId};
use crate::value::{Ref, Value};
use lapidary_classfile::{Handle, HandleKind, MemberRef, Text, access};
use lapidary_jvm::{ClassId, FieldType, MethodType, Resolution};
use std::sync::Arc;

pub(super) const TABLE: &[Line] = &[
    (
        "java/lang/invoke/MethodHandles$Lookup.findStatic(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        |machine, state, call| method(machine, state, call, HandleKind::InvokeStatic),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findVirtual(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        |machine, state, call| method(machine, state, call, HandleKind::InvokeVirtual),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findConstructor(Ljava/lang/Class;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        |machine, state, call| method(machine, state, call, HandleKind::NewInvokeSpecial),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        |machine, state, call| field(machine, state, call, HandleKind::GetField),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findSetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        |machine, state, call| field(machine, state, call, HandleKind::PutField),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findStaticGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        |machine, state, call| field(machine, state, call, HandleKind::GetStatic),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findStaticSetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        |machine, state, call| field(machine, state, call, HandleKind::PutStatic),
    ),
    ("java/lang/invoke/MethodHandle.bindTo(Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;", bind),
    ("java/lang/invoke/MethodHandle.type()Ljava/lang/invoke/MethodType;", type_of),
    ("java/lang/invoke/MethodHandle.invokeWithArguments([Ljava/lang/Object;)Ljava/lang/Object;", invoke_with_array),
];

/// Whether a method of the library must not run, because handles here are not made the way the
/// library makes them.
pub(super) fn is_unmodelled(class: &str, name: &str) -> bool {
    let of_handles =
        ["java/lang/invoke/MethodHandle", "java/lang/invoke/MethodHandles", "java/lang/invoke/MethodHandles$Lookup"];
    of_handles.contains(&class) && !matches!(name, "<clinit>" | "<init>" | "invoke" | "invokeExact")
}

pub(super) fn unmodelled(_: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    Err(Halt::End(Ending::unsupported(format!("{}", call.method))))
}

fn mirrored(machine: &mut Machine, state: &mut State, call: &Call<'_>, place: usize) -> Result<TypeId, Halt> {
    let mirror = machine.present(state, call, place)?;
    type_in(machine, state, Some(mirror))
}

fn type_in(machine: &mut Machine, state: &State, mirror: Option<Ref>) -> Result<TypeId, Halt> {
    match mirror.map(|mirror| state.heap.get(mirror).nature()) {
        Some(Nature::Mirror(type_)) => Ok(*type_),
        _ => machine.broken("a class object that is none"),
    }
}

/// The method type that a `MethodType` object represents.
fn method_type(machine: &mut Machine, state: &mut State, object: Ref) -> Result<MethodType, Halt> {
    let part = |machine: &mut Machine, name| {
        let slot = machine.world.instance_slot("java/lang/invoke/MethodType", name)?;
        match state.heap.get(object).fields().get(slot) {
            Some(Value::Reference(part)) => *part,
            _ => None,
        }
    };
    let (result, parameters) = (part(machine, "rtype"), part(machine, "ptypes"));
    let Some(parameters) = parameters else { return machine.broken("a method type without parameters") };
    let mut types = Vec::new();
    for index in 0..elements(state, parameters).len() {
        let Value::Reference(mirror) = elements(state, parameters).get(index) else { continue };
        let type_ = type_in(machine, state, mirror)?;
        types.extend(machine.world.types.to_field(type_, &machine.world.hierarchy));
    }
    let result = type_in(machine, state, result)?;
    Ok(MethodType { parameters: types, result: machine.world.types.to_field(result, &machine.world.hierarchy) })
}

fn method(machine: &mut Machine, state: &mut State, call: &Call<'_>, kind: HandleKind) -> Result<Effect, Halt> {
    let owner = mirrored(machine, state, call, 1)?;
    let is_constructor = kind == HandleKind::NewInvokeSpecial;
    let name = match is_constructor {
        true => "<init>".to_owned(),
        false => {
            let name = machine.present(state, call, 2)?;
            machine.text_of(state, name).unwrap_or_default()
        }
    };
    let type_ = machine.present(state, call, if is_constructor { 2 } else { 3 })?;
    let type_ = method_type(machine, state, type_)?;
    let Type::Class(class) = machine.world.types.get(owner) else {
        return Err(Halt::End(Ending::unsupported("a method handle for a method of arrays".into())));
    };
    let hierarchy = machine.world.hierarchy.clone();
    let is_interface = hierarchy.is_interface(class) == Some(true);
    let resolution = match is_interface {
        true => hierarchy.resolve_interface_method(class, &name.as_str().into(), &type_.descriptor()),
        false => hierarchy.resolve_method(class, &name.as_str().into(), &type_.descriptor()),
    };
    let found = match resolution {
        Resolution::Found(found) => Some(hierarchy.method(found).access & access::STATIC != 0),
        _ => None,
    };
    match found {
        Some(is_static) if is_static == (kind == HandleKind::InvokeStatic) => {}
        Some(_) => return Err(Halt::End(Ending::unsupported(format!("a method handle of the wrong kind for {name}")))),
        None => return missing_method(machine, state, class, &name, &type_, kind),
    }
    let kind = if is_interface && kind == HandleKind::InvokeVirtual { HandleKind::InvokeInterface } else { kind };
    let member = MemberRef {
        owner: hierarchy.name(class).clone(),
        name: name.as_str().into(),
        descriptor: type_.descriptor(),
        interface: is_interface,
    };
    value(Some(machine.handle_of(state, &Handle { kind, member: Arc::new(member) })?))
}

/// Throws with the message of a real JVM.
fn missing_method(
    machine: &mut Machine,
    state: &mut State,
    class: ClassId,
    name: &str,
    type_: &MethodType,
    kind: HandleKind,
) -> Result<Effect, Halt> {
    let owner = machine.world.hierarchy.name(class).as_str().replace('/', ".");
    let (what, how) = match kind {
        HandleKind::NewInvokeSpecial => ("constructor", "newInvokeSpecial"),
        HandleKind::InvokeStatic => ("method", "invokeStatic"),
        _ => ("method", "invokeVirtual"),
    };
    let message = format!("no such {what}: {owner}.{name}{}/{how}", readable(type_));
    machine.throw(state, "java/lang/NoSuchMethodException", Some(&message))
}

fn field(machine: &mut Machine, state: &mut State, call: &Call<'_>, kind: HandleKind) -> Result<Effect, Halt> {
    let (owner, type_) = (mirrored(machine, state, call, 1)?, mirrored(machine, state, call, 3)?);
    let name = machine.present(state, call, 2)?;
    let name: Text = machine.text_of(state, name).unwrap_or_default().as_str().into();
    let hierarchy = machine.world.hierarchy.clone();
    let (Type::Class(class), Some(type_)) =
        (machine.world.types.get(owner), machine.world.types.to_field(type_, &hierarchy))
    else {
        return machine.broken("a field of no class");
    };
    let Resolution::Found(found) = hierarchy.resolve_field(class, &name, &type_.descriptor()) else {
        return missing_field(machine, state, class, &name, &type_);
    };
    let is_static = hierarchy.field(found).access & access::STATIC != 0;
    if is_static != matches!(kind, HandleKind::GetStatic | HandleKind::PutStatic) {
        return Err(Halt::End(Ending::unsupported(format!("a method handle of the wrong kind for {name}"))));
    }
    let (owner, descriptor) = (hierarchy.name(class).clone(), type_.descriptor());
    let member = Arc::new(MemberRef { owner, name, descriptor, interface: false });
    value(Some(machine.handle_of(state, &Handle { kind, member })?))
}

fn missing_field(
    machine: &mut Machine,
    state: &mut State,
    class: ClassId,
    name: &Text,
    type_: &FieldType,
) -> Result<Effect, Halt> {
    let owner = machine.world.hierarchy.name(class).as_str().replace('/', ".");
    let message = format!("no such field: {owner}.{name}/{}/getField", crate::input::java_name(type_));
    machine.throw(state, "java/lang/NoSuchFieldException", Some(&message))
}

fn bind(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let handle = machine.present(state, call, 0)?;
    let callable = machine.callable(state, handle)?;
    let mut bound = callable.bound.clone();
    bound.push(call.value(1));
    if !callable.type_().parameters.first().is_some_and(FieldType::is_reference) {
        return machine.throw(state, "java/lang/IllegalArgumentException", Some("no leading reference parameter"));
    }
    value(Some(machine.new_handle(state, Callable { method: callable.method.clone(), bound })?))
}

fn type_of(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let handle = machine.present(state, call, 0)?;
    let type_ = machine.callable(state, handle)?.type_();
    Ok(Effect::Call(machine.method_type_maker(&type_), Vec::new()))
}

fn invoke_with_array(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (handle, array) = (machine.present(state, call, 0)?, machine.present(state, call, 1)?);
    let callable = machine.callable(state, handle)?;
    let (own, given) = (callable.type_(), elements(state, array).len());
    if own.parameters.len() != given {
        let asked = MethodType { parameters: vec![FieldType::Object("java/lang/Object".into()); given], result: None };
        let message = format!("cannot convert MethodHandle{} to {}", readable(&own), readable(&asked));
        let message = message.trim_end_matches("void").to_owned() + "Object";
        return machine.throw(state, "java/lang/invoke/WrongMethodTypeException", Some(&message));
    }
    let arguments = spread_arguments(&callable, array);
    Ok(Effect::Call(machine.spreader(&callable), arguments))
}
