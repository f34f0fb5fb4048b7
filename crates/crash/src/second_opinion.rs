//! What AddressSanitizer says of a program that was not compiled with it.
//!
//! A fault shows that an address was wrong, and not whether it was freed, out of bounds or never set. The original is
//! compiled once more with the sanitizer, if the compiler has it. Its finding, with the places where the memory was
//! allocated and freed, is part of the reason of the failure. Where it finds nothing, it must find nothing in a smaller
//! program either.

use crate::build::Build;
use crate::error::CrashError;
use crate::execution::{Execution, Fill};
use crate::failure::{Failure, Kind};
use crate::flags::is_sanitizing;
use crate::observer::{Observer, Outcome};
use crate::sameness::{Closeness, LineMap, Sameness};
use crate::toolchain::Exactness;
use lapidary_predicate::Limits;
use lapidary_reduce::{Cancel, FileTree, PredicateError};

/// The sanitizer's finding in the original, and how to ask it about others.
pub(crate) struct SecondOpinion {
    observer: Observer,
    sameness: Sameness,
    is_about_memory: bool,
}

const SANITIZER: &str = "-fsanitize=address";

impl SecondOpinion {
    /// None if there is no sanitizer, or if the program fails otherwise with it.
    pub(crate) fn of(
        observer: &Observer,
        failure: &Failure,
        original: &FileTree,
        cancel: &Cancel,
    ) -> Result<Option<SecondOpinion>, CrashError> {
        let (build, execution) = observer.means();
        if !SecondOpinion::is_wanted(observer, failure) {
            return Ok(None);
        }
        let build = Build { flags: [build.flags.clone(), vec![SANITIZER.into()]].concat(), ..build.clone() };
        // The sanitizer reserves more memory than any limit allows.
        let limits = Limits { memory: None, ..execution.limits.clone() };
        let execution = Execution { limits, ..execution.clone() };
        let observer = match Observer::new(build, execution, original, cancel) {
            Ok(observer) => observer,
            // The compiler does not have it, or the program cannot stand it.
            Err(CrashError::DoesNotCompile(_) | CrashError::Runtime { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let observed = observer.observe_as(original, Exactness::Exact, Fill::Chance, cancel)?;
        let Outcome::Failed(finding) = observed.outcome else { return Ok(None) };
        observer.learn(&observed.timings);
        let is_about_memory = matches!(finding.kind, Kind::Sanitizer(_));
        let is_telling = finding.place().is_some() && (is_about_memory || finding.kind == failure.kind);
        let sameness = Sameness::new(finding).with_closeness(Closeness::Reason);
        Ok(is_telling.then_some(SecondOpinion { observer, sameness, is_about_memory }))
    }

    /// Whether there is a question for it: not if the program has a sanitizer of its own.
    pub(crate) fn is_wanted(observer: &Observer, failure: &Failure) -> bool {
        failure.kind != Kind::StackOverflow && !observer.means().0.all_flags().any(is_sanitizing)
    }

    /// Whether the failure itself is one of memory. Else the sanitizer has nothing to find, and it is enough to ask it in
    /// the end whether that is still so.
    pub(crate) fn is_about_memory(&self) -> bool {
        self.is_about_memory
    }

    /// How the finding in a candidate differs, in words.
    pub(crate) fn difference(
        &self,
        candidate: &FileTree,
        lines: &LineMap,
        cancel: &Cancel,
    ) -> Result<Option<String>, PredicateError> {
        let observed = self.observer.observe_as(candidate, Exactness::Exact, Fill::Chance, cancel)?;
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
