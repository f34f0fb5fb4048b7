//! `lapidary.Symbolic`: the API with which a program requests symbols, chooses and assumes.

use super::{Call, Effect, Line, class_of, value};
use crate::Ending;
use crate::dynamic::Emitter;
use crate::halt::Halt;
use crate::heap::{Body, Elements, Object};
use crate::input::{Input, Restriction};
use crate::machine::Machine;
use crate::state::State;
use crate::types::Type;
use crate::value::Value;
use lapidary_classfile::{Class, Condition, Instruction, InvokeOp, Kind, Method, access};
use lapidary_jvm::{BaseType, FieldType, MethodType};
use lapidary_terms::{Sort, Term};
use std::sync::Arc;

pub(super) const TABLE: &[Line] = &[
    ("lapidary/Symbolic.newBoolean()Z", |machine, state, _| number(machine, state, BaseType::Boolean)),
    ("lapidary/Symbolic.newByte()B", |machine, state, _| number(machine, state, BaseType::Byte)),
    ("lapidary/Symbolic.newChar()C", |machine, state, _| number(machine, state, BaseType::Char)),
    ("lapidary/Symbolic.newShort()S", |machine, state, _| number(machine, state, BaseType::Short)),
    ("lapidary/Symbolic.newInt()I", |machine, state, _| number(machine, state, BaseType::Int)),
    ("lapidary/Symbolic.newLong()J", |machine, state, _| number(machine, state, BaseType::Long)),
    ("lapidary/Symbolic.newFloat()F", |machine, state, _| number(machine, state, BaseType::Float)),
    ("lapidary/Symbolic.newDouble()D", |machine, state, _| number(machine, state, BaseType::Double)),
    ("lapidary/Symbolic.newString()Ljava/lang/String;", text),
    ("lapidary/Symbolic.newBooleans()[Z", |machine, state, _| array(machine, state, BaseType::Boolean)),
    ("lapidary/Symbolic.newBytes()[B", |machine, state, _| array(machine, state, BaseType::Byte)),
    ("lapidary/Symbolic.newChars()[C", |machine, state, _| array(machine, state, BaseType::Char)),
    ("lapidary/Symbolic.newShorts()[S", |machine, state, _| array(machine, state, BaseType::Short)),
    ("lapidary/Symbolic.newInts()[I", |machine, state, _| array(machine, state, BaseType::Int)),
    ("lapidary/Symbolic.newLongs()[J", |machine, state, _| array(machine, state, BaseType::Long)),
    ("lapidary/Symbolic.newFloats()[F", |machine, state, _| array(machine, state, BaseType::Float)),
    ("lapidary/Symbolic.newDoubles()[D", |machine, state, _| array(machine, state, BaseType::Double)),
    ("lapidary/Symbolic.randomChoice()Z", random_choice),
    ("lapidary/Symbolic.selectState(I)I", select_state),
    ("lapidary/Symbolic.assume(Z)V", assume),
];

/// The class `lapidary.Symbolic` with its methods, for programs to link against.
pub fn class() -> Arc<Class> {
    let mut class = class_of("lapidary/Symbolic", TABLE);
    class.methods.push(element("getArgument"));
    class.methods.push(element("getPassedParameter"));
    Arc::new(class)
}

/// Generates a method that returns any element of a list, or null if it is empty.
fn element(name: &str) -> Method {
    let list = FieldType::Object("java/util/List".into());
    let object = FieldType::Object("java/lang/Object".into());
    let mut emitter = Emitter::new(1);
    emitter.load(&list, 0);
    emitter.invoke(InvokeOp::Interface, "java/util/List", "isEmpty", "()Z");
    let has_some = emitter.jump_if(Condition::Eq);
    emitter.push(Instruction::AConstNull);
    emitter.return_(Some(&object));
    emitter.land(has_some);
    emitter.load(&list, 0);
    emitter.load(&list, 0);
    emitter.invoke(InvokeOp::Interface, "java/util/List", "size", "()I");
    emitter.invoke(InvokeOp::Static, "lapidary/Symbolic", "selectState", "(I)I");
    emitter.invoke(InvokeOp::Interface, "java/util/List", "get", "(I)Ljava/lang/Object;");
    emitter.return_(Some(&object));
    let type_ = MethodType { parameters: vec![list], result: Some(object) };
    emitter.method(access::PUBLIC | access::STATIC, &name.into(), &type_)
}

fn number(machine: &mut Machine, state: &mut State, base: BaseType) -> Result<Effect, Halt> {
    let symbol = machine.new_symbol(state, base);
    state.give(Input::Number(base, symbol));
    value(symbol)
}

