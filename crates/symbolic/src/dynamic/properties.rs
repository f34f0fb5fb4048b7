//! System properties: generates a method that fills a `java.util.Properties` and stores it where
//! `System` looks for it.

use super::emit::{self, Emitter};
use lapidary_classfile::{Class, FieldOp, Instruction, InvokeOp, StackOp, access};
use lapidary_jvm::{FieldType, MethodType};

const PROPERTIES: &str = "java/util/Properties";

pub(super) fn class(properties: &[(&str, &str)]) -> Class {
    let type_ = FieldType::Object(PROPERTIES.into());
    let mut emitter = Emitter::new(0);
    emitter.push(Instruction::New(PROPERTIES.into()));
    emitter.push(Instruction::Stack(StackOp::Dup));
    emitter.invoke(InvokeOp::Special, PROPERTIES, "<init>", "()V");
    for (name, text) in properties {
        emitter.push(Instruction::Stack(StackOp::Dup));
        emitter.text(name);
        emitter.text(text);
        let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
        emitter.invoke(InvokeOp::Virtual, PROPERTIES, "put", put);
        emitter.push(Instruction::Stack(StackOp::Pop));
    }
    emitter.push(Instruction::Stack(StackOp::Dup));
    emitter.field(FieldOp::PutStatic, &"java/lang/System".into(), &"props".into(), &type_);
    emitter.return_(Some(&type_));
    let mut class = emit::class("lapidary/SystemProperties".into());
    let made = MethodType { parameters: Vec::new(), result: Some(type_) };
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, &"make".into(), &made));
    class
}
