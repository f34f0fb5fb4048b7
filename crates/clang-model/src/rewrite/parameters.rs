//! Parameters with all that belongs to them: the same parameter in every declaration of its function, and the arguments
//! that calls give for it.

use super::calls;
use super::program::Program;
use crate::Edit;
use lapidary_clang::{Kind, Mark, NodeId};
use std::ops::Range;

impl Program<'_> {
    /// The function a parameter belongs to, and which of its parameters it is.
    pub fn position(&self, parameter: NodeId) -> Option<(NodeId, usize)> {
        let function = self.syntax.node(parameter).parent.filter(|id| self.kind(*id).is_function())?;
        let at = self.parameters(function).iter().position(|id| *id == parameter)?;
        Some((function, at))
    }

    /// The parameter in all declarations of its function.
    pub fn same_parameters(&self, parameter: NodeId) -> Option<Vec<NodeId>> {
        let (function, at) = self.position(parameter)?;
        let declarations = self.declarations(self.syntax.node(function).declares?)?;
        declarations.into_iter().map(|id| self.parameters(id).get(at).copied()).collect()
    }

    /// Whether nothing but its declarations and calls fixes what parameters a function has.
    pub fn has_free_parameters(&self, function: NodeId) -> bool {
        let node = self.syntax.node(function);
        matches!(node.kind, Kind::Function | Kind::Method)
            && !node.is(Mark::Virtual)
            && !node.is(Mark::Variadic)
            && !self.is_fixed(function)
            && self.has_parameter_list(function)
    }

    /// The arguments of each call of a function; none if it is used in another way.
    pub fn calls_of(&self, function: NodeId) -> Option<Vec<Vec<NodeId>>> {
        let uses = self.editable_uses(self.syntax.node(function).declares?)?;
        let arguments = |usage: &NodeId| {
            let call = self.context(*usage).filter(|id| self.kind(*id) == Kind::Call)?;
            let (callee, arguments) = calls::parts(self, call)?;
            (callee == self.outermost(*usage)).then_some(arguments)
        };
        uses.iter().map(arguments).collect()
    }

    /// Takes a parameter away, with the arguments for it.
    pub fn without_parameter(&self, parameter: NodeId) -> Option<Vec<Edit>> {
        let (function, at) = self.position(parameter).filter(|(id, _)| self.has_free_parameters(*id))?;
        let declarations = self.declarations(self.syntax.node(function).declares?)?;
        let mut lists: Vec<Vec<NodeId>> = declarations.into_iter().map(|id| self.parameters(id)).collect();
        lists.extend(self.calls_of(function)?);
        let edit = |list: &Vec<NodeId>| Some(self.delete(*list.get(at)?, self.in_list(list, at)?));
        lists.iter().map(edit).collect()
    }

    /// An element of a list that commas part, with one of the commas.
    pub fn in_list(&self, elements: &[NodeId], at: usize) -> Option<Range<usize>> {
        let range = self.range(*elements.get(at)?);
        Some(match (at.checked_sub(1).map(|before| elements[before]), elements.get(at + 1)) {
            (Some(before), _) => self.range(before).end..range.end,
            (None, Some(after)) => range.start..self.range(*after).start,
            (None, None) => range,
        })
    }
}
