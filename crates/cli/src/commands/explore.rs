//! `lapidary explore`: lists what a Java method can do, and on which inputs.

mod show;
mod summing;

use super::bundle::pack;
use super::junit::{self, JUnitOptions};
use crate::sandbox_option::{Foreign, SandboxOption};
use crate::say::{complain, say};
use crate::shared_options::{OneJob, SearchLimits, SeedOption, TellingOptions, asked, files};
use crate::signals::handles;
use crate::view_options::{Beside, ViewOptions};
use crate::{budget, exit, summary};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use lapidary::{
    Budget, Bundle, Cancel, DocumentKind, Exploration, ExplorationOptions, ExplorationReport, ExplorationWatcher,
    FindingWords, PathVerdict, RandomFindings, SandboxMode, TestablePaths, call_in_words, path_outcome,
};
use lapidary_live::{About, Change, Reporter};
use lapidary_report::exploration::{Paths, page, page_to_send};
use lapidary_report::sources::Sources;
use lapidary_symbolic::{Aliases, Method, ObjectsBy, PathEnd, search};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// List what a Java method can do, and on which inputs
///
/// The method runs on symbolic inputs, and every path through it is taken. Each
/// path is listed with an input that takes it, and with what the method then
/// returns, throws or prints. Exceptions that leave the method and failed
/// assertions are findings; each is replayed on the real JVM before it is reported.
///
///   lapidary explore app.jar --main shop.Prices.total
///   lapidary explore classes/ --main Main.parse --search coverage --budget 2m
///   lapidary explore classes/ --main Main.parse --junit parse-tests
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Explore {
    /// A jar, or a directory of classes.
    input: PathBuf,

    /// The method to start with: CLASS.METHOD, followed by its descriptor if the name is
    /// overloaded.
    #[arg(long, value_name = "METHOD")]
    main: String,

    /// Directories and jars with the classes that the program uses, separated by `:`.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    classpath: Vec<PathBuf>,

    /// Which of the waiting paths to continue next.
    #[arg(long, value_name = "NAME", default_value = "fair", value_parser = search::NAMES)]
    search: String,

    #[command(flatten)]
    limits: SearchLimits,

    #[command(flatten)]
    _jobs: OneJob,

    /// The longest text or array in an input.
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1000))]
    bound: usize,

    /// How deep the references between objects in an input go.
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,

    /// How objects of the program's classes are made: with each field as an input, or by a
    /// constructor.
    #[arg(long, value_name = "HOW", default_value = "fields", value_parser = ["fields", "constructors"])]
    objects: String,

    /// Which inputs may be the same object.
    #[arg(long, value_name = "WHICH", default_value = "arguments", value_parser = Aliases::NAMES)]
    aliases: String,

    /// Make the arguments of `main` symbolic, instead of taking those after `--`.
    #[arg(long)]
    symbolic_args: bool,

    /// First test with random inputs for this long; 0 turns it off.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = fuzz_time)]
    fuzz_first: Duration,

    /// Make at most this many random calls, so that other computers make the same ones.
    #[arg(long, value_name = "N")]
    fuzz_calls: Option<u64>,

    /// Stop after this many paths.
    #[arg(long, value_name = "N")]
    paths: Option<u64>,

    /// Merge paths that split at a branch and meet again: fewer paths, harder queries for the
    /// solver.
    #[arg(long)]
    merge: bool,

    /// Stop when the process uses this many gigabytes.
    #[arg(long, value_name = "GB", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,

    /// Show only the findings and the summary.
    #[arg(long)]
    findings: bool,

    #[command(flatten)]
    sandbox: SandboxOption,

    #[command(flatten)]
    random: SeedOption,

    /// Pack the first finding for a bug tracker, if there is one: a folder, and a zip archive beside
    /// it.
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,

    #[command(flatten)]
    junit: JUnitOptions,

    #[command(flatten)]
    telling: TellingOptions,

    /// Write an HTML page with the outcomes, their inputs, and the lines that ran.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// The source directory of the program, for --report [default: near the classes].
    #[arg(long, value_name = "DIR")]
    sources: Option<PathBuf>,

    /// The arguments of `main`.
    #[arg(last = true, value_name = "ARGS", conflicts_with = "symbolic_args")]
    arguments: Vec<String>,

    #[command(flatten)]
    view: ViewOptions,
}

/// The program is called with inputs that nobody has chosen, so it is kept from doing harm.
pub fn foreign(quiet: bool) -> Foreign {
    Foreign { code: "the real JVM", default: SandboxMode::Auto, quiet, is_limited: false }
}

