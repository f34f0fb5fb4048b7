//! Instructions that only move values. A long takes one place on our stack, so they have to look at
//! the values they move.

use crate::halt::{Next, Step};
use crate::state::State;
use lapidary_classfile::StackOp;

pub(super) fn shuffle(state: &mut State, operation: StackOp) -> Step {
    let frame = state.top_mut();
    let top_is_wide = frame.peek(0).is_wide();
    // How many of our values correspond to the two slots that an instruction means.
    let pair = if top_is_wide { 1 } else { 2 };
    match operation {
        StackOp::Pop => frame.drop(1),
        StackOp::Pop2 => frame.drop(pair),
        StackOp::Dup => duplicate(&mut frame.stack, 1, 0),
        StackOp::DupX1 => duplicate(&mut frame.stack, 1, 1),
        StackOp::DupX2 => {
            let below = if frame.peek(1).is_wide() { 1 } else { 2 };
            duplicate(&mut frame.stack, 1, below);
        }
        StackOp::Dup2 => duplicate(&mut frame.stack, pair, 0),
        StackOp::Dup2X1 => duplicate(&mut frame.stack, pair, 1),
        StackOp::Dup2X2 => {
            let below = if frame.peek(pair).is_wide() { 1 } else { 2 };
            duplicate(&mut frame.stack, pair, below);
        }
        StackOp::Swap => {
            let length = frame.stack.len();
            if length >= 2 {
                frame.stack.swap(length - 1, length - 2);
            }
        }
    }
    Ok(Next::Advance)
}

/// Copies the topmost `count` values and inserts the copy under the `below` values beneath them.
fn duplicate<T: Copy>(stack: &mut Vec<T>, count: usize, below: usize) {
    let Some(start) = stack.len().checked_sub(count) else { return };
    let copied: Vec<T> = stack[start..].to_vec();
    let Some(place) = start.checked_sub(below) else { return };
    stack.splice(place..place, copied);
}

#[cfg(test)]
mod tests {
    use super::duplicate;

    #[test]
    fn copies_go_where_the_names_say() {
        let after = |count, below| {
            let mut stack = vec![1, 2, 3, 4];
            duplicate(&mut stack, count, below);
            stack
        };
        assert_eq!(after(1, 0), [1, 2, 3, 4, 4]);
        assert_eq!(after(1, 1), [1, 2, 4, 3, 4]);
        assert_eq!(after(1, 2), [1, 4, 2, 3, 4]);
        assert_eq!(after(2, 0), [1, 2, 3, 4, 3, 4]);
        assert_eq!(after(2, 1), [1, 3, 4, 2, 3, 4]);
        assert_eq!(after(2, 2), [3, 4, 1, 2, 3, 4]);
    }
}
