//! Slices as candidates: everything outside the slice is one item.
//!
//! Either slicer may be wrong, so a slice is not used until it has failed in the same way. The
//! search tests it like any other candidate.

use super::target::{Care, Target};
use super::watching::{Seen, run_now};
use crate::execution::Execution;
use lapidary_clang::FileId;
use lapidary_clang_model::{Detail, Layout, apply};
use lapidary_logic::{Cnf, Reasoner, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use lapidary_slice::{Criterion, Inputs, Slice, inject, static_slice};
use std::cell::OnceCell;
use std::iter;

/// The findings of a watched run of the original, made on first use.
#[derive(Default)]
pub(super) struct SeenRun(OnceCell<Option<Seen>>);

impl SeenRun {
    /// Returns the findings of the run. `tree` is the original.
    pub fn of(&self, target: &Target, tree: &FileTree) -> Option<&Seen> {
        let made = || {
            let criterion = criterion(target, tree)?;
            let seen = match &target.watching {
                Some(watching) if watching.is_of(tree) => watching.run(&criterion),
                _ => run_now(target, tree, &criterion),
            }?;
            // Every tree after the first is smaller, and so is its slice.
            seen.slice.iter().for_each(|slice| drop(target.slice.set(slice.clone())));
            Some(seen)
        };
        self.0.get_or_init(made).as_ref()
    }

    fn slice(&self, target: &Target, tree: &FileTree) -> Option<&Slice> {
        self.of(target, tree)?.slice.as_ref()
    }
}

/// A program of two parts: the slice and the rest.
pub(super) struct SliceModel {
    items: Vec<Item>,
    constraint: Cnf,
    whole: FileTree,
    slice: FileTree,
}

impl SliceModel {
    pub fn of_text(target: &Target, tree: &FileTree) -> Option<SliceModel> {
        let units = target.units(tree)?;
        let slice = static_slice(&units, &criterion(target, tree)?).ok()?;
        SliceModel::new(target, tree, &slice, "outside of the static slice")
    }

    /// Returns the static slice of the program after its arguments and input replace the
    /// expressions that read them (section 5.3).
    pub fn of_text_and_input(target: &Target, tree: &FileTree) -> Option<SliceModel> {
        let units = target.units(tree)?;
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

    pub fn of_run(target: &Target, tree: &FileTree, seen: &SeenRun) -> Option<SliceModel> {
        SliceModel::new(target, tree, seen.slice(target, tree)?, "outside of the dynamic slice")
    }

    /// Returns the dynamic slice, completed to a valid program.
    pub fn completed(target: &Target, tree: &FileTree, seen: &SeenRun) -> Option<SliceModel> {
        let slice = seen.slice(target, tree)?;
        let model = target.model(tree, Detail::Statements, Care::Initialised)?;
        let files = target.project.sources(tree).files;
        let is_left = |file: FileId, at: usize| !slice.file(&files[file.index()].path).is_some_and(|one| one.lacks(at));
        let wanted = model.items_with(is_left);
        let constraint = model.constraint();
        let completed = Reasoner::new(constraint).minimal_solution(&VarSet::full(constraint.variables()), &wanted);
        let text = model.render(&completed).ok()?;
        SliceModel::between(tree, text, "outside of the dynamic slice and what it needs")
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

/// Returns the program's arguments, including its own name, and its input.
fn inputs(target: &Target) -> Inputs {
    let Execution { arguments, stdin, .. } = &target.execution;
    let given = arguments.iter().map(|word| word.to_string_lossy().into_owned());
    Inputs { arguments: iter::once("program".to_owned()).chain(given).collect(), stdin: stdin.clone() }
}

/// Returns the failing statement as a slicing criterion.
fn criterion(target: &Target, tree: &FileTree) -> Option<Criterion> {
    let place = target.failure.place_in(tree)?;
    Some(Criterion { file: target.project.root.join(&place.file), line: place.line, variable: None })
}
