//! The test of a reduction: does a smaller program still show the loss, and do the analyses that
//! knew the method still know it?
//!
//! The second half preserves the verdict: a program that all other analyses get wrong as well would
//! not be a bug report.

use crate::answer::Answer;
use crate::command::{CommandError, Place};
use crate::corpus::TriageProgram;
use crate::examine::{Analysis, Examiner, expanded, program};
use lapidary_jvm::MethodName;
use lapidary_predicate::Scratch;
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use lapidary_tracer::{Trace, TraceError};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// A predicate: does the analysis still lose the method?
pub struct StillLost<'a> {
    pub examiner: &'a Examiner<'a>,
    /// The program. The first entry of its class path is reduced.
    pub subject: &'a TriageProgram,
    pub method: MethodName,
    /// Whether the method is the first lost one and must stay so. Otherwise, no other lost method
    /// may become its cause.
    pub is_first: bool,
    /// The analysis that does not know the method.
    pub loser: String,
    pub finders: Vec<String>,
    pub scratch: Arc<Scratch>,
}

impl Predicate for StillLost<'_> {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let job = self.scratch.job(candidate, cancel)?;
        let smaller = self.with(job.directory().join(candidate.name()));
        match self.shows(&smaller, cancel) {
            Ok(judgment) => Ok(judgment),
            Err(CommandError::Cancelled) => Err(PredicateError::Cancelled),
            Err(error) => Err(PredicateError::Fatal(error.to_string())),
        }
    }
}

impl StillLost<'_> {
    fn with(&self, smaller: PathBuf) -> TriageProgram {
        let libraries = self.subject.class_path.iter().skip(1).cloned();
        TriageProgram { class_path: [smaller].into_iter().chain(libraries).collect(), ..self.subject.clone() }
    }

    fn shows(&self, subject: &TriageProgram, cancel: &Cancel) -> Result<Judgment, CommandError> {
        let no = |reason: &str| Ok(Judgment::new(Verdict::Uninteresting, reason));
        let Ok(subject) = expanded(subject) else { return no("its classes cannot be read") };
        let Examiner { jdk, recording, .. } = self.examiner;
        let run = match program(&subject).trace(jdk, recording, cancel) {
            Ok(run) => run,
            Err(TraceError::Cancelled) => return Err(CommandError::Cancelled),
            Err(TraceError::NotStarted { .. }) => return no("it does not start"),
            Err(error) => return Err(CommandError::Start(error.to_string())),
        };
        if !run.trace.methods().any(|method| *method == self.method) {
            return no("the method is not entered");
        }
        let place = Place { class_path: subject.class_path, main: subject.main, input: None };
        for analysis in self.asked() {
            let reached = match analysis.answer(&place, cancel)? {
                Answer::Reached { methods, .. } => methods,
                Answer::Failed(reason) => {
                    return Ok(Judgment::new(Verdict::Unresolved, format!("{} failed: {reason}", analysis.name())));
                }
            };
            if analysis.name() == self.loser {
                if let Some(reason) = self.why_not_lost(&run.trace, &reached) {
                    return no(reason);
                }
            } else if !reached.contains(&self.method) {
                return Ok(Judgment::new(Verdict::Uninteresting, format!("{} loses it, too", analysis.name())));
            }
        }
        Ok(Judgment::new(Verdict::Interesting, "still lost"))
    }

    fn why_not_lost(&self, trace: &Trace, reached: &HashSet<MethodName>) -> Option<&'static str> {
        let entry = trace.entries.iter().find(|entry| entry.method == self.method)?;
        let first = trace.first_lost(|method| reached.contains(method));
        let is_lost =
            |method: &MethodName| !reached.contains(method) && trace.methods().any(|entered| entered == method);
        if reached.contains(&self.method) {
            Some("the method is found")
        } else if self.is_first && first.is_none_or(|first| first.method != self.method) {
            Some("another method is the first lost one")
        } else if entry.stack.iter().skip(1).any(|frame| is_lost(&frame.method)) {
            Some("the method is called by a lost one")
        } else {
            None
        }
    }

    /// The analyses whose answers matter, the loser first.
    fn asked(&self) -> impl Iterator<Item = &dyn Analysis> {
        let named = |name: &String| self.examiner.analyses.iter().find(|analysis| analysis.name() == name);
        [&self.loser].into_iter().chain(&self.finders).filter_map(named).map(|analysis| &**analysis)
    }
}
