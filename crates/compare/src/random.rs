//! A naive random tester for two versions: the same random inputs to both, on the real machine.
//!
//! It is what the symbolic comparison must be better than, and it finds cheaply what is easy to find. All calls share two real machines,
//! so a difference may come from what earlier calls left behind, or from chance: it counts if the call shows it alone, each time.

use crate::spec::Spec;
use lapidary_symbolic::{
    Input, Machine, Number, Observation, Observed, Observer, Plan, RandomInputs, Replayer, differ_each_time,
};
use std::io;
use std::time::{Duration, Instant};

/// How to test.
pub struct RandomComparer<'a> {
    pub old: &'a Replayer,
    pub new: &'a Replayer,
    pub observation: Observation<'a>,
    /// How long one of many calls may take.
    pub call: Duration,
    /// How long to call, not counting the start of the real machines.
    pub time: Duration,
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

/// A seed for what the program itself asks for, and inputs.
type Call = (u32, Vec<Input<Number>>);

/// Calls that are sent together.
const TOGETHER: usize = 16;

/// So often both machines are started: again after a call that did not end, or that differed only because of earlier ones.
const STARTS: u32 = 10;

impl RandomComparer<'_> {
    /// Calls until a difference is found, or the time is over.
    pub fn compare(&self, machine: &mut Machine, plan: &Plan) -> io::Result<Compared> {
        let mut compared = Compared::default();
        let mut inputs = RandomInputs::new(machine, self.observation.method, self.seed);
        let mut draw = || -> Vec<Call> { (0..TOGETHER).map(|_| inputs.draw(machine, plan)).collect() };
        for _ in 0..STARTS {
            let suspect = self.on_new_machines(&mut draw, &mut compared)?;
            compared.found = suspect.and_then(|call| self.shown_alone(call));
            if compared.found.is_some() || compared.elapsed >= self.time {
                break;
            }
        }
        Ok(compared)
    }

    /// Calls until two machines differ, and says on which call; none when the time is over or one of the machines is.
    fn on_new_machines(
        &self,
        draw: &mut dyn FnMut() -> Vec<Call>,
        compared: &mut Compared,
    ) -> io::Result<Option<Call>> {
        let observation = Observation { call: self.call, ..self.observation };
        let mut old = Observer::start(self.old, &observation)?;
        let mut new = Observer::start(self.new, &observation)?;
        while compared.elapsed < self.time {
            let begin = Instant::now();
            let calls = draw();
            let (one, other) = std::thread::scope(|scope| {
                let one = scope.spawn(|| old.observe(&calls));
                let other = new.observe(&calls);
                (one.join().unwrap_or_default(), other)
            });
            compared.elapsed += begin.elapsed();
            compared.calls += one.len().min(other.len()) as u64;
            let different = one.iter().zip(&other).position(|(old, new)| self.differ(old, new));
            if let Some(place) = different {
                return Ok(calls.into_iter().nth(place));
            }
            if one.iter().chain(&other).any(Observed::is_last) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    fn differ(&self, old: &Observed, new: &Observed) -> bool {
        !self.spec.result_may_change && old.ends_otherwise(new)
            || !self.spec.output_may_change && old.prints_otherwise(new)
    }

    /// The inputs of a call and what is seen of it, if the versions differ without any call before, and do so each time.
    fn shown_alone(&self, call: Call) -> Option<(Vec<Input<Number>>, Observed, Observed)> {
        let old = self.observation.alone(self.old, &call)?;
        let new = self.observation.alone(self.new, &call)?;
        let differs = !self.spec.result_may_change && differ_each_time(&old, &new, Observed::ends_otherwise)
            || !self.spec.output_may_change && differ_each_time(&old, &new, Observed::prints_otherwise);
        let ([old, _], [new, _]) = (old, new);
        differs.then_some((call.1, old, new))
    }
}
