//! Compiles a candidate, runs it, and observes the outcome.

use crate::build::Build;
use crate::diagnosis::{death, decisive, failure_of_event, failure_of_finding, told_by};
use crate::disturbance::{SIGKILL, Try, killed, repeated};
use crate::error::CrashError;
use crate::evidence::{Evidence, head_of};
use crate::execution::{Execution, Fill, PreparedExecution, TimeLimits, report_file, sanitizer_log};
use crate::failure::Failure;
use crate::flags::is_sanitizing;
use crate::report::{Report, What};
use crate::run::{Run, steps_file};
use crate::sanitizer::Finding;
use crate::symbols::{Functions, Stack, Symbols};
use crate::toolchain::{Compiled, Exactness, Toolchain};
use lapidary_predicate::{Captured, Ending, Finished, Job, Kills, Timeout, Workplace};
use lapidary_reduce::{Cancel, FileTree, Key, PredicateError};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Compiles and runs candidates, from several threads if needed. It cleans up whatever they leave
/// behind.
pub struct FailureObserver {
    toolchain: Toolchain,
    prepared: PreparedExecution,
    workplace: Workplace,
    origin: Option<PathBuf>,
    slowest: Mutex<Option<RunTime>>,
    runs: AtomicU64,
    /// The most recently built programs, newest last. A program that fails once is run several
    /// times in a row, in every job.
    latest: Mutex<VecDeque<Arc<Built>>>,
    /// The directory for everything that candidates share.
    shared: Job,
}

/// The number of programs to keep, as many as are likely to be judged at once.
const KEPT: usize = 16;

/// A compiled candidate, in the directories it was compiled in.
struct Built {
    key: Key,
    exactness: Exactness,
    compiled: Compiled,
    _home: Job,
}

/// The observed behaviour of one candidate.
#[derive(Clone, Debug)]
pub struct Observed {
    pub outcome: Outcome,
    pub stdout: Captured,
    pub stderr: Captured,
    pub timings: Timings,
    /// Whether the candidate was compiled with no headers but its own.
    pub is_exact: bool,
    /// Whether the program started threads.
    pub has_threads: bool,
    /// The functions of a program that failed.
    pub(crate) functions: Functions,
    /// The recorded run of a program that failed, if it was followed.
    pub(crate) run: Option<Run>,
}

/// The outcome of compiling and running a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The candidate is not a valid program; the text is the compiler's output.
    Rejected(String),
    /// The program ended without a failure.
    Passed(Ending),
    Failed(Failure),
    /// The program or its compilation was stopped after this time.
    TimedOut(Duration),
}

impl Outcome {
    /// Returns whether the program died of SIGKILL, which no program can observe.
    pub(crate) fn is_killed(&self) -> bool {
        matches!(self, Outcome::Failed(failure) if failure.is_kill())
    }

    /// Returns an error if the program died of SIGKILL.
    pub(crate) fn must_not_be_killed(&self) -> Result<(), PredicateError> {
        if self.is_killed() { Err(killed("the program")) } else { Ok(()) }
    }
}

/// The duration of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RunTime {
    wall: Duration,
    processor: Duration,
}

/// The time spent in each phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timings {
    pub compile: Duration,
    pub run: Duration,
    /// The processor time of the program until it failed, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<Duration>,
    pub symbolise: Duration,
}

impl FailureObserver {
    /// Prepares to observe candidates made from `original`. The original is compiled to find out
    /// which options it tolerates.
    pub fn new(build: Build, execution: Execution, original: &FileTree, cancel: &Cancel) -> Result<Self, CrashError> {
        // The toolchain finds its programs itself. Only the scratch directory and its cleanup are
        // needed here.
        let workplace = Workplace::new("/bin/sh".as_ref())?;
        let scratch = workplace.scratch.path().to_path_buf();
        let sanitized = build.all_flags().any(is_sanitizing);
        let origin = build.origin.clone();
        let mut toolchain = Toolchain::new(build, original, &workplace.scratch)?;
        let home = workplace.scratch.job(original, cancel)?;
        let compiled = toolchain.calibrate(original, &home, cancel)?;
        let shared = workplace.scratch.job(original, cancel)?;
        let built = Built { key: original.key(), exactness: Exactness::Plain, compiled, _home: home };
        Ok(FailureObserver {
            prepared: PreparedExecution::new(execution, sanitized, &scratch)?,
            toolchain,
            workplace,
            origin,
            slowest: Mutex::new(None),
            runs: AtomicU64::new(0),
            latest: Mutex::new(VecDeque::from([Arc::new(built)])),
            shared,
        })
    }

    /// Compiles and runs a candidate once, as its user would.
    pub fn observe(&self, tree: &FileTree, cancel: &Cancel) -> Result<Observed, PredicateError> {
        self.observe_as(tree, Exactness::Plain, Fill::Chance, cancel)
    }

