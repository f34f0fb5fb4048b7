//! Tests that are commands on this machine.

use crate::criteria::{Agreement, Observation, Rules, Timeout};
use crate::disturbance::{self, Kills};
use crate::expect::{Expectation, Preserve};
use crate::limits::Limits;
use crate::normalise::Normaliser;
use crate::process::{self, Launch, Task};
use crate::program::{self, ProgramError};
use crate::runner::{Judge, Runner};
use crate::scratch::{Job, Scratch, ScratchError};
use lapidary_common::sandbox::Sandbox;
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use thiserror::Error;

/// The command that is the test, and the rules for its runs.
#[derive(Clone, Debug)]
pub struct CommandConfig {
    /// The program, found as a shell in the current directory would.
    pub program: OsString,
    /// The name used in messages, if the program is only a launcher.
    pub called: Option<String>,
    /// The arguments, in which `{}` stands for the candidate's absolute path.
    pub arguments: Vec<OsString>,
    /// The time limit for one run.
    pub timeout: Timeout,
    /// The resource limits for each process of the test.
    pub limits: Limits,
    /// Conditions that must all hold. If there are none and nothing is preserved, the exit code
    /// must be 0.
    pub expectations: Vec<Expectation>,
    /// The aspects that must be the same as on the original; see
    /// [`TestPredicate::calibrate`](crate::TestPredicate::calibrate).
    pub preserve: Preserve,
    /// The rules that normalise output before it is compared with that of the original.
    pub normalise: Normaliser,
    /// The number of runs that decide about a candidate.
    pub agreement: Agreement,
    /// The number of bytes kept of stdout and of stderr.
    pub keep_output: usize,
    /// The sandbox that the test runs in. It sees the user's current directory, the program and the
    /// files in its arguments, and can write to its own directories.
    pub sandbox: Option<Sandbox>,
    /// A command that starts the program, as a shell reads it, such as `srun -n1`. The program and
    /// its arguments follow it.
    pub runner: Option<String>,
}

impl CommandConfig {
    /// Runs a program without arguments; exit code 0 is interesting.
    pub fn new(program: impl Into<OsString>) -> Self {
        CommandConfig {
            program: program.into(),
            called: None,
            arguments: Vec::new(),
            timeout: Timeout::Adaptive,
            limits: Limits::default(),
            expectations: Vec::new(),
            preserve: Preserve::default(),
            normalise: Normaliser::default(),
            agreement: Agreement::All(1),
            keep_output: 1 << 20,
            sandbox: None,
            runner: None,
        }
    }

    /// The rules by which runs of the command are assessed.
    pub fn rules(&self) -> Rules {
        Rules {
            expectations: self.expectations.clone(),
            preserve: self.preserve.clone(),
            normalise: self.normalise.clone(),
            timeout: self.timeout,
            agreement: self.agreement,
        }
    }

    /// The sandbox of the test, if it runs in one, with all that it needs to see.
    pub(crate) fn sandbox(&self, program: &Path) -> Option<Sandbox> {
        let sandbox = self.sandbox.clone()?.reads_installed_tools().reads_tool(program).reads_words(&self.arguments);
        Some(std::env::current_dir().iter().fold(sandbox, |sandbox, here| sandbox.reads(here)))
    }

    /// Arguments that name a file in the user's current directory by a relative path. The test runs
    /// elsewhere and will not find them, which a message mentions when it fails.
    pub(crate) fn relative_arguments(&self) -> Vec<&OsStr> {
        let names_a_file = |path: &Path| path.is_relative() && !path.as_os_str().is_empty() && path.exists();
        self.arguments.iter().map(OsString::as_os_str).filter(|path| names_a_file(Path::new(path))).collect()
    }
}

/// Why a command cannot be used as a test.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The program cannot be started.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The directory for candidates cannot be created.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// The current directory was deleted.
    #[error("the current directory is gone: {0}")]
    NoCurrentDirectory(std::io::Error),
    /// Two runs on the original differ in an aspect that must be preserved.
    #[error(
        "the test does not always behave the same on the original, so its {aspect} cannot be preserved: {first} in one run, {second} in another; --normalise may help"
    )]
    Unsteady {
        /// The aspect that differs: `exit`, `stdout` or `stderr`.
        aspect: &'static str,
        /// The line that differs in the first run.
        first: String,
        /// That line in another run.
        second: String,
    },
    /// There is no observation of the original that could be the baseline.
    #[error("there is no run to compare with")]
    NoBaseline,
}

/// A predicate that runs a command on each candidate, in a fresh directory.
pub type CommandPredicate = Judge<LocalCommand>;

/// Runs a command on this machine, each time in a fresh directory that holds the candidate.
pub struct LocalCommand {
    config: CommandConfig,
    runs: AtomicU64,
    sandbox: Option<Sandbox>,
    workplace: Workplace,
}

