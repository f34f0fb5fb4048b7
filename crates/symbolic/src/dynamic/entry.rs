//! The way into a program: a method that makes an input for each parameter and calls the method that is explored.

use super::emit::{self, Emitter};
use lapidary_classfile::{Class, Instruction, InvokeOp, MemberRef, StackOp, access};
use lapidary_jvm::{FieldType, MethodType};
use std::sync::Arc;

/// Why a method cannot be explored from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEntry {
    /// No symbolic value can be made of the type of a parameter.
    Parameter(String),
    /// It needs an object of its class, which has no constructor without parameters.
    Receiver(String),
}

const SYMBOLIC: &str = "lapidary/Symbolic";

/// A class whose only method takes nothing and calls the target with symbolic arguments.
pub(super) fn class(target: &crate::Method, has_plain_constructor: bool, number: u32) -> Result<Class, NoEntry> {
    let mut emitter = Emitter::new(0);
    if !target.is_static() {
        if !has_plain_constructor {
            return Err(NoEntry::Receiver(target.class_name.as_str().replace('/', ".")));
        }
        emitter.push(Instruction::New(target.class_name.clone()));
        emitter.push(Instruction::Stack(StackOp::Dup));
        emitter.invoke(InvokeOp::Special, &target.class_name.as_str(), "<init>", "()V");
    }
    for type_ in &target.type_.parameters {
        argument(&mut emitter, type_)?;
    }
    let operation = if target.is_static() { InvokeOp::Static } else { InvokeOp::Virtual };
    let member = MemberRef {
        owner: target.class_name.clone(),
        name: target.name.clone(),
        descriptor: target.type_.descriptor(),
        interface: false,
    };
    emitter.push(Instruction::Invoke(operation, Arc::new(member)));
    emitter.return_(target.type_.result.as_ref());
    let mut class = emit::class(format!("lapidary/Entry${number}"));
    let type_ = MethodType { parameters: Vec::new(), result: target.type_.result.clone() };
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, &"enter".into(), &type_));
    Ok(class)
}

fn argument(emitter: &mut Emitter, type_: &FieldType) -> Result<(), NoEntry> {
    let name = match type_ {
        FieldType::Base(base) => format!("new{}", capital(crate::step::base_name(*base))),
        FieldType::Object(name) if *name == "java/lang/String" => "newString".to_owned(),
        FieldType::Array(element) => match &**element {
            FieldType::Base(base) => format!("new{}s", capital(crate::step::base_name(*base))),
            _ => return Err(NoEntry::Parameter(crate::input::java_name(type_))),
        },
        FieldType::Object(_) => return Err(NoEntry::Parameter(crate::input::java_name(type_))),
    };
    emitter.invoke(InvokeOp::Static, SYMBOLIC, &name, &format!("(){type_}"));
    Ok(())
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}
