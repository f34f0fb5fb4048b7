//! Resolution of constant-pool indices. Everything shared in the pool is shared in the tree.

use crate::raw::{Constant as Raw, Input, Pool};
use crate::{
    BootstrapMethod, Constant, Dynamic, Handle, HandleKind, MemberRef, NameAndType, ParseError, Problem, Text,
};
use std::sync::Arc;

pub(super) struct Resolver<'a> {
    pool: &'a Pool<'a>,
    texts: Vec<Option<Text>>,
    members: Vec<Option<Arc<MemberRef>>>,
}

impl<'a> Resolver<'a> {
    pub fn new(pool: &'a Pool<'a>) -> Self {
        Resolver { pool, texts: vec![None; pool.len()], members: vec![None; pool.len()] }
    }

    pub fn text_at(&mut self, index: u16, offset: usize) -> Result<Text, ParseError> {
        self.text_of(index).map_err(|problem| ParseError { offset, problem })
    }

    pub fn class_at(&mut self, index: u16, offset: usize) -> Result<Text, ParseError> {
        self.class_of(index).map_err(|problem| ParseError { offset, problem })
    }

    pub fn utf8_at(&self, index: u16, offset: usize) -> Result<&'a [u8], ParseError> {
        match self.pool.get(index) {
            Raw::Utf8(bytes) => Ok(bytes),
            _ => Err(ParseError { offset, problem: wrong(index, "a text") }),
        }
    }

    pub fn text(&mut self, input: &mut Input<'a>) -> Result<Text, ParseError> {
        self.next(input, Self::text_of)
    }

    pub fn class(&mut self, input: &mut Input<'a>) -> Result<Text, ParseError> {
        self.next(input, Self::class_of)
    }

    pub fn classes(&mut self, input: &mut Input<'a>) -> Result<Vec<Text>, ParseError> {
        input.list(2, |input| self.class(input))
    }

    pub fn optional_text(&mut self, input: &mut Input<'a>) -> Result<Option<Text>, ParseError> {
        self.optional(input, Self::text_of)
    }

    pub fn optional_class(&mut self, input: &mut Input<'a>) -> Result<Option<Text>, ParseError> {
        self.optional(input, Self::class_of)
    }

    pub fn optional_name_and_type(&mut self, input: &mut Input<'a>) -> Result<Option<NameAndType>, ParseError> {
        self.optional(input, Self::name_and_type_of)
    }

    pub fn module(&mut self, input: &mut Input<'a>) -> Result<Text, ParseError> {
        self.next(input, |this, index| match this.pool.get(index) {
            Raw::Module(name) => this.text_of(name),
            _ => Err(wrong(index, "a module")),
        })
    }

    pub fn package(&mut self, input: &mut Input<'a>) -> Result<Text, ParseError> {
        self.next(input, |this, index| match this.pool.get(index) {
            Raw::Package(name) => this.text_of(name),
            _ => Err(wrong(index, "a package")),
        })
    }

    pub fn constant(&mut self, input: &mut Input<'a>) -> Result<Constant, ParseError> {
        self.next(input, Self::constant_of)
    }

    /// Reads a constant with a one-byte index, as in `ldc`.
    pub fn near_constant(&mut self, input: &mut Input<'a>) -> Result<Constant, ParseError> {
        let offset = input.offset();
        let index = input.u1()?.into();
        self.constant_of(index).map_err(|problem| ParseError { offset, problem })
    }

    pub fn field(&mut self, input: &mut Input<'a>) -> Result<Arc<MemberRef>, ParseError> {
        self.next(input, Self::field_of)
    }

    pub fn method(&mut self, input: &mut Input<'a>) -> Result<Arc<MemberRef>, ParseError> {
        self.next(input, Self::method_of)
    }

    pub fn call_site(&mut self, input: &mut Input<'a>) -> Result<Arc<Dynamic>, ParseError> {
        self.next(input, |this, index| match this.pool.get(index) {
            Raw::InvokeDynamic(bootstrap, name_and_type) => this.dynamic(bootstrap, name_and_type),
            _ => Err(wrong(index, "a dynamic call site")),
        })
    }

    pub fn bootstrap_method(&mut self, input: &mut Input<'a>) -> Result<BootstrapMethod, ParseError> {
        let handle = self.next(input, Self::handle_of)?;
        Ok(BootstrapMethod { handle, arguments: input.list(2, |input| self.constant(input))? })
    }

    fn next<T>(
        &mut self,
        input: &mut Input<'a>,
        resolve: impl FnOnce(&mut Self, u16) -> Result<T, Problem>,
    ) -> Result<T, ParseError> {
        let offset = input.offset();
        let index = input.u2()?;
        resolve(self, index).map_err(|problem| ParseError { offset, problem })
    }

    fn optional<T>(
        &mut self,
        input: &mut Input<'a>,
        resolve: impl FnOnce(&mut Self, u16) -> Result<T, Problem>,
    ) -> Result<Option<T>, ParseError> {
        self.next(input, |this, index| if index == 0 { Ok(None) } else { resolve(this, index).map(Some) })
    }

    fn text_of(&mut self, index: u16) -> Result<Text, Problem> {
        let Raw::Utf8(bytes) = self.pool.get(index) else { return Err(wrong(index, "a text")) };
        Ok(self.texts[usize::from(index)].get_or_insert_with(|| Text::from_bytes(bytes)).clone())
    }

    fn class_of(&mut self, index: u16) -> Result<Text, Problem> {
        match self.pool.get(index) {
            Raw::Class(name) => self.text_of(name),
            _ => Err(wrong(index, "a class")),
        }
    }

    fn name_and_type_of(&mut self, index: u16) -> Result<NameAndType, Problem> {
        match self.pool.get(index) {
            Raw::NameAndType(name, descriptor) => {
                Ok(NameAndType { name: self.text_of(name)?, descriptor: self.text_of(descriptor)? })
            }
            _ => Err(wrong(index, "a name and type")),
        }
    }

    fn field_of(&mut self, index: u16) -> Result<Arc<MemberRef>, Problem> {
        match self.pool.get(index) {
            Raw::Field(owner, name_and_type) => self.member(index, owner, name_and_type, false),
            _ => Err(wrong(index, "a field")),
        }
    }

    fn method_of(&mut self, index: u16) -> Result<Arc<MemberRef>, Problem> {
        match self.pool.get(index) {
            Raw::Method(owner, name_and_type) => self.member(index, owner, name_and_type, false),
            Raw::InterfaceMethod(owner, name_and_type) => self.member(index, owner, name_and_type, true),
            _ => Err(wrong(index, "a method")),
        }
    }

    fn member(
        &mut self,
        index: u16,
        owner: u16,
        name_and_type: u16,
        interface: bool,
    ) -> Result<Arc<MemberRef>, Problem> {
        if let Some(member) = &self.members[usize::from(index)] {
            return Ok(member.clone());
        }
        let NameAndType { name, descriptor } = self.name_and_type_of(name_and_type)?;
        let member = Arc::new(MemberRef { owner: self.class_of(owner)?, name, descriptor, interface });
        self.members[usize::from(index)] = Some(member.clone());
        Ok(member)
    }

    fn dynamic(&mut self, bootstrap: u16, name_and_type: u16) -> Result<Arc<Dynamic>, Problem> {
        let NameAndType { name, descriptor } = self.name_and_type_of(name_and_type)?;
        Ok(Arc::new(Dynamic { bootstrap, name, descriptor }))
    }

    fn handle_of(&mut self, index: u16) -> Result<Arc<Handle>, Problem> {
        let Raw::MethodHandle(kind, member) = self.pool.get(index) else {
            return Err(wrong(index, "a method handle"));
        };
        let kind = HandleKind::from_byte(kind).ok_or(Problem::Malformed("method handle"))?;
        let member = if kind.is_field() { self.field_of(member)? } else { self.method_of(member)? };
        Ok(Arc::new(Handle { kind, member }))
    }

    fn constant_of(&mut self, index: u16) -> Result<Constant, Problem> {
        Ok(match self.pool.get(index) {
            Raw::Integer(value) => Constant::Int(value as i32),
            Raw::Float(bits) => Constant::Float(bits),
            Raw::Long(value) => Constant::Long(value as i64),
            Raw::Double(bits) => Constant::Double(bits),
            Raw::String(text) => Constant::String(self.text_of(text)?),
            Raw::Class(name) => Constant::Class(self.text_of(name)?),
            Raw::MethodType(descriptor) => Constant::MethodType(self.text_of(descriptor)?),
            Raw::MethodHandle(..) => Constant::MethodHandle(self.handle_of(index)?),
            Raw::Dynamic(bootstrap, name_and_type) => Constant::Dynamic(self.dynamic(bootstrap, name_and_type)?),
            _ => return Err(wrong(index, "a loadable constant")),
        })
    }
}

fn wrong(index: u16, expected: &'static str) -> Problem {
    Problem::WrongConstant { index, expected }
}
