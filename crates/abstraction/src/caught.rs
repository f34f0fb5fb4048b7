//! Removes the copy of a caught exception where only the handler reads it.

use crate::print::definitions;
use crate::simplify::reads;
use crate::tree::{Expression, Node, Variable};

/// Lets handlers read the variable of their `catch` instead of a copy, where nothing else reads the
/// copy.
pub fn read_caught_directly(tree: &mut Vec<Node>) {
    while let Some((copy, caught)) = find(tree, tree) {
        replace(tree, copy, &Expression::variable(caught));
    }
}

fn find(body: &[Node], whole: &[Node]) -> Option<(Variable, Variable)> {
    body.iter().find_map(|node| {
        let here = match node {
            Node::Try { catches, .. } => catches.iter().find_map(|catch| {
                let copy = copy_of(catch.body.first()?, catch.variable)?;
                let is_local = reads(&catch.body, copy) == reads(whole, copy) && definitions(whole, copy) == 1;
                is_local.then_some((copy, catch.variable))
            }),
            _ => None,
        };
        here.or_else(|| node.bodies().into_iter().find_map(|inner| find(inner, whole)))
    })
}

/// The variable to which a statement copies the caught exception.
fn copy_of(node: &Node, caught: Variable) -> Option<Variable> {
    match node {
        Node::Statement(statement) if statement.expression == Expression::variable(caught) => statement.defines,
        _ => None,
    }
}

fn replace(body: &mut Vec<Node>, copy: Variable, by: &Expression) {
    body.retain(|node| !matches!(node, Node::Statement(statement) if statement.defines == Some(copy)));
    for node in body {
        match node {
            Node::Statement(statement) => statement.expression.replace(copy, by),
            Node::Return(Some(value)) | Node::Throw(value) => value.replace(copy, by),
            _ => node.bodies_mut().into_iter().for_each(|inner| replace(inner, copy, by)),
        }
    }
}
