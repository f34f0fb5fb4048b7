//! Runs a tool in a separate process.

use super::{Installed, MethodLines, read_methods};
use lapidary_predicate::{Ending, Launch, Scratch, Task, run};
use lapidary_reduce::{Cancel, PredicateError};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The resources that a tool may use.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    pub time: Duration,
    /// The heap size; the JVM takes some more memory.
    pub heap_megabytes: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits { time: Duration::from_secs(1800), heap_megabytes: 4096 }
    }
}

/// The result of a tool.
#[derive(Clone, Debug)]
pub struct Finding {
    pub lines: MethodLines,
    pub elapsed: Duration,
}

/// The reason for a third-party analysis without an answer.
#[derive(Debug, Error)]
pub enum RunError {
    #[error("cannot make a directory for {tool}: {reason}")]
    NoScratch { tool: &'static str, reason: io::Error },
    #[error("cannot run {tool}: {reason}")]
    NotRun { tool: &'static str, reason: PredicateError },
    #[error("{tool} was stopped after {} s without an answer", limit.as_secs())]
    OutOfTime { tool: &'static str, limit: Duration },
    #[error("{tool} ended with {ending} and no answer{}", said.as_ref().map(|said| format!(": {said}")).unwrap_or_default())]
    Failed { tool: &'static str, ending: Ending, said: Option<String> },
}

/// The amount of a tool's output to keep, in order to explain a failure.
const KEPT_OUTPUT: usize = 64 << 10;

impl Installed {
    /// The arguments of `java` that make the driver write its answer to a file.
    #[must_use]
    pub fn arguments(&self, class_path: &[PathBuf], main: &str, answer: &OsStr, heap_megabytes: u64) -> Vec<OsString> {
        let mut own = self.directory.join("driver.jar").into_os_string();
        own.push(":");
        own.push(self.directory.join("lib/*"));
        let analysed = std::env::join_paths(class_path).unwrap_or_default();
        let heap = OsString::from(format!("-Xmx{heap_megabytes}m"));
        let dotted = OsString::from(main.replace('/', "."));
        // A tool that is killed cannot delete its files; beside the answer they are deleted with
        // it.
        let mut temporary = OsString::from("-Djava.io.tmpdir=");
        temporary.push(Path::new(answer).parent().unwrap_or(Path::new(".")));
        vec![heap, temporary, "-cp".into(), own, "lapidary.Reachable".into(), analysed, dotted, answer.into()]
    }

    /// Asks the tool for the methods that are reachable from `main` of a class. Paths must be
    /// absolute, because the tool runs in another directory.
    pub fn run(
        &self,
        class_path: &[PathBuf],
        main: &str,
        limits: &RunLimits,
        cancel: &Cancel,
    ) -> Result<Finding, RunError> {
        let tool = self.name;
        let no_scratch = |reason| RunError::NoScratch { tool, reason: io::Error::other(reason) };
        let scratch = Arc::new(Scratch::new().map_err(no_scratch)?);
        let not_run = |reason| RunError::NotRun { tool, reason };
        let job = scratch.empty_job().map_err(not_run)?;
        let answer = job.directory().join("reachable.txt");
        let arguments = self.arguments(class_path, main, answer.as_os_str(), limits.heap_megabytes);
        let launch = Launch::in_job(&job, &self.java, &arguments);
        let task = Task { launch, stdin: None, timeout: limits.time, keep: KEPT_OUTPUT };
        let finished = run(&task, cancel).map_err(not_run)?;
        match (finished.ending, std::fs::read(&answer)) {
            (Ending::Exited(0), Ok(bytes)) => Ok(Finding { lines: read_methods(&bytes), elapsed: finished.elapsed }),
            (Ending::TimedOut(_), _) => Err(RunError::OutOfTime { tool, limit: limits.time }),
            (ending, _) => Err(RunError::Failed { tool, ending, said: finished.last_words() }),
        }
    }
}
