//! Type inference by data-flow, for code without a stack map and for code whose stack map has to be
//! rebuilt.
//!
//! States that meet are merged until nothing changes. A subroutine (`jsr`) is analysed separately
//! for every call, as if it were inlined there; the results of the calls are merged at the end.

use super::declared::declared_states;
use super::infer::{Body, Budget, distinct_handlers, handler_entry};
use super::relation::Relation;
use super::state::{State, Type};
use super::untypable::{Trouble, Untypable};
use lapidary_classfile::{Code, Handler, Instruction, Local, Position};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The types to prefer in frames where the code allows it: those declared by an old stack map,
/// which may no longer fit.
pub(super) struct Guide(Vec<Option<State>>);

impl Guide {
    pub fn none() -> Self {
        Guide(Vec::new())
    }

    pub fn old_frames(body: Body<'_>) -> Self {
        Guide(declared_states(body.code.frames(), body.len()))
    }

    fn at(&self, position: usize) -> Option<&State> {
        self.0.get(position)?.as_ref()
    }
}

/// Selects the states that data-flow keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Remember {
    /// The state before every instruction.
    All,
    /// The states where control arrives by a jump, and at the start of the method.
    Joins,
}

/// The result of data-flow.
pub(super) struct Found {
    /// The states by position, as far as they were to be kept; `None` where the code is
    /// unreachable.
    pub states: Vec<Option<State>>,
    /// The largest number of slots that the operand stack takes.
    pub max_stack: usize,
}

/// Returns the state before every reachable instruction.
pub(super) fn run(body: Body<'_>, relation: &mut Relation<'_>, guide: Guide) -> Result<Vec<Option<State>>, Untypable> {
    Ok(find(body, relation, guide, Remember::All)?.states)
}

pub(super) fn find(
    body: Body<'_>,
    relation: &mut Relation<'_>,
    guide: Guide,
    remember: Remember,
) -> Result<Found, Untypable> {
    let joins = joins(body);
    let mut flow = Flow {
        body,
        handlers: distinct_handlers(body.code),
        relation,
        guide,
        joins,
        remember,
        max_stack: 0,
        contexts: Vec::new(),
        work: BTreeSet::new(),
        steps: 0,
        budget: Budget::new(),
    };
    flow.contexts.push(Context::new(body, None));
    flow.arrive(0, 0, &body.entry()?).map_err(Untypable::at(0))?;
    while let Some((context, position)) = flow.work.pop_first() {
        flow.follow(context, position)?;
    }
    Ok(flow.finish())
}

/// The positions that control can reach other than from the preceding instruction.
pub(super) fn joins(body: Body<'_>) -> Vec<bool> {
    let mut joins = vec![false; body.len()];
    let handlers = body.code.handlers.iter().map(|handler| handler.target);
    let targets = body.code.instructions.iter().flat_map(Instruction::targets);
    for target in targets.chain(handlers) {
        joins[target as usize] = true;
    }
    for (position, instruction) in body.code.instructions.iter().enumerate() {
        if matches!(instruction, Instruction::Jsr(_) | Instruction::JsrW(_)) && position + 1 < body.len() {
            joins[position + 1] = true;
        }
    }
    joins
}

/// Returns whether types in the code depend on its caller, as in the subroutines that compilers
/// before Java 6 wrote.
pub fn has_subroutines(code: &Code) -> bool {
    let of_subroutine = |instruction: &Instruction| {
        matches!(instruction, Instruction::Jsr(_) | Instruction::JsrW(_) | Instruction::Ret(_))
    };
    code.instructions.iter().any(of_subroutine)
}

struct Flow<'a, 'r, 'h> {
    body: Body<'a>,
    handlers: Vec<&'a Handler>,
    relation: &'r mut Relation<'h>,
    guide: Guide,
    joins: Vec<bool>,
    remember: Remember,
    max_stack: usize,
    /// The first context is the method itself; the others are calls of subroutines.
    contexts: Vec<Context>,
    work: BTreeSet<(usize, usize)>,
    steps: usize,
    budget: Budget,
}

struct Context {
    call: Option<Call>,
    states: Vec<Option<State>>,
    /// For each handler, the locals that last flowed into it.
    seen: Vec<Option<Arc<Vec<Type>>>>,
}

/// The call site of a subroutine.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Call {
    context: usize,
    subroutine: Position,
    return_to: usize,
}

impl Context {
    fn new(body: Body<'_>, call: Option<Call>) -> Self {
        Context { call, states: vec![None; body.len()], seen: vec![None; body.code.handlers.len()] }
    }
}

