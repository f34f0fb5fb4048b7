//! Finds the memory that a part of the program reads and writes, and the functions it calls.

use crate::aliases::{Aliases, all_fields, is_pointer, next_sibling};
use crate::calls::{Call, Callees};
use crate::cells::Cell;
use crate::elements::{CallableId, ElementId, Elements};
use crate::library::{
    ERRNO, formats, has_count, is_of_a_header, is_output, may_set_errno, never_returns, only_reads, state_of,
    writes_receiver, writes_references,
};
use crate::program::{Place, Program, Thing};
use crate::usage::{Usage, has_class, private_variables, usage};
use foldhash::{HashMap, HashSet};
use lapidary_clang::{Kind, Type, TypeClass};
use std::collections::BTreeSet;

/// The memory that an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// A variable that can be reached only through its name.
    Private(Thing),
    Shared(Cell),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    Read,
    /// Part of the spot may be written.
    Write,
    /// The whole spot is written, so its previous value is lost.
    Overwrite,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Access {
    pub(crate) spot: Spot,
    pub(crate) effect: Effect,
    /// The expression, if it denotes exactly this memory.
    pub(crate) place: Option<Place>,
}

/// The accesses and calls of a part of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) accesses: Vec<Access>,
    pub(crate) calls: Vec<CallableId>,
    pub(crate) has_call: bool,
    pub(crate) throws: bool,
    /// Whether it calls a library function that does not return.
    pub(crate) exits: bool,
}

pub(crate) struct Reader<'a, 'b> {
    program: &'b Program<'a>,
    elements: &'b Elements,
    callees: &'b Callees,
    aliases: Aliases<'a, 'b>,
    private: HashSet<Thing>,
    destructors: Vec<(Thing, CallableId)>,
    /// For each cell that was accessed, the fields of the objects in it.
    fields: HashMap<Cell, Vec<Cell>>,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub(crate) fn new(program: &'b Program<'a>, elements: &'b Elements, callees: &'b Callees) -> Reader<'a, 'b> {
        let aliases = Aliases::new(program, elements, callees);
        let private = private_variables(program, elements);
        let destructors = elements.callable_ids().filter_map(|id| Some((destroyed_class(program, elements, id)?, id)));
        let destructors = destructors.collect();
        Reader { program, elements, callees, aliases, private, destructors, fields: HashMap::default() }
    }

    /// Collects the accesses and calls of those of these nodes that belong to the element.
    pub(crate) fn facts(&mut self, element: ElementId, parts: &[Place]) -> Facts {
        let mut facts = Facts::default();
        for part in parts {
            let syntax = self.program.syntax(*part);
            let mut unevaluated = None;
            for node in syntax.subtree(part.node) {
                let place = Place { unit: part.unit, node };
                if unevaluated.is_some_and(|last| node <= last) || self.elements.owner(place) != Some(element) {
                    continue;
                }
                if syntax.node(node).kind == Kind::TypeTrait {
                    unevaluated = syntax.subtree(node).next_back();
                    continue;
                }
                self.note(place, &mut facts);
            }
        }
        facts.accesses.sort();
        facts.accesses.dedup();
        facts.calls.sort();
        facts.calls.dedup();
        facts
    }

    /// Returns the accesses by which a handler receives the exception.
    pub(crate) fn caught(&mut self) -> Vec<Access> {
        let mut facts = Facts::default();
        self.access_state("exception", &[Effect::Read], &mut facts);
        facts.accesses
    }

    fn note(&mut self, place: Place, facts: &mut Facts) {
        match self.program.node(place).kind {
            Kind::Name | Kind::Member | Kind::Subscript | Kind::Unary => self.note_place(place, facts),
            Kind::Conditional => self.note_chosen(place, facts),
            Kind::OtherExpression => self.note_next_argument(place, facts),
            Kind::Variable | Kind::Parameter | Kind::Field => self.note_declared(place, facts),
            Kind::MemberReference => self.note_member(place, facts),
            Kind::Call => self.note_call(place, facts),
            Kind::Delete => self.note_delete(place, facts),
            Kind::RangeFor => self.note_range(place, facts),
            Kind::Throw => {
                facts.throws = true;
                self.access_state("exception", &[Effect::Write], facts);
            }
            Kind::Lambda => facts.calls.extend(self.callees.of_lambda(self.program, place)),
            _ => {}
        }
    }

