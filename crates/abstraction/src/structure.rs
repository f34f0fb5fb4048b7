//! Conversion of graphs to trees along the dominator tree (thesis §6.3; the scheme of Ramsey,
//! "Beyond Relooper", ICFP 2022).
//!
//! A block is written inside the block that dominates it. A block with several predecessors comes
//! behind a labelled block, which these predecessors leave by `break`. Loops and protected parts
//! get a block of their own in front, with an additional edge to the block at which they continue.
//! That block is therefore dominated by the new one and comes behind it, not inside. Graphs whose
//! loops have several entries have no such form and can only become a dispatcher.

use crate::graph::{End, Graph};
use crate::tree::{Catch, Node};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// The graph as statements, with block numbers as labels; `None` if some loop has several entries.
pub fn structure(graph: &Graph) -> Option<Vec<Node>> {
    let plain = Shape::of(graph.clone());
    let looped = plain.is_reducible().then(|| Shape::of(with_loops(&plain)))?;
    looped.is_reducible().then(|| looped.tree(looped.graph.entry))
}

/// The graph as a loop that runs one block after the other by number. A protected part must be a
/// single block.
pub fn dispatcher(graph: &Graph) -> Vec<Node> {
    let label = graph.blocks.len();
    let mut order = graph.reverse_postorder();
    let inlined: BTreeSet<usize> = order.iter().filter_map(|block| protected_block(graph, *block)).collect();
    order.retain(|block| !inlined.contains(block));
    let case_of = |block: usize| order.iter().position(|other| *other == block).unwrap_or(0);
    let go = |block: usize| Node::GoTo { label, case: case_of(block) };
    let cases = order.iter().map(|block| case(graph, *block, &go)).collect();
    vec![Node::Dispatch { label, cases }]
}

/// A graph with its dominators.
struct Shape {
    graph: Graph,
    /// The rank of each block in reverse postorder. `None` for unreachable blocks.
    rank: Vec<Option<usize>>,
    order: Vec<usize>,
    dominators: Dominators<NodeIndex>,
    /// The blocks that each block immediately dominates.
    below: Vec<Vec<usize>>,
    /// Whether each block has several predecessors, not counting back edges.
    merges: Vec<bool>,
    /// Whether each block is the target of a back edge.
    headers: Vec<bool>,
}

impl Shape {
    fn of(graph: Graph) -> Shape {
        let order = graph.reverse_postorder();
        let mut rank = vec![None; graph.blocks.len()];
        order.iter().enumerate().for_each(|(place, block)| rank[*block] = Some(place));
        let dominators = simple_fast(&as_petgraph(&graph), NodeIndex::new(graph.entry));
        let mut below = vec![Vec::new(); graph.blocks.len()];
        for block in order.iter().copied() {
            if let Some(above) = dominators.immediate_dominator(NodeIndex::new(block)) {
                below[above.index()].push(block);
            }
        }
        let (mut forward, mut headers) = (vec![0; graph.blocks.len()], vec![false; graph.blocks.len()]);
        for from in order.iter().copied() {
            for to in graph.blocks[from].end.successors() {
                if rank[to] > rank[from] { forward[to] += 1 } else { headers[to] = true }
            }
        }
        let merges = forward.iter().map(|count| *count > 1).collect();
        Shape { graph, rank, order, dominators, below, merges, headers }
    }

    fn dominates(&self, above: usize, below: usize) -> bool {
        let above = NodeIndex::new(above);
        self.dominators.dominators(NodeIndex::new(below)).is_some_and(|mut chain| chain.any(|block| block == above))
    }

    /// Returns whether every back edge leads to a block that dominates its source.
    fn is_reducible(&self) -> bool {
        self.order.iter().all(|from| {
            let targets = self.graph.blocks[*from].end.successors();
            targets.into_iter().all(|to| self.rank[to] > self.rank[*from] || self.dominates(to, *from))
        })
    }

    /// The blocks of the loop that begins here: all from which a path leads back without passing
    /// its header.
    fn loop_of(&self, header: usize, predecessors: &[Vec<usize>]) -> BTreeSet<usize> {
        let mut inside = BTreeSet::from([header]);
        let is_back = |from: &usize| self.rank[*from].is_some() && self.rank[*from] >= self.rank[header];
        let mut pending: Vec<usize> = predecessors[header].iter().copied().filter(is_back).collect();
        while let Some(block) = pending.pop() {
            if inside.insert(block) {
                pending.extend(predecessors[block].iter().filter(|from| self.rank[**from].is_some()));
            }
        }
        inside
    }

    fn tree(&self, block: usize) -> Vec<Node> {
        let mut follow: Vec<usize> = self.below[block].iter().copied().filter(|child| self.merges[*child]).collect();
        follow.sort_by_key(|child| self.rank[*child]);
        let mut body = self.inside(block);
        for next in follow {
            body = vec![Node::Block { label: next, body }];
            body.extend(self.tree(next));
        }
        if self.headers[block] { vec![Node::Loop { label: block, body }] } else { body }
    }

