//! `invokedynamic` and dynamic constants. A real JVM calls a bootstrap method of the library. This
//! machine knows the bootstrap methods that compilers commonly use and generates what they would
//! return as bytecode, which then runs like any other.

mod concat;
mod digests;
mod emit;
mod entry;
mod handles;
mod lambda;
mod makers;
mod properties;
mod records;
mod request;
mod switches;
mod tasks;

pub(crate) use emit::Emitter;
pub use entry::{ArgumentSource, CallPlan, NoEntry, is_main};
pub(crate) use handles::{readable, spread_arguments};

use request::Request;

use crate::Ending;
use crate::engine::Engine;
use crate::halt::{Halt, Next, Step};
use crate::machine::Machine;
use crate::method::{CallSite, Method, Site};
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::{BootstrapMethod, Class, Dynamic, Handle};
use lapidary_jvm::{ClassId, MethodType};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

impl Machine {
    pub(crate) fn invoke_dynamic(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        dynamic: &Dynamic,
    ) -> Step {
        let site = self.call_site(method, at, dynamic)?;
        match &*site {
            CallSite::Closure(class) => {
                let class = self.initialise(state, *class)?;
                let count = class.instance_fields.len();
                let object = self.allocate(state, &class);
                let captured = state.top().operands(count);
                state.heap.get_mut(object).fields_mut().copy_from_slice(&captured);
                state.top_mut().replace(count, Value::object(object));
                Ok(Next::Advance)
            }
            CallSite::Call(target) => {
                let count = target.arguments();
                let arguments = state.top().operands(count);
                self.call(state, target, &arguments, count)
            }
            CallSite::Text(maker) => {
                let count = maker.arguments();
                let arguments = state.top().operands(count);
                match self.unread_text(state, maker, &arguments)? {
                    Some(text) => {
                        state.top_mut().replace(count, Value::object(text));
                        Ok(Next::Advance)
                    }
                    None => self.call(state, maker, &arguments, count),
                }
            }
        }
    }

    pub(crate) fn dynamic_constant(&mut self, state: &mut State, method: &Rc<Method>, dynamic: &Dynamic) -> Step {
        let bootstrap = self.bootstrap(method, dynamic)?;
        let maker = &bootstrap.handle.member;
        match (&*maker.owner.as_str(), &*maker.name.as_str()) {
            ("java/lang/invoke/ConstantBootstraps", "nullConstant") => crate::step::push(state, Value::NULL),
            _ => unsupported(&bootstrap.handle),
        }
    }

    fn call_site(&mut self, method: &Rc<Method>, at: usize, dynamic: &Dynamic) -> Result<Rc<CallSite>, Halt> {
        let cell = method.prepared().map(|prepared| &prepared.sites[at]);
        if let Some(Site::Dynamic(site)) = cell.and_then(|cell| cell.get()) {
            return Ok(site.clone());
        }
        let site = Rc::new(self.link_site(method, at, dynamic)?);
        cell.into_iter().for_each(|cell| drop(cell.set(Site::Dynamic(site.clone()))));
        Ok(site)
    }

    fn link_site(&mut self, method: &Rc<Method>, at: usize, dynamic: &Dynamic) -> Result<CallSite, Halt> {
        let bootstrap = self.bootstrap(method, dynamic)?;
        let Ok(type_) = MethodType::parse(dynamic.descriptor.as_bytes()) else { return self.broken("a descriptor") };
        let number = number_of(method, at, &bootstrap);
        let request =
            Request { owner: &method.class_name, number, name: &dynamic.name, type_, arguments: &bootstrap.arguments };
        let maker = &bootstrap.handle.member;
        let class = match (&*maker.owner.as_str(), &*maker.name.as_str()) {
            ("java/lang/invoke/LambdaMetafactory", _) => {
                return match lambda::class(&request, self) {
                    Some(class) => Ok(CallSite::Closure(self.define(class))),
                    None => unsupported(&bootstrap.handle),
                };
            }
            ("java/lang/invoke/StringConcatFactory", name) => {
                let class = concat::class(&request, name == "makeConcatWithConstants");
                let Some(class) = class else { return unsupported(&bootstrap.handle) };
                return Ok(CallSite::Text(self.only_method_of(class)));
            }
            ("java/lang/runtime/ObjectMethods", _) => records::class(&request, self),
            ("java/lang/runtime/SwitchBootstraps", "typeSwitch") => switches::class(&request, false),
            ("java/lang/runtime/SwitchBootstraps", "enumSwitch") => switches::class(&request, true),
            _ => None,
        };
        let Some(class) = class else { return unsupported(&bootstrap.handle) };
        Ok(CallSite::Call(self.only_method_of(class)))
    }

    fn bootstrap(&mut self, method: &Method, dynamic: &Dynamic) -> Result<BootstrapMethod, Halt> {
        let class = self.world.hierarchy.class(method.class).cloned();
        let found = class.and_then(|class| class.bootstrap_methods().get(usize::from(dynamic.bootstrap)).cloned());
        found.map_or_else(|| self.broken("a bootstrap method that is not there"), Ok)
    }

    /// Generates a method that makes a `MessageDigest`, if the algorithm is known.
    pub(crate) fn digest_maker(&mut self, algorithm: &str) -> Option<Rc<Method>> {
        digests::class(algorithm).map(|class| self.only_method_of(class))
    }

    /// Generates a method that runs a task of a fork-join pool.
    pub(crate) fn task_runner(&mut self) -> Rc<Method> {
        let task = self.world.hierarchy.id(&"java/util/concurrent/ForkJoinTask".into());
        let gives_status = self.world.declared(task, "doExec", "()I").is_some();
        self.only_method_of(tasks::class(gives_status))
    }

    /// Generates a method that makes the system properties.
    pub(crate) fn generated_properties(&mut self, properties: &[(&str, &str)]) -> Rc<Method> {
        self.only_method_of(properties::class(properties))
    }
}

impl Engine {
    /// Adds a generated class and returns its only method.
    fn only_method_of(&mut self, class: Class) -> Rc<Method> {
        let id = self.define(class);
        let first = self.world.hierarchy.declared_methods(id).next();
        self.world.method(first.expect("the class was made with one method"))
    }

    fn define(&mut self, class: Class) -> ClassId {
        let name = class.name.clone();
        self.world.hierarchy.class_path().define(Arc::new(class));
        self.world.hierarchy.id(&name)
    }
}

/// A number that only equivalent call sites share, also across versions of the program, so that the
/// classes generated for them have the same name in both.
fn number_of(method: &Method, at: usize, bootstrap: &BootstrapMethod) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&method.name, method.type_.descriptor(), at, format!("{bootstrap:?}")).hash(&mut hasher);
    hasher.finish()
}

fn unsupported<T>(handle: &Handle) -> Result<T, Halt> {
    let member = &handle.member;
    Err(Halt::End(Ending::unsupported(format!("the bootstrap method {}.{}", member.owner, member.name))))
}
