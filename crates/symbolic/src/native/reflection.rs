//! Reflection on the context of a class: its interfaces, and the class or method around it.

use super::classes::{class_of, interned};
use super::{Call, Effect, Line, value};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::state::State;
use crate::step::elements_mut;
use crate::value::{Ref, Value};
use lapidary_classfile::{Attribute, EnclosingMethod, Text};
use lapidary_jvm::ClassId;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Class.getInterfaces0()[Ljava/lang/Class;", interfaces),
    ("java/lang/Class.getEnclosingMethod0()[Ljava/lang/Object;", enclosing_method),
    ("java/lang/Class.getDeclaringClass0()Ljava/lang/Class;", declaring_class),
    ("java/lang/Class.getSimpleBinaryName0()Ljava/lang/String;", simple_binary_name),
    ("java/lang/Class.getGenericSignature0()Ljava/lang/String;", signature),
    ("java/lang/Class.getNestHost0()Ljava/lang/Class;", nest_host),
];

fn interfaces(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let names: Vec<Text> = match class_of(machine, state, call)? {
        Some(class) => machine.world.hierarchy.class(class).map_or(Vec::new(), |class| class.interfaces.clone()),
        None => vec!["java/lang/Cloneable".into(), "java/io/Serializable".into()],
    };
    let mirrors: Result<Vec<Ref>, Halt> = names.iter().map(|name| mirror(machine, state, name)).collect();
    list(machine, state, "java/lang/Class", mirrors?.into_iter().map(Value::object).collect())
}

/// A class, a name and a descriptor. Name and descriptor are null inside an initialiser.
fn enclosing_method(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(enclosing) = class_of(machine, state, call)?.and_then(|class| enclosing(machine, class)) else {
        return value(Value::NULL);
    };
    let mut parts = vec![Value::object(mirror(machine, state, &enclosing.class)?)];
    match enclosing.method {
        Some(method) => {
            parts.push(Value::object(machine.string(state, &method.name.as_str())?));
            parts.push(Value::object(machine.string(state, &method.descriptor.as_str())?));
        }
        None => parts.extend([Value::NULL, Value::NULL]),
    }
    list(machine, state, "java/lang/Object", parts)
}

fn enclosing(machine: &Machine, class: ClassId) -> Option<EnclosingMethod> {
    let declared = machine.world.hierarchy.class(class)?;
    declared.attributes.iter().find_map(|attribute| match attribute {
        Attribute::EnclosingMethod(enclosing) => Some(enclosing.clone()),
        _ => None,
    })
}

fn declaring_class(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let entry = class_of(machine, state, call)?.and_then(|class| machine.inner_entry(class));
    match entry.and_then(|entry| entry.outer) {
        Some(outer) => value(Some(mirror(machine, state, &outer)?)),
        None => value(Value::NULL),
    }
}

fn simple_binary_name(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let entry = class_of(machine, state, call)?.and_then(|class| machine.inner_entry(class));
    match entry.and_then(|entry| entry.name) {
        Some(name) => interned(machine, state, &name.as_str()),
        None => value(Value::NULL),
    }
}

fn signature(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let declared = class_of(machine, state, call)?.and_then(|class| machine.world.hierarchy.class(class).cloned());
    let signature = declared.and_then(|class| {
        class.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Signature(signature) => Some(signature.as_str().into_owned()),
            _ => None,
        })
    });
    match signature {
        Some(signature) => interned(machine, state, &signature),
        None => value(Value::NULL),
    }
}

fn nest_host(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(class) = class_of(machine, state, call)? else { return value(call.value(0)) };
    let host = machine.world.hierarchy.class(class).and_then(|class| class.nest_host().cloned());
    match host {
        Some(host) => value(Some(mirror(machine, state, &host)?)),
        None => value(call.value(0)),
    }
}

fn mirror(machine: &mut Machine, state: &mut State, class: &Text) -> Result<Ref, Halt> {
    let id = machine.world.hierarchy.id(class);
    let type_ = machine.world.type_of_class(id);
    machine.mirror(state, type_)
}

fn list(machine: &mut Machine, state: &mut State, element: &str, values: Vec<Value>) -> Result<Effect, Halt> {
    let Some(element) = machine.world.type_of_constant(&element.into()) else { return value(Value::NULL) };
    let array = machine.allocate_array(state, element, values.len());
    values.into_iter().enumerate().for_each(|(place, value)| elements_mut(state, array).set(place, value));
    value(Some(array))
}
