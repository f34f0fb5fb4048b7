//! What a state has to repeat that follows another one: the same choices, and the same fields of inputs made in the same order.
//!
//! Two versions of a program are run on the same inputs. What is made for the arguments and what the program itself asks for are
//! counted apart, so that a version that reads a field earlier or later than the other one still gets the same values.

use crate::Ending;
use crate::input::Piece;
use crate::list::List;
use crate::machine::{Halt, Machine};
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::Text;
use lapidary_terms::{Assignment, Constant, Sort};
use std::collections::HashSet;
use std::rc::Rc;

/// What was chosen: for an input, or by the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub for_input: bool,
    pub chosen: u32,
    /// What it is called, where another version may count in another way.
    pub label: Option<Rc<str>>,
}

#[derive(Clone, Default)]
pub struct Script {
    for_inputs: Rc<[Choice]>,
    by_program: Rc<[Choice]>,
    fields: Rc<[GivenField]>,
    /// How much of each was followed.
    at: [usize; 3],
}

/// A field of an object that is an input: the number of the object, the class that declares the field, and its name.
#[derive(PartialEq, Eq, Hash)]
struct GivenField {
    object: u32,
    owner: Text,
    name: Text,
}

impl Script {
    pub(crate) fn of(state: &State) -> Script {
        let choices = state.choices.to_vec();
        let chosen = |for_input: bool| {
            let those = choices.iter().filter(|choice| choice.for_input == for_input);
            those.map(|choice| (*choice).clone()).collect()
        };
        let fields = fields(&state.inputs);
        Script { for_inputs: chosen(true), by_program: chosen(false), fields: fields.into(), at: [0; 3] }
    }

    /// The same for a state that has already followed the path as far as another one has come.
    pub(crate) fn after(path: &State, begun: &State) -> Script {
        let chosen = |for_input: bool| begun.choices.backwards().filter(|choice| choice.for_input == for_input).count();
        Script { at: [chosen(true), chosen(false), begun.given_fields()], ..Script::of(path) }
    }

    /// What has to be chosen next, as long as the script reaches.
    pub(crate) fn next_choice(&mut self, for_input: bool) -> Option<u32> {
        let (choices, at) = match for_input {
            true => (&self.for_inputs, &mut self.at[0]),
            false => (&self.by_program, &mut self.at[1]),
        };
        let chosen = choices.get(*at).map(|choice| choice.chosen);
        *at += 1;
        chosen
    }

    /// The name of the way in which the next input has to be made.
    pub(crate) fn next_label(&mut self) -> Option<Rc<str>> {
        let label = self.for_inputs.get(self.at[0]).and_then(|choice| choice.label.clone());
        self.at[0] += 1;
        label
    }
}

/// One input, in a form that any machine understands.
#[derive(Clone)]
pub struct Pinned {
    script: Script,
    /// The symbols of the input, by number and sort, with their values.
    values: Vec<(u32, Sort, Constant)>,
}

fn fields(pieces: &List<Piece>) -> Vec<GivenField> {
    let of_piece = |piece: &Piece| match piece {
        Piece::Field(object, owner, name) => {
            Some(GivenField { object: *object, owner: owner.clone(), name: name.clone() })
        }
        _ => None,
    };
    pieces.to_vec().into_iter().filter_map(of_piece).collect()
}

impl State {
    /// A state before its first call, for the inputs of another one: the conditions of that one hold, and it chooses alike.
    pub fn following(other: &State) -> State {
        State { path: other.path.clone(), script: Script::of(other), ..State::new() }
    }

    /// The same for one whose class is initialised already.
    pub fn following_from(begun: &State, other: &State) -> State {
        State { path: other.path.clone(), script: Script::of(other), ..begun.clone() }
    }

    /// Whether nothing came from outside so far.
    pub fn has_no_inputs(&self) -> bool {
        self.choices.is_empty() && self.symbols == 0 && self.asked_symbols == 0 && self.loop_symbols == 0
    }

    /// Whether fields of its inputs were made in the middle of the program, which did not yet hold them in what was traced before.
    pub fn gave_fields_late(&self) -> bool {
        let scripted: HashSet<&GivenField> = self.script.fields.iter().collect();
        fields(&self.inputs).iter().any(|field| !scripted.contains(field))
    }

    /// Whether it was given fields of inputs that the other one was not.
    pub fn was_given_more_than(&self, other: &State) -> bool {
        let given: HashSet<GivenField> = fields(&other.inputs).into_iter().collect();
        fields(&self.inputs).iter().any(|field| !given.contains(field))
    }

