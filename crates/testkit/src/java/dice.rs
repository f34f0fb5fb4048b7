//! Choices from a seed.

use lapidary_common::Random;

/// A sequence of numbers that depends only on its seed.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below the bound, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// Returns true once in `times` times on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several values; `None` if there are none.
    pub fn pick<'a, T>(&mut self, values: &'a [T]) -> Option<&'a T> {
        if values.is_empty() { None } else { Some(&values[self.below(values.len())]) }
    }
}
