//! Prints trees as Java text.

use crate::simplify::reads;
use crate::tree::{Label, Node, Statement, Variable, completes};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A variable of a body: its type with markers, its initial value, and its name.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub type_: String,
    pub initial: &'static str,
    pub name: String,
}

/// Prints the statements, indented to this level.
pub fn print(body: &[Node], variables: &[Declaration], level: usize) -> String {
    let mut printer =
        Printer { variables, text: String::new(), level, inside: Vec::new(), at_definition: BTreeSet::new() };
    printer.find_definitions(body, body);
    for (index, variable) in variables.iter().enumerate() {
        if is_used(body, index) && !printer.at_definition.contains(&index) && !is_only_caught(body, index) {
            let (type_, name, initial) = (&variable.type_, &variable.name, variable.initial);
            printer.line(&format!("{type_} {name} = {initial};"));
        }
    }
    printer.body(body);
    let mut text = printer.text;
    for (index, variable) in variables.iter().enumerate() {
        text = text.replace(&crate::tree::marker(index), &variable.name);
    }
    text
}

struct Printer<'a> {
    variables: &'a [Declaration],
    text: String,
    level: usize,
    /// The targets of `break` and `continue` without a label, innermost last. `None` is a `switch`.
    inside: Vec<Option<Label>>,
    /// Variables that are still to be declared, at their first assignment.
    at_definition: BTreeSet<Variable>,
}

impl Printer<'_> {
    /// Finds variables that occur only from their first definition on, in the same list; they are
    /// declared there.
    fn find_definitions(&mut self, body: &[Node], whole: &[Node]) {
        for (place, node) in body.iter().enumerate() {
            if let Node::Statement(Statement { defines: Some(variable), .. }) = node
                && definitions(&body[place..], *variable) == definitions(whole, *variable)
                && reads(&body[place + 1..], *variable) == reads(whole, *variable)
            {
                self.at_definition.insert(*variable);
            }
            node.bodies().into_iter().for_each(|inner| self.find_definitions(inner, whole));
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = self.level * 4);
    }

    fn body(&mut self, body: &[Node]) {
        body.iter().for_each(|node| self.node(node));
    }

    fn nested(&mut self, body: &[Node]) {
        self.level += 1;
        self.body(body);
        self.level -= 1;
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Statement(statement) => self.statement(statement),
            Node::Choice(ways) => self.choice(ways),
            Node::Loop { label, body } => self.repeated(*label, body),
            Node::Block { label, body } => {
                self.line(&format!("{}: {{", name(*label)));
                self.nested(body);
                self.line("}");
            }
            Node::Try { body, catches } => {
                self.line("try {");
                self.nested(body);
                for catch in catches {
                    let caught = &self.variables[catch.variable].name;
                    self.line(&format!("}} catch ({} {caught}) {{", catch.class));
                    self.nested(&catch.body);
                }
                self.line("}");
            }
            Node::Break(label) => self.jump("break", *label),
            Node::Continue(label) => self.jump("continue", *label),
            Node::Return(None) => self.line("return;"),
            Node::Return(Some(value)) => self.line(&format!("return {value};")),
            Node::Throw(value) => self.line(&format!("throw {value};")),
            Node::Dispatch { label, cases } => self.dispatch(*label, cases),
            Node::GoTo { label, case } => {
                self.line(&format!("{}next = {case};", name(*label)));
                self.jump("continue", *label);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let expression = &statement.expression;
        match statement.defines {
            None if expression.text.ends_with('}') => self.line(&expression.text),
            None => self.line(&format!("{expression};")),
            Some(variable) => {
                let declared = &self.variables[variable];
                let type_ =
                    if self.at_definition.remove(&variable) { format!("{} ", declared.type_) } else { String::new() };
                self.line(&format!("{type_}{} = {expression};", declared.name));
            }
        }
    }

    fn choice(&mut self, ways: &[Vec<Node>]) {
        match ways {
            [way] => self.body(way),
            [way, other] => self.if_else(way, other),
            _ => {
                self.line(&format!("switch ({SYMBOLIC}.selectState({})) {{", ways.len()));
                self.inside.push(None);
                self.level += 1;
                for (number, way) in ways.iter().enumerate() {
                    let case = if number + 1 == ways.len() { "default".to_owned() } else { format!("case {number}") };
                    if way.is_empty() {
                        self.line(&format!("{case} -> {{}}"));
                    } else {
                        self.line(&format!("{case} -> {{"));
                        self.nested(way);
                        self.line("}");
                    }
                }
                self.level -= 1;
                self.inside.pop();
                self.line("}");
            }
        }
    }

    fn if_else(&mut self, way: &[Node], other: &[Node]) {
        self.line(&format!("if ({SYMBOLIC}.randomChoice()) {{"));
        self.nested(way);
        if !other.is_empty() {
            self.line("} else {");
            self.nested(other);
        }
        self.line("}");
    }

    fn repeated(&mut self, label: Label, body: &[Node]) {
        if let Some(start) = until(label, body) {
            let prefix = if needs_label(start, label, true) { format!("{}: ", name(label)) } else { String::new() };
            self.line(&format!("{prefix}do {{"));
            self.inside.push(Some(label));
            self.nested(start);
            self.inside.pop();
            self.line(&format!("}} while ({SYMBOLIC}.randomChoice());"));
            return;
        }
        let (condition, start, rest) = match body.split_first() {
            Some((Node::Choice(ways), rest)) if ways.len() == 2 && ways.contains(&vec![Node::Break(label)]) => {
                let inside = ways.iter().find(|way| **way != [Node::Break(label)]);
                (format!("{SYMBOLIC}.randomChoice()"), inside.map_or(&[][..], Vec::as_slice), rest)
            }
            _ => ("true".to_owned(), &[][..], body),
        };
        // The label is needed where a statement in between would capture the jump.
        let prefix = if needs_label(start, label, true) || needs_label(rest, label, true) {
            format!("{}: ", name(label))
        } else {
            String::new()
        };
        self.line(&format!("{prefix}while ({condition}) {{"));
        self.inside.push(Some(label));
        self.nested(start);
        if completes(start) {
            self.nested(rest);
        }
        self.inside.pop();
        self.line("}");
    }

    fn dispatch(&mut self, label: Label, cases: &[Vec<Node>]) {
        self.line(&format!("int {}next = 0;", name(label)));
        self.line(&format!("{}: while (true) {{", name(label)));
        self.level += 1;
        self.line(&format!("switch ({}next) {{", name(label)));
        self.level += 1;
        self.inside.extend([Some(label), None]);
        for (number, case) in cases.iter().enumerate() {
            let word = if number + 1 == cases.len() { "default".to_owned() } else { format!("case {number}") };
            self.line(&format!("{word} -> {{"));
            self.nested(case);
            self.line("}");
        }
        self.inside.truncate(self.inside.len() - 2);
        for _ in 0..2 {
            self.level -= 1;
            self.line("}");
        }
    }

    fn jump(&mut self, word: &str, label: Label) {
        let innermost = match word {
            "break" => self.inside.last().copied().flatten(),
            _ => self.inside.iter().rev().find_map(|place| *place),
        };
        let target = if innermost == Some(label) { String::new() } else { format!(" {}", name(label)) };
        self.line(&format!("{word}{target};"));
    }
}

