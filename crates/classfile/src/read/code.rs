//! Reading of code: byte offsets become positions, bytes become instructions.

use super::Reader;
use super::attributes::{MethodHead, Place};
use crate::frame::argument_slots;
use crate::opcode;
use crate::operand::{
    Arithmetic, ArrayKind, Comparison, Condition, Conversion, FieldOp, IntegerKind, InvokeOp, Kind, Local, LocalForm,
    Logic, NumberKind, PrimitiveType, Shift, StackOp,
};
use crate::raw::{self, Input};
use crate::{
    Code, Constant, Handler, Instruction, LineNumber, LocalVariable, LookupSwitch, ParseError, Position, Problem,
    TableSwitch,
};

impl<'a> Reader<'a> {
    pub fn code(&mut self, input: &mut Input<'a>, head: MethodHead<'_>) -> Result<Code, ParseError> {
        let (max_stack, max_locals, length) = match self.short_code {
            true => (input.u1()?.into(), input.u1()?.into(), input.u2()?.into()),
            false => (input.u2()?, input.u2()?, input.u4()? as usize),
        };
        if length == 0 || length > 0xffff {
            return Err(input.error(Problem::Malformed("code length")));
        }
        let mut bytes = Input::new(input.take(length)?, input.offset() - length);
        let (instructions, positions) = self.instructions(&mut bytes)?;
        let handlers = input.list(8, |input| self.handler(input, &positions))?;
        let raw = raw::attributes(input)?;
        let attributes = self.attributes(&raw, Place::Code(head, &positions))?;
        Ok(Code { max_stack, max_locals, instructions, handlers, attributes })
    }

    pub fn local_variables(
        &mut self,
        input: &mut Input<'a>,
        positions: &Positions,
    ) -> Result<Vec<LocalVariable>, ParseError> {
        input.list(10, |input| {
            let (start, end) = positions.range(input)?;
            let name = self.resolver.text(input)?;
            Ok(LocalVariable { start, end, name, type_: self.resolver.text(input)?, index: input.u2()? })
        })
    }

    fn handler(&mut self, input: &mut Input<'a>, positions: &Positions) -> Result<Handler, ParseError> {
        Ok(Handler {
            start: positions.instruction(input)?,
            end: positions.end(input)?,
            target: positions.instruction(input)?,
            catch: self.resolver.optional_class(input)?,
        })
    }

    fn instructions(&mut self, input: &mut Input<'a>) -> Result<(Vec<Instruction>, Positions), ParseError> {
        let mut instructions = Vec::with_capacity(input.left() / 2);
        let mut positions = Positions(vec![Positions::NONE; input.left() + 1]);
        while input.left() > 0 {
            positions.0[input.position()] = instructions.len() as Position;
            instructions.push(self.instruction(input)?);
        }
        positions.0[input.position()] = instructions.len() as Position;
        for instruction in &mut instructions {
            instruction
                .try_map_targets(|offset| positions.instruction_at(offset))
                .map_err(|problem| input.error(problem))?;
        }
        Ok((instructions, positions))
    }

    /// Reads the next instruction; its targets are still byte offsets.
    fn instruction(&mut self, input: &mut Input<'a>) -> Result<Instruction, ParseError> {
        let start = input.position();
        let code = input.u1()?;
        Ok(match code {
            opcode::NOP => Instruction::Nop,
            opcode::ACONST_NULL => Instruction::AConstNull,
            0x02..=0x08 => Instruction::IConst(code as i8 - opcode::ICONST_0 as i8),
            0x09..=0x0a => Instruction::LConst(code - opcode::LCONST_0),
            0x0b..=0x0d => Instruction::FConst(code - opcode::FCONST_0),
            0x0e..=0x0f => Instruction::DConst(code - opcode::DCONST_0),
            opcode::BIPUSH => Instruction::BiPush(input.i1()?),
            opcode::SIPUSH => Instruction::SiPush(input.i2()?),
            opcode::LDC => Instruction::Ldc(narrow(self.resolver.near_constant(input)?, input)?),
            opcode::LDC_W => Instruction::LdcW(narrow(self.resolver.constant(input)?, input)?),
            opcode::LDC2_W => Instruction::Ldc2W(wide(self.resolver.constant(input)?, input)?),
            0x15..=0x19 => Instruction::Load(Kind::at(code - opcode::ILOAD), byte_local(input)?),
            0x1a..=0x2d => {
                let (kind, local) = implicit_local(code - opcode::ILOAD_0);
                Instruction::Load(kind, local)
            }
            0x2e..=0x35 => Instruction::ArrayLoad(ArrayKind::at(code - opcode::IALOAD)),
            0x36..=0x3a => Instruction::Store(Kind::at(code - opcode::ISTORE), byte_local(input)?),
            0x3b..=0x4e => {
                let (kind, local) = implicit_local(code - opcode::ISTORE_0);
                Instruction::Store(kind, local)
            }
            0x4f..=0x56 => Instruction::ArrayStore(ArrayKind::at(code - opcode::IASTORE)),
            0x57..=0x5f => Instruction::Stack(StackOp::at(code - opcode::POP)),
            0x60..=0x83 => arithmetic(code),
            opcode::IINC => Instruction::Increment(byte_local(input)?, input.i1()?.into()),
            0x85..=0x93 => Instruction::Convert(Conversion::at(code - opcode::I2L)),
            0x94..=0x98 => Instruction::Compare(Comparison::at(code - opcode::LCMP)),
            0x99..=0xa6 => Instruction::If(Condition::at(code - opcode::IFEQ), near_target(input, start)?),
            opcode::GOTO => Instruction::Goto(near_target(input, start)?),
            opcode::JSR => Instruction::Jsr(near_target(input, start)?),
            opcode::RET => Instruction::Ret(byte_local(input)?),
            opcode::TABLESWITCH => Instruction::TableSwitch(Box::new(table_switch(input, start)?)),
            opcode::LOOKUPSWITCH => Instruction::LookupSwitch(Box::new(lookup_switch(input, start)?)),
            0xac..=0xb0 => Instruction::Return(Some(Kind::at(code - opcode::IRETURN))),
            opcode::RETURN => Instruction::Return(None),
            opcode::WIDE => wide_instruction(input)?,
            opcode::IFNULL | 0xc7 => {
                let condition = if code == opcode::IFNULL { Condition::Null } else { Condition::NonNull };
                Instruction::If(condition, near_target(input, start)?)
            }
            opcode::GOTO_W => Instruction::GotoW(far_target(input, start)?),
            opcode::JSR_W => Instruction::JsrW(far_target(input, start)?),
            _ => self.object_instruction(code, input)?,
        })
    }