    fn note_place(&mut self, place: Place, facts: &mut Facts) {
        if !self.is_memory(place) {
            return;
        }
        let effects: &[Effect] = match usage(self.program, place) {
            Usage::Read => &[Effect::Read],
            Usage::Write => &[Effect::Overwrite],
            Usage::Step => &[Effect::Read, Effect::Overwrite],
            Usage::Part(_) | Usage::Shared | Usage::Unused => return,
        };
        let (spot, is_whole) = self.spot(place);
        for effect in effects {
            self.access(place, spot, narrowed(*effect, is_whole), facts);
        }
    }

    /// Records a write to one of several places.
    fn note_chosen(&mut self, place: Place, facts: &mut Facts) {
        let effects: &[Effect] = match usage(self.program, place) {
            Usage::Write => &[Effect::Write],
            Usage::Step => &[Effect::Read, Effect::Write],
            _ => return,
        };
        let cell = self.aliases.lvalue(place);
        effects.iter().for_each(|effect| self.access_opaque(place, Spot::Shared(cell), *effect, facts));
    }

    /// Records the use of a list of arguments by `va_arg`.
    fn note_next_argument(&mut self, place: Place, facts: &mut Facts) {
        let is_list =
            |place: Place| self.program.type_of(place).is_some_and(|found| found.spelling.contains("va_list"));
        let inner = self.program.children(place).find(|child| self.program.node(*child).kind.is_expression());
        let Some(list) = inner.filter(|inner| is_list(*inner) && !is_list(place)) else { return };
        let cell = self.aliases.value(list);
        [Effect::Read, Effect::Write].iter().for_each(|effect| self.push(Spot::Shared(cell), *effect, None, facts));
    }

    fn access(&mut self, place: Place, spot: Spot, effect: Effect, facts: &mut Facts) {
        let is_object = has_class(self.program, place, TypeClass::Record);
        let direct = (!is_object).then_some(place);
        self.push(spot, effect, direct, facts);
        match spot {
            Spot::Shared(_) if is_object => {
                self.access_fields(self.program.type_of(place), place.unit, effect, facts);
            }
            Spot::Shared(cell) => self.access_inside(cell, effect, direct, facts),
            Spot::Private(_) => {}
        }
    }

    /// Records an access to the bytes of the objects in a cell, and so to their fields.
    fn access_inside(&mut self, cell: Cell, effect: Effect, place: Option<Place>, facts: &mut Facts) {
        let cell = self.aliases.cells.find(cell);
        if !self.fields.contains_key(&cell) {
            let classes = self.aliases.cells.classes(cell).clone();
            let found = self.field_cells(classes).into_iter().filter(|field| *field != cell).collect();
            self.fields.insert(cell, found);
        }
        for field in self.fields[&cell].clone() {
            self.push(Spot::Shared(field), narrowed(effect, false), place, facts);
        }
    }

    fn field_cells(&mut self, classes: impl IntoIterator<Item = Thing>) -> BTreeSet<Cell> {
        let cells = &mut self.aliases.cells;
        let mut cell_of = |field| {
            let cell = cells.of(field);
            cells.find(cell)
        };
        all_fields(self.program, classes).into_iter().map(&mut cell_of).collect()
    }

    fn push(&mut self, spot: Spot, effect: Effect, place: Option<Place>, facts: &mut Facts) {
        let spot = match spot {
            Spot::Shared(cell) if self.aliases.cells.is_silent(cell) => return,
            Spot::Shared(cell) => Spot::Shared(self.aliases.cells.find(cell)),
            private => private,
        };
        facts.accesses.push(Access { spot, effect, place });
    }

    /// Records an access to every field of an object of the type.
    fn access_fields(&mut self, of_type: Option<&Type>, unit: usize, effect: Effect, facts: &mut Facts) {
        let class = of_type.and_then(|found| found.declaration).map(|id| self.program.thing(unit, id));
        for field in self.field_cells(class) {
            self.push(Spot::Shared(field), narrowed(effect, false), None, facts);
        }
    }

    /// Returns whether an expression denotes memory, rather than a function, a constant or the
    /// result of an operator.
    fn is_memory(&self, place: Place) -> bool {
        use crate::text::{Operator, operator};
        match self.program.node(place).kind {
            Kind::Unary => operator(self.program, place) == Operator::Dereference,
            Kind::Subscript => true,
            _ => {
                let Some(thing) = self.program.referred(place) else { return false };
                let declared = self.program.declarations(thing).first().map(|place| self.program.node(*place).kind);
                let is_function = has_class(self.program, place, TypeClass::Function);
                match declared {
                    Some(kind) => matches!(kind, Kind::Variable | Kind::Parameter | Kind::Field),
                    None => !is_function && !is_output(self.program, thing),
                }
            }
        }
    }

