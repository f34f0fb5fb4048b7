//! `lapidary model`: what does Lapidary see in my program?

use crate::java::JavaProgram;
use crate::plan::{Subject, Surroundings};
use crate::progress::{Row, counted, thousands};
use crate::say::complain;
use crate::test_options::{command_from_here, quoted};
use crate::{budget, exit, input};
use anyhow::bail;
use clap::Args;
use lapidary_java_workers::Verifier;
use lapidary_logic::{Clause, CountLimit, Reasoner, VarSet, count, dimacs, random_solution};
use lapidary_predicate::{
    CommandConfig, CommandPredicate, Observation, TestPredicate, Timeout, WorkerConfig, WorkerPredicate,
};
use lapidary_reduce::{Cancel, Item, Model};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Print the items and clauses that a reduction would work on.
///
/// With --check N and a command behind `--`, N random valid sub-inputs are written and the command is run on each: the
/// share it accepts (exit code 0) tells how well the model knows the language.
///
///   lapidary model bug.c
///   lapidary model examples/fji/figure1.fji --count
///   lapidary model bug.c --check 100 -- gcc -fsyntax-only {}
///   lapidary model app.jar --check 100
#[derive(Args)]
#[command(verbatim_doc_comment, override_usage = "lapidary model [OPTIONS] INPUT [-- COMMAND [ARGS]...]")]
pub struct ModelCommand {
    /// The input: a file or a directory.
    #[arg(required_unless_present = "model")]
    input: Option<PathBuf>,

    /// What the input is, as for `lapidary reduce`.
    #[arg(long = "as", value_name = "KIND")]
    kind: Option<String>,

    #[command(flatten)]
    surroundings: Surroundings,

    /// A model made elsewhere.
    #[arg(long, value_name = "FILE", conflicts_with = "kind")]
    model: Option<PathBuf>,

    /// List every item, however many there are.
    #[arg(long)]
    items: bool,

    /// List every clause, however many there are.
    #[arg(long)]
    clauses: bool,

    /// Print the constraint in DIMACS form, and nothing else.
    #[arg(long, conflicts_with_all = ["items", "clauses", "count", "check"])]
    dimacs: bool,

    /// Count the valid sub-inputs.
    #[arg(long)]
    count: bool,

    /// Write N random valid sub-inputs and run the command on each; without a command, the JVM judges those of a Java
    /// program.
    #[arg(long, value_name = "N")]
    check: Option<u32>,

    /// How long the command may take for one of them, in seconds [default: ten times what it takes for the whole input,
    /// at least 1].
    #[arg(long, value_name = "SECS", value_parser = budget::timeout, requires = "check")]
    timeout: Option<Duration>,

    /// Seed for --check.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The command for --check.
    #[arg(last = true, value_name = "COMMAND", requires = "check")]
    command: Vec<OsString>,
}

