//! The classes and members that a body names, found without any types.

use super::fact::{Fact, FactKind};
use super::shape::element_class;
use lapidary_classfile::{
    Class, Code, Constant, Dynamic, FieldOp, Handle, HandleKind, Instruction, InvokeOp, MemberRef, Method, Position,
    Text, VerificationType,
};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Returns everything that a method's code names, in order of position. For a body without types,
/// this is all that can be said.
pub fn names(class: &Class, method: &Method) -> Vec<Fact> {
    let Some(code) = method.code() else { return Vec::new() };
    let mut collector = Collector::new(class);
    collector.code(code);
    collector.finish()
}

/// Collects facts and returns them in order, without repetition at one position.
pub(super) struct Collector<'a> {
    class: &'a Class,
    facts: Vec<Fact>,
}

impl<'a> Collector<'a> {
    pub fn new(class: &'a Class) -> Self {
        Collector { class, facts: Vec::new() }
    }

    pub fn add(&mut self, at: Position, kind: FactKind) {
        self.facts.push(Fact { at, kind, flow: false });
    }

    pub fn add_flow(&mut self, at: Position, kind: FactKind) {
        self.facts.push(Fact { at, kind, flow: true });
    }

    pub fn finish(mut self) -> Vec<Fact> {
        self.facts.sort_by_key(|fact| fact.at);
        let mut unique: Vec<Fact> = Vec::with_capacity(self.facts.len());
        for at_one in self.facts.chunk_by(|one, other| one.at == other.at) {
            let start = unique.len();
            let mut many: HashSet<&Fact> = HashSet::new();
            for fact in at_one {
                let is_new = match at_one.len() > FEW {
                    true => many.insert(fact),
                    false => !unique[start..].contains(fact),
                };
                unique.extend(is_new.then(|| fact.clone()));
            }
        }
        unique
    }

    pub fn code(&mut self, code: &'a Code) {
        for (position, instruction) in code.instructions.iter().enumerate() {
            self.instruction(position as Position, instruction);
        }
        for frame in code.frames() {
            for type_ in frame.locals.iter().chain(&frame.stack) {
                if let VerificationType::Object(name) = type_
                    && let Some(class) = element_class(name.as_bytes())
                {
                    self.add_flow(frame.position, FactKind::Names(Text::from_bytes(class)));
                }
            }
        }
        for (index, handler) in code.handlers.iter().enumerate() {
            self.add(handler.target, FactKind::Handler { index: index as u16, catch: handler.catch.clone() });
            handler.catch.iter().for_each(|catch| self.class(handler.target, catch));
        }
    }

    fn instruction(&mut self, at: Position, instruction: &'a Instruction) {
        match instruction {
            Instruction::Field(op, member) => self.field(at, *op, member, false),
            Instruction::Invoke(op, member) => self.call(at, *op, member, false),
            Instruction::InvokeDynamic(site) => self.dynamic(at, site),
            Instruction::New(name)
            | Instruction::ANewArray(name)
            | Instruction::CheckCast(name)
            | Instruction::InstanceOf(name)
            | Instruction::MultiANewArray(name, _) => self.class(at, name),
            Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
                self.constants(at, vec![constant])
            }
            _ => {}
        }
    }

    /// Records a class by internal name or array descriptor; an array counts as the class of its
    /// elements.
    fn class(&mut self, at: Position, name: &Text) {
        match element_class(name.as_bytes()) {
            Some(element) if element.len() == name.as_bytes().len() => self.add(at, FactKind::Names(name.clone())),
            Some(element) => self.add(at, FactKind::Names(Text::from_bytes(element))),
            None => {}
        }
    }

    fn field(&mut self, at: Position, op: FieldOp, member: &Arc<MemberRef>, through_handle: bool) {
        self.class(at, &member.owner);
        self.descriptor(at, &member.descriptor);
        self.add(at, FactKind::FieldAccess { op, member: member.clone(), through_handle });
    }

    fn call(&mut self, at: Position, op: InvokeOp, member: &Arc<MemberRef>, through_handle: bool) {
        self.class(at, &member.owner);
        self.descriptor(at, &member.descriptor);
        self.add(at, FactKind::Call { op, member: member.clone(), through_handle });
    }

    /// Records every class in a field or method descriptor.
    fn descriptor(&mut self, at: Position, descriptor: &Text) {
        let mut rest = descriptor.as_bytes();
        while let Some(start) = rest.iter().position(|byte| *byte == b'L') {
            let Some(length) = rest[start..].iter().position(|byte| *byte == b';') else { return };
            self.add(at, FactKind::Names(Text::from_bytes(&rest[start + 1..start + length])));
            rest = &rest[start + length..];
        }
    }

    /// Records constants and the constants they are computed from. Each bootstrap method is visited
    /// once, so the search ends even for constants that refer to themselves, which the JVM rejects.
    fn constants(&mut self, at: Position, mut pending: Vec<&'a Constant>) {
        let mut seen = BTreeSet::new();
        while let Some(constant) = pending.pop() {
            match constant {
                Constant::Class(name) => self.class_constant(at, name),
                Constant::MethodType(descriptor) => self.descriptor(at, descriptor),
                Constant::MethodHandle(handle) => self.handle(at, handle),
                Constant::Dynamic(dynamic) => {
                    self.descriptor(at, &dynamic.descriptor);
                    if seen.insert(dynamic.bootstrap) {
                        pending.extend(self.bootstrap(at, dynamic));
                    }
                }
                _ => {}
            }
        }
    }

    fn class_constant(&mut self, at: Position, name: &Text) {
        if let Some(element) = element_class(name.as_bytes()) {
            self.add(at, FactKind::ClassConstant(Text::from_bytes(element)));
        }
    }

    fn handle(&mut self, at: Position, handle: &Handle) {
        match use_of(handle.kind) {
            Use::Field(op) => self.field(at, op, &handle.member, true),
            Use::Call(op) => self.call(at, op, &handle.member, true),
        }
    }

    fn dynamic(&mut self, at: Position, site: &Dynamic) {
        self.descriptor(at, &site.descriptor);
        let arguments = self.bootstrap(at, site);
        self.constants(at, arguments.iter().collect());
    }

    /// Records the method that computes a call site or constant, and returns its arguments, which
    /// are still to be visited.
    fn bootstrap(&mut self, at: Position, dynamic: &Dynamic) -> &'a [Constant] {
        let class = self.class;
        let Some(bootstrap) = class.bootstrap_methods().get(usize::from(dynamic.bootstrap)) else { return &[] };
        self.handle(at, &bootstrap.handle);
        &bootstrap.arguments
    }
}

/// Up to this many facts, comparing them is faster than hashing.
const FEW: usize = 32;

/// The effect of using a method handle.
pub(super) enum Use {
    Field(FieldOp),
    Call(InvokeOp),
}

pub(super) fn use_of(kind: HandleKind) -> Use {
    match kind {
        HandleKind::GetField => Use::Field(FieldOp::GetField),
        HandleKind::GetStatic => Use::Field(FieldOp::GetStatic),
        HandleKind::PutField => Use::Field(FieldOp::PutField),
        HandleKind::PutStatic => Use::Field(FieldOp::PutStatic),
        HandleKind::InvokeVirtual => Use::Call(InvokeOp::Virtual),
        HandleKind::InvokeStatic => Use::Call(InvokeOp::Static),
        HandleKind::InvokeSpecial | HandleKind::NewInvokeSpecial => Use::Call(InvokeOp::Special),
        HandleKind::InvokeInterface => Use::Call(InvokeOp::Interface),
    }
}
