//! Making code valid again after instructions were removed or replaced.
//!
//! Instructions that control cannot reach go, and so do jumps to the next instruction; the stack map, the sizes and the
//! tables of variables are made anew. Code that was valid and has nothing to remove keeps the frames it had.

use super::edit::Edits;
use super::flow::{self, Guide};
use super::infer::{Body, FIRST_WITH_FRAMES};
use super::relation::Relation;
use super::state::State;
use super::stores::slots_used;
use super::untypable::{Trouble, Untypable};
use super::variables;
use crate::Hierarchy;
use lapidary_classfile::{Attribute, Class, Code, Frame, Instruction, Method, Position};

/// Rebuilds what depends on the instructions of a method: reachability, frames, sizes, tables.
///
/// The stack map may be stale: where the old frame at a position names a type that everything arriving there may stand
/// for, it is kept; otherwise the least common superclass is taken. A method without code is left alone.
pub fn repair(class: &Class, method: &mut Method, hierarchy: &Hierarchy) -> Result<(), Untypable> {
    if method.code().is_none() {
        return Ok(());
    }
    loop {
        let states = states(Body::of(class, method)?, hierarchy)?;
        let Some(code) = method.code_mut() else { return Ok(()) };
        let edits = superfluous(code, &states);
        if edits.is_empty() {
            return finish(class, method, hierarchy, &states);
        }
        // The edits come from the code itself, in order and each once.
        edits.apply(code).map_err(|_| Untypable::at(0)(Trouble::Unsettled))?;
    }
}

/// The types with the old frames for a guide, or without them where they mislead.
fn states(body: Body<'_>, hierarchy: &Hierarchy) -> Result<Vec<Option<State>>, Untypable> {
    let mut relation = Relation::new(hierarchy);
    flow::run(body, &mut relation, Guide::old_frames(body)).or_else(|_| flow::run(body, &mut relation, Guide::none()))
}

/// Stretches that control never reaches, and jumps to the next instruction.
fn superfluous(code: &Code, states: &[Option<State>]) -> Edits {
    let mut edits = Edits::new();
    let mut position = 0;
    while position < states.len() {
        let start = position;
        while position < states.len() && is_superfluous(code, states, position) {
            position += 1;
        }
        if start < position {
            let removed = edits.remove(start as Position..position as Position);
            debug_assert!(removed.is_ok(), "stretches are disjoint");
        }
        position += 1;
    }
    edits
}

fn is_superfluous(code: &Code, states: &[Option<State>], position: usize) -> bool {
    let next = position as Position + 1;
    let jump = matches!(code.instructions[position], Instruction::Goto(to) | Instruction::GotoW(to) if to == next);
    states[position].is_none() || jump
}

fn finish(
    class: &Class,
    method: &mut Method,
    hierarchy: &Hierarchy,
    states: &[Option<State>],
) -> Result<(), Untypable> {
    let parameters = State::entry(class, method).map_err(Untypable::at(0))?.locals.len();
    let frames = new_frames(Body::of(class, method)?, states);
    let Some(code) = method.code_mut() else { return Ok(()) };
    variables::clip(code, states, &mut Relation::new(hierarchy));
    set_frames(code, frames);
    let stack = states.iter().flatten().map(State::stack_slots).max().unwrap_or(0);
    let locals = code.instructions.iter().map(slots_used).max().unwrap_or(0).max(parameters);
    code.max_stack = u16::try_from(stack).map_err(|_| Untypable::at(0)(Trouble::TooLarge))?;
    code.max_locals = u16::try_from(locals).map_err(|_| Untypable::at(0)(Trouble::TooLarge))?;
    Ok(())
}

/// A frame wherever control arrives from elsewhere than the instruction before.
fn new_frames(body: Body<'_>, states: &[Option<State>]) -> Vec<Frame> {
    if body.class.version.major < FIRST_WITH_FRAMES {
        return Vec::new();
    }
    let joins = flow::joins(body);
    let joined = states.iter().enumerate().filter(|(position, _)| joins[*position]);
    joined.filter_map(|(position, state)| Some(state.as_ref()?.to_frame(position as Position))).collect()
}

/// Puts the stack map where the old one stood among the attributes.
fn set_frames(code: &mut Code, frames: Vec<Frame>) {
    let old = code.attributes.iter_mut().find_map(|attribute| match attribute {
        Attribute::StackMapTable(old) => Some(old),
        _ => None,
    });
    match old {
        Some(old) if !frames.is_empty() => *old = frames,
        _ => code.set_frames(frames),
    }
}
