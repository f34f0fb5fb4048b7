//! Types in debug information.

use super::code::Bytes;
use addr2line::gimli::{self, AttributeValue, DebuggingInformationEntry, Dwarf, Unit, UnitOffset};

pub(super) type Entry<'d> = DebuggingInformationEntry<Bytes<'d>>;

/// A type. An array of arrays has one entry for all its dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub entry: UnitOffset,
    /// The number of dimensions that have been indexed already.
    pub indexed: usize,
}

impl From<UnitOffset> for Type {
    fn from(entry: UnitOffset) -> Type {
        Type { entry, indexed: 0 }
    }
}

/// The elements of an array, or of a dimension of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    pub of_type: Type,
    pub size: u64,
    /// The number of elements, if the type says it.
    pub count: Option<u64>,
}

/// Returns the name of an entry, or of the entry that it completes.
pub(super) fn name_of(dwarf: &Dwarf<Bytes<'_>>, unit: &Unit<Bytes<'_>>, entry: &Entry<'_>) -> Option<String> {
    let own = entry.attr_value(gimli::DW_AT_name);
    let origin = |attribute| match entry.attr_value(attribute)? {
        AttributeValue::UnitRef(offset) => unit.entry(offset).ok()?.attr_value(gimli::DW_AT_name),
        _ => None,
    };
    let name = own.or_else(|| origin(gimli::DW_AT_abstract_origin)).or_else(|| origin(gimli::DW_AT_specification))?;
    let bytes = dwarf.attr_string(unit, name).ok()?;
    Some(bytes.to_string_lossy().into_owned())
}

pub(super) fn is_character(unit: &Unit<Bytes<'_>>, of_type: UnitOffset) -> bool {
    let entry = peeled(unit, Some(of_type)).and_then(|of_type| unit.entry(of_type).ok());
    let encoding = entry.and_then(|entry| entry.attr_value(gimli::DW_AT_encoding));
    matches!(encoding, Some(AttributeValue::Encoding(gimli::DW_ATE_signed_char | gimli::DW_ATE_unsigned_char)))
}

pub(super) fn type_of(unit: &Unit<Bytes<'_>>, entry: &Entry<'_>) -> Option<UnitOffset> {
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
pub(super) fn peeled(unit: &Unit<Bytes<'_>>, mut of_type: Option<UnitOffset>) -> Option<UnitOffset> {
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

pub(super) fn is_object(tag: gimli::DwTag) -> bool {
    matches!(tag, gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type)
}

/// Returns the number of bytes of a value of this type.
pub(super) fn size_of(unit: &Unit<Bytes<'_>>, of_type: Type) -> Option<u64> {
    if let Some(elements) = elements(unit, of_type) {
        return elements.size.checked_mul(elements.count?);
    }
    let entry = unit.entry(peeled(unit, Some(of_type.entry))?).ok()?;
    entry.attr_value(gimli::DW_AT_byte_size)?.udata_value()
}

/// Returns the elements of an array type. `None` for other types.
pub(super) fn elements(unit: &Unit<Bytes<'_>>, of_type: Type) -> Option<Elements> {
    let array = peeled(unit, Some(of_type.entry))?;
    let entry = unit.entry(array).ok()?;
    if entry.tag() != gimli::DW_TAG_array_type {
        return None;
    }
    let counts = counts(unit, array).ok()?;
    let innermost = Type::from(type_of(unit, &entry)?);
    let next = of_type.indexed + 1;
    let inner = counts.get(next..)?.iter().try_fold(1_u64, |all, count| all.checked_mul((*count)?))?;
    let size = size_of(unit, innermost)?.checked_mul(inner)?;
    let of_type = if next < counts.len() { Type { entry: array, indexed: next } } else { innermost };
    Some(Elements { of_type, size, count: *counts.get(next - 1)? })
}

fn counts(unit: &Unit<Bytes<'_>>, array: UnitOffset) -> gimli::Result<Vec<Option<u64>>> {
    let mut found = Vec::new();
    let mut tree = unit.entries_tree(Some(array))?;
    let mut children = tree.root()?.children();
    while let Some(child) = children.next()? {
        let entry = child.entry();
        let number = |attribute| entry.attr_value(attribute).and_then(|value| value.udata_value());
        let last = || number(gimli::DW_AT_upper_bound).and_then(|last| last.checked_add(1));
        found.push(number(gimli::DW_AT_count).or_else(last));
    }
    Ok(found)
}

/// A member of an object, or one of its base classes.
pub(super) struct Member {
    /// `None` for a base class or an anonymous object.
    pub name: Option<String>,
    pub of_type: UnitOffset,
    pub offset: u64,
}

/// Returns the members of an object's type, except for bit fields.
pub(super) fn members(dwarf: &Dwarf<Bytes<'_>>, unit: &Unit<Bytes<'_>>, of_type: UnitOffset) -> Vec<Member> {
    let read = || -> gimli::Result<Vec<Member>> {
        let mut found = Vec::new();
        let mut tree = unit.entries_tree(Some(of_type))?;
        let mut children = tree.root()?.children();
        while let Some(child) = children.next()? {
            let entry = child.entry();
            let is_base = entry.tag() == gimli::DW_TAG_inheritance;
            if !is_base && entry.tag() != gimli::DW_TAG_member {
                continue;
            }
            let offset = entry.attr_value(gimli::DW_AT_data_member_location);
            // All members of a union start where it starts.
            let offset = offset.map_or(Some(0), |offset| offset.udata_value());
            let is_bits = entry.attr_value(gimli::DW_AT_bit_size).is_some();
            let is_static = entry.attr_value(gimli::DW_AT_declaration).is_some();
            if let (Some(offset), Some(of_type), false) = (offset, type_of(unit, entry), is_bits || is_static) {
                let name = name_of(dwarf, unit, entry).filter(|_| !is_base);
                found.push(Member { name, of_type, offset });
            }
        }
        Ok(found)
    };
    read().unwrap_or_default()
}
