//! `lapidary explore`: what a Java method can do, and on which inputs.

use crate::say::{complain, say};
use crate::{budget, exit, summary};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use lapidary_java_workers::Replay;
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{
    Budget, Covered, Explored, Limit, Limits, Machine, MathFunctions, Message, Method, NoEntry, Outcome, PathEnd,
    Replayer, ReturnValue, State, explore, search,
};
use lapidary_terms::Config;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
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
    #[arg(long, value_name = "N", default_value_t = 4)]
    bound: usize,

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
}

/// What the command adds up while paths come in.
#[derive(Default)]
struct Tally {
    paths: Vec<Value>,
    findings: u64,
    unconfirmed: u64,
    unsupported: u64,
}

impl Explore {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let mut machine = self.machine()?;
        let method = self.method(&mut machine)?;
        let entry = machine.entry(&method).map_err(|problem| anyhow!("{}", no_entry(&method, &problem)))?;
        let replayer = self.replayer()?;
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
        self.finish(&machine, &explored, &tally)
    }

    fn machine(&self) -> anyhow::Result<Machine> {
        let platform = Platform::installed().context("exploring needs the classes of a JDK")?;
        let mut paths = vec![self.input.clone()];
        paths.extend(self.classpath.iter().cloned());
        let class_path = Arc::new(ClassPath::open(&paths, Some(platform))?);
        let hierarchy = Arc::new(Hierarchy::new([], class_path));
        let solver = Config { functions: Arc::new(MathFunctions), ..Config::default() }.build()?;
        Ok(Machine::new(hierarchy, Box::new(solver), Limits { array_length: self.bound, ..Limits::default() }))
    }

    fn replayer(&self) -> anyhow::Result<Replayer> {
        let replay = Replay::install()?;
        let mut class_path = vec![replay.classes, self.input.clone()];
        class_path.extend(self.classpath.iter().cloned());
        Ok(Replayer { java: replay.java, class_path, timeout: Duration::from_secs(10) })
    }

    /// The method that `--main` names.
    fn method(&self, machine: &mut Machine) -> anyhow::Result<Rc<Method>> {
        let (name, descriptor) = self.main.find('(').map_or((self.main.as_str(), None), |at| {
            let (name, descriptor) = self.main.split_at(at);
            (name, Some(descriptor))
        });
        let (class, name) =
            name.rsplit_once('.').with_context(|| format!("--main {}: CLASS.METHOD is expected", self.main))?;
        let loaded = machine.world.class_named(&class.replace('.', "/"));
        let loaded = loaded.map_err(|missing| {
            anyhow!("there is no class {} in {}", missing.0.as_str().replace('/', "."), self.input.display())
        })?;
        let hierarchy = machine.world.hierarchy.clone();
        let fits = |method: &lapidary_classfile::Method| {
            method.name == *name && descriptor.is_none_or(|wanted| method.descriptor == *wanted)
        };
        let found: Vec<_> = hierarchy.declared_methods(loaded.id).filter(|id| fits(hierarchy.method(*id))).collect();
        match found[..] {
            [only] => Ok(machine.world.method(only)),
            [] => bail!("class {class} has no method {name}{}", descriptor.unwrap_or_default()),
            _ => {
                let all: Vec<String> =
                    found.iter().map(|id| format!("{class}.{name}{}", hierarchy.method(*id).descriptor)).collect();
                bail!("several methods are called {class}.{name}; say which: --main '{}'", all.join("', '"))
            }
        }
    }

    fn path(&self, tally: &mut Tally, replayer: &Replayer, method: &Method, path: &PathEnd) {
        let is_finding = matches!(path.outcome, Outcome::Threw { .. });
        tally.unsupported += u64::from(matches!(path.outcome, Outcome::Unsupported { .. } | Outcome::TooLong));
        let difference = if is_finding { self.difference(replayer, method, path) } else { None };
        if is_finding && difference.is_none() {
            tally.findings += 1;
        }
        tally.unconfirmed += u64::from(difference.is_some());
        if self.json.as_deref() != Some(std::path::Path::new("-")) && (is_finding || !self.findings) {
            let mark = if is_finding && difference.is_none() { "finding  " } else { "" };
            say!("{mark}{}", line(path));
            path.stdout.lines().for_each(|text| say!("    | {text}"));
            if let Some(difference) = &difference {
                say!("    not confirmed: {difference}");
            }
        }
        if self.json.is_some() {
            tally.paths.push(as_json(path, is_finding, difference.as_deref()));
        }
    }

    fn difference(&self, replayer: &Replayer, method: &Method, path: &PathEnd) -> Option<String> {
        match replayer.replay(method, path) {
            Ok(replayed) => replayed.difference(path),
            Err(error) => Some(format!("the replay failed: {error}")),
        }
    }

    fn finish(&self, machine: &Machine, explored: &Explored, tally: &Tally) -> anyhow::Result<ExitCode> {
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
            "unconfirmed": tally.unconfirmed,
            "unsupported": tally.unsupported,
            "instructions": machine.counts.instructions,
            "queries": queries,
            "seconds": explored.elapsed.as_secs_f64(),
            "each": tally.paths,
        });
        if self.json.as_deref() != Some(std::path::Path::new("-")) {
            self.tell(explored, tally, machine.counts.instructions, queries);
            tell_covered(&covered);
        }
        self.json.as_ref().map_or(Ok(()), |path| summary::write_json(path, &summary))?;
        Ok(ExitCode::from(match (tally.findings, explored.exhausted) {
            (0, true) => exit::DONE,
            (0, false) => exit::STOPPED,
            _ => exit::NEGATIVE,
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
        if explored.left_waiting > 0 {
            complain!("lapidary: {} paths were still waiting when {}", explored.left_waiting, reached(explored));
        }
        if tally.unsupported > 0 {
            complain!("lapidary: {} paths needed something that is not supported", tally.unsupported);
        }
        if explored.undecided > 0 {
            complain!(
                "lapidary: the solver could not decide {} conditions; the other way out of them was not taken",
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
        Some(Limit::Memory) => "the memory was used up; see --memory",
    }
}

fn line(path: &PathEnd) -> String {
    let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
    format!("({}) {}", inputs.join(", "), outcome(&path.outcome))
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned(None) => "returns".to_owned(),
        Outcome::Returned(Some(value)) => format!("returns {}", shown(value)),
        Outcome::Threw { class, message, trace } => {
            let at = trace.first().map_or(String::new(), |place| format!(" at {place}"));
            match message {
                Message::Text(text) => format!("throws {class}: {text}{at}"),
                Message::None | Message::Unknown => format!("throws {class}{at}"),
            }
        }
        Outcome::Exited(code) => format!("exits with {code}"),
        Outcome::Unsupported { what, at } => {
            format!("is not supported: {what}{}", at.as_ref().map_or(String::new(), |at| format!(" at {at}")))
        }
        Outcome::TooLong => "runs too long".to_owned(),
    }
}

fn shown(value: &ReturnValue) -> String {
    match value {
        ReturnValue::Number(lapidary_symbolic::Number::Integer(number)) => number.to_string(),
        ReturnValue::Number(lapidary_symbolic::Number::Float(number)) => format!("{number:?}"),
        ReturnValue::Number(lapidary_symbolic::Number::Double(number)) => format!("{number:?}"),
        ReturnValue::Null => "null".to_owned(),
        ReturnValue::Text(text) => {
            format!("\"{}\"", lapidary_symbolic::escaped(&text.encode_utf16().collect::<Vec<_>>(), '"'))
        }
        ReturnValue::Array(values) => format!("[{}]", values.iter().map(shown).collect::<Vec<_>>().join(", ")),
        ReturnValue::Object(class) => format!("an object of {class}"),
    }
}

fn as_json(path: &PathEnd, is_finding: bool, difference: Option<&str>) -> Value {
    let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
    json!({
        "inputs": inputs,
        "outcome": outcome(&path.outcome),
        "stdout": path.stdout,
        "stderr": path.stderr,
        "finding": is_finding && difference.is_none(),
        "unconfirmed": difference,
        "instructions": path.instructions,
        "conditions": path.conditions,
    })
}

fn no_entry(method: &Method, problem: &NoEntry) -> String {
    match problem {
        NoEntry::Parameter(type_) => format!(
            "{method} takes a {type_}, of which nothing but null can be made; docs/guide/explore.md lists what can be an input"
        ),
        NoEntry::Receiver(class) => format!("{method} needs an object of {class}, and none can be made"),
        NoEntry::NotAMethod => format!("{method} is not a method; choose one that calls it"),
    }
}
