//! `lapidary triage`: is what an analysis missed a bug or a known limit?

mod analyses;
mod others;
mod programs;
mod reduction;
mod show;

use crate::commands::reduce::interrupt_on_signal;
use crate::say::complain;
use crate::{budget, exit, output, summary};
use anyhow::{Context, bail};
use clap::Args;
use lapidary_reduce::Cancel;
use lapidary_tracer::{Jdk, Recording};
use lapidary_triage::report::{Findings, as_json, page};
use lapidary_triage::tables::Scored;
use lapidary_triage::{Analysis, Conclusion, Examined, Examiner, Panel, Says, Subject, Thresholds, Tools};
use regex::RegexSet;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "lapidary triage [OPTIONS] APP.jar --main pkg.Main [-- ARGS]...
       lapidary triage [OPTIONS] --corpus programs.toml
       lapidary triage [OPTIONS] --tools tools.toml [INPUT | --corpus FILE]";

const PROGRAM_TIMEOUT: Duration = Duration::from_secs(120);
/// Those of others need minutes for the classes of the JDK alone.
const ANALYSIS_TIMEOUT: Duration = Duration::from_secs(600);

/// Say whether what an analysis missed is a bug or a known limit.
///
/// The program runs, and what it really does is compared with what static analyses say it can do. An analysis that misses something
/// the others get right has a bug; what nobody gets right, reflection say, is a known limit.
///
///   lapidary triage app.jar --main pkg.Main
///   lapidary triage app.jar --main pkg.Main --analysis mine='./run-my-analysis {classpath} {main} {out}'
///   lapidary triage --corpus programs.toml --report triage.html
#[derive(Args)]
#[command(verbatim_doc_comment, override_usage = USAGE)]
pub struct Triage {
    /// A jar, or a directory of classes.
    #[arg(required_unless_present_any = ["corpus", "install_analyses"], conflicts_with = "corpus")]
    input: Option<PathBuf>,

    /// The class with `main` [default: the one that the manifest of the jar names].
    #[arg(long, value_name = "CLASS", conflicts_with = "corpus")]
    main: Option<String>,

    /// Directories and jars with the classes that the program uses, separated by `:`; `lib/*` means all jars in lib.
    #[arg(long, value_name = "PATHS", value_delimiter = ':', conflicts_with = "corpus")]
    classpath: Vec<PathBuf>,

    /// The file that is the standard input of the program.
    #[arg(long, value_name = "FILE", conflicts_with = "corpus")]
    stdin: Option<PathBuf>,

    /// Many programs, listed in a file (docs/guide/triage.md).
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,

    #[command(flatten)]
    who: WhoIsAsked,

    /// An analysis that is wrong on an input at least this easy has a bug [default: all others are right].
    #[arg(long, value_name = "EASINESS", value_parser = share)]
    bug_from: Option<f64>,

    /// An analysis that is wrong on an input less easy than this has a known limit [default: all are wrong].
    #[arg(long, value_name = "EASINESS", value_parser = share)]
    feature_below: Option<f64>,

    /// Follow objects that the library returns, for better guesses at causes. Programs then take some ten times as long.
    #[arg(long)]
    objects: bool,

    /// Make the program small while the analysis still misses the method and the others still find it. For its first bug, or else
    /// for what it misses first; without a name, for the first analysis that has a bug, or else that misses something.
    #[arg(
        long,
        value_name = "ANALYSIS",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with_all = ["corpus", "tools"]
    )]
    reduce: Option<String>,

    /// Where the small program goes [default: NAME.reduced.EXT beside the input].
    #[arg(long, short, value_name = "PATH", requires = "reduce")]
    out: Option<PathBuf>,

    /// Replace the small program of an earlier run.
    #[arg(long, requires = "reduce")]
    force: bool,

    /// How long a program and how long an analysis may take [default: 120s for a program, 600s for an analysis].
    #[arg(long, value_name = "TIME", value_parser = budget::timeout)]
    timeout: Option<Duration>,

    /// Programs, or analyses of one program, that run at once [default: number of cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Write everything as JSON to this file; - for standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write one page with tables, plots and all details.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,

    /// The arguments of `main`.
    #[arg(last = true, value_name = "ARGS", conflicts_with = "corpus")]
    arguments: Vec<String>,
}

#[derive(Args)]
#[command(next_help_heading = "Who is asked")]
pub struct WhoIsAsked {
    /// An analysis of yours, as NAME='COMMAND'. {classpath}, {main} and {out} are filled in; it writes the methods that it finds
    /// reachable to {out}, or prints them, one a line, as pkg/Cls.name:(I)V. May be given several times.
    #[arg(long, value_name = "NAME=COMMAND")]
    analysis: Vec<String>,

    /// Which of our own analyses are asked; one followed by +WEAKNESS has that defect, for tests of the triage itself.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "cha,rta,xta,0-cfa")]
    own: Vec<String>,

