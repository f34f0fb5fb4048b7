//! Java's arithmetic on concrete and symbolic numbers.

use crate::halt::{Next, Step};
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::{Arithmetic, Comparison, Conversion, IntegerKind, Kind, Logic, NumberKind, Shift};
use lapidary_terms::{Term, Terms};

impl Machine {
    pub(super) fn increment(&mut self, state: &mut State, local: u16, by: i16) -> Step {
        let variable = state.top().local(local);
        self.note_overflow(state, Arithmetic::Add, variable, Value::Int(by.into()));
        let sum = match variable {
            Value::Int(number) => Value::Int(number.wrapping_add(by.into())),
            Value::Symbolic(kind @ Kind::Int, term) => {
                let by = self.terms.int(by.into());
                let sum = self.terms.add(term, by);
                Value::of_term(kind, sum, &self.terms)
            }
            _ => return self.broken("iinc of something that is no int"),
        };
        state.top_mut().set_local(local, sum);
        Ok(Next::Advance)
    }

    pub(super) fn arithmetic(&mut self, state: &mut State, operation: Arithmetic, kind: NumberKind) -> Step {
        let (left, right) = (state.top().peek(1), state.top().peek(0));
        if [left, right].map(Value::kind) != [Some(stack_kind(kind)); 2] {
            return self.broken("arithmetic on something that is no number of this kind");
        }
        let divides = matches!(operation, Arithmetic::Div | Arithmetic::Rem);
        if divides && matches!(kind, NumberKind::Int | NumberKind::Long) && self.is_zero(state, right)? {
            return self.throw(state, "java/lang/ArithmeticException", Some("/ by zero"));
        }
        self.note_overflow(state, operation, left, right);
        let result = match (left, right) {
            (Value::Int(left), Value::Int(right)) => Value::Int(on_ints(operation, left, right)),
            (Value::Long(left), Value::Long(right)) => Value::Long(on_longs(operation, left, right)),
            (Value::Float(left), Value::Float(right)) => Value::Float(on_floats(operation, left, right)),
            (Value::Double(left), Value::Double(right)) => Value::Double(on_doubles(operation, left, right)),
            _ => match self.both_terms(stack_kind(kind), left, right) {
                Some((left, right)) => {
                    let term = symbolically(&mut self.terms, operation, kind, left, right);
                    Value::of_term(stack_kind(kind), term, &self.terms)
                }
                None => return self.broken("arithmetic on something that is no number"),
            },
        };
        state.top_mut().replace(2, result);
        Ok(Next::Advance)
    }

    fn is_zero(&mut self, state: &mut State, value: Value) -> Result<bool, crate::halt::Halt> {
        match value {
            Value::Int(number) => Ok(number == 0),
            Value::Long(number) => Ok(number == 0),
            Value::Symbolic(kind, term) => {
                let zero = if kind == Kind::Long { self.terms.long(0) } else { self.terms.int(0) };
                let condition = self.terms.equals(term, zero);
                self.split(state, condition)
            }
            _ => self.broken("division by something that is no integer"),
        }
    }

    pub(super) fn negate(&mut self, state: &mut State, _kind: NumberKind) -> Step {
        let result = match state.top().peek(0) {
            Value::Int(number) => Value::Int(number.wrapping_neg()),
            Value::Long(number) => Value::Long(number.wrapping_neg()),
            Value::Float(number) => Value::Float(-number),
            Value::Double(number) => Value::Double(-number),
            Value::Symbolic(kind @ (Kind::Float | Kind::Double), term) => {
                let term = self.terms.fneg(term);
                Value::of_term(kind, term, &self.terms)
            }
            Value::Symbolic(kind, term) => {
                let term = self.terms.neg(term);
                Value::of_term(kind, term, &self.terms)
            }
            _ => return self.broken("negation of something that is no number"),
        };
        state.top_mut().replace(1, result);
        Ok(Next::Advance)
    }

