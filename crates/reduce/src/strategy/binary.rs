//! Binary Reduction (FSE 2019, section 4). Finds the shortest interesting prefix of a sorted list
//! of closures by bisection, keeps its last closure for good, sorts the closures before it again,
//! and repeats.

use super::closure::{Closures, union};
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::VarSet;

/// How to measure the cost of a union of closures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// Every item counts one.
    #[default]
    Items,
    /// Items count their bytes.
    Bytes,
}

/// Binary reduction over closures.
#[derive(Clone, Default)]
pub struct Binary {
    /// The cost to minimise.
    pub cost: Cost,
}

impl Strategy for Binary {
    fn name(&self) -> &'static str {
        match self.cost {
            Cost::Items => "binary",
            Cost::Bytes => "binary-bytes",
        }
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let Closures { required: mut kept, closures: mut rest } = Closures::of(space);
        // Invariant: `kept` united with all of `rest` is interesting.
        while !rest.is_empty() && !oracle.test(&kept)? {
            self.sort(space, &kept, &mut rest);
            let last = oracle.bisect(0, rest.len(), &|length| union(&kept, &rest[..length]))?;
            kept.union_with(&rest[last - 1]);
            rest.truncate(last - 1);
        }
        Ok(kept)
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(self.clone()))
    }
}

impl Binary {
    /// Sorts closures by the cost each would add to what is already kept. The sort is stable.
    fn sort(&self, space: &Space<'_>, kept: &VarSet, rest: &mut [VarSet]) {
        rest.sort_by_cached_key(|closure| match self.cost {
            Cost::Items => closure.minus(kept).len() as u64,
            Cost::Bytes => space.cost(&closure.minus(kept)),
        });
    }
}
