//! Resolves calls: the functions that a call may run, and its arguments.

use crate::elements::{CallableId, Elements};
use crate::program::{Place, Program, Thing};
use foldhash::{HashMap, HashMapExt};
use lapidary_clang::{Kind, TypeClass};

/// The parts of a call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The function that is named. `None` for a call through a pointer.
    pub(crate) callee: Option<Thing>,
    /// The object that a method is called on.
    pub(crate) receiver: Option<Place>,
    /// The called expression, if it is a node of its own.
    pub(crate) function: Option<Place>,
    pub(crate) arguments: Vec<Place>,
}

impl Call {
    pub(crate) fn of(program: &Program<'_>, place: Place) -> Call {
        let callee = program.referred(place).filter(|thing| is_function(program, *thing));
        let mut children: Vec<_> = program.children(place).filter(|child| is_value(program, *child)).collect();
        let is_construction = callee.is_some_and(|thing| is_constructor(program, thing));
        let position = if is_construction { None } else { function_position(program, &children, callee) };
        let function = position.map(|position| children.remove(position));
        let mut receiver = callee.and(function).and_then(|function| object_of(program, function));
        let is_operator = position.is_some_and(|position| position > 0) && receiver.is_none();
        if is_operator && callee.is_some_and(|thing| is_method(program, thing)) && !children.is_empty() {
            receiver = Some(children.remove(0));
        }
        Call { callee, receiver, function, arguments: children }
    }
}

/// Maps calls to the functions they may reach, among those that have a body.
pub(crate) struct Callees {
    by_thing: HashMap<Thing, Vec<CallableId>>,
    /// Functions whose address is taken, each with its type.
    addressed: Vec<(String, CallableId)>,
    lambdas: HashMap<String, Vec<CallableId>>,
}

impl Callees {
    pub(crate) fn new(program: &Program<'_>, elements: &Elements) -> Callees {
        let mut callees = Callees { by_thing: HashMap::new(), addressed: Vec::new(), lambdas: HashMap::new() };
        for id in elements.callable_ids() {
            let place = elements.callable(id).place;
            match program.declared(place) {
                Some(thing) => callees.add(program, thing, id),
                None => callees.lambdas.entry(spelling(program, place)).or_default().push(id),
            }
        }
        callees.note_addressed(program);
        callees
    }

    /// Adds a method under its own name and under every method it overrides, since a call of either
    /// may run it.
    fn add(&mut self, program: &Program<'_>, thing: Thing, id: CallableId) {
        let known = self.by_thing.entry(thing).or_default();
        if known.contains(&id) {
            return;
        }
        known.push(id);
        overridden(program, thing).into_iter().for_each(|base| self.add(program, base, id));
    }

    fn note_addressed(&mut self, program: &Program<'_>) {
        for (unit, syntax) in program.units.iter().enumerate() {
            for place in syntax.ids().map(|node| Place { unit, node }) {
                let Some(thing) = program.referred(place).filter(|_| program.node(place).kind == Kind::Name) else {
                    continue;
                };
                let Some(found) = self.by_thing.get(&thing) else { continue };
                if !is_called(program, place) {
                    let of_type = spelling(program, place);
                    self.addressed.extend(found.iter().map(|id| (of_type.clone(), *id)));
                }
            }
        }
        self.addressed.sort();
        self.addressed.dedup();
    }

    pub(crate) fn of_thing(&self, thing: Thing) -> &[CallableId] {
        self.by_thing.get(&thing).map_or(&[], Vec::as_slice)
    }

    /// Returns the lambda that an expression is.
    pub(crate) fn of_lambda(&self, program: &Program<'_>, place: Place) -> &[CallableId] {
        self.lambdas.get(&spelling(program, place)).map_or(&[], Vec::as_slice)
    }

    /// Returns the bodies that a call may run directly.
    pub(crate) fn of(&self, program: &Program<'_>, call: &Call) -> Vec<CallableId> {
        if let Some(thing) = call.callee {
            let found = self.of_thing(thing);
            if !found.is_empty() || program.name(thing) != "operator()" {
                return found.to_vec();
            }
            return call.receiver.map_or(Vec::new(), |receiver| self.of_callable_object(program, receiver));
        }
        let Some(function) = call.function else { return Vec::new() };
        let through_pointer = pointed_spelling(program, function);
        let fits = |of_type: &str| through_pointer.as_deref().is_none_or(|wanted| wanted == of_type);
        self.addressed.iter().filter(|(of_type, _)| fits(of_type)).map(|(_, id)| *id).collect()
    }

    /// Returns the functions that a call of an object may run: those of a lambda, or any that a
    /// library object such as `std::function` may hold.
    fn of_callable_object(&self, program: &Program<'_>, object: Place) -> Vec<CallableId> {
        let of_type = spelling(program, object);
        if !of_type.contains("std::function<") && !of_type.contains("std::_Bind") {
            return self.of_object(program, object);
        }
        let named = self.addressed.iter().map(|(_, id)| *id);
        let mut all: Vec<_> = self.lambdas.values().flatten().copied().chain(named).collect();
        all.sort();
        all.dedup();
        all
    }

    fn of_object(&self, program: &Program<'_>, object: Place) -> Vec<CallableId> {
        let of_type = spelling(program, object);
        self.lambdas.get(of_type.trim_start_matches("const ")).cloned().unwrap_or_default()
    }

