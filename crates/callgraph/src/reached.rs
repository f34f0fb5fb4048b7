//! The question and its answer.

use crate::analysis::Analysis;
use crate::application::application_classes;
use crate::body::Start;
use crate::engine::{Engine, name_of};
use crate::weakness::Weaknesses;
use crate::world::{Origin, World};
use lapidary_classfile::Text;
use lapidary_jvm::{ClassId, ClassPath, Hierarchy, MethodId, MethodName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Where a program begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The internal name, `pkg/Main`.
    pub class: Text,
    pub method: Text,
    pub descriptor: Text,
}

impl Entry {
    /// `main` of a class, whose name may be written with dots.
    #[must_use]
    pub fn main(class: &str) -> Self {
        Entry {
            class: Text::from(class.replace('.', "/")),
            method: Text::from("main"),
            descriptor: Text::from("([Ljava/lang/String;)V"),
        }
    }
}

/// When to give up.
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

/// What may run.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Every method with code, and native ones; those of the platform are among them.
    pub methods: BTreeSet<MethodName>,
    /// Those of them that the class path has and the platform has not.
    pub application: BTreeSet<MethodName>,
    /// Who was first found to lead to a method. The machine leads to those that have none here.
    pub callers: BTreeMap<MethodName, MethodName>,
    /// Classes that were needed and are nowhere.
    pub missing: BTreeSet<Text>,
}

impl Reached {
    #[must_use]
    pub fn contains(&self, method: &MethodName) -> bool {
        self.methods.contains(method)
    }

    /// How a method is reached: it, who leads to it, and so on. Empty if it is not reached.
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
    analysis: Analysis,
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
        if engine.world.origin(method.class) != Origin::Platform {
            reached.application.insert(name.clone());
        }
        if let Some(caller) = caller {
            reached.callers.insert(name.clone(), name_of(&engine.world, caller));
        }
        reached.methods.insert(name);
    }
    reached
}
