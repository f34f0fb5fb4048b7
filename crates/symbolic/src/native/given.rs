//! `lapidary.Given`: the services of the machine for methods that make inputs. Programs cannot call
//! it.

use super::{Call, Effect, Line, class_of, value};
use crate::Ending;
use crate::ending::Aliases;
use crate::frame::Then;
use crate::halt::Halt;
use crate::heap::{Body, Elements, Nature, Object};
use crate::input::{Alternative, Input, KindId, Piece, Restriction, Shape};
use crate::machine::Machine;
use crate::state::{Given, State};
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
    ("lapidary/Given.done(Ljava/lang/Object;)Ljava/lang/Object;", done),
    ("lapidary/Given.object(III)Ljava/lang/Object;", object),
    ("lapidary/Given.field(Ljava/lang/Object;I)V", field),
    ("lapidary/Given.given()V", given),
    ("lapidary/Given.arguments()[Ljava/lang/String;", arguments),
    ("lapidary/Given.impossible()V", impossible),
    ("lapidary/Given.unsupported(II)Ljava/lang/Object;", unsupported),
    ("lapidary/Given.initialise(Ljava/lang/Class;)V", initialise),
];

/// The class `lapidary.Given` with its native methods.
pub fn class() -> Arc<Class> {
    Arc::new(class_of("lapidary/Given", TABLE))
}

/// Chooses an alternative of a kind at this depth. Numbers beyond the alternatives mean existing
/// objects.
fn select(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (Value::Int(depth), kind) = (call.value(0), kind_of(call, 1)) else { return machine.broken("no depth") };
    let mut ways = machine.kinds.get(kind).at_depth(depth);
    let count = machine.kinds.get(kind).alternatives.len();
    if ways.len() < count {
        let depth = machine.config.limits.object_depth;
        machine.restrictions.insert(Restriction::Depth(depth));
    }
    let kinds = &machine.engine.kinds;
    machine.engine.restrictions.extend(kinds.get(kind).left_out.clone());
    let alternatives = &kinds.get(kind).alternatives;
    let mut labels: Vec<Rc<str>> = ways.iter().map(|way| alternatives[*way].label(kinds).into()).collect();
    let earlier = earlier(machine, state, kind);
    ways.extend((0..earlier.len()).map(|place| count + place));
    labels.extend(earlier.iter().map(|(number, _)| Rc::from(format!("object {number}"))));
    let chosen = machine.choose_way(state, &labels)?;
    value(ways[chosen as usize] as i32)
}

/// Existing inputs that an input of this kind may also be.
fn earlier(machine: &mut Machine, state: &State, kind: KindId) -> Vec<(u32, Ref)> {
    let type_ = machine.kinds.get(kind).type_.clone();
    let world = &mut machine.world;
    let wanted = world.types.of_field(&type_, &world.hierarchy);
    let objects: Vec<Given> = state.given_objects.to_vec().into_iter().copied().collect();
    let (mut found, mut leaves_out) = (Vec::new(), false);
    for given in objects {
        let is_fitting = machine.world.is_subtype(state.heap.get(given.object).type_, wanted);
        if !is_fitting || given.kind.is_some_and(|given| !may_be_one(machine, given, kind)) {
            continue;
        }
        let is_of_program = matches!(state.heap.get(given.object).nature(), Nature::Given(..));
        let is_allowed = match machine.config.limits.aliases {
            Aliases::None => false,
            Aliases::Arguments if is_of_program => !is_in_field(state),
            Aliases::Arguments => given.is_argument && is_argument(state),
            Aliases::All => true,
        };
        if is_allowed {
            found.push((given.number, given.object));
        }
        leaves_out |= !is_allowed;
    }
    if leaves_out {
        let aliases = machine.config.limits.aliases;
        machine.restrictions.insert(Restriction::Aliases(aliases));
    }
    found
}

/// Whether a program can use one object for both kinds without an unchecked cast. For example, a
/// `List<String>` is not a `Collection<Integer>`.
fn may_be_one(machine: &Machine, one: KindId, other: KindId) -> bool {
    let (one, other) = (&machine.kinds.get(one).arguments, &machine.kinds.get(other).arguments);
    one.is_empty() || other.is_empty() || one == other
}

/// Whether the input being made is an argument and not a part of one: the entry method called its
/// maker.
fn is_argument(state: &State) -> bool {
    let caller = state.top().caller.as_ref();
    caller.is_some_and(|frame| frame.method.class_name.as_bytes().starts_with(b"lapidary/Entry$"))
}

