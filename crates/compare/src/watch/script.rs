//! Scripts: the choices and the fields of inputs that a path must repeat to follow another one.
//!
//! Two versions of a program run on the same inputs. Inputs for the arguments and inputs that the
//! program itself requests are counted separately, so that a version that reads a field earlier or
//! later than the other one still gets the same values.

use super::notes::Noted;
use lapidary_classfile::Text;
use lapidary_symbolic::{Choice, Halt, List, Machine, Piece, Ref, State, Taken, Value};
use lapidary_terms::{Assignment, Constant, Sort};
use std::collections::HashSet;
use std::rc::Rc;

/// The choices and fields that a path still has to repeat.
#[derive(Clone, Default)]
pub struct Script {
    for_inputs: Rc<[Choice]>,
    by_program: Rc<[Choice]>,
    /// The fields to make, and what each of them uses up.
    fields: Rc<[(GivenField, Taken)]>,
    /// How much of each has been followed.
    at: [usize; 3],
}

/// A field of an input object: the number of the object, the declaring class, and the name.
#[derive(PartialEq, Eq, Hash)]
struct GivenField {
    object: u32,
    owner: Text,
    name: Text,
}

impl Script {
    pub fn of(state: &State) -> Script {
        let choices = state.choices.to_vec();
        let chosen = |for_input: bool| {
            let those = choices.iter().filter(|choice| choice.for_input == for_input);
            those.map(|choice| (*choice).clone()).collect()
        };
        let fields = fields(&state.inputs);
        Script { for_inputs: chosen(true), by_program: chosen(false), fields: fields.into(), at: [0; 3] }
    }

    /// The remaining script of a path for a state that has already followed it as far as `begun`.
    pub fn after(path: &State, begun: &State) -> Script {
        let chosen = |for_input: bool| begun.choices.backwards().filter(|choice| choice.for_input == for_input).count();
        Script { at: [chosen(true), chosen(false), given_fields(begun)], ..Script::of(path) }
    }

    /// The choice that must be made next, or `None` after the end of the script.
    pub fn next_choice(&self, for_input: bool) -> Option<Choice> {
        match for_input {
            true => self.for_inputs.get(self.at[0]).cloned(),
            false => self.by_program.get(self.at[1]).cloned(),
        }
    }

    pub fn has_chosen(&mut self, for_input: bool) {
        self.at[usize::from(!for_input)] += 1;
    }
}

/// One input in a form that any machine understands.
#[derive(Clone)]
pub struct Pinned {
    script: Script,
    /// The symbols of the input, by number and sort, with their values.
    values: Vec<(u32, Sort, Constant)>,
}

/// The fields in the order in which they were requested.
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

/// The fields of inputs that a path has made.
fn given(state: &State) -> HashSet<GivenField> {
    fields(&state.inputs).into_iter().map(|(field, _)| field).collect()
}

/// A state before its first call, for the inputs of another path: it has the same conditions and
/// makes the same choices.
pub fn following(other: &State) -> State {
    following_from(&State::new(), other)
}

/// A state that follows another path, starting from `begun`, in which the class of the entry method
/// is already initialised.
pub fn following_from(begun: &State, other: &State) -> State {
    let mut state = begun.clone();
    state.path = other.path.clone();
    state.noted_mut().script = Script::of(other);
    state
}

/// Whether a path made fields of its inputs while running that it would have from the beginning if
/// it followed the other path.
pub fn gave_later_than_following(state: &State, other: &State) -> bool {
    let fields = state.noted().map_or(&[][..], |notes| &notes.script.fields);
    let scripted: HashSet<&GivenField> = fields.iter().map(|(field, _)| field).collect();
    let theirs = given(other);
    given(state).iter().any(|field| !scripted.contains(field) && theirs.contains(field))
}

/// Whether a path has made fields of inputs that the other one has not.
pub fn was_given_more_than(state: &State, other: &State) -> bool {
    !given(state).is_subset(&given(other))
}

