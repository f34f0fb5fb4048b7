//! Conversion of the tree to bytes, with a constant pool that holds only what the class uses.
//!
//! Constants that `ldc` loads come first in the pool, because their index must fit in one byte. A
//! class with an attribute kept as bytes starts from its original pool instead.

mod annotations;
mod attributes;
mod code;
mod emit;
mod frames;
mod layout;
mod module;
mod output;
mod pool;

use crate::{Attribute, Class, Instruction, Method, Text, WriteError};
use layout::Layout;
use output::Output;
use pool::PoolBuilder;

impl Class {
    /// Writes the class as a class file.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer { pool: self.initial_pool()?, out: Output::with_capacity(4096), class: self };
        writer.body()?;
        let mut file = Output::with_capacity(2 * writer.out.len() + 1024);
        file.u4(0xcafe_babe);
        file.u2(self.version.minor);
        file.u2(self.version.major);
        writer.pool.write(&mut file);
        file.bytes(writer.out.as_slice());
        Ok(file.into_bytes())
    }

    fn initial_pool(&self) -> Result<PoolBuilder<'_>, WriteError> {
        let mut pool = match &self.original_pool {
            Some(original) if self.keeps_original_pool() => PoolBuilder::starting_with(original),
            _ => PoolBuilder::new(64 + 8 * (self.fields.len() + self.methods.len())),
        };
        let codes = self.methods.iter().filter_map(|method| method.code());
        let loaded = codes.flat_map(|code| &code.instructions).filter_map(|instruction| match instruction {
            Instruction::Ldc(constant) => Some(constant),
            _ => None,
        });
        pool.reserve(loaded)?;
        Ok(pool)
    }
}

struct Writer<'c> {
    class: &'c Class,
    pool: PoolBuilder<'c>,
    /// The part after the constant pool.
    out: Output,
}

impl<'c> Writer<'c> {
    fn body(&mut self) -> Result<(), WriteError> {
        let class = self.class;
        self.out.u2(class.access);
        self.class_ref(&class.name)?;
        self.optional_class_ref(class.superclass.as_ref())?;
        self.class_refs("interfaces", &class.interfaces)?;
        self.out.count("fields", class.fields.len())?;
        for field in &class.fields {
            self.head(field.access, &field.name, &field.descriptor)?;
            self.attributes(&field.attributes, None)?;
        }
        self.out.count("methods", class.methods.len())?;
        for method in &class.methods {
            self.method(method).map_err(|error| in_method(method, error))?;
        }
        self.attributes(&class.attributes, None)
    }

    fn method(&mut self, method: &'c Method) -> Result<(), WriteError> {
        self.head(method.access, &method.name, &method.descriptor)?;
        self.out.count("attributes", method.attributes.len())?;
        for attribute in &method.attributes {
            match attribute {
                Attribute::Code(code) => self.code(code, method)?,
                other => self.attribute(other, None)?,
            }
        }
        Ok(())
    }

    fn head(&mut self, access: u16, name: &'c Text, descriptor: &'c Text) -> Result<(), WriteError> {
        self.out.u2(access);
        self.text(name)?;
        self.text(descriptor)
    }

    /// Writes a table of attributes. Those of code need a layout to turn positions into offsets.
    fn attributes(&mut self, attributes: &'c [Attribute], layout: Option<&Layout>) -> Result<(), WriteError> {
        self.out.count("attributes", attributes.len())?;
        attributes.iter().try_for_each(|attribute| self.attribute(attribute, layout))
    }

    fn text(&mut self, text: &'c Text) -> Result<(), WriteError> {
        let index = self.pool.text(text)?;
        self.out.u2(index);
        Ok(())
    }

    fn optional_text(&mut self, text: Option<&'c Text>) -> Result<(), WriteError> {
        let index = text.map_or(Ok(0), |text| self.pool.text(text))?;
        self.out.u2(index);
        Ok(())
    }

    fn class_ref(&mut self, name: &'c Text) -> Result<(), WriteError> {
        let index = self.pool.class(name)?;
        self.out.u2(index);
        Ok(())
    }

    fn optional_class_ref(&mut self, name: Option<&'c Text>) -> Result<(), WriteError> {
        let index = name.map_or(Ok(0), |name| self.pool.class(name))?;
        self.out.u2(index);
        Ok(())
    }

    fn class_refs(&mut self, what: &'static str, names: &'c [Text]) -> Result<(), WriteError> {
        self.out.count(what, names.len())?;
        names.iter().try_for_each(|name| self.class_ref(name))
    }
}

fn in_method(method: &Method, error: WriteError) -> WriteError {
    WriteError::InMethod { method: format!("{}{}", method.name, method.descriptor), error: Box::new(error) }
}
