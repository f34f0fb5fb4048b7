//! `lapidary triage`: says whether what an analysis missed is a bug or a known limit.

mod show;

use super::bundle::{pack, with_page};
use crate::progress::{Progress, counted, thousands};
use crate::run_options::existing;
use crate::sandbox_option::{Foreign, SandboxOption};
use crate::say::{complain, say};
use crate::shared_options::{SeedOption, TellingOptions, asked};
use crate::signals::handles;
use crate::view_options::{Beside, ViewOptions};
use crate::{budget, exit, summary};
use anyhow::{Context, bail};
use clap::Args;
use lapidary::{
    Asked, Budget, Bundle, Cancel, DocumentKind, Effort, Existing, ReducedLoss, SandboxMode, Saving, Triage,
    TriageOptions, TriageProgram, TriageReport, TriageWatcher, Watcher, default_path, install_analyses,
};
use lapidary_live::{About, Change, Handles, View};
use lapidary_report::triage::page;
use lapidary_triage::report::{Findings, as_json};
use lapidary_triage::tables::Scored;
use lapidary_triage::{Conclusion, Corpus, Examined, Judged, Said, Says, Thresholds, Tools, Verdict};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "lapidary triage [OPTIONS] APP.jar --main pkg.Main [-- ARGS]...
       lapidary triage [OPTIONS] --corpus programs.toml
       lapidary triage [OPTIONS] --tools tools.toml [INPUT | --corpus FILE]";

/// Say whether what an analysis missed is a bug or a known limit
///
/// The program runs, and the methods that it enters are compared with those that
/// static analyses find reachable. An analysis that misses a method which the
/// others find has a bug. A method that every analysis misses, because of
/// reflection for example, is a known limit.
///
///   lapidary triage app.jar --main pkg.Main
///   lapidary triage app.jar --main pkg.Main \
///       --analysis mine='./run-my-analysis {classpath} {main} {out}'
///   lapidary triage --corpus programs.toml --report triage.html
#[derive(Args)]
#[command(verbatim_doc_comment, override_usage = USAGE)]
pub struct TriageCommand {
    /// A jar, or a directory of classes.
    #[arg(required_unless_present_any = ["corpus", "install_analyses"], conflicts_with = "corpus")]
    input: Option<PathBuf>,

    /// The class with `main` [default: the one in the manifest of the jar].
    #[arg(long, value_name = "CLASS", conflicts_with = "corpus")]
    main: Option<String>,

    /// Directories and jars with the classes that the program uses, separated by `:`; `lib/*` means
    /// all jars in lib.
    #[arg(long, value_name = "PATHS", value_delimiter = ':', conflicts_with = "corpus")]
    classpath: Vec<PathBuf>,

    /// The standard input of the program.
    #[arg(long, value_name = "FILE", conflicts_with = "corpus")]
    stdin: Option<PathBuf>,

    /// A file that lists many programs (docs/guide/triage.md).
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,

    /// A miss on an input at least this easy is a bug [default: only if all others are right].
    #[arg(long, value_name = "EASINESS", value_parser = share)]
    bug_from: Option<f64>,

    /// A miss on an input less easy than this is a known limit [default: only if all are wrong].
    #[arg(long, value_name = "EASINESS", value_parser = share)]
    feature_below: Option<f64>,

    /// Follow objects that the library returns, for better guesses at causes. Programs then take
    /// about ten times as long.
    #[arg(long)]
    objects: bool,

    /// Reduce the program while the analysis still misses a method and the others still find it: the
    /// method of its first bug, or else the first that it misses. Without a name, take the first
    /// analysis that has a bug, or else the first that misses something.
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

    /// Continue an interrupted reduction without repeating its tests.
    #[arg(long, requires = "reduce", conflicts_with = "force")]
    resume: bool,

    /// Also pack the small program for a bug tracker: a folder, and a zip archive beside it.
    #[arg(long, value_name = "DIR", requires = "reduce")]
    bundle: Option<PathBuf>,

    /// Stop after this much time (90s, 5m, 2h), or after this many tests of --reduce (500), with
    /// the findings so far reported and the best result saved.
    #[arg(long, value_name = "TESTS|TIME", value_parser = budget::budget)]
    budget: Option<Budget>,

    #[command(flatten)]
    sandbox: SandboxOption,

