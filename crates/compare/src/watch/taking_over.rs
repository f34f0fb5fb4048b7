//! Paths of one version that continue from a state of the other.

use super::notes::Noted;
use super::prefix::{Common, Prefix};
use super::script::{Script, given_fields};
use lapidary_jvm::ClassId;
use lapidary_symbolic::{Engine, Frame, Method, Nature, State};
use std::rc::Rc;

/// Records the state if a method is about to be called that differs in the other version. `before`
/// is the state before the instruction, if that has changed anything.
pub fn watch_call(common: &dyn Common, state: &mut State, method: &Method, before: Option<&State>) {
    if is_common_so_far(state) && !common.is_common_method(method) {
        let snapshot = before.unwrap_or(state).clone();
        state.noted_mut().prefix = Prefix::Until(Rc::new(snapshot));
    }
}

/// Records the state if a class is about to be initialised that differs in the other version.
pub fn watch_class(common: &dyn Common, state: &mut State, class: ClassId) {
    if is_common_so_far(state) && !common.is_common_class(class) {
        let snapshot = state.clone();
        state.noted_mut().prefix = Prefix::Until(Rc::new(snapshot));
    }
}

/// Records that the common prefix has ended in the middle of an instruction.
pub fn watch_entered(common: &dyn Common, state: &mut State, method: &Method) {
    if is_common_so_far(state) && !common.is_common_method(method) {
        state.noted_mut().prefix = Prefix::Lost;
    }
}

fn is_common_so_far(state: &State) -> bool {
    state.noted().is_none_or(|notes| matches!(notes.prefix, Prefix::Whole))
}

/// The state in which a path of the other version reached code that differs, with what that path
/// then assumed, to be run by this engine. `None` if it cannot be taken over; then the path has to
/// be run from its beginning.
pub fn take_over(
    engine: &mut Engine,
    other: &Engine,
    path: &State,
    entries: (&Rc<Method>, &Rc<Method>),
) -> Option<State> {
    let Prefix::Until(snapshot) = path.prefix() else { return None };
    // Before the first input all paths are the same; see [`lapidary_symbolic::Machine::begun`].
    if has_no_inputs(&snapshot) {
        return None;
    }
    // Fields of inputs that the path read later have to be made first.
    if given_fields(&snapshot) != given_fields(path) || !gives_alike(engine, other, &snapshot) {
        return None;
    }
    engine.world.adopt_classes(&other.world);
    let frame = taken_over_calls(engine, snapshot.frame.as_ref()?, entries)?;
    let mut state = (*snapshot).clone();
    (state.frame, state.path) = (Some(frame), path.path.clone());
    let notes = state.noted_mut();
    (notes.script, notes.prefix) = (Script::after(path, &snapshot), Prefix::Lost);
    Some(state)
}

/// Whether the path has had no inputs so far.
pub fn has_no_inputs(state: &State) -> bool {
    state.has_no_inputs() && state.loop_symbols() == 0
}

/// Whether the inputs of a path would have been made in the same ways by this engine.
pub fn gives_alike(engine: &Engine, other: &Engine, state: &State) -> bool {
    state.given_objects.backwards().all(|given| match state.heap.get(given.object).nature() {
        Nature::Given(_, _, kind) => {
            engine.kinds.known(*kind).is_some_and(|mine| mine.is_alike(other.kinds.get(*kind)))
        }
        _ => true,
    })
}

/// The calls in progress with this version's methods. `None` if one of them makes an input.
fn taken_over_calls(
    engine: &mut Engine,
    innermost: &Rc<Frame>,
    entries: (&Rc<Method>, &Rc<Method>),
) -> Option<Rc<Frame>> {
    let frames: Vec<&Rc<Frame>> = std::iter::successors(Some(innermost), |frame| frame.caller.as_ref()).collect();
    let mut caller = None;
    for frame in frames.into_iter().rev() {
        let method = match Rc::ptr_eq(&frame.method, entries.0) {
            true => entries.1.clone(),
            false if frame.method.class_name.as_bytes().starts_with(b"lapidary/Given") => return None,
            false => engine.world.own(&frame.method),
        };
        let instructions = |method: &Method| method.code().map(|code| code.instructions.len());
        if instructions(&method) != instructions(&frame.method) {
            return None;
        }
        caller = Some(Rc::new(Frame { method, caller, ..(**frame).clone() }));
    }
    caller
}
