//! The values of variables when a program failed, according to its debug information.
//!
//! Only values with a meaning of their own are reported: numbers, the variables that pointers point
//! to, and likewise for members of objects and for the targets of pointers. Array elements are
//! those that the program's expressions name ([`super::expressions`]).

use super::addresses::{Location, Static, frame_base, location};
use super::code::{Bytes, sections};
use super::pointees::Pointee;
use super::types::{Entry, is_character, is_object, name_of, peeled, type_of};
use crate::report::{Event, Memory, What};
use addr2line::gimli::{self, Dwarf, EndianSlice, LittleEndian, Unit, UnitOffset};
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A program and its memory at the moment it failed.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    program: Arc<[u8]>,
    memory: Memory,
    /// The difference between the load address and the link address.
    pub(super) moved: u64,
    /// The active functions, innermost first.
    pub(super) frames: Vec<Active>,
    /// The address that the program failed to access, if that was the failure.
    fault: Option<u64>,
    /// The variables with a fixed address and the functions, once they are needed.
    pub(super) statics: Arc<OnceLock<Vec<Static>>>,
}

/// The names and expressions whose values are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Question {
    pub(crate) names: BTreeSet<String>,
    /// Pieces of the program, each as its tokens.
    pub(crate) texts: Vec<Vec<String>>,
    /// Earlier pieces, some of whose variables may be gone.
    pub(crate) earlier: Vec<Vec<String>>,
}

impl Question {
    /// Adds a question about earlier pieces.
    pub(crate) fn add_earlier(&mut self, other: Question) {
        self.names.extend(other.names);
        self.earlier.extend(other.texts);
    }
}

/// The values of names and expressions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) known: BTreeMap<String, Value>,
    /// Whether an element in one of the texts could not be read.
    pub(crate) misses_elements: bool,
}

/// An active function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    /// The current address in the function, as linked.
    pub(super) address: u64,
    /// The end of its part of the stack, to which the positions of its variables are relative.
    pub(super) end: u64,
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(Vec<u8>),
    Pointer(Pointee),
    Text(Vec<u8>),
}

impl Value {
    /// Returns whether a smaller program has the same value. Without names, it is unknown which
    /// variable a pointer points to.
    pub(crate) fn is_kept_by(&self, now: &Value, has_names: bool) -> bool {
        match (self, now) {
            (Value::Pointer(pointee), Value::Pointer(now)) => pointee.is_kept_by(now, has_names),
            _ => self == now,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Pointer(pointee) => write!(formatter, "{pointee}"),
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
        let fault = match event.what {
            What::Signal { address, .. } | What::Finding { address } => Some(address),
            What::Assertion | What::Exception => None,
        };
        Some(Snapshot { program, memory: event.memory.clone(), moved: moved?, frames, fault, statics: Arc::default() })
    }

    /// Returns the addresses of the active functions.
    pub(crate) fn addresses(&self) -> Vec<u64> {
        self.frames.iter().map(|frame| frame.address).collect()
    }

    /// Returns the values of everything with these names, and of the elements in these texts, as
    /// seen by an active function; 0 is the innermost. Values that do not exist or cannot be
    /// determined are left out.
    pub(crate) fn values(&self, active: usize, question: &Question) -> Values {
        self.look(active, Wanted::Named(question))
    }

    /// Returns the parameters of an active function, without the targets of pointers.
    pub(crate) fn parameters(&self, active: usize) -> BTreeMap<String, Value> {
        self.look(active, Wanted::Parameters).known
    }

    fn look(&self, active: usize, wanted: Wanted<'_>) -> Values {
        let frame = self.frames.get(active).copied();
        let read = || {
            let file = object::File::parse(&*self.program).ok()?;
            let sections = sections(&file)?;
            let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
            let mut looking = Looking {
                snapshot: self,
                file: &file,
                dwarf: &dwarf,
                wanted,
                active,
                frame: frame?,
                base: None,
                variables: BTreeMap::new(),
                found: Values::default(),
            };
            looking.units().ok()?;
            Some(looking.found)
        };
        read().unwrap_or_default()
    }
}

/// The variables to look for.
#[derive(Clone, Copy)]
enum Wanted<'n> {
    Named(&'n Question),
    Parameters,
}

impl Wanted<'_> {
    fn holds(self, name: &str) -> bool {
        matches!(self, Wanted::Named(question) if question.names.contains(name))
    }
}

