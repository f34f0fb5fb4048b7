//! Batches of programs: grown, compiled together, judged by the oracle, and then given to Lapidary. Each worker has an oracle and a
//! Java machine of its own.

use super::compared::{Answer, Question, compare};
use super::record::{HEAD, Judgement, Row, Summary, Wrong};
use super::warm::Warm;
use super::{Options, What, explored, public};
use anyhow::Context;
use lapidary_testkit::java::oracle::{self, Differ, Draws, Oracle, place_of};
use lapidary_testkit::java::{Program, grown, mutated, printed, rewritten};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Versions of each program, besides the first.
const VERSIONS: usize = 4;

/// How many random inputs tell two versions apart, or do not.
const INPUTS: usize = 400;

/// What a worker has at hand.
pub struct Worker<'a> {
    pub options: &'a Options,
    pub oracle: Oracle,
    pub warm: Warm,
    pub place: &'a Path,
}

pub fn run(options: &Options) -> anyhow::Result<Summary> {
    let place = tempfile::Builder::new().prefix("truth-").tempdir()?;
    let installed = place.path().join("installed");
    oracle::install(&installed)?;
    let begin = Instant::now();
    let results = Mutex::new(Results::new(options)?);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs)
            .map(|number| {
                let (place, installed) = (place.path().join(format!("worker{number}")), &installed);
                let (results, next) = (&results, &next);
                scope.spawn(move || -> anyhow::Result<()> {
                    fs::create_dir_all(&place)?;
                    let (oracle, warm) = (Oracle::start(installed)?, Warm::start(installed, &place)?);
                    let mut worker = Worker { options, oracle, warm, place: &place };
                    while let Some(rows) = worker.batch(next.fetch_add(1, Ordering::Relaxed))? {
                        let mut results = results.lock().map_err(|_| anyhow::anyhow!("a worker has failed"))?;
                        results.add(rows)?;
                        eprintln!("{}", results.summary);
                        if results.left == 0 {
                            break;
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    let mut summary = results.into_inner().map_err(|_| anyhow::anyhow!("a worker has failed"))?.summary;
    summary.elapsed = begin.elapsed().as_secs_f64();
    Ok(summary)
}

/// The rows so far. They are written in the order of the batches, whoever is first, until there are enough; wrong answers always are.
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
            What::Explore => "explore.csv",
            What::Public => "public.csv",
        };
        let mut file = File::create(options.out.join(name))?;
        writeln!(file, "{HEAD}")?;
        Ok(Results { file, waiting: BTreeMap::new(), next: 0, left: options.count, summary: Summary::default() })
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

impl Worker<'_> {
    /// The rows of a batch; none if there is no such batch.
    fn batch(&mut self, batch: usize) -> anyhow::Result<Option<(usize, Vec<Row>)>> {
        let place = self.place.join(format!("batch{batch}"));
        let rows = match self.options.what {
            What::Equal | What::Seeded => self.versions(batch, &place)?,
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
                let [old_place, new_place] = [&place.join("v0"), &directory].map(|place| place_of(place, &old.name));
                let draws = Draws { seed: seed + version as u64, count: INPUTS, bound: old.bound() };
                let differ = self.oracle.differ(&old.name, draws, &old_place, &new_place)?;
                let versions = [(old, &*old_place), (&new, &*new_place)];
                rows.extend(self.pair(seed, &kind, differ, versions)?);
            }
        }
        Ok(rows)
    }

    /// Another version of a program.
    fn version<'a>(
        &self,
        seed: u64,
        program: &'a Program,
        version: usize,
    ) -> Option<(u64, &'a Program, Program, String)> {
        let other = seed.wrapping_mul(31).wrapping_add(version as u64);
        if self.options.what == What::Equal {
            let (rewritten, kinds) = rewritten(program, other);
            return (rewritten != *program).then(|| (seed, program, rewritten, kinds.join("+")));
        }
        let (mutant, what) = mutated(program, other)?;
        Some((seed, program, mutant, what.to_owned()))
    }

    fn compiled(&mut self, programs: &[&Program], directory: &Path) -> anyhow::Result<()> {
        self.oracle.compile(programs, directory).with_context(|| format!("in {}", directory.display()))
    }

    /// Asks Lapidary about two versions of which the oracle has seen what they are.
    fn pair(
        &self,
        seed: u64,
        kind: &str,
        differ: Differ,
        versions: [(&Program, &Path); 2],
    ) -> anyhow::Result<Option<Row>> {
        let [(old, old_place), (new, new_place)] = versions;
        let are_equal = self.options.what == What::Equal;
        let note = match (&differ, are_equal) {
            (Differ::Different { inputs, old, new }, true) => {
                anyhow::bail!("{}: a rewrite ({kind}) is none: {inputs}\n{old}\n{new}\n{}", new, printed(versions[1].0))
            }
            // Nobody knows whether the mutant is another program.
            (Differ::Same, false) => return Ok(None),
            (Differ::Different { inputs, old, new }, false) => format!("{inputs}\nold {old}\nnew {new}"),
            (Differ::Same, true) => String::new(),
        };
        let main = format!("{}.run", old.name);
        let warm = (!self.options.cold).then_some(&self.warm);
        let question = Question { old: old_place, new: new_place, main: &main, bound: old.bound() };
        let mut answer: Answer = compare(self.options, warm, &question)?;
        let mut judgement = answer.judged(are_equal);
        if matches!(judgement, Judgement::Wrong(_)) && warm.is_some() {
            answer = compare(self.options, None, &question)?;
            judgement = answer.judged(are_equal);
        }
        if let Judgement::Wrong(why) = judgement {
            let name = format!("{}-{}", old.name, kind.replace(['+', ' '], "-").chars().take(60).collect::<String>());
            let sources = [printed(old), printed(new)];
            let note = format!("{why}: {}\n{kind}\n{note}", answer.verdict);
            Wrong { name, question, sources, note }.keep(&self.options.out)?;
        }
        Ok(Some(Row {
            program: old.name.clone(),
            seed,
            kind: kind.to_owned(),
            verdict: answer.verdict,
            judgement,
            seconds: answer.seconds,
            paths: 0,
            note: answer.open,
        }))
    }
}

/// The programs of a batch with their seeds. Names are numbers, so that all versions of a program have the same.
fn programs(options: &Options, batch: usize) -> Vec<(u64, Program)> {
    let first = batch * options.together;
    (first..first + options.together)
        .map(|number| {
            let seed = options.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
            (seed, grown(&format!("P{number}"), seed))
        })
        .collect()
}
