//! Several translation units seen as one program. Files are matched by path, and entities by
//! libclang's name for them.

use foldhash::{HashMap, HashMapExt};
use lapidary_clang::{EntityId, FileId, Kind, Node, NodeId, SourceFile, Syntax, Token, Type, tokens};
use std::ops::Range;

/// An entity of the whole program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Thing(u32);

impl Thing {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of one of the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) unit: usize,
    pub(crate) node: NodeId,
}

pub(crate) struct Program<'a> {
    pub(crate) units: &'a [Syntax],
    pub(crate) files: Vec<SourceFile>,
    /// The tokens of each file.
    pub(crate) tokens: Vec<Vec<Token>>,
    file_of: Vec<Vec<usize>>,
    thing_of: Vec<Vec<Thing>>,
    /// The declarations of each thing in all units.
    declarations: Vec<Vec<Place>>,
    /// The unit and entity that describe each thing.
    described: Vec<(usize, EntityId)>,
    /// The outermost macro calls in each unit, in order.
    expansions: Vec<Vec<(FileId, Range<usize>)>>,
}

impl<'a> Program<'a> {
    pub(crate) fn new(units: &'a [Syntax]) -> Program<'a> {
        let mut program = Program {
            units,
            files: Vec::new(),
            tokens: Vec::new(),
            file_of: Vec::new(),
            thing_of: Vec::new(),
            declarations: Vec::new(),
            described: Vec::new(),
            expansions: units.iter().map(outermost_expansions).collect(),
        };
        let mut known = HashMap::new();
        for (unit, syntax) in units.iter().enumerate() {
            program.add_files(syntax);
            program.add_things(unit, syntax, &mut known);
        }
        program.tokens = program.files.iter().map(|file| tokens(&file.text)).collect();
        program
    }

    fn add_files(&mut self, syntax: &Syntax) {
        let files = &mut self.files;
        let index_of = |file: &SourceFile| {
            files.iter().position(|known| known.path == file.path).unwrap_or_else(|| {
                files.push(file.clone());
                files.len() - 1
            })
        };
        self.file_of.push(syntax.files.iter().map(index_of).collect());
    }

    fn add_things(&mut self, unit: usize, syntax: &'a Syntax, known: &mut HashMap<&'a str, Thing>) {
        // libclang has no name for some entities. These are known only in their own unit.
        let ids = syntax.nodes.iter().flat_map(|node| [node.declares, node.refers]).flatten();
        let of_types = syntax.types.iter().filter_map(|of_type| of_type.declaration);
        let overridden = syntax.entities.iter().flat_map(|entity| entity.overrides.iter().copied());
        let mut things = vec![None; syntax.entities.len()];
        for id in ids.chain(of_types).chain(overridden) {
            if things[id.index()].is_some() {
                continue;
            }
            let entity = syntax.entity(id);
            let fresh = Thing(self.declarations.len() as u32);
            let thing = if entity.usr.is_empty() { fresh } else { *known.entry(&entity.usr).or_insert(fresh) };
            if thing == fresh {
                self.declarations.push(Vec::new());
                self.described.push((unit, id));
            }
            things[id.index()] = Some(thing);
            let places = entity.declarations.iter().map(|node| Place { unit, node: *node });
            self.declarations[thing.index()].extend(places);
        }
        self.thing_of.push(things.into_iter().map(|thing| thing.unwrap_or(Thing(u32::MAX))).collect());
    }

    pub(crate) fn things(&self) -> impl Iterator<Item = Thing> + use<> {
        (0..self.declarations.len() as u32).map(Thing)
    }

    pub(crate) fn syntax(&self, place: Place) -> &'a Syntax {
        &self.units[place.unit]
    }

    pub(crate) fn node(&self, place: Place) -> &'a Node {
        self.units[place.unit].node(place.node)
    }

    pub(crate) fn text(&self, place: Place) -> &'a [u8] {
        self.units[place.unit].text(place.node)
    }

    pub(crate) fn type_of(&self, place: Place) -> Option<&'a Type> {
        self.units[place.unit].type_of(place.node)
    }

    pub(crate) fn file(&self, unit: usize, file: FileId) -> usize {
        self.file_of[unit][file.index()]
    }

    pub(crate) fn file_of(&self, place: Place) -> usize {
        self.file(place.unit, self.node(place).file)
    }

    pub(crate) fn thing(&self, unit: usize, entity: EntityId) -> Thing {
        self.thing_of[unit][entity.index()]
    }

    /// Returns the thing that a node refers to.
    pub(crate) fn referred(&self, place: Place) -> Option<Thing> {
        self.node(place).refers.map(|entity| self.thing(place.unit, entity))
    }

    pub(crate) fn declared(&self, place: Place) -> Option<Thing> {
        self.node(place).declares.map(|entity| self.thing(place.unit, entity))
    }

    /// Returns the declarations of a thing in the user's files.
    pub(crate) fn declarations(&self, thing: Thing) -> &[Place] {
        &self.declarations[thing.index()]
    }

    pub(crate) fn definition(&self, thing: Thing) -> Option<Place> {
        let is_definition = |place: &&Place| self.node(**place).is(lapidary_clang::Mark::Definition);
        self.declarations(thing).iter().find(is_definition).copied()
    }

    pub(crate) fn name(&self, thing: Thing) -> &'a str {
        let (unit, entity) = self.described[thing.index()];
        &self.units[unit].entity(entity).name
    }

    /// Returns the first unit that describes the thing, and its entity there.
    pub(crate) fn entity(&self, thing: Thing) -> (usize, EntityId) {
        self.described[thing.index()]
    }

    pub(crate) fn children(&self, place: Place) -> impl Iterator<Item = Place> + use<'a> {
        let unit = place.unit;
        self.units[unit].children(place.node).map(move |node| Place { unit, node })
    }

    pub(crate) fn parent(&self, place: Place) -> Option<Place> {
        self.node(place).parent.map(|node| Place { unit: place.unit, node })
    }

    /// Returns the tokens of a file that begin in a range.
    pub(crate) fn tokens_in(&self, file: usize, range: Range<usize>) -> &[Token] {
        let tokens = &self.tokens[file];
        let first = tokens.partition_point(|token| token.range.start < range.start);
        let end = tokens.partition_point(|token| token.range.start < range.end);
        &tokens[first.min(end)..end]
    }

    pub(crate) fn token_text(&self, file: usize, token: &Token) -> &[u8] {
        &self.files[file].text[token.range.clone()]
    }

    /// Returns the macro call that a node begins in.
    pub(crate) fn expansion_around(&self, place: Place) -> Option<Range<usize>> {
        let (node, uses) = (self.node(place), &self.expansions[place.unit]);
        let at = (node.file, node.start as usize);
        let before = uses.partition_point(|(file, range)| (*file, range.start) <= at);
        let (file, range) = uses.get(before.checked_sub(1)?)?;
        (*file == node.file && range.contains(&at.1)).then(|| range.clone())
    }
}

fn outermost_expansions(syntax: &Syntax) -> Vec<(FileId, Range<usize>)> {
    let uses = syntax.nodes.iter().filter(|node| node.kind == Kind::MacroExpansion);
    let mut uses: Vec<_> = uses.map(|node| (node.file, node.range())).collect();
    uses.sort_by_key(|(file, range)| (*file, range.start, std::cmp::Reverse(range.end)));
    uses.dedup_by(|next, kept| next.0 == kept.0 && next.1.start < kept.1.end);
    uses
}
