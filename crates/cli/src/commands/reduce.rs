//! `lapidary reduce`: make a failing input small.

use crate::follow::Follow;
use crate::java::{JavaProgram, has_class_files};
use crate::output::Output;
use crate::plan::{Freedom, Subject, Surroundings};
use crate::preflight::Preflight;
use crate::progress::Progress;
use crate::run_options::{EffortOptions, FileOptions};
use crate::say::{complain, say};
use crate::summary::{self, Summary};
use crate::test_options::{Test, TestOptions, quoted};
use crate::{exit, input};
use anyhow::{Context, bail};
use clap::Args;
use lapidary_clang_model::Gate;
use lapidary_java_model::InJar;
use lapidary_predicate::KeptText;
use lapidary_reduce::strategy::NAMES;
use lapidary_reduce::{
    Cancel, FileTree, Header, Journal, Judgment, Keep, Key, Observer, Outcome, Plan, Predicate, PredicateError,
    Session, run, smallest_candidate,
};
use regex::RegexSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "lapidary reduce [OPTIONS] INPUT -- TEST [ARGS]...
       lapidary reduce [OPTIONS] INPUT --worker CMD
       lapidary reduce [OPTIONS] APP.jar --decompiler NAME";

/// Make a failing input small while keeping it valid.
///
/// TEST runs in a fresh directory that holds the candidate under its own name; `{}` in its arguments stands for the
/// candidate's path. Exit code 0 means "still fails", as with C-Reduce.
///
///   lapidary reduce bug.c -- ./still-crashes.sh
///   lapidary reduce bug.py --expect 'stderr~RecursionError' -- python3 tool.py {}
///   lapidary reduce project/ --preserve exit,stderr --normalise lines,paths -- make -C {}
///   lapidary reduce app.jar --classpath 'lib/*' --decompiler cfr
#[derive(Args)]
#[command(verbatim_doc_comment, override_usage = USAGE)]
pub struct Reduce {
    /// The failing input: a file or a directory. It is never changed.
    #[arg(required_unless_present = "model")]
    input: Option<PathBuf>,

    /// The test and its arguments.
    #[arg(
        last = true,
        required_unless_present_any = ["worker", "decompiler"],
        conflicts_with_all = ["worker", "decompiler"],
        value_name = "TEST"
    )]
    test: Vec<OsString>,

    #[command(flatten)]
    search: SearchOptions,

    #[command(flatten)]
    test_options: TestOptions,

    #[command(flatten)]
    files: FileOptions,
}

#[derive(Args)]
#[command(next_help_heading = "What to try")]
pub struct SearchOptions {
    /// What the input is, when it cannot be told from its name: java, java-classes, java-statements,
    /// java-parameters, java-collapse, java-manifest, tree:LANG, tree:GRAMMAR.so, c, cpp, lines, tokens, bytes, dir, fji.
    #[arg(long = "as", value_name = "KIND")]
    kind: Option<String>,

    #[command(flatten)]
    surroundings: Surroundings,

    /// Items and clauses of a model made elsewhere (docs/reference/model-format.md).
    #[arg(long, value_name = "FILE", conflicts_with = "kind")]
    model: Option<PathBuf>,

    /// How to search [default: the best for the model].
    #[arg(long, value_name = "NAME", value_parser = strategy_names())]
    strategy: Option<String>,

    /// What must stay; may be given several times.
    ///
    /// Where items have names (Java programs, fji, --model), items whose label matches, and in Java programs what is in the
    /// code of a method if the label of that (`...!code`) matches; in a directory, files whose path matches; else all text
    /// of the input that matches. `lapidary model --items` prints the labels.
    #[arg(long, value_name = "REGEX")]
    keep: Vec<String>,

    /// Leave identifiers as they are.
    #[arg(long)]
    no_rename: bool,

    /// Only take things away: what is left stays as its author wrote it.
    #[arg(long)]
    readable: bool,

    #[command(flatten)]
    effort: EffortOptions,

