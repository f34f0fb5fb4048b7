//! Makes abstract classes, which choose where the concrete ones compute.

use super::watcher::ComparisonWatcher;
use anyhow::{Context, bail};
use lapidary_abstraction::{Abstraction, Policy, compile, compile_accepted, write};
use lapidary_classfile::{Text, access};
use lapidary_compare::Changes;
use lapidary_jvm::{ClassPath, Hierarchy};
use lapidary_symbolic::ProgramClasses;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The classes to abstract, and how.
pub struct Wanted<'a> {
    /// Class names; `auto` stands for every class of the program that does not change.
    pub classes: &'a [String],
    pub policy: Policy,
    /// Directories and jars with abstract classes written by hand.
    pub by_hand: &'a [PathBuf],
    pub changes: &'a Changes,
    pub class_path: &'a Arc<ClassPath>,
    /// The class of the entry method.
    pub entry: &'a str,
    /// The class path for the Java compiler.
    pub libraries: Vec<PathBuf>,
}

/// Compiled abstract classes. They come first on the class path of the symbolic machine, and are
/// never on that of the real JVM.
pub struct Abstracted {
    abstractions: Vec<Abstraction>,
    left: Vec<Left>,
    by_hand: BTreeSet<String>,
    directory: TempDir,
}

/// A class that could not be abstracted, and why.
type Left = (String, String);

impl Wanted<'_> {
    pub fn is_auto(&self) -> bool {
        self.classes.iter().any(|class| class == "auto")
    }

    /// Writes the abstractions and compiles them. With `auto`, classes that cannot be abstracted
    /// stay concrete.
    pub fn make(&self, watcher: &mut dyn ComparisonWatcher) -> anyhow::Result<Abstracted> {
        let directory = tempfile::Builder::new().prefix("lapidary-abstract-").tempdir()?;
        let by_hand = ClassPath::open(self.by_hand, None)?;
        let by_hand: BTreeSet<String> =
            ProgramClasses::of(&by_hand).names().map(|name| name.replace('/', ".")).collect();
        let (mut abstractions, mut left) = self.written(&by_hand)?;
        if self.is_auto() {
            let refused = compile_accepted(&abstractions, &self.libraries, directory.path())?;
            for (place, why) in refused.into_iter().rev() {
                left.push((abstractions.remove(place).class.replace('/', "."), why.to_string()));
            }
        } else {
            compile(&abstractions, &self.libraries, directory.path()).context("cannot compile the abstractions")?;
        }
        if !left.is_empty() {
            watcher.remark(&format!("classes that stay concrete: {}; --show-abstractions says why", left.len()));
        }
        Ok(Abstracted { abstractions, left, by_hand, directory })
    }

    /// Writes the abstractions. Also returns the classes without one.
    fn written(&self, by_hand: &BTreeSet<String>) -> anyhow::Result<(Vec<Abstraction>, Vec<Left>)> {
        let hierarchy = Hierarchy::new([], self.class_path.clone());
        let mut names =
            if self.is_auto() { unchanged(self.changes, self.class_path, self.entry) } else { self.classes.to_vec() };
        names.retain(|name| !by_hand.contains(name));
        let (mut abstractions, mut left) = (Vec::new(), Vec::new());
        for name in names {
            let internal = Text::from(name.replace('.', "/").as_str());
            if self.class_path.find(&internal).is_none() {
                bail!("--abstract: there is no class {name}");
            }
            match write(&hierarchy, hierarchy.id(&internal), self.policy) {
                Ok(abstraction) => abstractions.push(abstraction),
                Err(error) if self.is_auto() => left.push((name, error.to_string())),
                Err(error) => bail!("--abstract {name}: {error}"),
            }
        }
        Ok((abstractions, left))
    }
}

impl Abstracted {
    pub fn is_empty(&self) -> bool {
        self.abstractions.is_empty() && self.by_hand.is_empty()
    }

    /// The names of the abstracted classes in source form, including those written by hand.
    pub fn names(&self) -> BTreeSet<String> {
        let made = self.abstractions.iter().map(|abstraction| abstraction.class.replace('/', "."));
        made.chain(self.by_hand.iter().cloned()).collect()
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Shows the sources to the watcher.
    pub fn show(&self, watcher: &mut dyn ComparisonWatcher) {
        self.abstractions.iter().for_each(|abstraction| watcher.abstraction(&abstraction.source));
        let why_not = |(class, why): &Left| format!("// {class} stays concrete: {why}");
        self.left.iter().for_each(|left| watcher.abstraction(&why_not(left)));
    }
}

/// The plain top-level classes of the program that neither differ nor declare the entry method.
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
