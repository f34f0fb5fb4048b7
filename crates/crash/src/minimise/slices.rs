//! Slices as candidates: all that is outside of the slice is one item.
//!
//! Both slicers may be wrong, so a slice counts for nothing until it has failed in the same way: the search tries it like
//! any other candidate.

use super::Target;
use super::watching::slice_now;
use crate::execution::Execution;
use crate::slicing::Slicer;
use lapidary_clang::FileId;
use lapidary_clang_model::{Layout, apply};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use lapidary_slice::{Criterion, Inputs, Slice, inject, static_slice};
use std::iter;

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
        let slice = static_slice(&units, &criterion(target, tree)?).ok()?;
        SliceModel::new(target, tree, &slice, "outside of the static slice")
    }

    /// The static slice of the program with its arguments and its input put in the place of what reads them (section 5.3).
    pub fn of_text_and_input(target: &Target, tree: &FileTree) -> Option<SliceModel> {
        let units = slicer(target).units(tree).ok()?;
        let edits = inject(&units, &inputs(target));
        let mut texts = Vec::new();
        for (index, file) in target.project.sources(tree).files.iter().enumerate() {
            let own = edits.iter().filter(|edit| edit.file == file.path);
            let own: Vec<_> = own.map(|edit| (edit.range.clone(), edit.text.as_bytes())).collect();
            if !own.is_empty() {
                texts.push((FileId::new(index), apply(&file.text, own, Layout::KeepLines)));
            }
        }
        let injected = (!texts.is_empty()).then(|| target.project.with_texts(tree, texts))?;
        let slice = SliceModel::of_text(target, &injected).map_or(injected, |model| model.slice);
        SliceModel::between(tree, slice, "input, and what is outside of the static slice")
    }

    pub fn of_run(target: &Target, tree: &FileTree) -> Option<SliceModel> {
        let criterion = criterion(target, tree)?;
        let slice = match &target.watching {
            Some(watching) if watching.is_of(tree) => watching.slice(&criterion)?,
            _ => slice_now(target, tree, &criterion)?,
        };
        SliceModel::new(target, tree, &slice, "outside of the dynamic slice")
    }

    fn new(target: &Target, tree: &FileTree, slice: &Slice, label: &str) -> Option<SliceModel> {
        let sources = target.project.sources(tree);
        let mut texts = Vec::new();
        for (index, file) in sources.files.iter().enumerate() {
            let Some(sliced) = slice.file(&file.path).filter(|sliced| !sliced.removed.is_empty()) else { continue };
            let edits =
                sliced.removed.iter().map(|removal| (removal.start..removal.end, removal.replacement.as_bytes()));
            texts.push((FileId::new(index), apply(&file.text, edits, Layout::KeepLines)));
        }
        SliceModel::between(tree, target.project.with_texts(tree, texts), label)
    }

    fn between(tree: &FileTree, slice: FileTree, label: &str) -> Option<SliceModel> {
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

/// What the program is given, its own name among it.
fn inputs(target: &Target) -> Inputs {
    let Execution { arguments, stdin, .. } = &target.execution;
    let given = arguments.iter().map(|word| word.to_string_lossy().into_owned());
    Inputs { arguments: iter::once("program".to_owned()).chain(given).collect(), stdin: stdin.clone() }
}

/// The failing statement.
fn criterion(target: &Target, tree: &FileTree) -> Option<Criterion> {
    let place = target.failure.place_in(tree)?;
    Some(Criterion { file: target.project.root.join(&place.file), line: place.line, variable: None })
}
