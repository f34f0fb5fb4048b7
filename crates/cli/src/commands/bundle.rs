//! `lapidary bundle`: packs a failure for a bug tracker.

use crate::exit;
use crate::progress::thousands;
use crate::say::{complain, say};
use crate::shared_options::asked;
use crate::signals::cancel_on_signal;
use crate::summary;
use clap::Args;
use lapidary::{Bundle, BundleReport, Cancel, DocumentKind, Shown, journal_meant_by, must_be_apart};
use lapidary_report::reduction::{self, Gathered};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Pack a reduced failure for a bug tracker: a folder and a zip archive
///
/// Contains the reduced input, a script that shows the failure and needs no Lapidary,
/// the versions of all tools, the output, and an issue to fill in. The script is tried
/// once. Look through the files before you send them.
///
///   lapidary bundle bug.reduced.c.journal.jsonl
///   lapidary bundle bug.reduced.c --out for-the-tracker
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct BundleCommand {
    /// The journal of the run, or its result.
    journal: PathBuf,

    /// The folder [default: RESULT.bundle]; the archive is called like it, with .zip.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace an earlier bundle.
    #[arg(long)]
    force: bool,

    /// Write a summary as JSON to this file (`-` for standard output).
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

impl BundleCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        must_be_apart(&asked(&[(DocumentKind::Summary, "--json", &self.json)]), std::slice::from_ref(&self.journal))?;
        let mut bundle = with_page(Bundle::of_journal(&self.journal), &self.journal).replace(self.force);
        if let Some(directory) = &self.out {
            bundle = bundle.to(directory);
        }
        let report = bundle.cancel(cancel_on_signal()?).run()?;
        let tells = !self.quiet && self.json.as_deref() != Some(Path::new("-"));
        tell(&report, tells);
        self.json.as_ref().map_or(Ok(()), |path| summary::write_json(path, &as_json(&report)))?;
        Ok(ExitCode::from(match report.shown {
            Shown::NotReproduced(_) => exit::NEGATIVE,
            _ => exit::DONE,
        }))
    }
}

/// Writes the bundle of a command that has just ended.
pub fn pack(bundle: Bundle, directory: &Path, replace: bool, cancel: &Cancel, tells: bool) -> anyhow::Result<()> {
    let report = bundle.to(directory).replace(replace).cancel(cancel.clone()).run()?;
    tell(&report, tells);
    Ok(())
}

/// Adds the page about a run, if its journal can be read.
pub fn with_page(bundle: Bundle, journal: &Path) -> Bundle {
    match Gathered::read(&journal_meant_by(journal)) {
        Ok(run) => bundle.with_file("report.html", reduction::page_to_send(&run).render().into_bytes()),
        // The bundle itself says what is wrong with the journal.
        Err(_) => bundle,
    }
}

/// Prints what would be sent.
fn tell(report: &BundleReport, tells: bool) {
    if tells {
        for (path, bytes) in &report.files {
            say!("{:>12}  {}", thousands(*bytes), path.display());
        }
        say!("bundle: {}", report.directory.display());
        say!("        {} ({} bytes)", report.archive.0.display(), thousands(report.archive.1));
        match &report.shown {
            Shown::Reproduced => say!("reproduce.sh was tried and shows the failure"),
            Shown::OnlyHere(_) | Shown::NotReproduced(_) => {}
            Shown::NotRun(why) => say!("reproduce.sh was not tried: {}", why),
        }
    }
    report.missing.iter().for_each(|line| complain!("warning: not in the bundle: {line}"));
}

fn as_json(report: &BundleReport) -> Value {
    let (shown, why) = match &report.shown {
        Shown::Reproduced => ("yes", None),
        Shown::OnlyHere(why) => ("only here", Some(why)),
        Shown::NotReproduced(why) => ("no", Some(why)),
        Shown::NotRun(why) => ("not tried", Some(why)),
    };
    json!({
        "command": "bundle",
        "directory": report.directory.to_string_lossy(),
        "archive": report.archive.0.to_string_lossy(),
        "files": report.files.iter().map(|(path, bytes)| json!({ "path": path.to_string_lossy(), "bytes": bytes })).collect::<Vec<_>>(),
        "missing": report.missing,
        "reproduced": shown,
        "why": why,
    })
}
