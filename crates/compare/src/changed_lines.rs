//! The lines of changed code, whether it is ever called or not, and which of them have run.

use crate::changes::{Change, Changes};
use lapidary_classfile::{Attribute, Class, Text};
use lapidary_jvm::ClassPath;
use lapidary_symbolic::{Engine, Method, Share, source_file};
use std::collections::{BTreeSet, HashSet};

/// The lines of those methods of the new version that differ from the old version or are new.
pub struct ChangedLines {
    /// Class, name and descriptor.
    methods: HashSet<(Text, Text, Text)>,
    /// Source files and line numbers.
    lines: BTreeSet<(String, u16)>,
    run: BTreeSet<(String, u16)>,
}

impl ChangedLines {
    pub fn between(changes: &Changes, old: &ClassPath, new: &ClassPath) -> ChangedLines {
        let mut all = ChangedLines { methods: HashSet::new(), lines: BTreeSet::new(), run: BTreeSet::new() };
        for change in &changes.classes {
            let name = Text::from(change.class.replace('.', "/").as_str());
            if let Some(class) = new.class(&name) {
                all.add(&class, Some(change).filter(|_| old.class(&name).is_some()));
            }
        }
        all
    }

    /// Records what the paths of an engine have run. Lines of abstract classes are not lines of the
    /// program and do not count.
    pub fn note(&mut self, engine: &Engine, abstracted: &BTreeSet<String>) {
        let counts = |method: &Method| {
            let of = (method.class_name.clone(), method.name.clone(), method.type_.descriptor());
            self.methods.contains(&of) && !abstracted.contains(&of.0.as_str().replace('/', "."))
        };
        let run = engine.lines_run(&counts);
        self.run.extend(run.intersection(&self.lines).cloned());
    }

    pub fn share(&self) -> Share {
        Share { reached: self.run.len(), total: self.lines.len() }
    }

    /// Adds the changed methods of a class, or all of them if there is nothing to compare it with.
    fn add(&mut self, class: &Class, change: Option<&Change>) {
        let file = source_file(class);
        for method in &class.methods {
            let key = (method.name.clone(), method.descriptor.clone());
            if change.is_some_and(|change| !change.methods.contains(&key)) {
                continue;
            }
            let attributes = method.code().map_or(&[][..], |code| &code.attributes);
            for attribute in attributes {
                if let Attribute::LineNumberTable(table) = attribute {
                    self.lines.extend(table.iter().map(|entry| (file.clone(), entry.line)));
                }
            }
            self.methods.insert((class.name.clone(), key.0, key.1));
        }
    }
}
