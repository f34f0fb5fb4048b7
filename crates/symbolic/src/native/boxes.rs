//! Boxed numbers. `Integer.valueOf` returns the same object for equal small numbers, from a cache
//! of 256; a path would fork over all of them for a symbol. Here every call makes its own object,
//! and [`Nature::Boxed`] tells when two of them count as one.

use super::{Call, Effect, Line, value};
use crate::halt::Halt;
use crate::heap::{Body, Nature};
use crate::input::Restriction;
use crate::machine::Machine;
use crate::state::State;
use crate::types::TypeId;
use crate::value::{Ref, Value};
use lapidary_terms::{Sort, Term};

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Byte.valueOf(B)Ljava/lang/Byte;", boxed),
    ("java/lang/Short.valueOf(S)Ljava/lang/Short;", boxed),
    ("java/lang/Integer.valueOf(I)Ljava/lang/Integer;", boxed),
    ("java/lang/Long.valueOf(J)Ljava/lang/Long;", boxed),
    ("java/lang/Character.valueOf(C)Ljava/lang/Character;", boxed),
];

/// The classes of values of which there may be one object or several.
const VALUES: [&str; 8] = [
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Double",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Short",
    "java.lang.String",
];

/// The range of numbers whose boxes are shared. Characters are never negative.
const SMALLEST: i32 = -128;
const LARGEST: i32 = 127;

fn boxed(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let class = machine.initialise(state, call.method.class)?;
    let Some(slot) = machine.world.instance_slot(&call.method.class_name.as_str(), "value") else {
        return machine.broken("a box without a value");
    };
    let object = machine.allocate(state, &class);
    let made = state.heap.get_mut(object);
    made.fields_mut()[slot] = call.value(0);
    if let Body::Fields(_, nature) = &mut made.body {
        *nature = Nature::Boxed(slot);
    }
    value(Some(object))
}

impl Machine {
    /// Whether two references refer to the same object.
    pub(crate) fn is_same(&mut self, state: &mut State, one: Option<Ref>, other: Option<Ref>) -> Result<bool, Halt> {
        let (Some(left), Some(right)) = (one, other) else { return Ok(one == other) };
        if left == right {
            return Ok(true);
        }
        let (left, right) = (state.heap.get(left), state.heap.get(right));
        if left.type_ != right.type_ {
            return Ok(false);
        }
        let (Nature::Boxed(slot), Nature::Boxed(_)) = (left.nature(), right.nature()) else {
            let type_ = left.type_;
            self.note_same_values(state, type_);
            return Ok(false);
        };
        let (left, right) = (left.fields()[*slot], right.fields()[*slot]);
        self.share_a_box(state, left, right)
    }

    /// Records that the program compares values with `==`. Inputs are objects of their own here, but
    /// a caller may pass a shared box or a literal. The library asks whether objects are the same
    /// only to save time.
    fn note_same_values(&mut self, state: &State, type_: TypeId) {
        let is_asked = state.frame.as_ref().is_some_and(|frame| self.is_own(frame.method.class));
        if is_asked && VALUES.contains(&&*self.name_of_type(type_)) {
            self.restrictions.insert(Restriction::Identity);
        }
    }

    /// The number in a box, if all boxes of that number are the same object.
    pub(super) fn number_of_shared_box(&mut self, state: &mut State, object: Ref) -> Result<Option<i64>, Halt> {
        let Nature::Boxed(slot) = *state.heap.get(object).nature() else { return Ok(None) };
        let number = state.heap.get(object).fields()[slot];
        let Some(term) = number.term(&mut self.terms) else { return self.broken("a box without a number") };
        let small = self.is_small(term);
        if !self.split(state, small)? {
            return Ok(None);
        }
        match self.concretise(state, number)? {
            Value::Int(number) => Ok(Some(number.into())),
            Value::Long(number) => Ok(Some(number)),
            _ => self.broken("a box without a number"),
        }
    }

    fn share_a_box(&mut self, state: &mut State, left: Value, right: Value) -> Result<bool, Halt> {
        let (Some(left), Some(right)) = (left.term(&mut self.terms), right.term(&mut self.terms)) else {
            return self.broken("a box without a number");
        };
        let (equal, small) = (self.terms.equals(left, right), self.is_small(left));
        let shared = self.terms.and_bool(equal, small);
        self.split(state, shared)
    }

    fn is_small(&mut self, number: Term) -> Term {
        let terms = &mut self.terms;
        let (low, high) = match terms.sort(number) {
            Sort::Bits(64) => (terms.long(SMALLEST.into()), terms.long(LARGEST.into())),
            _ => (terms.int(SMALLEST), terms.int(LARGEST)),
        };
        let (above, below) = (terms.sle(low, number), terms.sle(number, high));
        terms.and_bool(above, below)
    }
}
