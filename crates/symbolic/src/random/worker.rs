//! A real JVM that calls one method again and again: `lapidary.replay.Tester`.

use crate::input::{Input, Number};
use crate::method::Method;
use crate::replay::{Group, Replayer, words};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A program of `crates/java-workers/workers/replay` that stays alive and answers line by line.
pub struct JvmWorker {
    machine: Group,
    calls: ChildStdin,
    answers: Receiver<String>,
    patience: Duration,
}

/// The result of a call.
pub(crate) enum Answer {
    Returned,
    /// The program rejects these inputs.
    Refused,
    Threw {
        class: String,
        message: Option<String>,
        place: String,
        /// The inputs that the program itself requested.
        asked: Vec<Input<Number>>,
    },
    /// The call exceeded its time, and the JVM has stopped.
    TooLong,
    /// The JVM is gone.
    Gone,
}

/// How long a JVM may take to start on a busy computer.
const START: Duration = Duration::from_secs(30);

impl JvmWorker {
    /// A command that runs a program of `crates/java-workers/workers/replay`, which calls a method
    /// for at most `call` each time.
    pub fn command(replayer: &Replayer, program: &str, method: &Method, call: Duration) -> io::Result<Command> {
        let mut command = replayer.command(program, None)?;
        command.arg(method.class_name.as_str().replace('/', ".")).arg(&*method.name.as_str());
        command.arg(&*method.type_.descriptor().as_str()).arg(call.as_millis().max(1).to_string());
        Ok(command)
    }

    /// Starts a JVM and waits until it is ready.
    pub fn start(mut command: Command, call: Duration) -> io::Result<JvmWorker> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut machine = Group::spawn(command)?;
        let (Some(calls), Some(answers)) = (machine.leader.stdin.take(), machine.leader.stdout.take()) else {
            return Err(io::Error::other("the tester has no pipes"));
        };
        let (send, receive) = channel();
        std::thread::Builder::new().spawn(move || {
            let lines = BufReader::new(answers).lines().map_while(Result::ok);
            lines.map_while(|line| send.send(line).ok()).for_each(drop);
        })?;
        let mut worker = JvmWorker { machine, calls, answers: receive, patience: 4 * call + Duration::from_secs(5) };
        match worker.answers.recv_timeout(START) {
            Ok(line) if line == "ready" => {
                worker.machine.notice_sandbox();
                Ok(worker)
            }
            Ok(line) => Err(io::Error::other(format!("the tester said {line}"))),
            Err(_) => Err(io::Error::other("the tester does not start")),
        }
    }

    /// The answers to some calls; fewer if one of them ends the JVM.
    pub(crate) fn call_all(&mut self, calls: &[(u32, Vec<String>)]) -> io::Result<Vec<Answer>> {
        let lines = self.answers_to(calls, &|line| line.starts_with("timeout"));
        lines.into_iter().map(|line| line.as_deref().map_or(Ok(Answer::Gone), parsed)).collect()
    }

    /// The answer lines to some calls, up to a line that is the last or that never comes. The calls
    /// are sent together, since waiting for each would take longer than most calls.
    pub fn answers_to(&mut self, calls: &[(u32, Vec<String>)], is_last: &dyn Fn(&str) -> bool) -> Vec<Option<String>> {
        let lines: String = calls.iter().map(|(seed, words)| format!("{seed}\t{}\n", words.join("\t"))).collect();
        if self.calls.write_all(lines.as_bytes()).and_then(|()| self.calls.flush()).is_err() {
            return vec![None];
        }
        let mut answers = Vec::with_capacity(calls.len());
        while answers.len() < calls.len() {
            let answer = self.answers.recv_timeout(self.patience).ok();
            let ends = answer.as_deref().is_none_or(is_last);
            answers.push(answer);
            if ends {
                break;
            }
        }
        answers
    }
}

fn parsed(line: &str) -> io::Result<Answer> {
    let (ending, asked) = line.split_once("\t\t").unwrap_or((line, ""));
    let fields: Vec<&str> = ending.split('\t').collect();
    Ok(match fields[..] {
        ["returned", _] => Answer::Returned,
        ["refused"] => Answer::Refused,
        ["timeout"] => Answer::TooLong,
        ["threw", class, message, place] => Answer::Threw {
            class: class.to_owned(),
            message: message.strip_prefix("T:").map(crate::replay::text_of_digits),
            place: place.split(' ').next().unwrap_or_default().to_owned(),
            asked: asked.split('\t').filter_map(words::simple).collect(),
        },
        _ => return Err(io::Error::other(format!("the tester said {line}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let Ok(Answer::Threw { class, message, place, asked }) =
            parsed("threw\tjava.lang.Error\tT:0061\tA.b:3 A.c:4\t\tI:5\tA:B:1,-2\tN\tK:1")
        else {
            panic!("an exception")
        };
        assert_eq!((&*class, message.as_deref(), &*place), ("java.lang.Error", Some("a"), "A.b:3"));
        let shown: Vec<String> = asked.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["5", "new byte[] {1, -2}", "null", "choice 1"]);
        assert!(matches!(parsed("returned\tI:1"), Ok(Answer::Returned)));
        assert!(matches!(parsed("timeout\t\tI:1"), Ok(Answer::TooLong)));
        assert!(parsed("nonsense").is_err());
    }
}