    /// Returns the memory that an expression denotes, and whether the expression covers all of it.
    fn spot(&mut self, place: Place) -> (Spot, bool) {
        let mut at = place;
        loop {
            let kind = self.program.node(at).kind;
            let first = self.program.children(at).find(|child| self.program.node(*child).kind.is_expression());
            let thing = self.program.referred(at).filter(|thing| kind == Kind::Name && self.private.contains(thing));
            if let Some(thing) = thing {
                let is_whole = at == place && !has_class(self.program, at, TypeClass::Array);
                return (Spot::Private(thing), is_whole);
            }
            at = match (kind, first) {
                (Kind::Parentheses | Kind::OtherExpression, Some(first)) => first,
                (Kind::Member, Some(first))
                    if has_class(self.program, first, TypeClass::Record) && !is_reference(self.program, at) =>
                {
                    first
                }
                (Kind::Subscript, Some(first)) if is_array(self.program, first) => first,
                _ => return (Spot::Shared(self.aliases.lvalue(place)), false),
            };
        }
    }

    fn note_declared(&mut self, place: Place, facts: &mut Facts) {
        let Some(thing) = self.program.declared(place) else { return };
        let is_field = self.program.node(place).kind == Kind::Field;
        if is_field && crate::aliases::initialiser(self.program, place).is_none() {
            return;
        }
        let is_private = self.private.contains(&thing);
        let spot = if is_private { Spot::Private(thing) } else { Spot::Shared(self.aliases.cells.of(thing)) };
        self.access(place, spot, if is_private { Effect::Overwrite } else { Effect::Write }, facts);
        let class = class_of(self.program, place);
        if !is_field {
            self.note_destroyed(class, facts);
        }
    }

    /// Records a member initialiser: `: field(value)` in a constructor, `.field = value` in a list.
    fn note_member(&mut self, place: Place, facts: &mut Facts) {
        let Some(thing) = self.program.referred(place).filter(|_| next_sibling(self.program, place).is_some()) else {
            return;
        };
        let cell = self.aliases.cells.of(thing);
        self.push(Spot::Shared(cell), Effect::Write, None, facts);
    }

    fn note_range(&mut self, place: Place, facts: &mut Facts) {
        let range = self.program.children(place).find(|child| self.program.node(*child).kind.is_expression());
        let Some(range) = range else { return };
        let (spot, _) = self.spot(range);
        self.access(range, spot, Effect::Read, facts);
    }

    fn note_delete(&mut self, place: Place, facts: &mut Facts) {
        let Some(pointer) = self.program.children(place).next() else { return };
        self.access_pointed(pointer, &[Effect::Read, Effect::Write], facts);
        let class = pointed_class(self.program, pointer);
        self.note_destroyed(class, facts);
    }

    fn note_destroyed(&mut self, class: Option<Thing>, facts: &mut Facts) {
        let Some(class) = class else { return };
        let program = self.program;
        let runs = |of: Thing| of == class || inherits(program, of, class) || inherits(program, class, of);
        let run = self.destructors.iter().filter(|(of, _)| runs(*of)).map(|(_, id)| *id);
        facts.calls.extend(run);
    }

    fn note_call(&mut self, place: Place, facts: &mut Facts) {
        let call = Call::of(self.program, place);
        let bodies = self.callees.of(self.program, &call);
        facts.has_call = true;
        facts.calls.extend(&bodies);
        let result = self.aliases.lvalue(place);
        match usage(self.program, place) {
            Usage::Write => self.push(Spot::Shared(result), Effect::Write, None, facts),
            Usage::Step => {
                self.push(Spot::Shared(result), Effect::Read, None, facts);
                self.push(Spot::Shared(result), Effect::Write, None, facts);
            }
            Usage::Read if !bodies.is_empty() && !is_pointer(self.program, place) => {
                self.push(Spot::Shared(result), Effect::Read, None, facts);
            }
            _ => {}
        }
        if bodies.is_empty() {
            self.note_library_call(&call, facts);
        } else {
            self.note_arguments(&call, facts);
        }
    }

    /// Records arguments that are passed without being loaded first: by reference, or in a
    /// template, where it may be either.
    fn note_arguments(&mut self, call: &Call, facts: &mut Facts) {
        for argument in call.arguments.iter().copied() {
            let argument = unconverted(self.program, argument);
            if self.is_memory(argument) {
                let (spot, _) = self.spot(argument);
                self.access(argument, spot, Effect::Read, facts);
            }
        }
    }

