//! Exception handlers in graphs: a protected part gets a block in front of it that lists its
//! handlers.
//!
//! A part with a single entry becomes one `try`. Any other part is protected block by block, which
//! behaves the same.

use crate::graph::{End, Graph, Handler};
use crate::tree::{Expression, Statement};
use std::collections::BTreeSet;

/// A range of the exception table.
pub struct Part {
    /// The protected blocks.
    pub blocks: BTreeSet<usize>,
    pub handlers: Vec<Handler>,
    /// The handlers that may run although nothing throws, after these statements, because something
    /// that might have thrown was left out.
    pub unseen: Vec<(Vec<Statement>, usize)>,
}

/// Inserts the parts into the graph, inner ones first. With `by_block`, every block is protected
/// separately.
pub fn protect(graph: &mut Graph, mut parts: Vec<Part>, by_block: bool) {
    let reached = reached(graph, &parts);
    parts.iter_mut().for_each(|part| part.blocks.retain(|block| reached.contains(block)));
    parts.sort_by_key(|part| part.blocks.len());
    // The blocks that are already protected, together with their protection: another `try` encloses
    // all of it.
    let mut protected: Vec<BTreeSet<usize>> = Vec::new();
    for index in 0..parts.len() {
        let blocks = parts[index].blocks.clone();
        let is_whole = !by_block && entrances(graph, &blocks).len() == 1;
        let pieces = if is_whole { vec![blocks.clone()] } else { pieces(&blocks, &protected) };
        for (number, piece) in pieces.into_iter().enumerate() {
            if number > 0 {
                copy_fronts(graph, &mut parts[index].handlers);
            }
            let Some(added) = protect_piece(graph, &piece, &parts[index]) else { continue };
            let fronts: Vec<usize> = parts[index].handlers.iter().map(|handler| handler.target).collect();
            for outer in parts[index + 1..].iter_mut().filter(|outer| blocks.is_subset(&outer.blocks)) {
                outer.blocks.extend(added.iter().copied());
                // A handler inside the outer part receives the exception there.
                let leads_inside = |front: &&usize| {
                    graph.blocks[**front].end.successors().iter().all(|next| outer.blocks.contains(next))
                };
                let inside: Vec<usize> = fronts.iter().filter(leads_inside).copied().collect();
                outer.blocks.extend(inside);
            }
            protected.push(piece.into_iter().chain(added).collect());
        }
    }
}

/// The blocks one by one, except that blocks protected together stay together.
fn pieces(blocks: &BTreeSet<usize>, protected: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    let mut rest = blocks.clone();
    let mut pieces = Vec::new();
    for together in protected.iter().rev() {
        if together.is_subset(&rest) {
            rest.retain(|block| !together.contains(block));
            pieces.push(together.clone());
        }
    }
    pieces.extend(rest.into_iter().map(|block| BTreeSet::from([block])));
    pieces
}

/// Copies the blocks that receive the exception. Each is inside the `catch` that declares it, so
/// several cannot share one.
fn copy_fronts(graph: &mut Graph, handlers: &mut [Handler]) {
    for handler in handlers {
        let front = graph.blocks[handler.target].clone();
        handler.target = graph.add(front.statements, front.end);
    }
}

/// The reachable blocks, including those reached by exceptions. Others would add paths that are
/// never taken.
fn reached(graph: &Graph, parts: &[Part]) -> BTreeSet<usize> {
    let (mut seen, mut pending) = (BTreeSet::new(), vec![graph.entry]);
    while let Some(block) = pending.pop() {
        if seen.insert(block) {
            pending.extend(graph.blocks[block].end.successors());
            for part in parts.iter().filter(|part| part.blocks.contains(&block)) {
                pending.extend(part.handlers.iter().map(|handler| handler.target));
                pending.extend(part.unseen.iter().map(|(_, target)| *target));
            }
        }
    }
    seen
}

/// The blocks through which control enters.
fn entrances(graph: &Graph, inside: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> = inside.iter().copied().filter(|block| *block == graph.entry).collect();
    for (_, block) in graph.blocks.iter().enumerate().filter(|(index, _)| !inside.contains(index)) {
        found.extend(block.end.successors().into_iter().filter(|target| inside.contains(target)));
    }
    found
}

/// Protects blocks with a single entry. Returns the new blocks.
fn protect_piece(graph: &mut Graph, inside: &BTreeSet<usize>, part: &Part) -> Option<Vec<usize>> {
    let entrance = entrances(graph, inside).pop_first()?;
    let may_throw = inside.iter().any(|block| {
        let block = &graph.blocks[*block];
        let ends_so = match &block.end {
            End::Throw(_) => true,
            End::Return(value) => value.as_ref().is_some_and(Expression::calls),
            _ => false,
        };
        ends_so || block.statements.iter().any(|statement| statement.may_throw)
    });
    let mut added = Vec::new();
    let mut target = entrance;
    if may_throw && !part.handlers.is_empty() {
        let after = inside.iter().flat_map(|block| graph.blocks[*block].end.successors());
        let after = after.filter(|block| !inside.contains(block)).collect::<BTreeSet<_>>().into_iter().collect();
        target = graph.add(Vec::new(), End::Try { body: entrance, handlers: part.handlers.clone(), after });
        added.push(target);
    }
    if !part.unseen.is_empty() {
        let mut ways = vec![target];
        for (steps, handler) in &part.unseen {
            let way = graph.add(steps.clone(), End::Jump(vec![*handler]));
            added.push(way);
            ways.push(way);
        }
        target = graph.add(Vec::new(), End::Jump(ways));
        added.push(target);
    }
    let is_single = inside.len() == 1;
    for (index, block) in graph.blocks.iter_mut().enumerate() {
        if !added.contains(&index) && (is_single || !inside.contains(&index)) {
            block.end.map(|next| if next == entrance { target } else { next });
        }
    }
    if graph.entry == entrance {
        graph.entry = target;
    }
    Some(added)
}
