//! `VarHandle`s, with which the library accesses variables atomically. There is only one thread, so
//! all access modes are equivalent.

use crate::Ending;
use crate::halt::{Halt, Next, Step};
use crate::heap::{Nature, Vague, Variable};
use crate::machine::Machine;
use crate::native::width_of;
use crate::state::State;
use crate::step::{elements, elements_mut};
use crate::value::{Ref, Value};
use lapidary_classfile::Kind;
use lapidary_jvm::{BaseType, MethodType};

/// The location of a variable.
#[derive(Clone, Copy)]
pub enum Location {
    Field(Ref, usize),
    Static(lapidary_jvm::ClassId, usize),
    Element(Ref, usize),
}

impl Machine {
    pub(crate) fn access_variable(&mut self, state: &mut State, handle: Ref, name: &str, type_: &MethodType) -> Step {
        let Nature::Variable(variable) = *state.heap.get(handle).nature() else {
            return Err(Halt::End(Ending::unsupported("a VarHandle that was made in an unknown way".into())));
        };
        let count = type_.parameters.len();
        let given = state.top().operands(count);
        let argument = |place: usize| given.get(place).copied().unwrap_or(Value::Nothing);
        if let (Variable::View { number, is_big_endian }, [Value::Reference(Some(array)), rest @ ..]) =
            (variable, &given[..])
        {
            let seen = self.access_view(state, *array, name, rest, (number, is_big_endian))?;
            let frame = state.top_mut();
            frame.drop(count + 1);
            seen.into_iter().for_each(|seen| frame.push(seen));
            return Ok(Next::Advance);
        }
        let (location, used) = match (variable, argument_ref(count, &argument)) {
            (Variable::Static(class, slot), _) => (Location::Static(class, slot), 0),
            (Variable::Instance(slot), Some(object)) => (Location::Field(object, slot), 1),
            (Variable::Element, Some(array)) => {
                let index = argument(1);
                let Value::Int(index) = index else {
                    return Err(Halt::End(Ending::unsupported("an atomic access at a symbolic index".into())));
                };
                let length = state.heap.get(array).elements().map_or(0, |elements| elements.len());
                if usize::try_from(index).is_ok_and(|index| index < length) {
                    (Location::Element(array, index as usize), 2)
                } else {
                    return self.throw(state, "java/lang/ArrayIndexOutOfBoundsException", None);
                }
            }
            (_, None) | (Variable::View { .. }, _) => {
                return self.throw(state, "java/lang/NullPointerException", None);
            }
        };
        let operands: Vec<Value> = (used..count).map(argument).collect();
        let result = self.atomically(state, location, name, &operands)?;
        let frame = state.top_mut();
        frame.drop(count + 1);
        if type_.result.is_some() {
            frame.push(result);
        }
        Ok(Next::Advance)
    }

    /// Reads or writes a multi-byte number. The first operand is the index, the second the value to
    /// write.
    fn access_view(
        &mut self,
        state: &mut State,
        array: Ref,
        name: &str,
        operands: &[Value],
        (number, is_big_endian): (BaseType, bool),
    ) -> Result<Option<Value>, Halt> {
        let index = self.concrete_int(state, operands.first().copied().unwrap_or(Value::Nothing))?;
        let length = state.heap.get(array).elements().map_or(0, |elements| elements.len());
        let fits = |index: &usize| index + width_of(number) <= length;
        let Some(index) = usize::try_from(index).ok().filter(fits) else {
            return self.throw_vague(state, "java/lang/IndexOutOfBoundsException", Vague::Explained);
        };
        let done = match (operands, name.starts_with("get"), name.starts_with("set")) {
            ([_], true, _) => {
                let read = self.read_bytes(state, array, index, number);
                read.and_then(|read| if is_big_endian { self.swapped_bytes(read, number) } else { Some(read) })
                    .map(Some)
            }
            ([_, new], _, true) => {
                let new = if is_big_endian { self.swapped_bytes(*new, number) } else { Some(*new) };
                new.and_then(|new| self.write_bytes(state, array, index, number, new)).map(|()| None)
            }
            _ => None,
        };
        done.map_or_else(|| Err(Halt::End(Ending::unsupported(format!("VarHandle.{name} of bytes")))), Ok)
    }

