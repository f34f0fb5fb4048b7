//! Whether a method hands a reference on: returns it, stores it, or passes it to other code.
//!
//! The instructions behind each read are followed until one takes the reference from the stack.
//! Where that is not clear, the reference counts as handed on.

use lapidary_classfile::{ArrayKind, FieldOp, Instruction, InvokeOp, Kind, MemberRef, NumberKind, StackOp};
use lapidary_jvm::{FieldType, MethodType};
use std::collections::BTreeSet;

/// Returns whether a method hands on a reference that one of these instructions pushes.
pub(super) fn hands_on(code: &[Instruction], pushes_it: impl Fn(&Instruction) -> bool) -> bool {
    let mut locals = BTreeSet::new();
    loop {
        let before = locals.len();
        for (at, instruction) in code.iter().enumerate() {
            let is_copy =
                matches!(instruction, Instruction::Load(Kind::Reference, local) if locals.contains(&local.index));
            if !is_copy && !pushes_it(instruction) {
                continue;
            }
            match fate(&code[at + 1..]) {
                Fate::Used => {}
                Fate::Stored(local) => drop(locals.insert(local)),
                Fate::HandedOn => return true,
            }
        }
        if locals.len() == before {
            return false;
        }
    }
}

/// The use of a reference that is on the stack.
enum Fate {
    /// It is looked at and gone.
    Used,
    /// It is in a local variable.
    Stored(u16),
    HandedOn,
}

fn fate(following: &[Instruction]) -> Fate {
    // The number of stack slots above the reference.
    let mut above = 0;
    for instruction in following {
        let Some((pops, pushes)) = effect(instruction) else { return Fate::HandedOn };
        if pops > above {
            match instruction {
                Instruction::CheckCast(_) => continue,
                _ => return taken(instruction, above),
            }
        }
        let leaves = matches!(instruction, Instruction::Return(_) | Instruction::AThrow);
        if leaves || instruction.targets().next().is_some() {
            return Fate::HandedOn;
        }
        above = above - pops + pushes;
    }
    Fate::HandedOn
}

/// Returns what becomes of the reference when an instruction takes it from below so many slots.
fn taken(instruction: &Instruction, above: usize) -> Fate {
    let is_used = match instruction {
        Instruction::Store(Kind::Reference, local) => return Fate::Stored(local.index),
        Instruction::ArrayLoad(_)
        | Instruction::ArrayLength
        | Instruction::InstanceOf(_)
        | Instruction::MonitorEnter
        | Instruction::MonitorExit
        | Instruction::If(..)
        | Instruction::Field(FieldOp::GetField, _)
        | Instruction::Stack(StackOp::Pop) => true,
        Instruction::ArrayStore(_) | Instruction::Field(FieldOp::PutField, _) => above > 0,
        Instruction::Invoke(op, member) => {
            let is_receiver =
                *op != InvokeOp::Static && slots(&member.descriptor.as_str()).is_some_and(|(all, _)| all == above);
            is_receiver || only_reads(member)
        }
        Instruction::InvokeDynamic(site) => site.name == "makeConcatWithConstants",
        _ => false,
    };
    if is_used { Fate::Used } else { Fate::HandedOn }
}

/// Whether a method of the library only reads the arrays that it is given.
fn only_reads(member: &MemberRef) -> bool {
    let (owner, name) = (member.owner.as_str(), member.name.as_str());
    match &*owner {
        "java/util/Arrays" => !matches!(&*name, "asList" | "stream" | "spliterator"),
        "java/lang/System" => name == "arraycopy",
        "java/lang/String" | "java/lang/Math" => true,
        _ => false,
    }
}

/// The slots of the arguments and of the result of a descriptor.
fn slots(descriptor: &str) -> Option<(usize, usize)> {
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

    fn field() -> Instruction {
        let member = MemberRef { owner: "A".into(), name: "T".into(), descriptor: "[I".into(), interface: false };
        Instruction::Field(FieldOp::GetStatic, Arc::new(member))
    }

    fn is_handed_on(rest: &[Instruction]) -> bool {
        let code = [&[field()], rest].concat();
        hands_on(&code, |instruction| *instruction == field())
    }

    #[test]
    fn elements_and_lengths_are_looked_at() {
        use Instruction::*;
        assert!(!is_handed_on(&[IConst(0), ArrayLoad(ArrayKind::Int), Return(Some(Kind::Int))]));
        let local = Local::new(3);
        let loop_over = [Store(Kind::Reference, local), Load(Kind::Reference, local), ArrayLength, Return(None)];
        assert!(!is_handed_on(&loop_over));
    }

    #[test]
    fn what_is_returned_or_kept_is_handed_on() {
        use Instruction::*;
        assert!(is_handed_on(&[Return(Some(Kind::Reference))]));
        let local = Local::new(3);
        let returned_later =
            [Store(Kind::Reference, local), Load(Kind::Reference, local), Return(Some(Kind::Reference))];
        assert!(is_handed_on(&returned_later));
        assert!(is_handed_on(&[Goto(3), AConstNull, Return(Some(Kind::Reference))]), "the jump joins other code");
        assert!(!is_handed_on(&[If(Condition::Null, 3), Return(None)]));
    }
}
