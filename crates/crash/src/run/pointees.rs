//! The variables that pointers point to.
//!
//! An address differs from program to program. Its meaning is a variable and a part of it:
//! `members[1].fees`.

use super::code::Bytes;
use super::types::{Type, elements, is_object, members, name_of, peeled, size_of};
use addr2line::gimli::{self, Dwarf, Unit, UnitOffset};
use std::fmt;

/// The target of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pointee {
    /// This far from null: a small address is that of a member of a null object.
    Null(u64),
    /// A global or static variable, or a function. The end of one may be the start of another.
    Static(Vec<Part>),
    /// A local variable of a caller.
    Local(Part),
    /// A local variable of the function itself. In the original it may be by chance: the pointer may
    /// be one to a variable of a function that has returned.
    Own(Part),
    /// Memory without a name, such as that on the heap.
    Elsewhere,
}

/// A part of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    name: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Element(u64),
    Member(String),
}

impl Pointee {
    /// Returns whether a pointer of a smaller program has the meaning that it had in the original.
    /// Without names, only null is compared.
    pub(crate) fn is_kept_by(&self, now: &Pointee, has_names: bool) -> bool {
        match (self, now) {
            (Pointee::Null(one), Pointee::Null(other)) => one == other,
            (Pointee::Null(_), _) | (_, Pointee::Null(_)) => false,
            _ if !has_names => true,
            (Pointee::Static(parts), Pointee::Static(now)) => {
                parts.iter().any(|part| now.iter().any(|now| part.is_kept_by(now)))
            }
            (Pointee::Static(_), _) | (_, Pointee::Static(_)) => false,
            // A function may have become a part of its caller.
            (Pointee::Local(part), Pointee::Local(now) | Pointee::Own(now)) => part.is_kept_by(now),
            (Pointee::Local(_), Pointee::Elsewhere) => false,
            (Pointee::Own(_) | Pointee::Elsewhere, _) => true,
        }
    }
}

impl Part {
    /// Returns the part of a variable at this offset. `pointed` is the type of the pointer's target
    /// as [`key`] gives it: an object begins where its first member does.
    pub(super) fn at(
        dwarf: &Dwarf<Bytes<'_>>,
        unit: &Unit<Bytes<'_>>,
        (name, of_type): (String, UnitOffset),
        mut offset: u64,
        pointed: Option<&Key>,
    ) -> Part {
        let mut steps = Vec::new();
        let mut of_type = Type::from(of_type);
        loop {
            let is_meant = pointed.is_none_or(|pointed| key(dwarf, unit, of_type).as_ref() == Some(pointed));
            if offset == 0 && is_meant {
                break;
            }
            if let Some(elements) = elements(unit, of_type).filter(|elements| elements.size > 0) {
                steps.push(Step::Element(offset / elements.size));
                offset %= elements.size;
                of_type = elements.of_type;
                continue;
            }
            let object = peeled(unit, Some(of_type.entry));
            let holding = object.and_then(|object| {
                let is_object = unit.entry(object).is_ok_and(|entry| is_object(entry.tag()));
                let members = if is_object { members(dwarf, unit, object) } else { Vec::new() };
                members.into_iter().rev().find(|member| member.offset <= offset)
            });
            let Some(member) = holding else { break };
            steps.extend(member.name.map(Step::Member));
            offset -= member.offset;
            of_type = member.of_type.into();
        }
        Part { name, steps }
    }

    pub(super) fn function(name: String) -> Part {
        Part { name, steps: Vec::new() }
    }

    /// Returns whether this is still the same part. Objects may have been replaced by their only
    /// member.
    fn is_kept_by(&self, now: &Part) -> bool {
        let mut members = self.members();
        self.name == now.name
            && self.elements() == now.elements()
            && now.members().all(|now| members.any(|member| member == now))
    }

    /// Returns the indices of elements, without the zeros at the end: an array begins where its
    /// first element does.
    fn elements(&self) -> Vec<u64> {
        let element = |step: &Step| match step {
            Step::Element(index) => Some(*index),
            Step::Member(_) => None,
        };
        let mut found: Vec<u64> = self.steps.iter().filter_map(element).collect();
        while found.pop_if(|index| *index == 0).is_some() {}
        found
    }

    fn members(&self) -> impl Iterator<Item = &String> {
        self.steps.iter().filter_map(|step| match step {
            Step::Member(name) => Some(name),
            Step::Element(_) => None,
        })
    }
}

/// The kind and name of a type, which mean the same in every unit.
pub(super) type Key = (gimli::DwTag, Option<String>);

/// Returns the kind and name of a type. An array that has been indexed is not the whole array.
pub(super) fn key(dwarf: &Dwarf<Bytes<'_>>, unit: &Unit<Bytes<'_>>, of_type: Type) -> Option<Key> {
    let entry = unit.entry(peeled(unit, Some(of_type.entry))?).ok()?;
    (of_type.indexed == 0).then(|| (entry.tag(), name_of(dwarf, unit, &entry)))
}

/// Returns whether an offset is in a variable.
pub(super) fn holds(unit: &Unit<Bytes<'_>>, of_type: UnitOffset, offset: u64) -> bool {
    size_of(unit, of_type.into()).is_some_and(|size| offset < size)
}

/// Returns whether an offset is in a variable or just behind it.
pub(super) fn reaches(unit: &Unit<Bytes<'_>>, of_type: UnitOffset, offset: u64) -> bool {
    size_of(unit, of_type.into()).is_some_and(|size| offset <= size)
}

impl fmt::Display for Pointee {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pointee::Null(0) => write!(formatter, "null"),
            Pointee::Null(offset) => write!(formatter, "null + {offset}"),
            Pointee::Static(parts) => match parts.first() {
                Some(part) => write!(formatter, "{part}"),
                None => write!(formatter, "not null"),
            },
            Pointee::Local(part) | Pointee::Own(part) => write!(formatter, "{part}"),
            Pointee::Elsewhere => write!(formatter, "not null"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "&{}", self.name)?;
        for step in &self.steps {
            match step {
                Step::Element(index) => write!(formatter, "[{index}]")?,
                Step::Member(name) => write!(formatter, ".{name}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, steps: &[Step]) -> Part {
        Part { name: name.into(), steps: steps.to_vec() }
    }

    #[test]
    fn a_part_stays_if_objects_become_their_members() {
        let member = |name: &str| Step::Member(name.into());
        let fees = part("members", &[Step::Element(1), member("account"), member("fees")]);
        assert_eq!(fees.to_string(), "&members[1].account.fees");
        assert!(fees.is_kept_by(&part("members", &[Step::Element(1), member("fees")])));
        assert!(fees.is_kept_by(&part("members", &[Step::Element(1)])));
        assert!(!fees.is_kept_by(&part("members", &[Step::Element(0), member("fees")])));
        assert!(!fees.is_kept_by(&part("members", &[Step::Element(1), member("books")])));
        assert!(!fees.is_kept_by(&part("others", &[Step::Element(1)])));
        assert!(part("a", &[]).is_kept_by(&part("a", &[Step::Element(0)])), "its first element");
    }

    #[test]
    fn memory_without_a_name_is_only_not_null() {
        let of = |name| Pointee::Static(vec![part(name, &[])]);
        assert!(Pointee::Elsewhere.is_kept_by(&Pointee::Elsewhere, true));
        assert!(!of("a").is_kept_by(&Pointee::Elsewhere, true) && !of("a").is_kept_by(&of("b"), true));
        assert!(of("a").is_kept_by(&of("b"), false), "renamed");
        assert!(!of("a").is_kept_by(&Pointee::Null(0), false));
    }
}
