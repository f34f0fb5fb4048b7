//! The notes of a comparison on each path and on each call in progress.

use super::event::{Crossing, Event, Open};
use super::prefix::Prefix;
use super::script::Script;
use lapidary_classfile::Text;
use lapidary_symbolic::{CodePlace, Frame, List, Note, Notes, Part, State};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Notes on a path.
#[derive(Clone, Default)]
pub struct PathNotes {
    /// The choices to repeat, and the fields to make, before anything else.
    pub script: Script,
    /// The events so far.
    pub trace: List<Event>,
    /// The number of open calls across the boundary.
    pub crossings: u32,
    /// How far the path is common to both versions of the program.
    pub prefix: Prefix,
    /// The number of symbols that stand for variables changed by loops.
    pub loop_symbols: u32,
    /// The static fields that were written, by class in internal form and name.
    pub written_statics: Rc<BTreeSet<(Text, Text)>>,
}

impl Note for PathNotes {
    fn is_like(&self, other: &PathNotes) -> bool {
        self.trace.is(&other.trace) && self.prefix.is(&other.prefix) && self.written_statics == other.written_statics
    }
}

/// Notes on a call.
#[derive(Clone, Default)]
pub struct CallNotes {
    /// The part of the program in which it runs.
    pub part: Part,
    /// The number of objects when it began.
    pub objects_before: u32,
    /// The crossing with which it began, if its caller is in the other part.
    pub crossing: Option<Rc<Open>>,
    /// The loops that it is in, if one iteration stands for all.
    pub heads: Vec<Turning>,
}

impl Note for CallNotes {
    /// Paths are merged only within one call.
    fn is_like(&self, _: &CallNotes) -> bool {
        true
    }
}

/// A loop of which one iteration is run.
#[derive(Clone)]
pub struct Turning {
    /// The first instruction of the loop.
    pub head: usize,
    /// The last instruction of the loop.
    pub end: usize,
    /// The variables that were replaced by symbols at its head.
    pub forgotten: Vec<u16>,
}

/// Access to the notes on a path, if there are any.
pub trait Noted {
    fn noted(&self) -> Option<&PathNotes>;
    fn noted_mut(&mut self) -> &mut PathNotes;

    /// The events so far, oldest first.
    fn events(&self) -> Vec<&Event> {
        self.noted().map_or_else(Vec::new, |notes| notes.trace.to_vec())
    }

    fn count_of_events(&self) -> usize {
        self.noted().map_or(0, |notes| notes.trace.len())
    }

    fn crossings(&self) -> u32 {
        self.noted().map_or(0, |notes| notes.crossings)
    }

    /// Whether a call across the boundary has not ended, so that it is still unknown whether it
    /// counts.
    fn has_open_crossings(&self) -> bool {
        self.crossings() > 0
    }

    fn prefix(&self) -> Prefix {
        self.noted().map_or(Prefix::Whole, |notes| notes.prefix.clone())
    }

    fn loop_symbols(&self) -> u32 {
        self.noted().map_or(0, |notes| notes.loop_symbols)
    }
}

impl Noted for State {
    fn noted(&self) -> Option<&PathNotes> {
        self.notes.get()
    }

    fn noted_mut(&mut self) -> &mut PathNotes {
        self.notes.get_mut()
    }
}

/// Adds an event to the trace of a path.
pub fn note(state: &mut State, what: Crossing, to: Part, place: CodePlace, depth: u32) {
    let heap = state.heap.clone();
    state.noted_mut().trace.push(Event { what, to, place, depth, heap });
}

/// The notes on a call, if there are any.
pub fn of_call(frame: &Frame) -> Option<&CallNotes> {
    frame.notes.get()
}

/// The part in which a call runs.
pub fn part_of_call(frame: &Frame) -> Part {
    of_call(frame).map_or(Part::Unaffected, |notes| notes.part)
}

/// The notes on the innermost call.
pub fn of_top(state: &mut State) -> &mut CallNotes {
    state.top_mut().notes.get_mut()
}

/// The notes for a call that begins in this part.
pub fn new_call(part: Part, objects_before: u32, crossing: Option<Rc<Open>>) -> Notes {
    Notes::new(CallNotes { part, objects_before, crossing, heads: Vec::new() })
}

/// Sets the running part to that of the innermost call; new objects belong to it.
pub fn resume(state: &mut State) {
    state.heap.parts.running = state.frame.as_ref().map_or(Part::Unaffected, |frame| part_of_call(frame));
}
