//! Grows random programs. They end on every input: loops count to small numbers or go over inputs.

use super::dice::Dice;
use super::syntax::{Call, Effect, Expr, Local, Method, Program, Stmt, Style, Target, Type};
use super::templates::{KNOWN, Known};

/// A random program whose classes begin with the name.
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

/// Inputs; those that stand here twice come twice as often.
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

const TEXTS: [&str; 5] = ["", "a", "b", "ab", "k"];
const CAUGHT: [&str; 4] =
    ["ArithmeticException", "NullPointerException", "IndexOutOfBoundsException", "RuntimeException"];
const THROWN: [&str; 2] = ["IllegalArgumentException", "IllegalStateException"];

struct Grow {
    dice: Dice,
    scope: Vec<Local>,
    fields: Vec<(&'static str, Type)>,
    next: u32,
    /// How many loops are around.
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

    fn block(&mut self, statements: usize, depth: usize) -> Vec<Stmt> {
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

    /// To a local that may be assigned: not what a loop counts with.
    fn assign(&mut self) -> Stmt {
        let fits =
            |local: &&Local| matches!(local.type_, Type::Int | Type::Bool | Type::Text | Type::Item | Type::Long);
        let locals: Vec<Local> = self.scope.iter().filter(fits).copied().collect();
        match self.dice.pick(&locals).copied() {
            Some(local) => Stmt::Assign(Expr::Local(local), self.expr(local.type_, 2)),
            None => self.let_(),
        }
    }

    /// Something that can be seen from outside.
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
        let first = self.dice.below(all.len());
        let turned = (0..all.len()).map(|place| all[(first + place) % all.len()]);
        let collection = turned.into_iter().find_map(|type_| self.given(type_))?;
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

    fn return_(&mut self) -> Stmt {
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
        // What a loop counts with is read by an expression of its own, so that nothing assigns it.
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

    /// Something that can be printed. The digits of a number are many paths with hard conditions, so there are few numbers in it.
    fn shown(&mut self) -> Expr {
        match self.dice.below(40) {
            0 => self.expr(Type::Int, 1),
            1 => self.expr(Type::Text, 1),
            2..=15 => self.leaf(Type::Text, 0),
            _ => self.expr(Type::Bool, 1),
        }
    }

    /// A local or a field of the type.
    fn given(&mut self, type_: Type) -> Option<Expr> {
        let locals = self.scope.iter().filter(|local| local.type_ == type_).map(|local| Expr::Local(*local));
        let own = self.fields.iter().filter(|field| field.1 == type_).map(|(name, type_)| Expr::Own(name, *type_));
        let all: Vec<Expr> = locals.chain(own).collect();
        self.dice.pick(&all).cloned()
    }

    fn own(&mut self, type_: Type) -> Option<Expr> {
        let own: Vec<_> = self.fields.iter().filter(|field| field.1 == type_).copied().collect();
        self.dice.pick(&own).map(|(name, type_)| Expr::Own(name, *type_))
    }

    fn index(&mut self) -> Expr {
        if self.dice.one_in(3) { self.expr(Type::Int, 0) } else { Expr::Int(self.dice.below(2) as i32) }
    }

    fn expr(&mut self, type_: Type, depth: usize) -> Expr {
        if depth > 0
            && self.dice.one_in(5)
            && let Some(known) = self.known(type_)
        {
            return known;
        }
        if depth == 0 || self.dice.one_in(4) {
            return self.leaf(type_, depth);
        }
        match type_ {
            Type::Int => self.int(depth - 1),
            Type::Long => self.long(depth - 1),
            Type::Bool => self.condition(depth - 1),
            Type::Text => self.text(depth - 1),
            Type::Item => self.item(depth - 1),
            Type::Point => {
                let arguments = vec![self.expr(Type::Int, depth - 1), self.expr(Type::Int, depth - 1)];
                made("Point", arguments, Type::Point)
            }
            other => self.leaf(other, depth),
        }
    }

    /// A call of a method that is written by hand, if there is one for what is at hand.
    fn known(&mut self, type_: Type) -> Option<Expr> {
        let is_given = |of: Type| {
            of == Type::Int
                || self.scope.iter().any(|local| local.type_ == of)
                || self.fields.iter().any(|field| field.1 == of)
        };
        let fits = |known: &&Known| known.returns == type_ && known.parameters.iter().all(|of| is_given(*of));
        let fitting: Vec<&Known> = KNOWN.iter().filter(fits).collect();
        let known = *self.dice.pick(&fitting)?;
        let mut arguments = Vec::new();
        for of in known.parameters {
            arguments.push(self.given(*of).unwrap_or_else(|| self.number()));
        }
        let effect = Effect { reads: true, writes: known.writes, throws: known.throws };
        let (target, name) = (Target::Own, known.name.to_owned());
        Some(Expr::Call(Call { target, name, arguments, type_, effect }))
    }

    fn leaf(&mut self, type_: Type, depth: usize) -> Expr {
        if self.dice.below(4) > 0
            && let Some(given) = self.given(type_)
        {
            return given;
        }
        match type_ {
            Type::Int if depth > 0 => self.int(depth - 1),
            Type::Bool if depth > 0 => self.condition(depth - 1),
            Type::Item if depth > 0 => self.item(depth - 1),
            Type::Int => self.number(),
            Type::Long => Expr::Long([0, 1, -1, 100, 1 << 40][self.dice.below(5)]),
            Type::Bool => Expr::Bool(self.dice.one_in(2)),
            Type::Char => Expr::Char(['a', 'b', 'k'][self.dice.below(3)]),
            Type::Text => Expr::Text(TEXTS[self.dice.below(TEXTS.len())].to_owned()),
            Type::Colour => Expr::Constant(self.dice.below(3)),
            Type::Point => made("Point", vec![self.number(), self.number()], Type::Point),
            Type::Item if self.dice.one_in(2) => made("Item", vec![self.number(), self.number()], Type::Item),
            other => Expr::Null(other),
        }
    }

    fn number(&mut self) -> Expr {
        const NUMBERS: [i32; 12] = [0, 1, 2, 3, -1, 7, 10, 16, 100, -5, i32::MAX, 255];
        Expr::Int(NUMBERS[self.dice.below(NUMBERS.len())])
    }

    fn int(&mut self, depth: usize) -> Expr {
        let from_inputs = self.int_of_inputs(depth);
        match (self.dice.below(10), from_inputs) {
            (0..=4, Some(found)) => found,
            (5, _) => {
                let operator = ["/", "%"][self.dice.below(2)];
                let divisor = if self.dice.one_in(4) { self.expr(Type::Int, 0) } else { self.number() };
                Expr::binary(operator, self.expr(Type::Int, depth), divisor)
            }
            (6, _) => Expr::binary("*", self.expr(Type::Int, depth), Expr::Int([2, 3, -1, 8][self.dice.below(4)])),
            (7, _) => {
                if self.dice.one_in(4) {
                    let cast = ["(int) (byte)", "(int) (short)", "(int) (char)"][self.dice.below(3)];
                    return Expr::Unary(cast, Box::new(self.expr(Type::Int, depth)));
                }
                let operator = ["&", "|", "^", "<<", ">>", ">>>"][self.dice.below(6)];
                let right = Expr::Int([1, 3, 15][self.dice.below(3)]);
                Expr::binary(operator, self.expr(Type::Int, depth), right)
            }
            (8, _) => {
                const FUNCTIONS: [(&str, &str, usize); 7] = [
                    ("Math", "max", 2),
                    ("Math", "min", 2),
                    ("Math", "abs", 1),
                    ("Math", "addExact", 2),
                    ("Integer", "compare", 2),
                    ("Integer", "signum", 1),
                    ("Integer", "bitCount", 1),
                ];
                let (class, name, count) = FUNCTIONS[self.dice.below(FUNCTIONS.len())];
                let arguments = (0..count).map(|_| self.expr(Type::Int, depth)).collect();
                let effect = Effect { throws: name == "addExact", ..Effect::NOTHING };
                let (target, name) = (Target::Library(class), name.to_owned());
                Expr::Call(Call { target, name, arguments, type_: Type::Int, effect })
            }
            (9, _) if depth > 0 => {
                let condition = self.expr(Type::Bool, depth - 1);
                Expr::conditional(condition, self.expr(Type::Int, depth - 1), self.expr(Type::Int, depth - 1))
            }
            _ => {
                let operator = ["+", "+", "-"][self.dice.below(3)];
                Expr::binary(operator, self.expr(Type::Int, depth), self.expr(Type::Int, depth))
            }
        }
    }

    /// A number that an object, an array or a collection holds.
    fn int_of_inputs(&mut self, depth: usize) -> Option<Expr> {
        const HOLDERS: [Type; 13] = [
            Type::Item,
            Type::Text,
            Type::Ints,
            Type::Items,
            Type::List,
            Type::Numbers,
            Type::Map,
            Type::Point,
            Type::Shape,
            Type::Colour,
            Type::Node,
            Type::Deque,
            Type::Char,
        ];
        let first = self.dice.below(HOLDERS.len());
        let turned = (0..HOLDERS.len()).map(|place| HOLDERS[(first + place) % HOLDERS.len()]);
        let holder = turned.into_iter().find_map(|type_| self.given(type_))?;
        let reads = |object: Expr, name: &str, arguments: Vec<Expr>| {
            Expr::method(object, name, arguments, Type::Int, Effect::READS)
        };
        Some(match holder.type_() {
            Type::Item => self.int_of_item(holder, depth),
            Type::Text if self.dice.one_in(3) => {
                let part = self.text_constant();
                reads(holder, "indexOf", vec![part])
            }
            Type::Text => reads(holder, "length", Vec::new()),
            Type::Ints if self.dice.one_in(2) => Expr::Element(Box::new(holder), Box::new(self.index())),
            Type::Ints => Expr::Field(Box::new(holder), "length", Type::Int),
            Type::Items if self.dice.below(3) > 0 => {
                let item = Expr::Element(Box::new(holder), Box::new(self.index()));
                self.int_of_item(item, depth)
            }
            Type::Items => Expr::Field(Box::new(holder), "length", Type::Int),
            Type::Numbers if self.dice.one_in(2) => {
                // A number in a box is compared as an object where it is not cast.
                let index = self.index();
                Expr::Cast(Type::Int, Box::new(reads(holder, "get", vec![index])))
            }
            Type::Point => reads(holder, ["x", "y", "sum"][self.dice.below(3)], Vec::new()),
            Type::Shape => reads(holder, "area", Vec::new()),
            Type::Colour => reads(holder, "ordinal", Vec::new()),
            Type::Node => match self.dice.below(3) {
                0 => reads(holder, "getValue", Vec::new()),
                1 => {
                    let next = Expr::method(holder, "getNext", Vec::new(), Type::Node, Effect::READS);
                    Expr::Field(Box::new(next), "value", Type::Int)
                }
                _ => {
                    let item = Expr::Field(Box::new(holder), "item", Type::Item);
                    self.int_of_item(item, depth)
                }
            },
            Type::Char => Expr::Cast(Type::Int, Box::new(holder)),
            _ if self.dice.one_in(2) && matches!(holder.type_(), Type::List | Type::Map | Type::Deque) => {
                let item = self.item_of(holder);
                self.int_of_item(item, depth)
            }
            _ => reads(holder, "size", Vec::new()),
        })
    }

    fn int_of_item(&mut self, item: Expr, depth: usize) -> Expr {
        match self.dice.below(6) {
            0 => Expr::Field(Box::new(item), "size", Type::Int),
            1 => Expr::Field(Box::new(item), "price", Type::Int),
            2 => Expr::method(item, "total", vec![self.expr(Type::Int, depth)], Type::Int, Effect::READS),
            3 => Expr::method(item, "bump", vec![self.expr(Type::Int, 0)], Type::Int, Effect::WRITES),
            4 => Expr::method(item, "getSize", Vec::new(), Type::Int, Effect::READS),
            _ => Expr::method(item, "getPrice", Vec::new(), Type::Int, Effect::READS),
        }
    }

    fn long(&mut self, depth: usize) -> Expr {
        if self.dice.one_in(2) {
            return Expr::Cast(Type::Long, Box::new(self.expr(Type::Int, depth)));
        }
        let operator = ["+", "-", "^"][self.dice.below(3)];
        Expr::binary(operator, self.expr(Type::Long, depth), self.expr(Type::Long, depth))
    }

    fn condition(&mut self, depth: usize) -> Expr {
        match self.dice.below(10) {
            0 => Expr::not(self.expr(Type::Bool, depth)),
            1 => Expr::binary("&&", self.expr(Type::Bool, depth), self.expr(Type::Bool, depth)),
            2 => Expr::binary("||", self.expr(Type::Bool, depth), self.expr(Type::Bool, depth)),
            3..=5 => self.question(depth).unwrap_or_else(|| self.comparison(depth)),
            6 => match self.given(Type::Char) {
                Some(character) => Expr::binary("==", character, self.expr(Type::Char, 0)),
                None => self.comparison(depth),
            },
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: usize) -> Expr {
        let operator = ["<", "<=", ">", ">=", "==", "!="][self.dice.below(6)];
        let type_ = if self.dice.one_in(8) { Type::Long } else { Type::Int };
        Expr::binary(operator, self.expr(type_, depth), self.expr(type_, 0))
    }

    /// Something that an object says of itself.
    fn question(&mut self, depth: usize) -> Option<Expr> {
        const ASKED: [Type; 10] = [
            Type::Item,
            Type::Text,
            Type::List,
            Type::Set,
            Type::Optional,
            Type::Map,
            Type::Colour,
            Type::Shape,
            Type::Numbers,
            Type::Items,
        ];
        let first = self.dice.below(ASKED.len());
        let turned = (0..ASKED.len()).map(|place| ASKED[(first + place) % ASKED.len()]);
        let asked = turned.into_iter().find_map(|type_| self.given(type_))?;
        let asks = |object: Expr, name: &str, arguments: Vec<Expr>| {
            Expr::method(object, name, arguments, Type::Bool, Effect::READS)
        };
        let type_ = asked.type_();
        if self.dice.one_in(3) {
            return Some(Expr::binary(["==", "!="][self.dice.below(2)], asked, Expr::Null(type_)));
        }
        Some(match type_ {
            Type::Item if self.dice.one_in(3) => Expr::binary("==", asked, self.leaf(Type::Item, 0)),
            Type::Item if self.dice.one_in(2) => Expr::Field(Box::new(asked), "open", Type::Bool),
            Type::Item => asks(asked, "isOpen", Vec::new()),
            Type::Text if self.dice.one_in(3) => asks(asked, "isEmpty", Vec::new()),
            Type::Text if self.dice.one_in(2) => {
                let character = Expr::method(asked, "charAt", vec![self.index()], Type::Char, Effect::READS);
                Expr::binary("==", character, self.expr(Type::Char, 0))
            }
            Type::Text => asks(asked, ["equals", "startsWith"][self.dice.below(2)], vec![self.text_constant()]),
            Type::Set | Type::Numbers if self.dice.one_in(2) => {
                asks(asked, "contains", vec![self.expr(Type::Int, depth)])
            }
            Type::Map if self.dice.one_in(2) => asks(asked, "containsKey", vec![self.text_constant()]),
            Type::Optional => asks(asked, "isPresent", Vec::new()),
            Type::Colour if self.dice.one_in(2) => asks(asked, "isWarm", Vec::new()),
            Type::Colour => Expr::binary("==", asked, Expr::Constant(self.dice.below(3))),
            Type::Shape => Expr::binary(">", asks(asked, "area", Vec::new()).with_number(), self.expr(Type::Int, 0)),
            Type::Items => {
                let item = Expr::Element(Box::new(asked), Box::new(self.index()));
                Expr::binary("==", item, Expr::Null(Type::Item))
            }
            _ => asks(asked, "isEmpty", Vec::new()),
        })
    }

    fn text_constant(&mut self) -> Expr {
        Expr::Text(TEXTS[self.dice.below(TEXTS.len())].to_owned())
    }

    fn text(&mut self, depth: usize) -> Expr {
        match (self.dice.below(4), self.given(Type::Item)) {
            (0, Some(item)) => Expr::method(item, "getName", Vec::new(), Type::Text, Effect::READS),
            (1, _) => {
                let condition = self.expr(Type::Bool, depth);
                Expr::conditional(condition, self.expr(Type::Text, depth), self.expr(Type::Text, depth))
            }
            (2, _) => match self.given(Type::Text) {
                Some(text) => Expr::method(text, "substring", vec![self.index()], Type::Text, Effect::READS),
                None => Expr::binary("+", self.expr(Type::Text, depth), self.expr(Type::Bool, depth)),
            },
            _ if self.dice.one_in(5) => Expr::binary("+", self.expr(Type::Text, depth), self.expr(Type::Int, depth)),
            _ => Expr::binary("+", self.expr(Type::Text, depth), self.expr(Type::Bool, depth)),
        }
    }

    fn item(&mut self, depth: usize) -> Expr {
        const HOLDERS: [Type; 6] = [Type::Items, Type::List, Type::Map, Type::Deque, Type::Optional, Type::Node];
        let first = self.dice.below(HOLDERS.len());
        let turned = (0..HOLDERS.len()).map(|place| HOLDERS[(first + place) % HOLDERS.len()]);
        match turned.into_iter().find_map(|type_| self.given(type_)) {
            Some(holder) if self.dice.below(4) > 0 => self.item_of(holder),
            _ if depth > 0 && self.dice.one_in(3) => {
                let condition = self.expr(Type::Bool, depth - 1);
                Expr::conditional(condition, self.expr(Type::Item, 0), self.expr(Type::Item, 0))
            }
            _ if self.dice.one_in(3) => {
                made("Item", vec![self.expr(Type::Int, depth), self.expr(Type::Int, 0)], Type::Item)
            }
            _ => self.leaf(Type::Item, 0),
        }
    }

    fn item_of(&mut self, holder: Expr) -> Expr {
        let gets = |object: Expr, name: &str, arguments: Vec<Expr>, effect: Effect| {
            Expr::method(object, name, arguments, Type::Item, effect)
        };
        match holder.type_() {
            Type::Items => Expr::Element(Box::new(holder), Box::new(self.index())),
            Type::List => gets(holder, "get", vec![self.index()], Effect::READS),
            Type::Map => gets(holder, "get", vec![self.text_constant()], Effect::READS),
            Type::Deque if self.dice.one_in(2) => gets(holder, "poll", Vec::new(), Effect::WRITES),
            Type::Deque => gets(holder, "peek", Vec::new(), Effect::READS),
            Type::Optional => gets(holder, "orElse", vec![Expr::Null(Type::Item)], Effect::READS),
            _ => Expr::Field(Box::new(holder), "item", Type::Item),
        }
    }
}

impl Expr {
    /// The same call, whose result is a number.
    fn with_number(self) -> Expr {
        match self {
            Expr::Call(call) => Expr::Call(Call { type_: Type::Int, ..call }),
            other => other,
        }
    }
}

fn made(class: &'static str, arguments: Vec<Expr>, type_: Type) -> Expr {
    // That an object is made can be seen by whoever watches calls.
    let effect = Effect { writes: true, ..Effect::NOTHING };
    Expr::Call(Call { target: Target::New(class), name: String::new(), arguments, type_, effect })
}
