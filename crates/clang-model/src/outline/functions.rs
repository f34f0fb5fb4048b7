//! Functions, and their bodies, without which they become declarations.

use super::Walk;
use crate::draft::When;
use lapidary_clang::{Kind, NodeId, Token, TypeClass};
use lapidary_logic::Var;
use std::ops::Range;

impl Walk<'_> {
    /// Visits a function. `alone` says that no other declarator shares its declaration.
    pub(super) fn function(&mut self, id: NodeId, outer: Option<Var>, alone: bool) {
        let node = self.syntax.node(id);
        let body = self.syntax.children(id).filter(|child| self.is_block(*child)).last();
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

    /// Returns whether a body is written. A defaulted function has one that does not start with a
    /// brace.
    fn is_block(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let start = self.text(id).slice(node.range());
        node.kind == Kind::Compound && (node.in_macro || start.starts_with(b"{") || start.starts_with(b"<%"))
    }

    fn function_range(&self, id: NodeId, body: Option<NodeId>) -> Option<Range<usize>> {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let end = match body {
            Some(_) => node.end as usize,
            None => text.past_semicolon(self.past_definition(id))?,
        };
        let range = text.with_comments(text.with_prefix(node.start as usize)..end);
        text.is_balanced(&range).then_some(range)
    }

    /// Returns the position after `= default`, `= delete` or `= 0`, which libclang does not always
    /// include.
    fn past_definition(&self, id: NodeId) -> usize {
        let end = self.syntax.node(id).end as usize;
        match self.text(id).from(end) {
            [sign, word, ..] if self.text(id).is(sign, "=") => word.range.end,
            _ => end,
        }
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
                self.draft.patch(var, node.file, range.clone(), ";");
            }
            self.outline.bodies[id.index()] = Some(var);
            var
        });
        if let (Some(whole), Some(inner), true) = (outer, inner, self.is_useless_without_body(id, range.start)) {
            self.draft.need(&[whole], &[inner]);
        }
        if let Some(colon) = colon {
            self.member_initialisers(id, colon, block.start, inner.or(outer));
        }
        self.block(body, inner.or(outer));
        self.need_a_return(id, body, inner);
    }

    /// Returns whether a function would be useless without its body: the body provides a type to
    /// deduce, a constant to compute, a name that was not declared before, or the end of a K&R
    /// declaration.
    fn is_useless_without_body(&self, id: NodeId, body: usize) -> bool {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let deduces = text.has_before(node.start as usize..node.location as usize, &["auto", "decltype"]);
        let has_arrow = text.has_before(node.location as usize..body, &["->"]);
        let is_old = !self.syntax.is_cpp() && text.is_preceded_by(body, &[";"]);
        let is_constant = text.has_before(node.start as usize..node.location as usize, &["constexpr", "consteval"]);
        (deduces && !has_arrow) || is_old || is_constant || text.is_preceded_by(node.location as usize, &["::"])
    }

    /// Returns the colon before the member initialisers of a constructor.
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
        let (mut depth, mut angles) = (0, 0);
        let mut starts = true;
        for Token { range, .. } in text.within(colon.end..block) {
            let token = text.slice(range.clone());
            depth += nesting(token);
            angles += if depth == 0 { template_nesting(token) } else { 0 };
            match (depth + angles, token) {
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

    /// Makes a function with a result need a return.
    fn need_a_return(&mut self, id: NodeId, body: NodeId, inner: Option<Var>) {
        let result =
            self.syntax.type_of(id).and_then(|found| found.inner).map(|inner| self.syntax.get_type(inner).class);
        let is_main = super::label(self.syntax, id) == "main";
        if is_main || result.is_none_or(|class| class == TypeClass::Void) {
            return;
        }
        self.need_returns(inner, self.returns(body), result == Some(TypeClass::Other));
    }

    /// Visits a lambda. Its result type is deduced from its returns.
    pub(super) fn lambda(&mut self, id: NodeId, outer: Option<Var>) {
        let Some(body) = self.syntax.children(id).filter(|child| self.is_block(*child)).last() else { return };
        self.blocks_inside(id, outer);
        self.need_returns(outer, self.returns(body), true);
    }

    /// Makes an item need returns: one if the result type is written, all if it is deduced from
    /// them.
    fn need_returns(&mut self, whole: Option<Var>, returns: Vec<NodeId>, is_deduced: bool) {
        let items: Vec<Option<Var>> = returns.iter().map(|id| self.outline.declared[id.index()]).collect();
        let Some(whole) = whole else { return };
        if is_deduced {
            items.into_iter().flatten().for_each(|item| self.draft.need(&[whole], &[item]));
        } else if let Some(items) = items.into_iter().collect::<Option<Vec<Var>>>() {
            self.draft.need(&[whole], &items);
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

/// Returns the change in nesting of template brackets outside parentheses. An initialiser starts
/// with the name of a type.
fn template_nesting(token: &[u8]) -> i32 {
    match token {
        b"<" => 1,
        b">" => -1,
        b">>" => -2,
        _ => 0,
    }
}

fn nesting(token: &[u8]) -> i32 {
    match token {
        b"(" | b"{" | b"[" => 1,
        b")" | b"}" | b"]" => -1,
        _ => 0,
    }
}
