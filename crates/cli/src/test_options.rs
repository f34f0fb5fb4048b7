//! Options that say what the test is and when a run of it counts as interesting.

use crate::budget;
use crate::say::complain;
use clap::Args;
use lapidary_java_workers::Decompiler;
use lapidary_predicate::{
    CommandConfig, CommandPredicate, Expectation, Limits, Normaliser, Preserve, TestPredicate, Timeout, WorkerConfig,
    WorkerPredicate,
};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args, Clone)]
#[command(next_help_heading = "What counts as interesting")]
pub struct TestOptions {
    /// Keep the test's process alive and send it one candidate after another (docs/reference/worker-protocol.md).
    ///
    /// CMD is a command line for the shell; it takes the place of TEST.
    #[arg(long, value_name = "CMD")]
    pub worker: Option<String>,

    /// The built-in test for decompilers: what NAME (cfr, procyon, vineflower, fernflower) makes of the candidate gives
    /// the same compiler errors as what it makes of the input. Takes the place of TEST.
    ///
    /// The errors are on stdout, one `path: message` per line: --expect 'stdout~MESSAGE' asks for one of them only.
    #[arg(long, value_name = "NAME[=VERSION]", conflicts_with_all = ["worker", "preserve", "normalise"])]
    pub decompiler: Option<String>,

    /// What must hold of a run instead of exit code 0; may be given several times.
    ///
    /// exit=N, exit!=N, exit=SEGV, stdout~REGEX, stderr~REGEX, output~REGEX, and !~ for "does not match".
    #[arg(long, value_name = "WHAT")]
    expect: Vec<Expectation>,

    /// What must stay as it is on the original input: any of exit, stdout, stderr.
    #[arg(long, value_name = "LIST")]
    preserve: Option<Preserve>,

    /// How output is made comparable for --preserve.
    ///
    /// A list of: paths, lines (line numbers), addresses, numbers, warnings (dropped), space, sort, s/REGEX/TEXT/.
    #[arg(long, value_name = "LIST", alias = "normalize", requires = "preserve")]
    normalise: Option<Normaliser>,

    /// How many runs must agree that a candidate is interesting.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// How long one run may take, in seconds [default: ten times the slowest interesting run, at least 1].
    #[arg(long, value_name = "SECS", value_parser = budget::timeout)]
    timeout: Option<Duration>,

    /// Memory each process of a test may use (200M, 2G).
    #[arg(long, value_name = "SIZE", value_parser = budget::size)]
    limit_memory: Option<u64>,

    /// CPU seconds each process of a test may use.
    #[arg(long, value_name = "SECS")]
    limit_cpu: Option<u64>,

    /// The largest file a test may write (100M).
    #[arg(long, value_name = "SIZE", value_parser = budget::size)]
    limit_file: Option<u64>,
}

/// A test that can be run, and what identifies it in a journal.
pub struct Test {
    pub predicate: Box<dyn TestPredicate>,
    /// Whether something must stay as it is on the input.
    pub preserves: bool,
    pub identity: Vec<String>,
}

impl TestOptions {
    /// `candidate` is the name under which the test finds its input: an argument equal to it means the candidate.
    pub fn build(&self, command: &[OsString], candidate: &str, libraries: &[PathBuf]) -> anyhow::Result<Test> {
        let mut config = match (&self.worker, &self.decompiler) {
            (None, None) => command_from_here(command, candidate),
            (Some(worker), _) => shell_command(worker),
            (None, Some(decompiler)) => decompiler_command(decompiler, libraries)?,
        };
        if self.decompiler.is_none() || !self.expect.is_empty() {
            config.expectations.extend(self.expect.iter().cloned());
            config.preserve = self.preserve.clone().unwrap_or_default();
            config.normalise = self.normalise.clone().unwrap_or_default();
        }
        config.repeat = self.repeat;
        config.timeout = self.timeout.map_or(Timeout::Adaptive, Timeout::Fixed);
        config.limits = Limits { cpu_seconds: self.limit_cpu, memory: self.limit_memory, file_size: self.limit_file };
        let identity = self.identity(command);
        let preserves = self.preserve.is_some() || self.decompiler.is_some() && self.expect.is_empty();
        let predicate: Box<dyn TestPredicate> = match self.worker.is_some() || self.decompiler.is_some() {
            true => Box::new(
                WorkerPredicate::new(WorkerConfig::new(config))?.on_warning(|text| complain!("warning: {text}")),
            ),
            false => Box::new(CommandPredicate::new(config)?),
        };
        Ok(Test { predicate, preserves, identity })
    }

    /// What decides a verdict, as the user has said it.
    fn identity(&self, command: &[OsString]) -> Vec<String> {
        let words: Vec<String> = command.iter().map(|word| quoted(&word.to_string_lossy())).collect();
        let given = |name: &str, value: Option<String>| value.map(|value| format!("{name} {value}"));
        let seconds = |time: Duration| time.as_secs_f64().to_string();
        let once = [
            given("the test", (!words.is_empty()).then(|| words.join(" "))),
            given("--worker", self.worker.as_deref().map(quoted)),
            given("--decompiler", self.decompiler.as_deref().map(quoted)),
            given("--preserve", self.preserve.as_ref().map(Preserve::to_string)),
            given("--normalise", self.normalise.as_ref().map(|normalise| quoted(&normalise.to_string()))),
            given("--repeat", (self.repeat > 1).then(|| self.repeat.to_string())),
            given("--timeout", self.timeout.map(seconds)),
            given("--limit-memory", self.limit_memory.map(|bytes| bytes.to_string())),
            given("--limit-cpu", self.limit_cpu.map(|seconds| seconds.to_string())),
            given("--limit-file", self.limit_file.map(|bytes| bytes.to_string())),
        ];
        let expected = self.expect.iter().map(|expectation| format!("--expect {}", quoted(&expectation.to_string())));
        once.into_iter().flatten().chain(expected).collect()
    }
}

/// A word as a shell must be given it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=+,@{}".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn shell_command(line: &str) -> CommandConfig {
    let mut config = CommandConfig::new("/bin/sh");
    config.arguments = vec!["-c".into(), format!("exec {line}").into()];
    config.called = Some(line.to_owned());
    config
}

/// Installs the decompiler and its worker if they are not there yet.
fn decompiler_command(name: &str, libraries: &[PathBuf]) -> anyhow::Result<CommandConfig> {
    let installed = Decompiler::parse(name)?.install(&mut |text| complain!("{text}"))?;
    let (program, arguments) = installed.command(libraries);
    let mut config = CommandConfig::new(program);
    config.arguments = arguments;
    config.called = Some(format!("the worker for {name}"));
    config.expectations = vec![lapidary_java_workers::EXPECT.parse()?];
    config.preserve = lapidary_java_workers::PRESERVE.parse()?;
    Ok(config)
}

/// The command as the user means it. Tests run elsewhere, so an argument that names a file here becomes absolute, unless it
/// names the candidate.
pub fn command_from_here(command: &[OsString], candidate: &str) -> CommandConfig {
    let (program, arguments) = command.split_first().expect("clap asks for a command");
    let from_here = |argument: &OsString| {
        let path = Path::new(argument);
        match argument != candidate && path.is_file() {
            true => std::path::absolute(path).map_or_else(|_| argument.clone(), Into::into),
            false => argument.clone(),
        }
    };
    let mut config = CommandConfig::new(program);
    config.arguments = arguments.iter().map(from_here).collect();
    config
}
