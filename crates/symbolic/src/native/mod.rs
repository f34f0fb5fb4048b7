//! What the machine does by itself: native methods of the library, one line each, and a few methods with code that would need
//! a running system around them.

mod arrays;
mod boxes;
mod classes;
mod given;
mod handles;
mod numbers;
mod objects;
mod printing;
mod reflection;
mod symbols;
mod system;
mod texts;
mod traces;
mod unsafe_access;
mod variables;
mod wide_access;

pub use given::class as given_class;
pub use numbers::MathFunctions;
pub use symbols::class as symbolic_class;
pub(crate) use wide_access::width_of;

use crate::machine::{Halt, Machine};
use crate::method::Method;
use crate::state::State;
use crate::value::{Ref, Value};
use lapidary_classfile::{Class, Text, Version, access};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::OnceLock;

/// A method that is done in one step. It decides first and changes the state last, as instructions do.
pub type Native = fn(&mut Machine, &mut State, &Call<'_>) -> Result<Effect, Halt>;

pub struct Call<'a> {
    pub method: &'a Rc<Method>,
    pub arguments: &'a [Value],
}

pub enum Effect {
    Value(Value),
    Nothing,
    /// The result is what this call returns.
    Call(Rc<Method>, Vec<Value>),
    /// This is not a case for the machine: the method's own code runs.
    OwnCode,
}

type Line = (&'static str, Native);

/// What stands in for a native method that others do not have, if anything does. Libraries bind themselves to their C code in
/// methods of these names.
pub fn binding(name: &Text, descriptor: &Text) -> Option<Native> {
    let binds = matches!(&*name.as_str(), "registerNatives" | "initIDs") && *descriptor == "()V";
    binds.then_some(nothing)
}

/// What stands in for the method, if anything does.
pub fn find(class: &Text, name: &Text, descriptor: &Text) -> Option<Native> {
    let key = format!("{class}.{name}{descriptor}");
    if let Some(native) = table().get(&*key) {
        return Some(*native);
    }
    if *class == "java/lang/Thread" && *name == "<init>" {
        return Some(objects::threads);
    }
    if handles::is_unmodelled(&class.as_str(), &name.as_str()) {
        return Some(handles::unmodelled);
    }
    (*class == "jdk/internal/misc/Unsafe").then(|| unsafe_access::find(&name.as_str())).flatten()
}

fn table() -> &'static HashMap<&'static str, Native> {
    static TABLE: OnceLock<HashMap<&'static str, Native>> = OnceLock::new();
    let lines = [
        objects::TABLE,
        classes::TABLE,
        system::TABLE,
        numbers::TABLE,
        texts::TABLE,
        printing::TABLE,
        symbols::TABLE,
        given::TABLE,
        arrays::TABLE,
        boxes::TABLE,
        handles::TABLE,
        reflection::TABLE,
        traces::TABLE,
        variables::TABLE,
    ];
    TABLE.get_or_init(|| lines.into_iter().flatten().copied().collect())
}

/// A class whose static native methods are the lines of a table, all of which are its own.
fn class_of(name: &str, lines: &[Line]) -> Class {
    let mut class = Class::new(Version { major: 52, minor: 0 }, name, Some("java/lang/Object".into()));
    for (line, _) in lines {
        let (_, member) = line.split_once('.').expect("a class and a method");
        let (name, descriptor) = member.split_at(member.find('(').expect("a descriptor"));
        class.methods.push(lapidary_classfile::Method {
            access: access::PUBLIC | access::STATIC | access::NATIVE,
            name: name.into(),
            descriptor: descriptor.into(),
            attributes: Vec::new(),
        });
    }
    class
}

impl Call<'_> {
    pub fn value(&self, place: usize) -> Value {
        self.arguments.get(place).copied().unwrap_or(Value::Nothing)
    }

    pub fn reference(&self, place: usize) -> Option<Ref> {
        match self.value(place) {
            Value::Reference(object) => object,
            _ => None,
        }
    }
}

impl Machine {
    /// An argument that must not be null.
    fn present(&mut self, state: &mut State, call: &Call<'_>, place: usize) -> Result<Ref, Halt> {
        match call.reference(place) {
            Some(object) => Ok(object),
            None => self.throw(state, "java/lang/NullPointerException", None),
        }
    }
}

fn value(value: impl Into<Value>) -> Result<Effect, Halt> {
    Ok(Effect::Value(value.into()))
}

fn nothing(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    Ok(Effect::Nothing)
}

fn null(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(Value::NULL)
}

fn no(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(Value::boolean(false))
}

fn yes(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(Value::boolean(true))
}

fn zero(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(0)
}

fn long_zero(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(0i64)
}