/// Reserves a number for an input that is about to be made.
fn reserved(state: &mut State) -> u32 {
    state.numbered += 1;
    state.numbered
}

/// Records an input that has been made.
fn number(state: &mut State, number: u32, object: Ref, kind: Option<KindId>) {
    let is_argument = is_argument(state);
    state.given_objects.push(Given { number, object, kind, is_argument });
}

/// Records an input without parts.
fn number_whole(state: &mut State, input: Input, object: Ref) {
    let reserved = reserved(state);
    state.inputs.push(Piece::Named(reserved));
    state.inputs.push(Piece::Whole(input));
    number(state, reserved, object, None);
}

/// Records an input whose parts follow, until [`done`].
fn begin(state: &mut State, shape: Shape, parts: usize, kind: KindId) {
    let reserved = reserved(state);
    state.inputs.push(Piece::Named(reserved));
    state.inputs.push(Piece::Open(shape, parts));
    Rc::make_mut(&mut state.unfinished).push((reserved, kind));
}

/// Ends the input that was begun last.
fn done(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let object = machine.present(state, call, 0)?;
    let Some((reserved, kind)) = Rc::make_mut(&mut state.unfinished).pop() else {
        return machine.broken("nothing begun");
    };
    number(state, reserved, object, Some(kind));
    value(Some(object))
}

/// Whether the input being made is, or is part of, the value of a field.
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

/// Makes a string of one-byte characters, or one of the samples with wider characters.
fn text(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let bound = machine.config.limits.array_length;
    let fits = |text: &&Vec<u16>| text.len() <= bound && !state.has_wide_text;
    let wide: Vec<Vec<u16>> = machine.wide_texts.iter().filter(fits).cloned().collect();
    let samples = machine.wide_texts.iter().filter(|text| text.len() <= bound).count();
    machine.restrictions.insert(Restriction::TextLength(bound));
    machine.restrictions.insert(Restriction::Characters { samples });
    let chosen = machine.choose(state, (bound + 1 + wide.len()) as u32) as usize;
    let string = match chosen.checked_sub(bound + 1) {
        None => {
            let characters: Vec<Value> = (0..chosen).map(|_| machine.new_symbol(state, BaseType::Byte)).collect();
            machine.symbolic_string(state, characters)?
        }
        Some(place) => {
            state.has_wide_text = true;
            machine.string_of_units(state, &wide[place])?
        }
    };
    let units = machine.units_of(state, string).unwrap_or_default();
    number_whole(state, Input::Text(units), string);
    value(Some(string))
}

fn numbers(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Alternative::Numbers(base) = *alternative(machine, call) else { return machine.broken("no array of numbers") };
    let length = chosen_length(machine, state);
    let symbols: Vec<Value> = (0..length).map(|_| machine.new_symbol(state, base)).collect();
    let inputs = symbols.iter().map(|symbol| Input::Number(base, *symbol)).collect();
    let element = machine.world.types.number(Type::Base(base));
    let type_ = machine.world.types.array_of(element);
    let elements = if length == 0 { Elements::of_base(base, 0) } else { Elements::Mixed(base, symbols) };
    let array = state.heap.allocate(Object { type_, body: Body::Array(elements) });
    number_whole(state, Input::Array(FieldType::Base(base), inputs), array);
    value(Some(array))
}

fn chosen_length(machine: &mut Machine, state: &mut State) -> usize {
    let bound = machine.config.limits.array_length;
    machine.restrictions.insert(Restriction::Length(bound));
    machine.choose(state, bound as u32 + 1) as usize
}

/// Chooses the number of elements or entries.
fn length(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (shape, each) = match alternative(machine, call).clone() {
        Alternative::Array(element) => {
            let element = machine.kinds.get(element).type_.clone();
            machine.given_arrays.extend(element.class().cloned());
            (Shape::Array(element), 1)
        }
        Alternative::Elements(class, _) => (Shape::Elements(class), 1),
        Alternative::Entries(class, ..) => (Shape::Entries(class), 2),
        _ => return machine.broken("a length of something that has none"),
    };
    let length = chosen_length(machine, state);
    begin(state, shape, length * each, kind_of(call, 0));
    value(length as i32)
}

