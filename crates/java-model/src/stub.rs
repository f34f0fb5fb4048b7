//! The smallest bodies, for methods whose code is removed.

use lapidary_classfile::{
    Code, Constant, Instruction, InvokeOp, Kind, Local, MemberRef, Method, StackOp, Text, field_descriptor_length,
};
use std::sync::Arc;

/// The constructor call at the start of a constructor.
#[derive(Clone)]
pub(crate) enum FirstCall {
    /// `Object.<init>()`.
    Object,
    /// A constructor of the superclass or of the class itself, called with zeros and nulls.
    Constructor(Arc<MemberRef>),
}

/// A body that returns zero, null or nothing.
pub(crate) fn returning(method: &Method) -> Code {
    let kind = result_kind(&method.descriptor);
    let instructions = kind.map(zero).into_iter().chain([Instruction::Return(kind)]).collect();
    Code { max_stack: kind.map_or(0, slots), max_locals: argument_slots(method), instructions, ..Code::default() }
}

/// A constructor body that only calls another constructor.
pub(crate) fn constructor(method: &Method, first: &FirstCall) -> Code {
    let member = match first {
        FirstCall::Object => object_constructor(),
        FirstCall::Constructor(member) => member.clone(),
    };
    let parameters = parameter_kinds(&member.descriptor);
    let max_stack = all_slots(&parameters).saturating_add(1);
    let mut instructions = vec![Instruction::Load(Kind::Reference, Local::new(0))];
    instructions.extend(parameters.into_iter().map(zero));
    instructions.extend([Instruction::Invoke(InvokeOp::Special, member), Instruction::Return(None)]);
    Code { max_stack, max_locals: argument_slots(method), instructions, ..Code::default() }
}

/// The replacement of a superclass constructor call when only `Object` is left as a superclass.
pub(crate) fn object_instead_of(member: &MemberRef) -> Vec<Instruction> {
    let mut instructions: Vec<_> = parameter_kinds(&member.descriptor).into_iter().rev().map(drop_value).collect();
    instructions.push(Instruction::Invoke(InvokeOp::Special, object_constructor()));
    instructions
}

pub(crate) fn zero(kind: Kind) -> Instruction {
    match kind {
        Kind::Int => Instruction::IConst(0),
        Kind::Long => Instruction::LConst(0),
        Kind::Float => Instruction::FConst(0),
        Kind::Double => Instruction::DConst(0),
        Kind::Reference => Instruction::AConstNull,
    }
}

pub(crate) fn drop_value(kind: Kind) -> Instruction {
    Instruction::Stack(if slots(kind) == 2 { StackOp::Pop2 } else { StackOp::Pop })
}

/// The kinds of a method's parameters, without the receiver.
pub(crate) fn parameter_kinds(descriptor: &Text) -> Vec<Kind> {
    let mut rest = descriptor.as_bytes().strip_prefix(b"(").unwrap_or_default();
    let mut kinds = Vec::new();
    while let Some(kind) = rest.first().filter(|byte| **byte != b')').and_then(|_| kind_of(rest)) {
        kinds.push(kind);
        rest = &rest[field_descriptor_length(rest).unwrap_or(rest.len())..];
    }
    kinds
}

/// The kind of a method's result; `None` for `void`.
pub(crate) fn result_kind(descriptor: &Text) -> Option<Kind> {
    kind_of(descriptor.as_bytes().rsplit(|byte| *byte == b')').next().unwrap_or_default())
}

pub(crate) fn slots(kind: Kind) -> u16 {
    if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 }
}

/// Returns whether an instruction pushes a zero or null.
pub(crate) fn is_zero(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::IConst(0)
            | Instruction::LConst(0)
            | Instruction::FConst(0)
            | Instruction::DConst(0)
            | Instruction::AConstNull
    )
}

/// The kind of the constant that an instruction pushes; `None` for any other instruction.
pub(crate) fn constant_kind(instruction: &Instruction) -> Option<Kind> {
    match instruction {
        Instruction::IConst(_) | Instruction::BiPush(_) | Instruction::SiPush(_) => Some(Kind::Int),
        Instruction::LConst(_) => Some(Kind::Long),
        Instruction::FConst(_) => Some(Kind::Float),
        Instruction::DConst(_) => Some(Kind::Double),
        Instruction::AConstNull => Some(Kind::Reference),
        Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => match constant {
            Constant::Int(_) => Some(Kind::Int),
            Constant::Float(_) => Some(Kind::Float),
            Constant::Long(_) => Some(Kind::Long),
            Constant::Double(_) => Some(Kind::Double),
            Constant::Dynamic(dynamic) => kind_of(dynamic.descriptor.as_bytes()),
            _ => Some(Kind::Reference),
        },
        _ => None,
    }
}

fn argument_slots(method: &Method) -> u16 {
    all_slots(&parameter_kinds(&method.descriptor)).saturating_add(u16::from(!method.is_static()))
}

/// The number of slots of all parameters. A descriptor may have more than the JVM allows; then
/// nothing can call the method anyway.
fn all_slots(kinds: &[Kind]) -> u16 {
    kinds.iter().fold(0, |sum, kind| sum.saturating_add(slots(*kind)))
}

fn object_constructor() -> Arc<MemberRef> {
    Arc::new(MemberRef {
        owner: "java/lang/Object".into(),
        name: "<init>".into(),
        descriptor: "()V".into(),
        interface: false,
    })
}

fn kind_of(descriptor: &[u8]) -> Option<Kind> {
    match descriptor.first()? {
        b'V' => None,
        b'J' => Some(Kind::Long),
        b'F' => Some(Kind::Float),
        b'D' => Some(Kind::Double),
        b'L' | b'[' => Some(Kind::Reference),
        _ => Some(Kind::Int),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_classfile::access;

    #[test]
    fn a_stub_returns_a_zero_of_the_right_kind() {
        let method = |access, descriptor: &str| Method {
            access,
            name: "m".into(),
            descriptor: descriptor.into(),
            attributes: Vec::new(),
        };
        let stub = returning(&method(0, "(J)D"));
        assert_eq!(stub.instructions, [Instruction::DConst(0), Instruction::Return(Some(Kind::Double))]);
        assert_eq!((stub.max_stack, stub.max_locals), (2, 3));
        assert_eq!(returning(&method(access::STATIC, "()V")).instructions, [Instruction::Return(None)]);
    }

    #[test]
    fn arguments_are_dropped_last_first() {
        let member = MemberRef {
            owner: "p/A".into(),
            name: "<init>".into(),
            descriptor: "(I[[JJLp/B;)V".into(),
            interface: false,
        };
        let instead = object_instead_of(&member);
        let pops: Vec<_> = instead.iter().map(Instruction::mnemonic).collect();
        assert_eq!(pops, ["pop", "pop2", "pop", "pop", "invokespecial"]);
    }
}
