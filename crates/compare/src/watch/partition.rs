//! The partition of a program: which part an object belongs to.

use lapidary_symbolic::{Halt, Machine, Method, Part, State, Value};
use std::rc::Rc;

/// Assigns objects and classes to parts.
pub trait Partition {
    /// The part of an object whose constructor is about to run. The object is the first argument.
    /// `None` means the part of its creator.
    fn of_object(
        &self,
        machine: &mut Machine,
        state: &mut State,
        constructed: &Constructed<'_>,
    ) -> Result<Option<Part>, Halt>;

    /// The part of the static methods and fields of a class. `None` means the part of the caller.
    fn of_class(&self, class: &str) -> Option<Part>;

    /// Whether the part of an object can depend on its fields. If so, `of_object` is called again
    /// when the constructor has run.
    fn looks_at_fields(&self) -> bool;

    /// Whether the code of a method differs between the versions. If so, its calls of other objects
    /// count in the unaffected part, too.
    fn is_changed(&self, method: &Method) -> bool;

    /// Whether calls of the method count even if they change nothing, because other code replaces
    /// it.
    fn always_counts(&self, method: &Method) -> bool;

    /// Whether calls of the method never count.
    fn is_pure(&self, method: &Method) -> bool;
}

/// A constructor that is about to run or has just run.
pub struct Constructed<'a> {
    pub constructor: &'a Method,
    pub arguments: &'a [Value],
    /// The methods that are running, innermost first.
    pub callers: &'a [Rc<Method>],
    /// Whether the constructor has run.
    pub is_made: bool,
}
