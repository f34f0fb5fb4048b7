//! Jumps need their targets.

use super::Clauses;
use lapidary_clang::{Kind, NodeId};
use lapidary_logic::Var;

impl Clauses<'_> {
    pub(super) fn belongs_to_header(&mut self, id: NodeId) {
        let is_break = self.syntax.node(id).kind == Kind::Break;
        let belongs = |outer: &NodeId| {
            let kind = self.syntax.node(*outer).kind;
            kind.is_loop() || (is_break && kind == Kind::Switch)
        };
        let header = self.syntax.ancestors(id).find(belongs).and_then(|outer| self.outline.headers[outer.index()]);
        let premises = self.premises(id);
        header.into_iter().for_each(|header| self.draft.need(&premises, &[header]));
    }

    pub(super) fn label_belongs_to_switch(&mut self, id: NodeId) {
        let switch = self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).kind == Kind::Switch);
        let header = switch.and_then(|switch| self.outline.headers[switch.index()]);
        let premises = self.outline.declared[id.index()].map_or_else(|| self.premises(id), |label| vec![label]);
        header.into_iter().for_each(|header| self.draft.need(&premises, &[header]));
    }

    /// Makes `[[fallthrough]]` need a following label of its switch.
    pub(super) fn falls_through(&mut self, id: NodeId) {
        let text = self.text_of(id);
        let node = self.syntax.node(id);
        if !text.has_before(node.range(), &["fallthrough", "__fallthrough__"]) {
            return;
        }
        let Some(switch) = self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).kind == Kind::Switch) else {
            return;
        };
        let is_label = |other: &NodeId| {
            let other = self.syntax.node(*other);
            matches!(other.kind, Kind::Case | Kind::Default) && other.start >= node.end
        };
        let next = self.syntax.subtree(switch).find(is_label);
        let label = next.and_then(|label| self.outline.declared[label.index()]);
        let premises = self.premises(id);
        let header = self.outline.headers[switch.index()];
        header.into_iter().chain(label).for_each(|item| self.draft.need(&premises, &[item]));
    }

    /// Makes a computed goto need a label whose address is taken.
    pub(super) fn needs_a_label(&mut self, id: NodeId) {
        let names_label =
            |id: NodeId| self.syntax.children(id).any(|child| self.syntax.node(child).kind == Kind::LabelReference);
        let Some(function) = self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).kind.is_function()) else {
            return;
        };
        if names_label(id) {
            return;
        }
        let taken = self
            .syntax
            .subtree(function)
            .filter(|id| self.syntax.node(*id).kind == Kind::OtherExpression && names_label(*id));
        let items: Option<Vec<Var>> = taken.map(|id| self.premises(id).first().copied()).collect();
        let premises = self.premises(id);
        items.into_iter().for_each(|items| self.draft.need(&premises, &items));
    }
}
