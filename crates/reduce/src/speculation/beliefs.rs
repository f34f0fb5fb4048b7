//! How likely a candidate is to be interesting, by what the answers so far say about single items.
//!
//! As in probabilistic delta debugging (Wang et al., ESEC/FSE 2021), each item has a probability of
//! being needed. A candidate is interesting if no item that it lacks is needed. If it is not, one of
//! them is, and Bayes' rule says how likely each; if it is, none of them is. Items about which no
//! answer says anything are as likely to be needed as those were that were settled lately. A
//! candidate that lacks all that is left of an earlier one without success is expected to fail, too.

use lapidary_logic::{Var, VarSet};
use std::collections::VecDeque;

/// Answers are never certain, since items may depend on each other.
const CERTAIN: f64 = 0.97;

/// So many groups of which something is needed are remembered, if they have no more items than this.
const GROUPS: usize = 64;
const LARGEST: usize = 512;

/// Beliefs about the items of a stage.
#[derive(Clone, Debug)]
pub(super) struct Beliefs {
    /// The items that may be needed.
    open: VarSet,
    /// For each item, the probability of being needed; `None` if no answer says anything about it.
    needed: Vec<Option<f64>>,
    /// The latest groups of items of which something is needed.
    groups: VecDeque<Vec<Var>>,
    lately: Lately,
}

/// How many items went and how many were needed. Old ones count less.
#[derive(Clone, Copy, Debug)]
struct Lately {
    needed: f64,
    gone: f64,
}

impl Lately {
    const MOST: f64 = 60.0;

    fn share(self) -> f64 {
        self.needed / (self.needed + self.gone)
    }

    fn note(&mut self, needed: f64, gone: f64) {
        (self.needed, self.gone) = (self.needed + needed, self.gone + gone.min(Self::MOST / 4.0));
        let excess = (self.needed + self.gone) / Self::MOST;
        if excess > 1.0 {
            (self.needed, self.gone) = (self.needed / excess, self.gone / excess);
        }
    }
}

impl Beliefs {
    /// Nothing is known but which items there are and what share of them is probably needed.
    pub fn new(start: &VarSet, share: f64) -> Self {
        const WEIGHT: f64 = 4.0;
        let lately = Lately { needed: WEIGHT * share, gone: WEIGHT * (1.0 - share) };
        Beliefs { open: start.clone(), needed: vec![None; start.universe()], groups: VecDeque::new(), lately }
    }

    /// The probability that a candidate is interesting.
    pub fn chance_of(&self, keep: &VarSet) -> f64 {
        match self.groups.iter().any(|group| self.lacks_all_of(keep, group)) {
            true => 1.0 - CERTAIN,
            false => self.none_needed(&self.lacking(keep)).clamp(1.0 - CERTAIN, CERTAIN),
        }
    }

    /// Learns from an answer.
    pub fn note(&mut self, keep: &VarSet, interesting: bool) {
        let lacking = self.lacking(keep);
        if interesting {
            lacking.iter().for_each(|var| _ = self.open.remove(*var));
            self.lately.note(0.0, lacking.len() as f64);
            return;
        }
        let some_needed = 1.0 - self.none_needed(&lacking);
        let usual = self.lately.share();
        for var in &lacking {
            let needed = self.needed[var.index()].unwrap_or(usual);
            self.needed[var.index()] = Some((needed / some_needed.max(1e-6)).min(1.0));
        }
        if lacking.len() == 1 {
            self.lately.note(1.0, 0.0);
        }
        if lacking.len() <= LARGEST {
            self.groups.truncate(GROUPS - 1);
            self.groups.push_front(lacking);
        }
    }

    /// Whether a candidate lacks all items of a group that may be needed, and there are some.
    fn lacks_all_of(&self, keep: &VarSet, group: &[Var]) -> bool {
        let mut open = group.iter().filter(|var| self.open.contains(**var)).peekable();
        open.peek().is_some() && open.all(|var| !keep.contains(*var))
    }

    fn lacking(&self, keep: &VarSet) -> Vec<Var> {
        self.open.minus(keep).iter().collect()
    }

    fn none_needed(&self, vars: &[Var]) -> f64 {
        let usual = self.lately.share();
        vars.iter().map(|var| 1.0 - self.needed[var.index()].unwrap_or(usual)).product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(gone: &[usize]) -> VarSet {
        VarSet::of(8, (0..8).filter(|item| !gone.contains(item)).map(Var::new))
    }

    #[test]
    fn the_other_half_of_a_group_that_is_needed_is_needed_if_this_half_is_not() {
        let mut beliefs = Beliefs::new(&VarSet::full(8), 0.2);
        beliefs.note(&without(&[0, 1, 2, 3]), false);
        let before = beliefs.chance_of(&without(&[2, 3]));
        beliefs.note(&without(&[0, 1]), true);
        assert!(beliefs.chance_of(&without(&[2, 3])) < before);
        assert!(beliefs.chance_of(&without(&[0, 1, 2, 3])) < 0.2);
        assert!(beliefs.chance_of(&without(&[0, 1])) > 0.9, "they are gone");
        beliefs.note(&without(&[0, 1, 2]), false);
        assert!(beliefs.chance_of(&without(&[2])) < 0.1, "alone it is needed");
    }

    #[test]
    fn items_are_as_likely_to_be_needed_as_others_were_lately() {
        let (mut easy, mut hard) = (Beliefs::new(&VarSet::full(8), 0.5), Beliefs::new(&VarSet::full(8), 0.5));
        for item in 0..6 {
            easy.note(&without(&[item]), true);
            hard.note(&without(&[item]), false);
        }
        assert!(easy.chance_of(&without(&[7])) > 0.7 && hard.chance_of(&without(&[7])) < 0.3);
    }
}
