//! Numbers, and what of an object can be seen.

use super::{Differs, Matching, Same};
use crate::spec::Tolerance;
use crate::versions::Side;
use lapidary_classfile::Kind;
use lapidary_symbolic::{Elements, Heap, Ref, State, Value};
use lapidary_terms::{Term, Terms};

/// Fields of library classes that tell nothing: how often something was changed, and what could be computed again.
const UNSEEN: [&str; 7] = ["modCount", "hash", "hashIsZero", "keySet", "values", "entrySet", "threshold"];

impl<'a> Matching<'a> {
    pub(super) fn numbers(&mut self, old: Value, new: Value) -> Same {
        let tolerance = self.tolerance;
        let kind = old.kind();
        let terms = self.versions.terms();
        let (Some(old), Some(new)) = (old.term(terms), new.term(terms)) else { return Err(Differs) };
        if old == new && (self.cancels || terms.constant(old).is_some()) {
            return Ok(());
        }
        if terms.sort(old) != terms.sort(new) {
            return Err(Differs);
        }
        let differ = match self.cancels {
            true => {
                let same = same_numbers(terms, kind, old, new, tolerance);
                terms.not(same)
            }
            false => differ_by_copy(terms, kind, (old, new), tolerance),
        };
        match terms.constant(differ) {
            Some(differ) if differ.is_true() => Err(Differs),
            Some(_) => Ok(()),
            None => {
                let at = self.at.clone();
                self.differs.push((differ, at));
                Ok(())
            }
        }
    }

    /// The fields of an object that count, by name. Of a list of the library, its elements.
    pub(super) fn visible(&mut self, side: Side, object: Ref) -> Vec<(String, Value)> {
        let heap = self.heap(side);
        let state = self.state(side);
        let machine = &mut self.versions.take(side).machine;
        let fields = machine.named_fields(state, heap, object);
        let is_library = machine.name_of_type(heap.get(object).type_).starts_with("java.");
        let class = machine.name_of_type(heap.get(object).type_);
        if class == "java.util.ArrayList" {
            return elements_of_list(heap, &fields);
        }
        let is_constant = machine.is_enum_constant(heap, object);
        // A constant of an enum is known by its name; its number says which others there are.
        let is_unseen =
            |name: &str| is_library && UNSEEN.contains(&name) || is_constant && ["ordinal", "hash"].contains(&name);
        fields.into_iter().filter(|(name, _)| !is_unseen(name)).collect()
    }

    /// The characters of a string.
    pub(super) fn text(&mut self, side: Side, object: Ref) -> Option<Vec<Value>> {
        let heap = self.heap(side).clone();
        let mut state: State = self.state(side).clone();
        state.heap = heap;
        let is_string = self.class_name(side, object) == "java.lang.String";
        is_string.then(|| self.versions.take(side).machine.units_of(&state, object)).flatten()
    }

    pub(super) fn class_name(&mut self, side: Side, object: Ref) -> String {
        let type_ = self.heap(side).get(object).type_;
        self.versions.take(side).machine.name_of_type(type_)
    }

    pub(super) fn state(&self, side: Side) -> &'a State {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    pub(super) fn heap(&self, side: Side) -> &'a Heap {
        match (side, self.heaps) {
            (Side::Old, Some((heap, _))) | (Side::New, Some((_, heap))) => heap,
            (_, None) => &self.state(side).heap,
        }
    }
}

/// How much room a list has left is not part of it.
fn elements_of_list(heap: &Heap, fields: &[(String, Value)]) -> Vec<(String, Value)> {
    let field = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| *value);
    let (Some(Value::Int(size)), Some(Value::Reference(Some(array)))) = (field("size"), field("elementData")) else {
        return fields.to_vec();
    };
    let Some(elements) = heap.get(array).elements() else { return fields.to_vec() };
    let values =
        (0..(size as usize).min(Elements::len(elements))).map(|place| (place.to_string(), elements.get(place)));
    [("size".to_owned(), Value::Int(size))].into_iter().chain(values).collect()
}

/// The same question about a copy of the old number, of which nobody sees that it is the same term.
fn differ_by_copy(terms: &mut Terms, kind: Option<Kind>, (old, new): (Term, Term), tolerance: Tolerance) -> Term {
    let sort = terms.sort(old);
    let copy = terms.symbol("copy", sort);
    let is_copy = same_numbers(terms, kind, old, copy, Tolerance::Exact);
    let same = same_numbers(terms, kind, copy, new, tolerance);
    let differ = terms.not(same);
    terms.and_bool(is_copy, differ)
}

/// Numbers that no program can tell apart: equal bits, or two NaNs. And those that the specification takes for the same.
fn same_numbers(terms: &mut Terms, kind: Option<Kind>, old: Term, new: Term, tolerance: Tolerance) -> Term {
    if !matches!(kind, Some(Kind::Float | Kind::Double)) {
        return terms.equals(old, new);
    }
    let (old_bits, new_bits) = (terms.raw_bits(old), terms.raw_bits(new));
    let (old_nan, new_nan) = (terms.is_nan(old), terms.is_nan(new));
    let both_nan = terms.and_bool(old_nan, new_nan);
    let close = match tolerance {
        Tolerance::Ulp(apart) => within(terms, old_bits, new_bits, apart),
        _ => terms.equals(old_bits, new_bits),
    };
    terms.or_bool(close, both_nan)
}

/// Whether the bits are those of a number, and not of an infinity or of no number.
fn is_finite(terms: &mut Terms, bits: Term) -> Term {
    let width = terms.sort(bits).width();
    let fraction = if width == 32 { 23 } else { 52 };
    let exponent = terms.extract(bits, width - 2, fraction);
    let largest = terms.bits(width - 1 - fraction, (1 << (width - 1 - fraction)) - 1);
    let is_largest = terms.equals(exponent, largest);
    terms.not(is_largest)
}

/// Whether two floating-point numbers of the same sign have at most so many others between them. Zeros are close to each other.
fn within(terms: &mut Terms, old: Term, new: Term, apart: u32) -> Term {
    let width = terms.sort(old).width();
    let sign_bits = (terms.extract(old, width - 1, width - 1), terms.extract(new, width - 1, width - 1));
    let same_sign = terms.equals(sign_bits.0, sign_bits.1);
    let (up, down) = (terms.sub(old, new), terms.sub(new, old));
    let limit = terms.bits(width, apart.into());
    let (far_up, far_down) = (terms.ult(limit, up), terms.ult(limit, down));
    let far = terms.and_bool(far_up, far_down);
    let close = terms.not(far);
    let close = terms.and_bool(same_sign, close);
    let (old_finite, new_finite) = (is_finite(terms, old), is_finite(terms, new));
    let both_finite = terms.and_bool(old_finite, new_finite);
    let close = terms.and_bool(close, both_finite);
    let equal = terms.equals(old, new);
    let close = terms.or_bool(close, equal);
    let rest = (terms.extract(old, width - 2, 0), terms.extract(new, width - 2, 0));
    let zero = terms.bits(width - 1, 0);
    let zeros = (terms.equals(rest.0, zero), terms.equals(rest.1, zero));
    let both_zero = terms.and_bool(zeros.0, zeros.1);
    terms.or_bool(close, both_zero)
}
