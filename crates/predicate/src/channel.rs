//! Communication with one process in a single `poll`: lines to its stdin, lines from its stdout,
//! and its stderr.

use crate::capture::{Captured, Stream};
use crate::process::WakeUp;
use crate::reaper::Leader;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

/// The longest line accepted. A worker that prints without line breaks is stopped here.
const LONGEST_LINE: usize = 16 << 20;

/// The pipes to and from a process, read and written without blocking.
pub struct Channel {
    stdin: OwnedFd,
    /// Data still to be written. A request can exceed the capacity of a pipe.
    outgoing: Vec<u8>,
    stdout: OwnedFd,
    stdout_ended: bool,
    incoming: Vec<u8>,
    /// The length of the prefix of `incoming` known to contain no line break.
    searched: usize,
    stderr: Stream,
    buffer: Vec<u8>,
}

/// The first thing that happened while waiting.
pub enum Event {
    Line(Vec<u8>),
    /// The worker has ended, or closed its stdout.
    Ended,
    /// The worker printed too much without a line break.
    Endless,
    TimedOut,
    Cancelled,
}

impl Channel {
    /// Opens a channel that keeps at most `keep` bytes of stderr.
    pub fn new(leader: &mut Leader, keep: usize) -> io::Result<Self> {
        let stdin = leader.take_stdin();
        let (stdout, stderr) = leader.take_streams();
        fcntl_setfl(&stdin, OFlags::NONBLOCK)?;
        fcntl_setfl(&stdout, OFlags::NONBLOCK)?;
        Ok(Channel {
            stdin,
            outgoing: Vec::new(),
            stdout,
            stdout_ended: false,
            incoming: Vec::new(),
            searched: 0,
            stderr: Stream::new(stderr, keep)?,
            buffer: vec![0; 64 * 1024],
        })
    }

    /// Queues a line, which is written while waiting for the next line.
    pub fn send(&mut self, line: Vec<u8>) {
        self.outgoing.extend(line);
    }

    /// Whether the worker has printed something without being asked.
    pub fn has_more(&mut self) -> bool {
        self.read_stdout();
        !self.incoming.is_empty()
    }

    /// The output on stderr since the last call.
    pub fn take_stderr(&mut self) -> Captured {
        while self.stderr.read(&mut self.buffer) {}
        self.stderr.take_captured()
    }

    /// Waits for a line from the worker.
    pub fn receive(&mut self, leader: &Leader, wake_up: &WakeUp, deadline: Instant) -> io::Result<Event> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(Event::Line(line));
            }
            if self.incoming.len() > LONGEST_LINE {
                return Ok(Event::Endless);
            }
            if self.stdout_ended {
                return Ok(Event::Ended);
            }
            if deadline <= Instant::now() {
                return Ok(Event::TimedOut);
            }
            if let Some(event) = self.step(leader, wake_up, deadline)? {
                return Ok(event);
            }
        }
    }

    /// Waits until a stream is ready, then reads and writes what it can.
    fn step(&mut self, leader: &Leader, wake_up: &WakeUp, deadline: Instant) -> io::Result<Option<Event>> {
        let [exited, cancelled, stdout, stderr, stdin] = self.wait(leader, wake_up, deadline)?;
        if cancelled {
            return Ok(Some(Event::Cancelled));
        }
        if stdin && !self.outgoing.is_empty() {
            self.write();
        }
        if stderr {
            self.stderr.read(&mut self.buffer);
        }
        if stdout || exited {
            self.read_stdout();
        }
        // A child of the worker may hold stdout open, but it will not answer.
        self.stdout_ended |= exited;
        Ok(None)
    }

    fn wait(&self, leader: &Leader, wake_up: &WakeUp, deadline: Instant) -> io::Result<[bool; 5]> {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs().min(1 << 30) as i64, tv_nsec: left.subsec_nanos().into() };
        // Descriptors that need no watching are replaced by one that is watched anyway.
        let idle = wake_up.event();
        let stdin = if self.outgoing.is_empty() { idle } else { self.stdin.as_fd() };
        let stdin_flags = if self.outgoing.is_empty() { PollFlags::IN } else { PollFlags::OUT };
        let watched = [leader.exit(), idle, self.stdout.as_fd(), self.stderr.open().unwrap_or(idle)];
        let [exit, cancelled, stdout, stderr] = watched.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let mut polled = [exit, cancelled, stdout, stderr, PollFd::from_borrowed_fd(stdin, stdin_flags)];
        match poll(&mut polled, Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(polled.map(|fd| !fd.revents().is_empty())),
            Err(error) => Err(error.into()),
        }
    }

    fn write(&mut self) {
        match rustix::io::write(&self.stdin, &self.outgoing) {
            Ok(count) => drop(self.outgoing.drain(..count)),
            Err(Errno::INTR | Errno::AGAIN) => {}
            // It no longer reads its stdin. It may still answer on its stdout.
            Err(_) => self.outgoing.clear(),
        }
    }

    fn read_stdout(&mut self) {
        while !self.stdout_ended && self.incoming.len() <= LONGEST_LINE {
            match rustix::io::read(&self.stdout, &mut self.buffer[..]) {
                Ok(0) => self.stdout_ended = true,
                Ok(count) => self.incoming.extend_from_slice(&self.buffer[..count]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.stdout_ended = true,
            }
        }
    }

    fn take_line(&mut self) -> Option<Vec<u8>> {
        let found = self.incoming[self.searched..].iter().position(|&byte| byte == b'\n');
        let Some(offset) = found else {
            self.searched = self.incoming.len();
            return None;
        };
        let rest = self.incoming.split_off(self.searched + offset + 1);
        self.searched = 0;
        Some(std::mem::replace(&mut self.incoming, rest))
    }
}
