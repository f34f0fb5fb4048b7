//! Following a comparison from outside.

use super::scope::Scope;
use lapidary_compare::Changes;
use lapidary_symbolic::{Input, Method, Number};

/// Follows a comparison. By default, every method does nothing; `&mut ()` watches nothing.
pub trait ComparisonWatcher {
    /// Something that a person should know, in one sentence.
    fn remark(&mut self, _text: &str) {}

    /// A phase begins, in a few words.
    fn phase(&mut self, _what: &str) {}

    /// The comparison begins; the code that may change is known.
    fn begins(&mut self, _scope: &Scope, _changes: &Changes) {}

    /// The source of an abstract class, or why there is none.
    fn abstraction(&mut self, _source: &str) {}

    /// Random testing found an input on which the versions differ.
    fn found_at_random(&mut self, _method: &Method, _inputs: &[Input<Number>]) {}
}

impl ComparisonWatcher for () {}
