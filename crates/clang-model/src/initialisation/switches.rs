//! Assignments in a `switch`: if there is a default label, one of the arms runs, and continues into
//! the next unless it breaks.

use super::{Flow, Sure};
use lapidary_clang::{Kind, NodeId};
use lapidary_logic::Var;

/// The statements from one label to the next.
#[derive(Default)]
struct Arm {
    labels: Vec<NodeId>,
    statements: Vec<NodeId>,
}

impl Flow<'_> {
    /// Returns whether a value is assigned after a switch, by its arms.
    pub(super) fn arms(&mut self, body: NodeId) -> Sure {
        let arms = self.split(body);
        let given = self.given_by_arms(&arms);
        let default = arms.iter().flat_map(|arm| &arm.labels).find(|label| self.is_default(**label)).copied();
        let Some(default) = default.filter(|_| !given.contains(&Sure::Never)) else {
            return self.any_giver(&self.givers_in(body));
        };
        let all = self.draft.auxiliary();
        self.label(default).iter().for_each(|item| self.draft.need(&[all], &[*item]));
        for (arm, given) in arms.iter().zip(given) {
            let Sure::If(items) = given else { continue };
            // Without its label, an arm is part of the one before it.
            for label in &arm.labels {
                let premises = [vec![all], self.label(*label)].concat();
                self.draft.need(&premises, &items);
            }
        }
        Sure::If(vec![all])
    }

    fn split(&self, body: NodeId) -> Vec<Arm> {
        let mut arms: Vec<Arm> = Vec::new();
        for child in self.syntax.children(body) {
            let mut statement = child;
            if self.is_case(child) {
                arms.push(Arm::default());
            }
            let Some(arm) = arms.last_mut() else { continue };
            while self.is_case(statement) {
                arm.labels.push(statement);
                let Some(inner) = self.syntax.children(statement).last() else { break };
                statement = inner;
            }
            arm.statements.push(statement);
        }
        arms
    }

    fn given_by_arms(&mut self, arms: &[Arm]) -> Vec<Sure> {
        let mut given: Vec<Sure> = Vec::new();
        for arm in arms.iter().rev() {
            let own = self.any_of(&arm.statements);
            let last = arm.statements.last().copied();
            let leaves = last.filter(|last| !self.breaks(*last)).map(|last| self.leaves(last));
            let own = own.or_else(|| leaves.unwrap_or(Sure::Never));
            let goes_on = last.is_none_or(|last| !self.breaks(last) && self.leaves(last) == Sure::Never);
            let next = given.last().cloned().filter(|_| goes_on).unwrap_or(Sure::Never);
            given.push(own.or(next));
        }
        given.reverse();
        given
    }

    /// Returns whether a statement, as the last of an arm, ends it.
    fn breaks(&self, id: NodeId) -> bool {
        match self.syntax.node(id).kind {
            Kind::Break => true,
            Kind::Compound => self.syntax.children(id).last().is_some_and(|last| self.breaks(last)),
            _ => false,
        }
    }

    fn is_default(&self, id: NodeId) -> bool {
        self.syntax.node(id).kind == Kind::Default
    }

    /// Returns the items of a label's keyword.
    fn label(&self, id: NodeId) -> Vec<Var> {
        let node = self.syntax.node(id);
        self.presence.at(self.draft, node.file, &(node.start as usize..node.start as usize + 1))
    }
}