    fn note_library_call(&mut self, call: &Call, facts: &mut Facts) {
        let name = call.callee.map_or("", |thing| self.program.name(thing));
        let foreign = call.callee.filter(|thing| is_of_a_header(self.program, *thing));
        facts.exits |= never_returns(name) && foreign.is_some();
        if let Some(state) = state_of(name).filter(|_| foreign.is_some()) {
            self.access_state(state, &[Effect::Read, Effect::Write], facts);
        }
        match foreign {
            Some(_) if name == "perror" => self.access_state(ERRNO, &[Effect::Read], facts),
            Some(thing) if !may_set_errno(self.program, thing) => {}
            _ => self.access_state(ERRNO, &[Effect::Write], facts),
        }
        for place in call.receiver.iter().chain(&call.arguments).copied() {
            let functions = self.callees.of_argument(self.program, place);
            facts.calls.extend(functions);
            let may_write = self.may_write(call, foreign, place) && !is_const(self.program, place);
            let effects: &[Effect] = if may_write { &[Effect::Read, Effect::Write] } else { &[Effect::Read] };
            if is_pointer(self.program, place) {
                self.access_pointed(place, effects, facts);
            } else if is_object_or_place(self.program, place) {
                let cell = self.aliases.lvalue(place);
                let (spot, _) = self.spot(unconverted(self.program, place));
                let spot = if let Spot::Private(_) = spot { spot } else { Spot::Shared(cell) };
                effects.iter().for_each(|effect| self.access_opaque(place, spot, *effect, facts));
            }
        }
    }

    /// Returns whether a function without a known body may write an argument or the object that it
    /// is called on.
    fn may_write(&self, call: &Call, foreign: Option<Thing>, place: Place) -> bool {
        let Some(thing) = foreign else { return true };
        let program = self.program;
        if call.receiver == Some(place) {
            let class = class_of(program, place).or(pointed_class(program, place));
            let class = class.map_or("", |class| program.name(class)).split('<').next().unwrap_or_default();
            return writes_receiver(program, thing, class);
        }
        match is_pointer(program, place) {
            true if only_reads(program, thing) => formats(program.name(thing)) && self.may_count(call),
            true => true,
            // An object that is passed by value may still lead to others, as an iterator does.
            false => has_class(program, place, TypeClass::Record) || writes_references(program, thing),
        }
    }

    /// Returns whether a call of a function like `printf` may have a `%n` in its format.
    fn may_count(&self, call: &Call) -> bool {
        let formats = call.arguments.iter().take(2).map(|argument| unconverted(self.program, *argument));
        let mut literals = formats.filter(|format| self.program.node(*format).kind == Kind::StringLiteral);
        literals.next().is_none_or(|format| self.program.node(format).in_macro || has_count(self.program.text(format)))
    }

    fn access_opaque(&mut self, place: Place, spot: Spot, effect: Effect, facts: &mut Facts) {
        self.push(spot, effect, None, facts);
        if let Spot::Shared(cell) = spot {
            match self.program.type_of(place).filter(|found| found.class == TypeClass::Record) {
                Some(found) => {
                    let classes = contained_classes(self.program, found, place.unit);
                    for field in self.field_cells(classes) {
                        self.push(Spot::Shared(field), narrowed(effect, false), None, facts);
                    }
                }
                None => self.access_inside(cell, effect, None, facts),
            }
        }
    }

    /// Records an access to the memory behind a pointer that is passed on. A pointer to an object
    /// of a class may point to one of a class that contains it.
    fn access_pointed(&mut self, pointer: Place, effects: &[Effect], facts: &mut Facts) {
        let inner = unconverted(self.program, pointer);
        if matches!(self.program.node(inner).kind, Kind::StringLiteral)
            || has_class(self.program, inner, TypeClass::Function)
        {
            return;
        }
        let cell = self.aliases.value(pointer);
        let class = pointed_class(self.program, inner).filter(|class| self.program.definition(*class).is_some());
        for effect in effects {
            self.push(Spot::Shared(cell), *effect, None, facts);
            let Some(class) = class else {
                self.access_inside(cell, *effect, None, facts);
                continue;
            };
            let mut classes = self.aliases.cells.classes(cell).clone();
            classes.retain(|other| inherits(self.program, *other, class));
            classes.insert(class);
            for field in self.field_cells(classes) {
                self.push(Spot::Shared(field), *effect, None, facts);
            }
        }
    }

