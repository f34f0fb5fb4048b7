//! Generalized Binary Reduction from below.
//!
//! Bisection starts in the middle of a progression and trusts that whatever holds an interesting candidate is interesting.
//! Where that is not so (a program that fails earlier when more of it is there) it passes over small candidates. Here the
//! prefixes of a progression are tried from the shortest on, in steps that grow, and only between the last that was not
//! interesting and the first that was is bisected. That takes more tests where much is needed.

use super::gbr::Search;
use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::VarSet;
use std::iter::successors;

#[derive(Default)]
pub struct Gallop;

impl Strategy for Gallop {
    fn name(&self) -> &'static str {
        "gallop"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut search = Search::new(space.reasoner(), space.start());
        while search.round_from_below(oracle, steps)?.is_some() {}
        Ok(search.within)
    }
}

/// The lengths that are tried below a limit: 1, 2, 3, 4, 6, 9, 13 and so on.
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
