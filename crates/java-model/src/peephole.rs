//! Peephole clean-up of edited code: values pushed only to be dropped, and cases equal to the
//! default.

use crate::statements::pushes_only;
use lapidary_classfile::{Code, Instruction, Position, StackOp};
use lapidary_jvm::typing::Edits;

/// Applies the clean-up until nothing more is found.
pub(crate) fn tidy(code: &mut Code) {
    code.instructions.iter_mut().for_each(shorten_switch);
    while drop_pushes(code) {}
}

/// Removes pushes that are dropped immediately, unless a jump lands between the two.
fn drop_pushes(code: &mut Code) -> bool {
    let useless: Vec<Position> =
        (1..code.instructions.len() as Position).filter(|pop| is_useless(code, *pop)).collect();
    if useless.is_empty() {
        return false;
    }
    let landed = landed(code);
    let mut edits = Edits::new();
    for pop in useless.into_iter().filter(|pop| !landed[*pop as usize]) {
        // If two pairs overlap, the first is removed and the edit rejects the second.
        _ = edits.remove(pop - 1..pop + 1);
    }
    !edits.is_empty() && edits.apply(code).is_ok()
}

/// Returns whether an instruction drops the value that the one before it pushed.
fn is_useless(code: &Code, pop: Position) -> bool {
    let pushed = || pushes_only(&code.instructions[pop as usize - 1]);
    match code.instructions[pop as usize] {
        Instruction::Stack(StackOp::Pop) => pushed() == Some(1),
        Instruction::Stack(StackOp::Pop2) => pushed() == Some(2),
        _ => false,
    }
}

/// For each position, whether control can arrive other than from the preceding instruction.
fn landed(code: &Code) -> Vec<bool> {
    let mut landed = vec![false; code.instructions.len() + 1];
    let targets = code.instructions.iter().flat_map(Instruction::targets);
    for target in targets.chain(code.handlers.iter().map(|handler| handler.target)) {
        landed.get_mut(target as usize).into_iter().for_each(|here| *here = true);
    }
    landed
}

/// Removes cases whose target is that of the default. A switch without cases is left to the code
/// that builds the frames.
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
