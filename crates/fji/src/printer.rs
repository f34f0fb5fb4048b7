//! The printer, such that `parse(print(p)) == p`. Parts that the language fills in are omitted.

use crate::syntax::*;
use std::fmt::{self, Display, Formatter};

pub fn print(program: &Program) -> String {
    program.to_string()
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for declaration in &self.declarations {
            match declaration {
                Declaration::Class(class) => writeln!(f, "{class}")?,
                Declaration::Interface(interface) => writeln!(f, "{interface}")?,
            }
        }
        self.main.iter().try_for_each(|main| writeln!(f, "{main}"))
    }
}

impl Display for Class {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "class {}", self.name)?;
        if self.superclass != OBJECT {
            write!(f, " extends {}", self.superclass)?;
        }
        if self.interface != EMPTY_INTERFACE {
            write!(f, " implements {}", self.interface)?;
        }
        writeln!(f, " {{")?;
        self.fields.iter().try_for_each(|field| writeln!(f, "    {field};"))?;
        self.constructor.iter().try_for_each(|constructor| writeln!(f, "    {constructor}"))?;
        self.methods.iter().try_for_each(|method| writeln!(f, "    {method}"))?;
        write!(f, "}}")
    }
}

impl Display for Interface {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "interface {} {{", self.name)?;
        self.signatures.iter().try_for_each(|signature| writeln!(f, "    {signature};"))?;
        write!(f, "}}")
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.type_name, self.name)
    }
}

impl Display for Constructor {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}) {{ super({});", self.class, List(&self.parameters), List(&self.super_arguments))?;
        for (field, parameter) in &self.assignments {
            write!(f, " this.{field} = {parameter};")?;
        }
        write!(f, " }}")
    }
}

impl Display for Signature {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}({})", self.result, self.name, List(&self.parameters))
    }
}

impl Display for Method {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.signature, Body(&self.body))
    }
}

/// A method's body with its braces.
pub(crate) struct Body<'a>(pub &'a Expression);

impl Display for Body<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Expression::Opaque => write!(f, "{{ ... }}"),
            value => write!(f, "{{ return {value}; }}"),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Variable(name) => write!(f, "{name}"),
            Expression::Field { object, field } => write!(f, "{}.{field}", Receiver(object)),
            Expression::Call { object, method, arguments } => {
                write!(f, "{}.{method}({})", Receiver(object), List(arguments))
            }
            Expression::New { class, arguments } => write!(f, "new {class}({})", List(arguments)),
            Expression::Cast { type_name, operand } => write!(f, "({type_name}) {operand}"),
            Expression::Opaque => write!(f, "..."),
        }
    }
}

/// The expression before a dot. Casts and `...` get parentheses: a cast extends as far to the right
/// as it can, and further dots after `...` would be hard to tell apart.
struct Receiver<'a>(&'a Expression);

impl Display for Receiver<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Expression::Cast { .. } | Expression::Opaque => write!(f, "({})", self.0),
            object => write!(f, "{object}"),
        }
    }
}

struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, element) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{element}")?;
        }
        Ok(())
    }
}
