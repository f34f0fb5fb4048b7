//! Arrays. Lengths are concrete; an index may be symbolic.

use crate::halt::{Halt, Next, Step};
use crate::heap::{Body, Elements, Object, Vague};
use crate::hook::Accessed;
use crate::input::Restriction;
use crate::machine::Machine;
use crate::method::{Method, kind_of};
use crate::state::State;
use crate::types::{Type, TypeId};
use crate::value::{Ref, Value};
use lapidary_classfile::{ArrayKind, Kind, PrimitiveType, Text, access};
use lapidary_jvm::{BaseType, FieldType};
use lapidary_terms::{Constant, Term};
use std::rc::Rc;

/// The largest length for which reading at a symbolic index gives one term. For longer arrays the
/// path forks over the index.
const TERM_LENGTH: usize = 256;

/// How far from each other the possible lengths of a new array may be.
const FEW: i32 = 32;

/// The size of an array apart from its elements, in elements.
const HEADER: u64 = 4;

impl Machine {
    pub(super) fn new_array(&mut self, state: &mut State, element: PrimitiveType) -> Step {
        let base = BaseType::from(element);
        let length = self.length(state, 0)?;
        let element = self.world.types.number(Type::Base(base));
        let type_ = self.world.types.array_of(element);
        let array = state.heap.allocate(Object { type_, body: Body::Array(Elements::of_base(base, length)) });
        state.top_mut().replace(1, Value::object(array));
        Ok(Next::Advance)
    }

    pub(super) fn new_reference_array(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        name: &Text,
    ) -> Step {
        let element = self.type_at(state, method, at, name)?;
        let length = self.length(state, 0)?;
        let array = self.allocate_array(state, element, length);
        state.top_mut().replace(1, Value::object(array));
        Ok(Next::Advance)
    }

    pub(super) fn new_nested_array(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        name: &Text,
        dimensions: u8,
    ) -> Step {
        let type_ = self.type_at(state, method, at, name)?;
        let dimensions = usize::from(dimensions);
        if dimensions == 0 {
            return self.broken("an array of no dimension");
        }
        let mut lengths = Vec::with_capacity(dimensions);
        for below in (0..dimensions).rev() {
            lengths.push(self.length(state, below)?);
        }
        self.room(state, room_of_nested(&lengths))?;
        let array = self.allocate_nested(state, type_, &lengths)?;
        state.top_mut().replace(dimensions, Value::object(array));
        Ok(Next::Advance)
    }

    fn allocate_nested(&mut self, state: &mut State, type_: TypeId, lengths: &[usize]) -> Result<Ref, Halt> {
        let Type::Array(element) = self.world.types.get(type_) else {
            return self.broken("an array of fewer dimensions");
        };
        let array = self.allocate_array(state, element, lengths[0]);
        if lengths.len() > 1 {
            for index in 0..lengths[0] {
                let inner = self.allocate_nested(state, element, &lengths[1..])?;
                let elements = state.heap.get_mut(array).elements_mut();
                elements.into_iter().for_each(|elements| elements.set(index, Value::object(inner)));
            }
        }
        Ok(array)
    }

    pub(crate) fn allocate_array(&mut self, state: &mut State, element: TypeId, length: usize) -> Ref {
        let elements = match self.world.types.get(element) {
            Type::Base(base) => Elements::of_base(base, length),
            _ => Elements::References(vec![None; length]),
        };
        let type_ = self.world.types.array_of(element);
        state.heap.allocate(Object { type_, body: Body::Array(elements) })
    }

    /// A length for a new array. Symbolic lengths are made concrete up to a bound. Beyond it, this
    /// happens only if they have few values, as when a string that contains an input grows.
    fn length(&mut self, state: &mut State, below: usize) -> Result<usize, Halt> {
        let value = state.top().peek(below);
        if let Value::Symbolic(Kind::Int, term) = value {
            let zero = self.terms.int(0);
            let negative = self.terms.slt(term, zero);
            if self.split(state, negative)? {
                let vague = Vague::Number { before: "", number: value, after: String::new() };
                return self.throw_vague(state, "java/lang/NegativeArraySizeException", vague);
            }
            let bound = self.terms.int(self.config.limits.array_length as i32);
            let too_long = self.terms.slt(bound, term);
            if self.split(state, too_long)? && !self.has_few_values(state, term)? {
                let bound = self.config.limits.array_length;
                let what = format!("an array of more than {bound} elements, whose length is an input; see --bound");
                return Err(Halt::End(crate::Ending::unsupported(what)));
            }
        }
        let length = self.concrete_int(state, value)?;
        match usize::try_from(length) {
            Ok(length) => {
                self.room(state, length as u64)?;
                Ok(length)
            }
            Err(_) => self.throw(state, "java/lang/NegativeArraySizeException", Some(&length.to_string())),
        }
    }

