//! The nodes that the grammar allows to be removed: elements of lists, optional children, comments
//! and errors; and the tokens that are removed or kept with them.
//!
//! A *run* is a sequence of neighbours in one repeating place, with the separators between them. A
//! separator is written only between two kept elements, so it belongs to the run and not to an
//! element.

use super::syntax::{NONE, Syntax};
use crate::Language;
use crate::slots::FieldId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Optional {
    /// Must stay as long as its parent stays.
    No,
    /// The only node in its place.
    Alone,
    /// An element of a run with other elements.
    InRun,
    Comment,
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Plain,
    /// A separator, written only between two kept elements; this is the element behind it.
    SeparatorBefore(u32),
    /// A trailing token, written only if an element of the run is left.
    Trailing(u32),
    /// A keyword or punctuation mark that is removed with this node.
    With(u32),
}

pub(crate) struct Run {
    pub(crate) elements: Vec<u32>,
    /// For each element, the tokens between it and the one before, as a range of nodes.
    pub(crate) separators: Vec<Vec<u32>>,
    /// Whether at least one element must stay.
    pub(crate) required: bool,
}

pub(crate) struct Shape {
    pub(crate) optional: Vec<Optional>,
    pub(crate) role: Vec<Role>,
    pub(crate) runs: Vec<Run>,
    /// The run of each element.
    pub(crate) run_of: Vec<u32>,
}

impl Shape {
    pub(crate) fn new(language: &Language, syntax: &Syntax, text: &[u8]) -> Shape {
        let count = syntax.nodes.len();
        let mut builder = Builder {
            language,
            syntax,
            text,
            shape: Shape {
                optional: vec![Optional::No; count],
                role: vec![Role::Plain; count],
                runs: Vec::new(),
                run_of: vec![NONE; count],
            },
        };
        for parent in (0..count as u32).filter(|&node| !syntax.is_leaf(node)) {
            builder.children_of(parent);
        }
        builder.shape
    }

    pub(crate) fn run(&self, element: u32) -> Option<&Run> {
        self.runs.get(self.run_of[element as usize] as usize)
    }
}

/// The number of children to examine in order to find one that stays.
const FIRST: usize = 8;

/// A run under construction.
struct Open {
    field: FieldId,
    required: bool,
    elements: Vec<u32>,
    separators: Vec<Vec<u32>>,
}

struct Builder<'a> {
    language: &'a Language,
    syntax: &'a Syntax,
    text: &'a [u8],
    shape: Shape,
}

impl Builder<'_> {
    fn children_of(&mut self, parent: u32) {
        let mut open: Option<Open> = None;
        let mut tokens: Vec<u32> = Vec::new();
        let children: Vec<u32> = self.syntax.children(parent).collect();
        for child in children {
            let node = self.syntax.node(child);
            if node.error || node.extra {
                self.shape.optional[child as usize] = if node.error { Optional::Error } else { Optional::Comment };
            } else if !node.named {
                tokens.push(child);
            } else {
                open = self.element(parent, child, open, std::mem::take(&mut tokens));
            }
        }
        self.finish(open, &tokens);
    }

    /// Adds a child to the open run, or closes the run and opens another.
    fn element(&mut self, parent: u32, child: u32, open: Option<Open>, tokens: Vec<u32>) -> Option<Open> {
        let node = self.syntax.node(child);
        let slots = self.language.slots();
        let slot = slots.slot(self.syntax.node(parent).kind, node.field);
        let fixed = self.is_fixed(child);
        let multiple = slot.is_none_or(|slot| slot.multiple) && !fixed;
        if multiple && let Some(mut run) = open {
            if run.field == node.field && self.separate(&tokens) {
                run.elements.push(child);
                run.separators.push(tokens);
                return Some(run);
            }
            self.finish(Some(run), &tokens);
        } else if !multiple {
            self.finish(open, &tokens);
        }
        if multiple {
            let nonempty = self.language.knowledge().nonempty.contains(&slots.name(self.syntax.node(parent).kind));
            let required = slot.is_some_and(|slot| slot.required) && !self.is_filled(parent, child) || nonempty;
            return Some(Open { field: node.field, required, elements: vec![child], separators: vec![Vec::new()] });
        }
        if !fixed && slot.is_some_and(|slot| !slot.required) {
            self.shape.optional[child as usize] = Optional::Alone;
        }
        None
    }

    fn is_fixed(&self, child: u32) -> bool {
        let node = self.syntax.node(child);
        self.language.knowledge().fixed.contains(&self.language.slots().name(node.kind)) || node.missing
    }

    /// Returns whether the child directly before this one, among the first, is in the same place
    /// and stays there.
    fn is_filled(&self, parent: u32, child: u32) -> bool {
        let before = self.syntax.children(parent).take(FIRST).take_while(|&other| other < child).last();
        before
            .is_some_and(|other| self.syntax.node(other).field == self.syntax.node(child).field && self.is_fixed(other))
    }

    /// Returns whether these tokens can separate two elements of a list.
    fn separate(&self, tokens: &[u32]) -> bool {
        tokens.iter().all(|&token| !matches!(self.token(token), b"(" | b")" | b"[" | b"]" | b"{" | b"}"))
    }

    fn token(&self, token: u32) -> &[u8] {
        &self.text[self.syntax.node(token).range()]
    }

    fn finish(&mut self, open: Option<Open>, tokens: &[u32]) {
        let Some(Open { required, elements, separators, .. }) = open else { return };
        let run = self.shape.runs.len() as u32;
        let several = elements.len() > 1;
        for (&element, separator) in elements.iter().zip(&separators) {
            self.shape.run_of[element as usize] = run;
            self.shape.optional[element as usize] = match (several, required) {
                (true, _) => Optional::InRun,
                (false, false) => Optional::Alone,
                (false, true) => Optional::No,
            };
            for &token in separator {
                self.shape.role[token as usize] = Role::SeparatorBefore(element);
            }
        }
        if let Some(&token) = tokens.first()
            && self.is_trailing(token, &separators)
        {
            self.shape.role[token as usize] = Role::Trailing(run);
        }
        self.shape.runs.push(Run { elements, separators, required });
    }

    fn is_trailing(&self, token: u32, separators: &[Vec<u32>]) -> bool {
        let text = self.token(token);
        let seen = separators.iter().flatten().any(|&separator| self.token(separator) == text);
        seen || (separators.len() == 1 && text == b",")
    }
}
