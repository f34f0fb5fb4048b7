//! Runs of instructions with one entry and one exit.

use super::{Change, Piece, leave, may_leave};
use lapidary_classfile::{Code, Instruction, Kind, Method, Position, StackOp};
use lapidary_jvm::typing::{Typing, depth_zero_positions};

/// The number of candidate positions to try for the end of a run.
const REACH: usize = 400;

/// All runs of a body: whole statements and their parts, conditions, jumps, returns.
pub(super) fn pieces(method: &Method, code: &Code, typing: &Typing) -> Vec<Piece> {
    let map = Map::of(method, code, typing);
    let mut pieces = Vec::new();
    for (place, &start) in map.cuts.iter().enumerate() {
        pieces.extend(map.region(place, start));
        pieces.extend(map.ending(place, start));
    }
    pieces.extend(map.handler_starts());
    pieces.dedup_by(|one, other| one.range == other.range);
    pieces
}

struct Map<'a> {
    method: &'a Method,
    code: &'a Code,
    typing: &'a Typing,
    /// Positions with an empty operand stack.
    cuts: Vec<Position>,
    /// For each position, the first and the last position from which control jumps there.
    entered: Vec<Option<(Position, Position)>>,
}

impl<'a> Map<'a> {
    fn of(method: &'a Method, code: &'a Code, typing: &'a Typing) -> Self {
        let mut entered: Vec<Option<(Position, Position)>> = vec![None; code.instructions.len() + 1];
        let mut enter = |from: Position, to: Position| {
            if let Some(entry) = entered.get_mut(to as usize) {
                *entry = Some(entry.map_or((from, from), |(first, last)| (first.min(from), last.max(from))));
            }
        };
        for (position, instruction) in code.instructions.iter().enumerate() {
            instruction.targets().for_each(|target| enter(position as Position, target));
        }
        for handler in &code.handlers {
            enter(handler.start, handler.target);
            enter(handler.end.saturating_sub(1), handler.target);
        }
        Map { method, code, typing, cuts: depth_zero_positions(typing), entered }
    }

    /// The shortest closed run from here: no jump enters it, and its own jumps go only to its end.
    fn region(&self, place: usize, start: Position) -> Option<Piece> {
        let (mut first_source, mut last_source) = (start, start);
        let (mut first_target, mut last_target) = (start, start);
        let mut position = start;
        for &end in self.cuts.iter().skip(place + 1).take(REACH) {
            while position < end {
                if let Some((first, last)) = self.entered[position as usize].filter(|_| position > start) {
                    (first_source, last_source) = (first_source.min(first), last_source.max(last));
                }
                for target in self.code.instructions[position as usize].targets() {
                    (first_target, last_target) = (first_target.min(target), last_target.max(target));
                }
                position += 1;
            }
            if first_source < start || first_target < start {
                return None;
            }
            if last_source < end && last_target <= end && self.leaves_only_by_the_end(start, end) {
                return Some(Piece { range: start..end, change: Change::Run(Vec::new()), parent: None });
            }
        }
        None
    }

    /// Returns whether control leaves a run only by its end. A run with a return in it, or with a
    /// constructor's call of another constructor, is not a statement by itself.
    fn leaves_only_by_the_end(&self, start: Position, end: Position) -> bool {
        let leaves = |position: Position| {
            matches!(self.code.instructions[position as usize], Instruction::Return(_) | Instruction::AThrow)
        };
        let constructs = may_leave(self.typing, end) != may_leave(self.typing, start);
        let jumps_to_end =
            |position: Position| self.code.instructions[position as usize].targets().any(|target| target == end);
        let reaches_end = self.code.instructions[end as usize - 1].falls_through() || (start..end).any(jumps_to_end);
        !constructs && reaches_end && !(start..end).any(leaves)
    }

    /// A run from one cut to the next that ends in a branch, a switch, a jump, a return or a throw.
    fn ending(&self, place: usize, start: Position) -> Option<Piece> {
        let limit = self.cuts.get(place + 1).copied().unwrap_or(self.code.instructions.len() as Position);
        let last = (start..limit).find(|position| self.ends(*position))?;
        let inside = |position: Position| {
            self.entered[position as usize].is_none()
                && (position == last || self.code.instructions[position as usize].targets().next().is_none())
        };
        let whole = (start + 1..=last).all(inside)
            && (start == last || self.code.instructions[start as usize].targets().next().is_none());
        let change = self.instead(start, last).filter(|_| whole)?;
        Some(Piece { range: start..last + 1, change, parent: None })
    }

    fn ends(&self, position: Position) -> bool {
        let instruction = &self.code.instructions[position as usize];
        matches!(instruction, Instruction::If(..)) || !instruction.falls_through()
    }

    fn instead(&self, start: Position, last: Position) -> Option<Change> {
        let next_is_cut = self.cuts.binary_search(&(last + 1)).is_ok();
        let is_cut = |position: Position| self.cuts.binary_search(&position).is_ok();
        match &self.code.instructions[last as usize] {
            Instruction::If(_, target) if next_is_cut && is_cut(*target) => Some(Change::Branch { target: *target }),
            Instruction::Goto(_) | Instruction::GotoW(_) if start == last && next_is_cut => {
                Some(Change::Run(Vec::new()))
            }
            Instruction::TableSwitch(switch) if is_cut(switch.default) => {
                Some(Change::Run(vec![Instruction::Goto(switch.default)]))
            }
            Instruction::LookupSwitch(switch) if is_cut(switch.default) => {
                Some(Change::Run(vec![Instruction::Goto(switch.default)]))
            }
            Instruction::Return(_) | Instruction::AThrow if may_leave(self.typing, start) => {
                let leave = leave(self.method);
                let same = self.code.instructions[start as usize..=last as usize] == leave[..];
                (!same).then_some(Change::Run(leave))
            }
            _ => None,
        }
    }

    /// Pieces for the stores with which handlers start; such a store can become a drop of the
    /// exception.
    fn handler_starts(&self) -> Vec<Piece> {
        let mut targets: Vec<Position> = self.code.handlers.iter().map(|handler| handler.target).collect();
        targets.sort_unstable();
        targets.dedup();
        let stores = |target: &Position| {
            matches!(self.code.instructions.get(*target as usize), Some(Instruction::Store(Kind::Reference, _)))
                && self.typing.before(*target).is_some_and(|state| state.stack.len() == 1)
        };
        let drop = || Change::Run(vec![Instruction::Stack(StackOp::Pop)]);
        targets
            .into_iter()
            .filter(stores)
            .map(|target| Piece { range: target..target + 1, change: drop(), parent: None })
            .collect()
    }
}