    /// Whether all possible values of a number are close to that of the witness.
    fn has_few_values(&mut self, state: &State, number: Term) -> Result<bool, Halt> {
        let Constant::Bits { value, .. } = self.value_of(state, number) else { return Ok(false) };
        let [low, high] = [-FEW, FEW].map(|distance| self.terms.int((value as i32).saturating_add(distance)));
        let (below, above) = (self.terms.slt(number, low), self.terms.slt(high, number));
        let far = self.terms.or_bool(below, above);
        self.is_impossible(state, far)
    }

    /// Ends a path that exceeds its limit of memory. Whether a real JVM would throw an
    /// `OutOfMemoryError` depends on its settings, so none is thrown here.
    pub(crate) fn room(&mut self, state: &State, elements: u64) -> Result<(), Halt> {
        let limit = self.config.limits.elements as u64;
        if state.heap.elements().saturating_add(elements) <= limit {
            return Ok(());
        }
        let what = format!("more than {limit} elements in the arrays of one path");
        Err(Halt::End(crate::Ending::unsupported(what)))
    }

    pub(super) fn array_length(&mut self, state: &mut State) -> Step {
        let array = self.not_null(state, 0)?;
        let length = match state.heap.get(array).elements() {
            Some(elements) => elements.len(),
            None => return self.broken("the length of something that is no array"),
        };
        state.top_mut().replace(1, Value::Int(length as i32));
        Ok(Next::Advance)
    }

    pub(super) fn array_load(&mut self, state: &mut State) -> Step {
        let array = self.not_null(state, 1)?;
        let index = state.top().peek(0);
        let index = self.in_bounds(state, array, index)?;
        let value = match index {
            Value::Int(index) => elements(state, array).get(index as usize),
            Value::Symbolic(_, term) if self.is_term_array(state, array) => self.element_term(state, array, term),
            symbolic => {
                let index = self.concrete_int(state, symbolic)?;
                elements(state, array).get(index as usize)
            }
        };
        self.note_read(state, Accessed::Element(array, index), value);
        state.top_mut().replace(2, value);
        Ok(Next::Advance)
    }

    pub(super) fn array_store(&mut self, state: &mut State, kind: ArrayKind) -> Step {
        let array = self.not_null(state, 2)?;
        let (index, value) = (state.top().peek(1), state.top().peek(0));
        let index = self.in_bounds(state, array, index)?;
        if kind == ArrayKind::Reference {
            self.check_store(state, array, value)?;
        }
        let wanted = elements(state, array).base().map_or(Kind::Reference, |base| kind_of(&FieldType::Base(base)));
        if value.kind() != Some(wanted) {
            return self.broken("a value of another kind than the elements of the array");
        }
        let value = self.narrow(state, array, kind, value);
        match index {
            Value::Symbolic(_, term) if self.is_term_array(state, array) => {
                self.store_everywhere(state, array, term, value)
            }
            index => {
                let index = self.concrete_int(state, index)?;
                elements_mut(state, array).set(index as usize, value);
            }
        }
        self.note_write(state, Accessed::Element(array, index), value);
        state.top_mut().drop(3);
        Ok(Next::Advance)
    }

    /// Throws if the index is out of bounds. A symbolic index stays symbolic.
    fn in_bounds(&mut self, state: &mut State, array: Ref, index: Value) -> Result<Value, Halt> {
        let Some(length) = state.heap.get(array).elements().map(Elements::len) else {
            return self.broken("an index into something that is no array");
        };
        match index {
            Value::Int(number) if (number as u32 as usize) < length && number >= 0 => Ok(index),
            Value::Int(number) => {
                let message = format!("Index {number} out of bounds for length {length}");
                self.throw(state, "java/lang/ArrayIndexOutOfBoundsException", Some(&message))
            }
            Value::Symbolic(Kind::Int, term) => {
                let bound = self.terms.int(length as i32);
                let inside = self.terms.ult(term, bound);
                if self.split(state, inside)? {
                    return Ok(index);
                }
                let after = format!(" out of bounds for length {length}");
                let vague = Vague::Number { before: "Index ", number: index, after };
                self.throw_vague(state, "java/lang/ArrayIndexOutOfBoundsException", vague)
            }
            _ => self.broken("an index that is no int"),
        }
    }

