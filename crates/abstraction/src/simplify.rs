//! Shortens trees without changing their behaviour (thesis §6.3.4, with the improvements that
//! listing 36 asks for).

use crate::tree::{Expression, Label, Node, completes, each_expression};

/// Removes empty branches, nested blocks, unneeded labels, and jumps to where control goes anyway.
pub fn simplify(mut body: Vec<Node>) -> Vec<Node> {
    for _ in 0..ROUNDS {
        let before = body.clone();
        body = shorter(body);
        strip_returns(&mut body);
        if body == before {
            break;
        }
    }
    flattened(body)
}

/// The limit on rounds, more than any body needs; each round shortens the body.
const ROUNDS: usize = 100;

/// Removes a `return` without a value at the very end.
fn strip_returns(body: &mut Vec<Node>) {
    strip(body, &Node::Return(None));
}

fn shorter(body: Vec<Node>) -> Vec<Node> {
    let mut result = Vec::with_capacity(body.len());
    for mut node in body {
        for inner in node.bodies_mut() {
            *inner = shorter(std::mem::take(inner));
        }
        match node {
            Node::Choice(ways) => result.extend(choice(ways)),
            Node::Block { label, body } => result.extend(block(label, body)),
            Node::Loop { label, body } => result.push(repeated(label, body)),
            Node::Try { body, catches } => {
                let catches: Vec<_> =
                    catches.into_iter().filter(|catch| !only_throws_again(catch.variable, &catch.body)).collect();
                if catches.is_empty() || !may_throw(&body) {
                    result.extend(body);
                } else {
                    result.push(Node::Try { body, catches });
                }
            }
            other => result.push(other),
        }
        if result.last().is_some_and(|node| !node.completes()) {
            break;
        }
    }
    result
}

fn choice(ways: Vec<Vec<Node>>) -> Vec<Node> {
    let mut all: Vec<Vec<Node>> = Vec::new();
    for mut way in ways {
        let inner = match &mut way[..] {
            [Node::Choice(inner)] => std::mem::take(inner),
            _ => vec![way],
        };
        for way in inner {
            if !all.contains(&way) {
                all.push(way);
            }
        }
    }
    match all.len() {
        0 => Vec::new(),
        1 => all.remove(0),
        _ => {
            // The empty branch comes last, where it need not be written.
            all.sort_by_key(|way| way.is_empty());
            vec![Node::Choice(all)]
        }
    }
}

fn block(label: Label, mut body: Vec<Node>) -> Vec<Node> {
    strip(&mut body, &Node::Break(label));
    let Some(first) = body.iter().position(|node| node.mentions(label)) else { return body };
    let mut rest = body.split_off(first);
    if let [Node::Loop { label: inner, .. }] = rest[..] {
        retarget(&mut rest, label, inner);
        body.extend(rest);
    } else {
        body.push(Node::Block { label, body: rest });
    }
    body
}

/// A loop, or its body if no path runs through it twice.
fn repeated(label: Label, mut body: Vec<Node>) -> Node {
    strip(&mut body, &Node::Continue(label));
    let goes_back = |node: &Node| continues(node, label);
    if completes(&body) || body.iter().any(goes_back) {
        Node::Loop { label, body }
    } else {
        Node::Block { label, body }
    }
}

/// Returns whether a statement inside jumps to the start of the loop.
pub fn continues(node: &Node, label: Label) -> bool {
    match node {
        Node::Continue(target) => *target == label,
        _ => node.bodies().into_iter().flatten().any(|node| continues(node, label)),
    }
}

/// Removes jumps at the end that lead where control goes anyway.
fn strip(body: &mut Vec<Node>, jump: &Node) {
    while body.last() == Some(jump) {
        body.pop();
    }
    match (body.last_mut(), jump) {
        (Some(Node::Loop { label, body }), Node::Break(outer)) => retarget(body, *outer, *label),
        (Some(node @ (Node::Choice(_) | Node::Block { .. } | Node::Try { .. })), _) => {
            node.bodies_mut().into_iter().for_each(|inner| strip(inner, jump));
        }
        _ => {}
    }
}

fn retarget(body: &mut [Node], from: Label, to: Label) {
    for node in body {
        if *node == Node::Break(from) {
            *node = Node::Break(to);
        }
        node.bodies_mut().into_iter().for_each(|inner| retarget(inner, from, to));
    }
}

fn only_throws_again(variable: usize, body: &[Node]) -> bool {
    let caught = Expression::variable(variable).text;
    matches!(body, [Node::Throw(thrown)] if thrown.text == caught || thrown.text.ends_with(&format!(">thrown({caught})")))
}

fn may_throw(body: &[Node]) -> bool {
    body.iter().any(|node| match node {
        Node::Statement(statement) => statement.may_throw,
        Node::Throw(_) => true,
        Node::Return(value) => value.as_ref().is_some_and(Expression::calls),
        _ => node.bodies().into_iter().any(|inner| may_throw(inner)),
    })
}

/// Removes the `else` after an `if` branch that does not complete.
fn flattened(body: Vec<Node>) -> Vec<Node> {
    let mut result = Vec::with_capacity(body.len());
    for mut node in body {
        for inner in node.bodies_mut() {
            *inner = flattened(std::mem::take(inner));
        }
        let Node::Choice(mut ways) = node else {
            result.push(node);
            continue;
        };
        let completing: Vec<usize> = (0..ways.len()).filter(|way| completes(&ways[*way])).collect();
        let outside = match completing[..] {
            [] => ways.pop(),
            [only] if !ways[only].is_empty() => Some(ways.remove(only)),
            _ => None,
        };
        if outside.is_some() {
            ways.push(Vec::new());
        }
        result.push(Node::Choice(ways));
        result.extend(outside.unwrap_or_default());
    }
    result
}

/// The number of reads of a variable anywhere in the body.
pub fn reads(body: &[Node], variable: usize) -> usize {
    let mut count = 0;
    each_expression(body, &mut |expression| count += expression.count(variable));
    count
}
