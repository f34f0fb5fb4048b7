//! The constant pool.

use super::Input;
use crate::{ParseError, Problem};
use std::sync::Arc;

/// An entry of the pool, with indices of other entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant<'a> {
    /// The entry at index 0, and the one after a long or double.
    Unusable,
    Utf8(&'a [u8]),
    Integer(u32),
    Float(u32),
    Long(u64),
    Double(u64),
    Class(u16),
    String(u16),
    Field(u16, u16),
    Method(u16, u16),
    InterfaceMethod(u16, u16),
    NameAndType(u16, u16),
    MethodHandle(u8, u16),
    MethodType(u16),
    Dynamic(u16, u16),
    InvokeDynamic(u16, u16),
    Module(u16),
    Package(u16),
}

/// The constant pool of a class file.
#[derive(Clone, Debug)]
pub struct Pool<'a> {
    constants: Vec<Constant<'a>>,
    /// The bytes of the pool in the file, including its length.
    pub(crate) bytes: &'a [u8],
}

impl<'a> Pool<'a> {
    /// The constant at this index. An index out of range gives an unusable constant.
    pub fn get(&self, index: u16) -> Constant<'a> {
        self.constants.get(usize::from(index)).copied().unwrap_or(Constant::Unusable)
    }

    /// One more than the largest index.
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    pub fn is_empty(&self) -> bool {
        self.constants.len() <= 1
    }

    pub fn constants(&self) -> &[Constant<'a>] {
        &self.constants
    }

    pub(crate) fn parse(input: &mut Input<'a>) -> Result<Pool<'a>, ParseError> {
        let start = input.clone();
        let count = usize::from(input.u2()?);
        // A constant takes at least three bytes.
        let mut constants = Vec::with_capacity(count.min(input.left() / 3 + 1));
        constants.push(Constant::Unusable);
        while constants.len() < count {
            let tag = input.clone();
            let constant = constant(input)?;
            constants.push(constant);
            if matches!(constant, Constant::Long(_) | Constant::Double(_)) {
                constants.push(Constant::Unusable);
            }
            if constants.len() > count {
                return Err(tag.error(Problem::WideLastConstant));
            }
        }
        let length = input.offset() - start.offset();
        Ok(Pool { constants, bytes: start.clone().take(length)? })
    }
}

fn constant<'a>(input: &mut Input<'a>) -> Result<Constant<'a>, ParseError> {
    let start = input.clone();
    Ok(match input.u1()? {
        1 => {
            let length = input.u2()?;
            Constant::Utf8(input.take(length.into())?)
        }
        3 => Constant::Integer(input.u4()?),
        4 => Constant::Float(input.u4()?),
        5 => Constant::Long(eight_bytes(input)?),
        6 => Constant::Double(eight_bytes(input)?),
        7 => Constant::Class(input.u2()?),
        8 => Constant::String(input.u2()?),
        9 => Constant::Field(input.u2()?, input.u2()?),
        10 => Constant::Method(input.u2()?, input.u2()?),
        11 => Constant::InterfaceMethod(input.u2()?, input.u2()?),
        12 => Constant::NameAndType(input.u2()?, input.u2()?),
        15 => Constant::MethodHandle(input.u1()?, input.u2()?),
        16 => Constant::MethodType(input.u2()?),
        17 => Constant::Dynamic(input.u2()?, input.u2()?),
        18 => Constant::InvokeDynamic(input.u2()?, input.u2()?),
        19 => Constant::Module(input.u2()?),
        20 => Constant::Package(input.u2()?),
        tag => return Err(start.error(Problem::UnknownTag(tag))),
    })
}

/// Reads eight bytes, which the format describes as two times four.
fn eight_bytes(input: &mut Input<'_>) -> Result<u64, ParseError> {
    Ok(u64::from(input.u4()?) << 32 | u64::from(input.u4()?))
}

/// A pool that outlives its file, for a class with bytes that may point into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OriginalPool(Arc<[u8]>);

impl OriginalPool {
    pub fn of(pool: &Pool<'_>) -> Self {
        OriginalPool(pool.bytes.into())
    }

    /// Parses the pool again. It was parsed before, so this cannot fail; an empty pool would be a
    /// safe answer if it did.
    pub fn pool(&self) -> Pool<'_> {
        Pool::parse(&mut Input::new(&self.0, 0)).unwrap_or(Pool { constants: vec![Constant::Unusable], bytes: &[0, 1] })
    }

    /// The constants as in the file, without the length in front.
    pub fn bytes(&self) -> &[u8] {
        &self.0[2..]
    }
}
