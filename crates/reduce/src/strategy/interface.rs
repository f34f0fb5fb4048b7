//! The contract between a search and the session that runs it: a [`Strategy`] asks an [`Oracle`]
//! about candidates and returns a smaller one, or the reason why it had to [`Stop`].

use crate::Space;
use lapidary_logic::VarSet;
use thiserror::Error;

/// Why a strategy ended early. The session keeps the best candidate found so far.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Stop {
    /// The budget is used up.
    #[error("the budget is used up")]
    Budget,
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The user asked to leave the stage; the run goes on with the next one.
    #[error("the stage was skipped")]
    Skipped,
    /// The input is too large for the strategy.
    #[error("{0}")]
    TooLarge(String),
    /// The run cannot go on, for this reason.
    #[error("{0}")]
    Failed(String),
}

/// A search for a smaller interesting candidate. `space.start()` is already known to be
/// interesting.
pub trait Strategy: Send + Sync {
    /// The name users choose it by.
    fn name(&self) -> &'static str;

    /// Returns an interesting subset of `space.start()`.
    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop>;

    /// A copy that would ask what this one would, and from whose runs this one learns nothing. With
    /// many jobs, copies run ahead with assumed answers to find out what to test next. Without them
    /// (`None`), only the candidates of one call are tested at once.
    fn fork(&self) -> Option<Box<dyn Strategy>> {
        None
    }
}

/// Answers whether candidates are interesting. The provided methods define the answers by testing
/// one candidate after another. A session overrides them to run tests in parallel, with the same
/// answers.
pub trait Oracle {
    /// Whether the candidate that keeps these variables is interesting.
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

    /// Tests every candidate and returns the answers in order.
    fn each(&mut self, candidates: &[VarSet]) -> Result<Vec<bool>, Stop> {
        candidates.iter().map(|candidate| self.test(candidate)).collect()
    }

    /// Finds by bisection an index whose candidate is interesting and whose predecessor is not. The
    /// candidate at `low` is known not to be interesting, the one at `high` is known to be.
    fn bisect(&mut self, low: usize, high: usize, candidate: &(dyn Fn(usize) -> VarSet + Sync)) -> Result<usize, Stop> {
        bisect_one_by_one(low, high, &mut |index| self.test(&candidate(index)))
    }
}

/// Plain bisection that asks one question at a time.
fn bisect_one_by_one(
    mut low: usize,
    mut high: usize,
    interesting: &mut dyn FnMut(usize) -> Result<bool, Stop>,
) -> Result<usize, Stop> {
    while let Some(middle) = midpoint(low, high) {
        match interesting(middle)? {
            true => high = middle,
            false => low = middle,
        }
    }
    Ok(high)
}

/// The index a bisection between `low` and `high` tries next.
pub(crate) fn midpoint(low: usize, high: usize) -> Option<usize> {
    (high - low > 1).then(|| low + (high - low).div_ceil(2))
}
