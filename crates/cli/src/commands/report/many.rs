//! `lapidary report DIR`: one page and one table of many runs.

use super::{By, ReportCommand, page_of, write};
use crate::exit;
use crate::say::{complain, say};
use crate::shared_options::asked;
use anyhow::{Context, bail};
use lapidary::{DocumentKind, Written, must_be_apart};
use lapidary_report::runs::{self, Runs, address, csv};
use lapidary_report::units::{counted, thousands};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

impl ReportCommand {
    pub(super) fn many(&self, named: &[PathBuf]) -> anyhow::Result<ExitCode> {
        let runs = Runs::read(named);
        complain_of(&runs);
        if runs.runs.is_empty() {
            bail!("{}", nothing(named, &runs));
        }
        let page = self.page(named);
        let csv = self.csv.as_deref().filter(|csv| *csv != Path::new("-"));
        let own = self.each.then(|| runs.runs.iter().map(|run| page_of(&run.journal))).into_iter().flatten();
        let written: Vec<Written> = asked(&[
            (DocumentKind::Page, "the page", &page),
            (DocumentKind::Table, "the table", &csv.map(Path::to_owned)),
        ])
        .into_iter()
        .chain(own.map(|page| Written::document(DocumentKind::Page, "the page of a run", page)))
        .collect();
        must_be_apart(&written, &runs.files().map(Path::to_owned).collect::<Vec<_>>())?;
        if let Some(csv) = &self.csv {
            DocumentKind::Table.write(csv, &csv::table(&runs))?;
        }
        let mut is_whole = !named.iter().any(|path| runs.lacks(path));
        if let Some(page) = &page {
            let own_pages = if self.each { own_pages(&runs, page, &mut is_whole)? } else { BTreeMap::new() };
            runs.page(self.by.map(runs::By::from), &own_pages).write(page)?;
        }
        if self.csv.as_deref() != Some(Path::new("-")) {
            self.tell_of_many(&runs, page.as_deref());
        }
        Ok(ExitCode::from(if is_whole { exit::DONE } else { exit::BAD_INPUT }))
    }

    /// Where the page goes; `None` if only a table is wanted.
    fn page(&self, named: &[PathBuf]) -> Option<PathBuf> {
        let default = || match named {
            [folder] if folder.is_dir() => folder.join("runs.html"),
            _ => PathBuf::from("runs.html"),
        };
        match &self.out {
            Some(out) => Some(out.clone()),
            None => (self.csv.is_none() || self.each).then(default),
        }
    }

    fn tell_of_many(&self, runs: &Runs, page: Option<&Path>) {
        if !self.quiet {
            say!("{}: {}", counted(runs.runs.len() as u64, "run"), runs.endings());
            page.into_iter().for_each(|page| self.tell(page));
        }
    }
}

impl From<By> for runs::By {
    fn from(by: By) -> Self {
        match by {
            By::Strategy => runs::By::Strategy,
            By::Folder => runs::By::Folder,
        }
    }
}

/// Says what cannot be read. The page has all of it.
fn complain_of(runs: &Runs) {
    const SHOWN: usize = 10;
    for broken in runs.unreadable.iter().take(SHOWN) {
        complain!("lapidary: {}", broken.problem);
    }
    if runs.unreadable.len() > SHOWN {
        complain!("lapidary: {} more cannot be read", thousands((runs.unreadable.len() - SHOWN) as u64));
    }
}

fn nothing(named: &[PathBuf], runs: &Runs) -> String {
    let names: Vec<String> = named.iter().map(|path| path.display().to_string()).collect();
    match runs.unreadable.len() {
        0 => format!("there is no journal in {}: a run leaves one beside its result", names.join(", ")),
        _ => format!("no journal in {} can be read", names.join(", ")),
    }
}

/// Writes the page of each run. Returns their addresses in the page of all.
fn own_pages(runs: &Runs, page: &Path, is_whole: &mut bool) -> anyhow::Result<BTreeMap<PathBuf, String>> {
    let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().with_context(|| format!("cannot write {}", page.display()))?;
    let mut addresses = BTreeMap::new();
    for run in &runs.runs {
        let own = page_of(&run.journal);
        match write(&run.journal, &own) {
            Ok(()) => drop(addresses.insert(run.journal.clone(), address(&folder, &own))),
            Err(error) => {
                complain!("lapidary: {error:#}");
                *is_whole = false;
            }
        }
    }
    Ok(addresses)
}