/// Makes a string. Each length is a path of its own, and so is null.
fn text(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let Some(length) = chosen_length(machine, state) else { return given_null(state) };
    let characters: Vec<Value> = (0..length).map(|_| machine.new_symbol(state, BaseType::Byte)).collect();
    let string = machine.symbolic_string(state, characters)?;
    let units = machine.units_of(state, string).unwrap_or_default();
    state.give(Input::Text(units));
    value(Some(string))
}

fn array(machine: &mut Machine, state: &mut State, base: BaseType) -> Result<Effect, Halt> {
    let Some(length) = chosen_length(machine, state) else { return given_null(state) };
    let symbols: Vec<Value> = (0..length).map(|_| machine.new_symbol(state, base)).collect();
    let element = machine.world.types.number(Type::Base(base));
    let type_ = machine.world.types.array_of(element);
    let inputs = symbols.iter().map(|symbol| Input::Number(base, *symbol)).collect();
    state.give(Input::Array(FieldType::Base(base), inputs));
    let elements = if length == 0 { Elements::of_base(base, 0) } else { Elements::Mixed(base, symbols) };
    value(Some(state.heap.allocate(Object { type_, body: Body::Array(elements) })))
}

fn chosen_length(machine: &mut Machine, state: &mut State) -> Option<u32> {
    let bound = machine.config.limits.array_length as u32;
    machine.restrictions.insert(Restriction::Length(bound as usize));
    let choice = machine.choose(state, bound + 2);
    (choice <= bound).then_some(choice)
}

fn given_null(state: &mut State) -> Result<Effect, Halt> {
    state.give(Input::Null);
    value(Value::NULL)
}

fn random_choice(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let chosen = machine.choose(state, 2);
    state.give(Input::Choice(chosen, 2));
    value(Value::boolean(chosen == 1))
}

fn select_state(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let count = machine.concrete_int(state, call.value(0))?;
    let Some(count) = u32::try_from(count).ok().filter(|count| *count > 0) else {
        return machine.throw(state, "java/lang/IllegalArgumentException", Some(&format!("selectState({count})")));
    };
    let chosen = machine.choose(state, count);
    state.give(Input::Choice(chosen, count));
    value(chosen as i32)
}

fn assume(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.value(0) {
        Value::Int(0) => return Err(Halt::End(Ending::Infeasible)),
        Value::Symbolic(Kind::Int, term) => {
            let zero = machine.terms.int(0);
            let fails = machine.terms.equals(term, zero);
            let holds = machine.terms.not(fails);
            machine.assume(state, holds)?;
        }
        _ => {}
    }
    Ok(Effect::Nothing)
}

impl Machine {
    /// A fresh symbol that can have every value of its type, extended to the width of a stack
    /// value. A float is made from the bits of a symbol, as Java has many NaNs and terms only one.
    pub(crate) fn new_symbol(&mut self, state: &mut State, base: BaseType) -> Value {
        let (kind, sort) = match base {
            BaseType::Int => (Kind::Int, Sort::Bits(32)),
            BaseType::Long => (Kind::Long, Sort::Bits(64)),
            BaseType::Float => (Kind::Float, Sort::Bits(32)),
            BaseType::Double => (Kind::Double, Sort::Bits(64)),
            BaseType::Boolean => (Kind::Int, Sort::Bits(1)),
            BaseType::Byte => (Kind::Int, Sort::Bits(8)),
            BaseType::Char | BaseType::Short => (Kind::Int, Sort::Bits(16)),
        };
        let counter = if state.is_making_input() { &mut state.symbols } else { &mut state.asked_symbols };
        let number = *counter;
        *counter += 1;
        let term = self.symbol(state.is_making_input(), number, sort);
        let term = match base {
            BaseType::Boolean | BaseType::Char => self.terms.zero_extend(term, 32),
            BaseType::Byte | BaseType::Short => self.terms.sign_extend(term, 32),
            BaseType::Float | BaseType::Double => self.terms.from_raw_bits(term),
            _ => term,
        };
        Value::Symbolic(kind, term)
    }

    /// The symbol at this index of a path. All paths share it, and with it what the solver has
    /// learned.
    pub fn symbol(&mut self, for_input: bool, number: u32, sort: Sort) -> Term {
        let (terms, name) = (&mut self.terms, if for_input { "input" } else { "asked" });
        let symbols = self.symbols.entry((for_input, number, sort));
        *symbols.or_insert_with(|| terms.symbol(&format!("{name}{number}"), sort))
    }
}
