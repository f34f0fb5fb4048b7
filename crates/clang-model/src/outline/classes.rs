//! Classes and enumerations.

use super::{Walk, is_definition};
use crate::draft::When;
use lapidary_clang::{Kind, Mark, NodeId, Token};
use lapidary_logic::Var;
use std::ops::Range;

impl Walk<'_> {
    /// Visits a class. Without its body, a definition becomes a declaration.
    pub(super) fn class(&mut self, id: NodeId, outer: Option<Var>) {
        if !is_definition(self.syntax, id) {
            return;
        }
        let body = self.class_body(id).filter(|_| self.is_named(id) && !self.syntax.node(id).is(Mark::Anonymous));
        let inner = body.map(|range| {
            let name = super::label(self.syntax, id);
            let file = self.syntax.node(id).file;
            let (var, is_new) = self.draft.item(file, range.clone(), "class body", outer, || format!("{name} {{}}"));
            if is_new {
                self.draft.patch(var, file, range, "");
            }
            self.outline.bodies[id.index()] = Some(var);
            var
        });
        self.bases(id, inner.or(outer));
        self.declarations(self.syntax.children(id).collect(), inner.or(outer));
    }

    /// Returns whether a name follows the keyword.
    pub(super) fn is_named(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let name = node.declares.map(|entity| self.syntax.entity(entity).name.as_bytes()).unwrap_or_default();
        let start = node.location as usize;
        !name.is_empty() && self.text(id).text.get(start..start + name.len()).is_some_and(|text| text == name)
    }

    /// Returns the range from the text after the name to the closing brace. Attributes after the
    /// brace are valid only for a class that is defined.
    fn class_body(&self, id: NodeId) -> Option<Range<usize>> {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let starts = |token: &&Token| ["final", ":", "{"].iter().any(|start| text.is(token, start));
        let start = text.within(node.location as usize..node.end as usize).iter().find(starts)?.range.start;
        let is_closed = text.slice(start..node.end as usize).ends_with(b"}");
        let end = text.past_attributes(node.end as usize);
        let end = if text.is_followed_by(end, ";") { end } else { node.end as usize };
        (is_closed && text.is_balanced(&(start..end))).then_some(start..end)
    }

    fn bases(&mut self, id: NodeId, outer: Option<Var>) {
        let is_base = |id: &NodeId| self.syntax.node(*id).kind == Kind::BaseSpecifier;
        let bases: Vec<NodeId> = self.syntax.children(id).filter(is_base).collect();
        let ranges: Vec<Range<usize>> = bases.iter().map(|id| self.syntax.node(*id).range()).collect();
        let file = self.syntax.node(id).file;
        let Some(items) = self.comma_list(file, &ranges, "base class", outer) else { return };
        bases.iter().zip(&items).for_each(|(id, item)| self.outline.declared[id.index()] = Some(*item));
        let text = self.text(id);
        if let Some(colon) = text.before(ranges[0].start).filter(|token| text.is(token, ":")) {
            self.draft.patch_when(When::AllAbsent(items), file, colon.range.clone(), "");
        }
    }

    pub(super) fn enumeration(&mut self, id: NodeId, outer: Option<Var>) {
        let is_constant = |id: &NodeId| self.syntax.node(*id).kind == Kind::EnumConstant;
        let constants: Vec<NodeId> = self.syntax.children(id).filter(is_constant).collect();
        if constants.iter().any(|id| self.syntax.node(*id).in_macro) {
            return;
        }
        let ranges: Vec<Range<usize>> = constants.iter().map(|id| self.syntax.node(*id).range()).collect();
        let Some(items) = self.comma_list(self.syntax.node(id).file, &ranges, "enumerator", outer) else { return };
        constants.iter().zip(&items).for_each(|(id, item)| self.outline.declared[id.index()] = Some(*item));
        self.draft.need(outer.as_slice(), &items);
    }
}
