//! Checking a model against the world: are the sub-inputs that it calls valid accepted?

use crate::container::Container;
use crate::error::{Error, Result};
use crate::java::JavaProgram;
use crate::subject::Subject;
use crate::test::Command;
use anyhow::Context;
use lapidary_java_workers::Verifier;
use lapidary_logic::{Reasoner, random_solution};
use lapidary_predicate::{
    CommandConfig, CommandPredicate, Observation, Sandbox, TestPredicate, Timeout, WorkerConfig, WorkerPredicate,
};
use lapidary_reduce::{Cancel, FileTree, Model, PredicateError};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::absolute;
use std::time::Duration;

/// A check of a model that can be run: random valid sub-inputs are written, and a command or the
/// JVM accepts or rejects each of them. The accepted share tells how well the model knows the
/// language.
///
/// ```
/// use lapidary::{ModelCheck, ModelCheckOptions, Subject};
///
/// let subject = Subject::bytes("a.py", b"def f(x):\n    return x\nprint(f(1))\n".to_vec())?;
/// let command = ["python3", "-m", "py_compile", "{}"].map(Into::into).to_vec();
/// let options = ModelCheckOptions { count: 10, command, ..ModelCheckOptions::default() };
/// let check = ModelCheck::of(&subject, options)?;
/// let report = subject.with_model(subject.input(), |model| check.run(model, &mut ()));
/// assert_eq!(report.expect("there are items")?.accepted, 10);
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct ModelCheck<'s> {
    subject: &'s Subject,
    options: ModelCheckOptions,
}

/// The settings of a check.
#[derive(Clone, Default)]
pub struct ModelCheckOptions {
    /// How many sub-inputs to check.
    pub count: u32,
    /// The command that accepts a sub-input with exit code 0; `{}` in it stands for the path. If it
    /// is empty, the JVM verifies and resolves the sub-inputs of a Java program.
    pub command: Vec<OsString>,
    /// How long one run may take; if `None`, ten times the run on the whole input.
    pub timeout: Option<Duration>,
    /// The sandbox that the command runs in.
    pub sandbox: Option<Sandbox>,
    /// The seed of the first sub-input. The next ones follow it.
    pub seed: u64,
    /// Ends the check when it fires. The report then has the checks so far.
    pub cancel: Cancel,
}

/// Follows a check. By default, every method does nothing; `&mut ()` watches nothing.
pub trait ModelCheckWatcher {
    /// So many sub-inputs were checked, and so many of them accepted.
    fn checked(&mut self, _checked: u32, _accepted: u32) {}

    /// The whole input is rejected too, so rejections say little about the model.
    fn input_rejected(&mut self) {}
}

impl ModelCheckWatcher for () {}

/// The outcome of a check.
#[derive(Default)]
pub struct ModelCheckReport {
    /// How many sub-inputs were checked.
    pub checked: u32,
    /// Whether the check was interrupted.
    pub is_stopped: bool,
    /// How many sub-inputs were accepted.
    pub accepted: u32,
    /// How many sub-inputs were rejected for each reason.
    pub rejected: BTreeMap<String, u32>,
    /// The first sub-input that was rejected.
    pub first_rejected: Option<Rejected>,
}

/// A sub-input that was rejected.
pub struct Rejected {
    /// The seed that it was made from.
    pub seed: u64,
    /// The sub-input.
    pub candidate: FileTree,
    /// Another run of the command on it.
    pub observation: Observation,
}

impl<'s> ModelCheck<'s> {
    /// A check of the model of this subject. Nothing runs before [`ModelCheck::run`].
    pub fn of(subject: &'s Subject, options: ModelCheckOptions) -> Result<Self> {
        if options.command.is_empty() && subject.java().is_none() {
            let needed = "--check needs a COMMAND after `--` that accepts a valid sub-input";
            return Err(Error::BadInput(needed.to_owned()));
        }
        if options.command.is_empty() && subject.container().is_some_and(Container::is_class_file) {
            let needed =
                "--check of a single class file needs a COMMAND after `--`; the JVM verifies a directory or jar";
            return Err(Error::BadInput(needed.to_owned()));
        }
        Ok(ModelCheck { subject, options })
    }

    /// Checks the model, which is one of the subject's.
    pub fn run(&self, model: &dyn Model, watcher: &mut dyn ModelCheckWatcher) -> Result<ModelCheckReport> {
        Ok(self.checked(model, watcher)?)
    }

    fn checked(&self, model: &dyn Model, watcher: &mut dyn ModelCheckWatcher) -> anyhow::Result<ModelCheckReport> {
        let judge = self.judge()?;
        watcher.checked(0, 0);
        if self.options.timeout.is_none() && !self.learn_timeout(&*judge)? {
            watcher.input_rejected();
        }
        let reasoner = Reasoner::new(model.constraint());
        let mut report = ModelCheckReport::default();
        let mut first = None;
        for index in 0..self.options.count {
            watcher.checked(index, report.accepted);
            let seed = self.options.seed.wrapping_add(u64::from(index));
            let candidate = self.subject.packed(&model.render(&random_solution(&reasoner, seed))?)?;
            let judgment = match judge.judge(&candidate, &self.options.cancel) {
                Err(PredicateError::Cancelled) => return Ok(ModelCheckReport { is_stopped: true, ..report }),
                judged => judged?,
            };
            report.checked += 1;
            if judgment.is_interesting() {
                report.accepted += 1;
            } else {
                *report.rejected.entry(judgment.reason).or_default() += 1;
                first.get_or_insert((seed, candidate));
            }
        }
        if let Some((seed, candidate)) = first {
            let observation = judge.observe(&candidate, &Cancel::new())?;
            report.first_rejected = Some(Rejected { seed, candidate, observation });
        }
        Ok(report)
    }

    /// The judge of the sub-inputs: the command, or the JVM for a Java program without one.
    fn judge(&self) -> anyhow::Result<Box<dyn TestPredicate>> {
        match self.subject.java().filter(|_| self.options.command.is_empty()) {
            Some(program) => Ok(Box::new(WorkerPredicate::new(WorkerConfig::new(self.verifier(program)?))?)),
            None => {
                let (program, arguments) = self.options.command.split_first().context("--check needs a COMMAND")?;
                let config = Command::new(program).args(arguments).config(self.subject.input().name());
                Ok(Box::new(CommandPredicate::new(self.set_up(config))?))
            }
        }
    }

    /// The worker that asks the JVM whether sub-inputs verify and link.
    fn verifier(&self, program: &JavaProgram) -> anyhow::Result<CommandConfig> {
        let original = absolute(self.subject.path())?;
        let (java, arguments) = Verifier::install()?.command(&program.libraries(), &original);
        let mut config = CommandConfig::new(java);
        config.arguments = arguments;
        Ok(self.set_up(config))
    }

    fn set_up(&self, mut config: CommandConfig) -> CommandConfig {
        config.timeout = self.options.timeout.map_or(Timeout::Adaptive, Timeout::Fixed);
        config.sandbox = self.options.sandbox.clone();
        config
    }

    /// Learns the timeout from a run on the whole input. Returns whether that is accepted.
    fn learn_timeout(&self, judge: &dyn TestPredicate) -> anyhow::Result<bool> {
        let observation = judge.observe(&self.subject.packed(self.subject.input())?, &self.options.cancel)?;
        let is_accepted = judge.assess(&observation)?.is_interesting();
        if is_accepted {
            judge.calibrate(&[observation])?;
        }
        Ok(is_accepted)
    }
}
