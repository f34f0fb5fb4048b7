//! A method's code, in which positions are instruction indices.

use crate::{Attribute, Frame, Instruction, Position, Text, TypeTarget, VerificationType};

/// The body of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    pub max_stack: u16,
    pub max_locals: u16,
    pub instructions: Vec<Instruction>,
    /// The handlers in the order in which the JVM tries them.
    pub handlers: Vec<Handler>,
    pub attributes: Vec<Attribute>,
}

impl Code {
    /// The stack map; empty if there is none.
    pub fn frames(&self) -> &[Frame] {
        let frames = self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::StackMapTable(frames) => Some(frames.as_slice()),
            _ => None,
        });
        frames.unwrap_or_default()
    }

    /// Replaces the stack map. Without frames, the attribute is removed.
    pub fn set_frames(&mut self, frames: Vec<Frame>) {
        self.attributes.retain(|attribute| !matches!(attribute, Attribute::StackMapTable(_)));
        if !frames.is_empty() {
            self.attributes.push(Attribute::StackMapTable(frames));
        }
    }

    /// Replaces every position: targets, handlers, frames, tables and annotations. Code that
    /// removes or inserts instructions calls this to renumber, and then drops entries that have
    /// become meaningless (an empty range, for example).
    pub fn map_positions(&mut self, mut new: impl FnMut(Position) -> Position) {
        self.instructions.iter_mut().for_each(|instruction| instruction.map_targets(&mut new));
        for handler in &mut self.handlers {
            for position in [&mut handler.start, &mut handler.end, &mut handler.target] {
                *position = new(*position);
            }
        }
        self.attributes.iter_mut().for_each(|attribute| map_attribute(attribute, &mut new));
    }

    /// Gives every instruction its shortest equivalent form.
    pub fn shorten(&mut self) {
        self.instructions.iter_mut().for_each(Instruction::shorten);
    }
}

fn map_attribute(attribute: &mut Attribute, new: &mut impl FnMut(Position) -> Position) {
    match attribute {
        Attribute::LineNumberTable(lines) => lines.iter_mut().for_each(|line| line.position = new(line.position)),
        Attribute::LocalVariableTable(variables) | Attribute::LocalVariableTypeTable(variables) => {
            for variable in variables {
                (variable.start, variable.end) = (new(variable.start), new(variable.end));
            }
        }
        Attribute::StackMapTable(frames) => frames.iter_mut().for_each(|frame| map_frame(frame, new)),
        Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
            list.iter_mut().for_each(|annotation| map_target(&mut annotation.target, new));
        }
        _ => {}
    }
}

fn map_frame(frame: &mut Frame, new: &mut impl FnMut(Position) -> Position) {
    frame.position = new(frame.position);
    let mut map = |type_: &mut VerificationType| {
        if let VerificationType::Uninitialized(position) = type_ {
            *position = new(*position);
        }
    };
    frame.stack.iter_mut().for_each(&mut map);
    // Shared locals are copied only where they name a position.
    if frame.locals.iter().any(|type_| matches!(type_, VerificationType::Uninitialized(_))) {
        let mut locals = frame.locals.to_vec();
        locals.iter_mut().for_each(map);
        frame.locals = locals.into();
    }
}

fn map_target(target: &mut TypeTarget, new: &mut impl FnMut(Position) -> Position) {
    if let Some(position) = target.position_mut() {
        *position = new(*position);
    }
    for range in target.ranges_mut().into_iter().flatten() {
        (range.start, range.end) = (new(range.start), new(range.end));
    }
}

/// A handler for exceptions thrown between `start` and `end` (exclusive).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    pub start: Position,
    pub end: Position,
    pub target: Position,
    /// `None` catches everything, as `finally` does.
    pub catch: Option<Text>,
}

/// The source line of an instruction.
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
