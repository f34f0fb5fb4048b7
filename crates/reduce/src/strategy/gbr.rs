//! Generalized Binary Reduction (PLDI 2021, algorithm 1).
//!
//! Each round splits the search space into a progression whose every prefix is valid, finds the shortest interesting
//! prefix by bisection, and learns that some variable of its last set is needed. Outcomes that are already known (the
//! whole progression is interesting) are not tested again.

use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Pick, Reasoner, VarSet};

/// The formula the progressions are taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    #[default]
    Exact,
    /// Every clause as one edge, from its first premise to its first conclusion.
    LossyFirst,
    /// From the last premise to the last conclusion.
    LossyLast,
}

#[derive(Default)]
pub struct Gbr {
    pub encoding: Encoding,
}

impl Strategy for Gbr {
    fn name(&self) -> &'static str {
        match self.encoding {
            Encoding::Exact => "gbr",
            Encoding::LossyFirst => "lossy-first",
            Encoding::LossyLast => "lossy-last",
        }
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let lossy = |pick| Reasoner::new(&space.graph(pick));
        match self.encoding {
            Encoding::Exact => generalized_binary_reduction(space.reasoner(), space.start(), oracle),
            Encoding::LossyFirst => generalized_binary_reduction(&lossy(Pick::First), space.start(), oracle),
            Encoding::LossyLast => generalized_binary_reduction(&lossy(Pick::Last), space.start(), oracle),
        }
    }
}

fn generalized_binary_reduction(reasoner: &Reasoner, start: &VarSet, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
    let mut learned = Vec::new();
    let mut within = start.clone();
    loop {
        let progression = reasoner.progression(&learned, &within);
        let smallest = progression.prefix(0);
        // Invariant: `within` is interesting, and it is the whole progression.
        if progression.len() == 1 || oracle.test(&smallest)? {
            return Ok(smallest);
        }
        let last = oracle.bisect(0, progression.len() - 1, &|last| progression.prefix(last))?;
        within = progression.prefix(last);
        learned.push(progression.set(last).to_vec());
    }
}
