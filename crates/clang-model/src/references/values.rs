//! Values of classes that are written or bound member by member.

use super::Clauses;
use crate::parameters::initialisers::{Reading, reading};
use lapidary_clang::{Kind, NodeId};
use lapidary_logic::Var;

impl Clauses<'_> {
    /// Makes a list whose values cannot be matched to members need all members.
    pub(super) fn initialiser_list(&mut self, id: NodeId) {
        if let Reading::Closed(class) = reading(self.syntax, self.text_of(id), id) {
            let premises = self.premises(id);
            self.needs_members(&premises, class, 0);
        }
    }

    /// Makes `auto [a, b] = …` need all members, since it has a name for each.
    pub(super) fn binding(&mut self, id: NodeId) {
        let is_binding = |child: NodeId| {
            self.syntax.node(child).kind == Kind::OtherDeclaration && self.syntax.node(child).declares.is_some()
        };
        let record = self.syntax.node(id).of_type.and_then(|of_type| self.pointed_record(of_type));
        let class = record.and_then(|record| self.syntax.definition(record));
        let is_open = self.syntax.node(id).kind == Kind::OtherDeclaration;
        if let Some(class) = class.filter(|_| is_open && self.syntax.children(id).any(is_binding)) {
            let premises = self.premises(id);
            self.needs_members(&premises, class, 0);
        }
    }

    /// Requires all fields and bases of a class, and of the classes it contains.
    pub(super) fn needs_members(&mut self, premises: &[Var], class: NodeId, depth: usize) {
        const DEEPEST: usize = 8;
        let is_part = |id: &NodeId| {
            let kind = self.syntax.node(*id).kind;
            matches!(kind, Kind::Field | Kind::BaseSpecifier) || kind.is_class()
        };
        let parts: Vec<NodeId> = self.syntax.children(class).filter(is_part).collect();
        for part in parts {
            self.item_of(part).into_iter().for_each(|item| self.draft.need(premises, &[item]));
            let record = self.syntax.node(part).of_type.and_then(|of_type| self.record(of_type));
            let inner = record.and_then(|record| self.syntax.definition(record));
            if let Some(inner) = inner.filter(|inner| depth < DEEPEST && *inner != class) {
                self.needs_members(premises, inner, depth + 1);
            }
        }
    }
}