    #[command(flatten)]
    random: SeedOption,

    /// How long each program and each analysis may take [default: 120s for a program, 600s for an
    /// analysis].
    #[arg(long, value_name = "TIME", value_parser = budget::timeout)]
    timeout: Option<Duration>,

    /// Number of programs, or of analyses of one program, that run at once [default: number of
    /// cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    #[command(flatten)]
    telling: TellingOptions,

    /// Write an HTML page with tables, plots and all details.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// The arguments of `main`.
    #[arg(last = true, value_name = "ARGS", conflicts_with = "corpus")]
    arguments: Vec<String>,

    #[command(flatten)]
    view: ViewOptions,

    // Last, because its heading applies to all options that follow.
    #[command(flatten)]
    who: AnalysisOptions,
}

#[derive(Args)]
#[command(next_help_heading = "Analyses")]
pub struct AnalysisOptions {
    /// An analysis of yours, as NAME='COMMAND'; {classpath}, {main} and {out} in it are filled in.
    /// It writes the methods that it finds reachable to {out}, or prints them, one per line, as
    /// pkg/Cls.name:(I)V. May be given several times.
    #[arg(long, value_name = "NAME=COMMAND")]
    analysis: Vec<String>,

    /// The built-in analyses to ask, or none. NAME+WEAKNESS has a known defect, for testing the
    /// triage itself.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "cha,rta,xta,0-cfa")]
    own: Vec<String>,

    /// The third-party analyses to ask: soot, sootup, wala, taie, opal, or none [default: those
    /// that are installed].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    others: Option<Vec<String>>,

    /// First build the third-party analyses with Maven, or those that --others names. Without
    /// INPUT, do nothing else.
    #[arg(long)]
    install_analyses: bool,

    /// How much an analysis counts, as in mine=2 [default: 1].
    #[arg(long, value_name = "NAME=WEIGHT")]
    weight: Vec<String>,

    /// Classes that analyses exclude on purpose, by internal name; exclusion is then recognised as
    /// a cause.
    #[arg(long, value_name = "REGEX")]
    excluded: Vec<String>,

    /// A file that lists tools of any other kind, each with a command that says whether it is right
    /// (docs/guide/triage.md).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["analysis", "weight", "excluded"])]
    tools: Option<PathBuf>,
}

