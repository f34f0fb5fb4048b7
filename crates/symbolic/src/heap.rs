//! Objects and arrays. A heap is copied by sharing: see [`Trie`].

use crate::boundary::Part;
use crate::frame::Place;
use crate::input::KindId;
use crate::method::Method;
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
    /// The part of the program that runs: what is made belongs to it.
    pub(crate) running: Part,
    affected: Trie<()>,
    /// What was made for inputs and has not been written by the affected part.
    shared: Trie<()>,
    /// What was made for fields of inputs when they were first read. It counts as if it had always been there.
    given: Trie<()>,
    /// The oldest object of the unaffected part that was written lately, and the oldest of any part.
    written: Written,
}

/// The numbers of the oldest objects that were written; more than any where none was.
#[derive(Clone, Copy, Default)]
pub(crate) struct Written {
    pub unaffected: u32,
    pub any: u32,
}

#[derive(Clone)]
pub struct Object {
    pub type_: TypeId,
    pub body: Body,
}

#[derive(Clone)]
pub enum Body {
    /// The instance fields, superclasses first, and what the machine itself knows about the object.
    Fields(Box<[Value]>, Nature),
    Array(Elements),
}

/// What an object is beyond its fields.
#[derive(Clone)]
pub enum Nature {
    Plain,
    /// A `java.lang.Class`.
    Mirror(TypeId),
    /// A `VarHandle`: the variables it gives access to.
    Variable(Variable),
    /// A `MethodHandle`.
    Handle(Rc<Callable>),
    /// What `valueOf` made of the number in this field. Boxes of the same small number are one object.
    Boxed(usize),
    /// Standard output, or standard error.
    Console {
        is_stderr: bool,
    },
    /// A text that nobody has read, and what makes it.
    Unread(Rc<Callable>),
    /// A throwable.
    Thrown(Rc<Thrown>),
    /// An object that is an input: its number among them, how deep its fields may go, and its kind. A field that nobody has read or
    /// written yet holds [`Value::Nothing`].
    Given(u32, i32, KindId),
}

/// What a `VarHandle` reads and writes.
#[derive(Clone, Copy, Debug)]
pub enum Variable {
    Instance(usize),
    Static(ClassId, usize),
    Element,
    /// Numbers of several bytes in an array of bytes.
    View {
        number: BaseType,
        is_big_endian: bool,
    },
}

/// What a `MethodHandle` calls: a static method that was made for it, whose first arguments may be given already.
#[derive(Clone)]
pub struct Callable {
    pub method: Rc<Method>,
    pub bound: Vec<Value>,
}

/// What the machine remembers of a throwable.
#[derive(Clone, Default)]
pub struct Thrown {
    /// The calls that were going on when it was made, innermost first.
    pub trace: Vec<Place>,
    /// Why it has no message here although the real machine gives it one.
    pub vague: Option<Vague>,
}

/// A message that is not known before somebody asks for it.
#[derive(Clone)]
pub enum Vague {
    /// The real machine explains itself.
    Explained,
    /// Symbols determine the number in it.
    Number { before: &'static str, number: Value, after: String },
}

/// The elements of an array: compact while all are numbers, one value each once there is a symbol among them.
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
    /// Whether two objects are nothing but their fields, or boxes of the same kind.
    pub fn is_like(&self, other: &Nature) -> bool {
        matches!((self, other), (Nature::Plain, Nature::Plain) | (Nature::Boxed(_), Nature::Boxed(_)))
    }
}

impl Heap {
    pub fn allocate(&mut self, object: Object) -> Ref {
        self.count += 1;
        self.elements += object.elements().map_or(0, |elements| elements.len() as u64);
        self.objects.insert(self.count, Rc::new(object));
        match self.running {
            Part::Affected => self.affected.insert(self.count, ()),
            Part::Shared => self.shared.insert(self.count, ()),
            Part::Unaffected => {}
        }
        Ref::new(self.count)
    }

    pub fn get(&self, object: Ref) -> &Object {
        self.objects.get(object.number()).expect("references are made by allocating")
    }

    /// The object as it is now, whatever happens to it later.
    pub fn snapshot(&self, object: Ref) -> Rc<Object> {
        self.objects.get(object.number()).expect("references are made by allocating").clone()
    }

