//! A builder of constant pools that adds constants on demand and holds nothing twice.

use super::Output;
use crate::raw::{Constant as Raw, OriginalPool};
use crate::{Constant, Dynamic, Handle, MemberRef, Text, WriteError};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::ptr;

pub(super) struct PoolBuilder<'c> {
    /// The constants after those of the original pool.
    constants: Vec<Raw<'c>>,
    /// The index of the first of these constants.
    first: usize,
    original: Option<&'c OriginalPool>,
    indices: HashMap<Raw<'c>, u16, RandomState>,
    /// Indices of earlier texts by address. Most texts are shared, and an address is found faster
    /// than a text.
    texts: HashMap<*const u8, u16, RandomState>,
    /// Indices of earlier members by address.
    members: HashMap<*const MemberRef, u16, RandomState>,
}

impl<'c> PoolBuilder<'c> {
    /// Creates an empty pool with room for about `expected` constants.
    pub fn new(expected: usize) -> Self {
        PoolBuilder {
            constants: Vec::with_capacity(expected),
            first: 1,
            original: None,
            indices: HashMap::with_capacity_and_hasher(expected, RandomState::default()),
            texts: HashMap::with_capacity_and_hasher(expected / 2, RandomState::default()),
            members: HashMap::with_capacity_and_hasher(expected / 4, RandomState::default()),
        }
    }

    pub fn starting_with(original: &'c OriginalPool) -> Self {
        let pool = original.pool();
        let mut builder = PoolBuilder { first: pool.len(), original: Some(original), ..PoolBuilder::new(pool.len()) };
        // The pool may contain duplicates. Among equal constants the first counts, and references
        // to the others count as references to it. Therefore a constant is entered after those it
        // refers to.
        let mut first_equal: Vec<u16> = (0..pool.len()).map(|index| index as u16).collect();
        for level in 0..=3 {
            for (index, constant) in
                pool.constants().iter().enumerate().filter(|(_, constant)| depth(constant) == level)
            {
                let constant =
                    with_references(*constant, |index| *first_equal.get(usize::from(index)).unwrap_or(&index));
                first_equal[index] = *builder.indices.entry(constant).or_insert(index as u16);
            }
        }
        builder
    }

    /// Gives these constants the smallest free indices. The constants they refer to come after all
    /// of them.
    pub fn reserve(&mut self, mut loaded: impl Iterator<Item = &'c Constant>) -> Result<(), WriteError> {
        if self.original.is_some() {
            return loaded.try_for_each(|constant| self.constant(constant).map(|_| ()));
        }
        let mut seen: HashSet<&Constant, RandomState> = HashSet::default();
        let reserved: Vec<_> = loaded.filter(|constant| !constant.is_wide() && seen.insert(constant)).collect();
        self.constants.resize(reserved.len(), Raw::Unusable);
        // Handles and dynamic constants may refer to a class that is itself reserved, so they come
        // last.
        let composed = |constant: &Constant| matches!(constant, Constant::MethodHandle(_) | Constant::Dynamic(_));
        for (place, constant) in reserved.iter().enumerate().filter(|(_, constant)| !composed(constant)) {
            self.fill(place, constant)?;
        }
        for (place, constant) in reserved.iter().enumerate().filter(|(_, constant)| composed(constant)) {
            self.fill(place, constant)?;
        }
        Ok(())
    }

    fn fill(&mut self, place: usize, constant: &'c Constant) -> Result<(), WriteError> {
        let raw = self.raw(constant)?;
        self.constants[place] = raw;
        let index = self.index_of(place)?;
        self.indices.insert(raw, index);
        Ok(())
    }

    pub fn text(&mut self, text: &'c Text) -> Result<u16, WriteError> {
        let address = text.as_bytes().as_ptr();
        if let Some(index) = self.texts.get(&address) {
            return Ok(*index);
        }
        let index = self.utf8(text.as_bytes())?;
        self.texts.insert(address, index);
        Ok(index)
    }

    pub fn utf8(&mut self, bytes: &'c [u8]) -> Result<u16, WriteError> {
        let limit = usize::from(u16::MAX);
        match bytes.len() <= limit {
            true => self.add(Raw::Utf8(bytes)),
            false => Err(WriteError::TooMany { what: "bytes in a text", count: bytes.len(), limit }),
        }
    }

