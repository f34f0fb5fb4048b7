//! Calls of library functions: the pointers and references that they pass between arguments,
//! results and callbacks.

use super::{Aliases, is_pointer, may_hold_pointers};
use crate::accesses::unconverted;
use crate::calls::{Call, is_constructor};
use crate::cells::Cell;
use crate::library::is_of_a_header;
use crate::program::{Place, Program};
use lapidary_clang::{Kind, Type, TypeClass};

impl Aliases<'_, '_> {
    /// Records a call of a library function. The library may store one argument inside another, and
    /// may return a part of an argument.
    pub(super) fn note_library_call(&mut self, place: Place, call: &Call) {
        let made = self.value(place);
        let name = call.callee.map_or("", |thing| self.program.name(thing));
        if name == "__builtin_va_start" {
            self.note_list_start(place, call);
        } else if name == "__builtin_va_copy" {
            let lists: Vec<_> = call.arguments.iter().map(|argument| self.value(*argument)).collect();
            lists.windows(2).for_each(|pair| self.cells.unify(pair[0], pair[1]));
        } else if matches!(name, "operator<<" | "operator>>") {
            let stream = call.receiver.or(call.arguments.first().copied()).map(|stream| self.object(stream));
            stream.into_iter().for_each(|stream| self.cells.unify(stream, made));
        } else if let Some(receiver) = call.receiver.or(self.constructed(place, call)) {
            self.put_into(receiver, made, &call.arguments);
        } else {
            self.mix(&call.arguments);
            self.hand_on(place, name, &call.arguments);
        }
    }

    fn note_list_start(&mut self, place: Place, call: &Call) {
        let callable = self.elements.owner(place).and_then(|owner| self.elements.get(owner).callable);
        let (Some(callable), Some(list)) = (callable, call.arguments.first()) else { return };
        let (found, made) = (self.value(*list), self.list_of(callable));
        self.cells.unify(found, made);
    }

    /// Records that a function of the C++ library returns an object which leads to an argument: an
    /// iterator of a container, a reference to a variable.
    fn hand_on(&mut self, place: Place, name: &str, arguments: &[Place]) {
        let Some(found) = self.program.type_of(place).filter(|found| found.class == TypeClass::Record) else { return };
        let class = found.spelling.split('<').next().unwrap_or_default();
        let leads_on = class.ends_with("iterator") || class.ends_with("reference_wrapper") || name == "tie";
        for argument in arguments.iter().copied().filter(|_| !name.starts_with("operator")) {
            let of_argument = self.program.type_of(argument);
            let is_same = of_argument.is_some_and(|argument| {
                argument.class == TypeClass::Record && argument.spelling.trim_start_matches("const ") == found.spelling
            });
            if leads_on || is_same {
                let (made, object) = (self.made(place), self.object(argument));
                self.cells.unify(made, object);
            }
        }
    }

    fn put_into(&mut self, receiver: Place, made: Cell, arguments: &[Place]) {
        let object = self.object(receiver);
        self.cells.collapse(object);
        self.cells.unify(object, made);
        for argument in arguments.iter().copied() {
            if may_hold_pointers(self.program, argument) {
                let value = self.value(argument);
                self.cells.unify(object, value);
            }
        }
    }

    /// Unifies what the arguments point to: a function such as `memcpy` may move pointers between
    /// them.
    fn mix(&mut self, arguments: &[Place]) {
        let pointers = arguments.iter().copied().filter(|argument| is_pointer(self.program, *argument));
        let pointers: Vec<_> = pointers.filter(|pointer| !is_of_characters(self.program, *pointer)).collect();
        let values: Vec<_> = pointers.iter().map(|pointer| self.value(*pointer)).collect();
        for pair in values.windows(2) {
            let (one, other) = (self.cells.pointee(pair[0]), self.cells.pointee(pair[1]));
            self.cells.unify(one, other);
        }
        for (pointer, value) in pointers.iter().zip(values) {
            if is_of_bytes(self.program, unconverted(self.program, *pointer)) {
                self.stored.push(value);
            }
        }
        self.store_pointers(arguments);
    }

