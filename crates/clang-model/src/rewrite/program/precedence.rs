//! Operator precedence, so that one expression can replace another without changing the meaning
//! around it.

use super::Program;
use crate::Edit;
use lapidary_clang::{Kind, NodeId};
use std::ops::Range;

/// The binding strength, from the comma (0) to names and literals.
pub(crate) type Binding = u8;

const COMMA: Binding = 0;
const ASSIGNMENT: Binding = 1;
const UNARY: Binding = 14;
const POSTFIX: Binding = 15;
const PRIMARY: Binding = 16;

impl Program<'_> {
    /// Replaces an expression by a part of it, with parentheses where needed.
    pub fn hoist(&self, whole: NodeId, part: NodeId) -> Vec<Edit> {
        let (outer, inner) = (self.range(whole), self.range(part));
        if self.fits(part, whole) {
            return self.keep_only(&outer, whole, &inner);
        }
        let open = self.put(whole, outer.start..inner.start, "(");
        vec![open, self.put(whole, inner.end..outer.end, ")")]
    }

    /// Returns whether an expression binds tightly enough to replace another.
    pub fn fits(&self, expression: NodeId, instead_of: NodeId) -> bool {
        let needed = self.binding(instead_of).min(self.needed_at(instead_of));
        self.binding(expression) >= needed
    }

    /// Returns the text of an expression as it can replace another.
    pub fn text_in_place_of(&self, expression: NodeId, text: Vec<u8>, other: NodeId) -> Vec<u8> {
        if self.fits(expression, other) { text } else { [b"(".as_slice(), &text, b")"].concat() }
    }

    /// Returns how tightly an expression here must bind, as far as that is easily determined.
    fn needed_at(&self, id: NodeId) -> Binding {
        let outermost = self.outermost(id);
        let Some(parent) = self.syntax.node(outermost).parent else { return ASSIGNMENT };
        let is_first = self.syntax.children(parent).next() == Some(outermost);
        match self.kind(parent) {
            Kind::Parentheses | Kind::Return => COMMA,
            Kind::Call => self.needed_in_call(parent, outermost),
            Kind::Subscript if !is_first => COMMA,
            Kind::Binary | Kind::CompoundAssignment => self.needed_beside(self.binding(parent), is_first),
            Kind::Unary if self.is_prefix(parent) => UNARY,
            Kind::InitialiserList | Kind::Variable | Kind::Parameter | Kind::Field => ASSIGNMENT,
            kind if kind.is_statement() && kind != Kind::Case => COMMA,
            _ => PRIMARY,
        }
    }

    /// Returns how tightly an operand must bind. Operators group from the left, assignments from
    /// the right.
    fn needed_beside(&self, operator: Binding, is_left: bool) -> Binding {
        match (operator, is_left) {
            (ASSIGNMENT, true) => UNARY,
            (ASSIGNMENT, false) => ASSIGNMENT,
            (_, true) => operator,
            (_, false) => operator + 1,
        }
    }

    fn needed_in_call(&self, call: NodeId, part: NodeId) -> Binding {
        let file = self.file(call);
        let is_argument = |text: &[u8]| text == b"(" || text == b",";
        let before = self.before(file, self.range(part).start);
        let inside = self.range(part).start > self.range(call).start;
        match before {
            Some(token) if inside && is_argument(self.spelled(file, token)) => ASSIGNMENT,
            _ => PRIMARY,
        }
    }

    pub fn binding(&self, id: NodeId) -> Binding {
        let id = self.peeled(id);
        match self.kind(id) {
            Kind::Binary | Kind::CompoundAssignment => self.operator(id).map_or(COMMA, |(_, text)| binding_of(text)),
            Kind::Conditional | Kind::Throw => ASSIGNMENT,
            Kind::Unary if self.is_prefix(id) => UNARY,
            Kind::TypeTrait | Kind::New | Kind::Delete => UNARY,
            Kind::Cast if self.text(id).starts_with(b"(") => UNARY,
            Kind::Unary | Kind::Subscript | Kind::Member | Kind::Cast | Kind::CompoundLiteral => POSTFIX,
            Kind::Call => self.binding_of_call(id),
            Kind::Name | Kind::Literal | Kind::StringLiteral | Kind::Parentheses | Kind::This => PRIMARY,
            Kind::StatementExpression | Kind::Lambda => PRIMARY,
            _ => COMMA,
        }
    }

    fn binding_of_call(&self, call: NodeId) -> Binding {
        let Some(operator) = self.overloaded_operator(call) else { return POSTFIX };
        match (operator, self.syntax.node(call).arguments) {
            ("()" | "[]" | "->", _) => POSTFIX,
            (_, 1) => UNARY,
            (operator, _) => binding_of(operator.as_bytes()),
        }
    }

    /// Returns the operator that a call stands for.
    pub fn overloaded_operator(&self, call: NodeId) -> Option<&str> {
        let name = self.name(self.syntax.node(call).refers?);
        let operator = name.strip_prefix("operator")?.trim();
        operator.starts_with(|first: char| first.is_ascii_punctuation() && first != '_').then_some(operator)
    }

    fn is_prefix(&self, unary: NodeId) -> bool {
        self.syntax.children(unary).next().is_none_or(|operand| self.range(operand).start > self.range(unary).start)
    }

    /// Returns the operator between the two operands.
    pub fn operator(&self, binary: NodeId) -> Option<(Range<usize>, &[u8])> {
        let left = self.syntax.children(binary).next()?;
        let token = self.after(self.file(binary), self.range(left).end)?;
        (token.range.end < self.range(binary).end)
            .then(|| (token.range.clone(), self.spelled(self.file(binary), token)))
    }

    /// Returns the sign of a unary expression, whether it is a prefix or a postfix.
    pub fn sign(&self, unary: NodeId) -> Option<&[u8]> {
        let operand = self.range(self.syntax.children(unary).next()?);
        let whole = self.range(unary);
        let sign = if operand.start > whole.start { whole.start..operand.start } else { operand.end..whole.end };
        Some(self.slice(self.file(unary), sign).trim_ascii())
    }
}

fn binding_of(operator: &[u8]) -> Binding {
    match operator {
        b"||" | b"or" => 3,
        b"&&" | b"and" => 4,
        b"|" | b"bitor" => 5,
        b"^" | b"xor" => 6,
        b"&" | b"bitand" => 7,
        b"==" | b"!=" | b"not_eq" => 8,
        b"<" | b">" | b"<=" | b">=" | b"<=>" => 9,
        b"<<" | b">>" => 10,
        b"+" | b"-" => 11,
        b"*" | b"/" | b"%" => 12,
        b".*" | b"->*" => 13,
        b"," => COMMA,
        _ => ASSIGNMENT,
    }
}
