//! Clauses for tests that treat a missing return as an error.
//!
//! Each path through the body of a function with a result must reach a return. A return gives the
//! function a value as an assignment does a variable, so paths are followed as for variables.

use super::uses::Giver;
use super::{Flow, Sure};
use crate::draft::Draft;
use crate::presence::Presence;
use crate::program::Program;
use lapidary_clang::{Kind, NodeId, Syntax, TypeClass};
use std::collections::HashMap;

/// Adds the clauses of all units. A function is skipped if a path to its end cannot be explained by
/// libclang's tree, such as one that ends in a call that never returns.
pub(crate) fn returns(program: &Program, draft: &mut Draft, presence: &Presence) {
    for unit in &program.units {
        let (syntax, texts) = (&unit.syntax, &program.texts[..]);
        for (function, body) in syntax.ids().filter_map(|id| Some((id, body_with_result(syntax, id)?))) {
            let givers = all_returns(syntax, body);
            let mut flow = Flow { syntax, texts, draft, presence, givers, known: HashMap::new() };
            if let (Sure::If(items), Some(whole)) = (flow.inside(body), unit.outline.bodies[function.index()]) {
                draft.need(&[whole], &items);
            }
        }
    }
}

/// Returns the body of a function that must return something.
fn body_with_result(syntax: &Syntax, id: NodeId) -> Option<NodeId> {
    let node = syntax.node(id);
    let result = syntax.type_of(id).filter(|_| node.kind.is_function())?.inner?;
    let is_main = node.declares.is_some_and(|entity| syntax.entity(entity).name == "main");
    let has_result = !matches!(syntax.get_type(result).class, TypeClass::Void | TypeClass::Other);
    let blocks = syntax.children(id).filter(|child| syntax.node(*child).kind == Kind::Compound);
    blocks.last().filter(|_| has_result && !is_main)
}

/// Returns the returns in a body. Those of lambdas inside it are ignored when paths are followed.
fn all_returns(syntax: &Syntax, body: NodeId) -> Vec<Giver> {
    let gives = |id: &NodeId| matches!(syntax.node(*id).kind, Kind::Return | Kind::Throw);
    let giver = |at: NodeId| Giver { at, text: syntax.node(at).range(), part: None, is_assignment: false };
    syntax.subtree(body).filter(gives).map(giver).collect()
}
