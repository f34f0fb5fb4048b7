//! Writing of stack maps: complete frames become the shortest differences, chosen as javac chooses
//! them.

use super::Writer;
use super::layout::Layout;
use crate::frame::initial_locals;
use crate::{Frame, Method, VerificationType, WriteError};
use std::sync::Arc;

/// The locals that the first frame is encoded relative to.
pub(super) struct FrameStart(pub Arc<[VerificationType]>);

impl FrameStart {
    /// The frame with which a method starts.
    pub fn of(class: &crate::Class, method: &Method) -> Result<FrameStart, WriteError> {
        initial_locals(&class.name, method.access, &method.name, &method.descriptor)
            .map(|locals| FrameStart(locals.into()))
            .ok_or_else(|| WriteError::Descriptor(method.descriptor.to_string()))
    }
}

impl<'c> Writer<'c> {
    pub fn stack_map_table(
        &mut self,
        frames: &'c [Frame],
        start: &FrameStart,
        layout: &Layout,
    ) -> Result<(), WriteError> {
        self.out.count("stack map frames", frames.len())?;
        let mut before = &start.0;
        let mut next_offset = 0;
        for frame in frames {
            let offset = layout.instruction(frame.position)?;
            let unordered = WriteError::UnorderedFrames { position: frame.position };
            let delta = u32::from(offset).checked_sub(next_offset).ok_or(unordered)?;
            self.frame(frame, before, delta as u16, layout)?;
            before = &frame.locals;
            next_offset = u32::from(offset) + 1;
        }
        Ok(())
    }

    fn frame(
        &mut self,
        frame: &'c Frame,
        before: &[VerificationType],
        delta: u16,
        layout: &Layout,
    ) -> Result<(), WriteError> {
        let locals = &frame.locals;
        let common = before.len().min(locals.len());
        let related = before[..common] == locals[..common];
        let (appended, chopped) = (locals.len() - common, before.len() - common);
        match (frame.stack.as_slice(), appended, chopped) {
            ([], 0, 0) if related => {
                self.tag(0, 251, delta);
                Ok(())
            }
            ([], 1..=3, 0) if related => {
                self.tag_with_delta(251 + appended as u8, delta);
                self.verification_types(&locals[common..], layout)
            }
            ([], 0, 1..=3) if related => {
                self.tag_with_delta(251 - chopped as u8, delta);
                Ok(())
            }
            ([single], 0, 0) if related => {
                self.tag(64, 247, delta);
                self.verification_type(single, layout)
            }
            _ => self.full_frame(frame, delta, layout),
        }
    }

    fn full_frame(&mut self, frame: &'c Frame, delta: u16, layout: &Layout) -> Result<(), WriteError> {
        self.tag_with_delta(255, delta);
        self.out.count("locals in a frame", frame.locals.len())?;
        self.verification_types(&frame.locals, layout)?;
        self.out.count("operands in a frame", frame.stack.len())?;
        self.verification_types(&frame.stack, layout)
    }

    /// Writes the tag of a frame. A small difference in offset is part of the tag itself.
    fn tag(&mut self, base: u8, extended: u8, delta: u16) {
        match delta {
            0..=63 => self.out.u1(base + delta as u8),
            _ => self.tag_with_delta(extended, delta),
        }
    }

    fn tag_with_delta(&mut self, tag: u8, delta: u16) {
        self.out.u1(tag);
        self.out.u2(delta);
    }

    fn verification_types(&mut self, types: &'c [VerificationType], layout: &Layout) -> Result<(), WriteError> {
        types.iter().try_for_each(|type_| self.verification_type(type_, layout))
    }

    fn verification_type(&mut self, type_: &'c VerificationType, layout: &Layout) -> Result<(), WriteError> {
        match type_ {
            VerificationType::Top => self.out.u1(0),
            VerificationType::Int => self.out.u1(1),
            VerificationType::Float => self.out.u1(2),
            VerificationType::Double => self.out.u1(3),
            VerificationType::Long => self.out.u1(4),
            VerificationType::Null => self.out.u1(5),
            VerificationType::UninitializedThis => self.out.u1(6),
            VerificationType::Object(name) => {
                self.out.u1(7);
                self.class_ref(name)?;
            }
            VerificationType::Uninitialized(position) => {
                self.out.u1(8);
                self.out.u2(layout.instruction(*position)?);
            }
        }
        Ok(())
    }
}