impl ModelCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let subject = match (&self.model, &self.input) {
            (Some(model), input) => Subject::from_model(model, input.as_deref())?,
            (None, Some(path)) => Subject::of(path, input::read(path)?, self.kind.as_deref(), &self.surroundings)?,
            (None, None) => unreachable!("clap asks for an input or a model"),
        };
        if self.check.is_some() && self.command.is_empty() && subject.java().is_none() {
            bail!("--check needs a COMMAND behind `--` that accepts a valid sub-input");
        }
        let printed = subject.with_model(subject.input(), |model| {
            // The model that is shown has found out most of what there is to say.
            subject.java().map_or(Vec::new(), JavaProgram::notes).iter().for_each(|note| complain!("warning: {note}"));
            self.print(&subject, model)
        });
        printed.unwrap_or_else(|| bail!("there is nothing to take away in {}", subject.path().display()))
    }

    fn print(&self, subject: &Subject, model: &dyn Model) -> anyhow::Result<ExitCode> {
        let (items, constraint) = (model.items(), model.constraint());
        if self.dimacs {
            print!("{}", dimacs::write(constraint, |var| items.get(var.index()).map(|item| item.label.clone())));
            return Ok(ExitCode::from(exit::DONE));
        }
        print_statistics(subject, model);
        const FEW: usize = 40;
        if self.items || items.len() <= FEW {
            items.iter().enumerate().for_each(|(index, item)| {
                println!("  {index:>5}  {}  ({}, {} bytes)", item.label, item.kind, item.cost)
            });
        }
        if self.clauses || constraint.len() <= FEW {
            constraint.clauses().for_each(|clause| println!("  {}", in_words(clause, items)));
        }
        if self.count {
            match count(constraint, &CountLimit::default()) {
                Ok(number) => println!("valid sub-inputs: {number}"),
                Err(error) => println!("valid sub-inputs: not counted, {error}"),
            }
        }
        match self.check {
            Some(number) => self.check(number, subject, model),
            None => Ok(ExitCode::from(exit::DONE)),
        }
    }

    /// What judges the candidates: the command, or for Java programs the JVM itself.
    fn checker(&self, subject: &Subject) -> anyhow::Result<Box<dyn TestPredicate>> {
        match subject.java().filter(|_| self.command.is_empty()) {
            Some(program) => Ok(Box::new(WorkerPredicate::new(self.verifier(subject, program)?)?)),
            None => {
                let mut config = command_from_here(&self.command, subject.input().name());
                config.timeout = self.timeout.map_or(Timeout::Adaptive, Timeout::Fixed);
                Ok(Box::new(CommandPredicate::new(config)?))
            }
        }
    }

    /// The worker that asks the JVM whether candidates verify and link.
    fn verifier(&self, subject: &Subject, program: &JavaProgram) -> anyhow::Result<WorkerConfig> {
        let original = std::path::absolute(subject.path())?;
        let (java, arguments) = Verifier::install()?.command(&program.libraries(), &original);
        let mut config = CommandConfig::new(java);
        config.arguments = arguments;
        config.timeout = self.timeout.map_or(Timeout::Adaptive, Timeout::Fixed);
        Ok(WorkerConfig::new(config))
    }

    /// Learns from the whole input how long a run may take, unless the user has said so. False if that is rejected.
    fn learn_timeout(&self, predicate: &dyn TestPredicate, subject: &Subject) -> anyhow::Result<bool> {
        if self.timeout.is_some() {
            return Ok(true);
        }
        let observation = predicate.observe(&subject.packed(subject.input())?, &Cancel::new())?;
        let is_accepted = predicate.assess(&observation)?.is_interesting();
        if is_accepted {
            predicate.calibrate(&[observation])?;
        }
        Ok(is_accepted)
    }

    /// Renders random valid candidates and runs the command on each.
    fn check(&self, number: u32, subject: &Subject, model: &dyn Model) -> anyhow::Result<ExitCode> {
        let predicate = self.checker(subject)?;
        let mut row = Row::new(number);
        row.at(0, 0);
        if !self.learn_timeout(&*predicate, subject)? {
            row.clear();
            complain!("warning: the whole input is rejected too");
        }
        let reasoner = Reasoner::new(model.constraint());
        let mut accepted = 0;
        let mut rejected: BTreeMap<String, u32> = BTreeMap::new();
        let mut first = None;
        for index in 0..number {
            row.at(index, accepted);
            let seed = self.seed.wrapping_add(u64::from(index));
            let keep: VarSet = random_solution(&reasoner, seed);
            let candidate = subject.packed(&model.render(&keep)?)?;
            let judgment = predicate.judge(&candidate, &Cancel::new())?;
            match judgment.is_interesting() {
                true => accepted += 1,
                false => {
                    *rejected.entry(judgment.reason).or_default() += 1;
                    first.get_or_insert((seed, candidate));
                }
            }
        }
        row.clear();
        println!(
            "{accepted} of {number} random valid sub-inputs of {} accepted ({:.1} %)",
            subject.path().display(),
            100.0 * f64::from(accepted) / f64::from(number.max(1))
        );
        rejected.iter().for_each(|(reason, times)| println!("  {times} rejected: {reason}"));
        if let Some((seed, candidate)) = first {
            println!("the first that was rejected has seed {seed}:");
            print_output(&predicate.observe(&candidate, &Cancel::new())?);
            println!("to have it as a file: {}", self.command_for(seed, candidate.name()));
        }
        Ok(ExitCode::from(if rejected.is_empty() { exit::DONE } else { exit::NEGATIVE }))
    }

    /// The command line that leaves the candidate of a seed in the current directory.
    fn command_for(&self, seed: u64, name: &str) -> String {
        let mut words = vec!["lapidary".to_owned(), "model".to_owned()];
        words.extend(self.input.as_ref().map(|input| quoted(&input.to_string_lossy())));
        let classpath: Vec<_> = self.surroundings.classpath.iter().map(|path| path.to_string_lossy()).collect();
        let options = [
            ("--as", self.kind.clone()),
            ("--model", self.model.as_ref().map(|model| model.to_string_lossy().into_owned())),
            ("--classpath", not_empty(classpath.join(":"))),
            ("--cflags", not_empty(self.surroundings.cflags.join(" "))),
        ];
        for (option, value) in options {
            words.extend(value.map(|value| format!("{option} {}", quoted(&value))));
        }
        format!(
            "{} --check 1 --seed {seed} -- cp -r {{}} \"$PWD\"/{}",
            words.join(" "),
            quoted(&format!("{seed}-{name}"))
        )
    }
}

/// What a command printed about a candidate: the first lines of both streams.
fn print_output(observation: &Observation) {
    const LINES: usize = 20;
    for output in [&observation.stdout, &observation.stderr] {
        let text = String::from_utf8_lossy(&output.head);
        text.lines().take(LINES).for_each(|line| println!("  {line}"));
        if text.lines().count() > LINES {
            println!("  …");
        }
    }
}

fn not_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

fn print_statistics(subject: &Subject, model: &dyn Model) {
    let (items, constraint) = (model.items(), model.constraint());
    println!("{}: {}, {} bytes", subject.path().display(), subject.name(), thousands(subject.input().bytes()));
    let mut kinds: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for item in items {
        let (count, bytes) = kinds.entry(&item.kind).or_default();
        *count += 1;
        *bytes += item.cost;
    }
    println!("{}", counted(items.len(), "item"));
    for (kind, (count, bytes)) in kinds {
        println!("  {:>7}  {kind} ({} bytes)", thousands(count), thousands(bytes));
    }
    let edges = constraint.clauses().filter(Clause::is_edge).count();
    println!(
        "{}, {}, {:.1} % edges, {}",
        counted(constraint.len(), "clause"),
        counted(constraint.literal_count(), "literal"),
        100.0 * edges as f64 / constraint.len().max(1) as f64,
        counted(constraint.variables() - items.len(), "auxiliary variable")
    );
    if let Some(preference) = model.preference() {
        println!("{}", counted(preference.len(), "preference"));
    }
}

fn in_words(clause: Clause<'_>, items: &[Item]) -> String {
    let label = |var: &lapidary_logic::Var| {
        items.get(var.index()).map_or_else(|| format!("#{}", var.index()), |item| format!("[{}]", item.label))
    };
    let premises: Vec<String> = clause.premises.iter().map(label).collect();
    let conclusions: Vec<String> = clause.conclusions.iter().map(label).collect();
    match premises.is_empty() {
        true => conclusions.join(" ∨ "),
        false => format!("{} ⇒ {}", premises.join(" ∧ "), conclusions.join(" ∨ ")),
    }
}
