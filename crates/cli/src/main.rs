//! The `lapidary` binary: parse, call a library, print. It has one file per subcommand in
//! `commands` and no algorithm.

mod budget;
mod build_options;
mod commands;
mod exit;
mod help;
mod progress;
#[cfg(feature = "remote")]
mod remote_options;
mod run_options;
mod sandbox_option;
mod say;
mod shared_options;
mod signals;
mod summary;
mod test_options;
mod view_options;

use clap::{CommandFactory, FromArgMatches, Parser};
use commands::Command;
use std::process::ExitCode;

/// Makes failing programs small while keeping them valid.
///
/// Lapidary takes an input that fails and a test that says whether it still fails, and finds a
/// small input that does. Start with `lapidary demo`.
#[derive(Parser)]
#[command(name = "lapidary", version, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    lapidary::run_if_asked();
    survive_large_files();
    let command = parsed().command;
    if command.only_prints() {
        end_with_the_reader();
    }
    let outcome = command.run();
    outcome.unwrap_or_else(|error| {
        say::complain!("lapidary: {error:#}");
        ExitCode::from(exit::code_of(&error))
    })
}

/// The command line, or the end of the program with an explanation.
fn parsed() -> Cli {
    let matched = help::with_codes(Cli::command()).try_get_matches();
    matched.and_then(|matches| Cli::from_arg_matches(&matches)).unwrap_or_else(|error| {
        // Nobody reads it if this fails.
        let _ = error.print();
        let words: Vec<_> = std::env::args_os().collect();
        if let Some(advice) = commands::reduce::wrong_order::without_dashes(&words) {
            say::complain!("lapidary: {advice}");
        }
        std::process::exit(error.exit_code())
    })
}

/// Makes a write beyond `ulimit -f` fail instead of ending the run. A handler, unlike an ignored
/// signal, is not inherited by the programs that we start.
fn survive_large_files() {
    extern "C" fn nothing(_: libc::c_int) {}
    // SAFETY: no thread runs yet, and the handler does nothing.
    unsafe { libc::signal(libc::SIGXFSZ, nothing as extern "C" fn(libc::c_int) as libc::sighandler_t) };
}

/// Makes `lapidary model x | head` end quietly when `head` does.
fn end_with_the_reader() {
    // SAFETY: no other thread runs yet, and no code relies on the handler that is replaced.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}
