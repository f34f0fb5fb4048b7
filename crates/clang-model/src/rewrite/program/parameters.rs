//! Parameters with everything that belongs to them: the parameter in every declaration of its
//! function, and the arguments of calls.

use super::Program;
use crate::Edit;
use lapidary_clang::{Kind, Mark, NodeId};
use std::ops::Range;

impl Program<'_> {
    /// Returns the function of a parameter, and the parameter's index.
    pub fn position(&self, parameter: NodeId) -> Option<(NodeId, usize)> {
        let function = self.syntax.node(parameter).parent.filter(|id| self.kind(*id).is_function())?;
        let at = self.parameters(function).iter().position(|id| *id == parameter)?;
        Some((function, at))
    }

    /// Returns the parameter in all declarations of its function.
    pub fn same_parameters(&self, parameter: NodeId) -> Option<Vec<NodeId>> {
        let (function, at) = self.position(parameter)?;
        let declarations = self.declarations(self.syntax.node(function).declares?)?;
        declarations.into_iter().map(|id| self.parameters(id).get(at).copied()).collect()
    }

    /// Returns whether only its declarations and calls determine the parameters of a function.
    pub fn has_free_parameters(&self, function: NodeId) -> bool {
        let node = self.syntax.node(function);
        matches!(node.kind, Kind::Function | Kind::Method)
            && !node.is(Mark::Virtual)
            && !node.is(Mark::Variadic)
            && !self.is_fixed(function)
            && self.has_parameter_list(function)
    }

    /// Returns the arguments of each call of a function. `None` if it is used in another way.
    pub fn calls_of(&self, function: NodeId) -> Option<Vec<Vec<NodeId>>> {
        let uses = self.editable_uses(self.syntax.node(function).declares?)?;
        let arguments = |usage: &NodeId| {
            let call = self.context(*usage).filter(|id| self.kind(*id) == Kind::Call)?;
            let (callee, arguments) = self.call_parts(call)?;
            (callee == self.outermost(*usage)).then_some(arguments)
        };
        uses.iter().map(arguments).collect()
    }

    /// Returns the callee and the written arguments of a call. `None` for a constructor, which is
    /// not called by a name of its own.
    pub fn call_parts(&self, call: NodeId) -> Option<(NodeId, Vec<NodeId>)> {
        let range = self.range(call);
        let children = self.children(call);
        let callee = *children.first()?;
        let is_called = self.range(callee).start == range.start && self.range(callee) != range;
        let is_written = |id: &NodeId| self.range(*id).start >= self.range(callee).end;
        let is_closed = self.text(call).ends_with(b")");
        (is_called && is_closed).then(|| (callee, children[1..].iter().copied().filter(is_written).collect()))
    }

    /// Removes a parameter with its arguments.
    pub fn without_parameter(&self, parameter: NodeId) -> Option<Vec<Edit>> {
        let (function, at) = self.position(parameter).filter(|(id, _)| self.has_free_parameters(*id))?;
        let declarations = self.declarations(self.syntax.node(function).declares?)?;
        let mut lists: Vec<Vec<NodeId>> = declarations.into_iter().map(|id| self.parameters(id)).collect();
        lists.extend(self.calls_of(function)?);
        let edit = |list: &Vec<NodeId>| Some(self.delete(*list.get(at)?, self.in_list(list, at)?));
        lists.iter().map(edit).collect()
    }

    /// Returns the range of an element of a comma-separated list, with one of the commas.
    pub fn in_list(&self, elements: &[NodeId], at: usize) -> Option<Range<usize>> {
        let range = self.range(*elements.get(at)?);
        Some(match (at.checked_sub(1).map(|before| elements[before]), elements.get(at + 1)) {
            (Some(before), _) => self.range(before).end..range.end,
            (None, Some(after)) => range.start..self.range(*after).start,
            (None, None) => range,
        })
    }
}
