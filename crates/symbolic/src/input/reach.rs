//! The code of a program that a method may reach. Calls are resolved by name and descriptor alone,
//! to every class of the program that has such a method.

use super::ProgramClasses;
use lapidary_classfile::{Class, Constant, Dynamic, Instruction, MemberRef, Method, Text};
use lapidary_jvm::{ClassPath, FieldType, MethodType};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The classes of a program, and their methods by name and descriptor.
pub struct ProgramCode {
    classes: Vec<Arc<Class>>,
    by_name: BTreeMap<(Text, Text), Vec<MethodPlace>>,
}

/// The numbers of a class and of a method in it.
type MethodPlace = (usize, usize);

impl ProgramCode {
    pub fn of(class_path: &ClassPath) -> ProgramCode {
        let names: Vec<Text> = ProgramClasses::of(class_path).names().map(Text::from).collect();
        let classes: Vec<Arc<Class>> = names.iter().filter_map(|name| class_path.class(name)).collect();
        let mut by_name: BTreeMap<(Text, Text), Vec<MethodPlace>> = BTreeMap::new();
        for (place, class) in classes.iter().enumerate() {
            for (number, method) in class.methods.iter().enumerate() {
                let key = (method.name.clone(), method.descriptor.clone());
                by_name.entry(key).or_default().push((place, number));
            }
        }
        ProgramCode { classes, by_name }
    }

    /// The interfaces that lambdas and method references implement.
    pub fn lambdas(&self) -> BTreeSet<Text> {
        let mut interfaces = BTreeSet::new();
        for class in &self.classes {
            let code = class.methods.iter().filter_map(Method::code).flat_map(|code| &code.instructions);
            interfaces.extend(code.filter_map(|instruction| match instruction {
                Instruction::InvokeDynamic(dynamic) => lambda(class, dynamic),
                _ => None,
            }));
        }
        interfaces
    }

    /// Visits the methods that `is_start` selects and all methods that they may call. Calls are
    /// followed from a method for which `visit` returns true.
    pub fn visit(&self, is_start: impl Fn(&Class, &Method) -> bool, mut visit: impl FnMut(&Class, &Method) -> bool) {
        let mut waiting = Vec::new();
        for (place, class) in self.classes.iter().enumerate() {
            let methods = class.methods.iter().enumerate();
            waiting.extend(methods.filter(|(_, method)| is_start(class, method)).map(|(number, _)| (place, number)));
        }
        let mut seen: BTreeSet<MethodPlace> = BTreeSet::new();
        while let Some(next) = waiting.pop() {
            if !seen.insert(next) {
                continue;
            }
            let class = &self.classes[next.0];
            let method = &class.methods[next.1];
            if visit(class, method) {
                for called in calls(class, method) {
                    let key = (called.name.clone(), called.descriptor.clone());
                    waiting.extend(self.by_name.get(&key).into_iter().flatten());
                }
            }
        }
    }
}

/// The interface of a call site that makes a lambda. Others concatenate strings, for example.
fn lambda(class: &Class, dynamic: &Dynamic) -> Option<Text> {
    let bootstrap = class.bootstrap_methods().get(usize::from(dynamic.bootstrap))?;
    if bootstrap.handle.member.owner != "java/lang/invoke/LambdaMetafactory" {
        return None;
    }
    match MethodType::parse(dynamic.descriptor.as_bytes()).ok()?.result? {
        FieldType::Object(interface) => Some(interface),
        _ => None,
    }
}

/// The methods that a method calls or makes lambdas of.
pub(super) fn calls<'c>(class: &'c Class, method: &'c Method) -> impl Iterator<Item = &'c MemberRef> {
    let instructions = method.code().map_or(&[][..], |code| &code.instructions);
    instructions.iter().flat_map(|instruction| match instruction {
        Instruction::Invoke(_, member) => vec![&**member],
        Instruction::InvokeDynamic(dynamic) => {
            let bootstrap = class.bootstrap_methods().get(usize::from(dynamic.bootstrap));
            let arguments = bootstrap.map_or(&[][..], |bootstrap| &bootstrap.arguments);
            let handles = arguments.iter().filter_map(|argument| match argument {
                Constant::MethodHandle(handle) => Some(&*handle.member),
                _ => None,
            });
            handles.collect()
        }
        _ => Vec::new(),
    })
}
