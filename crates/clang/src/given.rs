//! Expressions whose value is passed on: to a variable, a parameter, a member or a caller.

use crate::{Kind, NodeId, Syntax, Type, TypeClass};

impl Syntax {
    /// Returns the expressions in functions that pass on a number, a pointer or a string. Each is
    /// as wide as it is written, and outer expressions come first. Literals and text produced by
    /// macros are left out.
    pub fn given_values(&self) -> Vec<NodeId> {
        let all = self.ids().flat_map(|id| self.given_in(id));
        all.filter(|id| self.is_plain_text(*id) && self.is_in_function(*id) && self.has_plain_value(*id)).collect()
    }

    /// Strips the implicit conversions around an expression, which the text does not show.
    pub fn as_written(&self, id: NodeId) -> NodeId {
        let range = self.node(id).range();
        let inner = |id: &NodeId| self.children(*id).find(|child| self.node(*child).range() == range);
        std::iter::successors(Some(id), inner).last().unwrap_or(id)
    }

    /// Returns the expressions whose values a node passes on.
    fn given_in(&self, id: NodeId) -> Vec<NodeId> {
        let node = self.node(id);
        let mut inside: Vec<NodeId> =
            self.children(id).filter(|child| self.node(*child).kind.is_expression()).collect();
        match node.kind {
            Kind::Variable if self.is_reference(id) => Vec::new(),
            Kind::Variable => {
                let value = inside.pop().filter(|value| {
                    let value = self.node(*value);
                    value.end == node.end && value.start > node.location
                });
                value.into_iter().collect()
            }
            Kind::Binary => match inside[..] {
                [left, right] if self.is_assignment(left, right) => vec![right],
                _ => Vec::new(),
            },
            Kind::Call if !self.is_operator(id) => {
                let arguments = inside.split_off(inside.len().saturating_sub(node.arguments.into()));
                let by_reference = self.parameters_by_reference(id);
                let is_copied = |index: usize| !by_reference.get(index).is_some_and(|is_reference| *is_reference);
                arguments.into_iter().enumerate().filter(|(index, _)| is_copied(*index)).map(|(_, id)| id).collect()
            }
            Kind::Return if self.is_in_function_that_returns_a_reference(id) => Vec::new(),
            Kind::Return | Kind::InitialiserList => inside,
            // A member initialiser starts with the member's name, which is not one of the values.
            Kind::Constructor => inside.into_iter().filter(|value| self.is_behind_bracket(*value)).collect(),
            _ => Vec::new(),
        }
    }

    fn is_assignment(&self, left: NodeId, right: NodeId) -> bool {
        let (left, right) = (self.node(left), self.node(right));
        let text = &self.files[left.file.index()].text;
        let between = text.get(left.end as usize..right.start as usize).unwrap_or_default();
        between.trim_ascii() == b"="
    }

    fn is_behind_bracket(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let before = self.files[node.file.index()].text[..node.start as usize].trim_ascii_end();
        matches!(before.last(), Some(b'(' | b'{'))
    }

    /// Returns whether a variable or parameter is a non-const reference, through which another
    /// variable may be written.
    fn is_reference(&self, id: NodeId) -> bool {
        self.type_of(id).is_some_and(|found| {
            let is_const = found.inner.is_some_and(|inner| self.get_type(inner).is_const);
            found.class == TypeClass::Reference && !is_const
        })
    }

    /// Returns, for each parameter of the called function, whether it is a non-const reference.
    /// Empty if the function's declaration is not in the user's files.
    fn parameters_by_reference(&self, call: NodeId) -> Vec<bool> {
        let called = self.node(call).refers.and_then(|entity| self.entity(entity).declarations.first().copied());
        let Some(function) = called else { return Vec::new() };
        let parameters = self.children(function).filter(|child| self.node(*child).kind == Kind::Parameter);
        parameters.map(|parameter| self.is_reference(parameter)).collect()
    }

    fn is_in_function_that_returns_a_reference(&self, id: NodeId) -> bool {
        let is_function =
            |outer: &NodeId| self.node(*outer).kind.is_function() || self.node(*outer).kind == Kind::Lambda;
        let result = self.ancestors(id).find(is_function).and_then(|function| self.type_of(function)?.inner);
        result.is_some_and(|result| self.get_type(result).class == TypeClass::Reference)
    }

    fn is_operator(&self, call: NodeId) -> bool {
        self.node(call).refers.is_some_and(|entity| self.entity(entity).name.starts_with("operator"))
    }

    /// Returns whether the node has text of its own and no macro takes part in it.
    fn is_plain_text(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let is_hidden = |id: NodeId| self.node(id).in_macro || self.node(id).kind == Kind::MacroExpansion;
        node.end > node.start && !self.subtree(id).any(is_hidden)
    }

    fn is_in_function(&self, id: NodeId) -> bool {
        self.ancestors(id).any(|outer| self.node(outer).kind.is_function())
    }

    /// Returns whether the type is a `std::vector` of integers or strings.
    fn is_plain_list(&self, found: &Type) -> bool {
        let element = found.arguments.first().map(|element| self.get_type(*element));
        found.spelling.trim_start_matches("const ").starts_with("std::vector<")
            && element.is_some_and(|element| element.class == TypeClass::Integer || element.is_text())
    }

    fn has_plain_value(&self, id: NodeId) -> bool {
        let written = self.as_written(id);
        let is_literal = |id: NodeId| matches!(self.node(id).kind, Kind::Literal | Kind::StringLiteral);
        let is_negative_literal = self.node(written).kind == Kind::Unary
            && self.children(written).next().is_some_and(|operand| is_literal(self.as_written(operand)));
        let has_value = self.type_of(written).is_some_and(|found| match found.class {
            TypeClass::Pointer => true,
            TypeClass::Array => found.inner.is_some_and(|inner| self.get_type(inner).spelling.ends_with("char")),
            TypeClass::Record => found.is_text() || self.is_plain_list(found),
            class => class.is_arithmetic(),
        });
        has_value && !is_literal(written) && !is_negative_literal
    }
}
