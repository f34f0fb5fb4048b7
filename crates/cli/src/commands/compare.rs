//! `lapidary compare`: did a patch change only what was meant?

mod abstracting;
mod as_json;
mod at_random;
mod built;
mod confirm;
mod graph;
mod job;
mod report;
mod repository;
mod scope;
mod show;
mod sources;
mod version;

use super::explore::signals;
use crate::say::{complain, say};
use crate::{budget, exit, summary};
use abstracting::{Abstracted, Wanted};
use anyhow::{Context, bail};
use at_random::FoundAtRandom;
use built::{Built, Recipe};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use confirm::Confirmer;
use job::Job;
use lapidary_compare::{
    ChangedLines, Changes, Compared, Comparison, RandomComparer, Side, Tolerance, Verdict, class_graph,
    differing_files, unseen, written,
};
use lapidary_java_workers::Replay;
use lapidary_jvm::ClassPath;
use lapidary_reduce::Cancel;
use lapidary_symbolic::{Aliases, Machine, Method, Observation, Plan, Share, search};
use lapidary_terms::Interrupt;
use scope::Scope;
use sources::Sources;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Show what a Java patch really changed, or that it changed nothing it should not.
///
/// Both versions run on the same symbols. What the new version does is compared with what the old one does, on every path: what the method
/// returns, throws and prints, what it leaves its arguments like, and every call between objects that the change may affect and those that
/// it must not. A difference is reported with an input that shows it, tried on the real JVM.
///
///   lapidary compare old.jar new.jar --main shop.Main.run
///   lapidary compare old.jar new.jar --main shop.Main.run --spec change.toml
///   lapidary compare --git v1.2..HEAD --build "mvn -q -o package" --classes target/classes --main shop.Main.run
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Compare {
    /// The old version: a jar, or a directory of classes.
    #[arg(required_unless_present = "git", conflicts_with = "git")]
    old: Option<PathBuf>,

    /// The new version.
    #[arg(required_unless_present = "git", conflicts_with = "git")]
    new: Option<PathBuf>,

    /// Two versions of the repository in the current directory, as in v1.2..HEAD; one alone is compared with the files as they are.
    #[arg(long, value_name = "OLD..NEW", requires = "build")]
    git: Option<String>,

    /// The command that builds a version; it runs in a copy of the repository.
    #[arg(long, value_name = "COMMAND", requires = "git")]
    build: Option<String>,

    /// Where the build puts its classes or its jar, from the top of the repository.
    #[arg(long, value_name = "PATH", default_value = "target/classes", requires = "git")]
    classes: PathBuf,

    /// How long the build of one version may take.
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = budget::timeout, requires = "git")]
    build_timeout: Duration,

    /// The method to begin with: CLASS.METHOD, with its descriptor behind it where several have the name.
    #[arg(long, value_name = "METHOD")]
    main: String,

    /// What may change and what must not; without it, every class that differs may. docs/reference/spec-format.md has the format.
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Write the specification that the difference of the versions suggests to this file, and stop; - for standard output.
    #[arg(long, value_name = "FILE")]
    write_spec: Option<PathBuf>,

    /// Directories and jars with the classes that both versions use, separated by `:`.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    classpath: Vec<PathBuf>,

    /// Which of the waiting paths of the old version goes on next.
    #[arg(long, value_name = "NAME", default_value = "fair", value_parser = search::NAMES)]
    search: String,

    /// How long to look, as in 90s or 5m.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = budget::timeout)]
    timeout: Duration,

    /// Longest text or array that is an input.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1000))]
    bound: usize,

    /// How deep objects that are inputs refer to others.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,

    /// Which inputs may be one and the same object.
    #[arg(long, value_name = "WHICH", default_value = "arguments", value_parser = Aliases::NAMES)]
    aliases: String,

    /// Exit with 0 also where no difference was found among the inputs that were tried, and not only for equivalent versions.
    #[arg(long)]
    accept_restrictions: bool,

    /// Classes that are replaced by abstract ones, separated by commas; `auto` takes those that do not change, if time runs out without.
    #[arg(long = "abstract", value_name = "CLASSES", value_delimiter = ',')]
    abstract_: Vec<String>,

    /// How much of a class its abstraction keeps.
    #[arg(long, value_name = "NAME", default_value = "mnemonic", value_parser = ["none", "shallow", "deep", "mnemonic"])]
    policy: String,

    /// Directories and jars with abstract classes written by hand, which take the place of the program's.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    abstractions: Vec<PathBuf>,

    /// Print the sources of the abstract classes.
    #[arg(long)]
    show_abstractions: bool,

    /// Let paths that part at a branch and meet again become one. Fewer paths, harder questions for the solver.
    #[arg(long)]
    merge: bool,

    /// Leave techniques out that make comparing cheaper: sharing of what both versions have in common, cancelling of equal terms, induction
    /// over loops, the cache of the solver.
    #[arg(long, value_name = "TECHNIQUES", value_delimiter = ',', value_parser = ["sharing", "cancelling", "induction", "cache"])]
    without: Vec<String>,

    /// Let the arguments of `main` be symbols; else they are those behind `--`.
    #[arg(long)]
    symbolic_args: bool,

    /// Test with random inputs for so long first; 0 switches it off.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = super::explore::fuzz_time)]
    fuzz_first: Duration,

    /// Seed for everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Write everything as JSON to this file; - for standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write a page that shows both versions side by side to this file.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Where the sources of the old and of the new version are, separated by `:`, for the page.
    #[arg(long, value_name = "OLD:NEW", value_delimiter = ':')]
    sources: Vec<PathBuf>,

    /// The arguments of `main`.
    #[arg(last = true, value_name = "ARGS", conflicts_with = "symbolic_args")]
    arguments: Vec<String>,
}