/// The program that is the test, and the directory where it runs.
pub struct Workplace {
    /// The program, by its absolute path.
    pub program: PathBuf,
    /// The directory that holds the directories of candidates.
    pub scratch: Arc<Scratch>,
}

impl Workplace {
    /// Finds the program from the user's current directory, since tests run elsewhere.
    pub fn new(program: &OsStr) -> Result<Self, CommandError> {
        let here = std::env::current_dir().map_err(CommandError::NoCurrentDirectory)?;
        let program = program::resolve(program, &here)?;
        Ok(Workplace { program, scratch: Arc::new(Scratch::new()?) })
    }
}

impl Judge<LocalCommand> {
    /// Finds the program and creates a scratch directory. Nothing is run yet.
    pub fn new(config: CommandConfig) -> Result<Self, CommandError> {
        let rules = config.rules();
        Ok(Judge::of(LocalCommand::new(config)?, rules))
    }

    /// The directory in which all candidates are judged. It is removed when the predicate is
    /// dropped.
    pub fn scratch(&self) -> &Path {
        self.runner().workplace.scratch.path()
    }
}

impl LocalCommand {
    /// Finds the program and creates a scratch directory. Nothing is run yet.
    pub fn new(config: CommandConfig) -> Result<Self, CommandError> {
        let workplace = Workplace::new(&config.program)?;
        let sandbox = config.sandbox(&workplace.program);
        Ok(LocalCommand { workplace, sandbox, config, runs: AtomicU64::new(0) })
    }

    fn run_once(
        &self,
        candidate: &FileTree,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<(Observation, bool), PredicateError> {
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        self.runs.fetch_add(1, Ordering::Relaxed);
        let job = self.workplace.scratch.job(candidate, cancel)?;
        let observation = self.run_in(&job, candidate, timeout, cancel)?;
        Ok((observation, job.saw_spoilt_content()))
    }

    fn run_in(
        &self,
        job: &Job,
        candidate: &FileTree,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Observation, PredicateError> {
        let path = job.directory().join(candidate.name());
        let arguments = self.config.arguments.iter().map(|argument| fill_in(argument, &path));
        let (program, arguments) = match &self.config.runner {
            None => (&*self.workplace.program, arguments.collect()),
            Some(runner) => (Path::new("/bin/sh"), started_by(runner, &self.workplace.program, arguments)),
        };
        let sandbox = self.sandbox.clone().map(|sandbox| sandbox.writes(job.directory()));
        let before = Kills::so_far();
        let finished = process::run_with_notice(
            &Task {
                launch: Launch {
                    program,
                    arguments: &arguments,
                    directory: job.directory(),
                    temporary: job.temporary(),
                    environment: &[],
                    marker: &job.marker,
                    limits: &self.config.limits,
                    sandbox: sandbox.as_ref(),
                },
                stdin: None,
                timeout,
                keep: self.config.keep_output,
            },
            if self.config.runner.is_some() { NOTICE } else { Duration::ZERO },
            cancel,
        )?;
        Ok(Observation {
            stdout: finished.stdout,
            stderr: finished.stderr,
            elapsed: finished.elapsed,
            directory: job.directory().to_path_buf(),
            temporary: job.temporary().to_path_buf(),
            disturbance: disturbance::of(finished.ending, &before).filter(|_| !finished.ran_out_of_memory),
            ..Observation::new(finished.ending)
        })
    }
}

impl Runner for LocalCommand {
    fn run(&self, candidate: &FileTree, timeout: Duration, cancel: &Cancel) -> Result<Observation, PredicateError> {
        let (observation, spoilt) = self.run_once(candidate, timeout, cancel)?;
        // A test wrote into a shared file. From now on tests get copies of it, so the second run is
        // clean.
        if spoilt { Ok(self.run_once(candidate, timeout, cancel)?.0) } else { Ok(observation) }
    }

    fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    fn relative_arguments(&self) -> Vec<&OsStr> {
        self.config.relative_arguments()
    }
}

/// How long a runner may take to end a test that runs elsewhere.
const NOTICE: Duration = Duration::from_secs(5);

/// The words for a shell that has a runner start a program.
fn started_by(runner: &str, program: &Path, arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let shell = ["-c".to_owned(), format!("exec {runner} \"$@\""), "sh".to_owned()];
    shell.into_iter().map(OsString::from).chain([program.into()]).chain(arguments).collect()
}

/// The argument with each `{}` replaced by the candidate's path.
fn fill_in(argument: &OsStr, path: &Path) -> OsString {
    let mut result = Vec::new();
    let mut rest = argument.as_bytes();
    while let Some(at) = rest.windows(2).position(|window| window == b"{}") {
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(path.as_os_str().as_bytes());
        rest = &rest[at + 2..];
    }
    result.extend_from_slice(rest);
    OsString::from_vec(result)
}
