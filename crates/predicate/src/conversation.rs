//! A long-lived process that exchanges lines with us.

use crate::channel::{Channel, Event};
use crate::process::{self, Launch, WakeUp};
use crate::reaper::Leader;
use crate::scratch::Job;
use lapidary_reduce::{Cancel, PredicateError};
use std::process::Stdio;
use std::time::Instant;

/// The number of bytes kept of its stderr.
const KEPT: usize = 1 << 12;

/// A running process to talk to. Dropping it ends the process with all descendants, then removes
/// its directory.
pub struct Conversation {
    leader: Leader,
    channel: Channel,
    home: Job,
}

/// The first thing that happened while waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line from the process, without the line break.
    Line(String),
    /// The process has ended, or sent something that is not text. It cannot be used any more.
    Ended,
    /// The process sent nothing before the deadline.
    TimedOut,
    /// The answer was cancelled.
    Cancelled,
}

impl Conversation {
    /// Starts a process that runs in the directories of `home`.
    pub fn start(launch: &Launch<'_>, home: Job) -> Result<Self, PredicateError> {
        let mut leader = launch.start(Stdio::piped())?;
        let channel = Channel::new(&mut leader, KEPT).map_err(process::out_of_descriptors)?;
        Ok(Conversation { leader, channel, home })
    }

    /// The directories in which the process runs.
    pub fn home(&self) -> &Job {
        &self.home
    }

    /// Queues lines for the process. They are written while waiting for an answer.
    pub fn say(&mut self, lines: &[u8]) {
        self.channel.send(lines.to_vec());
    }

    /// Waits for the next line from the process.
    pub fn hear(&mut self, deadline: Instant, cancel: &Cancel) -> Result<Heard, PredicateError> {
        let wake_up = WakeUp::new(cancel).map_err(process::out_of_descriptors)?;
        let event = self.channel.receive(&self.leader, &wake_up, deadline).map_err(process::cannot_wait)?;
        Ok(match event {
            Event::Line(line) => {
                String::from_utf8(line).map_or(Heard::Ended, |line| Heard::Line(line.trim_end().to_owned()))
            }
            Event::Ended | Event::Endless => Heard::Ended,
            Event::TimedOut => Heard::TimedOut,
            Event::Cancelled => Heard::Cancelled,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Scratch};
    use std::ffi::OsString;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Duration;

    fn start(script: &str) -> (Conversation, Arc<Scratch>) {
        let scratch = Arc::new(Scratch::new().unwrap());
        let home = scratch.empty_job().unwrap();
        let arguments: [OsString; 2] = ["-c".into(), script.into()];
        let (directory, temporary, marker) =
            (home.directory().to_path_buf(), home.temporary().to_path_buf(), home.marker.clone());
        let launch = Launch {
            program: Path::new("/bin/sh"),
            arguments: &arguments,
            directory: &directory,
            temporary: &temporary,
            environment: &[],
            marker: &marker,
            limits: &Limits::default(),
            sandbox: None,
        };
        (Conversation::start(&launch, home).unwrap(), scratch)
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn it_answers_until_it_ends() {
        let (mut helper, _scratch) = start("read a; echo got $a; read b; echo $b; exit 3");
        let cancel = Cancel::new();
        helper.say(b"one\n");
        assert_eq!(helper.hear(soon(), &cancel).unwrap(), Heard::Line("got one".into()));
        helper.say(b"two\n");
        assert_eq!(helper.hear(soon(), &cancel).unwrap(), Heard::Line("two".into()));
        assert_eq!(helper.hear(soon(), &cancel).unwrap(), Heard::Ended);
    }

    #[test]
    fn waiting_ends_at_the_deadline_or_on_cancellation() {
        let (mut helper, scratch) = start("sleep 100");
        let cancel = Cancel::new();
        let quickly = Instant::now() + Duration::from_millis(20);
        assert_eq!(helper.hear(quickly, &cancel).unwrap(), Heard::TimedOut);
        cancel.cancel();
        assert_eq!(helper.hear(soon(), &cancel).unwrap(), Heard::Cancelled);
        let home = helper.home().directory().to_path_buf();
        drop(helper);
        assert!(std::fs::read_dir(&home).is_ok_and(|mut left| left.next().is_none()), "it can be used again");
        drop(scratch);
        assert!(!home.exists());
    }
}
