//! The predicate that runs a command.

use crate::ending::Ending;
use crate::expect::{self, Aspect, Expectation, Preserve};
use crate::limits::Limits;
use crate::normalise::Normaliser;
use crate::process::{self, Captured, Task};
use crate::program::{self, ProgramError};
use crate::scratch::{Job, Scratch};
use crate::warden::{self, Warden};
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// Which command, and what is asked of it.
#[derive(Clone, Debug)]
pub struct CommandConfig {
    pub program: OsString,
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeout {
    Fixed(Duration),
    /// Generous until the first interesting runs are known, then ten times the slowest of them and half a second.
    Adaptive,
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

/// What one run showed.
#[derive(Clone, Debug)]
pub struct Observation {
    pub ending: Ending,
    pub stdout: Captured,
    pub stderr: Captured,
    pub elapsed: Duration,
    /// Where it ran. What was there is gone.
    pub directory: PathBuf,
    temporary: PathBuf,
}

/// Judges candidates by running a command on them, each in a fresh directory.
pub struct CommandPredicate {
    config: CommandConfig,
    program: PathBuf,
    baseline: OnceLock<Baseline>,
    slowest: Mutex<Option<Duration>>,
    runs: AtomicU64,
    scratch: Scratch,
    /// Declared, and so dropped, after the scratch directory: until that is gone the warden is needed.
    _warden: Option<Warden>,
}

/// The preserved aspects of the original, normalised.
#[derive(Debug, PartialEq, Eq)]
struct Baseline {
    ending: Ending,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl CommandPredicate {
    /// Finds the program from the user's current directory, since tests run elsewhere.
    pub fn new(config: CommandConfig) -> Result<Self, CommandError> {
        let here = std::env::current_dir().map_err(CommandError::NoCurrentDirectory)?;
        let program = program::resolve(&config.program, &here)?;
        let scratch = Scratch::new().map_err(|error| CommandError::Scratch(std::env::temp_dir(), error))?;
        let warden = match warden::available() {
            true => Some(warden::start(scratch.path()).map_err(CommandError::Warden)?),
            false => None,
        };
        Ok(CommandPredicate {
            config,
            program,
            baseline: OnceLock::new(),
            slowest: Mutex::new(None),
            runs: AtomicU64::new(0),
            scratch,
            _warden: warden,
        })
    }

    /// Runs the command once and returns all there is to see.
    pub fn observe(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        let (observation, spoilt) = self.run(candidate, cancel)?;
        // A test wrote into a file it shared with others. From now on it gets copies, so the second run is clean.
        if spoilt { Ok(self.run(candidate, cancel)?.0) } else { Ok(observation) }
    }

    /// What a run says about its candidate.
    pub fn assess(&self, observation: &Observation) -> Result<Judgment, PredicateError> {
        let (verdict, reason) = match self.unmet(observation)? {
            None => (Verdict::Interesting, observation.ending.to_string()),
            Some(reason) => (self.verdict_of(&observation.ending), reason),
        };
        let timed_out = matches!(observation.ending, Ending::TimedOut(_));
        Ok(Judgment { verdict, reason, timed_out, elapsed: observation.elapsed })
    }

    /// Learns from runs on the original: what is to be preserved, and how long a run may take. Call it once, before
    /// judging. If something is preserved, all the runs must agree on it.
    pub fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError> {
        let mut baselines = observations.iter().map(|observation| self.baseline_of(observation));
        let first = baselines.next().ok_or(CommandError::NoBaseline)?;
        for other in baselines {
            first.agrees_with(&other, &self.config.preserve)?;
        }
        let _ = self.baseline.set(first);
        observations.iter().for_each(|observation| self.learn(observation));
        Ok(())
    }

    /// How many times the command was run.
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// How long the next run may take.
    pub fn timeout(&self) -> Duration {
        const BEFORE_ANYTHING_IS_KNOWN: Duration = Duration::from_secs(300);
        match (self.config.timeout, *self.slowest.lock().unwrap_or_else(PoisonError::into_inner)) {
            (Timeout::Fixed(timeout), _) => timeout,
            (Timeout::Adaptive, None) => BEFORE_ANYTHING_IS_KNOWN,
            (Timeout::Adaptive, Some(slowest)) => {
                (10 * slowest + Duration::from_millis(500)).max(Duration::from_secs(1))
            }
        }
    }

    /// Arguments that name a file in the user's current directory by a relative path. The test runs elsewhere and will
    /// not find them, which is worth a word when it fails.
    pub fn relative_arguments(&self) -> Vec<&OsStr> {
        let names_a_file = |path: &Path| path.is_relative() && !path.as_os_str().is_empty() && path.exists();
        self.config.arguments.iter().map(OsString::as_os_str).filter(|path| names_a_file(Path::new(path))).collect()
    }

    /// The directory in which all candidates are judged. It vanishes with the predicate.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    fn run(&self, candidate: &FileTree, cancel: &Cancel) -> Result<(Observation, bool), PredicateError> {
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        self.runs.fetch_add(1, Ordering::Relaxed);
        let job = self.scratch.job(candidate)?;
        let observation = self.run_in(&job, candidate, cancel)?;
        Ok((observation, job.saw_spoilt_content()))
    }

    fn run_in(&self, job: &Job<'_>, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        let path = job.directory().join(candidate.name());
        let arguments: Vec<_> = self.config.arguments.iter().map(|argument| fill_in(argument, &path)).collect();
        let finished = process::run(
            &Task {
                program: &self.program,
                arguments: &arguments,
                directory: job.directory(),
                temporary: job.temporary(),
                marker: &job.marker,
                timeout: self.timeout(),
                limits: &self.config.limits,
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
        })
    }

    /// Why a run is not interesting.
    fn unmet(&self, run: &Observation) -> Result<Option<String>, PredicateError> {
        if let Ending::TimedOut(_) = run.ending {
            return Ok(Some(run.ending.to_string()));
        }
        let preserve = &self.config.preserve;
        let expected = &self.config.expectations;
        let nothing_but_preserving = expected.is_empty() && !preserve.0.is_empty();
        let unmet = match nothing_but_preserving {
            true => None,
            false => expect::unmet(expected, &run.ending, &run.stdout, &run.stderr),
        };
        if unmet.is_some() || preserve.0.is_empty() {
            return Ok(unmet);
        }
        let unknown = || PredicateError::Fatal("what to preserve is not known before a run on the original".into());
        let baseline = self.baseline.get().ok_or_else(unknown)?;
        Ok(baseline.difference(&self.baseline_of(run), preserve))
    }

    /// A run that was not interesting and did not end by itself says nothing, unless its end is what was asked about.
    fn verdict_of(&self, ending: &Ending) -> Verdict {
        let about_exit = self.config.expectations.iter().any(Expectation::is_about_exit)
            || self.config.preserve.0.contains(&Aspect::Exit);
        let only_about_output = !about_exit && !self.config.expectations.is_empty();
        match ending {
            Ending::Exited(_) => Verdict::Uninteresting,
            Ending::Signalled(_) if only_about_output => Verdict::Uninteresting,
            Ending::Signalled(_) | Ending::TimedOut(_) => Verdict::Unresolved,
        }
    }

    fn baseline_of(&self, run: &Observation) -> Baseline {
        let text = |aspect, captured: &Captured| match self.config.preserve.0.contains(&aspect) {
            true => self.config.normalise.apply(&captured.head, &[&run.directory, &run.temporary]),
            false => Vec::new(),
        };
        Baseline {
            ending: run.ending,
            stdout: text(Aspect::Stdout, &run.stdout),
            stderr: text(Aspect::Stderr, &run.stderr),
        }
    }

    fn learn(&self, interesting: &Observation) {
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        *slowest = (*slowest).max(Some(interesting.elapsed));
    }
}

impl Predicate for CommandPredicate {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let mut total = Duration::ZERO;
        let mut runs = 0;
        loop {
            let observation = self.observe(candidate, cancel)?;
            let mut judgment = self.assess(&observation)?;
            total += judgment.elapsed;
            runs += 1;
            if judgment.is_interesting() && self.baseline.get().is_some() {
                self.learn(&observation);
            }
            if !judgment.is_interesting() || runs >= self.config.repeat {
                judgment.elapsed = total;
                return Ok(judgment);
            }
        }
    }
}

impl Baseline {
    /// How the other differs from this one in what is preserved, in words.
    fn difference(&self, other: &Baseline, preserve: &Preserve) -> Option<String> {
        preserve.0.iter().find_map(|aspect| match aspect {
            Aspect::Exit => {
                (self.ending != other.ending).then(|| format!("{} instead of {}", other.ending, self.ending))
            }
            Aspect::Stdout => different_line(&self.stdout, &other.stdout).map(|(line, ..)| differs("stdout", line)),
            Aspect::Stderr => different_line(&self.stderr, &other.stderr).map(|(line, ..)| differs("stderr", line)),
        })
    }

