//! Several strategies take turns (after Pex): where one is stuck in a loop, the next leads out of
//! it.

use super::{CoverageFirst, DepthFirst, Search, Tree};
use crate::coverage::Coverage;
use crate::state::State;

/// Lets several strategies take turns.
pub struct Fair {
    turns: Vec<Box<dyn Search>>,
    adds_to: usize,
    takes_from: usize,
}

impl Fair {
    pub fn new(seed: u64) -> Fair {
        let turns: Vec<Box<dyn Search>> =
            vec![Box::new(CoverageFirst::new(seed)), Box::new(Tree::new(seed)), Box::new(DepthFirst::default())];
        Fair { turns, adds_to: 0, takes_from: 0 }
    }
}

impl Search for Fair {
    /// Adds each state to one of the strategies, in turn.
    fn add(&mut self, state: State) {
        self.turns[self.adds_to].add(state);
        self.adds_to = (self.adds_to + 1) % self.turns.len();
    }

    fn next(&mut self, coverage: &Coverage) -> Option<State> {
        for _ in 0..self.turns.len() {
            let turn = self.takes_from;
            self.takes_from = (turn + 1) % self.turns.len();
            if let Some(state) = self.turns[turn].next(coverage) {
                return Some(state);
            }
        }
        None
    }

    fn len(&self) -> usize {
        self.turns.iter().map(|search| search.len()).sum()
    }
}
