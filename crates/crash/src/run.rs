//! A recorded run of a program: the lines it went through, and the values of its variables when it
//! failed.
//!
//! The compiler marks each basic block, and `runtime/steps.h` records the blocks that are entered.
//! Line tables turn the blocks into lines ([`code`]). Returns and frames turn these into a sequence
//! with the calls that led to each line ([`course`]). Debug information turns the memory at the
//! moment of the failure into values ([`values`], [`expressions`]).

mod addresses;
mod code;
mod course;
mod expressions;
mod pointees;
mod steps;
mod types;
mod values;

pub(crate) use code::Code;
pub(crate) use course::Course;
pub(crate) use steps::steps_file;
pub(crate) use values::{Question, Value, Values};

use crate::report::Event;
use crate::symbols::Symbols;
use std::io;
use std::path::{Path, PathBuf};
use steps::Steps;
use values::Snapshot;

/// Everything that is known about a failing run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// The course of the run. `None` if the run was too long to record.
    pub(crate) course: Option<Course>,
    snapshot: Option<Snapshot>,
    /// The lines of the active functions, innermost first. `None` for lines that are not the
    /// user's.
    active: Vec<Option<(PathBuf, u32)>>,
}

impl Run {
    /// Reads a run. `steps` is the file that the program wrote, and `event` its report of the
    /// failure.
    pub(crate) fn read(symbols: &Symbols, steps: &Path, event: Option<&Event>) -> io::Result<Option<Run>> {
        let Some(code) = symbols.code() else { return Ok(None) };
        let linked = |event: &Event, pc| symbols.linked(pc, &event.mappings);
        let snapshot = event.and_then(|event| Snapshot::of(symbols.bytes(), event, |pc| linked(event, pc)));
        let failing = snapshot.as_ref().map(Snapshot::addresses).unwrap_or_default();
        let course = Steps::read(steps)?.and_then(|steps| Course::of(&code, &steps, symbols.first_address(), &failing));
        let place = |address: &u64| code.place(*address).map(|(file, line)| (file.to_path_buf(), line));
        Ok(Some(Run { course, snapshot, active: failing.iter().map(place).collect() }))
    }

    /// Returns the values that a question is about, and those of parameters, as seen by the
    /// function that was active on this line.
    pub(crate) fn values(&self, file: &Path, line: u32, question: &Question) -> Values {
        let is_there =
            |place: &Option<(PathBuf, u32)>| place.as_ref().is_some_and(|(known, at)| known == file && *at == line);
        let (Some(active), Some(snapshot)) = (self.active.iter().position(is_there), &self.snapshot) else {
            return Values::default();
        };
        let mut values = snapshot.values(active, question);
        for (name, value) in snapshot.parameters(active) {
            values.known.entry(name).or_insert(value);
        }
        values
    }
}