    fn agrees_with(&self, other: &Baseline, preserve: &Preserve) -> Result<(), CommandError> {
        for aspect in &preserve.0 {
            let (aspect, first, second) = match aspect {
                Aspect::Exit => ("exit", self.ending.to_string().into_bytes(), other.ending.to_string().into_bytes()),
                Aspect::Stdout => ("stdout", self.stdout.clone(), other.stdout.clone()),
                Aspect::Stderr => ("stderr", self.stderr.clone(), other.stderr.clone()),
            };
            if let Some((_, first, second)) = different_line(&first, &second) {
                return Err(CommandError::Unsteady { aspect, first, second });
            }
        }
        Ok(())
    }
}

fn differs(stream: &str, line: usize) -> String {
    format!("{stream} differs from the original's in line {line}")
}

/// The number of the first line in which two texts differ, and what each has there.
fn different_line(one: &[u8], other: &[u8]) -> Option<(usize, String, String)> {
    if one == other {
        return None;
    }
    let mut ones = one.split(|&byte| byte == b'\n');
    let mut others = other.split(|&byte| byte == b'\n');
    let show = |line: Option<&[u8]>| match line {
        Some(line) => format!("`{}`", String::from_utf8_lossy(line)),
        None => "nothing more".to_owned(),
    };
    (1..)
        .map(|number| (number, ones.next(), others.next()))
        .find(|(_, one, other)| one != other)
        .map(|(number, one, other)| (number, show(one), show(other)))
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
