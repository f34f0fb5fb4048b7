//! Methods that the machine implements itself: native methods of the library, with one table row
//! each, and a few methods with code that would need a running system around them.

mod arrays;
mod boxes;
mod classes;
mod given;
mod handles;
mod monitors;
mod numbers;
mod objects;
mod printing;
mod reflected_arrays;
mod reflection;
mod surroundings;
mod symbols;
mod system;
mod table;
mod texts;
mod threads;
mod traces;
mod unsafe_access;
mod variables;
mod wide_access;

pub use given::class as given_class;
pub use symbols::class as symbolic_class;
pub(crate) use table::{find, implementations};
pub(crate) use wide_access::width_of;

use crate::call::{Call, Effect};
use crate::halt::Halt;
use crate::machine::{Machine, Native};
use crate::state::State;
use crate::value::{Ref, Value};
use lapidary_classfile::{Class, Version, access};

type Line = (&'static str, Native);

/// A class whose static native methods are the rows of a table, all of which belong to it.
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
