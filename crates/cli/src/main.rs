//! The `lapidary` binary: parse, call a library, print. One file per subcommand in `commands`, no algorithm.

mod budget;
mod c;
mod commands;
mod crash_input;
mod exit;
mod follow;
mod input;
mod java;
mod output;
mod plan;
mod preflight;
mod progress;
mod recognise;
mod run_options;
mod say;
mod summary;
mod test_options;

use clap::Parser;
use commands::Command;
use std::process::ExitCode;

/// Makes failing programs small while keeping them valid.
///
/// Lapidary takes an input that makes something go wrong and a test that tells whether it still does, and finds a small
/// input on which it still goes wrong. Start with `lapidary demo`.
#[derive(Parser)]
#[command(name = "lapidary", version, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    lapidary_predicate::warden::run_if_asked();
    let command = Cli::parse().command;
    if command.only_prints() {
        end_with_the_reader();
    }
    let outcome = command.run();
    outcome.unwrap_or_else(|error| {
        say::complain!("lapidary: {error:#}");
        ExitCode::from(exit::BAD_INPUT)
    })
}

/// `lapidary model x | head` ends quietly when `head` does.
fn end_with_the_reader() {
    // SAFETY: no thread runs yet, and the default action replaces no handler that anybody relies on.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}
