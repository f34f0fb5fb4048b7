//! Objects and arrays. Copies of a heap share their structure; see [`Trie`].

use crate::input::KindId;
use crate::method::Method;
use crate::parts::{Part, Parts};
use crate::place::CodePlace;
use crate::trie::Trie;
use crate::types::TypeId;
use crate::value::{Ref, Value};
use lapidary_jvm::{BaseType, ClassId};
use std::rc::Rc;

/// The objects of a state, by number.
#[derive(Clone, Default)]
pub struct Heap {
    objects: Trie<Rc<Object>>,
    count: u32,
    elements: u64,
    /// The part of the program that each object belongs to.
    pub parts: Parts,
}

/// An object or array.
#[derive(Clone)]
pub struct Object {
    pub type_: TypeId,
    pub body: Body,
}

/// The content of an object or array.
#[derive(Clone)]
pub enum Body {
    /// The instance fields, those of superclasses first, and the special role of the object.
    Fields(Box<[Value]>, Nature),
    Array(Elements),
}

/// The role of an object beyond its fields.
#[derive(Clone)]
pub enum Nature {
    Plain,
    /// An object that a real JVM sets up before the program starts. A field that is not set here
    /// holds [`Value::Nothing`].
    SetUp,
    /// A `java.lang.Class`, which is set up by the JVM as well.
    Mirror(TypeId),
    /// A `VarHandle`, with the variable it gives access to.
    Variable(Variable),
    /// A `MethodHandle`.
    Handle(Rc<Callable>),
    /// A box that `valueOf` made for the number in this field. Boxes of the same small number count
    /// as one object.
    Boxed(usize),
    /// Standard output or standard error.
    Console {
        is_stderr: bool,
    },
    /// A string that has not been read yet, with the call that builds it.
    Unread(Rc<Callable>),
    /// A throwable.
    Thrown(Rc<Thrown>),
    /// An object that is an input: its number among the inputs, how deep its fields may go, and its
    /// kind. A field that was neither read nor written yet holds [`Value::Nothing`].
    Given(u32, i32, KindId),
}

/// The variable that a `VarHandle` reads and writes.
#[derive(Clone, Copy, Debug)]
pub enum Variable {
    Instance(usize),
    Static(ClassId, usize),
    Element,
    /// Multi-byte numbers in a byte array.
    View {
        number: BaseType,
        is_big_endian: bool,
    },
}

/// The target of a `MethodHandle`: a static method generated for it, some of whose first arguments
/// may be bound already.
#[derive(Clone)]
pub struct Callable {
    pub method: Rc<Method>,
    pub bound: Vec<Value>,
}

/// The machine's record of a throwable.
#[derive(Clone, Default)]
pub struct Thrown {
    /// The calls in progress when it was created, innermost first.
    pub trace: Vec<CodePlace>,
    /// Why it has no message here although a real JVM gives it one.
    pub vague: Option<Vague>,
}

/// A message that is computed only when it is read.
#[derive(Clone)]
pub enum Vague {
    /// A real JVM generates an explanation, such as that of a `NullPointerException`.
    Explained,
    /// The message contains a number that depends on symbols.
    Number { before: &'static str, number: Value, after: String },
}

/// The elements of an array. They are stored compactly while all are concrete numbers, and as one
/// value each once there is a symbol among them.
#[derive(Clone)]
pub enum Elements {
    Bytes(Vec<i8>),
    Chars(Vec<u16>),
    Shorts(Vec<i16>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
    References(Vec<Option<Ref>>),
    Mixed(BaseType, Vec<Value>),
}

impl Nature {
    /// Whether both objects are plain, or both are boxes.
    pub fn is_like(&self, other: &Nature) -> bool {
        matches!((self, other), (Nature::Plain, Nature::Plain) | (Nature::Boxed(_), Nature::Boxed(_)))
    }
}

impl Heap {
    pub fn allocate(&mut self, object: Object) -> Ref {
        self.count += 1;
        self.elements += object.elements().map_or(0, |elements| elements.len() as u64);
        self.objects.insert(self.count, Rc::new(object));
        self.parts.note_new(self.count);
        Ref::new(self.count)
    }

