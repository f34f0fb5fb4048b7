//! A syntax tree as one array in preorder: a node's descendants follow it directly, up to its
//! `next`.
//!
//! Invariant: the leaves, each with the gap before it, and the tail behind the last of them are the
//! text, byte for byte. A node whose own text is not covered by its children (string contents in
//! some grammars) is a leaf here.

use crate::Language;
use crate::parsed::{Parsed, ParsedNode};
use crate::slots::{FieldId, KindId};
use std::ops::Range;

pub(crate) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: KindId,
    pub(crate) field: FieldId,
    pub(crate) parent: u32,
    /// The first node that is not inside this one.
    pub(crate) next: u32,
    /// The start of the gap before the node, which is the end of the preceding leaf.
    pub(crate) gap: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) named: bool,
    pub(crate) extra: bool,
    /// Whether the node is an error, with unknown contents.
    pub(crate) error: bool,
    /// Whether the parser inserted the node; it is not in the text.
    pub(crate) missing: bool,
}

impl Node {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn gap(&self) -> Range<usize> {
        self.gap as usize..self.start as usize
    }

    pub(crate) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }
}

pub(crate) struct Syntax {
    pub(crate) nodes: Vec<Node>,
}

impl Syntax {
    /// Builds the array; `None` if the whole text is one error, or too large for 32-bit positions.
    pub(crate) fn new(language: &Language, parsed: &Parsed, text: &[u8]) -> Option<Syntax> {
        let root = parsed.nodes.first()?;
        if root.is_error() || parsed.nodes.len() == 1 || text.len() > i32::MAX as usize {
            return None;
        }
        let mut builder = Builder { language, text, nodes: Vec::new(), last_end: 0 };
        builder.add_all(parsed);
        Some(Syntax { nodes: builder.nodes })
    }

    pub(crate) fn is_leaf(&self, node: u32) -> bool {
        self.nodes[node as usize].next == node + 1
    }

    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.nodes[node as usize].next;
        let mut child = node + 1;
        std::iter::from_fn(move || {
            (child < end).then(|| {
                let current = child;
                child = self.nodes[current as usize].next;
                current
            })
        })
    }

    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }
}

struct Builder<'a> {
    language: &'a Language,
    text: &'a [u8],
    nodes: Vec<Node>,
    last_end: u32,
}

impl Builder<'_> {
    fn add_all(&mut self, parsed: &Parsed) {
        // The node at hand and those around it.
        let mut open: Vec<u32> = Vec::new();
        for node in &parsed.nodes {
            self.close_from(&mut open, node.depth as usize);
            let parent = open.last().copied().unwrap_or(NONE);
            open.push(self.open(node, parent));
        }
        self.close_from(&mut open, 0);
    }

    /// Closes nodes of this depth and deeper ones.
    fn close_from(&mut self, open: &mut Vec<u32>, depth: usize) {
        while open.len() > depth
            && let Some(index) = open.pop()
        {
            self.close(index);
        }
    }

    fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    fn open(&mut self, node: &ParsedNode, parent: u32) -> u32 {
        let kind = self.language.slots().kind(node.kind);
        let token = self.language.knowledge().token_prefix;
        let name = || self.language.grammar().node_kind_for_id(node.kind).unwrap_or_default();
        let is_token = token.is_some_and(|prefix| name().starts_with(prefix));
        let start = node.start.max(self.last_end);
        self.nodes.push(Node {
            kind,
            field: node.field,
            parent,
            next: 0,
            gap: self.last_end,
            start,
            end: node.end.max(start),
            named: node.is_named() && !is_token,
            extra: node.is_extra() && !node.is_error(),
            error: node.is_error(),
            missing: node.is_missing(),
        });
        self.nodes.len() as u32 - 1
    }

    fn close(&mut self, index: u32) {
        if index != 0 && self.has_own_text(index) {
            self.nodes.truncate(index as usize + 1);
        }
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[index as usize];
        node.next = next;
        if next == index + 1 {
            self.last_end = node.end;
        }
    }

    /// Returns whether part of the node's text is neither a child nor blank.
    fn has_own_text(&self, index: u32) -> bool {
        let node = self.node(index);
        if self.nodes.len() as u32 == index + 1 {
            return false;
        }
        let mut child = index + 1;
        let mut covered = node.start;
        while (child as usize) < self.nodes.len() {
            let inner = self.node(child);
            if !is_blank(&self.text[covered.min(inner.start) as usize..inner.start as usize]) {
                return true;
            }
            covered = inner.end.max(covered);
            child = inner.next;
        }
        !is_blank(&self.text[covered.min(node.end) as usize..node.end as usize])
    }
}

/// Returns whether a text is white space, including continued lines.
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().enumerate().all(|(index, byte)| match byte {
        b'\\' => matches!(text.get(index + 1), Some(b'\n' | b'\r')),
        _ => byte.is_ascii_whitespace() || *byte == 0x0b || matches!(byte, 0xef | 0xbb | 0xbf),
    })
}