    /// How many fields of its inputs were asked for.
    pub fn given_fields(&self) -> usize {
        self.inputs.backwards().filter(|piece| matches!(piece, Piece::Field(..))).count()
    }

    /// Whether what runs makes an input.
    pub(crate) fn is_making_input(&self) -> bool {
        self.frame.as_ref().is_some_and(|frame| frame.method.class_name.as_bytes().starts_with(b"lapidary/Given$"))
    }
}

impl Machine {
    /// Forks over the numbers below `count` without asking the solver; says which one this is.
    pub fn choose(&mut self, state: &mut State, count: u32) -> u32 {
        let for_input = state.is_making_input();
        let mut followed = state.script.clone();
        let scripted = followed.next_choice(for_input).filter(|chosen| *chosen < count);
        let chosen = self.taken(state, scripted, count);
        state.script = followed;
        state.choices.push(Choice { for_input, chosen, label: None });
        chosen
    }

    /// The same for the ways to make an input, which have names: another version of the program may have others.
    pub(crate) fn choose_way(&mut self, state: &mut State, labels: &[Rc<str>]) -> Result<u32, Halt> {
        let mut followed = state.script.clone();
        let wanted = followed.next_label();
        let scripted = wanted.as_ref().and_then(|label| labels.iter().position(|way| way == label));
        if wanted.is_some() && scripted.is_none() {
            self.has_bounded_inputs = true;
            return Err(Halt::End(Ending::Infeasible));
        }
        let chosen = self.taken(state, scripted.map(|place| place as u32), labels.len() as u32);
        state.script = followed;
        state.choices.push(Choice { for_input: true, chosen, label: labels.get(chosen as usize).cloned() });
        Ok(chosen)
    }

    /// What the script says, or else the first number. The copy that takes the next number makes the one after it when its turn comes, so that many
    /// choices take no memory before they are made.
    fn taken(&mut self, state: &mut State, scripted: Option<u32>, count: u32) -> u32 {
        let chosen = state.next_choice.take().or(scripted).unwrap_or(0);
        if scripted.is_none() && chosen + 1 < count {
            let mut copy = state.clone();
            copy.next_choice = Some(chosen + 1);
            self.forked.push(copy);
            self.counts.forks += 1;
        }
        chosen
    }

    /// The input of a path that these values of its symbols make. What the program asked for by itself is not part of it.
    pub fn pinned(&self, state: &State, witness: &Assignment) -> Pinned {
        let inputs = self.symbols.iter().filter(|((for_input, number, _), _)| *for_input && *number < state.symbols);
        let value = |term, sort| witness.get(term).unwrap_or_else(|| Constant::zero(sort));
        let values = inputs.map(|((_, number, sort), term)| (*number, *sort, value(*term, *sort))).collect();
        Pinned { script: Script { by_program: Rc::new([]), ..Script::of(state) }, values }
    }

    /// A state before its first call, for one input only.
    pub fn state_for(&mut self, pinned: &Pinned) -> State {
        let mut state = State { script: pinned.script.clone(), ..State::new() };
        for (number, sort, value) in &pinned.values {
            let symbol = self.symbol(true, *number, *sort);
            let value_term = self.terms.value(*value);
            let equal = match sort {
                Sort::Single | Sort::Double => {
                    let bits = (self.terms.raw_bits(symbol), self.terms.raw_bits(value_term));
                    self.terms.equals(bits.0, bits.1)
                }
                _ => self.terms.equals(symbol, value_term),
            };
            let negation = self.terms.not(equal);
            if self.terms.constant(equal).is_none() {
                state.path.assume(equal, negation);
            }
            state.path.witness.set(symbol, *value);
        }
        state
    }

    /// Makes the fields that the script names, one each time that the entry method tries to call the program.
    pub(crate) fn give_scripted_fields(&mut self, state: &mut State) -> Result<(), Halt> {
        while let Some(field) = state.script.fields.get(state.script.at[2]) {
            let (number, owner, name) = (field.object, field.owner.clone(), field.name.clone());
            state.script.at[2] += 1;
            let objects = state.given_objects.to_vec();
            let Some(object) = objects.get(number as usize - 1).copied().copied() else { continue };
            let class = self.class_of(state, object);
            let class = self.load(state, class)?;
            let hierarchy = &self.world.hierarchy;
            let is_it = |(declaring, field, _): &(_, Text, _)| *field == name && *hierarchy.name(*declaring) == owner;
            let Some(slot) = class.instance_fields.iter().position(is_it) else { continue };
            if matches!(state.heap.get(object).fields().get(slot), Some(Value::Nothing)) {
                self.read_field(state, object, slot)?;
            }
        }
        Ok(())
    }
}
