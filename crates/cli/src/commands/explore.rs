//! `lapidary explore`: what a Java method can do, and on which inputs.

mod random;
mod show;
mod signals;
mod target;

use crate::say::{complain, say};
use crate::{budget, exit, summary};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use lapidary_java_workers::Replay;
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{
    Aliases, Budget, Covered, Explored, Limit, Limits, Machine, MathFunctions, Message, Method, ObjectsBy, Outcome,
    PathEnd, RandomTester, Replayer, State, explore, is_main, search,
};
use lapidary_terms::{Config, Interrupt};
use random::Random;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

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
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1000))]
    bound: usize,

    /// How deep objects that are inputs refer to others.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,

    /// How objects of the program's classes are made: each field an input, or by a constructor.
    #[arg(long, value_name = "HOW", default_value = "fields", value_parser = ["fields", "constructors"])]
    objects: String,

    /// Which inputs may be one and the same object.
    #[arg(long, value_name = "WHICH", default_value = "arguments", value_parser = ["none", "arguments", "all"])]
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
    #[arg(long, value_name = "GB", default_value_t = 8)]
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

/// The same exception at the same place is replayed so often; a real machine takes longer to start than most paths to be found.
const REPLAYS: u64 = 3;

/// What the command adds up while paths come in.
#[derive(Default)]
struct Tally {
    paths: Vec<Value>,
    findings: u64,
    unconfirmed: u64,
    unsupported: u64,
    /// The exceptions that were confirmed, and how often.
    keys: BTreeMap<random::Key, u64>,
    /// Exceptions that were confirmed so often that they were not replayed again.
    repeated: u64,
    /// Classes that the program needs and that are not there.
    missing: BTreeSet<String>,
}

/// What a path is to the user.
enum Verdict {
    /// It ends as programs do.
    Ordinary,
    /// It throws an exception, and the real machine does so too.
    Finding,
    /// It throws an exception that was found often enough before.
    Repeated,
    /// The real machine does something else.
    Unconfirmed(String),
}

impl Verdict {
    fn mark(&self) -> &'static str {
        match self {
            Verdict::Finding => "finding  ",
            Verdict::Repeated => "again    ",
            Verdict::Ordinary | Verdict::Unconfirmed(_) => "",
        }
    }
}

impl Tally {
    fn note(&mut self, path: &PathEnd, verdict: &Verdict) {
        match verdict {
            Verdict::Ordinary => {}
            Verdict::Finding => {
                self.findings += 1;
                random::key(path).into_iter().for_each(|key| *self.keys.entry(key).or_default() += 1);
            }
            Verdict::Repeated => self.repeated += 1,
            Verdict::Unconfirmed(_) => self.unconfirmed += 1,
        }
    }

    fn confirmed(&self) -> BTreeSet<random::Key> {
        self.keys.keys().cloned().collect()
    }
}

