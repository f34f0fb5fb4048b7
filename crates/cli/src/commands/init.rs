//! `lapidary init`: writes the test for a command that fails.

use crate::say::{complain, say};
use crate::shared_options::TellingOptions;
use crate::signals::cancel_on_signal;
use crate::{budget, exit, summary};
use clap::Args;
use lapidary::{Init, InitOptions, InitReport, Written};
use std::ffi::OsString;
use std::fs;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "lapidary init [OPTIONS] [--] COMMAND [ARGS]... [< INPUT]";

/// Write the test for a command that fails
///
/// Runs the command once, recognises how it fails, and writes a script that
/// says whether a smaller input still fails like that, with each line
/// explained. Then it tries the script on the input and on an empty one, and
/// prints the command line of the reduction.
///
///   lapidary init gcc -O2 -c bug.c
///   lapidary init --compare -O0 gcc -O2 bug.c
///   lapidary init --text 'call.*dead' gcc -O3 -S bug.c
///   lapidary init python3 bug.py
///   lapidary init sqlite3 :memory: < bug.sql
#[derive(Args)]
#[command(verbatim_doc_comment, override_usage = USAGE)]
pub struct InitCommand {
    /// The command that fails, with its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<OsString>,

    /// The input to reduce [default: the argument that is a file].
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// Where the script goes.
    #[arg(long, short, value_name = "FILE", default_value = "interesting.sh")]
    out: PathBuf,

    /// A text that the output must have, such as a warning or, with -S, a piece of assembly (an
    /// extended regular expression).
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    text: Option<String>,

    /// A text that the output must not have (an extended regular expression).
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    without: Option<String>,

    /// A second command that should do the same as the first, or flags to compile with instead of
    /// the command's -O: `-O0`, 'clang bug.c', 'old-tool bug.json'.
    #[arg(long, value_name = "COMMAND|FLAGS", allow_hyphen_values = true)]
    compare: Option<String>,

    /// How long the command may take, in seconds. A longer run counts as a hang.
    #[arg(long, value_name = "SECS", default_value = "60", value_parser = budget::timeout)]
    timeout: Duration,

    /// Replace a script that is there.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    telling: TellingOptions,
}

impl InitCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let stdin = redirected();
        let named = self.input.iter().chain(&stdin).cloned().chain(self.command.iter().map(PathBuf::from));
        let read: Vec<PathBuf> = named.filter(|path| path.is_file()).collect();
        self.telling.check(&read, &[Written::other("the script", &self.out)])?;
        if !self.telling.quiet {
            complain!("running the command ...");
        }
        let options = InitOptions {
            input: self.input,
            stdin,
            out: self.out,
            force: self.force,
            text: self.text,
            without: self.without,
            compare: self.compare,
            timeout: self.timeout,
            cancel: cancel_on_signal()?,
        };
        let report = Init::of(self.command, options).run()?;
        if self.telling.tells_a_person() {
            print(&report);
        }
        if let Some(path) = &self.telling.json {
            summary::write_json(path, &report.json())?;
        }
        Ok(ExitCode::from(exit::DONE))
    }
}

/// The file that standard input comes from, if it is a file.
fn redirected() -> Option<PathBuf> {
    let is_file = rustix::fs::fstat(std::io::stdin().as_fd())
        .is_ok_and(|found| rustix::fs::FileType::from_raw_mode(found.st_mode).is_file());
    let path = fs::read_link("/proc/self/fd/0").ok().filter(|path| is_file && path.is_file())?;
    // A path below the current directory is shown as its user typed it.
    let here = std::env::current_dir().ok();
    let relative = here.and_then(|here| path.strip_prefix(here).ok().map(PathBuf::from));
    Some(relative.unwrap_or(path))
}

fn print(report: &InitReport) {
    say!("found: {} (preset {})", report.what, report.preset);
    if let Some(script) = &report.script {
        say!("{} asks for this:", script.display());
        report.asks_for.iter().for_each(|sentence| say!("  {sentence}"));
    }
    if report.proved.is_some() {
        say!("tried: it says yes to {}, twice, and no to an empty file", report.input.display());
    }
    report.notes.iter().for_each(|note| say!("note: {note}"));
    say!("next:");
    say!("  {}", report.command_line());
}