    fn object_instruction(&mut self, code: u8, input: &mut Input<'a>) -> Result<Instruction, ParseError> {
        Ok(match code {
            0xb2..=0xb5 => Instruction::Field(FieldOp::at(code - opcode::GETSTATIC), self.resolver.field(input)?),
            0xb6..=0xb9 => self.invoke(InvokeOp::at(code - opcode::INVOKEVIRTUAL), input)?,
            opcode::INVOKEDYNAMIC => {
                let site = self.resolver.call_site(input)?;
                match input.u2()? {
                    0 => Instruction::InvokeDynamic(site),
                    _ => return Err(input.error(Problem::Malformed("invokedynamic"))),
                }
            }
            opcode::NEW => Instruction::New(self.resolver.class(input)?),
            opcode::NEWARRAY => Instruction::NewArray(primitive_type(input)?),
            opcode::ANEWARRAY => Instruction::ANewArray(self.resolver.class(input)?),
            opcode::ARRAYLENGTH => Instruction::ArrayLength,
            opcode::ATHROW => Instruction::AThrow,
            opcode::CHECKCAST => Instruction::CheckCast(self.resolver.class(input)?),
            opcode::INSTANCEOF => Instruction::InstanceOf(self.resolver.class(input)?),
            opcode::MONITORENTER => Instruction::MonitorEnter,
            opcode::MONITOREXIT => Instruction::MonitorExit,
            opcode::MULTIANEWARRAY => Instruction::MultiANewArray(self.resolver.class(input)?, input.u1()?),
            _ => return Err(input.error(Problem::UnknownOpcode(code))),
        })
    }

    fn invoke(&mut self, op: InvokeOp, input: &mut Input<'a>) -> Result<Instruction, ParseError> {
        let method = self.resolver.method(input)?;
        if op == InvokeOp::Interface {
            // The count follows from the descriptor, so it is only checked; the writer computes it.
            let slots = argument_slots(&method.descriptor).map(|slots| slots + 1);
            if slots != Some(input.u1()?.into()) || input.u1()? != 0 {
                return Err(input.error(Problem::Malformed("invokeinterface")));
            }
        }
        Ok(Instruction::Invoke(op, method))
    }
}

/// A map from the bytes of the code to the instructions that start there. The entry past the last
/// byte stands for the end.
pub(super) struct Positions(Vec<Position>);

impl Positions {
    const NONE: Position = Position::MAX;

    /// Reads a two-byte offset at which an instruction starts.
    pub fn instruction(&self, input: &mut Input<'_>) -> Result<Position, ParseError> {
        let offset = input.u2()?;
        self.instruction_at(offset.into()).map_err(|problem| input.error(problem))
    }

    pub fn instruction_at(&self, offset: u32) -> Result<Position, Problem> {
        match (offset as usize) < self.0.len() - 1 {
            true => self.boundary(offset),
            false => Err(Problem::NotAnInstruction { target: offset.into() }),
        }
    }

    /// Reads a two-byte offset at which an instruction starts or the code ends.
    pub fn end(&self, input: &mut Input<'_>) -> Result<Position, ParseError> {
        let offset = input.u2()?;
        self.boundary(offset.into()).map_err(|problem| input.error(problem))
    }

