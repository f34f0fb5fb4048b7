//! Values and calls as Java text (thesis §6.2.3): sources known from points-to are used, and all
//! others are left open.

use crate::Policy;
use crate::body::{Body, Made, array_type, result_of};
use crate::literal::{Number, string_text, symbol_text};
use crate::names::{marker, written_name};
use crate::points_to::{Source, Sources};
use crate::subject::{Scope, Subject};
use crate::tree::{Expression, Variable};
use lapidary_classfile::{
    Attributed, Constant, Dynamic, FieldOp, Instruction, InvokeOp, MemberRef, Position, Text, access,
};
use lapidary_jvm::typing::Type;
use lapidary_jvm::{Answer, BaseType, FieldType, MethodId, MethodType};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A method body that is being written.
pub struct Writing<'s, 'h> {
    pub subject: &'s Subject<'h>,
    pub body: &'s Body<'h>,
    pub parameters: &'s [String],
    /// The variables so far: the source of each, and its type.
    pub variables: RefCell<Vec<(Source, FieldType)>>,
    /// The values read at each position.
    pub uses: RefCell<Vec<(Position, Sources)>>,
    /// Values that share a variable with another.
    pub shared: RefCell<BTreeMap<Position, Position>>,
}

/// The text of a value that an instruction creates.
pub struct MadeText {
    pub expression: Expression,
    pub is_pure: bool,
    pub may_throw: bool,
}

impl<'s, 'h> Writing<'s, 'h> {
    pub fn new(subject: &'s Subject<'h>, body: &'s Body<'h>, parameters: &'s [String]) -> Self {
        let (variables, uses, shared) = Default::default();
        Writing { subject, body, parameters, variables, uses, shared }
    }

    pub fn variable(&self, source: &Source, type_: &FieldType) -> Variable {
        let source = match source {
            Source::Site(site) => &Source::Site(self.shared.borrow().get(site).copied().unwrap_or(*site)),
            other => other,
        };
        let mut variables = self.variables.borrow_mut();
        let known = variables.iter().position(|(other, _)| other == source);
        known.unwrap_or_else(|| {
            variables.push((source.clone(), type_.clone()));
            variables.len() - 1
        })
    }

    /// An expression of the wanted type for a value with these sources, read by the instruction at
    /// this position.
    pub fn value(&self, at: Position, sources: &Sources, wanted: &FieldType) -> Expression {
        self.uses.borrow_mut().push((at, sources.clone()));
        Expression::new(match wanted {
            FieldType::Base(base) => self.number(at, sources, *base),
            _ => self.reference(at, sources, wanted),
        })
    }

    fn number(&self, at: Position, sources: &Sources, wanted: BaseType) -> String {
        let texts: Option<Vec<String>> = sources.iter().map(|source| self.one_number(at, source, wanted)).collect();
        match texts.as_deref() {
            Some([only]) => only.clone(),
            Some(several @ ([_, _] | [_, _, _])) if wanted != BaseType::Boolean => {
                let choice = format!("{}.randomChoice()", marker("lapidary/Symbolic"));
                let chosen = several.iter().cloned().reduce(|rest, text| format!("({choice} ? {text} : {rest})"));
                chosen.unwrap_or_else(|| symbol_text(wanted))
            }
            _ => symbol_text(wanted),
        }
    }

    fn one_number(&self, at: Position, source: &Source, wanted: BaseType) -> Option<String> {
        let number = match source {
            Source::Number(Number::Int(value)) if wanted == BaseType::Long => return Some(format!("{value}L")),
            Source::Number(Number::Int(value)) if wanted == BaseType::Double => return Some(format!("{value}.0")),
            Source::Number(number) => return Some(number.text(wanted)),
            Source::Parameter(_) | Source::Site(_) => self.source_text(at, source)?,
            _ => return None,
        };
        match self.source_type(source)? {
            FieldType::Base(base) if base == wanted => Some(number),
            FieldType::Base(base) if base != BaseType::Boolean && wanted != BaseType::Boolean => {
                Some(format!("({}) {number}", crate::names::base_name(wanted)))
            }
            _ => None,
        }
    }

