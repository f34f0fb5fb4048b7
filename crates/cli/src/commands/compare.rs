//! `lapidary compare`: finds out whether a patch changed only what was meant.

mod as_json;
mod show;

use super::bundle::pack;
use super::explore;
use super::junit::{self, JUnitOptions};
use crate::sandbox_option::SandboxOption;
use crate::say::{complain, say};
use crate::shared_options::{OneJob, SearchLimits, SeedOption, TellingOptions, asked, files};
use crate::signals::handles;
use crate::view_options::{Beside, ViewOptions};
use crate::{budget, exit, summary};
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use lapidary::{
    Budget, Bundle, Cancel, Comparison, ComparisonOptions, ComparisonReport, ComparisonWatcher, DocumentKind,
    FindingWords, JUnitReport, Scope, Versions, call_in_words, difference_in_words,
};
use lapidary_compare::{Changes, Techniques, Verdict};
use lapidary_live::{About, Change, Reporter};
use lapidary_report::comparison::{page, page_to_send};
use lapidary_report::sources::Sources;
use lapidary_symbolic::{Aliases, Input, Method, Number, search};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Show what a Java patch really changed, or that it changed nothing it should not
///
/// Both versions run on the same symbolic inputs and are compared on every path:
/// what the method returns, throws and prints, the state in which it leaves its
/// arguments, and every call between objects that the change may affect and
/// objects that it must not. A difference is reported with an input that shows it,
/// replayed on the real JVM.
///
///   lapidary compare old.jar new.jar --main shop.Main.run
///   lapidary compare old.jar new.jar --main shop.Main.run --spec change.toml
///   lapidary compare old.jar new.jar --main shop.Main.run --junit difference
///   lapidary compare --git v1.2..HEAD --build "mvn -q -o package" --main shop.Main.run
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Compare {
    /// The old version: a jar, or a directory of classes.
    #[arg(required_unless_present = "git", conflicts_with = "git")]
    old: Option<PathBuf>,

    /// The new version.
    #[arg(required_unless_present = "git", conflicts_with = "git")]
    new: Option<PathBuf>,

    /// Two versions of the repository in the current directory, as in v1.2..HEAD. A single version
    /// is compared with the working tree.
    #[arg(long, value_name = "OLD..NEW", requires = "build")]
    git: Option<String>,

    /// The shell command that builds a version; it runs in a work tree of its own.
    #[arg(long, value_name = "COMMAND", requires = "git")]
    build: Option<String>,

    /// Where the build puts its classes or its jar, relative to the top of the repository.
    #[arg(long, value_name = "PATH", default_value = "target/classes", requires = "git")]
    classes: PathBuf,

    /// How long the build of one version may take.
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = budget::timeout, requires = "git")]
    build_timeout: Duration,

    /// The method to start with: CLASS.METHOD, followed by its descriptor if the name is
    /// overloaded.
    #[arg(long, value_name = "METHOD")]
    main: String,

    /// The specification of what may change and what must not (docs/reference/spec-format.md);
    /// without it, every class that differs may change.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Write a specification that lets the differing classes change to this file (`-` for standard
    /// output), and stop.
    #[arg(long, value_name = "FILE")]
    write_spec: Option<PathBuf>,

    /// Directories and jars with the classes that both versions use, separated by `:`.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    classpath: Vec<PathBuf>,

    /// Which of the waiting paths of the old version to continue next.
    #[arg(long, value_name = "NAME", default_value = "fair", value_parser = search::NAMES)]
    search: String,

    #[command(flatten)]
    limits: SearchLimits,

    #[command(flatten)]
    _jobs: OneJob,

    /// The longest text or array in an input.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1000))]
    bound: usize,

    /// How deep the references between objects in an input go.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,

    /// Which inputs may be the same object.
    #[arg(long, value_name = "WHICH", default_value = "arguments", value_parser = Aliases::NAMES)]
    aliases: String,

    /// Exit with 0 not only for equivalent versions, but also if no difference was found among the
    /// inputs that were tried.
    #[arg(long)]
    accept_restrictions: bool,

    /// Classes to replace by abstract ones, separated by commas. With `auto`, the classes that do
    /// not change are replaced if half of the time was too short for the concrete ones.
    #[arg(long = "abstract", value_name = "CLASSES", value_delimiter = ',')]
    abstract_: Vec<String>,

    /// How much of a class its abstraction keeps.
    #[arg(long, value_name = "NAME", default_value = "mnemonic", value_parser = ["none", "shallow", "deep", "mnemonic"])]
    policy: String,

    /// Directories and jars with abstract classes written by hand, which replace those of the
    /// program.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    abstractions: Vec<PathBuf>,

    /// Print the sources of the abstract classes.
    #[arg(long)]
    show_abstractions: bool,

    /// Merge paths that split at a branch and meet again: fewer paths, harder queries for the
    /// solver.
    #[arg(long)]
    merge: bool,

    /// Turn off techniques that make comparing cheaper: sharing of the paths that both versions
    /// have in common, cancelling of equal terms, induction over loops, the cache of the solver.
    #[arg(long, value_name = "TECHNIQUES", value_delimiter = ',', value_parser = ["sharing", "cancelling", "induction", "cache"])]
    without: Vec<String>,

    /// Make the arguments of `main` symbolic, instead of taking those after `--`.
    #[arg(long)]
    symbolic_args: bool,

    /// First test with random inputs for this long; 0 turns it off.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = super::explore::fuzz_time)]
    fuzz_first: Duration,

    #[command(flatten)]
    sandbox: SandboxOption,

    #[command(flatten)]
    random: SeedOption,

    #[command(flatten)]
    telling: TellingOptions,

    /// Write an HTML page that shows both versions side by side.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Pack the difference for a bug tracker, if there is one: a folder, and a zip archive beside
    /// it.
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,

    #[command(flatten)]
    junit: JUnitOptions,

    /// The source directories of the old and the new version, separated by `:`, for --report
    /// [default: those of --git, or those near the classes].
    #[arg(long, value_name = "OLD:NEW", value_delimiter = ':')]
    sources: Vec<PathBuf>,

    /// The arguments of `main`.
    #[arg(last = true, value_name = "ARGS", conflicts_with = "symbolic_args")]
    arguments: Vec<String>,

    #[command(flatten)]
    view: ViewOptions,
}

