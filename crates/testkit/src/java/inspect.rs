//! The effects of expressions and statements, and visitors of their parts.

use super::syntax::{Call, Effect, Expr, Local, Program, Stmt, Target};
use std::collections::BTreeSet;

impl Expr {
    /// The effect of evaluating the expression, including its parts.
    pub fn effect(&self) -> Effect {
        let own = match self {
            Expr::Own(..) => Effect { reads: true, ..Effect::NOTHING },
            Expr::Field(..) | Expr::Element(..) => Effect::READS,
            Expr::Binary("/" | "%", _, divisor) => {
                let is_safe = matches!(**divisor, Expr::Int(number) if number != 0)
                    || matches!(**divisor, Expr::Long(number) if number != 0);
                Effect { throws: !is_safe, ..Effect::NOTHING }
            }
            Expr::Call(call) => call.effect,
            _ => Effect::NOTHING,
        };
        self.parts().into_iter().fold(own, |effect, part| effect.and(part.effect()))
    }

    /// Returns whether the value depends only on locals and constants, and evaluation cannot fail.
    pub fn is_plain(&self) -> bool {
        self.effect() == Effect::NOTHING
    }

    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Unary(_, part) | Expr::Cast(_, part) | Expr::Field(part, ..) | Expr::Lambda(part) => vec![part],
            Expr::Binary(_, left, right) | Expr::Element(left, right) => vec![left, right],
            Expr::Conditional(condition, yes, no) => vec![condition, yes, no],
            Expr::Call(call) => call.object().into_iter().chain(&call.arguments).collect(),
            _ => Vec::new(),
        }
    }

    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Unary(_, part) | Expr::Cast(_, part) | Expr::Field(part, ..) | Expr::Lambda(part) => vec![part],
            Expr::Binary(_, left, right) | Expr::Element(left, right) => vec![left, right],
            Expr::Conditional(condition, yes, no) => vec![condition, yes, no],
            Expr::Call(Call { target, arguments, .. }) => {
                let object = match target {
                    Target::Object(object) => Some(&mut **object),
                    _ => None,
                };
                object.into_iter().chain(arguments).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Visits all parts, and then the expression itself.
    pub fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        self.parts_mut().into_iter().for_each(|part| part.each_mut(visit));
        visit(self);
    }

    pub fn locals(&self) -> BTreeSet<Local> {
        let mut found: BTreeSet<Local> = self.parts().into_iter().flat_map(Expr::locals).collect();
        if let Expr::Local(local) = self {
            found.insert(*local);
        }
        found
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        1 + self.parts().into_iter().map(Expr::size).sum::<usize>()
    }
}

impl Call {
    pub fn object(&self) -> Option<&Expr> {
        match &self.target {
            Target::Object(object) => Some(object),
            _ => None,
        }
    }
}