/// The repeated part of a loop that ends in the choice whether to continue.
fn until(label: Label, body: &[Node]) -> Option<&[Node]> {
    let (last, start) = body.split_last()?;
    let leaves = vec![Node::Break(label)];
    let is_end =
        matches!(last, Node::Choice(ways) if ways.len() == 2 && ways.contains(&leaves) && ways.contains(&Vec::new()));
    let goes_on = start.iter().any(|node| crate::simplify::continues(node, label));
    (is_end && !goes_on && !start.is_empty() && completes(start)).then_some(start)
}

/// The marker of the class of choices.
const SYMBOLIC: &str = "\u{1}lapidary/Symbolic\u{2}";

fn name(label: Label) -> String {
    format!("label{label}")
}

/// Returns whether a jump to the loop's label needs that label, because a jump without one would
/// refer to a statement in between.
fn needs_label(body: &[Node], label: Label, is_innermost: bool) -> bool {
    body.iter().any(|node| match node {
        Node::Break(target) => *target == label && !is_innermost,
        Node::Continue(target) => *target == label && !is_innermost,
        Node::Loop { .. } | Node::Dispatch { .. } => node.mentions(label),
        Node::Choice(ways) if ways.len() > 2 => {
            // A switch captures `break`, but not `continue`.
            node.breaks(label) || ways.iter().any(|way| needs_label(way, label, is_innermost))
        }
        _ => node.bodies().into_iter().any(|inner| needs_label(inner, label, is_innermost)),
    })
}

/// The number of statements that assign the variable.
pub fn definitions(body: &[Node], variable: Variable) -> usize {
    let own = |node: &Node| match node {
        Node::Statement(statement) => usize::from(statement.defines == Some(variable)),
        _ => node.bodies().into_iter().map(|inner| definitions(inner, variable)).sum(),
    };
    body.iter().map(own).sum()
}

/// Returns whether the variable occurs in the body.
pub fn is_used(body: &[Node], variable: Variable) -> bool {
    reads(body, variable) > 0 || definitions(body, variable) > 0 || is_only_caught(body, variable)
}

/// Returns whether a `catch` declares the variable.
fn is_only_caught(body: &[Node], variable: Variable) -> bool {
    body.iter().any(|node| {
        let here = matches!(node, Node::Try { catches, .. } if catches.iter().any(|catch| catch.variable == variable));
        here || node.bodies().into_iter().any(|inner| is_only_caught(inner, variable))
    })
}