    fn access_state(&mut self, name: &'static str, effects: &[Effect], facts: &mut Facts) {
        let cell = self.aliases.cells.of_state(name);
        effects.iter().for_each(|effect| self.push(Spot::Shared(cell), *effect, None, facts));
    }
}

fn narrowed(effect: Effect, is_whole: bool) -> Effect {
    if effect == Effect::Overwrite && !is_whole { Effect::Write } else { effect }
}

/// Returns whether an expression names a reference.
fn is_reference(program: &Program<'_>, place: Place) -> bool {
    let declared = program.referred(place).and_then(|thing| program.declarations(thing).first().copied());
    declared.is_some_and(|declared| has_class(program, declared, TypeClass::Reference))
}

fn is_array(program: &Program<'_>, place: Place) -> bool {
    has_class(program, unconverted(program, place), TypeClass::Array)
}

/// Strips implicit conversions, parentheses and casts from an expression.
pub(crate) fn unconverted(program: &Program<'_>, place: Place) -> Place {
    let mut at = place;
    while matches!(program.node(at).kind, Kind::OtherExpression | Kind::Parentheses | Kind::Cast) {
        match program.children(at).filter(|child| program.node(*child).kind.is_expression()).last() {
            Some(child) => at = child,
            None => break,
        }
    }
    at
}

/// Returns whether the callee cannot change the argument it is passed.
fn is_const(program: &Program<'_>, place: Place) -> bool {
    let Some(found) = program.type_of(place) else { return false };
    match (found.class, found.inner) {
        (TypeClass::Pointer, Some(inner)) => program.syntax(place).get_type(inner).is_const,
        _ => found.is_const,
    }
}

fn is_object_or_place(program: &Program<'_>, place: Place) -> bool {
    let is_object = has_class(program, place, TypeClass::Record) || has_class(program, place, TypeClass::Other);
    let inner = unconverted(program, place);
    // An element that a container returns by reference.
    let is_element = program.node(inner).kind == Kind::Call && Call::of(program, inner).receiver.is_some();
    is_object
        || is_element
        || matches!(program.node(place).kind, Kind::Name | Kind::Member | Kind::Subscript | Kind::Unary)
}

/// Returns the class of an object, and the classes of those that a container holds.
fn contained_classes(program: &Program<'_>, of_type: &Type, unit: usize) -> Vec<Thing> {
    let (mut found, mut pending) = (Vec::new(), vec![of_type]);
    while let Some(next) = pending.pop() {
        found.extend(next.declaration.map(|id| program.thing(unit, id)));
        let arguments = next.arguments.iter().map(|id| program.units[unit].get_type(*id));
        pending.extend(arguments.filter(|argument| argument.class == TypeClass::Record));
    }
    found
}

/// Returns the class of a declaration or an expression. For an array, that of its elements.
pub(crate) fn class_of(program: &Program<'_>, place: Place) -> Option<Thing> {
    let mut found = program.type_of(place)?;
    while let (TypeClass::Array, Some(inner)) = (found.class, found.inner) {
        found = program.syntax(place).get_type(inner);
    }
    found.declaration.map(|id| program.thing(place.unit, id))
}

pub(crate) fn pointed_class(program: &Program<'_>, pointer: Place) -> Option<Thing> {
    let inner = program.type_of(pointer)?.inner?;
    program.syntax(pointer).get_type(inner).declaration.map(|id| program.thing(pointer.unit, id))
}

/// Returns the class whose objects a destructor destroys.
fn destroyed_class(program: &Program<'_>, elements: &Elements, id: CallableId) -> Option<Thing> {
    let place = elements.callable(id).place;
    let is_destructor = program.node(place).kind == Kind::Destructor;
    let declared = program.declarations(program.declared(place).filter(|_| is_destructor)?);
    declared.iter().find_map(|place| {
        let parent = program.parent(*place)?;
        program.declared(parent).filter(|_| program.node(parent).kind.is_class())
    })
}

/// Returns whether objects of a class contain another class, as a base or as a field.
pub(crate) fn inherits(program: &Program<'_>, class: Thing, part: Thing) -> bool {
    let mut seen = HashSet::default();
    let mut pending = vec![class];
    while let Some(class) = pending.pop() {
        if class == part {
            return true;
        }
        let Some(definition) = program.definition(class).filter(|_| seen.insert(class)) else { continue };
        for child in program.children(definition) {
            match program.node(child).kind {
                Kind::BaseSpecifier => pending.extend(program.referred(child)),
                Kind::Field => pending.extend(class_of(program, child)),
                _ => {}
            }
        }
    }
    false
}
