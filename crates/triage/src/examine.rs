//! The examination of one program: runs it, asks the analyses, and judges.

use crate::answer::Answer;
use crate::classes::Classes;
use crate::command::{CommandError, Place};
use crate::corpus::TriageProgram;
use crate::judged::{Evidence, Judged, Panel, judge};
use crate::manifest::with_manifests;
use lapidary_common::words::counted;
use lapidary_jvm::{ClassPath, ClassPathError};
use lapidary_predicate::Ending;
use lapidary_reduce::Cancel;
use lapidary_tracer::{JavaCommand, Jdk, Recording, Run, TraceError};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// An analysis that says which methods of a program are reachable.
pub trait Analysis: Send + Sync {
    fn name(&self) -> &str;

    fn weight(&self) -> f64 {
        1.0
    }

    /// Runs the analysis. A failure of the analysis is an answer; an error is a failure of
    /// Lapidary.
    fn answer(&self, place: &Place, cancel: &Cancel) -> Result<Answer, CommandError>;
}

/// The configuration for examining a program.
pub struct Examiner<'a> {
    pub jdk: &'a Jdk,
    pub analyses: &'a [Box<dyn Analysis>],
    pub panel: &'a Panel,
    pub recording: &'a Recording,
    /// The number of analyses to run in parallel.
    pub jobs: usize,
}

/// An examined program.
#[derive(Debug)]
pub struct Examined {
    pub judged: Judged,
    /// Notes about the run for the user.
    pub notes: Vec<String>,
    /// How the program ended, if not by itself and with exit code 0.
    pub ended_early: Option<String>,
    /// Whether all analyses answered; false if the examination was cancelled. The verdicts are
    /// about those that did.
    pub complete: bool,
}

/// The reason for a program that cannot be examined.
#[derive(Debug, Error)]
pub enum ExamineError {
    #[error("it has no main class: name one with --main, with `main` in a corpus, or in the manifest of the jar")]
    NoMain,
    #[error(transparent)]
    ClassPath(#[from] ClassPathError),
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error(transparent)]
    Command(#[from] CommandError),
}

impl ExamineError {
    /// Returns whether the user cancelled.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, ExamineError::Trace(TraceError::Cancelled) | ExamineError::Command(CommandError::Cancelled))
    }
}

impl Examiner<'_> {
    pub fn examine(&self, subject: &TriageProgram, cancel: &Cancel) -> Result<Examined, ExamineError> {
        if subject.main.is_empty() {
            return Err(ExamineError::NoMain);
        }
        let subject = expanded(subject)?;
        let classes = Classes::open(&subject.class_path)?;
        let run = program(&subject).trace(self.jdk, self.recording, cancel)?;
        let place =
            Place { class_path: subject.class_path.clone(), main: subject.main.clone(), input: subject.input.clone() };
        let asked = self.answers(&place, cancel)?;
        let complete = asked.iter().all(Option::is_some);
        let unasked = || Answer::Failed("interrupted before it answered".to_owned());
        let answers: Vec<Answer> = asked.into_iter().map(|answer| answer.unwrap_or_else(unasked)).collect();
        let evidence = Evidence { name: &subject.name, trace: &run.trace, answers: &answers, classes: &classes };
        let mut notes = notes(&run);
        answers.iter().flat_map(Answer::notes).for_each(|note| {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        });
        let ended_early = ended_early(&run);
        Ok(Examined { judged: judge(self.panel, &evidence), notes, ended_early, complete })
    }

    /// The answers of the analyses in order, several at a time; `None` for those that were
    /// interrupted.
    fn answers(&self, place: &Place, cancel: &Cancel) -> Result<Vec<Option<Answer>>, CommandError> {
        let answers: Vec<Mutex<Option<Result<Answer, CommandError>>>> =
            self.analyses.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(analysis) = self.analyses.get(index) else { return };
                let answer = analysis.answer(place, cancel);
                *answers[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.jobs.min(answers.len()).max(1) {
                // If the system has no thread to spare, this one asks everybody.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let given = answers.into_iter().filter_map(|answer| answer.into_inner().ok().flatten());
        let unless_cancelled = |answer| match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(CommandError::Cancelled) => Ok(None),
            Err(error) => Err(error),
        };
        given.map(unless_cancelled).collect()
    }
}

/// The program with `lib/*` and the entries of manifests spelled out, so that every analysis
/// understands the class path.
pub fn expanded(subject: &TriageProgram) -> Result<TriageProgram, ClassPathError> {
    let class_path = with_manifests(ClassPath::open(&subject.class_path, None)?.paths().map(ToOwned::to_owned));
    Ok(TriageProgram { class_path, ..subject.clone() })
}

pub(crate) fn program(subject: &TriageProgram) -> JavaCommand {
    JavaCommand {
        class_path: subject.class_path.clone(),
        main: subject.main.clone(),
        arguments: subject.arguments.clone(),
        stdin: subject.stdin.clone(),
        options: subject.options.clone(),
    }
}

/// How the program ended, unless it ended by itself and with exit code 0.
fn ended_early(run: &Run) -> Option<String> {
    let said =
        run.stderr.lines().find(|line| !line.trim().is_empty()).map_or_else(String::new, |line| format!(": {line}"));
    match run.ending {
        Ending::Exited(0) => None,
        Ending::TimedOut(_) => Some(format!("the program {}", run.ending)),
        ending => Some(format!("the program ended with {ending}{said}")),
    }
}

/// Notes on a run. A run that ended badly still counts: the methods it entered were entered.
fn notes(run: &Run) -> Vec<String> {
    let ended = ended_early(run).map(|how| format!("{how}; what it did until then counts"));
    let mut notes: Vec<String> = ended.into_iter().collect();
    if run.trace.unreadable > 0 {
        notes.push(format!("{} of the trace could not be read", counted(run.trace.unreadable as u64, "line")));
    }
    notes
}
