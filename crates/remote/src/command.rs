//! A [`Runner`] that runs the test as a command on a farm.

use crate::action::{Action, Actions, rounded_up};
use crate::blobs::BlobStore;
use crate::config::RemoteConfig;
use crate::connection::Connection;
use crate::digest::{Digest, Digests};
use crate::error::RemoteError;
use crate::execution::{Outcome, execute};
use crate::script::{JOB, TEMPORARY, TestFiles, lacking, root_in};
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use lapidary_predicate::{Captured, Disturbance, Ending, Limits, Observation, Runner, Timeout};
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// A test to run on a farm, with its limits.
#[derive(Clone, Debug)]
pub struct RemoteTest {
    /// The words of the test's command, and the files that go along.
    pub test: TestFiles,
    /// The time limit for one run. A measured limit is rounded up, to at least 5 s, so that equal
    /// tests become equal actions.
    pub timeout: Timeout,
    /// The resource limits for each process of the test.
    pub limits: Limits,
    /// The number of bytes kept of stdout and of stderr.
    pub keep_output: usize,
}

/// Runs a command on a farm, each time in a fresh directory of a worker that holds the candidate.
///
/// A run that ends by signal n is reported as exit code 128 + n, as a shell does: farms do not tell
/// the two apart. Expectations such as `exit=SEGV` accept both.
pub struct RemoteCommand {
    connection: Connection,
    blobs: BlobStore,
    actions: Actions,
    timeout: Timeout,
    keep_output: usize,
    use_cache: bool,
    runs: AtomicU64,
    cached: AtomicU64,
    /// The executions of each action. A repetition gets a new number, so that the farm runs it.
    repetitions: Repetitions,
    /// The runtime of all connections. The last field, so it is dropped last.
    runtime: Shutdown,
}

impl RemoteCommand {
    /// Connects to the farm and checks that it can run tests, without running one.
    pub fn new(config: &RemoteConfig, test: RemoteTest) -> Result<Self, RemoteError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("farm")
            .enable_all()
            .build()
            .map_err(RemoteError::Runtime)?;
        let connection = runtime.block_on(Connection::open(config))?;
        let digests = Digests::new(connection.capabilities.digests);
        Ok(RemoteCommand {
            blobs: BlobStore::new(connection.clone()),
            actions: Actions::new(test.test, test.limits, &config.properties, digests)?,
            connection,
            timeout: test.timeout,
            keep_output: test.keep_output,
            use_cache: config.use_cache,
            runs: AtomicU64::new(0),
            cached: AtomicU64::new(0),
            repetitions: Mutex::default(),
            runtime: Shutdown(Some(runtime)),
        })
    }

    /// The number of bytes of files and messages that were sent to the farm.
    pub fn bytes_sent(&self) -> u64 {
        self.blobs.bytes_sent()
    }

    async fn observe(&self, candidate: &FileTree, timeout: Duration) -> Result<Observation, RemoteError> {
        let limit = match self.timeout {
            Timeout::Fixed(_) => timeout,
            Timeout::Adaptive => rounded_up(timeout),
        };
        let (action, mut claim) = self.next_action(candidate, limit)?;
        let start = Instant::now();
        // An eviction between the end of an action and the reading of its output costs a run.
        const READS: u32 = 3;
        for attempt in 0..READS {
            let use_cache = self.use_cache && attempt == 0;
            let outcome = execute(&self.connection, &self.blobs, &action, use_cache).await?;
            if let Some(observation) = self.observation(outcome, timeout, start).await? {
                claim.is_used = true;
                return Ok(observation);
            }
        }
        Err(RemoteError::Incapable("it does not keep the outputs of tests until they are read".to_owned()))
    }

    /// Returns the action for the next run on a candidate.
    fn next_action(&self, candidate: &FileTree, timeout: Duration) -> Result<(Action, Claim<'_>), RemoteError> {
        let first = self.actions.of(candidate, timeout, 0)?;
        let claim = Claim::of(&self.repetitions, first.digest);
        let action = if claim.number == 0 { first } else { self.actions.of(candidate, timeout, claim.number)? };
        Ok((action, claim))
    }

    /// Returns the observation of an outcome, or `None` if the farm no longer has its output.
    async fn observation(
        &self,
        outcome: Outcome,
        timeout: Duration,
        start: Instant,
    ) -> Result<Option<Observation>, RemoteError> {
        let (ending, result, is_cached) = match outcome {
            Outcome::Finished { result, is_cached } => (Ending::Exited(result.exit_code), Some(result), is_cached),
            Outcome::TimedOut(result) => (Ending::TimedOut(timeout), result, false),
            Outcome::Lost(problem) => return Ok(Some(self.lost(&problem, start))),
        };
        let counter = if is_cached { &self.cached } else { &self.runs };
        counter.fetch_add(1, Ordering::Relaxed);
        let mut observation = Observation { elapsed: start.elapsed(), ..Observation::new(ending_of(ending)) };
        let Some(result) = result else { return Ok(Some(observation)) };
        let stdout = self.output(&result.stdout_raw, result.stdout_digest.as_ref()).await?;
        let stderr = self.output(&result.stderr_raw, result.stderr_digest.as_ref()).await?;
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else { return Ok(None) };
        if let (Ending::Exited(127), Some(program)) = (ending, lacking(&stderr.head)) {
            return Err(RemoteError::NoProgram(program));
        }
        observation.elapsed = elapsed(&result).unwrap_or(observation.elapsed);
        if let Some(root) = root_in([&stdout.head, &stderr.head]) {
            (observation.directory, observation.temporary) = (root.join(JOB), root.join(TEMPORARY));
        }
        (observation.stdout, observation.stderr) = (stdout, stderr);
        Ok(Some(observation))
    }

    /// Returns the observation of a run whose workers vanished. Like a run that ended for lack of
    /// memory, it says nothing about the candidate.
    fn lost(&self, problem: &str, start: Instant) -> Observation {
        const SIGKILL: i32 = 9;
        self.runs.fetch_add(1, Ordering::Relaxed);
        let stderr = self.captured(format!("the farm gave up: {problem}\n").as_bytes());
        let disturbance = Some(Disturbance::MemoryRanOut);
        Observation { stderr, disturbance, elapsed: start.elapsed(), ..Observation::new(Ending::Signalled(SIGKILL)) }
    }

    /// Returns an output stream, which a result contains or names by its digest.
    async fn output(&self, raw: &[u8], named: Option<&api::Digest>) -> Result<Option<Captured>, RemoteError> {
        let Some(named) = named.filter(|named| named.size_bytes != 0) else {
            return Ok(Some(self.captured(raw)));
        };
        let wrong = || RemoteError::Lies(format!("`{}` is no digest", named.hash));
        let digest = Digest::from_api(named).ok_or_else(wrong)?;
        if raw.is_empty() {
            return self.blobs.read(digest, self.keep_output).await;
        }
        let found = self.connection.capabilities.digests.digest(raw);
        match found == digest {
            true => Ok(Some(self.captured(raw))),
            false => Err(RemoteError::Lies(format!("an output has the digest {found}, not {digest} as it says"))),
        }
    }

    fn captured(&self, bytes: &[u8]) -> Captured {
        let kept = bytes.len().min(self.keep_output);
        Captured { head: bytes[..kept].to_vec(), dropped: (bytes.len() - kept) as u64 }
    }
}

