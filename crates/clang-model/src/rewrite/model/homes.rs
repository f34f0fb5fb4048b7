//! Homes are the parts of a translation unit that other parts do not depend on: bodies of functions
//! and initialisers of globals. Templates and their contents are not homes, since their errors show
//! where they are used.

use crate::Edit;
use lapidary_clang::{FileId, Kind, NodeId, Syntax};
use std::ops::Range;

pub(super) struct Homes<'s> {
    syntax: &'s Syntax,
    /// The homes in order. None is inside another.
    ranges: Vec<(FileId, Range<usize>)>,
    /// The lines of each home.
    lines: Vec<Range<usize>>,
}

impl Homes<'_> {
    pub fn of(syntax: &Syntax) -> Homes<'_> {
        let mut ranges: Vec<(FileId, Range<usize>)> = Vec::new();
        for id in syntax.ids().filter_map(|id| closed_part(syntax, id)) {
            let node = syntax.node(id);
            ranges.push((node.file, node.range()));
        }
        ranges.sort_by_key(|(file, range)| (*file, range.start, range.end));
        ranges.dedup_by(|later, earlier| later.0 == earlier.0 && later.1.start < earlier.1.end);
        let line = |file: FileId, offset: usize| breaks(&syntax.files[file.index()].text[..offset]) + 1;
        let lines = ranges.iter().map(|(file, range)| line(*file, range.start)..line(*file, range.end) + 1).collect();
        Homes { syntax, ranges, lines }
    }

    /// Returns the lines of the home that contains all edits. `None` if there is none, or if lines
    /// would move.
    pub fn home(&self, edits: &[Edit]) -> Option<Range<usize>> {
        let (first, last) = (edits.first()?, edits.last()?);
        let next = self.ranges.partition_point(|(file, range)| (*file, range.start) <= (first.file, first.range.start));
        let home = next.checked_sub(1)?;
        let (file, range) = &self.ranges[home];
        let is_inside = |edit: &Edit| edit.file == *file && range.start < edit.range.end && edit.range.end < range.end;
        let text = &self.syntax.files[file.index()].text;
        let stays = |edit: &Edit| breaks(&edit.with) <= breaks(&text[edit.range.clone()]);
        let is_home = is_inside(first) && is_inside(last) && edits.iter().all(|edit| edit.file == *file && stays(edit));
        is_home.then(|| self.lines[home].clone())
    }
}

fn breaks(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte == b'\n').count()
}

/// Returns the body of a function, or the initialiser of a variable outside functions.
fn closed_part(syntax: &Syntax, id: NodeId) -> Option<NodeId> {
    let node = syntax.node(id);
    let is_outside =
        |id: NodeId| matches!(syntax.node(id).kind, Kind::Namespace | Kind::Linkage | Kind::Struct | Kind::Class);
    let is_global = || syntax.ancestors(id).all(is_outside);
    let last = syntax.children(id).last().filter(|id| !syntax.node(*id).in_macro)?;
    let is_body = matches!(node.kind, Kind::Function | Kind::Method) && syntax.node(last).kind == Kind::Compound;
    let is_list = node.kind == Kind::Variable && syntax.node(last).kind == Kind::InitialiserList;
    ((is_body || is_list) && is_global()).then_some(last)
}
