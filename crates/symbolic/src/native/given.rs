//! `lapidary.Given`: what the methods that make inputs need of the machine. Programs cannot call it.

use super::{Call, Effect, Line, class_of, value};
use crate::Ending;
use crate::ending::Aliases;
use crate::frame::Then;
use crate::heap::{Body, Elements, Nature, Object};
use crate::input::{Alternative, Input, KindId, Piece, Shape};
use crate::machine::{Halt, Machine};
use crate::state::State;
use crate::types::Type;
use crate::value::{Ref, Value};
use lapidary_classfile::Class;
use lapidary_jvm::{BaseType, FieldType};
use std::rc::Rc;
use std::sync::Arc;

pub(super) const TABLE: &[Line] = &[
    ("lapidary/Given.select(II)I", select),
    ("lapidary/Given.same(II)Ljava/lang/Object;", same),
    ("lapidary/Given.nothing()Ljava/lang/Object;", nothing),
    ("lapidary/Given.text()Ljava/lang/String;", text),
    ("lapidary/Given.numbers(II)Ljava/lang/Object;", numbers),
    ("lapidary/Given.length(II)I", length),
    ("lapidary/Given.open(II)V", open),
    ("lapidary/Given.object(III)Ljava/lang/Object;", object),
    ("lapidary/Given.field(Ljava/lang/Object;I)V", field),
    ("lapidary/Given.given()V", given),
    ("lapidary/Given.arguments()[Ljava/lang/String;", arguments),
    ("lapidary/Given.impossible()V", impossible),
    ("lapidary/Given.unsupported(II)Ljava/lang/Object;", unsupported),
    ("lapidary/Given.initialise(Ljava/lang/Class;)V", initialise),
];

/// A class with all of these as native methods.
pub fn class() -> Arc<Class> {
    Arc::new(class_of("lapidary/Given", TABLE))
}

/// Which alternative of a kind is taken at this depth; numbers beyond the alternatives are objects that are there already.
fn select(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (Value::Int(depth), kind) = (call.value(0), kind_of(call, 1)) else { return machine.broken("no depth") };
    let mut ways = machine.kinds.get(kind).at_depth(depth);
    let count = machine.kinds.get(kind).alternatives.len();
    machine.has_bounded_inputs |= ways.len() < count;
    let alternatives = &machine.kinds.get(kind).alternatives;
    let mut labels: Vec<Rc<str>> = ways.iter().map(|way| alternatives[*way].label().into()).collect();
    let earlier = earlier(machine, state, kind);
    ways.extend((0..earlier.len()).map(|place| count + place));
    labels.extend(earlier.iter().map(|(number, _)| Rc::from(format!("object {number}"))));
    let chosen = machine.choose_way(state, &labels)?;
    value(ways[chosen as usize] as i32)
}

/// The objects that an input of this kind can also be.
fn earlier(machine: &mut Machine, state: &State, kind: KindId) -> Vec<(u32, Ref)> {
    let allowed = match machine.limits.aliases {
        Aliases::None => false,
        Aliases::Arguments => !is_in_field(state),
        Aliases::All => true,
    };
    let kind = machine.kinds.get(kind);
    if !kind.has_objects() {
        return Vec::new();
    }
    let type_ = kind.type_.clone();
    let wanted = machine.world.types.of_field(&type_, &machine.world.hierarchy);
    let objects = state.given_objects.to_vec();
    let mut found = Vec::new();
    for (place, object) in objects.into_iter().enumerate() {
        if machine.world.is_subtype(state.heap.get(*object).type_, wanted) {
            found.push((place as u32 + 1, *object));
        }
    }
    if !allowed {
        machine.has_bounded_inputs |= !found.is_empty();
        found.clear();
    }
    found
}

/// Whether the input that is made is, or is part of, the value of a field.
fn is_in_field(state: &State) -> bool {
    let calls = std::iter::successors(Some(state.top()), |frame| frame.caller.as_ref());
    let makers = calls.take_while(|frame| frame.method.class_name.as_bytes().starts_with(b"lapidary/Given$"));
    makers.into_iter().any(|frame| frame.method.class_name.as_bytes().starts_with(b"lapidary/Given$Field$"))
}

