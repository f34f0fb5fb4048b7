//! Which instruction takes a value from the operand stack.
//!
//! The instructions behind the one that pushes a value are followed as long as there is one way on.

use lapidary_classfile::{ArrayKind, FieldOp, Instruction, InvokeOp, Kind, MemberRef, NumberKind, StackOp};
use lapidary_jvm::{FieldType, MethodType};

/// The use of a value that an instruction pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// The instruction that takes it.
    pub at: usize,
    /// The slots that are above the value on the stack.
    pub above: usize,
}

/// Returns which instruction takes the value that the instruction at `pushed` pushes. `None` if
/// the code branches or rearranges the stack before.
pub(super) fn taker(code: &[Instruction], pushed: usize) -> Option<Taken> {
    let mut above = 0;
    for (at, instruction) in code.iter().enumerate().skip(pushed + 1) {
        let (pops, pushes) = effect(instruction)?;
        if pops > above {
            return Some(Taken { at, above });
        }
        let leaves = matches!(instruction, Instruction::Return(_) | Instruction::AThrow);
        if leaves || instruction.targets().next().is_some() {
            return None;
        }
        above = above - pops + pushes;
    }
    None
}

/// The slots of the arguments and of the result of a descriptor.
pub(super) fn slots(descriptor: &str) -> Option<(usize, usize)> {
    let type_ = MethodType::parse(descriptor).ok()?;
    Some((type_.parameter_slots(), type_.result.as_ref().map_or(0, FieldType::slots)))
}

/// The stack slots that an instruction pops and pushes. `None` if it rearranges the stack in a way
/// that is not followed.
fn effect(instruction: &Instruction) -> Option<(usize, usize)> {
    use Instruction::*;
    let wide = |is_wide: bool| if is_wide { 2 } else { 1 };
    let of_kind = |kind: &Kind| wide(matches!(kind, Kind::Long | Kind::Double));
    let of_number = |kind: &NumberKind| wide(matches!(kind, NumberKind::Long | NumberKind::Double));
    let of_array = |kind: &ArrayKind| wide(matches!(kind, ArrayKind::Long | ArrayKind::Double));
    let of_field = |member: &MemberRef| FieldType::parse(&*member.descriptor.as_str()).ok().map(|type_| type_.slots());
    Some(match instruction {
        Nop | Increment(..) | Goto(_) | GotoW(_) | Ret(_) => (0, 0),
        AConstNull | IConst(_) | FConst(_) | BiPush(_) | SiPush(_) | Ldc(_) | LdcW(_) | New(_) | Jsr(_) | JsrW(_) => {
            (0, 1)
        }
        LConst(_) | DConst(_) | Ldc2W(_) => (0, 2),
        Load(kind, _) => (0, of_kind(kind)),
        Store(kind, _) => (of_kind(kind), 0),
        ArrayLoad(kind) => (2, of_array(kind)),
        ArrayStore(kind) => (2 + of_array(kind), 0),
        Stack(StackOp::Pop) => (1, 0),
        Stack(StackOp::Pop2) => (2, 0),
        Stack(StackOp::Dup) => (1, 2),
        Stack(StackOp::Dup2) => (2, 4),
        Stack(_) => return None,
        Arithmetic(_, kind) => (2 * of_number(kind), of_number(kind)),
        Negate(kind) => (of_number(kind), of_number(kind)),
        Shift(_, kind) => {
            let slots = wide(*kind == lapidary_classfile::IntegerKind::Long);
            (slots + 1, slots)
        }
        Logic(_, kind) => {
            let slots = wide(*kind == lapidary_classfile::IntegerKind::Long);
            (2 * slots, slots)
        }
        Convert(conversion) => (of_number(&conversion.from()), of_number(&conversion.to())),
        Compare(comparison) => {
            use lapidary_classfile::Comparison::{FloatGreater, FloatLess};
            (if matches!(comparison, FloatLess | FloatGreater) { 2 } else { 4 }, 1)
        }
        If(condition, _) => (condition.operands(), 0),
        TableSwitch(_) | LookupSwitch(_) | AThrow | MonitorEnter | MonitorExit => (1, 0),
        Return(kind) => (kind.as_ref().map_or(0, of_kind), 0),
        Field(FieldOp::GetStatic, member) => (0, of_field(member)?),
        Field(FieldOp::PutStatic, member) => (of_field(member)?, 0),
        Field(FieldOp::GetField, member) => (1, of_field(member)?),
        Field(FieldOp::PutField, member) => (1 + of_field(member)?, 0),
        Invoke(op, member) => {
            let (arguments, result) = slots(&member.descriptor.as_str())?;
            (arguments + usize::from(*op != InvokeOp::Static), result)
        }
        InvokeDynamic(site) => slots(&site.descriptor.as_str())?,
        NewArray(_) | ANewArray(_) | ArrayLength | CheckCast(_) | InstanceOf(_) => (1, 1),
        MultiANewArray(_, dimensions) => (usize::from(*dimensions), 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_classfile::{Condition, Local};
    use std::sync::Arc;

    /// Returns what takes the reference that the first instruction of some code pushes.
    fn taken(rest: &[Instruction]) -> Option<Taken> {
        let member = MemberRef { owner: "A".into(), name: "T".into(), descriptor: "[I".into(), interface: false };
        let field = Instruction::Field(FieldOp::GetStatic, Arc::new(member));
        taker(&[&[field], rest].concat(), 0)
    }

    #[test]
    fn a_value_is_found_below_what_is_pushed_after_it() {
        use Instruction::*;
        assert_eq!(taken(&[ArrayLength]), Some(Taken { at: 1, above: 0 }));
        assert_eq!(taken(&[IConst(0), ArrayLoad(ArrayKind::Int)]), Some(Taken { at: 2, above: 1 }));
        assert_eq!(taken(&[IConst(0), LConst(1), ArrayStore(ArrayKind::Long)]), Some(Taken { at: 3, above: 3 }));
        let sum = [IConst(1), IConst(2), Arithmetic(lapidary_classfile::Arithmetic::Add, NumberKind::Int)];
        assert_eq!(taken(&[&sum[..], &[ArrayLoad(ArrayKind::Int)]].concat()), Some(Taken { at: 4, above: 1 }));
        assert_eq!(taken(&[Return(Some(Kind::Reference))]), Some(Taken { at: 1, above: 0 }));
    }

    #[test]
    fn a_value_is_lost_where_code_branches() {
        use Instruction::*;
        assert_eq!(taken(&[Goto(3), AConstNull, ArrayLength]), None);
        assert_eq!(taken(&[Load(Kind::Int, Local::new(0)), If(Condition::Eq, 1), ArrayLength]), None);
        assert_eq!(taken(&[Stack(StackOp::Swap), ArrayLength]), None);
        assert_eq!(taken(&[If(Condition::Null, 3)]), Some(Taken { at: 1, above: 0 }));
    }
}
