//! Merges two states into one: equal parts stay, and numbers that differ become choices. States
//! that differ in anything else cannot be merged.

use crate::frame::Frame;
use crate::heap::{Body, Elements, Heap, Object};
use crate::machine::Machine;
use crate::state::{ClassState, Path, State};
use crate::trie::Trie;
use crate::value::Value;
use lapidary_terms::Term;
use std::rc::Rc;

impl Machine {
    /// Merges two states; `before` is the path where they forked.
    pub(super) fn merged(&mut self, one: &State, other: &State, before: &Path) -> Option<State> {
        let is_same_outside = one.printed.is(&other.printed)
            && one.choices.is(&other.choices)
            && one.inputs.is(&other.inputs)
            && one.symbols == other.symbols
            && one.asked_symbols == other.asked_symbols
            && one.thread == other.thread
            && one.loader == other.loader
            && one.notes.are_like(&other.notes)
            && one.overflows.is(&other.overflows)
            && one.next_choice == other.next_choice
            && one.literals.differences(&other.literals).is_empty()
            && one.mirrors.differences(&other.mirrors).is_empty();
        if !is_same_outside {
            return None;
        }
        let (first, second) = (self.since(&one.path, before), self.since(&other.path, before));
        let mut choice = Choice { machine: self, condition: first };
        let frame = Rc::new(choice.frame(one.frame.as_ref()?, other.frame.as_ref()?)?);
        let heap = choice.heap(&one.heap, &other.heap)?;
        let classes = choice.classes(&one.classes, &other.classes)?;
        let mut merged = one.clone();
        (merged.frame, merged.heap, merged.classes) = (Some(frame), heap, classes);
        merged.instructions = one.instructions.max(other.instructions);
        merged.path = self.either(first, second, one, before);
        Some(merged)
    }

    /// The assumptions of the path since `before`.
    fn since(&mut self, path: &Path, before: &Path) -> Term {
        let count = path.conditions.len() - before.conditions.len();
        let conditions: Vec<Term> = path.conditions.backwards().take(count).copied().collect();
        self.terms.all(&conditions)
    }

    fn either(&mut self, first: Term, second: Term, one: &State, before: &Path) -> Path {
        let mut path = before.clone();
        path.witness = one.path.witness.clone();
        let either = self.terms.or_bool(first, second);
        if self.terms.constant(either).is_none() {
            let neither = self.terms.not(either);
            path.assume(either, neither);
        }
        path
    }
}

/// Takes the first value where a condition holds, else the second.
struct Choice<'a> {
    machine: &'a mut Machine,
    condition: Term,
}

impl Choice<'_> {
    fn frame(&mut self, one: &Rc<Frame>, other: &Rc<Frame>) -> Option<Frame> {
        let same_caller = match (&one.caller, &other.caller) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        if !same_caller || one.stack.len() != other.stack.len() {
            return None;
        }
        let locals = one.locals.iter().zip(&other.locals);
        // A variable that only one of them has written is out of scope here.
        let locals = locals.map(|(one, other)| match (one, other) {
            (Value::Nothing, _) | (_, Value::Nothing) => Some(Value::Nothing),
            _ => self.value(*one, *other),
        });
        let locals: Vec<Value> = locals.collect::<Option<_>>()?;
        let stack = one.stack.iter().zip(&other.stack).map(|(one, other)| self.value(*one, *other));
        let stack = stack.collect::<Option<_>>()?;
        Some(Frame { locals, stack, ..(**one).clone() })
    }

    fn heap(&mut self, one: &Heap, other: &Heap) -> Option<Heap> {
        if one.count() != other.count() {
            return None;
        }
        let mut merged = one.clone();
        for object in one.differences(other) {
            *merged.get_mut(object) = self.object(one.get(object), other.get(object))?;
        }
        Some(merged)
    }

    fn object(&mut self, one: &Object, other: &Object) -> Option<Object> {
        if one.type_ != other.type_ {
            return None;
        }
        let body = match (&one.body, &other.body) {
            (Body::Fields(one, nature), Body::Fields(other, other_nature)) if nature.is_like(other_nature) => {
                Body::Fields(self.values(one, other)?.into(), nature.clone())
            }
            (Body::Array(one), Body::Array(other)) if one.len() == other.len() => {
                Body::Array(self.elements(one, other)?)
            }
            _ => return None,
        };
        Some(Object { type_: one.type_, body })
    }

    fn elements(&mut self, one: &Elements, other: &Elements) -> Option<Elements> {
        let mut merged = one.clone();
        for index in 0..one.len() {
            let value = self.value(one.get(index), other.get(index))?;
            merged.set(index, value);
        }
        Some(merged)
    }

    fn classes(&mut self, one: &Trie<ClassState>, other: &Trie<ClassState>) -> Option<Trie<ClassState>> {
        let mut merged = one.clone();
        for class in one.differences(other) {
            let (first, second) = (one.get(class)?, other.get(class)?);
            if first.stage != second.stage {
                return None;
            }
            let statics = self.values(&first.statics, &second.statics)?;
            merged.insert(class, ClassState { stage: first.stage, statics: Rc::new(statics) });
        }
        Some(merged)
    }

    fn values(&mut self, one: &[Value], other: &[Value]) -> Option<Vec<Value>> {
        if one.len() != other.len() {
            return None;
        }
        one.iter().zip(other).map(|(one, other)| self.value(*one, *other)).collect()
    }

    fn value(&mut self, one: Value, other: Value) -> Option<Value> {
        match (one, other) {
            (Value::Reference(first), Value::Reference(second)) => (first == second).then_some(one),
            (Value::Address(first), Value::Address(second)) => (first == second).then_some(one),
            (Value::Nothing, Value::Nothing) => Some(one),
            _ => {
                let kind = one.kind().filter(|kind| other.kind() == Some(*kind))?;
                let terms = &mut self.machine.terms;
                let (first, second) = (one.term(terms)?, other.term(terms)?);
                if terms.sort(first) != terms.sort(second) {
                    return None;
                }
                let term = terms.ite(self.condition, first, second);
                Some(Value::of_term(kind, term, terms))
            }
        }
    }
}
