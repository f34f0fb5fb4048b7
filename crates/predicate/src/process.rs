//! One run of a command: spawned into its own process group, watched by one `poll`, and ended with
//! all its descendants.
//!
//! The thread that spawns the process also waits for it, in a single `poll` on the process, its two
//! streams and the cancellation. So it notices the end of a test after one wake-up.

pub use crate::capture::Captured;
use crate::capture::Stream;
use crate::enclosure::Enclosure;
use crate::ending::Ending;
use crate::limits::Limits;
use crate::reaper::{self, Leader};
use crate::scratch::Job;
use lapidary_common::sandbox::Sandbox;
use lapidary_reduce::{Cancel, PredicateError};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fs::{Access, access};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How to start a process of a test.
pub struct Launch<'a> {
    /// The program, by its absolute path.
    pub program: &'a Path,
    /// The program's arguments.
    pub arguments: &'a [OsString],
    /// The directory in which it starts.
    pub directory: &'a Path,
    /// The process's directory for temporary files.
    pub temporary: &'a Path,
    /// Environment variables in addition to those inherited from us.
    pub environment: &'a [(OsString, OsString)],
    /// The value of `LAPIDARY_JOB`, which identifies its descendants.
    pub marker: &'a str,
    /// The resource limits for each of its processes.
    pub limits: &'a Limits,
    /// The sandbox to run it in. Its directory for temporary files can be written there.
    pub sandbox: Option<&'a Sandbox>,
}

impl<'a> Launch<'a> {
    /// Starts a program in the directories of a job, without limits or a sandbox.
    pub fn in_job(job: &'a Job, program: &'a Path, arguments: &'a [OsString]) -> Self {
        Launch {
            program,
            arguments,
            directory: job.directory(),
            temporary: job.temporary(),
            environment: &[],
            marker: &job.marker,
            limits: const { &Limits::NONE },
            sandbox: None,
        }
    }
}

/// One run with its limits.
pub struct Task<'a> {
    /// The process to start.
    pub launch: Launch<'a>,
    /// The file to use as standard input, which is otherwise empty.
    pub stdin: Option<&'a Path>,
    /// The time after which it is ended.
    pub timeout: Duration,
    /// The number of bytes kept of each stream.
    pub keep: usize,
}

/// A finished run.
pub struct Finished {
    /// The way in which the process ended.
    pub ending: Ending,
    /// The beginning of its standard output.
    pub stdout: Captured,
    /// The beginning of its standard error.
    pub stderr: Captured,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether one of its processes was killed because all of them together used more memory than
    /// its limits allow.
    pub ran_out_of_memory: bool,
}

impl Finished {
    /// The last meaningful line on standard error, or else on standard output, to show a user why
    /// the run failed. The stack trace below a Java exception is skipped, because it says where and
    /// not what.
    pub fn last_words(&self) -> Option<String> {
        const SHOWN: usize = 200;
        let says_something = |line: &&str| !(line.is_empty() || line.starts_with("at ") || line.starts_with("... "));
        let last = |stream: &Captured| {
            let text = String::from_utf8_lossy(&stream.head).into_owned();
            let line = text.lines().rev().map(str::trim).find(says_something)?.to_owned();
            Some(line.chars().take(SHOWN).collect())
        };
        last(&self.stderr).or_else(|| last(&self.stdout))
    }
}

/// Runs the task until it ends or is ended. When this returns, no process of the task is alive.
pub fn run(task: &Task<'_>, cancel: &Cancel) -> Result<Finished, PredicateError> {
    run_with_notice(task, Duration::ZERO, cancel)
}

/// Like [`run`]. A task that is ended early is asked to end (SIGTERM) and killed after `notice`.
pub fn run_with_notice(task: &Task<'_>, notice: Duration, cancel: &Cancel) -> Result<Finished, PredicateError> {
    let wake_up = WakeUp::new(cancel).map_err(out_of_descriptors)?;
    let start = Instant::now();
    let enclosure = Enclosure::of(&task.launch)?;
    let mut leader = task.launch.start_in(task.stdin()?, &enclosure)?;
    let mut watch = Watch::new(&mut leader, task).map_err(out_of_descriptors)?;
    // A timeout beyond the range of the clock is as good as none.
    let deadline = start.checked_add(task.timeout).unwrap_or_else(|| start + Duration::from_secs(1 << 30));
    let ending = watch.until_the_end(&leader, &wake_up, deadline).map_err(cannot_wait)?;
    let elapsed = start.elapsed();
    if !matches!(ending, End::Exited) {
        leader.give_notice(notice);
    }
    let status = leader.finish().map_err(cannot_wait)?;
    let (stdout, stderr) = watch.streams();
    let ending = match ending {
        End::Exited => enclosure.ending(&task.launch, status.into(), &stderr)?,
        End::TimedOut => Ending::TimedOut(task.timeout),
        End::Cancelled => return Err(PredicateError::Cancelled),
    };
    Ok(Finished { ending, stdout, stderr, elapsed, ran_out_of_memory: enclosure.ran_out_of_memory() })
}

impl Task<'_> {
    fn stdin(&self) -> Result<Stdio, PredicateError> {
        let Some(path) = self.stdin else { return Ok(Stdio::null()) };
        let failed = |error| PredicateError::Fatal(format!("cannot read {}: {error}", path.display()));
        Ok(File::open(path).map_err(failed)?.into())
    }
}

