//! Checking a body against its stack map, in one pass from the first instruction to the last (JVMS
//! §4.10.1.6).

use super::infer::{Body, Budget, distinct_handlers, handler_entry};
use super::relation::Relation;
use super::state::{State, Type};
use super::untypable::{Place, Trouble, Untypable};
use lapidary_classfile::{Frame, Handler, Position};
use std::sync::Arc;

/// Returns the state before every instruction: declared by the stack map, or derived from it by the
/// instructions in between.
pub(super) fn check(body: Body<'_>, relation: &mut Relation<'_>) -> Result<Vec<Option<State>>, Untypable> {
    let mut pass = Pass::new(body, relation);
    let mut current = Some(body.entry()?);
    for position in 0..body.len() {
        current = pass.instruction(position, current)?;
    }
    match current {
        Some(_) => Err(Untypable::at(body.len() - 1)(Trouble::FallsOff)),
        None => Ok(pass.states),
    }
}

struct Pass<'a, 'r, 'h> {
    body: Body<'a>,
    handlers: Vec<&'a Handler>,
    relation: &'r mut Relation<'h>,
    /// The state at each position. Declared states are there from the start; the pass fills in the
    /// others.
    states: Vec<Option<State>>,
    declared: Vec<bool>,
    budget: Budget,
    /// For each handler, the locals that were last checked against its frame.
    checked: Vec<Option<Arc<Vec<Type>>>>,
}

impl<'a, 'r, 'h> Pass<'a, 'r, 'h> {
    fn new(body: Body<'a>, relation: &'r mut Relation<'h>) -> Self {
        let states = declared_states(body.code.frames(), body.len());
        let declared = states.iter().map(Option::is_some).collect();
        let handlers = distinct_handlers(body.code);
        let checked = vec![None; handlers.len()];
        Pass { body, handlers, relation, states, declared, budget: Budget::new(), checked }
    }

    /// Processes one instruction, given the state left by the one before it. Returns the state
    /// passed on to the next.
    fn instruction(&mut self, position: usize, incoming: Option<State>) -> Result<Option<State>, Untypable> {
        let mut state = match (incoming, self.declared[position]) {
            (Some(state), true) => {
                self.flow(position.saturating_sub(1), &state, position as Position)?;
                self.states[position].clone().unwrap_or(state)
            }
            (Some(state), false) => {
                self.budget.spend(&state).map_err(Untypable::at(position))?;
                self.states[position] = Some(state.clone());
                state
            }
            (None, true) => self.states[position].clone().unwrap_or_default(),
            (None, false) => return Ok(None),
        };
        self.handlers(position, &state)?;
        self.body.step(position, &mut state, self.relation)?;
        let instruction = &self.body.code.instructions[position];
        for target in instruction.targets() {
            self.flow(position, &state, target)?;
        }
        Ok(instruction.falls_through().then_some(state))
    }

    fn handlers(&mut self, position: usize, state: &State) -> Result<(), Untypable> {
        for index in 0..self.handlers.len() {
            let handler = self.handlers[index];
            let covered = (handler.start as usize..handler.end as usize).contains(&position);
            let known = self.checked[index].as_ref().is_some_and(|locals| Arc::ptr_eq(locals, &state.locals));
            if covered && !known {
                self.flow(position, &handler_entry(handler.catch.as_ref(), state), handler.target)?;
                self.checked[index] = Some(state.locals.clone());
            }
        }
        Ok(())
    }

    /// Checks that a state agrees with the frame declared at the target.
    fn flow(&mut self, from: usize, state: &State, target: Position) -> Result<(), Untypable> {
        let declared = self.states[target as usize].as_ref().filter(|_| self.declared[target as usize]);
        let declared = declared.ok_or(Trouble::NoFrame(target)).map_err(Untypable::at(from))?;
        fits(self.relation, state, declared, target).map_err(Untypable::at(from))
    }
}

/// Checks that every value of a state is assignable to the one that a frame declares.
fn fits(relation: &mut Relation<'_>, state: &State, declared: &State, target: Position) -> Result<(), Trouble> {
    if state.stack.len() != declared.stack.len() {
        return Err(Trouble::StackHeights(target));
    }
    let operands = state.stack.iter().zip(&declared.stack).enumerate();
    let mut pairs = operands.map(|(depth, (from, to))| (Place::Operand(depth), from, to));
    let unchanged = Arc::ptr_eq(&state.locals, &declared.locals);
    let slots = if unchanged { &[][..] } else { &declared.locals[..] };
    let locals = slots.iter().enumerate().map(|(slot, to)| (Place::Local(slot), state.local(slot), to));
    match pairs.by_ref().chain(locals).find(|(_, from, to)| !relation.stands_for(from, to)) {
        Some((place, found, wanted)) => {
            Err(Trouble::Frame { target, place, wanted: wanted.clone(), found: found.clone() })
        }
        None => Ok(()),
    }
}

/// The declared frames by position. A frame outside the code is ignored.
pub(super) fn declared_states(frames: &[Frame], length: usize) -> Vec<Option<State>> {
    let mut states = vec![None; length];
    let mut locals_before: Option<(&Frame, Arc<Vec<Type>>)> = None;
    for frame in frames.iter().filter(|frame| (frame.position as usize) < length) {
        let mut state = State::declared(frame);
        match &locals_before {
            Some((before, locals)) if Arc::ptr_eq(&before.locals, &frame.locals) => state.locals = locals.clone(),
            _ => locals_before = Some((frame, state.locals.clone())),
        }
        states[frame.position as usize] = Some(state);
    }
    states
}