    fn reference(&self, at: Position, sources: &Sources, wanted: &FieldType) -> String {
        let mut texts: Vec<String> = Vec::new();
        for source in sources {
            let text = match source {
                Source::Null => "null".to_owned(),
                Source::Site(position) if self.subject.made(self.body, *position) == Made::Own => {
                    self.stand_in(at, wanted)
                }
                _ => match (self.source_text(at, source), self.source_type(source)) {
                    (Some(text), Some(from)) => self.cast(text, &from, wanted),
                    _ => self.anything(at, wanted),
                },
            };
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match &texts[..] {
            [] => self.anything(at, wanted),
            [only] => only.clone(),
            _ => self.one_of(&texts, wanted),
        }
    }

    /// A choice of several values.
    pub fn one_of(&self, texts: &[String], wanted: &FieldType) -> String {
        let (symbolic, arrays) = (marker("lapidary/Symbolic"), marker("java/util/Arrays"));
        let type_ = self.subject.names.type_(wanted).unwrap_or_else(|| "Object".to_owned());
        format!("{symbolic}.getArgument({arrays}.<{type_}>asList({}))", texts.join(", "))
    }

    /// The text of a source that has a name or can be spelled out.
    fn source_text(&self, at: Position, source: &Source) -> Option<String> {
        let is_before = self.is_before_hand_over(at);
        match source {
            Source::Text(text) => Some(string_text(text)),
            Source::Class(name) => {
                let type_ = FieldType::of_class_constant(name).ok()?;
                Some(format!("{}.class", self.subject.names.type_(&type_)?))
            }
            Source::This if is_before => None,
            Source::This => Some("this".to_owned()),
            Source::Parameter(place) => self.parameters.get(*place).cloned(),
            Source::Site(position) if is_before => self.made_text(*position).map(|made| made.expression.text),
            Source::Site(position) if self.is_fixed(*position) => {
                self.made_text(*position).map(|made| made.expression.text)
            }
            Source::Site(_) | Source::Caught(_) => {
                let type_ = self.source_type(source)?;
                Some(crate::tree::marker(self.variable(source, &type_)))
            }
            Source::Null | Source::Number(_) | Source::Unknown => None,
        }
    }

    /// Returns whether the instruction reads a field that never changes, so that no variable has to
    /// keep its value.
    fn is_fixed(&self, position: Position) -> bool {
        let Instruction::Field(FieldOp::GetStatic, member) = self.body.instruction(position) else { return false };
        let hierarchy = self.subject.names.hierarchy;
        let found = hierarchy.resolve_field(hierarchy.owner(&member.owner), &member.name, &member.descriptor).found();
        let is_read = matches!(self.subject.made(self.body, position), Made::Again(_));
        is_read
            && self.body.method.name != "<clinit>"
            && found.is_some_and(|id| hierarchy.field(id).access & access::FINAL != 0)
    }

    pub fn source_type(&self, source: &Source) -> Option<FieldType> {
        match source {
            Source::Text(_) => Some(FieldType::Object("java/lang/String".into())),
            Source::Class(_) => Some(FieldType::Object("java/lang/Class".into())),
            Source::This => Some(FieldType::Object(self.subject.class.name.clone())),
            Source::Parameter(place) => self.body.type_.parameters.get(*place).cloned(),
            Source::Site(position) => match self.subject.made(self.body, *position) {
                Made::Again(type_) | Made::Anything(type_) => Some(type_),
                Made::Own => None,
            },
            Source::Caught(target) => match self.body.typing.before(*target)?.stack.last()? {
                Type::Object(name) => self.subject.names.class(name).map(|_| FieldType::Object(name.clone())),
                _ => None,
            },
            Source::Null | Source::Number(_) | Source::Unknown => None,
        }
    }

    pub fn cast(&self, text: String, from: &FieldType, to: &FieldType) -> String {
        let hierarchy = self.subject.names.hierarchy;
        let Some(name) = self.subject.names.type_(to).filter(|_| hierarchy.is_assignable(from, to) != Answer::Yes)
        else {
            return text;
        };
        let is_down = hierarchy.is_assignable(to, from) == Answer::Yes;
        if is_down {
            format!("(({name}) {text})")
        } else {
            format!("(({name}) ({}) {text})", marker("java/lang/Object"))
        }
    }

    pub fn is_before_hand_over(&self, at: Position) -> bool {
        self.body.hand_over.is_some_and(|hand_over| at <= hand_over)
    }

    pub fn scope(&self) -> Scope {
        if self.body.is_static() { Scope::Class } else { Scope::Object }
    }

    /// Any value of the type, when nothing else is known: an object that was passed before, or a
    /// made-up one.
    pub fn anything(&self, at: Position, wanted: &FieldType) -> String {
        if self.subject.policy != Policy::Mnemonic || self.is_before_hand_over(at) || !wanted.is_reference() {
            return self.subject.fresh(wanted, 2);
        }
        self.subject.boxed_symbol(wanted).unwrap_or_else(|| {
            let list = self.subject.list(self.scope(), wanted);
            format!("{}.getPassedParameter({list})", marker("lapidary/Symbolic"))
        })
    }

    /// The replacement, outside the class, of an object that only the concrete class knows.
    fn stand_in(&self, at: Position, wanted: &FieldType) -> String {
        let element = |element: &FieldType| {
            let can_remember = self.subject.policy == Policy::Mnemonic && !self.is_before_hand_over(at);
            (can_remember && self.subject.boxed_symbol(element).is_none())
                .then(|| self.subject.list(self.scope(), element))
        };
        match wanted {
            FieldType::Array(inner) if inner.is_reference() => {
                let Some(name) = self.subject.names.type_(inner) else { return "null".to_owned() };
                let (plain, dimensions) = name
                    .split_once('[')
                    .map_or((&name[..], String::new()), |(plain, rest)| (plain, format!("[{rest}")));
                match element(inner) {
                    Some(list) => format!("{list}.toArray(new {plain}[0]{dimensions})"),
                    None => format!("new {plain}[0]{dimensions}"),
                }
            }
            FieldType::Object(name) if self.subject.is_container(name) => {
                let list = self
                    .body
                    .element_type()
                    .filter(|type_| self.subject.names.type_(type_).is_some())
                    .and_then(|type_| element(&type_));
                self.subject.container(name, list.as_deref()).unwrap_or_else(|| self.subject.fresh(wanted, 1))
            }
            _ if self.subject.names.type_(wanted).is_some() => self.anything(at, wanted),
            _ => "null".to_owned(),
        }
    }

    /// The text of the value that the instruction creates.
    pub fn made_text(&self, position: Position) -> Option<MadeText> {
        let text = |expression: String, is_pure: bool| MadeText {
            expression: Expression::new(expression),
            is_pure,
            may_throw: !is_pure,
        };
        let type_ = match self.subject.made(self.body, position) {
            Made::Own => return None,
            Made::Anything(type_) => return Some(text(self.anything(position, &type_), true)),
            Made::Again(type_) => type_,
        };
        match self.body.instruction(position) {
            Instruction::New(name) => {
                let (call, _) = self.subject.construct_target(self.body, position)?;
                let arguments = self.arguments(call);
                Some(text(format!("new {}({arguments})", self.subject.names.class(name)?), false))
            }
            Instruction::Invoke(_, member) => {
                let (call, is_pure) = self.call(position)?;
                let result = result_of(&member.descriptor)?;
                Some(text(self.cast(call, &result, &type_), is_pure))
            }
            Instruction::InvokeDynamic(site) => {
                let lambda = self.subject.lambda(self.body, position, site);
                let lambda = lambda.and_then(|lambda| self.lambda_text(position, &lambda));
                Some(text(lambda.or_else(|| self.concatenated(position, site))?, true))
            }
            Instruction::Field(op, member) => {
                let from = FieldType::parse(member.descriptor.as_bytes()).ok()?;
                let field = self.field(position, *op, member, 0)?;
                Some(text(self.cast(field, &from, &type_), true))
            }
            Instruction::ArrayLoad(_) => {
                let array = self.body.operand_type(position, 1)?;
                let FieldType::Array(element) = &array else { return None };
                let sources = self.subject.usable(self.body, &self.body.operand(position, 1));
                let array = self.value(position, &sources, &array);
                let any = format!(
                    "{}.getArgument({}.asList({array}))",
                    marker("lapidary/Symbolic"),
                    marker("java/util/Arrays")
                );
                Some(text(self.cast(any, element, &type_), true))
            }
            instruction => {
                let length = self.subject.constant_length(self.body, position)?;
                let FieldType::Array(element) = array_type(instruction) else { return None };
                let name = self.subject.names.type_(&element)?;
                let (plain, rest) = name
                    .split_once('[')
                    .map_or((&name[..], String::new()), |(plain, rest)| (plain, format!("[{rest}")));
                Some(text(format!("new {plain}[{length}]{rest}"), true))
            }
        }
    }

    /// Returns whether the compiler infers more than the erased type for the value, so that casts
    /// and arguments might not fit.
    pub fn has_type_arguments(&self, position: Position) -> bool {
        let hierarchy = self.subject.names.hierarchy;
        let is_own = |class| class == self.subject.names.class;
        match self.body.instruction(position) {
            Instruction::Invoke(..) => {
                let called = self.subject.mirrored(self.body, position).filter(|id| !is_own(id.class));
                let signature = called.and_then(|id| hierarchy.method(id).signature());
                let result =
                    signature.map(|signature| signature.as_str().rsplit(')').next().unwrap_or_default().to_owned());
                result.is_some_and(|result| result.starts_with('T') || result.contains('<'))
            }
            Instruction::Field(_, member) => {
                let found = hierarchy.resolve_field(hierarchy.owner(&member.owner), &member.name, &member.descriptor);
                found.found().is_some_and(|id| !is_own(id.class) && hierarchy.field(id).signature().is_some())
            }
            _ => false,
        }
    }

    /// A field as an expression; the object is `depth` operands below the top.
    pub fn field(&self, position: Position, op: FieldOp, member: &MemberRef, depth: usize) -> Option<String> {
        let is_own = self.subject.own_field(member).is_some();
        if !crate::names::is_identifier(&member.name.as_str()) {
            return None;
        }
        if op.is_static() {
            let owner = self.subject.names.class(&member.owner)?;
            let is_clear = is_own && !self.parameters.iter().any(|name| member.name == *name.as_str());
            return Some(if is_clear { member.name.to_string() } else { format!("{owner}.{}", member.name) });
        }
        let sources = self.subject.usable(self.body, &self.body.operand(position, depth));
        let owner = FieldType::Object(member.owner.clone());
        (!sources.is_empty()).then(|| format!("{}.{}", self.value(position, &sources, &owner), member.name))
    }

    /// The text of a mirrored call, and whether it has no side effects.
    pub fn call(&self, position: Position) -> Option<(String, bool)> {
        let id = self.subject.mirrored(self.body, position)?;
        let Instruction::Invoke(op, member) = self.body.instruction(position) else { return None };
        if id.class == self.subject.names.class {
            self.subject.called.borrow_mut().insert(id.index as usize);
        }
        let arguments = self.arguments(position);
        let parameters = MethodType::parse(member.descriptor.as_bytes()).ok()?.parameters.len();
        let receiver = self.subject.usable(self.body, &self.body.operand(position, parameters));
        let prefix = match op {
            InvokeOp::Static if id.class == self.subject.names.class => String::new(),
            InvokeOp::Static => format!("{}.", self.subject.names.class(&member.owner)?),
            InvokeOp::Special if self.subject.names.hierarchy.method(id).access & access::PRIVATE == 0 => {
                if member.interface {
                    format!("{}.super.", self.subject.names.class(&member.owner)?)
                } else {
                    "super.".to_owned()
                }
            }
            _ if receiver == Sources::from([Source::This]) => String::new(),
            _ => format!("{}.", self.value(position, &receiver, &FieldType::Object(member.owner.clone()))),
        };
        let name = written_name(&member.name.as_str());
        Some((format!("{prefix}{name}({arguments})"), self.subject.is_pure(id)))
    }

    /// The arguments of a call, each typed so that the compiler chooses the right method.
    pub fn arguments(&self, position: Position) -> String {
        let Instruction::Invoke(_, member) = self.body.instruction(position) else { return String::new() };
        let Ok(type_) = MethodType::parse(member.descriptor.as_bytes()) else { return String::new() };
        let count = type_.parameters.len();
        let is_overloaded = self.subject.is_overloaded(&member.owner, &member.name, count);
        let argument = |(place, wanted): (usize, &FieldType)| {
            let sources = self.body.operand(position, count - 1 - place);
            let text = self.value(position, &sources, wanted).text;
            let from =
                if sources.len() == 1 { sources.first().and_then(|source| self.source_type(source)) } else { None };
            let is_exact = from.is_none() && text != "null" || from.as_ref() == Some(wanted);
            let needs_cast = wanted.is_reference() && (text == "null" || is_overloaded && !is_exact);
            match self.subject.names.type_(wanted).filter(|_| needs_cast) {
                Some(name) => format!("({name}) {text}"),
                None => text,
            }
        };
        type_.parameters.iter().enumerate().map(argument).collect::<Vec<_>>().join(", ")
    }

    fn concatenated(&self, position: Position, site: &Dynamic) -> Option<String> {
        let pieces = self.subject.concatenation(site)?;
        let type_ = MethodType::parse(site.descriptor.as_bytes()).ok()?;
        let (count, mut place) = (type_.parameters.len(), 0);
        let mut texts = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => texts.push(string_text(&text)),
                Piece::Argument => {
                    let sources = self.body.operand(position, count.checked_sub(1 + place)?);
                    texts.push(self.value(position, &sources, type_.parameters.get(place)?).text);
                    place += 1;
                }
            }
        }
        if texts.first().is_none_or(|first| !first.starts_with('"')) {
            texts.insert(0, "\"\"".to_owned());
        }
        Some(format!("({})", texts.join(" + ")))
    }
}

