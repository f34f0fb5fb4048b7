//! Collects the elements that must stay so that kept elements still compile: those they name, and
//! those that their kind requires.

use crate::calls::overridden;
use crate::elements::{ElementId, Elements};
use crate::includes::Includes;
use crate::library::defining_header;
use crate::program::{Place, Program, Thing};
use foldhash::{HashMap, HashSet};
use lapidary_clang::{DirectiveKind, Kind, Mark, TokenKind, TypeId, directives, tokens};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// The elements that each element needs to compile.
pub(crate) struct References {
    pub(crate) needs: Vec<Vec<ElementId>>,
    /// Elements that stay whenever the element around them does.
    pub(crate) always: Vec<ElementId>,
    /// Each `switch` paired with each of its labels. If a label were removed, its value would go to
    /// another label.
    pub(crate) labels: Vec<(ElementId, ElementId)>,
    pub(crate) overrides: Vec<Override>,
}

/// A method that a class must implement if both the class and the pure virtual method stay.
pub(crate) struct Override {
    pub(crate) pure: ElementId,
    pub(crate) class: ElementId,
    pub(crate) method: ElementId,
}

impl References {
    pub(crate) fn new(program: &Program<'_>, elements: &Elements) -> References {
        let includes: Vec<_> = (0..program.units.len()).map(|unit| Includes::new(program, unit)).collect();
        let needs = vec![Vec::new(); elements.all.len()];
        let called = called_things(program);
        let mut builder = Builder { program, elements, includes, needs, overrides: Vec::new(), called };
        for id in elements.ids() {
            builder.note_names(id);
            builder.note_file(id);
            builder.note_kind(id);
        }
        builder.note_macros();
        builder.note_macros_in_macros();
        builder.note_expansions();
        builder.needs.iter_mut().for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        let always = always_kept(program, elements);
        References { needs: builder.needs, always, labels: labels(elements), overrides: builder.overrides }
    }
}

struct Builder<'a, 'b> {
    program: &'b Program<'a>,
    elements: &'b Elements,
    includes: Vec<Includes>,
    needs: Vec<Vec<ElementId>>,
    overrides: Vec<Override>,
    /// The things that any call in the program refers to.
    called: HashSet<Thing>,
}

impl Builder<'_, '_> {
    fn need(&mut self, id: ElementId, other: ElementId) {
        if id != other {
            self.needs[id.index()].push(other);
        }
    }

    fn note_names(&mut self, id: ElementId) {
        let nodes: Vec<_> = self.elements.own_nodes(self.program, id).collect();
        for place in nodes {
            let node = self.program.node(place);
            let named = self.program.referred(place);
            named.into_iter().for_each(|thing| self.need_thing(id, place.unit, thing));
            let declared = self.program.declared(place);
            declared.into_iter().for_each(|thing| self.need_thing(id, place.unit, thing));
            if node.kind.is_declaration() && named.is_some() {
                let template = named.and_then(|thing| self.program.definition(thing));
                let template = template.and_then(|place| self.elements.owner(place));
                template.into_iter().for_each(|template| self.need(template, id));
            }
            node.of_type.into_iter().for_each(|found| self.need_type(id, place.unit, found));
        }
    }

    fn need_thing(&mut self, id: ElementId, unit: usize, thing: Thing) {
        let declarations = self.program.declarations(thing);
        let is_namespace = declarations.first().is_some_and(|place| self.program.node(*place).kind == Kind::Namespace);
        let wanted = if is_namespace { 1 } else { declarations.len() };
        let owners: Vec<_> = declarations.iter().take(wanted).filter_map(|place| self.elements.owner(*place)).collect();
        owners.into_iter().for_each(|owner| self.need(id, owner));
        if declarations.is_empty() {
            self.need_header(id, unit, thing);
        }
    }

    /// Records that an element needs the directive for a system header. If the element is in one of
    /// the user's headers, it needs a directive in each unit that reads that header.
    fn need_header(&mut self, id: ElementId, unit: usize, thing: Thing) {
        let (described, entity) = self.program.entity(thing);
        let Some(header) = self.program.units[described].entity(entity).header else { return };
        let path = &self.program.units[described].headers[header as usize];
        let file = self.elements.get(id).file;
        for reader in 0..self.includes.len() {
            let reads = reader == unit || self.includes[reader].directives_of(file).next().is_some();
            let directive = self.directive_for(reader, thing, path).filter(|_| reads);
            let owner = directive.and_then(|place| self.elements.owner(place));
            owner.into_iter().for_each(|owner| self.need(id, owner));
        }
    }

