//! Compares two versions of a Java program: did a patch change only what was meant?

mod abstracting;
mod at_random;
mod built;
mod confirm;
mod job;
mod machines;
mod names;
mod options;
mod report;
mod repository;
mod scope;
mod versions;
mod watcher;
mod words;

pub use at_random::FoundAtRandom;
pub use confirm::Seen;
pub use options::ComparisonOptions;
pub use report::ComparisonReport;
pub use scope::Scope;
pub use versions::Versions;
pub use watcher::ComparisonWatcher;
pub use words::{assembled_classes, call_in_words, difference_in_words};
pub(crate) use words::{printed, typed};

use crate::error::{Error, Result};
use abstracting::Wanted;
use built::Built;
use confirm::Confirmer;
use job::Job;
use lapidary_compare::{
    ChangedLines, Changes, Observation, RandomComparer, RandomComparison, Side, Tolerance, class_graph,
    differing_files, unseen, written,
};
use lapidary_java_workers::Replay;
use lapidary_jvm::ClassPath;
use lapidary_symbolic::{CallPlan, Machine};
use lapidary_terms::Curfew;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a single call on the real JVM may take, and how long one of many random calls.
const ONE_CALL: Duration = Duration::from_secs(10);
const RANDOM_CALL: Duration = Duration::from_millis(500);

/// A comparison of two versions of a Java program that can be run.
///
/// ```
/// use lapidary::{Comparison, ComparisonOptions, ComparisonVerdict, Versions};
///
/// # let place = tempfile::tempdir()?;
/// # std::env::set_current_dir(&place)?;
/// # let setup = r#"echo 'class Till { static int pay(int all) { return all; } }' >Till.java
/// #     javac -g -d old Till.java
/// #     sed -i 's/all;/all - 5;/' Till.java
/// #     javac -g -d new Till.java"#;
/// # assert!(std::process::Command::new("sh").args(["-ec", setup]).status()?.success());
/// // The old `pay` returns `all`, the new one `all - 5`.
/// let versions = Versions::Given { old: "old".into(), new: "new".into() };
/// let options = ComparisonOptions::default();
/// let report = Comparison::of(versions, "Till.pay", options)?.run(&mut ())?;
/// assert!(matches!(report.comparison.verdict, ComparisonVerdict::Different));
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Comparison {
    paths: [PathBuf; 2],
    class_paths: [Arc<ClassPath>; 2],
    changes: Changes,
    main: String,
    options: ComparisonOptions,
    built: Option<Built>,
    /// When reading the classes began.
    since: Instant,
}

impl Comparison {
    /// A comparison of two versions that starts with the method `main` (`CLASS.METHOD`, followed by
    /// its descriptor if the name is overloaded). Versions of a repository are built here.
    pub fn of(versions: Versions, main: &str, options: ComparisonOptions) -> Result<Self> {
        Comparison::with_remarks(versions, main, options, &mut ())
    }

    /// Does the same as [`Comparison::of`], and reports remarks on the build to a watcher.
    pub fn with_remarks(
        versions: Versions,
        main: &str,
        options: ComparisonOptions,
        watcher: &mut dyn ComparisonWatcher,
    ) -> Result<Self> {
        let (paths, built) = match versions {
            Versions::Given { old, new } => ([old, new], None),
            git => {
                let Some(built) = Built::from_repository(&git, &options.cancel, watcher)? else {
                    return Err(Error::Stopped("stopped during a build".to_owned()));
                };
                (built.paths(), Some(built))
            }
        };
        let since = Instant::now();
        let class_paths = [options.class_path(&paths[0])?, options.class_path(&paths[1])?];
        let changes = Changes::between(&class_paths[0], &class_paths[1]);
        Ok(Comparison { paths, class_paths, changes, main: main.to_owned(), options, built, since })
    }

    /// A specification that lets the differing classes change.
    pub fn suggested_spec(&self) -> String {
        written(&self.changes)
    }

    /// Compares the versions.
    pub fn run(self, watcher: &mut dyn ComparisonWatcher) -> Result<ComparisonReport> {
        Ok(self.compared(watcher)?)
    }

