//! Integer overflow, recorded for callers that do not accept overflowed results.

use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::{Arithmetic, Kind};
use lapidary_terms::Term;

impl Machine {
    /// Records the condition under which an addition, subtraction or multiplication of the program
    /// overflows.
    pub(super) fn note_overflow(&mut self, state: &mut State, operation: Arithmetic, left: Value, right: Value) {
        if !self.config.notes_overflow || !matches!(operation, Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul) {
            return;
        }
        // The library overflows on purpose, mostly in hashes.
        if !self.is_own(state.top().method.class) {
            return;
        }
        let (Some(left_term), Some(right_term)) = (left.term(&mut self.terms), right.term(&mut self.terms)) else {
            return;
        };
        let overflows = match left.kind() {
            Some(Kind::Int) => self.int_overflow(operation, left_term, right_term),
            Some(Kind::Long) => self.long_overflow(operation, left_term, right_term),
            _ => return,
        };
        if self.terms.constant(overflows).is_none_or(|holds| holds.is_true()) {
            state.overflows.push(overflows);
        }
    }

    /// Computes with twice as many bits, which hold every result.
    fn int_overflow(&mut self, operation: Arithmetic, left: Term, right: Term) -> Term {
        let terms = &mut self.terms;
        let (left, right) = (terms.sign_extend(left, 64), terms.sign_extend(right, 64));
        let exact = match operation {
            Arithmetic::Add => terms.add(left, right),
            Arithmetic::Sub => terms.sub(left, right),
            _ => terms.mul(left, right),
        };
        let low = terms.extract(exact, 31, 0);
        let narrow = terms.sign_extend(low, 64);
        let fits = terms.equals(narrow, exact);
        terms.not(fits)
    }

    fn long_overflow(&mut self, operation: Arithmetic, left: Term, right: Term) -> Term {
        let terms = &mut self.terms;
        let zero = terms.long(0);
        if operation == Arithmetic::Mul {
            let product = terms.mul(left, right);
            let quotient = terms.sdiv(product, left);
            let (gives_back, is_zero) = (terms.equals(quotient, right), terms.equals(left, zero));
            let fits = terms.or_bool(is_zero, gives_back);
            return terms.not(fits);
        }
        // Overflow is possible only for certain signs of the operands, and it changes the sign of
        // the first.
        let result = if operation == Arithmetic::Add { terms.add(left, right) } else { terms.sub(left, right) };
        let [left, right, result] = [left, right, result].map(|term| terms.slt(term, zero));
        let has_same_sign = terms.equals(left, right);
        let can_leave = if operation == Arithmetic::Add { has_same_sign } else { terms.not(has_same_sign) };
        let kept = terms.equals(left, result);
        let lost = terms.not(kept);
        terms.and_bool(can_leave, lost)
    }
}
