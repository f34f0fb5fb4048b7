//! A slice: which parts of the files stay and which go.

use crate::elements::{ElementId, Position};
use crate::graph::Graph;
use crate::text::{after_semicolon, bodies_of};
use lapidary_clang::{Directive, DirectiveKind, Kind, SourceFile, Token, TokenKind, directives, tokens};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// The subject of a slice: a line, and optionally one variable on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    pub file: PathBuf,
    /// The line number, counted from 1.
    pub line: u32,
    pub variable: Option<String>,
}

/// The reason for a place without a slice.
#[derive(Debug, Error)]
pub enum SliceError {
    #[error("{} is not one of the program's files", file.display())]
    UnknownFile { file: PathBuf },
    #[error("there is no statement on line {line} of {}", file.display())]
    NothingThere { file: PathBuf, line: u32 },
    #[error("there is no variable {variable} on line {line} of {}", file.display())]
    NoSuchVariable { file: PathBuf, line: u32, variable: String },
    #[error("line {line} of {} was not reached in this run", file.display())]
    NotReached { file: PathBuf, line: u32 },
    #[error("the trace does not belong to this program: {reason}")]
    BadTrace { reason: &'static str },
}

impl SliceError {
    /// Names the file of the criterion as its user does.
    #[must_use]
    pub fn in_file(self, name: &Path) -> SliceError {
        let file = name.to_path_buf();
        match self {
            SliceError::UnknownFile { .. } => SliceError::UnknownFile { file },
            SliceError::NothingThere { line, .. } => SliceError::NothingThere { file, line },
            SliceError::NoSuchVariable { line, variable, .. } => SliceError::NoSuchVariable { file, line, variable },
            SliceError::NotReached { line, .. } => SliceError::NotReached { file, line },
            other @ SliceError::BadTrace { .. } => other,
        }
    }
}

/// The parts of a program that matter for a criterion.
#[derive(Clone, Debug)]
pub struct Slice {
    pub files: Vec<SlicedFile>,
}

/// One file of a slice. Files without code in the program are not included.
#[derive(Clone, Debug)]
pub struct SlicedFile {
    pub path: PathBuf,
    pub text: Arc<[u8]>,
    /// The statements and declarations that stay, including those that contain others.
    pub kept: Vec<Range<usize>>,
    /// The removed ranges, in order and without overlaps.
    pub removed: Vec<Removal>,
}

/// A range to remove.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removal {
    pub start: usize,
    pub end: usize,
    /// The replacement: nothing, or an empty statement.
    pub replacement: &'static str,
}

impl Slice {
    pub fn file(&self, path: &Path) -> Option<&SlicedFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Returns the lines of a file that still have code, counted from 1.
    pub fn lines(&self, path: &Path) -> BTreeSet<u32> {
        self.file(path).map(SlicedFile::lines).unwrap_or_default()
    }
}

impl SlicedFile {
    /// Returns the lines that still have code, counted from 1.
    pub fn lines(&self) -> BTreeSet<u32> {
        let mut lines = BTreeSet::new();
        let (mut line, mut counted) = (1, 0);
        for token in tokens(&self.text).iter().filter(|token| !self.lacks(token.range.start)) {
            line += breaks(&self.text[counted..token.range.start]);
            lines.insert(line);
            line += breaks(&self.text[token.range.clone()]);
            lines.insert(line);
            counted = token.range.end;
        }
        lines
    }

    /// Returns whether the byte at this offset is outside the slice.
    pub fn lacks(&self, at: usize) -> bool {
        let before = self.removed.partition_point(|removal| removal.start <= at);
        before > 0 && at < self.removed[before - 1].end
    }

    /// Returns how many lines of the original file have code.
    pub fn lines_before(&self) -> usize {
        SlicedFile { removed: Vec::new(), ..self.clone() }.lines().len()
    }
}

fn breaks(text: &[u8]) -> u32 {
    text.iter().filter(|byte| **byte == b'\n').count() as u32
}

/// Returns the index of a file by its path. A path that is the end of exactly one file's path also
/// matches.
pub(crate) fn file_index(files: &[SourceFile], path: &Path) -> Option<usize> {
    let exact = files.iter().position(|file| file.path == path);
    exact.or_else(|| {
        let mut ending = files.iter().enumerate().filter(|(_, file)| file.path.ends_with(path));
        let (index, _) = ending.next()?;
        ending.next().is_none().then_some(index)
    })
}

/// Builds the slice that keeps these elements.
pub(crate) fn kept_slice(graph: &Graph<'_>, kept: &[bool]) -> Slice {
    let files = graph.program.files.iter().enumerate().map(|(index, file)| {
        let inside = graph.elements.ids().filter(|id| graph.elements.get(*id).file == index);
        let (stay, go): (Vec<_>, Vec<_>) = inside.partition(|id| kept[id.index()]);
        let is_outermost = |id: &ElementId| graph.elements.get(*id).parent.is_none_or(|parent| kept[parent.index()]);
        let removed = merged(go.into_iter().filter(is_outermost).map(|id| removal(graph, id)).collect());
        let conditions = conditions(&file.text, &graph.program.tokens[index]);
        let removed = removed.into_iter().flat_map(|removal| around_halves(removal, &conditions)).collect();
        let kept = stay.into_iter().map(|id| graph.elements.get(id).range.clone()).collect();
        SlicedFile { path: file.path.clone(), text: file.text.clone(), kept, removed }
    });
    Slice { files: files.collect() }
}

