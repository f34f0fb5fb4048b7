//! Everything that a test can assert about a call on a real JVM: `lapidary.replay.Witness`.

use super::{RealEnding, Replayed, Replayer, parsed, units_of_digits, words};
use crate::input::{Input, Number};
use crate::method::Method;
use crate::random::JvmWorker;
use std::collections::BTreeSet;
use std::io;

/// The calls of a method to witness.
#[derive(Clone, Copy)]
pub struct CallsToWitness<'a> {
    pub method: &'a Method,
    /// Fields to leave out of the contents, such as `shop.Till.cache`.
    pub unseen: &'a BTreeSet<String>,
    pub calls: &'a [Vec<Input<Number>>],
}

/// A call, as it was seen.
#[derive(Clone, Debug, PartialEq)]
pub enum Witness {
    Seen(Box<Witnessed>),
    /// The program rejects the inputs.
    Refused,
    TooLong,
    /// The call has ended the JVM.
    Gone,
    /// The call could not be made.
    Failed(String),
}

/// The observable behaviour of a call. Texts are UTF-16 units, since a text of Java need not be
/// valid Unicode.
#[derive(Clone, Debug, PartialEq)]
pub struct Witnessed {
    pub ending: RealEnding,
    /// The message of the exception, if one was thrown.
    pub message: Option<Vec<u16>>,
    /// The contents of the result.
    pub result: Vec<u16>,
    /// The contents of each input before the call.
    pub before: Vec<Vec<u16>>,
    /// The contents of each input after the call.
    pub after: Vec<Vec<u16>>,
    pub stdout: Vec<u16>,
    pub stderr: Vec<u16>,
}

/// How many calls are sent together.
const TOGETHER: usize = 16;

/// How many JVMs are started. A call that does not end takes one with it.
const STARTS: usize = 5;

impl Replayer {
    /// Makes each call with freshly loaded classes. Each `round` has other identity hash codes.
    pub fn witness(&self, asked: &CallsToWitness<'_>, round: u32) -> io::Result<Vec<Witness>> {
        let mut seen: Vec<Witness> = Vec::with_capacity(asked.calls.len());
        for _ in 0..STARTS {
            if seen.len() == asked.calls.len() {
                break;
            }
            self.witness_more(asked, round, &mut seen)?;
        }
        let unseen = || Witness::Failed("too many calls have ended the machine".to_owned());
        seen.resize_with(asked.calls.len(), unseen);
        Ok(seen)
    }

    /// Makes calls on a new JVM until one of them ends it.
    fn witness_more(&self, asked: &CallsToWitness<'_>, round: u32, seen: &mut Vec<Witness>) -> io::Result<()> {
        let mut command = JvmWorker::command(self, "lapidary.replay.Witness", asked.method, self.timeout)?;
        command.args(asked.unseen);
        let mut worker = JvmWorker::start(command, self.timeout)?;
        for calls in asked.calls[seen.len()..].chunks(TOGETHER) {
            let calls: Vec<_> = calls.iter().map(|inputs| (round, words::of_all(inputs))).collect();
            let lines = worker.answers_to(&calls, &|line| line.starts_with("timeout"));
            seen.extend(lines.iter().map(|line| line.as_deref().map_or(Witness::Gone, read)));
            if matches!(seen.last(), Some(Witness::Gone | Witness::TooLong)) {
                break;
            }
        }
        Ok(())
    }
}

impl Witnessed {
    /// The part of it that a replay shows, for comparing it with a path.
    pub fn replayed(&self) -> Replayed {
        let [stdout, stderr] = [&self.stdout, &self.stderr].map(|units| String::from_utf16_lossy(units));
        Replayed { ending: self.ending.clone(), stdout, stderr }
    }
}

fn read(line: &str) -> Witness {
    match line.split('\t').collect::<Vec<_>>()[..] {
        ["refused"] => Witness::Refused,
        ["timeout"] => Witness::TooLong,
        [report, result, before, after, stdout, stderr] => {
            let report = super::text_of_digits(report);
            let message = report.split('\t').nth(2).and_then(|message| message.strip_prefix("T:"));
            Witness::Seen(Box::new(Witnessed {
                ending: parsed(&report),
                message: message.map(units_of_digits),
                result: contents(result),
                before: each(before),
                after: each(after),
                stdout: units_of_digits(stdout),
                stderr: units_of_digits(stderr),
            }))
        }
        _ => Witness::Failed(line.trim_start_matches("failed\t").to_owned()),
    }
}

fn each(digits: &str) -> Vec<Vec<u16>> {
    digits.split(',').filter(|digits| !digits.is_empty()).map(contents).collect()
}

/// The contents of a value, which end with the end of a line.
fn contents(digits: &str) -> Vec<u16> {
    let mut units = units_of_digits(digits);
    units.pop();
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> String {
        text.encode_utf16().map(|unit| format!("{unit:04x}")).collect()
    }

    #[test]
    fn answers_are_read() {
        let report = digits("threw\tp.Bad\tT:d800\tp.A.f:3");
        let line = [report, digits("null\n"), digits("int[1 ]\n"), digits("int[2 ]\n"), digits("hi"), digits("")];
        let Witness::Seen(seen) = read(&line.join("\t")) else { panic!("a call") };
        assert!(matches!(&seen.ending, RealEnding::Threw { class, .. } if class == "p.Bad"));
        assert_eq!(seen.message, Some(vec![0xd800]), "an unpaired surrogate stays");
        assert_eq!(String::from_utf16_lossy(&seen.after[0]), "int[2 ]");
        assert_eq!((seen.stdout.len(), seen.stderr.len()), (2, 0));
        assert_eq!(read("refused"), Witness::Refused);
        assert_eq!(read("failed\tjava.lang.Error"), Witness::Failed("java.lang.Error".to_owned()));
    }
}
