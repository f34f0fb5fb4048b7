//! Native methods.
//!
//! A native method that is not in the table returns a new object of its declared result class, if
//! that can be instantiated, and does nothing else. Calls that native code makes through JNI are
//! unknown.

use super::action::{Action, Body, Value};
use super::builder::Builder;
use super::calls::Invocation;
use super::machine::start_thread;
use super::scan::new_object;
use crate::world::World;
use lapidary_classfile::{InvokeOp, Method, Text};
use lapidary_jvm::{FieldType, MethodId, MethodType};

/// The effect of a native method.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// Starts its receiver as a thread.
    StartsThread,
    /// Writes its argument to the static field of this name.
    SetsStream(&'static str),
    /// Returns any existing object of the declared type.
    ReturnsAnyInstance,
    /// Returns any existing array.
    ReturnsAnyArray,
    /// Returns the current thread.
    ReturnsThread,
    ReturnsReceiver,
    /// Calls `run` of its first argument and returns the result.
    RunsAction,
    /// Calls the method of its own class with this name, passing its arguments.
    Calls(&'static str, &'static str),
}

const EFFECTS: &[(&str, &str, Effect)] = &[
    ("java/lang/Thread", "start0", Effect::StartsThread),
    ("java/lang/Thread", "currentThread", Effect::ReturnsThread),
    ("java/lang/Thread", "currentCarrierThread", Effect::ReturnsThread),
    ("java/lang/System", "setIn0", Effect::SetsStream("in")),
    ("java/lang/System", "setOut0", Effect::SetsStream("out")),
    ("java/lang/System", "setErr0", Effect::SetsStream("err")),
    ("java/lang/Throwable", "fillInStackTrace", Effect::ReturnsReceiver),
    ("java/lang/reflect/Array", "newArray", Effect::ReturnsAnyArray),
    ("java/lang/reflect/Array", "multiNewArray", Effect::ReturnsAnyArray),
    ("java/lang/ref/Reference", "getAndClearReferencePendingList", Effect::ReturnsAnyInstance),
    ("java/security/AccessController", "doPrivileged", Effect::RunsAction),
    ("jdk/internal/vm/Continuation", "enterSpecial", Effect::Calls("enter", "(Ljdk/internal/vm/Continuation;Z)V")),
];

pub(crate) fn native_body(world: &mut World, id: MethodId, method: &Method) -> Body {
    let Some(signature) = world.signature(&method.descriptor) else { return Body::default() };
    let receiver = usize::from(!method.is_static());
    let parameters = signature.parameters.len() + receiver;
    let mut native = Native { world, id, builder: Builder::new(parameters), parameters };
    let class = native.world.hierarchy.name(id.class).clone();
    let row = EFFECTS.iter().find(|row| class == row.0 && method.name == row.1);
    match row {
        Some((_, _, effect)) => native.effect(*effect, method),
        None => native.returns_declared(&method.descriptor),
    }
    native.builder.finish()
}

struct Native<'a> {
    world: &'a mut World,
    id: MethodId,
    builder: Builder,
    parameters: usize,
}

impl Native<'_> {
    fn effect(&mut self, effect: Effect, method: &Method) {
        let result = self.builder.result();
        match effect {
            Effect::StartsThread => start_thread(self.world, &mut self.builder, Value(0)),
            Effect::SetsStream(name) => {
                let class = self.id.class;
                let field = self.world.hierarchy.class(class).and_then(|file| {
                    let index = file.fields.iter().position(|field| field.name == name)?;
                    Some(lapidary_jvm::FieldId { class, index: index as u32 })
                });
                if let Some(field) = field {
                    self.builder.act(Action::WriteField { field, from: Value(0) });
                }
            }
            Effect::ReturnsAnyInstance => {
                let signature = self.world.signature(&method.descriptor);
                if let Some(filter) = signature.and_then(|signature| signature.result) {
                    self.builder.act(Action::Instances { filter, to: result });
                }
            }
            Effect::ReturnsAnyArray => {
                let filter = self.world.types.array_filter(&FieldType::Object(Text::from("java/lang/Object")));
                self.builder.act(Action::Instances { filter, to: result });
            }
            Effect::ReturnsThread => self.builder.act(Action::CurrentThread { to: result }),
            Effect::ReturnsReceiver => self.builder.move_to(Value(0), result),
            Effect::RunsAction => {
                let type_ = MethodType::parse(method.descriptor.as_bytes());
                let class = type_.ok().and_then(|type_| type_.parameters.first()?.class().cloned());
                if let Some(class) = class {
                    let run = self.world.method_named(&class.as_str(), "run", "()Ljava/lang/Object;");
                    self.call(run, InvokeOp::Interface, vec![Value(0)], result);
                }
            }
            Effect::Calls(name, descriptor) => {
                let class = self.world.hierarchy.name(self.id.class).clone();
                let method = self.world.method_named(&class.as_str(), name, descriptor);
                let arguments = (0..self.parameters as u32).map(Value).take(2).collect();
                self.call(method, InvokeOp::Static, arguments, result);
            }
        }
    }

    fn returns_declared(&mut self, descriptor: &Text) {
        let Ok(type_) = MethodType::parse(descriptor.as_bytes()) else { return };
        let made = match &type_.result {
            Some(FieldType::Object(name)) => {
                let class = self.world.hierarchy.id(name);
                if class == self.world.known.object {
                    return;
                }
                new_object(self.world, &mut self.builder, class)
            }
            Some(array @ FieldType::Array(component)) => {
                let to = self.builder.fresh();
                let Some(filter) = self.world.types.declared(array) else { return };
                let type_ = self.world.types.array(filter);
                self.builder.act(Action::New { type_, to });
                if let FieldType::Object(name) = &**component {
                    let class = self.world.hierarchy.id(name);
                    let from = new_object(self.world, &mut self.builder, class);
                    self.builder.act(Action::StoreElement { array: to, from });
                }
                to
            }
            _ => return,
        };
        self.builder.move_to(made, self.builder.result());
    }

    fn call(&mut self, method: Option<MethodId>, op: InvokeOp, arguments: Vec<Value>, result: Value) {
        if let Some(method) = method {
            let call = Invocation { caller: self.id.class, op, method, arguments, result };
            call.act(self.world, &mut self.builder);
        }
    }
}