impl Launch<'_> {
    /// Starts the process in a group of its own, with its output streams piped to us.
    pub fn start(&self, stdin: Stdio) -> Result<Leader, PredicateError> {
        self.start_in(stdin, &Enclosure::default())
    }

    fn start_in(&self, stdin: Stdio, enclosure: &Enclosure) -> Result<Leader, PredicateError> {
        if let Err(error) = access(self.program, Access::EXEC_OK) {
            // The program existed at the start. Without this check, the shell that sets limits
            // would report its absence as an exit code of the test.
            return Err(self.failed(&error.into()));
        }
        let mut command = self.command(enclosure);
        command.stdin(stdin);
        match self.sandbox {
            Some(_) => reaper::spawn_lastingly(command, self.marker),
            None => reaper::spawn(&mut command, self.marker),
        }
        .map_err(|error| self.failed(&error))
    }

    fn command(&self, enclosure: &Enclosure) -> Command {
        let mut command = match self.sandbox {
            None => self.limits.command(self.program),
            Some(sandbox) => enclosure.command(self, sandbox),
        };
        command
            .args(self.arguments)
            .current_dir(self.directory)
            .env("PWD", self.directory)
            .env("TMPDIR", self.temporary)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env(reaper::MARKER, self.marker)
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn failed(&self, error: &io::Error) -> PredicateError {
        let advice = match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::AGAIN | Errno::NOMEM) => "; too many processes or too little memory: lower --jobs",
            Some(Errno::MFILE | Errno::NFILE) => "; too many open files: lower --jobs or raise `ulimit -n`",
            Some(Errno::NOEXEC) => "; it is neither a program for this machine nor a script that starts with #!",
            Some(Errno::TOOBIG) => "; its arguments and environment are too long",
            _ => "",
        };
        PredicateError::Fatal(format!("cannot start {}: {error}{advice}", self.program.display()))
    }
}

enum End {
    Exited,
    TimedOut,
    Cancelled,
}

struct Watch {
    stdout: Stream,
    stderr: Stream,
    buffer: Vec<u8>,
}

impl Watch {
    fn new(leader: &mut Leader, task: &Task<'_>) -> io::Result<Self> {
        let (stdout, stderr) = leader.take_streams();
        Ok(Watch {
            stdout: Stream::new(stdout, task.keep)?,
            stderr: Stream::new(stderr, task.keep)?,
            buffer: vec![0; 64 * 1024],
        })
    }

    fn until_the_end(&mut self, leader: &Leader, wake_up: &WakeUp, deadline: Instant) -> io::Result<End> {
        loop {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else { return Ok(End::TimedOut) };
            let ready = self.wait(leader, wake_up, left)?;
            if ready.cancelled {
                return Ok(End::Cancelled);
            }
            if ready.stdout {
                self.stdout.read(&mut self.buffer);
            }
            if ready.stderr {
                self.stderr.read(&mut self.buffer);
            }
            if ready.exited {
                return Ok(End::Exited);
            }
        }
    }

    fn wait(&self, leader: &Leader, wake_up: &WakeUp, left: Duration) -> io::Result<Ready> {
        let cancelled = wake_up.event();
        // A stream that has ended is replaced by a descriptor that is watched anyway.
        let watched = [Some(leader.exit()), Some(cancelled), self.stdout.open(), self.stderr.open()];
        let mut polled = watched.map(|fd| PollFd::from_borrowed_fd(fd.unwrap_or(cancelled), PollFlags::IN));
        let timeout = Timespec { tv_sec: left.as_secs().min(1 << 30) as i64, tv_nsec: left.subsec_nanos().into() };
        match poll(&mut polled, Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [exited, cancelled, stdout, stderr] = polled.map(|fd| !fd.revents().is_empty());
        Ok(Ready { exited, cancelled, stdout, stderr })
    }

    fn streams(mut self) -> (Captured, Captured) {
        (self.stdout.finish(&mut self.buffer), self.stderr.finish(&mut self.buffer))
    }
}

struct Ready {
    exited: bool,
    cancelled: bool,
    stdout: bool,
    stderr: bool,
}

/// An event that the cancellation raises. The callback may outlive the run, so it does not keep the
/// descriptor open.
pub struct WakeUp {
    event: Arc<OwnedFd>,
    slot: Arc<Mutex<Option<Arc<OwnedFd>>>>,
}

impl WakeUp {
    pub fn new(cancel: &Cancel) -> io::Result<Self> {
        let event = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let slot = Arc::new(Mutex::new(Some(event.clone())));
        let callback = slot.clone();
        cancel.on_cancel(move || {
            if let Some(event) = &*callback.lock().unwrap_or_else(PoisonError::into_inner) {
                // This fails only if the counter is full, and then the event is already raised.
                let _ = rustix::io::write(event, &1u64.to_ne_bytes());
            }
        });
        Ok(WakeUp { event, slot })
    }

    /// A descriptor that becomes readable on cancellation.
    pub fn event(&self) -> BorrowedFd<'_> {
        self.event.as_fd()
    }
}

impl Drop for WakeUp {
    fn drop(&mut self) {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

pub fn out_of_descriptors(error: io::Error) -> PredicateError {
    PredicateError::Fatal(format!("cannot watch the test: {error}; lower --jobs or raise `ulimit -n`"))
}

pub fn cannot_wait(error: io::Error) -> PredicateError {
    PredicateError::Fatal(format!("lost sight of the test: {error}"))
}