    /// Seed for everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

fn strategy_names() -> clap::builder::PossibleValuesParser {
    NAMES.iter().map(|(name, about)| clap::builder::PossibleValue::new(*name).help(*about)).collect::<Vec<_>>().into()
}

impl Reduce {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let started = Instant::now();
        let subject = self.subject()?;
        let tree = subject.input().clone();
        self.check_classes(&subject)?;
        let keep = self.keep(&subject)?;
        let test = self.test_options.build(
            &self.test,
            tree.name(),
            &subject.java().map_or(Vec::new(), JavaProgram::libraries),
        )?;
        let output = self.files.claim_output(subject.path(), &[subject.path().to_owned()])?;
        let cancel = interrupt_on_signal()?;
        let Some(preflight) = Preflight::run(&test, &subject.packed(&tree)?, self.search.effort.time(), &cancel)?
        else {
            complain!("lapidary: interrupted before the reduction began");
            return Ok(ExitCode::from(exit::STOPPED));
        };
        let before = started.elapsed();
        // From here on everything counts.
        let limits = self.search.effort.limits(&cancel);
        limits.deadline.into_iter().for_each(|deadline| test.predicate.end_by(deadline));
        if preflight.interesting == 0 {
            match &self.test_options.decompiler {
                Some(decompiler) if preflight.printed_nothing() => {
                    complain!(
                        "lapidary: what {decompiler} makes of {} compiles: there is nothing to reduce",
                        tree.name()
                    );
                }
                _ => complain!("lapidary: {}", preflight.explain(&*test.predicate)),
            }
            return Ok(ExitCode::from(exit::NEGATIVE));
        }
        if preflight.is_flaky() {
            let (yes, runs) = (preflight.interesting, preflight.runs);
            self.warn(&format!(
                "the test is flaky: it found the input interesting in {yes} of {runs} runs; see --repeat"
            ));
        }
        if self.test_options.decompiler.is_some() {
            self.show_errors(&preflight.printed);
        }
        if let Some(program) = subject.c() {
            program.ask(&tree, &*test.predicate, &cancel)?;
        }
        let plan = subject.plan(self.search.strategy.as_deref(), self.freedom(), keep.items, self.search.seed)?;
        if self.search.strategy.as_deref() == Some("ddmin") && has_rules(&subject) {
            self.warn("ddmin knows nothing of what makes the input valid: what it leaves need not be valid");
        }
        let kept_text =
            KeptText::new(&keep.text, &tree, &*test.predicate).map_err(|pattern| nothing_to_keep(&pattern))?;
        subject.java().map_or(Vec::new(), JavaProgram::notes).iter().for_each(|note| self.warn(note));
        let (journal, known) = self.open_journal(&output, &subject, &test)?;
        let earlier = if known.is_empty() { None } else { input::read(output.path()).ok() };
        let earlier = earlier.and_then(|earlier| subject.unpacked(earlier).ok());
        let progress = Progress::new(self.files.quiet, tree.bytes());
        let in_jar = subject.java().and_then(JavaProgram::jar).map(|jar| InJar { jar, test: &kept_text });
        let predicate: &dyn Predicate = in_jar.as_ref().map_or(&kept_text as &dyn Predicate, |in_jar| in_jar);
        let packed = |tree: &FileTree| subject.packed_for_now(tree);
        let gate = subject
            .c()
            .map(|program| Gate::asking(program.project(), program.milestone(), predicate).linked(program.is_linked()));
        let predicate: &dyn Predicate = gate.as_ref().map_or(predicate, |gate| gate);
        let mut follow =
            Follow { packed: &packed, journal, output, progress, floor: earlier.as_ref().map(FileTree::size) };
        follow.improved(&tree).map_err(anyhow::Error::msg)?;
        let mut session = Session::new(tree.clone(), predicate, limits, &mut follow);
        session.remember(known);
        let outcome = self.search(&mut session, &tree, &plan);
        // A resumed run that was stopped early may not have come as far as the one before it.
        let best = earlier.filter(|earlier| earlier.size() < session.best_size()).unwrap_or(session.best().clone());
        let refused = gate.as_ref().map_or(0, Gate::refused);
        let (counts, in_tests) = (session.counts(), session.in_tests());
        drop(session);
        follow.progress.clear();
        let result = subject.packed(&best)?;
        // Where there is no room for it, what was saved last is as good.
        follow.output.save(&result).unwrap_or_else(|problem| self.warn(&problem));
        let checked = self.recheck(&test, &result, &outcome, &cancel);
        let measured = subject.measure(&best, outcome.kept.as_ref());
        let strategies = plan.stages.iter().map(|stage| stage.strategy.name());
        let summary = Summary {
            input: subject.path().to_owned(),
            model: subject.name(),
            strategy: distinct(strategies).join(", "),
            items_before: measured.items_before,
            items_after: measured.items_after,
            clauses: measured.clauses,
            bytes_before: tree.bytes(),
            bytes_after: best.bytes(),
            counts,
            runs: test.predicate.runs(),
            refused,
            supersets: test.predicate.supersets(),
            total: started.elapsed(),
            before,
            in_tests,
            result: follow.output.path().to_owned(),
            complete: outcome.stop.is_none(),
            reliability: preflight.interesting as f64 / preflight.runs as f64,
        };
        let reported = self.report(&summary, &subject, &best, &outcome);
        Ok(self.exit_code(&outcome, checked, reported))
    }

