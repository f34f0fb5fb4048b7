//! Other renderings of a program with the same behaviour.
//!
//! Each rewrite preserves the results, exceptions and output of a call, and the order in which
//! objects of the program are created and written.

use super::Type;
use super::dice::Dice;
use super::inspect::{assigned, each_block, each_expression, leaves};
use super::syntax::{Call, Effect, Expr, Local, Method, Program, Stmt, Target};
use std::collections::BTreeSet;

/// Another rendering, and the rewrites that produced it.
pub fn rewritten(program: &Program, seed: u64) -> (Program, Vec<&'static str>) {
    let mut dice = Dice::new(seed);
    let mut chosen: BTreeSet<&'static str> = KINDS.into_iter().filter(|_| dice.one_in(3)).collect();
    chosen.insert(KINDS[dice.below(KINDS.len())]);
    let mut program = program.clone();
    let next = program.next_local;
    let mut rewriter = Rewriter { dice, chosen, made: BTreeSet::new(), helpers: Vec::new(), next };
    rewriter.statements(&mut program.entry.body);
    rewriter.expressions(&mut program.entry);
    rewriter.outside(&mut program);
    program.next_local = rewriter.next;
    (program, rewriter.made.into_iter().collect())
}

/// One letter for each rewrite: A for the first of [`KINDS`], a for the last.
pub fn letters(rewrites: &[&str]) -> String {
    let letter = |rewrite: &&str| KINDS.iter().position(|kind| kind == rewrite).map(|place| LETTERS[place] as char);
    rewrites.iter().filter_map(letter).collect()
}

const LETTERS: &[u8; 27] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZa";

const KINDS: [&str; 27] = [
    "rename",
    "dead local",
    "reorder",
    "swap branches",
    "if to conditional",
    "conditional to if",
    "for to while",
    "each to for",
    "switch to if",
    "name the result",
    "name a part",
    "update",
    "else",
    "nest conditions",
    "finally",
    "commute",
    "flip comparison",
    "double negation",
    "arithmetic",
    "getter",
    "extract",
    "lambda",
    "delegate",
    "unused method",
    "unused field",
    "other class",
    "concatenation",
];

struct Rewriter {
    dice: Dice,
    chosen: BTreeSet<&'static str>,
    made: BTreeSet<&'static str>,
    helpers: Vec<Method>,
    next: u32,
}

impl Rewriter {
    /// Decides whether to apply a rewrite of this kind here.
    fn wants(&mut self, kind: &'static str, one_in: usize) -> bool {
        debug_assert!(KINDS.contains(&kind), "{kind}");
        let wants = self.chosen.contains(kind) && self.dice.one_in(one_in);
        if wants {
            self.made.insert(kind);
        }
        wants
    }

    fn fresh(&mut self, type_: Type) -> Local {
        self.next += 1;
        Local { id: self.next, type_ }
    }

    fn statements(&mut self, body: &mut Vec<Stmt>) {
        each_block(body, &mut |block| {
            self.reorder(block);
            *block = std::mem::take(block).into_iter().flat_map(|statement| self.statement(statement)).collect();
            self.around(block);
        });
    }

    fn reorder(&mut self, block: &mut [Stmt]) {
        for place in 1..block.len() {
            if are_independent(&block[place - 1], &block[place]) && self.wants("reorder", 1) {
                block.swap(place - 1, place);
            }
        }
    }

