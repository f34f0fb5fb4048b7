//! A reduction from beginning to end: check the test, search, save, check the result, report.

use crate::advice;
use crate::bundle::{self, record::Reproduction};
use crate::container::Packing;
use crate::effort::{Budget, Effort};
use crate::error::{Error, Result};
use crate::follow::{Follow, Opened};
use crate::java::JavaProgram;
use crate::output::{Output, Saving};
use crate::plan::Freedom;
use crate::preflight::Preflight;
use crate::probed::Probed;
use crate::report::{Check, Report};
use crate::run::{Ended, Found, Known, Rechecked, Run};
use crate::subject::Subject;
use crate::test::{Ready, Test};
use crate::tools;
use crate::watcher::Watcher;
use anyhow::Context;
use lapidary_clang_model::Gate;
use lapidary_common::shell::quoted;
use lapidary_predicate::{Captured, KeptText, Observation};
use lapidary_reduce::journal::{Of, OutputRecord};
use lapidary_reduce::{
    Cancel, FileTree, Header, Judgment, Keep, Key, Limits, Outcome, Plan, Predicate, PredicateError, Session, run,
    smallest_candidate,
};
use regex::RegexSet;
use std::ffi::OsString;
use std::time::Duration;

/// A reduction that can be run: an input, a test, and how to search.
///
/// ```
/// use lapidary::{Reduction, Subject};
///
/// let failing = b"lorem ipsum BUG dolor sit amet".to_vec();
/// let report = Reduction::of(Subject::bytes("input", failing)?)
///     .test(|bytes: &[u8]| bytes.windows(3).any(|window| window == b"BUG"))
///     .run(&mut ())?;
/// assert_eq!(report.result.bytes(), 3);
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Reduction<'t> {
    subject: Subject,
    test: Option<Test<'t>>,
    saving: Option<Saving>,
    effort: Effort,
    strategy: Option<String>,
    keep: Vec<String>,
    freedom: Freedom,
    seed: u64,
    reproduction: Option<Reproduction>,
}

impl<'t> Reduction<'t> {
    /// A reduction of this input. Nothing runs before [`Reduction::run`].
    pub fn of(subject: Subject) -> Self {
        Reduction {
            subject,
            test: None,
            saving: None,
            effort: Effort::default(),
            strategy: None,
            keep: Vec::new(),
            freedom: Freedom { rename: true, rewrite: true },
            seed: 0,
            reproduction: None,
        }
    }

    /// Sets the test: a [`Command`](crate::Command), a closure over the bytes of the candidate, or
    /// any other [`Test`].
    pub fn test(mut self, test: impl Into<Test<'t>>) -> Self {
        self.test = Some(test.into());
        self
    }

    /// Saves the best result each time it improves, with a journal beside it. Without this, nothing
    /// is written.
    pub fn save(mut self, saving: Saving) -> Self {
        self.saving = Some(saving);
        self
    }

