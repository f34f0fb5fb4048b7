//! The test, which says whether a candidate still fails.

use crate::bundle::record::{DecompilerRun, How, TestRun};
use crate::container::Container;
use crate::java::has_class_files;
use crate::subject::Subject;
use anyhow::bail;
use lapidary_common::shell::quoted;
use lapidary_java_workers::Decompiler;
use lapidary_predicate::{
    Agreement, CommandConfig, CommandError, CommandPredicate, Expectation, Limits, Normaliser, Observation, Preserve,
    Sandbox, TestPredicate, Timeout, WorkerConfig, WorkerPredicate,
};
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A test that says whether a candidate still fails.
///
/// Made from a [`Command`], from a closure over the bytes of a single file, from a closure over a
/// whole [`FileTree`], or from a [`Predicate`]. Closures and predicates are called from several
/// threads at once.
///
/// A closure that panics ends the run with an error. To look for panics, catch them. The message
/// keeps the search from sliding to another panic:
///
/// ```
/// use lapidary::{Reduction, Subject};
/// use std::panic::catch_unwind;
///
/// fn parse(input: &[u8]) {
///     assert!(!input.contains(&0), "a zero byte");
///     assert!(input.len() > 3, "too short");
/// }
///
/// fn message(input: &[u8]) -> Option<String> {
///     let panic = catch_unwind(|| parse(input)).err()?;
///     Some(panic.downcast_ref::<&str>().unwrap_or(&"").to_string())
/// }
///
/// # std::panic::set_hook(Box::new(|_| {}));
/// let crashing = b"one\0two".to_vec();
/// let wanted = message(&crashing);
/// let report = Reduction::of(Subject::bytes("crash", crashing)?)
///     .test(|bytes: &[u8]| message(bytes) == wanted)
///     .run(&mut ())?;
/// assert_eq!(report.result.only_file().map(|content| content.to_vec()), Some(vec![0]));
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Test<'t>(Kind<'t>);

enum Kind<'t> {
    Command(Box<Command>),
    Code { predicate: Box<dyn TestPredicate + 't>, name: String },
}

impl<'t> Test<'t> {
    /// A closure over whole candidates that returns true if the candidate still fails.
    pub fn of_tree(still_fails: impl Fn(&FileTree) -> bool + Send + Sync + 't) -> Self {
        Test::of_predicate("a test in the calling program", Closure(still_fails))
    }

    /// A predicate. The name identifies the test in journals.
    pub fn of_predicate(name: impl Into<String>, predicate: impl Predicate + 't) -> Self {
        let predicate = Box::new(Plain { predicate, runs: AtomicU64::new(0) });
        Test(Kind::Code { predicate, name: name.into() })
    }

    /// A predicate whose runs can be observed, such as a [`Judge`](lapidary_predicate::Judge) of
    /// runs on another machine. The name identifies the test in journals.
    pub fn of_runs(name: impl Into<String>, predicate: impl TestPredicate + 't) -> Self {
        Test(Kind::Code { predicate: Box::new(predicate), name: name.into() })
    }

    /// Names a test in Rust code. A journal knows such a test by its name alone, so a resumed run
    /// trusts the verdicts of an earlier one of that name: put a version into it if the code
    /// changes. A command is known by its words and options, and keeps them.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        if let Kind::Code { name: present, .. } = &mut self.0 {
            *present = name.into();
        }
        self
    }

    /// Makes the test ready to run on candidates of the subject.
    pub(crate) fn ready(self, subject: &Subject) -> anyhow::Result<Ready<'t>> {
        match self.0 {
            Kind::Command(command) => command.ready(subject),
            Kind::Code { predicate, name } => {
                let identity = vec![name.clone()];
                Ok(Ready {
                    predicate,
                    agreement: Agreement::All(1),
                    preserves: false,
                    identity,
                    words: name,
                    decompiler: None,
                    how: How::Nothing,
                    command: None,
                    memory: None,
                    asks_for_exit_code_0: false,
                    is_sandboxed: false,
                    is_remote: false,
                })
            }
        }
    }
}

impl From<Command> for Test<'_> {
    fn from(command: Command) -> Self {
        Test(Kind::Command(Box::new(command)))
    }
}

/// The closure returns true if a file with these bytes still fails. A directory never does.
impl<'t, F: Fn(&[u8]) -> bool + Send + Sync + 't> From<F> for Test<'t> {
    fn from(still_fails: F) -> Self {
        Test::of_tree(move |tree| tree.only_file().is_some_and(|content| still_fails(content)))
    }
}

