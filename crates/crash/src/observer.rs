//! Compiling a candidate, running it, and understanding what happened.

use crate::build::Build;
use crate::error::CrashError;
use crate::execution::{Execution, Fill, Stage, TimeLimits, report_file, sanitizer_log};
use crate::failure::{Failure, Kind, NULL_POINTER, Site};
use crate::flags::is_sanitizing;
use crate::report::{Event, Report, What};
use crate::run::{Run, steps_file};
use crate::sanitizer::Finding;
use crate::symbols::{Functions, Stack, Symbols, type_name};
use crate::toolchain::{Compiled, Exactness, Toolchain};
use lapidary_predicate::{Captured, Ending, Finished, Job, Timeout, Workplace};
use lapidary_reduce::{Cancel, FileTree, Key, PredicateError};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Compiles and runs candidates, from several threads if need be. Whatever they do, nothing of it is left.
pub struct Observer {
    toolchain: Toolchain,
    stage: Stage,
    workplace: Workplace,
    origin: Option<PathBuf>,
    slowest: Mutex<Option<RunTime>>,
    runs: AtomicU64,
    /// What was compiled last, the latest at the end: what fails once is run several times in a row, in every job.
    latest: Mutex<VecDeque<Arc<Built>>>,
    /// Where what candidates have in common is kept.
    shared: Job,
}

/// So many programs are kept, as many as are likely to be judged at once.
const KEPT: usize = 16;

/// What became of a candidate's compilation, in the directories that it was done in.
struct Built {
    key: Key,
    exactness: Exactness,
    compiled: Compiled,
    _home: Job,
}

/// What became of one candidate.
#[derive(Clone, Debug)]
pub struct Observed {
    pub outcome: Outcome,
    pub stdout: Captured,
    pub stderr: Captured,
    pub timings: Timings,
    /// The candidate was compiled with nothing before it but its own headers.
    pub is_exact: bool,
    /// The program has started threads.
    pub has_threads: bool,
    /// The functions that a program which failed is made of.
    pub(crate) functions: Functions,
    /// The way that a program took which failed, if it was followed.
    pub(crate) run: Option<Run>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is no valid program; what the compiler says.
    Rejected(String),
    /// It ended, and not by a failure.
    Passed(Ending),
    Failed(Failure),
    /// It, or its compilation, was ended by us after this time.
    TimedOut(Duration),
}

/// How long a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RunTime {
    wall: Duration,
    processor: Duration,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timings {
    pub compile: Duration,
    pub run: Duration,
    /// What the program itself used until it failed, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<Duration>,
    pub symbolise: Duration,
}

