//! Values under construction: numbered, unified where variables meet, and renumbered at the end.

use super::action::{Action, Body, Value};
use crate::types::FilterId;
use lapidary_jvm::ClassId;

pub(crate) struct Builder {
    pub actions: Vec<Action>,
    /// The union-find parent of each value; a root points to itself.
    stands_for: Vec<u32>,
    /// Whether a local variable holds each value.
    bound: Vec<bool>,
    fixed: u32,
    /// The single value for everything, if values are not distinguished.
    only: Option<Value>,
}

impl Builder {
    pub fn new(parameters: usize) -> Self {
        let fixed = parameters as u32 + 1;
        let bound = vec![true; fixed as usize];
        Builder { actions: Vec::new(), stands_for: (0..fixed).collect(), bound, fixed, only: None }
    }

    /// A builder for code that is not followed: all its values are one.
    pub fn with_one_value(parameters: usize) -> Self {
        let mut builder = Builder::new(parameters);
        let only = builder.fresh();
        builder.only = Some(only);
        (0..parameters as u32).for_each(|parameter| builder.move_to(Value(parameter), only));
        builder
    }

    pub fn result(&self) -> Value {
        Value(self.fixed - 1)
    }

    pub fn only(&self) -> Option<Value> {
        self.only
    }

    pub fn fresh(&mut self) -> Value {
        if let Some(only) = self.only {
            return only;
        }
        let value = self.stands_for.len() as u32;
        self.stands_for.push(value);
        self.bound.push(false);
        Value(value)
    }

    /// Adds an action. Malformed code may treat a primitive value as an object; such an action has
    /// no effect.
    pub fn act(&mut self, mut action: Action) {
        let mut is_possible = true;
        match &mut action {
            Action::Call(_) => {}
            Action::Lambda(lambda) => is_possible = lambda.to.is_object(),
            other => other.for_each_value(&mut |value| is_possible &= value.is_object()),
        }
        if is_possible {
            self.actions.push(action);
        }
    }

    pub fn name(&mut self, class: ClassId) {
        self.act(Action::Name(class));
    }

    pub fn move_to(&mut self, from: Value, to: Value) {
        self.move_filtered(from, to, FilterId::ANY);
    }

    pub fn move_filtered(&mut self, from: Value, to: Value, filter: FilterId) {
        if from.is_object() && to.is_object() && from != to {
            self.act(Action::Move { from, to, filter });
        }
    }

    pub fn copy(&mut self, value: Value) -> Value {
        if !value.is_object() {
            return value;
        }
        let copy = self.fresh();
        self.move_to(value, copy);
        copy
    }

    /// The value to store in a local variable: a copy if another variable already holds it.
    pub fn bind(&mut self, value: Value) -> Value {
        if !value.is_object() || self.only.is_some() {
            return value;
        }
        let own = if self.bound[value.index()] { self.copy(value) } else { value };
        self.bound[own.index()] = true;
        own
    }

    /// Unifies two values, in later and in earlier actions.
    pub fn unify(&mut self, one: Value, other: Value) {
        if !one.is_object() || !other.is_object() {
            return;
        }
        let (one, other) = (self.root(one.0), self.root(other.0));
        let (low, high) = (one.min(other), one.max(other));
        self.stands_for[high as usize] = low;
        self.bound[low as usize] |= self.bound[high as usize];
    }

    /// Finishes the body, with values numbered from zero without gaps.
    pub fn finish(mut self) -> Body {
        let mut numbers = vec![u32::MAX; self.stands_for.len()];
        let mut next = 0;
        for value in 0..self.stands_for.len() as u32 {
            if self.root(value) == value {
                numbers[value as usize] = next;
                next += 1;
            }
        }
        let mut actions = std::mem::take(&mut self.actions);
        let mut renumber = |value: &mut Value| {
            if value.is_object() {
                *value = Value(numbers[self.root(value.0) as usize]);
            }
        };
        actions.iter_mut().for_each(|action| action.for_each_value(&mut renumber));
        Body { actions, values: next as usize }
    }

    fn root(&mut self, mut value: u32) -> u32 {
        while self.stands_for[value as usize] != value {
            let above = self.stands_for[value as usize];
            self.stands_for[value as usize] = self.stands_for[above as usize];
            value = above;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_meet_are_one_value_and_numbers_have_no_gaps() {
        let mut builder = Builder::new(1);
        let (one, other, last) = (builder.fresh(), builder.fresh(), builder.fresh());
        builder.move_to(one, other);
        builder.act(Action::Throw(last));
        builder.unify(other, Value(0));
        let body = builder.finish();
        assert_eq!(body.values, 4);
        assert!(matches!(body.actions[0], Action::Move { from: Value(2), to: Value(0), .. }));
        assert!(matches!(body.actions[1], Action::Throw(Value(3))));
    }

    #[test]
    fn a_second_variable_gets_its_own_value() {
        let mut builder = Builder::new(0);
        let made = builder.fresh();
        assert_eq!(builder.bind(made), made);
        assert_ne!(builder.bind(made), made);
    }
}