impl Explore {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let interrupt = Interrupt::default();
        signals::interrupt_on_signal(interrupt.clone()).context("cannot listen for signals")?;
        let mut machine = self.machine(interrupt)?;
        let method = target::method(&mut machine, &self.main, &self.input)?;
        if !self.arguments.is_empty() && !is_main(&method) {
            bail!("arguments behind -- are for `static void main(String[])`, and {method} is another method");
        }
        let arguments = (!self.symbolic_args).then_some(&self.arguments[..]);
        let plan =
            machine.plan(&method, arguments).map_err(|problem| anyhow!("{}", target::no_entry(&method, &problem)))?;
        let replayer = self.replayer()?;
        let random = Random::run(&mut machine, &method, &plan, &self.tester(&replayer));
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
        self.finish(&machine, &method, &explored, &tally, &random)
    }

    fn machine(&self, interrupt: Interrupt) -> anyhow::Result<Machine> {
        let platform = Platform::installed().context("exploring needs the classes of a JDK")?;
        let mut paths = vec![self.input.clone()];
        paths.extend(self.classpath.iter().cloned());
        let class_path = Arc::new(ClassPath::open(&paths, Some(platform))?);
        let hierarchy = Arc::new(Hierarchy::new([], class_path));
        let functions = Arc::new(MathFunctions);
        let solver = Config { functions, interrupt: interrupt.clone(), ..Config::default() }.build()?;
        let aliases = match self.aliases.as_str() {
            "none" => Aliases::None,
            "all" => Aliases::All,
            _ => Aliases::Arguments,
        };
        let limits = Limits { array_length: self.bound, object_depth: self.depth, aliases, ..Limits::default() };
        let mut machine = Machine::new(hierarchy, Box::new(solver), limits);
        machine.interrupt = interrupt;
        if self.objects == "constructors" {
            machine.kinds.objects_by = ObjectsBy::Constructors;
        }
        Ok(machine)
    }

    /// Whether standard output is for JSON alone.
    fn is_silent(&self) -> bool {
        self.json.as_deref() == Some(std::path::Path::new("-"))
    }

    fn tester(&self, replayer: &Replayer) -> RandomTester {
        let call = (self.fuzz_first / 2).clamp(Duration::from_millis(250), Duration::from_secs(2));
        let calls = self.fuzz_calls.unwrap_or(u64::MAX);
        RandomTester { replayer: replayer.clone(), time: self.fuzz_first, calls, call, seed: self.seed }
    }

    fn replayer(&self) -> anyhow::Result<Replayer> {
        let replay = Replay::install()?;
        let mut class_path = vec![replay.classes, self.input.clone()];
        class_path.extend(self.classpath.iter().cloned());
        Ok(Replayer { java: replay.java, class_path, timeout: Duration::from_secs(10) })
    }

    fn path(&self, tally: &mut Tally, replayer: &Replayer, method: &Method, path: &PathEnd) {
        if let Some(class) = missing_class(path) {
            tally.missing.insert(class);
        }
        tally.unsupported += u64::from(matches!(path.outcome, Outcome::Unsupported { .. } | Outcome::TooLong));
        let verdict = self.verdict(tally, replayer, method, path);
        tally.note(path, &verdict);
        if !self.is_silent() && (!matches!(verdict, Verdict::Ordinary) || !self.findings) {
            say!("{}{}", verdict.mark(), show::line(method, path));
            path.stdout.lines().for_each(|text| say!("    | {text}"));
            if let Verdict::Unconfirmed(difference) = &verdict {
                say!("    not confirmed: {difference}");
            }
        }
        if self.json.is_some() {
            tally.paths.push(show::as_json(path, &verdict));
        }
    }

    fn verdict(&self, tally: &Tally, replayer: &Replayer, method: &Method, path: &PathEnd) -> Verdict {
        let Some(key) = random::key(path).filter(|_| missing_class(path).is_none()) else { return Verdict::Ordinary };
        if tally.keys.get(&key).is_some_and(|times| *times >= REPLAYS) {
            return Verdict::Repeated;
        }
        match replayer.replay(method, path) {
            Ok(replayed) => replayed.difference(path).map_or(Verdict::Finding, Verdict::Unconfirmed),
            Err(error) => Verdict::Unconfirmed(format!("the replay failed: {error}")),
        }
    }

    fn finish(
        &self,
        machine: &Machine,
        method: &Method,
        explored: &Explored,
        tally: &Tally,
        random: &Random,
    ) -> anyhow::Result<ExitCode> {
        let covered = machine.covered();
        let queries: u64 = machine.solver.statistics().0.first().map_or(0, |layer| layer.queries);
        let summary = json!({
            "command": "explore",
            "paths": explored.paths,
            "exhausted": explored.exhausted,
            "waiting": explored.left_waiting,
            "undecided": explored.undecided,
            "merged": explored.merged,
            "lines": { "reached": covered.lines.reached, "total": covered.lines.total },
            "branches": { "reached": covered.branches.reached, "total": covered.branches.total },
            "missed": covered.missed.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "findings": tally.findings,
            "repeated": tally.repeated,
            "unconfirmed": tally.unconfirmed,
            "unsupported": tally.unsupported,
            "missing": tally.missing,
            "random": random.as_json(method, &tally.confirmed()),
            "instructions": machine.counts.instructions,
            "queries": queries,
            "seconds": explored.elapsed.as_secs_f64(),
            "each": tally.paths,
        });
        if !self.is_silent() {
            self.tell(explored, tally, machine.counts.instructions, queries);
            tell_covered(&covered);
            random.tell(&tally.confirmed());
        }
        self.json.as_ref().map_or(Ok(()), |path| summary::write_json(path, &summary))?;
        let is_complete = explored.exhausted && tally.unconfirmed == 0 && tally.missing.is_empty();
        Ok(ExitCode::from(match (tally.findings > 0 || !random.keys().is_empty(), is_complete) {
            (true, _) => exit::NEGATIVE,
            (false, true) => exit::DONE,
            (false, false) => exit::STOPPED,
        }))
    }

    fn tell(&self, explored: &Explored, tally: &Tally, instructions: u64, queries: u64) {
        let reach = if explored.exhausted { "all of them" } else { "not all there are" };
        say!(
            "{} paths, {reach}; {} findings; {instructions} instructions, {queries} queries in {:.1} s",
            explored.paths,
            tally.findings,
            explored.elapsed.as_secs_f64()
        );
        if tally.repeated > 0 {
            say!("{} more paths throw what was confirmed {REPLAYS} times; they were not replayed", tally.repeated);
        }
        if explored.left_waiting > 0 {
            complain!("lapidary: {} paths were still waiting when {}", explored.left_waiting, reached(explored));
        }
        if tally.unsupported > 0 {
            complain!("lapidary: {} paths needed something that is not supported", tally.unsupported);
        }
        for class in &tally.missing {
            complain!("lapidary: class {class} is missing, so paths that need it are no findings; see --classpath");
        }
        if explored.undecided > 0 {
            complain!(
                "lapidary: {} conditions were not decided, by the solver or for a message that names an input; the other way \
                 out of them was not taken",
                explored.undecided
            );
        }
    }
}

