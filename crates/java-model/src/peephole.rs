//! Small tidying of edited code: values that are pushed only to be dropped, cases that do what the default does.

use crate::statements::pushes_only;
use lapidary_classfile::{Code, Instruction, Position, StackOp};
use lapidary_jvm::typing::Edits;

/// Tidies until nothing more is found.
pub(crate) fn tidy(code: &mut Code) {
    code.instructions.iter_mut().for_each(shorten_switch);
    while drop_pushes(code) {}
}

/// Removes pushes that are dropped at once. Jumps that land between the two keep them.
fn drop_pushes(code: &mut Code) -> bool {
    let useless: Vec<Position> =
        (1..code.instructions.len() as Position).filter(|pop| is_useless(code, *pop)).collect();
    if useless.is_empty() {
        return false;
    }
    let landed = landed(code);
    let mut edits = Edits::new();
    for pop in useless.into_iter().filter(|pop| !landed[*pop as usize]) {
        // Of pairs that overlap the first goes.
        _ = edits.remove(pop - 1..pop + 1);
    }
    !edits.is_empty() && edits.apply(code).is_ok()
}

/// Whether an instruction drops what the one before it has pushed.
fn is_useless(code: &Code, pop: Position) -> bool {
    let pushed = || pushes_only(&code.instructions[pop as usize - 1]);
    match code.instructions[pop as usize] {
        Instruction::Stack(StackOp::Pop) => pushed() == Some(1),
        Instruction::Stack(StackOp::Pop2) => pushed() == Some(2),
        _ => false,
    }
}

/// By position: whether control can come from elsewhere than the instruction before.
fn landed(code: &Code) -> Vec<bool> {
    let mut landed = vec![false; code.instructions.len() + 1];
    let targets = code.instructions.iter().flat_map(Instruction::targets);
    for target in targets.chain(code.handlers.iter().map(|handler| handler.target)) {
        landed.get_mut(target as usize).into_iter().for_each(|here| *here = true);
    }
    landed
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