    /// Which analyses of others are asked: soot, sootup, wala, taie, opal; or none [default: those that are installed].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    others: Option<Vec<String>>,

    /// Build the analyses of others with Maven, or those that --others names, before anything else; without INPUT that is all.
    #[arg(long)]
    install_analyses: bool,

    /// How much an analysis counts, as in mine=2; 1 unless said.
    #[arg(long, value_name = "NAME=WEIGHT")]
    weight: Vec<String>,

    /// Classes that analyses leave out on purpose, by internal name; for the recogniser of that cause.
    #[arg(long, value_name = "REGEX")]
    excluded: Vec<String>,

    /// Tools of any other kind, each with a command that says whether it is right (docs/guide/triage.md).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["analysis", "weight", "excluded"])]
    tools: Option<PathBuf>,
}

impl Triage {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        self.check_places()?;
        if let (Some(bug), Some(feature)) = (self.bug_from, self.feature_below)
            && bug < feature
        {
            bail!("--bug-from {bug} is below --feature-below {feature}: misses in between would be both");
        }
        let cancel = interrupt_on_signal()?;
        if self.who.install_analyses {
            others::install(&self.who)?;
            if self.input.is_none() && self.corpus.is_none() {
                return Ok(ExitCode::from(exit::DONE));
            }
        }
        let outcome = match &self.who.tools {
            Some(path) => self.with_tools(&Tools::read(path)?, &cancel)?,
            None => self.with_analyses(&cancel)?,
        };
        let conclusion = Conclusion::of(&outcome.scored, !outcome.is_stopped);
        self.write(&outcome, &conclusion)?;
        outcome.failed.map_or(Ok(()), Err)?;
        Ok(ExitCode::from(exit_code(&conclusion)))
    }

    fn with_tools(&self, tools: &Tools, cancel: &Cancel) -> anyhow::Result<Outcome> {
        let subjects = programs::inputs(self)?;
        let analyses = tools.tools.iter().map(|tool| tool.name.clone()).collect();
        let mut outcome = Outcome { analyses, ..Outcome::default() };
        programs::note_unknown_truths(&subjects, tools.tools.iter().map(|tool| tool.name.as_str()).collect());
        for subject in &subjects {
            if let Some(missing) = subject.input.as_ref().filter(|input| !input.exists()) {
                let note = format!("{}: there is no {}", subject.name, missing.display());
                complain!("lapidary: {note}; going on with the next");
                outcome.notes.push(note);
                continue;
            }
            let said = programs::ask_tools(tools, subject, self.analysis_timeout(), cancel)?;
            if said.is_empty() {
                break;
            }
            let mut scored = tools.score(&subject.name, &said, &self.thresholds());
            scored.truth = subject.truth.clone();
            if self.tells_a_person() {
                show::tools(&scored, tools, &said);
            }
            outcome.scored.push(scored);
        }
        outcome.is_stopped = cancel.is_cancelled();
        Ok(outcome)
    }

    fn with_analyses(&self, cancel: &Cancel) -> anyhow::Result<Outcome> {
        let jdk = Jdk::installed()?;
        let subjects = programs::subjects(self)?;
        let analyses = analyses::all(&self.who, self.analysis_timeout())?;
        let panel = self.panel(&analyses)?;
        programs::note_unknown_truths(&subjects, panel.analyses.iter().map(|(name, _)| name.as_str()).collect());
        if self.tells_a_person() {
            others::announce(&analyses);
        }
        let timeout = self.timeout.unwrap_or(PROGRAM_TIMEOUT);
        let recording = Recording { timeout, objects: self.objects, ..Recording::default() };
        let jobs = self.jobs.map_or_else(cores, usize::from);
        // Either programs run side by side, or the analyses of the only one do.
        let (outer, inner) = if subjects.len() > 1 { (jobs, 1) } else { (1, jobs) };
        let examiner = Examiner { jdk: &jdk, analyses: &analyses, panel: &panel, recording: &recording, jobs: inner };
        let mut outcome =
            Outcome { analyses: panel.analyses.iter().map(|(name, _)| name.clone()).collect(), ..Outcome::default() };
        let is_single = self.corpus.is_none();
        programs::examine_all(&examiner, &subjects, outer, cancel, &mut |index, result| {
            self.take(&mut outcome, &subjects[index], result, is_single)
        })?;
        outcome.is_stopped |= cancel.is_cancelled();
        if let (Some(wanted), false) = (&self.reduce, outcome.is_stopped) {
            let (subject, judged) = (&subjects[0], outcome.examined.first());
            let Some(judged) = judged.map(|examined| examined.judged.clone()) else { return Ok(outcome) };
            // Whatever becomes of the reduction, what was found before it is reported.
            match reduction::reduce(self, &examiner, subject, &judged, wanted, cancel) {
                Ok(reduced) => outcome.reduced = reduced,
                Err(error) => outcome.failed = Some(error),
            }
            outcome.is_stopped |= cancel.is_cancelled();
        }
        Ok(outcome)
    }

    /// Keeps what one program gave, and shows it.
    fn take(
        &self,
        outcome: &mut Outcome,
        subject: &Subject,
        result: Result<Examined, lapidary_triage::ExamineError>,
        is_single: bool,
    ) -> anyhow::Result<()> {
        match result {
            Ok(examined) => {
                if self.tells_a_person() {
                    if is_single { show::program(&examined) } else { show::line(&examined) }
                }
                outcome.is_stopped |= !examined.complete;
                outcome.scored.push(Scored::of(&examined.judged, &subject.truth));
                outcome.notes.extend(examined.notes.iter().map(|note| format!("{}: {note}", subject.name)));
                outcome.examined.push(examined);
            }
            Err(error) if error.is_cancelled() => outcome.is_stopped = true,
            // Errors of class paths name the file themselves.
            Err(lapidary_triage::ExamineError::ClassPath(error)) if is_single => bail!("{error}"),
            Err(error) if is_single => bail!("{}: {error}", subject.name),
            Err(error) => {
                complain!("lapidary: {}: {error}; going on with the next", subject.name);
                outcome.notes.push(format!("{}: {error}", subject.name));
            }
        }
        Ok(())
    }

    fn panel(&self, analyses: &[Box<dyn Analysis>]) -> anyhow::Result<Panel> {
        Ok(Panel {
            analyses: analyses.iter().map(|analysis| (analysis.name().to_owned(), analysis.weight())).collect(),
            thresholds: self.thresholds(),
            excluded: RegexSet::new(&self.who.excluded).context("--excluded")?,
        })
    }

    fn analysis_timeout(&self) -> Duration {
        self.timeout.unwrap_or(ANALYSIS_TIMEOUT)
    }

    fn thresholds(&self) -> Thresholds {
        Thresholds { bug: self.bug_from, feature: self.feature_below }
    }

    /// Nothing is written over the input, nor over the result of an earlier reduction; better to say so before anything runs.
    fn check_places(&self) -> anyhow::Result<()> {
        if let (Some(input), Some(_)) = (&self.input, &self.reduce) {
            let place = self.out.clone().unwrap_or_else(|| output::default_path(input));
            if place.exists() && !self.force {
                bail!("{} is there already: --force replaces it, --out chooses another place", place.display());
            }
        }
        let inputs = [&self.input, &self.corpus, &self.who.tools].into_iter().flatten();
        for input in inputs {
            for written in [&self.json, &self.report].into_iter().flatten() {
                output::must_differ(written, input)?;
            }
        }
        Ok(())
    }

    fn tells_a_person(&self) -> bool {
        !self.quiet && self.json.as_deref() != Some(Path::new("-"))
    }

    fn write(&self, outcome: &Outcome, conclusion: &Conclusion) -> anyhow::Result<()> {
        let judged: Vec<_> = outcome.examined.iter().map(|examined| examined.judged.clone()).collect();
        let Outcome { analyses, scored, notes, .. } = outcome;
        let findings = Findings { analyses, judged: &judged, scored, conclusion, notes };
        if self.tells_a_person() && scored.len() > 1 {
            show::tables(&findings);
        }
        if self.tells_a_person() {
            show::conclusion(conclusion);
        }
        if let Some(path) = &self.report {
            let text = page("Triage of analyses", &findings);
            std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        if let Some(path) = &self.json {
            let mut value = as_json(&findings);
            value["reduced"] = json!(outcome.reduced.as_ref().map(|path| path.to_string_lossy()));
            summary::write_json(path, &value)?;
        }
        Ok(())
    }
}

/// What came of it.
#[derive(Default)]
struct Outcome {
    analyses: Vec<String>,
    examined: Vec<Examined>,
    scored: Vec<Scored>,
    notes: Vec<String>,
    reduced: Option<PathBuf>,
    /// Why there is no small program.
    failed: Option<anyhow::Error>,
    is_stopped: bool,
}

/// Says why a triage comes to nothing or to less than it could, and how the program ends.
fn exit_code(conclusion: &Conclusion) -> u8 {
    match conclusion.says {
        Says::Bug => exit::NEGATIVE,
        Says::Fine => exit::DONE,
        Says::Nothing => {
            complain!("lapidary: nothing can be said: no analysis answered, or no program ran");
            exit::BAD_INPUT
        }
        Says::Interrupted if conclusion.inputs == 0 => {
            complain!("lapidary: interrupted before anything was known");
            exit::STOPPED
        }
        Says::Interrupted => {
            complain!("lapidary: interrupted; what was found until then is reported");
            exit::STOPPED
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("easiness is between 0 and 1".to_owned()) }
}
