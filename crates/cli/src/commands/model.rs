//! `lapidary model`: prints the model of an input, and checks it.

use crate::progress::{Row, counted, thousands};
use crate::run_options::Surroundings;
use crate::sandbox_option::{Foreign, SandboxOption};
use crate::say::{complain, out, say};
use crate::shared_options::{BudgetOption, OneJob, SeedOption, TellingOptions};
use crate::signals::cancel_on_signal;
use crate::{budget, exit, summary};
use anyhow::bail;
use clap::Args;
use lapidary::{
    Cancel, ModelCheck, ModelCheckOptions, ModelCheckReport, ModelCheckWatcher, Rejected, SandboxMode, Subject, quoted,
};
use lapidary_logic::{Clause, CountLimit, count, dimacs};
use lapidary_predicate::Observation;
use lapidary_reduce::{Item, Model};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Print the items and clauses that a reduction would work on
///
/// With --check N and a command after `--`, N random valid sub-inputs are
/// written and the command runs on each. The share that it accepts (exit code 0)
/// tells how well the model knows the language.
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

    /// The kind of the input, as for `lapidary reduce`.
    #[arg(long = "as", value_name = "KIND")]
    kind: Option<String>,

    #[command(flatten)]
    surroundings: Surroundings,

    /// A model made by another program (docs/reference/model-format.md).
    #[arg(long, value_name = "FILE", conflicts_with = "kind")]
    model: Option<PathBuf>,

    /// List every item, however many there are.
    #[arg(long)]
    items: bool,

    /// List every clause, however many there are.
    #[arg(long)]
    clauses: bool,

    /// Print only the constraint, in DIMACS form.
    #[arg(long, conflicts_with_all = ["items", "clauses", "count", "check"])]
    dimacs: bool,

    /// Count the valid sub-inputs.
    #[arg(long)]
    count: bool,

    /// Run the command on N random valid sub-inputs. Without a command, the JVM verifies those of a
    /// Java program.
    #[arg(long, value_name = "N")]
    check: Option<u32>,

    /// How long one run of the command may take, in seconds [default: ten times the run on the
    /// whole input, at least 1].
    #[arg(long, value_name = "SECS", value_parser = budget::timeout, requires = "check")]
    timeout: Option<Duration>,

    #[command(flatten)]
    sandbox: SandboxOption,

    #[command(flatten)]
    budget: BudgetOption,

    #[command(flatten)]
    _jobs: OneJob,

    #[command(flatten)]
    random: SeedOption,

    #[command(flatten)]
    telling: TellingOptions,

    /// The command for --check.
    #[arg(last = true, value_name = "COMMAND", requires = "check")]
    command: Vec<OsString>,
}

impl ModelCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if self.sandbox.is_given() && self.check.is_none() {
            bail!("--sandbox is for the command of --check; without it, nothing runs");
        }
        self.telling.check(&self.read(), &[])?;
        let cancel = cancel_on_signal()?;
        self.budget.watch(&cancel);
        let subject = match (&self.model, &self.input) {
            (Some(model), input) => Subject::from_model(model, input.as_deref())?,
            (None, Some(path)) => Subject::open_as(path, &self.surroundings.reading(self.kind.as_deref()))?,
            (None, None) => unreachable!("clap asks for an input or a model"),
        };
        let check = self.check.map(|count| self.model_check(count, cancel, &subject)).transpose()?;
        let printed = subject.with_model(subject.input(), |model| {
            // Some notes are only known once the model is built.
            let notes = if self.telling.quiet { Vec::new() } else { subject.notes() };
            notes.iter().for_each(|note| complain!("warning: {note}"));
            self.print(&subject, model, check.as_ref())
        });
        printed.unwrap_or_else(|| bail!("there is nothing to remove in {}", subject.path().display()))
    }

    /// The files that the command reads: its inputs, and those that the command of --check names.
    fn read(&self) -> Vec<PathBuf> {
        let inputs = [&self.input, &self.model].into_iter().flatten().cloned();
        inputs.chain(self.command.iter().map(PathBuf::from)).filter(|path| path.is_file()).collect()
    }

    /// The user's own command, which may need the world.
    fn foreign(&self) -> Foreign {
        Foreign { code: "the command", default: SandboxMode::Off, quiet: self.telling.quiet, is_limited: false }
    }

    fn model_check<'s>(&self, count: u32, cancel: Cancel, subject: &'s Subject) -> anyhow::Result<ModelCheck<'s>> {
        let options = ModelCheckOptions {
            count,
            command: self.command.clone(),
            timeout: self.timeout,
            sandbox: self.sandbox.choose(self.foreign())?,
            seed: self.random.seed,
            cancel,
        };
        Ok(ModelCheck::of(subject, options)?)
    }

    fn print(&self, subject: &Subject, model: &dyn Model, check: Option<&ModelCheck<'_>>) -> anyhow::Result<ExitCode> {
        let sub_inputs = self.count.then(|| counted_sub_inputs(model));
        if self.telling.tells_a_person() {
            self.show(subject, model, sub_inputs.as_deref());
        }
        let report = check.map(|check| self.checked(check, model)).transpose()?;
        if let Some(report) = report.as_ref().filter(|_| self.telling.tells_a_person()) {
            self.show_check(subject, report);
        }
        if let Some(path) = &self.telling.json {
            summary::write_json(path, &as_json(subject, model, sub_inputs.as_deref(), report.as_ref()))?;
        }
        Ok(exit_code(report.as_ref()))
    }

    fn show(&self, subject: &Subject, model: &dyn Model, sub_inputs: Option<&str>) {
        let (items, constraint) = (model.items(), model.constraint());
        if self.dimacs {
            let text = dimacs::write(constraint, |var| items.get(var.index()).map(|item| item.label.clone()));
            return out(format_args!("{text}"));
        }
        print_statistics(subject, model);
        const FEW: usize = 40;
        if self.items || items.len() <= FEW {
            items.iter().enumerate().for_each(|(index, item)| {
                say!("  {index:>5}  {}  ({}, {})", item.label, item.kind, counted(item.cost as usize, "byte"))
            });
        }
        if self.clauses || constraint.len() <= FEW {
            constraint.clauses().for_each(|clause| say!("  {}", in_words(clause, items)));
        }
        if let Some(number) = sub_inputs {
            say!("valid sub-inputs: {number}");
        }
    }

    fn checked(&self, check: &ModelCheck<'_>, model: &dyn Model) -> anyhow::Result<ModelCheckReport> {
        let mut row = Row::new(self.check.unwrap_or(0), self.telling.quiet);
        let report = check.run(model, &mut row);
        row.clear();
        Ok(report?)
    }

    fn show_check(&self, subject: &Subject, report: &ModelCheckReport) {
        say!(
            "{} of {} of {} accepted ({:.1} %)",
            report.accepted,
            counted(report.checked as usize, "random valid sub-input"),
            subject.path().display(),
            100.0 * f64::from(report.accepted) / f64::from(report.checked.max(1))
        );
        report.rejected.iter().for_each(|(reason, times)| say!("  {times} rejected: {reason}"));
        if let Some(Rejected { seed, candidate, observation }) = &report.first_rejected {
            say!("the first rejected one has seed {seed}:");
            print_output(observation);
            say!("to get it as a file: {}", self.command_for(*seed, candidate.name()));
        }
    }

    /// The command line that copies the candidate of a seed into the current directory.
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

