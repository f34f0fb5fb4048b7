//! Runs commands and scripts: once as the user typed them, and then in fresh directories.

use super::call::Call;
use anyhow::Context;
use lapidary_predicate::{Captured, Ending, Launch, Limits, Scratch, Task, resolve, run};
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A place to run things in.
pub struct Lab {
    here: PathBuf,
    scratch: Arc<Scratch>,
    timeout: Duration,
    cancel: Cancel,
}

/// How a run ended, and what it printed.
#[derive(Clone, Debug)]
pub struct Run {
    pub ending: Ending,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
}

/// So much of each stream is looked at.
const KEEP: usize = 4 << 20;

impl Lab {
    pub fn new(here: &Path, timeout: Duration, cancel: &Cancel) -> anyhow::Result<Lab> {
        let scratch = Arc::new(Scratch::new()?);
        Ok(Lab { here: here.to_owned(), scratch, timeout, cancel: cancel.clone() })
    }

    /// The absolute path of the program of a command.
    pub fn program(&self, words: &[String]) -> anyhow::Result<PathBuf> {
        let program = words.first().map_or(OsStr::new(""), OsStr::new);
        Ok(resolve(program, &self.here)?)
    }

    /// The limit for the first run.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Runs the command as it was typed, where it was typed.
    pub fn first_run(&self, call: &Call) -> anyhow::Result<Run> {
        let words = call.typed_words();
        let program = self.program(words)?;
        let arguments: Vec<OsString> = words[1..].iter().map(Into::into).collect();
        let stdin = call.stdin().map(|path| self.here.join(path));
        let job = self.scratch.empty_job().map_err(fatal)?;
        let launch = Launch {
            program: &program,
            arguments: &arguments,
            directory: &self.here,
            temporary: job.temporary(),
            environment: &[("LC_ALL".into(), locale(call.tool()).into())],
            marker: &job.marker,
            limits: &Limits::default(),
            sandbox: None,
        };
        self.finish(launch, stdin.as_deref(), self.timeout)
    }

    /// Runs a script in a fresh directory that holds a file of this name and content.
    pub fn script(&self, text: &str, name: &str, content: &[u8], timeout: Duration) -> anyhow::Result<Run> {
        let tree = FileTree::file(name, content.to_vec());
        let job = self.scratch.job(&tree, &self.cancel).map_err(fatal)?;
        let own = self.scratch.empty_job().map_err(fatal)?;
        let script = own.directory().join("interesting.sh");
        fs::write(&script, text).and_then(|()| fs::set_permissions(&script, fs::Permissions::from_mode(0o755)))?;
        // Started through its interpreter, since a concurrent fork may still hold the file open.
        let arguments = [script.into_os_string()];
        let launch = Launch {
            program: Path::new("/bin/sh"),
            arguments: &arguments,
            directory: job.directory(),
            temporary: job.temporary(),
            environment: &[],
            marker: &job.marker,
            limits: &Limits::default(),
            sandbox: None,
        };
        self.finish(launch, None, timeout)
    }

    /// The content of the input.
    pub fn content(&self, call: &Call) -> anyhow::Result<Vec<u8>> {
        let path = self.here.join(call.input());
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// The directory of the input.
    pub fn directory_of(&self, call: &Call) -> PathBuf {
        let path = self.here.join(call.input());
        let directory = path.parent().unwrap_or(&self.here);
        std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned())
    }

    fn finish(&self, launch: Launch<'_>, stdin: Option<&Path>, timeout: Duration) -> anyhow::Result<Run> {
        let finished = run(&Task { launch, stdin, timeout, keep: KEEP }, &self.cancel).map_err(fatal)?;
        let text = |stream: &Captured| String::from_utf8_lossy(&stream.head).into_owned();
        Ok(Run {
            ending: finished.ending,
            stdout: text(&finished.stdout),
            stderr: text(&finished.stderr),
            elapsed: finished.elapsed,
        })
    }
}

impl Run {
    /// The last lines that the run printed, for a person.
    pub fn last_lines(&self) -> Option<String> {
        const LINES: usize = 10;
        let text = if self.stderr.trim().is_empty() { &self.stdout } else { &self.stderr };
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let shown = &lines[lines.len().saturating_sub(LINES)..];
        let cut = |line: &&str| line.chars().take(200).collect::<String>();
        (!shown.is_empty()).then(|| shown.iter().map(cut).collect::<Vec<_>>().join("\n"))
    }
}

/// The locale in which a tool prints messages that do not depend on the machine. Java reads sources
/// by the locale; compilers of C print quotes by it.
pub fn locale(tool: &str) -> &'static str {
    match tool {
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "ld" => "C",
        _ => "C.UTF-8",
    }
}

fn fatal(error: PredicateError) -> anyhow::Error {
    match error {
        PredicateError::Cancelled => crate::Error::Stopped("interrupted before the script was written".into()).into(),
        PredicateError::Fatal(reason) | PredicateError::Disturbed(reason) => anyhow::anyhow!("{reason}"),
    }
}
