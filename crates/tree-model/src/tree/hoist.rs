//! Hoisting: replacement of a node by descendants that fit in its place (`if (c) S` by `S`,
//! `f(a + b)` by `a + b`).

use super::shape::{Optional, Shape};
use super::syntax::{NONE, Syntax};
use crate::Language;
use crate::slots::{KindId, Slot};

/// The depth, in levels, to which replacements of a node are searched. With the limit on nodes it
/// keeps the search linear.
const DEPTH: usize = 6;
const VISITS: usize = 96;
/// The number of replacements to offer where several may stand together. Where only one may, it is
/// one of the `ONE_OF` largest.
const TOGETHER: usize = 8;
const ONE_OF: usize = 4;

/// A descendant that can take the place of its ancestor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) node: u32,
    /// Whether it is an expression that becomes a statement by appending the statement end.
    pub(crate) as_statement: bool,
}

pub(crate) struct Hoist {
    pub(crate) candidates: Vec<Candidate>,
    /// Whether several may replace the node, one after the other.
    pub(crate) together: bool,
}

impl Hoist {
    /// Restricts the replacement to a single one of the few largest candidates.
    pub(crate) fn restrict(&mut self, syntax: &Syntax) {
        self.together = false;
        largest(syntax, &mut self.candidates, ONE_OF);
    }
}

/// The nearest descendants of `node` that fit in its place: the largest of them, in text order.
pub(crate) fn candidates(language: &Language, syntax: &Syntax, shape: &Shape, node: u32) -> Option<Hoist> {
    let place = Place::of(language, syntax, node)?;
    let together = is_plain_repetition(language, syntax, shape, node);
    let mut found = place.search(node);
    largest(syntax, &mut found, if together { TOGETHER } else { ONE_OF });
    (!found.is_empty()).then_some(Hoist { candidates: found, together })
}

/// Keeps the `count` largest, in text order.
fn largest(syntax: &Syntax, found: &mut Vec<Candidate>, count: usize) {
    found.sort_by_key(|candidate| (std::cmp::Reverse(syntax.node(candidate.node).len()), candidate.node));
    found.truncate(count);
    found.sort_by_key(|candidate| candidate.node);
}

/// Returns whether a place repeats without separators, so that its elements are simply written one
/// after the other.
fn is_plain_repetition(language: &Language, syntax: &Syntax, shape: &Shape, node: u32) -> bool {
    let parent = syntax.node(syntax.node(node).parent).kind;
    let nonempty = language.knowledge().nonempty.contains(&language.slots().name(parent));
    shape.run(node).is_some_and(|run| {
        let alone = run.elements.len() == 1 && (nonempty || shape.optional[node as usize] == Optional::Alone);
        let several = run.elements.len() > 1;
        (alone || several) && run.separators.iter().all(Vec::is_empty)
    })
}

struct Place<'a> {
    language: &'a Language,
    syntax: &'a Syntax,
    slot: &'a Slot,
    kind: KindId,
    /// Whether only a descendant of the same kind may replace the node.
    closed: bool,
    takes_statements: bool,
}

impl<'a> Place<'a> {
    fn of(language: &'a Language, syntax: &'a Syntax, index: u32) -> Option<Self> {
        let node = syntax.node(index);
        if node.parent == NONE || !node.named || node.extra || node.error || syntax.is_leaf(index) {
            return None;
        }
        let slots = language.slots();
        let slot = slots.slot(syntax.node(node.parent).kind, node.field)?;
        let name = slots.name(node.kind);
        let closed = language.knowledge().closed.contains(&name);
        let top = node.parent == 0;
        let takes_statements = !top && language.knowledge().statement_end.is_some() && name != "expression_statement";
        Some(Place { language, syntax, slot, kind: node.kind, closed, takes_statements })
    }

    fn search(&self, node: u32) -> Vec<Candidate> {
        let mut found = Vec::new();
        let mut open = vec![(node, 0)];
        let mut visits = 0;
        while let Some((parent, depth)) = open.pop() {
            for child in self.syntax.children(parent) {
                visits += 1;
                let inner = self.syntax.node(child);
                if visits > VISITS || !inner.named || inner.extra || inner.error || inner.missing {
                    continue;
                }
                match self.fit(child) {
                    Some(as_statement) => found.push(Candidate { node: child, as_statement }),
                    None if depth < DEPTH => open.push((child, depth + 1)),
                    None => {}
                }
            }
        }
        found
    }

    /// `Some(as_statement)` if the node at `index` fits here.
    fn fit(&self, index: u32) -> Option<bool> {
        let kind = self.syntax.node(index).kind;
        if kind == self.kind
            || (!self.is_bound(index) && !self.closed && self.slot.takes(kind) && self.is_related(kind))
        {
            return Some(false);
        }
        (self.takes_statements && self.is_effect(kind) && self.takes_expression_statement()).then_some(true)
    }

    fn is_bound(&self, index: u32) -> bool {
        let node = self.syntax.node(index);
        let (slots, bound) = (self.language.slots(), self.language.knowledge().bound);
        bound.iter().any(|known| match known.split_once('/') {
            None => slots.name(node.kind) == *known,
            Some((parent, field)) => {
                slots.name(self.syntax.node(node.parent).kind) == parent
                    && self.language.grammar().field_name_for_id(node.field) == Some(field)
            }
        })
    }

    /// Returns whether a kind may replace the node's kind. A kind with supertypes replaces only
    /// kinds that share one of them, or that have another supertype for which the place is also
    /// meant: a statement does not replace a function.
    fn is_related(&self, kind: KindId) -> bool {
        let slots = self.language.slots();
        let theirs = slots.supertypes(kind);
        let ours = slots.supertypes(self.kind);
        let expected = |supertypes: &[KindId]| supertypes.iter().any(|&supertype| self.slot.takes(supertype));
        theirs.is_empty()
            || theirs.iter().any(|supertype| ours.contains(supertype))
            || (expected(theirs) && expected(ours))
    }

    /// Returns whether an expression is worth a statement of its own.
    fn is_effect(&self, kind: KindId) -> bool {
        let name = self.language.slots().name(kind);
        ["call_expression", "method_invocation", "assignment_expression", "update_expression"].contains(&name)
    }

    fn takes_expression_statement(&self) -> bool {
        self.slot.takes_named(self.language.slots(), "expression_statement")
    }
}
