//! Fork-join tasks: generates a method that runs a task at once. There is only one thread, so code
//! that waits for the task finds it done.

use super::emit::{self, Emitter};
use lapidary_classfile::{Class, Instruction, InvokeOp, StackOp, access};
use lapidary_jvm::{FieldType, MethodType};

const TASK: &str = "java/util/concurrent/ForkJoinTask";

/// The return type of `doExec` depends on the release of the JDK.
pub(super) fn class(gives_status: bool) -> Class {
    let task = FieldType::Object(TASK.into());
    let mut emitter = Emitter::new(1);
    emitter.load(&task, 0);
    emitter.invoke(InvokeOp::Virtual, TASK, "doExec", if gives_status { "()I" } else { "()V" });
    if gives_status {
        emitter.push(Instruction::Stack(StackOp::Pop));
    }
    emitter.load(&task, 0);
    emitter.return_(Some(&task));
    let type_ = MethodType { parameters: vec![task.clone()], result: Some(task) };
    let mut class = emit::class("lapidary/ForkedTask".into());
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, &"run".into(), &type_));
    class
}
