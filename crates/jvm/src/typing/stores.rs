//! Reaching definitions of local variables, and the positions at which no statement is half done.

use super::infer::Typing;
use lapidary_classfile::{Code, Instruction, Kind, Position};
use std::collections::BTreeSet;
use std::ops::Range;

/// For every load and increment of a local, the stores (and increments) whose value it may see. The
/// initial value of a parameter comes from no store.
pub fn reaching_stores(code: &Code, typing: &Typing) -> Vec<(Position, Vec<Position>)> {
    let edges = Edges::of(code, typing);
    let mut search = Search { code, edges: &edges, visited: vec![0; code.instructions.len()], round: 0 };
    let reachable = (0..code.instructions.len()).filter(|position| is_typed(typing, *position));
    let uses = reachable.filter_map(|position| Some((position, used_slot(&code.instructions[position])?)));
    uses.map(|(position, slot)| (position as Position, search.stores(position, slot))).collect()
}

/// The positions at which the operand stack is empty, so that code may be cut there.
pub fn depth_zero_positions(typing: &Typing) -> Vec<Position> {
    let empty = |position: &Position| typing.before(*position).is_some_and(|state| state.stack.is_empty());
    (0..typing.frames.len() as Position).filter(empty).collect()
}

/// The ways in which control reaches each position.
struct Edges {
    /// The predecessors from which control arrives after their instruction.
    after: Vec<Vec<u32>>,
    /// The ranges from which control arrives because an instruction threw before it could store
    /// anything.
    before: Vec<Vec<Range<Position>>>,
}

impl Edges {
    fn of(code: &Code, typing: &Typing) -> Self {
        let length = code.instructions.len();
        let mut edges = Edges { after: vec![Vec::new(); length], before: vec![Vec::new(); length] };
        let returns: Vec<usize> = (0..length).filter(|at| is_return(&code.instructions[*at])).collect();
        for position in (0..length).filter(|position| is_typed(typing, *position)) {
            let instruction = &code.instructions[position];
            for target in instruction.targets().filter(|target| (*target as usize) < length) {
                edges.after[target as usize].push(position as u32);
            }
            let next = position + 1;
            if is_subroutine_call(instruction) && next < length {
                edges.after[next].extend(returns.iter().map(|at| *at as u32));
            } else if instruction.falls_through() && next < length {
                edges.after[next].push(position as u32);
            }
        }
        edges.add_handlers(code);
        edges
    }

    /// Adds the edges to handlers. Each guarded range is added once, however many exceptions are
    /// caught in it.
    fn add_handlers(&mut self, code: &Code) {
        let length = code.instructions.len() as Position;
        let mut seen = BTreeSet::new();
        for handler in &code.handlers {
            let guarded = handler.start..handler.end.min(length);
            if let Some(edges) = self.before.get_mut(handler.target as usize)
                && seen.insert((handler.target, guarded.start, guarded.end))
            {
                edges.push(guarded);
            }
        }
    }
}

/// A search backwards from a use. Rounds are numbered so that marks need not be cleared.
struct Search<'a> {
    code: &'a Code,
    edges: &'a Edges,
    visited: Vec<u32>,
    round: u32,
}

impl Search<'_> {
    /// The stores that a use at this position may see. Unreachable instructions have no incoming
    /// edges, so they do no harm where a handler guards them.
    fn stores(&mut self, position: usize, slot: u16) -> Vec<Position> {
        self.round += 1;
        let mut found = BTreeSet::new();
        let mut open = vec![position];
        while let Some(position) = open.pop() {
            if std::mem::replace(&mut self.visited[position], self.round) == self.round {
                continue;
            }
            let guarded = self.edges.before[position].iter().flat_map(Range::clone).map(|from| from as usize);
            open.extend(guarded.filter(|from| self.visited[*from] != self.round));
            for from in &self.edges.after[position] {
                if stored_slot(&self.code.instructions[*from as usize]) == Some(slot) {
                    found.insert(*from);
                } else {
                    open.push(*from as usize);
                }
            }
        }
        found.into_iter().collect()
    }
}

fn is_typed(typing: &Typing, position: usize) -> bool {
    typing.before(position as Position).is_some()
}

fn is_return(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Ret(_))
}

fn is_subroutine_call(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Jsr(_) | Instruction::JsrW(_))
}

fn used_slot(instruction: &Instruction) -> Option<u16> {
    match instruction {
        Instruction::Load(_, local) | Instruction::Increment(local, _) => Some(local.index),
        _ => None,
    }
}

fn stored_slot(instruction: &Instruction) -> Option<u16> {
    match instruction {
        Instruction::Store(_, local) | Instruction::Increment(local, _) => Some(local.index),
        _ => None,
    }
}

/// The number of slots that an instruction's local takes.
pub(super) fn slots_used(instruction: &Instruction) -> usize {
    let wide = |kind: &Kind| usize::from(matches!(kind, Kind::Long | Kind::Double));
    match instruction {
        Instruction::Load(kind, local) | Instruction::Store(kind, local) => usize::from(local.index) + 1 + wide(kind),
        Instruction::Increment(local, _) | Instruction::Ret(local) => usize::from(local.index) + 1,
        _ => 0,
    }
}
