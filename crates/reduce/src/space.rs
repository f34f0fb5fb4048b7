//! Where a strategy searches: the items, the constraint, and a candidate that is known to be interesting.

use crate::Item;
use lapidary_logic::{Cnf, Pick, Reasoner, Var, VarSet, to_graph};

/// The search space of one pass of a strategy. All candidates are subsets of [`start`](Space::start).
pub struct Space<'a> {
    items: &'a [Item],
    reasoner: &'a Reasoner,
    start: VarSet,
    seed: u64,
}

impl<'a> Space<'a> {
    /// `start` must satisfy the reasoner's formula, unless the strategy is `ddmin`, which looks at no formula.
    pub fn new(items: &'a [Item], reasoner: &'a Reasoner, start: VarSet) -> Self {
        Space { items, reasoner, start, seed: 0 }
    }

    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    pub fn items(&self) -> &'a [Item] {
        self.items
    }

    pub fn constraint(&self) -> &'a Cnf {
        self.reasoner.cnf()
    }

    pub fn reasoner(&self) -> &'a Reasoner {
        self.reasoner
    }

    pub fn start(&self) -> &VarSet {
        &self.start
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of variables, auxiliary ones included.
    pub fn universe(&self) -> usize {
        self.constraint().variables()
    }

    pub fn is_item(&self, var: Var) -> bool {
        var.index() < self.items.len()
    }

    /// The items of the start, in order; auxiliary variables left out.
    pub fn start_items(&self) -> Vec<Var> {
        self.start.iter().filter(|&var| self.is_item(var)).collect()
    }

    /// The same space, from another known interesting candidate.
    pub fn starting_at(&self, start: VarSet) -> Space<'a> {
        Space::new(self.items, self.reasoner, start).with_seed(self.seed)
    }

    /// The valid candidate with exactly these items, if there is one.
    pub fn valid(&self, items: &VarSet) -> Option<VarSet> {
        self.reasoner.complete(items, self.items.len())
    }

    /// The constraint inside the start as a dependency graph: every clause as one edge (PLDI 2021, section 4.3). All
    /// solutions of the graph inside the start are valid; a graph loses nothing.
    pub fn graph(&self, pick: Pick) -> Cnf {
        to_graph(&self.constraint().within(&self.start), pick)
    }

    /// The bytes of the items themselves.
    pub fn cost(&self, keep: &VarSet) -> u64 {
        keep.iter().map_while(|var| self.items.get(var.index())).map(|item| item.cost).sum()
    }
}