    fn directive_for(&self, unit: usize, thing: Thing, path: &Path) -> Option<Place> {
        let headers = &self.program.units[unit].headers;
        let defining = defining_header(self.program.name(thing)).map(OsStr::new);
        let defined = headers.iter().position(|known| defining.is_some() && known.file_name() == defining);
        let header = defined.or_else(|| headers.iter().position(|known| known == path))?;
        self.includes[unit].directive_for(header as u32)
    }

    fn need_type(&mut self, id: ElementId, unit: usize, found: TypeId) {
        let mut seen = HashSet::default();
        let mut next = Some(found);
        while let Some(found) = next.filter(|found| seen.insert(*found)) {
            let found = self.program.units[unit].get_type(found);
            if let Some(entity) = found.declaration {
                self.need_thing(id, unit, self.program.thing(unit, entity));
            }
            next = found.inner;
        }
    }

    /// Makes an element of a header need the directives that include the header.
    fn note_file(&mut self, id: ElementId) {
        let file = self.elements.get(id).file;
        let directives: Vec<_> = self.includes.iter().flat_map(|includes| includes.directives_of(file)).collect();
        for owner in directives.into_iter().filter_map(|place| self.elements.owner(place)).collect::<Vec<_>>() {
            self.need(id, owner);
        }
    }

    fn note_kind(&mut self, id: ElementId) {
        let element = self.elements.get(id);
        match element.kind {
            // Removing a field would change the layout and the meaning of initialisers.
            Kind::Field | Kind::Destructor => self.needed_by_parent(id),
            Kind::Constructor if self.is_called_unseen(element.places[0]) => self.needed_by_parent(id),
            Kind::UsingDirective | Kind::UsingDeclaration | Kind::NamespaceAlias => self.needed_by_parent(id),
            Kind::Method => self.note_method(id),
            Kind::RangeFor => self.note_iteration(id),
            _ => {}
        }
    }

    /// Returns whether a constructor is called implicitly, or has no visible caller. In the latter
    /// case a library template such as `make_unique` may call it.
    fn is_called_unseen(&self, place: Place) -> bool {
        let is_seen = self.program.declared(place).is_some_and(|thing| self.called.contains(&thing));
        !is_seen || is_implicitly_called(self.program, place)
    }

    fn needed_by_parent(&mut self, id: ElementId) {
        let parent = self.elements.get(id).parent;
        parent.into_iter().for_each(|parent| self.need(parent, id));
    }

    fn note_method(&mut self, id: ElementId) {
        let place = self.elements.get(id).places[0];
        if self.program.text(place).windows(9).any(|word| word == b"operator=") {
            self.needed_by_parent(id);
        }
        let (Some(thing), Some(class)) = (self.program.declared(place), self.elements.get(id).parent) else { return };
        for base in overridden(self.program, thing) {
            // `override` is an error where there is nothing to override.
            self.need_thing(id, place.unit, base);
            let mut declarations = self.program.declarations(base).iter();
            let pure = declarations.find(|place| self.program.node(**place).is(Mark::PureVirtual));
            let pure = pure.and_then(|place| self.elements.owner(*place));
            self.overrides.extend(pure.map(|pure| Override { pure, class, method: id }));
        }
    }

    /// Records that a loop over an object calls its `begin` and `end`, which the tree does not
    /// show.
    fn note_iteration(&mut self, id: ElementId) {
        let nodes: Vec<_> = self.elements.own_nodes(self.program, id).collect();
        for place in nodes {
            let Some(entity) = self.program.type_of(place).and_then(|found| found.declaration) else { continue };
            let Some(class) = self.program.definition(self.program.thing(place.unit, entity)) else { continue };
            for method in self.program.children(class) {
                let name = self.program.declared(method).map(|thing| self.program.name(thing));
                let owner = self.elements.owner(method).filter(|_| matches!(name, Some("begin" | "end")));
                owner.into_iter().for_each(|owner| self.need(id, owner));
            }
        }
    }

    /// Assigns macro calls, which are not part of the tree, to the element whose text contains
    /// them.
    fn note_macros(&mut self) {
        let mut order: Vec<_> = self.elements.ids().collect();
        let key = |id: &ElementId| (self.elements.get(*id).file, self.elements.get(*id).range.start);
        order.sort_by_key(key);
        for (unit, syntax) in self.program.units.iter().enumerate() {
            for place in syntax.ids().map(|node| Place { unit, node }) {
                let node = self.program.node(place);
                if node.kind != Kind::MacroExpansion {
                    continue;
                }
                let at = (self.program.file_of(place), node.start as usize);
                let before = order.partition_point(|id| key(id) <= at);
                let contains = |id: &ElementId| self.elements.get(*id).range.contains(&at.1);
                let nearest = before.checked_sub(1).map(|index| order[index]).filter(|id| key(id).0 == at.0);
                let Some(nearest) = nearest else { continue };
                let user = std::iter::once(nearest).chain(self.elements.around(nearest)).find(contains);
                if let (Some(user), Some(thing)) = (user, self.program.referred(place)) {
                    self.need_thing(user, unit, thing);
                }
            }
        }
    }

