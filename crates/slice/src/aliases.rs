//! Builds the [`Cells`] of a program from its assignments, initialisers and calls.

mod library;
mod objects;

use crate::accesses::unconverted;
use crate::calls::{Call, Callees, is_constructor};
use crate::cells::{Cell, Cells};
use crate::elements::{CallableId, Elements};
use crate::library::{is_input, is_of_a_header, is_output, returned_argument, returned_state};
use crate::program::{Place, Program, Thing};
use crate::text::{Operator, operator};
use lapidary_clang::{Kind, Type, TypeClass};
use library::pointed_type;
pub(crate) use objects::all_fields;

/// Maps expressions to cells.
pub(crate) struct Aliases<'a, 'b> {
    program: &'b Program<'a>,
    elements: &'b Elements,
    callees: &'b Callees,
    pub(crate) cells: Cells,
    /// For each expression that creates an object, the cell of that object.
    made: foldhash::HashMap<Place, Cell>,
    /// For each function that is called with more arguments than parameters, the cell of the list
    /// that it finds them in.
    lists: foldhash::HashMap<CallableId, Cell>,
    /// Objects in whose bytes pointers may be stored.
    stored: Vec<Cell>,
}

impl<'a, 'b> Aliases<'a, 'b> {
    pub(crate) fn new(program: &'b Program<'a>, elements: &'b Elements, callees: &'b Callees) -> Aliases<'a, 'b> {
        let mut aliases = Aliases {
            program,
            elements,
            callees,
            cells: Cells::new(),
            made: Default::default(),
            lists: Default::default(),
            stored: Vec::new(),
        };
        aliases.silence_output();
        for (unit, syntax) in program.units.iter().enumerate() {
            syntax.ids().for_each(|node| aliases.note(Place { unit, node }));
        }
        aliases.connect_stored();
        aliases
    }

    fn silence_output(&mut self) {
        for thing in self.program.things().filter(|thing| is_output(self.program, *thing)) {
            let cell = self.cells.of(thing);
            self.cells.collapse(cell);
            self.cells.silence(cell);
        }
        for thing in self.program.things().filter(|thing| is_input(self.program, *thing)) {
            let (cell, state) = (self.cells.of(thing), self.cells.of_state("input"));
            self.cells.unify(cell, state);
            self.cells.collapse(cell);
        }
    }

    fn note(&mut self, place: Place) {
        self.note_classes(place);
        match self.program.node(place).kind {
            Kind::Binary if operator(self.program, place) == Operator::Assign => self.note_assignment(place),
            Kind::Variable | Kind::Field => self.note_initialiser(place),
            Kind::RangeFor => self.note_range(place),
            Kind::Return => self.note_return(place),
            Kind::Call => self.note_call(place),
            Kind::InitialiserList => self.note_list(place),
            Kind::MemberReference => self.note_member_initialiser(place),
            Kind::Conditional => {
                self.lvalue(place);
                self.value(place);
            }
            Kind::Cast => self.note_cast(place),
            Kind::Union => self.note_union(place),
            _ => {}
        }
    }

    fn note_assignment(&mut self, place: Place) {
        let [left, right] = self.operands(place);
        if may_hold_pointers(self.program, place) {
            let (cell, value) = (self.lvalue(left), self.value(right));
            let held = self.cells.pointee(cell);
            self.cells.unify(held, value);
            let is_indirect = matches!(self.program.node(left).kind, Kind::Unary | Kind::Subscript);
            if is_indirect && is_pointer(self.program, left) {
                self.stored.push(cell);
            }
        }
    }

    fn note_initialiser(&mut self, place: Place) {
        let Some(thing) = self.program.declared(place) else { return };
        if let Some(value) = initialiser(self.program, place) {
            let cell = self.cells.of(thing);
            self.bind(cell, place, value);
        }
    }

    /// Initialises a variable, parameter or field of the type of `declaration` with a value.
    fn bind(&mut self, cell: Cell, declaration: Place, value: Place) {
        let class = self.program.type_of(declaration).map(|found| found.class);
        let source = match class {
            Some(TypeClass::Reference) => {
                let referred = self.lvalue(value);
                self.refer_to_arguments(value, referred);
                referred
            }
            _ if may_hold_pointers(self.program, declaration) => self.value(value),
            _ => return,
        };
        let held = self.cells.pointee(cell);
        self.cells.unify(held, source);
        let is_list = self.program.type_of(declaration).is_some_and(|found| found.spelling.contains("va_list"));
        if is_list {
            // It is declared as an array and passed as a pointer.
            self.cells.unify(cell, held);
        }
    }

