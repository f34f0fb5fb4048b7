//! Checks explorations on the real JVM. Every path must end and print as predicted, and so enter
//! the predicted blocks, since every block prints a mark. If an exploration claims to be complete,
//! no random input may enter blocks in an order that no path has.

use super::batches::Worker;
use super::compared::bounds;
use super::record::{Judgement, Row, copy_all};
use anyhow::Context;
use lapidary_java_workers::Replay;
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{
    ExplorationBudget, Explored, Machine, MathFunctions, Method, Outcome, PathEnd, PathLimits, Replayer, State,
    explore, search,
};
use lapidary_terms::Config;
use lapidary_testkit::java::oracle::{Draws, place_of};
use lapidary_testkit::java::{Program, printed};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many random inputs are tried to find a missing path.
const INPUTS: usize = 400;

/// How many paths of one program are replayed.
const PATHS: u64 = 40;

pub fn batch(worker: &mut Worker<'_>, programs: Vec<(u64, Program)>, place: &Path) -> anyhow::Result<Vec<Row>> {
    let marked = |(seed, mut program): (u64, Program)| {
        program.style.has_marks = true;
        (seed, program)
    };
    let programs: Vec<(u64, Program)> = programs.into_iter().map(marked).collect();
    worker.oracle.compile(&programs.iter().map(|(_, program)| program).collect::<Vec<_>>(), place)?;
    let mut rows = Vec::new();
    for (seed, program) in &programs {
        if worker.is_over() {
            break;
        }
        rows.push(one(worker, *seed, program, &place_of(place, &program.name))?);
    }
    Ok(rows)
}

fn one(worker: &mut Worker<'_>, seed: u64, program: &Program, classes: &Path) -> anyhow::Result<Row> {
    let begin = Instant::now();
    let exploration = Exploration::of(worker, program, classes)?;
    let mut note = exploration.first_difference(&replayer(worker, classes, worker.options.cold)?)?;
    if note.is_some() && !worker.options.cold {
        // Some messages name the loader of a class.
        note = exploration.first_difference(&replayer(worker, classes, true)?)?;
    }
    if note.is_none() && exploration.explored.exhausted {
        note = exploration.missing_path(worker, seed, program, classes)?;
    }
    let judgement = match (&note, exploration.paths.is_empty()) {
        (Some(_), _) => Judgement::Wrong("another prediction"),
        (None, false) => Judgement::Right,
        (None, true) => Judgement::Open,
    };
    if let Some(note) = &note {
        keep(&worker.options.out, program, classes, note)?;
    }
    let explored = &exploration.explored;
    let why = if let Some(limit) = explored.stopped_by { format!("{limit:?}") } else { exploration.left_out() };
    Ok(Row {
        program: program.name.clone(),
        kind: "explore".to_owned(),
        verdict: if explored.exhausted { "all paths" } else { "some paths" }.to_owned(),
        judgement,
        seconds: begin.elapsed().as_secs_f64(),
        paths: explored.paths,
        note: note.unwrap_or(why),
    })
}

/// The exploration of a program by `lapidary explore`, within the limits of `bench/truth`.
struct Exploration {
    method: Rc<Method>,
    paths: Vec<PathEnd>,
    explored: Explored,
}

impl Exploration {
    fn of(worker: &Worker<'_>, program: &Program, classes: &Path) -> anyhow::Result<Exploration> {
        let mut machine = machine(classes, program.bound())?;
        let class = machine.world.class_named(&program.name).ok().context("the class is there")?;
        let hierarchy = machine.world.hierarchy.clone();
        let found = hierarchy.declared_methods(class.id).find(|id| hierarchy.method(*id).name == *"run");
        let method = machine.world.method(found.context("the method is there")?);
        let plan = machine.plan(&method, None).ok().context("the inputs can be made")?;
        let entry = machine.entry_for(&method, &plan);
        let mut state = State::new();
        machine.start(&mut state, &entry, &[]);
        let mut search = search::named("fair", 0).context("the search is there")?;
        let time = Duration::from_secs_f64(worker.options.seconds);
        let budget = ExplorationBudget { time, paths: PATHS, ..ExplorationBudget::default() };
        let mut paths = Vec::new();
        let explored = explore(&mut machine, state, &mut *search, &budget, &mut |path| paths.push(path.clone()));
        Ok(Exploration { method, paths, explored })
    }