fn tell_covered(covered: &Covered) {
    if covered.methods > 0 {
        let methods = if covered.methods == 1 { "method" } else { "methods" };
        let (lines, branches) = (covered.lines, covered.branches);
        say!("lines {lines}, branches {branches}, in {} {methods} of the program", covered.methods);
    }
    if !covered.missed.is_empty() {
        let missed: Vec<String> = covered.missed.iter().map(ToString::to_string).collect();
        say!("never run: {}", missed.join(", "));
    }
}

/// The limit that ended the exploration, and how to move it.
fn reached(explored: &Explored) -> &'static str {
    match explored.stopped_by {
        Some(Limit::Time) | None => "the time was over; see --timeout",
        Some(Limit::Paths) => "as many had ended as --paths says",
        Some(Limit::States) => "there were too many of them to keep; --search depth keeps fewer",
        Some(Limit::Interrupted) => "somebody interrupted",
        Some(Limit::Memory) => "the memory was used up; see --memory",
    }
}

/// The class that a path needed and that is not there.
fn missing_class(path: &PathEnd) -> Option<String> {
    match &path.outcome {
        Outcome::Threw { class, message: Message::Text(name), .. }
            if class == "java.lang.NoClassDefFoundError" && !name.starts_with("Could not initialize") =>
        {
            Some(name.replace('/', "."))
        }
        _ => None,
    }
}

/// Seconds, or a duration with a unit; none at all is allowed.
fn fuzz_time(text: &str) -> Result<Duration, String> {
    if text == "0" { Ok(Duration::ZERO) } else { budget::timeout(text) }
}
