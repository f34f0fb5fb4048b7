//! `invokedynamic`, by the bootstrap methods that compilers use: lambdas and method references, concatenation of strings,
//! methods of records, switches over types. Any other bootstrap method is called, and so is every method that is
//! handed to it, with arguments that are not followed.

use super::calls::Invocation;
use super::scan::{Scanner, new_object};
use super::stack::Confused;
use super::{Action, Body, Builder, Lambda, Value};
use crate::weakness::Weakness;
use crate::world::World;
use lapidary_classfile::{BootstrapMethod, Constant, Dynamic, Handle, HandleKind, InvokeOp, MemberRef, Text};
use lapidary_jvm::{ClassId, FieldType, MethodType};
use std::sync::Arc;

/// The flag of a lambda that is cast to `Serializable` as well. Casts that follow let it through only if it says so.
const SERIALIZABLE: i32 = 1;

/// What the object of a lambda runs: the one method of its interface hands its arguments, after those that
/// were captured, to the method that does the work. Its parameters are the object, those of the interface, the captured ones.
#[derive(Clone, Debug)]
pub(crate) struct Adapter {
    pub interfaces: Vec<ClassId>,
    pub name: Text,
    /// Under which the method may be called: the erased one and those of bridges.
    pub descriptors: Vec<Text>,
    pub parameters: usize,
    caller: ClassId,
    used: MethodType,
    captured: MethodType,
    implementation: Arc<Handle>,
}

