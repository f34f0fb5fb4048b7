//! Options for the test, and for when a run of it is interesting.

use crate::budget;
use crate::say::complain;
use clap::Args;
use lapidary::{Command, Expectation, Limits, Normaliser, Preserve};
use std::ffi::OsString;
use std::time::Duration;

#[derive(Args, Clone)]
#[command(next_help_heading = "The test")]
pub struct TestOptions {
    /// A test that stays alive and is sent one candidate after another
    /// (docs/reference/worker-protocol.md).
    ///
    /// CMD is a program with its arguments, as a shell reads them. It takes the place of TEST.
    #[arg(long, value_name = "CMD")]
    pub worker: Option<String>,

    /// The built-in test for decompilers (cfr, procyon, vineflower, fernflower): the decompiled
    /// candidate must give the same compiler errors as the decompiled input. Takes the place of
    /// TEST.
    ///
    /// The errors are on stdout, one `path: message` per line. With --expect 'stdout~MESSAGE', one
    /// of them is enough.
    #[arg(long, value_name = "NAME[=VERSION]", conflicts_with_all = ["worker", "preserve", "normalise"])]
    pub decompiler: Option<String>,

    /// The condition for a run to be interesting, instead of exit code 0; may be given several
    /// times.
    ///
    /// exit=N, exit!=N, exit=SEGV, stdout~REGEX, stderr~REGEX, output~REGEX, and !~ for "does not
    /// match".
    #[arg(long, value_name = "WHAT")]
    expect: Vec<Expectation>,

    /// Aspects that must stay as they are on the input: any of exit, stdout, stderr.
    #[arg(long, value_name = "LIST")]
    preserve: Option<Preserve>,

    /// How outputs are made comparable for --preserve.
    ///
    /// A list of: paths, lines (line numbers), addresses, numbers, warnings (dropped), space, sort,
    /// s/REGEX/TEXT/.
    #[arg(long, value_name = "LIST", alias = "normalize", requires = "preserve")]
    normalise: Option<Normaliser>,

    /// How many runs must agree that a candidate is interesting.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Run the test up to N times until it finds the candidate interesting, for failures that do
    /// not happen every time.
    #[arg(long, value_name = "N", conflicts_with_all = ["repeat", "preserve", "decompiler"], value_parser = clap::value_parser!(u32).range(1..))]
    any_of: Option<u32>,

    /// How long one run may take, in seconds [default: ten times the slowest interesting run, at
    /// least 1].
    #[arg(long, value_name = "SECS", value_parser = budget::timeout)]
    timeout: Option<Duration>,

    /// Memory that each process of a test may use (200M, 2G).
    #[arg(long, value_name = "SIZE", value_parser = budget::size)]
    limit_memory: Option<u64>,

    /// CPU seconds that each process of a test may use.
    #[arg(long, value_name = "SECS")]
    limit_cpu: Option<u64>,

    /// The largest file that a test may write (100M).
    #[arg(long, value_name = "SIZE", value_parser = budget::size)]
    limit_file: Option<u64>,
}

impl TestOptions {
    /// The test that the options describe; `words` is the command after `--`.
    pub fn command(&self, words: &[OsString]) -> Command {
        let mut command = match (&self.worker, &self.decompiler, words) {
            (Some(worker), ..) => Command::worker(worker),
            (None, Some(decompiler), _) => Command::decompiler(decompiler),
            (None, None, [program, arguments @ ..]) => Command::new(program).args(arguments),
            (None, None, []) => unreachable!("clap asks for a test"),
        };
        command = self.expect.iter().cloned().fold(command, Command::expect);
        command = self.preserve.iter().cloned().fold(command, Command::preserve);
        command = self.normalise.iter().cloned().fold(command, Command::normalise);
        command = self.timeout.into_iter().fold(command, Command::timeout);
        let limits = Limits { cpu_seconds: self.limit_cpu, memory: self.limit_memory, file_size: self.limit_file };
        let command = match self.any_of {
            Some(runs) => command.any_of(runs),
            None => command.repeat(self.repeat),
        };
        command.limits(limits).on_message(|text| complain!("{text}"))
    }
}
