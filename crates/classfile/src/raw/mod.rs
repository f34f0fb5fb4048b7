//! The class file as the format lays it out: indices unresolved, attributes as bytes.
//!
//! Parsing is bounded: whatever lengths and counts the file claims, no more is read or allocated
//! than its bytes justify.

mod input;
mod pool;

pub(crate) use input::Input;
pub(crate) use pool::OriginalPool;
pub use pool::{Constant, Pool};

use crate::{ParseError, Problem, Version};

/// A class file as the format defines it: indices into the pool, and bytes.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    pub version: Version,
    pub pool: Pool<'a>,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<Member<'a>>,
    pub methods: Vec<Member<'a>>,
    pub attributes: Vec<Attribute<'a>>,
    /// The offset of the part after the constant pool.
    pub(crate) body: usize,
}

/// A field or method.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// The offset of the member in the file.
    pub offset: usize,
    pub access: u16,
    pub name: u16,
    pub descriptor: u16,
    pub attributes: Vec<Attribute<'a>>,
}

/// An attribute as bytes.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// The offset of the content in the file.
    pub offset: usize,
    pub name: u16,
    pub bytes: &'a [u8],
}

impl<'a> ClassFile<'a> {
    pub fn parse(bytes: &'a [u8]) -> Result<ClassFile<'a>, ParseError> {
        let mut input = Input::new(bytes, 0);
        let magic = input.u4()?;
        if magic != 0xcafe_babe {
            return Err(ParseError { offset: 0, problem: Problem::Magic(magic) });
        }
        let minor = input.u2()?;
        let version = Version { major: input.u2()?, minor };
        let pool = Pool::parse(&mut input)?;
        let body = input.offset();
        let file = ClassFile {
            version,
            pool,
            access: input.u2()?,
            this_class: input.u2()?,
            super_class: input.u2()?,
            interfaces: input.list(2, Input::u2)?,
            fields: input.list(8, member)?,
            methods: input.list(8, member)?,
            attributes: attributes(&mut input)?,
            body,
        };
        input.finish()?;
        Ok(file)
    }
}

fn member<'a>(input: &mut Input<'a>) -> Result<Member<'a>, ParseError> {
    Ok(Member {
        offset: input.offset(),
        access: input.u2()?,
        name: input.u2()?,
        descriptor: input.u2()?,
        attributes: attributes(input)?,
    })
}

/// Reads a table of attributes, which ends every class, member, code and record component.
pub(crate) fn attributes<'a>(input: &mut Input<'a>) -> Result<Vec<Attribute<'a>>, ParseError> {
    input.list(6, |input| {
        let name = input.u2()?;
        let length = input.u4()? as usize;
        Ok(Attribute { offset: input.offset(), name, bytes: input.take(length)? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where_and_what() {
        let error = |bytes: &[u8]| ClassFile::parse(bytes).unwrap_err().to_string();
        assert_eq!(error(b"PK\x03\x04"), "byte 0: not a class file (it starts with 504b0304 instead of cafebabe)");
        assert_eq!(error(&[0xca, 0xfe]), "byte 0: the file ends early: 4 bytes wanted, 2 left");
        assert_eq!(
            error(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 2, 99]),
            "byte 10: unknown kind of constant: tag 99"
        );
    }
}
