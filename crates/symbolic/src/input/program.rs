//! The classes of the program, from its directories and jars but not from the platform.

use lapidary_jvm::{ClassPath, Limits, read_jar};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The internal names of all classes of a program.
#[derive(Clone, Debug, Default)]
pub struct ProgramClasses {
    names: BTreeSet<String>,
}

/// The largest number of classes that are searched for subclasses.
const AT_MOST: usize = 50_000;

impl ProgramClasses {
    /// Lists the classes. Unreadable paths have no classes; code that needs one of them reports it.
    pub fn of(class_path: &ClassPath) -> ProgramClasses {
        let mut names = BTreeSet::new();
        for path in class_path.paths() {
            if path.is_dir() {
                below(path, "", &mut names);
            } else {
                in_jar(path, &mut names);
            }
        }
        ProgramClasses { names }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

fn below(directory: &Path, package: &str, names: &mut BTreeSet<String>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        if names.len() >= AT_MOST {
            return;
        }
        if kind.is_dir() {
            below(&entry.path(), &format!("{package}{name}/"), names);
        } else if let Some(class) = name.strip_suffix(".class") {
            names.insert(format!("{package}{class}"));
        }
    }
}

fn in_jar(path: &Path, names: &mut BTreeSet<String>) {
    let jar = fs::read(path).ok().and_then(|bytes| read_jar(&bytes, &Limits::default()).ok());
    for entry in jar.into_iter().flat_map(|jar| jar.entries) {
        let class = entry.name.strip_suffix(".class").filter(|name| !name.starts_with("META-INF/"));
        if let Some(class) = class.filter(|_| names.len() < AT_MOST) {
            names.insert(class.to_owned());
        }
    }
}