/// Everything about a comparison that there is to show.
pub struct Shown<'a> {
    pub paths: [&'a Path; 2],
    pub method: &'a Method,
    pub scope: &'a Scope,
    pub changes: &'a Changes,
    pub comparison: &'a Comparison,
    pub random: &'a Result<Compared, String>,
    /// What the real machine did with the input of the difference.
    pub seen: &'a [confirm::Seen],
    /// How long it was allowed to take.
    pub time: Duration,
    /// The lines of changed methods that ran, of all that there are in the new version.
    pub changed_lines: Share,
    pub sources: [Sources; 2],
    /// Which classes of the new version mention which.
    pub graph: &'a BTreeMap<String, BTreeSet<String>>,
}

impl Compare {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (interrupt, cancel) = (Interrupt::default(), Cancel::new());
        let (ends_questions, ends_builds) = (interrupt.clone(), cancel.clone());
        signals::on_signal(move || {
            ends_questions.set();
            ends_builds.cancel();
        })
        .context("cannot listen for signals")?;
        if !matches!(self.sources.len(), 0 | 2) {
            bail!("--sources takes two directories, OLD:NEW");
        }
        let built = self.git.as_ref().map(|range| self.built(range, &cancel)).transpose()?;
        if let Some(None) = built {
            complain!("lapidary: stopped during a build");
            return Ok(ExitCode::from(exit::STOPPED));
        }
        let built = built.flatten();
        let paths: [PathBuf; 2] = match (&built, &self.old, &self.new) {
            (Some(built), ..) => built.paths(),
            (None, Some(old), Some(new)) => [old.clone(), new.clone()],
            _ => bail!("two versions are needed: OLD and NEW, or --git"),
        };
        let class_paths = [self.class_path(&paths[0])?, self.class_path(&paths[1])?];
        let changes = Changes::between(&class_paths[0], &class_paths[1]);
        if let Some(file) = &self.write_spec {
            summary::write_text(file, &written(&changes))?;
            return Ok(ExitCode::from(exit::DONE));
        }
        let scope = Scope::of(self.spec.as_deref(), &changes, &class_paths)?;
        let built_from = built.as_ref().map(Built::trees);
        self.compared(&paths, class_paths, &changes, &scope, &interrupt, built_from)
    }

    fn compared(
        &self,
        paths: &[PathBuf; 2],
        class_paths: [Arc<ClassPath>; 2],
        changes: &Changes,
        scope: &Scope,
        interrupt: &Interrupt,
        built_from: Option<[PathBuf; 2]>,
    ) -> anyhow::Result<ExitCode> {
        let wanted = self.wanted(&paths[1], changes, &class_paths[1])?;
        // What `auto` takes may never be needed, and takes long.
        let is_at_once = |wanted: &&Wanted<'_>| !wanted.is_auto() || self.show_abstractions;
        let made = wanted.as_ref().filter(is_at_once).map(Wanted::make).transpose()?;
        made.iter().filter(|_| self.show_abstractions).for_each(Abstracted::show);
        let lines = RefCell::new(ChangedLines::between(changes, &class_paths[0], &class_paths[1]));
        let job = Job { command: self, paths, class_paths: &class_paths, scope, changes, interrupt, lines };
        let (mut concrete, method, plan) = job.versions(&[], &BTreeSet::new())?;
        let replay = Replay::install()?;
        let replayers = [self.replayer(&replay, &paths[0]), self.replayer(&replay, &paths[1])];
        if !self.is_silent() {
            show::scope(scope, changes);
        }
        let unseen = unseen(changes, &class_paths[0], &class_paths[1]);
        let observation = Observation { method: &method, call: ONE_CALL, unseen: &unseen };
        let mut confirmer = Confirmer { replayers: &replayers, observation, spec: &scope.spec, seen: Vec::new() };
        let is_one_program = changes.classes.is_empty() && differing_files(&paths[0], &paths[1]).is_empty();
        let random = match is_one_program {
            true => Ok(Compared::default()),
            false => self.random(&mut concrete.take(Side::New).machine, &plan, &confirmer),
        };
        let comparison = match &wanted {
            _ if is_one_program => Comparison::of_one_program(),
            None => job.compare(&mut concrete, self.timeout, &mut confirmer)?,
            Some(wanted) if wanted.is_auto() => job.compare_in_turn(&mut concrete, wanted, made, &mut confirmer)?,
            Some(wanted) => {
                let made = made.map_or_else(|| wanted.make(), Ok)?;
                job.compare_and_refine(&mut concrete, &made, &mut confirmer)?
            }
        };
        job.lines.borrow_mut().note(&concrete.version(Side::New).machine, &BTreeSet::new());
        let shown = Shown {
            paths: [&paths[0], &paths[1]],
            method: &method,
            scope,
            changes,
            comparison: &comparison,
            random: &random,
            seen: &confirmer.seen,
            time: self.timeout,
            changed_lines: job.lines.borrow().share(),
            sources: self.sources(built_from),
            graph: &class_graph(&class_paths[1]),
        };
        self.finish(&shown)
    }

    /// The abstract classes that were asked for.
    fn wanted<'a>(
        &'a self,
        version: &Path,
        changes: &'a Changes,
        class_path: &'a Arc<ClassPath>,
    ) -> anyhow::Result<Option<Wanted<'a>>> {
        if self.abstract_.is_empty() && self.abstractions.is_empty() {
            return Ok(None);
        }
        let entry = self.main.split('(').next().and_then(|name| name.rsplit_once('.')).map_or("", |(class, _)| class);
        Ok(Some(Wanted {
            classes: &self.abstract_,
            policy: self.policy.parse()?,
            by_hand: &self.abstractions,
            changes,
            class_path,
            entry,
            libraries: [version.to_owned()].into_iter().chain(self.classpath.iter().cloned()).collect(),
        }))
    }

    fn finish(&self, shown: &Shown<'_>) -> anyhow::Result<ExitCode> {
        if !self.is_silent() {
            show::comparison(shown);
        }
        if let Some(file) = &self.json {
            summary::write_json(file, &as_json::of(shown))?;
        }
        if let Some(file) = &self.report {
            summary::write_text(file, &report::page(shown))?;
            complain!("lapidary: the report is in {}", file.display());
        }
        let found_at_random = matches!(shown.random, Ok(Compared { found: Some(_), .. }));
        Ok(ExitCode::from(match shown.comparison.verdict {
            _ if found_at_random => exit::NEGATIVE,
            Verdict::Different => exit::NEGATIVE,
            Verdict::Equivalent => exit::DONE,
            Verdict::NoDifferenceFound if self.accept_restrictions => exit::DONE,
            Verdict::NoDifferenceFound => exit::RESTRICTED,
            Verdict::Unknown => exit::STOPPED,
        }))
    }

    /// The sources of both versions: those that were built, or those that the user names.
    fn sources(&self, built_from: Option<[PathBuf; 2]>) -> [Sources; 2] {
        match (built_from, &self.sources[..]) {
            _ if self.report.is_none() => [Sources::default(), Sources::default()],
            (_, [old, new]) => [Sources::below(old), Sources::below(new)],
            (Some([old, new]), _) => [Sources::below(&old), Sources::below(&new)],
            _ => [Sources::default(), Sources::default()],
        }
    }

    /// Whether standard output is for JSON alone.
    fn is_silent(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }

    /// Both versions; none if a signal came while they were built.
    fn built(&self, range: &str, cancel: &Cancel) -> anyhow::Result<Option<Built>> {
        let command = self.build.as_deref().context("--git needs --build")?;
        let (classes, time) = (&*self.classes, self.build_timeout);
        Built::from_repository(&Recipe { range, command, classes, time, cancel })
    }

    fn random(&self, machine: &mut Machine, plan: &Plan, confirmer: &Confirmer<'_>) -> Result<Compared, String> {
        let Confirmer { replayers: [old, new], observation, spec, .. } = *confirmer;
        // Random testing knows no tolerances.
        if self.fuzz_first.is_zero() || spec.numbers != Tolerance::Exact {
            return Ok(Compared::default());
        }
        let (call, time, seed) = (RANDOM_CALL, self.fuzz_first, self.seed);
        let comparer = RandomComparer { old, new, observation, call, time, seed, spec };
        let compared = comparer.compare(machine, plan).map_err(|error| error.to_string());
        if let (Ok(Compared { found: Some((inputs, ..)), .. }), false) = (&compared, self.is_silent()) {
            say!("random testing found a difference for {}", show::call(observation.method, inputs));
        }
        compared
    }
}

/// How long a call of the real machine may take, and how long if there are many others to make.
const ONE_CALL: Duration = Duration::from_secs(10);
const RANDOM_CALL: Duration = Duration::from_millis(500);
