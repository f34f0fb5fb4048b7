//! Rendering of a candidate: one walk over the nodes in order, without recursion.

use super::formula::Variables;
use super::shape::{Role, Shape};
use super::syntax::{NONE, Syntax};
use super::writer::Writer;
use crate::Language;
use lapidary_logic::{Var, VarSet};

pub(crate) struct Renderer {
    pub(crate) language: Language,
    pub(crate) syntax: Syntax,
    pub(crate) shape: Shape,
    pub(crate) variables: Variables,
}

/// A range of nodes to write: the whole tree, or a descendant that replaces its ancestor.
struct Frame {
    at: u32,
    end: u32,
    dedent: usize,
    /// The node whose gap is written before the first token.
    lead: u32,
    behind: Option<&'static str>,
}

enum State {
    Gone,
    Text(&'static str),
    Hoisted,
    Whole,
}

impl Renderer {
    pub(crate) fn render(&self, text: &[u8], keep: &VarSet) -> Vec<u8> {
        let mut pass = Pass {
            renderer: self,
            keep,
            text,
            writer: Writer::new(text, self.language.knowledge().line_comments),
            last_kept: vec![NONE; self.shape.runs.len()],
            frames: vec![Frame { at: 0, end: self.syntax.nodes.len() as u32, dedent: 0, lead: NONE, behind: None }],
        };
        while pass.step() {}
        let tail = self.syntax.nodes.last().map_or(0, |node| node.end as usize);
        pass.writer.finish(tail)
    }
}

struct Pass<'a> {
    renderer: &'a Renderer,
    keep: &'a VarSet,
    text: &'a [u8],
    writer: Writer<'a>,
    /// For each run, the position of the last element written.
    last_kept: Vec<u32>,
    frames: Vec<Frame>,
}

impl Pass<'_> {
    fn step(&mut self) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        if frame.at >= frame.end {
            let behind = frame.behind;
            self.frames.pop();
            if let Some(token) = behind {
                self.writer.foreign(b"", token.as_bytes());
            }
            return true;
        }
        let node = frame.at;
        let starts = std::mem::replace(&mut frame.lead, NONE);
        self.writer.dedent = frame.dedent;
        if starts != NONE {
            self.writer.lead(&self.text[self.renderer.syntax.node(starts).gap()]);
        }
        let depth = self.frames.len() - 1;
        let next = self.visit(node);
        self.frames[depth].at = next;
        true
    }

    /// Writes a node's own text and returns the node to continue with.
    fn visit(&mut self, node: u32) -> u32 {
        let after = self.renderer.syntax.node(node).next;
        if !self.role_allows(node) {
            return after;
        }
        match self.state(node) {
            State::Gone => after,
            State::Text(text) => {
                self.join(node);
                self.writer.foreign(&self.text[self.renderer.syntax.node(node).gap()], text.as_bytes());
                after
            }
            State::Hoisted => {
                self.join(node);
                self.hoist(node);
                after
            }
            State::Whole => {
                self.join(node);
                self.leaf(node);
                node + 1
            }
        }
    }

    fn leaf(&mut self, node: u32) {
        if self.renderer.syntax.is_leaf(node) {
            let leaf = self.renderer.syntax.node(node);
            self.writer.piece(leaf.gap as usize, leaf.start as usize, leaf.end as usize);
        }
    }

    fn holds(&self, var: u32) -> bool {
        var == NONE || self.keep.contains(Var::new(var as usize))
    }

    fn exists(&self, node: u32) -> bool {
        self.holds(self.renderer.variables.exists[node as usize])
    }

    fn state(&self, node: u32) -> State {
        let variables = &self.renderer.variables;
        if !self.exists(node) {
            return State::Gone;
        }
        if let Some((first, texts)) = variables.texts.get(variables.text_of[node as usize] as usize) {
            let replaced = (0..texts.len()).find(|&index| !self.holds(first + index as u32));
            if let Some(index) = replaced {
                return State::Text(texts[index]);
            }
        }
        if self.holds(variables.shell[node as usize]) { State::Whole } else { State::Hoisted }
    }

    fn role_allows(&self, node: u32) -> bool {
        let shape = &self.renderer.shape;
        match shape.role[node as usize] {
            Role::Plain => true,
            Role::With(owner) => self.exists(owner),
            Role::Trailing(run) => self.last_kept[run as usize] != NONE,
            Role::SeparatorBefore(element) => {
                let run = shape.run_of[element as usize];
                self.exists(element) && self.last_kept[run as usize] != NONE
            }
        }
    }

    /// Records that an element is written, and writes a separator if the walk has not passed one.
    fn join(&mut self, node: u32) {
        let shape = &self.renderer.shape;
        let run = shape.run_of[node as usize];
        if run == NONE {
            return;
        }
        let position = position(&shape.runs[run as usize].elements, node);
        let last = std::mem::replace(&mut self.last_kept[run as usize], position);
        let separators = &shape.runs[run as usize].separators;
        if last != NONE && last + 1 < position && separators[position as usize].is_empty() {
            self.separator(&separators[last as usize + 1]);
        }
    }

    fn separator(&mut self, tokens: &[u32]) {
        for &token in tokens {
            self.leaf(token);
        }
    }

    fn hoist(&mut self, node: u32) {
        let dedent = self.writer.dedent;
        let hoisted = &self.renderer.variables.hoists[&node];
        let end = self.renderer.language.knowledge().statement_end;
        let kept: Vec<_> = hoisted.iter().filter(|inner| self.exists(inner.node)).collect();
        let frames = kept.iter().enumerate().rev().map(|(position, inner)| Frame {
            at: inner.node,
            end: self.renderer.syntax.node(inner.node).next,
            dedent: dedent + inner.dedent,
            // The first node of a file has no line break before it that the following ones could
            // inherit.
            lead: if position > 0 && self.starts_line(inner.node) && !self.starts_line(node) { NONE } else { node },
            behind: end.filter(|_| inner.as_statement),
        });
        self.frames.extend(frames.collect::<Vec<_>>());
    }
}

impl Pass<'_> {
    fn starts_line(&self, node: u32) -> bool {
        self.text[self.renderer.syntax.node(node).gap()].contains(&b'\n')
    }
}

fn position(elements: &[u32], node: u32) -> u32 {
    elements.binary_search(&node).map_or(NONE, |position| position as u32)
}