/// A part of a string concatenation.
pub enum Piece {
    Text(Text),
    Argument,
}

impl<'h> Subject<'h> {
    /// The method of a call that is mirrored; `None` for calls that are left out.
    pub fn mirrored(&self, body: &Body<'h>, position: Position) -> Option<MethodId> {
        let Instruction::Invoke(op, member) = body.instruction(position) else { return None };
        let id = self.callable(member).filter(|_| member.name != "<init>")?;
        let method = self.names.hierarchy.method(id);
        let is_own_class = id.class == self.names.class;
        let type_ = MethodType::parse(member.descriptor.as_bytes()).ok()?;
        let receiver = body.operand(position, type_.parameters.len());
        let has_receiver = match op {
            InvokeOp::Static => !self.is_factory(member) || !self.goes_to_own(body, position),
            InvokeOp::Special if !is_own_class => {
                let is_direct = self.class.interfaces.contains(&member.owner);
                method.access & access::ABSTRACT == 0 && (!member.interface || is_direct)
            }
            _ => self.has_object(body, &self.usable(body, &receiver), &FieldType::Object(member.owner.clone())),
        };
        (has_receiver && self.is_covered(body, position, id)).then_some(id)
    }

    /// Returns whether these sources provide an object, or one can be made up.
    fn has_object(&self, body: &Body<'h>, sources: &Sources, wanted: &FieldType) -> bool {
        let can_be_made_up = |type_: &FieldType| self.policy == Policy::Mnemonic || self.fresh(type_, 2) != "null";
        sources.iter().any(|source| match source {
            Source::Unknown => can_be_made_up(wanted),
            Source::Site(position) => match self.made(body, *position) {
                Made::Anything(type_) => can_be_made_up(&type_),
                _ => true,
            },
            _ => true,
        })
    }

