//! The subcommands, one file each.

pub mod bundle;
mod compare;
mod completions;
mod crash;
mod demo;
mod explore;
#[cfg(feature = "remote")]
mod farm;
mod init;
mod junit;
mod man;
mod model;
pub mod reduce;
pub mod report;
mod slice;
mod triage;

use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub enum Command {
    Reduce(Box<reduce::Reduce>),
    Crash(Box<crash::CrashCommand>),
    Slice(Box<slice::SliceCommand>),
    Explore(Box<explore::Explore>),
    Compare(Box<compare::Compare>),
    Triage(Box<triage::TriageCommand>),
    Report(report::ReportCommand),
    Bundle(Box<bundle::BundleCommand>),
    Model(Box<model::ModelCommand>),
    Init(Box<init::InitCommand>),
    #[cfg(feature = "remote")]
    Farm(farm::FarmCommand),
    Demo(demo::Demo),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    /// Whether the command has no effect but its output.
    pub fn only_prints(&self) -> bool {
        matches!(self, Command::Model(_) | Command::Demo(_) | Command::Completions(_) | Command::Man(_))
    }

    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::Reduce(reduce) => reduce.run(),
            Command::Crash(crash) => crash.run(),
            Command::Slice(slice) => slice.run(),
            Command::Explore(explore) => explore.run(),
            Command::Compare(compare) => compare.run(),
            Command::Triage(triage) => triage.run(),
            Command::Report(report) => report.run(),
            Command::Bundle(bundle) => bundle.run(),
            Command::Model(model) => model.run(),
            Command::Init(init) => init.run(),
            #[cfg(feature = "remote")]
            Command::Farm(farm) => farm.run(),
            Command::Demo(demo) => demo.run(),
            Command::Completions(completions) => completions.run(),
            Command::Man(man) => man.run(),
        }
    }
}
