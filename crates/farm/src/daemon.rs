//! Processes that outlive us, and how they are recognised and ended later.

use crate::error::FarmError;
use crate::tools::User;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The description of a process to start.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The working directory of the process.
    pub directory: PathBuf,
    /// The file for the output of the process.
    pub log: PathBuf,
}

/// A process, recognised by its number and the time of its start, so that another one that got the
/// number later is never mistaken for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Daemon {
    pid: i32,
    started: u64,
}

/// Starts a process in a session of its own.
pub fn start(launch: &Launch, user: Option<User>) -> Result<Daemon, FarmError> {
    let log = OpenOptions::new().create(true).append(true).open(&launch.log);
    let log = log.map_err(FarmError::file(&launch.log))?;
    let errors = log.try_clone().map_err(FarmError::file(&launch.log))?;
    let mut command = command(&launch.words, user);
    command.current_dir(&launch.directory).stdin(Stdio::null()).stdout(log).stderr(errors);
    // A process group of its own keeps Ctrl-C on the terminal from reaching it.
    command.process_group(0);
    let mut child = command.spawn().map_err(FarmError::file(&launch.words[0]))?;
    let pid = child.id() as i32;
    // Somebody has to collect it if it ends before us.
    let _ = std::thread::Builder::new().spawn(move || child.wait());
    Ok(Daemon { pid, started: time_of_start(pid).unwrap_or(0) })
}

/// Makes a command that runs as a user.
pub fn command(words: &[String], user: Option<User>) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    if let Some(user) = user {
        command.uid(user.uid).gid(user.gid).env("HOME", "/").env("USER", &user.name);
    }
    command
}

impl Daemon {
    /// Whether the process is running.
    pub fn is_running(&self) -> bool {
        self.started != 0 && time_of_start(self.pid) == Some(self.started)
    }

    /// The process's number.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// The process as a line of a file: its number and the time of its start.
    pub fn line(&self) -> String {
        format!("{} {}\n", self.pid, self.started)
    }

    /// Kills the process and its process group, and waits until it is gone.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
        wait(&[self], Duration::from_secs(5));
    }

    fn signal(&self, signal: Signal) {
        if let (true, Some(pid)) = (self.is_running(), Pid::from_raw(self.pid)) {
            // It may have ended meanwhile.
            let _ = kill_process(pid, signal);
            if signal == Signal::KILL {
                let _ = kill_process_group(pid, signal);
            }
        }
    }
}

/// Asks processes to end, and kills those that have not ended after a while.
pub fn end<'d>(daemons: impl Iterator<Item = &'d Daemon>, grace: Duration) {
    let daemons: Vec<&Daemon> = daemons.collect();
    // PostgreSQL takes SIGINT as a request to end without waiting for its clients.
    daemons.iter().for_each(|daemon| daemon.signal(Signal::INT));
    wait(&daemons, grace);
    daemons.iter().for_each(|daemon| daemon.kill());
}

fn wait(daemons: &[&Daemon], longest: Duration) {
    let end = Instant::now() + longest;
    while daemons.iter().any(|daemon| daemon.is_running()) && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// When a process started, in ticks since the system did. `None` if it is gone or only waits to be
/// collected.
fn time_of_start(pid: i32) -> Option<u64> {
    let stat = std::io::read_to_string(File::open(format!("/proc/{pid}/stat")).ok()?).ok()?;
    // The name of the program is in parentheses and may contain anything.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    (state != "Z" && state != "X").then_some(())?;
    fields.nth(18)?.parse().ok()
}
