//! Probing: asks the parser whether an edit leaves a text without more errors than it had.
//!
//! Node types state which nodes fit in a place, but not which keywords go with them. Trying one
//! edit of each class on the actual text answers for the class. An edit is tried on an *excerpt*:
//! the smallest part of the text around it that can stand alone, without the neighbours of the
//! nodes around the edit. A trial thus costs microseconds however large the text is, and the bytes
//! parsed for all trials together are limited.

use super::shape::Shape;
use super::syntax::{Syntax, is_blank};
use crate::Language;
use crate::parsing::{Asked, Parser};
use std::collections::HashMap;
use std::ops::Range;

/// The largest number of members of a class to probe; the first two decide if they agree.
const SAMPLES: usize = 3;
/// The number of members to examine in order to find some in an excerpt that stands alone.
const SOUGHT: usize = 12;
/// In a text of fewer nodes than `SMALL`, every member of a class of at most `FEW` is probed.
const SMALL: usize = 1 << 15;
const FEW: usize = 24;
/// The largest text that is treated as one part.
const WHOLE: usize = 3 << 10;
/// The largest part that keeps its neighbours. In some grammars, lists that only look like lists
/// are common.
const UNCUT: usize = 1 << 11;
/// The largest excerpt to parse.
const LARGEST: usize = 1 << 12;
/// The number of bytes that may be parsed for each byte of the text. `LEAST` and `MOST` bound the
/// total.
const PER_BYTE: usize = 16;
const LEAST: usize = 1 << 21;
const MOST: usize = 1 << 22;

/// The replacement of one range by another text.
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) with: Vec<u8>,
}

/// Whether an excerpt omits the neighbours of the nodes around an edit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cut {
    Yes,
    No,
}

