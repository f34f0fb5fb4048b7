//! Variables: their visibility and removal.

use super::{Program, is_word};
use crate::Edit;
use lapidary_clang::{EntityId, Kind, NodeId, Type};
use std::collections::HashSet;
use std::ops::Range;

/// A variable or parameter that has a name and is declared once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub id: NodeId,
    pub entity: EntityId,
    /// The function, block or loop in which it is visible after its declaration. `None` for a
    /// global one.
    scope: Option<NodeId>,
}

impl Program<'_> {
    /// Returns the variables and parameters, in the order of the text.
    pub fn variables(&self) -> Vec<Variable> {
        let declared = self.nodes().filter(|id| matches!(self.kind(*id), Kind::Variable | Kind::Parameter));
        declared.filter_map(|id| self.variable(id)).collect()
    }

    fn variable(&self, id: NodeId) -> Option<Variable> {
        let entity = self.syntax.node(id).declares.filter(|entity| !self.name(*entity).is_empty())?;
        let is_alone = self.syntax.entity(entity).declarations.iter().all(|other| self.range(*other) == self.range(id));
        let scope = self.syntax.ancestors(id).find(|around| self.is_scope(*around));
        is_alone.then_some(Variable { id, entity, scope })
    }

    fn is_scope(&self, id: NodeId) -> bool {
        let kind = self.kind(id);
        kind.is_function()
            || kind.is_loop()
            || kind.is_class()
            || kind == Kind::Namespace
            || matches!(kind, Kind::Lambda | Kind::Compound | Kind::If | Kind::Switch | Kind::Catch)
    }

    /// Returns whether the name of a variable refers to it at a place.
    pub fn is_seen_at(&self, variable: &Variable, place: NodeId) -> bool {
        let is_inside = variable.scope.is_none_or(|scope| self.syntax.contains(scope, place));
        let is_before =
            self.file(variable.id) == self.file(place) && self.range(variable.id).end <= self.range(place).start;
        is_inside && is_before && self.are_visible_at(&HashSet::from([variable.entity]), place)
    }

    /// Returns whether two nodes have the same type, apart from `const`, so that one can replace
    /// the other.
    pub fn are_of_one_type(&self, one: NodeId, other: NodeId) -> bool {
        let types = (self.syntax.type_of(one), self.syntax.type_of(other));
        types.0.zip(types.1).is_some_and(|(one, other)| bare(one) == bare(other))
    }

    /// Removes the declaration of a variable, or a parameter with its arguments.
    pub fn without_variable(&self, id: NodeId) -> Option<Vec<Edit>> {
        match self.kind(id) {
            Kind::Parameter => self.without_parameter(id),
            _ if self.is_alone(id) => Some(vec![self.delete(id, self.whole_declaration(id))]),
            _ => self.declarator_in_list(id).map(|range| vec![self.delete(id, range)]),
        }
    }

    /// Returns the range of one of several declarators, with its comma.
    fn declarator_in_list(&self, id: NodeId) -> Option<Range<usize>> {
        let (file, declarator) = (self.file(id), self.declarator(id)?);
        if let Some(comma) = self.previous_is(file, declarator.start, ",") {
            return Some(comma.range.start..declarator.end);
        }
        let comma = self.next_is(file, declarator.end, ",")?;
        Some(declarator.start..comma.range.end)
    }

    /// Returns the declarator after the type words: `*p = 0` of `int *p = 0`. `None` if it starts
    /// with parentheses.
    pub fn declarator(&self, id: NodeId) -> Option<Range<usize>> {
        let file = self.file(id);
        let mut start = self.name_range(id)?.start;
        while let Some(star) = self.previous_is(file, start, "*").or_else(|| self.previous_is(file, start, "&")) {
            start = star.range.start;
        }
        let is_begun =
            self.before(file, start).is_some_and(|token| is_word(token) || self.spelled(file, token) == b",");
        is_begun.then(|| start..self.range(id).end)
    }
}

/// Returns the spelling of a type without the `const` of its values.
fn bare(found: &Type) -> &str {
    let spelling = found.spelling.trim_end_matches("const").trim_end();
    if spelling.contains('*') { spelling } else { spelling.trim_start_matches("const ").trim_end_matches([' ', '&']) }
}
