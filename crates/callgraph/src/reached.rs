//! The input and output of an analysis.

use crate::analysis::CallGraphAnalysis;
use crate::application::application_classes;
use crate::body::Start;
use crate::engine::{Engine, name_of};
use crate::weakness::Weaknesses;
use crate::world::{ClassOrigin, World};
use lapidary_classfile::Text;
use lapidary_jvm::{ClassId, ClassPath, Hierarchy, MethodId, MethodName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The entry point of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The internal name, such as `pkg/Main`.
    pub class: Text,
    pub method: Text,
    pub descriptor: Text,
}

impl Entry {
    /// The `main` of a class, whose name may be written with dots.
    #[must_use]
    pub fn main(class: &str) -> Self {
        Entry {
            class: Text::from(class.replace('.', "/")),
            method: Text::from("main"),
            descriptor: Text::from("([Ljava/lang/String;)V"),
        }
    }
}

/// The limits at which an analysis gives up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub methods: usize,
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { methods: 1_000_000, time: Duration::from_secs(600) }
    }
}

/// The reason for a call graph that cannot be built.
#[derive(Debug, Error)]
pub enum Error {
    #[error("class {class} is not on the class path{}", reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default())]
    NoClass { class: Text, reason: Option<String> },
    #[error("{class} has no method {method}{descriptor}; has it a main?")]
    NoMethod { class: Text, method: Text, descriptor: Text },
    #[error("more than {limit} methods are reachable")]
    TooManyMethods { limit: usize },
    #[error("the analysis was stopped after {} seconds", limit.as_secs_f64())]
    OutOfTime { limit: Duration },
}

/// The methods that may run.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Every method with code, and native ones, including those of the platform.
    pub methods: BTreeSet<MethodName>,
    /// The methods of classes that are on the class path and not in the platform.
    pub application: BTreeSet<MethodName>,
    /// The caller through which each method was first reached. A method without an entry is reached
    /// from the JVM.
    pub callers: BTreeMap<MethodName, MethodName>,
    /// Classes that were needed but not found.
    pub missing: BTreeSet<Text>,
}

impl Reached {
    #[must_use]
    pub fn contains(&self, method: &MethodName) -> bool {
        self.methods.contains(method)
    }

    /// The chain of callers to a method, starting with the method itself. Empty if it is not
    /// reached.
    #[must_use]
    pub fn way_to(&self, method: &MethodName) -> Vec<&MethodName> {
        let first = self.methods.get(method);
        std::iter::successors(first, |method| self.callers.get(*method)).take(self.methods.len()).collect()
    }
}

/// Finds the methods that may run when a program is started.
pub fn reachable(
    class_path: &Arc<ClassPath>,
    entry: &Entry,
    analysis: CallGraphAnalysis,
    weaknesses: &Weaknesses,
    limits: &Limits,
) -> Result<Reached, Error> {
    let hierarchy = Hierarchy::new([], class_path.clone());
    let start = Start { class: hierarchy.id(&entry.class), main: find_entry(&hierarchy, entry)? };
    let application: Vec<ClassId> = application_classes(class_path).iter().map(|name| hierarchy.id(name)).collect();
    let world = World::new(hierarchy, weaknesses.clone());
    let mut engine = Engine::new(world, analysis.granularity());
    engine.run(start, &application, limits)?;
    Ok(report(engine))
}

fn find_entry(hierarchy: &Hierarchy, entry: &Entry) -> Result<MethodId, Error> {
    let class = hierarchy.id(&entry.class);
    if hierarchy.is_missing(class) {
        let reason = hierarchy.class_path().problems().remove(&entry.class);
        return Err(Error::NoClass { class: entry.class.clone(), reason });
    }
    let in_class = |class: ClassId| hierarchy.declared_method(class, &entry.method, &entry.descriptor);
    hierarchy.superclasses(class).find_map(in_class).ok_or_else(|| Error::NoMethod {
        class: entry.class.clone(),
        method: entry.method.clone(),
        descriptor: entry.descriptor.clone(),
    })
}

fn report(mut engine: Engine) -> Reached {
    let mut reached = Reached { missing: std::mem::take(&mut engine.world.missing), ..Reached::default() };
    for (method, caller) in engine.methods.reached_with_callers() {
        let name = name_of(&engine.world, method);
        if engine.world.origin(method.class) != ClassOrigin::Platform {
            reached.application.insert(name.clone());
        }
        if let Some(caller) = caller {
            reached.callers.insert(name.clone(), name_of(&engine.world, caller));
        }
        reached.methods.insert(name);
    }
    reached
}