type Repetitions = Mutex<HashMap<Digest, u32>>;

/// The number of a repetition. It is given back if the run does not come to its end, as when it is
/// cancelled, so that equal runs have equal numbers and find each other's results.
struct Claim<'r> {
    repetitions: &'r Repetitions,
    first: Digest,
    number: u32,
    is_used: bool,
}

impl<'r> Claim<'r> {
    fn of(repetitions: &'r Repetitions, first: Digest) -> Self {
        let mut counts = repetitions.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(first).or_insert(0);
        *count += 1;
        Claim { repetitions, first, number: *count - 1, is_used: false }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        let mut counts = self.repetitions.lock().unwrap_or_else(PoisonError::into_inner);
        // Unless somebody has the next number already.
        if let Some(count) = counts.get_mut(&self.first).filter(|count| !self.is_used && **count == self.number + 1) {
            *count = self.number;
        }
    }
}

impl Runner for RemoteCommand {
    fn run(&self, candidate: &FileTree, timeout: Duration, cancel: &Cancel) -> Result<Observation, PredicateError> {
        if cancel.is_cancelled() {
            return Err(PredicateError::Cancelled);
        }
        let (tell, told) = oneshot::channel();
        // A child, so that nothing of this run is left in the parent.
        let request = cancel.child();
        request.on_cancel(move || _ = tell.send(()));
        let observed = self.runtime.get().block_on(async {
            tokio::select! {
                biased;
                _ = told => Err(PredicateError::Cancelled),
                observed = self.observe(candidate, timeout) => Ok(observed?),
                error = self.connection.idle() => Err(error.into()),
            }
        });
        drop(request);
        observed
    }

    fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    fn cached(&self) -> u64 {
        self.cached.load(Ordering::Relaxed)
    }
}

/// Some farms report death by signal n as exit code -n.
fn ending_of(ending: Ending) -> Ending {
    match ending {
        Ending::Exited(code @ -64..=-1) => Ending::Exited(128 - code),
        ending => ending,
    }
}

/// How long the command ran, as the worker measured it.
fn elapsed(result: &api::ActionResult) -> Option<Duration> {
    let metadata = result.execution_metadata.as_ref()?;
    let (start, end) = (metadata.execution_start_timestamp?, metadata.execution_completed_timestamp?);
    let nanos = |time: bazel_remote_apis::google::protobuf::Timestamp| {
        i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanos)
    };
    Some(Duration::from_nanos(u64::try_from(nanos(end) - nanos(start)).ok()?))
}

/// Ends the runtime without waiting long for operations that are being cancelled.
struct Shutdown(Option<Runtime>);

impl Shutdown {
    fn get(&self) -> &Runtime {
        self.0.as_ref().expect("the runtime is there until it is dropped")
    }
}

impl Drop for Shutdown {
    fn drop(&mut self) {
        const LONGEST: Duration = Duration::from_secs(2);
        self.0.take().into_iter().for_each(|runtime| runtime.shutdown_timeout(LONGEST));
    }
}
