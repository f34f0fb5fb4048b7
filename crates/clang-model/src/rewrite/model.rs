//! Rewrites as items: an item that is absent is an opportunity that is taken.
//!
//! Every opportunity was shown to the compiler on its own before it became an item, so that alone it is valid. Two
//! whose edits touch the same text are not taken together. One model offers the opportunities that save most; what it
//! leaves, the next page has.

mod check;
mod conflicts;
mod gather;
mod homes;

use super::{Opportunity, RESHAPING, SELDOM};
use crate::{Edit, Layout, Project, Readers, apply};
use check::Checks;
use gather::Found;
use lapidary_clang::{FileId, ParseError, Sources};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub layout: Layout,
    /// Which opportunities are checked and offered, those that save most being first.
    pub page: Range<usize>,
    /// Opportunities that save fewer bytes are passed over.
    pub least_saved: i64,
    /// So few opportunities are offered unchecked: to get libclang ready would take longer than to test them all.
    pub unchecked: usize,
    /// Whether the kinds of [`RESHAPING`] are offered.
    pub reshapes: bool,
    /// Whether the kinds of [`SELDOM`] are offered.
    pub tries_hard: bool,
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
        }
    }
}

/// A program whose items are rewrites not made.
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

    /// The same for whoever makes one model after the other.
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
        found.retain(|found| settings.reshapes || !RESHAPING.contains(&found.opportunity.kind));
        found.retain(|found| settings.tries_hard || !SELDOM.contains(&found.opportunity.kind));
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

    /// What the items stand for, in their order.
    pub fn opportunities(&self) -> &[Opportunity] {
        &self.opportunities
    }

    /// How many opportunities there are behind the page.
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

/// Bytes that are not there any more.
fn saved(opportunity: &Opportunity) -> i64 {
    opportunity.edits.iter().map(|edit| edit.range.len() as i64 - edit.with.len() as i64).sum()
}

/// The files that change, with their new texts.
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
