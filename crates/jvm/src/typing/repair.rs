//! Makes code valid again after instructions were removed or replaced.
//!
//! Unreachable instructions and jumps to the next instruction are removed. The stack map, the sizes
//! and the tables of variables are rebuilt. Code that was valid and has nothing to remove keeps the
//! frames it had.

use super::edit::Edits;
use super::flow::{self, Found, Guide, Remember, has_subroutines};
use super::infer::{Body, FIRST_WITH_FRAMES};
use super::relation::{Cut, Relation};
use super::state::State;
use super::stores::slots_used;
use super::untypable::{Trouble, Untypable};
use super::variables;
use crate::{ClassId, Hierarchy};
use lapidary_classfile::{Attribute, Class, Code, Frame, Handler, Instruction, Method, Position};

/// Rebuilds everything that depends on the instructions of a method: reachability, frames, sizes
/// and tables.
///
/// The stack map may be stale. The type in an old frame is kept where everything that arrives there
/// is assignable to it; otherwise the least common superclass is taken. A method without code is
/// left alone.
pub fn repair(class: &Class, method: &mut Method, hierarchy: &Hierarchy) -> Result<(), Untypable> {
    repair_within(class, method, hierarchy, &|_| false).map(drop)
}

/// Repairs a method in a program in which some classes have lost their superclass. Returns the
/// subtype relations that the body now relies on: which classes of the program must be below which
/// others for it to be valid, interfaces included.
pub fn repair_within(
    class: &Class,
    method: &mut Method,
    hierarchy: &Hierarchy,
    cut: Cut<'_>,
) -> Result<Vec<Below>, Untypable> {
    let Some(code) = method.code_mut().filter(|code| !code.instructions.is_empty()) else { return Ok(Vec::new()) };
    while remove(code, superfluous(code, &reachable(code)?))? {}
    loop {
        let (found, relied) = types(Body::of(class, method)?, hierarchy, cut)?;
        let Some(code) = method.code_mut() else { return Ok(Vec::new()) };
        // A subroutine need not return, and only the types show whether it does.
        let reached: Vec<bool> = found.states.iter().map(Option::is_some).collect();
        if !has_subroutines(code) || !remove(code, superfluous(code, &reached))? {
            finish(class, method, hierarchy, &found)?;
            return Ok(relied);
        }
    }
}

/// The relation that a class of the program is below another class or interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Below {
    pub class: ClassId,
    pub above: ClassId,
}

/// Applies the edits. Returns whether anything was removed. The edits come from the code itself, in
/// order and without duplicates, so applying them cannot fail.
fn remove(code: &mut Code, edits: Edits) -> Result<bool, Untypable> {
    let any = !edits.is_empty();
    edits.apply(code).map_err(|_| Untypable::at(0)(Trouble::Unsettled))?;
    Ok(any)
}

/// Infers the types with the old frames as a guide, or without them where they mislead. Only tables
/// of variables and subroutines need the states at all positions rather than only at joins.
fn types(body: Body<'_>, hierarchy: &Hierarchy, cut: Cut<'_>) -> Result<(Found, Vec<Below>), Untypable> {
    let all = has_subroutines(body.code) || body.code.attributes.iter().any(variables::is_table);
    let remember = if all { Remember::All } else { Remember::Joins };
    let find = |guide: Guide| {
        let mut relation = Relation::recording(hierarchy, cut);
        let found = flow::find(body, &mut relation, guide, remember)?;
        Ok((found, relied(relation)))
    };
    find(Guide::old_frames(body)).or_else(|_: Untypable| find(Guide::none()))
}

/// The recorded relations of classes of the program. Relations between library classes do not
/// change and are left out.
fn relied(relation: Relation<'_>) -> Vec<Below> {
    let hierarchy = relation.hierarchy;
    let pairs = relation.relied.unwrap_or_default().into_iter().filter(|(class, _)| hierarchy.is_program(*class));
    pairs.map(|(class, above)| Below { class, above }).collect()
}

/// Whether each position is reachable. Every subroutine is assumed to return.
fn reachable(code: &Code) -> Result<Vec<bool>, Untypable> {
    let mut reached = vec![false; code.instructions.len()];
    let mut open = vec![0];
    loop {
        while let Some(position) = open.pop() {
            let place = reached.get_mut(position as usize).ok_or(Trouble::NoSuchTarget(position));
            if std::mem::replace(place.map_err(Untypable::at(0))?, true) {
                continue;
            }
            let instruction = &code.instructions[position as usize];
            open.extend(instruction.targets());
            let calls = matches!(instruction, Instruction::Jsr(_) | Instruction::JsrW(_));
            let next = (position as usize + 1 < reached.len()).then_some(position + 1);
            open.extend(next.filter(|_| calls || instruction.falls_through()));
        }
        let guards = |handler: &&Handler| {
            let range = handler.start as usize..(handler.end as usize).min(reached.len());
            !reached.get(handler.target as usize).is_some_and(|reached| *reached)
                && reached.get(range).is_some_and(|guarded| guarded.contains(&true))
        };
        open.extend(code.handlers.iter().filter(guards).map(|handler| handler.target));
        if open.is_empty() {
            return Ok(reached);
        }
    }
}

/// The edits that remove unreachable code and jumps to the next instruction.
fn superfluous(code: &Code, reached: &[bool]) -> Edits {
    let mut edits = Edits::new();
    let mut position = 0;
    while position < reached.len() {
        let start = position;
        while position < reached.len() && is_superfluous(code, reached, position) {
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

fn is_superfluous(code: &Code, reached: &[bool], position: usize) -> bool {
    let next = position as Position + 1;
    let jump = matches!(code.instructions[position], Instruction::Goto(to) | Instruction::GotoW(to) if to == next);
    !reached[position] || jump
}

fn finish(class: &Class, method: &mut Method, hierarchy: &Hierarchy, found: &Found) -> Result<(), Untypable> {
    let parameters = State::entry(class, method).map_err(Untypable::at(0))?.locals.len();
    let frames = new_frames(Body::of(class, method)?, &found.states);
    let Some(code) = method.code_mut() else { return Ok(()) };
    variables::clip(code, &found.states, &mut Relation::new(hierarchy));
    set_frames(code, frames);
    let locals = code.instructions.iter().map(slots_used).max().unwrap_or(0).max(parameters);
    code.max_stack = u16::try_from(found.max_stack).map_err(|_| Untypable::at(0)(Trouble::TooLarge))?;
    code.max_locals = u16::try_from(locals).map_err(|_| Untypable::at(0)(Trouble::TooLarge))?;
    Ok(())
}

/// Builds a frame for every position that control reaches other than from the preceding
/// instruction.
fn new_frames(body: Body<'_>, states: &[Option<State>]) -> Vec<Frame> {
    if body.class.version.major < FIRST_WITH_FRAMES {
        return Vec::new();
    }
    let joins = flow::joins(body);
    let joined = states.iter().enumerate().filter(|(position, _)| joins[*position]);
    joined.filter_map(|(position, state)| Some(state.as_ref()?.to_frame(position as Position))).collect()
}

/// Puts the stack map at the old one's place among the attributes.
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
