//! Statements: each can be removed, and a branch or loop can be replaced by its contents.

use super::Walk;
use lapidary_clang::{Kind, NodeId};
use lapidary_logic::Var;
use std::ops::Range;

/// The position of a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Among others between braces. Nothing needs to replace it.
    InBlock,
    /// After a header or a label. An empty statement must replace it.
    Sole,
}

impl Walk<'_> {
    pub(super) fn block(&mut self, id: NodeId, outer: Option<Var>) {
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        children.into_iter().for_each(|child| self.statement(child, outer, Place::InBlock));
    }

    /// Keeps the last statement of a statement expression, which is its value.
    pub(super) fn statement_expression(&mut self, id: NodeId, outer: Option<Var>) {
        self.blocks_inside(id, outer);
        let block = self.syntax.children(id).next();
        let last = block.and_then(|block| self.syntax.children(block).last());
        let item = last.and_then(|last| self.outline.declared[last.index()]);
        if let (Some(outer), Some(item)) = (outer, item) {
            self.draft.need(&[outer], &[item]);
        }
    }

    fn statement(&mut self, id: NodeId, outer: Option<Var>, place: Place) {
        let kind = self.syntax.node(id).kind;
        if self.is_part_of_expansion(id) {
            return self.inside_expansion(id, outer);
        }
        if matches!(kind, Kind::Label | Kind::Case | Kind::Default) {
            return self.labelled(id, outer);
        }
        let range = self.statement_range(id).filter(|_| !(place == Place::Sole && kind == Kind::Empty));
        let own = range.clone().map(|range| {
            let range = if place == Place::InBlock { self.text(id).with_comments(range) } else { range };
            let kind = if kind == Kind::DeclarationStatement { "variable" } else { "statement" };
            let (var, is_new) = self.whole(id, range.clone(), kind, outer);
            if is_new {
                let with = if place == Place::Sole { ";" } else { "" };
                self.draft.patch(var, self.syntax.node(id).file, range, with);
            }
            self.outline.declared[id.index()] = Some(var);
            var
        });
        self.inside_statement(id, own.or(outer), own.is_some(), place);
    }

    fn inside_statement(&mut self, id: NodeId, outer: Option<Var>, is_item: bool, place: Place) {
        let node = self.syntax.node(id);
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        match (node.kind, outer) {
            _ if node.in_macro => self.inside_expansion(id, outer),
            (Kind::Compound, _) => self.block(id, outer),
            (Kind::If, Some(var)) if is_item => self.branch(id, &children, var, place),
            (Kind::While | Kind::For | Kind::RangeFor | Kind::Switch, Some(var)) if is_item => {
                self.with_header(id, &children, var)
            }
            (Kind::Do, Some(var)) if is_item => self.do_loop(id, &children, var),
            (Kind::Try, Some(var)) if is_item => self.try_block(id, &children, var),
            (Kind::DeclarationStatement, Some(var)) if is_item => self.declared_by(&children, var),
            _ => self.blocks_inside(id, outer),
        }
    }

    /// Returns whether the statement comes from the same macro call as the block around it.
    fn is_part_of_expansion(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let is_same = |outer: NodeId| self.syntax.node(outer).in_macro && self.syntax.node(outer).start == node.start;
        node.in_macro && node.parent.is_some_and(is_same)
    }

    /// Visits a macro call. Declarations in it are removed with its line. Blocks that are its
    /// arguments are treated like any other.
    fn inside_expansion(&mut self, id: NodeId, outer: Option<Var>) {
        for inner in self.syntax.subtree(id).filter(|inner| self.syntax.node(*inner).in_macro) {
            self.outline.declared[inner.index()] = outer;
        }
        self.blocks_inside(id, outer);
    }

    /// Visits a labelled statement. Both the label and the statement can be removed.
    fn labelled(&mut self, id: NodeId, outer: Option<Var>) {
        let node = self.syntax.node(id);
        let Some(inner) = self.syntax.children(id).last() else { return };
        let range = node.start as usize..self.syntax.node(inner).start as usize;
        if !node.in_macro && self.text(id).is_preceded_by(range.end, &[":"]) && self.text(id).is_balanced(&range) {
            let (var, is_new) = self.whole(id, range.clone(), "label", outer);
            if is_new {
                self.draft.patch(var, node.file, range, "");
            }
            self.outline.declared[id.index()] = Some(var);
        }
        self.statement(inner, outer, Place::Sole);
    }

    fn branch(&mut self, id: NodeId, children: &[NodeId], var: Var, place: Place) {
        let [.., last] = children else { return };
        let text = self.text(id);
        let start = |id: NodeId| self.syntax.node(id).start as usize;
        let otherwise = text.before(start(*last)).filter(|token| text.is(token, "else")).cloned();
        let then = if otherwise.is_some() { children.len().checked_sub(2).map(|at| children[at]) } else { Some(*last) };
        let Some(then) = then else { return };
        let head = self.syntax.node(id).start as usize..start(then);
        let word = otherwise.clone().map(|word| word.range.start..start(*last));
        let parts = std::iter::once(head).chain(word).collect();
        let header = self.header(id, parts, var);
        if text.is_followed_by(self.syntax.node(id).start as usize + 2, "constexpr") {
            self.draft.need(&[var], header.as_slice());
        }
        self.statement(then, Some(var), Place::Sole);
        if let Some(word) = otherwise {
            let end = self.statement_end(*last).unwrap_or(self.syntax.node(*last).end as usize);
            let item = self.otherwise(*last, word.range.start..end, var);
            if let (Some(header), Place::Sole) = (header, place) {
                self.draft.need(&[item.unwrap_or(var)], &[header]);
            }
            self.statement(*last, item.or(Some(var)), Place::Sole);
        }
    }

    fn otherwise(&mut self, id: NodeId, range: Range<usize>, outer: Var) -> Option<Var> {
        self.text(id).is_balanced(&range).then(|| {
            let (item, is_new) = self.whole(id, range.clone(), "else", Some(outer));
            if is_new {
                self.draft.patch(item, self.syntax.node(id).file, range, "");
            }
            item
        })
    }

    fn with_header(&mut self, id: NodeId, children: &[NodeId], var: Var) {
        let [.., body] = children else { return };
        let header = self.syntax.node(id).start as usize..self.syntax.node(*body).start as usize;
        self.header(id, vec![header], var);
        self.statement(*body, Some(var), Place::Sole);
    }

    fn do_loop(&mut self, id: NodeId, children: &[NodeId], var: Var) {
        let [body, ..] = children else { return };
        let Some((body_end, end)) = self.statement_end(*body).zip(self.statement_end(id)) else { return };
        let start = self.syntax.node(id).start as usize..self.syntax.node(*body).start as usize;
        self.header(id, vec![start, body_end..end], var);
        self.statement(*body, Some(var), Place::Sole);
    }

    /// Visits a `try`. Without its header, only the block stays.
    fn try_block(&mut self, id: NodeId, children: &[NodeId], var: Var) {
        let [block, catches @ ..] = children else { return };
        let node = self.syntax.node(id);
        let start = node.start as usize..self.syntax.node(*block).start as usize;
        let rest = self.syntax.node(*block).end as usize..node.end as usize;
        let header = self.header(id, vec![start, rest], var);
        self.block(*block, Some(var));
        let mut items = Vec::new();
        for catch in catches.iter().filter(|_| header.is_some()) {
            let range = self.syntax.node(*catch).range();
            let (item, is_new) = self.whole(*catch, range.clone(), "catch", header);
            if is_new {
                self.draft.patch(item, node.file, range, "");
            }
            items.push(item);
            self.blocks_inside(*catch, Some(item));
        }
        self.draft.need(header.as_slice(), &items);
    }

    /// Makes one item of the parts of a statement around its body.
    fn header(&mut self, id: NodeId, parts: Vec<Range<usize>>, outer: Var) -> Option<Var> {
        let node = self.syntax.node(id);
        let text = self.text(id);
        if !parts.iter().all(|part| text.is_balanced(part)) {
            return None;
        }
        let (var, is_new) = self.whole(id, parts[0].clone(), "header", Some(outer));
        if is_new {
            parts.into_iter().for_each(|part| self.draft.patch(var, node.file, part, ""));
        }
        self.outline.headers[id.index()] = Some(var);
        Some(var)
    }

    /// Returns the range of a statement with its semicolon, if it stands by itself.
    fn statement_range(&self, id: NodeId) -> Option<Range<usize>> {
        let text = self.text(id);
        let start = text.with_prefix(self.syntax.node(id).start as usize);
        let range = start..self.statement_end(id)?;
        let stands_alone = text.before(start).is_none_or(|token| {
            token.kind == lapidary_clang::TokenKind::Directive
                || ["{", "}", ";", ")", ":", "else", "do"].iter().any(|before| text.is(token, before))
        });
        (stands_alone && range.end > start && text.is_balanced(&range)).then_some(range)
    }

    fn statement_end(&self, id: NodeId) -> Option<usize> {
        let node = self.syntax.node(id);
        let end = node.end as usize;
        match node.kind {
            _ if node.in_macro => self.text(id).past_semicolon(end),
            Kind::Compound | Kind::Try | Kind::DeclarationStatement | Kind::Empty => Some(end),
            Kind::If
            | Kind::While
            | Kind::For
            | Kind::RangeFor
            | Kind::Switch
            | Kind::Label
            | Kind::Case
            | Kind::Default => self.statement_end(self.syntax.children(id).last()?),
            _ => self.text(id).past_semicolon(end),
        }
    }
}
