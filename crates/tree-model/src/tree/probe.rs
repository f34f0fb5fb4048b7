//! Asks the parser whether an edit leaves a text without new errors.
//!
//! Node types say what may stand in a place, not which keywords go with it; trying one edit of each class on the parse
//! at hand (incrementally: microseconds) answers for the class.

use crate::Language;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use tree_sitter::{InputEdit, Parser, Point, Tree};

/// How many members of a class are tried.
const SAMPLES: usize = 3;

/// One text replaced by another.
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) with: Vec<u8>,
}

pub(crate) struct Probe<'a> {
    parser: Parser,
    tree: &'a Tree,
    text: &'a [u8],
    line_starts: Vec<usize>,
    errors: usize,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(language: &Language, tree: &'a Tree, text: &'a [u8]) -> Option<Self> {
        let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(index, _)| index + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        Some(Probe { parser: language.parser()?, tree, text, line_starts, errors: errors(tree) })
    }

    /// Whether the edited text has no more errors than the text.
    pub(crate) fn accepts(&mut self, edit: &Edit) -> bool {
        let mut old = self.tree.clone();
        let start = edit.range.start;
        old.edit(&InputEdit {
            start_byte: start,
            old_end_byte: edit.range.end,
            new_end_byte: start + edit.with.len(),
            start_position: self.point(start),
            old_end_position: self.point(edit.range.end),
            new_end_position: moved(self.point(start), &edit.with),
        });
        let text = self.text;
        let mut read = |at: usize, _: Point| piece(text, edit, at);
        let new = self.parser.parse_with_options(&mut read, Some(&old), None);
        new.is_some_and(|tree| !tree.root_node().is_error() && errors(&tree) <= self.errors)
    }

    /// For each class the first of `options` edits that the parser accepts for most of the sampled members.
    pub(crate) fn settle<K: Hash + Eq + Copy>(
        &mut self,
        members: impl Iterator<Item = (K, u32)>,
        edits: impl Fn(u32) -> Vec<Option<Edit>>,
    ) -> HashMap<K, usize> {
        let mut classes: HashMap<K, Vec<u32>> = HashMap::new();
        for (class, node) in members {
            classes.entry(class).or_default().push(node);
        }
        let settled = classes.into_iter().filter_map(|(class, nodes)| Some((class, self.choose(&nodes, &edits)?)));
        settled.collect()
    }

    fn choose(&mut self, nodes: &[u32], edits: &impl Fn(u32) -> Vec<Option<Edit>>) -> Option<usize> {
        let samples: Vec<_> = spread(nodes).map(edits).collect();
        let options = samples.iter().map(Vec::len).min()?;
        (0..options).find(|&option| {
            let edits: Vec<&Edit> = samples.iter().filter_map(|sample| sample[option].as_ref()).collect();
            let mut votes = edits.iter().map(|edit| self.accepts(edit));
            match edits.len() {
                0 => false,
                1 => votes.next() == Some(true),
                count => {
                    let first_two = [votes.next(), votes.next()];
                    match first_two {
                        [Some(true), Some(true)] => true,
                        [Some(false), Some(false)] => false,
                        _ => count > 2 && votes.next() == Some(true),
                    }
                }
            }
        })
    }

    fn point(&self, byte: usize) -> Point {
        let row = self.line_starts.partition_point(|&start| start <= byte) - 1;
        Point { row, column: byte - self.line_starts[row] }
    }
}

/// A few members from all over the list.
fn spread(nodes: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let count = nodes.len().min(SAMPLES);
    (0..count).map(move |index| nodes[index * (nodes.len() - 1) / count.max(2).saturating_sub(1).max(1)])
}

fn piece<'t>(text: &'t [u8], edit: &'t Edit, at: usize) -> &'t [u8] {
    let (start, end) = (edit.range.start, edit.range.start + edit.with.len());
    if at < start {
        &text[at..start]
    } else if at < end {
        &edit.with[at - start..]
    } else {
        text.get(edit.range.end + (at - end)..).unwrap_or_default()
    }
}

fn moved(from: Point, by: &[u8]) -> Point {
    match by.iter().rposition(|&byte| byte == b'\n') {
        None => Point { row: from.row, column: from.column + by.len() },
        Some(last) => {
            let rows = by.iter().filter(|&&byte| byte == b'\n').count();
            Point { row: from.row + rows, column: by.len() - last - 1 }
        }
    }
}

/// Counts error and missing nodes; only subtrees with an error are visited.
fn errors(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        count += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}
