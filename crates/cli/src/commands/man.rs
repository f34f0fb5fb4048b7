//! `lapidary man`: prints a manual page.

use crate::Cli;
use clap::{Args, CommandFactory};
use std::io;
use std::process::ExitCode;

/// Print the manual page of Lapidary or of one of its commands, for `man -l -`.
#[derive(Args)]
pub struct Man {
    /// The command to print the page of.
    command: Option<String>,
}

impl Man {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let cli = Cli::command();
        let page = match &self.command {
            None => cli,
            Some(name) => match cli.find_subcommand(name) {
                Some(command) => command.clone().display_name(format!("lapidary-{name}")),
                None => anyhow::bail!("there is no command `{name}`; `lapidary help` lists them"),
            },
        };
        clap_mangen::Man::new(page).render(&mut io::stdout())?;
        Ok(ExitCode::SUCCESS)
    }
}
