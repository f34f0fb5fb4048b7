//! Everything observable of a call on a real JVM: `lapidary.replay.Observer`.

use lapidary_symbolic::{Input, JvmWorker, Method, Number, Replayer, input_words, quoted, readable, text_of_digits};
use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

/// The calls to observe, and how.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    pub method: &'a Method,
    /// How long one call may take.
    pub call: Duration,
    /// Fields that carry no information. `shop.Till.cache` is a field of a class, and `shop.Till.*`
    /// means everything that lambdas of a class have captured.
    pub unseen: &'a BTreeSet<String>,
}

/// A real JVM that calls one method with given inputs and reports what is observable.
pub struct ObservingJvm {
    worker: JvmWorker,
}

/// The observable behaviour of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    Seen {
        /// The result with everything in it, or the exception and its message.
        ending: String,
        /// The final state of the arguments.
        left: String,
        stdout: String,
        stderr: String,
    },
    /// The program rejects these inputs.
    Refused,
    /// The call exceeded its time, and the JVM has stopped.
    TooLong,
    /// The JVM is gone: the program has ended it.
    Gone,
    /// The call could not be made.
    Failed(String),
}

impl ObservingJvm {
    /// Starts a JVM.
    pub fn start(replayer: &Replayer, observation: &Observation<'_>) -> io::Result<ObservingJvm> {
        let Observation { method, call, unseen } = *observation;
        let mut command = JvmWorker::command(replayer, "lapidary.replay.Observer", method, call)?;
        command.args(unseen);
        Ok(ObservingJvm { worker: JvmWorker::start(command, call)? })
    }

    /// Makes some calls and reports each of them; fewer if one of them ends the JVM. The seed
    /// determines the inputs that the program itself requests.
    pub fn observe(&mut self, calls: &[(u32, Vec<Input<Number>>)]) -> Vec<Observed> {
        let calls: Vec<_> = calls.iter().map(|(seed, inputs)| (*seed, input_words(inputs))).collect();
        let lines = self.worker.answers_to(&calls, &|line| line.starts_with("timeout"));
        lines.into_iter().map(|line| line.as_deref().map_or(Observed::Gone, parsed)).collect()
    }
}

impl Observation<'_> {
    /// Makes a call on each of two fresh JVMs. So earlier calls cannot influence the result, and
    /// anything that depends on time or chance differs between the two.
    pub fn alone(&self, replayer: &Replayer, call: &(u32, Vec<Input<Number>>)) -> Option<[Observed; 2]> {
        let once = || ObservingJvm::start(replayer, self).ok()?.observe(std::slice::from_ref(call)).pop();
        Some([once()?, once()?])
    }
}

/// Whether two versions differ while each of them behaves the same both times.
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
                if printed.is_empty() { Ok(()) } else { write!(f, ", printed {}", quoted(printed.encode_utf16())) }
            }
            Observed::Refused => f.write_str("does not allow these inputs"),
            Observed::TooLong => f.write_str("does not end in time"),
            Observed::Gone => f.write_str("ends the machine"),
            Observed::Failed(why) => write!(f, "could not be run: {why}"),
        }
    }
}

impl Observed {
    /// The result of a call without its output.
    pub fn ending(&self) -> String {
        match self {
            Observed::Seen { ending, .. } => readable(ending.trim_end()),
            other => other.to_string(),
        }
    }

    /// Whether the JVM answers no more calls.
    pub fn is_last(&self) -> bool {
        matches!(self, Observed::TooLong | Observed::Gone)
    }

    /// Whether two calls ended differently or left their arguments in different states. `false` for
    /// calls that were not fully observed.
    pub fn ends_otherwise(&self, other: &Observed) -> bool {
        match (self, other) {
            (Observed::Seen { ending, left, .. }, Observed::Seen { ending: other_ending, left: other_left, .. }) => {
                ending != other_ending || left != other_left
            }
            _ => false,
        }
    }

    /// Whether two calls printed different output.
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
