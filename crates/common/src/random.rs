//! Pseudo-random numbers from a seed: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
//!
//! Invariant: the numbers never change between versions, because repeatable results depend on them.

/// A generator. The same seed gives the same numbers on every machine and in every version.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Draws a number from the whole range.
    #[expect(clippy::should_implement_trait, reason = "it never ends, and an iterator would hide that")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Draws a number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        let scaled = u128::from(self.next()) * bound as u128;
        usize::try_from(scaled >> 64).expect("the quotient is below the bound")
    }

    /// Puts the elements into a random order.
    pub fn shuffle<T>(&mut self, elements: &mut [T]) {
        for last in (1..elements.len()).rev() {
            let other = self.below(last + 1);
            elements.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut random = Random::new(1);
        assert!((1..200).all(|bound| random.below(bound) < bound));
    }
}
