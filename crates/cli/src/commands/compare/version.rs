//! One version of the program as the options of the command want it: its class path, its machine, and the real machine beside it.

use super::Compare;
use super::job::Job;
use crate::commands::explore::target;
use anyhow::{Context, anyhow};
use lapidary_compare::{Rules, Techniques, Tolerance, Version};
use lapidary_java_workers::Replay;
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{Aliases, Limits, Machine, MathFunctions, Method, Plan, Replayer};
use lapidary_terms::Config;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

impl Compare {
    pub(super) fn class_path(&self, version: &Path) -> anyhow::Result<Arc<ClassPath>> {
        self.class_path_behind(&[], version)
    }

    /// The classes of a version, behind others that take their place.
    pub(super) fn class_path_behind(&self, first: &[PathBuf], version: &Path) -> anyhow::Result<Arc<ClassPath>> {
        let platform = Platform::installed().context("comparing needs the classes of a JDK")?;
        let paths: Vec<PathBuf> =
            first.iter().cloned().chain([version.to_owned()]).chain(self.classpath.iter().cloned()).collect();
        Ok(Arc::new(ClassPath::open(&paths, Some(platform))?))
    }

    /// A machine for a version, the method in it, and where its inputs come from.
    pub(super) fn version(
        &self,
        class_path: Arc<ClassPath>,
        path: &Path,
        job: &Job<'_>,
        abstracted: &BTreeSet<String>,
        beside: Option<&Machine>,
    ) -> anyhow::Result<(Version, Rc<Method>, Plan)> {
        let (spec, changes, interrupt) = (&job.scope.spec, job.changes, job.interrupt);
        let (functions, cache) = (Arc::new(MathFunctions), self.has("cache"));
        let solver = Config { functions, cache, interrupt: interrupt.clone(), ..Config::default() }.build()?;
        let aliases = Aliases::named(&self.aliases);
        let limits = Limits { array_length: self.bound, object_depth: self.depth, aliases, ..Limits::default() };
        let mut machine = match beside {
            None => Machine::new(Arc::new(Hierarchy::new([], class_path)), Box::new(solver), limits),
            Some(other) => other.beside(Arc::new(other.world.hierarchy.beside(class_path)), Box::new(solver), limits),
        };
        machine.interrupt = interrupt.clone();
        machine.merging.is_on = self.merge;
        machine.notes_overflow = spec.numbers == Tolerance::NoOverflow;
        machine.partition = Some(Rc::new(Rules::new(spec.clone(), changes.clone(), abstracted.clone())));
        let method =
            target::method(&mut machine, &self.main, path).with_context(|| format!("in {}", path.display()))?;
        machine.ask(&job.asked(&method));
        let arguments = (!self.symbolic_args).then_some(&self.arguments[..]);
        let plan =
            machine.plan(&method, arguments).map_err(|problem| anyhow!("{}", target::no_entry(&method, &problem)))?;
        let entry = machine.entry_for(&method, &plan);
        Ok((Version { machine, entry }, method, plan))
    }

    pub(super) fn techniques(&self) -> Techniques {
        Techniques {
            sharing: self.has("sharing"),
            cancelling: self.has("cancelling"),
            induction: self.has("induction"),
        }
    }

    /// Whether a technique is not left out.
    fn has(&self, technique: &str) -> bool {
        !self.without.iter().any(|without| without == technique)
    }

    pub(super) fn replayer(&self, replay: &Replay, version: &Path) -> Replayer {
        let mut class_path = vec![replay.classes.clone(), version.to_owned()];
        class_path.extend(self.classpath.iter().cloned());
        Replayer { java: replay.java.clone(), class_path, timeout: Duration::from_secs(10) }
    }
}
