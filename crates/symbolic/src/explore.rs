//! Runs a method on all inputs: takes one waiting state after the other until none is left or a
//! limit is reached.

use crate::heap::Vague;
use crate::input::{Input, Number, assembled};
use crate::machine::Machine;
use crate::memory;
use crate::search::Search;
use crate::state::State;
use crate::value::{Ref, Value};
use crate::{CodePlace, Ending};
use lapidary_classfile::Kind;
use lapidary_terms::{Constant, Curfew, Term};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The limits of an exploration.
#[derive(Clone, Debug)]
pub struct ExplorationBudget {
    pub time: Duration,
    pub paths: u64,
    /// States that may wait at the same time.
    pub states: usize,
    /// Bytes of memory that the process may use.
    pub memory: u64,
    /// Instructions of one path.
    pub instructions: u64,
}

impl Default for ExplorationBudget {
    fn default() -> Self {
        ExplorationBudget {
            time: Duration::from_secs(60),
            paths: u64::MAX,
            states: 100_000,
            memory: 8 << 30,
            instructions: 200_000_000,
        }
    }
}

/// The limit that ended an exploration before everything was explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Time,
    Paths,
    States,
    Memory,
    /// The machine was interrupted.
    Interrupted,
}

/// Keeps track of how much of a budget is used.
struct Watch {
    begin: Instant,
    /// When memory use was last checked.
    last_look: Duration,
}

impl Watch {
    fn limit(&mut self, budget: &ExplorationBudget, paths: u64, states: usize) -> Option<Limit> {
        let elapsed = self.begin.elapsed();
        let looks = elapsed.saturating_sub(self.last_look) >= BETWEEN_LOOKS;
        self.last_look = if looks { elapsed } else { self.last_look };
        let limits = [
            (Limit::Time, elapsed >= budget.time),
            (Limit::Paths, paths >= budget.paths),
            (Limit::States, states > budget.states),
            (Limit::Memory, looks && memory::resident().is_some_and(|resident| resident > budget.memory)),
        ];
        limits.into_iter().find(|(_, is_reached)| *is_reached).map(|(limit, _)| limit)
    }
}

/// A path that has ended, with one input that takes it.
#[derive(Clone, Debug)]
pub struct PathEnd {
    pub inputs: Vec<Input<Number>>,
    pub outcome: Outcome,
    pub stdout: String,
    pub stderr: String,
    pub instructions: u64,
    /// The number of conditions on the inputs that define the path.
    pub conditions: usize,
}

/// How a path ended, in concrete values.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Returned(Option<ReturnValue>),
    Threw {
        class: String,
        /// The exception's own message; unknown where it would depend on more than the path.
        message: Message,
        /// The call stack where the exception was created, innermost call first.
        trace: Vec<String>,
    },
    Exited(i32),
    /// The machine does not support something that the path needs.
    Unsupported {
        what: String,
        at: Option<String>,
    },
    /// The path exceeded the limit of instructions.
    TooLong,
}

/// The message of an exception.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    None,
    Text(String),
    Unknown,
}

/// The return value of a method.
#[derive(Clone, Debug, PartialEq)]
pub enum ReturnValue {
    Number(Number),
    Null,
    Text(String),
    Array(Vec<ReturnValue>),
    Truth(bool),
    Character(u16),
    /// An object of this class.
    Object(String),
    /// An object of this class, with the result of its `toString`.
    Shown(String, String),
}

/// The result of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    pub paths: u64,
    pub infeasible: u64,
    /// Whether every path was finished: none was left waiting, given up or undecided.
    pub exhausted: bool,
    pub left_waiting: usize,
    /// The largest number of states that waited at the same time.
    pub most_waiting: usize,
    pub stopped_by: Option<Limit>,
    /// How often two paths were merged.
    pub merged: u64,
    pub undecided: u64,
    pub elapsed: Duration,
}