impl ModelCheckWatcher for Row {
    fn checked(&mut self, checked: u32, accepted: u32) {
        self.at(checked, accepted);
    }

    fn input_rejected(&mut self) {
        self.clear();
        if !self.is_quiet() {
            complain!("warning: the whole input is rejected too");
        }
    }
}

fn counted_sub_inputs(model: &dyn Model) -> String {
    match count(model.constraint(), &CountLimit::default()) {
        Ok(number) => number.to_string(),
        Err(error) => format!("not counted, {error}"),
    }
}

fn exit_code(report: Option<&ModelCheckReport>) -> ExitCode {
    ExitCode::from(match report {
        Some(report) if report.is_stopped => {
            complain!("lapidary: stopped early, after {}", counted(report.checked as usize, "check"));
            exit::STOPPED
        }
        Some(report) if !report.rejected.is_empty() => exit::NEGATIVE,
        _ => exit::DONE,
    })
}

fn as_json(subject: &Subject, model: &dyn Model, sub_inputs: Option<&str>, report: Option<&ModelCheckReport>) -> Value {
    let check = |report: &ModelCheckReport| {
        json!({
            "checked": report.checked,
            "accepted": report.accepted,
            "rejected": report.rejected,
            "first_rejected_seed": report.first_rejected.as_ref().map(|rejected| rejected.seed),
            "complete": !report.is_stopped,
        })
    };
    json!({
        "command": "model",
        "input": subject.path().to_string_lossy(),
        "model": subject.name(),
        "bytes": subject.input().bytes(),
        "items": model.items().len(),
        "clauses": model.constraint().len(),
        "literals": model.constraint().literal_count(),
        "sub_inputs": sub_inputs,
        "check": report.map(check),
    })
}

/// Prints the first lines of both output streams of a command.
fn print_output(observation: &Observation) {
    const LINES: usize = 20;
    for output in [&observation.stdout, &observation.stderr] {
        let text = String::from_utf8_lossy(&output.head);
        text.lines().take(LINES).for_each(|line| say!("  {line}"));
        if text.lines().count() > LINES {
            say!("  …");
        }
    }
}

fn not_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

fn print_statistics(subject: &Subject, model: &dyn Model) {
    let (items, constraint) = (model.items(), model.constraint());
    say!("{}: {}, {}", subject.path().display(), subject.name(), counted(subject.input().bytes() as usize, "byte"));
    let mut kinds: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for item in items {
        let (count, bytes) = kinds.entry(&item.kind).or_default();
        *count += 1;
        *bytes += item.cost;
    }
    say!("{}", counted(items.len(), "item"));
    for (kind, (count, bytes)) in kinds {
        say!("  {:>7}  {kind} ({})", thousands(count), counted(bytes as usize, "byte"));
    }
    let edges = constraint.clauses().filter(Clause::is_edge).count();
    say!(
        "{}, {}, {:.1} % edges, {}",
        counted(constraint.len(), "clause"),
        counted(constraint.literal_count(), "literal"),
        100.0 * edges as f64 / constraint.len().max(1) as f64,
        counted(constraint.variables() - items.len(), "auxiliary variable")
    );
    if let Some(preference) = model.preference() {
        say!("{}", counted(preference.len(), "preference"));
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
