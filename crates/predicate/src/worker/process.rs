//! One worker: a process that judges one candidate after another.

use super::protocol::{Answer, Hello, Request, difference};
use crate::capture::Captured;
use crate::channel::{Channel, Event};
use crate::ending::Ending;
use crate::process::{self, Launch, WakeUp};
use crate::reaper::Leader;
use crate::scratch::{Job, Scratch};
use crate::{CommandConfig, proc};
use lapidary_reduce::{FileTree, PredicateError};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time limit for a worker's first message.
const START: Duration = Duration::from_secs(60);

/// A running worker. Dropping it ends its process with all descendants. The order of the fields is
/// the order in which they are dropped.
pub struct Worker {
    leader: Leader,
    channel: Channel,
    /// The directory of the process. Candidates have directories of their own.
    _home: Job,
    previous: Option<FileTree>,
    requests: u64,
    owed: Option<Owed>,
    /// When its memory was last checked.
    weighed: Option<Instant>,
    pub start_up: Duration,
}

/// A cancelled request: the worker still owes an answer and may be busy with the candidate.
struct Owed {
    id: u64,
    asked: Instant,
    _job: Job,
}

/// The outcome of a request.
pub enum Reply {
    Answered(Answer),
    TimedOut,
    /// The worker ended or sent something that is not an answer, and cannot be used again.
    Broken(String),
}

/// Whether an owed answer has arrived.
pub enum Settled {
    Yes,
    Cancelled,
    No,
}

impl Worker {
    /// Starts a worker and waits for its first message.
    pub fn start(
        program: &Path,
        config: &CommandConfig,
        scratch: &Arc<Scratch>,
        wake_up: &WakeUp,
    ) -> Result<Worker, PredicateError> {
        let begin = Instant::now();
        let home = scratch.empty_job()?;
        // Directories of candidates are made while it runs.
        let sandbox = config.sandbox(program).map(|sandbox| sandbox.writes(scratch.path()));
        let launch = Launch {
            program,
            arguments: &config.arguments,
            directory: home.directory(),
            temporary: home.temporary(),
            environment: &[],
            marker: &home.marker,
            limits: &config.limits,
            sandbox: sandbox.as_ref(),
        };
        let mut leader = launch.start(Stdio::piped())?;
        let channel = Channel::new(&mut leader, config.keep_output).map_err(process::out_of_descriptors)?;
        let (previous, owed, weighed, start_up) = (None, None, None, Duration::ZERO);
        let mut worker = Worker { leader, channel, _home: home, previous, requests: 0, owed, weighed, start_up };
        let hello = worker.channel.receive(&worker.leader, wake_up, begin + START).map_err(process::cannot_wait)?;
        match worker.greeted(hello)? {
            Ok(()) => worker.start_up = begin.elapsed(),
            Err(problem) => {
                let name = config.called.clone().unwrap_or_else(|| program.display().to_string());
                return Err(worker.unusable(&name, &problem));
            }
        }
        Ok(worker)
    }

    fn greeted(&mut self, event: Event) -> Result<Result<(), String>, PredicateError> {
        Ok(match event {
            Event::Line(line) => Hello::parse(&line).map(|_| ()),
            Event::Ended => Err("it ended before it said hello".into()),
            Event::Endless => Err("it prints without end".into()),
            Event::TimedOut => Err(format!("it did not say hello within {} s", START.as_secs())),
            Event::Cancelled => return Err(PredicateError::Cancelled),
        })
    }

    fn unusable(mut self, name: &str, problem: &str) -> PredicateError {
        let stderr = self.channel.take_stderr();
        let shown = String::from_utf8_lossy(&stderr.head);
        let shown = if shown.trim().is_empty() { String::new() } else { format!("\n{}", shown.trim_end()) };
        PredicateError::Fatal(format!("{name} cannot be used as a worker: {problem}{shown}"))
    }

