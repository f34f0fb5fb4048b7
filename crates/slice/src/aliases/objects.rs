//! Objects and the classes they belong to: their bytes, their casts, and unions.

use super::Aliases;
use crate::accesses::{class_of, inherits, pointed_class, unconverted};
use crate::cells::Cell;
use crate::program::{Place, Program, Thing};
use foldhash::HashSet;
use lapidary_clang::{Kind, Type, TypeClass};

impl<'a> Aliases<'a, '_> {
    /// Records the classes of the objects that a declaration or a pointer leads to.
    pub(super) fn note_classes(&mut self, place: Place) {
        let kind = self.program.node(place).kind;
        let Some(found) = self.program.type_of(place) else { return };
        match (kind, self.program.declared(place)) {
            (Kind::Variable | Kind::Parameter | Kind::Field, Some(thing)) => {
                let cell = self.cells.of(thing);
                self.add_classes(cell, found, place.unit);
            }
            (Kind::Cast | Kind::OtherExpression | Kind::This | Kind::New | Kind::Call, _) => {
                if let (TypeClass::Pointer, Some(inner)) = (found.class, found.inner) {
                    let cell = self.value(place);
                    self.add_classes(cell, self.program.syntax(place).get_type(inner), place.unit);
                }
            }
            _ => {}
        }
    }

    /// Records the classes of the objects in a cell that holds values of a type. A container shares
    /// its cell with its elements.
    fn add_classes(&mut self, mut cell: Cell, mut of_type: &'a Type, unit: usize) {
        let syntax = &self.program.units[unit];
        loop {
            match (of_type.class, of_type.inner) {
                (TypeClass::Array, Some(inner)) => of_type = syntax.get_type(inner),
                (TypeClass::Pointer | TypeClass::Reference, Some(inner)) => {
                    cell = self.cells.pointee(cell);
                    of_type = syntax.get_type(inner);
                }
                _ => break,
            }
        }
        let class = of_type.declaration.map(|id| self.program.thing(unit, id));
        if let Some(class) = class.filter(|class| self.program.definition(*class).is_some()) {
            self.cells.add_class(cell, class);
        }
        for argument in of_type.arguments.iter().map(|id| syntax.get_type(*id)) {
            if argument.class == TypeClass::Record {
                self.add_classes(cell, argument, unit);
            }
        }
    }

    /// Records that a pointer to an object of one class becomes one to an object of another. Unless
    /// one class contains the other, their fields are the same memory.
    pub(super) fn note_cast(&mut self, place: Place) {
        let inner = unconverted(self.program, place);
        let (from, to) = (pointed_class(self.program, inner), pointed_class(self.program, place));
        let (Some(from), Some(to)) = (from, to) else { return };
        if !inherits(self.program, from, to) && !inherits(self.program, to, from) {
            let cell = self.value(place);
            self.unify_fields(from, cell);
            self.unify_fields(to, cell);
        }
    }

    pub(super) fn note_union(&mut self, place: Place) {
        if let Some(class) = self.program.declared(place) {
            let cell = self.cells.fresh();
            self.unify_fields(class, cell);
        }
    }

    fn unify_fields(&mut self, class: Thing, cell: Cell) {
        for field in all_fields(self.program, [class]) {
            let field = self.cells.of(field);
            self.cells.unify(field, cell);
        }
    }

    /// Makes a pointer that was stored in the bytes of an object one of the object's fields.
    pub(super) fn connect_stored(&mut self) {
        for cell in self.stored.clone() {
            let classes = self.cells.classes(cell).clone();
            for field in all_fields(self.program, classes) {
                let field = self.cells.of(field);
                let (held, stored) = (self.cells.pointee(field), self.cells.pointee(cell));
                self.cells.unify(held, stored);
            }
        }
    }
}

/// Returns the fields of objects of some classes: those of their bases, of unnamed parts, and of
/// fields that are objects themselves are included.
pub(crate) fn all_fields(program: &Program<'_>, classes: impl IntoIterator<Item = Thing>) -> Vec<Thing> {
    let (mut seen, mut found) = (HashSet::default(), Vec::new());
    let mut pending: Vec<_> = classes.into_iter().collect();
    while let Some(class) = pending.pop() {
        let Some(definition) = program.definition(class).filter(|_| seen.insert(class)) else { continue };
        for child in program.children(definition) {
            match program.node(child).kind {
                Kind::Field => {
                    found.extend(program.declared(child));
                    pending.extend(class_of(program, child));
                }
                Kind::BaseSpecifier => pending.extend(program.referred(child)),
                kind if kind.is_class() => pending.extend(program.declared(child).filter(|thing| {
                    let name = program.name(*thing);
                    name.is_empty() || name.contains('(')
                })),
                _ => {}
            }
        }
    }
    found
}