fn same(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let kind = kind_of(call, 1);
    let count = machine.kinds.get(kind).alternatives.len();
    let place = int(call, 0).checked_sub(count);
    let found = place.and_then(|place| earlier(machine, state, kind).get(place).copied());
    let Some((number, object)) = found else { return machine.broken("an input that is not there") };
    state.inputs.push(Piece::Whole(Input::Same(number)));
    value(Some(object))
}

fn nothing(_: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    state.inputs.push(Piece::Whole(Input::Null));
    value(Value::NULL)
}

fn text(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let length = chosen_length(machine, state);
    let characters: Vec<Value> = (0..length).map(|_| machine.new_symbol(state, BaseType::Byte)).collect();
    let string = machine.symbolic_string(state, characters)?;
    let units = machine.units_of(state, string).unwrap_or_default();
    state.inputs.push(Piece::Whole(Input::Text(units)));
    value(Some(string))
}

fn numbers(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Alternative::Numbers(base) = *alternative(machine, call) else { return machine.broken("no array of numbers") };
    let length = chosen_length(machine, state);
    let symbols: Vec<Value> = (0..length).map(|_| machine.new_symbol(state, base)).collect();
    let inputs = symbols.iter().map(|symbol| Input::Number(base, *symbol)).collect();
    state.inputs.push(Piece::Whole(Input::Array(FieldType::Base(base), inputs)));
    let element = machine.world.types.number(Type::Base(base));
    let type_ = machine.world.types.array_of(element);
    let elements = if length == 0 { Elements::of_base(base, 0) } else { Elements::Mixed(base, symbols) };
    value(Some(state.heap.allocate(Object { type_, body: Body::Array(elements) })))
}

fn chosen_length(machine: &mut Machine, state: &mut State) -> usize {
    let bound = machine.limits.array_length as u32;
    machine.has_bounded_inputs = true;
    machine.choose(state, bound + 1) as usize
}

/// How many elements or entries something has.
fn length(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (shape, each) = match alternative(machine, call).clone() {
        Alternative::Array(element) => (Shape::Array(machine.kinds.get(element).type_.clone()), 1),
        Alternative::Elements(class, _) => (Shape::Elements(class), 1),
        Alternative::Entries(class, ..) => (Shape::Entries(class), 2),
        _ => return machine.broken("a length of something that has none"),
    };
    let length = chosen_length(machine, state);
    state.inputs.push(Piece::Open(shape, length * each));
    value(length as i32)
}

fn open(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let piece = match alternative(machine, call).clone() {
        Alternative::Boxed(_) => Piece::Open(Shape::Boxed, 1),
        Alternative::Made(made, parts) => Piece::Open(Shape::Made(made), parts.len()),
        Alternative::Constant(class, name) => Piece::Whole(Input::Constant(class, name)),
        _ => return machine.broken("an input that has no parts"),
    };
    state.inputs.push(piece);
    Ok(Effect::Nothing)
}

/// An object whose fields are not known yet.
fn object(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Alternative::Object(name) = alternative(machine, call).clone() else { return machine.broken("no object") };
    let id = machine.world.hierarchy.id(&name);
    let class = machine.initialise(state, id)?;
    let number = state.given_objects.len() as u32 + 1;
    let nature = Nature::Given(number, int(call, 2) as i32, kind_of(call, 0));
    let fields = vec![Value::Nothing; class.defaults.len()].into_boxed_slice();
    let object = state.heap.allocate(Object { type_: class.type_, body: Body::Fields(fields, nature) });
    if let Some(partition) = machine.partition.clone() {
        let part = partition.of_class(&name.as_str()).unwrap_or_default();
        state.heap.set_part(object, part);
    }
    state.given_objects.push(object);
    state.inputs.push(Piece::Object(name));
    value(Some(object))
}

/// The field at this place of an object gets its value next.
fn field(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (object, slot) = (machine.present(state, call, 0)?, int(call, 1));
    let Nature::Given(number, ..) = *state.heap.get(object).nature() else { return machine.broken("not an input") };
    let class = machine.class_of(state, object);
    let class = machine.load(state, class)?;
    let Some((owner, name, _)) = class.instance_fields.get(slot) else { return machine.broken("no such field") };
    let owner = machine.world.hierarchy.name(*owner).clone();
    state.inputs.push(Piece::Field(number, owner, name.clone()));
    Ok(Effect::Nothing)
}

