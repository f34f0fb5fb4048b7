//! The parent's side: starts children, asks them, and ends those that overstep a limit.

use crate::frame::{self, Wait};
use crate::process;
use crate::serve::{ARGUMENT, Service};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How often a child that has not answered completely is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How often a question is asked again because somebody killed the child.
const MOST_KILLED: u32 = 5;

/// The limits of one question.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most memory in bytes that the child may have in use, and the most bytes of its answer.
    pub memory: u64,
    /// The processor time for the answer. Unlike the time on the clock, it does not depend on what
    /// else the machine is doing.
    pub processor: Duration,
    /// How long all threads of the child may sleep. Foreign code that reads from a pipe which
    /// nobody writes to would sleep forever.
    pub sleep: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: (process::total_memory() / 2).clamp(1 << 30, 4 << 30),
            processor: Duration::from_secs(60),
            sleep: Duration::from_secs(5),
        }
    }
}

/// Why a child gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Death {
    /// The child ended by itself.
    #[error("it crashed ({0})")]
    Crashed(String),
    /// Somebody else killed the child, for example the system when memory runs out. The question
    /// has nothing to do with it.
    #[error("it was killed")]
    Killed,
    /// The child used more memory than it may.
    #[error("it took more than {} MB of memory", .0 >> 20)]
    Memory(u64),
    /// The child used more processor time than it may.
    #[error("it took more than {} s", .0.as_secs())]
    Time(Duration),
    /// The child slept for too long.
    #[error("it waits for something that does not come, such as the other end of a pipe")]
    Asleep,
    /// [`stop_waiting`] was called.
    #[error("it was stopped")]
    Stopped,
    /// No child could be started.
    #[error("it cannot be started ({0})")]
    NotStarted(String),
}

/// Makes all questions that are being asked end with [`Death::Stopped`]. Call this when the user
/// wants the program to stop. Later questions are answered as usual.
pub fn stop_waiting() {
    STOPS.fetch_add(1, Ordering::Relaxed);
}

/// How often [`stop_waiting`] was called. Foreign code in this process should end when it changes.
pub fn stop_count() -> u64 {
    STOPS.load(Ordering::Relaxed)
}

static STOPS: AtomicU64 = AtomicU64::new(0);

/// The children of one service that are not answering a question.
pub struct Pool {
    service: &'static Service,
    idle: Mutex<Vec<Child>>,
}

impl Pool {
    pub const fn new(service: &'static Service) -> Pool {
        Pool { service, idle: Mutex::new(Vec::new()) }
    }

    /// Returns an idle child, or starts one.
    pub fn take(&self) -> Result<Child, Death> {
        let idle = self.idle().pop();
        idle.map_or_else(|| Child::start(self.service), Ok)
    }

    /// Keeps a child for later. It must have answered its last question.
    pub fn give_back(&self, child: Child) {
        self.idle().push(child);
    }

    /// Asks any child. The answer must not depend on earlier questions.
    pub fn ask(&self, question: &[u8], limits: &Limits) -> Result<Vec<u8>, Death> {
        self.ask_at(&mut None, question, limits, |_| true)
    }

