//! The progress of a scan through a method's code, and the states it found.

use super::action::Value;
use super::builder::Builder;
use super::stack::{Confused, Stack};
use lapidary_classfile::{Code, Instruction};

/// The limit on the slots that all states of a body hold together; a larger body is not followed.
pub(super) const MOST_SLOTS: usize = 4_000_000;

/// The positions that were reached, and their states.
pub(super) struct Walk {
    pub joins: Vec<bool>,
    pub states: Vec<Option<Stack>>,
    pub work: Vec<usize>,
    /// For each handler, the version of the variables that it saw last, and the exception it
    /// catches.
    pub seen: Vec<Option<u64>>,
    pub caught: Vec<Option<Value>>,
    slots: usize,
}

impl Walk {
    pub fn new(code: &Code) -> Self {
        let mut joins = vec![false; code.instructions.len()];
        let targets = code.instructions.iter().flat_map(Instruction::targets);
        for target in targets.chain(code.handlers.iter().map(|handler| handler.target)) {
            if let Some(join) = joins.get_mut(target as usize) {
                *join = true;
            }
        }
        let handlers = code.handlers.len();
        let states = vec![None; code.instructions.len()];
        Walk { joins, states, work: Vec::new(), seen: vec![None; handlers], caught: vec![None; handlers], slots: 0 }
    }

    pub fn arrive(&mut self, position: usize, state: &Stack, builder: &mut Builder) -> Result<(), Confused> {
        match self.states.get_mut(position).ok_or(Confused)? {
            Some(present) => present.meet(state, builder),
            empty => {
                self.slots += state.slots();
                if self.slots > MOST_SLOTS {
                    return Err(Confused);
                }
                *empty = Some(state.clone());
                self.work.push(position);
                Ok(())
            }
        }
    }
}
