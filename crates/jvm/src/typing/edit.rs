//! Replacement of ranges of instructions.
//!
//! Edits are collected in old positions and applied all at once; everything that mentions a
//! position is updated. Types are ignored here: [`super::repair`] rebuilds the frames.

use super::renumber::Renumbering;
use lapidary_classfile::{Code, Instruction, Position};
use std::collections::BTreeMap;
use std::ops::Range;
use thiserror::Error;

/// A set of replacements of instructions, none of which overlap.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// For each start position, the end of the replaced range and the new instructions.
    replacements: BTreeMap<Position, (Position, Vec<Instruction>)>,
}

/// The reason for edits that do not fit a body.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    #[error("instructions {}..{} are replaced twice", .0.start, .0.end)]
    Overlap(Range<Position>),
    #[error("there are no instructions {}..{}", .0.start, .0.end)]
    Outside(Range<Position>),
}

impl Edits {
    pub fn new() -> Self {
        Edits::default()
    }

    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    /// Replaces a range of instructions. Targets in the new instructions are old positions. An
    /// empty range inserts; jumps to that position then land on the inserted code.
    pub fn replace(&mut self, range: Range<Position>, instructions: Vec<Instruction>) -> Result<(), EditError> {
        if range.start > range.end {
            return Err(EditError::Outside(range));
        }
        let before = self.replacements.range(..range.start).next_back();
        let after = self.replacements.range(range.start..).next();
        let clashes = before.is_some_and(|(_, (end, _))| *end > range.start)
            || after.is_some_and(|(start, _)| *start < range.end || *start == range.start);
        if clashes {
            return Err(EditError::Overlap(range));
        }
        self.replacements.insert(range.start, (range.end, instructions));
        Ok(())
    }

    pub fn remove(&mut self, range: Range<Position>) -> Result<(), EditError> {
        self.replace(range, Vec::new())
    }

    /// Applies the edits to the code. Handlers and variables whose range becomes empty are dropped,
    /// and jumps to removed code go to the code that follows it. Frames move along but are no
    /// longer valid.
    pub fn apply(self, code: &mut Code) -> Result<Renumbering, EditError> {
        let length = code.instructions.len() as Position;
        if let Some((start, (end, _))) = self.replacements.iter().find(|(_, (end, _))| *end > length) {
            return Err(EditError::Outside(*start..*end));
        }
        let mut new = Vec::with_capacity(code.instructions.len());
        let mut renumbering = Renumbering::default();
        let mut old = std::mem::take(&mut code.instructions).into_iter();
        let mut position = 0;
        for (start, (end, instructions)) in self.replacements {
            while position < start {
                renumbering.keep(new.len());
                new.extend(old.next());
                position += 1;
            }
            let replacement = new.len();
            new.extend(instructions);
            renumbering.replace((end - start) as usize, replacement, new.len());
            old.by_ref().take((end - start) as usize).for_each(drop);
            position = end;
        }
        for instruction in old {
            renumbering.keep(new.len());
            new.push(instruction);
        }
        renumbering.finish(new.len());
        code.instructions = new;
        renumbering.apply(code);
        Ok(renumbering)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_classfile::{Attribute, Handler, LineNumber};

    /// `0: nop  1: nop  2: goto 1  3: nop  4: return`, with a handler over 1..3 and a line for
    /// every instruction.
    fn code() -> Code {
        let nop = Instruction::Nop;
        let lines = (0..5).map(|position| LineNumber { position, line: 10 + position as u16 }).collect();
        Code {
            instructions: vec![nop.clone(), nop.clone(), Instruction::Goto(1), nop, Instruction::Return(None)],
            handlers: vec![Handler { start: 1, end: 3, target: 3, catch: None }],
            attributes: vec![Attribute::LineNumberTable(lines)],
            ..Code::default()
        }
    }

    #[test]
    fn jumps_to_removed_code_land_on_the_code_after_it() {
        let mut code = code();
        let mut edits = Edits::new();
        edits.remove(0..2).unwrap();
        edits.remove(3..4).unwrap();
        edits.apply(&mut code).unwrap();
        assert_eq!(code.instructions, [Instruction::Goto(0), Instruction::Return(None)]);
        assert_eq!(code.handlers, [Handler { start: 0, end: 1, target: 1, catch: None }]);
        let lines = [LineNumber { position: 0, line: 12 }, LineNumber { position: 1, line: 14 }];
        assert_eq!(code.attributes, [Attribute::LineNumberTable(lines.into())]);
    }

    #[test]
    fn jumps_land_on_inserted_code() {
        let mut code = code();
        let mut edits = Edits::new();
        edits.replace(1..1, vec![Instruction::Goto(4)]).unwrap();
        let renumbering = edits.apply(&mut code).unwrap();
        assert_eq!(code.instructions[1..4], [Instruction::Goto(5), Instruction::Nop, Instruction::Goto(1)]);
        assert_eq!((renumbering.target(1), renumbering.instruction(1)), (1, Some(2)));
        assert_eq!(code.handlers[0].end, 4);
    }

    #[test]
    fn a_handler_that_guards_nothing_vanishes() {
        let mut code = code();
        let mut edits = Edits::new();
        edits.remove(1..3).unwrap();
        edits.apply(&mut code).unwrap();
        assert_eq!(code.handlers, []);
    }

    #[test]
    fn overlapping_and_outlying_edits_are_refused() {
        let mut edits = Edits::new();
        edits.remove(1..3).unwrap();
        assert_eq!(edits.remove(2..4), Err(EditError::Overlap(2..4)));
        assert_eq!(edits.remove(0..2), Err(EditError::Overlap(0..2)));
        assert_eq!(edits.replace(1..1, Vec::new()), Err(EditError::Overlap(1..1)));
        edits.remove(3..9).unwrap();
        assert_eq!(edits.apply(&mut code()).unwrap_err(), EditError::Outside(3..9));
    }
}
