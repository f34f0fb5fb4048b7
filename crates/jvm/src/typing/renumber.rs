//! New positions of the instructions after an edit, and the update of the tables of a method.

use super::variables::retain_filled;
use lapidary_classfile::{
    Attribute, Code, Frame, Handler, LineNumber, LocalRange, LocalVariable, Position, TypeAnnotation, TypeTarget,
    VerificationType,
};

/// A map from old positions to new ones.
#[derive(Clone, Debug, Default)]
pub struct Renumbering {
    /// The new position of control that went to each old position. One entry more than there were
    /// instructions.
    targets: Vec<Position>,
    /// The new position of each old instruction, if it is still there.
    places: Vec<Option<Position>>,
    /// The start of the code that was inserted before the next instruction.
    inserted: Option<Position>,
}

impl Renumbering {
    /// Returns where control that went to an old position goes now: to the instruction itself, to
    /// the start of the code that replaced it or was inserted before it, or to the code that
    /// follows.
    pub fn target(&self, old: Position) -> Position {
        let end = self.targets.last().copied().unwrap_or_default();
        self.targets.get(old as usize).copied().unwrap_or(end)
    }

    /// The new position of an instruction that is still there.
    pub fn instruction(&self, old: Position) -> Option<Position> {
        self.places.get(old as usize).copied().flatten()
    }

    pub(super) fn keep(&mut self, new: usize) {
        let target = self.inserted.take().unwrap_or(new as Position);
        self.targets.push(target);
        self.places.push(Some(new as Position));
    }

    /// Records that `count` old instructions became those from `start` to `end`. A jump into their
    /// middle continues after them.
    pub(super) fn replace(&mut self, count: usize, start: usize, end: usize) {
        if count == 0 {
            self.inserted = Some(start as Position);
            return;
        }
        self.targets.push(self.inserted.take().unwrap_or(start as Position));
        self.targets.extend(std::iter::repeat_n(end as Position, count - 1));
        self.places.extend(std::iter::repeat_n(None, count));
    }

    pub(super) fn finish(&mut self, end: usize) {
        let target = self.inserted.take().unwrap_or(end as Position);
        self.targets.push(target);
    }

    /// Updates everything in the code that mentions a position. The instructions have already been
    /// replaced.
    pub(super) fn apply(&self, code: &mut Code) {
        for instruction in &mut code.instructions {
            instruction.map_targets(|target| self.target(target));
        }
        let handlers = self.handlers(&mut code.handlers);
        let end = code.instructions.len() as Position;
        retain_filled(&mut code.attributes, |attribute| match attribute {
            Attribute::StackMapTable(frames) => self.frames(frames),
            Attribute::LineNumberTable(lines) => self.lines(lines, end),
            Attribute::LocalVariableTable(variables) | Attribute::LocalVariableTypeTable(variables) => {
                self.variables(variables)
            }
            Attribute::RuntimeVisibleTypeAnnotations(annotations)
            | Attribute::RuntimeInvisibleTypeAnnotations(annotations) => {
                annotations.retain_mut(|annotation| self.annotation(annotation, &handlers))
            }
            _ => {}
        });
    }

    /// Moves handlers and drops those that guard nothing. Returns the new index of each old one.
    fn handlers(&self, handlers: &mut Vec<Handler>) -> Vec<Option<u16>> {
        let mut indices = Vec::with_capacity(handlers.len());
        let mut next = 0;
        handlers.retain_mut(|handler| {
            handler.start = self.target(handler.start);
            handler.end = self.target(handler.end);
            handler.target = self.target(handler.target);
            let stays = handler.start < handler.end;
            indices.push(stays.then_some(next));
            next += u16::from(stays);
            stays
        });
        indices
    }

    /// Moves frames. If several end up at one position, the last is kept, which is the one that was
    /// there.
    fn frames(&self, frames: &mut Vec<Frame>) {
        frames.retain_mut(|frame| {
            frame.position = self.target(frame.position);
            let locals: Option<Vec<_>> = frame.locals.iter().map(|type_| self.verification_type(type_)).collect();
            let stack: Option<Vec<_>> = frame.stack.iter().map(|type_| self.verification_type(type_)).collect();
            let (Some(locals), Some(stack)) = (locals, stack) else { return false };
            if *locals != *frame.locals {
                frame.locals = locals.into();
            }
            frame.stack = stack;
            true
        });
        keep_last(frames, |frame| frame.position);
    }

    fn verification_type(&self, type_: &VerificationType) -> Option<VerificationType> {
        match type_ {
            VerificationType::Uninitialized(made) => self.instruction(*made).map(VerificationType::Uninitialized),
            other => Some(other.clone()),
        }
    }

    /// Moves line numbers. A line whose first instruction was removed begins with the next one,
    /// unless another line begins there.
    fn lines(&self, lines: &mut Vec<LineNumber>, end: Position) {
        lines.iter_mut().for_each(|line| line.position = self.target(line.position));
        lines.retain(|line| line.position < end);
        keep_last(lines, |line| line.position);
    }

    fn variables(&self, variables: &mut Vec<LocalVariable>) {
        variables.retain_mut(|variable| {
            variable.start = self.target(variable.start);
            variable.end = self.target(variable.end);
            variable.start < variable.end
        });
    }

    /// Moves an annotation. Returns whether the annotated thing is still there.
    fn annotation(&self, annotation: &mut TypeAnnotation, handlers: &[Option<u16>]) -> bool {
        if let TypeTarget::Catch(index) = &mut annotation.target {
            let moved = handlers.get(usize::from(*index)).copied().flatten();
            moved.into_iter().for_each(|moved| *index = moved);
            return moved.is_some();
        }
        if let Some(ranges) = annotation.target.ranges_mut() {
            ranges.retain_mut(|range| self.range(range));
            return !ranges.is_empty();
        }
        match annotation.target.position_mut() {
            Some(position) => match self.instruction(*position) {
                Some(moved) => {
                    *position = moved;
                    true
                }
                None => false,
            },
            None => true,
        }
    }

    fn range(&self, range: &mut LocalRange) -> bool {
        range.start = self.target(range.start);
        range.end = self.target(range.end);
        range.start < range.end
    }
}

/// Keeps only the last of neighbours with the same position.
fn keep_last<T>(list: &mut Vec<T>, position: impl Fn(&T) -> Position) {
    let positions: Vec<Position> = list.iter().map(position).collect();
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        positions.get(index) != Some(&positions[index - 1])
    });
}
