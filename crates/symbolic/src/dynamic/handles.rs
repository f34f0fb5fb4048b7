//! Method handles. A static method is generated for each handle, and calling the handle calls that
//! method.

use super::{
    emit::{self, Emitter},
    lambda,
};
use crate::Method;
use crate::halt::{Halt, Step};
use crate::heap::{Body, Callable, Nature, Object};
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Ref, Value};
use lapidary_classfile::{
    ArrayKind, Class, Constant, FieldOp, Handle, HandleKind, Instruction, InvokeOp, MemberRef, StackOp, access,
};
use lapidary_jvm::{FieldType, MethodType};
use std::rc::Rc;
use std::sync::Arc;

const HANDLE: &str = "java/lang/invoke/MethodHandle";
const METHOD_TYPE: &str = "java/lang/invoke/MethodType";

impl Machine {
    /// Creates the method handle that a constant of a class file describes.
    pub(crate) fn handle_of(&mut self, state: &mut State, handle: &Handle) -> Result<Ref, Halt> {
        let Some(class) = direct(handle, self) else { return self.broken("a method handle that names no member") };
        let method = self.only_method_of(class);
        self.new_handle(state, Callable { method, bound: Vec::new() })
    }

    pub(crate) fn new_handle(&mut self, state: &mut State, callable: Callable) -> Result<Ref, Halt> {
        let id = self.world.hierarchy.id(&HANDLE.into());
        let class = self.load(state, id)?;
        let body = Body::Fields(class.defaults.clone(), Nature::Handle(Rc::new(callable)));
        Ok(state.heap.allocate(Object { type_: class.type_, body }))
    }

    pub(crate) fn callable(&self, state: &State, handle: Ref) -> Result<Rc<Callable>, Halt> {
        match state.heap.get(handle).nature() {
            Nature::Handle(callable) => Ok(callable.clone()),
            _ => Err(Halt::End(crate::Ending::unsupported("a method handle that was made in an unknown way".into()))),
        }
    }

    /// Implements `invokeExact`, and `invoke` with the conversions it needs.
    pub(crate) fn call_handle(&mut self, state: &mut State, handle: Ref, exact: bool, asked: MethodType) -> Step {
        let callable = self.callable(state, handle)?;
        let (own, count) = (callable.type_(), asked.parameters.len());
        if own != asked && (exact || own.parameters.len() != count) {
            let message = if exact {
                let platform = self.world.hierarchy.class_path().platform();
                let is_new = platform.and_then(|platform| platform.release()).is_some_and(|release| release > 17);
                let wanted = if is_new { "handle's method type" } else { "expected" };
                format!("{wanted} {} but found {}", readable(&own), readable(&asked))
            } else {
                format!("cannot convert MethodHandle{} to {}", readable(&own), readable(&asked))
            };
            return self.throw(state, "java/lang/invoke/WrongMethodTypeException", Some(&message));
        }
        let mut arguments = callable.bound.clone();
        arguments.extend(state.top().operands(count));
        let target = if own == asked { callable.method.clone() } else { self.adapter(&callable, &asked) };
        self.call(state, &target, &arguments, count + 1)
    }

    fn adapter(&mut self, callable: &Callable, asked: &MethodType) -> Rc<Method> {
        let mut type_ = callable.method.type_.clone();
        type_.parameters.truncate(callable.bound.len());
        type_.parameters.extend(asked.parameters.iter().cloned());
        type_.result = asked.result.clone();
        self.only_method_of(adapted(&callable.method, &type_))
    }

    /// Generates a method that calls a handle's method with the elements of an array.
    pub(crate) fn spreader(&mut self, callable: &Callable) -> Rc<Method> {
        self.only_method_of(spread(callable))
    }

    /// Generates a method that returns a `MethodType`.
    pub(crate) fn method_type_maker(&mut self, type_: &MethodType) -> Rc<Method> {
        self.only_method_of(type_maker(type_))
    }
}