impl Stmt {
    /// The expressions of the statement itself, including the target of an assignment if it is a
    /// field or an element.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Let(_, value) | Stmt::Throw(_, value) | Stmt::Print(value) | Stmt::Do(value) => vec![value],
            Stmt::Assign(target, value) | Stmt::Update(target, _, value) => {
                target.parts_mut().into_iter().chain([value]).collect()
            }
            Stmt::If(condition, ..) | Stmt::While(condition, _) => vec![condition],
            Stmt::For(_, from, to, _) => vec![from, to],
            Stmt::Each(_, over, _) => vec![over],
            Stmt::Switch(on, ..) => vec![on],
            Stmt::Return(value) => value.iter_mut().collect(),
            Stmt::Try(..) | Stmt::Finally(_) | Stmt::Block(_) => Vec::new(),
        }
    }

    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::If(_, yes, no) => vec![yes, no],
            Stmt::For(.., body) | Stmt::While(_, body) | Stmt::Each(_, _, body) => vec![body],
            Stmt::Finally(body) | Stmt::Block(body) => vec![body],
            Stmt::Switch(_, cases, other) => cases.iter().map(|(_, body)| body).chain([other]).collect(),
            Stmt::Try(body, _, handler) => vec![body, handler],
            _ => Vec::new(),
        }
    }

    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If(_, yes, no) => vec![yes, no],
            Stmt::For(.., body) | Stmt::While(_, body) | Stmt::Each(_, _, body) => vec![body],
            Stmt::Finally(body) | Stmt::Block(body) => vec![body],
            Stmt::Switch(_, cases, other) => cases.iter_mut().map(|(_, body)| body).chain([other]).collect(),
            Stmt::Try(body, _, handler) => vec![body, handler],
            _ => Vec::new(),
        }
    }

    /// Returns whether control never continues behind the statement.
    pub fn leaves(&self) -> bool {
        match self {
            Stmt::Return(_) | Stmt::Throw(..) => true,
            Stmt::If(_, yes, no) => leaves(yes) && leaves(no),
            Stmt::Block(body) | Stmt::Finally(body) => leaves(body),
            Stmt::Try(body, _, handler) => leaves(body) && leaves(handler),
            Stmt::Switch(_, cases, other) => cases.iter().all(|(_, body)| leaves(body)) && leaves(other),
            _ => false,
        }
    }

    /// Returns whether the statement or a part of it may write to an object or print.
    pub fn writes(&self) -> bool {
        let mut copy = self.clone();
        let own = match self {
            Stmt::Assign(target, _) | Stmt::Update(target, ..) => !matches!(target, Expr::Local(_)),
            Stmt::Print(_) => true,
            _ => false,
        };
        own || copy.expressions_mut().iter().any(|part| part.effect().writes)
            || self.blocks().into_iter().flatten().any(Stmt::writes)
    }
}

/// Returns whether control never continues behind the block.
pub fn leaves(body: &[Stmt]) -> bool {
    body.last().is_some_and(Stmt::leaves)
}

/// The locals that are assigned anywhere after their declaration.
pub fn assigned(body: &[Stmt]) -> BTreeSet<Local> {
    let mut found = BTreeSet::new();
    for statement in body {
        match statement {
            Stmt::Assign(Expr::Local(local), _) | Stmt::Update(Expr::Local(local), ..) => drop(found.insert(*local)),
            Stmt::For(local, ..) => drop(found.insert(*local)),
            _ => {}
        }
        statement.blocks().into_iter().for_each(|body| found.extend(assigned(body)));
    }
    found
}

/// Visits every block of statements, inner ones first.
pub fn each_block(body: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    for statement in body.iter_mut() {
        statement.blocks_mut().into_iter().for_each(|inner| each_block(inner, visit));
    }
    visit(body);
}

/// Visits every expression, inner ones first.
pub fn each_expression(body: &mut [Stmt], visit: &mut dyn FnMut(&mut Expr)) {
    for statement in body {
        statement.expressions_mut().into_iter().for_each(|part| part.each_mut(visit));
        statement.blocks_mut().into_iter().for_each(|inner| each_expression(inner, visit));
    }
}

impl Program {
    /// The largest length of texts, arrays and collections that keeps the number of paths small:
    /// two elements, or one if there are several such inputs or a map.
    pub fn bound(&self) -> usize {
        use super::Type::{Deque, Ints, Items, List, Map, Numbers, Set, Text};
        let types: Vec<super::Type> = self
            .entry
            .parameters
            .iter()
            .map(|local| local.type_)
            .chain(self.fields.iter().map(|field| field.1))
            .collect();
        let is_long = |type_: &&super::Type| matches!(type_, Deque | Ints | Items | List | Map | Numbers | Set | Text);
        if types.contains(&Map) || types.iter().filter(is_long).count() > 1 { 1 } else { 2 }
    }

    /// A local that does not occur in the program.
    pub fn fresh(&mut self, type_: super::Type) -> Local {
        self.next_local += 1;
        Local { id: self.next_local, type_ }
    }
}
