//! Resource limits of a test.
//!
//! Limits must hold from the test's first instruction, so a shell sets them and then execs the
//! test. Setting them ourselves would need a fork, which takes longer the more memory we hold (over
//! 100 ms with 1 GiB on a busy machine), whereas a spawned child shares our memory until its exec.

use rustix::process::{Resource, getrlimit};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

const SHELL: &str = "/bin/sh";

/// Resource limits for each process of a test. Core dumps are always off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// CPU time in seconds.
    pub cpu_seconds: Option<u64>,
    /// Address space in bytes, rounded up to KiB.
    pub memory: Option<u64>,
    /// The largest file it may write, in bytes, rounded up to blocks of 512.
    pub file_size: Option<u64>,
}

impl Limits {
    /// Everything is allowed.
    pub const NONE: Limits = Limits { cpu_seconds: None, memory: None, file_size: None };

    /// A command that runs the program under the limits. The caller adds the arguments.
    pub fn command(&self, program: &Path) -> Command {
        let words = self.words(program);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// The words of a command that runs the program under the limits.
    pub(crate) fn words(&self, program: &Path) -> Vec<OsString> {
        if !self.are_set() {
            return vec![program.into()];
        }
        let script = format!("{}exec \"$0\" \"$@\"", self.script());
        vec![SHELL.into(), "-c".into(), script.into(), program.into()]
    }

    fn are_set(&self) -> bool {
        *self != Limits::default()
    }

    fn script(&self) -> String {
        let set = |option: char, limit: Option<u64>, resource, unit: u64, slack: u64| {
            let Some(limit) = limit else { return String::new() };
            // Our own hard limits apply to the test as well and cannot be raised. Shells use signed
            // numbers.
            let highest = getrlimit(resource).maximum.map_or(i64::MAX as u64, |highest| highest) / unit;
            let soft = limit.div_ceil(unit).min(highest);
            let hard = soft.saturating_add(slack).min(highest);
            format!("ulimit -S -{option} {soft} && ulimit -H -{option} {hard} && ")
        };
        // One second between the soft and the hard limit lets the test die of SIGXCPU, which shows
        // the cause.
        let cpu = set('t', self.cpu_seconds, Resource::Cpu, 1, 1);
        let file_size = set('f', self.file_size, Resource::Fsize, 512, 0);
        let memory = set('v', self.memory, Resource::As, 1024, 0);
        cpu + &file_size + &memory
    }
}