    /// Sets how many tests run at once; by default, the number of cores. The result does not depend
    /// on it.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.effort.jobs = Some(jobs.max(1));
        self
    }

    /// Sets when to stop early: after a [`Duration`], or after a number of tests.
    pub fn budget(mut self, budget: impl Into<Budget>) -> Self {
        self.effort.budget = Some(budget.into());
        self
    }

    /// Ends the run when `cancel` fires, with the best result so far.
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.effort.cancel = cancel;
        self
    }

    /// Sets jobs, budget and cancellation at once, instead of what was set before.
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// Sets the strategy, one of [`NAMES`](lapidary_reduce::strategy::NAMES); by default, the best
    /// for the input.
    pub fn strategy(mut self, name: impl Into<String>) -> Self {
        self.strategy = Some(name.into());
        self
    }

    /// Adds parts that must stay, as regular expressions over the labels of items where items have
    /// names, over paths in a directory, else over the text.
    pub fn keep(mut self, patterns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.keep.extend(patterns.into_iter().map(Into::into));
        self
    }

    /// Sets which changes to the remaining text are allowed; by default, all.
    pub fn freedom(mut self, freedom: Freedom) -> Self {
        self.freedom = freedom;
        self
    }

    /// Sets the seed for everything random.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets how the failure can be shown without Lapidary, for a test in Rust code.
    pub(crate) fn reproduced_by(mut self, reproduction: Reproduction) -> Self {
        self.reproduction = Some(reproduction);
        self
    }

    /// Runs the reduction. An input that the test does not find interesting is an [`Error`]; a run
    /// that is stopped early returns a report with the best result so far.
    pub fn run(mut self, watcher: &mut dyn Watcher) -> Result<Report> {
        let _until_the_end = self.effort.stop_foreign_code_in_time(self.subject.since);
        let no_test = || Error::BadInput("a reduction needs a test".to_owned());
        let test = self.test.take().ok_or_else(no_test)?.ready(&self.subject)?;
        let kept = self.kept()?;
        let output = self.saving.as_ref().map(|saving| saving.claim(self.subject.files())).transpose()?;
        let preflight = self.preflight(&test, watcher)?;
        let before = self.subject.since.elapsed();
        let limits = self.effort.limits(self.subject.since);
        // A check of the input that is cut short would say that the input does not fail, so only
        // the search ends its tests by the deadline.
        limits.deadline.into_iter().for_each(|deadline| test.predicate.end_by(deadline));
        self.reduce(Checked { test, kept, output, preflight, before, limits }, watcher)
    }

    fn reduce(&self, checked: Checked<'_>, watcher: &mut dyn Watcher) -> Result<Report> {
        let Checked { test, kept, output, preflight, before, limits } = checked;
        let (subject, tree) = (&self.subject, self.subject.input());
        let probed = Probed::new(&*test.predicate);
        watcher.phase("reading the input");
        if let Some(program) = subject.c() {
            program.ask(tree, &probed.probes(), &self.effort.cancel).map_err(not_judged)?;
        }
        let plan = subject.plan(self.strategy.as_deref(), self.freedom, kept.items, self.seed)?;
        let packing = Packing { container: subject.container(), test: &probed };
        let kept_text = KeptText::new(&kept.text, tree, &packing).map_err(|pattern| nothing_to_keep(&pattern))?;
        self.warn(watcher);
        let header = self.header(&test).reproduced_by(self.reproduction(&test, &preflight));
        let Opened { files, mut known, skips, earlier } = Opened::of(output, &header, watcher)?;
        let gate = subject.c().map(|program| {
            Gate::asking(program.project(), program.milestone(), &kept_text).linked(program.is_linked())
        });
        let predicate: &dyn Predicate = gate.as_ref().map_or(&kept_text as &dyn Predicate, |gate| gate);
        let earlier = earlier.and_then(|earlier| self.trusted(earlier, &mut known, predicate, watcher));
        let failing = preflight.shown.as_ref().map(|(judgment, run)| printed(Of::Input, judgment, Some(run)));
        let floor = earlier.as_ref().map(FileTree::size);
        let run = Run {
            input: tree,
            files,
            earlier: earlier.as_ref(),
            packed: &|tree: &FileTree| subject.packed_for_now(tree),
            measure: FileTree::bytes,
            size: &FileTree::size,
            floor,
            failing,
        };
        let known = Known { judgments: known, skips, protected: floor };
        let search = |follow: &mut Follow<'_>| {
            let mut session = known.session(tree, predicate, limits, follow);
            let outcome = self.search(&mut session, &plan, test.command.as_deref());
            let (best, counts) = (session.best().clone(), session.counts());
            Found { outcome, best, counts, rest: session.in_tests() }
        };
        let check = |result: &FileTree, found: &Found<Duration>, watcher: &mut dyn Watcher| {
            watcher.phase("checking the result");
            recheck(&test, result, &found.outcome, &self.effort.cancel)
        };
        let ended = run.drive(watcher, search, |best| Ok(subject.packed(best)?), check)?;
        let Ended { found: Found { outcome, counts, rest: in_tests, .. }, best, saved, check, .. } = ended;
        let measured = subject.measure(&best, outcome.kept.as_ref());
        Ok(Report {
            input: subject.path().to_owned(),
            model: subject.name(),
            strategy: strategies(&plan),
            saved,
            kept: self.labels_left(&outcome),
            items_before: measured.items_before,
            items_after: measured.items_after,
            clauses: measured.clauses,
            bytes_before: tree.bytes(),
            bytes_after: best.bytes(),
            result: best,
            counts,
            runs: test.predicate.runs(),
            cached_elsewhere: test.predicate.cached(),
            refused: gate.as_ref().map_or(0, Gate::refused),
            supersets: test.predicate.supersets(),
            total: subject.since.elapsed(),
            before,
            in_tests,
            reliability: preflight.interesting as f64 / preflight.runs as f64,
            stop: outcome.stop,
            check,
        })
    }

    /// Passes on warnings about the input and the strategy.
    fn warn(&self, watcher: &mut dyn Watcher) {
        if self.strategy.as_deref() == Some("ddmin") && has_rules(&self.subject) {
            watcher.warning("ddmin ignores the rules for valid inputs, so its result need not be valid");
        }
        self.subject.notes().iter().for_each(|note| watcher.warning(note));
        let unread = self.subject.c().filter(|_| self.strategy.is_none());
        if let Some(error) = unread.and_then(|program| program.try_reading(self.subject.input())) {
            watcher.warning(&format!("{error}; its grammar is used until libclang can read what is left"));
        }
    }

    /// Runs the test on the input. It is an error if no run is interesting.
    fn preflight(&self, test: &Ready<'_>, watcher: &mut dyn Watcher) -> Result<Preflight> {
        let input = self.subject.packed(self.subject.input())?;
        let Some(preflight) = Preflight::run(test, &input, self.effort.time(), &self.effort.cancel, watcher)? else {
            return Err(Error::Stopped("interrupted before the reduction began".to_owned()));
        };
        if preflight.interesting == 0 {
            let explanation = match &test.decompiler {
                Some(decompiler) if preflight.printed_nothing() => {
                    let name = self.subject.input().name();
                    format!("{decompiler}'s output for {name} compiles, so there is nothing to reduce")
                }
                _ => preflight.explain(test),
            };
            let reason = preflight.failed.map_or_else(String::new, |(judgment, _)| judgment.reason);
            return Err(Error::NotInteresting { reason, explanation });
        }
        if preflight.is_flaky() {
            let (yes, runs) = (preflight.interesting, preflight.runs);
            watcher.warning(&format!(
                "the test is flaky: it found the input interesting in {yes} of {runs} runs; see --repeat and --any-of"
            ));
        }
        watcher.input_fails(&preflight.printed);
        Ok(preflight)
    }

    /// The parts that must stay: items by label where items have names, else text of the input.
    fn kept(&self) -> anyhow::Result<Kept> {
        let patterns = &self.keep;
        let named = if patterns.is_empty() { None } else { self.subject.labels() };
        let Some(named) = named else {
            let text = patterns.iter().map(|pattern| regex::bytes::Regex::new(pattern)).collect::<Result<_, _>>();
            return Ok(Kept { items: None, text: text.context("--keep")? });
        };
        let labels = RegexSet::new(patterns).context("--keep")?;
        for (index, pattern) in patterns.iter().enumerate() {
            if !named.iter().any(|label| labels.matches(label).matched(index)) {
                return Err(nothing_to_keep(pattern));
            }
        }
        Ok(Kept { items: Some(self.subject.keeping(labels)), text: Vec::new() })
    }

    /// The result of an earlier run, if it is interesting. The file may have been changed since, so
    /// it is tested unless the journal knows it.
    fn trusted(
        &self,
        earlier: FileTree,
        known: &mut Vec<(Key, Judgment)>,
        predicate: &dyn Predicate,
        watcher: &mut dyn Watcher,
    ) -> Option<FileTree> {
        let name = self.subject.input().name();
        let earlier = self.subject.unpacked(earlier.named(name)).ok()?.named(name);
        let key = earlier.key();
        if known.iter().any(|(other, judgment)| *other == key && judgment.is_interesting())
            || key == self.subject.input().key()
        {
            return Some(earlier);
        }
        let judgment = predicate.judge(&earlier, &self.effort.cancel).ok()?;
        if !judgment.is_interesting() && !judgment.disturbed {
            watcher.warning(&format!("the saved result is not interesting and will be replaced: {}", judgment.reason));
            return None;
        }
        known.push((key, judgment));
        Some(earlier)
    }

    fn header(&self, test: &Ready<'_>) -> Header {
        let mut run = test.identity.clone();
        run.push(format!("clauses {}", self.subject.fingerprint()));
        run.push(format!("model {}", self.subject.name()));
        run.extend(self.subject.reading().iter().cloned());
        run.push(format!("--seed {}", self.seed));
        run.extend(self.strategy.iter().map(|name| format!("--strategy {name}")));
        run.extend(self.keep.iter().map(|pattern| format!("--keep {}", quoted(pattern))));
        let Freedom { rename, rewrite } = self.freedom;
        run.extend((!rename && rewrite).then(|| "--no-rename".to_owned()));
        run.extend((!rewrite).then(|| "--readable".to_owned()));
        let (path, files) = (self.subject.path(), self.subject.files());
        let only = files.iter().find(|file| *file == path).map(std::slice::from_ref);
        Header::new(self.subject.input().key(), run)
            .describing(test.words.clone(), self.tools(test))
            .of("reduce", only.unwrap_or(files))
    }

    /// How the failure can be shown without Lapidary, for the journal.
    fn reproduction(&self, test: &Ready<'_>, preflight: &Preflight) -> Option<serde_json::Value> {
        let given = self.reproduction.clone();
        given
            .unwrap_or_else(|| bundle::of_test(test, preflight, self.subject.path(), self.subject.input().name()))
            .noted()
    }

    /// The tools that are used, with their versions as far as they are known.
    fn tools(&self, test: &Ready<'_>) -> Vec<String> {
        let jdk = self.subject.java().and_then(JavaProgram::platform).map(tools::jdk);
        let decompiler = test.decompiler.as_deref().and_then(tools::decompiler);
        jdk.into_iter().chain(decompiler).collect()
    }

    /// Tests the smallest candidate, to warn about a weak test, then reduces.
    fn search(&self, session: &mut Session<'_>, plan: &Plan<'_>, command: Option<&[OsString]>) -> Outcome {
        let input = self.subject.input();
        // Where much must stay anyway, the smallest candidate says nothing about the test.
        let is_telling = |smallest: &FileTree| self.keep.is_empty() && smallest.bytes() * 4 <= input.bytes();
        let smallest = smallest_candidate(input, plan).filter(is_telling);
        match smallest.map(|smallest| session.check(&smallest)).transpose() {
            Ok(Some(true)) => session.warn(&advice::too_weak(command)),
            Ok(_) => {}
            Err(stop) => return Outcome { stop: Some(stop), rounds: 0, kept: None, has_skipped: false },
        }
        run(session, plan)
    }

    /// The labels of the remaining items, if the model has named items.
    fn labels_left(&self, outcome: &Outcome) -> Option<Vec<String>> {
        let (items, kept) = (self.subject.items()?, outcome.kept.as_ref()?);
        Some(kept.iter().filter_map(|var| items.get(var.index())).map(|item| item.label.clone()).collect())
    }
}

