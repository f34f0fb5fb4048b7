//! The visible content of objects.

use super::Matching;
use crate::versions::Side;
use lapidary_symbolic::{Elements, Heap, Nature, Ref, State, Value};

/// Fields of library classes that carry no information: modification counts and caches.
const UNSEEN: [&str; 7] = ["modCount", "hash", "hashIsZero", "keySet", "values", "entrySet", "threshold"];

impl<'a> Matching<'a> {
    /// The visible fields of an object by name. For an `ArrayList`, its elements.
    pub(super) fn visible(&mut self, side: Side, object: Ref) -> Vec<(String, Value)> {
        let heap = self.heap(side);
        let state = self.state(side);
        let machine = self.versions.take(side);
        let fields = machine.named_fields(state, heap, object);
        let is_library = machine.name_of_type(heap.get(object).type_).starts_with("java.");
        let class = machine.name_of_type(heap.get(object).type_);
        if class == "java.util.ArrayList" {
            return elements_of_list(heap, &fields);
        }
        let is_constant = machine.is_enum_constant(heap, object);
        // An enum constant is identified by its name; its ordinal depends on the other constants.
        let is_unseen =
            |name: &str| is_library && UNSEEN.contains(&name) || is_constant && ["ordinal", "hash"].contains(&name);
        let capacity = if is_library { capacity_of_map(&fields) } else { None };
        fields.into_iter().filter(|(name, _)| !is_unseen(name)).chain(capacity).collect()
    }

    /// The characters of a string.
    pub(super) fn text(&mut self, side: Side, object: Ref) -> Option<Vec<Value>> {
        let heap = self.heap(side).clone();
        let mut state: State = self.state(side).clone();
        state.heap = heap;
        let is_string = self.class_name(side, object) == "java.lang.String";
        is_string.then(|| self.versions.take(side).units_of(&state, object)).flatten()
    }

    /// The class that a `java.lang.Class` stands for.
    pub(super) fn mirrored(&mut self, side: Side, object: Ref) -> Option<String> {
        let Nature::Mirror(type_) = *self.heap(side).get(object).nature() else { return None };
        Some(self.versions.take(side).name_of_type(type_))
    }

    pub(super) fn class_name(&mut self, side: Side, object: Ref) -> String {
        let type_ = self.heap(side).get(object).type_;
        self.versions.take(side).name_of_type(type_)
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

/// The capacity that a `HashMap` without a table will have, which decides the order of what is put
/// into it. A map with a table has the capacity of the table.
fn capacity_of_map(fields: &[(String, Value)]) -> Option<(String, Value)> {
    const USUAL: i32 = 16;
    let field = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| *value);
    match (field("table"), field("threshold")) {
        (Some(Value::Reference(None)), Some(Value::Int(0))) => Some(("capacity".to_owned(), Value::Int(USUAL))),
        (Some(Value::Reference(None)), Some(capacity)) => Some(("capacity".to_owned(), capacity)),
        _ => None,
    }
}

/// The elements of a list without its spare capacity.
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