    pub fn get(&self, object: Ref) -> &Object {
        self.objects.get(object.number()).expect("references are made by allocating")
    }

    /// The object as it is now, unaffected by later changes.
    pub fn snapshot(&self, object: Ref) -> Rc<Object> {
        self.objects.get(object.number()).expect("references are made by allocating").clone()
    }

    pub fn get_mut(&mut self, object: Ref) -> &mut Object {
        self.parts.note_write(object);
        self.get_to_cache(object)
    }

    /// Gives mutable access for a change that the program cannot observe.
    pub(crate) fn get_to_cache(&mut self, object: Ref) -> &mut Object {
        Rc::make_mut(self.objects.get_mut(object.number()).expect("references are made by allocating"))
    }

    /// The part that an object belongs to, as seen by the part that is running.
    pub fn part_of(&self, object: Ref) -> Part {
        self.parts.of(object)
    }

    /// Assigns all objects created since there were `count` to the affected part, except those made
    /// for fields of inputs.
    pub fn affect_since(&mut self, count: u32) {
        self.parts.affect(count + 1..=self.count);
    }

    /// Marks all objects created since there were `count` as made for a field of an input.
    pub fn give_since(&mut self, count: u32) {
        self.parts.give(count + 1..=self.count);
    }

    /// The objects that may differ between two heaps of the same size.
    pub fn differences(&self, other: &Heap) -> Vec<Ref> {
        let differ = |number: &u32| match (self.objects.get(*number), other.objects.get(*number)) {
            (Some(one), Some(other)) => !Rc::ptr_eq(one, other),
            _ => false,
        };
        self.objects.differences(&other.objects).into_iter().filter(differ).map(Ref::new).collect()
    }

    /// The total length of all arrays ever created.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// The number of objects ever created.
    pub fn count(&self) -> u32 {
        self.count
    }
}

impl Object {
    pub fn plain(type_: TypeId, fields: Box<[Value]>) -> Object {
        Object { type_, body: Body::Fields(fields, Nature::Plain) }
    }

    pub fn fields(&self) -> &[Value] {
        match &self.body {
            Body::Fields(fields, _) => fields,
            Body::Array(_) => &[],
        }
    }

    pub fn fields_mut(&mut self) -> &mut [Value] {
        match &mut self.body {
            Body::Fields(fields, _) => fields,
            Body::Array(_) => &mut [],
        }
    }

    pub fn nature(&self) -> &Nature {
        match &self.body {
            Body::Fields(_, nature) => nature,
            Body::Array(_) => &Nature::Plain,
        }
    }

    pub fn elements(&self) -> Option<&Elements> {
        match &self.body {
            Body::Array(elements) => Some(elements),
            Body::Fields(..) => None,
        }
    }

