//! Options that every long-running command has, and that mean the same in each: `--quiet`,
//! `--json`, `--jobs`, `--seed`, `--budget` and `--timeout`. The commands that search for a small
//! input have them in [`crate::run_options`] and [`crate::test_options`].

use crate::budget;
use crate::exit;
use crate::say::complain;
use clap::Args;
use lapidary::{Cancel, DocumentKind, Written, must_be_apart};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options for output: for a person, and as JSON.
#[derive(Args)]
pub struct TellingOptions {
    /// Write everything as JSON to this file (`-` for standard output).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Print nothing but errors.
    #[arg(long, short)]
    pub quiet: bool,
}

impl TellingOptions {
    /// Whether standard output is for a person. It is not if the JSON goes there.
    pub fn tells_a_person(&self) -> bool {
        !self.quiet && self.json.as_deref() != Some(Path::new("-"))
    }

    /// Makes sure before a run that the JSON can be written, and replaces none of these files.
    pub fn check(&self, read: &[PathBuf], other: &[Written]) -> anyhow::Result<()> {
        Ok(must_be_apart(&[other, &asked(&[(DocumentKind::Summary, "--json", &self.json)])].concat(), read)?)
    }
}

/// Documents that are written if they are asked for.
pub fn asked(documents: &[(DocumentKind, &'static str, &Option<PathBuf>)]) -> Vec<Written> {
    let wanted = documents.iter().filter_map(|(kind, what, path)| Some((*kind, *what, path.as_ref()?)));
    wanted.map(|(kind, what, path)| Written::document(kind, what, path)).collect()
}

/// The files of Java programs that must stay: inputs, and classes and jars that would be replaced.
/// Other files may go into a directory of classes.
pub fn files<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>, written: &'a [Written]) -> Vec<PathBuf> {
    let is_code = |path: &&PathBuf| path.extension().is_some_and(|kind| kind == "class" || kind == "jar");
    let code = written.iter().map(|written| &written.path).filter(is_code);
    inputs.into_iter().chain(code).filter(|path| path.is_file()).cloned().collect()
}

/// The seed of a command.
#[derive(Args)]
pub struct SeedOption {
    /// The seed for everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// The number of jobs of a command that has only one.
#[derive(Args)]
pub struct OneJob {
    /// Number of runs at once, at most; this command makes one at a time.
    #[arg(long = "jobs", short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    _jobs: Option<u16>,
}

/// The time limit of a command whose output is all it makes.
#[derive(Args)]
pub struct BudgetOption {
    /// Stop after this much time (90s, 5m, 2h).
    #[arg(long, value_name = "TIME", value_parser = budget::timeout)]
    pub budget: Option<Duration>,
}

impl BudgetOption {
    /// Cancels the run when the time is over. A run that does not end soon after that, because it
    /// is in a library that cannot be interrupted, ends with the process.
    pub fn watch(&self, cancel: &Cancel) {
        const GRACE: Duration = Duration::from_secs(1);
        let Some(time) = self.budget else { return };
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            cancel.cancel();
            std::thread::sleep(GRACE);
            complain!("lapidary: stopped early: the budget is used up");
            std::process::exit(exit::STOPPED.into());
        });
    }
}

/// The limits of a search for paths.
#[derive(Args)]
pub struct SearchLimits {
    /// Stop after this much time (90s, 5m, 2h).
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = budget::timeout)]
    pub budget: Duration,

    /// How long one run on the real JVM may take, in seconds.
    #[arg(long, value_name = "SECS", default_value = "10", value_parser = budget::timeout)]
    pub timeout: Duration,
}

impl SearchLimits {
    /// Notes the change of meaning for command lines from before it: `--timeout` without `--budget`
    /// limited the whole search.
    pub fn note_old_meaning(&self) {
        let words: Vec<_> = std::env::args_os().take_while(|word| word != "--").collect();
        let has = |option: &str| words.iter().any(|word| word.to_string_lossy().split('=').next() == Some(option));
        if has("--timeout") && !has("--budget") {
            complain!("note: --timeout limits one run on the JVM; the limit of the whole search is --budget");
        }
    }
}
