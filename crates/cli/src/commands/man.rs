//! `lapidary man`: prints a manual page.

use crate::{Cli, help};
use clap::{Args, CommandFactory};
use std::io::{self, Write};
use std::process::ExitCode;

/// Print the manual page of Lapidary or of one of its commands, for `man -l -`.
#[derive(Args)]
pub struct Man {
    /// The command to print the page of.
    command: Option<String>,
}

impl Man {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let cli = help::without_codes(Cli::command());
        let page = match &self.command {
            None => cli,
            Some(name) => match cli.find_subcommand(name) {
                Some(command) => command.clone().display_name(format!("lapidary-{name}")),
                None => anyhow::bail!("there is no command `{name}`; `lapidary help` lists them"),
            },
        };
        clap_mangen::Man::new(page).render(&mut io::stdout())?;
        write_codes(help::codes(self.command.as_deref().unwrap_or_default()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the section on exit codes.
fn write_codes(codes: help::Codes) -> io::Result<()> {
    let mut page = io::stdout().lock();
    if !codes.is_empty() {
        writeln!(page, ".SH \"EXIT STATUS\"")?;
    }
    codes.iter().try_for_each(|(code, meaning)| {
        let meaning = meaning.replace('-', "\\-");
        writeln!(page, ".TP\n\\fB{code}\\fR\n{meaning}")
    })
}
