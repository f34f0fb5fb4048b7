//! Explores a Java method: what it can do, and on which inputs.

mod random;
mod tally;

pub use random::{FindingKey, RandomFindings};
pub use tally::{PathVerdict, Tally};

use crate::error::Result;
use crate::java_method;
use crate::real_jvm::RealJvm;
use anyhow::{Context, anyhow, bail};
use lapidary_java_workers::Replay;
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_predicate::Sandbox;
use lapidary_reduce::Cancel;
use lapidary_symbolic::{
    Aliases, ArgumentSource, CallPlan, Covered, ExplorationBudget, Explored, Machine, MathFunctions, Method, ObjectsBy,
    Outcome, PathEnd, PathLimits, RandomTester, Replayer, State, explore, is_main, search,
};
use lapidary_terms::{Config, Curfew};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An exploration of a Java method that can be run. It finds every path through the method, each
/// with an input that takes it.
///
/// ```
/// use lapidary::{Exploration, ExplorationOptions};
///
/// # let place = tempfile::tempdir()?;
/// # std::env::set_current_dir(&place)?;
/// # let setup = r#"echo 'class Till { static int share(int all, int people) { return all / people; } }' >Till.java
/// #     javac -g -d classes Till.java"#;
/// # assert!(std::process::Command::new("sh").args(["-ec", setup]).status()?.success());
/// // class Till { static int share(int all, int people) { return all / people; } }
/// let options = ExplorationOptions::default();
/// let report = Exploration::of("classes", "Till.share", options)?.run(&mut ())?;
/// assert_eq!((report.tally.findings, report.explored.paths), (1, 2));
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Exploration {
    input: PathBuf,
    options: ExplorationOptions,
    machine: Machine,
    method: Rc<Method>,
    plan: CallPlan,
    /// When reading the program began.
    since: Instant,
}

/// How long one run on the real JVM may take, unless the user says otherwise.
pub(crate) const REPLAY: Duration = Duration::from_secs(10);

/// The settings of an exploration.
#[derive(Clone)]
pub struct ExplorationOptions {
    /// Directories and jars with the classes that the program uses.
    pub class_path: Vec<PathBuf>,
    /// The search that picks the next path: `fair`, `depth`, `breadth`, `tree` or `coverage`.
    pub search: String,
    /// How long everything may take, from the first class that is read.
    pub time: Duration,
    /// How long one run on the real JVM may take.
    pub timeout: Duration,
    /// The longest text or array in an input.
    pub bound: usize,
    /// How deep the references between objects in an input go.
    pub depth: u32,
    /// How objects of the program's classes are made.
    pub objects_by: ObjectsBy,
    /// Which inputs may be the same object.
    pub aliases: Aliases,
    /// The arguments of `main`; symbolic if `None`.
    pub arguments: Option<Vec<String>>,
    /// How long to test with random inputs first.
    pub fuzz_first: Duration,
    /// The most random calls to make.
    pub fuzz_calls: Option<u64>,
    /// Stop after this many paths.
    pub paths: Option<u64>,
    /// Merge paths that split at a branch and meet again.
    pub merge: bool,
    /// Stop when the process uses this many bytes.
    pub memory: u64,
    /// The sandbox of the real JVM.
    pub sandbox: Option<Sandbox>,
    /// The seed for everything random.
    pub seed: u64,
    /// Ends the exploration when it fires.
    pub cancel: Cancel,
}

impl Default for ExplorationOptions {
    fn default() -> Self {
        ExplorationOptions {
            class_path: Vec::new(),
            search: "fair".to_owned(),
            time: Duration::from_secs(60),
            timeout: REPLAY,
            bound: 4,
            depth: 3,
            objects_by: ObjectsBy::Fields,
            aliases: Aliases::Arguments,
            arguments: Some(Vec::new()),
            fuzz_first: Duration::from_secs(1),
            fuzz_calls: None,
            paths: None,
            merge: false,
            memory: 8 << 30,
            sandbox: None,
            seed: 0,
            cancel: Cancel::new(),
        }
    }
}

