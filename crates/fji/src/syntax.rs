//! The syntax of Featherweight Java with Interfaces (PLDI 2021, figure 4).
//!
//! Two programs are equal if they have the same meaning: positions ([`Span`]) do not count, nor
//! does omitting parts that the language fills in (`extends Object`, `implements EmptyInterface`).

use std::ops::Range;

pub const OBJECT: &str = "Object";
pub const STRING: &str = "String";
pub const EMPTY_INTERFACE: &str = "EmptyInterface";

/// A program `R̄ e`. A library has no main expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub declarations: Vec<Declaration>,
    pub main: Option<Expression>,
    pub main_span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    Class(Class),
    Interface(Interface),
}

impl Declaration {
    pub fn name(&self) -> &str {
        match self {
            Declaration::Class(class) => &class.name,
            Declaration::Interface(interface) => &interface.name,
        }
    }

    pub fn span(&self) -> &Span {
        match self {
            Declaration::Class(class) => &class.span,
            Declaration::Interface(interface) => &interface.span,
        }
    }
}

/// A class `class C extends D implements I { T̄ f̄; K M̄ }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    pub name: String,
    pub superclass: String,
    pub interface: String,
    pub fields: Vec<Variable>,
    /// `None` stands for the canonical constructor.
    pub constructor: Option<Constructor>,
    pub methods: Vec<Method>,
    pub span: Span,
    /// The span from `implements` to the name of the interface; empty if the clause was omitted.
    pub implements_span: Span,
}

/// An interface `interface I { S̄ }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub name: String,
    pub signatures: Vec<Signature>,
    pub span: Span,
}

/// A field or a parameter: `T x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub type_name: String,
    pub name: String,
}

/// A constructor `C(T̄ f̄) { super(f̄); this.f̄ = f̄; }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    pub class: String,
    pub parameters: Vec<Variable>,
    pub super_arguments: Vec<String>,
    /// Pairs of a field and the parameter assigned to it.
    pub assignments: Vec<(String, String)>,
}

/// A signature `T m(T̄ x̄);`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub result: String,
    pub name: String,
    pub parameters: Vec<Variable>,
    pub span: Span,
}

impl Signature {
    /// The result type, then the types of the parameters.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.result).chain(self.parameters.iter().map(|p| &p.type_name)).map(String::as_str)
    }
}

/// A method `T m(T̄ x̄) { return e; }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    pub signature: Signature,
    pub body: Expression,
    /// The span of the body, including its braces.
    pub body_span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    Variable(String),
    Field {
        object: Box<Expression>,
        field: String,
    },
    Call {
        object: Box<Expression>,
        method: String,
        arguments: Vec<Expression>,
    },
    New {
        class: String,
        arguments: Vec<Expression>,
    },
    Cast {
        type_name: String,
        operand: Box<Expression>,
    },
    /// Omitted code, written `...`. It fits wherever an expression does and depends on nothing.
    Opaque,
}

/// The range of bytes in the source. All spans compare equal, so that programs compare by meaning.
#[derive(Clone, Debug, Default)]
pub struct Span(pub Range<usize>);

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}
