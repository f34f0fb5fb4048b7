//! A second process that cleans up when the first one is killed with SIGKILL.
//!
//! The warden is our own executable, started with a hidden argument. It waits for the end of a pipe
//! whose other end only the main process holds, so it notices the death of the main process
//! whatever the cause. Then it kills all processes with a marker of the run and removes the scratch
//! directory. It cannot find processes that have erased their environment.

use crate::{inside, proc, reaper, scratch};
use rustix::process::{Signal, kill_process};
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const ARGUMENT: &str = "__warden";

/// The message of a main process that exits normally.
const ALL_IS_DONE: &[u8] = b"done";

/// The main process's handle of the warden. Dropping it ends the warden. If the scratch directory is
/// still there, because the main process could not remove it, the warden does so first.
pub struct Warden {
    process: Child,
    scratch: PathBuf,
}

/// If this process was started as a warden or inside a sandbox, serves there and never returns. Call
/// this first in `main`: only then does every [`Scratch`](crate::Scratch) start a warden from this
/// executable, and only then are exit codes above 128 told from signals in a sandbox.
pub fn run_if_asked() {
    inside::run_if_asked();
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() == Some(OsStr::new(ARGUMENT))
        && let Some(scratch) = arguments.next()
    {
        serve(Path::new(&scratch));
        std::process::exit(0);
    }
    AVAILABLE.store(true, Ordering::Relaxed);
}

/// Whether this executable can serve as a warden.
pub fn available() -> bool {
    AVAILABLE.load(Ordering::Relaxed)
}

static AVAILABLE: AtomicBool = AtomicBool::new(false);

/// Starts a warden for a scratch directory, which need not exist yet. Its output goes to `/dev/null`, so that readers of our
/// output do not wait for it.
pub fn start(scratch: &Path) -> io::Result<Warden> {
    // This path works even if the executable was replaced on disk since we started.
    let child = Command::new("/proc/self/exe")
        .arg0("lapidary")
        .arg(ARGUMENT)
        .arg(scratch)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    reaper::protect(child.id());
    Ok(Warden { process: child, scratch: scratch.to_owned() })
}

impl Drop for Warden {
    fn drop(&mut self) {
        let pipe = self.process.stdin.take();
        if let Some(mut pipe) = pipe.filter(|_| self.scratch.symlink_metadata().is_err()) {
            // If the warden is dead, it needs no message.
            let _ = pipe.write_all(ALL_IS_DONE);
        }
        let _ = self.process.wait();
    }
}

/// Kills the remaining processes of a run that died, and removes its scratch directory.
pub fn clean_up(scratch: &Path) {
    let marker = scratch::marker(scratch);
    let deadline = Instant::now() + Duration::from_secs(10);
    while kill_marked(&marker) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    scratch::remove_if_ours(scratch);
}

fn serve(scratch: &Path) {
    ignore_signals();
    // Leaves the terminal and the process group that a shell would end. This fails only for the
    // leader of a group, which is already separate.
    let _ = rustix::process::setsid();
    let mut farewell = Vec::new();
    let _ = io::stdin().read_to_end(&mut farewell);
    if farewell != ALL_IS_DONE {
        clean_up(scratch);
    }
}

fn ignore_signals() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGPIPE] {
        // SAFETY: ignoring a signal installs no handler, and no other thread exists yet.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Kills every process of the run. Returns false if there was none.
fn kill_marked(marker: &str) -> bool {
    let ours = |theirs: String| theirs.strip_prefix(marker).is_some_and(|rest| rest.starts_with('/'));
    let marked: Vec<_> = proc::all().into_iter().filter(|&pid| proc::marker(pid).is_some_and(ours)).collect();
    for &pid in &marked {
        let _ = kill_process(pid, Signal::KILL);
    }
    !marked.is_empty()
}