    /// Compiles and runs a candidate once, with this exactness and with memory filled like this.
    pub(crate) fn observe_as(
        &self,
        tree: &FileTree,
        wanted: Exactness,
        fill: Fill,
        cancel: &Cancel,
    ) -> Result<Observed, PredicateError> {
        self.observe_within(self.limits(), tree, wanted, fill, cancel)
    }

    /// Compiles and runs the original again, with nothing kept, to see whether that still works.
    /// Returns false if something kills what is needed for it.
    pub(crate) fn still_works(&self, original: &FileTree, cancel: &Cancel) -> Result<bool, PredicateError> {
        let home = self.workplace.scratch.job(original, cancel)?;
        let works = || {
            let (Compiled::Program(program), _) = self.toolchain.compile(original, &home, Exactness::Plain, cancel)?
            else {
                return Ok(true);
            };
            let observed =
                self.observe_program(&program, self.patient_limits(), Timings::default(), Fill::Chance, cancel)?;
            Ok(!observed.outcome.is_killed())
        };
        match works() {
            Err(PredicateError::Disturbed(_)) => Ok(false),
            works => works,
        }
    }

    /// Compiles and runs the original once. What it shows decides how candidates are compared, so it
    /// gets all the time it needs: limits learnt from other kinds of runs do not apply.
    /// An original that fails at a statement does not die of SIGKILL, so such a death is an error.
    pub(crate) fn observe_original(
        &self,
        tree: &FileTree,
        wanted: Exactness,
        fill: Fill,
        cancel: &Cancel,
    ) -> Result<Observed, PredicateError> {
        let observed = self.observe_within(self.patient_limits(), tree, wanted, fill, cancel)?;
        observed.outcome.must_not_be_killed()?;
        Ok(observed)
    }

    /// Compiles and runs the original once, to see how it fails.
    pub(crate) fn observe_unknown(&self, tree: &FileTree, cancel: &Cancel) -> Result<Observed, PredicateError> {
        self.observe_within(self.patient_limits(), tree, Exactness::Plain, Fill::Chance, cancel)
    }

    fn observe_within(
        &self,
        limits: TimeLimits,
        tree: &FileTree,
        wanted: Exactness,
        fill: Fill,
        cancel: &Cancel,
    ) -> Result<Observed, PredicateError> {
        let start = Instant::now();
        let built = self.built(tree, wanted, cancel)?;
        let timings = Timings { compile: start.elapsed(), ..Timings::default() };
        let outcome = match &built.compiled {
            Compiled::Program(program) => {
                let program = filled(program, fill)?;
                let observed = self.observe_program(&program, limits, timings, fill, cancel)?;
                return Ok(Observed { is_exact: built.exactness <= Exactness::Exact, ..observed });
            }
            Compiled::Rejected(errors) => Outcome::Rejected(errors.clone()),
            Compiled::TimedOut => Outcome::TimedOut(timings.compile),
        };
        Ok(Observed {
            outcome,
            stdout: Captured::default(),
            stderr: Captured::default(),
            timings,
            is_exact: true,
            has_threads: false,
            functions: Functions::default(),
            run: None,
        })
    }

    fn built(&self, tree: &FileTree, wanted: Exactness, cancel: &Cancel) -> Result<Arc<Built>, PredicateError> {
        let latest = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let key = tree.key();
        // A program that is compiled plainly does not record its run.
        let is_alike = |built: &Arc<Built>| {
            !self.prepared.follows_steps() || (built.exactness == Exactness::Plain) == (wanted == Exactness::Plain)
        };
        let fits = |built: &Arc<Built>| built.key == key && built.exactness <= wanted && is_alike(built);
        if let Some(built) = used(&mut latest(), fits) {
            return Ok(built);
        }
        let home = self.workplace.scratch.job(tree, cancel)?;
        let (compiled, exactness) = self.toolchain.compile(tree, &home, wanted, cancel)?;
        let built = Arc::new(Built { key, exactness, compiled, _home: home });
        if matches!(built.compiled, Compiled::Program(_)) {
            let mut latest = latest();
            latest.push_back(Arc::clone(&built));
            let oldest = if latest.len() > KEPT { latest.pop_front() } else { None };
            // Drop it outside the lock, since removing its directory takes long.
            drop(latest);
            drop(oldest);
        }
        Ok(built)
    }

