//! Measures the engine's own time: one strategy on a synthetic model with a test that costs
//! nothing.
//!
//! Reads its configuration from `NAME=VALUE` arguments and prints one JSON object.
//! `bench/engine/run` starts a process for each configuration, so that the peak memory is that of
//! the configuration.

#[path = "engine/synthetic.rs"]
mod synthetic;

use lapidary_logic::VarSet;
use lapidary_reduce::strategy::{NAMES, named};
use lapidary_reduce::{
    Counts, Event, Limits, Model, Observer, Outcome, Plan, Session, Source, Stage, StageInfo, Stop, run,
};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};
use synthetic::{Kind, Synthetic, Test};

const USAGE: &str = "usage: engine names | engine strategy=NAME items=N needed=K [kind=all|noisy] [jobs=N] \
                     [sleep=MICROSECONDS] [limit=SECONDS] [seed=N]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["names"] {
        NAMES.iter().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    match Configuration::parse(&arguments) {
        Ok(configuration) => {
            println!("{}", configuration.measure());
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

struct Configuration {
    strategy: String,
    items: usize,
    needed: usize,
    kind: Kind,
    jobs: usize,
    sleep: Duration,
    limit: Duration,
    seed: u64,
}

impl Configuration {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut result = Configuration {
            strategy: String::new(),
            items: 0,
            needed: 1,
            kind: Kind::All,
            jobs: 1,
            sleep: Duration::ZERO,
            limit: Duration::from_secs(30),
            seed: 1,
        };
        for argument in arguments {
            let (name, value) = argument.split_once('=').ok_or_else(|| format!("{argument} is not NAME=VALUE"))?;
            result.set(name, value)?;
        }
        if named(&result.strategy).is_none() {
            return Err(format!("there is no strategy {:?}", result.strategy));
        }
        if result.needed > result.items.min(synthetic::MOST_NEEDED) {
            return Err(format!("{} of {} items cannot be needed", result.needed, result.items));
        }
        Ok(result)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "strategy" => self.strategy = value.to_owned(),
            "items" => self.items = number(name, value)?,
            "needed" => self.needed = number(name, value)?,
            "kind" => self.kind = Kind::named(value).ok_or_else(|| format!("there is no kind {value:?}"))?,
            "jobs" => self.jobs = number(name, value)?,
            "sleep" => self.sleep = Duration::from_micros(number(name, value)?),
            "limit" => self.limit = Duration::from_secs_f64(number(name, value)?),
            "seed" => self.seed = number(name, value)?,
            _ => return Err(format!("there is no setting {name:?}")),
        }
        Ok(())
    }

    /// Runs one reduction and returns the measurements.
    fn measure(&self) -> Value {
        let mut model = Synthetic::new(self.items, self.needed, self.seed);
        // All other strategies propose valid candidates only, so their tests need not check.
        model.check_validity(self.strategy == "ddmin");
        let test = Test::new(self.kind, self.needed, self.sleep);
        let input = model.render(&VarSet::full(self.items)).expect("every set renders");
        model.clock().reset();
        let stage = Stage {
            name: "synthetic".into(),
            source: Source::Fixed(&model),
            strategy: named(&self.strategy).expect("the name was checked"),
            steered: false,
        };
        let plan = Plan { stages: vec![stage], ..Plan::default() };
        let started = Instant::now();
        let limits = Limits { jobs: self.jobs, deadline: Some(started + self.limit), ..Limits::default() };
        let mut watch = Preparation { since: started, took: Duration::ZERO };
        let mut session = Session::new(input, &test, limits, &mut watch);
        let outcome = run(&mut session, &plan);
        let total = started.elapsed();
        let counts = session.counts();
        drop(session);
        json!({
            "clauses": model.constraint().len(),
            "not_edges": model.constraint().clauses().filter(|clause| !clause.is_edge()).count(),
            "ended": ending(&outcome),
            "rounds": outcome.rounds,
            "search": counts.search,
            "confirm": counts.confirm,
            "run": counts.run,
            "cached": counts.cached,
            "left": outcome.kept.map(|kept| kept.len()),
            "seconds": total.as_secs_f64(),
            "in_tests": test.clock().total().as_secs_f64(),
            "in_render": model.clock().total().as_secs_f64(),
            "prepare": watch.took.as_secs_f64(),
            "peak_mib": peak_memory_mib(),
        })
    }
}

fn number<T: FromStr>(name: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{name} is a number, not {value:?}"))
}

fn ending(outcome: &Outcome) -> String {
    match &outcome.stop {
        None => "done".to_owned(),
        Some(Stop::Budget) => "limit".to_owned(),
        Some(stop) => stop.to_string(),
    }
}

/// Sums up the time before the strategy of each round begins, since the start or since the last
/// test of the round before. In that time the formula is copied, ordered and indexed.
struct Preparation {
    since: Instant,
    took: Duration,
}

impl Observer for Preparation {
    fn stage(&mut self, _: &StageInfo<'_>) -> Result<(), String> {
        self.took += self.since.elapsed();
        Ok(())
    }

    fn test(&mut self, _: &Event<'_>, _: &Counts) -> Result<(), String> {
        self.since = Instant::now();
        Ok(())
    }
}

/// The peak memory of this process according to Linux.
fn peak_memory_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}
