//! Instructions with symbolic operands.
//!
//! The form in which the file spells an instruction is kept (`iload_0` or `iload 0`, `bipush` or
//! `sipush`, `goto` or `goto_w`), so that unchanged code is written back as it was. The writer
//! changes the form only where the operand no longer fits.

use crate::opcode::{self, MNEMONICS};
use crate::operand::{
    Arithmetic, ArrayKind, Comparison, Condition, Conversion, FieldOp, IntegerKind, InvokeOp, Kind, Local, LocalForm,
    Logic, NumberKind, PrimitiveType, Shift, StackOp,
};
use crate::{Constant, Dynamic, MemberRef, Text};
use std::sync::Arc;

/// The index of an instruction. As the end of a range, the number of instructions is also a valid
/// position.
pub type Position = u32;

/// An instruction of a method body (JVMS chapter 6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    Nop,
    AConstNull,
    /// Pushes -1 to 5.
    IConst(i8),
    /// Pushes 0 or 1.
    LConst(u8),
    /// Pushes 0 to 2.
    FConst(u8),
    /// Pushes 0 or 1.
    DConst(u8),
    BiPush(i8),
    SiPush(i16),
    /// Written as `ldc_w` when the constant's index takes two bytes.
    Ldc(Constant),
    LdcW(Constant),
    /// For longs, doubles, and dynamic constants of these types.
    Ldc2W(Constant),
    Load(Kind, Local),
    Store(Kind, Local),
    ArrayLoad(ArrayKind),
    ArrayStore(ArrayKind),
    Stack(StackOp),
    Arithmetic(Arithmetic, NumberKind),
    Negate(NumberKind),
    Shift(Shift, IntegerKind),
    Logic(Logic, IntegerKind),
    Increment(Local, i16),
    Convert(Conversion),
    Compare(Comparison),
    If(Condition, Position),
    /// Written as `goto_w` when the target is far.
    Goto(Position),
    GotoW(Position),
    /// Written as `jsr_w` when the target is far.
    Jsr(Position),
    JsrW(Position),
    Ret(Local),
    TableSwitch(Box<TableSwitch>),
    LookupSwitch(Box<LookupSwitch>),
    /// `None` returns nothing.
    Return(Option<Kind>),
    Field(FieldOp, Arc<MemberRef>),
    Invoke(InvokeOp, Arc<MemberRef>),
    InvokeDynamic(Arc<Dynamic>),
    New(Text),
    NewArray(PrimitiveType),
    ANewArray(Text),
    ArrayLength,
    AThrow,
    CheckCast(Text),
    InstanceOf(Text),
    MonitorEnter,
    MonitorExit,
    /// The array class and the number of dimensions to allocate.
    MultiANewArray(Text, u8),
}

/// The operands of `tableswitch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSwitch {
    pub default: Position,
    /// The value that jumps to the first target; the next jumps to the second, and so on.
    pub low: i32,
    pub targets: Vec<Position>,
}

/// The operands of `lookupswitch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupSwitch {
    pub default: Position,
    /// The cases in ascending order of values.
    pub pairs: Vec<(i32, Position)>,
}

impl Instruction {
    /// The shortest instruction that pushes an int.
    pub fn int(value: i32) -> Instruction {
        match value {
            -1..=5 => Instruction::IConst(value as i8),
            -128..=127 => Instruction::BiPush(value as i8),
            -32768..=32767 => Instruction::SiPush(value as i16),
            _ => Instruction::Ldc(Constant::Int(value)),
        }
    }