    pub fn class(&mut self, name: &'c Text) -> Result<u16, WriteError> {
        let name = self.text(name)?;
        self.add(Raw::Class(name))
    }

    pub fn module(&mut self, name: &'c Text) -> Result<u16, WriteError> {
        let name = self.text(name)?;
        self.add(Raw::Module(name))
    }

    pub fn package(&mut self, name: &'c Text) -> Result<u16, WriteError> {
        let name = self.text(name)?;
        self.add(Raw::Package(name))
    }

    pub fn name_and_type(&mut self, name: &'c Text, descriptor: &'c Text) -> Result<u16, WriteError> {
        let raw = Raw::NameAndType(self.text(name)?, self.text(descriptor)?);
        self.add(raw)
    }

    pub fn field(&mut self, member: &'c MemberRef) -> Result<u16, WriteError> {
        self.member(member, Raw::Field)
    }

    pub fn method(&mut self, member: &'c MemberRef) -> Result<u16, WriteError> {
        self.member(member, if member.interface { Raw::InterfaceMethod } else { Raw::Method })
    }

    pub fn call_site(&mut self, site: &'c Dynamic) -> Result<u16, WriteError> {
        let name_and_type = self.name_and_type(&site.name, &site.descriptor)?;
        self.add(Raw::InvokeDynamic(site.bootstrap, name_and_type))
    }

    pub fn handle(&mut self, handle: &'c Handle) -> Result<u16, WriteError> {
        let raw = self.raw_handle(handle)?;
        self.add(raw)
    }

    pub fn constant(&mut self, constant: &'c Constant) -> Result<u16, WriteError> {
        let raw = self.raw(constant)?;
        self.add(raw)
    }

    pub fn add(&mut self, constant: Raw<'c>) -> Result<u16, WriteError> {
        if let Some(index) = self.indices.get(&constant) {
            return Ok(*index);
        }
        let index = self.index_of(self.constants.len())?;
        self.constants.push(constant);
        if matches!(constant, Raw::Long(_) | Raw::Double(_)) {
            self.index_of(self.constants.len())?;
            self.constants.push(Raw::Unusable);
        }
        self.indices.insert(constant, index);
        Ok(index)
    }

    pub fn write(&self, out: &mut Output) {
        // Every index was checked when it was given out, so one more than the largest fits.
        out.u2((self.first + self.constants.len()) as u16);
        if let Some(original) = self.original {
            out.bytes(original.bytes());
        }
        self.constants.iter().for_each(|constant| write_constant(constant, out));
    }

    fn index_of(&self, place: usize) -> Result<u16, WriteError> {
        match u16::try_from(self.first + place) {
            Ok(index) if index < u16::MAX => Ok(index),
            _ => Err(WriteError::PoolFull),
        }
    }

    fn member(&mut self, member: &'c MemberRef, make: fn(u16, u16) -> Raw<'c>) -> Result<u16, WriteError> {
        if let Some(index) = self.members.get(&ptr::from_ref(member)) {
            return Ok(*index);
        }
        let owner = self.class(&member.owner)?;
        let name_and_type = self.name_and_type(&member.name, &member.descriptor)?;
        let index = self.add(make(owner, name_and_type))?;
        self.members.insert(member, index);
        Ok(index)
    }

