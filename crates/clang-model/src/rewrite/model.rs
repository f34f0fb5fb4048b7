//! Rewrites as items: an absent item is an opportunity that is taken.
//!
//! Each opportunity was shown to the compiler on its own before it became an item, so it is valid
//! alone. Two opportunities whose edits touch the same text are not taken together. One model
//! offers the page of opportunities that save most; the next page has the rest.

mod agreement;
mod check;
mod conflicts;
mod gather;
mod homes;

use super::{Opportunity, RewriteKind};
use crate::{Edit, Layout, Project, Readers, apply};
use check::Checks;
use gather::Found;
use lapidary_clang::{FileId, ParseError, Sources, tokens};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

/// The settings of a model of rewrites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub layout: Layout,
    /// The opportunities to check and offer, as a range of the list sorted by bytes saved.
    pub page: Range<usize>,
    /// The minimum number of bytes that an opportunity must save.
    pub least_saved: i64,
    /// The number of opportunities up to which they are offered unchecked. Preparing libclang would
    /// take longer than testing them all.
    pub unchecked: usize,
    /// Whether kinds that reshape are offered ([`RewriteKind::reshapes`]).
    pub reshapes: bool,
    /// Whether kinds that are seldom of use are offered ([`RewriteKind::is_seldom_of_use`]).
    pub tries_hard: bool,
    /// Whether kinds that invent values are offered ([`RewriteKind::invents`]).
    pub invents: bool,
    /// Whether text from several lines may be joined on one.
    pub joins_lines: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            layout: Layout::Compact,
            page: 0..2_000,
            least_saved: i64::MIN,
            unchecked: 0,
            reshapes: true,
            tries_hard: false,
            invents: true,
            joins_lines: true,
        }
    }
}

impl Settings {
    fn offers(&self, kind: &RewriteKind) -> bool {
        (self.reshapes || !kind.reshapes)
            && (self.tries_hard || !kind.is_seldom_of_use)
            && (self.invents || !kind.invents)
    }
}

/// A program whose items are rewrites that are not applied.
pub struct RewriteModel {
    tree: FileTree,
    project: Project,
    layout: Layout,
    sources: Sources,
    opportunities: Vec<Opportunity>,
    items: Vec<Item>,
    constraint: Cnf,
    left: usize,
}

impl RewriteModel {
    pub fn new(tree: &FileTree, project: &Project, settings: &Settings) -> Result<RewriteModel, ParseError> {
        RewriteModel::read_by(&Readers::default(), tree, project, settings)
    }

    /// Builds the model with readers that are reused between models.
    pub fn read_by(
        readers: &Readers,
        tree: &FileTree,
        project: &Project,
        settings: &Settings,
    ) -> Result<RewriteModel, ParseError> {
        let sources = project.sources(tree);
        let gathered = gather::opportunities(&sources, project, readers)?;
        let mut found = gathered.found;
        found.retain(|found| saved(&found.opportunity) >= settings.least_saved);
        found.retain(|found| RewriteKind::named(found.opportunity.kind).is_some_and(|kind| settings.offers(kind)));
        found.retain(|found| settings.joins_lines || !joins_lines(&sources, &found.opportunity));
        found.sort_by_key(|found| Reverse(saved(&found.opportunity)));
        let left = found.len().saturating_sub(settings.page.end);
        let page: Vec<Found> = found.into_iter().take(settings.page.end).skip(settings.page.start).collect();
        let opportunities = match page.len() <= settings.unchecked {
            true => page.into_iter().map(|found| found.opportunity).collect(),
            false => Checks::new(&sources, gathered.units, readers)?.accepted(page)?,
        };
        let items = opportunities.iter().map(item).collect();
        let constraint = conflicts::constraint(&opportunities);
        Ok(RewriteModel {
            tree: tree.clone(),
            project: project.clone(),
            layout: settings.layout,
            sources,
            opportunities,
            items,
            constraint,
            left,
        })
    }

    /// Returns the opportunities that the items stand for, in the same order.
    pub fn opportunities(&self) -> &[Opportunity] {
        &self.opportunities
    }

    /// Returns the number of opportunities after the page.
    pub fn left(&self) -> usize {
        self.left
    }
}

impl Model for RewriteModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let taken = self.opportunities.iter().enumerate().filter(|(index, _)| !keep.contains(Var::new(*index)));
        let texts = edited(&self.sources, taken.flat_map(|(_, one)| &one.edits), self.layout);
        Ok(self.project.with_texts(&self.tree, texts))
    }
}

fn item(opportunity: &Opportunity) -> Item {
    Item::new(opportunity.label.as_str(), opportunity.kind).costing(saved(opportunity).max(1) as u64)
}

/// Returns whether code of several lines replaces fewer lines, so that line numbers no longer
/// identify it.
fn joins_lines(sources: &Sources, opportunity: &Opportunity) -> bool {
    opportunity.edits.iter().any(|edit| {
        let replaced = &sources.files[edit.file.index()].text[edit.range.clone()];
        let lines = replaced.iter().filter(|byte| **byte == b'\n').count() + 1;
        code_lines(&edit.with) > lines
    })
}

/// Returns how many lines of a text contain more than braces and semicolons.
fn code_lines(text: &[u8]) -> usize {
    let starts = tokens(text).into_iter().filter(|token| !matches!(&text[token.range.clone()], b"{" | b"}" | b";"));
    let mut lines: Vec<usize> =
        starts.map(|token| text[..token.range.start].iter().filter(|byte| **byte == b'\n').count()).collect();
    lines.dedup();
    lines.len()
}

/// Returns the number of bytes that an opportunity saves.
fn saved(opportunity: &Opportunity) -> i64 {
    opportunity.edits.iter().map(|edit| edit.range.len() as i64 - edit.with.len() as i64).sum()
}

/// Returns the files that change, with their new texts.
fn edited<'e>(sources: &Sources, edits: impl IntoIterator<Item = &'e Edit>, layout: Layout) -> Vec<(FileId, Vec<u8>)> {
    let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    edits.into_iter().for_each(|edit| by_file.entry(edit.file).or_default().push(edit));
    by_file
        .into_iter()
        .map(|(file, mut edits)| {
            edits.sort_by_key(|edit| (edit.range.start, Reverse(edit.range.end)));
            let edits = edits.into_iter().map(|edit| (edit.range.clone(), &*edit.with));
            (file, apply(&sources.files[file.index()].text, edits, layout))
        })
        .collect()
}
