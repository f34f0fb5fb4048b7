//! Data that merging keeps between steps.

use crate::state::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// The last decision, and the join points of each method.
#[derive(Default)]
pub struct Merging {
    /// The path just before the present instruction decided anything.
    pub before: Option<Path>,
    pub merged: u64,
    /// The join points, by method number.
    pub(super) joins: HashMap<u32, Rc<[Option<usize>]>>,
}