    /// Reads a start and a length of two bytes each.
    pub fn range(&self, input: &mut Input<'_>) -> Result<(Position, Position), ParseError> {
        let (start, length) = (input.u2()?, input.u2()?);
        let at = |offset| self.boundary(offset).map_err(|problem| input.error(problem));
        Ok((at(start.into())?, at(u32::from(start) + u32::from(length))?))
    }

    pub fn line_number(&self, input: &mut Input<'_>) -> Result<LineNumber, ParseError> {
        Ok(LineNumber { position: self.instruction(input)?, line: input.u2()? })
    }

    fn boundary(&self, offset: u32) -> Result<Position, Problem> {
        match self.0.get(offset as usize) {
            Some(position) if *position != Self::NONE => Ok(*position),
            _ => Err(Problem::NotAnInstruction { target: offset.into() }),
        }
    }
}

fn narrow(constant: Constant, input: &Input<'_>) -> Result<Constant, ParseError> {
    if constant.is_wide() { Err(input.error(Problem::Misplaced("a wide constant"))) } else { Ok(constant) }
}

fn wide(constant: Constant, input: &Input<'_>) -> Result<Constant, ParseError> {
    if constant.is_wide() { Ok(constant) } else { Err(input.error(Problem::Misplaced("a narrow constant"))) }
}

fn byte_local(input: &mut Input<'_>) -> Result<Local, ParseError> {
    Ok(Local { index: input.u1()?.into(), form: LocalForm::Byte })
}

fn implicit_local(offset: u8) -> (Kind, Local) {
    (Kind::at(offset / 4), Local { index: (offset % 4).into(), form: LocalForm::Implicit })
}

fn wide_instruction(input: &mut Input<'_>) -> Result<Instruction, ParseError> {
    let code = input.u1()?;
    let local = Local { index: input.u2()?, form: LocalForm::Wide };
    Ok(match code {
        0x15..=0x19 => Instruction::Load(Kind::at(code - opcode::ILOAD), local),
        0x36..=0x3a => Instruction::Store(Kind::at(code - opcode::ISTORE), local),
        opcode::IINC => Instruction::Increment(local, input.i2()?),
        opcode::RET => Instruction::Ret(local),
        _ => return Err(input.error(Problem::UnknownOpcode(code))),
    })
}

fn arithmetic(code: u8) -> Instruction {
    match code {
        0x60..=0x73 => {
            let offset = code - opcode::IADD;
            Instruction::Arithmetic(Arithmetic::at(offset / 4), NumberKind::at(offset % 4))
        }
        0x74..=0x77 => Instruction::Negate(NumberKind::at(code - opcode::INEG)),
        0x78..=0x7d => {
            let offset = code - opcode::ISHL;
            Instruction::Shift(Shift::at(offset / 2), IntegerKind::at(offset % 2))
        }
        _ => {
            let offset = code - opcode::IAND;
            Instruction::Logic(Logic::at(offset / 2), IntegerKind::at(offset % 2))
        }
    }
}

fn primitive_type(input: &mut Input<'_>) -> Result<PrimitiveType, ParseError> {
    match input.u1()? {
        code @ 4..=11 => Ok(PrimitiveType::at(code - 4)),
        _ => Err(input.error(Problem::Malformed("newarray"))),
    }
}

fn near_target(input: &mut Input<'_>, start: usize) -> Result<u32, ParseError> {
    let distance = input.i2()?;
    target(input, start, distance.into())
}

fn far_target(input: &mut Input<'_>, start: usize) -> Result<u32, ParseError> {
    let distance = input.i4()?;
    target(input, start, distance)
}

fn target(input: &Input<'_>, start: usize, distance: i32) -> Result<u32, ParseError> {
    let target = start as i64 + i64::from(distance);
    u32::try_from(target).map_err(|_| input.error(Problem::NotAnInstruction { target }))
}

fn table_switch(input: &mut Input<'_>, start: usize) -> Result<TableSwitch, ParseError> {
    skip_padding(input)?;
    let default = far_target(input, start)?;
    let (low, high) = (input.i4()?, input.i4()?);
    let count = i64::from(high) - i64::from(low) + 1;
    let count = usize::try_from(count).map_err(|_| input.error(Problem::Malformed("tableswitch")))?;
    Ok(TableSwitch { default, low, targets: input.entries(count, 4, |input| far_target(input, start))? })
}

fn lookup_switch(input: &mut Input<'_>, start: usize) -> Result<LookupSwitch, ParseError> {
    skip_padding(input)?;
    let default = far_target(input, start)?;
    let count = usize::try_from(input.i4()?).map_err(|_| input.error(Problem::Malformed("lookupswitch")))?;
    Ok(LookupSwitch { default, pairs: input.entries(count, 8, |input| Ok((input.i4()?, far_target(input, start)?)))? })
}

/// Skips to the operands of a switch, which start at a multiple of four from the start of the code.
fn skip_padding(input: &mut Input<'_>) -> Result<(), ParseError> {
    input.take(input.position().wrapping_neg() % 4).map(|_| ())
}