    fn raw_handle(&mut self, handle: &'c Handle) -> Result<Raw<'c>, WriteError> {
        let member = match handle.kind.is_field() {
            true => self.field(&handle.member)?,
            false => self.method(&handle.member)?,
        };
        Ok(Raw::MethodHandle(handle.kind as u8, member))
    }

    fn raw(&mut self, constant: &'c Constant) -> Result<Raw<'c>, WriteError> {
        Ok(match constant {
            Constant::Int(value) => Raw::Integer(*value as u32),
            Constant::Float(bits) => Raw::Float(*bits),
            Constant::Long(value) => Raw::Long(*value as u64),
            Constant::Double(bits) => Raw::Double(*bits),
            Constant::String(text) => Raw::String(self.text(text)?),
            Constant::Class(name) => Raw::Class(self.text(name)?),
            Constant::MethodType(descriptor) => Raw::MethodType(self.text(descriptor)?),
            Constant::MethodHandle(handle) => self.raw_handle(handle)?,
            Constant::Dynamic(dynamic) => {
                Raw::Dynamic(dynamic.bootstrap, self.name_and_type(&dynamic.name, &dynamic.descriptor)?)
            }
        })
    }
}

/// The number of references from a constant down to texts and numbers. Unusable entries get a depth
/// that no level includes.
fn depth(constant: &Raw<'_>) -> u8 {
    match constant {
        Raw::Utf8(_) | Raw::Integer(_) | Raw::Float(_) | Raw::Long(_) | Raw::Double(_) => 0,
        Raw::Class(_) | Raw::String(_) | Raw::MethodType(_) | Raw::Module(_) | Raw::Package(_) => 1,
        Raw::NameAndType(..) => 1,
        Raw::Field(..) | Raw::Method(..) | Raw::InterfaceMethod(..) | Raw::Dynamic(..) | Raw::InvokeDynamic(..) => 2,
        Raw::MethodHandle(..) => 3,
        Raw::Unusable => u8::MAX,
    }
}

/// Returns the constant with every reference replaced.
fn with_references(constant: Raw<'_>, new: impl Fn(u16) -> u16) -> Raw<'_> {
    match constant {
        Raw::Class(name) => Raw::Class(new(name)),
        Raw::String(text) => Raw::String(new(text)),
        Raw::MethodType(descriptor) => Raw::MethodType(new(descriptor)),
        Raw::Module(name) => Raw::Module(new(name)),
        Raw::Package(name) => Raw::Package(new(name)),
        Raw::NameAndType(name, descriptor) => Raw::NameAndType(new(name), new(descriptor)),
        Raw::Field(owner, member) => Raw::Field(new(owner), new(member)),
        Raw::Method(owner, member) => Raw::Method(new(owner), new(member)),
        Raw::InterfaceMethod(owner, member) => Raw::InterfaceMethod(new(owner), new(member)),
        Raw::Dynamic(bootstrap, member) => Raw::Dynamic(bootstrap, new(member)),
        Raw::InvokeDynamic(bootstrap, member) => Raw::InvokeDynamic(bootstrap, new(member)),
        Raw::MethodHandle(kind, member) => Raw::MethodHandle(kind, new(member)),
        plain => plain,
    }
}

fn write_constant(constant: &Raw<'_>, out: &mut Output) {
    let pair = |out: &mut Output, tag: u8, first: u16, second: u16| {
        out.u1(tag);
        out.u2(first);
        out.u2(second);
    };
    let single = |out: &mut Output, tag: u8, index: u16| {
        out.u1(tag);
        out.u2(index);
    };
    match *constant {
        Raw::Unusable => {}
        Raw::Utf8(bytes) => {
            single(out, 1, bytes.len() as u16);
            out.bytes(bytes);
        }
        Raw::Integer(value) | Raw::Float(value) => {
            out.u1(if matches!(constant, Raw::Integer(_)) { 3 } else { 4 });
            out.u4(value);
        }
        Raw::Long(value) | Raw::Double(value) => {
            out.u1(if matches!(constant, Raw::Long(_)) { 5 } else { 6 });
            out.u8(value);
        }
        Raw::Class(name) => single(out, 7, name),
        Raw::String(text) => single(out, 8, text),
        Raw::Field(owner, member) => pair(out, 9, owner, member),
        Raw::Method(owner, member) => pair(out, 10, owner, member),
        Raw::InterfaceMethod(owner, member) => pair(out, 11, owner, member),
        Raw::NameAndType(name, descriptor) => pair(out, 12, name, descriptor),
        Raw::MethodHandle(kind, member) => {
            out.u1(15);
            single(out, kind, member);
        }
        Raw::MethodType(descriptor) => single(out, 16, descriptor),
        Raw::Dynamic(bootstrap, member) => pair(out, 17, bootstrap, member),
        Raw::InvokeDynamic(bootstrap, member) => pair(out, 18, bootstrap, member),
        Raw::Module(name) => single(out, 19, name),
        Raw::Package(name) => single(out, 20, name),
    }
}
