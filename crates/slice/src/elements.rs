//! Elements are the parts that a slice keeps or drops: statements, headers of control structures,
//! and declarations.
//!
//! An element is one node, or several declarations that share their text, such as `int a, *b;`. A
//! node belongs to the innermost element around it. A header that several units read yields the
//! same elements in all of them, and their contents are read in the first such unit.

use crate::program::{Place, Program};
use crate::text::{bodies_of, widened};
use foldhash::{HashMap, HashMapExt};
use lapidary_clang::Kind;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ElementId(pub(crate) u32);

impl ElementId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) kind: Kind,
    pub(crate) file: usize,
    pub(crate) range: Range<usize>,
    /// The element's nodes, in the first unit that has it.
    pub(crate) places: Vec<Place>,
    pub(crate) parent: Option<ElementId>,
    pub(crate) callable: Option<CallableId>,
    /// The position in the surrounding text, which decides what must replace the element when it is
    /// removed.
    pub(crate) position: Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// One of a list of declarations.
    Declaration,
    /// A statement in a block.
    Block,
    /// A statement without braces that a loop, a condition or a label governs.
    Body,
    /// A statement without braces after `else`.
    Else,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CallableId(pub(crate) u32);

/// A function with a body, or a lambda.
#[derive(Clone, Debug)]
pub(crate) struct Callable {
    /// The function, or the element that the lambda is written in.
    pub(crate) element: ElementId,
    pub(crate) place: Place,
    /// The block, or the `try` in its place.
    pub(crate) body: Place,
}

#[derive(Default)]
pub(crate) struct Elements {
    pub(crate) all: Vec<Element>,
    pub(crate) callables: Vec<Callable>,
    /// The owning element by unit and node.
    owners: Vec<Vec<Option<ElementId>>>,
}

impl Elements {
    pub(crate) fn new(program: &Program<'_>) -> Elements {
        let mut builder =
            Builder { program, result: Elements::default(), known: HashMap::new(), callables: HashMap::new() };
        for (unit, syntax) in program.units.iter().enumerate() {
            builder.result.owners.push(vec![None; syntax.nodes.len()]);
            let roots: Vec<_> = syntax.roots().map(|node| Place { unit, node }).collect();
            builder.declarations(&roots, Inside::default());
        }
        builder.result
    }

    pub(crate) fn get(&self, id: ElementId) -> &Element {
        &self.all[id.index()]
    }

    pub(crate) fn callable(&self, id: CallableId) -> &Callable {
        &self.callables[id.0 as usize]
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ElementId> + use<> {
        (0..self.all.len() as u32).map(ElementId)
    }

    pub(crate) fn callable_ids(&self) -> impl Iterator<Item = CallableId> + use<> {
        (0..self.callables.len() as u32).map(CallableId)
    }

    pub(crate) fn owner(&self, place: Place) -> Option<ElementId> {
        self.owners[place.unit][place.node.index()]
    }

    /// Returns the nodes of an element, without those of nested elements.
    pub(crate) fn own_nodes<'a>(&'a self, program: &'a Program<'_>, id: ElementId) -> impl Iterator<Item = Place> + 'a {
        let inside = |place: &Place| {
            let unit = place.unit;
            program.syntax(*place).subtree(place.node).map(move |node| Place { unit, node })
        };
        self.get(id).places.iter().flat_map(inside).filter(move |place| self.owner(*place) == Some(id))
    }

    /// Returns the elements around an element, innermost first.
    pub(crate) fn around(&self, id: ElementId) -> impl Iterator<Item = ElementId> {
        std::iter::successors(self.get(id).parent, |id| self.get(*id).parent)
    }
}

struct Builder<'a, 'b> {
    program: &'b Program<'a>,
    result: Elements,
    known: HashMap<(usize, usize, usize, Kind), ElementId>,
    callables: HashMap<(usize, usize, usize), CallableId>,
}

/// The element and the function around a node.
#[derive(Clone, Copy, Default)]
struct Inside {
    parent: Option<ElementId>,
    callable: Option<CallableId>,
}

impl Builder<'_, '_> {
    fn declarations(&mut self, places: &[Place], inside: Inside) {
        let mut last: Option<ElementId> = None;
        for place in places.iter().copied() {
            let kind = self.program.node(place).kind;
            if !is_declared_alone(kind) {
                self.own(place, inside);
                continue;
            }
            let joined = last.filter(|last| self.shares_text(*last, place));
            let id = joined.unwrap_or_else(|| self.element(place, inside, Position::Declaration));
            self.join(id, place);
            last = Some(id);
            self.declaration(place, id, inside);
        }
    }

    fn declaration(&mut self, place: Place, id: ElementId, inside: Inside) {
        let kind = self.program.node(place).kind;
        self.set_owner(place, id);
        let within = Inside { parent: Some(id), ..inside };
        if kind.is_function() {
            self.function(place, within);
        } else if kind.is_class() || matches!(kind, Kind::Namespace | Kind::Linkage) {
            let children: Vec<_> = self.program.children(place).collect();
            self.declarations(&children, within);
        } else {
            self.own_inside(place, within);
        }
    }