    fn note_range(&mut self, place: Place) {
        let children: Vec<_> = self.program.children(place).collect();
        let variable = children.iter().find(|child| self.program.node(**child).kind == Kind::Variable);
        let range = children.iter().find(|child| self.program.node(**child).kind.is_expression());
        let (Some(variable), Some(range)) = (variable, range) else { return };
        let Some(thing) = self.program.declared(*variable) else { return };
        let (cell, source) = (self.cells.of(thing), self.lvalue(*range));
        let is_array = self.program.type_of(*range).is_some_and(|found| found.class == TypeClass::Array);
        if !is_array {
            self.cells.collapse(source);
        }
        let is_reference = self.program.type_of(*variable).is_some_and(|found| found.class == TypeClass::Reference);
        let (held, inner) = (self.cells.pointee(cell), self.cells.pointee(source));
        self.cells.unify(held, if is_reference { source } else { inner });
    }

    fn note_return(&mut self, place: Place) {
        let Some(value) = self.program.children(place).next() else { return };
        let callable = self.elements.owner(place).and_then(|owner| self.elements.get(owner).callable);
        let Some(function) = callable.and_then(|id| self.function_of(id)) else { return };
        let result = self.cells.result_of(function);
        let held = self.cells.pointee(result);
        let source = if returns_reference(self.program, function) { self.lvalue(value) } else { self.value(value) };
        self.cells.unify(held, source);
    }

    fn note_call(&mut self, place: Place) {
        let call = Call::of(self.program, place);
        let bodies = self.callees.of(self.program, &call);
        bodies.iter().for_each(|body| self.pass(*body, &call));
        if bodies.is_empty() {
            self.note_library_call(place, &call);
            self.pass_to_callbacks(&call);
        }
        let declared = call.callee.filter(|thing| bodies.is_empty() && !is_of_a_header(self.program, *thing));
        if let Some(thing) = declared {
            let result = self.cells.result_of(thing);
            self.cells.pointee(result);
        }
    }

    fn pass(&mut self, body: CallableId, call: &Call) {
        let function = self.elements.callable(body).place;
        let parameters =
            self.program.children(function).filter(|child| self.program.node(*child).kind == Kind::Parameter);
        let parameters: Vec<_> = parameters.collect();
        for (index, argument) in call.arguments.iter().copied().enumerate() {
            let parameter = parameters.get(index).copied();
            let thing = parameter.and_then(|parameter| self.program.declared(parameter));
            if let Some((parameter, thing)) = parameter.zip(thing) {
                let cell = self.cells.of(thing);
                self.bind(cell, parameter, argument);
            } else if may_hold_pointers(self.program, argument) {
                let (list, value) = (self.list_of(body), self.value(argument));
                self.cells.unify(list, value);
            }
        }
    }

    /// Returns the cell of the list in which a function finds arguments without a parameter.
    fn list_of(&mut self, body: CallableId) -> Cell {
        *self.lists.entry(body).or_insert_with(|| self.cells.fresh())
    }

    /// Returns the cell of an object, given the object or a pointer to it.
    fn object(&mut self, place: Place) -> Cell {
        match self.program.node(place).kind {
            Kind::Variable => match self.program.declared(place) {
                Some(thing) => self.cells.of(thing),
                None => self.made(place),
            },
            _ if is_pointer(self.program, place) => self.value(place),
            _ => self.lvalue(place),
        }
    }

    fn note_list(&mut self, place: Place) {
        let fields = fields_of_type(self.program, place);
        let children: Vec<_> = self.program.children(place).collect();
        for (field, value) in fields.into_iter().zip(children) {
            if let Some(thing) = self.program.declared(field) {
                let cell = self.cells.of(thing);
                self.bind(cell, field, value);
            }
        }
    }

    /// Records a member initialiser: `: field(value)` in a constructor, `.field = value` in a list.
    fn note_member_initialiser(&mut self, place: Place) {
        let Some(thing) = self.program.referred(place) else { return };
        let Some(declaration) = self.program.declarations(thing).first().copied() else { return };
        if let Some(value) = next_sibling(self.program, place) {
            let cell = self.cells.of(thing);
            self.bind(cell, declaration, value);
        }
    }