/// A test that is ready to run.
pub(crate) struct Ready<'t> {
    pub(crate) predicate: Box<dyn TestPredicate + 't>,
    /// The number of runs that decide about a candidate.
    pub(crate) agreement: Agreement,
    /// Whether part of the observation must stay as it is on the input.
    pub(crate) preserves: bool,
    /// Everything that a verdict depends on, as text.
    pub(crate) identity: Vec<String>,
    /// The test as a person would type it.
    pub(crate) words: String,
    /// The program and its arguments, if the test is run for each candidate.
    pub(crate) command: Option<Vec<OsString>>,
    /// The limit on the memory of the test, in bytes.
    pub(crate) memory: Option<u64>,
    /// Whether exit code 0 alone makes a run interesting.
    pub(crate) asks_for_exit_code_0: bool,
    /// Whether it runs in a sandbox.
    pub(crate) is_sandboxed: bool,
    /// Whether it runs on a farm.
    pub(crate) is_remote: bool,
    /// The decompiler under test.
    pub(crate) decompiler: Option<String>,
    /// How its runs can be repeated without Lapidary.
    pub(crate) how: How,
}

impl Ready<'_> {
    /// Whether it is open after these runs on the input if that is interesting at all.
    pub(crate) fn needs_more_runs(&self, runs: &[Observation]) -> Result<bool, PredicateError> {
        let Agreement::Any(most) = self.agreement else { return Ok(runs.is_empty()) };
        for run in runs {
            if self.predicate.assess(run)?.is_interesting() {
                return Ok(false);
            }
        }
        Ok(runs.len() < most as usize)
    }
}

/// A test that is a program: run for each candidate, or a worker that stays alive.
#[derive(Clone)]
pub struct Command {
    /// The program and its arguments; empty for workers and decompilers.
    words: Vec<OsString>,
    worker: Option<String>,
    decompiler: Option<String>,
    expect: Vec<Expectation>,
    preserve: Option<Preserve>,
    normalise: Option<Normaliser>,
    agreement: Agreement,
    timeout: Option<Duration>,
    limits: Limits,
    sandbox: Option<Sandbox>,
    runner: Option<String>,
    #[cfg(feature = "remote")]
    farm: Option<lapidary_remote::RemoteConfig>,
    says: Option<Says>,
}

type Says = Arc<dyn Fn(&str) + Send + Sync>;

impl Command {
    /// A program that runs in a fresh directory with the candidate. Exit code 0 means "still
    /// fails".
    pub fn new(program: impl Into<OsString>) -> Self {
        Command { words: vec![program.into()], ..Command::empty() }
    }

    /// A shell command that starts a worker: a process that stays alive and judges one candidate
    /// after another (docs/reference/worker-protocol.md).
    pub fn worker(line: impl Into<String>) -> Self {
        Command { worker: Some(line.into()), ..Command::empty() }
    }

    /// The built-in test for decompilers: the decompiled candidate must give the same compiler
    /// errors as the decompiled input. `name` is one of `cfr`, `procyon`, `vineflower`,
    /// `fernflower`, optionally followed by `=VERSION`.
    pub fn decompiler(name: impl Into<String>) -> Self {
        Command { decompiler: Some(name.into()), ..Command::empty() }
    }

    fn empty() -> Self {
        Command {
            words: Vec::new(),
            worker: None,
            decompiler: None,
            expect: Vec::new(),
            preserve: None,
            normalise: None,
            agreement: Agreement::All(1),
            timeout: None,
            limits: Limits::default(),
            sandbox: None,
            runner: None,
            #[cfg(feature = "remote")]
            farm: None,
            says: None,
        }
    }