fn open(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match alternative(machine, call).clone() {
        Alternative::Boxed(_) => begin(state, Shape::Boxed, 1, kind_of(call, 0)),
        Alternative::Made(made, parts) => begin(state, Shape::Made(made), parts.len(), kind_of(call, 0)),
        Alternative::Constant(class, name) => state.inputs.push(Piece::Whole(Input::Constant(class, name))),
        _ => return machine.broken("an input that has no parts"),
    }
    Ok(Effect::Nothing)
}

/// Makes an object whose fields are not known yet.
fn object(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Alternative::Object(name) = alternative(machine, call).clone() else { return machine.broken("no object") };
    let id = machine.world.hierarchy.id(&name);
    let class = machine.initialise(state, id)?;
    let reserved = reserved(state);
    let nature = Nature::Given(reserved, int(call, 2) as i32, kind_of(call, 0));
    let fields = vec![Value::Nothing; class.defaults.len()].into_boxed_slice();
    let object = state.heap.allocate(Object { type_: class.type_, body: Body::Fields(fields, nature) });
    if let Some(hook) = &machine.hook {
        hook.has_given_object(state, object, &name);
    }
    state.inputs.push(Piece::Object(reserved, name));
    number(state, reserved, object, Some(kind_of(call, 0)));
    value(Some(object))
}

/// Begins the value of a field of an object.
fn field(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (object, slot) = (machine.present(state, call, 0)?, int(call, 1));
    let Nature::Given(number, ..) = *state.heap.get(object).nature() else { return machine.broken("not an input") };
    let class = machine.class_of(state, object);
    let class = machine.load(state, class)?;
    let Some((owner, name, _)) = class.instance_fields.get(slot) else { return machine.broken("no such field") };
    let owner = machine.world.hierarchy.name(*owner).clone();
    let taken = state.taken();
    Rc::make_mut(&mut state.open_fields).push(taken);
    state.inputs.push(Piece::Field(number, owner, name.clone()));
    Ok(Effect::Nothing)
}

/// Ends the value of a field.
fn given(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    if let Some(hook) = &machine.hook {
        hook.has_given_field(state);
    }
    let Some(before) = Rc::make_mut(&mut state.open_fields).pop() else { return machine.broken("no field") };
    let taken = state.taken().since(before);
    state.inputs.push(Piece::FieldEnd(taken));
    Ok(Effect::Nothing)
}

/// The arguments of `main` that the user gave.
fn arguments(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let texts = machine.arguments.clone();
    let string = FieldType::Object("java/lang/String".into());
    let world = &mut machine.world;
    let element = world.types.of_field(&string, &world.hierarchy);
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

/// Initialises the class of the target method before any input is made, so that it happens once and
/// not for every input. A replay looks up the method first, which also initialises its class.
fn initialise(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let mirror = machine.present(state, call, 0)?;
    if let Nature::Mirror(type_) = *state.heap.get(mirror).nature()
        && let Type::Class(class) = machine.world.types.get(type_)
    {
        machine.initialise(state, class)?;
    }
    Ok(Effect::Nothing)
}

/// Ends a path whose input the program rejects.
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

/// The alternative that the first two arguments identify.
fn alternative<'a>(machine: &'a Machine, call: &Call<'_>) -> &'a Alternative {
    &machine.kinds.get(kind_of(call, 0)).alternatives[int(call, 1)]
}

impl Machine {
    /// Reads a field of an object. A field of an input that was never read is made first.
    pub fn read_field(&mut self, state: &mut State, object: Ref, slot: usize) -> Result<Value, Halt> {
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
            (Some(Value::Nothing), Nature::SetUp | Nature::Mirror(_) | Nature::Console { .. }) => {
                let class = self.class_of(state, object);
                let field = self.load(state, class)?.instance_fields.get(slot).map(|(_, name, _)| name.clone());
                let (class, field) = (self.name_of(state, object), field.unwrap_or_else(|| "".into()));
                Err(Halt::End(Ending::unsupported(format!("the field {class}.{field}, which a JVM sets up"))))
            }
            (found, _) => Ok(found.copied().unwrap_or(Value::Nothing)),
        }
    }

    /// Makes a field of an input that was never read, if there is one. The instruction is then
    /// retried.
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
        let objects = state.heap.count();
        let halted = self.run_first(state, &maker, &[Value::object(object), Value::Int(depth)], Then::Forget);
        if let Some(hook) = self.hook.as_ref().filter(|_| state.top().method.makes_field_of_input()) {
            hook.has_begun_field(state, objects);
        }
        halted
    }
}