    pub(super) fn shift(&mut self, state: &mut State, operation: Shift, kind: IntegerKind) -> Step {
        let (left, distance) = (state.top().peek(1), state.top().peek(0));
        let result = match (left, distance) {
            (Value::Int(number), Value::Int(distance)) => Value::Int(match operation {
                Shift::Left => number.wrapping_shl(distance as u32),
                Shift::Right => number.wrapping_shr(distance as u32),
                Shift::UnsignedRight => (number as u32).wrapping_shr(distance as u32) as i32,
            }),
            (Value::Long(number), Value::Int(distance)) => Value::Long(match operation {
                Shift::Left => number.wrapping_shl(distance as u32),
                Shift::Right => number.wrapping_shr(distance as u32),
                Shift::UnsignedRight => (number as u64).wrapping_shr(distance as u32) as i64,
            }),
            _ => match (self.term_of(integer_kind(kind), left), self.term_of(Kind::Int, distance)) {
                (Some(left), Some(distance)) => self.shifted(operation, kind, left, distance),
                _ => return self.broken("a shift of something that is no integer"),
            },
        };
        state.top_mut().replace(2, result);
        Ok(Next::Advance)
    }

    /// Only the lower bits of the distance count.
    fn shifted(&mut self, operation: Shift, kind: IntegerKind, left: Term, distance: Term) -> Value {
        let terms = &mut self.terms;
        let mask = terms.int(if kind == IntegerKind::Long { 63 } else { 31 });
        let mut distance = terms.and(distance, mask);
        if kind == IntegerKind::Long {
            distance = terms.zero_extend(distance, 64);
        }
        let term = match operation {
            Shift::Left => terms.shl(left, distance),
            Shift::Right => terms.ashr(left, distance),
            Shift::UnsignedRight => terms.lshr(left, distance),
        };
        Value::of_term(if kind == IntegerKind::Long { Kind::Long } else { Kind::Int }, term, terms)
    }

    pub(super) fn logic(&mut self, state: &mut State, operation: Logic, kind: IntegerKind) -> Step {
        let (left, right) = (state.top().peek(1), state.top().peek(0));
        let result = match (left, right) {
            (Value::Int(left), Value::Int(right)) => Value::Int(match operation {
                Logic::And => left & right,
                Logic::Or => left | right,
                Logic::Xor => left ^ right,
            }),
            (Value::Long(left), Value::Long(right)) => Value::Long(match operation {
                Logic::And => left & right,
                Logic::Or => left | right,
                Logic::Xor => left ^ right,
            }),
            _ => {
                let Some((left, right)) = self.both_terms(integer_kind(kind), left, right) else {
                    return self.broken("logic on something that is no integer");
                };
                let term = match operation {
                    Logic::And => self.terms.and(left, right),
                    Logic::Or => self.terms.or(left, right),
                    Logic::Xor => self.terms.xor(left, right),
                };
                Value::of_term(if kind == IntegerKind::Long { Kind::Long } else { Kind::Int }, term, &self.terms)
            }
        };
        state.top_mut().replace(2, result);
        Ok(Next::Advance)
    }

    pub(super) fn convert(&mut self, state: &mut State, conversion: Conversion) -> Step {
        let value = state.top().peek(0);
        let result = match value {
            Value::Symbolic(kind, term) if kind == stack_kind(conversion.from()) => {
                let converted = converted_term(&mut self.terms, conversion, term);
                Value::of_term(stack_kind(conversion.to()), converted, &self.terms)
            }
            _ => match converted(conversion, value) {
                Some(result) => result,
                None => return self.broken("a conversion of something that is no number"),
            },
        };
        state.top_mut().replace(1, result);
        Ok(Next::Advance)
    }

