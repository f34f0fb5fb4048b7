//! Batches of programs: grown, compiled together, judged by the oracle, and then given to Lapidary.
//! Each worker has its own oracle and JVM.

use super::compared::{Answer, Known, Question, compare};
use super::record::{HEAD, Judgement, Row, Summary, Wrong};
use super::warm::Warm;
use super::{Options, What, explored, public};
use anyhow::Context;
use lapidary_testkit::java::escape::{self, ROUTES};
use lapidary_testkit::java::oracle::{self, Differ, Draws, Oracle, place_of};
use lapidary_testkit::java::{Program, grown, letters, mutated, printed, rewritten};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Versions of each program, besides the first.
const VERSIONS: usize = 4;

/// How many random inputs the oracle tries to tell two versions apart.
const INPUTS: usize = 400;

/// Asks about one batch after the other.
pub struct Worker<'a> {
    pub options: &'a Options,
    pub oracle: Oracle,
    pub warm: Warm,
    pub place: &'a Path,
    /// There are enough answers, or a worker has failed.
    pub is_over: &'a AtomicBool,
}

pub fn run(options: &Options) -> anyhow::Result<Summary> {
    let place = tempfile::Builder::new().prefix("truth-").tempdir()?;
    let installed = place.path().join("installed");
    oracle::install(&installed)?;
    let begin = Instant::now();
    let results = Mutex::new(Results::new(options)?);
    let first = results.lock().expect("no worker runs yet").next;
    let (next, is_over) = (AtomicUsize::new(first), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs)
            .map(|number| {
                let (place, installed) = (place.path().join(format!("worker{number}")), &installed);
                let (results, next, is_over) = (&results, &next, &is_over);
                scope.spawn(move || {
                    let run = || -> anyhow::Result<()> {
                        fs::create_dir_all(&place)?;
                        let (oracle, warm) = (Oracle::start(installed)?, Warm::start(installed, &place)?);
                        let worker = Worker { options, oracle, warm, place: &place, is_over };
                        worker.all(next, results)
                    };
                    let ended = run();
                    is_over.fetch_or(ended.is_err(), Ordering::Relaxed);
                    ended
                })
            })
            .collect();
        let ended: Vec<_> = workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect();
        ended.into_iter().collect::<anyhow::Result<()>>()
    })?;
    let mut summary = results.into_inner().map_err(|_| anyhow::anyhow!("a worker has failed"))?.summary;
    summary.elapsed = begin.elapsed().as_secs_f64();
    Ok(summary)
}

/// The rows so far. They are written in the order of the batches, whichever finishes first, until
/// there are enough. Wrong answers are always written.
struct Results {
    file: File,
    waiting: BTreeMap<usize, Vec<Row>>,
    next: usize,
    left: usize,
    summary: Summary,
}

impl Results {
    fn new(options: &Options) -> anyhow::Result<Results> {
        let name = match options.what {
            What::Equal => "equal.csv",
            What::Seeded => "seeded.csv",
            What::Escaping => "escaping.csv",
            What::Explore => "explore.csv",
            What::Public => "public.csv",
        };
        let path = options.out.join(name);
        let (earlier, next) = if options.resume { whole_batches(&path, options)? } else { (Vec::new(), 0) };
        let mut file = File::create(path)?;
        writeln!(file, "{HEAD}")?;
        earlier.iter().try_for_each(|row| writeln!(file, "{row}"))?;
        let left = options.count.saturating_sub(earlier.len());
        let mut summary = Summary::default();
        earlier.iter().for_each(|row| summary.count(row));
        Ok(Results { file, waiting: BTreeMap::new(), next, left, summary })
    }

    fn add(&mut self, (batch, rows): (usize, Vec<Row>)) -> anyhow::Result<()> {
        self.waiting.insert(batch, rows);
        while let Some(rows) = self.waiting.remove(&self.next) {
            for row in rows {
                if self.left > 0 || matches!(row.judgement, Judgement::Wrong(_)) {
                    writeln!(self.file, "{row}")?;
                    self.summary.count(&row);
                }
                self.left = self.left.saturating_sub(1);
            }
            self.next += 1;
        }
        Ok(())
    }
}

/// The rows of an earlier run without those of its last batch, which may be incomplete, and the
/// number of that batch.
fn whole_batches(path: &Path, options: &Options) -> anyhow::Result<(Vec<Row>, usize)> {
    anyhow::ensure!(options.what != What::Public, "--resume needs programs with numbers");
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let rows: Vec<Row> = whole.lines().skip(1).map(Row::parse).collect::<Option<_>>().context("a row is damaged")?;
    let batch = |row: &Row| Some(row.program.strip_prefix('P')?.parse::<usize>().ok()? / options.together);
    let last = rows.last().and_then(batch).unwrap_or(0);
    Ok((rows.into_iter().filter(|row| batch(row) < Some(last)).collect(), last))
}

