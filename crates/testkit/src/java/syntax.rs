//! The syntax of generated programs. Locals are numbers, so that a rendering can choose their
//! names.

use super::escape::Route;

/// The types of values. `Item`, `Node`, `Point`, `Colour` and `Shape` are classes of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Type {
    Void,
    Int,
    Long,
    Bool,
    Char,
    Text,
    /// `int[]`
    Ints,
    /// A class with fields, getters and methods that write them.
    Item,
    /// `Item[]`
    Items,
    /// `List<Item>`
    List,
    /// `List<Integer>`
    Numbers,
    /// `Map<String, Item>`
    Map,
    /// `Set<Integer>`
    Set,
    /// `Deque<Item>`
    Deque,
    /// `Optional<Item>`
    Optional,
    /// An enum.
    Colour,
    /// A record.
    Point,
    /// An interface that two classes implement.
    Shape,
    /// A class that refers to itself and to an item.
    Node,
}

/// A local variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Local {
    pub id: u32,
    pub type_: Type,
}

/// An expression of a generated program.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Int(i32),
    Long(i64),
    Bool(bool),
    Char(char),
    Text(String),
    Null(Type),
    /// A constant of the enum.
    Constant(usize),
    Local(Local),
    /// A field of the entry method's object, or a static one of its class.
    Own(&'static str, Type),
    /// A field of another object.
    Field(Box<Expr>, &'static str, Type),
    /// `-`, `~`, `!`, or a cast to a small number.
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(Type, Box<Expr>),
    /// An element of an array.
    Element(Box<Expr>, Box<Expr>),
    Call(Call),
    /// The value of an expression, computed by a lambda that is called immediately.
    Lambda(Box<Expr>),
}

/// A call of a method.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub target: Target,
    pub name: String,
    pub arguments: Vec<Expr>,
    pub type_: Type,
    pub effect: Effect,
}

/// The receiver of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    Object(Box<Expr>),
    /// A static method of the library.
    Library(&'static str),
    /// A method of the entry method's class.
    Own,
    /// A constructor of a class of the program.
    New(&'static str),
}

/// The effect of a call, apart from its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    pub reads: bool,
    pub writes: bool,
    pub throws: bool,
}

/// A statement of a generated program.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    Let(Local, Expr),
    /// An assignment to a local, a field or an element of an array.
    Assign(Expr, Expr),
    /// `target op= value`, for numbers.
    Update(Expr, &'static str, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// `for (int local = from; local < to; local++)`
    For(Local, Expr, Expr, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    /// A loop over the elements of an array or a collection.
    Each(Local, Expr, Vec<Stmt>),
    Switch(Expr, Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// A body, the exception that is caught, and the handler.
    Try(Vec<Stmt>, &'static str, Vec<Stmt>),
    /// `try { … } finally { }`
    Finally(Vec<Stmt>),
    Block(Vec<Stmt>),
    Return(Option<Expr>),
    Throw(&'static str, Expr),
    Print(Expr),
    Do(Expr),
}

/// A method of a generated program.
#[derive(Clone, PartialEq, Debug)]
pub struct Method {
    pub name: String,
    pub parameters: Vec<Local>,
    pub returns: Type,
    pub body: Vec<Stmt>,
}

/// A program: a class with an entry method `run`, and the classes that it uses.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The name of the class, which is the prefix of the names of the others.
    pub name: String,
    pub is_static: bool,
    /// The fields of the class, which are static if the entry method is.
    pub fields: Vec<(&'static str, Type)>,
    pub entry: Method,
    /// Methods of the class, which are static if the entry method is.
    pub helpers: Vec<Method>,
    pub style: Style,
    /// How the behaviour of the entry method escapes a call of another method, if it has one.
    pub route: Option<Route>,
    /// The number of the next local.
    pub next_local: u32,
}

/// The choices of a rendering outside the entry method.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Style {
    /// The choice of a prefix for the names of locals.
    pub names: usize,
    /// Classes with an unused method; `""` stands for the class of the entry method.
    pub unused_methods: Vec<&'static str>,
    pub unused_fields: Vec<&'static str>,
    /// Classes whose methods are written in an alternative way.
    pub otherwise: Vec<&'static str>,
    /// Whether every block prints a mark when it is entered.
    pub has_marks: bool,
}

impl Type {
    pub fn is_number(self) -> bool {
        matches!(self, Type::Int | Type::Long | Type::Char)
    }

    pub fn is_primitive(self) -> bool {
        self.is_number() || self == Type::Bool
    }
}

impl Expr {
    pub fn type_(&self) -> Type {
        match self {
            Expr::Int(_) => Type::Int,
            Expr::Long(_) => Type::Long,
            Expr::Bool(_) => Type::Bool,
            Expr::Char(_) => Type::Char,
            Expr::Text(_) => Type::Text,
            Expr::Constant(_) => Type::Colour,
            Expr::Null(type_) | Expr::Own(_, type_) | Expr::Field(_, _, type_) | Expr::Cast(type_, _) => *type_,
            Expr::Local(local) => local.type_,
            Expr::Unary("!", _) => Type::Bool,
            Expr::Unary(_, operand) => promoted(operand.type_(), Type::Int),
            Expr::Binary(operator, left, right) => binary_type(operator, left.type_(), right.type_()),
            Expr::Conditional(_, yes, no) if yes.type_().is_number() => promoted(yes.type_(), no.type_()),
            Expr::Conditional(_, yes, _) => yes.type_(),
            Expr::Element(array, _) if array.type_() == Type::Items => Type::Item,
            Expr::Element(..) => Type::Int,
            Expr::Call(call) => call.type_,
            Expr::Lambda(value) => value.type_(),
        }
    }

    pub fn local(local: Local) -> Expr {
        Expr::Local(local)
    }

    pub fn binary(operator: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    pub fn not(condition: Expr) -> Expr {
        Expr::Unary("!", Box::new(condition))
    }

    pub fn conditional(condition: Expr, yes: Expr, no: Expr) -> Expr {
        Expr::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
    }

    /// A call of a method on an object.
    pub fn method(object: Expr, name: &str, arguments: Vec<Expr>, type_: Type, effect: Effect) -> Expr {
        Expr::Call(Call { target: Target::Object(Box::new(object)), name: name.to_owned(), arguments, type_, effect })
    }
}

impl Effect {
    /// Reads state that may change, and throws if the object is null.
    pub const READS: Effect = Effect { reads: true, writes: false, throws: true };
    pub const WRITES: Effect = Effect { reads: true, writes: true, throws: true };
    pub const NOTHING: Effect = Effect { reads: false, writes: false, throws: false };

    pub fn and(self, other: Effect) -> Effect {
        Effect {
            reads: self.reads || other.reads,
            writes: self.writes || other.writes,
            throws: self.throws || other.throws,
        }
    }
}

fn promoted(left: Type, right: Type) -> Type {
    match (left, right) {
        (Type::Char, Type::Char) => Type::Char,
        (Type::Long, _) | (_, Type::Long) => Type::Long,
        _ => Type::Int,
    }
}

fn binary_type(operator: &str, left: Type, right: Type) -> Type {
    match operator {
        "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||" => Type::Bool,
        "&" | "|" | "^" if left == Type::Bool => Type::Bool,
        "+" if left == Type::Text || right == Type::Text => Type::Text,
        "<<" | ">>" | ">>>" => promoted(left, Type::Int),
        // Arithmetic on characters gives an int.
        _ if left == Type::Char && right == Type::Char => Type::Int,
        _ => promoted(left, right),
    }
}