/// The time between two checks of the memory use.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// How many instructions a state runs before another one gets its turn.
const TURN: u64 = 200_000;

/// Explores all paths from this state on.
pub fn explore(
    machine: &mut Machine,
    start: State,
    search: &mut dyn Search,
    budget: &ExplorationBudget,
    on_path: &mut dyn FnMut(&PathEnd),
) -> Explored {
    let mut watch = Watch { begin: Instant::now(), last_look: Duration::ZERO };
    let _alarm = Alarm::after(budget.time, machine.curfew.clone());
    let mut explored = Explored::default();
    let mut given_up = 0u64;
    search.add(start);
    while let Some(state) = search.next(&machine.coverage) {
        for (state, ended) in machine.advance(state, TURN) {
            match ended {
                None if state.instructions >= budget.instructions => {
                    given_up += 1;
                    explored.paths += 1;
                    on_path(&machine.finished(&state, Outcome::TooLong));
                }
                None => search.add(state),
                Some(Ending::Infeasible) => explored.infeasible += 1,
                Some(ending) => {
                    explored.paths += 1;
                    given_up += u64::from(matches!(ending, Ending::Unsupported(_)));
                    on_path(&machine.ended(&state, ending));
                }
            }
        }
        explored.most_waiting = explored.most_waiting.max(search.len());
        let interrupted = machine.curfew.is_in_force().then_some(Limit::Interrupted);
        explored.stopped_by = watch.limit(budget, explored.paths, search.len()).or(interrupted);
        if explored.stopped_by.is_some() {
            break;
        }
    }
    explored.left_waiting = search.len();
    explored.merged = machine.merging.merged;
    explored.undecided = machine.undecided;
    explored.exhausted = explored.left_waiting == 0 && given_up == 0 && machine.undecided == 0;
    explored.elapsed = watch.begin.elapsed();
    explored
}

/// Interrupts a machine when its time is over, so that a solver query cannot outlast it. Dropping
/// the alarm makes the machine usable again.
pub struct Alarm {
    curfew: Curfew,
    off: Option<Sender<()>>,
    /// Returns whether the alarm rang.
    clock: Option<JoinHandle<bool>>,
}

impl Alarm {
    pub fn after(time: Duration, curfew: Curfew) -> Alarm {
        let ((off, is_off), bell) = (channel::<()>(), curfew.clone());
        let clock = std::thread::spawn(move || {
            let rings = is_off.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if rings {
                bell.impose();
            }
            rings
        });
        Alarm { curfew, off: Some(off), clock: Some(clock) }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.off = None;
        if self.clock.take().is_some_and(|clock| clock.join().unwrap_or(false)) {
            self.curfew.lift();
        }
    }
}

impl Machine {
    /// Describes how a path ended, for the input that is its witness.
    pub fn ended(&mut self, state: &State, ending: Ending) -> PathEnd {
        let outcome = self.outcome(state, ending);
        self.finished(state, outcome)
    }

    fn finished(&mut self, state: &State, outcome: Outcome) -> PathEnd {
        let inputs = assembled(&state.inputs.to_vec());
        let inputs = inputs.into_iter().map(|input| input.map(&mut |value| self.number(state, *value))).collect();
        let [stdout, stderr] = [false, true].map(|to_stderr| self.printed_text(state, to_stderr));
        let (instructions, conditions) = (state.instructions, state.path.conditions.len());
        PathEnd { inputs, outcome, stdout, stderr, instructions, conditions }
    }

