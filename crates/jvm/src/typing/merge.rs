//! Merging of the states that meet at a position.
//!
//! Without a guide, two classes merge to their least common superclass; interfaces count as
//! `Object`, as they do for the verifier. A guide is the type that an old stack map had there. It
//! is taken instead wherever both sides are assignable to it.

use super::known;
use super::relation::Relation;
use super::shape::component;
use super::state::{State, Type};
use super::transfer::array_of;
use super::untypable::Trouble;
use lapidary_classfile::{Position, Text};
use std::sync::Arc;

impl Relation<'_> {
    /// Replaces each value of a state by that of its guide where it is assignable to it.
    pub fn guided(&mut self, state: &State, guide: Option<&State>) -> State {
        let mut result = state.clone();
        let Some(guide) = guide else { return result };
        let agrees = guide.stack.len() == state.stack.len();
        for (slot, type_) in Arc::make_mut(&mut result.locals).iter_mut().enumerate() {
            self.prefer(type_, guide.local(slot));
        }
        for (type_, preferred) in result.stack.iter_mut().zip(&guide.stack).filter(|_| agrees) {
            self.prefer(type_, preferred);
        }
        result
    }

    /// Merges a state into another one. Returns whether that changed it.
    pub fn merge_into(
        &mut self,
        present: &mut State,
        incoming: &State,
        guide: Option<&State>,
        position: Position,
    ) -> Result<bool, Trouble> {
        if present.stack.len() != incoming.stack.len() {
            return Err(Trouble::StackHeights(position));
        }
        let mut changed = false;
        let guided_stack = guide.filter(|guide| guide.stack.len() == present.stack.len());
        for (depth, type_) in present.stack.iter_mut().enumerate() {
            let preferred = guided_stack.map(|guide| &guide.stack[depth]);
            changed |= self.merge_type(type_, &incoming.stack[depth], preferred);
        }
        if present.stack.contains(&Type::Top) {
            return Err(Trouble::StackHeights(position));
        }
        if !Arc::ptr_eq(&present.locals, &incoming.locals) {
            changed |= self.merge_locals(present, incoming, guide);
        }
        Ok(changed)
    }

    fn merge_locals(&mut self, present: &mut State, incoming: &State, guide: Option<&State>) -> bool {
        let mut changed = false;
        for slot in 0..present.locals.len() {
            let (old, new) = (&present.locals[slot], incoming.local(slot));
            if old != new {
                let mut merged = old.clone();
                if self.merge_type(&mut merged, new, guide.map(|guide| guide.local(slot))) {
                    Arc::make_mut(&mut present.locals)[slot] = merged;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Merges a type into another one. Returns whether that changed it.
    fn merge_type(&mut self, present: &mut Type, incoming: &Type, guide: Option<&Type>) -> bool {
        if present == incoming || *present == Type::Top {
            return false;
        }
        let merged = match guide {
            Some(guide) if self.may_become(present, guide) && self.stands_for(incoming, guide) => guide.clone(),
            _ => self.least_above(present, incoming),
        };
        let changed = *present != merged;
        *present = merged;
        changed
    }

    /// Returns whether every type that was merged is assignable to the guide. Assignability is not
    /// transitive: an array is assignable to `Object` and `Object` to any interface, but an array
    /// to hardly any interface.
    fn may_become(&mut self, merged: &Type, guide: &Type) -> bool {
        merged == guide || *guide == Type::Top || !is_of_objects(merged) && self.stands_for(merged, guide)
    }

    fn least_above(&mut self, left: &Type, right: &Type) -> Type {
        match (left, right) {
            (Type::Null, Type::Object(name)) | (Type::Object(name), Type::Null) => Type::Object(name.clone()),
            (Type::Object(left), Type::Object(right)) => Type::Object(self.least_class(left, right)),
            _ => Type::Top,
        }
    }

    /// The least common superclass of two different classes, either of which may be an array.
    fn least_class(&mut self, left: &Text, right: &Text) -> Text {
        let is_array = |name: &Text| name.as_bytes().first() == Some(&b'[');
        match (is_array(left), is_array(right)) {
            (false, false) => self.common_superclass(left, right),
            (true, true) => self.least_array(left, right),
            _ => known::object(),
        }
    }

    /// The least common supertype of two arrays. Arrays are covariant; if their elements have
    /// nothing in common, the result is `Object`.
    fn least_array(&mut self, left: &Text, right: &Text) -> Text {
        let elements = [left, right].map(|name| component(name.as_bytes()).unwrap_or_default());
        match elements.map(Type::of_descriptor) {
            [Type::Object(left), Type::Object(right)] if left == right => array_of(&left),
            [Type::Object(left), Type::Object(right)] => array_of(&self.least_class(&left, &right)),
            _ => known::object(),
        }
    }

    fn prefer(&mut self, type_: &mut Type, preferred: &Type) {
        if type_ != preferred && self.stands_for(type_, preferred) {
            *type_ = preferred.clone();
        }
    }

    /// The union of two states, of which either may be the actual one. Only the calls of one
    /// subroutine differ like that.
    pub fn union(&mut self, left: Option<State>, right: Option<State>) -> Option<State> {
        let (mut left, right) = match (left, right) {
            (Some(left), Some(right)) => (left, right),
            (left, right) => return left.or(right),
        };
        for (type_, other) in left.stack.iter_mut().zip(&right.stack) {
            self.unite(type_, other);
        }
        for (slot, type_) in Arc::make_mut(&mut left.locals).iter_mut().enumerate() {
            self.unite(type_, right.local(slot));
        }
        Some(left)
    }

    /// Unites two types. Of two return addresses either will do, because it only matters that there
    /// is one.
    fn unite(&mut self, type_: &mut Type, other: &Type) {
        if !matches!((&*type_, other), (Type::ReturnAddress(_), Type::ReturnAddress(_))) {
            self.merge_type(type_, other, None);
        }
    }
}

/// Returns whether a type is `Object`, or an array of `Object` of any dimension.
fn is_of_objects(type_: &Type) -> bool {
    let Type::Object(name) = type_ else { return false };
    let dimensions = name.as_bytes().iter().take_while(|byte| **byte == b'[').count();
    let element = &name.as_bytes()[dimensions..];
    element == known::OBJECT || dimensions > 0 && element == b"Ljava/lang/Object;"
}
