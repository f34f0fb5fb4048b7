//! Search strategies: which waiting state runs next.

mod coverage_first;
mod fair;
mod plain;
mod table;
mod tree;

pub use coverage_first::CoverageFirst;
pub use fair::Fair;
pub use plain::{BreadthFirst, DepthFirst};
pub use table::{NAMES, named};
pub use tree::Tree;

use crate::coverage::Coverage;
use crate::state::State;

/// Holds the waiting states.
pub trait Search {
    fn add(&mut self, state: State);

    /// Removes and returns the state to run next.
    fn next(&mut self, coverage: &Coverage) -> Option<State>;

    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A small pseudorandom generator; the same seed gives the same search.
pub(crate) struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below the bound, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
