//! Generates random programs. They end on every input: loops count to small numbers or iterate over
//! inputs.

mod expressions;
mod statements;

use super::dice::Dice;
use super::syntax::{Local, Method, Program, Style, Type};

/// A random program, with `name` as the prefix of its class names.
pub fn grown(name: &str, seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let is_static = dice.below(3) > 0;
    let returns = RESULTS[dice.below(RESULTS.len())];
    let mut grow = Grow { dice, scope: Vec::new(), fields: Vec::new(), next: 0, turns: 0, returns };
    if !is_static {
        let count = 1 + grow.dice.below(2);
        grow.fields = (0..count).map(|place| (FIELDS[place], grow.input_type())).collect();
    } else if grow.dice.one_in(6) {
        grow.fields = vec![(FIELDS[0], Type::Int)];
    }
    let count = grow.dice.below(2) + usize::from(is_static);
    let mut parameters: Vec<Local> = (0..count).map(|_| grow.declared_input()).collect();
    if grow.dice.below(4) > 0 && !parameters.iter().any(|local| local.type_ == Type::Int) {
        parameters.push(grow.fresh(Type::Int));
    }
    grow.scope = parameters.clone();
    let statements = 2 + grow.dice.below(4);
    let mut body = grow.block(statements, 2);
    if !super::inspect::leaves(&body) {
        body.push(grow.return_());
    }
    let entry = Method { name: "run".to_owned(), parameters, returns: grow.returns, body };
    Program {
        name: name.to_owned(),
        is_static,
        fields: grow.fields,
        entry,
        helpers: Vec::new(),
        style: Style::default(),
        route: None,
        next_local: grow.next,
    }
}

const FIELDS: [&str; 2] = ["first", "second"];

const RESULTS: [Type; 10] = [
    Type::Int,
    Type::Int,
    Type::Int,
    Type::Int,
    Type::Bool,
    Type::Long,
    Type::Text,
    Type::Item,
    Type::Void,
    Type::Point,
];

/// The types of inputs; those listed twice are chosen twice as often.
const INPUTS: [Type; 22] = [
    Type::Int,
    Type::Int,
    Type::Int,
    Type::Int,
    Type::Long,
    Type::Bool,
    Type::Char,
    Type::Text,
    Type::Ints,
    Type::Item,
    Type::Item,
    Type::Items,
    Type::List,
    Type::List,
    Type::Numbers,
    Type::Map,
    Type::Set,
    Type::Deque,
    Type::Optional,
    Type::Colour,
    Type::Point,
    Type::Shape,
];

/// A program under construction.
struct Grow {
    dice: Dice,
    scope: Vec<Local>,
    fields: Vec<(&'static str, Type)>,
    next: u32,
    /// The number of enclosing loops.
    turns: usize,
    returns: Type,
}

impl Grow {
    fn input_type(&mut self) -> Type {
        if self.dice.one_in(14) { Type::Node } else { INPUTS[self.dice.below(INPUTS.len())] }
    }

    fn declared_input(&mut self) -> Local {
        let type_ = self.input_type();
        self.fresh(type_)
    }

    fn fresh(&mut self, type_: Type) -> Local {
        self.next += 1;
        Local { id: self.next, type_ }
    }
}
