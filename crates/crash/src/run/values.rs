//! The values of variables when a program failed, according to its debug information.
//!
//! Only values with a meaning of their own are reported: numbers, whether a pointer is null, and
//! likewise for members of objects and for the targets of pointers. Array elements are left out,
//! since it is unknown which of them mattered.

use super::code::{Bytes, sections};
use crate::report::{Event, Memory};
use addr2line::gimli::{
    self, AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, LittleEndian, Operation, Unit, UnitOffset,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A program and its memory at the moment it failed.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    program: Arc<[u8]>,
    memory: Memory,
    /// The difference between the load address and the link address.
    moved: u64,
    /// The active functions, innermost first.
    frames: Vec<Active>,
}

/// An active function.
#[derive(Clone, Copy, Debug)]
struct Active {
    /// The current address in the function, as linked.
    address: u64,
    /// The end of its part of the stack, to which the positions of its variables are relative.
    end: u64,
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(Vec<u8>),
    /// A pointer. A small one counts as null: it is the address of a member of a null object.
    Pointer {
        null_and: Option<u64>,
    },
    Text(Vec<u8>),
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Pointer { null_and: Some(0) } => write!(formatter, "null"),
            Value::Pointer { null_and: Some(offset) } => write!(formatter, "null + {offset}"),
            Value::Pointer { null_and: None } => write!(formatter, "not null"),
            Value::Text(text) => write!(formatter, "{:?}", String::from_utf8_lossy(text)),
            Value::Number(bytes) => {
                let mut wide = [if bytes.last().is_some_and(|byte| byte & 0x80 != 0) { 0xff } else { 0 }; 8];
                let length = bytes.len().min(8);
                wide[..length].copy_from_slice(&bytes[..length]);
                write!(formatter, "{}", i64::from_le_bytes(wide))
            }
        }
    }
}

impl Snapshot {
    /// Takes a snapshot. `linked` maps an address in the running program to the link address, if it
    /// is in the program.
    pub(crate) fn of(program: Arc<[u8]>, event: &Event, linked: impl Fn(u64) -> Option<u64>) -> Option<Snapshot> {
        let mut frames = Vec::new();
        let mut moved = None;
        for pair in event.frames.windows(2) {
            let Some(address) = linked(pair[0].pc) else { continue };
            moved = Some(pair[0].pc.wrapping_sub(address));
            frames.push(Active { address: address.saturating_sub(u64::from(!pair[0].exact)), end: pair[1].sp });
        }
        Some(Snapshot { program, memory: event.memory.clone(), moved: moved?, frames })
    }

    /// Returns the addresses of the active functions.
    pub(crate) fn addresses(&self) -> Vec<u64> {
        self.frames.iter().map(|frame| frame.address).collect()
    }

    /// Returns the values of everything with these names, as seen by an active function; 0 is the
    /// innermost. Values that do not exist or cannot be determined are left out.
    pub(crate) fn values(&self, active: usize, names: &BTreeSet<String>) -> BTreeMap<String, Value> {
        self.look(active, Wanted::Named(names))
    }

    /// Returns the parameters of an active function, without the targets of pointers.
    pub(crate) fn parameters(&self, active: usize) -> BTreeMap<String, Value> {
        self.look(active, Wanted::Parameters)
    }

    fn look(&self, active: usize, wanted: Wanted<'_>) -> BTreeMap<String, Value> {
        let frame = self.frames.get(active).copied();
        let read = || {
            let file = object::File::parse(&*self.program).ok()?;
            let sections = sections(&file)?;
            let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
            let mut found =
                Looking { snapshot: self, dwarf: &dwarf, wanted, frame: frame?, base: None, found: BTreeMap::new() };
            found.units().ok()?;
            Some(found.found)
        };
        read().unwrap_or_default()
    }
}

/// The variables to look for.
#[derive(Clone, Copy)]
enum Wanted<'n> {
    Named(&'n BTreeSet<String>),
    Parameters,
}

impl Wanted<'_> {
    fn holds(self, name: &str) -> bool {
        matches!(self, Wanted::Named(names) if names.contains(name))
    }
}

type Entry<'d> = DebuggingInformationEntry<Bytes<'d>>;

