//! Triages what an analysis missed: is it a bug or a known limit?

mod analyses;
mod options;
mod others;
mod programs;
mod reduction;
mod report;
mod watcher;

pub use options::{Asked, TriageOptions};
pub use others::install_analyses;
pub use reduction::ReducedLoss;
pub use report::TriageReport;
pub use watcher::TriageWatcher;

use crate::effort::cores;
use crate::error::{Error, Result};
use anyhow::bail;
use lapidary_tracer::{Jdk, Recording};
use lapidary_triage::tables::Scored;
use lapidary_triage::{Conclusion, ExamineError, Examined, Examiner, Thresholds, Tools, TriageProgram};

/// A triage that can be run: programs, and the analyses that are asked about them.
///
/// ```
/// use lapidary::{Asked, Triage, TriageOptions, TriageProgram};
///
/// # let place = tempfile::tempdir()?;
/// # std::env::set_current_dir(&place)?;
/// # let setup = r#"echo 'class Main { public static void main(String[] args) { hello(); } static void hello() {} }' >Main.java
/// #     javac -g -d classes Main.java"#;
/// # assert!(std::process::Command::new("sh").args(["-ec", setup]).status()?.success());
/// let program = TriageProgram {
///     name: "app".into(),
///     class_path: vec!["classes".into()],
///     main: "Main".into(),
///     ..TriageProgram::default()
/// };
/// // The analysis is a command, which prints the methods that it finds reachable.
/// let mine = r"mine=printf 'Main.main:([Ljava/lang/String;)V\n'";
/// let asked = Asked { own: vec![], others: Some(vec![]), commands: vec![mine.into()], ..Asked::default() };
/// let report = Triage::of(vec![program], TriageOptions { asked, ..TriageOptions::default() }).run(&mut ())?;
/// assert_eq!(report.conclusion.to_string(), "1 loss: 0 bugs, 0 features, 1 unknown");
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Triage {
    programs: Vec<TriageProgram>,
    options: TriageOptions,
}

impl Triage {
    /// A triage of these programs. Nothing runs before [`Triage::run`].
    pub fn of(programs: Vec<TriageProgram>, options: TriageOptions) -> Self {
        Triage { programs, options }
    }

    /// Asks every analysis about every program.
    pub fn run(self, watcher: &mut dyn TriageWatcher) -> Result<TriageReport> {
        let Thresholds { bug, feature } = self.options.thresholds;
        if let (Some(bug), Some(feature)) = (bug, feature)
            && bug < feature
        {
            return Err(Error::BadInput(format!(
                "--bug-from {bug} is below --feature-below {feature}: a miss in between would be both"
            )));
        }
        let outcome = match &self.options.tools {
            Some(tools) => self.with_tools(tools, watcher)?,
            None => self.with_analyses(watcher)?,
        };
        let Outcome { analyses, examined, scored, notes, reduced, failed, is_stopped } = outcome;
        let conclusion = Conclusion::of(&scored, !is_stopped);
        Ok(TriageReport { analyses, examined, scored, notes, conclusion, reduced, failed })
    }

    fn with_tools(&self, tools: &Tools, watcher: &mut dyn TriageWatcher) -> anyhow::Result<Outcome> {
        let cancel = &self.options.effort.cancel;
        let analyses = tools.tools.iter().map(|tool| tool.name.clone()).collect();
        let mut outcome = Outcome { analyses, ..Outcome::default() };
        let asked = tools.tools.iter().map(|tool| tool.name.as_str()).collect();
        programs::note_unknown_truths(&self.programs, asked, watcher);
        for subject in &self.programs {
            if let Some(missing) = subject.input.as_ref().filter(|input| !input.exists()) {
                let note = format!("{}: there is no {}", subject.name, missing.display());
                watcher.remark(&format!("{note}; continuing with the next program"));
                outcome.notes.push(note);
                continue;
            }
            let said = programs::ask_tools(tools, subject, self.options.analysis_timeout(), cancel)?;
            if said.is_empty() {
                break;
            }
            let mut scored = tools.score(&subject.name, &said, &self.options.thresholds);
            scored.truth = subject.truth.clone();
            watcher.answered(&scored, tools, &said);
            outcome.scored.push(scored);
        }
        outcome.is_stopped = cancel.is_cancelled();
        Ok(outcome)
    }

