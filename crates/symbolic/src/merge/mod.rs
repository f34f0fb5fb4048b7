//! Merging: two paths that forked at a branch and are at the same instruction again become one
//! path, whose values are choices between theirs.
//!
//! Twenty times `if (x > 0) n++;` makes a million paths, or one merged path. In return, later
//! decisions are about choices (`n` is `ite(x > 0, 1, 0)`), which are harder for the solver.

mod join;
mod merging;
mod values;

pub use merging::Merging;

use crate::Ending;
use crate::machine::Machine;
use crate::state::{Path, State};

/// How many instructions paths may run to reach the place where they can be merged.
const FUEL: u64 = 2_000;

/// How many nested branches may be merged at the same time.
const NESTING: usize = 50;

/// A path, and how it ended if it has.
pub type Advanced = (State, Option<Ending>);

/// The rest of the limits for reaching a merge.
struct Way {
    fuel: u64,
    nesting: usize,
}

/// An instruction within a particular call.
#[derive(Clone, Copy)]
struct Spot {
    depth: u32,
    method: u32,
    at: usize,
}

impl Spot {
    fn of(state: &State) -> Option<Spot> {
        state.frame.as_ref().map(|frame| Spot { depth: frame.depth, method: frame.method.number, at: frame.pc })
    }

    fn is_here(&self, state: &State) -> bool {
        Spot::of(state).is_some_and(|spot| (spot.depth, spot.method, spot.at) == (self.depth, self.method, self.at))
    }
}

impl Machine {
    /// Runs a state like [`Machine::run`]. Returns the state and its forks, merged where possible.
    pub fn advance(&mut self, mut state: State, instructions: u64) -> Vec<Advanced> {
        let ended = self.run(&mut state, instructions);
        if self.forked.is_empty() {
            return vec![(state, ended)];
        }
        if !self.config.merges {
            let forks = self.forked.drain(..).map(|fork| (fork, None));
            return forks.chain([(state, ended)]).collect();
        }
        let mut way = Way { fuel: FUEL, nesting: NESTING };
        self.merge_forks(state, ended, &mut way)
    }

    /// Runs the results of a fork to the point where their ways meet, and merges those that arrive
    /// there.
    fn merge_forks(&mut self, state: State, ended: Option<Ending>, way: &mut Way) -> Vec<Advanced> {
        let before = self.merging.before.take();
        let forks: Vec<State> = self.forked.drain(..).collect();
        let meeting = forks.first().and_then(|fork| self.meeting_point(fork));
        let all = forks.into_iter().map(|fork| (fork, None)).chain([(state, ended)]);
        let (Some(meeting), Some(before), 1..) = (meeting, before, way.nesting) else { return all.collect() };
        way.nesting -= 1;
        let (mut arrived, mut others): (Vec<State>, Vec<Advanced>) = (Vec::new(), Vec::new());
        for (state, ended) in all {
            for (state, ended) in self.run_to(meeting, state, ended, way) {
                match ended {
                    None if meeting.is_here(&state) => self.merge_into(&mut arrived, state, &before),
                    ended => others.push((state, ended)),
                }
            }
        }
        way.nesting += 1;
        others.extend(arrived.into_iter().map(|state| (state, None)));
        others
    }

    fn run_to(&mut self, meeting: Spot, mut state: State, ended: Option<Ending>, way: &mut Way) -> Vec<Advanced> {
        if ended.is_some() {
            return vec![(state, ended)];
        }
        let is_left = |state: &State| state.frame.as_ref().is_none_or(|frame| frame.depth < meeting.depth);
        while way.fuel > 0 && !meeting.is_here(&state) && !is_left(&state) {
            way.fuel -= 1;
            let ended = self.run(&mut state, 1);
            if !self.forked.is_empty() {
                let parts = self.merge_forks(state, ended, way);
                return parts.into_iter().flat_map(|(state, ended)| self.run_to(meeting, state, ended, way)).collect();
            }
            if ended.is_some() {
                return vec![(state, ended)];
            }
        }
        vec![(state, None)]
    }

    /// The point where the ways out of the next instruction of a state meet.
    fn meeting_point(&mut self, state: &State) -> Option<Spot> {
        let (spot, frame) = (Spot::of(state)?, state.frame.as_ref()?);
        let code = &frame.method.prepared()?.code;
        let joins = self.merging.joins.entry(spot.method).or_insert_with(|| join::join_points(code).into());
        code.instructions.get(spot.at)?.targets().next()?;
        Some(Spot { at: joins.get(spot.at).copied().flatten()?, ..spot })
    }

    fn merge_into(&mut self, arrived: &mut Vec<State>, state: State, before: &Path) {
        for present in arrived.iter_mut() {
            if let Some(merged) = self.merged(present, &state, before) {
                self.merging.merged += 1;
                *present = merged;
                return;
            }
        }
        arrived.push(state);
    }
}
