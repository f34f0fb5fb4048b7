//! Whether the methods of a program only look at an object that a field refers to.
//!
//! An object that is returned, stored, or passed to other code may be changed there. So may the
//! objects that it refers to, unless they cannot change. Where the way of a reference is not clear,
//! its object counts as handed on.

use super::mutability::Mutability;
use super::stack::{slots, taker};
use lapidary_classfile::{FieldOp, Instruction, InvokeOp, Kind, MemberRef, StackOp};
use lapidary_jvm::MethodType;
use std::collections::BTreeSet;

/// The code of a method, and the types of the program.
pub(super) struct Uses<'a> {
    pub mutability: &'a Mutability<'a>,
    pub code: &'a [Instruction],
    /// Whether this code fills the object before anybody else can see it.
    pub is_initialiser: bool,
}

/// A reference whose way is followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    /// The descriptor of its type, as far as it is known.
    type_: String,
    /// Whether it is an iterator that this code has asked for, which only this code moves.
    is_cursor: bool,
}

/// The end of a reference's way, or its next stage.
enum Fate {
    /// It was looked at, and nothing of it is left but what cannot change.
    Read,
    /// The instruction pushes it again, or something that it refers to.
    Pushed(usize, Held),
    Stored(u16),
    HandedOn,
}

impl Uses<'_> {
    /// Returns whether the references that some instructions push are only read.
    pub fn are_reads(&self, type_: &str, pushes_it: impl Fn(&Instruction) -> bool) -> bool {
        let of_field = Held { type_: type_.to_owned(), is_cursor: false };
        let pushing = (0..self.code.len()).filter(|at| pushes_it(&self.code[*at]));
        let mut waiting: Vec<(usize, Held)> = pushing.map(|at| (at, of_field.clone())).collect();
        let mut in_locals = BTreeSet::new();
        while let Some((at, held)) = waiting.pop() {
            match self.fate(at, held.clone()) {
                Fate::Read => {}
                Fate::Pushed(at, held) => waiting.push((at, held)),
                Fate::Stored(local) if in_locals.insert((local, held.clone())) => {
                    waiting.extend(self.loads(local).map(|at| (at, held.clone())));
                }
                Fate::Stored(_) => {}
                Fate::HandedOn => return false,
            }
        }
        true
    }

    fn loads(&self, wanted: u16) -> impl Iterator<Item = usize> {
        let is_load = move |instruction: &Instruction| matches!(instruction, Instruction::Load(Kind::Reference, local) if local.index == wanted);
        (0..self.code.len()).filter(move |at| is_load(&self.code[*at]))
    }

    fn fate(&self, pushed: usize, held: Held) -> Fate {
        let Some(taken) = taker(self.code, pushed) else { return Fate::HandedOn };
        let at = taken.at;
        match &self.code[at] {
            Instruction::Store(Kind::Reference, local) => Fate::Stored(local.index),
            Instruction::CheckCast(class) => {
                let name = class.as_str();
                let type_ = if name.starts_with('[') { name.into_owned() } else { format!("L{name};") };
                self.pushed(at, Held { type_, ..held })
            }
            Instruction::ArrayLength
            | Instruction::InstanceOf(_)
            | Instruction::MonitorEnter
            | Instruction::MonitorExit
            | Instruction::If(..)
            | Instruction::Stack(StackOp::Pop) => Fate::Read,
            Instruction::ArrayLoad(_) => self.pushed(at, held.element()),
            Instruction::Field(FieldOp::GetField, member) => {
                self.pushed(at, Held { type_: member.descriptor.to_string(), is_cursor: false })
            }
            Instruction::ArrayStore(_) | Instruction::Field(FieldOp::PutField, _)
                if self.is_initialiser && taken.above > 0 =>
            {
                Fate::Read
            }
            Instruction::Invoke(op, member) => self.passed(at, *op, member, taken.above, &held),
            Instruction::InvokeDynamic(site) if site.name == "makeConcatWithConstants" => Fate::Read,
            _ => Fate::HandedOn,
        }
    }

    fn pushed(&self, at: usize, held: Held) -> Fate {
        if self.mutability.is_unchanging(&held.type_) { Fate::Read } else { Fate::Pushed(at, held) }
    }

    /// The fate of a reference that is the receiver or an argument of a call.
    fn passed(&self, at: usize, op: InvokeOp, member: &MemberRef, above: usize, held: &Held) -> Fate {
        let Some((arguments, _)) = slots(&member.descriptor.as_str()) else { return Fate::HandedOn };
        let is_receiver = op != InvokeOp::Static && arguments == above;
        let is_read = match is_receiver {
            true => self.reads_receiver(member, held),
            false => reads_argument(member),
        };
        if !is_read {
            return Fate::HandedOn;
        }
        let Ok(type_) = MethodType::parse(&*member.descriptor.as_str()) else { return Fate::HandedOn };
        let Some(result) = type_.result else { return Fate::Read };
        // A copy of an array is new; its elements are those of the original.
        let result =
            if member.owner.as_str().starts_with('[') { held.clone().element().type_ } else { result.to_string() };
        let is_cursor = ["iterator", "listIterator"].iter().any(|name| member.name == *name);
        match self.pushed(at, Held { type_: result, is_cursor }) {
            Fate::Pushed(..) if !is_receiver => Fate::HandedOn,
            fate => fate,
        }
    }

    /// Whether a method changes neither its receiver nor anything else.
    fn reads_receiver(&self, member: &MemberRef, held: &Held) -> bool {
        let (owner, name) = (member.owner.as_str(), member.name.as_str());
        if owner.starts_with('[') {
            return name == "clone" || name == "getClass";
        }
        let is_collection = owner.starts_with("java/util/") && !owner.starts_with("java/util/function/");
        let is_text =
            matches!(&*owner, "java/lang/StringBuilder" | "java/lang/StringBuffer" | "java/lang/CharSequence");
        if !is_collection && !is_text || self.mutability.is_extended(&member.owner) {
            return false;
        }
        READING.contains(&&*name) || self.is_initialiser || held.is_cursor && MOVING.contains(&&*name)
    }
}

