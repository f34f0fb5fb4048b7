//! Exact model counting: the number of valid sub-inputs.
//!
//! The counter branches on a variable, propagates units, splits the rest into components that share
//! no variable, and multiplies their counts. Variables of a component are renumbered, so that one
//! cached count serves all components of the same shape.

use crate::Cnf;
use crate::component::{Branch, Component, literal};
use num_bigint::BigUint;
use std::collections::HashMap;
use thiserror::Error;

/// The limit on the work of counting.
#[derive(Clone, Copy, Debug)]
pub struct CountLimit {
    /// The largest number of literals visited over all branches.
    pub literals: u64,
}

impl Default for CountLimit {
    /// Allows a few seconds.
    fn default() -> Self {
        CountLimit { literals: 10_000_000 }
    }
}

/// The formula is too hard to count within the limit.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the formula is too hard to count: more than {literals} literals would have to be looked at")]
pub struct TooHard {
    /// The limit that was exceeded.
    pub literals: u64,
}

/// The number of sets of variables that satisfy the formula.
pub fn count(cnf: &Cnf, limit: &CountLimit) -> Result<BigUint, TooHard> {
    Counter { limit: *limit, left: limit.literals, known: HashMap::new(), remembered: 0 }.run(Component::whole(cnf))
}

/// The largest total size, in literals, of the components whose counts are cached.
const MEMORY: usize = 16_000_000;

struct Counter {
    limit: CountLimit,
    left: u64,
    known: HashMap<Component, BigUint>,
    remembered: usize,
}

/// A component being counted.
struct Frame {
    component: Component,
    /// The branches still to be counted, the current one last. `sum` is the total of the finished
    /// ones.
    branches: Vec<Branch>,
    sum: BigUint,
    /// The product over the finished components of the current branch.
    product: BigUint,
}

impl Frame {
    fn new(component: Component, branches: Vec<Branch>) -> Self {
        let mut frame = Frame { component, branches, sum: BigUint::ZERO, product: BigUint::ZERO };
        frame.start_branch();
        frame
    }

    fn start_branch(&mut self) {
        let free = self.branches.last().map_or(0, |branch| branch.free);
        self.product = BigUint::from(1u32) << free;
    }

    fn finish_branch(&mut self) {
        self.sum += &self.product;
        self.branches.pop();
        self.start_branch();
    }
}

impl Counter {
    /// The recursion over branches and components, with an explicit stack.
    fn run(&mut self, whole: Component) -> Result<BigUint, TooHard> {
        self.spend(&whole)?;
        let branches = whole.given(None).into_iter().collect();
        let mut frames = vec![Frame::new(whole, branches)];
        let mut finished = BigUint::from(1u32);
        while let Some(frame) = frames.last_mut() {
            frame.product *= std::mem::replace(&mut finished, BigUint::from(1u32));
            match frame.branches.last_mut().map(|branch| branch.components.pop()) {
                Some(Some(component)) => match self.known.get(&component) {
                    Some(known) => finished = known.clone(),
                    None => frames.push(self.branch(component)?),
                },
                Some(None) => frame.finish_branch(),
                None => {
                    finished = std::mem::take(&mut frame.sum);
                    self.remember(frames.pop().map(|frame| frame.component), &finished);
                }
            }
        }
        Ok(finished)
    }

    fn branch(&mut self, component: Component) -> Result<Frame, TooHard> {
        self.spend(&component)?;
        let var = component.busiest_variable();
        let values = [true, false].into_iter();
        let branches = values.filter_map(|value| component.given(Some(literal(var, value)))).collect();
        Ok(Frame::new(component, branches))
    }

    fn spend(&mut self, component: &Component) -> Result<(), TooHard> {
        let cost = component.literals.len() as u64 + 1;
        self.left = self.left.checked_sub(cost).ok_or(TooHard { literals: self.limit.literals })?;
        Ok(())
    }

    fn remember(&mut self, component: Option<Component>, count: &BigUint) {
        if let Some(component) = component
            && self.remembered + component.literals.len() <= MEMORY
        {
            self.remembered += component.literals.len();
            self.known.insert(component, count.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Var;

    fn v(index: usize) -> Var {
        Var::new(index)
    }

    fn solutions(cnf: &Cnf) -> BigUint {
        count(cnf, &CountLimit::default()).unwrap()
    }

    #[test]
    fn every_set_satisfies_the_empty_formula() {
        assert_eq!(solutions(&Cnf::new(100)), BigUint::from(1u32) << 100);
        assert_eq!(solutions(&Cnf::new(0)), BigUint::from(1u32));
    }

    #[test]
    fn a_chain_has_one_solution_more_than_variables() {
        let variables = 20_000;
        let mut cnf = Cnf::new(variables);
        for index in 1..variables {
            cnf.imply(v(index), v(index - 1));
        }
        assert_eq!(solutions(&cnf), BigUint::from(variables + 1));
    }

    #[test]
    fn independent_parts_multiply() {
        let mut cnf = Cnf::new(3000);
        for part in 0..1000 {
            cnf.add(&[v(3 * part)], &[v(3 * part + 1), v(3 * part + 2)]).unwrap();
        }
        assert_eq!(solutions(&cnf), BigUint::from(7u32).pow(1000));
    }

    #[test]
    fn a_hard_formula_is_given_up() {
        let mut cnf = Cnf::new(200);
        let mut state = 1usize;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            v((state >> 33) % 200)
        };
        for _ in 0..600 {
            cnf.add(&[next(), next()], &[next(), next()]).unwrap();
        }
        assert_eq!(count(&cnf, &CountLimit { literals: 100_000 }), Err(TooHard { literals: 100_000 }));
    }
}
