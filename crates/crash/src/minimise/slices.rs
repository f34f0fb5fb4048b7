//! Slices as candidates: all that is outside of the slice is one item.
//!
//! Both slicers may be wrong, so a slice counts for nothing until it has failed in the same way: the search tries it like
//! any other candidate.

use super::Target;
use crate::build::{Build, Source};
use crate::execution::Execution;
use crate::observer::Observer;
use lapidary_clang::{ParseError, SourceFile, Syntax, parse};
use lapidary_clang_model::{Layout, apply};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Cancel, Content, Entry, FileTree, Item, Model, RenderError};
use lapidary_slice::{Criterion, Slice, dynamic_slice, instrument, static_slice};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A program of two parts: the slice, and the rest.
pub(super) struct SliceModel {
    items: Vec<Item>,
    constraint: Cnf,
    whole: FileTree,
    slice: FileTree,
}

impl SliceModel {
    pub fn of_text(target: &Target, tree: &FileTree) -> Option<SliceModel> {
        let units = units(target, tree).ok()?;
        let slice = static_slice(&units, &criterion(target)?).ok()?;
        SliceModel::new(target, tree, &slice, "outside of the static slice")
    }

    pub fn of_run(target: &Target, tree: &FileTree) -> Option<SliceModel> {
        let units = units(target, tree).ok()?;
        let instrumented = instrument(&units, &target.project.compilations);
        let texts = instrumented_texts(target, tree, &instrumented);
        let trace = trace(target, tree, texts, instrumented.runtime())?;
        let slice = dynamic_slice(&instrumented, &trace, Some(&criterion(target)?)).ok()?;
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

fn units(target: &Target, tree: &FileTree) -> Result<Vec<Syntax>, ParseError> {
    let sources = target.project.sources(tree);
    target.project.compilations.iter().map(|compilation| parse(&sources, compilation)).collect()
}

/// The failing statement.
fn criterion(target: &Target) -> Option<Criterion> {
    let place = target.failure.place()?;
    Some(Criterion { file: target.project.root.join(&place.file), line: place.line, variable: None })
}

fn instrumented_texts(
    target: &Target,
    tree: &FileTree,
    instrumented: &lapidary_slice::Instrumented<'_>,
) -> Vec<(PathBuf, Vec<u8>)> {
    let files: Vec<SourceFile> = target.project.sources(tree).files;
    let relative = |file: &SourceFile| file.path.strip_prefix(&target.project.root).map(PathBuf::from).ok();
    files
        .iter()
        .filter_map(|file| Some((relative(file)?, lapidary_slice::apply(&instrumented.edits, &file.path, &file.text))))
        .collect()
}

/// Runs the program that traces itself, and reads the trace.
fn trace(target: &Target, tree: &FileTree, texts: Vec<(PathBuf, Vec<u8>)>, runtime: String) -> Option<Vec<u8>> {
    const RUNTIME: &str = "lapidary-trace.c";
    let place = tempfile::tempdir().ok()?;
    let path = place.path().join("trace");
    let mut entries: BTreeMap<PathBuf, Entry> = match tree.content() {
        Content::Directory(entries) => entries.clone(),
        Content::File(_) => BTreeMap::new(),
    };
    entries.extend(texts.into_iter().map(|(path, text)| (path, Entry::file(text))));
    entries.insert(RUNTIME.into(), Entry::file(runtime.into_bytes()));
    let traced = FileTree::directory("traced", entries);
    let mut sources = target.build.sources_of(tree);
    sources.push(Source { path: RUNTIME.into(), flags: vec!["-xc".into(), "-fno-sanitize=all".into()] });
    let build = Build { sources, ..target.build.clone() };
    let mut environment = target.execution.environment.clone();
    environment.push(("LAPIDARY_TRACE".into(), path.clone().into()));
    let execution = Execution { environment, ..target.execution.clone() };
    let cancel = Cancel::new();
    let observer = Observer::new(build, execution, &traced, &cancel).ok()?;
    observer.observe(&traced, &cancel).ok()?;
    std::fs::read(path).ok()
}
