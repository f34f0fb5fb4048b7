//! Method bodies as graphs: blocks of statements, and their successors.
//!
//! Block 0 is the start of the body, unless it was moved: see [`Graph::entry`].

use crate::tree::{Expression, Statement, Variable};

/// The control flow of a method body: basic blocks, and the one that runs first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    pub blocks: Vec<Block>,
    pub entry: usize,
}

/// Statements that run one after the other, and how the last one ends the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub end: End,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Control goes to one of these blocks, each listed once.
    Jump(Vec<usize>),
    Return(Option<Expression>),
    Throw(Expression),
    /// Control goes to `body`, and from there to the handler that catches what is thrown. `after`
    /// lists the blocks at which control continues behind the protected part, and which therefore
    /// must not become part of it; control does not go there directly.
    Try {
        body: usize,
        handlers: Vec<Handler>,
        after: Vec<usize>,
    },
    /// Control goes to `body`, which is repeated. `after` is the block at which control continues
    /// behind the loop, if any. It must not become part of the loop.
    Loop {
        body: usize,
        after: Option<usize>,
    },
}

/// An exception handler: the class it catches, the variable it sets, the block it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    pub class: String,
    pub variable: Variable,
    pub target: usize,
}

impl End {
    /// The blocks that may run next, and those that must stay outside.
    pub fn successors(&self) -> Vec<usize> {
        match self {
            End::Jump(targets) => targets.clone(),
            End::Return(_) | End::Throw(_) => Vec::new(),
            End::Try { body, handlers, after } => {
                let handlers = handlers.iter().map(|handler| handler.target);
                std::iter::once(*body).chain(handlers).chain(after.iter().copied()).collect()
            }
            End::Loop { body, after } => std::iter::once(*body).chain(*after).collect(),
        }
    }

    pub fn map(&mut self, mut new: impl FnMut(usize) -> usize) {
        match self {
            End::Jump(targets) => {
                targets.iter_mut().for_each(|target| *target = new(*target));
                remove_repeated(targets);
            }
            End::Return(_) | End::Throw(_) => {}
            End::Try { body, handlers, after } => {
                *body = new(*body);
                handlers.iter_mut().for_each(|handler| handler.target = new(handler.target));
                after.iter_mut().for_each(|target| *target = new(*target));
                remove_repeated(after);
            }
            End::Loop { body, after } => {
                *body = new(*body);
                after.iter_mut().for_each(|target| *target = new(*target));
            }
        }
    }
}

impl Graph {
    pub fn add(&mut self, statements: Vec<Statement>, end: End) -> usize {
        self.blocks.push(Block { statements, end });
        self.blocks.len() - 1
    }

    /// The predecessors of each block, with multiplicity.
    pub fn predecessors(&self) -> Vec<Vec<usize>> {
        let mut result = vec![Vec::new(); self.blocks.len()];
        for (index, block) in self.blocks.iter().enumerate() {
            block.end.successors().into_iter().for_each(|target| result[target].push(index));
        }
        result
    }

    /// The reachable blocks in reverse postorder.
    pub fn reverse_postorder(&self) -> Vec<usize> {
        let mut seen = vec![false; self.blocks.len()];
        let mut done = Vec::new();
        let mut pending = vec![(self.entry, self.blocks[self.entry].end.successors())];
        seen[self.entry] = true;
        while let Some((block, rest)) = pending.last_mut() {
            match rest.pop() {
                Some(next) if !std::mem::replace(&mut seen[next], true) => {
                    let successors = self.blocks[next].end.successors();
                    pending.push((next, successors));
                }
                Some(_) => {}
                None => {
                    done.push(*block);
                    pending.pop();
                }
            }
        }
        done.reverse();
        done
    }

    /// Removes blocks that do nothing, and choices that make no difference.
    pub fn shorten(&mut self) {
        while self.skip_empty_blocks() | self.drop_idle_loops() | self.join_choices() | self.join_chains() {}
    }

    fn skip_empty_blocks(&mut self) -> bool {
        let forward: Vec<Option<usize>> =
            self.blocks.iter().enumerate().map(|(index, block)| only_target(index, block)).collect();
        let resolve = |start: usize| {
            let mut at = start;
            for _ in 0..forward.len() {
                match forward[at] {
                    Some(next) if next != start => at = next,
                    _ => break,
                }
            }
            at
        };
        let before = self.clone();
        self.blocks.iter_mut().for_each(|block| block.end.map(resolve));
        self.entry = resolve(self.entry);
        *self != before
    }

    /// Joins a choice with another one that is its only predecessor.
    fn join_choices(&mut self) -> bool {
        let predecessors = self.predecessors();
        for from in 0..self.blocks.len() {
            let End::Jump(targets) = self.blocks[from].end.clone() else { continue };
            for (place, inner) in targets.iter().copied().enumerate().filter(|_| targets.len() > 1) {
                let block = &self.blocks[inner];
                let is_inner = inner != from
                    && inner != self.entry
                    && predecessors[inner] == [from]
                    && block.statements.is_empty();
                let End::Jump(further) = block.end.clone() else { continue };
                if is_inner && further.len() > 1 {
                    let mut all = targets.clone();
                    all.splice(place..=place, further);
                    remove_repeated(&mut all);
                    self.blocks[from].end = End::Jump(all);
                    self.blocks[inner].end = End::Jump(vec![inner]);
                    return true;
                }
            }
        }
        false
    }

    /// Joins a block with its only predecessor, if that has no other successor.
    fn join_chains(&mut self) -> bool {
        let predecessors = self.predecessors();
        for from in 0..self.blocks.len() {
            let End::Jump(targets) = &self.blocks[from].end else { continue };
            let [next] = targets[..] else { continue };
            if next != from && next != self.entry && predecessors[next] == [from] {
                let end = std::mem::replace(&mut self.blocks[next].end, End::Jump(vec![next]));
                let statements = std::mem::take(&mut self.blocks[next].statements);
                self.blocks[from].statements.extend(statements);
                self.blocks[from].end = end;
                return true;
            }
        }
        false
    }

    /// Removes self-loops of blocks that do nothing.
    fn drop_idle_loops(&mut self) -> bool {
        let mut has_changed = false;
        for (index, block) in self.blocks.iter_mut().enumerate() {
            if let End::Jump(targets) = &mut block.end
                && block.statements.is_empty()
                && targets.len() > 1
                && targets.contains(&index)
            {
                targets.retain(|target| *target != index);
                has_changed = true;
            }
        }
        has_changed
    }
}

fn only_target(index: usize, block: &Block) -> Option<usize> {
    match &block.end {
        End::Jump(targets) if block.statements.is_empty() && targets.len() == 1 && targets[0] != index => {
            Some(targets[0])
        }
        _ => None,
    }
}

fn remove_repeated(targets: &mut Vec<usize>) {
    let mut seen = Vec::with_capacity(targets.len());
    targets.retain(|target| {
        !seen.contains(target) && {
            seen.push(*target);
            true
        }
    });
}
