//! The log of inputs of a running path. A path records each piece when it is made; the pieces are
//! assembled into inputs at the end.
//!
//! Pieces are in Polish notation: something with parts is followed by its parts. A field of an
//! object is made when it is first read, so it may come between the parts of something else, and so
//! may inputs that the program itself requests.

use super::{Factory, GivenField, GivenObject, Input};
use crate::value::Value;
use lapidary_classfile::Text;
use lapidary_jvm::FieldType;
use std::collections::BTreeMap;

/// One step in making inputs.
#[derive(Clone, Debug)]
pub enum Piece {
    /// An input without parts that belongs to the arguments.
    Whole(Input),
    /// The beginning of something with this many parts, which follow.
    Open(Shape, usize),
    /// The next input has this number, by which it can be used again.
    Named(u32),
    /// A new object of a class, with its number.
    Object(u32, Text),
    /// The next input is the value of a field: number of the object, declaring class, field name.
    Field(u32, Text, Text),
    /// The end of the innermost open field, with what its value used up.
    FieldEnd(Taken),
    /// A field that exists on the followed path but in no class of this version, with what its
    /// value would have used up.
    NoField(u32, Text, Text, Taken),
    /// An input that the program itself requested.
    Asked(Input),
}

/// How many choices, symbols and input numbers were used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    pub choices: u32,
    pub symbols: u32,
    pub numbers: u32,
}

impl Taken {
    /// The part that was used up since `before`.
    pub fn since(self, before: Taken) -> Taken {
        Taken {
            choices: self.choices - before.choices,
            symbols: self.symbols - before.symbols,
            numbers: self.numbers - before.numbers,
        }
    }
}

/// The beginning of an input that has parts.
#[derive(Clone, Debug)]
pub enum Shape {
    Array(FieldType),
    Boxed,
    Made(Factory),
    Elements(Text),
    Entries(Text),
}

/// Assembles the arguments, followed by the inputs that the program requested.
pub(crate) fn assembled(pieces: &[&Piece]) -> Vec<Input> {
    let mut assembly = Assembly {
        pieces: pieces.iter().copied(),
        objects: BTreeMap::new(),
        named: BTreeMap::new(),
        asked: Vec::new(),
    };
    let mut inputs = Vec::new();
    while let Some(input) = assembly.next() {
        inputs.push(input);
    }
    let mut placing = Placing { objects: assembly.objects, named: assembly.named, uses: BTreeMap::new() };
    inputs.iter().for_each(|input| placing.count(input));
    let mut inputs: Vec<Input> = inputs.into_iter().map(|input| placing.place(input)).collect();
    inputs.append(&mut assembly.asked);
    inputs
}

struct Assembly<'a, I: Iterator<Item = &'a Piece>> {
    pieces: I,
    objects: BTreeMap<u32, GivenObject<Value>>,
    named: BTreeMap<u32, Input>,
    asked: Vec<Input>,
}

impl<'a, I: Iterator<Item = &'a Piece>> Assembly<'a, I> {
    /// The next complete input. Inputs with a number are left as [`Input::Same`].
    fn next(&mut self) -> Option<Input> {
        loop {
            match self.pieces.next()? {
                Piece::Whole(input) => return Some(input.clone()),
                Piece::Asked(input) => self.asked.push(input.clone()),
                Piece::Open(shape, count) => return Some(self.with_parts(shape, *count)),
                Piece::Named(number) => {
                    let input = self.next()?;
                    self.named.insert(*number, input);
                    return Some(Input::Same(*number));
                }
                Piece::Object(number, class) => return Some(self.object(*number, class)),
                Piece::Field(object, owner, name) => self.field(*object, owner, name),
                Piece::FieldEnd(_) | Piece::NoField(..) => {}
            }
        }
    }

    fn with_parts(&mut self, shape: &Shape, count: usize) -> Input {
        let mut parts: Vec<Input> = (0..count).map_while(|_| self.next()).collect();
        match shape {
            Shape::Array(element) => Input::Array(element.clone(), parts),
            Shape::Made(call) => Input::Made(call.clone(), parts),
            Shape::Elements(class) => Input::Elements(class.clone(), parts),
            Shape::Entries(class) => Input::Entries(class.clone(), parts),
            Shape::Boxed => match parts.pop() {
                Some(Input::Number(base, value)) => Input::Boxed(base, value),
                other => other.unwrap_or(Input::Null),
            },
        }
    }

    fn object(&mut self, number: u32, class: &Text) -> Input {
        let class = class.clone();
        self.objects.insert(number, GivenObject { number, class, fields: Vec::new(), is_shared: false });
        Input::Same(number)
    }

    fn field(&mut self, object: u32, owner: &Text, name: &Text) {
        // A path that ends before the value is complete has no value for the field.
        let Some(value) = self.next() else { return };
        if let Some(object) = self.objects.get_mut(&object) {
            object.fields.push(GivenField { owner: owner.clone(), name: name.clone(), value });
        }
    }
}