    /// Returns the functions whose address is taken and which fit an argument of a library
    /// function.
    pub(crate) fn of_argument(&self, program: &Program<'_>, place: Place) -> Vec<CallableId> {
        let syntax = program.syntax(place);
        let inside = syntax.subtree(place.node).map(|node| Place { unit: place.unit, node });
        let named =
            inside.filter(|inner| program.node(*inner).kind == Kind::Name).filter_map(|inner| program.referred(inner));
        let functions = named.flat_map(|thing| self.of_thing(thing).to_vec());
        functions.chain(self.of_object(program, place)).chain(self.of_pointer(program, place)).collect()
    }

    /// Returns the functions whose address is taken and that a pointer may point to.
    fn of_pointer(&self, program: &Program<'_>, place: Place) -> Vec<CallableId> {
        let pointed = pointed_spelling(program, place);
        let fits = |of_type: &str| pointed.as_deref() == Some(of_type);
        self.addressed.iter().filter(|(of_type, _)| fits(of_type)).map(|(_, id)| *id).collect()
    }

    /// Returns the functions that an argument is, rather than those that are called to compute it.
    pub(crate) fn of_function_argument(&self, program: &Program<'_>, place: Place) -> Vec<CallableId> {
        let mut at = place;
        loop {
            let node = program.node(at);
            let inner = program.children(at).filter(|child| is_value(program, *child)).last();
            at = match (node.kind, inner) {
                (Kind::Lambda, _) => return self.of_lambda(program, at).to_vec(),
                (Kind::Name, _) => break,
                (Kind::OtherExpression | Kind::Parentheses | Kind::Cast | Kind::Unary, Some(inner)) => inner,
                (Kind::Call, Some(inner)) if program.node(inner).kind != Kind::Name => inner,
                _ => return self.of_pointer(program, place),
            };
        }
        let mut found = program.referred(at).map_or(Vec::new(), |thing| self.of_thing(thing).to_vec());
        found.extend(self.of_pointer(program, at));
        found.extend(self.of_object(program, at));
        found
    }
}

/// Returns the methods that a method overrides directly.
pub(crate) fn overridden(program: &Program<'_>, thing: Thing) -> Vec<Thing> {
    let (unit, entity) = program.entity(thing);
    let things = program.units[unit].entity(entity).overrides.iter();
    things.map(|base| program.thing(unit, *base)).collect()
}

fn spelling(program: &Program<'_>, place: Place) -> String {
    program.type_of(place).map_or(String::new(), |found| found.spelling.clone())
}

fn pointed_spelling(program: &Program<'_>, place: Place) -> Option<String> {
    let found = program.type_of(place)?;
    match (found.class, found.inner) {
        (TypeClass::Pointer, Some(inner)) => Some(program.syntax(place).get_type(inner).spelling.clone()),
        _ => None,
    }
}

/// Returns whether a node is a value. A reference to a type is not.
fn is_value(program: &Program<'_>, place: Place) -> bool {
    program.node(place).kind.is_expression()
}

fn function_position(program: &Program<'_>, children: &[Place], callee: Option<Thing>) -> Option<usize> {
    match callee {
        Some(thing) => children.iter().position(|child| names(program, *child, thing)),
        None => (!children.is_empty()).then_some(0),
    }
}

/// Returns whether an expression is just the name of a function, with or without the object it is
/// called on.
fn names(program: &Program<'_>, place: Place, thing: Thing) -> bool {
    let node = program.node(place);
    match node.kind {
        Kind::Name | Kind::Member | Kind::OverloadedReference => program.referred(place) == Some(thing),
        Kind::OtherExpression | Kind::Parentheses => {
            program.children(place).next().is_some_and(|child| names(program, child, thing))
        }
        _ => false,
    }
}

fn object_of(program: &Program<'_>, function: Place) -> Option<Place> {
    let node = program.node(function);
    match node.kind {
        Kind::Member => program.children(function).find(|child| is_value(program, *child)),
        Kind::OtherExpression | Kind::Parentheses => {
            program.children(function).next().and_then(|child| object_of(program, child))
        }
        _ => None,
    }
}

/// Returns whether a name is the callee of a call rather than a value of its own.
fn is_called(program: &Program<'_>, place: Place) -> bool {
    let mut at = place;
    while let Some(parent) = program.parent(at) {
        match program.node(parent).kind {
            Kind::OtherExpression | Kind::Parentheses => at = parent,
            Kind::Call => return program.referred(parent) == program.referred(place),
            _ => return false,
        }
    }
    false
}

fn is_function(program: &Program<'_>, thing: Thing) -> bool {
    let (unit, entity) = program.entity(thing);
    let usr = &program.units[unit].entity(entity).usr;
    match program.declarations(thing).first() {
        Some(place) => program.node(*place).kind.is_function(),
        None => usr.contains("@F@") || usr.contains("@FT@") || usr.contains('#') || usr.is_empty(),
    }
}

fn is_method(program: &Program<'_>, thing: Thing) -> bool {
    let (unit, entity) = program.entity(thing);
    match program.declarations(thing).first() {
        Some(place) => program.node(*place).kind == Kind::Method,
        None => {
            let usr = &program.units[unit].entity(entity).usr;
            usr.contains("@S@") || usr.contains("@ST>") || usr.contains("@SP>") || usr.contains("@Sa@")
        }
    }
}

pub(crate) fn is_constructor(program: &Program<'_>, thing: Thing) -> bool {
    match program.declarations(thing).first() {
        Some(place) => program.node(*place).kind == Kind::Constructor,
        None => {
            let (unit, entity) = program.entity(thing);
            let usr = &program.units[unit].entity(entity).usr;
            let name = program.name(thing).split('<').next().unwrap_or_default();
            usr.contains(&format!("@{name}@F@{name}#"))
        }
    }
}