impl Flow<'_, '_, '_> {
    /// Follows control from a position to where it ends or joins code that is reachable otherwise,
    /// too.
    fn follow(&mut self, context: usize, start: usize) -> Result<(), Untypable> {
        let Some(mut state) = self.contexts[context].states[start].clone() else { return Ok(()) };
        let mut position = start;
        loop {
            self.count_step().map_err(Untypable::at(position))?;
            self.max_stack = self.max_stack.max(state.stack_slots());
            self.enter_handlers(context, position, &state)?;
            self.body.step(position, &mut state, self.relation)?;
            if !self.leave(context, position, &state).map_err(Untypable::at(position))? {
                return Ok(());
            }
            position += 1;
            if position == self.body.len() {
                return Err(Untypable::at(position - 1)(Trouble::FallsOff));
            }
            if self.joins[position] {
                return self.arrive(context, position, &state).map_err(Untypable::at(position - 1));
            }
            if self.remember == Remember::All {
                self.budget.spend(&state).map_err(Untypable::at(position))?;
                self.contexts[context].states[position] = Some(state.clone());
            }
        }
    }

    /// Sends a state to the targets of the instruction. Returns whether control also continues with
    /// the next instruction.
    fn leave(&mut self, context: usize, position: usize, state: &State) -> Result<bool, Trouble> {
        let body = self.body;
        let instruction = &body.code.instructions[position];
        match instruction {
            Instruction::Jsr(target) | Instruction::JsrW(target) => {
                let call = Call { context, subroutine: *target, return_to: position + 1 };
                let inner = self.call(call)?;
                self.arrive(inner, *target as usize, state)?;
                return Ok(false);
            }
            Instruction::Ret(local) => self.return_from(context, *local, state)?,
            _ => {
                for target in instruction.targets() {
                    self.arrive(context, target as usize, state)?;
                }
            }
        }
        Ok(instruction.falls_through())
    }

    fn enter_handlers(&mut self, context: usize, position: usize, state: &State) -> Result<(), Untypable> {
        for index in 0..self.handlers.len() {
            let handler = self.handlers[index];
            let covered = (handler.start as usize..handler.end as usize).contains(&position);
            let seen = self.contexts[context].seen[index].as_ref();
            if covered && !seen.is_some_and(|locals| Arc::ptr_eq(locals, &state.locals)) {
                self.contexts[context].seen[index] = Some(state.locals.clone());
                let entry = handler_entry(handler.catch.as_ref(), state);
                self.arrive(context, handler.target as usize, &entry).map_err(Untypable::at(position))?;
            }
        }
        Ok(())
    }

    /// The context of a call, created when the call is seen for the first time.
    fn call(&mut self, call: Call) -> Result<usize, Trouble> {
        if let Some(known) = self.contexts.iter().position(|context| context.call == Some(call)) {
            return Ok(known);
        }
        let recursive = self.callers(call.context).any(|outer| outer.subroutine == call.subroutine);
        if recursive || self.contexts.len() >= CONTEXTS {
            return Err(Trouble::Subroutine);
        }
        self.contexts.push(Context::new(self.body, Some(call)));
        Ok(self.contexts.len() - 1)
    }

    /// The chain of calls that led to a context, innermost first.
    fn callers(&self, context: usize) -> impl Iterator<Item = Call> + '_ {
        let call = move |context: usize| self.contexts[context].call;
        std::iter::successors(call(context), move |inner| call(inner.context))
    }

    fn return_from(&mut self, context: usize, local: Local, state: &State) -> Result<(), Trouble> {
        let Type::ReturnAddress(address) = *state.local(local.index.into()) else { return Err(Trouble::Subroutine) };
        let outer = self.callers(context).find(|call| call.return_to == address as usize);
        let outer = outer.filter(|call| call.return_to < self.body.len()).ok_or(Trouble::Subroutine)?;
        self.arrive(outer.context, outer.return_to, state)
    }

    /// Merges a state into the one at a position, and schedules the position again if that changed
    /// it.
    fn arrive(&mut self, context: usize, position: usize, state: &State) -> Result<(), Trouble> {
        let guide = self.guide.at(position);
        let present = &mut self.contexts[context].states[position];
        let changed = match present {
            Some(present) => self.relation.merge_into(present, state, guide, position as Position)?,
            None => {
                let first = self.relation.guided(state, guide);
                self.budget.spend(&first)?;
                *present = Some(first);
                true
            }
        };
        if changed {
            self.work.insert((context, position));
        }
        Ok(())
    }

    fn count_step(&mut self) -> Result<(), Trouble> {
        self.steps += 1;
        if self.steps > STEPS_PER_INSTRUCTION * (self.body.len() + 100) { Err(Trouble::Unsettled) } else { Ok(()) }
    }

    fn finish(self) -> Found {
        let relation = self.relation;
        let mut contexts = self.contexts.into_iter().map(|context| context.states);
        let mut states = contexts.next().unwrap_or_default();
        for inner in contexts {
            for (state, other) in states.iter_mut().zip(inner) {
                *state = relation.union(state.take(), other);
            }
        }
        Found { states, max_stack: self.max_stack }
    }
}

/// The limit on subroutine calls, counted with nesting. No compiler's output comes near it.
const CONTEXTS: usize = 500;

/// The limit on steps. It is far above the need of types that settle: a slot changes at most as
/// often as its class has superclasses.
const STEPS_PER_INSTRUCTION: usize = 2_000;