impl Held {
    /// An element of this array.
    fn element(self) -> Held {
        let type_ = match self.type_.strip_prefix('[') {
            Some(element) => element.to_owned(),
            None => "Ljava/lang/Object;".to_owned(),
        };
        Held { type_, is_cursor: false }
    }
}

/// Whether a method of the library only reads the objects that it is given.
fn reads_argument(member: &MemberRef) -> bool {
    let name = member.name.as_str();
    match &*member.owner.as_str() {
        "java/util/Arrays" => ARRAYS.contains(&&*name),
        "java/lang/String" => !matches!(&*name, "getBytes" | "getChars"),
        "java/io/PrintStream" => name == "print" || name == "println",
        _ => false,
    }
}

/// Methods of `Arrays` that change nothing.
const ARRAYS: [&str; 10] = [
    "binarySearch",
    "compare",
    "copyOf",
    "copyOfRange",
    "deepEquals",
    "deepHashCode",
    "deepToString",
    "equals",
    "hashCode",
    "toString",
];

/// Methods that move an iterator.
const MOVING: [&str; 4] = ["hasNext", "hasPrevious", "next", "previous"];

/// Methods of collections and texts that change nothing.
const READING: [&str; 44] = [
    "ceilingEntry",
    "ceilingKey",
    "charAt",
    "contains",
    "containsAll",
    "containsKey",
    "containsValue",
    "element",
    "entrySet",
    "equals",
    "first",
    "firstEntry",
    "firstKey",
    "floorEntry",
    "floorKey",
    "get",
    "getClass",
    "getFirst",
    "getKey",
    "getLast",
    "getOrDefault",
    "getValue",
    "hashCode",
    "higherEntry",
    "higherKey",
    "indexOf",
    "isEmpty",
    "isPresent",
    "iterator",
    "keySet",
    "last",
    "lastEntry",
    "lastIndexOf",
    "lastKey",
    "length",
    "listIterator",
    "lowerEntry",
    "lowerKey",
    "peek",
    "peekFirst",
    "peekLast",
    "size",
    "toString",
    "values",
];
