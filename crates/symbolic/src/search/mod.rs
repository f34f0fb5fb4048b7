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
