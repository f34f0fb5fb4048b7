//! Probabilistic delta debugging (Wang et al., ESEC/FSE 2021). Every item has a probability of
//! being needed, which each failed removal updates. The next removal is the one with the highest
//! expected gain.
//!
//! Ties are broken by the order of the items, last first, or at random if the seed is not 0.
//! Removing an item also removes everything that depends on it, so every candidate is valid.

use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Remover, Sacrifice, Var, VarSet};

/// Delta debugging that learns how likely each item is to be needed.
#[derive(Clone)]
pub struct ProbDd {
    /// The probability of being needed that every item starts with.
    pub prior: f64,
}

impl Default for ProbDd {
    fn default() -> Self {
        ProbDd { prior: 0.1 }
    }
}

impl Strategy for ProbDd {
    fn name(&self) -> &'static str {
        "probdd"
    }

    fn reduce(&self, space: &Space<'_>, oracle: &mut dyn Oracle) -> Result<VarSet, Stop> {
        let mut remover = Remover::new(space.reasoner(), space.start().clone());
        let mut open: Vec<(Var, f64)> = space.start_items().into_iter().rev().map(|var| (var, self.prior)).collect();
        if space.seed() != 0 {
            open.sort_by_cached_key(|(var, _)| scrambled(space.seed(), *var));
        }
        while !open.is_empty() {
            let chosen = most_promising(&mut open);
            let vars: Vec<Var> = open[..chosen].iter().map(|(var, _)| *var).collect();
            let gone = remover.consequences(&vars, Sacrifice::Last);
            match gone {
                Some(gone) if oracle.test(&remover.current().without(&gone))? => {
                    remover.commit(&gone);
                    open.retain(|(var, _)| remover.current().contains(*var));
                }
                _ => learn(&mut open, chosen),
            }
        }
        Ok(remover.current().clone())
    }

    fn fork(&self) -> Option<Box<dyn Strategy>> {
        Some(Box::new(self.clone()))
    }
}

/// A pseudo-random number (the finaliser of SplitMix64) that shuffles the items by the seed.
fn scrambled(seed: u64, var: Var) -> u64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(var.index() as u64);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Sorts by probability and returns how many of the least probable to remove. That number maximises
/// the expected gain: the number times the probability that none of them is needed.
fn most_promising(open: &mut [(Var, f64)]) -> usize {
    open.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut none_needed = 1.0;
    let mut best = (1, 0.0);
    for (index, (_, probability)) in open.iter().enumerate() {
        none_needed *= 1.0 - probability;
        let gain = (index + 1) as f64 * none_needed;
        if gain > best.1 {
            best = (index + 1, gain);
        }
    }
    best.0
}

/// Updates the probabilities by Bayes' rule, knowing that at least one of the first `chosen` is
/// needed. A single item that is needed is settled.
fn learn(open: &mut Vec<(Var, f64)>, chosen: usize) {
    if chosen == 1 {
        open.remove(0);
        return;
    }
    let none_needed: f64 = open[..chosen].iter().map(|(_, probability)| 1.0 - probability).product();
    for (_, probability) in &mut open[..chosen] {
        *probability = (*probability / (1.0 - none_needed)).min(1.0 - 1e-9);
    }
}
