//! Thousands of comparisons and explorations whose right answer is known. bench/truth/README.md
//! says what is measured.
//!
//!   truth equal --count 20000      renderings of one program that do the same: never `different`
//!   truth seeded --count 5000      mutants that the real JVM tells apart: never `equivalent`
//!   truth escaping --count 1000    versions that only later calls tell apart: said so, and not more
//!   truth public --programs FILE   programs of other experiments, disguised: never `different`
//!   truth explore --count 5000     no path is wrong on the real JVM, and none is missing

mod batches;
mod compared;
mod disguise;
mod explored;
mod public;
mod rearranged;
mod record;
mod warm;

use anyhow::Context;
use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
pub struct Options {
    what: What,

    /// How many comparisons or programs.
    #[arg(long, default_value_t = 1000)]
    count: usize,

    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,

    /// How many programs are compiled together.
    #[arg(long, default_value_t = 100)]
    together: usize,

    /// Seconds for each comparison or exploration.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,

    /// The program to ask.
    #[arg(long, default_value = "target/release/lapidary")]
    lapidary: PathBuf,

    /// Where results and wrong answers go.
    #[arg(long, default_value = "target/truth")]
    out: PathBuf,

    /// Start a JVM for each replay, as users do.
    #[arg(long)]
    cold: bool,

    /// Go on behind the rows of an earlier run with the same seed.
    #[arg(long)]
    resume: bool,

    /// The programs of `public`: a file with lines such as DIRECTORY=CLASS.METHOD.
    #[arg(long)]
    programs: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    Equal,
    Seeded,
    Escaping,
    Explore,
    Public,
}

fn main() -> anyhow::Result<ExitCode> {
    if warm::is_called_as_java() {
        return warm::as_java();
    }
    let mut options = Options::parse();
    options.lapidary = options.lapidary.canonicalize().with_context(|| format!("no {}", options.lapidary.display()))?;
    std::fs::create_dir_all(&options.out)?;
    options.out = options.out.canonicalize()?;
    let summary = batches::run(&options)?;
    println!("{summary}");
    Ok(ExitCode::from(u8::from(summary.wrong > 0)))
}