    /// The statements that replace one.
    fn statement(&mut self, statement: Stmt) -> Vec<Stmt> {
        match statement {
            Stmt::If(condition, yes, no) => self.if_(condition, yes, no),
            Stmt::For(local, from, to, body) if !leaves(&body) && self.wants("for to while", 1) => {
                let counter = Expr::Local(local);
                let next = Stmt::Assign(counter.clone(), Expr::binary("+", counter.clone(), Expr::Int(1)));
                let body = body.into_iter().chain([next]).collect();
                let looped = Stmt::While(Expr::binary("<", counter, to), body);
                vec![Stmt::Block(vec![Stmt::Let(local, from), looped])]
            }
            Stmt::Each(local, over, body) if self.can_be_counted(&over, &body) => {
                vec![self.counted(local, over, body)]
            }
            Stmt::Switch(on, cases, other) if on.type_() == Type::Int && self.wants("switch to if", 1) => {
                let local = self.fresh(Type::Int);
                let chain = cases.into_iter().rev().fold(other, |other, (label, body)| {
                    vec![Stmt::If(Expr::binary("==", Expr::Local(local), label), body, other)]
                });
                [vec![Stmt::Let(local, on)], chain].concat()
            }
            Stmt::Let(local, Expr::Conditional(condition, yes, no))
                if nothing(local.type_).is_some() && self.wants("conditional to if", 1) =>
            {
                let target = Expr::Local(local);
                let first = nothing(local.type_).map(|value| Stmt::Let(local, value));
                let branches =
                    Stmt::If(*condition, vec![Stmt::Assign(target.clone(), *yes)], vec![Stmt::Assign(target, *no)]);
                first.into_iter().chain([branches]).collect()
            }
            Stmt::Assign(Expr::Local(local), Expr::Conditional(condition, yes, no))
                if self.wants("conditional to if", 1) =>
            {
                let target = Expr::Local(local);
                vec![Stmt::If(*condition, vec![Stmt::Assign(target.clone(), *yes)], vec![Stmt::Assign(target, *no)])]
            }
            Stmt::Return(Some(Expr::Conditional(condition, yes, no))) if self.wants("conditional to if", 1) => {
                vec![Stmt::If(*condition, vec![Stmt::Return(Some(*yes))], vec![Stmt::Return(Some(*no))])]
            }
            Stmt::Return(Some(value)) if self.wants("name the result", 1) => {
                let local = self.fresh(value.type_());
                vec![Stmt::Let(local, value), Stmt::Return(Some(Expr::Local(local)))]
            }
            Stmt::Assign(target @ (Expr::Local(_) | Expr::Own(..)), Expr::Binary(operator, left, right))
                if *left == target && is_updated(&target, operator, &right) && self.wants("update", 1) =>
            {
                vec![Stmt::Update(target, operator, *right)]
            }
            other => self.name_a_part(other),
        }
    }

    fn if_(&mut self, condition: Expr, yes: Vec<Stmt>, no: Vec<Stmt>) -> Vec<Stmt> {
        if let ([Stmt::Assign(Expr::Local(target), a)], [Stmt::Assign(Expr::Local(other), b)]) = (&yes[..], &no[..])
            && target == other
            && target.type_ != Type::Char
            && self.wants("if to conditional", 1)
        {
            let value = Expr::conditional(condition, a.clone(), b.clone());
            return vec![Stmt::Assign(Expr::Local(*target), value)];
        }
        if let ([Stmt::Return(Some(a))], [Stmt::Return(Some(b))]) = (&yes[..], &no[..])
            && self.wants("if to conditional", 1)
        {
            return vec![Stmt::Return(Some(Expr::conditional(condition, a.clone(), b.clone())))];
        }
        match condition {
            Expr::Binary("&&", left, right) if no.is_empty() && self.wants("nest conditions", 1) => {
                vec![Stmt::If(*left, vec![Stmt::If(*right, yes, no)], Vec::new())]
            }
            condition if self.wants("swap branches", 2) => vec![Stmt::If(Expr::not(condition), no, yes)],
            condition => vec![Stmt::If(condition, yes, no)],
        }
    }

    fn can_be_counted(&mut self, over: &Expr, body: &[Stmt]) -> bool {
        let is_array = matches!(over.type_(), Type::Ints | Type::Items);
        let is_list = matches!(over.type_(), Type::List | Type::Numbers) && !body.iter().any(Stmt::writes);
        (is_array || is_list) && self.wants("each to for", 1)
    }

    fn counted(&mut self, local: Local, over: Expr, body: Vec<Stmt>) -> Stmt {
        let (all, place) = (self.fresh(over.type_()), self.fresh(Type::Int));
        let (collection, index) = (Expr::Local(all), Expr::Local(place));
        let (length, element) = if matches!(all.type_, Type::Ints | Type::Items) {
            let length = Expr::Field(Box::new(collection.clone()), "length", Type::Int);
            (length, Expr::Element(Box::new(collection), Box::new(index)))
        } else {
            let get = Expr::method(collection.clone(), "get", vec![index], local.type_, Effect::READS);
            let element = if local.type_ == Type::Int { Expr::Cast(Type::Int, Box::new(get)) } else { get };
            (Expr::method(collection, "size", Vec::new(), Type::Int, Effect::READS), element)
        };
        let body = [Stmt::Let(local, element)].into_iter().chain(body).collect();
        Stmt::Block(vec![Stmt::Let(all, over), Stmt::For(place, Expr::Int(0), length, body)])
    }

