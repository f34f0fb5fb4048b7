//! `lapidary report`: the page of a run, from its journal.

use crate::exit;
use crate::say::{complain, say};
use anyhow::{Context, bail};
use clap::Args;
use lapidary::must_not_overwrite;
use lapidary_report::Section;
use lapidary_report::reduction::{self, Gathered};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Show what a run did as one HTML page
///
/// A run of reduce, crash or triage --reduce leaves a journal beside its result. The page
/// shows how the size fell, what is left and why, what was removed, and the result side by
/// side with the original. It is one file that needs no network. A run that is still going
/// on has a page, too.
///
///   lapidary report bug.reduced.c.journal.jsonl
///   lapidary report bug.reduced.c -o bug.html
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ReportCommand {
    /// The journals, or the results beside which they are.
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,

    /// Where the page goes [default: RESULT.html beside the journal].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

impl ReportCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if let (Some(out), [_, _, ..]) = (&self.out, &self.journals[..]) {
            bail!("{} would be the page of several runs; leave --out away, or give one journal", out.display());
        }
        let mut has_failed = false;
        for journal in &self.journals {
            if let Err(error) = self.page(journal) {
                complain!("lapidary: {error:#}");
                has_failed = true;
            }
        }
        Ok(ExitCode::from(if has_failed { exit::BAD_INPUT } else { exit::DONE }))
    }

    fn page(&self, given: &Path) -> anyhow::Result<()> {
        let journal = journal_of(given);
        let page = self.out.clone().unwrap_or_else(|| page_of(&journal));
        write(&journal, &page, Vec::new())?;
        if !self.quiet {
            say!("page: {}", page.display());
        }
        Ok(())
    }
}

/// The journal that a user means: the file itself, or the journal of this result.
fn journal_of(given: &Path) -> PathBuf {
    let mut beside = given.as_os_str().to_owned();
    beside.push(ENDING);
    let is_journal = given.to_string_lossy().ends_with(ENDING);
    let beside = PathBuf::from(beside);
    if !is_journal && beside.is_file() { beside } else { given.to_owned() }
}

const ENDING: &str = ".journal.jsonl";

/// The default place of a page: `bug.reduced.c.html`.
fn page_of(journal: &Path) -> PathBuf {
    let name = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
    journal.with_file_name(format!("{}.html", name.strip_suffix(ENDING).unwrap_or(&name)))
}

/// Writes the page of a run that has this journal, with further sections about its result.
pub fn write(journal: &Path, page: &Path, more: Vec<Section>) -> anyhow::Result<()> {
    if journal.is_dir() {
        bail!("{} is a directory; name the journal of a run in it: NAME{ENDING}", journal.display());
    }
    let run = Gathered::read(journal)?;
    for read in run.inputs().into_iter().chain(run.result()).chain([journal.to_owned()]) {
        must_not_overwrite(page, &read)?;
    }
    reduction::page(&run).sections_after("result", more).write(page).context("the page is missing")
}
