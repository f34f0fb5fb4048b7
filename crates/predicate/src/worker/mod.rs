//! The predicate that asks workers. A worker is a test whose process stays alive and judges one
//! candidate after another.
//!
//! Starting a process for each candidate can cost more than the test itself (a JVM, a big library,
//! a compiled cache). A worker pays that cost once. Workers are as safe as command runs: one that
//! crashes, hangs, leaks or talks nonsense is replaced, and a fresh one gives the missing verdict.
//! [`fresh_checks`] detects workers that keep state they should not.

mod fresh_checks;
mod pool;
mod process;
mod protocol;

pub use protocol::{Answer as WorkerAnswer, Hello as WorkerHello};

use crate::capture::Captured;
use crate::command::{CommandConfig, CommandError, Workplace};
use crate::criteria::{Assessed, Criteria, Observation};
use crate::disturbance::{Disturbance, Kills};
use crate::ending::Ending;
use crate::process::{WakeUp, out_of_descriptors};
use crate::scratch::Job;
use crate::test_predicate::TestPredicate;
use fresh_checks::FreshChecks;
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate, PredicateError, Verdict};
use pool::Pool;
use process::{Reply, Settled, Worker};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The command that starts workers, and when to check and replace them.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// The command that starts a worker. Its resource limits apply to the worker's whole life, its
    /// time limit to each candidate.
    pub command: CommandConfig,
    /// A worker is replaced after this many candidates.
    pub restart_after: u64,
    /// A worker is replaced once it holds more than this many bytes of memory.
    pub memory: u64,
    /// The time between two checks of its memory.
    pub weigh_every: Duration,
    /// The number of verdicts of a kind between two checks with a fresh worker; 0 for no checks.
    pub check_every: u64,
    /// The largest share of the time that checks may take.
    pub check_share: f64,
}

impl WorkerConfig {
    /// The default settings for workers started by this command.
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

/// Statistics about workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerStatistics {
    /// Workers started.
    pub started: u64,
    /// Workers that ended or talked nonsense before they answered.
    pub crashed: u64,
    /// Workers ended because a candidate took too long.
    pub timed_out: u64,
    /// Workers replaced because they held too much memory.
    pub grown: u64,
    /// Verdicts checked with a fresh worker.
    pub checks: u64,
    /// Checks in which the fresh worker gave another verdict.
    pub disagreements: u64,
}

/// A predicate that asks workers, each about one candidate at a time.
pub struct WorkerPredicate {
    config: WorkerConfig,
    criteria: Criteria,
    fresh_checks: FreshChecks,
    warn: Option<Warn>,
    counts: Counts,
    /// Declared before the workplace, which must outlive the workers.
    pool: Pool,
    workplace: Workplace,
    /// The end of the whole run, including checks.
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
    /// Any worker.
    Warm,
    /// A new worker that stays for later candidates.
    Replacement,
    /// A new worker for this candidate only.
    Fresh,
}

impl WorkerPredicate {
    /// Finds the program. Workers start when they are needed.
    pub fn new(config: WorkerConfig) -> Result<Self, CommandError> {
        Ok(WorkerPredicate {
            workplace: Workplace::new(&config.command.program)?,
            criteria: Criteria::new(config.command.rules()),
            fresh_checks: FreshChecks::new(config.check_every, config.check_share),
            warn: None,
            counts: Counts::default(),
            pool: Pool::default(),
            deadline: OnceLock::new(),
            config,
        })
    }

    /// Sets the receiver of warnings.
    pub fn on_warning(mut self, warn: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.warn = Some(Box::new(warn));
        self
    }

