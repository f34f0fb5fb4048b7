//! Which of the states that wait goes on next.

mod coverage_first;
mod fair;
mod plain;
mod tree;

pub use coverage_first::CoverageFirst;
pub use fair::Fair;
pub use plain::{BreadthFirst, DepthFirst};
pub use tree::Tree;

use crate::coverage::Coverage;
use crate::state::State;

/// Keeps the states that wait.
pub trait Search {
    fn add(&mut self, state: State);

    /// The next one to run, taken out.
    fn next(&mut self, coverage: &Coverage) -> Option<State>;

    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The names of all strategies, as a user gives them.
pub const NAMES: [&str; 5] = ["depth", "breadth", "tree", "coverage", "fair"];

/// The strategy of that name.
pub fn named(name: &str, seed: u64) -> Option<Box<dyn Search>> {
    Some(match name {
        "depth" => Box::new(DepthFirst::default()),
        "breadth" => Box::new(BreadthFirst::default()),
        "tree" => Box::new(Tree::new(seed)),
        "coverage" => Box::new(CoverageFirst::new(seed)),
        "fair" => Box::new(Fair::new(seed)),
        _ => return None,
    })
}

/// A small generator of numbers that look random; the same seed gives the same search.
pub(crate) struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below the bound, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
