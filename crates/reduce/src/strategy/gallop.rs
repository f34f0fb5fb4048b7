//! Generalized Binary Reduction from below.
//!
//! Bisection starts in the middle of a progression and assumes that every superset of an
//! interesting candidate is interesting. Where that does not hold, as for a program that fails
//! earlier when more of it is present, bisection misses small candidates. Galloping tries the
//! prefixes of a progression from the shortest on, in growing steps, and bisects only between the
//! last uninteresting prefix and the first interesting one. It takes more tests when many items are
//! needed.

use super::gbr::Search;
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::VarSet;
use std::iter::successors;

/// Generalized Binary Reduction that tries the prefixes of a progression from the shortest on.
#[derive(Clone, Default)]
pub struct Gallop {
    /// The length at which the search gives up and leaves longer prefixes to other strategies.
    pub reach: Option<usize>,
}

impl Strategy for Gallop {
    fn name(&self) -> &'static str {
        "gallop"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut search = Search::new(space.reasoner(), space.start());
        let lengths = |limit: usize| steps(limit.min(self.reach.unwrap_or(usize::MAX)));
        while search.round_from_below(oracle, lengths, self.reach.is_none())?.is_some() {}
        Ok(search.within)
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(self.clone()))
    }
}

/// The lengths to try below a limit: 1, 2, 3, 4, 6, 9, 13 and so on.
fn steps(limit: usize) -> Vec<usize> {
    successors(Some(1_usize), |length| Some(length + (length / 2).max(1)))
        .take_while(|length| *length < limit)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_by_half() {
        assert_eq!(steps(15), [1, 2, 3, 4, 6, 9, 13]);
        assert!(steps(1).is_empty());
    }
}
