//! Random statements: declarations, writes, branches, loops, and ways to leave the method.

use super::Grow;
use crate::java::syntax::{Effect, Expr, Local, Stmt, Type};

const CAUGHT: [&str; 4] =
    ["ArithmeticException", "NullPointerException", "IndexOutOfBoundsException", "RuntimeException"];
const THROWN: [&str; 2] = ["IllegalArgumentException", "IllegalStateException"];

impl Grow {
    pub(super) fn block(&mut self, statements: usize, depth: usize) -> Vec<Stmt> {
        let outside = self.scope.len();
        let mut body: Vec<Stmt> = Vec::new();
        for _ in 0..statements {
            let statement = self.statement(depth);
            let is_last = statement.leaves();
            body.push(statement);
            if is_last {
                break;
            }
        }
        self.scope.truncate(outside);
        body
    }

    fn inner(&mut self, depth: usize) -> Vec<Stmt> {
        let statements = 1 + self.dice.below(2);
        self.block(statements, depth - 1)
    }

    fn statement(&mut self, depth: usize) -> Stmt {
        match self.dice.below(if depth > 0 { 20 } else { 9 }) {
            0..=2 => self.let_(),
            3 | 4 => self.assign(),
            5 => self.write(),
            6 => Stmt::Print(self.shown()),
            7 if depth < 2 => self.leave(),
            9..=13 => {
                let condition = self.expr(Type::Bool, 2);
                let yes = self.inner(depth);
                let no = if self.dice.one_in(2) { self.inner(depth) } else { Vec::new() };
                Stmt::If(condition, yes, no)
            }
            14 | 15 if self.turns == 0 => self.counting(depth),
            16 | 17 if self.turns == 0 => self.each(depth),
            18 => self.switch(depth),
            19 => {
                let body = self.inner(depth);
                let caught = CAUGHT[self.dice.below(CAUGHT.len())];
                Stmt::Try(body, caught, self.inner(depth))
            }
            _ => self.write(),
        }
    }

    fn let_(&mut self) -> Stmt {
        const TYPES: [Type; 8] =
            [Type::Int, Type::Int, Type::Int, Type::Bool, Type::Long, Type::Text, Type::Item, Type::Item];
        let type_ = TYPES[self.dice.below(TYPES.len())];
        let value = self.expr(type_, 2);
        let local = self.fresh(type_);
        self.scope.push(local);
        Stmt::Let(local, value)
    }

    /// An assignment to a local that may be assigned, which excludes loop counters.
    fn assign(&mut self) -> Stmt {
        let fits =
            |local: &&Local| matches!(local.type_, Type::Int | Type::Bool | Type::Text | Type::Item | Type::Long);
        let locals: Vec<Local> = self.scope.iter().filter(fits).copied().collect();
        match self.dice.pick(&locals).copied() {
            Some(local) => Stmt::Assign(Expr::Local(local), self.expr(local.type_, 2)),
            None => self.let_(),
        }
    }

    /// A statement with an effect that is visible from outside.
    fn write(&mut self) -> Stmt {
        match self.dice.below(8) {
            0 => match self.own(Type::Int).or_else(|| self.own(Type::Item)) {
                Some(field) => {
                    let type_ = field.type_();
                    Stmt::Assign(field, self.expr(type_, 2))
                }
                None => Stmt::Print(self.shown()),
            },
            1 => match self.given(Type::Ints) {
                Some(array) => {
                    let target = Expr::Element(Box::new(array), Box::new(self.index()));
                    Stmt::Assign(target, self.expr(Type::Int, 1))
                }
                None => Stmt::Print(self.shown()),
            },
            2 => {
                let item = self.expr(Type::Item, 1);
                Stmt::Assign(Expr::Field(Box::new(item), "price", Type::Int), self.expr(Type::Int, 1))
            }
            3 => self.added().unwrap_or_else(|| Stmt::Print(self.shown())),
            4 => match self.given(Type::Items) {
                Some(array) => {
                    let target = Expr::Element(Box::new(array), Box::new(self.index()));
                    Stmt::Assign(target, self.expr(Type::Item, 1))
                }
                None => self.bump(),
            },
            5 => {
                let (item, size) = (self.expr(Type::Item, 1), self.expr(Type::Int, 1));
                Stmt::Do(Expr::method(item, "setSize", vec![size], Type::Void, Effect::WRITES))
            }
            _ => self.bump(),
        }
    }