    /// Adds an argument; `{}` in it stands for the path of the candidate.
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.words.push(argument.into());
        self
    }

    /// Adds arguments; `{}` in them stands for the path of the candidate.
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.words.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Adds a condition for a run to be interesting, instead of exit code 0. All conditions must
    /// hold.
    pub fn expect(mut self, expectation: Expectation) -> Self {
        self.expect.push(expectation);
        self
    }

    /// Sets the parts of an observation that must stay as they are on the input.
    pub fn preserve(mut self, preserve: Preserve) -> Self {
        self.preserve = Some(preserve);
        self
    }

    /// Sets how outputs are made comparable for [`Command::preserve`].
    pub fn normalise(mut self, normalise: Normaliser) -> Self {
        self.normalise = Some(normalise);
        self
    }

    /// Sets how many runs must agree that a candidate is interesting.
    pub fn repeat(mut self, runs: u32) -> Self {
        self.agreement = Agreement::All(runs.max(1));
        self
    }

    /// Sets how many runs are tried until one finds the candidate interesting, for failures that do
    /// not happen every time.
    pub fn any_of(mut self, runs: u32) -> Self {
        self.agreement = Agreement::Any(runs.max(1));
        self
    }

    /// Sets how long one run may take; by default, ten times the slowest interesting run.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets the resources that each process of the test may use.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Runs the test in a sandbox. There it sees the current directory, its own and the files in its
    /// arguments, and can write to the candidate's directory and to TMPDIR.
    pub fn sandbox(mut self, sandbox: Option<Sandbox>) -> Self {
        self.sandbox = sandbox;
        self
    }

    /// Has another command start each run, as a shell reads it: `srun -n1`, or `ssh HOST` with a
    /// shared file system. Its result and its journal are those without it. A run that takes too long
    /// is asked to end (SIGTERM) before it is killed.
    pub fn runner(mut self, runner: Option<String>) -> Self {
        self.runner = runner;
        self
    }

    /// Runs the test on a farm that speaks the Remote Execution API, instead of on this machine. The
    /// program goes along if it is a file, and so do the files that its arguments name; programs on
    /// PATH are those of the farm's workers.
    #[cfg(feature = "remote")]
    pub fn remote(mut self, farm: Option<lapidary_remote::RemoteConfig>) -> Self {
        self.farm = farm;
        self
    }

    /// Sets the receiver of messages about workers and installations. It is called from any thread.
    pub fn on_message(mut self, says: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.says = Some(Arc::new(says));
        self
    }

    /// The command as it is started. Tests run in another directory, so an argument that names a
    /// file becomes absolute, unless it is the name of the candidate.
    pub fn config(&self, candidate: &str) -> CommandConfig {
        let (program, arguments) = self.words.split_first().map_or((OsStr::new(""), &[][..]), |(p, a)| (p, a));
        let from_here = |argument: &OsString| {
            let path = Path::new(argument);
            match argument != candidate && argument != "{}" && path.is_file() {
                true => std::path::absolute(path).map_or_else(|_| argument.clone(), Into::into),
                false => argument.clone(),
            }
        };
        let mut config = CommandConfig::new(program);
        config.arguments = arguments.iter().map(from_here).collect();
        config
    }

    fn ready<'t>(&self, subject: &Subject) -> anyhow::Result<Ready<'t>> {
        self.check_classes(subject)?;
        let libraries = subject.java().map_or(Vec::new(), |program| program.libraries());
        let mut config = match (&self.worker, &self.decompiler) {
            (None, None) => self.config(subject.input().name()),
            (Some(worker), _) => shell_command(worker),
            (None, Some(decompiler)) => self.decompiler_command(decompiler, &libraries)?,
        };
        if self.decompiler.is_none() || !self.expect.is_empty() {
            config.expectations.extend(self.expect.iter().cloned());
            config.preserve = self.preserve.clone().unwrap_or_default();
            config.normalise = self.normalise.clone().unwrap_or_default();
        }
        config.agreement = self.agreement;
        config.timeout = self.timeout.map_or(Timeout::Adaptive, Timeout::Fixed);
        config.limits = self.limits.clone();
        config.sandbox = self.sandbox.clone();
        config.runner = self.checked_runner()?;
        let is_worker = self.worker.is_some() || self.decompiler.is_some();
        let predicate: Box<dyn TestPredicate> = match self.on_farm(&config, subject.input().name())? {
            Some(predicate) => predicate,
            None if is_worker => Box::new(self.warning(WorkerPredicate::new(WorkerConfig::new(config))?)),
            None => Box::new(CommandPredicate::new(config)?),
        };
        Ok(Ready {
            predicate,
            agreement: self.agreement,
            preserves: self.preserve.is_some() || self.decompiler.is_some() && self.expect.is_empty(),
            identity: self.identity(),
            words: self.typed(),
            command: (!self.words.is_empty()).then(|| self.words.clone()),
            memory: self.limits.memory,
            asks_for_exit_code_0: !self.words.is_empty() && self.expect.is_empty() && self.preserve.is_none(),
            is_sandboxed: self.sandbox.is_some(),
            is_remote: self.is_remote(),
            decompiler: self.decompiler.clone(),
            how: self.how(&libraries),
        })
    }

    fn checked_runner(&self) -> anyhow::Result<Option<String>> {
        if self.runner.is_some() && (self.worker.is_some() || self.decompiler.is_some()) {
            bail!("--runner starts a command for each candidate: it does not go with --worker and --decompiler");
        }
        if self.runner.is_some() && self.sandbox.is_some() {
            bail!("--runner does not go with --sandbox: the test runs elsewhere, beyond the reach of a sandbox");
        }
        if self.runner.is_some() && self.is_remote() {
            bail!("--runner and --remote are two ways to run a test elsewhere: choose one");
        }
        Ok(self.runner.clone())
    }

    #[cfg(feature = "remote")]
    fn is_remote(&self) -> bool {
        self.farm.is_some()
    }

    #[cfg(not(feature = "remote"))]
    fn is_remote(&self) -> bool {
        false
    }

    /// The test as one that runs on a farm, if there is one.
    #[cfg(feature = "remote")]
    fn on_farm(&self, config: &CommandConfig, candidate: &str) -> anyhow::Result<Option<Box<dyn TestPredicate>>> {
        let Some(farm) = &self.farm else { return Ok(None) };
        if self.worker.is_some() || self.decompiler.is_some() {
            bail!("--remote runs a command for each candidate: it does not go with --worker and --decompiler");
        }
        if self.sandbox.is_some() {
            bail!("--remote does not go with --sandbox: what a test may do on a farm is decided there");
        }
        let says = |text: &str| self.says.iter().for_each(|says| says(text));
        crate::remote::judge(farm, &self.words, candidate, config, &says).map(Some)
    }

    #[cfg(not(feature = "remote"))]
    fn on_farm(&self, _: &CommandConfig, _: &str) -> anyhow::Result<Option<Box<dyn TestPredicate>>> {
        Ok(None)
    }

    /// How its runs can be repeated without Lapidary.
    fn how(&self, libraries: &[PathBuf]) -> How {
        let expect = self.expect.iter().map(Expectation::to_string).collect();
        let text = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone()).to_string_lossy().into();
        if let Some(decompiler) = &self.decompiler {
            let decompiler = decompiler.clone();
            let libraries = libraries.iter().map(text).collect();
            return How::Decompiler(DecompilerRun { decompiler, expect, libraries, errors: String::new() });
        }
        if self.worker.is_some() {
            return How::Nothing;
        }
        let (runs, any) = match self.agreement {
            Agreement::All(runs) => (runs, false),
            Agreement::Any(runs) => (runs, true),
        };
        How::Test(TestRun {
            words: self.words.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            expect,
            preserve: self.preserve.as_ref().map(Preserve::to_string).unwrap_or_default(),
            normalise: self.normalise.as_ref().map(Normaliser::to_string).unwrap_or_default(),
            baseline: None,
            runs,
            any,
            timeout: self.timeout.map(|timeout| timeout.as_secs_f64()),
            memory: self.limits.memory,
            cpu_seconds: self.limits.cpu_seconds,
            file_size: self.limits.file_size,
        })
    }

    fn warning(&self, predicate: WorkerPredicate) -> WorkerPredicate {
        match self.says.clone() {
            Some(says) => predicate.on_warning(move |text| says(&format!("warning: {text}"))),
            None => predicate,
        }
    }

    /// Rejects an input without class files: its decompiled form is empty, which always compiles.
    fn check_classes(&self, subject: &Subject) -> anyhow::Result<()> {
        let is_class_file = subject.container().is_some_and(Container::is_class_file);
        let is_program = has_class_files(subject.input()) && !is_class_file;
        let (Some(decompiler), false) = (&self.decompiler, is_program) else { return Ok(()) };
        let path = subject.path();
        let advice = match is_class_file || path.extension().is_some_and(|extension| extension == "class") {
            true => "; put the class file into a directory",
            false => "",
        };
        bail!(
            "{} has no class files for {decompiler}: --decompiler needs a jar or a directory of class files{advice}",
            path.display()
        );
    }

    /// The command of the decompiler's worker. Installs both if they are not there yet.
    fn decompiler_command(&self, name: &str, libraries: &[PathBuf]) -> anyhow::Result<CommandConfig> {
        let mut says = |text: &str| self.says.iter().for_each(|says| says(text));
        let installed = Decompiler::parse(name)?.install(&mut says)?;
        let (program, arguments) = installed.command(libraries);
        let mut config = CommandConfig::new(program);
        config.arguments = arguments;
        config.called = Some(format!("the worker for {name}"));
        config.expectations = vec![lapidary_java_workers::EXPECT.parse()?];
        config.preserve = lapidary_java_workers::PRESERVE.parse()?;
        Ok(config)
    }

    /// The test as a person would type it.
    fn typed(&self) -> String {
        match (&self.worker, &self.decompiler) {
            (Some(worker), _) => format!("--worker {}", quoted(worker)),
            (None, Some(decompiler)) => format!("--decompiler {}", quoted(decompiler)),
            (None, None) => {
                let words: Vec<String> = self.words.iter().map(|word| quoted(&word.to_string_lossy())).collect();
                words.join(" ")
            }
        }
    }

    /// Everything that a verdict depends on, as options of the command line.
    fn identity(&self) -> Vec<String> {
        let words = (!self.words.is_empty()).then(|| self.typed());
        let given = |name: &str, value: Option<String>| value.map(|value| format!("{name} {value}"));
        let seconds = |time: Duration| time.as_secs_f64().to_string();
        let once = [
            given("the test", words),
            given("--worker", self.worker.as_deref().map(quoted)),
            given("--decompiler", self.decompiler.as_deref().map(quoted)),
            given("--preserve", self.preserve.as_ref().map(Preserve::to_string)),
            given("--normalise", self.normalise.as_ref().map(|normalise| quoted(&normalise.to_string()))),
            match self.agreement {
                Agreement::All(1) | Agreement::Any(1) => None,
                Agreement::All(runs) => Some(format!("--repeat {runs}")),
                Agreement::Any(runs) => Some(format!("--any-of {runs}")),
            },
            given("--timeout", self.timeout.map(seconds)),
            given("--limit-memory", self.limits.memory.map(|bytes| bytes.to_string())),
            given("--limit-cpu", self.limits.cpu_seconds.map(|seconds| seconds.to_string())),
            given("--limit-file", self.limits.file_size.map(|bytes| bytes.to_string())),
            self.sandbox.as_ref().map(|_| "--sandbox".to_owned()),
        ];
        let expected = self.expect.iter().map(|expectation| format!("--expect {}", quoted(&expectation.to_string())));
        once.into_iter().flatten().chain(expected).collect()
    }
}

