//! Requires a class to be complete where its size or its members are used.

use super::{Clauses, Needed};
use lapidary_clang::{EntityId, Kind, Mark, NodeId, TypeClass, TypeId};

impl Clauses<'_> {
    pub(super) fn must_be_complete(&mut self, id: NodeId) {
        let mut found = Vec::new();
        self.looked_at(id, &mut found);
        found.sort_unstable();
        found.dedup();
        found.into_iter().for_each(|entity| self.needs(id, Needed::Body(entity)));
    }

    fn looked_at(&self, id: NodeId, found: &mut Vec<EntityId>) {
        let node = self.syntax.node(id);
        let is_open = || self.names.is_in_template(node.file, node.start as usize);
        if node.kind == Kind::TemplateReference && (is_open() || self.is_qualifier(id) || !self.has_arguments(id)) {
            found.extend(node.refers);
        }
        let Some(of_type) = node.of_type else { return };
        match node.kind {
            Kind::Variable if self.is_caught(id) => found.extend(self.pointed_record(of_type)),
            Kind::Variable if node.is(Mark::Extern) => {}
            Kind::Variable | Kind::Field | Kind::BaseSpecifier => self.records(of_type, found),
            Kind::Parameter if node.parent.is_some_and(|outer| self.has_body(outer)) => self.records(of_type, found),
            Kind::Unary | Kind::CompoundAssignment => found.extend(self.pointed_record(of_type)),
            Kind::Binary => self.computed(id, of_type, found),
            Kind::TypeReference if is_open() && !self.is_inside(id, of_type) => self.records(of_type, found),
            Kind::TypeReference if self.is_measured(id) || self.is_qualifier(id) => self.records(of_type, found),
            kind if kind.is_function() && self.has_body(id) => {
                self.syntax.get_type(of_type).inner.into_iter().for_each(|result| self.records(result, found));
            }
            kind if kind.is_expression() => self.records(of_type, found),
            _ => {}
        }
        if node.kind.is_declaration() {
            self.elements(of_type, found);
        }
    }

    fn has_body(&self, function: NodeId) -> bool {
        self.syntax.children(function).any(|child| self.syntax.node(child).kind == Kind::Compound)
    }

    fn is_caught(&self, id: NodeId) -> bool {
        self.syntax.node(id).parent.is_some_and(|outer| self.syntax.node(outer).kind == Kind::Catch)
    }

    fn is_measured(&self, id: NodeId) -> bool {
        let outer = self.syntax.node(id).parent;
        outer.is_some_and(|outer| matches!(self.syntax.node(outer).kind, Kind::TypeTrait | Kind::New | Kind::Throw))
    }

    /// Returns whether a name of a class occurs inside the class.
    fn is_inside(&self, id: NodeId, of_type: TypeId) -> bool {
        let definition = self.record(of_type).and_then(|class| self.syntax.definition(class));
        definition.is_some_and(|definition| self.syntax.contains(definition, id))
    }

    /// Returns whether template arguments follow. A template that is an argument itself gets them
    /// elsewhere.
    fn has_arguments(&self, id: NodeId) -> bool {
        self.text_of(id).is_followed_by(self.syntax.node(id).end as usize, "<")
    }

    /// Returns whether a name is followed by `::`, possibly after template arguments.
    pub(super) fn is_qualifier(&self, id: NodeId) -> bool {
        let text = self.text_of(id);
        let mut depth = 0;
        for token in text.from(self.syntax.node(id).end as usize) {
            match text.slice(token.range.clone()) {
                b"<" => depth += 1,
                b">" => depth -= 1,
                b">>" => depth -= 2,
                b"::" if depth == 0 => return true,
                b";" | b"{" | b"}" => return false,
                _ if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }

    /// Adds the classes that pointers in arithmetic point to, whose size must be known.
    fn computed(&self, id: NodeId, of_type: TypeId, found: &mut Vec<EntityId>) {
        found.extend(self.pointed_record(of_type));
        let mut operands = self.syntax.children(id);
        if let (Some(left), Some(_)) = (operands.next(), operands.next()) {
            let text = self.text_of(id);
            let adds = ["-", "+"].iter().any(|sign| text.is_followed_by(self.syntax.node(left).end as usize, sign));
            let of_type = self.syntax.node(left).of_type.filter(|_| adds);
            found.extend(of_type.and_then(|of_type| self.pointed_record(of_type)));
        }
    }

    /// Adds the class of a type, and the classes of its template arguments.
    fn records(&self, of_type: TypeId, found: &mut Vec<EntityId>) {
        let all = self.syntax.get_type(of_type);
        match all.class {
            TypeClass::Record => {
                found.extend(all.declaration);
                all.arguments.iter().for_each(|argument| self.records(*argument, found));
            }
            TypeClass::Array => all.inner.into_iter().for_each(|inner| self.records(inner, found)),
            _ => {}
        }
    }

    /// Adds the classes of array elements anywhere in a type.
    fn elements(&self, of_type: TypeId, found: &mut Vec<EntityId>) {
        let all = self.syntax.get_type(of_type);
        match (all.class, all.inner) {
            (TypeClass::Array, _) => self.records(of_type, found),
            (TypeClass::Pointer | TypeClass::Reference, Some(inner)) => self.elements(inner, found),
            _ => {}
        }
    }

    pub(super) fn record(&self, of_type: TypeId) -> Option<EntityId> {
        let found = self.syntax.get_type(of_type);
        match found.class {
            TypeClass::Record => found.declaration,
            TypeClass::Array => self.record(found.inner?),
            _ => None,
        }
    }

    pub(super) fn pointed_record(&self, of_type: TypeId) -> Option<EntityId> {
        let found = self.syntax.get_type(of_type);
        match found.class {
            TypeClass::Pointer | TypeClass::Reference => self.record(found.inner?),
            _ => self.record(of_type),
        }
    }
}
