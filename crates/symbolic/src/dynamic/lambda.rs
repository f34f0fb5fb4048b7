//! Lambda expressions and method references: generates a class that keeps the captured values in
//! fields and has one method that calls the body.

use super::{
    Request,
    emit::{self, Emitter},
};
use crate::machine::Machine;
use lapidary_classfile::{
    Class, Constant, Field, FieldOp, Handle, HandleKind, Instruction, InvokeOp, MemberRef, StackOp, Text, access,
};
use lapidary_jvm::{FieldType, MethodType};
use std::sync::Arc;

pub(super) fn class(request: &Request<'_>, machine: &Machine) -> Option<Class> {
    let [Constant::MethodType(erased), Constant::MethodHandle(body), Constant::MethodType(actual), extra @ ..] =
        request.arguments
    else {
        return None;
    };
    let Some(FieldType::Object(interface)) = &request.type_.result else { return None };
    let mut class = emit::class(format!("{}$$Lambda${}", request.owner, request.number));
    class.interfaces.push(interface.clone());
    for (place, type_) in request.type_.parameters.iter().enumerate() {
        class.fields.push(captured_field(place, type_));
    }
    let actual = MethodType::parse(actual.as_bytes()).ok()?;
    let mut shapes = vec![erased.clone()];
    more(extra, &mut class.interfaces, &mut shapes);
    for shape in shapes {
        let shape = MethodType::parse(shape.as_bytes()).ok()?;
        let method = forwarding(&class.name, request, &shape, &actual, body, machine)?;
        class.methods.push(method);
    }
    Some(class)
}

/// Reads the extra arguments of `altMetafactory`: flags, marker interfaces and bridge descriptors.
fn more(extra: &[Constant], interfaces: &mut Vec<Text>, shapes: &mut Vec<Text>) {
    const SERIALISABLE: i32 = 1;
    const MARKERS: i32 = 2;
    const BRIDGES: i32 = 4;
    let [Constant::Int(flags), rest @ ..] = extra else { return };
    let mut rest = rest.iter();
    if flags & SERIALISABLE != 0 {
        interfaces.push("java/io/Serializable".into());
    }
    if flags & MARKERS != 0 {
        let count = counted(rest.next());
        let named = rest.by_ref().take(count).filter_map(|marker| match marker {
            Constant::Class(name) => Some(name.clone()),
            _ => None,
        });
        interfaces.extend(named);
    }
    if flags & BRIDGES != 0 {
        let count = counted(rest.next());
        shapes.extend(rest.take(count).filter_map(|bridge| match bridge {
            Constant::MethodType(type_) => Some(type_.clone()),
            _ => None,
        }));
    }
}

fn counted(constant: Option<&Constant>) -> usize {
    match constant {
        Some(Constant::Int(count)) => usize::try_from(*count).unwrap_or(0),
        _ => 0,
    }
}

fn captured_field(place: usize, type_: &FieldType) -> Field {
    let name = format!("captured{place}").into();
    Field { access: access::PRIVATE | access::FINAL, name, descriptor: type_.descriptor(), attributes: Vec::new() }
}

fn forwarding(
    class: &Text,
    request: &Request<'_>,
    shape: &MethodType,
    actual: &MethodType,
    body: &Handle,
    machine: &Machine,
) -> Option<lapidary_classfile::Method> {
    let member = &body.member;
    let target = MethodType::parse(member.descriptor.as_bytes()).ok()?;
    let mut emitter = Emitter::new(1 + shape.parameter_slots());
    let wanted = wanted_types(body, &target);
    if body.kind == HandleKind::NewInvokeSpecial {
        emitter.push(Instruction::New(member.owner.clone()));
        emitter.push(Instruction::Stack(StackOp::Dup));
    }
    let this = FieldType::Object(class.clone());
    for (place, type_) in request.type_.parameters.iter().enumerate() {
        emitter.load(&this, 0);
        emitter.field(FieldOp::GetField, class, &format!("captured{place}").into(), type_);
        emitter.convert(type_, wanted.get(place)?);
    }
    let captured = request.type_.parameters.len();
    let mut local = 1;
    for (place, type_) in shape.parameters.iter().enumerate() {
        emitter.load(type_, local);
        local += type_.slots();
        let seen = actual.parameters.get(place).unwrap_or(type_);
        if type_.is_reference() && seen.is_reference() {
            emitter.cast(seen);
        }
        emitter.convert(seen, wanted.get(captured + place)?);
    }
    call(&mut emitter, body, machine);
    let made = match body.kind {
        HandleKind::NewInvokeSpecial => Some(FieldType::Object(member.owner.clone())),
        _ => target.result,
    };
    finish(&mut emitter, made.as_ref(), shape.result.as_ref());
    Some(emitter.method(access::PUBLIC, request.name, shape))
}

/// The parameter types of the body, the receiver first.
pub(super) fn wanted_types(body: &Handle, target: &MethodType) -> Vec<FieldType> {
    let has_receiver =
        matches!(body.kind, HandleKind::InvokeVirtual | HandleKind::InvokeInterface | HandleKind::InvokeSpecial);
    let receiver = has_receiver.then(|| FieldType::of_class_constant(&body.member.owner).ok()).flatten();
    receiver.into_iter().chain(target.parameters.iter().cloned()).collect()
}

pub(super) fn call(emitter: &mut Emitter, body: &Handle, machine: &Machine) {
    let operation = match body.kind {
        HandleKind::InvokeStatic => InvokeOp::Static,
        HandleKind::InvokeInterface => InvokeOp::Interface,
        HandleKind::InvokeVirtual => InvokeOp::Virtual,
        // A private method of the class, which `invokevirtual` finds as well.
        HandleKind::InvokeSpecial => {
            let owner = machine.world.hierarchy.owner(&body.member.owner);
            if machine.world.hierarchy.is_interface(owner) == Some(true) {
                InvokeOp::Interface
            } else {
                InvokeOp::Virtual
            }
        }
        _ => InvokeOp::Special,
    };
    let member = MemberRef { ..(*body.member).clone() };
    emitter.push(Instruction::Invoke(operation, Arc::new(member)));
}

pub(super) fn finish(emitter: &mut Emitter, made: Option<&FieldType>, wanted: Option<&FieldType>) {
    match (made, wanted) {
        (Some(made), Some(wanted)) => emitter.convert(made, wanted),
        (Some(made), None) if made.slots() == 2 => emitter.push(Instruction::Stack(StackOp::Pop2)),
        (Some(_), None) => emitter.push(Instruction::Stack(StackOp::Pop)),
        (None, _) => {}
    }
    emitter.return_(wanted);
}
