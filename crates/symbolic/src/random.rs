//! A naive random tester: it calls the method on a real JVM with random inputs and collects the
//! exceptions.
//!
//! It knows only the types of the inputs and the constants in the class files. It is the baseline
//! for the symbolic machine, and it finds easy failures cheaply.

mod constants;
mod draw;
mod worker;

pub use constants::Constants;

use crate::explore::{Message, Outcome, PathEnd};
use crate::input::{Input, Number};
use crate::machine::Machine;
use crate::method::Method;
use crate::replay::{Replayer, words};
use crate::{ArgumentSource, CallPlan};
use draw::Draw;
use lapidary_common::Random;
use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};
use worker::Answer;
pub use worker::JvmWorker;

/// The settings of a random test.
#[derive(Clone, Debug)]
pub struct RandomTester {
    pub replayer: Replayer,
    /// How long to call the method, without the start of the JVM.
    pub time: Duration,
    /// The largest number of calls.
    pub calls: u64,
    /// How long one call may take.
    pub call: Duration,
    pub seed: u64,
}

/// The result of a random test.
#[derive(Clone, Debug, Default)]
pub struct Tested {
    pub calls: u64,
    /// Calls whose inputs the program rejects.
    pub refused: u64,
    pub too_long: u64,
    /// Calls that ended the JVM.
    pub exits: u64,
    pub elapsed: Duration,
    /// One call for each exception and place. They still need to be replayed, since earlier calls
    /// may have influenced them.
    pub found: Vec<PathEnd>,
}

/// How often a JVM is started, if calls end it.
const STARTS: u32 = 5;

/// The number of calls that are sent together.
const TOGETHER: u64 = 32;

impl RandomTester {
    pub fn test(&self, machine: &mut Machine, method: &Method, plan: &CallPlan) -> io::Result<Tested> {
        let constants = Constants::of_program(machine, method);
        let (mut dice, mut tested) = (Random::new(self.seed.wrapping_add(1)), Tested::default());
        let mut seen = BTreeSet::new();
        for _ in 0..STARTS {
            let command = JvmWorker::command(&self.replayer, "lapidary.replay.Tester", method, self.call)?;
            let mut worker = JvmWorker::start(command, self.call)?;
            let begin = Instant::now();
            let mut goes_on = true;
            while goes_on && tested.calls < self.calls && tested.elapsed + begin.elapsed() < self.time {
                let count = TOGETHER.min(self.calls - tested.calls);
                let drawn: Vec<_> = (0..count).map(|_| drawn(machine, plan, &mut dice, &constants)).collect();
                let calls: Vec<_> = drawn.iter().map(|inputs| (dice.next() as u32, words::of_all(inputs))).collect();
                for (answer, inputs) in worker.call_all(&calls)?.into_iter().zip(drawn) {
                    goes_on &= tested.count(answer, inputs, &mut seen);
                }
            }
            tested.elapsed += begin.elapsed();
            if goes_on {
                break;
            }
        }
        Ok(tested)
    }
}

impl Tested {
    /// Records the result of a call. Returns whether the JVM is still running.
    fn count(&mut self, answer: Answer, mut inputs: Vec<Input<Number>>, seen: &mut BTreeSet<(String, String)>) -> bool {
        self.calls += 1;
        match answer {
            Answer::Returned => {}
            Answer::Refused => self.refused += 1,
            Answer::Threw { class, message, .. } if depends_on_memory(&class, message.as_deref()) => {}
            Answer::Threw { class, message, place, asked } => {
                // An exception without a trace, which a JVM throws when memory is short or after
                // throwing it often, does not count as a new one.
                let is_new = match place.as_str() {
                    "-" => !seen.iter().any(|(other, _)| *other == class),
                    _ => true,
                };
                if is_new && seen.insert((class.clone(), place.clone())) {
                    inputs.extend(asked);
                    self.found.push(call_that_threw(inputs, class, message, place));
                }
            }
            Answer::TooLong => {
                self.too_long += 1;
                return false;
            }
            Answer::Gone => {
                self.exits += 1;
                return false;
            }
        }
        true
    }
}

/// Whether a JVM with more memory would not throw this.
fn depends_on_memory(class: &str, message: Option<&str>) -> bool {
    class == "java.lang.OutOfMemoryError" && message.is_none_or(|message| !message.contains("VM limit"))
}

/// A generator of random inputs.
pub struct RandomInputs {
    dice: Random,
    constants: Constants,
}

impl RandomInputs {
    pub fn new(machine: &mut Machine, method: &Method, seed: u64) -> RandomInputs {
        RandomInputs { dice: Random::new(seed.wrapping_add(1)), constants: Constants::of_program(machine, method) }
    }

    /// The next inputs, and a seed for those that the program itself requests.
    pub fn draw(&mut self, machine: &mut Machine, plan: &CallPlan) -> (u32, Vec<Input<Number>>) {
        let inputs = drawn(machine, plan, &mut self.dice, &self.constants);
        (self.dice.next() as u32, inputs)
    }
}

fn drawn(machine: &mut Machine, plan: &CallPlan, dice: &mut Random, constants: &Constants) -> Vec<Input<Number>> {
    let mut draw = Draw::new(machine, dice, constants);
    let mut inputs: Vec<Input<Number>> = plan.sources.iter().map(|source| draw.source(source)).collect();
    draw.mark_shared(&mut inputs);
    inputs
}

impl Draw<'_> {
    fn source(&mut self, source: &ArgumentSource) -> Input<Number> {
        match source {
            ArgumentSource::Kind(kind) => self.argument(*kind),
            ArgumentSource::Texts(texts) => {
                let text =
                    |text: &String| Input::Text(text.encode_utf16().map(|unit| Number::Integer(unit.into())).collect());
                Input::Array(
                    lapidary_jvm::FieldType::Object("java/lang/String".into()),
                    texts.iter().map(text).collect(),
                )
            }
        }
    }
}

fn call_that_threw(inputs: Vec<Input<Number>>, class: String, message: Option<String>, place: String) -> PathEnd {
    let message = message.map_or(Message::None, Message::Text);
    let (stdout, stderr) = (String::new(), String::new());
    let outcome = Outcome::Threw { class, message, trace: vec![place] };
    PathEnd { inputs, outcome, stdout, stderr, instructions: 0, conditions: 0 }
}
