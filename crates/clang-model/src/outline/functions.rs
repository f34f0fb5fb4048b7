//! Functions: the whole, and the body without which it is a mere declaration.

use super::Walk;
use crate::draft::When;
use lapidary_clang::{Kind, NodeId, Token, TypeClass};
use lapidary_logic::Var;
use std::ops::Range;

impl Walk<'_> {
    /// `alone`: no other declarator shares its declaration.
    pub(super) fn function(&mut self, id: NodeId, outer: Option<Var>, alone: bool) {
        let node = self.syntax.node(id);
        let body = self.syntax.children(id).filter(|child| self.syntax.node(*child).kind == Kind::Compound).last();
        let whole = self.function_range(id, body).filter(|_| alone);
        let outer = whole.map(|range| {
            let (var, is_new) = self.whole(id, range.clone(), "function", outer);
            if is_new {
                self.draft.patch(var, node.file, range, "");
            }
            self.outline.declared[id.index()] = Some(var);
            var
        });
        if let Some(body) = body {
            self.function_body(id, body, outer);
        }
    }

    fn function_range(&self, id: NodeId, body: Option<NodeId>) -> Option<Range<usize>> {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let end = match body {
            Some(_) => node.end as usize,
            None => text.past_semicolon(node.end as usize)?,
        };
        let range = text.with_comments(text.with_extension(node.start as usize)..end);
        text.is_balanced(&range).then_some(range)
    }

    fn function_body(&mut self, id: NodeId, body: NodeId, outer: Option<Var>) {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let block = self.syntax.node(body).range();
        let colon = self.initialisers_start(id, block.start);
        let range = colon.clone().map_or(block.start, |colon| colon.start)..block.end;
        let is_plain = !self.syntax.node(body).in_macro && text.is_balanced(&range) && block.end == node.end as usize;
        let inner = is_plain.then(|| {
            let name = super::label(self.syntax, id);
            let (var, is_new) =
                self.draft.item(node.file, range.clone(), "function body", outer, || format!("{name} {{}}"));
            if is_new {
                self.draft.patch(var, node.file, range, ";");
            }
            self.outline.bodies[id.index()] = Some(var);
            var
        });
        if let Some(colon) = colon {
            self.member_initialisers(id, colon, block.start, inner.or(outer));
        }
        self.block(body, inner.or(outer));
        self.need_a_return(id, body, inner);
    }

    /// The colon before the member initialisers of a constructor.
    fn initialisers_start(&self, id: NodeId, block: usize) -> Option<Range<usize>> {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let is_constructor = matches!(node.kind, Kind::Constructor | Kind::FunctionTemplate);
        let mut depth = 0;
        for token in text.within(node.location as usize..block).iter().filter(|_| is_constructor) {
            depth += nesting(text.slice(token.range.clone()));
            if depth == 0 && text.is(token, ":") {
                return Some(token.range.clone());
            }
        }
        None
    }

    fn member_initialisers(&mut self, id: NodeId, colon: Range<usize>, block: usize, outer: Option<Var>) {
        let text = self.text(id);
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut depth = 0;
        let mut starts = true;
        for Token { range, .. } in text.within(colon.end..block) {
            depth += nesting(text.slice(range.clone()));
            match (depth, text.slice(range.clone())) {
                (0, b",") => starts = true,
                _ if starts => {
                    ranges.push(range.clone());
                    starts = false;
                }
                _ => ranges.last_mut().into_iter().for_each(|last| last.end = range.end),
            }
        }
        let file = self.syntax.node(id).file;
        if let Some(items) = self.comma_list(file, &ranges, "member initialiser", outer) {
            self.draft.patch_when(When::AllAbsent(items), file, colon, "");
        }
    }

    /// A function that gives a value has to return one.
    fn need_a_return(&mut self, id: NodeId, body: NodeId, inner: Option<Var>) {
        let result =
            self.syntax.type_of(id).and_then(|found| found.inner).map(|inner| self.syntax.get_type(inner).class);
        let is_main = super::label(self.syntax, id) == "main";
        if is_main || result.is_none_or(|class| matches!(class, TypeClass::Void | TypeClass::Other)) {
            return;
        }
        let returns: Vec<NodeId> = self.returns(body);
        let items: Option<Vec<Var>> = returns.iter().map(|id| self.outline.declared[id.index()]).collect();
        if let (Some(items), Some(inner)) = (items, inner) {
            self.draft.need(&[inner], &items);
        }
    }

    fn returns(&self, body: NodeId) -> Vec<NodeId> {
        let is_own = |id: &NodeId| {
            let around = self.syntax.ancestors(*id).take_while(|outer| *outer != body);
            around.into_iter().all(|outer| self.syntax.node(outer).kind != Kind::Lambda)
        };
        self.syntax.subtree(body).filter(|id| self.syntax.node(*id).kind == Kind::Return).filter(is_own).collect()
    }
}

fn nesting(token: &[u8]) -> i32 {
    match token {
        b"(" | b"{" | b"[" => 1,
        b")" | b"}" | b"]" => -1,
        _ => 0,
    }
}
