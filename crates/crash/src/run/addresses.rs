//! Finds the variable or function at an address.

use super::code::Bytes;
use super::pointees::{Key, Part, Pointee, holds, key, reaches};
use super::types::{Entry, is_character, type_of};
use super::values::{Active, Looking, NEAR_NULL};
use addr2line::gimli::{self, AttributeValue, Operation, Unit, UnitOffset};
use object::{Object, ObjectSection};

/// A variable with a fixed address, or a function.
#[derive(Debug)]
pub(super) struct Static {
    /// The address as linked.
    address: u64,
    name: String,
    /// The index of its unit, and its entry there.
    unit: usize,
    entry: UnitOffset,
    /// `None` for a function.
    of_type: Option<UnitOffset>,
}

impl<'d> Looking<'_, 'd> {
    /// Returns what a pointer points to. `pointer` is its type.
    pub(super) fn pointee(&self, unit: &Unit<Bytes<'d>>, pointer: &Entry<'d>, target: u64) -> Pointee {
        if target < NEAR_NULL {
            return Pointee::Null(target);
        }
        let pointed = type_of(unit, pointer).filter(|of_type| !is_character(unit, *of_type));
        let pointed = pointed.and_then(|of_type| key(self.dwarf, unit, of_type.into()));
        let statics = || -> Option<Pointee> {
            let parts = self.parts_at(target.checked_sub(self.snapshot.moved)?, pointed.as_ref());
            (!parts.is_empty()).then_some(Pointee::Static(parts))
        };
        let local = || self.local_at(target, pointed.as_ref()).ok().flatten();
        statics().or_else(local).unwrap_or(Pointee::Elsewhere)
    }

    /// Returns the parts of global and static variables, and the functions, at a link address.
    fn parts_at(&self, linked: u64, pointed: Option<&Key>) -> Vec<Part> {
        let is_there = |section: &object::Section<'_, '_>| {
            let range = section.address()..=section.address().saturating_add(section.size());
            section.address() > 0 && range.contains(&linked)
        };
        if !self.file.sections().any(|section| is_there(&section)) {
            return Vec::new();
        }
        let part = |found: &Static| {
            let offset = linked.checked_sub(found.address)?;
            let Some(of_type) = found.of_type else {
                return (offset == 0).then(|| Part::function(found.name.clone()));
            };
            let unit = self.unit_at(found.unit)?;
            let part = || Part::at(self.dwarf, &unit, (found.name.clone(), of_type), offset, pointed);
            reaches(&unit, of_type, offset).then(part)
        };
        self.known_statics().iter().filter_map(part).collect()
    }

    fn unit_at(&self, index: usize) -> Option<Unit<Bytes<'d>>> {
        let mut units = self.dwarf.units();
        let mut next = || units.next().ok().flatten();
        let header = (0..=index).map(|_| next()).last()??;
        self.dwarf.unit(header).ok()
    }

    fn known_statics(&self) -> &[Static] {
        self.snapshot.statics.get_or_init(|| self.statics().unwrap_or_default())
    }

    /// Returns all variables with a fixed address, and all functions.
    fn statics(&self) -> gimli::Result<Vec<Static>> {
        let mut found = Vec::new();
        let mut units = self.dwarf.units();
        let mut index = 0;
        while let Some(header) = units.next()? {
            let unit = self.dwarf.unit(header)?;
            let mut entries = unit.entries();
            while let Some(entry) = entries.next_dfs()? {
                let (address, of_type) = match entry.tag() {
                    gimli::DW_TAG_variable => match location(&unit, entry) {
                        Some(Location::Linked(address)) => (Some(address), type_of(&unit, entry)),
                        _ => continue,
                    },
                    gimli::DW_TAG_subprogram => {
                        let start = entry.attr_value(gimli::DW_AT_low_pc);
                        (start.and_then(|start| self.dwarf.attr_address(&unit, start).ok().flatten()), None)
                    }
                    _ => continue,
                };
                if let (Some(address), Some(name)) = (address, self.name(&unit, entry)) {
                    found.push(Static { address, name, unit: index, entry: entry.offset(), of_type });
                }
            }
            index += 1;
        }
        Ok(found)
    }

    /// Returns the local variable of the function or of a caller at this address. A parameter of the
    /// function itself is only a copy, so it is left out.
    fn local_at(&self, target: u64, pointed: Option<&Key>) -> gimli::Result<Option<Pointee>> {
        let frames = &self.snapshot.frames;
        let holder = frames.iter().position(|frame| target < frame.end).filter(|index| *index >= self.active);
        let Some(index) = holder else { return Ok(None) };
        let (frame, is_own) = (frames[index], index == self.active);
        let functions = self.known_statics().iter().filter(|known| known.of_type.is_none());
        let before = functions.filter(|function| function.address <= frame.address);
        let Some(function) = before.max_by_key(|function| function.address) else { return Ok(None) };
        let Some(unit) = self.unit_at(function.unit) else { return Ok(None) };
        let entry = unit.entry(function.entry)?;
        let Some(base) = frame_base(&unit, &entry, frame).filter(|_| self.is_around(&unit, &entry, frame) == Ok(true))
        else {
            return Ok(None);
        };
        let mut entries = unit.entries_at_offset(function.entry)?;
        // The first entry is the function itself. Its variables end where the next function begins.
        entries.next_dfs()?;
        while let Some(entry) = entries.next_dfs()?.filter(|entry| entry.tag() != gimli::DW_TAG_subprogram) {
            let is_parameter = entry.tag() == gimli::DW_TAG_formal_parameter;
            if entry.tag() != gimli::DW_TAG_variable && (!is_parameter || is_own) {
                continue;
            }
            let Some(Location::Frame(offset)) = location(&unit, entry) else { continue };
            let (Some(name), Some(of_type)) = (self.name(&unit, entry), type_of(&unit, entry)) else { continue };
            let offset = base.checked_add_signed(offset).and_then(|start| target.checked_sub(start));
            if let Some(offset) = offset.filter(|offset| holds(&unit, of_type, *offset)) {
                let part = Part::at(self.dwarf, &unit, (name, of_type), offset, pointed);
                return Ok(Some(if is_own { Pointee::Own(part) } else { Pointee::Local(part) }));
            }
        }
        Ok(None)
    }
}

/// The place of a variable.
pub(super) enum Location {
    /// Relative to the base of its function's frame.
    Frame(i64),
    /// As linked.
    Linked(u64),
}

pub(super) fn location(unit: &Unit<Bytes<'_>>, entry: &Entry<'_>) -> Option<Location> {
    let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location)? else { return None };
    let mut operations = expression.operations(unit.encoding());
    let found = match operations.next().ok()?? {
        Operation::FrameOffset { offset } => Location::Frame(offset),
        Operation::Address { address } => Location::Linked(address),
        _ => return None,
    };
    operations.next().ok()?.is_none().then_some(found)
}

/// Returns the end of a function's frame, as gcc counts, or the value of its frame pointer, as
/// clang does.
pub(super) fn frame_base(unit: &Unit<Bytes<'_>>, function: &Entry<'_>, frame: Active) -> Option<u64> {
    const FRAME_POINTER: gimli::Register = gimli::Register(6);
    let AttributeValue::Exprloc(expression) = function.attr_value(gimli::DW_AT_frame_base)? else { return None };
    match expression.operations(unit.encoding()).next().ok()?? {
        Operation::CallFrameCFA => Some(frame.end),
        Operation::Register { register: FRAME_POINTER } => frame.end.checked_sub(16),
        _ => None,
    }
}
