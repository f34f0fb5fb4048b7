//! The only interface through which other code takes part in running a path.
//!
//! Exploring needs no hook, and without one nothing here is called. Comparing two versions uses
//! one: it traces what crosses the boundary between parts of the program, makes paths repeat the
//! choices of others, and ends loops after one iteration. A hook keeps its data in the [`Notes`] of
//! paths ([`State::notes`]) and calls ([`Frame::notes`]).
//!
//! Methods that can fail follow the rule for instructions: decide first, change the state last.

use crate::call::Call;
use crate::frame::Frame;
use crate::halt::Halt;
use crate::machine::Machine;
use crate::method::Method;
use crate::notes::Notes;
use crate::parts::Part;
use crate::state::{Choice, State};
use crate::value::{Ref, Value};
use lapidary_classfile::{MemberRef, Text};
use lapidary_jvm::ClassId;
use std::rc::Rc;

/// Takes part in running the paths of a machine.
pub trait Hook {
    /// Whether [`Hook::before_instruction`] is called.
    fn watches_instructions(&self) -> bool;

    fn before_instruction(
        &self,
        machine: &mut Machine,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
    ) -> Result<(), Halt>;

    /// An instruction is about to call a method. Returns the part of the program in which it will
    /// run.
    fn before_call(&self, machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Part, Halt>;

    /// Returns the notes for a call that is about to begin, of a method with code.
    fn notes_of_call(&self, machine: &mut Machine, state: &mut State, call: &Call<'_>, part: Part) -> Notes;

    /// The machine has handled part of a call itself and leaves the rest to this method. `before`
    /// is the state before the instruction.
    fn before_rest_of_call(&self, state: &mut State, method: &Method, before: &State);

    /// The machine has handled a whole call itself.
    fn has_done(&self, state: &mut State, done: &Done<'_>);

    /// A method is about to begin, and the instruction that needs it can no longer be undone.
    fn before_entering(&self, state: &mut State, method: &Method);

    /// The innermost call has just begun. It has no notes yet.
    fn has_entered(&self, state: &mut State);

    /// The innermost call has just begun; it is the initialiser of this class.
    fn has_entered_initialiser(&self, state: &mut State, class: &Text);

    /// The innermost call is about to return.
    fn before_leaving(&self, machine: &mut Machine, state: &mut State) -> Result<(), Halt>;

    /// A call has ended. Its caller is now the innermost call.
    fn has_left(&self, state: &mut State, frame: &Frame, left: Left);

    /// The innermost call continues.
    fn has_resumed(&self, state: &mut State);

    /// A class is about to be initialised.
    fn before_initialising(&self, state: &mut State, class: ClassId);

    fn has_read(&self, machine: &Machine, state: &mut State, accessed: Accessed<'_>, value: Value);

    /// A field of an object is about to be written, or an element or a static field was just
    /// written.
    fn writes(&self, machine: &Machine, state: &mut State, accessed: Accessed<'_>, value: Value);

    /// Whether writing this field is unobservable, so that it does not count as a change.
    fn is_unseen(&self, method: &Method, member: &MemberRef) -> bool;

    /// Elements are about to be copied from one array to another.
    fn copies(&self, state: &mut State, copied: Copied<'_>);

    /// An object of this class was created as an input.
    fn has_given_object(&self, state: &mut State, object: Ref, class: &Text);

    /// The innermost call has just begun; it makes the value of a field of an input. Before it,
    /// there were `objects` objects.
    fn has_begun_field(&self, state: &mut State, objects: u32);

    /// A field of an input has received its value, which the innermost call made.
    fn has_given_field(&self, state: &mut State);

    /// All arguments have been made, and the program has not seen any of them.
    fn has_made_arguments(&self, machine: &mut Machine, state: &mut State) -> Result<(), Halt>;

    /// The choice that the path must make next, or `None` if it is free to choose.
    fn next_choice(&self, state: &State, for_input: bool) -> Option<Choice>;

    /// The path has made a choice.
    fn has_chosen(&self, state: &mut State, for_input: bool);
}

/// A call that the machine has handled itself.
pub struct Done<'a> {
    pub before: &'a State,
    pub call: &'a Call<'a>,
    pub part: Part,
    pub result: Option<Value>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug)]
pub enum Left {
    Returned(Option<Value>),
    Threw(Ref),
}

/// A variable that is read or written.
#[derive(Clone, Copy)]
pub enum Accessed<'a> {
    /// A static field of this class.
    Static(ClassId, &'a MemberRef),
    /// A field declared by this class.
    Field(Ref, ClassId, &'a MemberRef),
    Element(Ref, Value),
}

/// Array elements that are copied.
pub struct Copied<'a> {
    pub from: Ref,
    pub to: Ref,
    /// The index of the first element in each array.
    pub first: (usize, usize),
    pub values: &'a mut dyn Iterator<Item = Value>,
}
