//! Running a user's analysis: a command line with placeholders.
//!
//! The command runs through the shell in the user's directory, so that `./run-my-analysis` works as
//! expected. Whatever the command does, the result is an answer: a set of methods, or the reason
//! why there is none.

use crate::answer::Answer;
use crate::examine::Analysis;
use lapidary_common::shell::quoted;
use lapidary_predicate::{Ending, Finished, Launch, Limits, Scratch, Task, run};
use lapidary_reduce::{Cancel, PredicateError};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// An analysis or a tool that is run as a command.
#[derive(Clone, Debug)]
pub struct Command {
    /// A shell command with the placeholders `{classpath}`, `{main}`, `{input}` and `{out}`.
    pub line: String,
    pub timeout: Duration,
    /// The resource limits of each of its processes.
    pub limits: Limits,
}

/// The values of the placeholders.
#[derive(Clone, Debug, Default)]
pub struct Place {
    pub class_path: Vec<PathBuf>,
    pub main: String,
    /// The file or directory that a tool examines.
    pub input: Option<PathBuf>,
}

/// The reason for a command that could not be run to its end.
#[derive(Debug, Error)]
pub enum CommandError {
    #[error("interrupted")]
    Cancelled,
    #[error("cannot run it: {0}")]
    Start(String),
    #[error("cannot run it: {0}")]
    Io(#[from] io::Error),
}

/// The amount of output to keep; an answer may be long.
const KEPT: usize = 256 << 20;

/// A command with the name that the user gave it.
pub struct NamedCommand {
    pub name: String,
    pub weight: f64,
    pub command: Command,
}

impl Analysis for NamedCommand {
    fn name(&self) -> &str {
        &self.name
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn answer(&self, place: &Place, cancel: &Cancel) -> Result<Answer, CommandError> {
        self.command.answer(place, cancel)
    }
}

impl Command {
    /// Asks for reachable methods. They are read from the file `{out}`, or from standard output if
    /// the command does not mention it.
    pub fn answer(&self, place: &Place, cancel: &Cancel) -> Result<Answer, CommandError> {
        let scratch = Arc::new(Scratch::new().map_err(io::Error::other)?);
        let out = scratch.path().join("out");
        let finished = self.run(place, &scratch, &out, cancel)?;
        if finished.ending != Ending::Exited(0) {
            return Ok(Answer::Failed(format!("{}{}", finished.ending, last_words(&finished))));
        }
        let text = match self.line.contains("{out}") {
            true => match std::fs::read(&out) {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(_) => return Ok(Answer::Failed(format!("it wrote no answer to {{out}}{}", last_words(&finished)))),
            },
            false => String::from_utf8_lossy(&finished.stdout.head).into_owned(),
        };
        Ok(Answer::parse(&text).unwrap_or_else(|error| Answer::Failed(error.to_string())))
    }

    /// Runs the command for its exit code only.
    pub fn ending(&self, place: &Place, cancel: &Cancel) -> Result<(Ending, String), CommandError> {
        let scratch = Arc::new(Scratch::new().map_err(io::Error::other)?);
        let finished = self.run(place, &scratch, &scratch.path().join("out"), cancel)?;
        Ok((finished.ending, last_words(&finished)))
    }

    fn run(
        &self,
        place: &Place,
        scratch: &Arc<Scratch>,
        out: &Path,
        cancel: &Cancel,
    ) -> Result<Finished, CommandError> {
        let job = scratch.empty_job().map_err(failed)?;
        let arguments = ["-c".into(), OsString::from(filled(&self.line, place, out)?)];
        let here = std::env::current_dir()?;
        let task = Task {
            launch: Launch {
                directory: &here,
                limits: &self.limits,
                ..Launch::in_job(&job, "/bin/sh".as_ref(), &arguments)
            },
            stdin: None,
            timeout: self.timeout,
            keep: KEPT,
        };
        run(&task, cancel).map_err(failed)
    }
}

fn failed(error: PredicateError) -> CommandError {
    match error {
        PredicateError::Cancelled => CommandError::Cancelled,
        PredicateError::Fatal(reason) | PredicateError::Disturbed(reason) => CommandError::Start(reason),
    }
}

/// The command with its placeholders filled in, each as one word of the shell.
fn filled(line: &str, place: &Place, out: &Path) -> io::Result<String> {
    let absolute: Vec<PathBuf> = place.class_path.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
    let class_path = std::env::join_paths(&absolute).map_err(io::Error::other)?;
    let input = place.input.as_ref().map(std::path::absolute).transpose()?.unwrap_or_default();
    let values = [
        ("{classpath}", class_path.to_string_lossy().into_owned()),
        ("{main}", place.main.clone()),
        ("{input}", input.to_string_lossy().into_owned()),
        ("{out}", out.to_string_lossy().into_owned()),
    ];
    let mut filled = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = match values.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, value)) => {
                filled.push_str(&quoted(value));
                name.len()
            }
            None => {
                filled.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    Ok(filled)
}

fn last_words(finished: &Finished) -> String {
    finished.last_words().map_or_else(String::new, |line| format!(": {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str, timeout: Duration) -> Answer {
        let command = Command { line: line.to_owned(), timeout, limits: Limits::default() };
        let place = Place { class_path: vec!["/tmp/it's".into()], main: "p.M".to_owned(), input: None };
        command.answer(&place, &Cancel::new()).unwrap()
    }

    fn reason(answer: Answer) -> String {
        match answer {
            Answer::Failed(reason) => reason,
            Answer::Reached { methods, .. } => panic!("{methods:?}"),
        }
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn answers_come_from_the_file_or_from_standard_output() {
        assert_eq!(asked("echo p/M.main:'()V' > {out}; echo noise", LONG).reached().unwrap().len(), 1);
        assert_eq!(asked("echo p/M.a:'()V'; echo p/M.b:'()V'", LONG).reached().unwrap().len(), 2);
    }

    #[test]
    fn places_are_single_words() {
        let line = "for word in {classpath} {main}; do echo \"# $word\"; done; test {classpath} = \"/tmp/it's\" && echo M.m:'()V'";
        assert_eq!(asked(line, LONG).reached().unwrap().len(), 1);
    }

    #[test]
    fn placeholders_inside_values_are_not_filled_in() {
        let place = Place { class_path: vec!["/tmp/{main}".into()], main: "p.M".to_owned(), input: None };
        let line = filled("run ü {classpath} {main}", &place, Path::new("/out")).unwrap();
        assert_eq!(line, "run ü '/tmp/{main}' p.M");
    }

    #[test]
    fn every_failure_of_a_command_has_a_reason() {
        assert_eq!(reason(asked("echo out of luck >&2; exit 3", LONG)), "exit code 3: out of luck");
        let java = "printf 'Exception: out of memory\\n\\tat p.M.main(M.java:3)\\n\\t... 2 more\\n' >&2; exit 1";
        assert_eq!(reason(asked(java, LONG)), "exit code 1: Exception: out of memory");
        assert!(reason(asked("kill -9 $$", LONG)).starts_with("killed by SIGKILL"));
        assert!(reason(asked("sleep 60", Duration::from_millis(200))).starts_with("timed out"));
        assert!(reason(asked("true {out}", LONG)).contains("no answer"));
        assert!(reason(asked("echo hello", LONG)).contains("`hello`"));
        assert!(reason(asked("true", LONG)).contains("no methods"));
    }
}