    fn forget_programs(&mut self) {
        self.latest.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the number of programs that were run.
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// Returns the file to which a program that traces itself writes its trace.
    pub(crate) fn trace_file(&mut self) -> Result<PathBuf, CrashError> {
        let place = self.workplace.scratch.path().join("trace");
        fs::create_dir_all(&place).map_err(|error| CrashError::Write(place.clone(), error))?;
        let file = place.join("trace");
        self.prepared.trace_to(file.clone());
        Ok(file)
    }

    /// Stops using the fast linker, which may be why a failure that depends on the memory layout
    /// does not occur. Returns false if it was not in use.
    pub(crate) fn link_plainly(&mut self) -> bool {
        self.forget_programs();
        self.toolchain.linker.take().is_some()
    }

    /// Stops using everything that speeds up compilation.
    pub(crate) fn compile_plainly(&mut self) {
        self.forget_programs();
        self.toolchain.compile_plainly();
    }

    /// Compiles the library instances that candidates share with the original.
    pub(crate) fn share_instances(&mut self, original: &FileTree, cancel: &Cancel) -> Result<(), PredicateError> {
        let built = self.built(original, Exactness::Plain, cancel)?;
        let Compiled::Program(program) = &built.compiled else { return Ok(()) };
        self.toolchain.share_instances(program, original, &self.shared, cancel)
    }

    /// Sets whether programs fill local variables with a pattern. This distinguishes a failure
    /// caused by uninitialised memory from one caused by a computed value.
    pub(crate) fn fill_memory(&mut self, fill: bool) {
        self.forget_programs();
        self.toolchain.fill_memory = fill;
    }

    /// Sets whether programs that are not compiled plainly record their runs.
    pub(crate) fn follow_steps(&mut self, follow: bool) {
        if follow == self.follows_steps() {
            return;
        }
        self.forget_programs();
        self.toolchain.follow_steps = follow;
        self.prepared.follow_steps(follow);
    }

    /// Returns whether programs record their runs.
    pub(crate) fn follows_steps(&self) -> bool {
        self.prepared.follows_steps()
    }

    /// Returns whether the compiler may reorder the code of a line.
    pub(crate) fn is_optimised(&self) -> bool {
        let level = self.toolchain.build.all_flags().filter(|flag| flag.starts_with("-O")).last();
        level.is_some_and(|level| level != "-O0")
    }

    /// Returns how the original is built and run.
    pub(crate) fn means(&self) -> (&Build, &Execution) {
        (&self.toolchain.build, self.prepared.execution())
    }

    /// Returns the time limits of the next run of a candidate.
    fn limits(&self) -> TimeLimits {
        let slowest = *self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.prepared.timeout(), slowest) {
            (Timeout::Adaptive, Some(slowest)) => TimeLimits {
                wall: 10 * slowest.wall + Duration::from_millis(400),
                processor: Some(4 * slowest.processor + Duration::from_millis(6)),
            },
            _ => self.patient_limits(),
        }
    }

    /// Returns time limits for runs of which nothing is known.
    fn patient_limits(&self) -> TimeLimits {
        const LONG: Duration = Duration::from_secs(60);
        let wall = match self.prepared.timeout() {
            Timeout::Fixed(wall) => wall,
            Timeout::Adaptive => LONG,
        };
        TimeLimits { wall, processor: None }
    }

    /// Records the duration of a run that counts towards the time limits.
    pub(crate) fn learn(&self, timings: &Timings) {
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slowest.unwrap_or_default();
        *slowest = Some(RunTime {
            wall: known.wall.max(timings.run),
            processor: known.processor.max(timings.processor.unwrap_or(timings.run)),
        });
    }

    /// Runs a program, again if it dies of SIGKILL or while memory runs out. A program that dies of
    /// SIGKILL each time may do so by itself.
    fn observe_program(
        &self,
        program: &Path,
        limits: TimeLimits,
        timings: Timings,
        fill: Fill,
        cancel: &Cancel,
    ) -> Result<Observed, PredicateError> {
        let mut is_short_of_memory = false;
        let observed = repeated(cancel, || {
            let kills = Kills::so_far();
            let (observed, is_over_limit) = self.observe_run(program, limits, timings, fill, cancel)?;
            // Limits of its own are part of how a program is run.
            is_short_of_memory = !is_over_limit && kills.have_risen();
            let is_killed = is_short_of_memory || (!is_over_limit && observed.outcome.is_killed());
            Ok::<_, PredicateError>(if is_killed { Try::Killed(observed) } else { Try::Done(observed) })
        })?;
        match observed {
            Try::Killed(_) if is_short_of_memory => Err(killed("the program")),
            Try::Done(observed) | Try::Killed(observed) => Ok(observed),
        }
    }

