//! A naive random tester for two versions: the same random inputs to both, on the real machine.
//!
//! It is what the symbolic comparison must be better than, and it finds cheaply what is easy to find.

use crate::spec::Spec;
use lapidary_symbolic::{Input, Machine, Method, Number, Observed, Observer, Plan, RandomInputs, Replayer};
use std::io;
use std::time::{Duration, Instant};

/// How to test.
pub struct RandomComparer<'a> {
    pub old: &'a Replayer,
    pub new: &'a Replayer,
    /// How long to call, not counting the start of the real machines.
    pub time: Duration,
    /// How long one call may take.
    pub call: Duration,
    pub seed: u64,
    /// What may differ.
    pub spec: &'a Spec,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    pub calls: u64,
    pub elapsed: Duration,
    /// The first inputs for which the versions differ, and what was seen of each.
    pub found: Option<(Vec<Input<Number>>, Observed, Observed)>,
}

/// Calls that are sent together.
const TOGETHER: usize = 16;

impl RandomComparer<'_> {
    fn differ(&self, old: &Observed, new: &Observed) -> bool {
        !self.spec.result_may_change && old.ends_otherwise(new)
            || !self.spec.output_may_change && old.prints_otherwise(new)
    }

    /// Calls until a difference is found. A call that does not end, or ends the machine, ends the testing.
    pub fn compare(&self, machine: &mut Machine, method: &Method, plan: &Plan) -> io::Result<Compared> {
        let mut compared = Compared::default();
        let mut old = Observer::start(self.old, method, self.call)?;
        let mut new = Observer::start(self.new, method, self.call)?;
        let mut inputs = RandomInputs::new(machine, method, self.seed);
        let begin = Instant::now();
        while compared.found.is_none() && begin.elapsed() < self.time {
            let calls: Vec<_> = (0..TOGETHER).map(|_| inputs.draw(machine, plan)).collect();
            let (one, other) = (old.observe(&calls), new.observe(&calls));
            let is_over = one.len() < calls.len() || other.len() < calls.len();
            let different = calls.iter().zip(one.iter().zip(&other)).find(|(_, (old, new))| self.differ(old, new));
            compared.calls += one.len().min(other.len()) as u64;
            if let Some((call, (before, seen))) = different {
                // A version that does something else each time tells nothing.
                if !is_over && old.observe(std::slice::from_ref(call)).first() != Some(before) {
                    break;
                }
                compared.found = Some((call.1.clone(), before.clone(), seen.clone()));
            }
            if is_over {
                break;
            }
        }
        compared.elapsed = begin.elapsed();
        Ok(compared)
    }
}