pub(crate) struct Probe<'a> {
    parser: Parser,
    syntax: &'a Syntax,
    shape: &'a Shape,
    text: &'a [u8],
    /// For each node, the innermost node at or around it that can stand at the top of a file.
    parts: Vec<u32>,
    /// Whether the text itself has errors. If it has none, excerpts with errors prove nothing.
    broken: bool,
    /// The number of errors of an excerpt, by the node it is cut for, or by the part if it is not
    /// cut.
    errors: HashMap<(u32, Cut), usize>,
    /// The number of bytes that may still be parsed.
    budget: usize,
    /// The part of the budget that is reserved for classes; below it, members are not probed
    /// individually.
    reserve: usize,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(language: &Language, syntax: &'a Syntax, shape: &'a Shape, text: &'a [u8]) -> Option<Self> {
        let parts = parts(language, syntax, text);
        let budget = (text.len() * PER_BYTE).clamp(LEAST, MOST);
        Some(Probe {
            parser: language.parser()?,
            syntax,
            shape,
            text,
            parts,
            broken: syntax.nodes.iter().any(|node| node.error || node.missing),
            errors: HashMap::new(),
            budget,
            reserve: budget / 2,
        })
    }

    /// For each member, the first of its possible edits that the parser accepts, or that it accepts
    /// for most of the probed members of its class. In a class of few members, each is probed while
    /// the budget lasts. A class without any member in an excerpt that stands alone gets no edit.
    /// When the budget is used up, a sole possible edit counts as accepted, because the node types
    /// allow it.
    pub(crate) fn settle<K: Ord + Copy>(
        &mut self,
        members: impl Iterator<Item = (K, u32)>,
        node_of: impl Fn(u32) -> u32,
        edits: impl Fn(u32) -> Vec<Option<Edit>>,
    ) -> HashMap<u32, usize> {
        let mut members: Vec<(K, usize, u32)> =
            members.map(|(class, member)| (class, self.syntax.node(node_of(member)).len(), member)).collect();
        members.sort_unstable();
        let classes: Vec<Vec<u32>> = members
            .chunk_by(|one, other| one.0 == other.0)
            .map(|class| class.iter().map(|&(.., member)| member).collect())
            .collect();
        let few = if self.syntax.nodes.len() < SMALL { FEW } else { 0 };
        let mut settled = HashMap::new();
        for members in &classes {
            let common = if self.budget == 0 {
                (edits(members[0]).len() == 1).then_some(0)
            } else {
                let asked = self.asked(members, &node_of);
                self.choose(&asked, &node_of, &edits)
            };
            settled.extend(common.into_iter().flat_map(|option| members.iter().map(move |&member| (member, option))));
        }
        for &member in classes.iter().filter(|members| (2..=few).contains(&members.len())).flatten() {
            if self.budget > self.reserve && self.excerpt_of(node_of(member)).is_some() {
                match self.choose(&[member], &node_of, &edits) {
                    Some(option) => settled.insert(member, option),
                    None => settled.remove(&member),
                };
            }
        }
        settled
    }

    /// The members to probe: the smallest ones that are in excerpts.
    fn asked(&mut self, members: &[u32], node_of: &impl Fn(u32) -> u32) -> Vec<u32> {
        let mut asked = Vec::new();
        for &member in members.iter().take(SOUGHT) {
            if asked.len() < SAMPLES && self.excerpt_of(node_of(member)).is_some() {
                asked.push(member);
            }
        }
        asked
    }

    fn choose(
        &mut self,
        asked: &[u32],
        node_of: &impl Fn(u32) -> u32,
        edits: &impl Fn(u32) -> Vec<Option<Edit>>,
    ) -> Option<usize> {
        let mut samples: Vec<_> = asked.iter().map(|&member| (node_of(member), edits(member))).collect();
        let options = samples.iter().map(|(_, edits)| edits.len()).min()?;
        (0..options).find(|&option| {
            let (mut yes, mut no) = (0, 0);
            for (node, edits) in &mut samples {
                if let Some(edit) = edits[option].take()
                    && yes < 2
                    && no < 2
                {
                    if self.accepts(*node, &edit) { yes += 1 } else { no += 1 }
                }
            }
            yes > no
        })
    }

    /// Returns whether the excerpt around the node has no more errors after the edit than before.
    fn accepts(&mut self, node: u32, edit: &Edit) -> bool {
        let Some((excerpt, errors)) = self.excerpt_of(node) else { return false };
        let before = excerpt.iter().map(|piece| piece.start..piece.end.min(edit.range.start));
        let after = excerpt.iter().map(|piece| piece.start.max(edit.range.end)..piece.end);
        let edited = [self.written(before), edit.with.clone(), self.written(after)].concat();
        let at_top = self.syntax.node(node).parent == 0;
        (at_top || !is_blank(&edited)) && self.count_errors(&edited) <= errors
    }

    fn written(&self, pieces: impl Iterator<Item = Range<usize>>) -> Vec<u8> {
        pieces.filter(|piece| !piece.is_empty()).flat_map(|piece| &self.text[piece]).copied().collect()
    }

    /// The excerpt around the node with the fewest errors, and their number: small parts as they
    /// are, larger ones cut.
    fn excerpt_of(&mut self, node: u32) -> Option<(Vec<Range<usize>>, usize)> {
        let part = self.part_node(node);
        let whole = if part == 0 { 0..self.text.len() } else { self.syntax.node(part).range() };
        let order = if whole.len() <= UNCUT { [Cut::No, Cut::Yes] } else { [Cut::Yes, Cut::No] };
        let mut best: Option<(Vec<Range<usize>>, usize)> = None;
        for cut in order {
            let (key, excerpt) = match cut {
                Cut::No => (part, vec![whole.clone()]),
                Cut::Yes => (node, self.excerpt(node)),
            };
            let errors = self.errors_in((key, cut), &excerpt);
            let Some(errors) = errors.filter(|&errors| errors == 0 || self.broken) else { continue };
            if best.as_ref().is_none_or(|(_, fewest)| errors < *fewest) {
                best = Some((excerpt, errors));
            }
            if errors == 0 {
                break;
            }
        }
        best
    }

    /// The number of errors of an excerpt; `None` if it is too long to be parsed.
    fn errors_in(&mut self, key: (u32, Cut), excerpt: &[Range<usize>]) -> Option<usize> {
        if let Some(&known) = self.errors.get(&key) {
            return Some(known);
        }
        let text = self.written(excerpt.iter().cloned());
        if text.len() > LARGEST {
            return None;
        }
        let errors = self.count_errors(&text);
        self.errors.insert(key, errors);
        Some(errors)
    }

    fn count_errors(&mut self, text: &[u8]) -> usize {
        self.budget = self.budget.saturating_sub(text.len());
        self.parser.parse(text, Asked::Nodes).map_or(usize::MAX, |parsed| parsed.errors as usize)
    }

    /// The ranges of text in which edits of a node are tried: the part that contains it, without
    /// the neighbours of the nodes around it. Of the node's own neighbours, the nearest stay.
    fn excerpt(&self, node: u32) -> Vec<Range<usize>> {
        let part = self.part_node(node);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut inner = node;
        while inner != part {
            let list = self.list(inner, usize::MAX);
            inner = self.syntax.node(inner).parent;
            let outer = if inner == 0 { 0..self.text.len() } else { self.syntax.node(inner).range() };
            before.push(outer.start..list.start);
            after.push(list.end..outer.end);
        }
        let core = if node == part { self.syntax.node(node).range() } else { self.list(node, 1) };
        before.into_iter().rev().chain([core]).chain(after).collect()
    }

    /// The range from the element `distance` places before the node in its list to the one as many
    /// places behind.
    fn list(&self, node: u32, distance: usize) -> Range<usize> {
        let Some(run) = self.shape.run(node) else { return self.syntax.node(node).range() };
        let position = run.elements.binary_search(&node).unwrap_or(0);
        let last = position.saturating_add(distance).min(run.elements.len() - 1);
        let first = run.elements[position.saturating_sub(distance)];
        self.syntax.node(first).range().start..self.syntax.node(run.elements[last]).range().end
    }

    /// The part of a node. A node at the top of the file is a part of its own; any other belongs to
    /// the part of its parent.
    fn part_node(&self, node: u32) -> u32 {
        let parent = self.syntax.node(node).parent;
        if parent == 0 && self.text.len() > WHOLE { node } else { self.parts[parent as usize] }
    }
}

fn parts(language: &Language, syntax: &Syntax, text: &[u8]) -> Vec<u32> {
    let indented = language.knowledge().indented;
    let top = language.slots().slot(syntax.node(0).kind, 0);
    let mut parts = vec![0; syntax.nodes.len()];
    if text.len() <= WHOLE {
        return parts;
    }
    for (index, node) in syntax.nodes.iter().enumerate().skip(1) {
        let at_margin = !indented || node.start == 0 || text[node.start as usize - 1] == b'\n';
        let stands_alone = node.named && !node.error && top.is_some_and(|slot| slot.takes(node.kind)) && at_margin;
        parts[index] = if node.parent == 0 || stands_alone { index as u32 } else { parts[node.parent as usize] };
    }
    parts
}