    /// Runs a program once. Also returns whether it needed more memory than its limits allow.
    fn observe_run(
        &self,
        program: &Path,
        limits: TimeLimits,
        mut timings: Timings,
        fill: Fill,
        cancel: &Cancel,
    ) -> Result<(Observed, bool), PredicateError> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        // Use a new directory, so that files left by an earlier run of the program do not
        // interfere.
        let job = &self.workplace.scratch.empty_job()?;
        let finished = self.prepared.run(program, job, limits, fill, cancel)?;
        timings.run = finished.elapsed;
        let start = Instant::now();
        let evidence = Evidence::default();
        let report = Report::parse(&evidence.noted(head_of(&report_file(job))));
        timings.processor = report.processor_time;
        let symbols = LazyCell::new(|| evidence.noted(Symbols::new(program, self.origin.as_deref())));
        let outcome = match (finished.ending, limits.processor) {
            (Ending::TimedOut(limit), _) => Outcome::TimedOut(limit),
            (Ending::Signalled(SIGKILL), Some(limit)) if finished.elapsed >= limit => Outcome::TimedOut(limit),
            (ending, _) => {
                let found = || evidence.noted(finding(&report, job, &finished));
                self.understand(&symbols, &report, found, ending)
            }
        };
        let failed = Some(&symbols).filter(|_| matches!(outcome, Outcome::Failed(_)));
        let failed = failed.and_then(|symbols| symbols.as_ref());
        let functions = failed.map(Symbols::functions).unwrap_or_default();
        let finding = report.events.last().filter(|event| matches!(event.what, What::Finding { .. }));
        let event = decisive(&report, finished.ending).map(|event| told_by(event, &report));
        let event = finding.or(event);
        let followed = failed.filter(|_| self.prepared.follows_steps());
        let run = followed.and_then(|symbols| evidence.noted(Run::read(symbols, &steps_file(job), event)));
        timings.symbolise = start.elapsed();
        drop(symbols);
        evidence.must_be_complete()?;
        let observed = Observed {
            outcome,
            stdout: finished.stdout,
            stderr: finished.stderr,
            timings,
            is_exact: true,
            has_threads: report.has_threads,
            functions,
            run,
        };
        Ok((observed, finished.ran_out_of_memory))
    }

    fn understand(
        &self,
        symbols: &LazyCell<Option<Symbols>, impl FnOnce() -> Option<Symbols>>,
        report: &Report,
        finding: impl FnOnce() -> Option<Finding>,
        ending: Ending,
    ) -> Outcome {
        if ending != Ending::Exited(0)
            && self.prepared.is_sanitized()
            && let Some(finding) = finding()
        {
            let failure = failure_of_finding(&finding, symbols.as_ref());
            // Any program can print text that looks like a finding.
            if failure.place().is_some() {
                return Outcome::Failed(failure);
            }
        }
        match (ending, decisive(report, ending)) {
            (_, Some(event)) => Outcome::Failed(failure_of_event(event, report, symbols.as_ref())),
            (Ending::Signalled(number), None) => Outcome::Failed(death(number, Stack::default())),
            (ending, None) => Outcome::Passed(ending),
        }
    }
}

/// Returns a kept program and makes it the most recent one.
fn used(latest: &mut VecDeque<Arc<Built>>, fits: impl Fn(&Arc<Built>) -> bool) -> Option<Arc<Built>> {
    let built = latest.remove(latest.iter().position(fits)?)?;
    latest.push_back(Arc::clone(&built));
    Some(built)
}

/// Returns the program with memory filled like this. The patterns that gcc and clang fill variables
/// with make negative, even numbers; positive ones are odd, so that no parity can hide. No other part of a program repeats those bytes, unless the original
/// does too.
fn filled(program: &Path, fill: Fill) -> Result<Cow<'_, Path>, PredicateError> {
    const PATTERNS: [u8; 2] = [0xfe, 0xaa];
    let (changed, byte) = match fill {
        Fill::Chance | Fill::Negative => return Ok(program.into()),
        Fill::Positive => (program.with_extension("positive"), 0x5b),
        Fill::Zero => (program.with_extension("zero"), 0),
    };
    if !changed.exists() {
        let failed = |error| PredicateError::Fatal(format!("cannot write {}: {error}", changed.display()));
        fs::copy(program, &changed).map_err(failed)?;
        let mut bytes = fs::read(program).map_err(failed)?;
        for run in bytes.chunk_by_mut(|one, next| one == next) {
            if run.len() >= 4 && PATTERNS.contains(&run[0]) {
                run.fill(byte);
            }
        }
        fs::write(&changed, bytes).map_err(failed)?;
    }
    Ok(changed.into())
}

/// Returns the sanitizer's finding about the process that counts, from its log file or else from
/// standard error.
fn finding(report: &Report, job: &Job, finished: &Finished) -> io::Result<Option<Finding>> {
    let own = report.process.map(|process| PathBuf::from(format!("{}.{process}", sanitizer_log(job).display())));
    let in_file = own.map(|path| head_of(&path)).transpose()?.unwrap_or_default();
    let in_file = Finding::parse(&String::from_utf8_lossy(&in_file));
    Ok(in_file.or_else(|| Finding::parse(&String::from_utf8_lossy(&finished.stderr.head))))
}
