//! `invokedynamic` for the bootstrap methods that compilers use: lambdas and method references,
//! string concatenation, methods of records, switches over types. Any other bootstrap method is
//! treated as called, and so is every method passed to it, with arguments that are not followed.

use super::action::{Action, Adapter, Lambda, Value};
use super::calls::{Invocation, operation};
use super::scan::Scanner;
use super::stack::Confused;
use crate::weakness::Weakness;
use lapidary_classfile::{BootstrapMethod, Constant, Dynamic, HandleKind, InvokeOp, MemberRef, Text};
use lapidary_jvm::{FieldType, MethodType};

/// The flag of a lambda that is also cast to `Serializable`. Only with the flag does the object
/// pass later casts to it.
const SERIALIZABLE: i32 = 1;

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

    /// Models a method of a record: reads each component and calls the same method on it.
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

    /// Models a switch over an enum, which needs the constants of the enum.
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