    /// A decompiler makes nothing of what has no class files, and nothing always compiles.
    fn check_classes(&self, subject: &Subject) -> anyhow::Result<()> {
        let (Some(decompiler), false) = (&self.test_options.decompiler, has_class_files(subject.input())) else {
            return Ok(());
        };
        let path = subject.path();
        let advice = match path.extension().is_some_and(|extension| extension == "class") {
            true => "; put the class file into a directory",
            false => "",
        };
        bail!(
            "{} has no class files for {decompiler}: --decompiler needs a jar or a directory of class files{advice}",
            path.display()
        );
    }

    /// The compiler errors that the decompiled input gives.
    fn show_errors(&self, errors: &str) {
        const FEW: usize = 5;
        if !self.files.tells_a_person() {
            return;
        }
        let count = errors.lines().count();
        say!("the decompiled input gives {count} compiler {}:", if count == 1 { "error" } else { "errors" });
        errors.lines().take(FEW).for_each(|line| say!("  {line}"));
        if count > FEW {
            say!("  … and {} more; --expect 'stdout~MESSAGE' asks for one of them only", count - FEW);
        }
    }

    fn freedom(&self) -> Freedom {
        Freedom { rename: !self.search.no_rename && !self.search.readable, rewrite: !self.search.readable }
    }

    /// What `--keep` asks for: items by their label where items have names, else text of the input.
    fn keep(&self, subject: &Subject) -> anyhow::Result<Kept> {
        let patterns = &self.search.keep;
        let named = if patterns.is_empty() { None } else { subject.labels() };
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
        Ok(Kept { items: Some(subject.keeping(labels)), text: Vec::new() })
    }

    /// Tries the smallest candidate, which tells a weak test, then reduces.
    fn search(&self, session: &mut Session<'_>, input: &FileTree, plan: &Plan<'_>) -> Outcome {
        // Where much must stay anyway, the smallest candidate tells nothing.
        let is_telling = |smallest: &FileTree| self.search.keep.is_empty() && smallest.bytes() * 4 <= input.bytes();
        let smallest = smallest_candidate(input, plan).filter(is_telling);
        match smallest.map(|smallest| session.check(&smallest)).transpose() {
            Ok(Some(true)) => self.warn("the test accepts even the smallest candidate: it may be too weak"),
            Ok(_) => {}
            Err(stop) => return Outcome { stop: Some(stop), rounds: 0, kept: None },
        }
        run(session, plan)
    }

    fn subject(&self) -> anyhow::Result<Subject> {
        match (&self.search.model, &self.input) {
            (Some(model), input) => Subject::from_model(model, input.as_deref()),
            (None, Some(path)) => {
                Subject::of(path, input::read(path)?, self.search.kind.as_deref(), &self.search.surroundings)
            }
            (None, None) => unreachable!("clap asks for an input or a model"),
        }
    }

    /// Opens the journal beside the result, with what an earlier run has learned if this one resumes it.
    fn open_journal(
        &self,
        output: &Output,
        subject: &Subject,
        test: &Test,
    ) -> anyhow::Result<(Journal, Vec<(Key, Judgment)>)> {
        output.open_journal(&self.header(subject, test), self.files.resume)
    }

