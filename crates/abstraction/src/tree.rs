//! Method bodies in the form of Java: nested statements.
//!
//! An abstract body has no conditions. Where the concrete one decides, this one chooses. Variables
//! and classes are markers in texts, because their names are chosen when the whole class is known.

use std::fmt;

/// A variable that a body introduces.
pub type Variable = usize;

/// A target of `break` and `continue`.
pub type Label = usize;

/// Java text with the variables it reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expression {
    pub text: String,
}

impl Expression {
    pub fn new(text: impl Into<String>) -> Self {
        Expression { text: text.into() }
    }

    pub fn variable(variable: Variable) -> Self {
        Expression::new(marker(variable))
    }

    pub fn reads(&self, variable: Variable) -> bool {
        self.text.contains(&marker(variable))
    }

    /// The number of occurrences of the variable.
    pub fn count(&self, variable: Variable) -> usize {
        self.text.matches(&marker(variable)).count()
    }

    /// Returns whether evaluation may throw.
    pub fn calls(&self) -> bool {
        self.text.contains('(')
    }

    /// Returns whether Java allows the expression as a statement: a call or a `new`, but not a read
    /// or cast.
    pub fn can_stand_alone(&self) -> bool {
        self.text.ends_with(')') && !self.text.starts_with('(')
    }

    pub fn replace(&mut self, variable: Variable, by: &Expression) {
        self.text = self.text.replace(&marker(variable), &by.text);
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// The marker of a variable, until it has a name.
pub fn marker(variable: Variable) -> String {
    format!("\u{3}{variable}\u{4}")
}

/// A statement that does not branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement {
    /// The variable that receives the value.
    pub defines: Option<Variable>,
    pub expression: Expression,
    /// Whether the statement can be dropped when its variable is not read.
    pub is_pure: bool,
    /// Whether the statement runs foreign code, which may throw.
    pub may_throw: bool,
    /// The variable that the statement only fills. It can be dropped when nothing else reads that
    /// variable.
    pub serves: Option<Variable>,
    /// Whether the value must be stored in a variable of the erased type, because the compiler
    /// would infer a more specific type for the value itself.
    pub needs_variable: bool,
}

impl Statement {
    /// A call without a result, or with an unused one.
    pub fn call(expression: Expression) -> Self {
        Statement { defines: None, expression, is_pure: false, may_throw: true, serves: None, needs_variable: false }
    }

    /// A statement that cannot throw.
    pub fn plain(expression: Expression) -> Self {
        Statement { may_throw: false, ..Statement::call(expression) }
    }

    pub fn defining(mut self, variable: Variable) -> Self {
        self.defines = Some(variable);
        self
    }

    pub fn pure(mut self) -> Self {
        self.is_pure = true;
        self
    }
}

/// A Java statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    Statement(Statement),
    /// An arbitrary choice between several branches.
    Choice(Vec<Vec<Node>>),
    /// A loop that repeats until a statement leaves it.
    Loop {
        label: Label,
        body: Vec<Node>,
    },
    /// A labelled block; `break` with the label goes behind it.
    Block {
        label: Label,
        body: Vec<Node>,
    },
    Try {
        body: Vec<Node>,
        catches: Vec<Catch>,
    },
    /// Leaves the block or loop.
    Break(Label),
    /// Goes to the start of the loop.
    Continue(Label),
    Return(Option<Expression>),
    Throw(Expression),
    /// A loop that runs the case whose number was set last, starting with the first. For graphs
    /// that cannot be structured.
    Dispatch {
        label: Label,
        cases: Vec<Vec<Node>>,
    },
    /// Sets the number of the next case and goes to the start of the dispatcher.
    GoTo {
        label: Label,
        case: usize,
    },
}

/// A handler of an exception.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Catch {
    /// The class, as a marker.
    pub class: String,
    pub variable: Variable,
    pub body: Vec<Node>,
}

impl Node {
    /// The statement lists directly inside this one.
    pub fn bodies(&self) -> Vec<&Vec<Node>> {
        match self {
            Node::Choice(ways) | Node::Dispatch { cases: ways, .. } => ways.iter().collect(),
            Node::Loop { body, .. } | Node::Block { body, .. } => vec![body],
            Node::Try { body, catches } => {
                std::iter::once(body).chain(catches.iter().map(|catch| &catch.body)).collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Node>> {
        match self {
            Node::Choice(ways) | Node::Dispatch { cases: ways, .. } => ways.iter_mut().collect(),
            Node::Loop { body, .. } | Node::Block { body, .. } => vec![body],
            Node::Try { body, catches } => {
                std::iter::once(body).chain(catches.iter_mut().map(|catch| &mut catch.body)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns whether a statement inside jumps to the label.
    pub fn mentions(&self, label: Label) -> bool {
        match self {
            Node::Break(target) | Node::Continue(target) | Node::GoTo { label: target, .. } => *target == label,
            _ => self.bodies().into_iter().flatten().any(|node| node.mentions(label)),
        }
    }

    /// Returns whether a statement inside leaves the block or loop of this label.
    pub fn breaks(&self, label: Label) -> bool {
        match self {
            Node::Break(target) => *target == label,
            _ => self.bodies().into_iter().flatten().any(|node| node.breaks(label)),
        }
    }

    /// Returns whether the statement can complete normally by the rules of the compiler (JLS
    /// 14.22).
    pub fn completes(&self) -> bool {
        match self {
            Node::Statement(_) => true,
            Node::Choice(ways) => ways.iter().any(|way| completes(way)),
            Node::Loop { label, body } => body.iter().any(|node| node.breaks(*label)),
            Node::Block { label, body } => completes(body) || body.iter().any(|node| node.breaks(*label)),
            Node::Try { body, catches } => completes(body) || catches.iter().any(|catch| completes(&catch.body)),
            _ => false,
        }
    }
}

/// Returns whether the list of statements can complete normally.
pub fn completes(body: &[Node]) -> bool {
    body.iter().all(Node::completes)
}

/// Visits every expression.
pub fn each_expression<'a>(body: &'a [Node], visit: &mut impl FnMut(&'a Expression)) {
    for node in body {
        match node {
            Node::Statement(statement) => visit(&statement.expression),
            Node::Return(Some(expression)) | Node::Throw(expression) => visit(expression),
            _ => node.bodies().into_iter().for_each(|inner| each_expression(inner, visit)),
        }
    }
}
