//! Slices as candidates: all that is outside of the slice is one item.
//!
//! Both slicers may be wrong, so a slice counts for nothing until it has failed in the same way: the search tries it like
//! any other candidate.

use super::Target;
use crate::slicing::Slicer;
use lapidary_clang_model::{Layout, apply};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Cancel, FileTree, Item, Model, RenderError};
use lapidary_slice::{Criterion, Slice, static_slice};

/// A program of two parts: the slice, and the rest.
pub(super) struct SliceModel {
    items: Vec<Item>,
    constraint: Cnf,
    whole: FileTree,
    slice: FileTree,
}

impl SliceModel {
    pub fn of_text(target: &Target, tree: &FileTree) -> Option<SliceModel> {
        let units = slicer(target).units(tree).ok()?;
        let slice = static_slice(&units, &criterion(target)?).ok()?;
        SliceModel::new(target, tree, &slice, "outside of the static slice")
    }

    pub fn of_run(target: &Target, tree: &FileTree) -> Option<SliceModel> {
        let slicer = slicer(target);
        let units = slicer.units(tree).ok()?;
        let slice = slicer.dynamic_slice(tree, &units, &criterion(target)?, &Cancel::new()).ok()?;
        SliceModel::new(target, tree, &slice, "outside of the dynamic slice")
    }

    fn new(target: &Target, tree: &FileTree, slice: &Slice, label: &str) -> Option<SliceModel> {
        let sources = target.project.sources(tree);
        let mut texts = Vec::new();
        for (index, file) in sources.files.iter().enumerate() {
            let Some(sliced) = slice.file(&file.path).filter(|sliced| !sliced.removed.is_empty()) else { continue };
            let edits =
                sliced.removed.iter().map(|removal| (removal.start..removal.end, removal.replacement.as_bytes()));
            texts.push((lapidary_clang::FileId::new(index), apply(&file.text, edits, Layout::KeepLines)));
        }
        let slice = target.project.with_texts(tree, texts);
        let saved = tree.bytes().checked_sub(slice.bytes()).filter(|saved| *saved > 0)?;
        let items = vec![Item::new(label, "slice").costing(saved)];
        Some(SliceModel { items, constraint: Cnf::new(1), whole: tree.clone(), slice })
    }
}

impl Model for SliceModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        Ok(if keep.contains(Var::new(0)) { self.whole.clone() } else { self.slice.clone() })
    }
}

pub(super) fn slicer(target: &Target) -> Slicer<'_> {
    Slicer { project: &target.project, build: &target.build, execution: &target.execution }
}

/// The failing statement.
fn criterion(target: &Target) -> Option<Criterion> {
    let place = target.failure.place()?;
    Some(Criterion { file: target.project.root.join(&place.file), line: place.line, variable: None })
}