    /// Performs the operation that the name of a `VarHandle` method says.
    pub(crate) fn atomically(
        &mut self,
        state: &mut State,
        location: Location,
        name: &str,
        operands: &[Value],
    ) -> Result<Value, Halt> {
        let old = self.held(state, location)?;
        let operand = operands.first().copied().unwrap_or(Value::Nothing);
        if name.starts_with("getAndAdd") {
            let sum = self.sum(old, operand)?;
            write(state, location, sum);
            return Ok(old);
        }
        if name.starts_with("getAndBitwise") {
            let combined = self.bitwise(name, old, operand)?;
            write(state, location, combined);
            return Ok(old);
        }
        if name.starts_with("getAndSet") {
            write(state, location, operand);
            return Ok(old);
        }
        if name.starts_with("get") {
            return Ok(old);
        }
        if name.starts_with("set") {
            write(state, location, operand);
            return Ok(Value::Nothing);
        }
        if name.starts_with("compareAnd") || name.starts_with("weakCompareAnd") {
            let same = self.same(state, old, operand)?;
            if same {
                write(state, location, operands.get(1).copied().unwrap_or(Value::Nothing));
            }
            return Ok(if name.starts_with("compareAndExchange") { old } else { Value::boolean(same) });
        }
        Err(Halt::End(Ending::unsupported(format!("VarHandle.{name}"))))
    }

    /// The value of a variable. A field of an input may be made only now.
    pub(crate) fn held(&mut self, state: &mut State, location: Location) -> Result<Value, Halt> {
        match location {
            Location::Field(object, slot) => self.read_field(state, object, slot),
            Location::Static(class, slot) => Ok(state.static_field(class, slot)),
            Location::Element(array, index) => Ok(elements(state, array).get(index)),
        }
    }

    fn sum(&mut self, one: Value, other: Value) -> Result<Value, Halt> {
        match (one, other) {
            (Value::Int(one), Value::Int(other)) => Ok(Value::Int(one.wrapping_add(other))),
            (Value::Long(one), Value::Long(other)) => Ok(Value::Long(one.wrapping_add(other))),
            (Value::Symbolic(kind, _), _) | (_, Value::Symbolic(kind, _)) if one.kind() == other.kind() => {
                let (Some(one), Some(other)) = (one.term(&mut self.terms), other.term(&mut self.terms)) else {
                    return self.broken("a sum of something that is no number");
                };
                let sum = self.terms.add(one, other);
                Ok(Value::of_term(kind, sum, &self.terms))
            }
            _ => self.broken("a sum of something that is no number"),
        }
    }

    /// Applies `Or`, `And` or `Xor`, according to the name.
    fn bitwise(&mut self, name: &str, one: Value, other: Value) -> Result<Value, Halt> {
        if one.kind() != other.kind() {
            return self.broken("bits of numbers of two kinds");
        }
        let (Some(left), Some(right)) = (one.term(&mut self.terms), other.term(&mut self.terms)) else {
            return self.broken("bits of something that is no number");
        };
        let combined = match name.trim_start_matches("getAndBitwise") {
            name if name.starts_with("Or") => self.terms.or(left, right),
            name if name.starts_with("And") => self.terms.and(left, right),
            _ => self.terms.xor(left, right),
        };
        let is_long = matches!(one, Value::Long(_) | Value::Symbolic(Kind::Long, _));
        Ok(Value::of_term(if is_long { Kind::Long } else { Kind::Int }, combined, &self.terms))
    }

    /// Whether two values are the same. Forks if that depends on symbols.
    pub(crate) fn same(&mut self, state: &mut State, one: Value, other: Value) -> Result<bool, Halt> {
        match (one, other) {
            (Value::Reference(one), Value::Reference(other)) => self.is_same(state, one, other),
            _ if one.kind() != other.kind() => self.broken("a comparison of two kinds"),
            _ => {
                let (Some(one), Some(other)) = (one.term(&mut self.terms), other.term(&mut self.terms)) else {
                    return self.broken("a comparison of a number with an object");
                };
                let equal = self.terms.equals(one, other);
                self.split(state, equal)
            }
        }
    }
}

fn argument_ref(count: usize, argument: &impl Fn(usize) -> Value) -> Option<Ref> {
    match (count > 0).then(|| argument(0)) {
        Some(Value::Reference(object)) => object,
        _ => None,
    }
}

pub(crate) fn write(state: &mut State, location: Location, value: Value) {
    match location {
        Location::Field(object, slot) => state.heap.get_mut(object).fields_mut()[slot] = value,
        Location::Static(class, slot) => state.set_static_field(class, slot, value),
        Location::Element(array, index) => elements_mut(state, array).set(index, value),
    }
}