impl TriageCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        self.check_places()?;
        let handles = handles()?;
        let cancel = handles.cancel.clone();
        if self.who.install_analyses {
            install_analyses(self.who.others.as_deref(), &mut |text| complain!("{text}"))?;
            if self.input.is_none() && self.corpus.is_none() {
                return Ok(ExitCode::from(exit::DONE));
            }
        }
        self.watch(&cancel);
        let options = self.options(&handles)?;
        let programs = self.programs()?;
        let mut view = self.begin_view(handles)?;
        let (tells, is_single) = (self.telling.tells_a_person(), self.corpus.is_none());
        let mut told = Told { view: &view, tells, is_quiet: self.telling.quiet, is_single, bugs: 0, done: 0 };
        let report = Triage::of(programs, options).run(&mut told)?;
        view.end();
        if let Some(reduced) = &report.reduced {
            self.show_reduced(reduced);
        }
        self.show(&report);
        summary::first_failure([self.write_page(&report), self.write_json(&report), self.pack(&report, &cancel)])?;
        let conclusion = &report.conclusion;
        report.failed.map_or(Ok(()), Err)?;
        Ok(ExitCode::from(exit_code(conclusion)))
    }

    fn begin_view(&self, handles: Handles) -> anyhow::Result<View> {
        let inputs: Vec<PathBuf> =
            [&self.input, &self.corpus, &self.who.tools].into_iter().flatten().cloned().collect();
        let saving = self.reduce.as_ref().and(self.input.as_ref()).map(|input| self.saving(input));
        let result = saving.iter().flat_map(Saving::written);
        let documents =
            [(DocumentKind::Summary, "--json", &self.telling.json), (DocumentKind::Page, "--report", &self.report)];
        let written = result.chain(asked(&documents)).collect();
        let beside = Beside { quiet: self.telling.quiet, written, read: &inputs };
        let input = inputs.first().map_or_else(String::new, |input| input.display().to_string());
        let about = About { command: "triage", input, budget: self.budget };
        self.view.begin(about, "running the program and asking the analyses", beside, handles)
    }

    fn options(&self, handles: &Handles) -> anyhow::Result<TriageOptions> {
        let who = &self.who;
        Ok(TriageOptions {
            asked: Asked {
                own: who.own.clone(),
                others: who.others.clone(),
                commands: who.analysis.clone(),
                weights: who.weight.clone(),
                excluded: who.excluded.clone(),
            },
            tools: who.tools.as_deref().map(Tools::read).transpose()?,
            thresholds: Thresholds { bug: self.bug_from, feature: self.feature_below },
            objects: self.objects,
            sandbox: self.sandbox.choose(self.foreign())?,
            timeout: self.timeout,
            is_single: self.corpus.is_none(),
            reduce: self.reduce.clone(),
            saving: self.input.as_ref().map(|input| self.saving(input)),
            seed: self.random.seed,
            effort: Effort {
                jobs: self.jobs.map(usize::from),
                budget: self.budget,
                cancel: handles.cancel.clone(),
                control: handles.control.clone(),
            },
        })
    }

    /// Cancels the run when its time is over.
    fn watch(&self, cancel: &Cancel) {
        let Some(Budget::Time(time)) = self.budget else { return };
        Instant::now().checked_add(time).into_iter().for_each(|deadline| cancel.cancel_at(deadline));
    }

    /// The program runs as its user would run it, and may need the world.
    fn foreign(&self) -> Foreign {
        Foreign { code: "the program", default: SandboxMode::Off, quiet: self.telling.quiet, is_limited: false }
    }

    fn saving(&self, input: &Path) -> Saving {
        let existing = existing(self.force, self.resume);
        Saving { path: self.out.clone().unwrap_or_else(|| default_path(input)), existing }
    }

    /// The programs of the corpus, or the one on the command line.
    fn programs(&self) -> anyhow::Result<Vec<TriageProgram>> {
        if let Some(corpus) = &self.corpus {
            return Ok(Corpus::read(corpus)?.programs);
        }
        let input = self.input.clone().context("no input was given")?;
        if !input.exists() {
            bail!("{}: there is no such file", input.display());
        }
        let main = self.main.clone().unwrap_or_default();
        let mut class_path = vec![input.clone()];
        class_path.extend(self.classpath.iter().cloned());
        Ok(vec![TriageProgram {
            name: input.display().to_string(),
            class_path,
            main: main.replace('/', "."),
            arguments: self.arguments.clone(),
            stdin: self.stdin.clone(),
            input: Some(input),
            ..TriageProgram::default()
        }])
    }

    /// Makes sure, before anything runs, that neither the input nor an earlier result is
    /// overwritten.
    fn check_places(&self) -> anyhow::Result<()> {
        if let (Some(input), Some(_)) = (&self.input, &self.reduce) {
            let saving = self.saving(input);
            if saving.path.exists() && saving.existing == Existing::Refuse {
                let resume = if saving.journal().exists() { "--resume continues it, " } else { "" };
                bail!(
                    "{} already exists: --force replaces it, {resume}--out chooses another place",
                    saving.path.display()
                );
            }
        }
        if let Some(directory) = &self.bundle {
            Bundle::check_place(directory, self.force || self.resume)?;
        }
        Ok(())
    }

    /// Packs the small program, if there is one.
    fn pack(&self, report: &TriageReport, cancel: &Cancel) -> anyhow::Result<()> {
        let (Some(directory), Some(input)) = (&self.bundle, &self.input) else { return Ok(()) };
        if report.reduced.is_none() {
            complain!("lapidary: there is no small program, so there is no bundle");
            return Ok(());
        }
        let journal = self.saving(input).journal();
        let bundle = with_page(Bundle::of_journal(&journal), &journal);
        pack(bundle, directory, self.force || self.resume, cancel, self.telling.tells_a_person())
    }

    fn show_reduced(&self, reduced: &ReducedLoss) {
        let ReducedLoss { loser, lost, report } = reduced;
        if self.telling.tells_a_person() {
            say!("");
            say!(
                "{} of {} left, {}: {loser} still misses {}",
                thousands(report.bytes_after),
                counted(report.bytes_before as usize, "byte"),
                counted(report.counts.run as usize, "test"),
                lost.entry.method
            );
            report.saved.iter().for_each(|path| say!("result: {}", path.display()));
        }
        if let Some(stop) = &report.stop {
            complain!(
                "lapidary: the reduction stopped early: {stop}; the best result so far is saved, --resume continues"
            );
        }
    }

    fn show(&self, report: &TriageReport) {
        if !self.telling.tells_a_person() {
            return;
        }
        if report.scored.len() > 1 {
            show::tables(&findings(report, &judged(report)));
        }
        show::conclusion(&report.conclusion);
    }

    fn write_page(&self, report: &TriageReport) -> anyhow::Result<()> {
        Ok(self.report.as_ref().map_or(Ok(()), |path| page(report).write(path))?)
    }

    fn write_json(&self, report: &TriageReport) -> anyhow::Result<()> {
        let Some(path) = &self.telling.json else { return Ok(()) };
        let mut value = as_json(&findings(report, &judged(report)));
        let reduced = report.reduced.as_ref().and_then(|reduced| reduced.report.saved.as_ref());
        value["reduced"] = json!(reduced.map(|path| path.to_string_lossy()));
        summary::write_json(path, &value)
    }
}