    fn function(&mut self, place: Place, within: Inside) {
        let children: Vec<_> = self.program.children(place).collect();
        for child in children {
            match self.program.node(child).kind {
                Kind::Compound | Kind::Try => self.body(place, child, within),
                _ => self.own(child, within),
            }
        }
    }

    /// Adds the body of a function or a lambda.
    fn body(&mut self, place: Place, body: Place, within: Inside) {
        let (Some(element), range) = (within.parent, self.program.node(place).range()) else { return };
        let fresh = CallableId(self.result.callables.len() as u32);
        let key = (self.program.file_of(place), range.start, range.end);
        let callable = *self.callables.entry(key).or_insert(fresh);
        if callable == fresh {
            self.result.callables.push(Callable { element, place, body });
        }
        let within = Inside { callable: Some(callable), ..within };
        match self.program.node(body).kind {
            Kind::Compound => self.block(body, within),
            _ => self.statement(body, within, Position::Block),
        }
    }

    fn block(&mut self, place: Place, inside: Inside) {
        if let Some(parent) = inside.parent {
            self.set_owner(place, parent);
        }
        let children: Vec<_> = self.program.children(place).collect();
        children.into_iter().for_each(|child| self.statement(child, inside, Position::Block));
    }

    fn statement(&mut self, place: Place, inside: Inside, position: Position) {
        let id = self.element(place, inside, position);
        self.join(id, place);
        self.set_owner(place, id);
        let within = Inside { parent: Some(id), ..inside };
        let kind = self.program.node(place).kind;
        if kind == Kind::Compound {
            return self.block(place, within);
        }
        if kind == Kind::Try {
            return self.try_blocks(place, within);
        }
        let bodies = bodies_of(self.program, place);
        let children: Vec<_> = self.program.children(place).collect();
        for child in children {
            match bodies.iter().position(|body| *body == child) {
                Some(index) => self.governed(child, within, if index == 1 { Position::Else } else { Position::Body }),
                None => self.own(child, within),
            }
        }
    }

    fn governed(&mut self, place: Place, within: Inside, position: Position) {
        match self.program.node(place).kind {
            Kind::Compound => self.block(place, within),
            _ => self.statement(place, within, position),
        }
    }

    fn try_blocks(&mut self, place: Place, within: Inside) {
        let children: Vec<_> = self.program.children(place).collect();
        for child in children {
            match self.program.node(child).kind {
                Kind::Compound => self.block(child, within),
                Kind::Catch => {
                    self.own_one(child, within);
                    self.try_blocks(child, within);
                }
                _ => self.own(child, within),
            }
        }
    }

    /// Assigns a node and its descendants to the element around it.
    fn own(&mut self, place: Place, inside: Inside) {
        self.own_one(place, inside);
        self.own_inside(place, inside);
    }

    fn own_one(&mut self, place: Place, inside: Inside) {
        if let Some(parent) = inside.parent {
            self.set_owner(place, parent);
        }
    }

    fn own_inside(&mut self, place: Place, inside: Inside) {
        let kind = self.program.node(place).kind;
        if kind == Kind::Lambda && inside.parent.is_some() && !self.program.node(place).in_macro {
            return self.function(place, inside);
        }
        let children: Vec<_> = self.program.children(place).collect();
        if kind.is_class() {
            return self.declarations(&children, inside);
        }
        children.into_iter().for_each(|child| self.own(child, inside));
    }

    fn element(&mut self, place: Place, inside: Inside, position: Position) -> ElementId {
        let node = self.program.node(place);
        let file = self.program.file_of(place);
        let range = widened(self.program, place);
        let fresh = ElementId(self.result.all.len() as u32);
        let id = *self.known.entry((file, range.start, range.end, node.kind)).or_insert(fresh);
        if id == fresh {
            let Inside { parent, callable } = inside;
            let places = Vec::new();
            self.result.all.push(Element { kind: node.kind, file, range, places, parent, callable, position });
        }
        id
    }

    /// Adds a node to an element, unless the element comes from another unit.
    fn join(&mut self, id: ElementId, place: Place) {
        let range = self.program.node(place).range();
        let element = &mut self.result.all[id.index()];
        if element.places.first().is_none_or(|first| first.unit == place.unit) && !element.places.contains(&place) {
            element.places.push(place);
            element.range.start = element.range.start.min(range.start);
            element.range.end = element.range.end.max(range.end);
        }
    }

    fn shares_text(&self, id: ElementId, place: Place) -> bool {
        let (element, node) = (self.result.get(id), self.program.node(place));
        element.file == self.program.file_of(place) && element.range.contains(&(node.start as usize))
    }

    fn set_owner(&mut self, place: Place, id: ElementId) {
        self.result.owners[place.unit][place.node.index()] = Some(id);
    }
}

fn is_declared_alone(kind: Kind) -> bool {
    let is_part = matches!(
        kind,
        Kind::Parameter
            | Kind::TemplateTypeParameter
            | Kind::TemplateValueParameter
            | Kind::TemplateTemplateParameter
            | Kind::EnumConstant
            | Kind::AccessSpecifier
            | Kind::Friend
    );
    kind.is_declaration() && !is_part || matches!(kind, Kind::MacroDefinition | Kind::InclusionDirective)
}
