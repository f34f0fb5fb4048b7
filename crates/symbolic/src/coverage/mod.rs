//! Which instructions ran on any path, and which way each of them was left.

mod report;

pub use report::{Covered, CoveredMethod, FileLines, Share, source_file};

use crate::halt::{Next, Step};
use crate::method::Method;
use std::collections::HashSet;

/// The instructions that have run on any path, and the ways they were left.
#[derive(Default)]
pub struct Coverage {
    /// The marks of each instruction, by method number.
    methods: Vec<Vec<u8>>,
    /// The targets that switches jumped to: method number, switch, target.
    switched: HashSet<(u32, usize, usize)>,
}

const RAN: u8 = 1;
const WENT_ON: u8 = 2;
const JUMPED: u8 = 4;

impl Coverage {
    /// Records that an instruction ran, and how it ended.
    pub(crate) fn note(&mut self, method: &Method, at: usize, step: &Step) {
        let mark = match step {
            Ok(Next::Advance) => RAN | WENT_ON,
            Ok(Next::Jump(target)) => {
                self.note_switch(method, at, *target);
                RAN | JUMPED
            }
            _ => RAN,
        };
        let number = method.number as usize;
        if self.methods.len() <= number {
            self.methods.resize(number + 1, Vec::new());
        }
        let marks = &mut self.methods[number];
        if marks.len() <= at {
            let count = method.prepared().map_or(0, |prepared| prepared.code.instructions.len());
            marks.resize(count.max(at + 1), 0);
        }
        marks[at] |= mark;
    }

    /// Whether an instruction has run on any path.
    pub fn has_run(&self, method: &Method, at: usize) -> bool {
        self.marks(method, at) & RAN != 0
    }

    fn has_entered(&self, method: &Method) -> bool {
        self.methods.get(method.number as usize).is_some_and(|marks| !marks.is_empty())
    }

    fn marks(&self, method: &Method, at: usize) -> u8 {
        self.methods.get(method.number as usize).and_then(|marks| marks.get(at)).copied().unwrap_or(0)
    }

    fn note_switch(&mut self, method: &Method, at: usize, target: usize) {
        use lapidary_classfile::Instruction::{LookupSwitch, TableSwitch};
        let instruction = method.prepared().map(|prepared| prepared.instruction(at));
        if matches!(instruction, Some(TableSwitch(_) | LookupSwitch(_))) {
            self.switched.insert((method.number, at, target));
        }
    }
}
