//! The parts of a program that objects belong to, and which objects were written.
//!
//! Only a [`Hook`](crate::Hook) assigns parts. Without one, everything belongs to the unaffected
//! part and nothing is recorded here.

use crate::trie::Trie;
use crate::value::Ref;
use std::ops::RangeInclusive;

/// A part of a program when two versions of it are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    #[default]
    Unaffected,
    Affected,
    /// Inputs of library types, such as arrays and lists. They belong to the part that uses them
    /// until the affected part writes them; from then on they are affected.
    Shared,
}

/// The part of each object of a heap, by object number.
#[derive(Clone, Default)]
pub struct Parts {
    /// The part of the program that is running. New objects belong to it.
    pub running: Part,
    affected: Trie<()>,
    /// Objects made for inputs and not written by the affected part.
    shared: Trie<()>,
    /// Objects made for fields of inputs when these were first read. They count as if they had
    /// always existed.
    given: Trie<()>,
    written: Written,
}

/// The numbers of the oldest objects that were written; `u32::MAX` if none was.
#[derive(Clone, Copy, Default)]
pub struct Written {
    pub unaffected: u32,
    pub any: u32,
}

impl Parts {
    /// The part of an object as seen by the part that is running.
    pub fn of(&self, object: Ref) -> Part {
        match self.affected.get(object.number()) {
            Some(()) => Part::Affected,
            None if self.is_shared(object) => self.running,
            None => Part::Unaffected,
        }
    }

    /// Whether an object was made for an input and not written by the affected part.
    pub fn is_shared(&self, object: Ref) -> bool {
        self.shared.get(object.number()).is_some()
    }

    pub fn set(&mut self, object: Ref, part: Part) {
        let number = object.number();
        if self.affected.get(number).is_some() && part != Part::Affected {
            self.affected.remove(number);
        }
        if self.is_shared(object) && part != Part::Shared {
            self.shared.remove(number);
        }
        self.put(number, part);
    }

    fn put(&mut self, number: u32, part: Part) {
        match part {
            Part::Affected => self.affected.insert(number, ()),
            Part::Shared => self.shared.insert(number, ()),
            Part::Unaffected => {}
        }
    }

    /// Records a new object.
    pub(crate) fn note_new(&mut self, number: u32) {
        self.put(number, self.running);
    }

    /// Records a write to an object.
    pub(crate) fn note_write(&mut self, object: Ref) {
        if self.running == Part::Affected && self.is_shared(object) {
            self.set(object, Part::Affected);
        }
        let age = if self.given.get(object.number()).is_some() { 0 } else { object.number() };
        if age < self.written.any {
            self.written.any = age;
        }
        if age < self.written.unaffected && self.of(object) == Part::Unaffected {
            self.written.unaffected = age;
        }
    }

    /// Records a write to a static field, which counts as older than any object.
    pub fn note_static_write(&mut self) {
        self.written = Written::default();
    }

    /// Makes objects affected, except those made for fields of inputs.
    pub(crate) fn affect(&mut self, numbers: RangeInclusive<u32>) {
        for number in numbers {
            if self.given.get(number).is_none() {
                self.set(Ref::new(number), Part::Affected);
            }
        }
    }

    /// Records that objects were made for fields of inputs.
    pub(crate) fn give(&mut self, numbers: RangeInclusive<u32>) {
        numbers.for_each(|number| self.given.insert(number, ()));
    }

    /// Starts watching for writes. Returns the previous record, for [`Parts::end_watch`].
    pub fn begin_watch(&mut self) -> Written {
        std::mem::replace(&mut self.written, Written { unaffected: u32::MAX, any: u32::MAX })
    }

    pub fn end_watch(&mut self, before: Written) {
        let Written { unaffected, any } = self.written;
        self.written = Written { unaffected: unaffected.min(before.unaffected), any: any.min(before.any) };
    }

    /// The oldest objects written since the watch began.
    pub fn written(&self) -> Written {
        self.written
    }
}
