//! A naive random tester for two versions, which gives both the same random inputs on real JVMs.
//!
//! It is the baseline for the symbolic comparison, and it finds easy differences cheaply. All calls
//! share two JVMs, so a difference may be due to earlier calls or to chance. It counts only if the
//! call alone shows it, each time.

use crate::observe::{Observation, Observed, ObservingJvm, differ_each_time};
use crate::spec::Spec;
use lapidary_symbolic::{CallPlan, Input, Machine, Number, RandomInputs, Replayer};
use std::io;
use std::time::{Duration, Instant};

/// The settings of a random comparison.
pub struct RandomComparer<'a> {
    pub old: &'a Replayer,
    pub new: &'a Replayer,
    pub observation: Observation<'a>,
    /// How long one of many calls may take.
    pub call: Duration,
    /// How long to make calls, without the start of the JVMs.
    pub time: Duration,
    pub seed: u64,
    /// The differences that are allowed.
    pub spec: &'a Spec,
}

/// The result of a random comparison.
#[derive(Clone, Debug, Default)]
pub struct RandomComparison {
    pub calls: u64,
    pub elapsed: Duration,
    /// The first inputs for which the versions differ, and the observation of each version.
    pub found: Option<(Vec<Input<Number>>, Observed, Observed)>,
}

/// A seed for the inputs that the program itself requests, and the inputs.
type Call = (u32, Vec<Input<Number>>);

/// The number of calls that are sent together.
const TOGETHER: usize = 16;

/// How often the JVMs are started. They are restarted after a call that did not end, or whose
/// difference was due to earlier calls.
const STARTS: u32 = 10;

/// How many times as long everything may take as the calls alone. A start of the JVMs takes long if
/// the machine is busy.
const WITH_STARTS: u32 = 3;

impl RandomComparer<'_> {
    /// Makes calls until a difference is found or the time is over.
    pub fn compare(&self, machine: &mut Machine, plan: &CallPlan) -> io::Result<RandomComparison> {
        let mut compared = RandomComparison::default();
        let mut inputs = RandomInputs::new(machine, self.observation.method, self.seed);
        let mut draw = || -> Vec<Call> { (0..TOGETHER).map(|_| inputs.draw(machine, plan)).collect() };
        let begin = Instant::now();
        for _ in 0..STARTS {
            let suspect = self.on_new_machines(&mut draw, &mut compared)?;
            compared.found = suspect.and_then(|call| self.shown_alone(call));
            let is_over = compared.elapsed >= self.time || begin.elapsed() >= self.time * WITH_STARTS;
            if compared.found.is_some() || is_over {
                break;
            }
        }
        Ok(compared)
    }

    /// Makes calls until two fresh JVMs differ, and returns that call. `None` when the time is over
    /// or a JVM has ended.
    fn on_new_machines(
        &self,
        draw: &mut dyn FnMut() -> Vec<Call>,
        compared: &mut RandomComparison,
    ) -> io::Result<Option<Call>> {
        let observation = Observation { call: self.call, ..self.observation };
        let mut old = ObservingJvm::start(self.old, &observation)?;
        let mut new = ObservingJvm::start(self.new, &observation)?;
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

    /// The inputs of a call and its observations, if the versions differ on fresh JVMs each time.
    fn shown_alone(&self, call: Call) -> Option<(Vec<Input<Number>>, Observed, Observed)> {
        let old = self.observation.alone(self.old, &call)?;
        let new = self.observation.alone(self.new, &call)?;
        let differs = !self.spec.result_may_change && differ_each_time(&old, &new, Observed::ends_otherwise)
            || !self.spec.output_may_change && differ_each_time(&old, &new, Observed::prints_otherwise);
        let ([old, _], [new, _]) = (old, new);
        differs.then_some((call.1, old, new))
    }
}