    /// Returns the cell of the memory that an expression denotes.
    pub(crate) fn lvalue(&mut self, place: Place) -> Cell {
        let program = self.program;
        match program.node(place).kind {
            Kind::Name | Kind::Member => self.named(place),
            Kind::Subscript => self.first(place, Self::value),
            Kind::Unary if operator(program, place) == Operator::Dereference => self.first(place, Self::value),
            Kind::Unary => self.first(place, Self::lvalue),
            Kind::CompoundAssignment => self.first(place, Self::lvalue),
            Kind::Binary => match (operator(program, place), self.operands(place)) {
                (Operator::Comma, [_, right]) => self.lvalue(right),
                (_, [left, _]) => self.lvalue(left),
            },
            Kind::Conditional => self.alternatives(place, Self::lvalue),
            Kind::Parentheses | Kind::OtherExpression | Kind::Cast => self.last(place, Self::lvalue),
            Kind::Call => {
                let result = self.value(place);
                let is_construction = program.referred(place).is_some_and(|thing| is_constructor(program, thing));
                if is_construction { self.made(place) } else { result }
            }
            _ => self.made(place),
        }
    }

    /// Returns the cell that an expression's value points to; for an object, the cell that it
    /// holds.
    pub(crate) fn value(&mut self, place: Place) -> Cell {
        let program = self.program;
        let is_array = program.type_of(place).is_some_and(|found| found.class == TypeClass::Array);
        match program.node(place).kind {
            Kind::Name | Kind::Member | Kind::Subscript if is_array => self.lvalue(place),
            Kind::Name | Kind::Member | Kind::Subscript => self.held_by(place),
            Kind::Unary => match operator(program, place) {
                Operator::AddressOf => self.first(place, Self::lvalue),
                Operator::Dereference if is_array => self.lvalue(place),
                Operator::Dereference => self.held_by(place),
                _ => self.first(place, Self::value),
            },
            Kind::Binary => match (operator(program, place), self.operands(place)) {
                (Operator::Comma, [_, right]) => self.value(right),
                (_, [left, right]) if is_pointer(program, right) && !is_pointer(program, left) => self.value(right),
                (_, [left, _]) => self.value(left),
            },
            Kind::CompoundAssignment => self.first(place, Self::value),
            Kind::Conditional => self.alternatives(place, Self::value),
            Kind::Parentheses | Kind::OtherExpression | Kind::Cast => self.last(place, Self::value),
            Kind::InitialiserList => self.of_list(place),
            Kind::Call => self.result(place),
            _ => self.made(place),
        }
    }

    fn named(&mut self, place: Place) -> Cell {
        let Some(thing) = self.program.referred(place) else { return self.made(place) };
        let is_foreign_member = self.program.node(place).kind == Kind::Member && is_of_a_header(self.program, thing);
        if let Some(base) = self.program.children(place).next().filter(|_| is_foreign_member) {
            return self.object(base);
        }
        let declared = self.program.declarations(thing).first();
        let is_reference = declared.is_some_and(|declared| {
            self.program.type_of(*declared).is_some_and(|found| found.class == TypeClass::Reference)
        });
        let cell = self.cells.of(thing);
        if is_reference { self.cells.pointee(cell) } else { cell }
    }

    fn held_by(&mut self, place: Place) -> Cell {
        let cell = self.lvalue(place);
        self.cells.pointee(cell)
    }

    fn result(&mut self, place: Place) -> Cell {
        let call = Call::of(self.program, place);
        let bodies = self.callees.of(self.program, &call);
        let functions: Vec<_> = bodies.iter().filter_map(|body| self.function_of(*body)).collect();
        let mut found = None;
        for function in functions {
            let result = self.cells.result_of(function);
            let held = self.cells.pointee(result);
            found.into_iter().for_each(|known| self.cells.unify(known, held));
            found = Some(held);
        }
        if let Some(found) = found {
            return found;
        }
        let name = call.callee.map_or("", |thing| self.program.name(thing));
        let returned = returned_argument(name).and_then(|index| call.arguments.get(index).copied());
        let first = call.arguments.iter().copied().find(|argument| is_pointer(self.program, *argument));
        let first = returned.or(first);
        if let Some(state) = returned_state(name) {
            let state = self.cells.of_state(state);
            if let Some(text) = first.filter(|_| name == "strtok") {
                let text = self.value(text);
                self.cells.unify(text, state);
            }
            return state;
        }
        match (call.receiver, first) {
            (None, Some(first)) if holds_result(self.program, place, first) => {
                let holder = self.value(first);
                self.cells.pointee(holder)
            }
            (Some(receiver), _) => self.object(receiver),
            (None, Some(first)) if is_pointer(self.program, place) => self.value(first),
            _ => self.made(place),
        }
    }

