//! Calls: resolution and selection of the method to run.

use crate::halt::{Halt, Step};
use crate::machine::Machine;
use crate::method::{Method, Site};
use crate::state::State;
use crate::types::Type;
use crate::value::{Ref, Value};
use lapidary_classfile::{InvokeOp, MemberRef, access};
use lapidary_jvm::{ClassId, FieldType, MethodType, Resolution};
use std::rc::Rc;

impl Machine {
    pub(super) fn invoke(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        operation: InvokeOp,
        member: &MemberRef,
    ) -> Step {
        let resolved = self.method_at(state, method, at, operation, member)?;
        let is_entry = method.class_name.as_bytes().starts_with(b"lapidary/Entry$");
        if is_entry && !resolved.class_name.as_bytes().starts_with(b"lapidary/Given") {
            // All inputs are made, and the program has not seen any of them.
            if let Some(hook) = self.hook.clone() {
                hook.has_made_arguments(self, state)?;
            }
            state.arguments = state.top().operands(resolved.arguments()).into();
        }
        if resolved.access & (access::NATIVE | access::VARARGS) == access::NATIVE | access::VARARGS
            && self.world.hierarchy.is_signature_polymorphic(resolved.id)
        {
            return self.polymorphic(state, &resolved, member);
        }
        self.check_kind_of(state, &resolved, operation)?;
        let count = resolved.arguments();
        if operation == InvokeOp::Static {
            self.initialise(state, resolved.class)?;
            let arguments = self.arguments(state, &resolved, count);
            return self.call(state, &resolved, &arguments, count);
        }
        let receiver = self.not_null(state, count - 1)?;
        let target = match operation {
            InvokeOp::Special => self.special(method, &resolved)?,
            _ => self.selected(state, receiver, &resolved)?,
        };
        let arguments = self.arguments(state, &target, count);
        self.call(state, &target, &arguments, count)
    }

    /// A recompiled class may have changed whether a method is static.
    fn check_kind_of(&mut self, state: &mut State, resolved: &Method, operation: InvokeOp) -> Result<(), Halt> {
        let wants_static = operation == InvokeOp::Static;
        if resolved.is_static() == wants_static {
            return Ok(());
        }
        let expected = match operation {
            InvokeOp::Static => "Expected static method",
            InvokeOp::Interface => "Expected instance not static method",
            InvokeOp::Special | InvokeOp::Virtual => "Expecting non-static method",
        };
        let parameters: Vec<String> = resolved.type_.parameters.iter().map(in_words).collect();
        let result = resolved.type_.result.as_ref().map_or("void".to_owned(), in_words);
        let message = format!("{expected} '{result} {resolved}({})'", parameters.join(", "));
        self.throw(state, "java/lang/IncompatibleClassChangeError", Some(&message))
    }

    /// The topmost values, truncated to the widths of the parameters.
    fn arguments(&mut self, state: &State, method: &Method, count: usize) -> Vec<Value> {
        let mut arguments = state.top().operands(count);
        let parameters = &method.type_.parameters;
        let receivers = count - parameters.len();
        for (argument, type_) in arguments[receivers..].iter_mut().zip(parameters) {
            if let Value::Int(number) = argument {
                *number = crate::frame::narrowed(type_, *number);
            }
        }
        arguments
    }

    /// The method that the receiver's class selects.
    pub(crate) fn selected(
        &mut self,
        state: &mut State,
        receiver: Ref,
        resolved: &Rc<Method>,
    ) -> Result<Rc<Method>, Halt> {
        if resolved.access & access::PRIVATE != 0 {
            return Ok(resolved.clone());
        }
        let class = self.class_of(state, receiver);
        match self.world.select(class, resolved) {
            Ok(method) => Ok(method),
            Err(error) => self.throw(state, error, Some(&resolved.to_string())),
        }
    }

    /// The class of an object; `Object` for arrays.
    pub fn class_of(&mut self, state: &State, object: Ref) -> ClassId {
        match self.world.types.get(state.heap.get(object).type_) {
            Type::Class(class) => class,
            _ => self.world.hierarchy.object(),
        }
    }

    /// `super.method()` means the method of the direct superclass (JVMS 6.5, invokespecial).
    fn special(&mut self, caller: &Method, resolved: &Rc<Method>) -> Result<Rc<Method>, Halt> {
        let hierarchy = self.world.hierarchy.clone();
        let is_super_call = resolved.name != "<init>"
            && resolved.class != caller.class
            && hierarchy.is_interface(resolved.class) == Some(false)
            && hierarchy.superclasses(caller.class).any(|above| above == resolved.class);
        if !is_super_call {
            return Ok(resolved.clone());
        }
        let Some(above) = hierarchy.superclass(caller.class) else { return Ok(resolved.clone()) };
        Ok(self.world.select(above, resolved).unwrap_or_else(|_| resolved.clone()))
    }

    fn method_at(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        operation: InvokeOp,
        member: &MemberRef,
    ) -> Result<Rc<Method>, Halt> {
        let site = method.prepared().map(|prepared| &prepared.sites[at]);
        if let Some(Site::Method(resolved)) = site.and_then(|site| site.get()) {
            return Ok(resolved.clone());
        }
        let resolved = self.resolve(state, operation, member)?;
        site.into_iter().for_each(|site| drop(site.set(Site::Method(resolved.clone()))));
        Ok(resolved)
    }

    fn resolve(&mut self, state: &mut State, operation: InvokeOp, member: &MemberRef) -> Result<Rc<Method>, Halt> {
        let owner = self.world.hierarchy.owner(&member.owner);
        self.load(state, owner)?;
        let hierarchy = self.world.hierarchy.clone();
        let in_interface = operation == InvokeOp::Interface || hierarchy.is_interface(owner) == Some(true);
        let resolution = match in_interface {
            true => hierarchy.resolve_interface_method(owner, &member.name, &member.descriptor),
            false => hierarchy.resolve_method(owner, &member.name, &member.descriptor),
        };
        match resolution {
            Resolution::Found(id) => {
                self.load(state, id.class)?;
                Ok(self.world.method(id))
            }
            Resolution::WrongKind => {
                self.throw(state, "java/lang/IncompatibleClassChangeError", Some(&member.owner.as_str()))
            }
            _ => {
                let message =
                    format!("{}.{}{}", member.owner.as_str().replace('/', "."), member.name, member.descriptor);
                self.throw(state, "java/lang/NoSuchMethodError", Some(&message))
            }
        }
    }

    /// Calls a signature-polymorphic method of a handle, whose type is given by the call site.
    fn polymorphic(&mut self, state: &mut State, resolved: &Method, member: &MemberRef) -> Step {
        let Ok(type_) = MethodType::parse(member.descriptor.as_bytes()) else { return self.broken("a descriptor") };
        let handle = self.not_null(state, type_.parameters.len())?;
        if resolved.class_name == "java/lang/invoke/MethodHandle" {
            return self.call_handle(state, handle, resolved.name == "invokeExact", type_);
        }
        self.access_variable(state, handle, &resolved.name.as_str(), &type_)
    }
}

/// A type as in source code.
fn in_words(type_: &FieldType) -> String {
    match type_ {
        FieldType::Base(base) => crate::names::base_name(*base).to_owned(),
        FieldType::Object(class) => class.as_str().replace('/', "."),
        FieldType::Array(element) => format!("{}[]", in_words(element)),
    }
}
