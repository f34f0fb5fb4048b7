//! Replacing stretches of code.
//!
//! Edits are collected in old positions and applied at once; everything that mentions a position follows. The types are
//! not looked at: [`super::repair`] makes the frames anew.

use super::renumber::Renumbering;
use lapidary_classfile::{Code, Instruction, Position};
use std::collections::BTreeMap;
use std::ops::Range;
use thiserror::Error;

/// Replacements of instructions, none of which overlap.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// By start: the end of what goes, and what comes.
    replacements: BTreeMap<Position, (Position, Vec<Instruction>)>,
}

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

    /// Puts other instructions in the place of some. Their targets are old positions. An empty range inserts: jumps to
    /// the position then land on what was inserted.
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

    /// Changes the code. Handlers and variables whose range is left empty vanish; jumps to what was removed go to what
    /// follows it; frames move along but are true no more.
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
