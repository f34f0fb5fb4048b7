//! `System.arraycopy`, and the comparison on which `java.util.Arrays` rests.

use super::{Call, Effect, Line, value};
use crate::halt::Halt;
use crate::hook::Copied;
use crate::machine::Machine;
use crate::names::base_name;
use crate::state::State;
use crate::step::{elements, elements_mut};
use crate::types::{Type, TypeId};
use crate::value::{Ref, Value};
use lapidary_classfile::Kind;
use lapidary_jvm::BaseType;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V", array_copy),
    ("jdk/internal/util/ArraysSupport.vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I", mismatch),
];

fn array_copy(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (source, target) = (machine.present(state, call, 0)?, machine.present(state, call, 2)?);
    for (array, role) in [(source, "source"), (target, "destination")] {
        if state.heap.get(array).elements().is_none() {
            let name = machine.name_of(state, array);
            return refuse(machine, state, &format!("{role} type {name} is not an array"));
        }
    }
    check_kinds(machine, state, source, target)?;
    let [from, to, count] = [1, 3, 4].map(|place| call.value(place));
    let from = machine.concrete_int(state, from)?;
    let to = machine.concrete_int(state, to)?;
    let count = machine.concrete_int(state, count)?;
    if let Some(message) = outside(machine, state, [(source, from), (target, to)], count) {
        return machine.throw(state, "java/lang/ArrayIndexOutOfBoundsException", Some(&message));
    }
    let (from, to, count) = (from as usize, to as usize, count as usize);
    let fitting = fitting(machine, state, source, target, from, count);
    let copied = state.heap.snapshot(source);
    if let Some(copied) = copied.elements() {
        if let Some(hook) = &machine.hook {
            let values = &mut (0..fitting).map(|offset| copied.get(from + offset));
            hook.copies(state, Copied { from: source, to: target, first: (from, to), values });
        }
        elements_mut(state, target).copy_from(to, copied, from, fitting);
    }
    if fitting < count {
        let [source, target] = [source, target].map(|array| element_name(machine, state, array));
        let what = format!(
            "element type mismatch: can not cast one of the elements of {source}[] to the type of the destination array, {target}"
        );
        return refuse(machine, state, &what);
    }
    Ok(Effect::Nothing)
}

fn refuse<T>(machine: &mut Machine, state: &mut State, what: &str) -> Result<T, Halt> {
    machine.throw(state, "java/lang/ArrayStoreException", Some(&format!("arraycopy: {what}")))
}

/// Checks that numbers are copied only between arrays of the same type.
fn check_kinds(machine: &mut Machine, state: &mut State, source: Ref, target: Ref) -> Result<(), Halt> {
    let [one, other] = [source, target].map(|array| state.heap.get(array).type_);
    let bases = [one, other].map(|type_| base_of(machine, type_));
    if one == other || bases == [None, None] {
        return Ok(());
    }
    let [from, to] = [one, other].map(|type_| kind_name(machine, type_));
    refuse(machine, state, &format!("type mismatch: can not copy {from}[] into {to}[]"))
}

pub(super) fn base_of(machine: &Machine, array: TypeId) -> Option<BaseType> {
    match machine.world.types.get(array) {
        Type::Array(element) => match machine.world.types.get(element) {
            Type::Base(base) => Some(base),
            _ => None,
        },
        _ => None,
    }
}

fn kind_name(machine: &Machine, array: TypeId) -> &'static str {
    base_of(machine, array).map_or("object array", base_name)
}

fn element_name(machine: &Machine, state: &State, array: Ref) -> String {
    match machine.world.types.get(state.heap.get(array).type_) {
        Type::Array(element) => machine.type_name(element),
        _ => String::new(),
    }
}

/// The message of a real JVM if a range exceeds its array.
fn outside(machine: &Machine, state: &State, ranges: [(Ref, i32); 2], count: i32) -> Option<String> {
    let roles = ["source", "destination"];
    let described = ranges.map(|(array, start)| {
        let length = elements(state, array).len();
        (start, length, format!("{}[{length}]", kind_name(machine, state.heap.get(array).type_)))
    });
    let negative = described.iter().zip(roles).find(|((start, ..), _)| *start < 0);
    if let Some(((start, _, array), role)) = negative {
        return Some(format!("arraycopy: {role} index {start} out of bounds for {array}"));
    }
    if count < 0 {
        return Some(format!("arraycopy: length {count} is negative"));
    }
    let end = |start: i32| i64::from(start) + i64::from(count);
    let beyond = described.iter().zip(roles).find(|((start, length, _), _)| end(*start) > *length as i64);
    beyond.map(|((start, _, array), role)| {
        format!("arraycopy: last {role} index {} out of bounds for {array}", end(*start) as u32)
    })
}

/// How many elements can be copied before one that does not fit the target's type.
fn fitting(machine: &mut Machine, state: &State, source: Ref, target: Ref, from: usize, count: usize) -> usize {
    let [one, other] = [source, target].map(|array| machine.world.types.get(state.heap.get(array).type_));
    let (Type::Array(one), Type::Array(other)) = (one, other) else { return count };
    if machine.world.is_subtype(one, other) {
        return count;
    }
    let misfit = (from..from + count).position(|place| match elements(state, source).get(place) {
        Value::Reference(Some(object)) => !machine.world.is_subtype(state.heap.get(object).type_, other),
        _ => false,
    });
    misfit.unwrap_or(count)
}

/// `ArraysSupport.vectorizedMismatch`: the first index at which two arrays differ, or `~n` if the
/// last `n` elements are left to the caller. The library looks at what is left only if elements are
/// narrower than a long, so longs and doubles are all compared here.
fn mismatch(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    const LONG_OR_DOUBLE: i32 = 3;
    if machine.concrete_int(state, call.value(5))? == LONG_OR_DOUBLE {
        return mismatch_of_wide(machine, state, call);
    }
    match call.value(4) {
        Value::Int(length) => value(!length),
        Value::Symbolic(Kind::Int, length) => {
            let remaining = machine.terms.not_bits(length);
            value(Value::of_term(Kind::Int, remaining, &machine.terms))
        }
        _ => machine.broken("a length that is no int"),
    }
}

fn mismatch_of_wide(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let arrays = [machine.present(state, call, 0)?, machine.present(state, call, 2)?];
    let mut starts = [0, 0];
    for (start, place) in starts.iter_mut().zip([1, 3]) {
        let Value::Long(offset) = machine.concretise(state, call.value(place))? else {
            return machine.broken("an offset that is no long");
        };
        *start = super::unsafe_access::index_of_wide(offset);
    }
    let length = machine.concrete_int(state, call.value(4))?;
    for index in 0..length {
        let [one, other] = [0, 1].map(|side| elements(state, arrays[side]).get(starts[side] + index as usize));
        let (Some(one), Some(other)) = (machine.bits_of(one), machine.bits_of(other)) else {
            return machine.broken("an element that is no number");
        };
        let same = machine.terms.equals(one, other);
        if !machine.split(state, same)? {
            return value(index);
        }
    }
    value(!0)
}