/// Follows an exploration. By default, every method does nothing; `&mut ()` watches nothing.
pub trait ExplorationWatcher {
    /// A phase begins, in a few words.
    fn phase(&mut self, _what: &str) {}

    /// Random testing has ended, and the exploration begins.
    fn tested(&mut self, _method: &Method, _random: &RandomFindings) {}

    /// A path has ended.
    fn path(&mut self, _method: &Method, _path: &PathEnd, _verdict: &PathVerdict) {}
}

impl ExplorationWatcher for () {}

/// The outcome of an exploration: its findings, and how complete it is.
pub struct ExplorationReport {
    /// The method that was explored.
    pub method: Rc<Method>,
    /// The number of paths, and what ended the exploration.
    pub explored: Explored,
    /// The number of paths of each kind.
    pub tally: Tally,
    /// The outcome of random testing.
    pub random: RandomFindings,
    /// The lines and branches that ran.
    pub covered: Covered,
    /// Restrictions on the inputs beyond their types.
    pub restrictions: Vec<String>,
    /// The number of queries to the solver.
    pub queries: u64,
    /// The number of instructions that the symbolic machine ran.
    pub instructions: u64,
    /// The first condition that the solver could not decide.
    pub first_undecided: Option<String>,
}

impl ExplorationReport {
    /// Whether every path was finished, and no class was missing.
    pub fn is_exhausted(&self) -> bool {
        self.explored.exhausted && self.tally.missing.is_empty()
    }

    /// The findings of random testing whose exceptions no path has at the same place.
    pub(crate) fn found_only_at_random(&self) -> Vec<&PathEnd> {
        let confirmed = self.tally.confirmed();
        let is_new = |path: &&PathEnd| random::key(path).is_none_or(|key| !confirmed.contains(&key));
        self.random.findings.iter().filter(is_new).collect()
    }

    /// Whether an exception leaves the method, confirmed on the real JVM.
    pub fn has_findings(&self) -> bool {
        self.tally.findings > 0 || !self.random.keys().is_empty()
    }
}

impl Exploration {
    /// An exploration of the method `main` (`CLASS.METHOD`, followed by its descriptor if the name
    /// is overloaded) of a jar or a directory of classes.
    pub fn of(input: impl Into<PathBuf>, main: &str, options: ExplorationOptions) -> Result<Self> {
        Ok(Exploration::prepared(input.into(), main, options)?)
    }

    fn prepared(input: PathBuf, main: &str, options: ExplorationOptions) -> anyhow::Result<Self> {
        let since = Instant::now();
        let mut machine = options.machine(&input)?;
        let method = java_method::method(&mut machine, main, &input)?;
        options.check_arguments(&method)?;
        let plan = machine
            .plan(&method, options.arguments.as_deref())
            .map_err(|problem| anyhow!("{}", java_method::no_entry(&method, &problem)))?;
        Ok(Exploration { input, options, machine, method, plan, since })
    }

    /// Explores the method.
    pub fn run(self, watcher: &mut dyn ExplorationWatcher) -> Result<ExplorationReport> {
        Ok(self.explored(watcher)?)
    }