pub(super) struct Looking<'s, 'd> {
    pub(super) snapshot: &'s Snapshot,
    pub(super) file: &'s object::File<'d>,
    pub(super) dwarf: &'s Dwarf<Bytes<'d>>,
    wanted: Wanted<'s>,
    /// The index of the function whose variables are looked up, and the function itself.
    pub(super) active: usize,
    pub(super) frame: Active,
    /// The address that the positions of the function's variables are relative to, if known.
    base: Option<u64>,
    /// The types and addresses of the variables with the wanted names, and of `this`.
    pub(super) variables: BTreeMap<String, (UnitOffset, u64)>,
    found: Values,
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
                if let Wanted::Named(question) = self.wanted {
                    for text in &question.earlier {
                        self.elements(&unit, text);
                    }
                    for text in &question.texts {
                        self.found.misses_elements |= !self.elements(&unit, text);
                    }
                }
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
                gimli::DW_TAG_subprogram if self.is_around(unit, child.entry(), self.frame)? => {
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
                self.base = frame_base(unit, &unit.entry(function)?, self.frame);
                let mut tree = unit.entries_tree(Some(function))?;
                self.scope(unit, tree.root()?)
            }
            None => Ok(()),
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
                gimli::DW_TAG_subprogram if self.is_around(unit, child.entry(), self.frame)? => {
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
                gimli::DW_TAG_lexical_block if self.is_around(unit, child.entry(), self.frame)? => {
                    self.scope(unit, child)?
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn is_around(&self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>, frame: Active) -> gimli::Result<bool> {
        let mut ranges = self.dwarf.die_ranges(unit, entry)?;
        while let Some(range) = ranges.next()? {
            if (range.begin..range.end).contains(&frame.address) {
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
        self.found.known.retain(|key, _| !of_it(key));
        self.variables.remove(&name);
        let place = self.place(unit, entry);
        if let (Some(place), Some(of_type)) = (place, type_of(unit, entry)) {
            self.variables.insert(name.clone(), (of_type, place));
            // Inside its methods, members are named without the object.
            self.describe(unit, of_type, place, &name, DEEPEST);
            if is_this {
                self.found.known.remove("this");
            }
        }
    }

    fn parameter(&mut self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>) {
        let name = self.name(unit, entry).filter(|name| name != "this");
        if let (Some(name), Some(place), Some(of_type)) = (name, self.place(unit, entry), type_of(unit, entry)) {
            self.describe(unit, of_type, place, &name, 0);
        }
    }

    pub(super) fn name(&self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>) -> Option<String> {
        name_of(self.dwarf, unit, entry)
    }

    /// Returns the address of a variable.
    fn place(&self, unit: &Unit<Bytes<'d>>, entry: &Entry<'d>) -> Option<u64> {
        if entry.attr_value(gimli::DW_AT_declaration).is_some() {
            // It is defined in another file.
            let name = self.name(unit, entry)?;
            let symbol = self.file.symbols().find(|symbol| symbol.is_definition() && symbol.name() == Ok(&name))?;
            return symbol.address().checked_add(self.snapshot.moved);
        }
        match location(unit, entry)? {
            Location::Frame(offset) => self.base?.checked_add_signed(offset),
            Location::Linked(address) => address.checked_add(self.snapshot.moved),
        }
    }

    /// Notes the value at an address under a name.
    pub(super) fn note(&mut self, unit: &Unit<Bytes<'d>>, of_type: UnitOffset, place: u64, name: &str) {
        self.describe(unit, of_type, place, name, 0);
    }

    fn describe(&mut self, unit: &Unit<Bytes<'d>>, of_type: UnitOffset, place: u64, name: &str, depth: u32) {
        let Ok(entry) = unit.entry(of_type) else { return };
        let size = entry.attr_value(gimli::DW_AT_byte_size).and_then(|size| size.udata_value());
        match entry.tag() {
            gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => {
                let bytes = size.filter(|size| *size <= 8).and_then(|size| self.read(place, size as usize));
                if let Some(bytes) = bytes {
                    self.found.known.insert(name.to_owned(), Value::Number(bytes));
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
                    self.found.known.insert(name.to_owned(), Value::Text(text));
                }
            }
            gimli::DW_TAG_class_type if self.name(unit, &entry).is_some_and(|name| name.starts_with(STRING)) => {
                if let Some(text) = self.string(place) {
                    self.found.known.insert(name.to_owned(), Value::Text(text));
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
        let is_null = target < NEAR_NULL;
        let is_text = type_of(unit, entry).is_some_and(|of_type| is_character(unit, of_type));
        let text = if is_text && !is_null { self.text(target) } else { None };
        let value = text.map_or_else(|| Value::Pointer(self.pointee(unit, entry, target)), Value::Text);
        self.found.known.insert(name.to_owned(), value);
        if is_null || depth == 0 {
            return;
        }
        let Some(of_type) = peeled(unit, type_of(unit, entry)) else { return };
        if let Ok(entry) = unit.entry(of_type)
            && is_object(entry.tag())
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
            match self.read(at, 1)?[0] {
                0 => return Some(text),
                byte => text.push(byte),
            }
        }
        None
    }

    /// Returns the contents of a libstdc++ `std::string`: a pointer to the text, then its length.
    fn string(&self, place: u64) -> Option<Vec<u8>> {
        let (text, length) = (self.word(place)?, self.word(place.checked_add(8)?)?);
        self.read(text, usize::try_from(length).ok().filter(|length| *length < 256)?)
    }

    pub(super) fn word(&self, place: u64) -> Option<u64> {
        let bytes = self.read(place, 8)?;
        Some(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }

    /// Returns the bytes at an address. Constants are in the program's file.
    pub(super) fn read(&self, place: u64, length: usize) -> Option<Vec<u8>> {
        self.snapshot.memory.read(place, length).or_else(|| {
            let linked = place.checked_sub(self.snapshot.moved)?;
            let is_constant = |section: &object::Section<'_, '_>| {
                section.kind() == SectionKind::ReadOnlyData && !is_writable(section) && section.address() > 0
            };
            let mut constants = self.file.sections().filter(is_constant);
            constants.find_map(|section| Some(section.data_range(linked, length as u64).ok()??.to_vec()))
        })
    }

    /// Returns whether an access to this address is what failed.
    pub(super) fn is_fault(&self, place: u64, size: u64) -> bool {
        let is_in = |fault: u64| (place..place.saturating_add(size.max(1))).contains(&fault);
        place < NEAR_NULL || self.snapshot.fault.is_some_and(is_in)
    }
}

/// Addresses below are those of members of null objects.
pub(super) const NEAR_NULL: u64 = 65536;

/// The start of the name of the class behind `std::string`.
const STRING: &str = "basic_string<char,";

fn is_writable(section: &object::Section<'_, '_>) -> bool {
    matches!(section.flags(), SectionFlags::Elf { sh_flags } if sh_flags & u64::from(object::elf::SHF_WRITE) != 0)
}