    fn outcome(&mut self, state: &State, ending: Ending) -> Outcome {
        match ending {
            Ending::Returned(result) => Outcome::Returned(result.map(|result| self.result(state, result, 3))),
            Ending::Threw(exception) => Outcome::Threw {
                class: self.name_of(state, exception),
                message: self.message(state, exception),
                trace: self.told_trace(state, exception),
            },
            Ending::Exited(code) => Outcome::Exited(match self.number(state, code) {
                Number::Integer(code) => code as i32,
                _ => 0,
            }),
            Ending::Unsupported(what) => {
                let at = state
                    .frame
                    .as_ref()
                    .map(|frame| CodePlace { method: frame.method.clone(), at: frame.pc }.to_string());
                Outcome::Unsupported { what, at }
            }
            Ending::Turned(_) => Outcome::Unsupported { what: "another turn of a loop".into(), at: None },
            Ending::Infeasible => Outcome::Unsupported { what: "an infeasible path".into(), at: None },
        }
    }

    fn message(&mut self, state: &State, exception: Ref) -> Message {
        match self.vague_message(state, exception) {
            Some(Vague::Explained) => return Message::Unknown,
            Some(Vague::Number { before, number, after }) => {
                let Number::Integer(number) = self.number(state, number) else { return Message::Unknown };
                return Message::Text(format!("{before}{number}{after}"));
            }
            None => {}
        }
        if self.tells_own_message(state, exception) {
            return match self.told_message(state, exception) {
                Some((told, Some(text))) => self.message_for_witness(&told, text),
                Some((_, None)) => Message::None,
                None => Message::Unknown,
            };
        }
        match self.message_text(state, exception) {
            Some(text) => self.message_for_witness(state, text),
            None => Message::None,
        }
    }

    fn message_for_witness(&mut self, state: &State, text: Ref) -> Message {
        match self.units_for_witness(state, text) {
            Some((told, units)) => Message::Text(self.text_of_units(&told, &units)),
            None => Message::Unknown,
        }
    }

    /// The concrete value under the witness of the path.
    pub(crate) fn number(&mut self, state: &State, value: Value) -> Number {
        match value {
            Value::Int(number) => Number::Integer(number.into()),
            Value::Long(number) => Number::Integer(number),
            Value::Float(number) => Number::Float(number),
            Value::Double(number) => Number::Double(number),
            // A term has lost the bits of a NaN that was made from bits.
            Value::Symbolic(kind, term) => match (kind, self.known_bits(state, value, term)) {
                (Kind::Float, Constant::Bits { value, .. }) => Number::Float(f32::from_bits(value as u32)),
                (Kind::Double, Constant::Bits { value, .. }) => Number::Double(f64::from_bits(value)),
                (Kind::Long, Constant::Bits { value, .. }) => Number::Integer(value as i64),
                (_, Constant::Bits { value, .. }) => Number::Integer((value as i32).into()),
                (_, Constant::Bool(holds)) => Number::Integer(holds.into()),
                (_, Constant::Single(number)) => Number::Float(number),
                (_, Constant::Double(number)) => Number::Double(number),
            },
            Value::Reference(_) | Value::Address(_) | Value::Nothing => Number::Integer(0),
        }
    }

    /// The value of a term; of a float, its bits.
    fn known_bits(&mut self, state: &State, value: Value, term: Term) -> Constant {
        let bits = self.bits_of(value).unwrap_or(term);
        self.value_of(state, bits)
    }

    fn printed_text(&mut self, state: &State, to_stderr: bool) -> String {
        let printed: Vec<Value> = state
            .printed
            .to_vec()
            .into_iter()
            .filter(|printed| printed.to_stderr == to_stderr)
            .flat_map(|printed| printed.units.iter().copied())
            .collect();
        // The encoder of a stream prints an unpaired surrogate as a question mark.
        char::decode_utf16(self.plain_units(state, &printed)).map(|unit| unit.unwrap_or('?')).collect()
    }

    pub(crate) fn text_of_units(&mut self, state: &State, units: &[Value]) -> String {
        String::from_utf16_lossy(&self.plain_units(state, units))
    }

    fn plain_units(&mut self, state: &State, units: &[Value]) -> Vec<u16> {
        let number = |number| if let Number::Integer(number) = number { number as u16 } else { 0 };
        units.iter().map(|unit| number(self.number(state, *unit))).collect()
    }
}