impl Worker<'_> {
    /// Takes the next batch until there are no more or enough answers.
    fn all(mut self, next: &AtomicUsize, results: &Mutex<Results>) -> anyhow::Result<()> {
        while let Some(rows) = self.batch(next.fetch_add(1, Ordering::Relaxed))? {
            // The last batch may be incomplete, and is not needed.
            if self.is_over() {
                break;
            }
            let mut results = results.lock().map_err(|_| anyhow::anyhow!("a worker has failed"))?;
            results.add(rows)?;
            eprintln!("{}", results.summary);
            self.is_over.fetch_or(results.left == 0, Ordering::Relaxed);
        }
        Ok(())
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// The rows of a batch; none if there is no such batch.
    fn batch(&mut self, batch: usize) -> anyhow::Result<Option<(usize, Vec<Row>)>> {
        let place = self.place.join(format!("batch{batch}"));
        let rows = match self.options.what {
            What::Equal | What::Seeded | What::Escaping => self.versions(batch, &place)?,
            What::Explore => explored::batch(self, programs(self.options, batch), &place)?,
            What::Public => match public::batch(self, batch, &place)? {
                Some(rows) => rows,
                None => return Ok(None),
            },
        };
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        Ok(Some((batch, rows)))
    }

    fn versions(&mut self, batch: usize, place: &Path) -> anyhow::Result<Vec<Row>> {
        let programs = programs(self.options, batch);
        let firsts: Vec<&Program> = programs.iter().map(|(_, program)| program).collect();
        self.compiled(&firsts, &place.join("v0"))?;
        let mut rows = Vec::new();
        for version in 1..=VERSIONS {
            let others: Vec<(u64, &Program, Program, String)> =
                programs.iter().filter_map(|(seed, program)| self.version(*seed, program, version)).collect();
            let directory = place.join(format!("v{version}"));
            self.compiled(&others.iter().map(|(_, _, other, _)| other).collect::<Vec<_>>(), &directory)?;
            for (seed, old, new, kind) in others {
                if self.is_over() {
                    return Ok(rows);
                }
                let [old_place, new_place] = [&place.join("v0"), &directory].map(|place| place_of(place, &old.name));
                let draws = Draws { seed: seed + version as u64, count: INPUTS, bound: old.bound() };
                let differ = self.oracle.differ(&old.name, draws, &old_place, &new_place)?;
                let versions = [(old, &*old_place), (&new, &*new_place)];
                let is_rendering = self.is_rendering(version);
                rows.extend(self.pair(&kind, is_rendering, differ, versions)?);
            }
        }
        Ok(rows)
    }

    /// Whether a version is another rendering of the first, and not a mutant. Versions whose
    /// behaviour escapes are the one and the other in turn.
    fn is_rendering(&self, version: usize) -> bool {
        match self.options.what {
            What::Escaping => version.is_multiple_of(2),
            what => what == What::Equal,
        }
    }

    /// Another version of a program.
    fn version<'a>(
        &self,
        seed: u64,
        program: &'a Program,
        version: usize,
    ) -> Option<(u64, &'a Program, Program, String)> {
        let other = seed.wrapping_mul(31).wrapping_add(version as u64);
        if self.is_rendering(version) {
            let (rewritten, kinds) = rewritten(program, other);
            return (rewritten != *program).then(|| (seed, program, rewritten, kinds.join("+")));
        }
        let (mutant, what) = mutated(program, other)?;
        Some((seed, program, mutant, what.to_owned()))
    }

    fn compiled(&mut self, programs: &[&Program], directory: &Path) -> anyhow::Result<()> {
        self.oracle.compile(programs, directory).with_context(|| format!("in {}", directory.display()))
    }

    /// Asks Lapidary about two versions that the oracle has judged.
    fn pair(
        &self,
        kind: &str,
        are_equal: bool,
        differ: Differ,
        versions: [(&Program, &Path); 2],
    ) -> anyhow::Result<Option<Row>> {
        let [(old, old_place), (new, new_place)] = versions;
        let note = match (&differ, are_equal) {
            (Differ::Different { inputs, old, new }, true) => {
                anyhow::bail!(
                    "{}: a rewrite ({kind}) changes behaviour: {inputs}\n{old}\n{new}\n{}",
                    new,
                    printed(versions[1].0)
                )
            }
            // The mutant may be equivalent, so the right answer is unknown.
            (Differ::Same, false) => return Ok(None),
            (Differ::Different { inputs, old, new }, false) => format!("{inputs}\nold {old}\nnew {new}"),
            (Differ::Same, true) => String::new(),
        };
        let known = match (are_equal, &old.route) {
            (true, _) => Known::Equal,
            (false, Some(route)) => Known::LaterDifferent(route.names),
            (false, None) => Known::Different,
        };
        let main = match &old.route {
            Some(_) => format!("{}.go", escape::class_of(old)),
            None => format!("{}.run", old.name),
        };
        let warm = (!self.options.cold).then_some(&self.warm);
        let question = Question { old: old_place, new: new_place, main: &main, bound: old.bound() };
        let mut answer: Answer = compare(self.options, warm, &question)?;
        let mut judgement = answer.judged(known);
        if matches!(judgement, Judgement::Wrong(_)) && warm.is_some() {
            answer = compare(self.options, None, &question)?;
            judgement = answer.judged(known);
        }
        if let Judgement::Wrong(why) = judgement {
            let name = format!("{}-{}", old.name, kind.replace(['+', ' '], "-").chars().take(60).collect::<String>());
            let sources = [printed(old), printed(new)];
            let note = format!("{why}: {}\n{kind}\n{note}", answer.verdict);
            Wrong { name, question, sources, note }.keep(&self.options.out)?;
        }
        let kind = if are_equal { letters(&kind.split('+').collect::<Vec<_>>()) } else { kind.to_owned() };
        Ok(Some(Row {
            program: old.name.clone(),
            kind: old.route.map_or_else(|| kind.clone(), |route| format!("{}: {kind}", route.name)),
            verdict: answer.verdict,
            judgement,
            seconds: answer.seconds,
            paths: 0,
            note: answer.open,
        }))
    }
}

/// The programs of a batch with their seeds. Names are numbers, so that all versions of a program
/// have the same.
fn programs(options: &Options, batch: usize) -> Vec<(u64, Program)> {
    let first = batch * options.together;
    (first..first + options.together)
        .map(|number| {
            let seed = options.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
            let route = (options.what == What::Escaping).then(|| ROUTES[number % ROUTES.len()]);
            (seed, Program { route, ..grown(&format!("P{number}"), seed) })
        })
        .collect()
}
