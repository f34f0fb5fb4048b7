//! Plain getters and setters.

use lapidary_classfile::{FieldOp, Instruction, MemberRef, Method};

/// The field that a method reads and returns, if it does nothing else.
pub fn getter(method: &Method) -> Option<&MemberRef> {
    let code = method.code().filter(|code| code.handlers.is_empty())?;
    match &code.instructions[..] {
        [Instruction::Load(_, local), Instruction::Field(FieldOp::GetField, member), Instruction::Return(Some(_))]
            if local.index == 0 && !method.is_static() =>
        {
            Some(member)
        }
        [Instruction::Field(FieldOp::GetStatic, member), Instruction::Return(Some(_))] => Some(member),
        _ => None,
    }
}

/// The field to which a method assigns its parameter, if it does nothing else.
pub fn setter(method: &Method) -> Option<&MemberRef> {
    let code = method.code().filter(|code| code.handlers.is_empty() && method.name != "<init>")?;
    match &code.instructions[..] {
        [
            Instruction::Load(_, this),
            Instruction::Load(_, value),
            Instruction::Field(FieldOp::PutField, member),
            Instruction::Return(None),
        ] if this.index == 0 && value.index == 1 && !method.is_static() => Some(member),
        [Instruction::Load(_, value), Instruction::Field(FieldOp::PutStatic, member), Instruction::Return(None)]
            if value.index == 0 && method.is_static() =>
        {
            Some(member)
        }
        _ => None,
    }
}
