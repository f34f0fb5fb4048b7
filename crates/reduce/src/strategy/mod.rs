//! Strategies: how to search among the valid candidates. One file each; none knows what the items are.

mod binary;
mod chain;
mod closure;
mod ddmin;
mod exhaustive;
mod gallop;
mod gbr;
mod gbr_hdd;
mod hdd;
mod polish;
mod probdd;
mod prune;
mod verify;
mod windows;

pub use binary::{Binary, Cost};
pub use chain::Chain;
pub use closure::Closure;
pub use ddmin::Ddmin;
pub use exhaustive::Exhaustive;
pub use gallop::Gallop;
pub use gbr::{Encoding, Gbr};
pub use gbr_hdd::GbrHdd;
pub use hdd::Hdd;
pub use polish::{Polish, Sweep};
pub use probdd::ProbDd;
pub use verify::Verify;
pub use windows::{PolishWindows, Windows};

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
    /// The strategy cannot cope with so large an input.
    #[error("{0}")]
    TooLarge(String),
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
    fn bisect(&mut self, low: usize, high: usize, candidate: &(dyn Fn(usize) -> VarSet + Sync)) -> Result<usize, Stop> {
        bisect_one_by_one(low, high, &mut |index| self.test(&candidate(index)))
    }
}

/// The plain bisection, one question after the other.
pub(crate) fn bisect_one_by_one(
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

/// Every strategy by name, with a line that says what it does.
pub const NAMES: &[(&str, &str)] = &[
    ("ddmin", "delta debugging: subsets, then complements; knows no validity"),
    ("verify", "ddmin that skips invalid candidates"),
    ("closure", "ddmin over closures of the dependency graph, sorted by size"),
    ("binary", "Binary Reduction over closures, cost = number of items"),
    ("binary-bytes", "Binary Reduction over closures, cost = bytes"),
    ("gbr", "Generalized Binary Reduction"),
    ("gallop", "gbr from below: the shortest prefixes first, in growing steps"),
    ("gbr-hdd", "gbr as long as it takes away an item per test, then hdd"),
    ("lossy-first", "gbr on the graph from first premise to first conclusion"),
    ("lossy-last", "gbr on the graph from last premise to last conclusion"),
    ("hdd", "level by level over the item tree"),
    ("probdd", "probabilistic delta debugging"),
    ("exhaustive", "every valid candidate in order of size; for small inputs"),
    ("polish", "one item at a time until nothing goes"),
    ("windows", "every run of two to four neighbouring items"),
    ("gbr+polish", "gbr, then polish"),
    ("gbr-hdd+polish", "gbr-hdd, then polish"),
    ("hdd+polish", "hdd, then polish"),
    ("polish+windows", "polish and windows in turn until nothing goes"),
    ("hdd+polish+windows", "hdd, then polish and windows in turn"),
];

/// The strategy with one of [`NAMES`].
pub fn named(name: &str) -> Option<Box<dyn Strategy>> {
    let strategy: Box<dyn Strategy> = match name {
        "ddmin" => Box::new(Ddmin),
        "verify" => Box::new(Verify),
        "closure" => Box::new(Closure),
        "binary" => Box::new(Binary { cost: Cost::Items }),
        "binary-bytes" => Box::new(Binary { cost: Cost::Bytes }),
        "gbr" => Box::new(Gbr { encoding: Encoding::Exact }),
        "gallop" => Box::new(Gallop),
        "gbr-hdd" => Box::new(GbrHdd),
        "lossy-first" => Box::new(Gbr { encoding: Encoding::LossyFirst }),
        "lossy-last" => Box::new(Gbr { encoding: Encoding::LossyLast }),
        "hdd" => Box::new(Hdd),
        "probdd" => Box::new(ProbDd::default()),
        "exhaustive" => Box::new(Exhaustive { insists: true, ..Exhaustive::default() }),
        "polish" => Box::new(Polish),
        "windows" => Box::new(Windows),
        "gbr+polish" => chain("gbr+polish", &["gbr", "polish"]),
        "gbr-hdd+polish" => chain("gbr-hdd+polish", &["gbr-hdd", "polish"]),
        "hdd+polish" => chain("hdd+polish", &["hdd", "polish"]),
        "polish+windows" => Box::new(PolishWindows),
        "hdd+polish+windows" => chain("hdd+polish+windows", &["hdd", "polish+windows"]),
        _ => return None,
    };
    Some(strategy)
}

fn chain(name: &'static str, links: &[&str]) -> Box<dyn Strategy> {
    let links = links.iter().map(|link| named(link).expect("the links are names")).collect();
    Box::new(Chain { name, links })
}
