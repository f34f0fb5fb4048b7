//! How the program is run: its input, its directory, and its permissions.
//!
//! The program runs in the directory that Lapidary was started in, since it may read files there.
//! It can also write there, as it can whenever its user runs it, unless it is put into a sandbox.

use crate::error::CrashError;
use crate::run::steps_file;
use lapidary_predicate::{Finished, Job, Launch, Limits, Sandbox, Task, Timeout, run};
use lapidary_reduce::{Cancel, PredicateError};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The input, environment and limits of a run.
#[derive(Clone, Debug)]
pub struct Execution {
    pub arguments: Vec<OsString>,
    /// The contents of standard input, which is never a terminal.
    pub stdin: Vec<u8>,
    /// Variables to set in addition to Lapidary's own environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory. By default Lapidary's.
    pub directory: Option<PathBuf>,
    pub timeout: Timeout,
    pub limits: Limits,
    /// The number of bytes of each output stream to keep.
    pub keep_output: usize,
    /// The sandbox to run in. The program sees the working directory and the files in its arguments
    /// there, and can only write to its own directories.
    pub sandbox: Option<Sandbox>,
}

impl Default for Execution {
    fn default() -> Self {
        Execution {
            arguments: Vec::new(),
            stdin: Vec::new(),
            environment: Vec::new(),
            directory: None,
            timeout: Timeout::Adaptive,
            limits: Limits { file_size: Some(1 << 30), memory: Some(8 << 30), ..Limits::default() },
            keep_output: 1 << 20,
            sandbox: None,
        }
    }
}

/// The time limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    pub wall: Duration,
    /// The limit on processor time. It ends an infinite loop sooner than the wall-clock limit, but
    /// not too soon on a busy machine.
    pub processor: Option<Duration>,
}

/// The contents of memory that the program has not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// Memory is left as it is.
    Chance,
    /// Bytes that make negative numbers.
    Negative,
    /// Bytes that make positive, odd numbers.
    Positive,
    /// Zeros, as in memory that has never been used.
    Zero,
}

impl Fill {
    /// Returns the value that makes the C library fill allocated memory. The library fills with its
    /// complement.
    fn perturbation(self) -> Option<&'static str> {
        match self {
            Fill::Chance => None,
            Fill::Negative => Some("90"),
            Fill::Positive => Some("164"),
            Fill::Zero => Some("255"),
        }
    }
}

/// An execution with everything it needs prepared.
pub struct PreparedExecution {
    execution: Execution,
    directory: PathBuf,
    stdin: Option<PathBuf>,
    sanitized: bool,
    /// The file that a program which traces itself writes to.
    trace: Option<PathBuf>,
    /// Whether programs record each block they enter.
    follows_steps: bool,
}

impl PreparedExecution {
    /// Prepares an execution. The recorded input is kept in the directory `scratch`.
    pub fn new(mut execution: Execution, sanitized: bool, scratch: &Path) -> Result<Self, CrashError> {
        let here = std::env::current_dir().unwrap_or_else(|_| "/".into());
        let directory = execution.directory.as_ref().map_or_else(|| here.clone(), |directory| here.join(directory));
        let stdin = (!execution.stdin.is_empty()).then(|| scratch.join("stdin"));
        if let Some(path) = &stdin {
            fs::write(path, &execution.stdin).map_err(|error| CrashError::Write(path.clone(), error))?;
        }
        if sanitized {
            // A sanitizer reserves terabytes of addresses that it never uses.
            execution.limits.memory = None;
        }
        Ok(PreparedExecution { execution, directory, stdin, sanitized, trace: None, follows_steps: false })
    }

    pub fn execution(&self) -> &Execution {
        &self.execution
    }

    pub fn timeout(&self) -> Timeout {
        self.execution.timeout
    }

    /// Makes the program write its trace to this file, which must be alone in its directory.
    pub(crate) fn trace_to(&mut self, file: PathBuf) {
        self.trace = Some(file);
    }

