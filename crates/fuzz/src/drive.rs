//! Runs a target on many mutants.

use crate::mutate::mutate;
use crate::targets::Target;
use lapidary_common::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How long to try.
#[derive(Clone, Copy, Debug)]
pub enum Effort {
    /// This many inputs.
    Inputs(u64),
    /// As many inputs as fit into the time.
    Time(Duration),
}

impl Effort {
    /// The effort that `LAPIDARY_FUZZ_SECONDS` asks for, or as many inputs as take about a second.
    pub fn for_tests(target: &Target) -> Effort {
        let seconds = std::env::var("LAPIDARY_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
        seconds.map_or(Effort::Inputs(target.in_a_second), |seconds| Effort::Time(Duration::from_secs(seconds)))
    }
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The number of inputs.
    pub inputs: u64,
    /// The number of inputs that the reader accepted.
    pub accepted: u64,
    /// The time that it took.
    pub elapsed: Duration,
    /// The input on which the target panicked, if it did. Nothing was tried after it.
    pub finding: Option<Vec<u8>>,
}

/// The largest number of accepted mutants from which others are made.
const POOL: usize = 400;

/// Runs a target on its seeds, and then on mutants of them and of mutants that were accepted.
pub fn fuzz(target: &Target, effort: Effort, seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let mut pool = (target.seeds)();
    let seeds = pool.clone();
    let begun = Instant::now();
    let mut outcome = Outcome { inputs: 0, accepted: 0, elapsed: Duration::ZERO, finding: None };
    let mut first = seeds.iter().cloned();
    while !is_over(effort, &outcome, begun) {
        let input = first.next().unwrap_or_else(|| {
            // A seed as often as a mutant, which may have lost its way.
            let from = if random.below(2) == 0 { &seeds } else { &pool };
            let (one, other) = (random.below(from.len()), random.below(pool.len()));
            mutate(&from[one], &pool[other], &mut random)
        });
        outcome.inputs += 1;
        match catch_unwind(AssertUnwindSafe(|| (target.read)(&input))) {
            Ok(true) => {
                outcome.accepted += 1;
                if pool.len() < POOL {
                    pool.push(input);
                } else {
                    let place = seeds.len() + random.below(POOL - seeds.len());
                    pool[place] = input;
                }
            }
            Ok(false) => {}
            Err(_) => outcome.finding = Some(input),
        }
    }
    outcome.elapsed = begun.elapsed();
    outcome
}

fn is_over(effort: Effort, outcome: &Outcome, begun: Instant) -> bool {
    let is_used_up = match effort {
        Effort::Inputs(inputs) => outcome.inputs >= inputs,
        Effort::Time(time) => begun.elapsed() >= time,
    };
    is_used_up || outcome.finding.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_makes_a_reader_panic_is_found() {
        let seeds = || vec![b"abc".to_vec()];
        let read = |bytes: &[u8]| {
            assert!(!bytes.starts_with(b"ac"), "a mutant without the second letter");
            bytes.starts_with(b"a")
        };
        let outcome = fuzz(&Target { name: "example", in_a_second: 1, seeds, read }, Effort::Inputs(100_000), 1);
        assert!(outcome.finding.unwrap().starts_with(b"ac"));
        assert!(outcome.accepted > 0);
    }
}
