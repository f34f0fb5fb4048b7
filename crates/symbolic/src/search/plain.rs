//! Newest state first, or oldest state first.

use super::Search;
use crate::coverage::Coverage;
use crate::state::State;
use std::collections::VecDeque;

/// Runs the newest state first.
#[derive(Default)]
pub struct DepthFirst(Vec<State>);

impl Search for DepthFirst {
    fn add(&mut self, state: State) {
        self.0.push(state);
    }

    fn next(&mut self, _: &Coverage) -> Option<State> {
        self.0.pop()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// Runs the oldest state first.
#[derive(Default)]
pub struct BreadthFirst(VecDeque<State>);

impl Search for BreadthFirst {
    fn add(&mut self, state: State) {
        self.0.push_back(state);
    }

    fn next(&mut self, _: &Coverage) -> Option<State> {
        self.0.pop_front()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}