    fn function_of(&self, body: CallableId) -> Option<Thing> {
        self.program.declared(self.elements.callable(body).place)
    }

    fn of_list(&mut self, place: Place) -> Cell {
        let cell = self.made(place);
        let values: Vec<_> =
            self.program.children(place).filter(|child| self.program.node(*child).kind.is_expression()).collect();
        for value in values {
            let held = self.value(value);
            self.cells.unify(cell, held);
        }
        cell
    }

    fn made(&mut self, place: Place) -> Cell {
        if let Some(cell) = self.made.get(&place) {
            return *cell;
        }
        let cell = self.cells.fresh();
        self.made.insert(place, cell);
        cell
    }

    fn alternatives(&mut self, place: Place, find: fn(&mut Self, Place) -> Cell) -> Cell {
        let children: Vec<_> = self.program.children(place).collect();
        let [_, yes, no] = children[..] else { return self.made(place) };
        let (yes, no) = (find(self, yes), find(self, no));
        self.cells.unify(yes, no);
        yes
    }

    fn first(&mut self, place: Place, find: fn(&mut Self, Place) -> Cell) -> Cell {
        match self.program.children(place).next() {
            Some(child) => find(self, child),
            None => self.made(place),
        }
    }

    fn last(&mut self, place: Place, find: fn(&mut Self, Place) -> Cell) -> Cell {
        match self.program.children(place).filter(|child| self.program.node(*child).kind.is_expression()).last() {
            Some(child) => find(self, child),
            None => self.made(place),
        }
    }

    fn operands(&self, place: Place) -> [Place; 2] {
        let mut children = self.program.children(place);
        let first = children.next().unwrap_or(place);
        [first, children.next().unwrap_or(first)]
    }
}

/// Returns whether values of a node's type can point to other memory.
fn may_hold_pointers(program: &Program<'_>, place: Place) -> bool {
    program.type_of(place).is_none_or(|found| !found.class.is_arithmetic() || found.spelling.contains("long"))
}

/// Returns whether an argument points to a pointer like the one that the call returns, as in
/// `strsep(&rest, ",")`.
fn holds_result(program: &Program<'_>, call: Place, argument: Place) -> bool {
    let pointed = pointed_type(program, unconverted(program, argument));
    let result = program.type_of(call).filter(|found| found.class == TypeClass::Pointer);
    pointed.zip(result).is_some_and(|(pointed, result)| pointed.spelling == result.spelling)
}

pub(crate) fn is_pointer(program: &Program<'_>, place: Place) -> bool {
    program.type_of(place).is_some_and(|found| matches!(found.class, TypeClass::Pointer | TypeClass::Array))
}

fn returns_reference(program: &Program<'_>, function: Thing) -> bool {
    let Some(place) = program.declarations(function).first() else { return false };
    let result = program.type_of(*place).and_then(|found| found.inner);
    result.is_some_and(|result| program.syntax(*place).get_type(result).class == TypeClass::Reference)
}

/// Returns the initial value in a declaration.
pub(crate) fn initialiser(program: &Program<'_>, place: Place) -> Option<Place> {
    let value = program.children(place).filter(|child| program.node(*child).kind.is_expression()).last()?;
    let is_construction = program.node(value).kind == Kind::Call;
    let file = program.file_of(place);
    let before = program.tokens_in(file, program.node(place).start as usize..program.node(value).start as usize);
    let is_given = before.last().is_some_and(|token| matches!(program.token_text(file, token), b"=" | b"("));
    let is_list = program.node(value).kind == Kind::InitialiserList;
    (is_given || is_list || is_construction || program.node(value).in_macro).then_some(value)
}

/// Returns the fields of a node's class.
fn fields_of_type(program: &Program<'_>, place: Place) -> Vec<Place> {
    let Some(Type { class: TypeClass::Record, declaration: Some(entity), .. }) = program.type_of(place) else {
        return Vec::new();
    };
    let definition = program.definition(program.thing(place.unit, *entity));
    definition.map_or(Vec::new(), |class| fields(program, class))
}

/// Returns the fields of a class, without those of its bases.
pub(crate) fn fields(program: &Program<'_>, class: Place) -> Vec<Place> {
    program.children(class).filter(|child| program.node(*child).kind == Kind::Field).collect()
}

pub(crate) fn next_sibling(program: &Program<'_>, place: Place) -> Option<Place> {
    let parent = program.parent(place)?;
    program.children(parent).skip_while(|child| *child != place).nth(1)
}
