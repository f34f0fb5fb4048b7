//! `System.arraycopy`, `java.lang.reflect.Array`, and a shortcut of `java.util.Arrays`.

use super::{Call, Effect, Line, value};
use crate::halt::Halt;
use crate::heap::Elements;
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
    ("java/lang/reflect/Array.getLength(Ljava/lang/Object;)I", length),
    ("java/lang/reflect/Array.get(Ljava/lang/Object;I)Ljava/lang/Object;", get),
    ("java/lang/reflect/Array.getInt(Ljava/lang/Object;I)I", get_int),
    ("java/lang/reflect/Array.set(Ljava/lang/Object;ILjava/lang/Object;)V", set),
    ("java/lang/reflect/Array.setInt(Ljava/lang/Object;II)V", set_int),
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

fn base_of(machine: &Machine, array: TypeId) -> Option<BaseType> {
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

/// The array and the index of a call of `Array.get` and similar methods.
fn element_at(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<(Ref, usize), Halt> {
    let array = machine.present(state, call, 0)?;
    let Some(length) = state.heap.get(array).elements().map(Elements::len) else {
        return machine.throw(state, "java/lang/IllegalArgumentException", Some("Argument is not an array"));
    };
    let index = machine.concrete_int(state, call.value(1))?;
    match usize::try_from(index).ok().filter(|index| *index < length) {
        Some(index) => Ok((array, index)),
        None => {
            let message = format!("Index {index} out of bounds for length {length}");
            machine.throw(state, "java/lang/ArrayIndexOutOfBoundsException", Some(&message))
        }
    }
}

fn length(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let array = machine.present(state, call, 0)?;
    match state.heap.get(array).elements() {
        Some(elements) => value(elements.len() as i32),
        None => machine.throw(state, "java/lang/IllegalArgumentException", Some("Argument is not an array")),
    }
}

fn get(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (array, index) = element_at(machine, state, call)?;
    let element = elements(state, array).get(index);
    match base_of(machine, state.heap.get(array).type_) {
        Some(base) => machine.boxed(state, base, element),
        None => value(element),
    }
}

fn get_int(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (array, index) = element_at(machine, state, call)?;
    match base_of(machine, state.heap.get(array).type_) {
        Some(BaseType::Byte | BaseType::Char | BaseType::Short | BaseType::Int) => {
            value(elements(state, array).get(index))
        }
        _ => machine.throw(
            state,
            "java/lang/IllegalArgumentException",
            Some("Argument is not an array of primitive type"),
        ),
    }
}

fn set_int(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (array, index) = element_at(machine, state, call)?;
    check_int(machine, state, array)?;
    elements_mut(state, array).set(index, call.value(2));
    Ok(Effect::Nothing)
}

fn check_int(machine: &mut Machine, state: &mut State, array: Ref) -> Result<(), Halt> {
    match base_of(machine, state.heap.get(array).type_) {
        Some(BaseType::Int) => Ok(()),
        _ => machine.throw(state, "java/lang/IllegalArgumentException", Some("argument type mismatch")),
    }
}

fn set(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (array, index) = element_at(machine, state, call)?;
    let new = match base_of(machine, state.heap.get(array).type_) {
        None if machine.is_allowed_in(state, array, call.reference(2)) => call.value(2),
        None => {
            return machine.throw(state, "java/lang/IllegalArgumentException", Some("array element type mismatch"));
        }
        Some(base) => match call.reference(2).and_then(|wrapper| machine.unboxed(state, base, wrapper)) {
            Some(number) => number,
            None => {
                return machine.throw(state, "java/lang/IllegalArgumentException", Some("argument type mismatch"));
            }
        },
    };
    elements_mut(state, array).set(index, new);
    Ok(Effect::Nothing)
}

impl Machine {
    /// A call that boxes a number in its wrapper class.
    fn boxed(&mut self, state: &mut State, base: BaseType, number: Value) -> Result<Effect, Halt> {
        let wrapper = base.wrapper();
        let id = self.world.hierarchy.id(&wrapper.into());
        self.initialise(state, id)?;
        let descriptor = format!("({})L{wrapper};", base.letter() as char);
        match self.world.declared(id, "valueOf", &descriptor) {
            Some(maker) => Ok(Effect::Call(maker, vec![number])),
            None => self.broken("a wrapper class without valueOf"),
        }
    }

    fn is_allowed_in(&mut self, state: &State, array: Ref, object: Option<Ref>) -> bool {
        let Type::Array(element) = self.world.types.get(state.heap.get(array).type_) else { return false };
        object.is_none_or(|object| self.world.is_subtype(state.heap.get(object).type_, element))
    }

    /// The number in a box of the wrapper class, or of a narrower wrapper class.
    fn unboxed(&mut self, state: &State, base: BaseType, wrapper: Ref) -> Option<Value> {
        let name = self.name_of(state, wrapper);
        let from = fitting_bases(base).iter().find(|from| from.wrapper().replace('/', ".") == name)?;
        let slot = self.world.instance_slot(from.wrapper(), "value")?;
        let number = state.heap.get(wrapper).fields().get(slot).copied()?;
        match (base, number) {
            (BaseType::Long, Value::Int(number)) => Some(Value::Long(number.into())),
            (BaseType::Long, Value::Symbolic(Kind::Int, number)) => {
                Some(Value::of_term(Kind::Long, self.terms.sign_extend(number, 64), &self.terms))
            }
            _ => Some(number),
        }
    }
}

/// The types whose values can be stored unchanged in an array of this type, except for floats.
fn fitting_bases(base: BaseType) -> &'static [BaseType] {
    use BaseType::*;
    match base {
        Boolean => &[Boolean],
        Byte => &[Byte],
        Char => &[Char],
        Short => &[Short, Byte],
        Int => &[Int, Short, Char, Byte],
        Long => &[Long, Int, Short, Char, Byte],
        Float => &[Float],
        Double => &[Double],
    }
}

/// Reports that nothing was compared, so that the library compares the elements one by one.
fn mismatch(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(4) {
        Value::Int(length) => value(!length),
        Value::Symbolic(Kind::Int, length) => {
            let remaining = machine.terms.not_bits(length);
            value(Value::of_term(Kind::Int, remaining, &machine.terms))
        }
        _ => machine.broken("a length that is no int"),
    }
}
