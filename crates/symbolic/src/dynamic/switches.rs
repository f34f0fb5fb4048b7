//! Pattern switches: generates a method that tries one label after the other, starting at the label
//! where the search resumes.

use super::{
    Request,
    emit::{self, Emitter},
};
use lapidary_classfile::{Class, Condition, Constant, Instruction, InvokeOp, Kind, Local, access};
use lapidary_jvm::FieldType;

pub(super) fn class(request: &Request<'_>, of_enum: bool) -> Option<Class> {
    let [subject, _] = &request.type_.parameters[..] else { return None };
    let mut emitter = Emitter::new(2);
    emitter.load(subject, 0);
    let not_null = emitter.jump_if(Condition::NonNull);
    give(&mut emitter, -1);
    emitter.land(not_null);
    for (number, label) in request.arguments.iter().enumerate() {
        let number = number as i32;
        emitter.push(Instruction::Load(Kind::Int, Local::new(1)));
        emitter.int(number);
        let mut failures = vec![emitter.jump_if(Condition::IntGt)];
        failures.extend(test(&mut emitter, subject, label, of_enum)?);
        give(&mut emitter, number);
        failures.into_iter().for_each(|jump| emitter.land(jump));
    }
    give(&mut emitter, request.arguments.len() as i32);
    let mut class = emit::class(format!("{}$$Switch${}", request.owner, request.number));
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, request.name, &request.type_));
    Some(class)
}

fn give(emitter: &mut Emitter, number: i32) {
    emitter.int(number);
    emitter.push(Instruction::Return(Some(Kind::Int)));
}

/// Emits jumps that are taken if the label does not match.
fn test(emitter: &mut Emitter, subject: &FieldType, label: &Constant, of_enum: bool) -> Option<Vec<usize>> {
    match label {
        Constant::Class(name) => {
            emitter.load(subject, 0);
            emitter.push(Instruction::InstanceOf(name.clone()));
        }
        Constant::String(name) if of_enum => {
            emitter.text(&name.as_str());
            emitter.load(subject, 0);
            emitter.push(Instruction::CheckCast("java/lang/Enum".into()));
            emitter.invoke(InvokeOp::Virtual, "java/lang/Enum", "name", "()Ljava/lang/String;");
            emitter.invoke(InvokeOp::Virtual, "java/lang/Object", "equals", "(Ljava/lang/Object;)Z");
        }
        Constant::String(text) => {
            emitter.text(&text.as_str());
            emitter.load(subject, 0);
            emitter.invoke(InvokeOp::Virtual, "java/lang/Object", "equals", "(Ljava/lang/Object;)Z");
        }
        Constant::Int(number) => return Some(test_number(emitter, subject, *number)),
        _ => return None,
    }
    Some(vec![emitter.jump_if(Condition::Eq)])
}

/// Emits a test for an integer label, which matches a boxed integer or a `Character` of that value.
fn test_number(emitter: &mut Emitter, subject: &FieldType, number: i32) -> Vec<usize> {
    emitter.load(subject, 0);
    emitter.push(Instruction::InstanceOf("java/lang/Character".into()));
    let no_character = emitter.jump_if(Condition::Eq);
    emitter.load(subject, 0);
    emitter.push(Instruction::CheckCast("java/lang/Character".into()));
    emitter.invoke(InvokeOp::Virtual, "java/lang/Character", "charValue", "()C");
    let to_comparison = emitter.here() as usize;
    emitter.push(Instruction::Goto(0));
    emitter.land(no_character);
    emitter.load(subject, 0);
    emitter.push(Instruction::InstanceOf("java/lang/Number".into()));
    let no_number = emitter.jump_if(Condition::Eq);
    emitter.load(subject, 0);
    emitter.push(Instruction::CheckCast("java/lang/Number".into()));
    emitter.invoke(InvokeOp::Virtual, "java/lang/Number", "intValue", "()I");
    emitter.land(to_comparison);
    emitter.int(number);
    vec![no_number, emitter.jump_if(Condition::IntNe)]
}
