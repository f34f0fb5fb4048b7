//! Probabilistic delta debugging (Wang et al., ESEC/FSE 2021): every item has a probability of being needed, learned
//! from each failed removal; the next removal is the one that promises the most.
//!
//! Ties are settled by the order of the items, last first, or at random by a seed other than 0. An item that goes takes along all that must go with it, so every candidate is valid.

use super::{Oracle, Stop, Strategy};
use crate::Space;
use lapidary_logic::{Remover, Sacrifice, Var, VarSet};

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
}

/// A number that looks random (the finaliser of SplitMix64), for an order that the seed decides.
fn scrambled(seed: u64, var: Var) -> u64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(var.index() as u64);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Sorts by probability and returns how many of the least needed to take away: as many as maximise the expected gain,
/// number times probability that none is needed.
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

/// At least one of the first `chosen` is needed: Bayes' rule. A single one that cannot go is settled.
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