    /// Asks the child with this number, or another one if it is busy or gone, and sets the number
    /// to that of the child that answered. Earlier questions may make the answer come sooner, but
    /// must not change it. A child whose answer is not sound gets no further questions.
    pub fn ask_at(
        &self,
        home: &mut Option<ChildNumber>,
        question: &[u8],
        limits: &Limits,
        is_sound: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<u8>, Death> {
        let mut killed = 0;
        loop {
            let at_home = home.take().and_then(|home| self.idle_child(home));
            let mut child = at_home.map_or_else(|| self.take(), Ok)?;
            match child.ask(question, limits) {
                Err(Death::Killed) if killed < MOST_KILLED => killed += 1,
                answer => {
                    if answer.as_ref().is_ok_and(|answer| is_sound(answer)) {
                        *home = Some(child.number);
                        self.give_back(child);
                    }
                    return answer;
                }
            }
        }
    }

    /// Asks the child with this number if it is idle, and no other one.
    pub fn tell(&self, number: ChildNumber, question: &[u8], limits: &Limits) {
        let Some(mut child) = self.idle_child(number) else { return };
        if child.ask(question, limits).is_ok() {
            self.give_back(child);
        }
    }

    fn idle_child(&self, number: ChildNumber) -> Option<Child> {
        let mut idle = self.idle();
        let index = idle.iter().position(|child| child.number == number)?;
        Some(idle.remove(index))
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Child>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the children of a pool apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildNumber(u64);

/// A child process that serves. Dropping it ends it.
pub struct Child {
    number: ChildNumber,
    process: std::process::Child,
    socket: UnixStream,
    has_ended: bool,
}

impl Child {
    /// Starts a child of our own executable.
    pub fn start(service: &Service) -> Result<Child, Death> {
        spawn(service).map_err(|error| Death::NotStarted(error.to_string()))
    }

    /// Asks a question. After an error the child is gone.
    pub fn ask(&mut self, question: &[u8], limits: &Limits) -> Result<Vec<u8>, Death> {
        self.ask_unless(question, limits, &|| false)
    }

    /// Asks a question that also ends with [`Death::Stopped`] soon after `is_stopped` returns true.
    pub fn ask_unless(
        &mut self,
        question: &[u8],
        limits: &Limits,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, Death> {
        let mut watch = Watch::new(self.process.id(), &self.socket, limits, is_stopped);
        let socket = self.socket.as_fd();
        let answer = frame::write(socket, question, &mut watch).and_then(|()| frame::read(socket, &mut watch));
        answer.map_err(|failure| match failure {
            Failure::Overstepped(death) => {
                self.end();
                death
            }
            Failure::Broken(_) => self.end().map_or_else(|| Death::Crashed("no reason is known".into()), ending),
        })
    }

    fn end(&mut self) -> Option<ExitStatus> {
        // A child that has closed its socket is ending, and keeps the status that it ends with.
        let _ = self.process.kill();
        // After the wait, another process may get the number, so it is forgotten before.
        if !std::mem::replace(&mut self.has_ended, true) {
            alive().remove(&self.process.id());
        }
        self.process.wait().ok()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(service: &Service) -> io::Result<Child> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    // This path works even if the executable was replaced on disk since we started. The child
    // stays in our process group, which tells it from the processes of tests.
    let process = Command::new("/proc/self/exe")
        .arg0("lapidary")
        .args([ARGUMENT, service.name])
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    alive().insert(process.id());
    static AT_EXIT: Once = Once::new();
    // SAFETY: the function is sound at any time, on any thread.
    AT_EXIT.call_once(|| unsafe { _ = libc::atexit(end_all) });
    // Unlike the number of a process, this one is never used again.
    static STARTED: AtomicU64 = AtomicU64::new(0);
    let number = ChildNumber(STARTED.fetch_add(1, Ordering::Relaxed));
    Ok(Child { number, process, socket: ours, has_ended: false })
}

/// The children that nobody has begun to reap. Their numbers cannot belong to other processes.
static ALIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn alive() -> MutexGuard<'static, BTreeSet<u32>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all children when this process exits. They would end by themselves, but a little later,
/// and whoever started this process may look.
extern "C" fn end_all() {
    // The lock is held until the end, so that no other thread reaps one of these children.
    let mut alive = alive();
    while let Some(pid) = alive.pop_first() {
        if let Some(pid) = Pid::from_raw(pid as i32) {
            let _ = kill_process(pid, Signal::KILL);
            let _ = waitpid(Some(pid), WaitOptions::empty());
        }
    }
}

/// How a child ended that broke the connection itself.
fn ending(status: ExitStatus) -> Death {
    Death::Crashed(match (status.signal(), status.code()) {
        (Some(libc::SIGKILL), _) => return Death::Killed,
        (Some(libc::SIGSEGV | libc::SIGBUS), _) => "segmentation fault".into(),
        (Some(libc::SIGABRT), _) => "abort".into(),
        (Some(signal), _) => format!("signal {signal}"),
        (None, code) => format!("exit code {}", code.unwrap_or_default()),
    })
}

/// Why an exchange with a child failed.
enum Failure {
    Overstepped(Death),
    /// The connection is broken, because the child has ended.
    Broken(#[expect(dead_code, reason = "the child's status says more")] io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Broken(error)
    }
}

/// Waits for a child and looks whether it keeps its limits.
struct Watch<'a> {
    pid: u32,
    socket: &'a UnixStream,
    limits: &'a Limits,
    is_stopped: &'a dyn Fn() -> bool,
    stops: u64,
    last_look: Instant,
    /// The processor time of the child when it was first looked at.
    before: Option<Duration>,
    /// The processor time when the child last was awake, and for how many looks it has slept.
    asleep: (Option<Duration>, u32),
}

impl<'a> Watch<'a> {
    fn new(pid: u32, socket: &'a UnixStream, limits: &'a Limits, is_stopped: &'a dyn Fn() -> bool) -> Watch<'a> {
        let (stops, last_look) = (stop_count(), Instant::now());
        Watch { pid, socket, limits, is_stopped, stops, last_look, before: None, asleep: (None, 0) }
    }

    fn wait(&mut self, event: PollFlags) -> Result<(), Failure> {
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(LOOK.subsec_nanos()) };
        loop {
            match poll(&mut [PollFd::new(self.socket, event)], Some(&timeout)) {
                Ok(0) => self.look()?,
                Ok(_) if self.last_look.elapsed() < LOOK => return Ok(()),
                Ok(_) => {
                    // A child that reads or writes does not sleep, even if it waits for us.
                    self.asleep = (None, 0);
                    return self.look();
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(errno) => return Err(io::Error::from(errno).into()),
            }
        }
    }

    fn look(&mut self) -> Result<(), Failure> {
        self.last_look = Instant::now();
        if stop_count() != self.stops || (self.is_stopped)() {
            return Err(Failure::Overstepped(Death::Stopped));
        }
        let now = process::processor_time(self.pid).unwrap_or_default();
        let used = now.saturating_sub(*self.before.get_or_insert(now));
        let is_asleep = self.asleep.0 == Some(now) && process::is_asleep(self.pid);
        self.asleep = (Some(now), if is_asleep { self.asleep.1 + 1 } else { 0 });
        if process::memory(self.pid).is_some_and(|memory| memory > self.limits.memory) {
            return Err(Failure::Overstepped(Death::Memory(self.limits.memory)));
        }
        if used > self.limits.processor {
            return Err(Failure::Overstepped(Death::Time(self.limits.processor)));
        }
        if LOOK * self.asleep.1 > self.limits.sleep {
            return Err(Failure::Overstepped(Death::Asleep));
        }
        Ok(())
    }
}

impl Wait<Failure> for Watch<'_> {
    fn for_reading(&mut self) -> Result<(), Failure> {
        self.wait(PollFlags::IN)
    }

    fn for_writing(&mut self) -> Result<(), Failure> {
        self.wait(PollFlags::OUT)
    }

    fn for_message(&mut self, length: u64) -> Result<(), Failure> {
        let fits = length <= self.limits.memory;
        fits.then_some(()).ok_or(Failure::Overstepped(Death::Memory(self.limits.memory)))
    }
}
