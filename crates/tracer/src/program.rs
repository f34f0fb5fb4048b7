//! Runs a program under the agent.

use crate::format::Trace;
use crate::jdk::{Jdk, OLDEST};
use lapidary_jvm::MethodName;
use lapidary_predicate::{Captured, Ending, Launch, Sandbox, Scratch, Task, run};
use lapidary_reduce::{Cancel, PredicateError};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent.so"));

/// A Java program that can be run.
#[derive(Clone, Debug)]
pub struct JavaCommand {
    pub class_path: Vec<PathBuf>,
    /// The class with `main`, as in `pkg.Main`.
    pub main: String,
    pub arguments: Vec<String>,
    /// The file to use as standard input; without one, the input is empty.
    pub stdin: Option<PathBuf>,
    /// Options for the JVM.
    pub options: Vec<String>,
}

/// The settings of a recording.
#[derive(Clone, Debug)]
pub struct Recording {
    pub timeout: Duration,
    /// The number of frames of each stack to keep.
    pub depth: usize,
    /// The methods that an analysis found reachable, if only its first lost method is of interest:
    /// no other stack is kept then.
    pub reachable: Option<Vec<MethodName>>,
    /// Whether to record objects that the library returns. The program then takes some ten times as
    /// long.
    pub objects: bool,
    /// The sandbox that the program runs in.
    pub sandbox: Option<Sandbox>,
}

impl Default for Recording {
    fn default() -> Self {
        Recording { timeout: Duration::from_secs(60), depth: 64, reachable: None, objects: false, sandbox: None }
    }
}

/// A run that has ended, in any way.
#[derive(Debug)]
pub struct Run {
    pub trace: Trace,
    pub ending: Ending,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
}

/// The reason for a program without a trace.
#[derive(Debug, Error)]
pub enum TraceError {
    #[error("no java found; set JAVA_HOME, or put java on the PATH")]
    NoJava,
    #[error("JAVA_HOME is {0}, where there is no bin/java")]
    BadHome(PathBuf),
    #[error("{java} is Java {release}; tracing needs Java {OLDEST} or newer (set JAVA_HOME)")]
    OldJava { java: PathBuf, release: u32 },
    #[error("{java} does not say which Java it is: {reason}")]
    BadJava { java: PathBuf, reason: String },
    #[error("`{0}` in the class path has a `:` in its name, which ends a path there")]
    Colon(PathBuf),
    #[error("cannot trace: {0}")]
    Io(#[from] io::Error),
    #[error("the run was cancelled")]
    Cancelled,
    #[error("cannot trace: {0}")]
    Start(String),
    #[error("the program did not start ({ending}): {said}")]
    NotStarted { ending: Ending, said: String },
}

/// The amount of each output stream of the program to keep.
const KEPT: usize = 1 << 20;

impl JavaCommand {
    /// Runs the program in a fresh directory. When this returns, none of its processes is alive.
    pub fn trace(&self, jdk: &Jdk, recording: &Recording, cancel: &Cancel) -> Result<Run, TraceError> {
        let scratch = Arc::new(Scratch::new().map_err(io::Error::other)?);
        let job = scratch.empty_job().map_err(failed)?;
        let files = Files::write(scratch.path(), recording)?;
        let arguments = self.command_line(&files, recording)?;
        // The agent writes its trace beside the directories of the program.
        let enclose = |sandbox: Sandbox| sandbox.reads_tool(&jdk.java).reads_words(&arguments).writes(scratch.path());
        let sandbox = recording.sandbox.clone().map(enclose);
        let task = Task {
            launch: Launch { sandbox: sandbox.as_ref(), ..Launch::in_job(&job, &jdk.java, &arguments) },
            stdin: self.stdin.as_deref(),
            timeout: recording.timeout,
            keep: KEPT,
        };
        let finished = run(&task, cancel).map_err(failed)?;
        let [stdout, stderr] = [finished.stdout, finished.stderr].map(|stream| text(&stream));
        let written = fs::read(&files.trace).unwrap_or_default();
        let trace = Trace::parse(&String::from_utf8_lossy(&written))
            .ok_or_else(|| TraceError::NotStarted { ending: finished.ending, said: first_words(&stderr, &stdout) })?;
        if trace.entries.is_empty() {
            return Err(TraceError::NotStarted { ending: finished.ending, said: first_words(&stderr, &stdout) });
        }
        Ok(Run { trace, ending: finished.ending, stdout, stderr, elapsed: finished.elapsed })
    }

    fn command_line(&self, files: &Files, recording: &Recording) -> Result<Vec<OsString>, TraceError> {
        let absolute: Vec<_> = self.class_path.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
        let joined = std::env::join_paths(&absolute);
        let class_path = joined.map_err(|_| {
            TraceError::Colon(
                absolute.iter().find(|path| path.as_os_str().as_bytes().contains(&b':')).cloned().unwrap_or_default(),
            )
        })?;
        let mut agent = OsString::from("-agentpath:");
        agent.push(&files.agent);
        agent.push(format!("={}", files.options(recording)));
        let mut arguments = vec![agent];
        arguments.extend(self.options.iter().map(OsString::from));
        arguments.extend(["-cp".into(), class_path, OsString::from(self.main.replace('/', "."))]);
        arguments.extend(self.arguments.iter().map(OsString::from));
        Ok(arguments)
    }
}

/// The files that the JVM needs, outside the program's directory.
struct Files {
    agent: PathBuf,
    trace: PathBuf,
    reachable: Option<PathBuf>,
}

impl Files {
    fn write(directory: &Path, recording: &Recording) -> io::Result<Files> {
        let [agent, trace, reachable] = ["agent.so", "trace", "reachable"].map(|name| directory.join(name));
        fs::write(&agent, AGENT)?;
        if let Some(methods) = &recording.reachable {
            fs::write(&reachable, methods.iter().map(|method| format!("{method}\n")).collect::<String>())?;
        }
        Ok(Files { agent, trace, reachable: recording.reachable.is_some().then_some(reachable) })
    }

    fn options(&self, recording: &Recording) -> String {
        let mut options = format!("trace={},depth={}", encoded(&self.trace), recording.depth);
        if let Some(reachable) = &self.reachable {
            let _ = write!(options, ",reachable={}", encoded(reachable));
        }
        if recording.objects {
            options.push_str(",objects");
        }
        options
    }
}

/// Encodes a path as an option of the agent.
fn encoded(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "%{byte:02x}");
            }
        }
    }
    text
}

fn text(stream: &Captured) -> String {
    String::from_utf8_lossy(&stream.head).into_owned()
}

/// The first words of the output of a JVM that did not reach `main`; its output is short, and the
/// reason comes first.
fn first_words(stderr: &str, stdout: &str) -> String {
    let lines = stderr.lines().chain(stdout.lines()).map(str::trim).filter(|line| !line.is_empty());
    lines.take(2).collect::<Vec<_>>().join("; ")
}

fn failed(error: PredicateError) -> TraceError {
    match error {
        PredicateError::Cancelled => TraceError::Cancelled,
        PredicateError::Fatal(reason) | PredicateError::Disturbed(reason) => TraceError::Start(reason),
    }
}
