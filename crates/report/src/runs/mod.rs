//! The page of many runs, from their journals: all in one table, their means, and groups of them
//! side by side.
//!
//! Invariant: every journal that was found or named is in [`Runs`], either as a run or as something that cannot be read.

mod address;
pub mod csv;
mod curves;
mod figures;
mod find;
mod groups;
mod means;
mod paired;
mod run;
mod table;
mod words;

pub use address::address;
pub use find::Unreadable;
pub use groups::By;
pub use run::{Ending, Run};

use crate::reduction::Gathered;
use crate::table::{Cell, Table};
use crate::units::{counted, seconds, thousands};
use crate::{Figure, Notice, Page, Section};
use figures::Measure;
use groups::Grouping;
use lapidary_reduce::journal::ENDING;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use words::shown;

/// The runs of some folders and journals.
#[derive(Debug, Default)]
pub struct Runs {
    /// The deepest folder in which all of them are.
    pub root: PathBuf,
    /// The runs by name.
    pub runs: Vec<Run>,
    /// Journals and folders that cannot be read.
    pub unreadable: Vec<Unreadable>,
}

impl Runs {
    /// Reads all journals that are named or lie below a folder that is named. Each is read as a
    /// stream.
    #[must_use]
    pub fn read(named: &[PathBuf]) -> Runs {
        let named: Vec<PathBuf> = named.iter().map(|path| find::settled(path)).collect();
        let found = find::journals(&named);
        let mut runs = Runs { root: find::common_folder(&named), runs: Vec::new(), unreadable: found.unreadable };
        for path in found.journals {
            match read(&path) {
                Ok(gathered) => runs.runs.push(Run::of(&gathered, &runs.root)),
                Err(problem) => runs.unreadable.push(Unreadable { path, problem }),
            }
        }
        runs
    }

    /// Whether a journal that was named cannot be read.
    #[must_use]
    pub fn lacks(&self, named: &Path) -> bool {
        let named = find::settled(named);
        self.unreadable.iter().any(|broken| broken.path == named)
    }

    /// The files that a page or a table must not replace: journals, inputs and results.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let of_runs = self.runs.iter().flat_map(|run| run.files.iter().chain([&run.journal]));
        of_runs
            .chain(self.unreadable.iter().map(|broken| &broken.path))
            .map(PathBuf::as_path)
            .filter(|path| path.is_file())
    }

    /// How many journals there are of each ending, in words: `9 done, 1 stopped`.
    #[must_use]
    pub fn endings(&self) -> String {
        let endings = [Ending::Done, Ending::Flaky, Ending::Stopped, Ending::Running];
        let count = |ending: Ending| self.runs.iter().filter(|run| run.ending == ending).count() as u64;
        let counts = endings.into_iter().map(|ending| (count(ending), ending)).filter(|(count, _)| *count > 0);
        counts.map(|(count, ending)| format!("{} {}", thousands(count), ending.word())).collect::<Vec<_>>().join(", ")
    }

    /// The name of a journal or a folder that cannot be read.
    #[must_use]
    pub fn name_of(&self, broken: &Unreadable) -> String {
        let name = run::name(&broken.path, &self.root);
        name.strip_suffix(ENDING).map(str::to_owned).unwrap_or(name)
    }

    /// The page. `own_pages` has the address of the page of each run that has one, by journal.
    #[must_use]
    pub fn page(&self, by: Option<By>, own_pages: &BTreeMap<PathBuf, String>) -> Page {
        let counting: Vec<&Run> = self.runs.iter().filter(|run| run.counts()).collect();
        let grouping = Grouping::of(&counting, by);
        let mut page = self.head(&counting);
        if !counting.is_empty() {
            page = page.section(Section::new("means", "Means", means::section(&grouping)));
            page = page.section(Section::new("curves", "Cumulative frequencies", curves::section(&grouping)));
        }
        if !grouping.comparisons.is_empty() {
            page = page.section(Section::new("pairs", "Side by side", paired::section(&grouping)));
        }
        page = page.section(Section::new("runs", "All runs", table::of(&self.runs, own_pages)));
        match self.problems() {
            problems if problems.is_empty() => page,
            problems => page.section(Section::new("problems", "Problems", html! { (problems) })),
        }
    }

    fn head(&self, counting: &[&Run]) -> Page {
        let title = self.root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned());
        let count = Figure::new("runs", thousands(self.runs.len() as u64)).note(self.endings());
        let page = Page::new("report", title).lead(self.lead(counting)).figure(count);
        let means = Measure::ALL.into_iter().filter_map(|measure| {
            let mean = measure.mean(counting.iter().copied())?;
            let figure = Figure::new(measure.name(), shown(measure, mean)).note("geometric mean");
            Some(if measure == Measure::Left { figure.share(mean) } else { figure })
        });
        self.notices(counting).into_iter().fold(means.fold(page, Page::figure), Page::notice)
    }

    fn lead(&self, counting: &[&Run]) -> Markup {
        let sum = |size: fn(&Run) -> u64| counting.iter().map(|run| size(run)).sum::<u64>();
        let time: f64 = counting.iter().map(|run| run.seconds).sum();
        html! {
            (counted(counting.len() as u64, "run")) " with " (counted(sum(|run| run.tally.all()), "candidate")) " judged took "
            (seconds(time)) " and left " strong { (crate::units::bytes(sum(|run| run.bytes_after))) } " of "
            strong { (crate::units::bytes(sum(|run| run.bytes_before))) } "."
        }
    }

    fn notices(&self, counting: &[&Run]) -> Vec<Notice> {
        let mut notices = Vec::new();
        let out = self.runs.len() - counting.len();
        if !self.unreadable.is_empty() {
            let what = if self.unreadable.len() == 1 { "journal or folder" } else { "journals or folders" };
            notices.push(Notice::bad(html! { p {
                (thousands(self.unreadable.len() as u64)) " " (what) " cannot be read: see " a href="#problems" { "problems" } "."
            } }));
        }
        if out > 0 {
            let are = if out == 1 { "is" } else { "are" };
            notices.push(Notice::warning(html! { p {
                (counted(out as u64, "run")) " " (are) " in the table, but in no mean, curve or pair: runs that are still
                going on or have not begun, whose result is flaky, or whose journal is damaged."
            } }));
        }
        notices
    }

    /// The problems of journals, run by run.
    fn problems(&self) -> Table {
        let mut table = Table::new("problems").text("journal").text("what is wrong");
        for broken in &self.unreadable {
            table.push_marked("bad", [Cell::code(&self.name_of(broken)), Cell::text(&broken.problem)]);
        }
        for run in &self.runs {
            for problem in run.problems() {
                table.push_marked("warning", [Cell::code(&run.name), Cell::text(&problem)]);
            }
        }
        table
    }
}

/// Reads a journal, unless it is something that has no end.
fn read(path: &Path) -> Result<Gathered, String> {
    match path.metadata() {
        Ok(kind) if !kind.is_file() => Err(format!("{} is not a file", path.display())),
        _ => Gathered::read(path).map_err(|error| error.to_string()),
    }
}
