//! The predicate that runs a command.

use crate::criteria::{Criteria, Observation, Timeout};
use crate::expect::{Expectation, Preserve};
use crate::limits::Limits;
use crate::normalise::Normaliser;
use crate::process::{self, Launch, Task};
use crate::program::{self, ProgramError};
use crate::scratch::{Job, Scratch};
use crate::test_predicate::TestPredicate;
use crate::warden::{self, Warden};
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use thiserror::Error;

/// Which command, and what is asked of it.
#[derive(Clone, Debug)]
pub struct CommandConfig {
    pub program: OsString,
    /// What messages call it, where the program is only what starts it.
    pub called: Option<String>,
    /// `{}` stands for the candidate's absolute path.
    pub arguments: Vec<OsString>,
    pub timeout: Timeout,
    pub limits: Limits,
    /// All must hold. Without any, and with nothing to preserve, the exit code must be 0.
    pub expectations: Vec<Expectation>,
    /// What must be as on the original, see [`CommandPredicate::calibrate`].
    pub preserve: Preserve,
    pub normalise: Normaliser,
    /// A candidate is interesting only if this many runs agree on it.
    pub repeat: u32,
    /// How many bytes of stdout and of stderr are kept.
    pub keep_output: usize,
}

impl CommandConfig {
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
            repeat: 1,
            keep_output: 1 << 20,
        }
    }

    /// The rules by which runs of the command are assessed.
    pub(crate) fn criteria(&self) -> Criteria {
        Criteria::new(self.expectations.clone(), self.preserve.clone(), self.normalise.clone(), self.timeout)
    }

    /// Arguments that name a file in the user's current directory by a relative path. The test runs elsewhere and will
    /// not find them, which is worth a word when it fails.
    pub(crate) fn relative_arguments(&self) -> Vec<&OsStr> {
        let names_a_file = |path: &Path| path.is_relative() && !path.as_os_str().is_empty() && path.exists();
        self.arguments.iter().map(OsString::as_os_str).filter(|path| names_a_file(Path::new(path))).collect()
    }
}

#[derive(Debug, Error)]
pub enum CommandError {
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error("cannot make a scratch directory in {0}: {1}; set TMPDIR to a directory that can be written")]
    Scratch(PathBuf, std::io::Error),
    #[error("cannot start the helper process that cleans up after a kill: {0}")]
    Warden(std::io::Error),
    #[error("the current directory is gone: {0}")]
    NoCurrentDirectory(std::io::Error),
    /// Two runs on the same input cannot both be the baseline.
    #[error(
        "the test does not always behave the same on the original, so its {aspect} cannot be preserved: {first} in one run, {second} in another; --normalise may help"
    )]
    Unsteady { aspect: &'static str, first: String, second: String },
    #[error("there is no run to compare with")]
    NoBaseline,
}

/// Judges candidates by running a command on them, each in a fresh directory.
pub struct CommandPredicate {
    config: CommandConfig,
    criteria: Criteria,
    runs: AtomicU64,
    supersets: AtomicU64,
    workplace: Workplace,
}

/// Where tests run, which program they are, and who cleans up after us.
pub struct Workplace {
    pub program: PathBuf,
    pub scratch: Arc<Scratch>,
    /// Declared, and so dropped, after the scratch directory: until that is gone the warden is needed.
    _warden: Option<Warden>,
}

impl Workplace {
    /// Finds the program from the user's current directory, since tests run elsewhere.
    pub fn new(program: &OsStr) -> Result<Self, CommandError> {
        let here = std::env::current_dir().map_err(CommandError::NoCurrentDirectory)?;
        let program = program::resolve(program, &here)?;
        let scratch = Scratch::new().map_err(|error| CommandError::Scratch(std::env::temp_dir(), error))?;
        let warden = match warden::available() {
            true => Some(warden::start(scratch.path()).map_err(CommandError::Warden)?),
            false => None,
        };
        Ok(Workplace { program, scratch: Arc::new(scratch), _warden: warden })
    }
}

impl CommandPredicate {
    pub fn new(config: CommandConfig) -> Result<Self, CommandError> {
        let workplace = Workplace::new(&config.program)?;
        let (runs, supersets) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(CommandPredicate { criteria: config.criteria(), config, runs, supersets, workplace })
    }

    /// Runs the command once and returns all there is to see.
    pub fn observe(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        let (observation, spoilt) = self.run(candidate, cancel)?;
        // A test wrote into a file it shared with others. From now on it gets copies, so the second run is clean.
        if spoilt { Ok(self.run(candidate, cancel)?.0) } else { Ok(observation) }
    }

    /// What a run says about its candidate.
    pub fn assess(&self, observation: &Observation) -> Result<Judgment, PredicateError> {
        self.criteria.assess(observation)
    }

    /// Learns from runs on the original: what is to be preserved, and how long a run may take. Call it once, before
    /// judging. If something is preserved, all the runs must agree on it.
    pub fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError> {
        self.criteria.calibrate(observations)
    }

    /// How many times the command was run.
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// How long the next run may take.
    pub fn timeout(&self) -> Duration {
        self.criteria.timeout()
    }

    /// Arguments that name a file in the user's current directory by a relative path. The test runs elsewhere and will
    /// not find them, which is worth a word when it fails.
    pub fn relative_arguments(&self) -> Vec<&OsStr> {
        self.config.relative_arguments()
    }

    /// The directory in which all candidates are judged. It vanishes with the predicate.
    pub fn scratch(&self) -> &Path {
        self.workplace.scratch.path()
    }

    fn run(&self, candidate: &FileTree, cancel: &Cancel) -> Result<(Observation, bool), PredicateError> {
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        self.runs.fetch_add(1, Ordering::Relaxed);
        let job = self.workplace.scratch.job(candidate)?;
        let observation = self.run_in(&job, candidate, cancel)?;
        Ok((observation, job.saw_spoilt_content()))
    }

    fn run_in(&self, job: &Job, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        let path = job.directory().join(candidate.name());
        let arguments: Vec<_> = self.config.arguments.iter().map(|argument| fill_in(argument, &path)).collect();
        let finished = process::run(
            &Task {
                launch: Launch {
                    program: &self.workplace.program,
                    arguments: &arguments,
                    directory: job.directory(),
                    temporary: job.temporary(),
                    environment: &[],
                    marker: &job.marker,
                    limits: &self.config.limits,
                },
                stdin: None,
                timeout: self.timeout(),
                keep: self.config.keep_output,
            },
            cancel,
        )?;
        Ok(Observation {
            ending: finished.ending,
            stdout: finished.stdout,
            stderr: finished.stderr,
            elapsed: finished.elapsed,
            directory: job.directory().to_path_buf(),
            temporary: job.temporary().to_path_buf(),
            settled: None,
        })
    }
}

impl Predicate for CommandPredicate {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let verdict = self.criteria.judge(self.config.repeat, || self.observe(candidate, cancel))?;
        self.supersets.fetch_add(u64::from(verdict.superset), Ordering::Relaxed);
        Ok(verdict.judgment)
    }
}

impl TestPredicate for CommandPredicate {
    fn observe(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        self.observe(candidate, cancel)
    }

    fn assess(&self, observation: &Observation) -> Result<Judgment, PredicateError> {
        self.assess(observation)
    }

    fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError> {
        self.calibrate(observations)
    }

    fn runs(&self) -> u64 {
        self.runs()
    }

    fn supersets(&self) -> u64 {
        self.supersets.load(Ordering::Relaxed)
    }

    fn relative_arguments(&self) -> Vec<&OsStr> {
        self.relative_arguments()
    }
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
