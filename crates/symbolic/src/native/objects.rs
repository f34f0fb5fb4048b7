//! `Object`, `Throwable` and `Reference`.

use super::{Call, Effect, Line, nothing, value};
use crate::halt::Halt;
use crate::heap::{Body, Nature, Thrown};
use crate::machine::Machine;
use crate::place::CodePlace;
use crate::state::State;
use crate::value::Value;
use std::rc::Rc;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Object.<init>()V", nothing),
    ("java/lang/Object.getClass()Ljava/lang/Class;", get_class),
    ("java/lang/Object.hashCode()I", identity),
    ("java/lang/System.identityHashCode(Ljava/lang/Object;)I", identity),
    ("java/lang/Object.clone()Ljava/lang/Object;", clone),
    ("java/lang/Throwable.fillInStackTrace()Ljava/lang/Throwable;", fill_in_stack_trace),
    ("java/lang/ref/Reference.refersTo0(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/Reference.clear0()V", clear_reference),
    ("java/lang/ref/Reference.<clinit>()V", nothing),
    ("java/lang/ref/Finalizer.<clinit>()V", nothing),
];

fn get_class(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let object = machine.present(state, call, 0)?;
    let type_ = state.heap.get(object).type_;
    let mirror = machine.mirror(state, type_)?;
    value(Some(mirror))
}

/// The identity hash code: the object's number, scrambled.
fn identity(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(object) = call.reference(0) else { return value(0) };
    let shared = machine.number_of_shared_box(state, object)?;
    let number = shared.map_or(object.number(), |number| u32::MAX - number as u8 as u32);
    value((number.wrapping_mul(0x9e37_79b1) >> 1) as i32)
}

fn clone(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let object = machine.present(state, call, 0)?;
    machine.give_all_fields(state, object)?;
    machine.room(state, state.heap.get(object).elements().map_or(0, |elements| elements.len() as u64))?;
    let copied = state.heap.get(object).clone();
    if matches!(copied.body, Body::Fields(..)) {
        let Some(cloneable) = machine.world.type_of_constant(&"java/lang/Cloneable".into()) else {
            return value(Value::NULL);
        };
        if !machine.world.is_subtype(copied.type_, cloneable) {
            let name = machine.type_name(copied.type_);
            return machine.throw(state, "java/lang/CloneNotSupportedException", Some(&name));
        }
    }
    value(Some(state.heap.allocate(copied)))
}

/// Records where the exception was created: the calls below those of its own constructors.
fn fill_in_stack_trace(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let this = machine.present(state, call, 0)?;
    let (mut trace, made) = (state.top().places(), state.heap.get(this).type_);
    let is_own = |place: &CodePlace| {
        let class = machine.world.type_of_class(place.method.class);
        let makes = place.method.name == "<init>" || place.method.name == "fillInStackTrace";
        !(makes && machine.world.is_subtype(made, class))
    };
    let own = trace.iter().position(is_own).unwrap_or(0);
    trace.drain(..own);
    if let Body::Fields(_, Nature::Thrown(thrown)) = &mut state.heap.get_mut(this).body {
        *thrown = Rc::new(Thrown { trace, vague: thrown.vague.clone() });
    }
    value(call.value(0))
}

fn clear_reference(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let this = machine.present(state, call, 0)?;
    if let Some(slot) = machine.world.instance_slot("java/lang/ref/Reference", "referent") {
        state.heap.get_mut(this).fields_mut()[slot] = Value::NULL;
    }
    Ok(Effect::Nothing)
}

fn refers_to(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let this = machine.present(state, call, 0)?;
    let slot = machine.world.instance_slot("java/lang/ref/Reference", "referent");
    let Some(Value::Reference(referent)) = slot.map(|slot| state.heap.get(this).fields()[slot]) else {
        return machine.broken("a reference without a referent");
    };
    value(Value::boolean(machine.is_same(state, referent, call.reference(1))?))
}
