//! Control flow: conditions, switches and returns.

use crate::halt::{Next, Step};
use crate::machine::Machine;
use crate::method::Method;
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::{Condition, Kind, LookupSwitch, TableSwitch};
use lapidary_terms::{Term, Terms};

impl Machine {
    pub(super) fn branch(&mut self, state: &mut State, condition: Condition, target: usize) -> Step {
        let operands = condition.operands();
        let taken = match condition {
            Condition::ReferenceEq | Condition::ReferenceNe | Condition::Null | Condition::NonNull => {
                self.reference_condition(state, condition)?
            }
            _ => {
                let (left, right) = match operands {
                    2 => (state.top().peek(1), state.top().peek(0)),
                    _ => (state.top().peek(0), Value::ZERO),
                };
                match (left, right) {
                    (Value::Int(left), Value::Int(right)) => holds(condition, left, right),
                    _ => {
                        let Some((left, right)) = self.both_terms(Kind::Int, left, right) else {
                            return self.broken("a condition on something that is no int");
                        };
                        let term = condition_term(&mut self.terms, condition, left, right);
                        self.split(state, term)?
                    }
                }
            }
        };
        state.top_mut().drop(operands);
        Ok(if taken { Next::Jump(target) } else { Next::Advance })
    }

    fn reference_condition(&mut self, state: &mut State, condition: Condition) -> Result<bool, crate::halt::Halt> {
        let top = state.top();
        Ok(match (condition, top.peek(1), top.peek(0)) {
            (Condition::Null, _, Value::Reference(object)) => object.is_none(),
            (Condition::NonNull, _, Value::Reference(object)) => object.is_some(),
            (Condition::ReferenceEq, Value::Reference(left), Value::Reference(right)) => {
                self.is_same(state, left, right)?
            }
            (Condition::ReferenceNe, Value::Reference(left), Value::Reference(right)) => {
                !self.is_same(state, left, right)?
            }
            _ => return self.broken("a condition on something that is no reference"),
        })
    }

    pub(super) fn table_switch(&mut self, state: &mut State, switch: &TableSwitch) -> Step {
        match state.top().peek(0) {
            Value::Int(number) => {
                let place = i64::from(number) - i64::from(switch.low);
                let target = usize::try_from(place).ok().and_then(|place| switch.targets.get(place));
                self.jump(state, *target.unwrap_or(&switch.default))
            }
            _ => {
                let cases = switch.targets.iter().enumerate();
                let cases: Vec<(i32, u32)> =
                    cases.map(|(place, target)| (switch.low.wrapping_add(place as i32), *target)).collect();
                self.symbolic_switch(state, &cases, switch.default)
            }
        }
    }

    pub(super) fn lookup_switch(&mut self, state: &mut State, switch: &LookupSwitch) -> Step {
        match state.top().peek(0) {
            Value::Int(number) => {
                let found = switch.pairs.binary_search_by_key(&number, |(case, _)| *case);
                let target = found.map_or(switch.default, |place| switch.pairs[place].1);
                self.jump(state, target)
            }
            _ => self.symbolic_switch(state, &switch.pairs, switch.default),
        }
    }

    /// Cases with the same target form one branch; all other numbers go to the default.
    fn symbolic_switch(&mut self, state: &mut State, cases: &[(i32, u32)], default: u32) -> Step {
        let Value::Symbolic(Kind::Int, subject) = state.top().peek(0) else {
            return self.broken("a switch on something that is no int");
        };
        let mut targets: Vec<u32> =
            cases.iter().map(|(_, target)| *target).filter(|target| *target != default).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            let numbers = cases.iter().filter(|(_, to)| *to == target).map(|(number, _)| *number);
            let condition = self.one_of(subject, numbers);
            if self.split(state, condition)? {
                return self.jump(state, target);
            }
        }
        self.jump(state, default)
    }

    fn one_of(&mut self, subject: Term, numbers: impl Iterator<Item = i32>) -> Term {
        let mut any = self.terms.bool(false);
        for number in numbers {
            let number = self.terms.int(number);
            let equal = self.terms.equals(subject, number);
            any = self.terms.or_bool(any, equal);
        }
        any
    }

    fn jump(&mut self, state: &mut State, target: u32) -> Step {
        state.top_mut().drop(1);
        Ok(Next::Jump(target as usize))
    }

    pub(super) fn return_from(&mut self, state: &mut State, method: &Method, result: Option<Value>) -> Step {
        let result = match (result, &method.type_.result) {
            (Some(Value::Int(number)), Some(type_)) => Some(Value::Int(crate::frame::narrowed(type_, number))),
            (result, _) => result,
        };
        self.leave(state, result)
    }
}

fn holds(condition: Condition, left: i32, right: i32) -> bool {
    match condition {
        Condition::Eq | Condition::IntEq => left == right,
        Condition::Ne | Condition::IntNe => left != right,
        Condition::Lt | Condition::IntLt => left < right,
        Condition::Ge | Condition::IntGe => left >= right,
        Condition::Gt | Condition::IntGt => left > right,
        Condition::Le | Condition::IntLe => left <= right,
        _ => false,
    }
}

fn condition_term(terms: &mut Terms, condition: Condition, left: Term, right: Term) -> Term {
    match condition {
        Condition::Eq | Condition::IntEq => terms.equals(left, right),
        Condition::Ne | Condition::IntNe => {
            let equal = terms.equals(left, right);
            terms.not(equal)
        }
        Condition::Lt | Condition::IntLt => terms.slt(left, right),
        Condition::Ge | Condition::IntGe => terms.sle(right, left),
        Condition::Gt | Condition::IntGt => terms.slt(right, left),
        _ => terms.sle(left, right),
    }
}
