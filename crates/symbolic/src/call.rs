//! A method call, and its effect when the machine implements the method itself.

use crate::method::Method;
use crate::value::{Ref, Value};
use std::rc::Rc;

/// A called method with its arguments. The receiver, if there is one, comes first.
pub struct Call<'a> {
    pub method: &'a Rc<Method>,
    pub arguments: &'a [Value],
}

/// The effect of a call of a method that the machine implements itself.
pub enum Effect {
    Value(Value),
    Nothing,
    /// The result is whatever this call returns.
    Call(Rc<Method>, Vec<Value>),
    /// The machine does not handle this case: the method's own code runs.
    OwnCode,
}

impl Call<'_> {
    pub fn value(&self, place: usize) -> Value {
        self.arguments.get(place).copied().unwrap_or(Value::Nothing)
    }

    pub fn reference(&self, place: usize) -> Option<Ref> {
        match self.value(place) {
            Value::Reference(object) => object,
            _ => None,
        }
    }
}
