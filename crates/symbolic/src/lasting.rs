//! State of a program that outlives a call: static fields, and fields of enum constants, whose
//! content an earlier call may have changed. A field counts unless it is clear that it does not.

mod mutability;
mod stack;
mod uses;

use crate::input::ProgramClasses;
use lapidary_classfile::{Class, Field, FieldOp, Instruction, MemberRef, Method, Text, access};
use lapidary_jvm::ClassPath;
use mutability::Mutability;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use uses::Uses;

/// The fields that hold such state, by declaring class and name.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastingState {
    fields: BTreeSet<(Text, Text)>,
}

impl LastingState {
    /// Looks through the code of all classes of a program.
    pub fn of(class_path: &ClassPath) -> LastingState {
        let names = ProgramClasses::of(class_path);
        let classes = names.names().map(Text::from).filter_map(|name| Some((name.clone(), class_path.class(&name)?)));
        let program = Program { classes: classes.collect() };
        let mutability = Mutability::of(&program, class_path);
        let fields = program.classes.values().flat_map(|class| class.fields.iter().map(move |field| (&**class, field)));
        let lasting = fields.filter(|(class, field)| is_lasting(&program, &mutability, class, field));
        LastingState { fields: lasting.map(|(class, field)| (class.name.clone(), field.name.clone())).collect() }
    }

    pub fn fields(&self) -> &BTreeSet<(Text, Text)> {
        &self.fields
    }

    pub fn holds(&self, class: &Text, field: &Text) -> bool {
        !self.fields.is_empty() && self.fields.contains(&(class.clone(), field.clone()))
    }
}

/// Whether an earlier call may have changed a field, or an object that it refers to.
fn is_lasting(program: &Program, mutability: &Mutability<'_>, class: &Class, field: &Field) -> bool {
    let is_enum = class.access & access::ENUM != 0;
    let is_static = field.access & access::STATIC != 0;
    // Constants of an enum are objects of it, and so is the array of all constants.
    let is_constant = is_enum && (field.access & access::ENUM != 0 || field.name == "$VALUES");
    // The compiler makes fields up, such as the table behind a `switch` over an enum.
    let is_synthetic = field.access & access::SYNTHETIC != 0;
    if is_constant || is_synthetic || !is_static && !is_enum {
        return false;
    }
    if mutability.is_assigned(class, field) {
        return true;
    }
    let is_private = field.access & access::PRIVATE != 0;
    let descriptor = field.descriptor.as_str();
    !(mutability.is_unchanging(&descriptor) || is_private && program.only_reads(mutability, class, field))
}

/// The classes of a program.
struct Program {
    classes: BTreeMap<Text, Arc<Class>>,
}

impl Program {
    /// All methods that have code, with their class and instructions.
    fn code(&self) -> impl Iterator<Item = (&Class, &Method, &[Instruction])> {
        let methods =
            self.classes.values().flat_map(|class| class.methods.iter().map(move |method| (&**class, method)));
        methods.filter_map(|(class, method)| Some((class, method, &*method.code()?.instructions)))
    }

    /// The class of the program that declares a field, and its name.
    fn declared(&self, member: &MemberRef) -> (Text, Text) {
        let mut class = &member.owner;
        while let Some(read) = self.classes.get(class) {
            if read.fields.iter().any(|field| field.name == member.name) {
                break;
            }
            let Some(above) = &read.superclass else { break };
            class = above;
        }
        (class.clone(), member.name.clone())
    }

    /// Whether no method changes the object in a field or hands it to code that may.
    fn only_reads(&self, mutability: &Mutability<'_>, class: &Class, field: &Field) -> bool {
        let key = (class.name.clone(), field.name.clone());
        let reads_it = |instruction: &Instruction| match instruction {
            Instruction::Field(FieldOp::GetStatic | FieldOp::GetField, member) => {
                member.name == field.name && self.declared(member) == key
            }
            _ => false,
        };
        // Only the class and those nested with it can read a private field.
        let nest = self.code().filter(|(owner, _, _)| outermost(&owner.name) == outermost(&class.name));
        nest.into_iter().all(|(owner, method, code)| {
            let is_initialiser = method.name == "<clinit>" && owner.name == class.name;
            Uses { mutability, code, is_initialiser }.are_reads(&field.descriptor.as_str(), reads_it)
        })
    }
}

fn outermost(class: &Text) -> String {
    let name = class.as_str();
    name.split('$').next().unwrap_or(&name).to_owned()
}
