//! Items inside expressions: a value can become 0, and an operation one of its operands.
//!
//! Only values are items. An expression that is used as a variable stays, and so do sizes, labels
//! and others that must be constant.

mod judged;
mod shared;

use crate::draft::{Draft, When};
use crate::outline::label;
use crate::presence::Presence;
use crate::source_text::SourceText;
use judged::Judged;
use lapidary_clang::{FileId, Kind, NodeId, Syntax, Token, TypeClass};
use lapidary_logic::Var;
use shared::Shared;
use std::ops::Range;

pub(crate) fn expressions(syntax: &Syntax, texts: &[SourceText], draft: &mut Draft) {
    let around = Presence::of(draft, texts.len());
    let mut walk = Walk { syntax, texts, around, judged: Judged::of(syntax), shared: Shared::of(syntax), draft };
    syntax.roots().for_each(|root| walk.visit(root, None));
}

struct Walk<'a> {
    syntax: &'a Syntax,
    texts: &'a [SourceText],
    /// The items outside expressions.
    around: Presence,
    judged: Judged,
    shared: Shared,
    draft: &'a mut Draft,
}

impl Walk<'_> {
    /// Visits a node. `outer` is the innermost item around it that is an expression.
    fn visit(&mut self, id: NodeId, outer: Option<Var>) {
        let node = self.syntax.node(id);
        if node.kind == Kind::MacroExpansion || self.is_template_argument(id) {
            return;
        }
        let outer = if self.is_replaceable(id) { Some(self.value(id, outer)) } else { outer };
        match node.kind {
            Kind::Binary if !node.in_macro => return self.binary(id, outer),
            Kind::Conditional if !node.in_macro => return self.conditional(id, outer),
            Kind::Unary | Kind::Cast if !node.in_macro => self.prefix(id, outer),
            _ => {}
        }
        let children: Vec<NodeId> = self.syntax.children(id).filter(|child| self.may_change(id, *child)).collect();
        let is_inside = node.kind.is_expression();
        children.into_iter().for_each(|child| self.visit(child, outer.filter(|_| is_inside)));
    }

    /// Returns whether a child may change, that is, need not be the constant it is.
    fn may_change(&self, id: NodeId, child: NodeId) -> bool {
        let (node, inner) = (self.syntax.node(id), self.syntax.node(child));
        match node.kind {
            Kind::Case => self.syntax.children(id).next() != Some(child),
            _ if self.is_constant(id) => node.kind == Kind::If && inner.kind.is_statement(),
            Kind::Variable => !inner.kind.is_expression() || (inner.end == node.end && inner.start > node.location),
            // The calls of `begin` and `end` do not appear in the text.
            Kind::RangeFor => self.syntax.children(id).last() == Some(child),
            Kind::Field | Kind::EnumConstant | Kind::StaticAssert | Kind::Assembly | Kind::Attribute => false,
            Kind::OtherDeclaration if self.syntax.is_cpp() => false,
            Kind::Typedef | Kind::AliasTemplate | Kind::Parameter | Kind::TemplateValueParameter => false,
            Kind::TypeTrait | Kind::BaseSpecifier | Kind::TemplateReference => false,
            // These expressions select a specialisation or state a requirement. In a constructor
            // they are initialisers.
            kind if kind.is_class() || (kind.is_function() && kind != Kind::Constructor) => !inner.kind.is_expression(),
            _ => true,
        }
    }

    /// Returns whether a node is a template argument. It decides which template and specialisation
    /// is meant.
    fn is_template_argument(&self, id: NodeId) -> bool {
        let (node, text) = (self.syntax.node(id), self.text(id));
        // There may be conversions around it that the text does not show.
        let outer = self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).range() != node.range());
        let is_compared = outer.is_some_and(|outer| self.syntax.node(outer).kind == Kind::Binary);
        let is_first = text.is_preceded_by(node.start as usize, &["<"]);
        let is_last = text.is_followed_by(node.end as usize, ">");
        self.syntax.is_cpp() && node.kind.is_expression() && !is_compared && (is_first || is_last)
    }

    /// Returns whether C++ evaluates an expression at compile time. The consequences of a change
    /// are then unknown.
    fn is_constant(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let has_head = node.kind == Kind::Variable || node.kind.is_function();
        let head = node.start as usize..(node.location as usize).max(node.start as usize);
        let is_constant_if =
            node.kind == Kind::If && self.text(id).is_followed_by(node.start as usize + "if".len(), "constexpr");
        let says_so = || self.text(id).has_before(head, &["constexpr", "consteval", "constinit"]);
        self.syntax.is_cpp() && (is_constant_if || (has_head && says_so()))
    }

    /// Returns whether `0` could replace the expression and would be shorter.
    fn is_replaceable(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let is_zero = self.syntax.type_of(id).is_some_and(|found| found.class.has_zero());
        let is_value = match node.kind {
            Kind::OtherExpression => self
                .syntax
                .children(id)
                .next()
                .is_some_and(|child| self.syntax.node(child).kind != Kind::LabelReference),
            Kind::Literal | Kind::Binary | Kind::Conditional | Kind::Cast | Kind::TypeTrait => true,
            Kind::Unary => !self.text(id).slice(node.range()).starts_with(b"*"),
            Kind::Call => self.gives_a_value(id),
            _ => false,
        };
        let is_statement =
            node.parent.is_none_or(|outer| self.syntax.node(outer).kind.is_statement() && self.stands_alone(outer, id));
        is_zero
            && is_value
            && !is_statement
            && !self.is_function(id)
            && self.may_be_zero(id)
            && !self.judged.holds(self.syntax, id)
            && !self.shared.holds(node.file, &node.range())
            && !node.in_macro
            && self.text(id).slice(node.range()) != b"0"
    }

    /// Returns whether this is a function or a pointer to one. The callee may be no more than a
    /// symbol.
    fn is_function(&self, id: NodeId) -> bool {
        let inner = self.syntax.type_of(id).and_then(|found| found.inner);
        inner.is_some_and(|inner| self.syntax.get_type(inner).class == TypeClass::Function)
    }

    /// Returns whether an expression may become 0. A number always may. A pointer may only where a
    /// null pointer is expected, because the result of an operation on 0 is not one.
    fn may_be_zero(&self, id: NodeId) -> bool {
        if self.syntax.type_of(id).is_some_and(|found| found.class != TypeClass::Pointer) {
            return true;
        }
        let is_transparent =
            |id: &NodeId| matches!(self.syntax.node(*id).kind, Kind::OtherExpression | Kind::Parentheses);
        let mut inner = id;
        let outer = self.syntax.ancestors(id).find(|outer| {
            let stops = !is_transparent(outer);
            inner = if stops { inner } else { *outer };
            stops
        });
        let Some(outer) = outer else { return false };
        match self.syntax.node(outer).kind {
            Kind::Call => self.syntax.children(outer).next() != Some(inner),
            Kind::Binary => {
                self.operator(outer).is_some_and(|sign| matches!(sign, b"=" | b"==" | b"!=" | b"&&" | b"||"))
            }
            Kind::Variable | Kind::Return | Kind::If | Kind::While | Kind::For | Kind::Do | Kind::InitialiserList => {
                true
            }
            _ => false,
        }
    }

    /// Returns the symbol between the operands of a binary operation.
    fn operator(&self, id: NodeId) -> Option<&[u8]> {
        let mut children = self.syntax.children(id);
        let (left, right) = (children.next()?, children.next()?);
        let text = self.text(id);
        match text.within(self.syntax.node(left).end as usize..self.syntax.node(right).start as usize) {
            [only] => Some(text.slice(only.range.clone())),
            _ => None,
        }
    }

    /// Returns whether the expression is a statement of its own, so that its value is not used.
    fn stands_alone(&self, outer: NodeId, id: NodeId) -> bool {
        let is_first = self.syntax.children(outer).next() == Some(id);
        match self.syntax.node(outer).kind {
            Kind::Return | Kind::Switch => false,
            Kind::If | Kind::While => !is_first,
            Kind::For | Kind::RangeFor | Kind::Do => {
                self.text(id).past_semicolon(self.syntax.node(id).end as usize).is_some()
            }
            _ => true,
        }
    }

    /// Returns whether a call yields a copy rather than a variable.
    fn gives_a_value(&self, id: NodeId) -> bool {
        let declared = self.syntax.node(id).refers.and_then(|entity| self.syntax.entity(entity).declarations.first());
        let result =
            declared.and_then(|id| self.syntax.type_of(*id)?.inner).map(|inner| self.syntax.get_type(inner).class);
        match result {
            Some(class) => class.has_zero(),
            None => self.syntax.children(id).next().is_some_and(|callee| {
                self.syntax.type_of(callee).is_some_and(|found| found.class == TypeClass::Pointer)
            }),
        }
    }

    fn value(&mut self, id: NodeId, outer: Option<Var>) -> Var {
        let range = self.syntax.node(id).range();
        let (var, is_new) = self.item(id, range.clone(), "value", outer);
        if is_new {
            self.draft.patch(var, self.syntax.node(id).file, range, "0");
        }
        var
    }

    fn item(&mut self, id: NodeId, range: Range<usize>, kind: &'static str, outer: Option<Var>) -> (Var, bool) {
        let syntax = self.syntax;
        let file = syntax.node(id).file;
        let around = || self.around.at(self.draft, file, &range).first().copied();
        let parent = outer.or_else(around);
        self.draft.item(file, range, kind, parent, || label(syntax, id))
    }

    /// Lets either operand stay alone, where its type fits.
    fn binary(&mut self, id: NodeId, outer: Option<Var>) {
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        let [left, right] = children[..] else {
            return children.into_iter().for_each(|child| self.visit(child, outer));
        };
        let sign = self.syntax.node(left).end as usize..self.syntax.node(right).start as usize;
        let is_plain =
            sign.start < sign.end && self.text(id).within(sign.clone()).len() == 1 && !self.is_macro_inside(&children);
        let first = (is_plain && self.fits(id, right)).then(|| self.operand(id, left, outer));
        let second = (is_plain && self.fits(id, left)).then(|| self.operand(id, right, outer));
        let operands: Vec<Var> = [first, second].into_iter().flatten().collect();
        self.one_stays(id, &operands, [sign]);
        self.visit(left, first.or(outer));
        self.visit(right, second.or(outer));
    }

    /// Lets either branch stay alone.
    fn conditional(&mut self, id: NodeId, outer: Option<Var>) {
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        let [condition, then, otherwise] = children[..] else {
            return children.into_iter().for_each(|child| self.visit(child, outer));
        };
        let node = |id: NodeId| self.syntax.node(id);
        let is_ordered = node(condition).end <= node(then).start && node(then).end <= node(otherwise).start;
        if !is_ordered || self.is_macro_inside(&children) {
            return children.into_iter().for_each(|child| self.visit(child, outer));
        }
        let parts = [
            node(id).start as usize..node(then).start as usize,
            node(then).end as usize..node(otherwise).start as usize,
        ];
        let fits = |operand: NodeId| !self.syntax.is_cpp() || self.fits(id, operand);
        let (then_fits, otherwise_fits) = (fits(then), fits(otherwise));
        let first = otherwise_fits.then(|| self.operand(id, then, outer));
        let second = then_fits.then(|| self.operand(id, otherwise, outer));
        let operands: Vec<Var> = [first, second].into_iter().flatten().collect();
        self.one_stays(id, &operands, parts);
        self.visit(condition, outer);
        self.visit(then, first.or(outer));
        self.visit(otherwise, second.or(outer));
    }

    fn is_macro_inside(&self, children: &[NodeId]) -> bool {
        children.iter().any(|child| self.syntax.node(*child).in_macro)
    }

    fn operand(&mut self, id: NodeId, operand: NodeId, outer: Option<Var>) -> Var {
        let range = self.syntax.node(operand).range();
        let (var, is_new) = self.item(operand, range.clone(), "operand", outer);
        if is_new {
            self.draft.patch(var, self.syntax.node(id).file, range, "");
        }
        var
    }

    /// Requires that one of the removable operands stays. The text between them is there only if
    /// all of them are.
    fn one_stays<const N: usize>(&mut self, id: NodeId, operands: &[Var], between: [Range<usize>; N]) {
        if operands.is_empty() {
            return;
        }
        let file: FileId = self.syntax.node(id).file;
        for range in between {
            self.draft.patch_when(When::AnyAbsent(operands.to_vec()), file, range, "");
        }
        if operands.len() > 1 {
            self.draft.need(&[], operands);
        }
    }

    /// Makes an item of a prefix or postfix operator, or of a cast.
    fn prefix(&mut self, id: NodeId, outer: Option<Var>) {
        let node = self.syntax.node(id);
        let Some(operand) = self.syntax.children(id).last() else { return };
        let inner = self.syntax.node(operand);
        let text = self.text(id);
        let is_operator = |token: &Token| ["-", "+", "!", "~", "++", "--"].iter().any(|sign| text.is(token, sign));
        let before = node.start as usize..inner.start as usize;
        let behind = inner.end as usize..node.end as usize;
        let part = if before.is_empty() { behind } else { before };
        let tokens = text.within(part.clone());
        let can_go = match node.kind {
            Kind::Unary => matches!(tokens, [only] if is_operator(only)),
            _ => tokens.first().is_some_and(|token| text.is(token, "(")) && part.end == inner.start as usize,
        };
        if can_go && !inner.in_macro && self.fits(id, operand) {
            let (var, is_new) = self.item(id, part.clone(), "operator", outer);
            if is_new {
                self.draft.patch(var, node.file, part, "");
            }
        }
    }

    /// Returns whether an operand can replace the whole expression.
    fn fits(&self, id: NodeId, operand: NodeId) -> bool {
        let of_type =
            |id: NodeId| self.syntax.node(id).of_type.map(|of_type| (of_type, self.syntax.get_type(of_type).class));
        let is_judged = self.judged.holds(self.syntax, id);
        let converts =
            |class: TypeClass| class.is_arithmetic() && !(self.syntax.is_cpp() && class == TypeClass::Enumeration);
        match (of_type(id), of_type(operand)) {
            (Some((_, TypeClass::Other)), _) | (_, Some((_, TypeClass::Other))) => false,
            (Some((whole, _)), Some((part, _))) if whole == part => true,
            (Some(_), Some(_)) if is_judged => false,
            (Some((_, whole)), Some((_, part))) => converts(whole) && converts(part),
            _ => false,
        }
    }

    fn text(&self, id: NodeId) -> &SourceText {
        &self.texts[self.syntax.node(id).file.index()]
    }
}
