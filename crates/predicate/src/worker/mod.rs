//! The predicate that asks a worker: a test whose process stays alive and judges one candidate after another.
//!
//! Starting a process for each candidate can cost more than the test itself (a JVM, a big library, a compiled cache). A
//! worker pays once. What makes command runs safe holds here too: a worker that crashes, hangs, leaks or talks nonsense is
//! replaced, and the verdict it owed is asked from a fresh one. [`agreement`] says how we notice that a worker remembers
//! what it should not.

mod agreement;
mod pool;
mod process;
mod protocol;

use crate::capture::Captured;
use crate::command::{CommandConfig, CommandError, Workplace};
use crate::criteria::{Assessed, Criteria, Observation};
use crate::ending::Ending;
use crate::process::{WakeUp, out_of_descriptors};
use crate::scratch::Job;
use crate::test_predicate::TestPredicate;
use agreement::Agreement;
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use pool::Pool;
use process::{Reply, Settled, Worker};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Which worker, what is asked of it, and when it is replaced.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// The command that starts a worker. Its limits hold for the worker's whole life, its time limit for each candidate.
    pub command: CommandConfig,
    /// A worker is replaced after this many candidates.
    pub restart_after: u64,
    /// A worker is replaced once it holds more than this many bytes of memory.
    pub memory: u64,
    /// How long its memory is not looked at again.
    pub weigh_every: Duration,
    /// Every how many verdicts of a kind a fresh worker is asked too. 0 for never.
    pub check_every: u64,
    /// The largest share of the time that this may take.
    pub check_share: f64,
}

impl WorkerConfig {
    pub fn new(command: CommandConfig) -> Self {
        WorkerConfig {
            command,
            restart_after: 2000,
            memory: 4 << 30,
            weigh_every: Duration::from_millis(200),
            check_every: 50,
            check_share: 0.05,
        }
    }
}

/// What became of the workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerStatistics {
    pub started: u64,
    /// How many ended or talked nonsense while they owed an answer.
    pub crashed: u64,
    pub timed_out: u64,
    /// How many were replaced because they held too much memory.
    pub grown: u64,
    /// How many verdicts were asked for again from a fresh worker, and how many of those were different.
    pub checks: u64,
    pub disagreements: u64,
}

/// Judges candidates by asking workers, one per judgment at once.
pub struct WorkerPredicate {
    config: WorkerConfig,
    criteria: Criteria,
    agreement: Agreement,
    warn: Option<Warn>,
    counts: Counts,
    /// Before the workplace, which must outlive the workers.
    pool: Pool,
    workplace: Workplace,
    /// When everything ends, checks included.
    deadline: OnceLock<Instant>,
}

type Warn = Box<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
struct Counts {
    runs: AtomicU64,
    supersets: AtomicU64,
    started: AtomicU64,
    crashed: AtomicU64,
    timed_out: AtomicU64,
    grown: AtomicU64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// Any worker will do.
    Warm,
    /// A new worker that stays for later candidates.
    Replacement,
    /// A worker that has never seen a candidate, and will see no other.
    Fresh,
}

impl WorkerPredicate {
    /// Finds the program. Workers are started when they are needed.
    pub fn new(config: WorkerConfig) -> Result<Self, CommandError> {
        Ok(WorkerPredicate {
            workplace: Workplace::new(&config.command.program)?,
            criteria: config.command.criteria(),
            agreement: Agreement::new(config.check_every, config.check_share),
            warn: None,
            counts: Counts::default(),
            pool: Pool::default(),
            deadline: OnceLock::new(),
            config,
        })
    }

    /// Where warnings go.
    pub fn on_warning(mut self, warn: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.warn = Some(Box::new(warn));
        self
    }

    pub fn statistics(&self) -> WorkerStatistics {
        let (checks, disagreements) = self.agreement.counts();
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        WorkerStatistics {
            started: get(&self.counts.started),
            crashed: get(&self.counts.crashed),
            timed_out: get(&self.counts.timed_out),
            grown: get(&self.counts.grown),
            checks,
            disagreements,
        }
    }