    fn header(&self, subject: &Subject, test: &Test) -> Header {
        let SearchOptions { strategy, keep, no_rename, readable, seed, .. } = &self.search;
        let mut run = test.identity.clone();
        run.push(format!("clauses {}", subject.fingerprint()));
        run.push(format!("model {}", subject.name()));
        run.push(format!("--seed {seed}"));
        run.extend(strategy.iter().map(|name| format!("--strategy {name}")));
        run.extend(keep.iter().map(|pattern| format!("--keep {}", quoted(pattern))));
        let flags = [("--no-rename", no_rename), ("--readable", readable)];
        run.extend(flags.iter().filter(|(_, given)| **given).map(|(flag, _)| (*flag).to_owned()));
        Header { journal: 1, lapidary: env!("CARGO_PKG_VERSION").into(), input: subject.input().key().to_string(), run }
    }

    /// Runs the test on the result once more, unless the run was to end before.
    fn recheck(&self, test: &Test, best: &FileTree, outcome: &Outcome, cancel: &Cancel) -> Checked {
        if outcome.stop.is_some() {
            return Checked::Not(None);
        }
        match test.predicate.judge(best, cancel) {
            Ok(judgment) if judgment.is_interesting() => Checked::Interesting,
            Ok(_) => Checked::Flaky,
            Err(PredicateError::Cancelled) => Checked::Not(Some("interrupted".to_owned())),
            Err(PredicateError::Fatal(reason)) => Checked::Not(Some(reason)),
        }
    }

    fn report(&self, summary: &Summary, subject: &Subject, best: &FileTree, outcome: &Outcome) -> anyhow::Result<()> {
        if self.files.tells_a_person() {
            summary.print();
            if let (Some(items), Some(kept)) = (subject.items(), &outcome.kept) {
                summary::print_kept(items, kept);
            }
            summary::print_result(best);
        }
        self.files.json.as_ref().map_or(Ok(()), |path| summary::write_json(path, &summary.json()))
    }

    fn exit_code(&self, outcome: &Outcome, checked: Checked, reported: anyhow::Result<()>) -> ExitCode {
        if let Err(error) = &reported {
            complain!("lapidary: {error:#}");
        }
        if let Some(stop) = &outcome.stop {
            complain!("lapidary: stopped early: {stop}; the best result so far is saved, --resume goes on");
            return ExitCode::from(exit::STOPPED);
        }
        match checked {
            Checked::Flaky => {
                complain!(
                    "lapidary: the test did not find the result interesting when run once more: it is flaky; see --repeat"
                );
                ExitCode::from(exit::NEGATIVE)
            }
            Checked::Not(reason) => {
                complain!("lapidary: the result was not checked once more: {}", reason.unwrap_or_default());
                ExitCode::from(exit::STOPPED)
            }
            Checked::Interesting if reported.is_err() => ExitCode::from(exit::STOPPED),
            Checked::Interesting => ExitCode::from(exit::DONE),
        }
    }

    fn warn(&self, message: &str) {
        if !self.files.quiet {
            complain!("warning: {message}");
        }
    }
}

/// What the last run of the test on the result said.
enum Checked {
    Interesting,
    Flaky,
    /// It was not run to the end, and why if that is news.
    Not(Option<String>),
}

/// What must stay.
struct Kept {
    items: Option<Keep<'static>>,
    text: Vec<regex::bytes::Regex>,
}

/// Whether there is more to know about the input than what can be taken away.
fn has_rules(subject: &Subject) -> bool {
    subject.java().is_some() || subject.c().is_some() || subject.items().is_some()
}

fn nothing_to_keep(pattern: &str) -> anyhow::Error {
    anyhow::anyhow!("--keep {pattern} matches nothing; `lapidary model` prints the labels of named items")
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    names.for_each(|name| {
        if !found.contains(&name) {
            found.push(name)
        }
    });
    found
}

/// Ctrl-C, SIGTERM and SIGHUP end the run in good order; a second one does so too.
pub fn interrupt_on_signal() -> anyhow::Result<Cancel> {
    let cancel = Cancel::new();
    let on_signal = cancel.clone();
    ctrlc::set_handler(move || on_signal.cancel()).context("cannot listen for signals")?;
    Ok(cancel)
}
