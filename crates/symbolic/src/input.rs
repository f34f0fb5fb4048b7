//! What a path was given: values made of symbols, and what they are once the symbols have values.

mod asked;
mod kind;
mod library;
mod piece;
mod program;
mod restriction;
mod show;
mod wanted;

pub use asked::Asked;
pub use kind::{Alternative, Kind, KindId, Kinds, ObjectsBy};
pub(crate) use piece::{Piece, Shape, Taken, assembled};
pub use program::ProgramClasses;
pub use restriction::Restriction;
pub use show::escaped;
pub(crate) use show::java_name;
pub use wanted::Wanted;

use crate::ending::Aliases;
use crate::value::Value;
use lapidary_classfile::Text;
use lapidary_jvm::{BaseType, FieldType};

/// Something that came from outside. `V` is a value of the machine on the way, and a [`Number`] at the end.
#[derive(Clone, Debug, PartialEq)]
pub enum Input<V = Value> {
    Number(BaseType, V),
    /// A fresh object of the wrapper class.
    Boxed(BaseType, V),
    Null,
    /// UTF-16 units.
    Text(Vec<V>),
    /// The elements, and what they are.
    Array(FieldType, Vec<Input<V>>),
    /// What `selectState` chose, out of how many.
    Choice(u32, u32),
    /// A constant of an enum: its class and name.
    Constant(Text, Text),
    /// What a constructor or static method returned.
    Made(Call, Vec<Input<V>>),
    /// A collection of this class, filled with `add`.
    Elements(Text, Vec<Input<V>>),
    /// A map of this class: keys and values in turn.
    Entries(Text, Vec<Input<V>>),
    Object(GivenObject<V>),
    /// Something else than such an object that is given in several places, with the number that it has there.
    Shared(u32, Box<Input<V>>),
    /// What is given elsewhere, too.
    Same(u32),
}

/// An object whose fields were set one by one. Those that nobody read are not here.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenObject<V> {
    pub number: u32,
    pub class: Text,
    pub fields: Vec<GivenField<V>>,
    /// Whether it is given in several places.
    pub is_shared: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GivenField<V> {
    /// The class that declares it.
    pub owner: Text,
    pub name: Text,
    pub value: Input<V>,
}

/// A constructor, called `<init>`, or a static method that makes a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    pub class: Text,
    pub method: Text,
    pub descriptor: Text,
}

/// A number of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Integer(i64),
    Float(f32),
    Double(f64),
}

impl<V> Input<V> {
    /// The same with every value replaced.
    pub fn map<W>(&self, replace: &mut impl FnMut(&V) -> W) -> Input<W> {
        match self {
            Input::Number(base, value) => Input::Number(*base, replace(value)),
            Input::Boxed(base, value) => Input::Boxed(*base, replace(value)),
            Input::Null => Input::Null,
            Input::Text(units) => Input::Text(units.iter().map(replace).collect()),
            Input::Array(element, inputs) => Input::Array(element.clone(), map_all(inputs, replace)),
            Input::Choice(chosen, count) => Input::Choice(*chosen, *count),
            Input::Constant(class, name) => Input::Constant(class.clone(), name.clone()),
            Input::Made(call, inputs) => Input::Made(call.clone(), map_all(inputs, replace)),
            Input::Elements(class, inputs) => Input::Elements(class.clone(), map_all(inputs, replace)),
            Input::Entries(class, inputs) => Input::Entries(class.clone(), map_all(inputs, replace)),
            Input::Object(object) => Input::Object(object.map(replace)),
            Input::Shared(number, input) => Input::Shared(*number, Box::new(input.map(replace))),
            Input::Same(number) => Input::Same(*number),
        }
    }
}

fn map_all<V, W>(inputs: &[Input<V>], replace: &mut impl FnMut(&V) -> W) -> Vec<Input<W>> {
    inputs.iter().map(|input| input.map(replace)).collect()
}

impl<V> GivenObject<V> {
    fn map<W>(&self, replace: &mut impl FnMut(&V) -> W) -> GivenObject<W> {
        let mut fields = Vec::with_capacity(self.fields.len());
        for field in &self.fields {
            let value = field.value.map(replace);
            fields.push(GivenField { owner: field.owner.clone(), name: field.name.clone(), value });
        }
        GivenObject { number: self.number, class: self.class.clone(), fields, is_shared: self.is_shared }
    }
}