    /// Asks about the candidate in the directory of `job`. Returns the answer with the worker's
    /// stderr since the request, and the job. If cancelled, the worker owes an answer and keeps the
    /// job until then.
    pub fn ask(
        &mut self,
        candidate: &FileTree,
        job: Job,
        wake_up: &WakeUp,
        timeout: Duration,
    ) -> Result<(Reply, Captured, Job), PredicateError> {
        let (id, asked) = (self.requests, Instant::now());
        self.request(candidate, &job)?;
        let deadline = asked.checked_add(timeout).unwrap_or_else(|| asked + Duration::from_secs(1 << 30));
        let event = self.channel.receive(&self.leader, wake_up, deadline).map_err(process::cannot_wait)?;
        let reply = match event {
            Event::Line(line) => Answer::parse(&line, id).map_or_else(Reply::Broken, Reply::Answered),
            Event::Ended => Reply::Broken(self.last_words()),
            Event::Endless => Reply::Broken("the worker prints without end".into()),
            Event::TimedOut => Reply::TimedOut,
            Event::Cancelled => {
                self.owed = Some(Owed { id, asked, _job: job });
                return Err(PredicateError::Cancelled);
            }
        };
        Ok((reply, self.channel.take_stderr(), job))
    }

    /// Receives the owed answer if there is one, unless it takes longer than `patience` since the
    /// request.
    pub fn settle(&mut self, wake_up: &WakeUp, patience: Duration) -> Result<Settled, PredicateError> {
        let Some(owed) = self.owed.take() else { return Ok(Settled::Yes) };
        let deadline = owed.asked + patience;
        let event = self.channel.receive(&self.leader, wake_up, deadline).map_err(process::cannot_wait)?;
        Ok(match event {
            Event::Line(line) if Answer::parse(&line, owed.id).is_ok() => {
                self.channel.take_stderr();
                Settled::Yes
            }
            Event::Cancelled => {
                self.owed = Some(owed);
                Settled::Cancelled
            }
            _ => Settled::No,
        })
    }

    pub fn owes_an_answer(&self) -> bool {
        self.owed.is_some()
    }

    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Whether the worker and its descendants hold more than `limit` bytes. Finding the descendants
    /// means inspecting all processes of the machine, which can cost more than a test, so it is
    /// done only now and then.
    pub fn holds_more_than(&mut self, limit: u64, at_most_every: Duration) -> bool {
        if self.weighed.is_some_and(|last| last.elapsed() < at_most_every) {
            return false;
        }
        self.weighed = Some(Instant::now());
        let pid = self.leader.pid();
        std::iter::once(pid).chain(proc::descendants(pid)).map(proc::resident).sum::<u64>() > limit
    }

    /// Whether the worker is alive and has sent nothing but answers, so that it can be used again.
    pub fn is_quiet(&mut self) -> bool {
        !self.leader.has_exited(Duration::ZERO) && !self.channel.has_more()
    }

    fn request(&mut self, candidate: &FileTree, job: &Job) -> Result<(), PredicateError> {
        let path = job.directory().join(candidate.name());
        let not_text = || PredicateError::Fatal("a worker needs a TMPDIR whose name is valid UTF-8".into());
        let (changed, removed) = difference(self.previous.as_ref(), candidate);
        let request = Request {
            id: self.requests,
            candidate: path.to_str().ok_or_else(not_text)?,
            directory: job.directory().to_str().ok_or_else(not_text)?,
            changed,
            removed,
        };
        self.channel.send(request.line());
        self.requests += 1;
        self.previous = Some(candidate.clone());
        Ok(())
    }

    fn last_words(&mut self) -> String {
        // Its stdout closes a moment before the process ends.
        if !self.leader.has_exited(Duration::from_millis(100)) {
            return "the worker closed its stdout without an answer".into();
        }
        match self.leader.end() {
            Ok(status) => format!("the worker ended without an answer: {}", Ending::from(status)),
            Err(error) => format!("the worker ended without an answer: {error}"),
        }
    }
}