    /// Records that a function such as `strtol` may store a pointer to one argument through another.
    fn store_pointers(&mut self, arguments: &[Place]) {
        for through in arguments.iter().copied() {
            let Some(stored) = pointed_type(self.program, unconverted(self.program, through)) else { continue };
            let Some(target) = stored.inner.filter(|_| stored.class == TypeClass::Pointer) else { continue };
            let target = bare(&self.program.syntax(through).get_type(target).spelling);
            for other in arguments.iter().copied().filter(|other| *other != through) {
                let pointed = pointed_type(self.program, unconverted(self.program, other));
                if pointed.is_some_and(|pointed| bare(&pointed.spelling) == target) {
                    let (place, value) = (self.value(through), self.value(other));
                    let held = self.cells.pointee(place);
                    self.cells.unify(held, value);
                }
            }
        }
    }

    /// Returns the variable that the construction of a library object initialises.
    fn constructed(&self, place: Place, call: &Call) -> Option<Place> {
        call.callee.filter(|thing| is_constructor(self.program, *thing))?;
        let mut at = place;
        while let Some(parent) = self.program.parent(at) {
            match self.program.node(parent).kind {
                Kind::OtherExpression => at = parent,
                Kind::Variable => return Some(parent),
                _ => return None,
            }
        }
        None
    }

    /// Records that a library function may pass its arguments, and parts of them, to the functions
    /// among them.
    pub(super) fn pass_to_callbacks(&mut self, call: &Call) {
        let given: Vec<_> = call.receiver.iter().chain(&call.arguments).copied().collect();
        let bodies: Vec<_> =
            given.iter().flat_map(|argument| self.callees.of_function_argument(self.program, *argument)).collect();
        for body in bodies {
            let function = self.elements.callable(body).place;
            for parameter in self.program.children(function).collect::<Vec<_>>() {
                let class = self.program.type_of(parameter).map(|found| found.class);
                let refers = matches!(class, Some(TypeClass::Pointer | TypeClass::Reference));
                let is_parameter = self.program.node(parameter).kind == Kind::Parameter;
                let Some(thing) = self.program.declared(parameter).filter(|_| is_parameter && refers) else { continue };
                let cell = self.cells.of(thing);
                let held = self.cells.pointee(cell);
                for argument in &given {
                    if let Some(passed) = self.passed(*argument) {
                        self.cells.unify(held, passed);
                    }
                }
            }
        }
    }

    /// Returns the memory that a library function can reach through an argument.
    fn passed(&mut self, argument: Place) -> Option<Cell> {
        let inner = unconverted(self.program, argument);
        let class = self.program.type_of(inner).map(|found| found.class);
        let is_text = self.program.node(inner).kind == Kind::StringLiteral;
        let is_function = !self.callees.of_function_argument(self.program, argument).is_empty();
        match class {
            _ if is_text || is_function => None,
            Some(TypeClass::Pointer | TypeClass::Array) => Some(self.value(argument)),
            Some(TypeClass::Record) => Some(self.lvalue(argument)),
            _ => None,
        }
    }

    /// Makes a reference that a library function returns one to each of its arguments.
    pub(super) fn refer_to_arguments(&mut self, value: Place, referred: Cell) {
        let value = unconverted(self.program, value);
        if self.program.node(value).kind != Kind::Call {
            return;
        }
        let call = Call::of(self.program, value);
        let is_foreign = call.callee.is_some_and(|thing| is_of_a_header(self.program, thing));
        if !is_foreign || call.receiver.is_some() {
            return;
        }
        for argument in call.arguments {
            let argument = unconverted(self.program, argument);
            if matches!(self.program.node(argument).kind, Kind::Name | Kind::Member | Kind::Subscript | Kind::Unary) {
                let cell = self.lvalue(argument);
                self.cells.unify(cell, referred);
            }
        }
    }
}

/// Returns whether a pointer leads to memory that is neither an object of a class nor unknown.
fn is_of_bytes(program: &Program<'_>, place: Place) -> bool {
    let pointed = pointed_type(program, place);
    pointed.is_some_and(|pointed| !matches!(pointed.class, TypeClass::Record | TypeClass::Void))
}

fn is_of_characters(program: &Program<'_>, place: Place) -> bool {
    let inner = program.type_of(place).and_then(|found| found.inner);
    inner.is_some_and(|inner| program.syntax(place).get_type(inner).spelling.contains("char"))
}

pub(super) fn pointed_type<'a>(program: &Program<'a>, place: Place) -> Option<&'a Type> {
    let inner = program.type_of(place).filter(|_| is_pointer(program, place))?.inner?;
    Some(program.syntax(place).get_type(inner))
}

fn bare(spelling: &str) -> &str {
    spelling.trim_start_matches("const ")
}