    fn compared(self, watcher: &mut dyn ComparisonWatcher) -> anyhow::Result<ComparisonReport> {
        let Comparison { paths, class_paths, changes, options, .. } = &self;
        let scope = Scope::of(options.spec.as_deref(), changes, class_paths)?;
        let wanted = self.wanted()?;
        // Abstractions for `auto` take long and may never be needed.
        let is_at_once = |wanted: &&Wanted<'_>| !wanted.is_auto() || options.show_abstractions;
        let made = wanted.as_ref().filter(is_at_once).map(|wanted| wanted.make(watcher)).transpose()?;
        if options.show_abstractions {
            made.iter().for_each(|made| made.show(watcher));
        }
        let lines = RefCell::new(ChangedLines::between(changes, &class_paths[0], &class_paths[1]));
        let (time, curfew) = (options.time, Curfew::of(&options.cancel));
        let mut job =
            Job { options, main: &self.main, time, paths, class_paths, scope: &scope, changes, lines, curfew };
        let (mut concrete, method, plan) = job.versions(&[], &BTreeSet::new())?;
        let replay = Replay::install()?;
        let replayers = paths.each_ref().map(|path| options.replayer(&replay, path));
        watcher.begins(&scope, changes);
        watcher.phase("testing both versions with random inputs");
        let unseen = unseen(changes, &class_paths[0], &class_paths[1]);
        let observation = Observation { method: &method, call: ONE_CALL, unseen: &unseen };
        let mut confirmer = Confirmer { replayers: &replayers, observation, spec: &scope.spec, seen: Vec::new() };
        let is_one_program = changes.classes.is_empty() && differing_files(&paths[0], &paths[1]).is_empty();
        let random = match is_one_program {
            true => Ok(RandomComparison::default()),
            false => self.random(concrete.take(Side::New), &plan, &confirmer, watcher),
        };
        watcher.phase("comparing both versions on every path");
        job.time = self.left();
        let comparison = match &wanted {
            _ if is_one_program => lapidary_compare::ComparisonResult::of_one_program(),
            None => job.compare(&mut concrete, job.time, &mut confirmer)?,
            Some(wanted) if wanted.is_auto() => {
                job.compare_in_turn(&mut concrete, wanted, made, &mut confirmer, watcher)?
            }
            Some(wanted) => {
                let made = made.map_or_else(|| wanted.make(watcher), Ok)?;
                job.compare_and_refine(&mut concrete, &made, &mut confirmer)?
            }
        };
        job.lines.borrow_mut().note(concrete.engine(Side::New), &BTreeSet::new());
        let changed_lines = job.lines.borrow().share();
        let seen = std::mem::take(&mut confirmer.seen);
        Ok(ComparisonReport {
            names: names::of(&self.paths, self.built.as_ref()),
            graph: class_graph(&class_paths[1]),
            class_paths: self.class_paths.clone(),
            time: options.time,
            changed_lines,
            comparison,
            random,
            seen,
            method,
            scope,
            paths: self.paths,
            changes: self.changes,
            built: self.built,
        })
    }

    /// How much of the time is left.
    fn left(&self) -> Duration {
        self.options.time.saturating_sub(self.since.elapsed())
    }

    /// The abstract classes that were asked for.
    fn wanted(&self) -> anyhow::Result<Option<Wanted<'_>>> {
        let options = &self.options;
        if options.abstracted.is_empty() && options.abstractions.is_empty() {
            return Ok(None);
        }
        let entry = self.main.split('(').next().and_then(|name| name.rsplit_once('.')).map_or("", |(class, _)| class);
        Ok(Some(Wanted {
            classes: &options.abstracted,
            policy: options.policy.parse()?,
            by_hand: &options.abstractions,
            changes: &self.changes,
            class_path: &self.class_paths[1],
            entry,
            libraries: [self.paths[1].clone()].into_iter().chain(options.class_path.iter().cloned()).collect(),
        }))
    }

    fn random(
        &self,
        machine: &mut Machine,
        plan: &CallPlan,
        confirmer: &Confirmer<'_>,
        watcher: &mut dyn ComparisonWatcher,
    ) -> std::result::Result<RandomComparison, String> {
        let Confirmer { replayers: [old, new], observation, spec, .. } = *confirmer;
        // Random testing does not support tolerances.
        if self.options.fuzz_first.is_zero() || spec.numbers != Tolerance::Exact {
            return Ok(RandomComparison::default());
        }
        let (call, time, seed) = (RANDOM_CALL, self.options.fuzz_first.min(self.left()), self.options.seed);
        let comparer = RandomComparer { old, new, observation, call, time, seed, spec };
        let compared = comparer.compare(machine, plan).map_err(|error| error.to_string());
        if let Ok(RandomComparison { found: Some((inputs, ..)), .. }) = &compared {
            watcher.found_at_random(observation.method, inputs);
        }
        compared
    }
}
