//! Small tidying of edited code: values that are pushed only to be dropped, cases that do what the default does.

use crate::statements::pushes_only;
use lapidary_classfile::{Code, Instruction, Position, StackOp};
use lapidary_jvm::typing::Edits;
use std::collections::BTreeSet;

/// Tidies until nothing more is found.
pub(crate) fn tidy(code: &mut Code) {
    code.instructions.iter_mut().for_each(shorten_switch);
    while drop_pushes(code) {}
}

/// Removes pushes that are dropped at once. Jumps that land between the two keep them.
fn drop_pushes(code: &mut Code) -> bool {
    let landed: BTreeSet<Position> = code
        .instructions
        .iter()
        .flat_map(Instruction::targets)
        .chain(code.handlers.iter().map(|handler| handler.target))
        .collect();
    let mut edits = Edits::new();
    let mut position = 0;
    while position + 1 < code.instructions.len() {
        let pair = (&code.instructions[position], &code.instructions[position + 1]);
        let useless = match pair {
            (push, Instruction::Stack(StackOp::Pop)) => pushes_only(push) == Some(1),
            (push, Instruction::Stack(StackOp::Pop2)) => pushes_only(push) == Some(2),
            _ => false,
        };
        let start = position as Position;
        if useless && !landed.contains(&(start + 1)) && edits.remove(start..start + 2).is_ok() {
            position += 1;
        }
        position += 1;
    }
    !edits.is_empty() && edits.apply(code).is_ok()
}

/// A case that goes where the default goes need not be there. A switch without cases is left for the frames to see.
fn shorten_switch(instruction: &mut Instruction) {
    match instruction {
        Instruction::LookupSwitch(switch) => {
            let default = switch.default;
            switch.pairs.retain(|(_, target)| *target != default);
        }
        Instruction::TableSwitch(switch) => {
            while switch.targets.len() > 1 && switch.targets.last() == Some(&switch.default) {
                switch.targets.pop();
            }
            while switch.targets.len() > 1 && switch.targets.first() == Some(&switch.default) {
                switch.targets.remove(0);
                switch.low += 1;
            }
        }
        _ => {}
    }
}