/// A field has its value.
fn given(_: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let before = state.top().objects_before;
    state.heap.give_since(before);
    Ok(Effect::Nothing)
}

/// The arguments of `main` that the user gave.
fn arguments(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let texts = machine.arguments.clone();
    let string = FieldType::Object("java/lang/String".into());
    let element = machine.world.types.of_field(&string, &machine.world.hierarchy);
    let mut objects = Vec::with_capacity(texts.len());
    for text in &texts {
        objects.push(machine.string(state, text)?);
    }
    let array = machine.allocate_array(state, element, texts.len());
    for (place, object) in objects.into_iter().enumerate() {
        crate::step::elements_mut(state, array).set(place, Value::object(object));
    }
    let units = |text: &String| Input::Text(text.encode_utf16().map(|unit| Value::Int(unit.into())).collect());
    state.inputs.push(Piece::Whole(Input::Array(string, texts.iter().map(units).collect())));
    value(Some(array))
}

/// Initialises the class whose method is called before any input is made: so it is done once, and not for every input. Whoever replays a path
/// looks the method up first, which initialises its class as well.
fn initialise(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let mirror = machine.present(state, call, 0)?;
    if let Nature::Mirror(type_) = *state.heap.get(mirror).nature()
        && let Type::Class(class) = machine.world.types.get(type_)
    {
        machine.initialise(state, class)?;
    }
    Ok(Effect::Nothing)
}

/// The program does not allow what was made.
fn impossible(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    Err(Halt::End(Ending::Infeasible))
}

fn unsupported(machine: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Alternative::Unsupported(what) = alternative(machine, call).clone() else { return machine.broken("no reason") };
    Err(Halt::End(Ending::unsupported(what)))
}

fn int(call: &Call<'_>, place: usize) -> usize {
    if let Value::Int(number) = call.value(place) { number as usize } else { 0 }
}

fn kind_of(call: &Call<'_>, place: usize) -> KindId {
    KindId(int(call, place) as u32)
}

/// The alternative that the first two arguments name.
fn alternative<'a>(machine: &'a Machine, call: &Call<'_>) -> &'a Alternative {
    &machine.kinds.get(kind_of(call, 0)).alternatives[int(call, 1)]
}

impl Machine {
    /// A field of an object. One of an input that nobody has read yet is made first.
    pub(crate) fn read_field(&mut self, state: &mut State, object: Ref, slot: usize) -> Result<Value, Halt> {
        let found = state.heap.get(object);
        match (found.fields().get(slot), found.nature()) {
            (Some(Value::Nothing), Nature::Given(_, depth, kind)) => {
                let (depth, kind) = (*depth, *kind);
                self.give_field(state, object, slot, kind, depth - 1)
            }
            (Some(Value::Nothing), Nature::Unread(_)) => {
                self.read_text(state, object)?;
                self.read_field(state, object, slot)
            }
            (found, _) => Ok(found.copied().unwrap_or(Value::Nothing)),
        }
    }

    /// Makes all fields of an input that nobody has read yet.
    pub(crate) fn give_all_fields(&mut self, state: &mut State, object: Ref) -> Result<(), Halt> {
        let unknown = state.heap.get(object).fields().iter().position(|field| matches!(field, Value::Nothing));
        if let (Some(slot), Nature::Given(..)) = (unknown, state.heap.get(object).nature()) {
            self.read_field(state, object, slot)?;
        }
        Ok(())
    }

    fn give_field<T>(
        &mut self,
        state: &mut State,
        object: Ref,
        slot: usize,
        kind: KindId,
        depth: i32,
    ) -> Result<T, Halt> {
        let class = self.class_of(state, object);
        let class = self.load(state, class)?;
        let Some((owner, name, _)) = class.instance_fields.get(slot) else { return self.broken("no such field") };
        let owner = self.world.hierarchy.name(*owner).clone();
        let Some(maker) = self.field_maker(&owner, name, slot, kind) else {
            return self.broken("a field without a type");
        };
        let objects = state.heap.len();
        let halted = self.run_first(state, &maker, &[Value::object(object), Value::Int(depth)], Then::Forget);
        if state.top().method.makes_field_of_input() {
            state.top_mut().objects_before = objects;
        }
        halted
    }
}