fn shell_command(line: &str) -> CommandConfig {
    let mut config = CommandConfig::new("/bin/sh");
    config.arguments = vec!["-c".into(), format!("exec {line}").into()];
    config.called = Some(line.to_owned());
    config
}

/// A closure as a predicate.
struct Closure<F>(F);

impl<F: Fn(&FileTree) -> bool + Send + Sync> Predicate for Closure<F> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        let panicked = |payload: Box<dyn Any + Send>| {
            let words = message(&*payload);
            PredicateError::Fatal(format!(
                "the test panicked: {words}; to keep a panic, let the test return true for it (catch_unwind)"
            ))
        };
        // The closure may be in any state now, but it is not called again.
        Ok(match catch_unwind(AssertUnwindSafe(|| (self.0)(candidate))).map_err(panicked)? {
            true => Judgment::new(Verdict::Interesting, "the test says yes"),
            false => Judgment::new(Verdict::Uninteresting, "the test says no"),
        })
    }
}

/// The message of a panic.
fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// A predicate of which only the verdicts can be observed.
struct Plain<P> {
    predicate: P,
    runs: AtomicU64,
}

impl<P: Predicate> Predicate for Plain<P> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.predicate.judge(candidate, cancel)
    }
}

impl<P: Predicate> TestPredicate for Plain<P> {
    fn observe(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        let judgment = self.judge(candidate, cancel)?;
        Ok(Observation { elapsed: judgment.elapsed, ..Observation::settled(judgment.verdict, judgment.reason) })
    }

    fn assess(&self, observation: &Observation) -> Result<Judgment, PredicateError> {
        let unsettled = || PredicateError::Fatal("this run was not judged by its test".into());
        let (verdict, reason) = observation.settled.clone().ok_or_else(unsettled)?;
        Ok(Judgment { elapsed: observation.elapsed, ..Judgment::new(verdict, reason) })
    }

    fn calibrate(&self, _: &[Observation]) -> Result<(), CommandError> {
        Ok(())
    }

    fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    fn supersets(&self) -> u64 {
        0
    }

    fn relative_arguments(&self) -> Vec<&OsStr> {
        Vec::new()
    }
}