    pub(super) fn compare(&mut self, state: &mut State, comparison: Comparison) -> Step {
        let (left, right) = (state.top().peek(1), state.top().peek(0));
        let result = match (left, right) {
            (Value::Long(left), Value::Long(right)) => Value::Int(left.cmp(&right) as i32),
            (Value::Float(left), Value::Float(right)) => Value::Int(order(left.partial_cmp(&right), comparison)),
            (Value::Double(left), Value::Double(right)) => Value::Int(order(left.partial_cmp(&right), comparison)),
            _ => match self.both_terms(compared_kind(comparison), left, right) {
                Some((left, right)) => self.compared(comparison, left, right),
                None => return self.broken("a comparison of something that is no number"),
            },
        };
        state.top_mut().replace(2, result);
        Ok(Next::Advance)
    }

    fn compared(&mut self, comparison: Comparison, left: Term, right: Term) -> Value {
        let terms = &mut self.terms;
        let (less, equal) = match comparison {
            Comparison::Long => (terms.slt(left, right), terms.equals(left, right)),
            _ => (terms.flt(left, right), terms.feq(left, right)),
        };
        let (minus, zero, one) = (terms.int(-1), terms.int(0), terms.int(1));
        let term = match comparison {
            // A NaN counts as less, so the condition to test is `greater`.
            Comparison::FloatLess | Comparison::DoubleLess => {
                let greater = terms.flt(right, left);
                let rest = terms.ite(equal, zero, minus);
                terms.ite(greater, one, rest)
            }
            _ => {
                let rest = terms.ite(equal, zero, one);
                terms.ite(less, minus, rest)
            }
        };
        Value::of_term(Kind::Int, term, terms)
    }

    /// Two numbers as terms. `None` if invalid code has something else on the stack.
    pub(super) fn both_terms(&mut self, kind: Kind, left: Value, right: Value) -> Option<(Term, Term)> {
        Some((self.term_of(kind, left)?, self.term_of(kind, right)?))
    }

    fn term_of(&mut self, kind: Kind, value: Value) -> Option<Term> {
        if value.kind() == Some(kind) { value.term(&mut self.terms) } else { None }
    }
}

fn integer_kind(kind: IntegerKind) -> Kind {
    if kind == IntegerKind::Long { Kind::Long } else { Kind::Int }
}

fn compared_kind(comparison: Comparison) -> Kind {
    match comparison {
        Comparison::Long => Kind::Long,
        Comparison::FloatLess | Comparison::FloatGreater => Kind::Float,
        Comparison::DoubleLess | Comparison::DoubleGreater => Kind::Double,
    }
}

pub(crate) fn stack_kind(kind: NumberKind) -> Kind {
    match kind {
        NumberKind::Int => Kind::Int,
        NumberKind::Long => Kind::Long,
        NumberKind::Float => Kind::Float,
        NumberKind::Double => Kind::Double,
    }
}

fn on_ints(operation: Arithmetic, left: i32, right: i32) -> i32 {
    match operation {
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Sub => left.wrapping_sub(right),
        Arithmetic::Mul => left.wrapping_mul(right),
        Arithmetic::Div => left.wrapping_div(right),
        Arithmetic::Rem => left.wrapping_rem(right),
    }
}

fn on_longs(operation: Arithmetic, left: i64, right: i64) -> i64 {
    match operation {
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Sub => left.wrapping_sub(right),
        Arithmetic::Mul => left.wrapping_mul(right),
        Arithmetic::Div => left.wrapping_div(right),
        Arithmetic::Rem => left.wrapping_rem(right),
    }
}

fn on_floats(operation: Arithmetic, left: f32, right: f32) -> f32 {
    match operation {
        Arithmetic::Add => left + right,
        Arithmetic::Sub => left - right,
        Arithmetic::Mul => left * right,
        Arithmetic::Div => left / right,
        Arithmetic::Rem => left % right,
    }
}

