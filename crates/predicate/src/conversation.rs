//! A helper that stays alive and answers in lines, one for each that it is told.

use crate::channel::{Channel, Event};
use crate::process::{self, Launch, WakeUp};
use crate::reaper::Leader;
use crate::scratch::Job;
use lapidary_reduce::{Cancel, PredicateError};
use std::process::Stdio;
use std::time::Instant;

/// How much of what it prints to stderr is remembered.
const KEPT: usize = 1 << 12;

/// A running helper. Dropping it ends its process with all descendants, then takes its directory away.
pub struct Conversation {
    leader: Leader,
    channel: Channel,
    home: Job,
}

/// What came first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// What it said, without the end of the line.
    Line(String),
    /// It has ended, or says what nobody understands. It is of no use any more.
    Ended,
    TimedOut,
    Cancelled,
}

impl Conversation {
    /// Starts a helper that lives in the directories of `home`.
    pub fn start(launch: &Launch<'_>, home: Job) -> Result<Self, PredicateError> {
        let mut leader = launch.start(Stdio::piped())?;
        let channel = Channel::new(&mut leader, KEPT).map_err(process::out_of_descriptors)?;
        Ok(Conversation { leader, channel, home })
    }

    pub fn home(&self) -> &Job {
        &self.home
    }

    /// Tells it something, in lines. They are on their way once an answer is waited for.
    pub fn say(&mut self, lines: &[u8]) {
        self.channel.send(lines.to_vec());
    }

    /// Waits for what it says next.
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
    fn nobody_waits_for_ever() {
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
