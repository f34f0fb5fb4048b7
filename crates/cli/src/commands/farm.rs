//! `lapidary farm`: a small cluster on this machine, to try `--remote`.

use crate::exit;
use crate::say::say;
use clap::{Args, Subcommand};
use lapidary::Property;
use lapidary_common::shell::quoted;
use lapidary_farm::{Farm, FarmOptions, default_directory};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Start a small cluster on this machine, to try --remote
///
/// It consists of BuildGrid, PostgreSQL and workers, and listens on 127.0.0.1. Whoever can run
/// programs on this machine can also run them through the farm, as you.
///
///   lapidary farm up --workers 4
///   lapidary reduce bug.c --remote grpc://127.0.0.1:PORT --jobs 4 -- ./still-crashes.sh
///   lapidary farm down
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct FarmCommand {
    #[command(subcommand)]
    action: Action,

    /// The directory for all files of the farm [default: lapidary-farm-USER in the directory for
    /// temporary files].
    #[arg(long, value_name = "DIR", global = true)]
    dir: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Action {
    /// Start the farm
    Up {
        /// How many tests it runs at once.
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=512))]
        workers: u16,

        /// The port of 127.0.0.1 on which it listens [default: a free one].
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        port: Option<u16>,

        /// A property that its workers have, beside OSFamily=linux; may be given several times.
        #[arg(long, value_name = "NAME=VALUE")]
        property: Vec<Property>,
    },
    /// End the farm and remove its directory
    Down,
    /// Say whether the farm is running, and where
    Status,
}

impl FarmCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let directory = self.dir.clone().unwrap_or_else(default_directory);
        match self.action {
            Action::Up { workers, port, property } => {
                let mut options = FarmOptions { workers: workers.into(), port, ..FarmOptions::new(directory) };
                options.properties.extend(property.into_iter().map(|property| (property.name, property.value)));
                up(&Farm::up(&options)?, workers, self.dir.as_deref());
            }
            Action::Down => {
                Farm::at(&directory)?.down()?;
                say!("the farm is down");
            }
            Action::Status => return Ok(status(&Farm::at(&directory)?)),
        }
        Ok(ExitCode::from(exit::DONE))
    }
}

fn up(farm: &Farm, workers: u16, chosen: Option<&Path>) {
    let address = farm.address();
    say!("the farm is up at {address}; its files are in {}", farm.directory().display());
    say!("  use it:  lapidary reduce INPUT --remote {address} --jobs {workers} -- TEST");
    let chosen = chosen.map(|directory| format!(" --dir {}", quoted(&directory.to_string_lossy())));
    say!("  end it:  lapidary farm down{}", chosen.unwrap_or_default());
}

fn status(farm: &Farm) -> ExitCode {
    let is_running = farm.is_running();
    say!(
        "the farm at {} is {}",
        farm.address(),
        if is_running { "up" } else { "broken: see its logs, or take it down" }
    );
    for (part, is_running) in farm.parts() {
        let state = if is_running { "running" } else { "ended" };
        say!("  {:<10} {state}, process {}, log {}", part.name, part.pid(), part.log().display());
    }
    ExitCode::from(if is_running { exit::DONE } else { exit::NEGATIVE })
}