    /// Moves the computation of a part of a statement's expression before the statement.
    fn name_a_part(&mut self, mut statement: Stmt) -> Vec<Stmt> {
        if matches!(statement, Stmt::For(..) | Stmt::While(..)) || !self.wants("name a part", 2) {
            return vec![statement];
        }
        let mut named: Option<Stmt> = None;
        let local = self.fresh(Type::Int);
        for part in statement.expressions_mut() {
            part.each_mut(&mut |part| {
                let is_named = named.is_some() || part.size() < 2 || !part.is_plain();
                if !is_named && matches!(part.type_(), Type::Int | Type::Bool | Type::Long) {
                    let local = Local { type_: part.type_(), ..local };
                    named = Some(Stmt::Let(local, std::mem::replace(part, Expr::Local(local))));
                }
            });
        }
        named.into_iter().chain([statement]).collect()
    }

    /// Rewrites of a block as a whole.
    fn around(&mut self, block: &mut Vec<Stmt>) {
        let guard =
            block.iter().position(|first| matches!(first, Stmt::If(_, yes, no) if leaves(yes) && no.is_empty()));
        if let Some(place) = guard
            && place + 1 < block.len()
            && self.wants("else", 1)
        {
            let rest = block.split_off(place + 1);
            if let Some(Stmt::If(_, _, no)) = block.last_mut() {
                *no = rest;
            }
        }
        if self.wants("dead local", 2) {
            let local = self.fresh(Type::Int);
            let place = self.dice.below(block.len() + 1);
            let place = if leaves(block) { place.min(block.len() - 1) } else { place };
            block.insert(place, Stmt::Let(local, Expr::Int(self.dice.below(9) as i32)));
        }
        if !block.is_empty() && self.wants("finally", 4) {
            let place = self.dice.below(block.len());
            let tail = block.split_off(place);
            block.push(Stmt::Finally(tail));
        }
    }

    fn expressions(&mut self, entry: &mut Method) {
        each_expression(&mut entry.body, &mut |expr| self.expression(expr));
        let fixed = assigned(&entry.body);
        each_expression(&mut entry.body, &mut |expr| {
            let is_extracted = expr.size() > 1 && expr.type_() != Type::Void && !matches!(expr, Expr::Lambda(_));
            if is_extracted && self.wants("extract", 6) {
                self.extract(expr);
            } else if is_extracted
                && matches!(expr.type_(), Type::Int | Type::Bool | Type::Long | Type::Text)
                && expr.locals().is_disjoint(&fixed)
                && self.wants("lambda", 8)
            {
                *expr = Expr::Lambda(Box::new(std::mem::replace(expr, Expr::Int(0))));
            }
        });
    }

    /// Moves an expression to a new method.
    fn extract(&mut self, expr: &mut Expr) {
        let (type_, effect) = (expr.type_(), expr.effect());
        let parameters: Vec<Local> = expr.locals().into_iter().collect();
        let arguments = parameters.iter().map(|local| Expr::Local(*local)).collect();
        let name = format!("part{}", self.helpers.len());
        let call = Call { target: Target::Own, name: name.clone(), arguments, type_, effect };
        let value = std::mem::replace(expr, Expr::Call(call));
        self.helpers.push(Method { name, parameters, returns: type_, body: vec![Stmt::Return(Some(value))] });
    }

    fn expression(&mut self, expr: &mut Expr) {
        let taken = std::mem::replace(expr, Expr::Int(0));
        *expr = self.rewritten(taken);
    }

