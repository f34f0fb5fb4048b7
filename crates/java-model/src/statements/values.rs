//! Values that can be replaced by zero or null.

use super::{Change, Piece};
use crate::stub::{constant_kind, drop_value, is_zero, parameter_kinds, result_kind, slots, zero};
use lapidary_classfile::{
    ArrayKind, Code, Conversion, FieldOp, Instruction, IntegerKind, InvokeOp, Kind, NumberKind, Position, StackOp, Text,
};
use lapidary_jvm::typing::{Type, Typing};

pub(super) fn pieces(code: &Code, typing: &Typing) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (position, instruction) in code.instructions.iter().enumerate() {
        let position = position as Position;
        if typing.before(position).is_none() {
            continue;
        }
        let change = creation(code, typing, position).or_else(|| instead(instruction).map(Change::Value));
        pieces.extend(change.map(|change| Piece { range: position..position + 1, change, parent: None }));
    }
    pieces
}

/// The replacement of an instruction that computes a value.
fn instead(instruction: &Instruction) -> Option<Vec<Instruction>> {
    use Instruction as I;
    if let Some(kind) = constant_kind(instruction).filter(|_| !is_zero(instruction)) {
        return Some(vec![zero(kind)]);
    }
    let (operands, result) = match instruction {
        I::ArrayLoad(kind) => (vec![Kind::Reference, Kind::Int], Some(element_kind(*kind))),
        I::Arithmetic(_, kind) => return Some(vec![drop_value(number(*kind))]),
        I::Logic(_, kind) => return Some(vec![drop_value(integer(*kind))]),
        I::Shift(..) => return Some(vec![drop_value(Kind::Int)]),
        I::Negate(_) | I::Convert(Conversion::IntToByte | Conversion::IntToChar | Conversion::IntToShort) => {
            return Some(Vec::new());
        }
        I::Convert(conversion) => (vec![number(conversion.from())], Some(number(conversion.to()))),
        I::Field(FieldOp::GetStatic, member) => (Vec::new(), kind_of_field(&member.descriptor)),
        I::Field(FieldOp::GetField, member) => (vec![Kind::Reference], kind_of_field(&member.descriptor)),
        I::Field(FieldOp::PutStatic, member) => (kind_of_field(&member.descriptor).into_iter().collect(), None),
        I::Field(FieldOp::PutField, member) => {
            ([Kind::Reference].into_iter().chain(kind_of_field(&member.descriptor)).collect(), None)
        }
        I::Invoke(op, member) if member.name != "<init>" => {
            let receiver = (*op != InvokeOp::Static).then_some(Kind::Reference);
            (receiver.into_iter().chain(parameter_kinds(&member.descriptor)).collect(), result_kind(&member.descriptor))
        }
        I::InvokeDynamic(site) => (parameter_kinds(&site.descriptor), result_kind(&site.descriptor)),
        I::NewArray(_) | I::ANewArray(_) => (vec![Kind::Int], Some(Kind::Reference)),
        I::MultiANewArray(_, dimensions) => (vec![Kind::Int; usize::from(*dimensions)], Some(Kind::Reference)),
        I::CheckCast(_) => (vec![Kind::Reference], Some(Kind::Reference)),
        I::InstanceOf(_) | I::ArrayLength => (vec![Kind::Reference], Some(Kind::Int)),
        _ => return None,
    };
    Some(operands.into_iter().rev().map(drop_value).chain(result.map(zero)).collect())
}

/// Recognises `new C; dup; …; invokespecial C.<init>` from its first instruction.
fn creation(code: &Code, typing: &Typing, position: Position) -> Option<Change> {
    let Instruction::New(_) = &code.instructions[position as usize] else { return None };
    let Some(Instruction::Stack(StackOp::Dup)) = code.instructions.get(position as usize + 1) else { return None };
    let made = Type::Uninitialized(position);
    let is_call = |call: &Position| match &code.instructions[*call as usize] {
        Instruction::Invoke(InvokeOp::Special, member) if member.name == "<init>" => {
            let depth = parameter_kinds(&member.descriptor).len();
            let stack = typing.before(*call).map(|state| state.stack.as_slice()).unwrap_or_default();
            let receiver = stack.len().checked_sub(depth + 1);
            let both =
                receiver.filter(|receiver| *receiver > 0 && stack[*receiver] == made && stack[receiver - 1] == made);
            both.is_some()
        }
        _ => false,
    };
    let mut calls = (position + 2..code.instructions.len() as Position).filter(is_call);
    let call = calls.next().filter(|_| calls.next().is_none())?;
    let Instruction::Invoke(_, member) = &code.instructions[call as usize] else { return None };
    // No other copy of the object may exist before it is constructed.
    let copied = (position + 2..call)
        .filter_map(|between| typing.before(between))
        .any(|state| state.locals.contains(&made) || state.stack.iter().filter(|entry| **entry == made).count() != 2);
    let drops = parameter_kinds(&member.descriptor).into_iter().rev().map(drop_value);
    (!copied).then(|| Change::Creation { call, instead: drops.chain([Instruction::AConstNull]).collect() })
}

fn kind_of_field(descriptor: &Text) -> Option<Kind> {
    result_kind(descriptor)
}

fn element_kind(kind: ArrayKind) -> Kind {
    match kind {
        ArrayKind::Long => Kind::Long,
        ArrayKind::Float => Kind::Float,
        ArrayKind::Double => Kind::Double,
        ArrayKind::Reference => Kind::Reference,
        _ => Kind::Int,
    }
}

fn number(kind: NumberKind) -> Kind {
    match kind {
        NumberKind::Int => Kind::Int,
        NumberKind::Long => Kind::Long,
        NumberKind::Float => Kind::Float,
        NumberKind::Double => Kind::Double,
    }
}

fn integer(kind: IntegerKind) -> Kind {
    if kind == IntegerKind::Long { Kind::Long } else { Kind::Int }
}

/// The number of slots that an instruction pushes, if it does nothing else.
pub(crate) fn pushes_only(instruction: &Instruction) -> Option<u16> {
    match instruction {
        Instruction::Load(kind, _) => Some(slots(*kind)),
        Instruction::Stack(StackOp::Dup) => Some(1),
        Instruction::Stack(StackOp::Dup2) => Some(2),
        Instruction::Ldc(lapidary_classfile::Constant::Dynamic(_)) => None,
        _ => constant_kind(instruction).map(slots),
    }
}
