//! Explores one method and prints its cost as `name=value` pairs on one line. Run by
//! bench/symbolic.
//!
//!   measure CLASSPATH CLASS.METHOD [bound=3] [search=fair] [seconds=20] [states=100000]
//!           [merge=on] [folding=off] [independence=off] [cache=off] [guessing=off]
//!           [replay=CLASSES] [random=SECONDS]
//!
//! With `replay`, the compiled classes of workers/replay, the random tester is measured instead.

use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{
    ExplorationBudget, Explored, Machine, MathFunctions, Method, Outcome, PathEnd, PathLimits, RandomTester, Replayer,
    State, explore, search,
};
use lapidary_terms::Config;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [class_path, main, options @ ..] = &arguments[..] else { panic!("CLASSPATH and CLASS.METHOD are needed") };
    let options = Options(options.iter().filter_map(|option| option.split_once('=')).collect());
    let begin = Instant::now();
    let mut machine = machine(class_path, &options);
    let method = method(&mut machine, main);
    if let Some(replay) = options.0.get("replay") {
        return random(&mut machine, &method, class_path, replay, &options);
    }
    let before = held("VmRSS:");
    let mut seen = Seen::default();
    let explored = run(&mut machine, &method, &options, &mut |path| seen.note(path, begin));
    report(&machine, &explored, &seen, before);
}

struct Options<'a>(HashMap<&'a str, &'a str>);

impl Options<'_> {
    fn number(&self, name: &str, default: u64) -> u64 {
        self.0.get(name).map_or(default, |text| text.parse().expect("a number"))
    }

    fn is_on(&self, name: &str, default: bool) -> bool {
        self.0.get(name).map_or(default, |text| *text == "on")
    }
}

/// A summary of the paths.
#[derive(Default)]
struct Seen {
    first: Option<Duration>,
    exceptions: BTreeSet<String>,
    unsupported: BTreeSet<String>,
}

impl Seen {
    fn note(&mut self, path: &PathEnd, begin: Instant) {
        self.first.get_or_insert_with(|| begin.elapsed());
        self.exceptions.extend(exception(path));
        if let Outcome::Unsupported { what, .. } = &path.outcome {
            self.unsupported.insert(what.clone());
        }
    }
}

/// The exception of a path and where it was thrown.
fn exception(path: &PathEnd) -> Option<String> {
    match &path.outcome {
        Outcome::Threw { class, trace, .. } => {
            Some(format!("{class} at {}", trace.first().map_or("?", String::as_str)))
        }
        _ => None,
    }
}

fn machine(class_path: &str, options: &Options) -> Machine {
    let paths: Vec<_> = class_path.split(':').map(Into::into).collect();
    let class_path = ClassPath::open(&paths, Platform::installed().ok()).expect("a class path");
    let config = Config {
        folding: options.is_on("folding", true),
        independence: options.is_on("independence", true),
        cache: options.is_on("cache", true),
        guessing: options.is_on("guessing", true),
        functions: Arc::new(MathFunctions),
        ..Config::default()
    };
    let limits = PathLimits { array_length: options.number("bound", 3) as usize, ..PathLimits::default() };
    let solver = config.build().expect("a solver");
    let mut machine = Machine::new(Arc::new(Hierarchy::new([], Arc::new(class_path))), Box::new(solver), limits);
    machine.config.merges = options.is_on("merge", false);
    machine
}

fn method(machine: &mut Machine, main: &str) -> Rc<Method> {
    let (main, descriptor) = main.find('(').map_or((main, None), |at| (&main[..at], Some(&main[at..])));
    let (class, name) = main.rsplit_once('.').expect("CLASS.METHOD");
    let class = machine.world.class_named(&class.replace('.', "/")).expect("a class");
    let hierarchy = machine.world.hierarchy.clone();
    let found = hierarchy.declared_methods(class.id).find(|id| {
        let method = hierarchy.method(*id);
        method.name == *name && descriptor.is_none_or(|wanted| method.descriptor == *wanted)
    });
    machine.world.method(found.expect("a method"))
}

fn run(machine: &mut Machine, method: &Rc<Method>, options: &Options, on_path: &mut dyn FnMut(&PathEnd)) -> Explored {
    let mut state = State::new();
    let entry = machine.entry(method).expect("an entry");
    machine.start(&mut state, &entry, &[]);
    let name = options.0.get("search").copied().unwrap_or("fair");
    let mut search = search::named(name, 1).expect("a search strategy");
    let budget = ExplorationBudget {
        time: Duration::from_secs(options.number("seconds", 20)),
        states: options.number("states", 100_000) as usize,
        ..ExplorationBudget::default()
    };
    explore(machine, state, &mut *search, &budget, on_path)
}

fn random(machine: &mut Machine, method: &Rc<Method>, class_path: &str, replay: &str, options: &Options) {
    let class_path = class_path.split(':').chain([replay]).map(Into::into).collect();
    let replayer = Replayer { java: "java".into(), class_path, timeout: Duration::from_secs(10), sandbox: None };
    let time = Duration::from_secs(options.number("random", 1));
    let tester = RandomTester { replayer, time, calls: u64::MAX, call: Duration::from_millis(500), seed: 0 };
    let plan = machine.plan(method, None).expect("inputs");
    let tested = tester.test(machine, method, &plan).expect("a real machine");
    let found: BTreeSet<String> = tested.found.iter().filter_map(exception).collect();
    println!("paths={} exceptions={} seconds={:.3}", tested.calls, found.len(), tested.elapsed.as_secs_f64());
    found.iter().for_each(|what| eprintln!("  {what}"));
}

fn report(machine: &Machine, explored: &Explored, seen: &Seen, before: u64) {
    let statistics = machine.solver.statistics();
    let asked = |layer: Option<&lapidary_terms::LayerCounts>| layer.map_or(0, |layer| layer.queries);
    let covered = machine.covered();
    println!(
        "paths={} exhausted={} merged={} undecided={} unsupported={} exceptions={} instructions={} forks={} queries={} \
         solver_queries={} solver_seconds={:.3} most_waiting={} left_waiting={} mib_before={before} mib_most={} terms={} \
         lines={}/{} branches={}/{} first_path={:.3} seconds={:.3} cpu_seconds={:.3}",
        explored.paths,
        explored.exhausted,
        explored.merged,
        explored.undecided,
        seen.unsupported.len(),
        seen.exceptions.len(),
        machine.counts.instructions,
        machine.counts.forks,
        asked(statistics.0.first()),
        asked(statistics.0.last()),
        statistics.0.last().map_or(0.0, |layer| layer.time.as_secs_f64()),
        explored.most_waiting,
        explored.left_waiting,
        held("VmHWM:"),
        machine.terms.size(),
        covered.lines.reached,
        covered.lines.total,
        covered.branches.reached,
        covered.branches.total,
        seen.first.map_or(0.0, |first| first.as_secs_f64()),
        explored.elapsed.as_secs_f64(),
        processor_seconds(),
    );
    seen.exceptions.iter().chain(&seen.unsupported).for_each(|what| eprintln!("  {what}"));
}

/// The processor time of this thread, which includes the time in Z3 and excludes other programs.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
}

/// A field of `/proc/self/status` with a size, in MiB.
fn held(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}
