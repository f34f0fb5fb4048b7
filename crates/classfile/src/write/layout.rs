//! The layout of instructions: sizes, padding, and the branches that are too far for two bytes.

use super::Output;
use crate::operand::LocalForm;
use crate::{Instruction, Local, Position, WriteError};

/// The byte offset of every instruction, and of the end.
pub(super) struct Layout {
    offsets: Vec<u32>,
    /// The branches that take four bytes; empty if there are none.
    far: Vec<bool>,
}

/// The largest distance that fits into a branch's two bytes in both directions.
const NEAR: u32 = 0x7fff;

impl Layout {
    /// Lays out the instructions. `operands` holds each one's constant-pool index, which decides
    /// the length of an `ldc`.
    pub fn new(instructions: &[Instruction], operands: &[u16]) -> Result<Layout, WriteError> {
        let mut layout = Layout { offsets: Vec::with_capacity(instructions.len() + 1), far: Vec::new() };
        layout.place(instructions, operands);
        // Widening a branch may push the target of another out of reach, but never into reach.
        while layout.length() > NEAR && layout.widen(instructions)? {
            layout.place(instructions, operands);
        }
        match layout.length() {
            0 => Err(WriteError::EmptyCode),
            1..=0xffff => Ok(layout),
            length => Err(WriteError::CodeTooLarge(length as usize)),
        }
    }

    pub fn length(&self) -> u32 {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// The offset of an instruction.
    pub fn instruction(&self, position: Position) -> Result<u16, WriteError> {
        match (position as usize) < self.instructions() {
            true => self.boundary(position),
            false => Err(self.no_such(position)),
        }
    }

    /// The offset of an instruction or of the end.
    pub fn boundary(&self, position: Position) -> Result<u16, WriteError> {
        // The length of the code was checked, so every offset fits.
        self.offsets.get(position as usize).map(|offset| *offset as u16).ok_or_else(|| self.no_such(position))
    }

    /// Writes a start and a length.
    pub fn write_range(
        &self,
        what: &'static str,
        start: Position,
        end: Position,
        out: &mut Output,
    ) -> Result<(), WriteError> {
        let (first, last) = (self.boundary(start)?, self.boundary(end)?);
        out.u2(first);
        out.u2(last.checked_sub(first).ok_or(WriteError::NegativeRange { what, start, end })?);
        Ok(())
    }

    pub fn is_far(&self, position: usize) -> bool {
        self.far.get(position).copied().unwrap_or(false)
    }

    /// The distance in bytes from one instruction to another.
    pub fn distance(&self, from: usize, to: Position) -> Result<i32, WriteError> {
        let target = self.instruction(to)?;
        Ok(i32::from(target) - self.offsets[from] as i32)
    }

    fn instructions(&self) -> usize {
        self.offsets.len() - 1
    }

    fn no_such(&self, position: Position) -> WriteError {
        WriteError::NoSuchPosition { position, instructions: self.instructions() }
    }

    fn place(&mut self, instructions: &[Instruction], operands: &[u16]) {
        self.offsets.clear();
        let mut offset = 0u32;
        for (index, (instruction, operand)) in instructions.iter().zip(operands).enumerate() {
            self.offsets.push(offset);
            offset = offset.saturating_add(size(instruction, *operand, offset, self.is_far(index)));
        }
        self.offsets.push(offset);
    }

    /// Marks every branch that does not reach its target. Returns whether there was a new one.
    fn widen(&mut self, instructions: &[Instruction]) -> Result<bool, WriteError> {
        self.far.resize(instructions.len(), false);
        let mut found = false;
        for (index, instruction) in instructions.iter().enumerate() {
            let (Instruction::If(_, target) | Instruction::Goto(target) | Instruction::Jsr(target)) = instruction
            else {
                continue;
            };
            let there = *self.offsets.get(*target as usize).ok_or_else(|| self.no_such(*target))?;
            if there.abs_diff(self.offsets[index]) > NEAR && !self.far[index] {
                self.far[index] = true;
                found = true;
            }
        }
        Ok(found)
    }
}

fn size(instruction: &Instruction, operand: u16, offset: u32, far: bool) -> u32 {
    match instruction {
        Instruction::BiPush(_) | Instruction::NewArray(_) => 2,
        Instruction::Ldc(_) => 2 + u32::from(operand > 0xff),
        Instruction::SiPush(_)
        | Instruction::LdcW(_)
        | Instruction::Ldc2W(_)
        | Instruction::Field(..)
        | Instruction::New(_)
        | Instruction::ANewArray(_)
        | Instruction::CheckCast(_)
        | Instruction::InstanceOf(_) => 3,
        Instruction::Load(_, local) | Instruction::Store(_, local) => match local.written_form() {
            LocalForm::Implicit => 1,
            LocalForm::Byte => 2,
            LocalForm::Wide => 4,
        },
        Instruction::Increment(local, amount) => 3 * (1 + u32::from(increment_is_wide(*local, *amount))),
        Instruction::Ret(local) => 2 * (1 + u32::from(local.written_form() == LocalForm::Wide)),
        Instruction::If(..) => 3 + if far { 5 } else { 0 },
        Instruction::Goto(_) | Instruction::Jsr(_) => 3 + if far { 2 } else { 0 },
        Instruction::GotoW(_) | Instruction::JsrW(_) => 5,
        Instruction::TableSwitch(switch) => 1 + padding(offset) + 12 + 4 * saturated(switch.targets.len()),
        Instruction::LookupSwitch(switch) => 1 + padding(offset) + 8 + 8 * saturated(switch.pairs.len()),
        Instruction::Invoke(crate::InvokeOp::Interface, _) | Instruction::InvokeDynamic(_) => 5,
        Instruction::Invoke(..) => 3,
        Instruction::MultiANewArray(..) => 4,
        _ => 1,
    }
}

/// The number of padding bytes that align the operands of a switch at this offset to a multiple of
/// four.
pub(super) fn padding(offset: u32) -> u32 {
    3 - offset % 4
}

pub(super) fn increment_is_wide(local: Local, amount: i16) -> bool {
    local.written_form() == LocalForm::Wide || i8::try_from(amount).is_err()
}

/// Limits a count so that arithmetic with it cannot overflow. A switch beyond the limit is too
/// large for any code.
fn saturated(count: usize) -> u32 {
    count.min(0x10_0000) as u32
}
