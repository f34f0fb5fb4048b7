//! The code of a method: an instruction a line, with labels where control may arrive.

use super::constants::{bootstrap, constant, escaped, member};
use super::paper::Paper;
use super::types::{class_constant, of_descriptor, of_method};
use lapidary_classfile::{
    Attribute, BootstrapMethod, Class, Code, Constant, Dynamic, Instruction, Local, LocalVariable, Method, Position,
    PrimitiveType,
};
use std::collections::{BTreeMap, BTreeSet};

/// More variables of a method have no names here, so that looking for one stays cheap.
const VARIABLES: usize = 500;

/// Writes instructions and handlers.
pub(super) fn write(class: &Class, method: &Method, code: &Code, paper: &mut Paper) {
    let body = Body { class, labels: labels(code), variables: variables(code), is_static: method.is_static() };
    for (position, instruction) in (0..).zip(&code.instructions) {
        if paper.is_full() {
            return;
        }
        body.label(position, paper);
        let name = plain_name(instruction);
        match body.operand(position, instruction) {
            operand if operand.is_empty() => paper.line(&format!("      {name}")),
            operand => paper.line(&format!("      {name:<15} {operand}")),
        }
        body.more(instruction, paper);
    }
    body.label(code.instructions.len() as Position, paper);
    for handler in &code.handlers {
        if paper.is_full() {
            return;
        }
        let caught = handler.catch.as_ref().map_or_else(|| "anything".to_owned(), class_constant);
        let [start, end, target] = [handler.start, handler.end, handler.target].map(|at| body.name(at));
        paper.line(&format!("      catch {caught} from {start} to {end} at {target}"));
    }
}

/// Positions that something refers to, numbered in their order.
fn labels(code: &Code) -> BTreeMap<Position, usize> {
    let jumps = code.instructions.iter().flat_map(Instruction::targets);
    let handlers = code.handlers.iter().flat_map(|handler| [handler.start, handler.end, handler.target]);
    let places: BTreeSet<Position> = jumps.chain(handlers).collect();
    places.into_iter().zip(1..).collect()
}

fn variables(code: &Code) -> Vec<&LocalVariable> {
    let tables = code.attributes.iter().filter_map(|attribute| match attribute {
        Attribute::LocalVariableTable(table) => Some(table),
        _ => None,
    });
    tables.flatten().take(VARIABLES).collect()
}

/// The mnemonic without a number in it: `aload_0` is `aload` of variable 0. `iconst_5` stays.
fn plain_name(instruction: &Instruction) -> &'static str {
    let name = instruction.mnemonic();
    match instruction {
        Instruction::Load(..) | Instruction::Store(..) => name.split_once('_').map_or(name, |(name, _)| name),
        _ => name,
    }
}

struct Body<'a> {
    class: &'a Class,
    labels: BTreeMap<Position, usize>,
    variables: Vec<&'a LocalVariable>,
    is_static: bool,
}

impl Body<'_> {
    fn label(&self, position: Position, paper: &mut Paper) {
        if let Some(number) = self.labels.get(&position) {
            paper.line(&format!("    L{number}:"));
        }
    }

    fn name(&self, position: Position) -> String {
        self.labels.get(&position).map_or_else(|| format!("#{position}"), |number| format!("L{number}"))
    }

    fn operand(&self, position: Position, of: &Instruction) -> String {
        match of {
            Instruction::BiPush(value) => value.to_string(),
            Instruction::SiPush(value) => value.to_string(),
            Instruction::Ldc(of) | Instruction::LdcW(of) | Instruction::Ldc2W(of) => self.loaded(of),
            Instruction::Load(_, local) | Instruction::Ret(local) => self.local(position, *local),
            // A variable begins to live after its first value is stored.
            Instruction::Store(_, local) => self.local(position.saturating_add(1), *local),
            Instruction::Increment(local, by) => format!("{} by {by}", self.local(position, *local)),
            Instruction::If(_, target)
            | Instruction::Goto(target)
            | Instruction::GotoW(target)
            | Instruction::Jsr(target)
            | Instruction::JsrW(target) => self.name(*target),
            Instruction::Field(_, field) => member(field, Some(&self.class.name), true),
            Instruction::Invoke(_, method) => member(method, Some(&self.class.name), false),
            Instruction::InvokeDynamic(site) => {
                format!("{}{}{}", escaped(&site.name, None), of_method(&site.descriptor), self.made_by(site))
            }
            Instruction::New(class) | Instruction::CheckCast(class) | Instruction::InstanceOf(class) => {
                class_constant(class)
            }
            Instruction::ANewArray(element) => class_constant(element),
            Instruction::NewArray(element) => primitive(*element),
            Instruction::MultiANewArray(class, dimensions) => format!("{} {dimensions}", class_constant(class)),
            _ => String::new(),
        }
    }

    fn loaded(&self, of: &Constant) -> String {
        let made_by = if let Constant::Dynamic(dynamic) = of { self.made_by(dynamic) } else { String::new() };
        constant(of) + &made_by
    }

    fn made_by(&self, dynamic: &Dynamic) -> String {
        match self.made(dynamic) {
            Some(method) => format!(" by {}", bootstrap(&method.handle)),
            None => format!(" by missing bootstrap method {}", dynamic.bootstrap),
        }
    }

    fn made(&self, dynamic: &Dynamic) -> Option<&BootstrapMethod> {
        self.class.bootstrap_methods().get(usize::from(dynamic.bootstrap))
    }

    /// The number of a variable, with its name if it is known.
    fn local(&self, position: Position, local: Local) -> String {
        let lives = |variable: &&&LocalVariable| {
            variable.index == local.index && variable.start <= position && position < variable.end
        };
        let known = self.variables.iter().find(lives).map(|variable| escaped(&variable.name, None));
        let this = (local.index == 0 && !self.is_static && self.variables.is_empty()).then(|| "this".to_owned());
        match known.or(this) {
            Some(name) => format!("{} {name}", local.index),
            None => local.index.to_string(),
        }
    }

    /// Lines below an instruction: the cases of a switch, the arguments of a bootstrap method.
    fn more(&self, of: &Instruction, paper: &mut Paper) {
        let dynamic = match of {
            Instruction::TableSwitch(switch) => {
                let values = i64::from(switch.low)..;
                let cases = values.zip(&switch.targets).filter(|(_, target)| **target != switch.default);
                return self.cases(cases, switch.default, paper);
            }
            Instruction::LookupSwitch(switch) => {
                let cases = switch.pairs.iter().map(|(value, target)| (i64::from(*value), target));
                return self.cases(cases, switch.default, paper);
            }
            Instruction::InvokeDynamic(site) => site,
            Instruction::Ldc(Constant::Dynamic(made))
            | Instruction::LdcW(Constant::Dynamic(made))
            | Instruction::Ldc2W(Constant::Dynamic(made)) => made,
            _ => return,
        };
        for argument in self.made(dynamic).map_or(&[][..], |method| &method.arguments) {
            if paper.is_full() {
                return;
            }
            paper.line(&format!("        with {}", constant(argument)));
        }
    }

    fn cases<'a>(&self, cases: impl Iterator<Item = (i64, &'a Position)>, default: Position, paper: &mut Paper) {
        for (value, target) in cases {
            paper.line(&format!("        case {value}: {}", self.name(*target)));
        }
        paper.line(&format!("        default: {}", self.name(default)));
    }
}

fn primitive(of: PrimitiveType) -> String {
    of_descriptor(&crate::FieldType::Base(of.into()).descriptor())
}
