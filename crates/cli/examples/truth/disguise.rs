//! Rewrites class files without changing their behaviour, for programs that only exist as bytecode.

use super::rearranged::{inline, reorder};
use lapidary_classfile::{
    Arithmetic, Attribute, Class, Code, Condition, Field, Instruction, IntegerKind, InvokeOp, Kind, Local, MemberRef,
    Method, NumberKind, Position, StackOp, access,
};
use lapidary_jvm::{FieldType, MethodType};
use std::sync::Arc;

/// A rewrite of a class that keeps its behaviour.
pub type Disguise = fn(&mut Class);

pub const DISGUISES: [(&str, Disguise); 9] = [
    ("dead local", dead_local),
    ("unused method", unused_method),
    ("unused field", unused_field),
    ("commute", commute),
    ("read twice", read_twice),
    ("rename", rename),
    ("delegate", delegate),
    ("reorder", reorder),
    ("inline", inline),
];

/// Makes every method first store a number that is never read.
fn dead_local(class: &mut Class) {
    for code in codes(class) {
        let local = Local::new(code.max_locals);
        code.max_locals += 1;
        code.max_stack = code.max_stack.max(1);
        insert(code, |at, _| match at {
            0 => vec![Instruction::IConst(3), Instruction::Store(Kind::Int, local)],
            _ => Vec::new(),
        });
    }
}

fn unused_method(class: &mut Class) {
    if class.is_interface() {
        return;
    }
    let instructions = vec![Instruction::Load(Kind::Int, Local::new(0)), Instruction::Return(Some(Kind::Int))];
    let code = Code { max_stack: 1, max_locals: 1, instructions, ..Code::default() };
    class.methods.push(Method {
        access: access::STATIC,
        name: "unusedMethod".into(),
        descriptor: "(I)I".into(),
        attributes: vec![Attribute::Code(Box::new(code))],
    });
}

fn unused_field(class: &mut Class) {
    if !class.is_interface() {
        let (name, descriptor) = ("unusedField".into(), "I".into());
        class.fields.push(Field { access: access::STATIC, name, descriptor, attributes: Vec::new() });
    }
}

/// Swaps the operands of additions, multiplications, bit operations and comparisons of integers.
fn commute(class: &mut Class) {
    for code in codes(class) {
        for instruction in &mut code.instructions {
            if let Instruction::If(condition, _) = instruction {
                *condition = flipped(*condition);
            }
        }
        insert(code, |_, instruction| match instruction {
            Instruction::Arithmetic(Arithmetic::Add | Arithmetic::Mul, NumberKind::Int)
            | Instruction::Logic(_, IntegerKind::Int)
            | Instruction::If(
                Condition::IntEq
                | Condition::IntNe
                | Condition::IntLt
                | Condition::IntGe
                | Condition::IntGt
                | Condition::IntLe,
                _,
            ) => vec![Instruction::Stack(StackOp::Swap)],
            _ => Vec::new(),
        });
    }
}

/// The condition for swapped operands.
fn flipped(condition: Condition) -> Condition {
    match condition {
        Condition::IntLt => Condition::IntGt,
        Condition::IntGt => Condition::IntLt,
        Condition::IntLe => Condition::IntGe,
        Condition::IntGe => Condition::IntLe,
        other => other,
    }
}

/// Reads every local variable once more.
fn read_twice(class: &mut Class) {
    for code in codes(class) {
        code.max_stack += 2;
        insert(code, |_, instruction| match instruction {
            Instruction::Load(kind @ (Kind::Int | Kind::Float), _) => {
                vec![instruction.clone(), Instruction::Stack(pop(*kind))]
            }
            _ => Vec::new(),
        });
    }
}

fn pop(kind: Kind) -> StackOp {
    if matches!(kind, Kind::Long | Kind::Double) { StackOp::Pop2 } else { StackOp::Pop }
}

/// Renames local variables.
fn rename(class: &mut Class) {
    for code in codes(class) {
        for attribute in &mut code.attributes {
            if let Attribute::LocalVariableTable(variables) | Attribute::LocalVariableTypeTable(variables) = attribute {
                for variable in variables.iter_mut().filter(|variable| variable.name != "this") {
                    variable.name = format!("{}Renamed", variable.name).as_str().into();
                }
            }
        }
    }
}

/// Makes every static method delegate to a new one with the original code.
fn delegate(class: &mut Class) {
    if class.is_interface() {
        return;
    }
    let mut wrappers = Vec::new();
    let owner = class.name.clone();
    for method in &mut class.methods {
        let is_plain = method.access & access::STATIC != 0 && !method.name.as_str().contains(['<', '$']);
        let Some(descriptor) = MethodType::parse(method.descriptor.as_bytes()).ok().filter(|_| is_plain) else {
            continue;
        };
        if method.code().is_none() {
            continue;
        }
        let mut wrapper = method.clone();
        method.name = format!("{}$really", method.name).as_str().into();
        method.access = access::STATIC;
        let (name, interface) = (method.name.clone(), false);
        let target = MemberRef { owner: owner.clone(), name, descriptor: method.descriptor.clone(), interface };
        if let Some(code) = wrapper.code_mut() {
            *code = calling(target, &descriptor);
        }
        wrappers.push(wrapper);
    }
    class.methods.extend(wrappers);
}

/// Code that loads all parameters, calls a static method, and returns its result.
fn calling(target: MemberRef, descriptor: &MethodType) -> Code {
    let (mut instructions, mut next) = (Vec::new(), 0);
    for parameter in &descriptor.parameters {
        let kind = kind_of(parameter);
        instructions.push(Instruction::Load(kind, Local::new(next)));
        next += if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 };
    }
    instructions.push(Instruction::Invoke(InvokeOp::Static, Arc::new(target)));
    instructions.push(Instruction::Return(descriptor.result.as_ref().map(kind_of)));
    Code { max_stack: next.max(2), max_locals: next, instructions, ..Code::default() }
}

pub fn kind_of(type_: &FieldType) -> Kind {
    match type_ {
        FieldType::Base(base) => match base.letter() {
            b'J' => Kind::Long,
            b'F' => Kind::Float,
            b'D' => Kind::Double,
            _ => Kind::Int,
        },
        _ => Kind::Reference,
    }
}

pub fn codes(class: &mut Class) -> impl Iterator<Item = &mut Code> {
    class.methods.iter_mut().filter_map(Method::code_mut)
}

/// Inserts instructions before others. A jump to an instruction also runs those inserted before it.
fn insert(code: &mut Code, before: impl Fn(usize, &Instruction) -> Vec<Instruction>) {
    let mut at = 0;
    replace(code, |instruction| {
        let mut all = before(at, instruction);
        at += 1;
        all.push(instruction.clone());
        Some(all)
    });
}

/// Puts others in the place of instructions; `None` leaves one as it is. A jump to an instruction
/// goes to the first in its place.
pub fn replace(code: &mut Code, mut by: impl FnMut(&Instruction) -> Option<Vec<Instruction>>) {
    let old = std::mem::take(&mut code.instructions);
    let mut places: Vec<Position> = Vec::with_capacity(old.len() + 1);
    let mut instructions = Vec::with_capacity(old.len());
    for instruction in old {
        places.push(instructions.len() as Position);
        instructions.extend(by(&instruction).unwrap_or_else(|| vec![instruction]));
    }
    places.push(instructions.len() as Position);
    code.instructions = instructions;
    code.map_positions(|position| places.get(position as usize).copied().unwrap_or(position));
}
