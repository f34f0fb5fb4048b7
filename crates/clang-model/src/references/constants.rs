//! Compile-time evaluation: a function that is called for a constant stays unchanged.

use super::{Clauses, Needed};
use lapidary_clang::{EntityId, Kind, NodeId};
use lapidary_logic::Var;
use std::collections::HashSet;

impl Clauses<'_> {
    pub(super) fn constants(&mut self) {
        if !self.syntax.is_cpp() {
            return;
        }
        let mut open: Vec<NodeId> = self.syntax.ids().filter(|id| self.is_constant(*id)).collect();
        let mut functions: HashSet<EntityId> = self.constant_functions().collect();
        let named = self.named_in_conditions();
        open.extend(named.iter().filter_map(|function| self.syntax.definition(*function)));
        functions.extend(named);
        while let Some(root) = open.pop() {
            for id in self.syntax.subtree(root) {
                self.measured(id);
                self.is_asked_about(id);
                self.values_are_set(id);
                for function in self.called(id) {
                    if functions.insert(function) {
                        open.extend(self.syntax.definition(function));
                    }
                }
            }
        }
        let mut functions: Vec<EntityId> = functions.into_iter().collect();
        functions.sort_unstable();
        functions.into_iter().for_each(|function| self.stays_whole(function));
    }

    /// Returns the functions declared `constexpr` or `consteval`, which the compiler checks.
    fn constant_functions(&self) -> impl Iterator<Item = EntityId> {
        let is_constant = |id: &NodeId| {
            let node = self.syntax.node(*id);
            let is_checked = node.kind.is_function() && !self.names.is_in_template(node.file, node.start as usize);
            let head = node.start as usize..node.location as usize;
            is_checked && self.text_of(*id).has_before(head, &["constexpr", "consteval"])
        };
        self.syntax.ids().filter(is_constant).filter_map(|id| self.syntax.node(id).declares)
    }

    /// Returns the functions that may be called in `noexcept (…)` and similar conditions, which
    /// libclang does not show.
    fn named_in_conditions(&self) -> Vec<EntityId> {
        let mut found = Vec::new();
        for text in &self.program.texts {
            let heads = text.tokens.windows(2).filter(|pair| {
                let is_head = ["noexcept", "explicit", "requires"].iter().any(|word| text.is(&pair[0], word));
                is_head && text.is(&pair[1], "(")
            });
            for head in heads {
                let end = text.closing(&head[1]).unwrap_or(head[1].range.end);
                let words = text.within(head[1].range.start..end).iter().map(|token| text.slice(token.range.clone()));
                words.for_each(|word| found.extend_from_slice(self.names.all(word)));
            }
        }
        found.retain(|entity| {
            let definition = self.syntax.definition(*entity);
            definition.is_some_and(|definition| self.syntax.node(definition).kind.is_function())
        });
        found
    }

    fn is_constant(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let text = self.text_of(id);
        let says = |words: &[&str]| text.has_before(node.start as usize..node.location as usize, words);
        match node.kind {
            Kind::StaticAssert | Kind::EnumConstant | Kind::TemplateValueParameter => true,
            Kind::Variable => says(&["constexpr", "constinit"]),
            Kind::OtherDeclaration => self.syntax.text(id).starts_with(b"template"),
            kind if kind.is_expression() => self.is_in_constant_place(id),
            _ => false,
        }
    }

    /// Returns whether a node is in a place that requires a constant: a size, a label, the
    /// condition of an `if constexpr` or a template argument.
    fn is_in_constant_place(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let Some(outer) = node.parent else { return false };
        let around = self.syntax.node(outer);
        let text = self.text_of(id);
        match around.kind {
            Kind::Case => true,
            Kind::If => text.is_followed_by(around.start as usize + 2, "constexpr"),
            Kind::Variable | Kind::Field | Kind::Typedef | Kind::Parameter => {
                node.end <= around.location || text.is_followed_by(node.end as usize, "]")
            }
            Kind::Name | Kind::Member | Kind::BaseSpecifier => {
                node.start > around.location || around.kind == Kind::BaseSpecifier
            }
            kind if kind.is_function() || kind.is_class() => node.end <= around.location,
            _ => false,
        }
    }

    fn called(&self, id: NodeId) -> Vec<EntityId> {
        let is_function = |entity: &EntityId| {
            let definition = self.syntax.definition(*entity);
            definition.is_some_and(|definition| self.syntax.node(definition).kind.is_function())
        };
        self.syntax.node(id).refers.into_iter().chain(self.syntax.overloads(id)).filter(is_function).collect()
    }

    /// Keeps the body of a function with all items inside it.
    fn stays_whole(&mut self, function: EntityId) {
        let Some(definition) = self.syntax.definition(function) else { return };
        let Some(body) = self.outline.bodies[definition.index()] else { return };
        let range = self.syntax.node(definition).range();
        let inside = self.presence.within(self.syntax.node(definition).file, &range);
        let whole = self.outline.declared[definition.index()];
        whole.into_iter().for_each(|whole| self.draft.need(&[whole], &[body]));
        let is_part = |item: &Var| self.draft.items[item.index()].kind != "parameter" && Some(*item) != whole;
        let parts: Vec<Var> = inside.into_iter().filter(is_part).collect();
        parts.into_iter().for_each(|item| self.draft.need(&[body], &[item]));
    }

    /// Requires a class in a condition to be complete.
    fn is_asked_about(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        let of_type = node.of_type.filter(|_| node.kind == Kind::TypeReference);
        if let Some(class) = of_type.and_then(|of_type| self.record(of_type)) {
            self.needs(id, Needed::Body(class));
        }
    }

    /// Keeps all members of a class in a `sizeof`, since its size is a constant that must not
    /// change.
    fn measured(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        if node.kind != Kind::TypeTrait {
            return;
        }
        let types = self.syntax.children(id).filter_map(|child| self.syntax.node(child).of_type);
        let classes: Vec<NodeId> = types.filter_map(|of_type| self.syntax.definition(self.record(of_type)?)).collect();
        let premises = self.premises(id);
        classes.into_iter().for_each(|class| self.needs_members(&premises, class, 0));
    }

    /// Keeps the initial values in the declarations of a constant's members.
    fn values_are_set(&mut self, id: NodeId) {
        let record = self.syntax.node(id).of_type.and_then(|of_type| self.record(of_type));
        let Some(class) = record.and_then(|record| self.syntax.definition(record)) else { return };
        let fields: Vec<NodeId> =
            self.syntax.children(class).filter(|child| self.syntax.node(*child).kind == Kind::Field).collect();
        for field in fields {
            let value =
                self.syntax.children(field).filter(|child| self.syntax.node(*child).kind.is_expression()).last();
            let (own, value) = (self.item_of(field), value.and_then(|value| self.premises(value).first().copied()));
            if let (Some(own), Some(value)) = (own, value.filter(|value| Some(*value) != own)) {
                self.draft.need(&[own], &[value]);
            }
        }
    }
}