impl Callable {
    /// The parameter types and the result type of the handle.
    pub(crate) fn type_(&self) -> MethodType {
        let parameters = self.method.type_.parameters[self.bound.len()..].to_vec();
        MethodType { parameters, result: self.method.type_.result.clone() }
    }
}

/// A method type in the format of `MethodType.toString`.
pub(crate) fn readable(type_: &MethodType) -> String {
    let simple = |type_: &FieldType| {
        let name = crate::input::java_name(type_);
        name.rsplit('.').next().unwrap_or_default().to_owned()
    };
    let parameters: Vec<String> = type_.parameters.iter().map(simple).collect();
    format!("({}){}", parameters.join(","), type_.result.as_ref().map_or("void".to_owned(), simple))
}

fn object() -> FieldType {
    FieldType::Object("java/lang/Object".into())
}

fn made(name: String, emitter: Emitter, type_: &MethodType) -> Class {
    let mut class = emit::class(name);
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, &"call".into(), type_));
    class
}

fn direct(handle: &Handle, machine: &Machine) -> Option<Class> {
    let member = &handle.member;
    let operation = match handle.kind {
        HandleKind::GetField => Some(FieldOp::GetField),
        HandleKind::GetStatic => Some(FieldOp::GetStatic),
        HandleKind::PutField => Some(FieldOp::PutField),
        HandleKind::PutStatic => Some(FieldOp::PutStatic),
        _ => None,
    };
    let mut type_ = match operation {
        Some(operation) => field_type(operation, member)?,
        None => MethodType::parse(member.descriptor.as_bytes()).ok()?,
    };
    if operation.is_none() {
        type_.parameters = lambda::wanted_types(handle, &type_);
    }
    let mut emitter = Emitter::new(type_.parameter_slots());
    if handle.kind == HandleKind::NewInvokeSpecial {
        type_.result = Some(FieldType::Object(member.owner.clone()));
        emitter.push(Instruction::New(member.owner.clone()));
        emitter.push(Instruction::Stack(StackOp::Dup));
    }
    let mut place = 0;
    for parameter in &type_.parameters {
        emitter.load(parameter, place);
        place += parameter.slots();
    }
    match operation {
        Some(operation) => emitter.push(Instruction::Field(operation, member.clone())),
        None => lambda::call(&mut emitter, handle, machine),
    }
    emitter.return_(type_.result.as_ref());
    let name =
        format!("{}$$Handle${:?}${}{}", member.owner, handle.kind, member.name, letters(&member.descriptor.as_str()));
    Some(made(name, emitter, &type_))
}

fn field_type(operation: FieldOp, member: &MemberRef) -> Option<MethodType> {
    let field = FieldType::parse(member.descriptor.as_bytes()).ok()?;
    let owner = FieldType::Object(member.owner.clone());
    Some(match operation {
        FieldOp::GetField => MethodType { parameters: vec![owner], result: Some(field) },
        FieldOp::GetStatic => MethodType { parameters: Vec::new(), result: Some(field) },
        FieldOp::PutField => MethodType { parameters: vec![owner, field], result: None },
        FieldOp::PutStatic => MethodType { parameters: vec![field], result: None },
    })
}

/// A descriptor as part of a class name.
fn letters(descriptor: &str) -> String {
    descriptor.chars().map(|letter| if "/;[().<>".contains(letter) { '_' } else { letter }).collect()
}

fn call_target(emitter: &mut Emitter, target: &Method) {
    let (owner, name) = (target.class_name.clone(), target.name.clone());
    let member = MemberRef { owner, name, descriptor: target.type_.descriptor(), interface: false };
    emitter.push(Instruction::Invoke(InvokeOp::Static, Arc::new(member)));
}

