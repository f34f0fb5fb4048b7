//! The entry point of an exploration: a generated method that makes an input for each parameter and
//! calls the method to explore.

use super::emit::{self, Emitter};
use super::makers;
use crate::engine::Engine;
use crate::input::{DeclaredType, KindId};
use crate::machine::Machine;
use crate::method::Method;
use crate::state::State;
use lapidary_classfile::{Class, Constant, Instruction, InvokeOp, MemberRef, access};
use lapidary_jvm::{Hierarchy, MethodType};
use std::rc::Rc;
use std::sync::Arc;

/// Why a method cannot be explored from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEntry {
    /// Only null can be made for the type of this parameter.
    Parameter(String),
    /// The method needs an object of this class, and none can be made.
    Receiver(String),
    /// The method is a constructor or an initialiser.
    NotAMethod,
}

/// Where the arguments of a call come from: first the receiver, if there is one, then the
/// parameters.
#[derive(Clone, Debug)]
pub struct CallPlan {
    pub sources: Vec<ArgumentSource>,
}

/// Where an argument comes from.
#[derive(Clone, Debug)]
pub enum ArgumentSource {
    /// An input of this kind.
    Kind(KindId),
    /// An array of these strings.
    Texts(Vec<String>),
}

impl Engine {
    /// Generates a method without parameters that calls `target` with symbolic arguments.
    pub fn entry(&mut self, target: &Rc<Method>) -> Result<Rc<Method>, NoEntry> {
        let plan = self.plan(target, None)?;
        Ok(self.entry_for(target, &plan))
    }

    /// Plans a call of a method. The arguments of `main` are `arguments` if given, else symbols.
    pub fn plan(&mut self, target: &Method, arguments: Option<&[String]>) -> Result<CallPlan, NoEntry> {
        if target.name.as_bytes().starts_with(b"<") {
            return Err(NoEntry::NotAMethod);
        }
        let hierarchy = self.world.hierarchy.clone();
        let mut sources = Vec::new();
        if !target.is_static() {
            let receiver = self.kinds.present(&hierarchy, &DeclaredType::Class(target.class_name.clone(), Vec::new()));
            if !self.kinds.get(receiver).is_supported() {
                return Err(NoEntry::Receiver(target.class_name.as_str().replace('/', ".")));
            }
            sources.push(ArgumentSource::Kind(receiver));
        }
        if is_main(target) {
            sources.push(match arguments {
                Some(given) => ArgumentSource::Texts(given.to_vec()),
                None => ArgumentSource::Kind(self.kinds.arguments_of_main(&hierarchy)),
            });
            return Ok(CallPlan { sources });
        }
        for wanted in declared_parameters(&hierarchy, target) {
            let kind = self.kinds.of(&hierarchy, &wanted);
            if !self.kinds.get(kind).is_supported() {
                return Err(NoEntry::Parameter(crate::input::java_name(&wanted.field_type())));
            }
            sources.push(ArgumentSource::Kind(kind));
        }
        Ok(CallPlan { sources })
    }

    /// Generates a method without parameters that calls the target as planned.
    pub fn entry_for(&mut self, target: &Rc<Method>, plan: &CallPlan) -> Rc<Method> {
        self.world.hierarchy.class_path().define(crate::native::symbolic_class());
        self.world.hierarchy.class_path().define(crate::native::given_class());
        for source in &plan.sources {
            match source {
                ArgumentSource::Kind(kind) => self.define_makers(*kind),
                ArgumentSource::Texts(texts) => self.arguments = texts.clone(),
            }
        }
        let is_interface = self.world.hierarchy.is_interface(target.class) == Some(true);
        let class = entry_class(target, plan, is_interface, self.config.limits.object_depth);
        self.only_method_of(class)
    }
}

/// The index of the first instruction of an entry method that makes an input.
const FIRST_INPUT: usize = 2;

impl Machine {
    /// Returns the state in which the target's class is initialised and no input is made yet. All
    /// paths share it, so it is computed only once. Returns `None` if the initialiser asks for
    /// symbols, throws, or does not finish within `instructions`.
    pub fn begun(&mut self, entry: &Rc<Method>, instructions: u64) -> Option<State> {
        let mut state = State::new();
        self.start(&mut state, entry, &[]);
        while state.top().depth > 0 || state.top().pc < FIRST_INPUT {
            let ended = self.run(&mut state, 1);
            let has_forked = !std::mem::take(&mut self.forked).is_empty();
            if ended.is_some() || has_forked || self.curfew.is_in_force() || state.instructions > instructions {
                return None;
            }
        }
        state.has_no_inputs().then_some(state)
    }
}

/// Whether the method is `static void main(String[])`.
pub fn is_main(method: &Method) -> bool {
    method.is_static() && method.name == "main" && method.type_.descriptor() == "([Ljava/lang/String;)V"
}

fn declared_parameters(hierarchy: &Hierarchy, method: &Method) -> Vec<DeclaredType> {
    match hierarchy.class(method.class) {
        Some(class) => DeclaredType::parameters(class, hierarchy.method(method.id)),
        None => method.type_.parameters.iter().map(DeclaredType::erased).collect(),
    }
}

fn entry_class(target: &Method, plan: &CallPlan, is_interface: bool, depth: u32) -> Class {
    let mut emitter = Emitter::new(0);
    emitter.push(Instruction::LdcW(Constant::Class(target.class_name.clone())));
    emitter.invoke(InvokeOp::Static, makers::GIVEN, "initialise", "(Ljava/lang/Class;)V");
    let receiver = (!target.is_static()).then(|| lapidary_jvm::FieldType::Object(target.class_name.clone()));
    for (source, type_) in plan.sources.iter().zip(receiver.iter().chain(&target.type_.parameters)) {
        match source {
            ArgumentSource::Kind(kind) => {
                emitter.int(depth as i32);
                makers::make(&mut emitter, *kind, type_);
            }
            ArgumentSource::Texts(_) => {
                emitter.invoke(InvokeOp::Static, makers::GIVEN, "arguments", "()[Ljava/lang/String;")
            }
        }
    }
    let operation = match (target.is_static(), is_interface) {
        (true, _) => InvokeOp::Static,
        (false, true) => InvokeOp::Interface,
        (false, false) => InvokeOp::Virtual,
    };
    let member = MemberRef {
        owner: target.class_name.clone(),
        name: target.name.clone(),
        descriptor: target.type_.descriptor(),
        interface: is_interface,
    };
    emitter.push(Instruction::Invoke(operation, Arc::new(member)));
    emitter.return_(target.type_.result.as_ref());
    let mut class = emit::class(format!("lapidary/Entry${}", target.number));
    let type_ = MethodType { parameters: Vec::new(), result: target.type_.result.clone() };
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, &"enter".into(), &type_));
    class
}