impl Scanner<'_> {
    pub(super) fn dynamic_call(&mut self, site: &Dynamic) -> Result<(), Confused> {
        let signature = self.world.signature(&site.descriptor).ok_or(Confused)?;
        let arguments = self.pop_arguments(&signature)?;
        let result = self.push_result(&signature);
        let file = self.file;
        let Some(bootstrap) = file.bootstrap_methods().get(usize::from(site.bootstrap)) else { return Ok(()) };
        let factory = &bootstrap.handle.member;
        match (&*factory.owner.as_str(), &*factory.name.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.lambda(site, bootstrap, arguments, result);
            }
            ("java/lang/invoke/StringConcatFactory", _) => {
                if !self.world.weaknesses.has(Weakness::NoStringConcatenation) {
                    arguments
                        .into_iter()
                        .for_each(|argument| self.call_on(argument, "toString", "()Ljava/lang/String;"));
                }
                self.make_string(result);
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => self.record_method(site, bootstrap, &arguments, result),
            ("java/lang/runtime/SwitchBootstraps", _) => self.switch(site),
            _ => self.unknown_bootstrap(bootstrap),
        }
        Ok(())
    }

    pub(super) fn dynamic_constant(&mut self, dynamic: &Dynamic) -> Result<(), Confused> {
        let type_ = FieldType::parse(dynamic.descriptor.as_bytes()).map_err(|_| Confused)?;
        if type_.is_reference() {
            let value = self.builder.fresh();
            self.stack.push(value);
        } else {
            self.stack.push_numbers(type_.slots());
        }
        let file = self.file;
        if let Some(bootstrap) = file.bootstrap_methods().get(usize::from(dynamic.bootstrap)) {
            self.unknown_bootstrap(bootstrap);
        }
        Ok(())
    }

    fn lambda(&mut self, site: &Dynamic, bootstrap: &BootstrapMethod, captured: Vec<Value>, to: Value) {
        let Some(adapter) = self.adapter(site, bootstrap) else { return };
        let is_lambda = adapter.implementation.member.name.as_bytes().starts_with(b"lambda$");
        let weakness = if is_lambda { Weakness::NoLambdas } else { Weakness::NoMethodReferences };
        if !self.world.weaknesses.has(weakness) {
            self.builder.act(Action::Lambda(Box::new(Lambda { adapter, captured: captured.into(), to })));
        }
    }

    fn adapter(&self, site: &Dynamic, bootstrap: &BootstrapMethod) -> Option<Adapter> {
        let [Constant::MethodType(erased), Constant::MethodHandle(handle), Constant::MethodType(used), more @ ..] =
            &bootstrap.arguments[..]
        else {
            return None;
        };
        let hierarchy = &self.world.hierarchy;
        let captured = MethodType::parse(site.descriptor.as_bytes()).ok()?;
        let interface = captured.result.as_ref()?.class()?.clone();
        let mut interfaces = vec![hierarchy.id(&interface)];
        let mut descriptors = vec![erased.clone()];
        if let Some(Constant::Int(flags)) = more.first()
            && flags & SERIALIZABLE != 0
        {
            interfaces.push(hierarchy.id(&Text::from("java/io/Serializable")));
        }
        for constant in more {
            match constant {
                Constant::Class(name) => interfaces.push(hierarchy.id(name)),
                Constant::MethodType(bridge) => descriptors.push(bridge.clone()),
                _ => {}
            }
        }
        let used = MethodType::parse(used.as_bytes()).ok()?;
        Some(Adapter {
            interfaces,
            name: site.name.clone(),
            descriptors,
            parameters: 1 + used.parameters.len() + captured.parameters.len(),
            caller: self.class,
            used,
            captured,
            implementation: handle.clone(),
        })
    }

    /// Reads each component from the record, and asks it in its turn.
    fn record_method(&mut self, site: &Dynamic, bootstrap: &BootstrapMethod, arguments: &[Value], result: Value) {
        let record = arguments.first().copied().unwrap_or(Value::NONE);
        let descriptor = match &*site.name.as_str() {
            "toString" => "()Ljava/lang/String;",
            "equals" => "(Ljava/lang/Object;)Z",
            "hashCode" => "()I",
            _ => return,
        };
        let getters = bootstrap.arguments.iter().filter_map(|argument| match argument {
            Constant::MethodHandle(handle) if handle.kind == HandleKind::GetField => Some(handle.member.clone()),
            _ => None,
        });
        let lost = self.world.weaknesses.has(Weakness::NoRecordMethods) || !record.is_object();
        for getter in getters.filter(|_| !lost) {
            let Some(component) = self.component(&getter) else { continue };
            self.call_on(component, &site.name.as_str(), descriptor);
        }
        self.make_string(result);
    }

    fn component(&mut self, getter: &MemberRef) -> Option<Value> {
        FieldType::parse(getter.descriptor.as_bytes()).ok().filter(FieldType::is_reference)?;
        let field = self.world.resolve_field(getter)?;
        let to = self.builder.fresh();
        self.builder.act(Action::ReadField { field, to });
        Some(to)
    }

    /// A switch over an enum needs the constants of the enum.
    fn switch(&mut self, site: &Dynamic) {
        let Ok(type_) = MethodType::parse(site.descriptor.as_bytes()) else { return };
        if let Some(FieldType::Object(name)) = type_.parameters.first()
            && site.name == "enumSwitch"
        {
            let class = self.world.hierarchy.id(name);
            self.builder.act(Action::Initialise(class));
        }
    }

    fn unknown_bootstrap(&mut self, bootstrap: &BootstrapMethod) {
        let handed = bootstrap.arguments.iter().filter_map(|argument| match argument {
            Constant::MethodHandle(handle) => Some(handle),
            _ => None,
        });
        for handle in handed.chain([&bootstrap.handle]) {
            let Some(op) = operation(handle.kind) else { continue };
            let Some(method) = self.world.resolve_method(&handle.member) else { continue };
            let Some(signature) = self.world.signature(&handle.member.descriptor) else { continue };
            let count = signature.parameters.len() + usize::from(op != InvokeOp::Static);
            let arguments = (0..count).map(|_| self.builder.fresh()).collect();
            let result = self.builder.fresh();
            let call = Invocation { caller: self.class, op, method, arguments, result };
            call.act(self.world, &mut self.builder);
        }
    }

    /// Calls a method of `Object` on a value.
    fn call_on(&mut self, value: Value, name: &str, descriptor: &str) {
        let method = self.world.method_named("java/lang/Object", name, descriptor);
        let (Some(method), true) = (method, value.is_object()) else { return };
        let mut arguments = vec![value];
        if name == "equals" {
            arguments.push(value);
        }
        let call = Invocation { caller: self.class, op: InvokeOp::Virtual, method, arguments, result: Value::NONE };
        call.act(self.world, &mut self.builder);
    }

    fn make_string(&mut self, to: Value) {
        let made = self.new_object(self.world.known.string);
        self.builder.move_to(made, to);
    }
}

