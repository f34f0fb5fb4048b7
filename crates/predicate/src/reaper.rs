//! Ends all processes of a test, even daemons.
//!
//! We are a child subreaper: any descendant that loses its parent becomes our child. So after a
//! test's first process (its *leader*) and its process group are gone, the remaining processes of
//! the test are our children, or soon will be, and are found, killed and reaped. Invariants: a
//! leader is reaped only by the [`Leader`] that holds it, and no child of ours is started or reaped
//! while [`sweep`] inspects our children, so that it never mistakes a new leader for a stray.

use crate::proc::{self, Relative};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, getpgid, getpgrp, getpid, kill_process, kill_process_group,
    pidfd_open, set_child_subreaper, setrlimit, waitpid,
};
use std::collections::{HashMap, HashSet};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Command, ExitStatus};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, RwLock, mpsc};
use std::time::{Duration, Instant};

/// The environment variable that names the job of a process. A Lapidary inside a test of another
/// Lapidary appends to the outer marker, so the outer one recognises processes that the inner one
/// left behind.
pub const MARKER: &str = "LAPIDARY_JOB";

/// How long a killed process may take to die before we give up on it. It may hang in a device or a
/// network file system.
const PATIENCE: Duration = Duration::from_secs(10);

/// The first process of a running test. Dropping it ends the test as [`Leader::finish`] does.
pub struct Leader {
    child: Child,
    exit: OwnedFd,
    marker: String,
    born: Instant,
    reaped: bool,
}

/// Starts a test. The command must request its own process group.
pub fn spawn(command: &mut Command, marker: &str) -> io::Result<Leader> {
    start(marker, || spawn_when_not_busy(command))
}

/// Starts a test from a thread that lives as long as we do. A sandbox ends with the thread that
/// started it, and a worker may outlive ours.
pub fn spawn_lastingly(command: Command, marker: &str) -> io::Result<Leader> {
    start(marker, || {
        let (answer, answered) = mpsc::channel();
        // If the thread is gone, there is no answer.
        let _ = LASTING_THREAD.lock().unwrap_or_else(PoisonError::into_inner).send((command, answer));
        answered.recv().map_err(io::Error::other)?
    })
}

static LASTING_THREAD: LazyLock<Mutex<mpsc::Sender<Order>>> = LazyLock::new(|| {
    let (send, receive) = mpsc::channel::<Order>();
    std::thread::spawn(move || {
        for (mut command, answer) in receive {
            let _ = answer.send(spawn_when_not_busy(&mut command));
        }
    });
    Mutex::new(send)
});

/// A command to start, and where to send the process.
type Order = (Command, mpsc::Sender<io::Result<Child>>);

fn start(marker: &str, spawn: impl FnOnce() -> io::Result<Child>) -> io::Result<Leader> {
    LazyLock::force(&SUBREAPER).as_ref().map_err(|&errno| io::Error::from(errno))?;
    let _no_sweep = CHILDREN.read().unwrap_or_else(PoisonError::into_inner);
    let born = Instant::now();
    let mut child = spawn()?;
    let exit = pidfd_open(pid_of(&child), PidfdFlags::empty()).inspect_err(|_| {
        // Without a descriptor the test cannot be watched, so it is ended at once.
        let _ = kill_process_group(pid_of(&child), Signal::KILL);
        let _ = child.wait();
    })?;
    registry().leaders.insert(pid_of(&child), marker.to_owned());
    Ok(Leader { child, exit, marker: marker.to_owned(), born, reaped: false })
}

/// Waits until no child that was being spawned at the time of the call can hold a copy of our open
/// files. Call this between writing an executable and running it, or else the kernel may report
/// that the file is busy.
pub fn settle() {
    drop(CHILDREN.write().unwrap_or_else(PoisonError::into_inner));
}

/// Marks a child of this process that has its own process group, so that it is not mistaken for a
/// stray of a test.
pub fn protect(pid: u32) {
    if let Some(pid) = Pid::from_raw(pid as i32) {
        registry().protected.insert(pid);
    }
}

