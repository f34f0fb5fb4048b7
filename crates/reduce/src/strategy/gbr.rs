//! Generalized Binary Reduction (PLDI 2021, algorithm 1).
//!
//! Each round splits the search space into a progression of which every prefix is valid, finds the
//! shortest interesting prefix by bisection, and learns that some variable of its last set is
//! needed. The whole progression is known to be interesting and is not tested again.

use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Pick, Progression, Reasoner, Var, VarSet};

/// The formula from which progressions are built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// The formula as it is.
    #[default]
    Exact,
    /// Every clause is one edge, from its first premise to its first conclusion.
    LossyFirst,
    /// Every clause is one edge, from its last premise to its last conclusion.
    LossyLast,
}

/// Generalized Binary Reduction.
#[derive(Clone, Default)]
pub struct Gbr {
    /// The formula from which progressions are built.
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

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(self.clone()))
    }
}

fn generalized_binary_reduction(reasoner: &Reasoner, start: &VarSet, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
    let mut search = Search::new(reasoner, start);
    while search.round(oracle)?.is_some() {}
    Ok(search.within)
}

/// The state of a search between two rounds.
pub(crate) struct Search<'a> {
    reasoner: &'a Reasoner,
    learned: Vec<Vec<Var>>,
    /// The best candidate. Invariant: it is interesting, and it satisfies the formula and all
    /// learned sets.
    pub within: VarSet,
}

impl<'a> Search<'a> {
    pub fn new(reasoner: &'a Reasoner, start: &VarSet) -> Self {
        Search { reasoner, learned: Vec::new(), within: start.clone() }
    }

    /// Learns one more set. Returns the number of sets in the progression, or `None` if `within` is
    /// the final result.
    pub fn round(&mut self, oracle: &mut dyn Oracle) -> Result<Option<usize>, Stop> {
        let progression = self.reasoner.progression(&self.learned, &self.within);
        let smallest = progression.prefix(0);
        // The whole progression is `within`.
        if progression.len() == 1 || oracle.test(&smallest)? {
            self.within = smallest;
            return Ok(None);
        }
        let last = oracle.bisect(0, progression.len() - 1, &|last| progression.prefix(last))?;
        self.learn(&progression, last);
        Ok(Some(progression.len()))
    }

    /// Like [`Search::round`], but first tries prefixes of the given lengths, the shortest first.
    /// If none of them is interesting, longer ones are tried if `tries_longer`; otherwise the
    /// search ends.
    pub fn round_from_below(
        &mut self,
        oracle: &mut dyn Oracle,
        lengths: impl Fn(usize) -> Vec<usize>,
        tries_longer: bool,
    ) -> Result<Option<usize>, Stop> {
        let progression = self.reasoner.progression(&self.learned, &self.within);
        let whole = progression.len() - 1;
        let tried: Vec<usize> = std::iter::once(0).chain(lengths(whole)).filter(|last| *last < whole).collect();
        let found =
            oracle.first(&mut tried.iter().map(|last| progression.prefix(*last)))?.map(|(position, _)| position);
        let (low, high) = match found {
            None if !tries_longer => return Ok(None),
            // The whole progression is `within`.
            None => (tried.last().copied(), whole),
            Some(position) => (position.checked_sub(1).map(|before| tried[before]), tried[position]),
        };
        let Some(low) = low else {
            self.within = progression.prefix(high);
            return Ok(None);
        };
        let last = oracle.bisect(low, high, &|last| progression.prefix(last))?;
        self.learn(&progression, last);
        Ok(Some(progression.len()))
    }

    fn learn(&mut self, progression: &Progression, last: usize) {
        self.within = progression.prefix(last);
        self.learned.push(progression.set(last).to_vec());
    }
}
