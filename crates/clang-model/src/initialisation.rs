//! Clauses for tests that treat the use of an uninitialised variable as an error: variables get a
//! value before they are read.
//!
//! A read of a local variable needs something before it that definitely assigns a value: an
//! initialiser, an assignment, a call that gets the variable's address, or both branches of an
//! `if`. This is the definite assignment of the Java specification, chapter 16, with items in place
//! of truth values: instead of "assigned", the answer is "assigned as long as one of these items is
//! kept". C compilers are more lenient, so a read without any definite assignment before it needs
//! only an assignment anywhere.

mod returns;
mod switches;
mod uses;

pub(crate) use returns::returns;

use crate::draft::Draft;
use crate::presence::Presence;
use crate::program::Program;
use crate::source_text::SourceText;
use lapidary_clang::{EntityId, Kind, NodeId, Syntax};
use lapidary_logic::Var;
use std::collections::HashMap;
use std::ops::Range;
use uses::{Giver, Local, locals};

/// Adds the clauses of all units.
pub(crate) fn initialisation(program: &Program, draft: &mut Draft, presence: &Presence) {
    for unit in &program.units {
        let (syntax, texts) = (&unit.syntax, &program.texts[..]);
        for local in locals(syntax, texts) {
            for part in local.parts() {
                let givers = local.givers_of(part).collect();
                let mut flow = Flow { syntax, texts, draft, presence, givers, known: HashMap::new() };
                flow.clauses(&local, part);
            }
        }
    }
}

/// Whether a value is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sure {
    Never,
    /// Assigned as long as one of these is kept.
    If(Vec<Var>),
    Always,
}

/// The number of assignments to consider. A read needs only one of them, and generated code can
/// have thousands.
const ENOUGH: usize = 32;

impl Sure {
    fn or(self, other: Sure) -> Sure {
        match (self, other) {
            (Sure::Always, _) | (_, Sure::Always) => Sure::Always,
            (Sure::Never, other) | (other, Sure::Never) => other,
            (Sure::If(mut items), Sure::If(others)) => {
                items.extend(others);
                items.truncate(ENOUGH);
                Sure::If(items)
            }
        }
    }

    fn or_else(self, other: impl FnOnce() -> Sure) -> Sure {
        if self == Sure::Never { other() } else { self }
    }
}

/// The paths through one function with respect to one variable.
struct Flow<'a> {
    syntax: &'a Syntax,
    texts: &'a [SourceText],
    draft: &'a mut Draft,
    presence: &'a Presence,
    /// The assignments in source order.
    givers: Vec<Giver>,
    known: HashMap<NodeId, Sure>,
}

