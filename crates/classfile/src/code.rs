//! A method's code, with instruction indices for positions.

use crate::{Attribute, Frame, Instruction, Text};

/// The index of an instruction. Where a range ends, the number of instructions is a position too.
pub type Position = u32;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    pub max_stack: u16,
    pub max_locals: u16,
    pub instructions: Vec<Instruction>,
    /// In the order in which the machine tries them.
    pub handlers: Vec<Handler>,
    pub attributes: Vec<Attribute>,
}

impl Code {
    /// The stack map, empty where there is none.
    pub fn frames(&self) -> &[Frame] {
        let frames = self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::StackMapTable(frames) => Some(frames.as_slice()),
            _ => None,
        });
        frames.unwrap_or_default()
    }

    /// Replaces the stack map; no frames, no attribute.
    pub fn set_frames(&mut self, frames: Vec<Frame>) {
        self.attributes.retain(|attribute| !matches!(attribute, Attribute::StackMapTable(_)));
        if !frames.is_empty() {
            self.attributes.push(Attribute::StackMapTable(frames));
        }
    }

    /// Gives every instruction the shortest form that says the same.
    pub fn shorten(&mut self) {
        self.instructions.iter_mut().for_each(Instruction::shorten);
    }
}

/// Where an exception thrown between `start` and `end` (exclusive) is handled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    pub start: Position,
    pub end: Position,
    pub target: Position,
    /// None catches everything, as `finally` does.
    pub catch: Option<Text>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNumber {
    pub position: Position,
    pub line: u16,
}

/// An entry of a `LocalVariableTable`, or of a `LocalVariableTypeTable`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    pub start: Position,
    pub end: Position,
    pub name: Text,
    /// A descriptor in the first table, a generic signature in the second.
    pub type_: Text,
    pub index: u16,
}