    /// Ties together the statements that one macro call expands to. They share one text, so they
    /// stay or go together.
    fn note_expansions(&mut self) {
        let mut together: BTreeMap<(usize, usize, usize), Vec<ElementId>> = BTreeMap::new();
        for id in self.elements.ids() {
            let element = self.elements.get(id);
            if self.program.node(element.places[0]).in_macro {
                let (start, end) = (element.range.start, element.range.end);
                together.entry((element.file, start, end)).or_default().push(id);
            }
        }
        for ids in together.into_values() {
            let next = ids.iter().cycle().skip(1);
            ids.iter().zip(next).for_each(|(one, other)| self.need(*one, *other));
        }
    }

    fn note_macros_in_macros(&mut self) {
        let macros: Vec<_> =
            self.elements.ids().filter(|id| self.elements.get(*id).kind == Kind::MacroDefinition).collect();
        let mut by_name: HashMap<&[u8], Vec<ElementId>> = HashMap::default();
        for id in &macros {
            let thing = self.program.declared(self.elements.get(*id).places[0]);
            thing
                .into_iter()
                .for_each(|thing| by_name.entry(self.program.name(thing).as_bytes()).or_default().push(*id));
        }
        for id in macros {
            let text = self.program.text(self.elements.get(id).places[0]);
            for token in tokens(text) {
                let named = by_name.get(&text[token.range]).cloned().unwrap_or_default();
                named.into_iter().for_each(|other| self.need(id, other));
            }
        }
    }
}

fn called_things(program: &Program<'_>) -> HashSet<Thing> {
    let units = program.units.iter().enumerate();
    let places = units.flat_map(|(unit, syntax)| syntax.ids().map(move |node| Place { unit, node }));
    places.filter(|place| program.node(*place).kind == Kind::Call).filter_map(|place| program.referred(place)).collect()
}

fn labels(elements: &Elements) -> Vec<(ElementId, ElementId)> {
    let labels = elements.ids().filter(|id| matches!(elements.get(*id).kind, Kind::Case | Kind::Default));
    let switch = |id| elements.around(id).find(|outer| elements.get(*outer).kind == Kind::Switch);
    labels.filter_map(|label| Some((switch(label)?, label))).collect()
}

/// Returns whether a constructor may be called without being named, for a base, a member or a copy.
fn is_implicitly_called(program: &Program<'_>, place: Place) -> bool {
    let parameters: Vec<_> =
        program.children(place).filter(|child| program.node(*child).kind == Kind::Parameter).collect();
    let class = program.declared(place).map(|thing| program.name(thing).to_owned()).unwrap_or_default();
    let takes_own_kind =
        |parameter: &Place| program.type_of(*parameter).is_some_and(|found| found.spelling.contains(&class));
    let has_default =
        |parameter: &Place| program.children(*parameter).any(|child| program.node(child).kind.is_expression());
    parameters.iter().all(has_default) || parameters.len() == 1 && takes_own_kind(&parameters[0])
}

fn always_kept(program: &Program<'_>, elements: &Elements) -> Vec<ElementId> {
    let conditions = macros_in_conditions(program);
    let stays = |id: &ElementId| {
        let element = elements.get(*id);
        let name = program.declared(element.places[0]).map(|thing| program.name(thing));
        match element.kind {
            Kind::UsingDirective | Kind::UsingDeclaration | Kind::NamespaceAlias | Kind::OtherDeclaration => true,
            Kind::MacroDefinition => name.is_some_and(|name| conditions.contains(name.as_bytes())),
            Kind::Function => name == Some("main"),
            _ => false,
        }
    };
    elements.ids().filter(stays).collect()
}

/// Returns the words in preprocessor conditions.
fn macros_in_conditions(program: &Program<'_>) -> HashSet<Vec<u8>> {
    let mut words = HashSet::default();
    for (file, found) in program.files.iter().zip(&program.tokens) {
        let conditions = directives(&file.text, found);
        let conditions = conditions.iter().filter(|line| {
            matches!(
                line.kind,
                DirectiveKind::If | DirectiveKind::Else | DirectiveKind::Pragma | DirectiveKind::Undefine
            )
        });
        for line in conditions {
            let text = &file.text[line.range.clone()][1..];
            let tokens = tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word);
            words.extend(tokens.map(|token| text[token.range].to_vec()));
        }
    }
    words
}
