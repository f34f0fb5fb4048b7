//! Statements: their extent and position.

use super::Program;
use lapidary_clang::{Kind, NodeId};
use std::ops::Range;

/// The parts of an `if`.
pub(crate) struct Branches {
    /// The condition, including declarations in the header.
    pub condition: Vec<NodeId>,
    pub then: NodeId,
    pub otherwise: Option<NodeId>,
}

impl Program<'_> {
    /// Returns the range of a statement with its semicolon.
    pub fn statement_range(&self, id: NodeId) -> Range<usize> {
        let range = self.range(id);
        match self.next_is(self.file(id), range.end, ";") {
            Some(token) if self.lacks_semicolon(id) => range.start..token.range.end,
            _ => range,
        }
    }

    /// Returns whether libclang's range lacks the final semicolon. It always does, except after a
    /// declaration.
    fn lacks_semicolon(&self, id: NodeId) -> bool {
        match self.kind(id) {
            Kind::Compound | Kind::Try | Kind::Catch | Kind::Empty | Kind::DeclarationStatement => false,
            Kind::If | Kind::While | Kind::For | Kind::RangeFor | Kind::Switch => self.last_child_lacks(id),
            Kind::Label | Kind::Case | Kind::Default => self.last_child_lacks(id),
            _ => true,
        }
    }

    fn last_child_lacks(&self, id: NodeId) -> bool {
        self.syntax.children(id).last().is_some_and(|last| self.lacks_semicolon(last))
    }

    /// Returns whether the node is in the position of a statement, so that its value, if any, is
    /// not used.
    pub fn is_statement(&self, id: NodeId) -> bool {
        let outermost = self.outermost(id);
        let Some(parent) = self.syntax.node(outermost).parent else { return false };
        let is_last = || self.syntax.children(parent).last() == Some(outermost);
        match self.kind(parent) {
            Kind::Compound => !self.is_value_of_statement_expression(parent, outermost),
            Kind::If => {
                self.branches(parent).is_some_and(|parts| parts.then == outermost || parts.otherwise == Some(outermost))
            }
            Kind::While | Kind::For | Kind::RangeFor | Kind::Switch | Kind::Label | Kind::Default => is_last(),
            Kind::Case => is_last() && self.syntax.children(parent).count() > 1,
            Kind::Do => self.syntax.children(parent).next() == Some(outermost),
            _ => false,
        }
    }

    fn is_value_of_statement_expression(&self, block: NodeId, id: NodeId) -> bool {
        let is_inside = self.syntax.node(block).parent.is_some_and(|id| self.kind(id) == Kind::StatementExpression);
        is_inside && self.syntax.children(block).last() == Some(id)
    }

    pub fn branches(&self, id: NodeId) -> Option<Branches> {
        let mut parts = self.children(id);
        let last = parts.pop()?;
        let has_else = self.previous_is(self.file(id), self.range(last).start, "else").is_some();
        let (then, otherwise) = if has_else { (parts.pop()?, Some(last)) } else { (last, None) };
        (!parts.is_empty()).then_some(Branches { condition: parts, then, otherwise })
    }

    /// Returns whether evaluating an expression may have an effect.
    pub fn has_effect(&self, id: NodeId) -> bool {
        self.syntax.subtree(id).any(|id| match self.kind(id) {
            Kind::Call | Kind::CompoundAssignment | Kind::Throw | Kind::New | Kind::Delete => true,
            Kind::StatementExpression => true,
            Kind::Binary => self.operator(id).is_some_and(|(_, text)| text == b"="),
            Kind::Unary => matches!(self.sign(id), Some(b"++" | b"--")),
            _ => false,
        })
    }

    /// Returns the jumps inside a statement that lead to its own end or next iteration.
    pub fn own_jumps(&self, statement: NodeId, jumps: &[Kind]) -> Vec<NodeId> {
        let belongs = |jump: NodeId| {
            let is_target = |id: &NodeId| match self.kind(*id) {
                Kind::Switch => self.kind(jump) == Kind::Break,
                Kind::Lambda => true,
                kind => kind.is_loop(),
            };
            self.syntax.ancestors(jump).find(is_target) == Some(statement)
        };
        let inside = self.syntax.subtree(statement).filter(|id| jumps.contains(&self.kind(*id)));
        inside.filter(|id| belongs(*id)).collect()
    }
}
