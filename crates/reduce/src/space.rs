//! The search space of a strategy: the items, the constraint, and a candidate known to be
//! interesting.

use crate::Item;
use lapidary_logic::{Cnf, Pick, Reasoner, Var, VarSet, to_graph};

/// The search space of one pass of a strategy. All candidates are subsets of
/// [`start`](Space::start).
pub struct Space<'a> {
    items: &'a [Item],
    reasoner: &'a Reasoner,
    start: VarSet,
    seed: u64,
}

impl<'a> Space<'a> {
    /// Creates a space. `start` must satisfy the reasoner's formula, unless the strategy is
    /// `ddmin`, which ignores it.
    pub fn new(items: &'a [Item], reasoner: &'a Reasoner, start: VarSet) -> Self {
        Space { items, reasoner, start, seed: 0 }
    }

    /// Sets the seed for random choices.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The items.
    pub fn items(&self) -> &'a [Item] {
        self.items
    }

    /// The formula that every valid candidate satisfies.
    pub fn constraint(&self) -> &'a Cnf {
        self.reasoner.cnf()
    }

    /// The reasoner about the formula.
    pub fn reasoner(&self) -> &'a Reasoner {
        self.reasoner
    }

    /// The variables to start from, known to be interesting.
    pub fn start(&self) -> &VarSet {
        &self.start
    }

    /// The seed for random choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of variables, auxiliary ones included.
    pub fn universe(&self) -> usize {
        self.constraint().variables()
    }

    /// Whether a variable is an item rather than an auxiliary variable.
    pub fn is_item(&self, var: Var) -> bool {
        var.index() < self.items.len()
    }

    /// The items of the start in order, without auxiliary variables.
    pub fn start_items(&self) -> Vec<Var> {
        self.start.iter().filter(|&var| self.is_item(var)).collect()
    }

    /// A copy of this space that starts from another candidate known to be interesting.
    pub fn starting_at(&self, start: VarSet) -> Space<'a> {
        Space::new(self.items, self.reasoner, start).with_seed(self.seed)
    }

    /// The valid candidate with exactly these items, if there is one.
    pub fn valid(&self, items: &VarSet) -> Option<VarSet> {
        self.reasoner.complete(items, self.items.len())
    }

    /// The constraint inside the start as a dependency graph, with one edge for every clause (PLDI
    /// 2021, section 4.3). All solutions of the graph inside the start are valid. If the constraint
    /// is a graph already, no solution is lost.
    pub fn graph(&self, pick: Pick) -> Cnf {
        to_graph(&self.constraint().within(&self.start), pick)
    }

    /// The total cost of the kept items in bytes.
    pub fn cost(&self, keep: &VarSet) -> u64 {
        keep.iter().map_while(|var| self.items.get(var.index())).map(|item| item.cost).sum()
    }
}
