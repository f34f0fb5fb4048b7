//! `java.lang.reflect.Array`.

use super::arrays::base_of;
use super::{Call, Effect, Line, value};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::state::State;
use crate::step::{elements, elements_mut};
use crate::types::Type;
use crate::value::{Ref, Value};
use lapidary_classfile::Kind;
use lapidary_jvm::{BaseType, FieldType};

pub(super) const TABLE: &[Line] = &[
    ("java/lang/reflect/Array.getLength(Ljava/lang/Object;)I", length),
    ("java/lang/reflect/Array.get(Ljava/lang/Object;I)Ljava/lang/Object;", get),
    ("java/lang/reflect/Array.getBoolean(Ljava/lang/Object;I)Z", get_number),
    ("java/lang/reflect/Array.getByte(Ljava/lang/Object;I)B", get_number),
    ("java/lang/reflect/Array.getChar(Ljava/lang/Object;I)C", get_number),
    ("java/lang/reflect/Array.getShort(Ljava/lang/Object;I)S", get_number),
    ("java/lang/reflect/Array.getInt(Ljava/lang/Object;I)I", get_number),
    ("java/lang/reflect/Array.getLong(Ljava/lang/Object;I)J", get_number),
    ("java/lang/reflect/Array.getFloat(Ljava/lang/Object;I)F", get_number),
    ("java/lang/reflect/Array.getDouble(Ljava/lang/Object;I)D", get_number),
    ("java/lang/reflect/Array.set(Ljava/lang/Object;ILjava/lang/Object;)V", set),
    ("java/lang/reflect/Array.setBoolean(Ljava/lang/Object;IZ)V", set_number),
    ("java/lang/reflect/Array.setByte(Ljava/lang/Object;IB)V", set_number),
    ("java/lang/reflect/Array.setChar(Ljava/lang/Object;IC)V", set_number),
    ("java/lang/reflect/Array.setShort(Ljava/lang/Object;IS)V", set_number),
    ("java/lang/reflect/Array.setInt(Ljava/lang/Object;II)V", set_number),
    ("java/lang/reflect/Array.setLong(Ljava/lang/Object;IJ)V", set_number),
    ("java/lang/reflect/Array.setFloat(Ljava/lang/Object;IF)V", set_number),
    ("java/lang/reflect/Array.setDouble(Ljava/lang/Object;ID)V", set_number),
];

const MISMATCH: Option<&str> = Some("argument type mismatch");

fn refuse<T>(machine: &mut Machine, state: &mut State, message: Option<&str>) -> Result<T, Halt> {
    machine.throw(state, "java/lang/IllegalArgumentException", message)
}

fn array(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Ref, Halt> {
    let array = machine.present(state, call, 0)?;
    match state.heap.get(array).elements() {
        Some(_) => Ok(array),
        None => refuse(machine, state, Some("Argument is not an array")),
    }
}

/// An array of numbers, and their type.
fn numbers(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<(Ref, BaseType), Halt> {
    let array = array(machine, state, call)?;
    match base_of(machine, state.heap.get(array).type_) {
        Some(base) => Ok((array, base)),
        None => refuse(machine, state, Some("Argument is not an array of primitive type")),
    }
}

/// The index of a call, which must be one of the array. The exception has no message.
fn index(machine: &mut Machine, state: &mut State, call: &Call<'_>, array: Ref) -> Result<usize, Halt> {
    let index = machine.concrete_int(state, call.value(1))?;
    let length = elements(state, array).len();
    match usize::try_from(index).ok().filter(|index| *index < length) {
        Some(index) => Ok(index),
        None => machine.throw(state, "java/lang/ArrayIndexOutOfBoundsException", None),
    }
}

fn length(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let array = array(machine, state, call)?;
    value(elements(state, array).len() as i32)
}

fn get(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let array = array(machine, state, call)?;
    let index = index(machine, state, call, array)?;
    let element = elements(state, array).get(index);
    match base_of(machine, state.heap.get(array).type_) {
        Some(base) => machine.boxed(state, base, element),
        None => value(element),
    }
}

fn get_number(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (array, from) = numbers(machine, state, call)?;
    let index = index(machine, state, call, array)?;
    let Some(FieldType::Base(to)) = call.method.type_.result else { return machine.broken("a getter of no number") };
    let element = elements(state, array).get(index);
    match machine.widened(element, from, to) {
        Some(number) => value(number),
        None => refuse(machine, state, MISMATCH),
    }
}

fn set_number(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (array, to) = numbers(machine, state, call)?;
    let index = index(machine, state, call, array)?;
    let Some(FieldType::Base(from)) = call.method.type_.parameters.last() else {
        return machine.broken("a setter of no number");
    };
    let Some(number) = machine.widened(call.value(2), *from, to) else { return refuse(machine, state, MISMATCH) };
    elements_mut(state, array).set(index, number);
    Ok(Effect::Nothing)
}

fn set(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let array = array(machine, state, call)?;
    let to = base_of(machine, state.heap.get(array).type_);
    if to.is_some() && call.reference(2).is_none() {
        return refuse(machine, state, None);
    }
    let index = index(machine, state, call, array)?;
    let new = match to {
        None if machine.is_allowed_in(state, array, call.reference(2)) => call.value(2),
        None => return refuse(machine, state, Some("array element type mismatch")),
        Some(to) => match call.reference(2).and_then(|wrapper| machine.unboxed(state, to, wrapper)) {
            Some(number) => number,
            None => return refuse(machine, state, MISMATCH),
        },
    };
    elements_mut(state, array).set(index, new);
    Ok(Effect::Nothing)
}

impl Machine {
    /// The wrapper object of a number, made by the library.
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
    fn unboxed(&mut self, state: &State, to: BaseType, wrapper: Ref) -> Option<Value> {
        let name = self.name_of(state, wrapper);
        let from = BaseType::ALL.into_iter().find(|from| from.wrapper().replace('/', ".") == name)?;
        let slot = self.world.instance_slot(from.wrapper(), "value")?;
        let number = state.heap.get(wrapper).fields().get(slot).copied()?;
        self.widened(number, from, to)
    }

    /// Converts a number to a wider type (JLS 5.1.2); `None` if the type is not wider.
    fn widened(&mut self, number: Value, from: BaseType, to: BaseType) -> Option<Value> {
        use BaseType::{Byte, Char, Double, Float, Int, Long, Short};
        let term = number.term(&mut self.terms)?;
        let (kind, term) = match (from, to) {
            (from, to) if from == to => return Some(number),
            (Byte, Short) | (Byte | Char | Short, Int) => return Some(number),
            (Byte | Char | Short | Int, Long) => (Kind::Long, self.terms.sign_extend(term, 64)),
            (Byte | Char | Short | Int | Long, Float) => (Kind::Float, self.terms.to_single(term)),
            (Byte | Char | Short | Int | Long | Float, Double) => (Kind::Double, self.terms.to_double(term)),
            _ => return None,
        };
        Some(Value::of_term(kind, term, &self.terms))
    }
}