/// Converts the result to the wanted type, or pushes a default value if the target returns nothing.
fn give(emitter: &mut Emitter, target: &Method, wanted: Option<&FieldType>) {
    if let (None, Some(wanted)) = (&target.type_.result, wanted) {
        match wanted {
            FieldType::Base(base) => {
                emitter.int(0);
                emitter.convert(&FieldType::Base(lapidary_jvm::BaseType::Int), &FieldType::Base(*base));
            }
            _ => emitter.push(Instruction::AConstNull),
        }
    }
    lambda::finish(emitter, target.type_.result.as_ref(), wanted);
}

fn adapted(target: &Method, type_: &MethodType) -> Class {
    let mut emitter = Emitter::new(type_.parameter_slots());
    let mut place = 0;
    for (given, wanted) in type_.parameters.iter().zip(&target.type_.parameters) {
        emitter.load(given, place);
        place += given.slots();
        emitter.convert(given, wanted);
    }
    call_target(&mut emitter, target);
    give(&mut emitter, target, type_.result.as_ref());
    let name = format!("{}$$Handle$as{}", target.class_name, letters(&type_.descriptor().as_str()));
    made(name, emitter, type_)
}

fn spread(callable: &Callable) -> Class {
    let (target, bound) = (&callable.method, callable.bound.len());
    let mut type_ = MethodType { parameters: target.type_.parameters[..bound].to_vec(), result: Some(object()) };
    type_.parameters.push(object().array());
    let mut emitter = Emitter::new(type_.parameter_slots());
    let mut place = 0;
    for given in &type_.parameters[..bound] {
        emitter.load(given, place);
        place += given.slots();
    }
    for (index, wanted) in target.type_.parameters[bound..].iter().enumerate() {
        emitter.load(&object().array(), place);
        emitter.int(index as i32);
        emitter.push(Instruction::ArrayLoad(ArrayKind::Reference));
        emitter.convert(&object(), wanted);
    }
    call_target(&mut emitter, target);
    give(&mut emitter, target, Some(&object()));
    made(format!("{}$$Handle$spread{bound}", target.class_name), emitter, &type_)
}

fn type_maker(type_: &MethodType) -> Class {
    let class = FieldType::Object("java/lang/Class".into());
    let mut emitter = Emitter::new(0);
    class_constant(&mut emitter, type_.result.as_ref());
    emitter.int(type_.parameters.len() as i32);
    emitter.push(Instruction::ANewArray("java/lang/Class".into()));
    for (index, parameter) in type_.parameters.iter().enumerate() {
        emitter.push(Instruction::Stack(StackOp::Dup));
        emitter.int(index as i32);
        class_constant(&mut emitter, Some(parameter));
        emitter.push(Instruction::ArrayStore(ArrayKind::Reference));
    }
    let descriptor = format!("({class}{})L{METHOD_TYPE};", class.clone().array());
    emitter.invoke(InvokeOp::Static, METHOD_TYPE, "methodType", &descriptor);
    let result = FieldType::Object(METHOD_TYPE.into());
    emitter.return_(Some(&result));
    let name = format!("lapidary/MethodType${}", letters(&type_.descriptor().as_str()));
    made(name, emitter, &MethodType { parameters: Vec::new(), result: Some(result) })
}

/// Pushes the class object of a type; `None` is `void`.
fn class_constant(emitter: &mut Emitter, type_: Option<&FieldType>) {
    let class = FieldType::Object("java/lang/Class".into());
    match type_ {
        Some(FieldType::Base(base)) => {
            emitter.field(FieldOp::GetStatic, &base.wrapper().into(), &"TYPE".into(), &class);
        }
        Some(type_) => {
            emitter
                .push(Instruction::Ldc(Constant::Class(type_.class_constant().unwrap_or("java/lang/Object".into()))));
        }
        None => emitter.field(FieldOp::GetStatic, &"java/lang/Void".into(), &"TYPE".into(), &class),
    }
}

/// The arguments of a call of [`Machine::spreader`]'s method.
pub(crate) fn spread_arguments(callable: &Callable, array: Ref) -> Vec<Value> {
    callable.bound.iter().copied().chain([Value::object(array)]).collect()
}
