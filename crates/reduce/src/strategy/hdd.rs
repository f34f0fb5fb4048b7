//! Hierarchical delta debugging (Misherghi and Su, ICSE 2006): level by level over the item tree,
//! from the outside in.
//!
//! On each level, items are removed in groups, and a group that cannot be removed is cut in two.
//! This takes about `2 k log(n / k)` tests when `k` of `n` items must stay. Removing an item also
//! removes everything that depends on it.

use super::prune::Pruner;
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Remover, Var, VarSet};

/// Hierarchical delta debugging: level by level, from the outermost items inwards.
pub struct Hdd;

impl Strategy for Hdd {
    fn name(&self) -> &'static str {
        "hdd"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut pruner = Pruner::new(Remover::new(space.reasoner(), space.start().clone()), oracle);
        for level in levels(space) {
            let present: Vec<Var> = level.into_iter().filter(|&var| pruner.current().contains(var)).collect();
            pruner.sweep(&present, present.len())?;
        }
        Ok(pruner.into_current())
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Hdd))
    }
}

/// The start's items by depth: the number of their ancestors that are in the start.
fn levels(space: &Space<'_>) -> Vec<Vec<Var>> {
    let mut depth: Vec<Option<usize>> = vec![None; space.items().len()];
    let mut levels: Vec<Vec<Var>> = Vec::new();
    for var in space.start_items() {
        let depth = depth_of(space, var, &mut depth);
        if levels.len() <= depth {
            levels.resize_with(depth + 1, Vec::new);
        }
        levels[depth].push(var);
    }
    levels
}

/// Walks up to the nearest ancestor whose depth is known, then fills in the depths on the way down.
fn depth_of(space: &Space<'_>, var: Var, known: &mut [Option<usize>]) -> usize {
    let inside = |ancestor: Var, depth: usize| depth + usize::from(space.start().contains(ancestor));
    let mut path = Vec::new();
    let mut next = Some(var);
    while let Some(current) = next
        && known[current.index()].is_none()
        // A cycle of parents is a bug of the model; its items count as one level.
        && path.len() < space.items().len()
    {
        path.push(current);
        next = space.items()[current.index()].parent;
    }
    let mut depth = next.and_then(|top| Some(inside(top, known[top.index()]?))).unwrap_or(0);
    for current in path.into_iter().rev() {
        known[current.index()] = Some(depth);
        depth = inside(current, depth);
    }
    known[var.index()].unwrap_or(0)
}
