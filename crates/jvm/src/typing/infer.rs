//! The types of locals and operands before every instruction of a method.

use super::relation::Relation;
use super::shape::is_bad_class;
use super::state::State;
use super::transfer::{Observer, Step};
use super::untypable::{Trouble, Untypable};
use super::{declared, flow};
use crate::Hierarchy;
use lapidary_classfile::{Class, Code, Handler, Method, Position, Text, VerificationType};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A method body with its types.
#[derive(Clone, Debug, Default)]
pub struct Typing {
    /// The state before the instruction at each position. `None` where the code is unreachable.
    pub frames: Vec<Option<State>>,
    /// Classes that were looked up and not found. Every check that depended on them was taken to
    /// succeed.
    pub missing: BTreeSet<Text>,
}

impl Typing {
    pub fn before(&self, position: Position) -> Option<&State> {
        self.frames.get(position as usize)?.as_ref()
    }
}

/// Computes the types of a method's code: from its stack map if it has one, otherwise by data-flow.
///
/// A frame of the stack map is trusted even where no control flow leads to it, because the verifier
/// checks the code after it all the same.
pub fn infer(class: &Class, method: &Method, hierarchy: &Hierarchy) -> Result<Typing, Untypable> {
    let body = Body::of(class, method)?;
    let mut relation = Relation::new(hierarchy);
    let frames = frames(body, &mut relation)?;
    Ok(Typing { frames, missing: relation.into_missing() })
}

fn frames(body: Body<'_>, relation: &mut Relation<'_>) -> Result<Vec<Option<State>>, Untypable> {
    let version = body.class.version.major;
    if version < FIRST_WITH_FRAMES || body.code.frames().is_empty() {
        return flow::run(body, relation, flow::Guide::none());
    }
    match declared::check(body, relation) {
        // The JVM falls back on data-flow only for the first version that had stack maps.
        Err(_) if version == FIRST_WITH_FRAMES => flow::run(body, relation, flow::Guide::none()),
        outcome => outcome,
    }
}

/// The class-file version of Java 6.
pub(super) const FIRST_WITH_FRAMES: u16 = 50;

/// A method's code with the class and method that contain it.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub class: &'a Class,
    pub method: &'a Method,
    pub code: &'a Code,
}

impl<'a> Body<'a> {
    pub fn of(class: &'a Class, method: &'a Method) -> Result<Self, Untypable> {
        let code = method.code().filter(|code| !code.instructions.is_empty());
        let code = code.ok_or(Trouble::NoCode).map_err(Untypable::at(0))?;
        let body = Body { class, method, code };
        body.check_targets()?;
        body.check_names()?;
        body.check_handlers()?;
        Ok(body)
    }

    pub fn len(&self) -> usize {
        self.code.instructions.len()
    }

    pub fn entry(&self) -> Result<State, Untypable> {
        State::entry(self.class, self.method).map_err(Untypable::at(0))
    }

    /// Applies the instruction at a position to the state.
    pub fn step(&self, position: usize, state: &mut State, observer: &mut impl Observer) -> Result<(), Untypable> {
        let Body { class, method, code } = *self;
        Step { class, method, code, position, state, observer }.run().map_err(Untypable::at(position))
    }

    /// Checks the class names that enter states without an instruction: from frames, from handlers
    /// and from the class itself.
    fn check_names(&self) -> Result<(), Untypable> {
        let types = self.code.frames().iter().flat_map(|frame| frame.locals.iter().chain(&frame.stack));
        let in_frames = types.filter_map(|type_| match type_ {
            VerificationType::Object(name) => Some(name),
            _ => None,
        });
        let caught = self.code.handlers.iter().filter_map(|handler| handler.catch.as_ref());
        match in_frames.chain(caught).chain([&self.class.name]).find(|name| is_bad_class(name.as_bytes())) {
            Some(name) => Err(Untypable::at(0)(Trouble::Malformed(name.clone()))),
            None => Ok(()),
        }
    }

    /// Checks that the handlers do not guard too many instructions, because these are visited once
    /// per handler.
    fn check_handlers(&self) -> Result<(), Untypable> {
        let handlers = distinct_handlers(self.code);
        let guarded: usize = handlers.iter().map(|handler| handler.end.saturating_sub(handler.start) as usize).sum();
        let looks = handlers.len() * self.len();
        if guarded > GUARDED || looks > LOOKS { Err(Untypable::at(0)(Trouble::TooLarge)) } else { Ok(()) }
    }

    fn check_targets(&self) -> Result<(), Untypable> {
        let missing = |target: &Position| *target as usize >= self.len();
        for (position, instruction) in self.code.instructions.iter().enumerate() {
            if let Some(target) = instruction.targets().find(missing) {
                return Err(Untypable::at(position)(Trouble::NoSuchTarget(target)));
            }
        }
        match self.code.handlers.iter().map(|handler| handler.target).find(missing) {
            Some(target) => Err(Untypable::at(0)(Trouble::NoSuchTarget(target))),
            None => Ok(()),
        }
    }
}

/// The state in which a handler starts, given the state before the instruction that throws.
pub(super) fn handler_entry(catch: Option<&Text>, before: &State) -> State {
    let caught = catch.cloned().unwrap_or_else(super::known::throwable);
    State { locals: before.locals.clone(), stack: vec![super::state::Type::Object(caught)] }
}

/// The exception table without entries that repeat an earlier one.
pub(super) fn distinct_handlers<'a>(code: &'a Code) -> Vec<&'a Handler> {
    let mut seen = HashSet::new();
    let mut is_new =
        |handler: &'a Handler| seen.insert((handler.start, handler.end, handler.target, handler.catch.as_ref()));
    code.handlers.iter().filter(|handler| is_new(handler)).collect()
}

/// The limit on the instructions that the handlers of a body guard, added up over the handlers.
/// `LOOKS` limits the pairs of a handler and an instruction. Compilers stay far below both.
const GUARDED: usize = 1_000_000;
const LOOKS: usize = 50_000_000;

/// The number of values that the states of one body may hold together. A few instructions can push
/// tens of thousands of values, and the state before each would repeat all the values below.
pub(super) struct Budget(usize);

impl Budget {
    pub fn new() -> Self {
        Budget(30_000_000)
    }

    /// Counts a state that is about to be kept. Locals shared with another state cost nothing.
    pub fn spend(&mut self, state: &State) -> Result<(), Trouble> {
        let own_locals = if Arc::strong_count(&state.locals) == 1 { state.locals.len() } else { 0 };
        let left = self.0.checked_sub(1 + state.stack.len() + own_locals).ok_or(Trouble::TooLarge)?;
        self.0 = left;
        Ok(())
    }
}