/// Puts every numbered input where it is first mentioned.
struct Placing {
    objects: BTreeMap<u32, GivenObject<Value>>,
    named: BTreeMap<u32, Input>,
    uses: BTreeMap<u32, u32>,
}

impl Placing {
    fn count(&mut self, input: &Input) {
        match input {
            Input::Same(number) => {
                let uses = self.uses.entry(*number).or_default();
                *uses += 1;
                if *uses > 1 {
                    return;
                }
                if let Some(object) = self.objects.get(number).cloned() {
                    object.fields.iter().for_each(|field| self.count(&field.value));
                }
                if let Some(input) = self.named.get(number).cloned() {
                    self.count(&input);
                }
            }
            Input::Array(_, parts) | Input::Made(_, parts) | Input::Elements(_, parts) | Input::Entries(_, parts) => {
                parts.iter().for_each(|part| self.count(part))
            }
            _ => {}
        }
    }

    fn place(&mut self, input: Input) -> Input {
        match input {
            Input::Same(number) => match (self.objects.remove(&number), self.named.remove(&number)) {
                (Some(object), _) => Input::Object(self.place_fields(object)),
                (None, Some(input)) => {
                    let input = self.place(input);
                    if self.is_shared(number) { Input::Shared(number, Box::new(input)) } else { input }
                }
                (None, None) => Input::Same(number),
            },
            Input::Array(element, parts) => Input::Array(element, self.place_all(parts)),
            Input::Made(call, parts) => Input::Made(call, self.place_all(parts)),
            Input::Elements(class, parts) => Input::Elements(class, self.place_all(parts)),
            Input::Entries(class, parts) => Input::Entries(class, self.place_all(parts)),
            other => other,
        }
    }

    fn is_shared(&self, number: u32) -> bool {
        self.uses.get(&number).is_some_and(|uses| *uses > 1)
    }

    fn place_all(&mut self, parts: Vec<Input>) -> Vec<Input> {
        parts.into_iter().map(|part| self.place(part)).collect()
    }

    fn place_fields(&mut self, mut object: GivenObject<Value>) -> GivenObject<Value> {
        object.is_shared = self.is_shared(object.number);
        let fields = std::mem::take(&mut object.fields).into_iter();
        object.fields = fields.map(|field| GivenField { value: self.place(field.value), ..field }).collect();
        object
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_jvm::BaseType;

    fn number(number: i32) -> Input {
        Input::Number(BaseType::Int, Value::Int(number))
    }

    fn shown(pieces: &[Piece]) -> Vec<String> {
        let inputs = assembled(&pieces.iter().collect::<Vec<_>>());
        let integer =
            |value: &Value| crate::Number::Integer(if let Value::Int(number) = value { (*number).into() } else { 0 });
        inputs.iter().map(|input| input.map(&mut { integer }).to_string()).collect()
    }

    #[test]
    fn fields_come_late_and_between_parts() {
        let pieces = [
            Piece::Object(1, "A".into()),
            Piece::Open(Shape::Array(FieldType::Base(BaseType::Int)), 2),
            Piece::Whole(number(1)),
            Piece::Field(1, "A".into(), "f".into()),
            Piece::Asked(number(9)),
            Piece::Whole(number(5)),
            Piece::Whole(number(2)),
        ];
        assert_eq!(shown(&pieces), ["A{f=5}", "new int[] {1, 2}", "9"]);
    }

    #[test]
    fn an_object_stands_where_it_is_first_mentioned() {
        let pieces = [
            Piece::Object(1, "A".into()),
            Piece::Object(2, "A".into()),
            Piece::Field(1, "A".into(), "next".into()),
            Piece::Whole(Input::Same(2)),
            Piece::Field(2, "A".into(), "next".into()),
            Piece::Whole(Input::Same(1)),
        ];
        assert_eq!(shown(&pieces), ["A#1{next=A#2{next=#1}}", "#2"]);
    }

    #[test]
    fn an_input_that_occurs_twice_has_a_number() {
        let array = |place| Piece::Open(Shape::Array(FieldType::Base(BaseType::Int)), place);
        let pieces = [
            Piece::Named(1),
            array(1),
            Piece::Whole(number(7)),
            Piece::Named(2),
            array(0),
            Piece::Whole(Input::Same(1)),
        ];
        assert_eq!(shown(&pieces), ["#1=new int[] {7}", "new int[] {}", "#1"]);
    }

    #[test]
    fn a_path_that_ends_early_keeps_complete_inputs() {
        let pieces = [Piece::Object(1, "A".into()), Piece::Field(1, "A".into(), "f".into())];
        assert_eq!(shown(&pieces), ["A{}"]);
    }
}