/// The results of the checks before the search.
struct Checked<'t> {
    test: Ready<'t>,
    kept: Kept,
    output: Option<Output>,
    preflight: Preflight,
    before: Duration,
    limits: Limits,
}

/// The parts that must stay.
struct Kept {
    items: Option<Keep<'static>>,
    text: Vec<regex::bytes::Regex>,
}

/// Runs the test on the result once more, unless the run was stopped early.
fn recheck(test: &Ready<'_>, best: &FileTree, outcome: &Outcome, cancel: &Cancel) -> Rechecked<Check> {
    let not_run = |reason| Rechecked { check: Check::NotRun(reason), printed: None };
    if let Some(stop) = &outcome.stop {
        return not_run(stop.to_string());
    }
    let (judgment, run) = match test.predicate.judge_observed(best, cancel) {
        Ok(judged) => judged,
        Err(PredicateError::Cancelled) => return not_run("interrupted".to_owned()),
        Err(PredicateError::Fatal(reason) | PredicateError::Disturbed(reason)) => return not_run(reason),
    };
    let printed = Some(printed(Of::Result, &judgment, run.as_ref()));
    match judgment.is_interesting() {
        true => Rechecked { check: Check::Interesting, printed },
        false if judgment.disturbed => not_run(judgment.reason),
        false => Rechecked { check: Check::Flaky, printed },
    }
}

