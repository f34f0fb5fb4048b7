//! Decisions that depend on symbols.
//!
//! An instruction first decides everything that depends on symbols ([`Machine::split`],
//! [`Machine::concretise`]) and changes the state only then. When a decision can go both ways, a
//! copy of the state is put aside with the opposite decision among its conditions. When the copy
//! runs, it executes the same instruction again, and this time the decision is known.

use crate::Ending;
use crate::halt::Halt;
use crate::machine::Machine;
use crate::math::MathFunctions;
use crate::place::CodePlace;
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::Kind;
use lapidary_terms::{Answer, Constant, Term};

impl Machine {
    /// Decides a condition. If both outcomes are possible, a copy of the state takes the other one.
    pub fn split(&mut self, state: &mut State, condition: Term) -> Result<bool, Halt> {
        if let Some(Constant::Bool(holds)) = self.terms.constant(condition) {
            return Ok(holds);
        }
        if let Some(holds) = state.path.known(condition) {
            return Ok(holds);
        }
        let holds = self.holds_for_witness(state, condition);
        if self.follows_witness {
            return Ok(holds);
        }
        let negation = self.terms.not(condition);
        let (taken, other) = if holds { (condition, negation) } else { (negation, condition) };
        match self.solve_with(state, other) {
            Answer::Satisfiable(witness) => {
                if self.config.merges && self.merging.before.is_none() {
                    self.merging.before = Some(state.path.clone());
                }
                let mut copy = state.clone();
                copy.path.assume(other, taken);
                copy.path.witness = witness;
                self.forked.push(copy);
                self.counts.forks += 1;
                state.path.assume(taken, other);
            }
            Answer::Unsatisfiable => state.path.note(taken, other),
            Answer::Unknown(_) if self.curfew.is_in_force() => return Err(Halt::Again),
            Answer::Unknown(reason) => {
                self.note_undecided(state, &reason);
                state.path.assume(taken, other);
            }
        }
        Ok(holds)
    }

    /// Continues only with inputs for which the condition holds.
    pub fn assume(&mut self, state: &mut State, condition: Term) -> Result<(), Halt> {
        let negation = self.terms.not(condition);
        match (self.terms.constant(condition), state.path.known(condition)) {
            (Some(Constant::Bool(true)), _) | (_, Some(true)) => return Ok(()),
            (Some(_), _) | (_, Some(false)) => return Err(Halt::End(Ending::Infeasible)),
            (None, None) => {}
        }
        if !self.holds_for_witness(state, condition) {
            match self.solve_with(state, condition) {
                Answer::Satisfiable(witness) => state.path.witness = witness,
                Answer::Unsatisfiable => return Err(Halt::End(Ending::Infeasible)),
                Answer::Unknown(_) if self.curfew.is_in_force() => return Err(Halt::Again),
                Answer::Unknown(reason) => return Err(Halt::End(Ending::unsupported(format!("the solver: {reason}")))),
            }
        }
        state.path.assume(condition, negation);
        Ok(())
    }

    /// Whether the condition holds for no input of the path.
    pub(crate) fn is_impossible(&mut self, state: &State, condition: Term) -> Result<bool, Halt> {
        match self.solve_with(state, condition) {
            Answer::Unknown(_) if self.curfew.is_in_force() => Err(Halt::Again),
            answer => Ok(answer == Answer::Unsatisfiable),
        }
    }

    /// Makes a value concrete. Copies of the state take the other possible values.
    pub fn concretise(&mut self, state: &mut State, value: Value) -> Result<Value, Halt> {
        let Value::Symbolic(kind, term) = value else { return Ok(value) };
        loop {
            let number = self.value_of(state, term);
            let chosen = Value::of_constant(kind, number);
            let constant = chosen.term(&mut self.terms).expect("a number");
            let equal = self.equal(kind, term, constant);
            if self.split(state, equal)? {
                return Ok(chosen);
            }
        }
    }

    /// The concrete value that the witness has for a value. Other possible values are not explored
    /// and count as undecided.
    pub(crate) fn settle(&mut self, state: &mut State, value: Value) -> Value {
        let Value::Symbolic(kind, term) = value else { return value };
        let chosen = Value::of_constant(kind, self.value_of(state, term));
        let Some(constant) = chosen.term(&mut self.terms) else { return chosen };
        let equal = self.equal(kind, term, constant);
        if self.follows_witness || self.terms.constant(equal).is_some() || state.path.known(equal) == Some(true) {
            return chosen;
        }
        let negation = self.terms.not(equal);
        match self.solve_with(state, negation) {
            Answer::Unsatisfiable => state.path.note(equal, negation),
            _ => {
                self.note_undecided(state, "the message of an exception names an input");
                state.path.assume(equal, negation);
            }
        }
        chosen
    }

    fn note_undecided(&mut self, state: &State, reason: &str) {
        self.undecided += 1;
        self.first_undecided.get_or_insert_with(|| {
            let place = state.frame.as_ref().map(|frame| CodePlace { method: frame.method.clone(), at: frame.pc });
            place.map_or_else(|| reason.to_owned(), |place| format!("{reason}, at {place}"))
        });
    }

    pub fn concrete_int(&mut self, state: &mut State, value: Value) -> Result<i32, Halt> {
        match self.concretise(state, value)? {
            Value::Int(number) => Ok(number),
            _ => Err(Halt::End(Ending::unsupported("a number was expected".into()))),
        }
    }

    fn equal(&mut self, kind: Kind, one: Term, other: Term) -> Term {
        match kind {
            // Compares bits, so that a NaN equals itself and zeros keep their sign.
            Kind::Float | Kind::Double => {
                let (one, other) = (self.terms.raw_bits(one), self.terms.raw_bits(other));
                self.terms.equals(one, other)
            }
            _ => self.terms.equals(one, other),
        }
    }

    fn holds_for_witness(&mut self, state: &State, condition: Term) -> bool {
        matches!(self.value_of(state, condition), Constant::Bool(true))
    }

    /// The value of a term for the witness of a path.
    pub(crate) fn value_of(&self, state: &State, term: Term) -> Constant {
        self.terms.evaluate_with(term, &state.path.witness, &MathFunctions)
    }

    fn solve_with(&mut self, state: &State, condition: Term) -> Answer {
        let mut conditions: Vec<Term> = state.path.conditions.to_vec().into_iter().copied().collect();
        conditions.push(condition);
        self.solver.solve(&mut self.terms, &conditions)
    }
}
