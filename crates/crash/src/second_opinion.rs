//! AddressSanitizer's opinion of a program that was not compiled with it.
//!
//! A fault shows that an address was wrong, but not whether it was freed, out of bounds or never
//! set. The original is compiled once more with the sanitizer, if the compiler has it. The finding,
//! with the places where the memory was allocated and freed, is part of the reason for the failure.
//! If the sanitizer finds nothing in the original, it must find nothing in a smaller program
//! either.

use crate::build::Build;
use crate::error::CrashError;
use crate::execution::{Execution, Fill};
use crate::failure::{Failure, Kind};
use crate::flags::is_sanitizing;
use crate::observer::{FailureObserver, Outcome};
use crate::sameness::{Closeness, LineMap, Sameness};
use crate::toolchain::Exactness;
use lapidary_predicate::Limits;
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::thread::{self, JoinHandle};

/// A question that is being answered in the background. Dropping it cancels the work, so that
/// nothing is left behind.
pub(crate) struct Asked {
    cancel: Cancel,
    answer: Option<JoinHandle<Answer>>,
}

type Answer = Result<Option<SecondOpinion>, CrashError>;

impl Asked {
    /// Waits for the answer.
    pub(crate) fn answer(mut self) -> Answer {
        let answer = self.answer.take().expect("only this takes it");
        answer.join().expect("no code panics while the sanitizer is asked")
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if let Some(answer) = self.answer.take() {
            self.cancel.cancel();
            // The result is no longer needed.
            let _ = answer.join();
        }
    }
}

/// The sanitizer's finding in the original, and the means to check candidates against it.
pub(crate) struct SecondOpinion {
    observer: FailureObserver,
    sameness: Sameness,
    is_about_memory: bool,
}

const SANITIZER: &str = "-fsanitize=address";

impl SecondOpinion {
    /// Starts to ask about the original. `None` if there is nothing to ask.
    pub(crate) fn ask(
        observer: &FailureObserver,
        failure: &Failure,
        original: &FileTree,
        cancel: &Cancel,
    ) -> Option<Asked> {
        let (build, execution) = observer.means();
        if !SecondOpinion::is_wanted(observer, failure) {
            return None;
        }
        let (build, execution, failure) = (build.clone(), execution.clone(), failure.clone());
        let (original, cancel) = (original.clone(), cancel.child());
        let until = cancel.clone();
        let ask = move || SecondOpinion::of(&build, &execution, &failure, &original, &until);
        // If the system has no thread to spare, there is no second opinion.
        let answer = thread::Builder::new().spawn(ask).ok()?;
        Some(Asked { cancel, answer: Some(answer) })
    }

    /// Asks about the original. `None` if there is no sanitizer, or if the program fails
    /// differently with it.
    fn of(
        build: &Build,
        execution: &Execution,
        failure: &Failure,
        original: &FileTree,
        cancel: &Cancel,
    ) -> Result<Option<SecondOpinion>, CrashError> {
        let build = Build { flags: [build.flags.clone(), vec![SANITIZER.into()]].concat(), ..build.clone() };
        // The sanitizer reserves more memory than any limit allows.
        let limits = Limits { memory: None, ..execution.limits.clone() };
        let execution = Execution { limits, ..execution.clone() };
        let observer = match FailureObserver::new(build, execution, original, cancel) {
            Ok(observer) => observer,
            // The compiler lacks the sanitizer, or the program does not work with it.
            Err(CrashError::DoesNotCompile(_) | CrashError::Runtime { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let observed = observer.observe_original(original, Exactness::Exact, Fill::Chance, cancel)?;
        let Outcome::Failed(finding) = observed.outcome else { return Ok(None) };
        observer.learn(&observed.timings);
        let is_about_memory = matches!(finding.kind, Kind::Sanitizer(_));
        let is_telling = finding.place().is_some() && (is_about_memory || finding.kind == failure.kind);
        let sameness = Sameness::new(finding).with_closeness(Closeness::Reason);
        Ok(is_telling.then_some(SecondOpinion { observer, sameness, is_about_memory }))
    }

    /// Returns whether there is anything to ask. There is not if the program has a sanitizer of its
    /// own.
    fn is_wanted(observer: &FailureObserver, failure: &Failure) -> bool {
        failure.kind != Kind::StackOverflow && !observer.means().0.all_flags().any(is_sanitizing)
    }

    /// Returns whether the failure itself is a memory error. Otherwise the sanitizer has nothing to
    /// find, and it suffices to check at the end that this is still so.
    pub(crate) fn is_about_memory(&self) -> bool {
        self.is_about_memory
    }

    /// Returns whether the original can still be compiled and run with the sanitizer.
    pub(crate) fn still_works(&self, original: &FileTree, cancel: &Cancel) -> Result<bool, PredicateError> {
        self.observer.still_works(original, cancel)
    }

    /// Describes how the finding in a candidate differs, if it does.
    pub(crate) fn difference(
        &self,
        candidate: &FileTree,
        lines: &LineMap,
        cancel: &Cancel,
    ) -> Result<Option<String>, PredicateError> {
        // A single question is not worth any preparation.
        let how = if self.is_about_memory { Exactness::Exact } else { Exactness::Plain };
        let observed = self.observer.observe_as(candidate, how, Fill::Chance, cancel)?;
        observed.outcome.must_not_be_killed()?;
        let sameness = self.sameness.with_lines(lines.clone());
        Ok(match &observed.outcome {
            Outcome::Failed(finding) => {
                sameness.difference(finding).map(|found| format!("with {SANITIZER} it {found}"))
            }
            Outcome::Rejected(_) => Some(format!("does not compile with {SANITIZER}")),
            Outcome::Passed(_) => Some(format!("{SANITIZER} finds nothing any more")),
            Outcome::TimedOut(_) => Some(format!("takes too long with {SANITIZER}")),
        })
    }
}
