//! Asks the parser whether an edit leaves a text without new errors.
//!
//! Node types say what may stand in a place, not which keywords go with it; trying one edit of each class on the parse
//! at hand answers for the class. An edit is tried on the smallest part of the text around it that can stand alone, so
//! that a try costs microseconds however large the text is.

use super::syntax::{Syntax, is_blank};
use crate::Language;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use tree_sitter::Parser;

/// How many members of a class are asked, at most: the first two decide if they agree.
const SAMPLES: usize = 3;
/// How many members are looked at to find some in a part that stands alone.
const SOUGHT: usize = 12;
/// In a text of fewer nodes than `SMALL` every member of a class of at most `FEW` is asked.
const SMALL: usize = 1 << 15;
const FEW: usize = 24;
/// Up to this size the whole text is the part.
const WHOLE: usize = 3 << 10;
/// Larger parts are not parsed again.
const LARGEST: usize = 1 << 15;

/// One text replaced by another.
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) with: Vec<u8>,
}

pub(crate) struct Probe<'a> {
    parser: Parser,
    syntax: &'a Syntax,
    text: &'a [u8],
    /// For each node the innermost node around it, or itself, that can stand at the top of a file.
    parts: Vec<u32>,
    /// Whether a part, taken alone, has no errors.
    sound: HashMap<u32, bool>,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(language: &Language, syntax: &'a Syntax, text: &'a [u8]) -> Option<Self> {
        let parts = parts(language, syntax, text);
        Some(Probe { parser: language.parser()?, syntax, text, parts, sound: HashMap::new() })
    }

    /// For each member the first of its possible edits that the parser accepts, or that it accepts for most of the
    /// members of its class that were asked. In a class of few members each is asked. A class none of whose members
    /// is in a part that stands alone gets no edit.
    pub(crate) fn settle<K: Hash + Eq + Copy>(
        &mut self,
        members: impl Iterator<Item = (K, u32)>,
        node_of: impl Fn(u32) -> u32,
        edits: impl Fn(u32) -> Vec<Option<Edit>>,
    ) -> HashMap<u32, usize> {
        let mut classes: HashMap<K, Vec<u32>> = HashMap::new();
        for (class, member) in members {
            classes.entry(class).or_default().push(member);
        }
        let few = if self.syntax.nodes.len() < SMALL { FEW } else { 0 };
        let mut settled = HashMap::new();
        for mut members in classes.into_values() {
            members.sort_by_cached_key(|&member| (self.part_len(node_of(member)), member));
            let asked = self.asked(&members, &node_of);
            let common = self.choose(&asked, &node_of, &edits);
            for &member in &members {
                let own = members.len() <= few && self.is_sound(node_of(member));
                let option = if own { self.choose(&[member], &node_of, &edits) } else { common };
                settled.extend(option.map(|option| (member, option)));
            }
        }
        settled
    }

    /// The members to ask: those in the smallest sound parts.
    fn asked(&mut self, members: &[u32], node_of: &impl Fn(u32) -> u32) -> Vec<u32> {
        let mut asked = Vec::new();
        for &member in members.iter().take(SOUGHT) {
            if asked.len() < SAMPLES && self.is_sound(node_of(member)) {
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

    /// Whether the part around the node, edited, has no errors.
    fn accepts(&mut self, node: u32, edit: &Edit) -> bool {
        let part = self.part(node);
        let (before, after) = (part.start.min(edit.range.start), part.end.max(edit.range.end));
        let edited = [&self.text[before..edit.range.start], &edit.with, &self.text[edit.range.end..after]].concat();
        let at_top = self.syntax.node(node).parent == 0;
        (at_top || !is_blank(&edited)) && self.is_free_of_errors(&edited)
    }

    fn is_sound(&mut self, node: u32) -> bool {
        let part = self.part(node);
        if part.len() > LARGEST {
            return false;
        }
        let key = self.part_node(node);
        if let Some(&known) = self.sound.get(&key) {
            return known;
        }
        let text = self.text;
        let sound = self.is_free_of_errors(&text[part]);
        self.sound.insert(key, sound);
        sound
    }

    fn is_free_of_errors(&mut self, text: &[u8]) -> bool {
        self.parser.parse(text, None).is_some_and(|tree| !tree.root_node().has_error())
    }

    /// A node at the top of the file is a part of its own; any other belongs to the part its parent is in.
    fn part_node(&self, node: u32) -> u32 {
        let parent = self.syntax.node(node).parent;
        if parent == 0 && self.text.len() > WHOLE { node } else { self.parts[parent as usize] }
    }

    fn part(&self, node: u32) -> Range<usize> {
        match self.part_node(node) {
            0 => 0..self.text.len(),
            part => self.syntax.node(part).range(),
        }
    }

    fn part_len(&self, node: u32) -> usize {
        self.part(node).len()
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
