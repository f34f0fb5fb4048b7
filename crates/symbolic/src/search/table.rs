//! The strategies by name.

use super::{BreadthFirst, CoverageFirst, DepthFirst, Fair, Search, Tree};

/// The names of all strategies, as users type them.
pub const NAMES: [&str; 5] = ["depth", "breadth", "tree", "coverage", "fair"];

/// The strategy with this name.
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
