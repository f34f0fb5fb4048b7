//! The inputs of a path: values made of symbols, and their concrete values under a witness.

mod declared_type;
mod hints;
mod kind;
mod library;
mod piece;
mod program;
mod reach;
mod restriction;
mod show;

pub use declared_type::DeclaredType;
pub use hints::InputHints;
pub use kind::{Alternative, InputKind, KindId, Kinds, ObjectsBy};
pub(crate) use piece::assembled;
pub use piece::{Piece, Shape, Taken};
pub use program::ProgramClasses;
pub use reach::ProgramCode;
pub use restriction::Restriction;
pub(crate) use show::java_name;
pub use show::{escaped, quoted};

use crate::ending::Aliases;
use crate::value::Value;
use lapidary_classfile::Text;
use lapidary_jvm::{BaseType, FieldType};

/// An input. `V` is a value of the machine while the path runs, and a [`Number`] at the end.
#[derive(Clone, Debug, PartialEq)]
pub enum Input<V = Value> {
    Number(BaseType, V),
    /// A fresh object of the wrapper class.
    Boxed(BaseType, V),
    Null,
    /// UTF-16 units.
    Text(Vec<V>),
    /// An array: the type of its elements, and the elements.
    Array(FieldType, Vec<Input<V>>),
    /// The choice that `selectState` made, and the number of alternatives.
    Choice(u32, u32),
    /// An enum constant: its class and name.
    Constant(Text, Text),
    /// The result of a constructor or static method.
    Made(Factory, Vec<Input<V>>),
    /// A collection of this class, filled with `add`.
    Elements(Text, Vec<Input<V>>),
    /// A map of this class: keys and values alternate.
    Entries(Text, Vec<Input<V>>),
    Object(GivenObject<V>),
    /// A value other than an [`Input::Object`] that occurs in several places, with its number.
    Shared(u32, Box<Input<V>>),
    /// A repeated occurrence of the input with this number.
    Same(u32),
}

/// An object whose fields are inputs of their own. Fields that were never read are missing.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenObject<V> {
    pub number: u32,
    pub class: Text,
    pub fields: Vec<GivenField<V>>,
    /// Whether it occurs in several places.
    pub is_shared: bool,
}

/// A field of a [`GivenObject`].
#[derive(Clone, Debug, PartialEq)]
pub struct GivenField<V> {
    /// The class that declares the field.
    pub owner: Text,
    pub name: Text,
    pub value: Input<V>,
}

/// A constructor, named `<init>`, or a static method that makes a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Factory {
    pub class: Text,
    pub method: Text,
    pub descriptor: Text,
}

/// A number of any Java type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Integer(i64),
    Float(f32),
    Double(f64),
}

impl<V> Input<V> {
    /// Replaces every value of the input.
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
