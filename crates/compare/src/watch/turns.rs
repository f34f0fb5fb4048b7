//! Loops of which one iteration stands for all.
//!
//! With this technique, a path that reaches a loop forgets the values of the variables that the
//! loop changes. They become symbols, which stand for their values before any iteration. The path
//! then runs one iteration, and ends if it comes back to the head of the loop. If the loops of two
//! versions begin with the same values, and an iteration computes the same values from the same
//! symbols, the loops do the same in every iteration, by induction.
//!
//! Only loops that change nothing but numbers in local variables qualify. All others are run as
//! they are.

use super::event::Crossing;
use super::notes::{Noted, Turning, note, of_call, of_top};
use lapidary_classfile::{Instruction, Kind};
use lapidary_symbolic::{CodePlace, Ending, Halt, Machine, Method, Part, Prepared, State, Value};
use lapidary_terms::Sort;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The loops of a method: for each head, the last instruction of the loop and the variables that it
/// changes.
type Loops = BTreeMap<usize, (usize, Vec<u16>)>;

/// The number of the first symbol of a loop, above all symbols that programs request.
const FIRST_SYMBOL: u32 = 1 << 30;

/// The loops of each method, by method number.
#[derive(Default)]
pub struct KnownLoops(RefCell<HashMap<u32, Rc<Loops>>>);

impl KnownLoops {
    /// Ends a path that has reached the head of a loop for the second time. A path that reaches it
    /// for the first time forgets the variables of the loop.
    pub fn at_head(
        &self,
        machine: &mut Machine,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
    ) -> Result<(), Halt> {
        let loops = self.of(machine, method);
        leave_loops(state, at);
        let Some((end, variables)) = loops.get(&at) else { return Ok(()) };
        let heads = of_call(state.top()).map_or(&[][..], |notes| &notes.heads);
        if let Some(turning) = heads.iter().find(|turning| turning.head == at) {
            let values = turning.forgotten.iter().map(|variable| state.top().local(*variable)).collect();
            return Err(Halt::End(Ending::Turned(values)));
        }
        let local = |variable: &u16| (*variable, state.top().local(*variable));
        // A variable that was never written is local to the iteration.
        let before: Vec<(u16, Value)> =
            variables.iter().map(local).filter(|(_, value)| !matches!(value, Value::Nothing)).collect();
        if !state.top().stack.is_empty() || before.iter().any(|(_, value)| sort_of(*value).is_none()) {
            return Ok(());
        }
        let (place, depth) = (CodePlace { method: method.clone(), at }, state.crossings());
        let entered = Crossing::Entered(before.iter().map(|(_, value)| *value).collect());
        note(state, entered, Part::Unaffected, place, depth);
        for (variable, value) in &before {
            let Some((kind, sort)) = sort_of(*value) else { continue };
            let number = FIRST_SYMBOL + state.loop_symbols();
            state.noted_mut().loop_symbols += 1;
            let symbol = machine.symbol(false, number, sort);
            state.top_mut().set_local(*variable, Value::Symbolic(kind, symbol));
        }
        let forgotten = before.into_iter().map(|(variable, _)| variable).collect();
        of_top(state).heads.push(Turning { head: at, end: *end, forgotten });
        Ok(())
    }

    fn of(&self, machine: &Machine, method: &Method) -> Rc<Loops> {
        let known = &mut *self.0.borrow_mut();
        let find = || match method.prepared().filter(|_| machine.is_own(method.class)) {
            Some(prepared) => Rc::new(loops(prepared)),
            None => Rc::default(),
        };
        known.entry(method.number).or_insert_with(find).clone()
    }
}

/// Removes the loops that a path has left. It may reach such a loop again from an outer loop and
/// then begins anew.
fn leave_loops(state: &mut State, at: usize) {
    let is_in = |turning: &Turning| (turning.head..=turning.end).contains(&at);
    let heads = of_call(state.top()).map_or(&[][..], |notes| &notes.heads);
    if !heads.iter().all(is_in) {
        of_top(state).heads.retain(is_in);
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

/// Finds the loops of a method. A loop extends from the target of a backward jump to the last
/// instruction that jumps there.
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

/// The variables that a loop changes; `None` if it changes more than numbers in local variables.
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
