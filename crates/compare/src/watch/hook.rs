//! The hook of a comparison.

use super::boundary::{self, Boundary};
use super::notes::{Noted, new_call, of_call, of_top, part_of_call, resume};
use super::partition::Partition;
use super::prefix::Common;
use super::script;
use super::taking_over::{watch_call, watch_class, watch_entered};
use super::turns::KnownLoops;
use lapidary_classfile::{MemberRef, Text};
use lapidary_jvm::ClassId;
use lapidary_symbolic::{
    Accessed, Call, Choice, Copied, Done, Frame, Halt, Hook, Left, Machine, Method, Notes, Part, Ref, State, Value,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Watches the paths of one version.
pub struct Watch {
    boundary: Boundary,
    /// Set if paths remember how far they are common to both versions.
    common: RefCell<Option<Rc<dyn Common>>>,
    matches_loops: Cell<bool>,
    loops: KnownLoops,
}

impl Watch {
    pub fn new(partition: Rc<dyn Partition>) -> Watch {
        Watch {
            boundary: Boundary::new(partition),
            common: RefCell::default(),
            matches_loops: Cell::new(false),
            loops: KnownLoops::default(),
        }
    }

    /// Sets whether one iteration of a loop stands for all, so that paths end when they reach a
    /// loop head for the second time.
    pub fn match_loops(&self, matches_loops: bool) {
        self.matches_loops.set(matches_loops);
    }

    /// Sets whether paths remember how far they are common to both versions.
    pub fn share(&self, common: Option<Rc<dyn Common>>) {
        *self.common.borrow_mut() = common;
    }

    pub fn shares(&self) -> bool {
        self.common.borrow().is_some()
    }
}

impl Hook for Watch {
    fn watches_instructions(&self) -> bool {
        self.matches_loops.get()
    }

    fn before_instruction(
        &self,
        machine: &mut Machine,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
    ) -> Result<(), Halt> {
        self.loops.at_head(machine, state, method, at)
    }

    fn before_call(&self, machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Part, Halt> {
        if let Some(common) = &*self.common.borrow() {
            watch_call(&**common, state, call.method, None);
        }
        let part = self.boundary.part_of_call(machine, state, call)?;
        boundary::note_given_arrays(state, call);
        Ok(part)
    }

    fn notes_of_call(&self, machine: &mut Machine, state: &mut State, call: &Call<'_>, part: Part) -> Notes {
        self.boundary.open(machine, state, call, part)
    }

    fn before_rest_of_call(&self, state: &mut State, method: &Method, before: &State) {
        if let Some(common) = &*self.common.borrow() {
            watch_call(&**common, state, method, Some(before));
        }
    }

    fn has_done(&self, state: &mut State, done: &Done<'_>) {
        boundary::note_native(state, done);
    }

    fn before_entering(&self, state: &mut State, method: &Method) {
        if let Some(common) = &*self.common.borrow() {
            watch_entered(&**common, state, method);
        }
    }

    fn has_entered(&self, state: &mut State) {
        let part = state.top().caller.as_ref().map_or(Part::Unaffected, |caller| part_of_call(caller));
        if part != Part::Unaffected {
            state.top_mut().notes = new_call(part, 0, None);
        }
    }

    fn has_entered_initialiser(&self, state: &mut State, class: &Text) {
        self.boundary.run_in_part_of_class(state, class);
    }

    fn before_leaving(&self, machine: &mut Machine, state: &mut State) -> Result<(), Halt> {
        self.boundary.settle_part(machine, state)
    }

    fn has_left(&self, state: &mut State, frame: &Frame, left: Left) {
        self.boundary.close(state, frame, left);
    }

    fn has_resumed(&self, state: &mut State) {
        resume(state);
    }

    fn before_initialising(&self, state: &mut State, class: ClassId) {
        if let Some(common) = &*self.common.borrow() {
            watch_class(&**common, state, class);
        }
    }

    fn has_read(&self, machine: &Machine, state: &mut State, accessed: Accessed<'_>, value: Value) {
        self.boundary.read(machine, state, accessed, value);
    }

    fn writes(&self, machine: &Machine, state: &mut State, accessed: Accessed<'_>, value: Value) {
        self.boundary.write(machine, state, accessed, value);
    }

    /// A field of an input counts as if it had always had its value, so making it is not a write.
    fn is_unseen(&self, method: &Method, member: &MemberRef) -> bool {
        boundary::is_cache(member) || method.makes_field_of_input()
    }

    fn copies(&self, state: &mut State, copied: Copied<'_>) {
        boundary::note_copy(state, copied);
    }

    fn has_given_object(&self, state: &mut State, object: Ref, class: &Text) {
        self.boundary.give(state, object, class);
    }

    fn has_begun_field(&self, state: &mut State, objects: u32) {
        of_top(state).objects_before = objects;
    }

    fn has_given_field(&self, state: &mut State) {
        let before = of_call(state.top()).map_or(0, |notes| notes.objects_before);
        state.heap.give_since(before);
    }

    fn has_made_arguments(&self, machine: &mut Machine, state: &mut State) -> Result<(), Halt> {
        script::give_scripted_fields(machine, state)
    }

    fn next_choice(&self, state: &State, for_input: bool) -> Option<Choice> {
        state.noted()?.script.next_choice(for_input)
    }

    fn has_chosen(&self, state: &mut State, for_input: bool) {
        state.noted_mut().script.has_chosen(for_input);
    }
}
