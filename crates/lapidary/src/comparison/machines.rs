//! Sets up the machines of one version: its class path, its symbolic machine, and the replayer on
//! the real JVM.

use super::job::Job;
use super::options::ComparisonOptions;
use crate::java_method as target;
use crate::real_jvm::RealJvm;
use anyhow::{Context, anyhow};
use lapidary_compare::{Rules, RunnableVersion, Tolerance};
use lapidary_java_workers::Replay;
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{CallPlan, Engine, Machine, MachineConfig, MathFunctions, Method, PathLimits, Replayer};
use lapidary_terms::Config;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

impl ComparisonOptions {
    pub(super) fn class_path(&self, version: &Path) -> anyhow::Result<Arc<ClassPath>> {
        self.class_path_behind(&[], version)
    }

    /// The classes of a version, after those in `first`, which take precedence.
    pub(super) fn class_path_behind(&self, first: &[PathBuf], version: &Path) -> anyhow::Result<Arc<ClassPath>> {
        let platform = Platform::installed().context("comparing needs the classes of a JDK")?;
        let paths: Vec<PathBuf> =
            first.iter().cloned().chain([version.to_owned()]).chain(self.class_path.iter().cloned()).collect();
        Ok(Arc::new(ClassPath::open(&paths, Some(platform))?))
    }

    /// Returns a machine for the old version.
    pub(super) fn machine(&self, class_path: Arc<ClassPath>, job: &Job<'_>) -> anyhow::Result<Machine> {
        let (functions, cache, curfew) = (Arc::new(MathFunctions), self.cache, job.curfew.clone());
        let solver = Config { functions, cache, curfew, ..Config::default() }.build()?;
        let hierarchy = Arc::new(Hierarchy::new([], class_path));
        Ok(Machine::new(hierarchy, Box::new(solver), self.config(job)))
    }

    /// Returns an engine for the new version that shares what it can with the old one's.
    pub(super) fn engine(&self, class_path: Arc<ClassPath>, job: &Job<'_>, old: &Engine) -> Engine {
        old.beside(Arc::new(old.world.hierarchy.beside(class_path)), self.config(job))
    }

    fn config(&self, job: &Job<'_>) -> MachineConfig {
        let limits = PathLimits {
            array_length: self.bound,
            object_depth: self.depth,
            aliases: self.aliases,
            ..PathLimits::default()
        };
        let notes_overflow = job.scope.spec.numbers == Tolerance::NoOverflow;
        MachineConfig { limits, notes_overflow, merges: self.merge, ..MachineConfig::default() }
    }

    /// Returns a version with its entry method and the plan for calling it.
    pub(super) fn version<M: AsMut<Engine>>(
        &self,
        mut machine: M,
        path: &Path,
        job: &Job<'_>,
        abstracted: &BTreeSet<String>,
    ) -> anyhow::Result<(RunnableVersion<M>, Rc<Method>, CallPlan)> {
        let engine = machine.as_mut();
        engine.curfew = job.curfew.clone();
        let rules = Rc::new(Rules::new(job.scope.spec.clone(), job.changes.clone(), abstracted.clone()));
        let method = target::method(engine, job.main, path).with_context(|| format!("in {}", path.display()))?;
        engine.take_hints(&job.asked(&method));
        let plan = engine
            .plan(&method, self.arguments.as_deref())
            .map_err(|problem| anyhow!("{}", target::no_entry(&method, &problem)))?;
        let entry = engine.entry_for(&method, &plan);
        Ok((RunnableVersion { machine, entry, called: method.clone(), rules }, method, plan))
    }

    pub(super) fn replayer(&self, replay: &Replay, version: &Path) -> Replayer {
        let real = RealJvm { libraries: &self.class_path, timeout: self.timeout, sandbox: &self.sandbox };
        real.replayer(replay, version)
    }
}