    pub fn get_mut(&mut self, object: Ref) -> &mut Object {
        if self.running == Part::Affected && self.is_shared(object) {
            self.set_part(object, Part::Affected);
        }
        let age = if self.given.get(object.number()).is_some() { 0 } else { object.number() };
        if age < self.written.any {
            self.written.any = age;
        }
        if age < self.written.unaffected && self.part_of(object) == Part::Unaffected {
            self.written.unaffected = age;
        }
        self.get_to_cache(object)
    }

    /// The same for a change that nobody can see.
    pub(crate) fn get_to_cache(&mut self, object: Ref) -> &mut Object {
        Rc::make_mut(self.objects.get_mut(object.number()).expect("references are made by allocating"))
    }

    /// The part of an object as what runs now sees it.
    pub fn part_of(&self, object: Ref) -> Part {
        match self.affected.get(object.number()) {
            Some(()) => Part::Affected,
            None if self.is_shared(object) => self.running,
            None => Part::Unaffected,
        }
    }

    /// Whether an object was made for an input, and the affected part has not written it.
    pub fn is_shared(&self, object: Ref) -> bool {
        self.shared.get(object.number()).is_some()
    }

    pub(crate) fn set_part(&mut self, object: Ref, part: Part) {
        let number = object.number();
        if self.affected.get(number).is_some() && part != Part::Affected {
            self.affected.remove(number);
        }
        if self.is_shared(object) && part != Part::Shared {
            self.shared.remove(number);
        }
        match part {
            Part::Affected => self.affected.insert(number, ()),
            Part::Shared => self.shared.insert(number, ()),
            Part::Unaffected => {}
        }
    }

    /// All objects that the program made since there were so many belong to the affected part.
    pub(crate) fn affect_since(&mut self, count: u32) {
        for number in count + 1..=self.count {
            if self.given.get(number).is_none() {
                self.set_part(Ref::new(number), Part::Affected);
            }
        }
    }

    /// All objects since there were so many were made for a field of an input.
    pub(crate) fn give_since(&mut self, count: u32) {
        (count + 1..=self.count).for_each(|number| self.given.insert(number, ()));
    }

    /// Begins to watch what is written. Returns what was known so far, for [`Heap::end_watch`].
    pub(crate) fn begin_watch(&mut self) -> Written {
        std::mem::replace(&mut self.written, Written { unaffected: u32::MAX, any: u32::MAX })
    }

    pub(crate) fn end_watch(&mut self, before: Written) {
        let Written { unaffected, any } = self.written;
        self.written = Written { unaffected: unaffected.min(before.unaffected), any: any.min(before.any) };
    }

    /// What was written since the watch began.
    pub(crate) fn written(&self) -> Written {
        self.written
    }

    /// Something older than any object was written: a static field.
    pub(crate) fn note_static_write(&mut self) {
        self.written = Written::default();
    }

    /// The objects that may differ between two heaps; the two have as many.
    pub fn differences(&self, other: &Heap) -> Vec<Ref> {
        let differ = |number: &u32| match (self.objects.get(*number), other.objects.get(*number)) {
            (Some(one), Some(other)) => !Rc::ptr_eq(one, other),
            _ => false,
        };
        self.objects.differences(&other.objects).into_iter().filter(differ).map(Ref::new).collect()
    }

    /// How many elements all arrays had when they were made.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// How many objects there ever were.
    pub(crate) fn len(&self) -> u32 {
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

/// Runs an expression for the vector of whatever variant there is.
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
    /// A new array of numbers, all zero.
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

    /// Writes an element that already has the width of the array's elements.
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

    /// Copies a range from another array of the same kind, which may be a copy of this one.
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

    /// What the elements are, unless they are references.
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

    /// Gives every element a value of its own, so that symbols can stand among them.
    fn mix(&mut self) {
        if let Some(base) = self.base() {
            *self = Elements::Mixed(base, (0..self.len()).map(|index| self.get(index)).collect());
        }
    }
}

fn copy<T: Copy>(target: &mut [T], to: usize, source: &[T], from: usize, count: usize) {
    target[to..to + count].copy_from_slice(&source[from..from + count]);
}