    /// Describes the first path that differs on the real JVM.
    fn first_difference(&self, replayer: &Replayer) -> anyhow::Result<Option<String>> {
        for path in &self.paths {
            if matches!(path.outcome, Outcome::Unsupported { .. } | Outcome::TooLong) {
                continue;
            }
            let replayed = replayer.replay(&self.method, path)?;
            if let Some(difference) = replayed.difference(path) {
                let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
                return Ok(Some(format!("({}): {difference}", inputs.join(", "))));
            }
        }
        Ok(None)
    }

    /// Describes a random input that follows none of the paths.
    fn missing_path(
        &self,
        worker: &mut Worker<'_>,
        seed: u64,
        program: &Program,
        classes: &Path,
    ) -> anyhow::Result<Option<String>> {
        let known: BTreeSet<(String, String)> =
            self.paths.iter().map(|path| (marks(&path.stdout), ending(path))).collect();
        let draws = Draws { seed, count: INPUTS, bound: program.bound() };
        let ran = worker.oracle.run(&program.name, draws, classes)?;
        let missing = ran.into_iter().find(|ran| !known.contains(&(ran.marks.clone(), ran.ending.clone())));
        Ok(missing.map(|ran| format!("no path is {} {} as for {}", ran.marks, ran.ending, ran.inputs)))
    }

    fn left_out(&self) -> String {
        let unsupported = self.paths.iter().filter_map(|path| match &path.outcome {
            Outcome::Unsupported { what, .. } => Some(what.clone()),
            _ => None,
        });
        unsupported.collect::<BTreeSet<String>>().into_iter().next().unwrap_or_default()
    }
}

fn machine(classes: &Path, bound: usize) -> anyhow::Result<Machine> {
    let class_path = Arc::new(ClassPath::open(&[classes.to_owned()], Some(Platform::installed()?))?);
    let hierarchy = Arc::new(Hierarchy::new([], class_path));
    let solver = Config { functions: Arc::new(MathFunctions), ..Config::default() }.build()?;
    let limits = PathLimits { array_length: bound, object_depth: 3, ..PathLimits::default() };
    let mut machine = Machine::new(hierarchy, Box::new(solver), limits);
    machine.config.reads_texts_late = true;
    Ok(machine)
}

fn replayer(worker: &Worker<'_>, classes: &Path, cold: bool) -> anyhow::Result<Replayer> {
    let replay = Replay::install()?;
    let java: PathBuf = if cold { replay.java } else { worker.warm.java() };
    Ok(Replayer {
        java,
        class_path: vec![replay.classes, classes.to_owned()],
        timeout: Duration::from_secs(10),
        sandbox: None,
    })
}

/// The marks of the blocks that were entered, as `java/Oracle.java` writes them.
fn marks(printed: &str) -> String {
    let numbers = printed.split("<@").skip(1).filter_map(|part| part.split_once("@>"));
    numbers.fold("@".to_owned(), |marks, (number, _)| marks + number + ";")
}

fn ending(path: &PathEnd) -> String {
    match &path.outcome {
        Outcome::Threw { class, .. } => format!("threw {class}"),
        _ => "returned".to_owned(),
    }
}

/// Keeps the classes, the source and the command that shows a wrong answer.
fn keep(out: &Path, program: &Program, classes: &Path, note: &str) -> anyhow::Result<()> {
    let place = out.join("wrong").join(&program.name);
    copy_all(classes, &place.join("classes"))?;
    fs::write(place.join(format!("{}.java", program.name)), printed(program))?;
    let bounds = bounds(program.bound());
    let text = format!("# {note}\nlapidary explore classes --main {}.run {bounds}\n", program.name);
    Ok(fs::write(place.join("command"), text)?)
}