impl Leader {
    /// A descriptor that becomes readable when the process has ended.
    pub fn exit(&self) -> BorrowedFd<'_> {
        self.exit.as_fd()
    }

    pub fn pid(&self) -> Pid {
        pid_of(&self.child)
    }

    /// Whether the process ends within `patience`.
    pub fn has_exited(&self, patience: Duration) -> bool {
        self.reaped || wait_for(&[self.exit.as_fd()], patience)
    }

    /// Asks the process and its group to end, and waits for it so long.
    pub fn give_notice(&self, notice: Duration) {
        if !notice.is_zero() {
            // If it has ended meanwhile, there is nobody to ask.
            let _ = kill_process_group(self.pid(), Signal::TERM);
            self.has_exited(notice);
        }
    }

    /// The pipe to the process's stdin.
    pub fn take_stdin(&mut self) -> OwnedFd {
        self.child.stdin.take().expect("stdin is piped").into()
    }

    pub fn take_streams(&mut self) -> (OwnedFd, OwnedFd) {
        let stdout = self.child.stdout.take().expect("stdout is piped");
        let stderr = self.child.stderr.take().expect("stderr is piped");
        (stdout.into(), stderr.into())
    }

    /// Ends the test with all its processes, if they have not ended yet.
    pub fn finish(mut self) -> io::Result<ExitStatus> {
        self.end()
    }

    /// Like [`Leader::finish`], for callers that cannot give the leader away. Call it once.
    pub fn end(&mut self) -> io::Result<ExitStatus> {
        let pid = pid_of(&self.child);
        if !wait_for(&[self.exit.as_fd()], Duration::ZERO) {
            kill_with_descendants(pid);
        }
        // The leader is not reaped yet, so no other process group can have its number.
        let _ = kill_process_group(pid, Signal::KILL);
        if !wait_for(&[self.exit.as_fd()], PATIENCE) {
            return Err(unkillable(&[pid]));
        }
        let status = {
            let _no_sweep = CHILDREN.read().unwrap_or_else(PoisonError::into_inner);
            let status = self.child.wait();
            registry().leaders.remove(&pid);
            status
        };
        self.reaped = true;
        sweep(&self.marker, pid, self.born)?;
        status
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.end();
        }
    }
}

static SUBREAPER: LazyLock<Result<(), Errno>> = LazyLock::new(|| {
    // All tests inherit this: a core dump per crashing candidate would fill the disk.
    let highest = rustix::process::getrlimit(Resource::Core).maximum;
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: highest })?;
    set_child_subreaper(Some(getpid()))
});

/// Held shared while a child is started or a leader is reaped, exclusively while our children are
/// inspected.
static CHILDREN: RwLock<()> = RwLock::new(());

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Registry {
    /// The running tests, with their markers.
    leaders: HashMap<Pid, String>,
    protected: HashSet<Pid>,
    /// Strays without a marker, with the jobs they may belong to. They are killed when the last of
    /// those jobs has ended.
    suspects: HashMap<Pid, HashSet<String>>,
}

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pid_of(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// Spawns a command, and tries again while its program file is busy. That happens while a process
/// holds the file open for writing, for example a child of another thread before its exec.
fn spawn_when_not_busy(command: &mut Command) -> io::Result<Child> {
    for _ in 0..100 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
    command.spawn()
}

/// Kills and reaps the remaining processes of a job, whose leader had the number `leader`.
fn sweep(marker: &str, leader: Pid, born: Instant) -> io::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    let mut scope = proc::younger_than(leader, born.elapsed());
    loop {
        let Strays { dying, reaped } = kill_strays(marker, &scope);
        if dying.is_empty() && !reaped {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(unkillable(&dying.iter().map(|(pid, _)| *pid).collect::<Vec<_>>()));
        }
        let exits: Vec<_> = dying.iter().map(|(_, exit)| exit.as_fd()).collect();
        wait_for(&exits, PATIENCE);
        scope = proc::younger_than(leader, born.elapsed());
    }
}