impl Observer {
    /// Gets ready to observe candidates made from `original`, which is compiled to find out what it can stand.
    pub fn new(build: Build, execution: Execution, original: &FileTree, cancel: &Cancel) -> Result<Self, CrashError> {
        // The toolchain finds its programs itself; what is needed here is the scratch directory and who cleans it up.
        let workplace = Workplace::new("/bin/sh".as_ref())?;
        let scratch = workplace.scratch.path().to_path_buf();
        let sanitized = build.all_flags().any(is_sanitizing);
        let origin = build.origin.clone();
        let mut toolchain = Toolchain::new(build, original, &workplace.scratch)?;
        let home = workplace.scratch.job(original)?;
        let compiled = toolchain.calibrate(original, &home, cancel)?;
        let shared = workplace.scratch.job(original)?;
        let built = Built { key: original.key(), exactness: Exactness::Plain, compiled, _home: home };
        Ok(Observer {
            stage: Stage::new(execution, sanitized, &scratch)?,
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

    /// The same in other ways, and with memory filled like this.
    pub(crate) fn observe_as(
        &self,
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
                let observed = self.observe_program(&program, timings, fill, cancel)?;
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
        // A program that is compiled plainly does not write down the way that it takes.
        let is_alike = |built: &Arc<Built>| {
            !self.stage.follows_steps() || (built.exactness == Exactness::Plain) == (wanted == Exactness::Plain)
        };
        let fits = |built: &Arc<Built>| built.key == key && built.exactness <= wanted && is_alike(built);
        if let Some(built) = used(&mut latest(), fits) {
            return Ok(built);
        }
        let home = self.workplace.scratch.job(tree)?;
        let (compiled, exactness) = self.toolchain.compile(tree, &home, wanted, cancel)?;
        let built = Arc::new(Built { key, exactness, compiled, _home: home });
        if matches!(built.compiled, Compiled::Program(_)) {
            let mut latest = latest();
            latest.push_back(Arc::clone(&built));
            let oldest = if latest.len() > KEPT { latest.pop_front() } else { None };
            // To remove its directory takes longer than others should wait.
            drop(latest);
            drop(oldest);
        }
        Ok(built)
    }

    fn forget_programs(&mut self) {
        self.latest.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How many programs were run.
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// Where a program that traces itself leaves its trace.
    pub(crate) fn trace_file(&mut self) -> Result<PathBuf, CrashError> {
        let place = self.workplace.scratch.path().join("trace");
        fs::create_dir_all(&place).map_err(|error| CrashError::Write(place.clone(), error))?;
        let file = place.join("trace");
        self.stage.trace_to(file.clone());
        Ok(file)
    }

    /// Gives up the fast linker, since it may be the reason that a failure which depends on where things lie in memory
    /// does not show. False if it was not used anyway.
    pub(crate) fn link_plainly(&mut self) -> bool {
        self.forget_programs();
        self.toolchain.linker.take().is_some()
    }

    /// Gives up what makes compiling faster.
    pub(crate) fn compile_plainly(&mut self) {
        self.forget_programs();
        self.toolchain.compile_plainly();
    }

    /// Compiles what the candidates will have in common with the original.
    pub(crate) fn share_instances(&mut self, original: &FileTree, cancel: &Cancel) -> Result<(), PredicateError> {
        let built = self.built(original, Exactness::Plain, cancel)?;
        let Compiled::Program(program) = &built.compiled else { return Ok(()) };
        self.toolchain.share_instances(program, original, &self.shared, cancel)
    }

    /// Lets programs fill local variables with a pattern, or no longer. A program that fails because of memory that it has
    /// not written is another one than a program that fails because of what it computed.
    pub(crate) fn fill_memory(&mut self, fill: bool) {
        self.forget_programs();
        self.toolchain.fill_memory = fill;
    }

    /// Lets programs that are not compiled plainly write down the way that they take, or no longer.
    pub(crate) fn follow_steps(&mut self, follow: bool) {
        self.forget_programs();
        self.toolchain.follow_steps = follow;
        self.stage.follow_steps(follow);
    }

    /// Whether the compiler may reorder what a line says.
    pub(crate) fn is_optimised(&self) -> bool {
        let level = self.toolchain.build.all_flags().filter(|flag| flag.starts_with("-O")).last();
        level.is_some_and(|level| level != "-O0")
    }

    /// How the original's program is built, and how it is run.
    pub(crate) fn means(&self) -> (&Build, &Execution) {
        (&self.toolchain.build, self.stage.execution())
    }

    /// How long the next run may take.
    fn limits(&self) -> TimeLimits {
        const BEFORE_ANYTHING_IS_KNOWN: Duration = Duration::from_secs(60);
        let slowest = *self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.stage.timeout(), slowest) {
            (Timeout::Fixed(wall), _) => TimeLimits { wall, processor: None },
            (Timeout::Adaptive, None) => TimeLimits { wall: BEFORE_ANYTHING_IS_KNOWN, processor: None },
            (Timeout::Adaptive, Some(slowest)) => TimeLimits {
                wall: 10 * slowest.wall + Duration::from_millis(400),
                processor: Some(4 * slowest.processor + Duration::from_millis(6)),
            },
        }
    }

    /// Says that a run which took this long was one of those that count.
    pub(crate) fn learn(&self, timings: &Timings) {
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slowest.unwrap_or_default();
        *slowest = Some(RunTime {
            wall: known.wall.max(timings.run),
            processor: known.processor.max(timings.processor.unwrap_or(timings.run)),
        });
    }

    fn observe_program(
        &self,
        program: &Path,
        mut timings: Timings,
        fill: Fill,
        cancel: &Cancel,
    ) -> Result<Observed, PredicateError> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let limits = self.limits();
        // What an earlier run of the same program left behind is not for this one.
        let job = &self.workplace.scratch.job(&FileTree::directory("run", BTreeMap::new()))?;
        let finished = self.stage.run(program, job, limits, fill, cancel)?;
        timings.run = finished.elapsed;
        let start = Instant::now();
        let report = Report::parse(&head_of(&report_file(job)));
        timings.processor = report.processor_time;
        let symbols = LazyCell::new(|| Symbols::new(program, self.origin.as_deref()));
        let outcome = match (self.true_ending(finished.ending), limits.processor) {
            (Ending::TimedOut(limit), _) => Outcome::TimedOut(limit),
            (Ending::Signalled(KILL), Some(limit)) if finished.elapsed >= limit => Outcome::TimedOut(limit),
            (ending, _) => self.understand(&symbols, job, &report, &finished, ending),
        };
        let failed = Some(&symbols).filter(|_| matches!(outcome, Outcome::Failed(_)));
        let failed = failed.and_then(|symbols| symbols.as_ref());
        let functions = failed.map(Symbols::functions).unwrap_or_default();
        let finding = report.events.last().filter(|event| event.what == What::Finding);
        let event = decisive(&report, self.true_ending(finished.ending)).map(|event| told_by(event, &report));
        let event = finding.or(event);
        let followed = failed.filter(|_| self.stage.follows_steps());
        let run = followed.and_then(|symbols| Run::read(symbols, &steps_file(job), event));
        timings.symbolise = start.elapsed();
        Ok(Observed {
            outcome,
            stdout: finished.stdout,
            stderr: finished.stderr,
            timings,
            is_exact: true,
            has_threads: report.has_threads,
            functions,
            run,
        })
    }

    fn understand(
        &self,
        symbols: &LazyCell<Option<Symbols>, impl FnOnce() -> Option<Symbols>>,
        job: &Job,
        report: &Report,
        finished: &Finished,
        ending: Ending,
    ) -> Outcome {
        if ending != Ending::Exited(0)
            && self.stage.is_sanitized()
            && let Some(finding) = finding(report, job, finished)
        {
            let failure = failure_of_finding(&finding, symbols.as_ref());
            // Whoever likes can print what looks like a finding.
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

    /// Inside a sandbox, death by a signal shows as a shell shows it.
    fn true_ending(&self, ending: Ending) -> Ending {
        match ending {
            Ending::Exited(code) if self.stage.is_wrapped() && code > 128 => Ending::Signalled(code - 128),
            other => other,
        }
    }
}

/// One of the latest programs, which is the latest of them from now on.
fn used(latest: &mut VecDeque<Arc<Built>>, fits: impl Fn(&Arc<Built>) -> bool) -> Option<Arc<Built>> {
    let built = latest.remove(latest.iter().position(fits)?)?;
    latest.push_back(Arc::clone(&built));
    Some(built)
}

/// The last event that says why the program ended, if it ended by a failure. One that the program's own handler dealt with
/// counts only if the program ended in there.
fn decisive(report: &Report, ending: Ending) -> Option<&Event> {
    let last = report.events.last()?;
    match (ending, last.what) {
        (Ending::Signalled(signal), What::Signal { number, .. }) => {
            (signal == number || last.ended_inside).then_some(last)
        }
        (Ending::Signalled(_), What::Finding) => None,
        (Ending::Signalled(_), _) => Some(last),
        (Ending::Exited(0), _) | (Ending::TimedOut(_), _) => None,
        (Ending::Exited(_), What::Signal { .. }) => Some(last).filter(|event| event.ended_inside),
        (Ending::Exited(_), _) => None,
    }
}

/// The event that saw the stack of a failure: an exception is on its way when the program aborts.
fn told_by<'r>(last: &'r Event, report: &'r Report) -> &'r Event {
    let before = report.events.iter().rev().nth(1).filter(|event| event.what == What::Exception);
    let is_abort = matches!(last.what, What::Signal { number: ABORT, .. });
    before.filter(|_| is_abort).unwrap_or(last)
}

fn failure_of_event(event: &Event, report: &Report, symbols: Option<&Symbols>) -> Failure {
    let stack_of = |event: &Event| symbols.map(|symbols| symbols.stack(&event.frames, &event.mappings));
    let stack = stack_of(event).unwrap_or_default();
    let What::Signal { number, code, address, overflow } = event.what else {
        return Failure {
            kind: Kind::Abort,
            message: String::new(),
            detail: String::new(),
            frames: stack.frames,
            address: None,
            sites: Vec::new(),
        };
    };
    if overflow {
        return Failure {
            kind: Kind::StackOverflow,
            message: String::new(),
            detail: String::new(),
            frames: stack.frames,
            address: None,
            sites: Vec::new(),
        };
    }
    if number != ABORT {
        let (nature, detail) = nature_of_fault(number, code, address);
        let failure = death(number, stack);
        let message = [nature, &failure.message].join(" ").trim().to_owned();
        // The kernel knows the address of a fault that it calls by one of these codes.
        let address = matches!((number, code), (11, 1 | 2) | (7, 1..=3)).then_some(address);
        return Failure { message, detail, address, ..failure };
    }
    let cause = report.events.iter().rev().nth(1).filter(|cause| !matches!(cause.what, What::Signal { .. }));
    match cause.map(|cause| (cause.what, cause)) {
        Some((What::Exception, cause)) => failure_of_exception(cause, stack_of(cause).unwrap_or_default()),
        Some((What::Assertion, cause)) => {
            let message = cause.texts.get("assertion").cloned().unwrap_or_default();
            Failure {
                kind: Kind::Assertion,
                message,
                detail: String::new(),
                frames: stack.frames,
                address: None,
                sites: Vec::new(),
            }
        }
        _ => {
            let message = event.texts.get("abort").map_or_else(String::new, |text| text.trim().to_owned());
            Failure {
                kind: Kind::Abort,
                message,
                detail: String::new(),
                frames: stack.frames,
                address: None,
                sites: Vec::new(),
            }
        }
    }
}

fn failure_of_exception(event: &Event, stack: Stack) -> Failure {
    let (kind, message) = match (event.texts.get("type"), event.texts.get("what")) {
        (Some(name), Some(what)) => (Kind::Exception, format!("{}: {what}", type_name(name))),
        (Some(name), None) => (Kind::Exception, type_name(name)),
        (None, _) => {
            let reason = event.texts.get("reason").cloned();
            (Kind::Abort, reason.unwrap_or_else(|| "terminate without an exception".into()))
        }
    };
    Failure { kind, message, detail: String::new(), frames: stack.frames, address: None, sites: Vec::new() }
}

fn failure_of_finding(finding: &Finding, symbols: Option<&Symbols>) -> Failure {
    let stack = symbols.map(|symbols| symbols.stack_in_modules(&finding.frames)).unwrap_or_default();
    let detail = finding.detail.clone();
    if finding.is_stack_overflow() {
        return Failure {
            kind: Kind::StackOverflow,
            message: String::new(),
            detail,
            frames: stack.frames,
            address: None,
            sites: Vec::new(),
        };
    }
    let inside = stack.inside.map_or_else(String::new, |function| format!(" in {function}"));
    let message = format!("{}{inside}", finding.message);
    let site = |(done, frames): &(&'static str, Vec<(String, u64)>)| {
        let mut frames = symbols?.stack_in_modules(frames).frames.into_iter();
        Some(Site { done, frame: frames.next()?, callers: frames.collect() })
    };
    let sites = finding.sites.iter().filter_map(site).collect();
    Failure { kind: Kind::Sanitizer(finding.tool.clone()), message, detail, frames: stack.frames, address: None, sites }
}

fn death(number: i32, stack: Stack) -> Failure {
    let ending = Ending::Signalled(number).to_string();
    let name = ending.trim_start_matches("killed by ").to_owned();
    let message = stack.inside.map_or_else(String::new, |function| format!("in {function}"));
    Failure {
        kind: Kind::Signal(name),
        message,
        detail: String::new(),
        frames: stack.frames,
        address: None,
        sites: Vec::new(),
    }
}

const ABORT: i32 = 6;
const KILL: i32 = 9;

/// What the kernel says about a fault: what is part of the failure, and what changes from run to run. A null pointer is
/// not the same as a pointer that was never set.
fn nature_of_fault(number: i32, code: i32, address: u64) -> (&'static str, String) {
    match (number, code) {
        (8, 1) => ("integer division by zero", String::new()),
        (8, 2) => ("integer overflow in a division", String::new()),
        (11, 1) if address < 4096 => (NULL_POINTER, format!("address {address:#x}")),
        (11, 1 | 2) | (7, 1..=3) => ("", format!("address {address:#x}")),
        _ => ("", String::new()),
    }
}

/// The program in which memory is filled like this. What compilers fill variables with makes negative numbers, in gcc and
/// in clang; nothing else in a program has that byte several times in a row, but for what the original has too.
fn filled(program: &Path, fill: Fill) -> Result<Cow<'_, Path>, PredicateError> {
    const PATTERNS: [u8; 2] = [0xfe, 0xaa];
    let (changed, byte) = match fill {
        Fill::Chance | Fill::Negative => return Ok(program.into()),
        Fill::Positive => (program.with_extension("positive"), 0x5a),
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

/// What a sanitizer wrote into its file about the process that counts, or else to standard error.
fn finding(report: &Report, job: &Job, finished: &Finished) -> Option<Finding> {
    let own = report.process.map(|process| PathBuf::from(format!("{}.{process}", sanitizer_log(job).display())));
    let in_file = own.and_then(|path| Finding::parse(&String::from_utf8_lossy(&head_of(&path))));
    in_file.or_else(|| Finding::parse(&String::from_utf8_lossy(&finished.stderr.head)))
}

/// The beginning of a file that the program could have made as long as it liked.
fn head_of(path: &Path) -> Vec<u8> {
    const ENOUGH: u64 = 16 << 20;
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(path) {
        let _ = file.take(ENOUGH).read_to_end(&mut bytes);
    }
    bytes
}
