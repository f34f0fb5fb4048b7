//! `Unsafe` accesses to several elements of an array at once, or to a part of one: numbers are
//! split into bytes, the least significant first, and joined again.

use crate::heap::Elements;
use crate::machine::Machine;
use crate::state::State;
use crate::step::{elements, elements_mut};
use crate::value::{Ref, Value};
use lapidary_classfile::Kind;
use lapidary_jvm::BaseType;
use lapidary_terms::Term;

/// The size of a number in bytes.
pub(crate) fn width_of(base: BaseType) -> usize {
    match base {
        BaseType::Boolean | BaseType::Byte => 1,
        BaseType::Char | BaseType::Short => 2,
        BaseType::Int | BaseType::Float => 4,
        BaseType::Long | BaseType::Double => 8,
    }
}

impl Machine {
    /// The number of this type whose bytes begin at an offset into the elements. `None` for
    /// references and beyond the end.
    pub(crate) fn read_bytes(&mut self, state: &State, array: Ref, offset: usize, type_: BaseType) -> Option<Value> {
        let elements = elements(state, array);
        let base = elements.base()?;
        let mut bytes = Vec::new();
        for place in offset..offset + width_of(type_) {
            let index = place / width_of(base);
            let element = (index < elements.len()).then(|| elements.get(index))?;
            bytes.push(self.byte_of(element, place % width_of(base))?);
        }
        Some(self.joined_bytes(&bytes, type_))
    }

    /// Writes the bytes of a number over those of the elements. Returns `None` and writes nothing
    /// for references and beyond the end.
    pub(crate) fn write_bytes(
        &mut self,
        state: &mut State,
        array: Ref,
        offset: usize,
        type_: BaseType,
        number: Value,
    ) -> Option<()> {
        let base = elements(state, array).base()?;
        let (width, last) = (width_of(base), offset + width_of(type_));
        (last <= Elements::len(elements(state, array)) * width).then_some(())?;
        for index in offset / width..last.div_ceil(width) {
            let mut bytes = Vec::new();
            for place in index * width..(index + 1) * width {
                let new = (offset..last).contains(&place);
                let from = if new { number } else { elements(state, array).get(index) };
                bytes.push(self.byte_of(from, if new { place - offset } else { place % width })?);
            }
            let element = self.joined_bytes(&bytes, base);
            elements_mut(state, array).set(index, element);
        }
        Some(())
    }

    /// The number with its bytes in reverse order.
    pub(crate) fn swapped_bytes(&mut self, number: Value, type_: BaseType) -> Option<Value> {
        let bytes: Option<Vec<Term>> = (0..width_of(type_)).rev().map(|place| self.byte_of(number, place)).collect();
        Some(self.joined_bytes(&bytes?, type_))
    }

    /// One byte of a number, as a term of eight bits.
    fn byte_of(&mut self, number: Value, place: usize) -> Option<Term> {
        let term = self.bits_of(number)?;
        let low = 8 * place as u8;
        Some(self.terms.extract(term, low + 7, low))
    }

    fn joined_bytes(&mut self, bytes: &[Term], type_: BaseType) -> Value {
        let mut joined = bytes[0];
        for byte in &bytes[1..] {
            joined = self.terms.concat(*byte, joined);
        }
        let (kind, term) = match type_ {
            BaseType::Boolean | BaseType::Char => (Kind::Int, self.terms.zero_extend(joined, 32)),
            BaseType::Byte | BaseType::Short => (Kind::Int, self.terms.sign_extend(joined, 32)),
            BaseType::Int => (Kind::Int, joined),
            BaseType::Long => (Kind::Long, joined),
            BaseType::Float => (Kind::Float, self.terms.from_raw_bits(joined)),
            BaseType::Double => (Kind::Double, self.terms.from_raw_bits(joined)),
        };
        Value::of_term(kind, term, &self.terms)
    }
}
