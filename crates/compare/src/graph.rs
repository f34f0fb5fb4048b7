//! The dependency graph of a program's classes, for drawing the boundary of a change.

use lapidary_classfile::{Attribute, Class, Instruction, Text};
use lapidary_jvm::ClassPath;
use lapidary_symbolic::ProgramClasses;
use std::collections::{BTreeMap, BTreeSet};

/// The classes of a program with the classes of the program that they mention, in source form.
/// Nested classes count as their outermost class.
pub fn class_graph(class_path: &ClassPath) -> BTreeMap<String, BTreeSet<String>> {
    let program = ProgramClasses::of(class_path);
    let names: BTreeSet<String> = program.names().map(outermost).collect();
    let mut graph: BTreeMap<String, BTreeSet<String>> =
        names.iter().map(|name| (name.clone(), BTreeSet::new())).collect();
    for name in program.names() {
        let Some(class) = class_path.class(&Text::from(name)) else { continue };
        let from = outermost(name);
        let mentioned = mentioned(&class).into_iter().map(|name| outermost(&name));
        let others: Vec<String> = mentioned.filter(|name| names.contains(name) && *name != from).collect();
        graph.entry(from).or_default().extend(others);
    }
    graph
}

fn outermost(name: &str) -> String {
    name.split('$').next().unwrap_or(name).replace('/', ".")
}

fn mentioned(class: &Class) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = class.interfaces.iter().chain(&class.superclass).map(Text::to_string).collect();
    names.extend(class.fields.iter().flat_map(|field| of_descriptor(&field.descriptor)));
    for method in &class.methods {
        names.extend(of_descriptor(&method.descriptor));
        for attribute in &method.attributes {
            if let Attribute::Code(code) = attribute {
                names.extend(code.instructions.iter().filter_map(of_instruction));
            }
        }
    }
    names
}

/// The classes between `L` and `;`.
fn of_descriptor(descriptor: &Text) -> Vec<String> {
    let text = descriptor.to_string();
    let parts = text.split(';').filter_map(|part| part.split_once('L').map(|(_, name)| name.to_owned()));
    parts.collect()
}

fn of_instruction(instruction: &Instruction) -> Option<String> {
    Some(match instruction {
        Instruction::Field(_, member) | Instruction::Invoke(_, member) => member.owner.to_string(),
        Instruction::New(name) | Instruction::CheckCast(name) | Instruction::InstanceOf(name) => name.to_string(),
        Instruction::ANewArray(name) => name.to_string(),
        _ => return None,
    })
}
