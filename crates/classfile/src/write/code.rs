//! Writing of the `Code` attribute.

use super::frames::FrameStart;
use super::layout::Layout;
use super::{Output, Writer};
use crate::{Attribute, Code, Handler, Instruction, Method, WriteError};

impl<'c> Writer<'c> {
    pub fn code(&mut self, code: &'c Code, method: &'c Method) -> Result<(), WriteError> {
        self.attribute_name("Code")?;
        let start = self.out.open();
        let operands = self.operands(&code.instructions)?;
        let layout = Layout::new(&code.instructions, &operands)?;
        self.check_far_branches(code, &layout)?;
        self.code_head(code, layout.length())?;
        self.instructions(&code.instructions, &operands, &layout)?;
        self.list("exception handlers", &code.handlers, |this, handler| this.handler(handler, &layout))?;
        self.out.count("attributes", code.attributes.len())?;
        for attribute in &code.attributes {
            match attribute {
                Attribute::StackMapTable(frames) => {
                    self.attribute_name("StackMapTable")?;
                    let start = self.out.open();
                    self.stack_map_table(frames, &FrameStart::of(self.class, method)?, &layout)?;
                    self.out.close(start)?;
                }
                other => self.attribute(other, Some(&layout))?,
            }
        }
        self.out.close(start)
    }

    fn code_head(&mut self, code: &Code, length: u32) -> Result<(), WriteError> {
        if self.class.version.has_short_code() {
            self.out.short_count("operand slots", code.max_stack.into())?;
            self.out.short_count("local slots", code.max_locals.into())?;
            return self.out.count("bytes of code", length as usize);
        }
        self.out.u2(code.max_stack);
        self.out.u2(code.max_locals);
        self.out.u4(length);
        Ok(())
    }

    /// The constant-pool index in each instruction, zero where there is none.
    fn operands(&mut self, instructions: &'c [Instruction]) -> Result<Vec<u16>, WriteError> {
        let operand = |instruction: &'c Instruction| match instruction {
            Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
                self.pool.constant(constant)
            }
            Instruction::Field(_, member) => self.pool.field(member),
            Instruction::Invoke(_, member) => self.pool.method(member),
            Instruction::InvokeDynamic(site) => self.pool.call_site(site),
            Instruction::New(name)
            | Instruction::ANewArray(name)
            | Instruction::CheckCast(name)
            | Instruction::InstanceOf(name)
            | Instruction::MultiANewArray(name, _) => self.pool.class(name),
            _ => Ok(0),
        };
        instructions.iter().map(operand).collect()
    }

    /// Rejects far conditional branches that would need a new frame. Such a branch becomes its
    /// inverse around a `goto_w`, which ends a block. Where the verifier needs frames, it needs one
    /// after the `goto_w`, and only a caller that knows the types can build it.
    fn check_far_branches(&self, code: &Code, layout: &Layout) -> Result<(), WriteError> {
        let frames = code.frames();
        if frames.is_empty() && self.class.version.major < 51 {
            return Ok(());
        }
        for (index, instruction) in code.instructions.iter().enumerate() {
            let next = index as u32 + 1;
            let framed = || frames.iter().any(|frame| frame.position == next);
            if matches!(instruction, Instruction::If(..)) && layout.is_far(index) && !framed() {
                return Err(WriteError::BranchTooFar { position: index as u32 });
            }
        }
        Ok(())
    }

    fn handler(&mut self, handler: &'c Handler, layout: &Layout) -> Result<(), WriteError> {
        self.out.u2(layout.instruction(handler.start)?);
        self.out.u2(layout.boundary(handler.end)?);
        self.out.u2(layout.instruction(handler.target)?);
        self.optional_class_ref(handler.catch.as_ref())
    }

    fn instructions(
        &mut self,
        instructions: &[Instruction],
        operands: &[u16],
        layout: &Layout,
    ) -> Result<(), WriteError> {
        let start = self.out.len();
        for (index, (instruction, operand)) in instructions.iter().zip(operands).enumerate() {
            super::emit::Emitter { out: &mut self.out, start, layout, index, operand: *operand }.emit(instruction)?;
        }
        Ok(())
    }
}

impl Output {
    pub(super) fn i4(&mut self, value: i32) {
        self.u4(value as u32);
    }
}
