//! Compilers and programs that something else kills, as the system does when memory runs out.
//!
//! Such a run says nothing about a candidate, so it is tried again. What is killed each time is
//! disturbed, which is never an answer.

use crate::error::CrashError;
use lapidary_predicate::{Ending, Kills};
use lapidary_reduce::{Cancel, PredicateError};
use regex::bytes::Regex;
use std::io;
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::Duration;

/// How often something is run that is killed each time.
const TRIES: u32 = 5;

pub(crate) const SIGKILL: i32 = 9;

/// The outcome of one try.
pub(crate) enum Try<T> {
    Done(T),
    /// The named thing was killed. What it left may be all there is to know in the end.
    Killed(T),
}

/// Tries until nothing is killed. The last outcome is still `Killed` if every try was.
pub(crate) fn repeated<T, E: From<PredicateError>>(
    cancel: &Cancel,
    mut attempt: impl FnMut() -> Result<Try<T>, E>,
) -> Result<Try<T>, E> {
    let mut pause = Duration::from_millis(10);
    for _ in 1..TRIES {
        if let Try::Done(done) = attempt()? {
            return Ok(Try::Done(done));
        }
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled.into());
        }
        // Memory may be short for a moment only.
        std::thread::sleep(pause);
        pause *= 4;
    }
    attempt()
}

/// Tries until nothing is killed. It is an error if every try is.
pub(crate) fn undisturbed<T, E: From<PredicateError>>(
    name: &str,
    cancel: &Cancel,
    attempt: impl FnMut() -> Result<Try<T>, E>,
) -> Result<T, E> {
    match repeated(cancel, attempt)? {
        Try::Done(done) => Ok(done),
        Try::Killed(_) => Err(killed(name).into()),
    }
}

/// The error about something that was killed each time.
pub(crate) fn killed(name: &str) -> PredicateError {
    PredicateError::Disturbed(format!("{name} was killed from outside {TRIES} times, perhaps for lack of memory"))
}

/// Runs a compiler that needs no limits, until it is not killed.
pub(crate) fn output(command: &mut Command, failed: impl Fn(io::Error) -> CrashError) -> Result<Output, CrashError> {
    let name = command.get_program().to_string_lossy().into_owned();
    undisturbed(&name, &Cancel::new(), || {
        let kills = Kills::so_far();
        let output = command.output().map_err(&failed)?;
        let is_killed = is_killed(output.status.into(), &output.stderr, &kills);
        Ok(if is_killed { Try::Killed(output) } else { Try::Done(output) })
    })
}

/// Returns whether a compiler, or a process that it started, was killed. `before` are the kills of
/// the system when it was started.
pub(crate) fn is_killed(ending: Ending, stderr: &[u8], before: &Kills) -> bool {
    match ending {
        Ending::Exited(0) => false,
        Ending::Signalled(SIGKILL) => true,
        Ending::Exited(code) if code == 128 + SIGKILL => true,
        _ => KILLED_PROCESS.is_match(stderr) || before.have_risen(),
    }
}

/// The words of compilers about a process that was killed. They begin with the compiler's name;
/// complaints about a source begin with its place.
static KILLED_PROCESS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?m)^[^ :]+: (fatal error: Killed signal terminated program|fatal error: \S+ terminated with signal 9\b|internal compiler error: Killed \(program|error: unable to execute command: Killed)";
    Regex::new(pattern).expect("a fixed pattern")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_say_when_a_process_was_killed() {
        let says = |text: &str| is_killed(Ending::Exited(1), text.as_bytes(), &Kills::so_far());
        assert!(says("gcc: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n"));
        assert!(says("g++-12: internal compiler error: Killed (program cc1plus)\n"));
        assert!(says("/tmp/x.o: in f\ncollect2: fatal error: ld terminated with signal 9 [Killed]\n"));
        assert!(says("clang-19: error: unable to execute command: Killed\n"));
        assert!(!says("a.c:1:2: error: #error gcc: fatal error: Killed signal terminated program cc1\n"));
        assert!(!says("a.c: fatal: x\n"));
    }

    #[test]
    fn an_ending_by_sigkill_counts_through_a_shell_too() {
        let is_killed = |ending| is_killed(ending, b"", &Kills::so_far());
        assert!(is_killed(Ending::Signalled(9)) && is_killed(Ending::Exited(137)));
        assert!(!is_killed(Ending::Exited(0)) && !is_killed(Ending::Exited(1)) && !is_killed(Ending::Signalled(11)));
    }

    #[test]
    fn tries_end_with_the_first_that_is_not_killed_or_with_an_error() {
        let tried = |kills: u32| {
            let mut tries = 0;
            let attempt = || {
                tries += 1;
                Ok::<_, PredicateError>(if tries <= kills { Try::Killed(tries) } else { Try::Done(tries) })
            };
            undisturbed("gcc", &Cancel::new(), attempt)
        };
        assert!(matches!(tried(0), Ok(1)));
        assert!(matches!(tried(TRIES - 1), Ok(TRIES)));
        assert!(matches!(tried(TRIES), Err(PredicateError::Disturbed(reason)) if reason.starts_with("gcc was killed")));
    }
}