/// Reaps the strays that have ended, and kills and returns those of this job.
fn kill_strays(marker: &str, scope: &proc::Scope) -> Strays {
    let mut found = Strays::default();
    if scope.is_empty() && registry().suspects.is_empty() {
        return found;
    }
    let _nobody_is_born = CHILDREN.write().unwrap_or_else(PoisonError::into_inner);
    let mut registry = registry();
    registry.suspects.retain(|&pid, _| getpgid(Some(pid)).is_ok());
    let mut children = proc::children(getpid(), scope);
    children.extend(registry.suspects.keys().map(|&pid| Relative { pid, ended: proc::has_ended(pid) }));
    let strays = children.into_iter().filter(|child| registry.is_stray(child.pid)).collect::<Vec<_>>();
    for stray in strays {
        if stray.ended {
            found.reaped |= matches!(waitpid(Some(stray.pid), WaitOptions::NOHANG), Ok(Some(_)));
            registry.suspects.remove(&stray.pid);
        } else if registry.must_die(stray.pid, marker)
            && let Ok(exit) = pidfd_open(stray.pid, PidfdFlags::empty())
        {
            registry.kill(stray.pid);
            found.dying.push((stray.pid, exit));
        }
    }
    found
}

/// The strays found in one inspection of our children.
#[derive(Default)]
struct Strays {
    /// Strays just killed, each with a descriptor that becomes readable at its end.
    dying: Vec<(Pid, OwnedFd)>,
    /// Whether a stray had ended by itself. It may have left a child that started after the
    /// inspection.
    reaped: bool,
}

impl Registry {
    /// Whether a child is neither a leader, nor protected, nor started by other parts of this
    /// program. Those are in our own process group, which no process of a test starts in.
    fn is_stray(&self, pid: Pid) -> bool {
        !self.leaders.contains_key(&pid)
            && !self.protected.contains(&pid)
            && getpgid(Some(pid)).is_ok_and(|group| group != getpgrp())
    }

    /// Decides whether a live stray is killed at the end of the job `marker`.
    fn must_die(&mut self, pid: Pid, marker: &str) -> bool {
        let theirs = proc::marker(pid);
        if theirs.as_deref().is_some_and(|theirs| belongs(theirs, marker)) {
            return true;
        }
        if theirs.is_some_and(|theirs| self.leaders.values().any(|running| belongs(&theirs, running))) {
            return false;
        }
        let running = &self.leaders;
        let owners = self.suspects.entry(pid).or_insert_with(|| running.values().cloned().collect());
        owners.remove(marker);
        owners.is_empty()
    }

    /// Kills a stray, its descendants and its process group, unless the group is that of a running
    /// test.
    fn kill(&mut self, pid: Pid) {
        let group = getpgid(Some(pid));
        kill_with_descendants(pid);
        if let Ok(group) = group
            && group != getpgrp()
            && !self.leaders.contains_key(&group)
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Whether a marker is that of the job, or of a job of a Lapidary that runs inside it.
fn belongs(theirs: &str, marker: &str) -> bool {
    theirs.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
}

fn kill_with_descendants(pid: Pid) {
    let descendants = proc::descendants(pid);
    let _ = kill_process(pid, Signal::KILL);
    for descendant in descendants {
        let _ = kill_process(descendant, Signal::KILL);
    }
}

/// Waits until all of these processes have ended. Returns false if `patience` runs out first.
fn wait_for(exits: &[BorrowedFd<'_>], patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    exits.iter().all(|exit| {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::from_borrowed_fd(*exit, PollFlags::IN)], Some(&timeout)) {
                Ok(ready) => return ready > 0,
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    })
}

fn unkillable(pids: &[Pid]) -> io::Error {
    let numbers: Vec<_> = pids.iter().map(|pid| pid.as_raw_nonzero().to_string()).collect();
    io::Error::other(format!("a process of the test cannot be killed (process {})", numbers.join(", ")))
}