impl Flow<'_> {
    fn clauses(&mut self, local: &Local, part: Option<EntityId>) {
        let mut anywhere = None;
        for read in local.reads.iter().filter(|read| read.part == part) {
            let sure = self.before(read.at, local.home);
            let sure = sure.or_else(|| anywhere.get_or_insert_with(|| self.any_giver(&local.givers)).clone());
            if let Sure::If(items) = sure {
                let node = self.syntax.node(read.at);
                let premises = self.presence.at(self.draft, node.file, &node.range());
                self.draft.need(&premises, &items);
            }
        }
        let assignments = self.givers.iter().filter(|giver| giver.part == part && giver.is_assignment);
        assignments.cloned().collect::<Vec<_>>().iter().for_each(|giver| self.without_right_side(giver, local.home));
    }

    /// Adds clauses for an assignment of which only the left side stays, which then reads the
    /// variable.
    fn without_right_side(&mut self, giver: &Giver, home: NodeId) {
        let node = self.syntax.node(giver.at);
        let premises = self.presence.at(self.draft, node.file, &node.range());
        if premises == self.presence.at(self.draft, node.file, &giver.text) {
            return;
        }
        if let Sure::If(items) = self.given_by(giver.at).or(self.before(giver.at, home)) {
            self.draft.need(&premises, &items);
        }
    }

    /// Returns whether a value is assigned on every path from the start of `home` to a node in it.
    fn before(&mut self, id: NodeId, home: NodeId) -> Sure {
        let mut sure = Sure::Never;
        let mut inner = id;
        for outer in self.syntax.ancestors(id).take_while(|outer| self.syntax.contains(home, *outer)) {
            for earlier in self.run_before(outer, inner) {
                sure = sure.or(self.inside(earlier));
            }
            inner = outer;
        }
        sure
    }

    /// Returns the parts of a node that have run when one of its children begins, and that assign
    /// values.
    fn run_before(&self, outer: NodeId, inner: NodeId) -> Vec<NodeId> {
        let kind = self.syntax.node(outer).kind;
        if kind == Kind::Binary && self.operator(outer) == b"=" {
            return self.syntax.children(outer).skip_while(|child| *child <= inner).collect();
        }
        // A `try` block may be left before it has assigned anything.
        if kind == Kind::Try {
            return Vec::new();
        }
        let mut earlier = self.giving_children(outer, inner);
        if matches!(kind, Kind::If | Kind::Conditional) {
            let children: Vec<NodeId> = self.syntax.children(outer).collect();
            earlier.retain(|child| children[..self.condition(&children)].contains(child));
        } else if kind == Kind::Compound && self.is_in_switch(outer) && !earlier.is_empty() {
            let children = self.syntax.children(outer).take_while(|child| *child <= inner);
            let label = children.filter(|child| self.is_case(*child)).last();
            earlier.retain(|child| Some(*child) >= label);
        }
        earlier
    }

    /// Returns the children of a node that precede `inner` and contain assignments, nearest first.
    fn giving_children(&self, outer: NodeId, inner: NodeId) -> Vec<NodeId> {
        let end = self.givers.partition_point(|giver| giver.at < inner);
        let nearest = self.givers[..end].iter().rev().take(ENOUGH).take_while(|giver| giver.at > outer);
        let with_ancestors = |at: NodeId| std::iter::once(at).chain(self.syntax.ancestors(at));
        let is_child = |id: &NodeId| self.syntax.node(*id).parent == Some(outer);
        let mut found: Vec<NodeId> = nearest.filter_map(|giver| with_ancestors(giver.at).find(is_child)).collect();
        found.dedup();
        found
    }

    /// Returns whether a value is assigned once a node has run to its end.
    fn inside(&mut self, id: NodeId) -> Sure {
        if !self.gives_inside(id) {
            return Sure::Never;
        }
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let own = self.given_by(id);
        let parts = self.of_parts(id);
        let sure = own.or(parts);
        self.known.insert(id, sure.clone());
        sure
    }

    fn of_parts(&mut self, id: NodeId) -> Sure {
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        let (Some(first), Some(last)) = (children.first(), children.last()) else { return Sure::Never };
        match self.syntax.node(id).kind {
            Kind::Lambda | Kind::TypeTrait => Sure::Never,
            Kind::If | Kind::Conditional => self.branches(&children),
            Kind::Try => self.handlers(*first, &children[1..]),
            Kind::While | Kind::For | Kind::RangeFor => self.any_of(&children[..children.len() - 1]),
            Kind::Switch => self.inside(*first).or_else(|| self.arms(*last)),
            Kind::Binary if matches!(self.operator(id), b"&&" | b"||") => self.inside(*first),
            _ => self.any_of(&children),
        }
    }

    fn any_of(&mut self, nodes: &[NodeId]) -> Sure {
        nodes.iter().fold(Sure::Never, |sure, node| sure.or(self.inside(*node)))
    }

    /// Requires an assignment in both branches, unless the condition makes one. A branch that does
    /// not reach its end needs none.
    fn branches(&mut self, children: &[NodeId]) -> Sure {
        let (condition, branches) = children.split_at(self.condition(children));
        let condition = self.any_of(condition);
        let [then, otherwise] = branches else { return condition };
        let both = [*then, *otherwise].map(|branch| self.inside(branch).or_else(|| self.leaves(branch)));
        condition.or(self.both(both))
    }

    /// Requires an assignment in the block of a `try` and in each handler, since the block may be
    /// left at any time. One that does not reach its end needs none.
    fn handlers(&mut self, block: NodeId, handlers: &[NodeId]) -> Sure {
        let block = self.inside(block).or_else(|| self.leaves(block));
        handlers.iter().fold(block, |sure, handler| {
            let body = self.syntax.children(*handler).last();
            let given = body.map_or(Sure::Never, |body| self.inside(body).or_else(|| self.leaves(body)));
            self.both([sure, given])
        })
    }

    fn both(&mut self, sides: [Sure; 2]) -> Sure {
        match sides {
            [Sure::Never, _] | [_, Sure::Never] => Sure::Never,
            [Sure::Always, other] | [other, Sure::Always] => other,
            [Sure::If(first), Sure::If(second)] => {
                let both = self.draft.auxiliary();
                self.draft.need(&[both], &first);
                self.draft.need(&[both], &second);
                Sure::If(vec![both])
            }
        }
    }

    /// Returns whether a branch jumps away, so that the code after it is not reached.
    fn leaves(&mut self, id: NodeId) -> Sure {
        match self.syntax.node(id).kind {
            Kind::Return | Kind::Break | Kind::Continue | Kind::Goto | Kind::Throw => {
                self.as_long_as(id, self.syntax.node(id).range())
            }
            Kind::Compound => self.syntax.children(id).last().map_or(Sure::Never, |last| self.leaves(last)),
            _ => Sure::Never,
        }
    }

    fn given_by(&mut self, id: NodeId) -> Sure {
        let giver = self.givers.binary_search_by_key(&id, |giver| giver.at).ok();
        giver.map_or(Sure::Never, |index| self.as_long_as(id, self.givers[index].text.clone()))
    }

    fn any_giver(&mut self, givers: &[Giver]) -> Sure {
        let some = givers.iter().take(ENOUGH);
        some.fold(Sure::Never, |sure, giver| sure.or(self.as_long_as(giver.at, giver.text.clone())))
    }

    /// Returns whether a part of the text is kept, in the file of a node.
    fn as_long_as(&mut self, id: NodeId, text: Range<usize>) -> Sure {
        match &self.presence.at(self.draft, self.syntax.node(id).file, &text)[..] {
            [] => Sure::Always,
            [only] => Sure::If(vec![*only]),
            several => {
                let all = self.draft.auxiliary();
                several.iter().for_each(|item| self.draft.need(&[all], &[*item]));
                Sure::If(vec![all])
            }
        }
    }

    fn givers_in(&self, id: NodeId) -> Vec<Giver> {
        self.givers.iter().filter(|giver| self.syntax.contains(id, giver.at)).cloned().collect()
    }

    fn gives_inside(&self, id: NodeId) -> bool {
        let first = self.givers.partition_point(|giver| giver.at < id);
        self.givers.get(first).is_some_and(|giver| self.syntax.contains(id, giver.at))
    }

    /// Returns how many children of a branch run before it branches. A declaration may precede the
    /// condition.
    fn condition(&self, children: &[NodeId]) -> usize {
        let declares = |id: &NodeId| matches!(self.syntax.node(*id).kind, Kind::DeclarationStatement | Kind::Variable);
        children.iter().take_while(|child| declares(child)).count().min(children.len().saturating_sub(2)) + 1
    }

    fn is_case(&self, id: NodeId) -> bool {
        matches!(self.syntax.node(id).kind, Kind::Case | Kind::Default)
    }

    fn is_in_switch(&self, id: NodeId) -> bool {
        self.syntax.node(id).parent.is_some_and(|outer| self.syntax.node(outer).kind == Kind::Switch)
    }

    fn operator(&self, id: NodeId) -> &[u8] {
        uses::operator(self.syntax, self.texts, id).map_or(b"", |(_, sign)| sign)
    }
}