impl Explore {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if !self.telling.quiet {
            self.limits.note_old_meaning();
        }
        let handles = handles()?;
        let cancel = handles.cancel.clone();
        let options = self.options(cancel.clone())?;
        self.bundle.as_ref().map_or(Ok(()), |directory| Bundle::check_place(directory, self.junit.force))?;
        let junit = self.junit.tests(self.limits.timeout, options.sandbox.clone())?;
        let written = asked(&[
            (DocumentKind::Summary, "--json", &self.telling.json),
            (DocumentKind::Page, "--report", &self.report),
        ]);
        let beside = Beside { quiet: self.telling.quiet, read: &files([&self.input], &written), written };
        let (input, budget) = (self.input.display().to_string(), Some(Budget::Time(self.limits.budget)));
        let about = About { command: "explore", input, budget };
        let mut view = self.view.begin(about, "reading the program", beside, handles)?;
        let exploration = Exploration::of(&self.input, &self.main, options)?;
        let mut told = Told {
            command: &self,
            reporter: view.reporter(),
            paths: Vec::new(),
            gathered: Paths::default(),
            testable: TestablePaths::default(),
            first: None,
            count: 0,
            findings: 0,
        };
        let report = exploration.run(&mut told)?;
        let Told { paths, gathered, testable, first, .. } = told;
        let tests =
            junit.map(|junit| junit.of_exploration(&report, &self.input, &self.classpath, &testable)).transpose()?;
        view.end();
        if self.telling.tells_a_person() {
            summing::tell(&report);
        }
        let json = || summing::as_json(&report, &paths, tests.as_ref());
        let summary = self.telling.json.as_ref().map_or(Ok(()), |path| summary::write_json(path, &json()));
        tests.iter().filter(|_| !self.telling.quiet).for_each(junit::tell);
        let page = self.write_page(&report, &gathered);
        summary::first_failure([summary, page, self.pack(&report, &gathered, first.as_ref(), &cancel)])?;
        let is_complete = report.is_exhausted() && report.tally.unconfirmed == 0;
        Ok(ExitCode::from(match (report.has_findings(), is_complete) {
            (true, _) => exit::NEGATIVE,
            (false, true) => exit::DONE,
            (false, false) => exit::STOPPED,
        }))
    }

    fn write_page(&self, report: &ExplorationReport, paths: &Paths) -> anyhow::Result<()> {
        let Some(file) = &self.report else { return Ok(()) };
        let near = || Sources::near(&self.input);
        let sources = self.sources.as_deref().map_or_else(near, Sources::below);
        page(report, paths, &sources).write(file)?;
        if !self.telling.quiet {
            complain!("lapidary: the report is in {}", file.display());
        }
        Ok(())
    }

    /// Packs the first finding, if there is one.
    fn pack(
        &self,
        report: &ExplorationReport,
        paths: &Paths,
        first: Option<&PathEnd>,
        cancel: &Cancel,
    ) -> anyhow::Result<()> {
        let Some(directory) = &self.bundle else { return Ok(()) };
        let Some(path) = first.or(report.random.findings.first()) else {
            complain!("lapidary: nothing was found, so there is no bundle");
            return Ok(());
        };
        let outcome = path_outcome(&report.method, &path.outcome);
        let call = call_in_words(&report.method, &path.inputs);
        let words = FindingWords { call, what: format!("{} {outcome}", report.method) };
        let bundle = Bundle::of_finding(&self.input, &self.classpath, &report.method, path, words)?;
        let bundle = bundle.with_file("report.html", page_to_send(report, paths).render().into_bytes());
        pack(bundle, directory, self.junit.force, cancel, self.telling.tells_a_person())
    }

    fn options(&self, cancel: Cancel) -> anyhow::Result<ExplorationOptions> {
        Ok(ExplorationOptions {
            class_path: self.classpath.clone(),
            search: self.search.clone(),
            time: self.limits.budget,
            timeout: self.limits.timeout,
            bound: self.bound,
            depth: self.depth,
            objects_by: if self.objects == "constructors" { ObjectsBy::Constructors } else { ObjectsBy::Fields },
            aliases: Aliases::named(&self.aliases),
            arguments: (!self.symbolic_args).then(|| self.arguments.clone()),
            fuzz_first: self.fuzz_first,
            fuzz_calls: self.fuzz_calls,
            paths: self.paths,
            merge: self.merge,
            memory: self.memory.saturating_mul(1 << 30),
            sandbox: self.sandbox.choose(foreign(self.telling.quiet))?,
            seed: self.random.seed,
            cancel,
        })
    }
}

/// Prints the paths, and collects them for the JSON and the page.
struct Told<'a> {
    command: &'a Explore,
    reporter: Reporter,
    paths: Vec<Value>,
    gathered: Paths,
    testable: TestablePaths,
    /// The first finding.
    first: Option<PathEnd>,
    count: u64,
    findings: u64,
}

impl ExplorationWatcher for Told<'_> {
    fn phase(&mut self, what: &str) {
        self.reporter.report(&Change::Phase(what));
    }

    fn tested(&mut self, method: &Method, random: &RandomFindings) {
        if self.command.telling.tells_a_person() {
            random.findings.iter().for_each(|path| say!("random   {}", show::line(method, path)));
        }
    }

    fn path(&mut self, method: &Method, path: &PathEnd, verdict: &PathVerdict) {
        let is_new = matches!(verdict, PathVerdict::Finding | PathVerdict::Unconfirmed(_));
        if self.command.telling.tells_a_person() && (is_new || !self.command.findings) {
            say!("{}{}", show::mark(verdict), show::line(method, path));
            show::printed(&path.stdout);
            if let PathVerdict::Unconfirmed(difference) = verdict {
                say!("    not confirmed: {difference}");
            }
        }
        let is_finding = matches!(verdict, PathVerdict::Finding);
        self.count += 1;
        self.findings += u64::from(is_finding);
        let found = format!("{}{}", show::mark(verdict), show::line(method, path));
        self.reporter.report(&Change::Counted("paths", self.count));
        self.reporter.report(&Change::Counted("findings", self.findings));
        self.reporter.report(&Change::Found(found.trim(), is_finding));
        if is_finding && self.first.is_none() {
            self.first = Some(path.clone());
        }
        if self.command.junit.is_wanted() {
            self.testable.add(path);
        }
        if self.command.report.is_some() || self.command.bundle.is_some() {
            self.gathered.add(method, path, verdict);
        }
        if self.command.telling.json.is_some() {
            self.paths.push(show::as_json(method, path, verdict));
        }
    }
}

/// Parses seconds or a duration with a unit; 0 is allowed.
pub fn fuzz_time(text: &str) -> Result<Duration, String> {
    if text == "0" { Ok(Duration::ZERO) } else { budget::timeout(text) }
}