    fn inside(&self, block: usize) -> Vec<Node> {
        let content = &self.graph.blocks[block];
        let mut body: Vec<Node> = content.statements.iter().cloned().map(Node::Statement).collect();
        match &content.end {
            End::Jump(targets) if targets.len() == 1 => body.extend(self.go(block, targets[0])),
            End::Jump(targets) => {
                body.push(Node::Choice(targets.iter().map(|target| self.go(block, *target)).collect()));
            }
            End::Return(value) => body.push(Node::Return(value.clone())),
            End::Throw(value) => body.push(Node::Throw(value.clone())),
            End::Try { body: protected, handlers, .. } => {
                let catches = handlers.iter().map(|handler| Catch {
                    class: handler.class.clone(),
                    variable: handler.variable,
                    body: self.go(block, handler.target),
                });
                body.push(Node::Try { body: self.go(block, *protected), catches: catches.collect() });
            }
            End::Loop { body: repeated, .. } => body.extend(self.go(block, *repeated)),
        }
        body
    }

    fn go(&self, from: usize, to: usize) -> Vec<Node> {
        if self.rank[to] <= self.rank[from] {
            vec![Node::Continue(to)]
        } else if self.merges[to] {
            vec![Node::Break(to)]
        } else {
            self.tree(to)
        }
    }
}

fn as_petgraph(graph: &Graph) -> DiGraph<(), ()> {
    let mut result = DiGraph::with_capacity(graph.blocks.len(), graph.blocks.len() * 2);
    let nodes: Vec<NodeIndex> = graph.blocks.iter().map(|_| result.add_node(())).collect();
    for (from, block) in graph.blocks.iter().enumerate() {
        block.end.successors().into_iter().for_each(|to| {
            result.add_edge(nodes[from], nodes[to], ());
        });
    }
    result
}

/// The predecessors of blocks, with edges from everything protected to the handlers. A loop that is
/// entered again from a handler thus includes the protected part.
fn with_throws(graph: &Graph) -> Vec<Vec<usize>> {
    let mut predecessors = graph.predecessors();
    for (index, block) in graph.blocks.iter().enumerate() {
        if let End::Try { handlers, .. } = &block.end {
            let inside = protected(graph, index);
            handlers.iter().for_each(|handler| predecessors[handler.target].extend(&inside));
        }
    }
    predecessors
}

/// The blocks of the part that a block protects, if it does.
fn protected(graph: &Graph, block: usize) -> BTreeSet<usize> {
    let End::Try { body, after, .. } = &graph.blocks[block].end else { return BTreeSet::new() };
    let (mut inside, mut pending) = (BTreeSet::new(), vec![*body]);
    while let Some(next) = pending.pop() {
        if !after.contains(&next) && inside.insert(next) {
            pending.extend(graph.blocks[next].end.successors());
        }
    }
    inside
}

/// The graph with a block in front of every loop that records where the loop continues.
fn with_loops(shape: &Shape) -> Graph {
    let mut graph = shape.graph.clone();
    let predecessors = with_throws(&shape.graph);
    for header in shape.order.iter().copied().filter(|block| shape.headers[*block]) {
        let inside = shape.loop_of(header, &predecessors);
        let after = exit_of(shape, header, &inside);
        let front = graph.add(Vec::new(), End::Loop { body: header, after });
        for (from, block) in graph.blocks.iter_mut().enumerate() {
            if from != front && !inside.contains(&from) {
                block.end.map(|target| if target == header { front } else { target });
            }
        }
        if graph.entry == header {
            graph.entry = front;
        }
    }
    graph
}

/// The block at which a loop continues: where its header leaves it, else where most of its blocks
/// do. A block that ends the method reads better where it is.
fn exit_of(shape: &Shape, header: usize, inside: &BTreeSet<usize>) -> Option<usize> {
    // Parts protected inside the loop must not leave it.
    let bound: BTreeSet<usize> = inside.iter().flat_map(|block| protected(&shape.graph, *block)).collect();
    let can_be = |to: &usize| !inside.contains(to) && !bound.contains(to) && shape.rank[*to] > shape.rank[header];
    let leaves = |from: usize| shape.graph.blocks[from].end.successors().into_iter().filter(can_be);
    if let Some(exit) = leaves(header).next() {
        return Some(exit);
    }
    let exits: Vec<usize> = inside.iter().flat_map(|from| leaves(*from)).collect();
    let goes_on = |exit: &usize| !shape.graph.blocks[*exit].end.successors().is_empty();
    let score = |exit: &usize| (goes_on(exit), exits.iter().filter(|other| *other == exit).count(), shape.rank[*exit]);
    exits.iter().copied().max_by_key(score)
}

/// The block with which a protected part begins; it is written where the part is.
fn protected_block(graph: &Graph, block: usize) -> Option<usize> {
    match graph.blocks[block].end {
        End::Try { body, .. } => Some(body),
        _ => None,
    }
}

fn case(graph: &Graph, block: usize, go: &dyn Fn(usize) -> Node) -> Vec<Node> {
    let content = &graph.blocks[block];
    let mut body: Vec<Node> = content.statements.iter().cloned().map(Node::Statement).collect();
    body.push(match &content.end {
        End::Jump(targets) if targets.len() == 1 => go(targets[0]),
        End::Jump(targets) => Node::Choice(targets.iter().map(|target| vec![go(*target)]).collect()),
        End::Return(value) => Node::Return(value.clone()),
        End::Throw(value) => Node::Throw(value.clone()),
        End::Loop { body, .. } => go(*body),
        End::Try { body, handlers, .. } => Node::Try {
            body: case(graph, *body, go),
            catches: handlers
                .iter()
                .map(|handler| Catch {
                    class: handler.class.clone(),
                    variable: handler.variable,
                    body: vec![go(handler.target)],
                })
                .collect(),
        },
    });
    body
}

#[cfg(test)]
mod tests;
