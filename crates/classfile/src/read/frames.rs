//! Reading of stack maps: differences become complete frames.

use super::Reader;
use super::attributes::MethodHead;
use super::code::Positions;
use crate::frame::initial_locals;
use crate::raw::Input;
use crate::{Frame, ParseError, Problem, VerificationType};
use std::sync::Arc;

impl<'a> Reader<'a> {
    pub fn stack_map_table(
        &mut self,
        input: &mut Input<'a>,
        head: MethodHead<'_>,
        positions: &Positions,
    ) -> Result<Vec<Frame>, ParseError> {
        let initial = initial_locals(&self.name, head.access, head.name, head.descriptor)
            .ok_or_else(|| input.error(Problem::Malformed("method descriptor")))?;
        let mut locals: Arc<[VerificationType]> = initial.into();
        let mut next_offset = 0;
        input.list(1, |input| {
            let (delta, new_locals, stack) = self.frame(input, &locals, positions)?;
            locals = new_locals;
            let offset = next_offset + u32::from(delta);
            next_offset = offset + 1;
            let position = positions.instruction_at(offset).map_err(|problem| input.error(problem))?;
            Ok(Frame { position, locals: locals.clone(), stack })
        })
    }

    #[allow(clippy::type_complexity)]
    fn frame(
        &mut self,
        input: &mut Input<'a>,
        before: &Arc<[VerificationType]>,
        positions: &Positions,
    ) -> Result<(u16, Arc<[VerificationType]>, Vec<VerificationType>), ParseError> {
        let tag = input.u1()?;
        let delta = match tag {
            0..=127 => u16::from(tag % 64),
            128..=246 => return Err(input.error(Problem::Malformed("stack map frame"))),
            247.. => input.u2()?,
        };
        let locals = match tag {
            248..=250 => self.chopped(input, before, 251 - usize::from(tag))?,
            252..=254 => self.appended(input, before, usize::from(tag) - 251, positions)?,
            255 => {
                let locals = input.list(1, |input| self.verification_type(input, positions))?;
                self.shared(input, locals)?
            }
            _ => before.clone(),
        };
        let stack = match tag {
            64..=127 | 247 => vec![self.verification_type(input, positions)?],
            255 => input.list(1, |input| self.verification_type(input, positions))?,
            _ => Vec::new(),
        };
        Ok((delta, locals, stack))
    }

    fn chopped(
        &mut self,
        input: &Input<'a>,
        before: &[VerificationType],
        count: usize,
    ) -> Result<Arc<[VerificationType]>, ParseError> {
        let kept = before.len().checked_sub(count).ok_or_else(|| input.error(Problem::Malformed("stack map frame")))?;
        self.shared(input, before[..kept].to_vec())
    }

    fn appended(
        &mut self,
        input: &mut Input<'a>,
        before: &[VerificationType],
        count: usize,
        positions: &Positions,
    ) -> Result<Arc<[VerificationType]>, ParseError> {
        let mut locals = Vec::with_capacity(before.len() + count);
        locals.extend_from_slice(before);
        for _ in 0..count {
            locals.push(self.verification_type(input, positions)?);
        }
        self.shared(input, locals)
    }

    /// The locals for a frame, or an error if this file has used up the entries that its size
    /// allows.
    fn shared(
        &mut self,
        input: &Input<'a>,
        locals: Vec<VerificationType>,
    ) -> Result<Arc<[VerificationType]>, ParseError> {
        match self.frame_entries_left.checked_sub(locals.len()) {
            Some(left) => {
                self.frame_entries_left = left;
                Ok(locals.into())
            }
            None => Err(input.error(Problem::TooManyFrames)),
        }
    }

    fn verification_type(
        &mut self,
        input: &mut Input<'a>,
        positions: &Positions,
    ) -> Result<VerificationType, ParseError> {
        Ok(match input.u1()? {
            0 => VerificationType::Top,
            1 => VerificationType::Int,
            2 => VerificationType::Float,
            3 => VerificationType::Double,
            4 => VerificationType::Long,
            5 => VerificationType::Null,
            6 => VerificationType::UninitializedThis,
            7 => VerificationType::Object(self.resolver.class(input)?),
            8 => VerificationType::Uninitialized(positions.instruction(input)?),
            _ => return Err(input.error(Problem::Malformed("verification type"))),
        })
    }
}