    /// All positions that control may jump to from here.
    pub fn targets(&self) -> impl Iterator<Item = Position> + '_ {
        let (first, table, pairs): (_, &[Position], &[(i32, Position)]) = match self {
            Instruction::If(_, target)
            | Instruction::Goto(target)
            | Instruction::GotoW(target)
            | Instruction::Jsr(target)
            | Instruction::JsrW(target) => (Some(*target), &[], &[]),
            Instruction::TableSwitch(switch) => (Some(switch.default), &switch.targets, &[]),
            Instruction::LookupSwitch(switch) => (Some(switch.default), &[], &switch.pairs),
            _ => (None, &[], &[]),
        };
        first.into_iter().chain(table.iter().copied()).chain(pairs.iter().map(|(_, target)| *target))
    }

    /// Replaces every target.
    pub fn map_targets(&mut self, mut new: impl FnMut(Position) -> Position) {
        let done: Result<(), std::convert::Infallible> = self.try_map_targets(|target| Ok(new(target)));
        match done {
            Ok(()) => {}
        }
    }

    /// Replaces every target, up to the first that has no replacement.
    pub fn try_map_targets<E>(&mut self, mut new: impl FnMut(Position) -> Result<Position, E>) -> Result<(), E> {
        let mut replace = |target: &mut Position| new(*target).map(|found| *target = found);
        match self {
            Instruction::If(_, target)
            | Instruction::Goto(target)
            | Instruction::GotoW(target)
            | Instruction::Jsr(target)
            | Instruction::JsrW(target) => replace(target),
            Instruction::TableSwitch(switch) => {
                replace(&mut switch.default)?;
                switch.targets.iter_mut().try_for_each(replace)
            }
            Instruction::LookupSwitch(switch) => {
                replace(&mut switch.default)?;
                switch.pairs.iter_mut().try_for_each(|(_, target)| replace(target))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the next instruction may run after this one. After `jsr` it does, once the
    /// subroutine returns.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Instruction::Goto(_)
                | Instruction::GotoW(_)
                | Instruction::Ret(_)
                | Instruction::TableSwitch(_)
                | Instruction::LookupSwitch(_)
                | Instruction::Return(_)
                | Instruction::AThrow
        )
    }

    /// Changes the instruction to its shortest equivalent form.
    pub fn shorten(&mut self) {
        match self {
            Instruction::BiPush(value) => *self = Instruction::int((*value).into()),
            Instruction::SiPush(value) => *self = Instruction::int((*value).into()),
            Instruction::LdcW(constant) => *self = Instruction::Ldc(constant.clone()),
            Instruction::GotoW(target) => *self = Instruction::Goto(*target),
            Instruction::JsrW(target) => *self = Instruction::Jsr(*target),
            Instruction::Load(_, local)
            | Instruction::Store(_, local)
            | Instruction::Increment(local, _)
            | Instruction::Ret(local) => *local = Local::new(local.index),
            _ => {}
        }
    }

    /// The opcode in the form kept here, without the prefix `wide`.
    pub fn opcode(&self) -> u8 {
        match self {
            Instruction::Nop => opcode::NOP,
            Instruction::AConstNull => opcode::ACONST_NULL,
            Instruction::IConst(value) => opcode::ICONST_0.wrapping_add_signed(*value),
            Instruction::LConst(value) => opcode::LCONST_0 + (value & 1),
            Instruction::FConst(value) => opcode::FCONST_0 + (value & 3),
            Instruction::DConst(value) => opcode::DCONST_0 + (value & 1),
            Instruction::BiPush(_) => opcode::BIPUSH,
            Instruction::SiPush(_) => opcode::SIPUSH,
            Instruction::Ldc(_) => opcode::LDC,
            Instruction::LdcW(_) => opcode::LDC_W,
            Instruction::Ldc2W(_) => opcode::LDC2_W,
            Instruction::Load(kind, local) => local_opcode(opcode::ILOAD, opcode::ILOAD_0, *kind, *local),
            Instruction::Store(kind, local) => local_opcode(opcode::ISTORE, opcode::ISTORE_0, *kind, *local),
            Instruction::ArrayLoad(kind) => opcode::IALOAD + *kind as u8,
            Instruction::ArrayStore(kind) => opcode::IASTORE + *kind as u8,
            Instruction::Stack(op) => opcode::POP + *op as u8,
            Instruction::Arithmetic(op, kind) => opcode::IADD + 4 * *op as u8 + *kind as u8,
            Instruction::Negate(kind) => opcode::INEG + *kind as u8,
            Instruction::Shift(op, kind) => opcode::ISHL + 2 * *op as u8 + *kind as u8,
            Instruction::Logic(op, kind) => opcode::IAND + 2 * *op as u8 + *kind as u8,
            Instruction::Increment(..) => opcode::IINC,
            Instruction::Convert(conversion) => opcode::I2L + *conversion as u8,
            Instruction::Compare(comparison) => opcode::LCMP + *comparison as u8,
            Instruction::If(condition, _) => condition_opcode(*condition),
            Instruction::Goto(_) => opcode::GOTO,
            Instruction::GotoW(_) => opcode::GOTO_W,
            Instruction::Jsr(_) => opcode::JSR,
            Instruction::JsrW(_) => opcode::JSR_W,
            Instruction::Ret(_) => opcode::RET,
            Instruction::TableSwitch(_) => opcode::TABLESWITCH,
            Instruction::LookupSwitch(_) => opcode::LOOKUPSWITCH,
            Instruction::Return(None) => opcode::RETURN,
            Instruction::Return(Some(kind)) => opcode::IRETURN + *kind as u8,
            Instruction::Field(op, _) => opcode::GETSTATIC + *op as u8,
            Instruction::Invoke(op, _) => opcode::INVOKEVIRTUAL + *op as u8,
            Instruction::InvokeDynamic(_) => opcode::INVOKEDYNAMIC,
            Instruction::New(_) => opcode::NEW,
            Instruction::NewArray(_) => opcode::NEWARRAY,
            Instruction::ANewArray(_) => opcode::ANEWARRAY,
            Instruction::ArrayLength => opcode::ARRAYLENGTH,
            Instruction::AThrow => opcode::ATHROW,
            Instruction::CheckCast(_) => opcode::CHECKCAST,
            Instruction::InstanceOf(_) => opcode::INSTANCEOF,
            Instruction::MonitorEnter => opcode::MONITORENTER,
            Instruction::MonitorExit => opcode::MONITOREXIT,
            Instruction::MultiANewArray(..) => opcode::MULTIANEWARRAY,
        }
    }

    pub fn mnemonic(&self) -> &'static str {
        MNEMONICS.get(usize::from(self.opcode())).copied().unwrap_or("illegal")
    }
}