fn judged(report: &TriageReport) -> Vec<Judged> {
    report.examined.iter().map(|examined| examined.judged.clone()).collect()
}

fn findings<'r>(report: &'r TriageReport, judged: &'r [Judged]) -> Findings<'r> {
    let TriageReport { analyses, scored, notes, conclusion, .. } = report;
    Findings { analyses, judged, scored, conclusion, notes }
}

/// Prints the progress of a triage.
struct Told<'v> {
    view: &'v View,
    tells: bool,
    is_quiet: bool,
    is_single: bool,
    bugs: u64,
    done: u64,
}

impl Told<'_> {
    /// Shows the verdicts on one program in the view.
    fn found(&mut self, scored: &Scored) {
        let reporter = self.view.reporter();
        for (analysis, verdict) in &scored.verdicts {
            let is_bug = *verdict == Verdict::Bug;
            self.bugs += u64::from(is_bug);
            reporter.report(&Change::Found(&format!("{}: {analysis}: {verdict}", scored.program), is_bug));
        }
        self.done += 1;
        reporter.report(&Change::Counted("programs done", self.done));
        reporter.report(&Change::Counted("bugs", self.bugs));
    }
}

impl TriageWatcher for Told<'_> {
    fn phase(&mut self, what: &str) {
        self.view.reporter().report(&Change::Phase(what));
    }

    fn remark(&mut self, text: &str) {
        if !self.is_quiet {
            complain!("lapidary: {text}");
        }
    }

    fn note(&mut self, text: &str) {
        if !self.is_quiet {
            complain!("note: {text}");
        }
    }

    fn asking(&mut self, slow: &[&str]) {
        if self.tells && !slow.is_empty() {
            complain!(
                "also asking {}; each takes a minute or more per program (--others none skips them)",
                slow.join(", ")
            );
        }
    }

    fn examined(&mut self, examined: &Examined) {
        self.found(&Scored::of(&examined.judged, &BTreeMap::new()));
        match (self.tells, self.is_single) {
            (false, _) => {}
            (true, true) => show::program(examined),
            (true, false) => show::line(examined),
        }
    }

    fn answered(&mut self, scored: &Scored, tools: &Tools, said: &[Said]) {
        self.found(scored);
        if self.tells {
            show::tools(scored, tools, said);
        }
    }

    fn reduction(&mut self) -> Box<dyn Watcher + '_> {
        Box::new(Progress::new(self.view, !self.tells))
    }
}

/// The exit code. A triage without a full conclusion is explained on standard error.
fn exit_code(conclusion: &Conclusion) -> u8 {
    match conclusion.says {
        Says::Bug => exit::NEGATIVE,
        Says::Fine => exit::DONE,
        Says::Nothing => {
            complain!("lapidary: no conclusion: no analysis answered, or no program ran");
            exit::BAD_INPUT
        }
        Says::Interrupted if conclusion.inputs == 0 => {
            complain!("lapidary: stopped before the first result");
            exit::STOPPED
        }
        Says::Interrupted => {
            complain!("lapidary: stopped early; the findings so far are reported");
            exit::STOPPED
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("an easiness is between 0 and 1".to_owned()) }
}
