//! Conversion of the raw file to the tree.
//!
//! An attribute that is malformed, or that has no meaning in its place, is kept as bytes. Reading
//! fails only for errors in the parts that a class cannot do without (its names and its structure).

mod annotations;
mod attributes;
mod code;
mod frames;
mod module;
mod resolver;

use crate::raw::{self, ClassFile, OriginalPool};
use crate::{Attribute, Class, Field, Method, ParseError, Text};
use attributes::{MethodHead, Place};
use resolver::Resolver;

impl Class {
    /// Reads a class file. Reading the output of [`Class::write`] gives an equal class.
    pub fn read(bytes: &[u8]) -> Result<Class, ParseError> {
        let file = ClassFile::parse(bytes)?;
        Reader::new(&file, bytes.len()).class(&file)
    }
}

/// The number of frame entries that a byte of the file may expand to. It is far more than compilers
/// produce, and small enough to stop files that are crafted to explode.
const FRAME_ENTRIES_PER_BYTE: usize = 64;
const MOST_FRAME_ENTRIES: usize = 1 << 22;

struct Reader<'a> {
    resolver: Resolver<'a>,
    /// The name of the class that is being read.
    name: Text,
    /// Whether code sizes take fewer bytes, as in class files up to 45.2.
    short_code: bool,
    frame_entries_left: usize,
}

impl<'a> Reader<'a> {
    fn new(file: &'a ClassFile<'a>, length: usize) -> Self {
        Reader {
            resolver: Resolver::new(&file.pool),
            name: Text::from_bytes(&[]),
            short_code: file.version.has_short_code(),
            frame_entries_left: (1024 + length * FRAME_ENTRIES_PER_BYTE).min(MOST_FRAME_ENTRIES),
        }
    }

    fn class(mut self, file: &ClassFile<'a>) -> Result<Class, ParseError> {
        // The access flags come first and take two bytes.
        self.name = self.resolver.class_at(file.this_class, file.body + 2)?;
        let superclass = match file.super_class {
            0 => None,
            index => Some(self.resolver.class_at(index, file.body + 4)?),
        };
        let mut class = Class::new(file.version, self.name.clone(), superclass);
        class.access = file.access;
        for (nth, index) in file.interfaces.iter().enumerate() {
            class.interfaces.push(self.resolver.class_at(*index, file.body + 8 + 2 * nth)?);
        }
        class.fields = file.fields.iter().map(|raw| self.field(raw)).collect::<Result<_, _>>()?;
        class.methods = file.methods.iter().map(|raw| self.method(raw)).collect::<Result<_, _>>()?;
        class.attributes = self.attributes(&file.attributes, Place::Class)?;
        class.original_pool = class.has_bytes_with_indices().then(|| OriginalPool::of(&file.pool));
        Ok(class)
    }

    fn field(&mut self, raw: &raw::Member<'a>) -> Result<Field, ParseError> {
        Ok(Field {
            access: raw.access,
            name: self.resolver.text_at(raw.name, raw.offset + 2)?,
            descriptor: self.resolver.text_at(raw.descriptor, raw.offset + 4)?,
            attributes: self.attributes(&raw.attributes, Place::Field)?,
        })
    }

    fn method(&mut self, raw: &raw::Member<'a>) -> Result<Method, ParseError> {
        let name = self.resolver.text_at(raw.name, raw.offset + 2)?;
        let descriptor = self.resolver.text_at(raw.descriptor, raw.offset + 4)?;
        let head = MethodHead { access: raw.access, name: &name, descriptor: &descriptor };
        let attributes = self.attributes(&raw.attributes, Place::Method(head))?;
        Ok(Method { access: raw.access, name, descriptor, attributes })
    }

    fn attributes(&mut self, raw: &[raw::Attribute<'a>], place: Place<'_>) -> Result<Vec<Attribute>, ParseError> {
        raw.iter().map(|attribute| self.attribute(attribute, place)).collect()
    }
}
