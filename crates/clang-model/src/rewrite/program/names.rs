//! The names that a text relies on, and whether they mean the same elsewhere. When text is moved,
//! no other declaration may capture a name in it. Shared by all rewrites that inline.

use super::Program;
use crate::{Layout, apply};
use lapidary_clang::{EntityId, Kind, NodeId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

impl Program<'_> {
    /// Returns how many different things are declared under each name.
    pub fn declared_names(&self) -> HashMap<&str, usize> {
        let mut names = HashMap::new();
        for entity in &self.syntax.entities {
            *names.entry(entity.name.as_str()).or_insert(0) += 1;
        }
        names
    }

    /// Returns the entities that are named inside a node and not declared there.
    pub fn free_entities(&self, id: NodeId) -> HashSet<EntityId> {
        let inside = || self.syntax.subtree(id).map(|id| self.syntax.node(id));
        let declared: HashSet<EntityId> = inside().filter_map(|node| node.declares).collect();
        let is_plain = |kind: Kind| kind == Kind::Name || (kind.is_reference() && kind != Kind::MemberReference);
        let named = inside().filter(|node| is_plain(node.kind)).filter_map(|node| node.refers);
        named.filter(|entity| !declared.contains(entity)).collect()
    }

    /// Returns whether all the entities would be found by their names at a place: no other
    /// declaration in the function around it has the name of one of them.
    pub fn are_visible_at(&self, entities: &HashSet<EntityId>, place: NodeId) -> bool {
        let names: HashSet<&str> = entities.iter().map(|entity| self.name(*entity)).collect();
        let functions = self.syntax.ancestors(place).filter(|id| self.kind(*id).is_function());
        let Some(outermost) = functions.last() else { return true };
        let declared = self.syntax.subtree(outermost).filter(|id| self.kind(*id) != Kind::Function);
        let mut declared = declared.filter_map(|id| self.syntax.node(id).declares);
        !declared.any(|entity| !entities.contains(&entity) && names.contains(self.name(entity)))
    }

    /// Returns whether something declared inside a node has the name of one of the entities.
    pub fn declares_name_of(&self, id: NodeId, entities: &HashSet<EntityId>) -> bool {
        let names: HashSet<&str> = entities.iter().map(|entity| self.name(*entity)).collect();
        let mut declared = self.syntax.subtree(id).filter_map(|id| self.syntax.node(id).declares);
        declared.any(|entity| names.contains(self.name(entity)))
    }

    /// Returns whether a variable is written to, or its address taken, at this use.
    pub fn is_changed_at(&self, usage: NodeId) -> bool {
        let Some(around) = self.context(usage) else { return false };
        let is_first = self.syntax.children(around).next() == Some(self.outermost(usage));
        match self.kind(around) {
            Kind::Unary => matches!(self.sign(around), Some(b"++" | b"--" | b"&")),
            Kind::CompoundAssignment => is_first,
            Kind::Binary => is_first && self.operator(around).is_some_and(|(_, sign)| sign == b"="),
            Kind::Parentheses => self.is_changed_at(around),
            _ => false,
        }
    }

    /// Returns the text of a range with the texts of some nodes inside it replaced.
    pub fn substituted(&self, at: NodeId, range: Range<usize>, texts: &BTreeMap<NodeId, Vec<u8>>) -> Vec<u8> {
        let mut edits: Vec<(Range<usize>, &[u8])> = texts
            .iter()
            .map(|(id, text)| (self.range(*id), text.as_slice()))
            .filter(|(place, _)| range.start <= place.start && place.end <= range.end)
            .map(|(place, text)| (place.start - range.start..place.end - range.start, text))
            .collect();
        edits.sort_by_key(|(place, _)| place.start);
        apply(self.slice(self.file(at), range), edits, Layout::KeepLines)
    }
}