    fn with_analyses(&self, watcher: &mut dyn TriageWatcher) -> anyhow::Result<Outcome> {
        let (options, cancel) = (&self.options, &self.options.effort.cancel);
        let jdk = Jdk::installed()?;
        let subjects = programs::with_main_classes(&self.programs)?;
        let analyses = analyses::all(&options.asked, options.analysis_timeout(), watcher)?;
        let panel = options.panel(&analyses)?;
        let asked = panel.analyses.iter().map(|(name, _)| name.as_str()).collect();
        programs::note_unknown_truths(&subjects, asked, watcher);
        watcher.asking(&others::slow(&analyses));
        let timeout = options.program_timeout();
        let (objects, sandbox) = (options.objects, options.sandbox.clone());
        let recording = Recording { timeout, objects, sandbox, ..Recording::default() };
        let jobs = options.effort.jobs.unwrap_or_else(cores);
        // Either programs run side by side, or the analyses of the only one do.
        let (outer, inner) = if subjects.len() > 1 { (jobs, 1) } else { (1, jobs) };
        let examiner = Examiner { jdk: &jdk, analyses: &analyses, panel: &panel, recording: &recording, jobs: inner };
        let mut outcome =
            Outcome { analyses: panel.analyses.iter().map(|(name, _)| name.clone()).collect(), ..Outcome::default() };
        programs::examine_all(&examiner, &subjects, outer, cancel, &mut |index, result| {
            self.take(&mut outcome, &subjects[index], result, watcher)
        })?;
        outcome.is_stopped |= cancel.is_cancelled();
        self.reduce(&mut outcome, &examiner, &subjects, watcher);
        Ok(outcome)
    }

    /// Reduces the program if asked to. An error does not discard the findings so far.
    fn reduce(
        &self,
        outcome: &mut Outcome,
        examiner: &Examiner<'_>,
        subjects: &[TriageProgram],
        watcher: &mut dyn TriageWatcher,
    ) {
        let (Some(wanted), false) = (&self.options.reduce, outcome.is_stopped) else { return };
        let (Some(subject), Some(examined)) = (subjects.first(), outcome.examined.first()) else { return };
        match reduction::reduce(&self.options, examiner, subject, &examined.judged, wanted, watcher) {
            Ok(reduced) => outcome.reduced = reduced,
            Err(error) => outcome.failed = Some(error.into()),
        }
        outcome.is_stopped |= self.options.effort.cancel.is_cancelled();
    }

    /// Records the result for one program.
    fn take(
        &self,
        outcome: &mut Outcome,
        subject: &TriageProgram,
        result: std::result::Result<Examined, ExamineError>,
        watcher: &mut dyn TriageWatcher,
    ) -> anyhow::Result<()> {
        let is_single = self.options.is_single;
        match result {
            Ok(examined) => {
                watcher.examined(&examined);
                outcome.is_stopped |= !examined.complete;
                outcome.scored.push(Scored::of(&examined.judged, &subject.truth));
                outcome.notes.extend(examined.notes.iter().map(|note| format!("{}: {note}", subject.name)));
                outcome.examined.push(examined);
            }
            Err(error) if error.is_cancelled() => outcome.is_stopped = true,
            // An error of a class path already names the file.
            Err(ExamineError::ClassPath(error)) if is_single => bail!("{error}"),
            Err(error) if is_single => bail!("{}: {error}", subject.name),
            Err(error) => {
                watcher.remark(&format!("{}: {error}; continuing with the next program", subject.name));
                outcome.notes.push(format!("{}: {error}", subject.name));
            }
        }
        Ok(())
    }
}

/// The findings so far.
#[derive(Default)]
struct Outcome {
    analyses: Vec<String>,
    examined: Vec<Examined>,
    scored: Vec<Scored>,
    notes: Vec<String>,
    reduced: Option<ReducedLoss>,
    failed: Option<Error>,
    is_stopped: bool,
}