impl Compare {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if !self.telling.quiet {
            self.limits.note_old_meaning();
        }
        let handles = handles()?;
        let cancel = handles.cancel.clone();
        let options = ComparisonOptions { cancel: cancel.clone(), ..self.options()? };
        self.bundle.as_ref().map_or(Ok(()), |directory| Bundle::check_place(directory, self.junit.force))?;
        let junit = self.junit.tests(self.limits.timeout, options.sandbox.clone())?;
        let written = asked(&[
            (DocumentKind::Summary, "--json", &self.telling.json),
            (DocumentKind::Page, "--report", &self.report),
            (DocumentKind::Specification, "--write-spec", &self.write_spec),
        ]);
        let read = files([&self.old, &self.new, &self.spec].into_iter().flatten(), &written);
        let beside = Beside { quiet: self.telling.quiet, written, read: &read };
        let (input, budget) = (self.main.clone(), Some(Budget::Time(self.limits.budget)));
        let about = About { command: "compare", input, budget };
        let mut view = self.view.begin(about, "reading both versions", beside, handles)?;
        let (tells, is_quiet) = (self.telling.tells_a_person(), self.telling.quiet);
        let mut told = Told { tells, is_quiet, reporter: view.reporter() };
        let comparison = Comparison::with_remarks(self.versions()?, &self.main, options, &mut told)?;
        if let Some(file) = &self.write_spec {
            DocumentKind::Specification.write(file, &comparison.suggested_spec())?;
            return Ok(ExitCode::from(exit::DONE));
        }
        let report = comparison.run(&mut told)?;
        let tests = junit.as_ref().map(|junit| junit.of_comparison(&report, &self.classpath)).transpose()?;
        view.end();
        let told = self.tell(&report, tests.as_ref().and_then(Option::as_ref));
        if let (Some(None), false) = (&tests, self.telling.quiet) {
            complain!("lapidary: no difference was found, so there are no tests");
        }
        let code = self.exit_code(&report);
        summary::first_failure([told, self.pack(report, &cancel)])?;
        Ok(code)
    }

    /// Packs the difference, if there is one.
    fn pack(&self, report: ComparisonReport, cancel: &Cancel) -> anyhow::Result<()> {
        let Some(directory) = &self.bundle else { return Ok(()) };
        let words = match (&report.comparison.difference, report.found_at_random()) {
            (Some(candidate), _) => {
                let call = call_in_words(&report.method, &candidate.new.inputs);
                Some(FindingWords { call, what: difference_in_words(candidate) })
            }
            (None, Some(found)) => {
                Some(FindingWords { call: call_in_words(&report.method, found.inputs), what: found.what().to_owned() })
            }
            (None, None) => None,
        };
        let bundle = words.map(|words| Bundle::of_comparison(&report, &self.classpath, words)).transpose()?.flatten();
        match bundle {
            Some(bundle) => {
                let bundle = bundle.with_file("report.html", page_to_send(report).render().into_bytes());
                pack(bundle, directory, self.junit.force, cancel, self.telling.tells_a_person())
            }
            None => {
                complain!("lapidary: no difference was found, so there is no bundle");
                Ok(())
            }
        }
    }

    fn versions(&self) -> anyhow::Result<Versions> {
        Ok(match (&self.git, &self.old, &self.new) {
            (Some(range), ..) => Versions::Git {
                range: range.clone(),
                build: self.build.clone().context("--git needs --build")?,
                classes: self.classes.clone(),
                time: self.build_timeout,
            },
            (None, Some(old), Some(new)) => Versions::Given { old: old.clone(), new: new.clone() },
            _ => bail!("two versions are needed: OLD and NEW, or --git"),
        })
    }

    fn options(&self) -> anyhow::Result<ComparisonOptions> {
        if !matches!(self.sources.len(), 0 | 2) {
            bail!("--sources takes two directories, OLD:NEW");
        }
        let has = |technique: &str| !self.without.iter().any(|without| without == technique);
        let techniques =
            Techniques { sharing: has("sharing"), cancelling: has("cancelling"), induction: has("induction") };
        Ok(ComparisonOptions {
            spec: self.spec.clone(),
            class_path: self.classpath.clone(),
            search: self.search.clone(),
            time: self.limits.budget,
            timeout: self.limits.timeout,
            bound: self.bound,
            depth: self.depth,
            aliases: Aliases::named(&self.aliases),
            abstracted: self.abstract_.clone(),
            policy: self.policy.clone(),
            abstractions: self.abstractions.clone(),
            show_abstractions: self.show_abstractions,
            merge: self.merge,
            techniques,
            cache: has("cache"),
            arguments: (!self.symbolic_args).then(|| self.arguments.clone()),
            fuzz_first: self.fuzz_first,
            sandbox: self.sandbox.choose(explore::foreign(self.telling.quiet))?,
            seed: self.random.seed,
            ..ComparisonOptions::default()
        })
    }

    fn tell(&self, report: &ComparisonReport, tests: Option<&JUnitReport>) -> anyhow::Result<()> {
        if self.telling.tells_a_person() {
            show::comparison(report);
        }
        let json = &self.telling.json;
        let summary = json.as_ref().map_or(Ok(()), |file| summary::write_json(file, &as_json::of(report, tests)));
        tests.iter().filter(|_| !self.telling.quiet).for_each(|tests| junit::tell(tests));
        summary::first_failure([summary, self.write_page(report)])
    }

    fn write_page(&self, report: &ComparisonReport) -> anyhow::Result<()> {
        let Some(file) = &self.report else { return Ok(()) };
        page(report, &self.sources(report)).write(file)?;
        if !self.telling.quiet {
            complain!("lapidary: the report is in {}", file.display());
        }
        Ok(())
    }

    fn exit_code(&self, report: &ComparisonReport) -> ExitCode {
        ExitCode::from(match report.comparison.verdict {
            _ if report.is_different() => exit::NEGATIVE,
            Verdict::Different => exit::NEGATIVE,
            Verdict::Equivalent => exit::DONE,
            Verdict::NoDifferenceFound if self.accept_restrictions => exit::DONE,
            Verdict::NoDifferenceFound => exit::RESTRICTED,
            Verdict::Unknown => exit::STOPPED,
        })
    }

    /// The sources of both versions: those of `--sources`, those that were built, or those near the
    /// classes.
    fn sources(&self, report: &ComparisonReport) -> [Sources; 2] {
        match (report.built_from(), &self.sources[..]) {
            (_, [old, new]) => [old, new].map(|directory| Sources::below(directory)),
            (Some(trees), _) => trees.map(|tree| Sources::below(&tree)),
            _ => report.paths.each_ref().map(|classes| Sources::near(classes)),
        }
    }
}

/// Prints the progress of a comparison.
struct Told {
    tells: bool,
    is_quiet: bool,
    reporter: Reporter,
}

impl ComparisonWatcher for Told {
    fn phase(&mut self, what: &str) {
        self.reporter.report(&Change::Phase(what));
    }

    fn remark(&mut self, text: &str) {
        self.reporter.report(&Change::Note(text));
        if !self.is_quiet {
            complain!("lapidary: {text}");
        }
    }

    fn begins(&mut self, scope: &Scope, changes: &Changes) {
        if self.tells {
            show::scope(scope, changes);
        }
    }

    fn abstraction(&mut self, source: &str) {
        say!("{source}");
    }

    fn found_at_random(&mut self, method: &Method, inputs: &[Input<Number>]) {
        let call = call_in_words(method, inputs);
        self.reporter.report(&Change::Found(&format!("random testing found a difference for {call}"), true));
        if self.tells {
            say!("random testing found a difference for {call}");
        }
    }
}
