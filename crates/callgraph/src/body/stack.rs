//! Local variables and operands, slot by slot. A value that is not an object is [`Value::NONE`];
//! longs and doubles take two slots.

use super::action::Value;
use super::builder::Builder;
use lapidary_classfile::StackOp;

/// The error for code that no verifier accepts, or that is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Confused;

#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    locals: Vec<Value>,
    operands: Vec<Value>,
    /// The version of the variables. It changes with every store and is never reused.
    pub version: u64,
    /// The value of every slot, if values are not distinguished.
    only: Option<Value>,
    versions: std::rc::Rc<std::cell::Cell<u64>>,
}

/// The deepest stack that the format allows.
const DEEPEST: usize = 65_535;

impl Stack {
    pub fn with_locals(locals: Vec<Value>) -> Self {
        Stack { locals, ..Stack::default() }
    }

    pub fn of_one_value(value: Value) -> Self {
        Stack { only: Some(value), ..Stack::default() }
    }

    pub fn push(&mut self, value: Value) {
        if self.only.is_none() {
            self.operands.push(value);
        }
    }

    pub fn push_numbers(&mut self, slots: usize) {
        (0..slots).for_each(|_| self.push(Value::NONE));
    }

    pub fn pop(&mut self) -> Result<Value, Confused> {
        self.only.or_else(|| self.operands.pop()).ok_or(Confused)
    }

    pub fn drop(&mut self, slots: usize) -> Result<(), Confused> {
        (0..slots).try_for_each(|_| self.pop().map(|_| ()))
    }

    pub fn load(&mut self, slot: usize) {
        let value = self.locals.get(slot).copied().unwrap_or(Value::NONE);
        self.push(value);
    }

    pub fn store(&mut self, slot: usize, value: Value) {
        if self.only.is_some() {
            return;
        }
        if self.locals.len() <= slot {
            self.locals.resize(slot + 1, Value::NONE);
        }
        self.locals[slot] = value;
        self.versions.set(self.versions.get() + 1);
        self.version = self.versions.get();
    }

    pub fn check(&self) -> Result<(), Confused> {
        if self.operands.len() > DEEPEST { Err(Confused) } else { Ok(()) }
    }

    pub fn slots(&self) -> usize {
        self.locals.len() + self.operands.len()
    }

    pub fn in_handler(&self, caught: Value) -> Stack {
        Stack { operands: vec![caught], ..self.clone() }
    }

    /// A copy for a second path of control, with operands copied so that they are not unified with
    /// the values they meet.
    pub fn with_copied_operands(&self, builder: &mut Builder) -> Stack {
        let mut copy = self.clone();
        copy.operands.iter_mut().for_each(|operand| *operand = builder.copy(*operand));
        copy
    }

    /// Unifies the values in each slot of two stacks.
    pub fn meet(&self, other: &Stack, builder: &mut Builder) -> Result<(), Confused> {
        if self.operands.len() != other.operands.len() {
            return Err(Confused);
        }
        let pairs = self.locals.iter().zip(&other.locals).chain(self.operands.iter().zip(&other.operands));
        pairs.for_each(|(one, other)| builder.unify(*one, *other));
        Ok(())
    }

    pub fn shuffle(&mut self, op: StackOp) -> Result<(), Confused> {
        let (takes, order): (usize, &[usize]) = match op {
            StackOp::Pop => (1, &[]),
            StackOp::Pop2 => (2, &[]),
            StackOp::Dup => (1, &[0, 0]),
            StackOp::DupX1 => (2, &[1, 0, 1]),
            StackOp::DupX2 => (3, &[2, 0, 1, 2]),
            StackOp::Dup2 => (2, &[0, 1, 0, 1]),
            StackOp::Dup2X1 => (3, &[1, 2, 0, 1, 2]),
            StackOp::Dup2X2 => (4, &[2, 3, 0, 1, 2, 3]),
            StackOp::Swap => (2, &[1, 0]),
        };
        if self.only.is_some() {
            return Ok(());
        }
        let from = self.operands.len().checked_sub(takes).ok_or(Confused)?;
        let taken = self.operands.split_off(from);
        self.operands.extend(order.iter().map(|index| taken[*index]));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(operands: &[u32], op: StackOp) -> Vec<u32> {
        let mut stack = Stack { operands: operands.iter().copied().map(Value).collect(), ..Stack::default() };
        stack.shuffle(op).unwrap();
        stack.operands.iter().map(|value| value.0).collect()
    }

    #[test]
    fn operands_are_shuffled_as_the_machine_does() {
        assert_eq!(shuffled(&[1, 2], StackOp::DupX1), [2, 1, 2]);
        assert_eq!(shuffled(&[1, 2, 3], StackOp::DupX2), [3, 1, 2, 3]);
        assert_eq!(shuffled(&[1, 2, 3], StackOp::Dup2X1), [2, 3, 1, 2, 3]);
        assert_eq!(shuffled(&[1, 2, 3, 4], StackOp::Dup2X2), [3, 4, 1, 2, 3, 4]);
        assert_eq!(shuffled(&[1, 2], StackOp::Swap), [2, 1]);
        assert!(Stack::default().shuffle(StackOp::Dup).is_err());
    }
}