/// How many fields of its inputs a path has made.
pub fn given_fields(state: &State) -> usize {
    state.inputs.backwards().filter(|piece| matches!(piece, Piece::Field(..) | Piece::NoField(..))).count()
}

/// The input of a path for these values of its symbols, without inputs that the program itself
/// requested.
pub fn pinned(machine: &Machine, state: &State, witness: &Assignment) -> Pinned {
    let inputs = machine.symbols.iter().filter(|((for_input, number, _), _)| *for_input && *number < state.symbols);
    let value = |term, sort| witness.get(term).unwrap_or_else(|| Constant::zero(sort));
    let values = inputs.map(|((_, number, sort), term)| (*number, *sort, value(*term, *sort))).collect();
    Pinned { script: Script { by_program: Rc::new([]), ..Script::of(state) }, values }
}

/// A state before its first call, for one input only.
pub fn state_for(machine: &mut Machine, pinned: &Pinned) -> State {
    let mut state = State::new();
    state.noted_mut().script = pinned.script.clone();
    for (number, sort, value) in &pinned.values {
        let symbol = machine.symbol(true, *number, *sort);
        let terms = &mut machine.terms;
        let value_term = terms.value(*value);
        let equal = match sort {
            Sort::Single | Sort::Double => {
                let bits = (terms.raw_bits(symbol), terms.raw_bits(value_term));
                terms.equals(bits.0, bits.1)
            }
            _ => terms.equals(symbol, value_term),
        };
        let negation = terms.not(equal);
        if terms.constant(equal).is_none() {
            state.path.assume(equal, negation);
        }
        state.path.witness.set(symbol, *value);
    }
    state
}

/// Makes the fields that the script names, one each time the entry method tries to call the
/// program.
pub fn give_scripted_fields(machine: &mut Machine, state: &mut State) -> Result<(), Halt> {
    while let Some((number, owner, name, taken)) = next_field(state) {
        match scripted_field(machine, state, number, &owner, &name)? {
            Some((object, slot)) if matches!(state.heap.get(object).fields().get(slot), Some(Value::Nothing)) => {
                machine.read_field(state, object, slot)?;
            }
            Some(_) => {}
            None => pass_over(state, number, owner, name, taken),
        }
    }
    Ok(())
}

fn next_field(state: &mut State) -> Option<(u32, Text, Text, Taken)> {
    let script = &state.noted()?.script;
    let (field, taken) = script.fields.get(script.at[2])?;
    let next = (field.object, field.owner.clone(), field.name.clone(), *taken);
    state.noted_mut().script.at[2] += 1;
    Some(next)
}

/// The object and the slot of a field of an input, if the class has the field in this version.
fn scripted_field(
    machine: &mut Machine,
    state: &mut State,
    number: u32,
    owner: &Text,
    name: &Text,
) -> Result<Option<(Ref, usize)>, Halt> {
    let objects = state.given_objects.to_vec();
    let Some(object) = objects.iter().find(|given| given.number == number).map(|given| given.object) else {
        return Ok(None);
    };
    let class = machine.class_of(state, object);
    let class = machine.load(state, class)?;
    let hierarchy = &machine.world.hierarchy;
    let is_it = |(declaring, field, _): &(_, Text, _)| field == name && hierarchy.name(*declaring) == owner;
    Ok(class.instance_fields.iter().position(is_it).map(|slot| (object, slot)))
}

/// Skips a field that does not exist in this version, with all that it would have used up, so that
/// the following inputs are the same in both versions.
fn pass_over(state: &mut State, object: u32, owner: Text, name: Text, taken: Taken) {
    let script = &mut state.noted_mut().script;
    let rest = script.for_inputs.iter().skip(script.at[0]);
    let choices = rest.take(taken.choices as usize).cloned().collect::<Vec<_>>();
    script.at[0] += choices.len();
    choices.into_iter().for_each(|choice| state.choices.push(choice));
    state.symbols += taken.symbols;
    state.numbered += taken.numbers;
    state.inputs.push(Piece::NoField(object, owner, name, taken));
}
