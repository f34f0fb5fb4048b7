//! Lookups of `VarHandle`s.

use super::{Call, Effect, Line, value};
use crate::halt::Halt;
use crate::heap::{Body, Nature, Object, Variable};
use crate::machine::Machine;
use crate::state::State;
use crate::types::Type;
use crate::value::Value;
use lapidary_jvm::Resolution;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/invoke/MethodHandles.lookup()Ljava/lang/invoke/MethodHandles$Lookup;", lookup),
    ("java/lang/invoke/MethodHandles.publicLookup()Ljava/lang/invoke/MethodHandles$Lookup;", lookup),
    (
        "java/lang/invoke/MethodHandles.privateLookupIn(Ljava/lang/Class;Ljava/lang/invoke/MethodHandles$Lookup;)Ljava/lang/invoke/MethodHandles$Lookup;",
        lookup,
    ),
    ("java/lang/invoke/MethodHandles$Lookup.lookupClass()Ljava/lang/Class;", lookup_class),
    (
        "java/lang/invoke/MethodHandles$Lookup.findVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        variable,
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findStaticVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        variable,
    ),
    (
        "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        element_variable,
    ),
    (
        "java/lang/invoke/MethodHandles.byteArrayViewVarHandle(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;",
        view,
    ),
    ("java/lang/invoke/VarHandle.withInvokeExactBehavior()Ljava/lang/invoke/VarHandle;", same),
    ("java/lang/invoke/VarHandle.withInvokeBehavior()Ljava/lang/invoke/VarHandle;", same),
];

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";

/// A lookup for the given class, or else for the calling class. Access rights are ignored here.
fn lookup(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let asking = machine.world.type_of_class(state.top().method.class);
    let seen = match call.reference(0) {
        Some(given) => given,
        None => machine.mirror(state, asking)?,
    };
    let id = machine.world.hierarchy.id(&LOOKUP.into());
    let class = machine.load(state, id)?;
    let lookup = machine.allocate(state, &class);
    if let Some(slot) = machine.world.instance_slot(LOOKUP, "lookupClass") {
        state.heap.get_mut(lookup).fields_mut()[slot] = Value::object(seen);
    }
    value(Some(lookup))
}

fn lookup_class(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let lookup = machine.present(state, call, 0)?;
    let slot = machine.world.instance_slot(LOOKUP, "lookupClass");
    value(slot.map_or(Value::NULL, |slot| state.heap.get(lookup).fields()[slot]))
}

fn variable(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let [owner, type_] =
        [1, 3].map(|place| call.reference(place).map(|mirror| state.heap.get(mirror).nature().clone()));
    let (Some(Nature::Mirror(owner)), Some(Nature::Mirror(type_))) = (owner, type_) else {
        return machine.throw(state, "java/lang/NullPointerException", None);
    };
    let name = machine.present(state, call, 2)?;
    let name = machine.text_of(state, name).unwrap_or_default();
    let hierarchy = machine.world.hierarchy.clone();
    let (Type::Class(class), Some(field_type)) =
        (machine.world.types.get(owner), machine.world.types.to_field(type_, &hierarchy))
    else {
        return machine.broken("a variable of no class");
    };
    let Resolution::Found(field) = hierarchy.resolve_field(class, &name.as_str().into(), &field_type.descriptor())
    else {
        return machine.throw(state, "java/lang/NoSuchFieldException", Some(&name));
    };
    let is_static = hierarchy.field(field).access & lapidary_classfile::access::STATIC != 0;
    if is_static {
        machine.initialise(state, field.class)?;
    }
    let Ok(slot) = machine.world.slot(field) else { return machine.broken("a field without a type") };
    let found = if is_static { Variable::Static(field.class, slot) } else { Variable::Instance(slot) };
    handle(machine, state, found)
}

fn same(_: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    value(call.value(0))
}

fn view(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let array = super::classes::type_of(machine, state, call, 0)?;
    let number = match machine.world.types.get(array) {
        Type::Array(element) => machine.world.types.get(element),
        _ => Type::Void,
    };
    let Type::Base(number) = number else {
        return machine.throw(state, "java/lang/UnsupportedOperationException", None);
    };
    let order = machine.present(state, call, 1)?;
    let name = machine.world.instance_slot("java/nio/ByteOrder", "name");
    let name = name.map(|slot| state.heap.get(order).fields()[slot]);
    let is_big_endian = match name {
        Some(Value::Reference(Some(name))) => machine.text_of(state, name).is_some_and(|name| name == "BIG_ENDIAN"),
        _ => false,
    };
    handle(machine, state, Variable::View { number, is_big_endian })
}

fn element_variable(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    handle(machine, state, Variable::Element)
}

fn handle(machine: &mut Machine, state: &mut State, variable: Variable) -> Result<Effect, Halt> {
    let id = machine.world.hierarchy.id(&"java/lang/invoke/VarHandle".into());
    let class = machine.load(state, id)?;
    let body = Body::Fields(class.defaults.clone(), Nature::Variable(variable));
    value(Some(state.heap.allocate(Object { type_: class.type_, body })))
}
