//! `--abstract`: classes that are replaced by ones that choose where the real ones compute.

use crate::say::say;
use anyhow::{Context, bail};
use lapidary_abstraction::{Abstraction, Policy, compile, write};
use lapidary_classfile::{Text, access};
use lapidary_compare::Changes;
use lapidary_jvm::{ClassPath, Hierarchy};
use lapidary_symbolic::ProgramClasses;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// Abstract classes, compiled. They come first on the class path of the symbolic machine, and never on the real one's.
pub struct Abstracted {
    pub abstractions: Vec<Abstraction>,
    /// Classes that could not be abstracted, and why.
    pub left: Vec<(String, String)>,
    directory: TempDir,
}

impl Abstracted {
    /// Abstracts classes by name; `auto` stands for every class of the program that does not change.
    pub fn make(
        classes: &[String],
        policy: Policy,
        changes: &Changes,
        class_path: &Arc<ClassPath>,
        entry: &str,
        libraries: &[PathBuf],
    ) -> anyhow::Result<Abstracted> {
        let hierarchy = Hierarchy::new([], class_path.clone());
        let is_auto = classes.iter().any(|class| class == "auto");
        let names = if is_auto { unchanged(changes, class_path, entry) } else { classes.to_vec() };
        let (mut abstractions, mut left) = (Vec::new(), Vec::new());
        for name in names {
            let internal = Text::from(name.replace('.', "/").as_str());
            if class_path.find(&internal).is_none() {
                bail!("--abstract: there is no class {name}");
            }
            match write(&hierarchy, hierarchy.id(&internal), policy) {
                Ok(abstraction) => abstractions.push(abstraction),
                Err(error) if is_auto => left.push((name, error.to_string())),
                Err(error) => bail!("--abstract {name}: {error}"),
            }
        }
        let directory = tempfile::Builder::new().prefix("lapidary-abstract-").tempdir()?;
        compile(&abstractions, libraries, directory.path()).context("cannot compile the abstractions")?;
        Ok(Abstracted { abstractions, left, directory })
    }

    /// The classes that were abstracted, in source form.
    pub fn names(&self) -> BTreeSet<String> {
        self.abstractions.iter().map(|abstraction| abstraction.class.replace('/', ".")).collect()
    }

    pub fn path(&self) -> PathBuf {
        self.directory.path().to_owned()
    }

    /// The sources, for people.
    pub fn show(&self) {
        self.abstractions.iter().for_each(|abstraction| say!("{}", abstraction.source));
        self.left.iter().for_each(|(class, why)| say!("// {class} is left as it is: {why}"));
    }
}

/// The classes of the program that neither differ nor hold the entry method, and whose objects compute something.
fn unchanged(changes: &Changes, class_path: &ClassPath, entry: &str) -> Vec<String> {
    let is_plain = |name: &str| {
        let flags = access::INTERFACE | access::ENUM | access::ABSTRACT | access::SYNTHETIC;
        class_path.class(&Text::from(name.replace('.', "/").as_str())).is_some_and(|class| class.access & flags == 0)
    };
    let names = ProgramClasses::of(class_path);
    let names = names.names().map(|name| name.replace('/', "."));
    let changes_or_enters = |name: &str| changes.class_names().any(|changed| changed == name) || name == entry;
    names.filter(|name| !changes_or_enters(name) && !name.contains('$') && is_plain(name)).collect()
}
