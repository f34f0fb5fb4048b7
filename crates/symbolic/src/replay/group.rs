//! A JVM and the processes that its program has started.
//!
//! In a sandbox, the leader is bubblewrap. Its child is the first process of the sandbox, which dies
//! after the leader and takes all others with it. Invariant: once a group is dropped, none of its
//! processes is alive, except without a sandbox those that have left the group.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command};

/// A running JVM. Dropping it kills all its processes.
pub(crate) struct Group {
    pub leader: Child,
    /// Whether the leader makes a sandbox.
    makes_sandbox: bool,
    /// The first process of the sandbox.
    first: Option<OwnedFd>,
}

/// How long the processes of a sandbox may take to die, in seconds.
const PATIENCE: i64 = 10;

impl Group {
    /// Starts the command, which must ask for a process group of its own.
    pub fn spawn(command: &mut Command) -> io::Result<Group> {
        let makes_sandbox = Path::new(command.get_program()).ends_with("bwrap");
        Ok(Group { leader: command.spawn()?, makes_sandbox, first: None })
    }

    /// Finds the first process of the sandbox, if it is there already. Call this while the JVM runs:
    /// once the leader has ended, it cannot be found.
    pub fn notice_sandbox(&mut self) {
        if self.makes_sandbox && self.first.is_none() {
            let leader = self.leader.id();
            let children = fs::read_to_string(format!("/proc/{leader}/task/{leader}/children")).unwrap_or_default();
            let first = children.split_ascii_whitespace().next().and_then(|number| number.parse().ok());
            self.first = first.and_then(Pid::from_raw).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.notice_sandbox();
        // Killing fails if they are gone already, which is fine.
        if let Some(leader) = Pid::from_raw(self.leader.id() as i32) {
            let _ = kill_process_group(leader, Signal::KILL);
        }
        let _ = self.leader.wait();
        if let Some(first) = &self.first {
            let patience = Timespec { tv_sec: PATIENCE, tv_nsec: 0 };
            let _ = poll(&mut [PollFd::new(first, PollFlags::IN)], Some(&patience));
        }
    }
}
