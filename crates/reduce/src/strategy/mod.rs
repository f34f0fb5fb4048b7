//! Strategies: how to search among the valid candidates. One file each; none knows what the items are.

use crate::Space;
use lapidary_logic::VarSet;
use thiserror::Error;

/// Why a strategy ended before it was done. The best candidate so far is kept by whoever runs it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Stop {
    #[error("the budget is used up")]
    Budget,
    #[error("interrupted")]
    Interrupted,
    #[error("{0}")]
    Failed(String),
}

/// A way to search. `space.start()` is already known to be interesting.
pub trait Strategy: Send + Sync {
    fn name(&self) -> &'static str;

    /// An interesting subset of `space.start()`.
    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop>;
}

/// Answers whether candidates are interesting. The provided methods say what the answers are, one test after another;
/// a session overrides them to run tests in parallel, with the same answers.
pub trait Oracle {
    fn test(&mut self, keep: &VarSet) -> Result<bool, Stop>;

    /// The first interesting candidate in order, with its position.
    fn first(&mut self, candidates: &mut dyn Iterator<Item = VarSet>) -> Result<Option<(usize, VarSet)>, Stop> {
        for (position, candidate) in candidates.enumerate() {
            if self.test(&candidate)? {
                return Ok(Some((position, candidate)));
            }
        }
        Ok(None)
    }

    /// The answer for every candidate.
    fn each(&mut self, candidates: &[VarSet]) -> Result<Vec<bool>, Stop> {
        candidates.iter().map(|candidate| self.test(candidate)).collect()
    }

    /// Bisects for an index whose candidate is interesting while the one before is not, between `low`, known not to be,
    /// and `high`, known to be.
    fn bisect(
        &mut self,
        mut low: usize,
        mut high: usize,
        candidate: &(dyn Fn(usize) -> VarSet + Sync),
    ) -> Result<usize, Stop> {
        while let Some(middle) = midpoint(low, high) {
            if self.test(&candidate(middle))? {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(high)
    }
}

/// The index a bisection between `low` and `high` tries next.
pub fn midpoint(low: usize, high: usize) -> Option<usize> {
    (high - low > 1).then(|| low + (high - low).div_ceil(2))
}