struct Looking<'s, 'd> {
    snapshot: &'s Snapshot,
    dwarf: &'s Dwarf<Bytes<'d>>,
    wanted: Wanted<'s>,
    frame: Active,
    /// The address that the positions of the function's variables are relative to, if known.
    base: Option<u64>,
    found: BTreeMap<String, Value>,
}

/// The maximum depth of nested members. Deeper ones are too far from the statement that names them.
const DEEPEST: u32 = 4;

impl<'d> Looking<'_, 'd> {
    fn units(&mut self) -> gimli::Result<()> {
        let mut units = self.dwarf.units();
        while let Some(header) = units.next()? {
            let unit = self.dwarf.unit(header)?;
            let mut ranges = self.dwarf.unit_ranges(&unit)?;
            let mut holds = false;
            while let Some(range) = ranges.next()? {
                holds |= (range.begin..range.end).contains(&self.frame.address);
            }
            if holds {
                self.unit(&unit)?;
            }
        }
        Ok(())
    }

    /// Reads the variables of a unit and of the scopes around the address. Inner variables come
    /// later and hide outer ones.
    fn unit(&mut self, unit: &Unit<Bytes<'d>>) -> gimli::Result<()> {
        let mut tree = unit.entries_tree(None)?;
        let root = tree.root()?;
        let mut children = root.children();
        let mut scope = None;
        while let Some(child) = children.next()? {
            match child.entry().tag() {
                gimli::DW_TAG_subprogram if self.is_around(unit, child.entry())? => {
                    scope = Some(child.entry().offset())
                }
                gimli::DW_TAG_variable => self.variable(unit, child.entry()),
                gimli::DW_TAG_namespace => {
                    if let Some(found) = self.namespace(unit, child)? {
                        scope = Some(found);
                    }
                }
                _ => {}
            }
        }
        match scope {
            Some(function) => {
                self.base = self.frame_base(unit, &unit.entry(function)?);
                let mut tree = unit.entries_tree(Some(function))?;
                self.scope(unit, tree.root()?)
            }
            None => Ok(()),
        }
    }

    /// Returns the end of the function's frame, as gcc counts, or the value of its frame pointer,
    /// as clang does.
    fn frame_base(&self, unit: &Unit<Bytes<'d>>, function: &Entry<'d>) -> Option<u64> {
        const FRAME_POINTER: gimli::Register = gimli::Register(6);
        let AttributeValue::Exprloc(expression) = function.attr_value(gimli::DW_AT_frame_base)? else { return None };
        match expression.operations(unit.encoding()).next().ok()?? {
            Operation::CallFrameCFA => Some(self.frame.end),
            Operation::Register { register: FRAME_POINTER } => self.frame.end.checked_sub(16),
            _ => None,
        }
    }

    fn namespace(
        &mut self,
        unit: &Unit<Bytes<'d>>,
        node: gimli::EntriesTreeNode<'_, '_, Bytes<'d>>,
    ) -> gimli::Result<Option<UnitOffset>> {
        let mut children = node.children();
        let mut found = None;
        while let Some(child) = children.next()? {
            match child.entry().tag() {
                gimli::DW_TAG_subprogram if self.is_around(unit, child.entry())? => {
                    found = Some(child.entry().offset())
                }
                gimli::DW_TAG_variable => self.variable(unit, child.entry()),
                gimli::DW_TAG_namespace => found = self.namespace(unit, child)?.or(found),
                _ => {}
            }
        }
        Ok(found)
    }

    fn scope(&mut self, unit: &Unit<Bytes<'d>>, node: gimli::EntriesTreeNode<'_, '_, Bytes<'d>>) -> gimli::Result<()> {
        let mut children = node.children();
        while let Some(child) = children.next()? {
            match child.entry().tag() {
                gimli::DW_TAG_formal_parameter if matches!(self.wanted, Wanted::Parameters) => {
                    self.parameter(unit, child.entry());
                }
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => self.variable(unit, child.entry()),
                gimli::DW_TAG_lexical_block if self.is_around(unit, child.entry())? => self.scope(unit, child)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn is_around(&self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>) -> gimli::Result<bool> {
        let mut ranges = self.dwarf.die_ranges(unit, entry)?;
        while let Some(range) = ranges.next()? {
            if (range.begin..range.end).contains(&self.frame.address) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn variable(&mut self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>) {
        let Some(name) = self.name(unit, entry) else { return };
        let is_this = name == "this";
        if !(self.wanted.holds(&name) || is_this && matches!(self.wanted, Wanted::Named(_))) {
            return;
        }
        let of_it =
            |key: &String| key.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']));
        self.found.retain(|key, _| !of_it(key));
        let place = self.place(unit, entry);
        if let (Some(place), Some(of_type)) = (place, type_of(unit, entry)) {
            // Inside its methods, members are named without the object.
            self.describe(unit, of_type, place, &name, DEEPEST);
            if is_this {
                self.found.remove("this");
            }
        }
    }

    fn parameter(&mut self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>) {
        let name = self.name(unit, entry).filter(|name| name != "this");
        if let (Some(name), Some(place), Some(of_type)) = (name, self.place(unit, entry), type_of(unit, entry)) {
            self.describe(unit, of_type, place, &name, 0);
        }
    }

    fn name(&self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>) -> Option<String> {
        let own = entry.attr_value(gimli::DW_AT_name);
        let origin = |attribute| match entry.attr_value(attribute)? {
            AttributeValue::UnitRef(offset) => unit.entry(offset).ok()?.attr_value(gimli::DW_AT_name),
            _ => None,
        };
        let name =
            own.or_else(|| origin(gimli::DW_AT_abstract_origin)).or_else(|| origin(gimli::DW_AT_specification))?;
        let bytes = self.dwarf.attr_string(unit, name).ok()?;
        Some(bytes.to_string_lossy().into_owned())
    }

    /// Returns the address of a variable.
    fn place(&self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>) -> Option<u64> {
        let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location)? else { return None };
        let mut operations = expression.operations(unit.encoding());
        let place = match operations.next().ok()?? {
            Operation::FrameOffset { offset } => self.base?.checked_add_signed(offset)?,
            Operation::Address { address } => address.checked_add(self.snapshot.moved)?,
            _ => return None,
        };
        operations.next().ok()?.is_none().then_some(place)
    }

    fn describe(&mut self, unit: &Unit<Bytes<'d>>, of_type: UnitOffset, place: u64, name: &str, depth: u32) {
        let Ok(entry) = unit.entry(of_type) else { return };
        let size = entry.attr_value(gimli::DW_AT_byte_size).and_then(|size| size.udata_value());
        match entry.tag() {
            gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => {
                let bytes =
                    size.filter(|size| *size <= 8).and_then(|size| self.snapshot.memory.read(place, size as usize));
                if let Some(bytes) = bytes {
                    self.found.insert(name.to_owned(), Value::Number(bytes));
                }
            }
            gimli::DW_TAG_pointer_type => self.pointer(unit, &entry, place, name, depth),
            gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type => {
                if let (Some(target), Some(of_type)) = (self.word(place), type_of(unit, &entry)) {
                    self.describe(unit, of_type, target, name, depth);
                }
            }
            gimli::DW_TAG_typedef | gimli::DW_TAG_const_type | gimli::DW_TAG_volatile_type => {
                if let Some(of_type) = type_of(unit, &entry) {
                    self.describe(unit, of_type, place, name, depth);
                }
            }
            gimli::DW_TAG_array_type if type_of(unit, &entry).is_some_and(|of_type| is_character(unit, of_type)) => {
                if let Some(text) = self.text(place) {
                    self.found.insert(name.to_owned(), Value::Text(text));
                }
            }
            gimli::DW_TAG_class_type if self.name(unit, &entry).is_some_and(|name| name.starts_with(STRING)) => {
                if let Some(text) = self.string(place) {
                    self.found.insert(name.to_owned(), Value::Text(text));
                }
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type if depth > 0 => {
                // Members that cannot be read are left out.
                let _ = self.members(unit, of_type, place, &format!("{name}."), depth);
            }
            _ => {}
        }
    }

    fn pointer(&mut self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>, place: u64, name: &str, depth: u32) {
        let Some(target) = self.word(place) else { return };
        let null_and = Some(target).filter(|target| *target < 65536);
        let is_text = type_of(unit, entry).is_some_and(|of_type| is_character(unit, of_type));
        let text = if is_text && null_and.is_none() { self.text(target) } else { None };
        self.found.insert(name.to_owned(), text.map_or(Value::Pointer { null_and }, Value::Text));
        if null_and.is_some() || depth == 0 {
            return;
        }
        let Some(of_type) = peeled(unit, type_of(unit, entry)) else { return };
        if let Ok(entry) = unit.entry(of_type)
            && matches!(entry.tag(), gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type)
        {
            let prefix = if name == "this" { String::new() } else { format!("{name}->") };
            let _ = self.members(unit, of_type, target, &prefix, depth - 1);
        }
    }

    fn members(
        &mut self,
        unit: &Unit<Bytes<'d>>,
        of_type: UnitOffset,
        place: u64,
        prefix: &str,
        depth: u32,
    ) -> gimli::Result<()> {
        if depth == 0 {
            return Ok(());
        }
        let mut tree = unit.entries_tree(Some(of_type))?;
        let root = tree.root()?;
        let mut children = root.children();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            let offset = entry.attr_value(gimli::DW_AT_data_member_location).and_then(|value| value.udata_value());
            let is_bits = entry.attr_value(gimli::DW_AT_bit_size).is_some();
            let (Some(offset), Some(of_type)) = (offset.filter(|_| !is_bits), type_of(unit, entry)) else { continue };
            match entry.tag() {
                gimli::DW_TAG_inheritance => {
                    if let Some(base) = peeled(unit, Some(of_type)) {
                        self.members(unit, base, place.wrapping_add(offset), prefix, depth)?;
                    }
                }
                gimli::DW_TAG_member => {
                    if let Some(name) = self.name(unit, entry).filter(|name| self.wanted.holds(name)) {
                        let name = format!("{prefix}{name}");
                        self.describe(unit, of_type, place.wrapping_add(offset), &name, depth - 1);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the null-terminated text at an address, if it is short.
    fn text(&self, place: u64) -> Option<Vec<u8>> {
        const LONGEST: u64 = 256;
        let mut text = Vec::new();
        for at in place..place.checked_add(LONGEST)? {
            match self.snapshot.memory.read(at, 1)?[0] {
                0 => return Some(text),
                byte => text.push(byte),
            }
        }
        None
    }

    /// Returns the contents of a libstdc++ `std::string`: a pointer to the text, then its length.
    fn string(&self, place: u64) -> Option<Vec<u8>> {
        let (text, length) = (self.word(place)?, self.word(place.checked_add(8)?)?);
        self.snapshot.memory.read(text, usize::try_from(length).ok().filter(|length| *length < 256)?)
    }

    fn word(&self, place: u64) -> Option<u64> {
        let bytes = self.snapshot.memory.read(place, 8)?;
        Some(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }
}

/// The start of the name of the class behind `std::string`.
const STRING: &str = "basic_string<char,";

fn is_character(unit: &Unit<Bytes<'_>>, of_type: UnitOffset) -> bool {
    let entry = peeled(unit, Some(of_type)).and_then(|of_type| unit.entry(of_type).ok());
    let encoding = entry.and_then(|entry| entry.attr_value(gimli::DW_AT_encoding));
    matches!(encoding, Some(AttributeValue::Encoding(gimli::DW_ATE_signed_char | gimli::DW_ATE_unsigned_char)))
}

fn type_of(unit: &Unit<Bytes<'_>>, entry: &Entry<'_>) -> Option<UnitOffset> {
    let own = entry.attr_value(gimli::DW_AT_type);
    let of = |attribute| match entry.attr_value(attribute)? {
        AttributeValue::UnitRef(offset) => unit.entry(offset).ok()?.attr_value(gimli::DW_AT_type),
        _ => None,
    };
    let elsewhere = || of(gimli::DW_AT_abstract_origin).or_else(|| of(gimli::DW_AT_specification));
    match own.or_else(elsewhere)? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

/// Strips typedefs and qualifiers from a type.
fn peeled(unit: &Unit<Bytes<'_>>, mut of_type: Option<UnitOffset>) -> Option<UnitOffset> {
    loop {
        let entry = unit.entry(of_type?).ok()?;
        match entry.tag() {
            gimli::DW_TAG_typedef | gimli::DW_TAG_const_type | gimli::DW_TAG_volatile_type => {
                of_type = type_of(unit, &entry);
            }
            _ => return of_type,
        }
    }
}
