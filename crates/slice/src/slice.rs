//! A slice: which parts of the files stay, and which go.

use crate::elements::{ElementId, Position};
use crate::graph::Graph;
use crate::text::{after_semicolon, bodies_of};
use lapidary_clang::{Directive, DirectiveKind, Kind, SourceFile, Token, TokenKind, directives, tokens};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// What a slice is asked about: a line, and one variable on it or all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    pub file: PathBuf,
    /// Counted from 1.
    pub line: u32,
    pub variable: Option<String>,
}

#[derive(Debug, Error)]
pub enum SliceError {
    #[error("{} is not one of the program's files", file.display())]
    UnknownFile { file: PathBuf },
    #[error("there is no statement on line {line} of {}", file.display())]
    NothingThere { file: PathBuf, line: u32 },
    #[error("there is no variable {variable} on line {line} of {}", file.display())]
    NoSuchVariable { file: PathBuf, line: u32, variable: String },
    #[error("the trace is not one of this program: {reason}")]
    BadTrace { reason: &'static str },
}

/// The parts of a program that matter for a criterion.
#[derive(Clone, Debug)]
pub struct Slice {
    pub files: Vec<SlicedFile>,
}

/// One file of a slice. Nothing is said of a file that has no code in the program.
#[derive(Clone, Debug)]
pub struct SlicedFile {
    pub path: PathBuf,
    pub text: Arc<[u8]>,
    /// The statements and declarations that stay, those around others included.
    pub kept: Vec<Range<usize>>,
    /// What goes, in order and without overlaps.
    pub removed: Vec<Removal>,
}

/// A range that goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removal {
    pub start: usize,
    pub end: usize,
    /// What must be put there instead: nothing, or an empty statement.
    pub replacement: &'static str,
}

impl Slice {
    pub fn file(&self, path: &Path) -> Option<&SlicedFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The lines of a file that still have code, counted from 1.
    pub fn lines(&self, path: &Path) -> BTreeSet<u32> {
        self.file(path).map(SlicedFile::lines).unwrap_or_default()
    }
}

impl SlicedFile {
    /// The lines that still have code, counted from 1.
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

    /// Whether the byte at this place is outside of the slice.
    pub fn lacks(&self, at: usize) -> bool {
        let before = self.removed.partition_point(|removal| removal.start <= at);
        before > 0 && at < self.removed[before - 1].end
    }

    /// How many lines of the file have code at all.
    pub fn lines_before(&self) -> usize {
        SlicedFile { removed: Vec::new(), ..self.clone() }.lines().len()
    }
}

fn breaks(text: &[u8]) -> u32 {
    text.iter().filter(|byte| **byte == b'\n').count() as u32
}

/// The place of a file among files; a path that ends in what is asked for will do if there is just one.
pub(crate) fn file_index(files: &[SourceFile], path: &Path) -> Option<usize> {
    let exact = files.iter().position(|file| file.path == path);
    exact.or_else(|| {
        let mut ending = files.iter().enumerate().filter(|(_, file)| file.path.ends_with(path));
        let (index, _) = ending.next()?;
        ending.next().is_none().then_some(index)
    })
}

/// The slice that keeps these elements.
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

/// Ranges in order, those inside of others left out.
fn merged(mut removed: Vec<Removal>) -> Vec<Removal> {
    removed.sort_by_key(|removal| (removal.start, std::cmp::Reverse(removal.end)));
    let mut result: Vec<Removal> = Vec::new();
    for removal in removed {
        match result.last_mut() {
            Some(last) if removal.start < last.end => {
                // What a macro stands for can be several statements at one place, and one of them is needed.
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

/// The lines that make text depend on a condition of the preprocessor.
fn conditions(text: &[u8], tokens: &[Token]) -> Vec<Directive> {
    let is_condition =
        |line: &Directive| matches!(line.kind, DirectiveKind::If | DirectiveKind::Else | DirectiveKind::EndIf);
    directives(text, tokens).into_iter().filter(is_condition).collect()
}

/// A removal that would take an `#if` without its `#endif`, or the other way round, leaves all such lines where they are.
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

/// Whether every condition begins and ends among these lines.
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

/// How an element is taken out of the text around it.
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

/// Where a statement ends, its semicolon included.
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

/// The end of a control structure is that of the last statement it governs.
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

/// The tree has the name of a macro; its directive begins before.
fn directive_start(graph: &Graph<'_>, file: usize, at: usize) -> usize {
    let tokens = &graph.program.tokens[file];
    let index = tokens.partition_point(|token| token.range.start <= at);
    let directive = tokens[..index].last().filter(|token| token.kind == TokenKind::Directive && token.range.end > at);
    directive.map_or(at, |token| token.range.start)
}