/// What the method of a lambda does.
pub(crate) fn adapter_body(world: &mut World, adapter: &Adapter) -> Body {
    let mut builder = Builder::new(adapter.parameters);
    let handle = &adapter.implementation;
    let (Some(op), Ok(wanted)) = (operation(handle.kind), MethodType::parse(handle.member.descriptor.as_bytes()))
    else {
        return builder.finish();
    };
    let Some(method) = world.resolve_method(&handle.member) else { return builder.finish() };
    let mut given = given_values(adapter);
    let mut arguments = Vec::new();
    let makes_object = handle.kind == HandleKind::NewInvokeSpecial;
    if makes_object {
        let class = world.hierarchy.id(&handle.member.owner);
        builder.act(Action::Initialise(class));
        arguments.push(new_object(world, &mut builder, class));
    } else if op != InvokeOp::Static {
        arguments.extend(given.next().map(|(value, _)| value));
    }
    for (parameter, (value, type_)) in wanted.parameters.iter().zip(given) {
        arguments.push(converted(world, &mut builder, value, type_, parameter));
    }
    let expected = wanted.parameters.len() + usize::from(op != InvokeOp::Static);
    arguments.resize(expected, Value::NONE);
    let result =
        if wanted.result.as_ref().is_some_and(FieldType::is_reference) { builder.fresh() } else { Value::NONE };
    let made = arguments.first().copied();
    Invocation { caller: adapter.caller, op, method, arguments, result }.act(world, &mut builder);
    let returned = match (made, &wanted.result, &adapter.used.result) {
        (Some(made), _, _) if makes_object => made,
        (_, Some(given), Some(used)) => converted(world, &mut builder, result, given, used),
        _ => Value::NONE,
    };
    builder.move_to(returned, builder.result());
    builder.finish()
}

/// The captured values, then the arguments, each with its type.
fn given_values(adapter: &Adapter) -> impl Iterator<Item = (Value, &FieldType)> {
    let parameters = &adapter.used.parameters;
    let first_captured = 1 + parameters.len();
    let captured = adapter.captured.parameters.iter().enumerate();
    let captured = captured.map(move |(index, type_)| (Value((first_captured + index) as u32), type_));
    captured.chain(parameters.iter().enumerate().map(|(index, type_)| (Value(1 + index as u32), type_)))
}

/// A value where another type is wanted: numbers are put into objects.
fn converted(world: &mut World, builder: &mut Builder, value: Value, given: &FieldType, wanted: &FieldType) -> Value {
    match (given, wanted) {
        (_, FieldType::Base(_)) => Value::NONE,
        (FieldType::Base(base), _) => {
            let class = world.hierarchy.id(&Text::from(base.wrapper()));
            builder.act(Action::Initialise(class));
            new_object(world, builder, class)
        }
        _ => value,
    }
}

/// How a handle calls its method; nothing for handles of fields.
fn operation(kind: HandleKind) -> Option<InvokeOp> {
    match kind {
        HandleKind::InvokeVirtual => Some(InvokeOp::Virtual),
        HandleKind::InvokeStatic => Some(InvokeOp::Static),
        HandleKind::InvokeSpecial | HandleKind::NewInvokeSpecial => Some(InvokeOp::Special),
        HandleKind::InvokeInterface => Some(InvokeOp::Interface),
        _ => None,
    }
}