    pub fn elements_mut(&mut self) -> Option<&mut Elements> {
        match &mut self.body {
            Body::Array(elements) => Some(elements),
            Body::Fields(..) => None,
        }
    }
}

/// Runs an expression on the vector of any variant.
macro_rules! each_vector {
    ($elements:expr, $vector:ident => $result:expr) => {
        match $elements {
            Elements::Bytes($vector) => $result,
            Elements::Chars($vector) => $result,
            Elements::Shorts($vector) => $result,
            Elements::Ints($vector) => $result,
            Elements::Longs($vector) => $result,
            Elements::Floats($vector) => $result,
            Elements::Doubles($vector) => $result,
            Elements::References($vector) => $result,
            Elements::Mixed(_, $vector) => $result,
        }
    };
}

impl Elements {
    /// Creates the elements of a new array of numbers, all zero.
    pub fn of_base(base: BaseType, length: usize) -> Elements {
        match base {
            BaseType::Boolean | BaseType::Byte => Elements::Bytes(vec![0; length]),
            BaseType::Char => Elements::Chars(vec![0; length]),
            BaseType::Short => Elements::Shorts(vec![0; length]),
            BaseType::Int => Elements::Ints(vec![0; length]),
            BaseType::Long => Elements::Longs(vec![0; length]),
            BaseType::Float => Elements::Floats(vec![0.0; length]),
            BaseType::Double => Elements::Doubles(vec![0.0; length]),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn len(&self) -> usize {
        each_vector!(self, vector => vector.len())
    }

    pub fn get(&self, index: usize) -> Value {
        match self {
            Elements::Bytes(vector) => Value::Int(vector[index].into()),
            Elements::Chars(vector) => Value::Int(vector[index].into()),
            Elements::Shorts(vector) => Value::Int(vector[index].into()),
            Elements::Ints(vector) => Value::Int(vector[index]),
            Elements::Longs(vector) => Value::Long(vector[index]),
            Elements::Floats(vector) => Value::Float(vector[index]),
            Elements::Doubles(vector) => Value::Double(vector[index]),
            Elements::References(vector) => Value::Reference(vector[index]),
            Elements::Mixed(_, vector) => vector[index],
        }
    }

    /// Writes an element that is already narrowed to the element type.
    pub fn set(&mut self, index: usize, value: Value) {
        match (&mut *self, value) {
            (Elements::Bytes(vector), Value::Int(number)) => vector[index] = number as i8,
            (Elements::Chars(vector), Value::Int(number)) => vector[index] = number as u16,
            (Elements::Shorts(vector), Value::Int(number)) => vector[index] = number as i16,
            (Elements::Ints(vector), Value::Int(number)) => vector[index] = number,
            (Elements::Longs(vector), Value::Long(number)) => vector[index] = number,
            (Elements::Floats(vector), Value::Float(number)) => vector[index] = number,
            (Elements::Doubles(vector), Value::Double(number)) => vector[index] = number,
            (Elements::References(vector), Value::Reference(object)) => vector[index] = object,
            (Elements::Mixed(_, vector), value) => vector[index] = value,
            (_, value) => {
                self.mix();
                self.set(index, value);
            }
        }
    }

    /// Copies a range from another array of the same type, which may be a copy of this one.
    pub fn copy_from(&mut self, to: usize, source: &Elements, from: usize, count: usize) {
        match (&mut *self, source) {
            (Elements::Bytes(target), Elements::Bytes(source)) => copy(target, to, source, from, count),
            (Elements::Chars(target), Elements::Chars(source)) => copy(target, to, source, from, count),
            (Elements::Ints(target), Elements::Ints(source)) => copy(target, to, source, from, count),
            (Elements::Longs(target), Elements::Longs(source)) => copy(target, to, source, from, count),
            (Elements::References(target), Elements::References(source)) => copy(target, to, source, from, count),
            _ => (0..count).for_each(|offset| self.set(to + offset, source.get(from + offset))),
        }
    }

    /// The element type, or `None` for references.
    pub fn base(&self) -> Option<BaseType> {
        Some(match self {
            Elements::Bytes(_) => BaseType::Byte,
            Elements::Chars(_) => BaseType::Char,
            Elements::Shorts(_) => BaseType::Short,
            Elements::Ints(_) => BaseType::Int,
            Elements::Longs(_) => BaseType::Long,
            Elements::Floats(_) => BaseType::Float,
            Elements::Doubles(_) => BaseType::Double,
            Elements::References(_) => return None,
            Elements::Mixed(base, _) => *base,
        })
    }

    /// Stores every element as a value of its own, so that elements can be symbols.
    fn mix(&mut self) {
        if let Some(base) = self.base() {
            *self = Elements::Mixed(base, (0..self.len()).map(|index| self.get(index)).collect());
        }
    }
}

fn copy<T: Copy>(target: &mut [T], to: usize, source: &[T], from: usize, count: usize) {
    target[to..to + count].copy_from_slice(&source[from..from + count]);
}