    /// The directory in which all candidates are judged. It vanishes with the predicate.
    pub fn scratch(&self) -> &Path {
        self.workplace.scratch.path()
    }

    fn judge_as(&self, ask: Ask, candidate: &FileTree, cancel: &Cancel) -> Result<Assessed, PredicateError> {
        self.criteria.judge(self.config.command.repeat, || self.observe_as(ask, candidate, cancel))
    }

    fn observe_as(&self, ask: Ask, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        let mut seen = self.observe_once(ask, candidate, cancel)?;
        if seen.spoilt {
            // A worker wrote into a file it shared with others. From now on it gets copies, so the second run is clean.
            seen = self.observe_once(ask, candidate, cancel)?;
        }
        Ok(seen.observation)
    }

    /// Asks a worker and, if that breaks over the candidate, another one.
    fn observe_once(&self, ask: Ask, candidate: &FileTree, cancel: &Cancel) -> Result<Seen, PredicateError> {
        let seen = self.attempt(ask, candidate, cancel)?;
        match seen.broken {
            true => self.attempt(if ask == Ask::Warm { Ask::Replacement } else { ask }, candidate, cancel),
            false => Ok(seen),
        }
    }

    fn attempt(&self, ask: Ask, candidate: &FileTree, cancel: &Cancel) -> Result<Seen, PredicateError> {
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        let wake_up = WakeUp::new(cancel).map_err(out_of_descriptors)?;
        let begin = Instant::now();
        let mut worker = self.worker(ask, &wake_up)?;
        let waited = begin.elapsed();
        let job = self.workplace.scratch.job(candidate)?;
        self.counts.runs.fetch_add(1, Ordering::Relaxed);
        let (asked, timeout) = (Instant::now(), self.criteria.timeout());
        let answer = worker.ask(candidate, job, &wake_up, timeout);
        let elapsed = waited + asked.elapsed();
        if let Ok((Reply::Answered(_), ..)) | Err(PredicateError::Cancelled) = &answer {
            self.put_back(ask, worker);
        }
        let (reply, stderr, job) = answer?;
        self.count(&reply);
        Ok(Seen::new(reply, stderr, &job, elapsed, timeout))
    }

    /// A worker that can be asked.
    fn worker(&self, ask: Ask, wake_up: &WakeUp) -> Result<Worker, PredicateError> {
        while ask == Ask::Warm
            && let Some(mut worker) = self.pool.take()
        {
            // It may still look at a candidate that nobody wants to know about any more. That is worth waiting for as long
            // as a new worker would take to get there.
            let patience = self.criteria.slowest().unwrap_or_default() + worker.start_up;
            match worker.settle(wake_up, patience)? {
                Settled::Yes if worker.is_quiet() => return Ok(worker),
                Settled::Cancelled => {
                    self.pool.put(worker);
                    return Err(PredicateError::Cancelled);
                }
                Settled::Yes | Settled::No => {}
            }
        }
        self.start(wake_up).or_else(|error| match error {
            // What worked before may work again, once there is room.
            PredicateError::Fatal(_) if self.counts.started.load(Ordering::Relaxed) > 0 => {
                self.pool.clear();
                self.start(wake_up)
            }
            error => Err(error),
        })
    }

    fn start(&self, wake_up: &WakeUp) -> Result<Worker, PredicateError> {
        let Workplace { program, scratch, .. } = &self.workplace;
        let worker = Worker::start(program, &self.config.command, scratch, wake_up)?;
        self.counts.started.fetch_add(1, Ordering::Relaxed);
        Ok(worker)
    }