/// Sorts the ranges and drops those inside others.
fn merged(mut removed: Vec<Removal>) -> Vec<Removal> {
    removed.sort_by_key(|removal| (removal.start, std::cmp::Reverse(removal.end)));
    let mut result: Vec<Removal> = Vec::new();
    for removal in removed {
        match result.last_mut() {
            Some(last) if removal.start < last.end => {
                // A macro can expand to several statements at one position. If any of them needs a
                // replacement, use it.
                if removal.start == last.start && last.replacement.is_empty() {
                    last.replacement = removal.replacement;
                }
                last.end = last.end.max(removal.end);
            }
            _ => result.push(removal),
        }
    }
    result
}

/// Returns the directives of preprocessor conditionals.
fn conditions(text: &[u8], tokens: &[Token]) -> Vec<Directive> {
    let is_condition =
        |line: &Directive| matches!(line.kind, DirectiveKind::If | DirectiveKind::Else | DirectiveKind::EndIf);
    directives(text, tokens).into_iter().filter(is_condition).collect()
}

/// Splits a removal that would take an `#if` without its `#endif`, or the reverse, so that all
/// conditional directives in it stay.
fn around_halves(removal: Removal, conditions: &[Directive]) -> Vec<Removal> {
    let first = conditions.partition_point(|line| line.range.start < removal.start);
    let last = conditions.partition_point(|line| line.range.start < removal.end);
    let inside = &conditions[first..last];
    if are_whole(inside) {
        return vec![removal];
    }
    let mut pieces = Vec::new();
    let (mut start, mut replacement) = (removal.start, removal.replacement);
    for line in inside {
        pieces.push(Removal { start, end: line.range.start, replacement });
        (start, replacement) = (line.range.end, "");
    }
    pieces.push(Removal { start, end: removal.end.max(start), replacement });
    pieces
}

/// Returns whether every conditional both begins and ends among these directives.
fn are_whole(lines: &[Directive]) -> bool {
    let mut depth = 0_usize;
    for line in lines {
        match line.kind {
            DirectiveKind::If => depth += 1,
            DirectiveKind::EndIf if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ => return false,
        }
    }
    depth == 0
}

/// Returns the removal that takes an element out of the text around it.
fn removal(graph: &Graph<'_>, id: ElementId) -> Removal {
    let element = graph.elements.get(id);
    let (start, tree_end) = (element.range.start, element.range.end);
    match element.position {
        Position::Declaration if element.kind == Kind::MacroDefinition => {
            let start = directive_start(graph, element.file, start);
            Removal { start, end: tree_end, replacement: "" }
        }
        Position::Declaration => {
            Removal { start, end: after_semicolon(&graph.program, element.file, tree_end), replacement: "" }
        }
        Position::Block => Removal { start, end: statement_end(graph, id), replacement: "" },
        Position::Body => Removal { start, end: statement_end(graph, id), replacement: ";" },
        Position::Else => {
            let start = else_keyword(graph, element.file, start).unwrap_or(start);
            Removal { start, end: statement_end(graph, id), replacement: "" }
        }
    }
}

/// Returns the end of a statement, including its semicolon.
pub(crate) fn statement_end(graph: &Graph<'_>, id: ElementId) -> usize {
    let element = graph.elements.get(id);
    let place = *element.places.last().expect("an element has a node");
    node_end(graph, place).max(element.range.end).max(after_semicolon_unless_block(graph, id))
}

fn after_semicolon_unless_block(graph: &Graph<'_>, id: ElementId) -> usize {
    let element = graph.elements.get(id);
    let governs = !bodies_of(&graph.program, element.places[0]).is_empty() && element.kind != Kind::Do;
    if matches!(element.kind, Kind::Compound | Kind::Try) || governs || ends_in_semicolon(graph, id) {
        return element.range.end;
    }
    after_semicolon(&graph.program, element.file, element.range.end)
}

fn ends_in_semicolon(graph: &Graph<'_>, id: ElementId) -> bool {
    let element = graph.elements.get(id);
    graph.program.files[element.file].text[element.range.clone()].ends_with(b";")
}

/// Returns the end of a node. A control structure ends with the last statement it governs.
fn node_end(graph: &Graph<'_>, place: crate::program::Place) -> usize {
    let node = graph.program.node(place);
    let last = bodies_of(&graph.program, place).last().copied();
    match (node.kind, last) {
        (Kind::Do, _) | (_, None) if matches!(node.kind, Kind::Compound | Kind::Try) => node.end as usize,
        (Kind::Do, _) | (_, None) => {
            let end = crate::text::widened(&graph.program, place).end;
            let text = &graph.program.files[graph.program.file_of(place)].text;
            if text[..end].ends_with(b";") {
                end
            } else {
                after_semicolon(&graph.program, graph.program.file_of(place), end)
            }
        }
        (_, Some(last)) => node_end(graph, last),
    }
}

fn else_keyword(graph: &Graph<'_>, file: usize, before: usize) -> Option<usize> {
    let tokens = &graph.program.tokens[file];
    let index = tokens.partition_point(|token| token.range.start < before).checked_sub(1)?;
    (graph.program.token_text(file, &tokens[index]) == b"else").then(|| tokens[index].range.start)
}

/// Returns the start of a macro's directive. The tree has only the position of its name.
fn directive_start(graph: &Graph<'_>, file: usize, at: usize) -> usize {
    let tokens = &graph.program.tokens[file];
    let index = tokens.partition_point(|token| token.range.start <= at);
    let directive = tokens[..index].last().filter(|token| token.kind == TokenKind::Directive && token.range.end > at);
    directive.map_or(at, |token| token.range.start)
}