    fn rewritten(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Binary(operator, left, right) => self.binary(operator, *left, *right),
            Expr::Conditional(condition, yes, no) if self.wants("swap branches", 2) => {
                Expr::conditional(Expr::not(*condition), *no, *yes)
            }
            Expr::Unary("!", operand) if self.wants("double negation", 2) => match *operand {
                Expr::Binary(operator @ ("<" | "<=" | ">" | ">=" | "==" | "!="), left, right) => {
                    Expr::Binary(negated(operator), left, right)
                }
                other => Expr::conditional(other, Expr::Bool(false), Expr::Bool(true)),
            },
            Expr::Call(call) => self.call(call),
            Expr::Field(object, name, type_) if getter(name).is_some() && self.wants("getter", 2) => {
                Expr::method(*object, getter(name).unwrap_or(name), Vec::new(), type_, Effect::READS)
            }
            other if other.type_() == Type::Bool && self.wants("double negation", 4) => Expr::not(Expr::not(other)),
            other => other,
        }
    }

    fn binary(&mut self, operator: &'static str, left: Expr, right: Expr) -> Expr {
        let is_text = left.type_() == Type::Text || right.type_() == Type::Text;
        let (one, other) = (left.effect(), right.effect());
        let commutes = !(one.writes || other.writes || one.throws && other.throws);
        match operator {
            "+" | "*" | "&" | "|" | "^" | "==" | "!=" if !is_text && commutes && self.wants("commute", 2) => {
                Expr::binary(operator, right, left)
            }
            "<" | "<=" | ">" | ">=" if commutes && self.wants("flip comparison", 2) => {
                Expr::binary(flipped(operator), right, left)
            }
            "<" | "<=" | ">" | ">=" | "==" | "!=" if self.wants("double negation", 3) => {
                Expr::not(Expr::binary(negated(operator), left, right))
            }
            "&&" if self.wants("double negation", 2) => {
                Expr::not(Expr::binary("||", Expr::not(left), Expr::not(right)))
            }
            "||" if self.wants("double negation", 2) => Expr::conditional(left, Expr::Bool(true), right),
            "&&" if self.wants("conditional to if", 2) => Expr::conditional(left, right, Expr::Bool(false)),
            "-" if !is_text && self.wants("arithmetic", 2) => {
                Expr::binary("+", left, Expr::Unary("-", Box::new(right)))
            }
            "*" if right == Expr::Int(2) && self.wants("arithmetic", 2) => Expr::binary("<<", left, Expr::Int(1)),
            "*" if right == Expr::Int(8) && self.wants("arithmetic", 2) => Expr::binary("<<", left, Expr::Int(3)),
            "+" if is_text && left.type_() == Type::Text && self.may_concatenate(&right) => concatenated(left, right),
            _ => Expr::binary(operator, left, right),
        }
    }

    /// Decides whether to append a value to a text. The digits of a number create many paths, so
    /// few numbers are appended.
    fn may_concatenate(&mut self, right: &Expr) -> bool {
        let one_in = if matches!(right.type_(), Type::Int | Type::Long) { 16 } else { 1 };
        self.wants("concatenation", one_in)
    }

    fn call(&mut self, mut call: Call) -> Expr {
        let field = field_of(&call.name).filter(|_| call.arguments.is_empty());
        if let (Target::Object(object), Some((name, owner))) = (&call.target, field)
            && object.type_() == owner
            && self.wants("getter", 2)
        {
            return Expr::Field(object.clone(), name, call.type_);
        }
        if matches!(call.name.as_str(), "max" | "min")
            && call.arguments.iter().all(|argument| matches!(argument, Expr::Local(_) | Expr::Int(_)))
            && let [left, right] = &call.arguments[..]
            && self.wants("arithmetic", 1)
        {
            let operator = if call.name == "max" { ">" } else { "<" };
            let condition = Expr::binary(operator, left.clone(), right.clone());
            return Expr::conditional(condition, left.clone(), right.clone());
        }
        if call.name == "isEmpty"
            && let Target::Object(object) = &call.target
            && self.wants("arithmetic", 1)
        {
            let size = if object.type_() == Type::Text { "length" } else { "size" };
            let size = Expr::method((**object).clone(), size, Vec::new(), Type::Int, Effect::READS);
            return Expr::binary("==", size, Expr::Int(0));
        }
        call.effect = call.effect.and(Effect::NOTHING);
        Expr::Call(call)
    }

    /// Rewrites the entry method as a whole, and the code outside it.
    fn outside(&mut self, program: &mut Program) {
        if self.wants("delegate", 1) {
            let entry = &mut program.entry;
            let arguments = entry.parameters.iter().map(|local| Expr::Local(*local)).collect();
            let (name, type_, effect) = ("really".to_owned(), entry.returns, Effect::WRITES);
            let call = Expr::Call(Call { target: Target::Own, name: name.clone(), arguments, type_, effect });
            let leave = if type_ == Type::Void { Stmt::Do(call) } else { Stmt::Return(Some(call)) };
            let body = std::mem::replace(&mut entry.body, vec![leave]);
            self.helpers.push(Method { name, parameters: entry.parameters.clone(), returns: type_, body });
        }
        program.helpers.append(&mut self.helpers);
        if self.wants("rename", 1) {
            program.style.names += 1 + self.dice.below(3);
        }
        const CLASSES: [&str; 7] = ["", "Item", "Node", "Square", "Box", "Point", "Colour"];
        for class in CLASSES {
            if self.wants("unused method", 3) {
                program.style.unused_methods.push(class);
            }
            if self.wants("unused field", 3) {
                program.style.unused_fields.push(class);
            }
            if self.wants("other class", 2) {
                program.style.otherwise.push(class);
            }
        }
    }
}

