//! Talking with one process: lines out, lines in, its stderr on the side, all in one `poll`.

use crate::capture::{Captured, Stream};
use crate::process::WakeUp;
use crate::reaper::Leader;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

/// No honest answer is longer. A worker that prints without end is stopped here.
const LONGEST_LINE: usize = 16 << 20;

pub struct Channel {
    stdin: OwnedFd,
    /// What is yet to be written. A request can be longer than a pipe holds.
    outgoing: Vec<u8>,
    stdout: OwnedFd,
    stdout_ended: bool,
    incoming: Vec<u8>,
    /// How much of it is known to hold no line end.
    searched: usize,
    stderr: Stream,
    buffer: Vec<u8>,
}

/// What happened first.
pub enum Event {
    Line(Vec<u8>),
    /// The worker has ended, or closed its stdout.
    Ended,
    /// The worker prints, but no lines.
    Endless,
    TimedOut,
    Cancelled,
}

impl Channel {
    /// `keep` bounds how much of stderr is remembered.
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

    /// Puts a line on its way. It is written while the next line is waited for.
    pub fn send(&mut self, line: Vec<u8>) {
        self.outgoing.extend(line);
    }

    /// Whether the worker has printed something that nobody asked for.
    pub fn has_more(&mut self) -> bool {
        self.read_stdout();
        !self.incoming.is_empty()
    }

    /// What came on stderr since this was last called.
    pub fn take_stderr(&mut self) -> Captured {
        while self.stderr.read(&mut self.buffer) {}
        self.stderr.take_captured()
    }

    /// Waits for a line of the worker.
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

    /// Sleeps until something can be done, and does it.
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
        // A child of the worker may hold stdout open, but nobody is left to answer.
        self.stdout_ended |= exited;
        Ok(None)
    }

    fn wait(&self, leader: &Leader, wake_up: &WakeUp, deadline: Instant) -> io::Result<[bool; 5]> {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs().min(1 << 30) as i64, tv_nsec: left.subsec_nanos().into() };
        // What need not be watched is replaced by something that is watched anyway.
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
            // It does not listen any more. Whether it still answers is seen on its stdout.
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
