//! Everything that can be seen of a call on the real machine: `lapidary.replay.Observer`.

use crate::input::{Input, Number};
use crate::method::Method;
use crate::random::Worker;
use crate::replay::{Replayer, text_of_digits, words};
use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

/// What to look at.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    pub method: &'a Method,
    /// How long one call may take.
    pub call: Duration,
    /// What tells nothing: a field of the objects of a class as `shop.Till.cache`, what lambdas of a class have captured as `shop.Till.*`.
    pub unseen: &'a BTreeSet<String>,
}

/// A real machine that calls one method with given inputs and tells what can be seen of it.
pub struct Observer {
    worker: Worker,
}

/// What was seen of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    Seen {
        /// What it returned, with everything in it, or the exception and its message.
        ending: String,
        /// What the arguments were left like.
        left: String,
        stdout: String,
        stderr: String,
    },
    /// The program does not allow these inputs.
    Refused,
    /// The call did not end in time, and the machine has stopped.
    TooLong,
    /// The machine is gone: the program has ended it.
    Gone,
    /// The call could not be made.
    Failed(String),
}

impl Observer {
    /// Starts a machine.
    pub fn start(replayer: &Replayer, observation: &Observation<'_>) -> io::Result<Observer> {
        let Observation { method, call, unseen } = *observation;
        let mut command = Worker::command(replayer, "lapidary.replay.Observer", method, call)?;
        command.args(unseen);
        Ok(Observer { worker: Worker::start(command, call)? })
    }

    /// What is seen of some calls; fewer if one of them ends the machine. A seed stands for what the program itself asks for.
    pub fn observe(&mut self, calls: &[(u32, Vec<Input<Number>>)]) -> Vec<Observed> {
        let calls: Vec<_> = calls.iter().map(|(seed, inputs)| (*seed, words::of_all(inputs))).collect();
        let lines = self.worker.answers_to(&calls, &|line| line.starts_with("timeout"));
        lines.into_iter().map(|line| line.as_deref().map_or(Observed::Gone, parsed)).collect()
    }
}

impl Observation<'_> {
    /// What is seen of a call that is the first of its machine, on two machines: what earlier calls left behind has no part in it, and
    /// what time or chance has a part in differs between the two.
    pub fn alone(&self, replayer: &Replayer, call: &(u32, Vec<Input<Number>>)) -> Option<[Observed; 2]> {
        let once = || Observer::start(replayer, self).ok()?.observe(std::slice::from_ref(call)).pop();
        Some([once()?, once()?])
    }
}

/// Whether two versions differ in something in which each of them is the same each time.
pub fn differ_each_time(old: &[Observed; 2], new: &[Observed; 2], differ: fn(&Observed, &Observed) -> bool) -> bool {
    differ(&old[0], &new[0]) && !differ(&old[0], &old[1]) && !differ(&new[0], &new[1])
}

fn parsed(line: &str) -> Observed {
    let fields: Vec<&str> = line.split('\t').collect();
    let text = |digits: &str| text_of_digits(digits.strip_prefix("T:").unwrap_or_default());
    match fields[..] {
        ["refused"] => Observed::Refused,
        ["timeout"] => Observed::TooLong,
        [ending, left, stdout, stderr] if ending.starts_with("T:") => {
            Observed::Seen { ending: text(ending), left: text(left), stdout: text(stdout), stderr: text(stderr) }
        }
        _ => Observed::Failed(line.to_owned()),
    }
}

impl std::fmt::Display for Observed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Observed::Seen { stdout, .. } => {
                write!(f, "{}", self.ending())?;
                let printed = stdout.trim_end();
                if printed.is_empty() { Ok(()) } else { write!(f, ", printed {printed:?}") }
            }
            Observed::Refused => f.write_str("does not allow these inputs"),
            Observed::TooLong => f.write_str("does not end in time"),
            Observed::Gone => f.write_str("ends the machine"),
            Observed::Failed(why) => write!(f, "could not be run: {why}"),
        }
    }
}

impl Observed {
    /// How a call ended, without what it printed.
    pub fn ending(&self) -> String {
        match self {
            Observed::Seen { ending, .. } => crate::readable(ending.trim_end()),
            other => other.to_string(),
        }
    }

    /// Whether the machine answers no more calls.
    pub fn is_last(&self) -> bool {
        matches!(self, Observed::TooLong | Observed::Gone)
    }

    /// Whether two calls ended differently, or left their arguments in another state. Nothing is said about calls of which not
    /// everything was seen.
    pub fn ends_otherwise(&self, other: &Observed) -> bool {
        match (self, other) {
            (Observed::Seen { ending, left, .. }, Observed::Seen { ending: other_ending, left: other_left, .. }) => {
                ending != other_ending || left != other_left
            }
            _ => false,
        }
    }

    /// Whether two calls printed something else.
    pub fn prints_otherwise(&self, other: &Observed) -> bool {
        match (self, other) {
            (
                Observed::Seen { stdout, stderr, .. },
                Observed::Seen { stdout: other_stdout, stderr: other_stderr, .. },
            ) => stdout != other_stdout || stderr != other_stderr,
            _ => false,
        }
    }
}
