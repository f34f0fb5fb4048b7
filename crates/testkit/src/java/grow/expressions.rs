//! Random expressions of a wanted type.

use super::Grow;
use crate::java::syntax::{Call, Effect, Expr, Target, Type};
use crate::java::templates::{KNOWN, Known};

const TEXTS: [&str; 5] = ["", "a", "b", "ab", "k"];

impl Grow {
    /// An expression that can be printed. The digits of a number create many paths with hard
    /// conditions, so it contains few numbers.
    pub(super) fn shown(&mut self) -> Expr {
        match self.dice.below(40) {
            0 => self.expr(Type::Int, 1),
            1 => self.expr(Type::Text, 1),
            2..=15 => self.leaf(Type::Text, 0),
            _ => self.expr(Type::Bool, 1),
        }
    }

    /// A local or a field of the type.
    pub(super) fn given(&mut self, type_: Type) -> Option<Expr> {
        let locals = self.scope.iter().filter(|local| local.type_ == type_).map(|local| Expr::Local(*local));
        let own = self.fields.iter().filter(|field| field.1 == type_).map(|(name, type_)| Expr::Own(name, *type_));
        let all: Vec<Expr> = locals.chain(own).collect();
        self.dice.pick(&all).cloned()
    }

    /// A local or a field of one of the types, which are tried in order from a random one on.
    pub(super) fn given_one_of(&mut self, types: &[Type]) -> Option<Expr> {
        let first = self.dice.below(types.len());
        (0..types.len()).find_map(|place| self.given(types[(first + place) % types.len()]))
    }

    /// A field of the entry method's object or class.
    pub(super) fn own(&mut self, type_: Type) -> Option<Expr> {
        let own: Vec<_> = self.fields.iter().filter(|field| field.1 == type_).copied().collect();
        self.dice.pick(&own).map(|(name, type_)| Expr::Own(name, *type_))
    }

    pub(super) fn index(&mut self) -> Expr {
        if self.dice.one_in(3) { self.expr(Type::Int, 0) } else { Expr::Int(self.dice.below(2) as i32) }
    }

    pub(super) fn expr(&mut self, type_: Type, depth: usize) -> Expr {
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

    /// A call of a hand-written method, if one fits the available values.
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

    /// A number held by an object, an array or a collection.
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
        let holder = self.given_one_of(&HOLDERS)?;
        Some(self.int_of(holder, depth))
    }

    fn int_of(&mut self, holder: Expr, depth: usize) -> Expr {
        let reads = |object: Expr, name: &str, arguments: Vec<Expr>| {
            Expr::method(object, name, arguments, Type::Int, Effect::READS)
        };
        match holder.type_() {
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
                // Without the cast, a boxed number is compared as an object.
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
        }
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

    /// A Boolean property of an object.
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
        let asked = self.given_one_of(&ASKED)?;
        let type_ = asked.type_();
        if self.dice.one_in(3) {
            return Some(Expr::binary(["==", "!="][self.dice.below(2)], asked, Expr::Null(type_)));
        }
        Some(self.property_of(asked, depth))
    }

    fn property_of(&mut self, asked: Expr, depth: usize) -> Expr {
        let asks = |object: Expr, name: &str, arguments: Vec<Expr>| {
            Expr::method(object, name, arguments, Type::Bool, Effect::READS)
        };
        match asked.type_() {
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
        }
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
        match self.given_one_of(&HOLDERS) {
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
    /// The call with a number as its result type.
    fn with_number(self) -> Expr {
        match self {
            Expr::Call(call) => Expr::Call(Call { type_: Type::Int, ..call }),
            other => other,
        }
    }
}

fn made(class: &'static str, arguments: Vec<Expr>, type_: Type) -> Expr {
    // An observer of calls can see that an object is created.
    let effect = Effect { writes: true, ..Effect::NOTHING };
    Expr::Call(Call { target: Target::New(class), name: String::new(), arguments, type_, effect })
}
