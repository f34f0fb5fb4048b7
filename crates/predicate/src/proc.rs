//! Information about processes from `/proc`: parents, markers, memory.

use crate::reaper::MARKER;
use rustix::process::Pid;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::time::Duration;

/// A child of a process.
pub struct Relative {
    pub pid: Pid,
    /// Whether it is a zombie that waits to be reaped.
    pub ended: bool,
}

/// The process numbers among which to look for the processes of a test.
pub enum Scope {
    /// A range. Numbers are assigned in ascending order, so every process of a test lies between
    /// its leader's number and the last one assigned.
    Numbers(std::ops::RangeInclusive<i32>),
    Everywhere,
}

impl Scope {
    pub fn is_empty(&self) -> bool {
        matches!(self, Scope::Numbers(range) if range.is_empty())
    }

    fn pids(&self) -> Vec<Pid> {
        match self {
            Scope::Numbers(range) => range.clone().filter_map(Pid::from_raw).collect(),
            Scope::Everywhere => all(),
        }
    }
}

/// The scope of a test that ran for `age`. For a short test that is a small range. For a longer one
/// it is all processes, because the numbers may have wrapped around.
pub fn younger_than(leader: Pid, age: Duration) -> Scope {
    const FEW: i32 = 300;
    let first = leader.as_raw_nonzero().get() + 1;
    match last_number() {
        Some(last) if age < Duration::from_millis(200) && (first - 1..first + FEW).contains(&last) => {
            Scope::Numbers(first..=last)
        }
        _ => Scope::Everywhere,
    }
}

/// The children of `parent` within the scope.
pub fn children(parent: Pid, scope: &Scope) -> Vec<Relative> {
    let child = |pid| status(pid).filter(|status| status.parent == Some(parent)).map(|status| (pid, status.ended));
    scope.pids().into_iter().filter_map(child).map(|(pid, ended)| Relative { pid, ended }).collect()
}

/// The descendants of a process, parents first.
pub fn descendants(pid: Pid) -> Vec<Pid> {
    let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
    for process in all() {
        if let Some(parent) = status(process).and_then(|status| status.parent) {
            children.entry(parent).or_default().push(process);
        }
    }
    let mut found = vec![pid];
    let mut next = 0;
    while next < found.len() {
        found.extend(children.remove(&found[next]).unwrap_or_default());
        next += 1;
    }
    found.split_off(1)
}

pub fn has_ended(pid: Pid) -> bool {
    status(pid).is_none_or(|status| status.ended)
}

/// The resident memory of a process in bytes.
pub fn resident(pid: Pid) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|rest| rest.split_ascii_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or_default() * 1024
}

/// The marker of a process, which names its job.
pub fn marker(pid: Pid) -> Option<String> {
    let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).ok()?;
    environment
        .split(|&byte| byte == 0)
        .find_map(|variable| variable.strip_prefix(MARKER.as_bytes())?.strip_prefix(b"="))
        .and_then(|value| String::from_utf8(value.to_vec()).ok())
}

/// All visible processes.
pub fn all() -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let number = |name: std::ffi::OsString| name.to_str()?.parse().ok();
    entries.flatten().filter_map(|entry| number(entry.file_name())).filter_map(Pid::from_raw).collect()
}

struct Status {
    parent: Option<Pid>,
    ended: bool,
}

fn status(pid: Pid) -> Option<Status> {
    let mut buffer = [0; 512];
    let count = File::open(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?.read(&mut buffer).ok()?;
    // The format is "PID (NAME) STATE PARENT ...". The name may contain anything, so fields are
    // read after the last parenthesis.
    let text = String::from_utf8_lossy(&buffer[..count]);
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace();
    let ended = matches!(fields.next()?, "Z" | "X");
    Some(Status { ended, parent: Pid::from_raw(fields.next()?.parse().ok()?) })
}

/// The last process number assigned, which is at the end of `/proc/loadavg`.
fn last_number() -> Option<i32> {
    let mut buffer = [0; 128];
    let count = File::open("/proc/loadavg").ok()?.read(&mut buffer).ok()?;
    std::str::from_utf8(&buffer[..count]).ok()?.split_ascii_whitespace().next_back()?.parse().ok()
}
