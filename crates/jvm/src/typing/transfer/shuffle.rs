//! Instructions that only move operands around: `pop`, `dup`, `swap` and their forms.
//!
//! They count in slots, whereas the stack holds values: a value of two slots is moved whole or not
//! at all.

use crate::typing::state::Type;
use crate::typing::untypable::Trouble;
use lapidary_classfile::StackOp;

pub(super) fn apply(stack: &mut Vec<Type>, op: StackOp) -> Result<(), Trouble> {
    match op {
        StackOp::Pop => pop(stack, 1),
        StackOp::Pop2 => pop(stack, 2),
        StackOp::Dup => duplicate(stack, 1, 0),
        StackOp::DupX1 => duplicate(stack, 1, 1),
        StackOp::DupX2 => duplicate(stack, 1, 2),
        StackOp::Dup2 => duplicate(stack, 2, 0),
        StackOp::Dup2X1 => duplicate(stack, 2, 1),
        StackOp::Dup2X2 => duplicate(stack, 2, 2),
        StackOp::Swap => swap(stack),
    }
}

fn pop(stack: &mut Vec<Type>, slots: usize) -> Result<(), Trouble> {
    let left = below(stack, stack.len(), slots)?;
    stack.truncate(left);
    Ok(())
}

/// Copies the topmost `slots` slots to below the `under` slots beneath them.
fn duplicate(stack: &mut Vec<Type>, slots: usize, under: usize) -> Result<(), Trouble> {
    let top = below(stack, stack.len(), slots)?;
    let place = below(stack, top, under)?;
    let copies: Vec<Type> = stack[top..].to_vec();
    stack.splice(place..place, copies);
    Ok(())
}

fn swap(stack: &mut [Type]) -> Result<(), Trouble> {
    let first = below(stack, stack.len(), 1)?;
    let second = below(stack, first, 1)?;
    stack.swap(first, second);
    Ok(())
}

/// The number of values that are left when `slots` slots are taken from the first `end` values.
fn below(stack: &[Type], end: usize, slots: usize) -> Result<usize, Trouble> {
    let mut left = end;
    let mut taken = 0;
    while taken < slots {
        left = left.checked_sub(1).ok_or(Trouble::Underflow)?;
        taken += stack[left].slots();
    }
    if taken == slots { Ok(left) } else { Err(Trouble::HalfValue) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Type::{Double, Float, Int, Long, Null};

    fn after(op: StackOp, stack: &[Type]) -> Result<Vec<Type>, Trouble> {
        let mut stack = stack.to_vec();
        apply(&mut stack, op).map(|()| stack)
    }

    #[test]
    fn copies_go_below_as_many_slots_as_the_name_says() {
        assert_eq!(after(StackOp::DupX2, &[Int, Long, Float]), Ok(vec![Int, Float, Long, Float]));
        assert_eq!(after(StackOp::DupX2, &[Null, Int, Float]), Ok(vec![Float, Null, Int, Float]));
        assert_eq!(after(StackOp::Dup2X1, &[Null, Int, Float]), Ok(vec![Int, Float, Null, Int, Float]));
        assert_eq!(after(StackOp::Dup2X2, &[Double, Long]), Ok(vec![Long, Double, Long]));
        assert_eq!(after(StackOp::Dup2, &[Long]), Ok(vec![Long, Long]));
    }

    #[test]
    fn wide_values_are_not_cut_and_empty_stacks_not_read() {
        assert_eq!(after(StackOp::Pop, &[Long]), Err(Trouble::HalfValue));
        assert_eq!(after(StackOp::Dup2X1, &[Long, Int]), Err(Trouble::HalfValue));
        assert_eq!(after(StackOp::Swap, &[Int]), Err(Trouble::Underflow));
    }
}