/// Returns whether two consecutive statements may be swapped.
fn are_independent(first: &Stmt, second: &Stmt) -> bool {
    let parts = |statement: &Stmt| match statement {
        Stmt::Let(local, value) => Some((*local, value.clone(), true)),
        Stmt::Assign(Expr::Local(local), value) => Some((*local, value.clone(), false)),
        _ => None,
    };
    let (Some((one, a, one_is_new)), Some((other, b, other_is_new))) = (parts(first), parts(second)) else {
        return false;
    };
    let (effect, other_effect) = (a.effect(), b.effect());
    // A handler can observe which of two locals was assigned before an exception.
    let is_hidden = match (effect.throws, other_effect.throws) {
        (true, true) => false,
        (true, false) => other_is_new,
        (false, true) => one_is_new,
        (false, false) => true,
    };
    one != other
        && !a.locals().contains(&other)
        && !b.locals().contains(&one)
        && !effect.writes
        && !other_effect.writes
        && is_hidden
}

fn is_updated(target: &Expr, operator: &str, right: &Expr) -> bool {
    let type_ = target.type_();
    matches!(type_, Type::Int | Type::Long)
        && right.type_() == type_
        && matches!(operator, "+" | "-" | "*" | "&" | "|" | "^")
}

/// An initial value of the type.
fn nothing(type_: Type) -> Option<Expr> {
    match type_ {
        Type::Int => Some(Expr::Int(0)),
        Type::Long => Some(Expr::Long(0)),
        Type::Bool => Some(Expr::Bool(false)),
        Type::Text | Type::Item => Some(Expr::Null(type_)),
        _ => None,
    }
}

pub fn negated(operator: &str) -> &'static str {
    match operator {
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        "==" => "!=",
        _ => "==",
    }
}

fn flipped(operator: &str) -> &'static str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        _ => "<=",
    }
}

fn getter(field: &str) -> Option<&'static str> {
    match field {
        "size" => Some("getSize"),
        "price" => Some("getPrice"),
        "open" => Some("isOpen"),
        "value" => Some("getValue"),
        _ => None,
    }
}

/// The field that a getter returns, with the class that declares both.
fn field_of(getter: &str) -> Option<(&'static str, Type)> {
    match getter {
        "getSize" => Some(("size", Type::Item)),
        "getPrice" => Some(("price", Type::Item)),
        "getName" => Some(("name", Type::Item)),
        "isOpen" => Some(("open", Type::Item)),
        "getValue" => Some(("value", Type::Node)),
        "getNext" => Some(("next", Type::Node)),
        _ => None,
    }
}

/// The concatenation of two texts in the form that older compilers generate.
fn concatenated(left: Expr, right: Expr) -> Expr {
    let (name, effect) = (String::new(), Effect::NOTHING);
    let target = Target::New("java.lang.StringBuilder");
    let builder = Expr::Call(Call { target, name, arguments: Vec::new(), type_: Type::Void, effect });
    let append = |builder: Expr, part: Expr| Expr::method(builder, "append", vec![part], Type::Void, effect);
    Expr::method(append(append(builder, left), right), "toString", Vec::new(), Type::Text, effect)
}
