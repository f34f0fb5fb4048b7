//! Picks a random group of states that have behaved alike so far, then a random state in it, so
//! that rare behaviour gets as much attention as common behaviour (Loupe, section 7.3).

use super::Search;
use crate::coverage::Coverage;
use crate::state::State;
use lapidary_common::Random;
use std::collections::BTreeMap;

/// Picks a random group of states that have behaved alike, then a random state in it.
pub struct Tree {
    /// States grouped by observable behaviour: how often they printed, and what they chose.
    groups: BTreeMap<(usize, Vec<u32>), Vec<State>>,
    count: usize,
    dice: Random,
}

impl Tree {
    pub fn new(seed: u64) -> Tree {
        Tree { groups: BTreeMap::new(), count: 0, dice: Random::new(seed) }
    }
}

impl Search for Tree {
    fn add(&mut self, state: State) {
        let choices = state.choices.to_vec().into_iter().map(|choice| choice.chosen).collect();
        self.groups.entry((state.printed.len(), choices)).or_default().push(state);
        self.count += 1;
    }

    fn next(&mut self, _: &Coverage) -> Option<State> {
        if self.groups.is_empty() {
            return None;
        }
        let key = self.groups.keys().nth(self.dice.below(self.groups.len()))?.clone();
        let group = self.groups.get_mut(&key)?;
        let state = group.swap_remove(self.dice.below(group.len()));
        if group.is_empty() {
            self.groups.remove(&key);
        }
        self.count -= 1;
        Some(state)
    }

    fn len(&self) -> usize {
        self.count
    }
}