/// The output of a run for the journal.
fn printed(of: Of, judgment: &Judgment, run: Option<&Observation>) -> OutputRecord {
    let stream = |captured: fn(&Observation) -> &Captured| run.map_or(&[][..], |run| &captured(run).head);
    let (stdout, stderr) = (stream(|run| &run.stdout), stream(|run| &run.stderr));
    let mut output = OutputRecord::new(of, judgment.reason.clone(), stdout, stderr);
    output.is_uninteresting = !judgment.is_interesting();
    if let Some(run) = run {
        output.more_stdout += run.stdout.dropped;
        output.more_stderr += run.stderr.dropped;
    }
    output
}

fn not_judged(error: PredicateError) -> Error {
    match error {
        PredicateError::Cancelled => Error::Stopped("interrupted before the reduction began".to_owned()),
        PredicateError::Fatal(reason) => Error::BadInput(reason),
        PredicateError::Disturbed(reason) => Error::Stopped(reason),
    }
}

/// Whether the model has rules for valid inputs.
fn has_rules(subject: &Subject) -> bool {
    subject.java().is_some() || subject.c().is_some() || subject.items().is_some()
}

fn nothing_to_keep(pattern: &str) -> anyhow::Error {
    anyhow::anyhow!("--keep {pattern} matches nothing; `lapidary model` prints the labels of named items")
}

/// The names of the strategies, each once.
fn strategies(plan: &Plan<'_>) -> String {
    let mut found: Vec<&str> = Vec::new();
    for stage in &plan.stages {
        if !found.contains(&stage.strategy.name()) {
            found.push(stage.strategy.name());
        }
    }
    found.join(", ")
}
