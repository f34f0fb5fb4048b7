//! Methods prepared for running: parsed types, lines and handlers at hand, and a slot for what each
//! instruction resolves to.

use crate::types::TypeId;
use lapidary_classfile::{Attribute, Code, Handler, Instruction, Kind, Text, access};
use lapidary_jvm::{BaseType, ClassId, FieldType, MethodId, MethodType};
use std::cell::OnceCell;
use std::rc::Rc;

/// A method prepared for running.
pub struct Method {
    pub id: MethodId,
    /// The version of the program that the method belongs to, if there are two.
    pub(crate) version: u32,
    /// Numbers the methods in the order of their first use.
    pub number: u32,
    pub class: ClassId,
    pub class_name: Text,
    pub name: Text,
    pub type_: MethodType,
    pub access: u16,
    pub body: MethodBody,
}

/// The code or native implementation that runs when a method is called.
pub enum MethodBody {
    Code(Prepared),
    /// The machine implements the method itself, because there is no code or for speed.
    Native(NativeId),
    /// Native code that the machine does not implement.
    Unmodelled,
    Abstract,
}

/// The number of a method that the machine implements itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeId(pub u16);

/// Identifies a method in the table of methods that the machine implements itself.
pub struct Signature<'a> {
    pub class: &'a Text,
    pub name: &'a Text,
    pub descriptor: &'a Text,
    pub is_native: bool,
}

/// Looks up whether the machine implements a method itself.
pub type FindNative = fn(&Signature<'_>) -> Option<NativeId>;

/// Code, and what its instructions resolved to when they first ran.
pub struct Prepared {
    pub code: Code,
    pub sites: Box<[OnceCell<Site>]>,
    /// The line of each instruction, 0 where unknown.
    pub lines: Box<[u16]>,
}

/// The target to which the symbolic operand of an instruction resolved.
pub enum Site {
    Field(FieldSite),
    Method(Rc<Method>),
    Type(TypeId),
    /// The number of a string literal.
    Literal(u32),
    Dynamic(Rc<CallSite>),
}

/// The field to which an instruction resolved.
#[derive(Clone, Copy, Debug)]
pub struct FieldSite {
    pub class: ClassId,
    pub slot: usize,
    /// Whether earlier calls may have changed it.
    pub is_lasting: bool,
}

/// The behaviour of a linked call site.
pub enum CallSite {
    /// Makes an object of this class, whose fields are the captured values of the lambda.
    Closure(ClassId),
    /// Calls a method that was generated for it.
    Call(Rc<Method>),
    /// Calls a method that was generated for it and that builds a string.
    Text(Rc<Method>),
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// Whether the method was generated to make a field of an input.
    pub fn makes_field_of_input(&self) -> bool {
        self.class_name.as_bytes().starts_with(b"lapidary/Given$Field$")
    }

    /// How many values a call takes from the stack.
    pub fn arguments(&self) -> usize {
        self.type_.parameters.len() + usize::from(!self.is_static())
    }

    pub fn code(&self) -> Option<&Code> {
        self.prepared().map(|prepared| &prepared.code)
    }

    pub fn prepared(&self) -> Option<&Prepared> {
        match &self.body {
            MethodBody::Code(prepared) => Some(prepared),
            _ => None,
        }
    }

    /// The source line of an instruction, 0 where unknown.
    pub fn line(&self, at: usize) -> u16 {
        self.prepared().and_then(|prepared| prepared.lines.get(at).copied()).unwrap_or(0)
    }

    pub fn is(&self, class: &str, name: &str) -> bool {
        self.class_name == class && self.name == name
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.class_name.as_str().replace('/', "."), self.name)
    }
}

impl Prepared {
    pub fn new(code: Code) -> Prepared {
        let count = code.instructions.len();
        let mut lines = vec![0; count];
        for attribute in &code.attributes {
            if let Attribute::LineNumberTable(table) = attribute {
                mark_lines(&mut lines, table);
            }
        }
        Prepared { code, sites: (0..count).map(|_| OnceCell::new()).collect(), lines: lines.into() }
    }

    pub fn instruction(&self, at: usize) -> &Instruction {
        &self.code.instructions[at]
    }

    pub fn handlers_at(&self, at: usize) -> impl Iterator<Item = &Handler> {
        let at = at as u32;
        self.code.handlers.iter().filter(move |handler| (handler.start..handler.end).contains(&at))
    }
}

fn mark_lines(lines: &mut [u16], table: &[lapidary_classfile::LineNumber]) {
    let mut starts: Vec<_> = table.iter().map(|entry| (entry.position as usize, entry.line)).collect();
    starts.sort_unstable();
    for (place, (start, line)) in starts.iter().enumerate() {
        let end = starts.get(place + 1).map_or(lines.len(), |next| next.0).min(lines.len());
        lines[(*start).min(end)..end].fill(*line);
    }
}

/// The kind of a value of this type on the stack.
pub fn kind_of(type_: &FieldType) -> Kind {
    match type_ {
        FieldType::Base(BaseType::Long) => Kind::Long,
        FieldType::Base(BaseType::Float) => Kind::Float,
        FieldType::Base(BaseType::Double) => Kind::Double,
        FieldType::Base(_) => Kind::Int,
        FieldType::Object(_) | FieldType::Array(_) => Kind::Reference,
    }
}