    fn is_term_array(&self, state: &State, array: Ref) -> bool {
        let elements = elements(state, array);
        elements.len() <= TERM_LENGTH && elements.base().is_some()
    }

    /// The element at a symbolic index, as a term with one case for each element.
    fn element_term(&mut self, state: &State, array: Ref, index: Term) -> Value {
        let elements = elements(state, array);
        let kind = elements.base().map_or(Kind::Int, |base| kind_of(&FieldType::Base(base)));
        let mut result = elements.get(elements.len() - 1).term(&mut self.terms);
        for place in (0..elements.len() - 1).rev() {
            let (value, rest) = (elements.get(place).term(&mut self.terms), result);
            let number = self.terms.int(place as i32);
            let here = self.terms.equals(index, number);
            result = value.zip(rest).map(|(value, rest)| self.terms.ite(here, value, rest));
        }
        result.map_or(Value::Nothing, |term| Value::of_term(kind, term, &self.terms))
    }

    fn store_everywhere(&mut self, state: &mut State, array: Ref, index: Term, value: Value) {
        let Some(new) = value.term(&mut self.terms) else { return };
        let length = elements(state, array).len();
        for place in 0..length {
            let old = elements(state, array).get(place);
            let Some(term) = old.term(&mut self.terms) else { continue };
            let number = self.terms.int(place as i32);
            let here = self.terms.equals(index, number);
            let either = self.terms.ite(here, new, term);
            let kind = elements(state, array).base().map_or(Kind::Int, |base| kind_of(&FieldType::Base(base)));
            let either = Value::of_term(kind, either, &self.terms);
            elements_mut(state, array).set(place, either);
        }
    }

    /// Truncates a value that is stored in a byte, char or short array.
    fn narrow(&mut self, state: &State, array: Ref, kind: ArrayKind, value: Value) -> Value {
        let Value::Symbolic(_, term) = value else {
            // Compact vectors truncate concrete numbers themselves.
            return match (value, elements(state, array)) {
                (Value::Int(number), Elements::Mixed(base, _)) => {
                    Value::Int(crate::frame::narrowed(&FieldType::Base(*base), number))
                }
                _ => value,
            };
        };
        match kind {
            ArrayKind::Byte => self.narrowed_term(BaseType::Byte, term),
            ArrayKind::Char => self.narrowed_term(BaseType::Char, term),
            ArrayKind::Short => self.narrowed_term(BaseType::Short, term),
            _ => value,
        }
    }

    /// Records that arrays of subclasses, which might refuse an object, are not tried as inputs.
    fn note_covariance(&mut self, element: TypeId) {
        let Type::Class(class) = self.world.types.get(element) else { return };
        let is_final = self.world.hierarchy.class(class).is_some_and(|class| class.access & access::FINAL != 0);
        if !is_final && self.given_arrays.contains(self.world.hierarchy.name(class)) {
            let type_ = format!("{}[]", self.type_name(element).rsplit('.').next().unwrap_or_default());
            self.restrictions.insert(Restriction::Kinds { tried: vec![type_.clone()], type_ });
        }
    }

    fn check_store(&mut self, state: &mut State, array: Ref, value: Value) -> Result<(), Halt> {
        let Value::Reference(Some(stored)) = value else { return Ok(()) };
        let Type::Array(element) = self.world.types.get(state.heap.get(array).type_) else { return Ok(()) };
        self.note_covariance(element);
        let type_ = state.heap.get(stored).type_;
        if self.world.is_subtype(type_, element) {
            return Ok(());
        }
        let name = self.type_name(type_);
        self.throw(state, "java/lang/ArrayStoreException", Some(&name))
    }
}

pub(crate) fn elements(state: &State, array: Ref) -> &Elements {
    state.heap.get(array).elements().expect("an array")
}

pub(crate) fn elements_mut(state: &mut State, array: Ref) -> &mut Elements {
    state.heap.get_mut(array).elements_mut().expect("an array")
}

/// The size of nested arrays in elements: the elements of every level, and a header for each array.
fn room_of_nested(lengths: &[usize]) -> u64 {
    let (mut arrays, mut room) = (1u64, 0u64);
    for length in lengths {
        room = room.saturating_add(arrays.saturating_mul(HEADER + *length as u64));
        arrays = arrays.saturating_mul(*length as u64);
    }
    room
}
