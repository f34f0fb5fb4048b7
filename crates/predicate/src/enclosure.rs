//! A run in a sandbox: its command line, its limits, and how the program in it really ended.

use crate::candidate;
use crate::capture::Captured;
use crate::cgroup::Group;
use crate::ending::Ending;
use crate::inside::{self, EndingNote};
use crate::process::Launch;
use lapidary_common::sandbox::Sandbox;
use lapidary_reduce::PredicateError;
use std::ffi::OsString;
use std::process::Command;

/// The means of a run in a sandbox. Dropping them removes their files.
#[derive(Default)]
pub struct Enclosure {
    note: Option<EndingNote>,
    group: Option<Group>,
}

impl Enclosure {
    /// The means of a run from its start to its end; none if it has no sandbox.
    pub fn of(launch: &Launch<'_>) -> Result<Enclosure, PredicateError> {
        if launch.sandbox.is_none() {
            return Ok(Enclosure::default());
        }
        let unwritten = |error| candidate::cannot_write(launch.temporary, &error);
        let ungrouped = |error| PredicateError::Fatal(format!("cannot make a control group for the limits: {error}"));
        Ok(Enclosure {
            note: EndingNote::within(launch.temporary).map_err(unwritten)?,
            group: Group::of(launch.limits).map_err(ungrouped)?,
        })
    }

    /// The command up to the arguments of the program. The limits of each process are set inside,
    /// so that they do not hold for our own.
    pub fn command(&self, launch: &Launch<'_>, sandbox: &Sandbox) -> Command {
        let mut sandbox = sandbox.clone().writes(launch.temporary);
        if let Some(note) = &self.note {
            sandbox = note.shown_in(sandbox);
        }
        let mut words: Vec<OsString> = self.group.iter().flat_map(Group::words).collect();
        words.push(sandbox.program().into());
        words.extend(sandbox.arguments(launch.directory));
        words.extend(self.note.iter().flat_map(EndingNote::words));
        words.extend(launch.limits.words(launch.program));
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// How the program ended whose leader ended like this.
    pub fn ending(&self, launch: &Launch<'_>, seen: Ending, stderr: &Captured) -> Result<Ending, PredicateError> {
        if launch.sandbox.is_none() {
            return Ok(seen);
        }
        inside::ending(seen, self.note.as_ref(), &stderr.head).map_err(|reason| {
            let program = launch.program.display();
            PredicateError::Fatal(format!(
                "cannot start {program} in the sandbox: {reason}; --sandbox=off runs it without"
            ))
        })
    }

    /// Whether all processes together used more memory than the limits allow.
    pub fn ran_out_of_memory(&self) -> bool {
        self.group.as_ref().is_some_and(Group::ran_out_of_memory)
    }
}