    fn explored(self, watcher: &mut dyn ExplorationWatcher) -> anyhow::Result<ExplorationReport> {
        let replayer = self.replayer()?;
        let tester = self.tester(&replayer);
        let Exploration { options, mut machine, method, plan, since, .. } = self;
        watcher.phase("testing with random inputs");
        let random = RandomFindings::run(&mut machine, &method, &plan, &tester);
        watcher.tested(&method, &random);
        watcher.phase("exploring every path");
        let entry = machine.entry_for(&method, &plan);
        let mut state = State::new();
        machine.start(&mut state, &entry, &[]);
        let mut search = search::named(&options.search, options.seed).context("no such search")?;
        machine.config.merges = options.merge;
        let budget = ExplorationBudget {
            time: options.time.saturating_sub(since.elapsed()),
            paths: options.paths.unwrap_or(u64::MAX),
            memory: options.memory,
            ..ExplorationBudget::default()
        };
        let mut tally = Tally::default();
        let explored = explore(&mut machine, state, &mut *search, &budget, &mut |path| {
            let (verdict, path) = tally.judge(&replayer, &method, path);
            watcher.path(&method, &path, &verdict);
        });
        Ok(ExplorationReport {
            covered: machine.covered(),
            restrictions: machine.restrictions.iter().map(ToString::to_string).collect(),
            queries: machine.solver.statistics().0.first().map_or(0, |layer| layer.queries),
            instructions: machine.counts.instructions,
            first_undecided: machine.first_undecided.clone(),
            method,
            explored,
            tally,
            random,
        })
    }

    fn tester(&self, replayer: &Replayer) -> RandomTester {
        let time = self.options.fuzz_first.min(self.options.time.saturating_sub(self.since.elapsed()));
        let call = (time / 2).clamp(Duration::from_millis(250), Duration::from_secs(2));
        // With fixed arguments, only values that the program asks for vary, so few calls are
        // enough.
        let is_fixed = self.plan.sources.iter().all(|source| matches!(source, ArgumentSource::Texts(_)));
        let calls = self.options.fuzz_calls.unwrap_or(if is_fixed { 32 } else { u64::MAX });
        RandomTester { replayer: replayer.clone(), time, calls, call, seed: self.options.seed }
    }

    fn replayer(&self) -> anyhow::Result<Replayer> {
        let ExplorationOptions { class_path: libraries, timeout, sandbox, .. } = &self.options;
        Ok(RealJvm { libraries, timeout: *timeout, sandbox }.replayer(&Replay::install()?, &self.input))
    }
}

impl ExplorationOptions {
    fn machine(&self, input: &Path) -> anyhow::Result<Machine> {
        if input.extension().is_some_and(|extension| extension == "class" || extension == "java") {
            bail!("{}: expected a jar or a directory of classes, not a single file", input.display());
        }
        let platform = Platform::installed().context("exploring needs the classes of a JDK")?;
        let mut paths = vec![input.to_owned()];
        paths.extend(self.class_path.iter().cloned());
        let class_path = Arc::new(ClassPath::open(&paths, Some(platform))?);
        let hierarchy = Arc::new(Hierarchy::new([], class_path));
        let (functions, curfew) = (Arc::new(MathFunctions), Curfew::of(&self.cancel));
        let solver = Config { functions, curfew: curfew.clone(), ..Config::default() }.build()?;
        let limits = PathLimits {
            array_length: self.bound,
            object_depth: self.depth,
            aliases: self.aliases,
            ..PathLimits::default()
        };
        let mut machine = Machine::new(hierarchy, Box::new(solver), limits);
        machine.curfew = curfew;
        machine.config.reads_texts_late = true;
        machine.kinds.objects_by = self.objects_by;
        Ok(machine)
    }

    fn check_arguments(&self, method: &Method) -> anyhow::Result<()> {
        let given = if self.arguments.is_none() { "--symbolic-args is" } else { "arguments after -- are" };
        let has_any = self.arguments.as_ref().is_none_or(|arguments| !arguments.is_empty());
        if has_any && !is_main(method) {
            bail!("{given} for `static void main(String[])`, which {method} is not");
        }
        Ok(())
    }
}

/// Describes the end of a path, with the result in the return type of the method.
pub fn path_outcome(method: &Method, outcome: &Outcome) -> String {
    match (outcome, &method.type_.result) {
        (Outcome::Returned(Some(value)), Some(type_)) => format!("returns {}", value.clone().of_type(type_)),
        _ => outcome.to_string(),
    }
}