    fn bump(&mut self) -> Stmt {
        let (item, by) = (self.expr(Type::Item, 1), self.expr(Type::Int, 1));
        Stmt::Do(Expr::method(item, "bump", vec![by], Type::Int, Effect::WRITES))
    }

    fn added(&mut self) -> Option<Stmt> {
        let all = [Type::List, Type::Numbers, Type::Map, Type::Set, Type::Deque];
        let collection = self.given_one_of(&all)?;
        let (name, element) = match collection.type_() {
            Type::Numbers | Type::Set => ("add", vec![self.expr(Type::Int, 1)]),
            Type::Map => ("put", vec![self.expr(Type::Text, 1), self.expr(Type::Item, 1)]),
            _ => ("add", vec![self.expr(Type::Item, 1)]),
        };
        Some(Stmt::Do(Expr::method(collection, name, element, Type::Void, Effect::WRITES)))
    }

    fn leave(&mut self) -> Stmt {
        if self.dice.one_in(3) {
            let shown = if self.dice.one_in(5) { Type::Int } else { Type::Bool };
            let message = Expr::binary("+", Expr::Text("no ".to_owned()), self.expr(shown, 1));
            return Stmt::Throw(THROWN[self.dice.below(THROWN.len())], message);
        }
        self.return_()
    }

    pub(super) fn return_(&mut self) -> Stmt {
        let type_ = self.returns;
        Stmt::Return((type_ != Type::Void).then(|| self.expr(type_, 2)))
    }

    fn counting(&mut self, depth: usize) -> Stmt {
        let to = match self.given(Type::Ints).or_else(|| self.given(Type::Items)) {
            Some(array) if self.dice.one_in(2) => Expr::Field(Box::new(array), "length", Type::Int),
            _ => Expr::Int(1 + self.dice.below(2) as i32),
        };
        let local = self.fresh(Type::Int);
        let outside = self.scope.len();
        self.turns += 1;
        // The loop counter is copied to a local of its own, so that no statement assigns the
        // counter.
        let copy = self.fresh(Type::Int);
        self.scope.push(copy);
        let mut body = self.inner(depth);
        body.insert(0, Stmt::Let(copy, Expr::Local(local)));
        self.turns -= 1;
        self.scope.truncate(outside);
        Stmt::For(local, Expr::Int(0), to, body)
    }

    fn each(&mut self, depth: usize) -> Stmt {
        let all = [Type::List, Type::Items, Type::Ints, Type::Numbers, Type::Deque];
        let Some(over) = all.into_iter().find_map(|type_| self.given(type_)) else { return self.counting(depth) };
        let element = if matches!(over.type_(), Type::Ints | Type::Numbers) { Type::Int } else { Type::Item };
        let local = self.fresh(element);
        let outside = self.scope.len();
        self.scope.push(local);
        self.turns += 1;
        let body = self.inner(depth);
        self.turns -= 1;
        self.scope.truncate(outside);
        Stmt::Each(local, over, body)
    }

    fn switch(&mut self, depth: usize) -> Stmt {
        let (on, labels): (Expr, Vec<Expr>) = match self.given(Type::Colour) {
            Some(colour) if self.dice.one_in(2) => (colour, vec![Expr::Constant(0), Expr::Constant(2)]),
            _ => match self.given(Type::Text) {
                Some(text) if self.dice.one_in(2) => {
                    (text, vec![Expr::Text("a".to_owned()), Expr::Text("ab".to_owned())])
                }
                _ => (self.expr(Type::Int, 1), vec![Expr::Int(0), Expr::Int(7)]),
            },
        };
        let cases = labels.into_iter().map(|label| (label, self.inner(depth))).collect();
        Stmt::Switch(on, cases, self.inner(depth))
    }
}
