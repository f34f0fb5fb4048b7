//! `lapidary completions`: prints shell completions.

use crate::{Cli, help};
use clap::{Args, CommandFactory};
use std::io;
use std::process::ExitCode;

/// Print completions for a shell, to be saved where that shell looks for them.
#[derive(Args)]
pub struct Completions {
    shell: clap_complete::Shell,
}

impl Completions {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        clap_complete::generate(self.shell, &mut help::with_codes(Cli::command()), "lapidary", &mut io::stdout());
        Ok(ExitCode::SUCCESS)
    }
}
