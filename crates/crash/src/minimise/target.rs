//! The program that is being minimised, with its failure, and the models of its text.

use super::watching::{Seen, Watching};
use crate::build::Build;
use crate::execution::Execution;
use crate::failure::{Failure, Kind};
use crate::varying::Varying;
use lapidary_clang::{Compilation, FileId, Syntax};
use lapidary_clang_model::{
    ClangModel, Demands, Detail, Knowledge, KnownValues, Layout, Project, Readers, SourceLine, View,
};
use lapidary_reduce::{Cancel, FileTree};
use lapidary_slice::Slice;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// A program and the failure to preserve.
pub struct Target {
    pub project: Project,
    pub readers: Arc<Readers>,
    pub build: Build,
    pub execution: Execution,
    pub failure: Failure,
    /// Whether the reason for the failure must be preserved, not only the error.
    pub keeps_reason: bool,
    /// The lines of the conditions that guard the failure, if the reason must be preserved.
    pub guards: Vec<(PathBuf, u32)>,
    /// The lines that must stay unchanged: those of the failing statement and its conditions.
    pub fixed: Vec<(PathBuf, RangeInclusive<u32>)>,
    /// Expressions that had several values, shared with the predicate.
    pub varying: Arc<Varying>,
    /// Cancelled when the user wants to stop.
    pub cancel: Cancel,
    /// The time at which the search must end.
    pub deadline: Option<Instant>,
    /// The original, if it has been prepared for a watched run.
    pub watching: Option<Watching>,
    /// The dynamic slice of the original, filled in by a search that makes one.
    pub slice: OnceLock<Slice>,
}

impl Target {
    pub(super) fn is_cpp(&self) -> bool {
        self.project.compilations.iter().any(Compilation::is_cpp)
    }

    /// Parses the program with libclang. `None` if that fails.
    pub(super) fn units(&self, tree: &FileTree) -> Option<Vec<Syntax>> {
        self.readers.units(&self.project, tree).ok()
    }

    /// Returns the model of the program in this detail, with the constraints for linking. `None` if
    /// libclang cannot read the text.
    pub(super) fn model(&self, tree: &FileTree, detail: Detail, care: Care) -> Option<ClangModel> {
        self.model_with(tree, detail, care, &self.guards, None)
    }

    /// Returns the model of the program's statements, in which expressions may become the values
    /// they had.
    pub(super) fn model_with_values(
        &self,
        tree: &FileTree,
        care: Care,
        values: Option<&KnownValues>,
    ) -> Option<ClangModel> {
        self.model_with(tree, Detail::Statements, care, &self.guards, values)
    }

    /// Returns the model of the program's statements in which all calls that led to the failure are
    /// kept. Hardly any others are needed. Expressions may become the values they had.
    pub(super) fn model_of_calls(&self, tree: &FileTree, care: Care, values: &KnownValues) -> Option<ClangModel> {
        let calls = self.failure.frames.iter().map(|frame| (frame.file.clone(), frame.line));
        let kept: Vec<_> = self.guards.iter().cloned().chain(calls).collect();
        self.model_with(tree, Detail::Statements, care, &kept, Some(values))
    }

    /// Returns the values that expressions had in a run, except for expressions that must stay
    /// unchanged.
    pub(super) fn known_values(&self, seen: &Seen) -> KnownValues {
        let mut values = KnownValues::default();
        let varying = seen.values.iter().filter(|value| value.varies);
        let relative = |file: &PathBuf| file.strip_prefix(&self.project.root).unwrap_or(file).to_path_buf();
        self.varying.learn(varying.map(|value| (relative(&value.file), value.line, &value.expression[..])));
        for value in &seen.values {
            let is_fixed = |(file, lines): &(PathBuf, RangeInclusive<u32>)| {
                lines.contains(&value.line) && self.project.root.join(file) == value.file
            };
            if !self.fixed.iter().any(is_fixed) {
                values.add(&value.file, value.line, &value.expression, value.literal.clone());
            }
        }
        values
    }

    fn model_with(
        &self,
        tree: &FileTree,
        detail: Detail,
        care: Care,
        kept: &[(PathBuf, u32)],
        values: Option<&KnownValues>,
    ) -> Option<ClangModel> {
        // A variable that was never set is never the reason for a failure.
        let care = if self.keeps_reason && care == Care::Reached { Care::Initialised } else { care };
        let view = View { detail, layout: Layout::KeepLines };
        let reached = self.place(tree).filter(|_| care >= Care::Reached);
        let (initialised, returned) = (care >= Care::Initialised, care >= Care::Reached);
        let demands = Demands { linked: true, initialised, returned, reached };
        let kept: Vec<SourceLine> = kept.iter().filter_map(|(file, line)| self.place_of(tree, file, *line)).collect();
        let knowledge = Knowledge { kept: &kept, values };
        ClangModel::read_by(&self.readers, &self.project, tree, view, demands, knowledge).ok()
    }

    /// Returns the failing line, which is the same in every candidate. `None` for a stack overflow,
    /// which ends at a random place.
    fn place(&self, tree: &FileTree) -> Option<SourceLine> {
        let frame = self.failure.place_in(tree).filter(|_| self.failure.kind != Kind::StackOverflow)?;
        self.place_of(tree, &frame.file, frame.line)
    }

    fn place_of(&self, tree: &FileTree, file: &Path, line: u32) -> Option<SourceLine> {
        let path = self.project.root.join(file);
        let file = self.project.sources(tree).files.iter().position(|file| file.path == path)?;
        Some(SourceLine { file: FileId::new(file), line })
    }
}

/// Candidates that are ruled out without a test, in addition to those that cannot be linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Care {
    /// No others. Delta debugging would find less with more rules, since it skips candidates that
    /// the formula forbids.
    Linked,
    /// Also candidates that cannot reach the failing line, and functions that do not return a value
    /// they should.
    Reached,
    /// Also candidates that read variables they have not set. The compiler rejects most of these,
    /// but not all.
    Initialised,
}
