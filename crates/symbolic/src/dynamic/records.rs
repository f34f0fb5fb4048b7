//! `toString`, `hashCode` and `equals` of records.

use super::{
    Request, concat,
    emit::{self, Emitter},
};
use crate::machine::Machine;
use lapidary_classfile::{
    Arithmetic, Class, Condition, Constant, FieldOp, Instruction, InvokeOp, Kind, NumberKind, Text, access,
};
use lapidary_jvm::{BaseType, FieldType};

/// A record component.
struct Component {
    name: Text,
    type_: FieldType,
}

pub(super) fn class(request: &Request<'_>, machine: &Machine) -> Option<Class> {
    let [Constant::Class(record), Constant::String(_), getters @ ..] = request.arguments else { return None };
    let components: Option<Vec<Component>> = getters.iter().map(component).collect();
    let components = components?;
    let mut emitter = Emitter::new(request.type_.parameter_slots());
    match &*request.name.as_str() {
        "toString" => to_string(&mut emitter, record, &machine.simple_name(record), &components),
        "hashCode" => hash_code(&mut emitter, record, &components),
        "equals" => equals(&mut emitter, record, &components),
        _ => return None,
    }
    let mut class = emit::class(format!("{}$$Record${}", request.owner, request.number));
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, request.name, &request.type_));
    Some(class)
}

fn component(getter: &Constant) -> Option<Component> {
    let Constant::MethodHandle(handle) = getter else { return None };
    let type_ = FieldType::parse(handle.member.descriptor.as_bytes()).ok()?;
    Some(Component { name: handle.member.name.clone(), type_ })
}

fn get(emitter: &mut Emitter, record: &Text, component: &Component, place: usize) {
    let type_ = FieldType::Object(record.clone());
    emitter.load(&type_, place);
    emitter.cast(&type_);
    emitter.field(FieldOp::GetField, record, &component.name, &component.type_);
}

fn to_string(emitter: &mut Emitter, record: &Text, simple: &str, components: &[Component]) {
    let string = FieldType::Object("java/lang/String".into());
    concat::begin(emitter);
    for (place, component) in components.iter().enumerate() {
        let before = if place == 0 { format!("{simple}[") } else { ", ".to_owned() };
        emitter.text(&format!("{before}{}=", component.name));
        concat::append(emitter, &string);
        get(emitter, record, component, 0);
        concat::append(emitter, &component.type_);
    }
    emitter.text(&if components.is_empty() { format!("{simple}[]") } else { "]".to_owned() });
    concat::append(emitter, &string);
    concat::end(emitter);
}

fn hash_code(emitter: &mut Emitter, record: &Text, components: &[Component]) {
    emitter.int(0);
    for component in components {
        emitter.int(31);
        emitter.push(Instruction::Arithmetic(Arithmetic::Mul, NumberKind::Int));
        get(emitter, record, component, 0);
        match &component.type_ {
            FieldType::Base(base) => {
                let wrapper = base.wrapper();
                emitter.invoke(InvokeOp::Static, wrapper, "hashCode", &format!("({})I", base.letter() as char));
            }
            _ => emitter.invoke(InvokeOp::Static, "java/util/Objects", "hashCode", "(Ljava/lang/Object;)I"),
        }
        emitter.push(Instruction::Arithmetic(Arithmetic::Add, NumberKind::Int));
    }
    emitter.push(Instruction::Return(Some(Kind::Int)));
}

fn equals(emitter: &mut Emitter, record: &Text, components: &[Component]) {
    let type_ = FieldType::Object(record.clone());
    emitter.load(&type_, 1);
    emitter.push(Instruction::InstanceOf(record.clone()));
    let mut failures = vec![emitter.jump_if(Condition::Eq)];
    for component in components {
        get(emitter, record, component, 0);
        get(emitter, record, component, 1);
        failures.push(compare(emitter, &component.type_));
    }
    emitter.int(1);
    emitter.push(Instruction::Return(Some(Kind::Int)));
    failures.into_iter().for_each(|jump| emitter.land(jump));
    emitter.int(0);
    emitter.push(Instruction::Return(Some(Kind::Int)));
}

/// Emits a jump that is taken if the two values on top of the stack differ. Floating-point numbers
/// are compared as their wrapper classes do.
fn compare(emitter: &mut Emitter, type_: &FieldType) -> usize {
    match type_ {
        FieldType::Base(base @ (BaseType::Long | BaseType::Float | BaseType::Double)) => {
            let letter = base.letter() as char;
            emitter.invoke(InvokeOp::Static, base.wrapper(), "compare", &format!("({letter}{letter})I"));
            emitter.jump_if(Condition::Ne)
        }
        FieldType::Base(_) => emitter.jump_if(Condition::IntNe),
        _ => {
            emitter.invoke(InvokeOp::Static, "java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z");
            emitter.jump_if(Condition::Eq)
        }
    }
}
