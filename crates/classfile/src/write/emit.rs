//! Writing of one instruction.

use super::layout::{Layout, increment_is_wide, padding};
use super::output::Output;
use crate::frame::argument_slots;
use crate::instruction::condition_opcode;
use crate::opcode;
use crate::operand::LocalForm;
use crate::{Condition, Instruction, InvokeOp, Local, LookupSwitch, MemberRef, Position, TableSwitch, WriteError};

pub(super) struct Emitter<'o> {
    pub out: &'o mut Output,
    /// The offset of the code in the output.
    pub start: usize,
    pub layout: &'o Layout,
    /// The instruction's position.
    pub index: usize,
    /// The instruction's constant-pool index.
    pub operand: u16,
}

impl Emitter<'_> {
    pub fn emit(&mut self, instruction: &Instruction) -> Result<(), WriteError> {
        let code = instruction.opcode();
        match instruction {
            Instruction::IConst(value) => self.checked(code, (-1..=5).contains(value))?,
            Instruction::LConst(value) | Instruction::DConst(value) => self.checked(code, *value <= 1)?,
            Instruction::FConst(value) => self.checked(code, *value <= 2)?,
            Instruction::BiPush(value) => self.out.bytes(&[code, *value as u8]),
            Instruction::SiPush(value) => self.with_u2(code, *value as u16),
            Instruction::Ldc(constant) if !constant.is_wide() => self.ldc(),
            Instruction::LdcW(constant) if !constant.is_wide() => self.with_u2(code, self.operand),
            Instruction::Ldc2W(constant) if constant.is_wide() => self.with_u2(code, self.operand),
            Instruction::Ldc(_) | Instruction::LdcW(_) => return Err(self.bad("a wide constant needs ldc2_w")),
            Instruction::Ldc2W(_) => return Err(self.bad("ldc2_w takes longs and doubles only")),
            Instruction::Load(_, local) | Instruction::Store(_, local) => self.local(code, *local),
            Instruction::Ret(local) => self.ret(*local),
            Instruction::Increment(local, amount) => self.increment(*local, *amount),
            Instruction::If(condition, target) => self.branch_if(*condition, *target)?,
            Instruction::Goto(target) => self.branch(code, opcode::GOTO_W, *target)?,
            Instruction::Jsr(target) => self.branch(code, opcode::JSR_W, *target)?,
            Instruction::GotoW(target) | Instruction::JsrW(target) => self.far_branch(code, *target)?,
            Instruction::TableSwitch(switch) => self.table_switch(switch)?,
            Instruction::LookupSwitch(switch) => self.lookup_switch(switch)?,
            Instruction::Invoke(InvokeOp::Interface, method) => self.invoke_interface(method)?,
            Instruction::InvokeDynamic(_) => {
                self.with_u2(code, self.operand);
                self.out.u2(0);
            }
            Instruction::NewArray(kind) => self.out.bytes(&[code, *kind as u8 + 4]),
            Instruction::MultiANewArray(_, dimensions) => {
                self.with_u2(code, self.operand);
                self.out.u1(*dimensions);
            }
            Instruction::Field(..)
            | Instruction::Invoke(..)
            | Instruction::New(_)
            | Instruction::ANewArray(_)
            | Instruction::CheckCast(_)
            | Instruction::InstanceOf(_) => self.with_u2(code, self.operand),
            _ => self.out.u1(code),
        }
        Ok(())
    }

    fn bad(&self, what: &'static str) -> WriteError {
        WriteError::BadOperand { position: self.index as Position, what }
    }

    fn checked(&mut self, code: u8, legal: bool) -> Result<(), WriteError> {
        if !legal {
            return Err(self.bad("no such small constant"));
        }
        self.out.u1(code);
        Ok(())
    }

    fn with_u2(&mut self, code: u8, operand: u16) {
        self.out.u1(code);
        self.out.u2(operand);
    }

    fn ldc(&mut self) {
        match u8::try_from(self.operand) {
            Ok(near) => self.out.bytes(&[opcode::LDC, near]),
            Err(_) => self.with_u2(opcode::LDC_W, self.operand),
        }
    }

    fn local(&mut self, code: u8, local: Local) {
        match local.written_form() {
            LocalForm::Implicit => self.out.u1(code),
            LocalForm::Byte => self.out.bytes(&[code, local.index as u8]),
            LocalForm::Wide => self.wide(code, local.index),
        }
    }

    fn ret(&mut self, local: Local) {
        match local.written_form() {
            LocalForm::Wide => self.wide(opcode::RET, local.index),
            LocalForm::Implicit | LocalForm::Byte => self.out.bytes(&[opcode::RET, local.index as u8]),
        }
    }

    fn increment(&mut self, local: Local, amount: i16) {
        if increment_is_wide(local, amount) {
            self.wide(opcode::IINC, local.index);
            self.out.u2(amount as u16);
        } else {
            self.out.bytes(&[opcode::IINC, local.index as u8, amount as u8]);
        }
    }

    fn wide(&mut self, code: u8, index: u16) {
        self.out.u1(opcode::WIDE);
        self.with_u2(code, index);
    }

    fn branch_if(&mut self, condition: Condition, target: Position) -> Result<(), WriteError> {
        if !self.layout.is_far(self.index) {
            return self.near_branch(condition_opcode(condition), target);
        }
        // Skip the goto_w: three bytes of branch and five of jump.
        self.with_u2(condition_opcode(condition.inverted()), 8);
        let distance = self.layout.distance(self.index, target)? - 3;
        self.out.u1(opcode::GOTO_W);
        self.out.i4(distance);
        Ok(())
    }

    fn branch(&mut self, near: u8, far: u8, target: Position) -> Result<(), WriteError> {
        if self.layout.is_far(self.index) { self.far_branch(far, target) } else { self.near_branch(near, target) }
    }

    fn near_branch(&mut self, code: u8, target: Position) -> Result<(), WriteError> {
        // The layout marks a branch as far if the distance takes more than two bytes.
        let distance = self.layout.distance(self.index, target)?;
        self.with_u2(code, distance as i16 as u16);
        Ok(())
    }

    fn far_branch(&mut self, code: u8, target: Position) -> Result<(), WriteError> {
        self.out.u1(code);
        self.distance(target)
    }

    fn distance(&mut self, target: Position) -> Result<(), WriteError> {
        let distance = self.layout.distance(self.index, target)?;
        self.out.i4(distance);
        Ok(())
    }

    fn table_switch(&mut self, switch: &TableSwitch) -> Result<(), WriteError> {
        // The layout rejects code so large that this could overflow.
        let high = i64::from(switch.low) + switch.targets.len() as i64 - 1;
        let high = i32::try_from(high).map_err(|_| self.bad("the last case of the tableswitch is no int"))?;
        self.switch_head(opcode::TABLESWITCH, switch.default)?;
        self.out.i4(switch.low);
        self.out.i4(high);
        switch.targets.iter().try_for_each(|target| self.distance(*target))
    }

    fn lookup_switch(&mut self, switch: &LookupSwitch) -> Result<(), WriteError> {
        self.switch_head(opcode::LOOKUPSWITCH, switch.default)?;
        self.out.i4(switch.pairs.len() as i32);
        for (value, target) in &switch.pairs {
            self.out.i4(*value);
            self.distance(*target)?;
        }
        Ok(())
    }

    fn switch_head(&mut self, code: u8, default: Position) -> Result<(), WriteError> {
        let offset = (self.out.len() - self.start) as u32;
        self.out.u1(code);
        self.out.bytes(&[0; 3][..padding(offset) as usize]);
        self.distance(default)
    }

    fn invoke_interface(&mut self, method: &MemberRef) -> Result<(), WriteError> {
        let slots = argument_slots(&method.descriptor).and_then(|slots| u8::try_from(slots + 1).ok());
        let slots = slots.ok_or_else(|| WriteError::Descriptor(method.descriptor.to_string()))?;
        self.with_u2(opcode::INVOKEINTERFACE, self.operand);
        self.out.bytes(&[slots, 0]);
        Ok(())
    }
}
