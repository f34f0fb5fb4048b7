//! Loops that are run once for all their turns.
//!
//! Where this is switched on, a path that comes to a loop forgets the values of the variables that the loop changes: they become
//! symbols, which stand for their values before any turn. The path then runs one turn. If it comes back to the head of the loop, it ends
//! there. Two versions whose loops begin with the same values, and whose turns make the same values of the same symbols, do the same in
//! every turn: induction without counting.
//!
//! Only loops qualify that change nothing but numbers in local variables. All others are run as they are.

use crate::Ending;
use crate::boundary::Crossing;
use crate::frame::{Place, Turning};
use crate::machine::{Halt, Machine};
use crate::method::{Method, Prepared};
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::{Instruction, Kind};
use lapidary_terms::Sort;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The last instruction of each loop of a method and the variables that it changes, by the instruction at its head.
pub(crate) type Loops = BTreeMap<usize, (usize, Vec<u16>)>;

/// Symbols of loops are counted from here, apart from what programs ask for.
const FIRST_SYMBOL: u32 = 1 << 30;

impl Machine {
    /// Ends a path that has come to the head of a loop for the second time, and lets one that comes there first forget.
    pub(crate) fn at_head(&mut self, state: &mut State, method: &Rc<Method>, at: usize) -> Result<(), Halt> {
        let loops = self.loops_of(method);
        leave_loops(state, at);
        let Some((end, variables)) = loops.get(&at) else { return Ok(()) };
        if let Some(turning) = state.top().heads.iter().find(|turning| turning.head == at) {
            let values = turning.forgotten.iter().map(|variable| state.top().local(*variable)).collect();
            return Err(Halt::End(Ending::Turned(values)));
        }
        let local = |variable: &u16| (*variable, state.top().local(*variable));
        // A variable that nobody has written yet is one of the turn alone.
        let before: Vec<(u16, Value)> =
            variables.iter().map(local).filter(|(_, value)| !matches!(value, Value::Nothing)).collect();
        if !state.top().stack.is_empty() || before.iter().any(|(_, value)| sort_of(*value).is_none()) {
            return Ok(());
        }
        let place = Place { method: method.clone(), at };
        state.note_loop(Crossing::Entered(before.iter().map(|(_, value)| *value).collect()), place);
        for (variable, value) in &before {
            let Some((kind, sort)) = sort_of(*value) else { continue };
            let number = FIRST_SYMBOL + state.loop_symbols;
            state.loop_symbols += 1;
            let symbol = self.symbol(false, number, sort);
            state.top_mut().set_local(*variable, Value::Symbolic(kind, symbol));
        }
        let forgotten = before.into_iter().map(|(variable, _)| variable).collect();
        state.top_mut().heads.push(Turning { head: at, end: *end, forgotten });
        Ok(())
    }

    fn loops_of(&mut self, method: &Rc<Method>) -> Rc<Loops> {
        if let Some(known) = self.loops.get(&method.number) {
            return known.clone();
        }
        let found = match method.prepared().filter(|_| self.is_own(method.class)) {
            Some(prepared) => Rc::new(loops(prepared)),
            None => Rc::default(),
        };
        self.loops.insert(method.number, found.clone());
        found
    }
}

/// A path that has left a loop may come to it once more, from a loop around it: then it begins anew.
fn leave_loops(state: &mut State, at: usize) {
    let is_in = |turning: &Turning| (turning.head..=turning.end).contains(&at);
    if !state.top().heads.iter().all(is_in) {
        state.top_mut().heads.retain(is_in);
    }
}

fn sort_of(value: Value) -> Option<(Kind, Sort)> {
    Some(match value.kind()? {
        Kind::Int => (Kind::Int, Sort::Bits(32)),
        Kind::Long => (Kind::Long, Sort::Bits(64)),
        Kind::Float => (Kind::Float, Sort::Single),
        Kind::Double => (Kind::Double, Sort::Double),
        Kind::Reference => return None,
    })
}

/// A loop goes from the target of a backward jump to the last instruction that jumps there.
fn loops(prepared: &Prepared) -> Loops {
    let instructions = &prepared.code.instructions;
    let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, instruction) in instructions.iter().enumerate() {
        for target in targets(instruction).into_iter().filter(|target| *target <= at) {
            ends.entry(target).and_modify(|end| *end = at.max(*end)).or_insert(at);
        }
    }
    let of_loop = |(head, end): (usize, usize)| Some((head, (end, changed(&instructions[head..=end])?)));
    ends.into_iter().filter_map(of_loop).collect()
}

fn targets(instruction: &Instruction) -> Vec<usize> {
    match instruction {
        Instruction::If(_, target) | Instruction::Goto(target) | Instruction::GotoW(target) => vec![*target as usize],
        _ => Vec::new(),
    }
}

/// The variables that a loop changes; none if it changes more than numbers in variables.
fn changed(instructions: &[Instruction]) -> Option<Vec<u16>> {
    let mut variables = BTreeSet::new();
    for instruction in instructions {
        match instruction {
            Instruction::Store(Kind::Reference, _)
            | Instruction::ArrayStore(_)
            | Instruction::Field(..)
            | Instruction::InvokeDynamic(_)
            | Instruction::New(_)
            | Instruction::NewArray(_)
            | Instruction::ANewArray(_)
            | Instruction::MultiANewArray(..)
            | Instruction::MonitorEnter
            | Instruction::MonitorExit
            | Instruction::Jsr(_)
            | Instruction::JsrW(_)
            | Instruction::TableSwitch(_)
            | Instruction::LookupSwitch(_) => return None,
            Instruction::Invoke(_, member) if member.owner != "java/lang/Math" => return None,
            Instruction::Store(_, local) | Instruction::Increment(local, _) => drop(variables.insert(local.index)),
            _ => {}
        }
    }
    (!variables.is_empty()).then(|| variables.into_iter().collect())
}
