//! What a state has to repeat that follows another one: the same choices, and the same fields of inputs made in the same order.
//!
//! Two versions of a program are run on the same inputs. What is made for the arguments and what the program itself asks for are
//! counted apart, so that a version that reads a field earlier or later than the other one still gets the same values.

use crate::Ending;
use crate::input::{Piece, Restriction, Taken};
use crate::list::List;
use crate::machine::{Halt, Machine};
use crate::state::State;
use crate::value::{Ref, Value};
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
    /// The fields, and what each takes.
    fields: Rc<[(GivenField, Taken)]>,
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

/// The fields in the order in which they were asked for.
fn fields(pieces: &List<Piece>) -> Vec<(GivenField, Taken)> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let field = |object: &u32, owner: &Text, name: &Text| GivenField {
        object: *object,
        owner: owner.clone(),
        name: name.clone(),
    };
    for piece in pieces.to_vec() {
        match piece {
            Piece::Field(object, owner, name) => {
                open.push(found.len());
                found.push((field(object, owner, name), Taken::default()));
            }
            Piece::FieldEnd(taken) => {
                if let Some(place) = open.pop() {
                    found[place].1 = *taken;
                }
            }
            Piece::NoField(object, owner, name, taken) => found.push((field(object, owner, name), *taken)),
            _ => {}
        }
    }
    found
}

/// The same as a set.
fn given(state: &State) -> HashSet<GivenField> {
    fields(&state.inputs).into_iter().map(|(field, _)| field).collect()
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

    /// Whether fields of its inputs were made in the middle of the program that a path which follows the other one has from the beginning.
    pub fn gave_later_than_following(&self, other: &State) -> bool {
        let scripted: HashSet<&GivenField> = self.script.fields.iter().map(|(field, _)| field).collect();
        let theirs = given(other);
        given(self).iter().any(|field| !scripted.contains(field) && theirs.contains(field))
    }

    /// Whether it was given fields of inputs that the other one was not.
    pub fn was_given_more_than(&self, other: &State) -> bool {
        !given(self).is_subset(&given(other))
    }

    /// How many fields of its inputs were asked for.
    pub fn given_fields(&self) -> usize {
        self.inputs.backwards().filter(|piece| matches!(piece, Piece::Field(..) | Piece::NoField(..))).count()
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
            self.restrictions.insert(Restriction::OfBothVersions);
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
        while let Some((field, taken)) = state.script.fields.get(state.script.at[2]) {
            let (number, owner, name, taken) = (field.object, field.owner.clone(), field.name.clone(), *taken);
            state.script.at[2] += 1;
            match self.scripted_field(state, number, &owner, &name)? {
                Some((object, slot)) if matches!(state.heap.get(object).fields().get(slot), Some(Value::Nothing)) => {
                    self.read_field(state, object, slot)?;
                }
                Some(_) => {}
                None => state.pass_over(number, owner, name, taken),
            }
        }
        Ok(())
    }

    /// Where the field of an input is, if its class has it here.
    fn scripted_field(
        &mut self,
        state: &mut State,
        number: u32,
        owner: &Text,
        name: &Text,
    ) -> Result<Option<(Ref, usize)>, Halt> {
        let objects = state.given_objects.to_vec();
        let Some(object) = objects.iter().find(|given| given.number == number).map(|given| given.object) else {
            return Ok(None);
        };
        let class = self.class_of(state, object);
        let class = self.load(state, class)?;
        let hierarchy = &self.world.hierarchy;
        let is_it = |(declaring, field, _): &(_, Text, _)| field == name && hierarchy.name(*declaring) == owner;
        Ok(class.instance_fields.iter().position(is_it).map(|slot| (object, slot)))
    }
}

impl State {
    /// Leaves out a field that no class has here, with all that it would have taken, so that whatever comes next is the same input in both
    /// versions.
    fn pass_over(&mut self, object: u32, owner: Text, name: Text, taken: Taken) {
        let at = self.script.at[0];
        let choices = self.script.for_inputs.iter().skip(at).take(taken.choices as usize).cloned().collect::<Vec<_>>();
        self.script.at[0] += choices.len();
        choices.into_iter().for_each(|choice| self.choices.push(choice));
        self.symbols += taken.symbols;
        self.numbered += taken.numbers;
        self.inputs.push(Piece::NoField(object, owner, name, taken));
    }
}