    /// Statistics about the workers so far.
    pub fn statistics(&self) -> WorkerStatistics {
        let (checks, disagreements) = self.fresh_checks.counts();
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

    /// The directory in which all candidates are judged. It is removed when the predicate is
    /// dropped.
    pub fn scratch(&self) -> &Path {
        self.workplace.scratch.path()
    }

    fn judge_as(&self, ask: Ask, candidate: &FileTree, cancel: &Cancel) -> Result<Assessed, PredicateError> {
        self.criteria.judge(|| self.observe_as(ask, candidate, cancel))
    }

    fn observe_as(&self, ask: Ask, candidate: &FileTree, cancel: &Cancel) -> Result<Observation, PredicateError> {
        let mut seen = self.observe_once(ask, candidate, cancel)?;
        if seen.spoilt {
            // A worker wrote into a shared file. From now on workers get copies of it, so the
            // second run is clean.
            seen = self.observe_once(ask, candidate, cancel)?;
        }
        Ok(seen.observation)
    }

    /// Asks a worker and, if it breaks on the candidate, another one.
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
        let job = self.workplace.scratch.job(candidate, cancel)?;
        self.counts.runs.fetch_add(1, Ordering::Relaxed);
        let (asked, timeout) = (Instant::now(), self.criteria.timeout());
        let kills = Kills::so_far();
        let answer = worker.ask(candidate, job, &wake_up, timeout);
        let elapsed = waited + asked.elapsed();
        if let Ok((Reply::Answered(_), ..)) | Err(PredicateError::Cancelled) = &answer {
            self.put_back(ask, worker);
        }
        let (reply, stderr, job) = answer?;
        self.count(&reply);
        let mut seen = Seen::new(reply, stderr, &job, elapsed, timeout);
        if kills.have_risen() {
            seen.observation.disturbance = Some(Disturbance::MemoryRanOut);
        }
        Ok(seen)
    }

    /// Takes or starts a worker that is ready for a request.
    fn worker(&self, ask: Ask, wake_up: &WakeUp) -> Result<Worker, PredicateError> {
        while ask == Ask::Warm
            && let Some(mut worker) = self.pool.take()
        {
            // It may still be busy with a cancelled candidate. Waiting for it pays off as long as a
            // new worker would take.
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
            // Starting worked before, so it may work again once idle workers have freed resources.
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

    /// Keeps a worker for later, unless it is old, too large, or meant for one candidate only.
    fn put_back(&self, ask: Ask, mut worker: Worker) {
        if ask == Ask::Fresh || self.fresh_checks.is_broken() || worker.requests() >= self.config.restart_after {
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

    /// Whether a check can finish before the deadline. A fresh worker takes about as long as the
    /// slowest run, which used one. A check that did not finish in time would delay other
    /// candidates and lose the verdict.
    fn has_time_for_a_check(&self) -> bool {
        let takes = self.criteria.slowest().unwrap_or_default();
        self.deadline.get().is_none_or(|deadline| deadline.saturating_duration_since(Instant::now()) > takes)
    }

    /// Asks a fresh worker about the candidate. Its verdict counts.
    fn check(&self, warm: Assessed, candidate: &FileTree, cancel: &Cancel) -> Result<Assessed, PredicateError> {
        let mut cold = self.judge_as(Ask::Fresh, candidate, cancel)?;
        cold.judgment.elapsed += warm.judgment.elapsed;
        let Some(warning) = self.fresh_checks.compare(&warm.judgment, &cold.judgment) else {
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
        let fresh = self.fresh_checks.is_broken() || self.fresh_checks.is_asked_again(&key);
        let ask = if fresh { Ask::Fresh } else { Ask::Warm };
        let mut assessed = self.judge_as(ask, candidate, cancel)?;
        if ask == Ask::Warm {
            self.fresh_checks.remember(key, &assessed.judgment);
            let says_something = assessed.judgment.verdict != Verdict::Unresolved;
            if says_something && self.has_time_for_a_check() && self.fresh_checks.is_due() {
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

    fn judge_observed(
        &self,
        candidate: &FileTree,
        cancel: &Cancel,
    ) -> Result<(Judgment, Option<Observation>), PredicateError> {
        let ask = if self.fresh_checks.is_broken() { Ask::Fresh } else { Ask::Warm };
        let mut last = None;
        let assessed = self.criteria.judge(|| Ok(last.insert(self.observe_as(ask, candidate, cancel)?).clone()))?;
        Ok((assessed.judgment, last))
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
        // Only the first deadline counts.
        let _ = self.deadline.set(deadline);
    }

    fn relative_arguments(&self) -> Vec<&OsStr> {
        self.config.command.relative_arguments()
    }
}

/// The observation of a candidate, and whether it can be trusted.
struct Seen {
    observation: Observation,
    /// Whether the worker broke on it.
    broken: bool,
    /// Whether a process wrote into a shared file of the candidate.
    spoilt: bool,
}

impl Seen {
    fn new(reply: Reply, stderr: Captured, job: &Job, elapsed: Duration, timeout: Duration) -> Self {
        let mut observation = Observation {
            stderr,
            elapsed,
            directory: job.directory().to_path_buf(),
            temporary: job.temporary().to_path_buf(),
            ..Observation::new(Ending::TimedOut(timeout))
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
