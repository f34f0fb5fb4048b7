//! `lapidary explore`: what a Java method can do, and on which inputs.

mod random;
pub mod show;
pub mod signals;
mod summing;
mod tally;
pub mod target;

use crate::say::say;
use crate::{budget, exit, summary};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use lapidary_java_workers::Replay;
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{
    Aliases, Budget, Limits, Machine, MathFunctions, Method, ObjectsBy, PathEnd, Plan, RandomTester, Replayer, Source,
    State, explore, is_main, search,
};
use lapidary_terms::{Config, Interrupt};
use random::Random;
use std::fs::OpenOptions;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use summing::End;
use tally::{Tally, Verdict};

/// List what a Java method can do, and on which inputs.
///
/// The method runs on symbols instead of numbers, and every path through it is taken. For each path there is an input that takes it, with
/// what the method then returns, throws or prints. Exceptions that leave the method and failed assertions are findings; each is tried on the
/// real JVM before it is reported.
///
///   lapidary explore app.jar --main shop.Prices.total
///   lapidary explore classes/ --main Main.parse --search coverage --timeout 120
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Explore {
    /// A jar, or a directory of classes.
    input: PathBuf,

    /// The method to begin with: CLASS.METHOD, with its descriptor behind it where several have the name.
    #[arg(long, value_name = "METHOD")]
    main: String,

    /// Directories and jars with the classes that the program uses, separated by `:`.
    #[arg(long, value_name = "PATHS", value_delimiter = ':')]
    classpath: Vec<PathBuf>,

    /// Which of the waiting paths goes on next.
    #[arg(long, value_name = "NAME", default_value = "fair", value_parser = search::NAMES)]
    search: String,

    /// How long to explore, as in 90s or 5m.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = budget::timeout)]
    timeout: Duration,

    /// Longest text or array that is an input.
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1000))]
    bound: usize,

    /// How deep objects that are inputs refer to others.
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,

    /// How objects of the program's classes are made: each field an input, or by a constructor.
    #[arg(long, value_name = "HOW", default_value = "fields", value_parser = ["fields", "constructors"])]
    objects: String,

    /// Which inputs may be one and the same object.
    #[arg(long, value_name = "WHICH", default_value = "arguments", value_parser = Aliases::NAMES)]
    aliases: String,

    /// Let the arguments of `main` be symbols; else they are those behind `--`.
    #[arg(long)]
    symbolic_args: bool,

    /// Test with random inputs for so long first; 0 switches it off.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = fuzz_time)]
    fuzz_first: Duration,

    /// Make at most so many random calls, so that a run on another machine makes the same.
    #[arg(long, value_name = "N")]
    fuzz_calls: Option<u64>,

    /// Stop after so many paths.
    #[arg(long, value_name = "N")]
    paths: Option<u64>,

    /// Let paths that part at a branch and meet again become one. Fewer paths, harder questions for the solver.
    #[arg(long)]
    merge: bool,

    /// Stop when the process holds so many gigabytes.
    #[arg(long, value_name = "GB", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,

    /// Show findings and the summary only.
    #[arg(long)]
    findings: bool,

    /// Seed for everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Write everything as JSON to this file; - for standard output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// The arguments of `main`.
    #[arg(last = true, value_name = "ARGS", conflicts_with = "symbolic_args")]
    arguments: Vec<String>,
}