    /// Sets whether programs that are compiled for it record each block they enter.
    pub(crate) fn follow_steps(&mut self, follow: bool) {
        self.follows_steps = follow;
    }

    pub(crate) fn follows_steps(&self) -> bool {
        self.follows_steps
    }

    /// Returns whether the program contains a sanitizer.
    pub fn is_sanitized(&self) -> bool {
        self.sanitized
    }

    pub fn run(
        &self,
        program: &Path,
        job: &Job,
        limits: TimeLimits,
        fill: Fill,
        cancel: &Cancel,
    ) -> Result<Finished, PredicateError> {
        let mut environment = self.environment(job);
        environment.extend(fill.perturbation().map(|byte| ("MALLOC_PERTURB_".into(), byte.into())));
        let milliseconds = limits.processor.map(|limit| limit.as_millis().max(1).to_string().into());
        environment.extend(milliseconds.map(|limit| ("LAPIDARY_PROCESSOR_TIME".into(), limit)));
        let sandbox = self.sandbox(program, job);
        let launch = Launch {
            program,
            arguments: &self.execution.arguments,
            directory: &self.directory,
            temporary: job.temporary(),
            environment: &environment,
            marker: &job.marker,
            limits: &self.execution.limits,
            sandbox: sandbox.as_ref(),
        };
        let stdin = self.stdin.as_deref();
        run(&Task { launch, stdin, timeout: limits.wall, keep: self.execution.keep_output }, cancel)
    }

    fn environment(&self, job: &Job) -> Vec<(OsString, OsString)> {
        let mut environment = self.execution.environment.clone();
        environment.push(("LAPIDARY_TRAP".into(), report_file(job).into()));
        if self.follows_steps {
            environment.push(("LAPIDARY_STEPS".into(), steps_file(job).into()));
        }
        environment.push(("LIBC_FATAL_STDERR_".into(), "1".into()));
        environment.extend(self.trace.as_ref().map(|file| ("LAPIDARY_TRACE".into(), file.into())));
        if self.sanitized {
            let tools = ["ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "MSAN_OPTIONS"];
            environment.extend(tools.map(|name| (name.into(), self.sanitizer_options(name, job))));
        }
        environment
    }

    /// Returns the options for a sanitizer: defaults that the user may override, then the user's
    /// own, then those that must not be changed.
    fn sanitizer_options(&self, name: &str, job: &Job) -> OsString {
        let given = self.execution.environment.iter().rev().find(|(known, _)| known == name);
        let given = given.map(|(_, value)| value.clone()).or_else(|| std::env::var_os(name)).unwrap_or_default();
        let mut options = OsString::from("detect_leaks=0:");
        options.push(given);
        options.push(":symbolize=0:abort_on_error=0:log_path=");
        options.push(sanitizer_log(job));
        if name == "UBSAN_OPTIONS" {
            options.push(":print_stacktrace=1");
        }
        options
    }

    fn sandbox(&self, program: &Path, job: &Job) -> Option<Sandbox> {
        let sandbox = self.execution.sandbox.clone()?;
        let sandbox = sandbox.reads(&self.directory).reads(program).reads_words(&self.execution.arguments);
        let libraries: Vec<OsString> = std::env::var_os("LD_LIBRARY_PATH").into_iter().collect();
        let sandbox = sandbox.reads_words(&libraries);
        let written = [Some(job.directory()), self.trace.as_deref().and_then(Path::parent)];
        Some(written.into_iter().flatten().fold(sandbox, Sandbox::writes))
    }
}

/// Returns the file that the observing part of a program writes its report to.
pub fn report_file(job: &Job) -> PathBuf {
    job.temporary().join("lapidary-trap")
}

/// Returns the prefix of the names of files with a sanitizer's findings.
pub fn sanitizer_log(job: &Job) -> PathBuf {
    job.temporary().join("lapidary-sanitizer")
}
