//! A solver process that reads SMT-LIB 2 from its input: `z3 -in`, or any other.

use super::conversation::{Conversation, SolverError};
use crate::Curfew;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The line that the solver prints after each answer.
const END: &str = "end-of-answer";

/// The longest time until an interrupt takes effect.
const LOOK: Duration = Duration::from_millis(50);

/// A running solver process.
pub struct ProcessConversation {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
    curfew: Curfew,
}

impl ProcessConversation {
    /// Starts the command. It is given up if it does not read a question and answer it within
    /// `patience`.
    pub fn start(command: &str, patience: Duration, curfew: Curfew) -> Result<ProcessConversation, SolverError> {
        let error = |reason: String| SolverError::Command { command: command.into(), reason };
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| error("no program is named".into()))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C is for this process; the solver ends when it is dropped.
            .process_group(0)
            .spawn()
            .map_err(|reason| error(reason.to_string()))?;
        let input = child.stdin.take().expect("the input is a pipe");
        ioctl_fionbio(&input, true).map_err(|reason| error(reason.to_string()))?;
        let output = child.stdout.take().expect("the output is a pipe");
        let (sender, lines) = channel();
        let listen = move || {
            let read = BufReader::new(output).lines().map_while(Result::ok);
            read.take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
        };
        std::thread::Builder::new().spawn(listen).map_err(|reason| error(reason.to_string()))?;
        Ok(ProcessConversation { child, input, lines, patience, curfew })
    }

    /// Returns how long to wait before asking again, or why there is no reason to wait.
    fn wait(&self, deadline: Instant) -> Result<Duration, SolverError> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.curfew.is_in_force() {
            true => Err(SolverError::Interrupted),
            false if left.is_zero() => Err(SolverError::Broken("the solver gave no answer in time".into())),
            false => Ok(left.min(LOOK)),
        }
    }

    fn line(&self, deadline: Instant) -> Result<String, SolverError> {
        loop {
            match self.lines.recv_timeout(self.wait(deadline)?) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SolverError::Broken("the solver has ended".into()));
                }
            }
        }
    }

    /// Sends commands. The solver may read slowly or not at all, so no write blocks.
    fn send(&mut self, commands: &str, deadline: Instant) -> Result<(), SolverError> {
        let text = format!("{commands}\n(echo \"{END}\")\n");
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let timeout = self.wait(deadline)?;
            let timeout = Timespec { tv_sec: 0, tv_nsec: timeout.subsec_nanos().into() };
            let written = poll(&mut [PollFd::new(&self.input, PollFlags::OUT)], Some(&timeout))
                .map_err(io::Error::from)
                .and_then(|_| self.input.write(rest));
            match written {
                Ok(written) => rest = &rest[written..],
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(error) => return Err(SolverError::Broken(format!("the solver reads no more: {error}"))),
            }
        }
        Ok(())
    }
}

impl Conversation for ProcessConversation {
    fn ask(&mut self, commands: &str) -> Result<String, SolverError> {
        let deadline = Instant::now() + self.patience;
        self.send(commands, deadline)?;
        let mut answer = String::new();
        loop {
            let line = self.line(deadline)?;
            if line.trim().trim_matches('"') == END {
                return Ok(answer);
            }
            answer.push_str(&line);
            answer.push('\n');
        }
    }
}

impl Drop for ProcessConversation {
    fn drop(&mut self) {
        // Killing fails if the solver has already ended, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(command: &str, patience: Duration) -> Result<ProcessConversation, SolverError> {
        ProcessConversation::start(command, patience, Curfew::default())
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = started("no-such-solver -in", Duration::from_secs(1)).err().unwrap();
        assert!(error.to_string().contains("no-such-solver"), "{error}");
        assert!(started(" ", Duration::from_secs(1)).is_err());
    }

    #[test]
    fn silence_and_death_are_errors() {
        let mut silent = started("sleep 30", Duration::from_millis(100)).unwrap();
        assert!(silent.ask("(check-sat)").is_err());
        let mut dead = started("true", Duration::from_secs(10)).unwrap();
        assert!(dead.ask("(check-sat)").is_err());
    }

    #[test]
    fn a_solver_that_reads_no_more_is_given_up() {
        let long = "(assert true)".repeat(100_000);
        let mut deaf = started("sleep 30", Duration::from_millis(100)).unwrap();
        assert!(deaf.ask(&long).unwrap_err().to_string().contains("in time"));
        let curfew = Curfew::default();
        let mut deaf = ProcessConversation::start("sleep 30", Duration::from_secs(60), curfew.clone()).unwrap();
        std::thread::spawn(move || curfew.impose());
        assert!(matches!(deaf.ask(&long), Err(SolverError::Interrupted)));
    }

    #[test]
    fn a_long_question_arrives_whole() {
        let long = "x".repeat(1 << 20);
        let mut echo = started("cat", Duration::from_secs(20)).unwrap();
        let question = format!("{long}\n{END}");
        assert_eq!(echo.ask(&question).unwrap(), format!("{long}\n"));
    }

    #[test]
    fn a_solver_that_is_interrupted_is_not_waited_for() {
        let curfew = Curfew::default();
        let mut silent = ProcessConversation::start("sleep 30", Duration::from_secs(60), curfew.clone()).unwrap();
        std::thread::spawn(move || curfew.impose());
        assert!(matches!(silent.ask("(check-sat)"), Err(SolverError::Interrupted)));
    }
}
