//! `lapidary report`: the page of a run, from its journal, or of many runs.

mod many;

use crate::exit;
use crate::say::{complain, say};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lapidary::{DocumentKind, Written, journal_meant_by, must_be_apart};
use lapidary_reduce::journal::ENDING;
use lapidary_report::reduction::{self, Gathered};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Show what runs did as one HTML page
///
/// A run of reduce, crash or triage --reduce leaves a journal beside its result. The page
/// shows how the size fell, what is left and why, what was removed, and the result side by
/// side with the original. It is one file that needs no network. A run that is still going
/// on has a page, too.
///
/// For a folder, there is one page about all runs that have a journal in it: a table, means,
/// cumulative frequencies, and strategies or folders side by side.
///
///   lapidary report bug.reduced.c.journal.jsonl
///   lapidary report bug.reduced.c -o bug.html
///   lapidary report results/
///   lapidary report results/ --csv runs.csv
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct ReportCommand {
    /// Journals, results with a journal beside them, or folders of journals
    #[arg(required = true, value_name = "JOURNAL|DIR")]
    journals: Vec<PathBuf>,

    /// Where the page goes; several journals share it [default: RESULT.html beside the journal,
    /// runs.html in the folder].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write a line of CSV for each run (`-` for standard output), and a page only with --out.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Groups to set side by side on the page of many runs [default: those with the most pairs].
    #[arg(long, value_name = "WHAT")]
    by: Option<By>,

    /// Also write the page of each run, and link to it from the page of many runs.
    #[arg(long)]
    each: bool,

    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

/// The groups to set side by side.
#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// The strategies that were asked for.
    Strategy,
    /// The folders of the level that gives the most pairs.
    Folder,
}

impl ReportCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let journals: Vec<PathBuf> = self.journals.iter().map(|given| journal_meant_by(given)).collect();
        let is_shared = self.each || self.out.is_some() && journals.len() > 1;
        match is_shared || self.csv.is_some() || journals.iter().any(|journal| journal.is_dir()) {
            true => self.many(&journals),
            false => Ok(self.single_pages(&journals)),
        }
    }

    fn single_pages(&self, journals: &[PathBuf]) -> ExitCode {
        let mut has_failed = false;
        for journal in journals {
            let page = self.out.clone().unwrap_or_else(|| page_of(journal));
            match write(journal, &page) {
                Ok(()) => self.tell(&page),
                Err(error) => {
                    complain!("lapidary: {error:#}");
                    has_failed = true;
                }
            }
        }
        ExitCode::from(if has_failed { exit::BAD_INPUT } else { exit::DONE })
    }

    fn tell(&self, page: &Path) {
        if !self.quiet {
            say!("page: {}", page.display());
        }
    }
}

/// The default place of a page: `bug.reduced.c.html`.
fn page_of(journal: &Path) -> PathBuf {
    let name = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
    journal.with_file_name(format!("{}.html", name.strip_suffix(ENDING).unwrap_or(&name)))
}

/// Writes the page of a run that has this journal.
pub fn write(journal: &Path, page: &Path) -> anyhow::Result<()> {
    if journal.is_dir() {
        bail!("{} is a directory; name the journal of a run in it: NAME{ENDING}", journal.display());
    }
    let run = Gathered::read(journal)?;
    let read: Vec<PathBuf> = run.inputs().into_iter().chain(run.result()).chain([journal.to_owned()]).collect();
    must_be_apart(&[Written::document(DocumentKind::Page, "the page", page)], &read)?;
    reduction::gaps(&run).iter().for_each(|gap| complain!("{}: {gap}", journal.display()));
    reduction::page(&run).write(page).context("the page is missing")
}