impl Explore {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let interrupt = Interrupt::default();
        signals::interrupt_on_signal(interrupt.clone()).context("cannot listen for signals")?;
        let mut machine = self.machine(interrupt)?;
        let method = target::method(&mut machine, &self.main, &self.input)?;
        self.check_arguments(&method)?;
        self.check_output()?;
        let arguments = (!self.symbolic_args).then_some(&self.arguments[..]);
        let plan =
            machine.plan(&method, arguments).map_err(|problem| anyhow!("{}", target::no_entry(&method, &problem)))?;
        let replayer = self.replayer()?;
        let random = Random::run(&mut machine, &method, &plan, &self.tester(&replayer, &plan));
        if !self.is_silent() {
            random.show(&method);
        }
        let entry = machine.entry_for(&method, &plan);
        let mut state = State::new();
        machine.start(&mut state, &entry, &[]);
        let mut search = search::named(&self.search, self.seed).context("no such search")?;
        machine.merging.is_on = self.merge;
        let budget = Budget {
            time: self.timeout,
            paths: self.paths.unwrap_or(u64::MAX),
            memory: self.memory.saturating_mul(1 << 30),
            ..Budget::default()
        };
        let mut tally = Tally::default();
        let explored = explore(&mut machine, state, &mut *search, &budget, &mut |path| {
            self.path(&mut tally, &replayer, &method, path)
        });
        self.finish(&End { machine: &machine, method: &method, explored: &explored, tally: &tally, random: &random })
    }

    fn machine(&self, interrupt: Interrupt) -> anyhow::Result<Machine> {
        if self.input.extension().is_some_and(|extension| extension == "class" || extension == "java") {
            bail!("{}: give the directory that has the classes, or a jar, and not a single file", self.input.display());
        }
        let platform = Platform::installed().context("exploring needs the classes of a JDK")?;
        let mut paths = vec![self.input.clone()];
        paths.extend(self.classpath.iter().cloned());
        let class_path = Arc::new(ClassPath::open(&paths, Some(platform))?);
        let hierarchy = Arc::new(Hierarchy::new([], class_path));
        let functions = Arc::new(MathFunctions);
        let solver = Config { functions, interrupt: interrupt.clone(), ..Config::default() }.build()?;
        let aliases = Aliases::named(&self.aliases);
        let limits = Limits { array_length: self.bound, object_depth: self.depth, aliases, ..Limits::default() };
        let mut machine = Machine::new(hierarchy, Box::new(solver), limits);
        machine.interrupt = interrupt;
        machine.reads_texts_late = true;
        if self.objects == "constructors" {
            machine.kinds.objects_by = ObjectsBy::Constructors;
        }
        Ok(machine)
    }

    /// Whether standard output is for JSON alone.
    fn is_silent(&self) -> bool {
        self.json.as_deref() == Some(std::path::Path::new("-"))
    }

    fn check_arguments(&self, method: &Method) -> anyhow::Result<()> {
        let given = if self.symbolic_args { "--symbolic-args is" } else { "arguments behind -- are" };
        if (self.symbolic_args || !self.arguments.is_empty()) && !is_main(method) {
            bail!("{given} for `static void main(String[])`, and {method} is another method");
        }
        Ok(())
    }

    /// Whether the JSON can be written where it is wanted: better now than after the run.
    fn check_output(&self) -> anyhow::Result<()> {
        let Some(path) = self.json.as_ref().filter(|_| !self.is_silent()) else { return Ok(()) };
        let opened = OpenOptions::new().append(true).create(true).open(path);
        opened.map(drop).with_context(|| format!("cannot write {}", path.display()))
    }

    fn tester(&self, replayer: &Replayer, plan: &Plan) -> RandomTester {
        let call = (self.fuzz_first / 2).clamp(Duration::from_millis(250), Duration::from_secs(2));
        // Where nothing but the program itself can ask for values, every call is much the same.
        let most = if plan.sources.iter().all(|source| matches!(source, Source::Texts(_))) { 32 } else { u64::MAX };
        let calls = self.fuzz_calls.unwrap_or(most);
        RandomTester { replayer: replayer.clone(), time: self.fuzz_first, calls, call, seed: self.seed }
    }

    fn replayer(&self) -> anyhow::Result<Replayer> {
        let replay = Replay::install()?;
        let mut class_path = vec![replay.classes, self.input.clone()];
        class_path.extend(self.classpath.iter().cloned());
        Ok(Replayer { java: replay.java, class_path, timeout: Duration::from_secs(10) })
    }

    fn path(&self, tally: &mut Tally, replayer: &Replayer, method: &Method, path: &PathEnd) {
        let (verdict, path) = tally.judge(replayer, method, path);
        let is_new = matches!(verdict, Verdict::Finding | Verdict::Unconfirmed(_));
        if !self.is_silent() && (is_new || !self.findings) {
            say!("{}{}", verdict.mark(), show::line(method, &path));
            show::printed(&path.stdout);
            if let Verdict::Unconfirmed(difference) = &verdict {
                say!("    not confirmed: {difference}");
            }
        }
        if self.json.is_some() {
            tally.paths.push(show::as_json(method, &path, &verdict));
        }
    }

    fn finish(&self, end: &End<'_>) -> anyhow::Result<ExitCode> {
        if !self.is_silent() {
            end.tell();
        }
        self.json.as_ref().map_or(Ok(()), |path| summary::write_json(path, &end.as_json()))?;
        let is_negative = end.tally.findings > 0 || !end.random.keys().is_empty();
        Ok(ExitCode::from(match (is_negative, end.is_exhausted() && end.tally.unconfirmed == 0) {
            (true, _) => exit::NEGATIVE,
            (false, true) => exit::DONE,
            (false, false) => exit::STOPPED,
        }))
    }
}

/// Seconds, or a duration with a unit; none at all is allowed.
pub fn fuzz_time(text: &str) -> Result<Duration, String> {
    if text == "0" { Ok(Duration::ZERO) } else { budget::timeout(text) }
}
