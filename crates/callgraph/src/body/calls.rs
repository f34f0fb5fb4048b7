//! Calls, and library methods with a built-in model, which is more precise than following them.

use super::action::{Action, Call, Value};
use super::builder::Builder;
use super::scan::Scanner;
use super::stack::Confused;
use crate::weakness::Weakness;
use crate::world::{Signature, World};
use lapidary_classfile::{HandleKind, InvokeOp, MemberRef, Text, access};
use lapidary_jvm::{ClassId, MethodId, Selection};

impl Scanner<'_> {
    pub(super) fn call(&mut self, op: InvokeOp, member: &MemberRef) -> Result<(), Confused> {
        let signature = self.world.signature(&member.descriptor).ok_or(Confused)?;
        let mut arguments = self.pop_arguments(&signature)?;
        if op != InvokeOp::Static {
            arguments.insert(0, self.stack.pop()?);
        }
        let owner = self.world.hierarchy.owner(&member.owner);
        self.builder.name(owner);
        let result = self.push_result(&signature);
        if let Some(method) = self.world.resolve_method(member) {
            let call = Invocation { caller: self.class, op, method, arguments, result };
            call.act(self.world, &mut self.builder);
        }
        Ok(())
    }

    pub(super) fn pop_arguments(&mut self, signature: &Signature) -> Result<Vec<Value>, Confused> {
        let mut arguments = Vec::with_capacity(signature.parameters.len() + 1);
        for parameter in signature.parameters.iter().rev() {
            if parameter.filter.is_some() {
                arguments.push(self.stack.pop()?);
            } else {
                self.stack.drop(parameter.slots)?;
                arguments.push(Value::NONE);
            }
        }
        arguments.reverse();
        Ok(arguments)
    }

    pub(super) fn push_result(&mut self, signature: &Signature) -> Value {
        if signature.result.is_none() {
            self.stack.push_numbers(signature.result_slots);
            return Value::NONE;
        }
        let result = self.builder.fresh();
        self.stack.push(result);
        result
    }
}

/// A call with a resolved method.
pub(super) struct Invocation {
    pub caller: ClassId,
    pub op: InvokeOp,
    pub method: MethodId,
    /// The arguments, with the receiver first if there is one.
    pub arguments: Vec<Value>,
    pub result: Value,
}

impl Invocation {
    pub fn act(self, world: &mut World, builder: &mut Builder) {
        let is_static = world.hierarchy.method(self.method).is_static();
        if is_static != (self.op == InvokeOp::Static) || world.ignores_call(self.method) {
            return;
        }
        if is_static {
            builder.act(Action::Initialise(self.method.class));
        }
        let result = if world.loses_result(self.method) { Value::NONE } else { self.result };
        let call = Invocation { result, ..self };
        call.known_effect(world, builder);
        let Some(method) = call.target(world) else { return };
        let is_virtual = matches!(call.op, InvokeOp::Virtual | InvokeOp::Interface);
        builder.act(Action::Call(Call { method, is_virtual, arguments: call.arguments.into(), result }));
    }

    /// The method that the call runs. `super.m()` runs the superclass's method, wherever the name
    /// was resolved (JVMS 6.5, invokespecial).
    fn target(&self, world: &World) -> Option<MethodId> {
        let hierarchy = &world.hierarchy;
        let method = hierarchy.method(self.method);
        let is_super_call = self.op == InvokeOp::Special
            && method.name != "<init>"
            && method.access & access::PRIVATE == 0
            && self.method.class != self.caller
            && hierarchy.is_interface(self.method.class) == Some(false);
        if !is_super_call {
            return Some(self.method);
        }
        match hierarchy.select_method(hierarchy.superclass(self.caller)?, self.method) {
            Selection::Found(found) => Some(found),
            _ => None,
        }
    }

    /// Applies the model of the called method at this call site. Following the call into the method
    /// would mix it with all other calls.
    fn known_effect(&self, world: &World, builder: &mut Builder) {
        let (class, known) = (self.method.class, &world.known);
        let name = &world.hierarchy.method(self.method).name;
        if class == known.object && *name == "clone" {
            builder.move_to(self.arguments[0], self.result);
        } else if class == known.system && *name == "arraycopy" {
            self.copy_elements(builder);
        } else if class == known.var_handle && world.hierarchy.is_signature_polymorphic(self.method) {
            self.field_access(world, builder, 1, true);
        } else if known.unsafes.contains(&class) && !known.unsafes.contains(&self.caller) {
            let reads =
                ["get", "compareAndExchange"].iter().any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()));
            if takes_object_and_offset(&world.hierarchy.method(self.method).descriptor) {
                self.field_access(world, builder, 1, reads);
            }
        }
    }

    fn copy_elements(&self, builder: &mut Builder) {
        let [from, _, to, ..] = self.arguments[..] else { return };
        let element = builder.fresh();
        builder.act(Action::LoadElement { array: from, to: element });
        builder.act(Action::StoreElement { array: to, from: element });
    }

    /// Models access to a field through `Unsafe`. The object is the argument at this index; the
    /// arguments after it are written.
    fn field_access(&self, world: &World, builder: &mut Builder, place: usize, reads: bool) {
        let Some((object, values)) = self.arguments.get(place..).and_then(|rest| rest.split_first()) else { return };
        if !object.is_object() || world.weaknesses.has(Weakness::NoUnsafeAccess) {
            return;
        }
        for from in values.iter().copied().filter(|value| value.is_object()) {
            builder.act(Action::WriteAnything { object: *object, from });
        }
        if reads && self.result.is_object() {
            builder.act(Action::ReadAnything { object: *object, to: self.result });
        }
    }
}

fn takes_object_and_offset(descriptor: &Text) -> bool {
    descriptor.as_bytes().starts_with(b"(Ljava/lang/Object;J")
}

/// The call operation of a handle; `None` for handles of fields.
pub(super) fn operation(kind: HandleKind) -> Option<InvokeOp> {
    match kind {
        HandleKind::InvokeVirtual => Some(InvokeOp::Virtual),
        HandleKind::InvokeStatic => Some(InvokeOp::Static),
        HandleKind::InvokeSpecial | HandleKind::NewInvokeSpecial => Some(InvokeOp::Special),
        HandleKind::InvokeInterface => Some(InvokeOp::Interface),
        _ => None,
    }
}
