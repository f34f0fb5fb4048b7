//! Method bodies as Java has them: statements inside statements.
//!
//! An abstract body has no conditions. Where the concrete one decides, this one chooses. Variables and classes stand in
//! texts as markers, because their names are found when the whole class is known.

use std::fmt;

/// A variable that a body makes for itself.
pub type Variable = usize;

/// Names a place that `break` and `continue` lead to.
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

    /// How often the variable stands in it.
    pub fn count(&self, variable: Variable) -> usize {
        self.text.matches(&marker(variable)).count()
    }

    /// Whether it runs anything that may throw.
    pub fn calls(&self) -> bool {
        self.text.contains('(')
    }

    /// Whether Java lets it be a statement: a call or a `new`, and no read or cast.
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

/// How a variable stands in a text until it has a name.
pub fn marker(variable: Variable) -> String {
    format!("\u{3}{variable}\u{4}")
}

/// One step that does not branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement {
    /// The variable that gets the value.
    pub defines: Option<Variable>,
    pub expression: Expression,
    /// Nobody misses it when its variable is not read.
    pub is_pure: bool,
    /// It runs code of others, which may throw.
    pub may_throw: bool,
    /// It only fills this variable: nobody misses it when nothing else reads that.
    pub serves: Option<Variable>,
    /// The compiler would see more in the value itself than in a variable of the erased type.
    pub needs_variable: bool,
}

impl Statement {
    /// A call that gives nothing back, or whose result nobody wants.
    pub fn call(expression: Expression) -> Self {
        Statement { defines: None, expression, is_pure: false, may_throw: true, serves: None, needs_variable: false }
    }

    /// A step that cannot throw.
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

/// A statement of Java.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    Statement(Statement),
    /// One of several ways on, without a reason.
    Choice(Vec<Vec<Node>>),
    /// Runs again and again until something leaves it.
    Loop {
        label: Label,
        body: Vec<Node>,
    },
    /// `break` with the label goes behind it.
    Block {
        label: Label,
        body: Vec<Node>,
    },
    Try {
        body: Vec<Node>,
        catches: Vec<Catch>,
    },
    /// Goes behind the block or loop.
    Break(Label),
    /// Goes to the start of the loop.
    Continue(Label),
    Return(Option<Expression>),
    Throw(Expression),
    /// A loop that runs the case whose number was set last, starting with the first: for what has no structure.
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

/// What happens when something was thrown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Catch {
    /// A class as it stands in texts.
    pub class: String,
    pub variable: Variable,
    pub body: Vec<Node>,
}

impl Node {
    /// The statement lists directly inside.
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

    /// Whether something inside jumps to the label.
    pub fn mentions(&self, label: Label) -> bool {
        match self {
            Node::Break(target) | Node::Continue(target) | Node::GoTo { label: target, .. } => *target == label,
            _ => self.bodies().into_iter().flatten().any(|node| node.mentions(label)),
        }
    }

    /// Whether something inside leaves the block or loop of this label.
    pub fn breaks(&self, label: Label) -> bool {
        match self {
            Node::Break(target) => *target == label,
            _ => self.bodies().into_iter().flatten().any(|node| node.breaks(label)),
        }
    }

    /// Whether control can come out behind it, by the rules of the compiler (JLS 14.22).
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

/// Whether control can come to the end of the list.
pub fn completes(body: &[Node]) -> bool {
    body.iter().all(Node::completes)
}

/// Shows every expression to a visitor.
pub fn each_expression<'a>(body: &'a [Node], visit: &mut impl FnMut(&'a Expression)) {
    for node in body {
        match node {
            Node::Statement(statement) => visit(&statement.expression),
            Node::Return(Some(expression)) | Node::Throw(expression) => visit(expression),
            _ => node.bodies().into_iter().for_each(|inner| each_expression(inner, visit)),
        }
    }
}