    /// The pieces of a string concatenation, if the call site is one.
    pub fn concatenation(&self, site: &Dynamic) -> Option<Vec<Piece>> {
        let bootstrap = self.class.bootstrap_methods().get(usize::from(site.bootstrap))?;
        let is_concatenation = bootstrap.handle.member.name == "makeConcatWithConstants";
        let (Some(Constant::String(recipe)), true) = (bootstrap.arguments.first(), is_concatenation) else {
            return None;
        };
        let mut constants = bootstrap.arguments[1..].iter();
        let (mut pieces, mut text) = (Vec::new(), String::new());
        for letter in recipe.as_str().chars() {
            match letter {
                '\u{1}' => {
                    push_text(&mut pieces, &mut text);
                    pieces.push(Piece::Argument);
                }
                '\u{2}' => match constants.next()? {
                    Constant::String(constant) => text.push_str(&constant.as_str()),
                    _ => return None,
                },
                other => text.push(other),
            }
        }
        push_text(&mut pieces, &mut text);
        let type_ = MethodType::parse(site.descriptor.as_bytes()).ok()?;
        type_.parameters.iter().all(|type_| self.names.type_(type_).is_some()).then_some(pieces)
    }
}

fn push_text(pieces: &mut Vec<Piece>, text: &mut String) {
    if !text.is_empty() {
        pieces.push(Piece::Text(Text::from(std::mem::take(text))));
    }
}