fn local_opcode(base: u8, implicit: u8, kind: Kind, local: Local) -> u8 {
    match local.written_form() {
        LocalForm::Implicit => implicit + 4 * kind as u8 + local.index as u8,
        LocalForm::Byte | LocalForm::Wide => base + kind as u8,
    }
}

pub(crate) fn condition_opcode(condition: Condition) -> u8 {
    match condition {
        Condition::Null | Condition::NonNull => opcode::IFNULL + (condition as u8 - Condition::Null as u8),
        _ => opcode::IFEQ + condition as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_stay_small() {
        assert_eq!(size_of::<Instruction>(), 32);
    }

    #[test]
    fn opcodes_and_names_agree() {
        let named = [
            (Instruction::IConst(-1), "iconst_m1"),
            (Instruction::Load(Kind::Reference, Local::new(3)), "aload_3"),
            (Instruction::Load(Kind::Double, Local::new(4)), "dload"),
            (Instruction::Store(Kind::Reference, Local::new(0)), "astore_0"),
            (Instruction::ArrayStore(ArrayKind::Short), "sastore"),
            (Instruction::Stack(StackOp::Swap), "swap"),
            (Instruction::Arithmetic(Arithmetic::Rem, NumberKind::Double), "drem"),
            (Instruction::Negate(NumberKind::Float), "fneg"),
            (Instruction::Shift(Shift::UnsignedRight, IntegerKind::Long), "lushr"),
            (Instruction::Logic(Logic::Xor, IntegerKind::Int), "ixor"),
            (Instruction::Convert(Conversion::IntToShort), "i2s"),
            (Instruction::Compare(Comparison::DoubleGreater), "dcmpg"),
            (Instruction::If(Condition::ReferenceNe, 0), "if_acmpne"),
            (Instruction::If(Condition::NonNull, 0), "ifnonnull"),
            (Instruction::Return(Some(Kind::Reference)), "areturn"),
            (Instruction::Return(None), "return"),
            (Instruction::MultiANewArray("[[I".into(), 2), "multianewarray"),
            (Instruction::JsrW(0), "jsr_w"),
        ];
        for (instruction, name) in named {
            assert_eq!(instruction.mnemonic(), name);
        }
    }

    #[test]
    fn every_target_of_a_switch_is_seen_and_replaced() {
        let mut switch = Instruction::LookupSwitch(Box::new(LookupSwitch { default: 9, pairs: vec![(1, 5), (7, 6)] }));
        assert_eq!(switch.targets().collect::<Vec<_>>(), [9, 5, 6]);
        switch.map_targets(|target| target + 1);
        assert_eq!(switch.targets().collect::<Vec<_>>(), [10, 6, 7]);
        assert!(!switch.falls_through());
    }

    #[test]
    fn shortening_keeps_the_meaning() {
        let mut push = Instruction::SiPush(5);
        push.shorten();
        assert_eq!(push, Instruction::IConst(5));
        let mut load = Instruction::Load(Kind::Int, Local { index: 9, form: LocalForm::Wide });
        load.shorten();
        assert_eq!(load, Instruction::Load(Kind::Int, Local { index: 9, form: LocalForm::Byte }));
    }
}
