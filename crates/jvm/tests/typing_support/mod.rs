//! Programs compiled by javac, with their hierarchy.

#![allow(dead_code, reason = "each test file uses a part of it")]

use lapidary_classfile::{Class, Instruction, Method};
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

pub const WIDE: &str = include_str!("Wide.java");

pub struct Program {
    pub directory: TempDir,
    pub classes: Vec<Arc<Class>>,
    pub hierarchy: Hierarchy,
}

impl Program {
    /// Compiles sources, each under its file name, with all debug tables.
    pub fn compile(sources: &[(&str, &str)]) -> Program {
        let directory = tempfile::tempdir().unwrap();
        lapidary_testkit::javac_texts(&["-g", "-parameters"], directory.path(), sources);
        Program::load(directory, |_| true)
    }

    /// The classes in a directory, except those for which `present` is false.
    pub fn load(directory: TempDir, present: impl Fn(&Class) -> bool) -> Program {
        let mut classes = Vec::new();
        collect(directory.path(), &mut classes);
        classes.retain(|class| present(class));
        classes.sort_by(|left, right| left.name.cmp(&right.name));
        let class_path = ClassPath::open(&[], Some(Platform::installed().unwrap())).unwrap();
        let hierarchy = Hierarchy::new(classes.iter().cloned(), Arc::new(class_path));
        Program { directory, classes, hierarchy }
    }

    pub fn class(&self, name: &str) -> &Class {
        self.classes.iter().find(|class| class.name == name).unwrap_or_else(|| panic!("no class {name}"))
    }

    /// The first method of that name.
    pub fn method(&self, class: &str, name: &str) -> (&Class, &Method) {
        let class = self.class(class);
        (class, class.methods.iter().find(|method| method.name == name).unwrap())
    }

    /// Every method that has code.
    pub fn bodies(&self) -> impl Iterator<Item = (&Class, &Method)> {
        let methods = self.classes.iter().flat_map(|class| class.methods.iter().map(move |method| (&**class, method)));
        methods.filter(|(_, method)| method.code().is_some())
    }
}

fn collect(directory: &Path, classes: &mut Vec<Arc<Class>>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, classes);
        } else if path.extension().is_some_and(|extension| extension == "class") {
            classes.push(Arc::new(Class::read(&std::fs::read(path).unwrap()).unwrap()));
        }
    }
}

/// The position of the first instruction for which this holds.
pub fn find(method: &Method, wanted: impl Fn(&Instruction) -> bool) -> u32 {
    method.code().unwrap().instructions.iter().position(wanted).unwrap() as u32
}
