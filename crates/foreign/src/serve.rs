//! The child's side: answers questions until this process's parent is gone.

use crate::frame::{self, Wait};
use crate::process;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The hidden argument that makes our executable a child.
pub const ARGUMENT: &str = "__foreign";

/// The environment variable that keeps foreign code in this process, to measure the difference.
const IN_PROCESS: &str = "LAPIDARY_IN_PROCESS";

/// Answers questions of one kind, one after the other.
pub type Answers = Box<dyn FnMut(&[u8]) -> Vec<u8> + Send>;

/// A kind of foreign code.
pub struct Service {
    /// The name, as the child's command line shows it.
    pub name: &'static str,
    /// Prepares a child to answer.
    pub open: fn() -> Answers,
}

/// If this process was started as a child, serves and never returns. Call this first in `main`:
/// only then does [`is_available`] say that children can be started from this executable.
pub fn run_if_asked(services: &[&Service]) {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() == Some(OsStr::new(ARGUMENT)) {
        let name = arguments.next().unwrap_or_default();
        let Some(service) = services.iter().find(|service| name == service.name) else { std::process::exit(2) };
        serve(service);
    }
    AVAILABLE.store(std::env::var_os(IN_PROCESS).is_none(), Ordering::Relaxed);
}

/// Whether foreign code runs in children. Otherwise the callers of this crate run it themselves.
pub fn is_available() -> bool {
    AVAILABLE.load(Ordering::Relaxed)
}

static AVAILABLE: AtomicBool = AtomicBool::new(false);

/// Answers on a thread with a large stack, while this thread waits for the end of the parent.
fn serve(service: &Service) -> ! {
    live_modestly();
    let open = service.open;
    let worker = [29, 27, 25, 23].iter().find_map(|bits| {
        let builder = thread::Builder::new().stack_size(1 << bits);
        builder.spawn(move || answer_all(open())).ok()
    });
    if worker.is_some() {
        wait_for_the_end_of_the_parent();
    }
    std::process::exit(0)
}

fn answer_all(mut answers: Answers) {
    let stdin = io::stdin();
    let socket = stdin.as_fd();
    while let Ok(question) = frame::read::<io::Error>(socket, &mut Blocking) {
        if frame::write::<io::Error>(socket, &answers(&question), &mut Blocking).is_err() {
            break;
        }
    }
    std::process::exit(0)
}

/// Returns when the other end of the socket is closed, whatever the worker is doing.
fn wait_for_the_end_of_the_parent() {
    let stdin = io::stdin();
    loop {
        let mut socket = [PollFd::new(&stdin, PollFlags::empty())];
        match poll(&mut socket, None) {
            Ok(_) if socket[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) => return,
            Err(rustix::io::Errno::INTR) | Ok(_) => {}
            Err(_) => return,
        }
    }
}

/// Sets the limits that do not depend on the question: no core dumps, a bound on memory in case
/// the parent looks too late, and the first place on the list of the system's memory killer. The
/// parent alone decides when a child ends, so signals of the terminal are ignored.
fn live_modestly() {
    // SAFETY: no other thread runs yet, and ignoring a signal runs no code.
    unsafe {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT] {
            libc::signal(signal, libc::SIG_IGN);
        }
    }
    // Each limit may already be lower, or not be allowed to change; then it stays.
    lower(Resource::Core, 0);
    lower(Resource::As, process::total_memory().max(4 << 30));
    let _ = std::fs::write("/proc/self/oom_score_adj", "500");
}

fn lower(resource: Resource, wanted: u64) {
    let present = getrlimit(resource);
    let current = present.current.map_or(wanted, |current| current.min(wanted));
    let _ = setrlimit(resource, Rlimit { current: Some(current), maximum: present.maximum });
}

/// Waiting inside of the system calls.
struct Blocking;

impl Wait<io::Error> for Blocking {
    fn for_reading(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn for_writing(&mut self) -> io::Result<()> {
        Ok(())
    }
}
