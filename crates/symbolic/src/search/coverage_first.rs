//! Prefers states that are about to run new code; otherwise picks a random one.

use super::Search;
use crate::coverage::Coverage;
use crate::state::State;
use lapidary_common::Random;

/// Prefers states that are about to run new code.
pub struct CoverageFirst {
    states: Vec<State>,
    dice: Random,
}

/// How many states are considered before one is taken.
const LOOK_AT: usize = 64;

impl CoverageFirst {
    pub fn new(seed: u64) -> CoverageFirst {
        CoverageFirst { states: Vec::new(), dice: Random::new(seed) }
    }
}

impl Search for CoverageFirst {
    fn add(&mut self, state: State) {
        self.states.push(state);
    }

    fn next(&mut self, coverage: &Coverage) -> Option<State> {
        let count = self.states.len();
        let start = count.saturating_sub(LOOK_AT);
        let fresh = (start..count).rev().find(|place| is_fresh(&self.states[*place], coverage));
        let place = match fresh {
            Some(place) => place,
            None if count == 0 => return None,
            None => self.dice.below(count),
        };
        Some(self.states.swap_remove(place))
    }

    fn len(&self) -> usize {
        self.states.len()
    }
}

/// Whether a successor of the next instruction was never run.
fn is_fresh(state: &State, coverage: &Coverage) -> bool {
    let Some(frame) = &state.frame else { return false };
    let Some(prepared) = frame.method.prepared() else { return false };
    let Some(instruction) = prepared.code.instructions.get(frame.pc) else { return false };
    let next = instruction.targets().map(|target| target as usize).chain([frame.pc + 1]);
    next.into_iter().any(|at| at < prepared.code.instructions.len() && !coverage.has_run(&frame.method, at))
}