fn on_doubles(operation: Arithmetic, left: f64, right: f64) -> f64 {
    match operation {
        Arithmetic::Add => left + right,
        Arithmetic::Sub => left - right,
        Arithmetic::Mul => left * right,
        Arithmetic::Div => left / right,
        Arithmetic::Rem => left % right,
    }
}

fn symbolically(terms: &mut Terms, operation: Arithmetic, kind: NumberKind, left: Term, right: Term) -> Term {
    let is_integer = matches!(kind, NumberKind::Int | NumberKind::Long);
    match (operation, is_integer) {
        (Arithmetic::Add, true) => terms.add(left, right),
        (Arithmetic::Sub, true) => terms.sub(left, right),
        (Arithmetic::Mul, true) => terms.mul(left, right),
        (Arithmetic::Div, true) => terms.sdiv(left, right),
        (Arithmetic::Rem, true) => terms.srem(left, right),
        (Arithmetic::Add, false) => terms.fadd(left, right),
        (Arithmetic::Sub, false) => terms.fsub(left, right),
        (Arithmetic::Mul, false) => terms.fmul(left, right),
        (Arithmetic::Div, false) => terms.fdiv(left, right),
        (Arithmetic::Rem, false) => terms.frem(left, right),
    }
}

fn order(ordering: Option<std::cmp::Ordering>, comparison: Comparison) -> i32 {
    let of_nan = if matches!(comparison, Comparison::FloatLess | Comparison::DoubleLess) { -1 } else { 1 };
    ordering.map_or(of_nan, |ordering| ordering as i32)
}

/// Rust's casts saturate and turn NaN into zero, just as Java's do.
fn converted(conversion: Conversion, value: Value) -> Option<Value> {
    use Conversion::*;
    Some(match (conversion, value) {
        (IntToLong, Value::Int(number)) => Value::Long(number.into()),
        (IntToFloat, Value::Int(number)) => Value::Float(number as f32),
        (IntToDouble, Value::Int(number)) => Value::Double(number.into()),
        (LongToInt, Value::Long(number)) => Value::Int(number as i32),
        (LongToFloat, Value::Long(number)) => Value::Float(number as f32),
        (LongToDouble, Value::Long(number)) => Value::Double(number as f64),
        (FloatToInt, Value::Float(number)) => Value::Int(number as i32),
        (FloatToLong, Value::Float(number)) => Value::Long(number as i64),
        (FloatToDouble, Value::Float(number)) => Value::Double(number.into()),
        (DoubleToInt, Value::Double(number)) => Value::Int(number as i32),
        (DoubleToLong, Value::Double(number)) => Value::Long(number as i64),
        (DoubleToFloat, Value::Double(number)) => Value::Float(number as f32),
        (IntToByte, Value::Int(number)) => Value::Int((number as i8).into()),
        (IntToChar, Value::Int(number)) => Value::Int((number as u16).into()),
        (IntToShort, Value::Int(number)) => Value::Int((number as i16).into()),
        _ => return None,
    })
}

fn converted_term(terms: &mut Terms, conversion: Conversion, term: Term) -> Term {
    use Conversion::*;
    match conversion {
        IntToLong => terms.sign_extend(term, 64),
        IntToFloat | LongToFloat => terms.to_single(term),
        IntToDouble | LongToDouble => terms.to_double(term),
        LongToInt => terms.extract(term, 31, 0),
        FloatToInt | DoubleToInt => terms.to_int(term),
        FloatToLong | DoubleToLong => terms.to_long(term),
        FloatToDouble => terms.to_double(term),
        DoubleToFloat => terms.to_single(term),
        IntToByte => {
            let low = terms.extract(term, 7, 0);
            terms.sign_extend(low, 32)
        }
        IntToChar => {
            let low = terms.extract(term, 15, 0);
            terms.zero_extend(low, 32)
        }
        IntToShort => {
            let low = terms.extract(term, 15, 0);
            terms.sign_extend(low, 32)
        }
    }
}