    /// Keeps a worker for later, unless it is old or fat or was wanted for one candidate only.
    fn put_back(&self, ask: Ask, mut worker: Worker) {
        if ask == Ask::Fresh || self.agreement.is_broken() || worker.requests() >= self.config.restart_after {
            return;
        }
        if worker.holds_more_than(self.config.memory, self.config.weigh_every) {
            self.counts.grown.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.pool.put(worker);
    }

    fn count(&self, reply: &Reply) {
        match reply {
            Reply::Answered(_) => {}
            Reply::TimedOut => drop(self.counts.timed_out.fetch_add(1, Ordering::Relaxed)),
            Reply::Broken(_) => drop(self.counts.crashed.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// A fresh worker takes about as long as the slowest run, which was one. What would not be done in time would only
    /// take the time of other candidates, and in the end the verdict with it.
    fn has_time_for_a_check(&self) -> bool {
        let takes = self.criteria.slowest().unwrap_or_default();
        self.deadline.get().is_none_or(|deadline| deadline.saturating_duration_since(Instant::now()) > takes)
    }

    /// Asks a fresh worker the same. What it says counts.
    fn check(&self, warm: Assessed, candidate: &FileTree, cancel: &Cancel) -> Result<Assessed, PredicateError> {
        let mut cold = self.judge_as(Ask::Fresh, candidate, cancel)?;
        cold.judgment.elapsed += warm.judgment.elapsed;
        let Some(warning) = self.agreement.compare(&warm.judgment, &cold.judgment) else {
            let judgment = Judgment { elapsed: cold.judgment.elapsed, ..warm.judgment };
            return Ok(Assessed { judgment, ..warm });
        };
        self.pool.clear();
        if let Some(warn) = &self.warn {
            warn(&warning);
        }
        Ok(cold)
    }
}

impl Predicate for WorkerPredicate {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let key = candidate.key();
        let fresh = self.agreement.is_broken() || self.agreement.is_asked_again(&key);
        let ask = if fresh { Ask::Fresh } else { Ask::Warm };
        let mut assessed = self.judge_as(ask, candidate, cancel)?;
        if ask == Ask::Warm {
            self.agreement.remember(key, &assessed.judgment);
            let says_something = assessed.judgment.verdict != Verdict::Unresolved;
            if says_something && self.has_time_for_a_check() && self.agreement.is_due() {
                assessed = self.check(assessed, candidate, cancel)?;
            }
        }
        self.counts.supersets.fetch_add(u64::from(assessed.superset), Ordering::Relaxed);
        Ok(assessed.judgment)
    }
}

impl TestPredicate for WorkerPredicate {
    fn observe(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        self.observe_as(Ask::Warm, candidate, cancel)
    }

    fn assess(&self, observation: &Observation) -> Result<Judgment, PredicateError> {
        self.criteria.assess(observation)
    }

    fn calibrate(&self, observations: &[Observation]) -> Result<(), CommandError> {
        self.criteria.calibrate(observations)
    }

    fn runs(&self) -> u64 {
        self.counts.runs.load(Ordering::Relaxed)
    }

    fn supersets(&self) -> u64 {
        self.counts.supersets.load(Ordering::Relaxed)
    }

    fn end_by(&self, deadline: Instant) {
        // The first one counts.
        let _ = self.deadline.set(deadline);
    }

    fn relative_arguments(&self) -> Vec<&OsStr> {
        self.config.command.relative_arguments()
    }
}

/// What was seen of a candidate, and what that is worth.
struct Seen {
    observation: Observation,
    /// The worker broke over it.
    broken: bool,
    /// Somebody wrote into a file of the candidate that is shared with others.
    spoilt: bool,
}

impl Seen {
    fn new(reply: Reply, stderr: Captured, job: &Job, elapsed: Duration, timeout: Duration) -> Self {
        let mut observation = Observation {
            ending: Ending::TimedOut(timeout),
            stdout: Captured::default(),
            stderr,
            elapsed,
            directory: job.directory().to_path_buf(),
            temporary: job.temporary().to_path_buf(),
            settled: None,
        };
        let mut broken = false;
        match reply {
            Reply::Answered(answered) => answered.complete(&mut observation),
            Reply::TimedOut => {}
            Reply::Broken(reason) => {
                broken = true;
                observation.ending = Ending::Exited(1);
                observation.settled = Some((Verdict::Unresolved, reason));
            }
        }
        Seen { observation, broken, spoilt: job.saw_spoilt_content() }
    }
}
