//! Names that libclang leaves open: in templates, in concepts, or wherever it shows no reference.
//!
//! Such a name may refer to anything of that name that can be found from there. All of it must
//! stay: each member as long as its class does, each function as long as its parameter classes do.
//! `words` finds these names.

mod words;

use super::{Clauses, Needed};
use lapidary_clang::{EntityId, FileId, Kind, NodeId, Syntax, TypeClass, TypeId};
use lapidary_logic::Var;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The kinds of entities that a name may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Among {
    Members,
    /// Entities outside classes.
    Others,
    /// Functions that are found through the classes of their arguments.
    Functions,
}

pub(super) struct Names<'a> {
    /// Entities that can be referred to from afar: members of namespaces, classes and enumerations.
    entities: HashMap<&'a str, Vec<EntityId>>,
    /// For names that were asked for, a variable that requires everything they may refer to.
    asked: HashMap<(&'a str, Among), Var>,
    namespaces: HashSet<&'a str>,
    /// For each class, the classes derived from it and their base specifiers.
    heirs: HashMap<EntityId, Vec<(NodeId, NodeId)>>,
    /// For each file, the ranges in which types and operators are unknown.
    templates: Vec<Vec<Range<usize>>>,
}

impl<'a> Names<'a> {
    pub fn of(syntax: &'a Syntax) -> Names<'a> {
        let mut entities: HashMap<&str, Vec<EntityId>> = HashMap::new();
        let mut namespaces = HashSet::new();
        let mut known = HashSet::new();
        for id in syntax.ids() {
            let Some(entity) = syntax.node(id).declares else { continue };
            let name = syntax.entity(entity).name.as_str();
            if matches!(syntax.node(id).kind, Kind::Namespace | Kind::NamespaceAlias) {
                namespaces.insert(name);
            }
            if is_lasting(syntax, id) && !name.is_empty() && known.insert(entity) {
                entities.entry(name).or_default().push(entity);
            }
        }
        let templates = (0..syntax.files.len()).map(|index| templates(syntax, FileId::new(index))).collect();
        Names { entities, asked: HashMap::new(), namespaces, heirs: heirs(syntax), templates }
    }

    pub fn all(&self, name: &[u8]) -> &[EntityId] {
        let name = std::str::from_utf8(name).ok();
        name.and_then(|name| self.entities.get(name)).map_or(&[], Vec::as_slice)
    }

    pub fn is_in_template(&self, file: FileId, place: usize) -> bool {
        contains(&self.templates[file.index()], place)
    }
}

fn heirs(syntax: &Syntax) -> HashMap<EntityId, Vec<(NodeId, NodeId)>> {
    let mut heirs: HashMap<EntityId, Vec<(NodeId, NodeId)>> = HashMap::new();
    for id in syntax.ids().filter(|id| syntax.node(*id).kind == Kind::BaseSpecifier) {
        let named = syntax.subtree(id).filter_map(|inner| syntax.node(inner).refers);
        let of_type = syntax.type_of(id).and_then(|found| found.declaration);
        let class = syntax.node(id).parent;
        for base in named.chain(of_type) {
            heirs.entry(base).or_default().extend(class.map(|class| (class, id)));
        }
    }
    heirs
}

fn templates(syntax: &Syntax, file: FileId) -> Vec<Range<usize>> {
    let is_template = |id: &NodeId| syntax.node(*id).file == file && is_template(syntax, *id);
    merged(syntax.ids().filter(is_template).map(|id| syntax.node(id).range()).collect())
}

fn is_template(syntax: &Syntax, id: NodeId) -> bool {
    let is_parameter = |child: NodeId| {
        matches!(
            syntax.node(child).kind,
            Kind::TemplateTypeParameter | Kind::TemplateValueParameter | Kind::TemplateTemplateParameter
        )
    };
    let is_generic = |child: NodeId| {
        let of_type = syntax.node(child).of_type.filter(|_| syntax.node(child).kind == Kind::Parameter);
        of_type.is_some_and(|of_type| is_open(syntax, of_type))
    };
    let kind = syntax.node(id).kind;
    let is_unknown = kind == Kind::OtherDeclaration && syntax.text(id).starts_with(b"template");
    let mut children = syntax.children(id);
    is_unknown || children.any(is_parameter) || (kind == Kind::Lambda && syntax.children(id).any(is_generic))
}

fn is_open(syntax: &Syntax, of_type: TypeId) -> bool {
    let found = syntax.get_type(of_type);
    found.class == TypeClass::Other || found.inner.is_some_and(|inner| is_open(syntax, inner))
}

/// Returns whether a declaration is visible outside its block.
fn is_lasting(syntax: &Syntax, id: NodeId) -> bool {
    let is_parameter = matches!(
        syntax.node(id).kind,
        Kind::Parameter
            | Kind::TemplateTypeParameter
            | Kind::TemplateValueParameter
            | Kind::TemplateTemplateParameter
            | Kind::MacroDefinition
            | Kind::Label
            | Kind::Namespace
            | Kind::AccessSpecifier
    );
    let holds_names = |outer: NodeId| {
        let kind = syntax.node(outer).kind;
        kind.is_class() || matches!(kind, Kind::Namespace | Kind::Linkage | Kind::Enum | Kind::Friend)
    };
    !is_parameter && syntax.node(id).parent.is_none_or(holds_names)
}

impl Clauses<'_> {
    /// Requires everything of this name if the premises hold.
    pub(super) fn ask(&mut self, premises: &[Var], name: &str) {
        self.ask_among(premises, name, Among::Members);
        self.ask_among(premises, name, Among::Others);
    }

    pub(super) fn ask_among(&mut self, premises: &[Var], name: &str, among: Among) {
        let Some((name, entities)) = self.names.entities.get_key_value(name) else { return };
        let (name, entities) = (*name, entities.clone());
        let known = self.names.asked.get(&(name, among)).copied();
        let variable = known.unwrap_or_else(|| self.draft.auxiliary());
        if known.is_none() {
            self.names.asked.insert((name, among), variable);
            entities.into_iter().for_each(|entity| self.stays_with(variable, entity, among));
            self.usings_stay(variable, name, among);
        }
        if premises.len() != 1 || self.seen.insert((premises[0], Needed::Auxiliary(variable))) {
            self.draft.need(premises, &[variable]);
        }
    }

    /// Makes the variable require an entity, as long as the class that contains it and the classes
    /// of its parameters are kept.
    fn stays_with(&mut self, variable: Var, entity: EntityId, among: Among) {
        let Some(first) = self.syntax.entity(entity).declarations.first().copied() else { return };
        let is_member = self.is_member(first);
        if is_member != (among == Among::Members) {
            return;
        }
        let classes = self.classes_taken(first);
        if among == Among::Functions && classes.is_empty() {
            return;
        }
        let class = self.class_around(first).and_then(|class| self.inside_of(class));
        let taken = classes.into_iter().filter(|_| among == Among::Functions);
        let premises: Vec<Var> = [variable].into_iter().chain(class).chain(taken).collect();
        let kind = self.syntax.node(first).kind;
        let body = self.body(entity).filter(|_| kind.is_class() || (kind.is_function() && self.is_linked));
        self.item_of(first).into_iter().chain(body).for_each(|item| self.draft.need(&premises, &[item]));
        if let Some(class) = self.class_around(first).filter(|_| is_member) {
            self.heirs_keep_bases(variable, class);
        }
    }

    /// Keeps the bases of derived classes, through which a member can be found.
    fn heirs_keep_bases(&mut self, variable: Var, class: NodeId) {
        let mut open: Vec<NodeId> = vec![class];
        let mut known: HashSet<NodeId> = HashSet::new();
        while let Some(class) = open.pop() {
            let entity = self.syntax.node(class).declares;
            let below = entity.and_then(|entity| self.names.heirs.get(&entity)).cloned().unwrap_or_default();
            for (heir, specifier) in below {
                let (inside, item) = (self.inside_of(heir), self.outline.declared[specifier.index()]);
                if let (Some(inside), Some(item)) = (inside, item) {
                    self.draft.need(&[variable, inside], &[item]);
                }
                open.extend(Some(heir).filter(|heir| known.insert(*heir)));
            }
        }
    }

    /// Returns whether a declaration is in a class. Enumerators are where their enumeration is.
    fn is_member(&self, id: NodeId) -> bool {
        let is_around = |outer: &NodeId| self.syntax.node(*outer).kind != Kind::Enum;
        self.syntax.ancestors(id).find(is_around).is_some_and(|outer| self.syntax.node(outer).kind.is_class())
    }

    fn usings_stay(&mut self, variable: Var, name: &str, among: Among) {
        for using in self.usings.named(name.as_bytes()) {
            if self.is_member(using) == (among == Among::Members) {
                let class = self.class_around(using).and_then(|class| self.inside_of(class));
                let premises: Vec<Var> = [variable].into_iter().chain(class).collect();
                self.item_of(using).into_iter().for_each(|item| self.draft.need(&premises, &[item]));
            }
        }
    }

    /// Returns the items of a function's parameter types.
    pub(super) fn classes_taken(&self, function: NodeId) -> Vec<Var> {
        let is_parameter = |id: &NodeId| self.syntax.node(*id).kind == Kind::Parameter;
        let parameters = self.syntax.children(function).filter(is_parameter);
        self.types_named(parameters.flat_map(|id| self.syntax.subtree(id)))
    }

    /// Returns the items of the types that some nodes name.
    pub(super) fn types_named(&self, nodes: impl Iterator<Item = NodeId>) -> Vec<Var> {
        let is_type = |id: &NodeId| {
            let is_name = matches!(self.syntax.node(*id).kind, Kind::TypeReference | Kind::TemplateReference);
            is_name && !self.is_qualifier(*id)
        };
        let named = nodes.filter(is_type).filter_map(|id| self.syntax.node(id).refers);
        let declared = named.filter_map(|entity| {
            let first = || self.syntax.entity(entity).declarations.first().copied();
            self.syntax.definition(entity).or_else(first)
        });
        let is_known = |id: &NodeId| {
            let kind = self.syntax.node(*id).kind;
            let is_type = kind.is_class() || matches!(kind, Kind::Enum | Kind::Typedef | Kind::AliasTemplate);
            is_type && is_lasting(self.syntax, *id)
        };
        let mut items: Vec<Var> = declared.filter(is_known).filter_map(|id| self.item_of(id)).collect();
        items.sort_unstable();
        items.dedup();
        items
    }

    /// Requires everything that a name in a template may refer to, each as long as its parameter
    /// classes are kept.
    pub(super) fn overloads(&mut self, id: NodeId) {
        let is_using = |outer: NodeId| self.syntax.node(outer).kind == Kind::UsingDeclaration;
        if self.syntax.node(id).parent.is_some_and(is_using) {
            return;
        }
        let firsts = self.syntax.overloads(id).map(|entity| self.syntax.entity(entity).declarations.first());
        let items: Option<Vec<Var>> = firsts.map(|first| self.item_of(*first?)).collect();
        let premises = self.premises(id);
        items.into_iter().for_each(|items| self.draft.need(&premises, &items));
        for entity in self.syntax.overloads(id) {
            let premises = premises.clone();
            if premises.len() == 1 && !self.seen.insert((premises[0], Needed::Declaration(entity))) {
                continue;
            }
            match self.syntax.entity(entity).declarations.first() {
                Some(first) => {
                    let all: Vec<Var> = premises.into_iter().chain(self.classes_taken(*first)).collect();
                    let body = self.body(entity).filter(|_| self.is_linked);
                    self.item_of(*first).into_iter().chain(body).for_each(|item| self.draft.need(&all, &[item]));
                }
                None => self.needs_declaration(id, entity, &premises),
            }
        }
    }

    /// Requires the functions that a range-based loop calls without naming them.
    pub(super) fn range_for(&mut self, id: NodeId) {
        const CALLED: [&str; 6] = ["begin", "end", "operator!=", "operator==", "operator++", "operator*"];
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        let range = children.len().checked_sub(2).and_then(|at| self.syntax.type_of(children[at]));
        if range.is_some_and(|range| matches!(range.class, TypeClass::Record | TypeClass::Other)) {
            let premises = self.outline.headers[id.index()].map_or_else(|| self.premises(id), |header| vec![header]);
            for name in CALLED {
                self.ask_among(&premises, name, Among::Members);
                self.ask_among(&premises, name, Among::Functions);
            }
        }
    }

    /// Requires the result classes of `<=>`, which the compiler itself inspects.
    fn compares(&mut self, premises: &[Var]) {
        const GIVEN: [&str; 3] = ["strong_ordering", "weak_ordering", "partial_ordering"];
        for name in GIVEN {
            let is_new = !self.names.asked.contains_key(&(name, Among::Others));
            self.ask_among(premises, name, Among::Others);
            let variable = self.names.asked.get(&(name, Among::Others)).copied().filter(|_| is_new);
            let class = self.names.all(name.as_bytes()).iter().find_map(|entity| self.syntax.definition(*entity));
            if let (Some(variable), Some(class)) = (variable, class) {
                self.stays_as_it_is(variable, class);
            }
        }
    }

    /// Requires each declaration of each member.
    fn stays_as_it_is(&mut self, variable: Var, class: NodeId) {
        let members = self.syntax.children(class).filter_map(|id| self.syntax.node(id).declares);
        let all: Vec<NodeId> =
            members.flat_map(|entity| self.syntax.entity(entity).declarations.iter().copied()).collect();
        let items: Vec<Var> = all.into_iter().chain([class]).filter_map(|id| self.item_of(id)).collect();
        items.into_iter().chain(self.inside_of(class)).for_each(|item| self.draft.need(&[variable], &[item]));
    }
}

/// Sorts the ranges and merges those that overlap.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut result: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match result.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => result.push(range),
        }
    }
    result
}

fn contains(ranges: &[Range<usize>], place: usize) -> bool {
    let index = ranges.partition_point(|range| range.start <= place);
    index.checked_sub(1).is_some_and(|index| place < ranges[index].end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_overlap_are_one() {
        let ranges = merged(vec![5..9, 0..2, 1..3, 9..10]);
        assert_eq!(ranges, [0..3, 5..10]);
        assert!(contains(&ranges, 2) && !contains(&ranges, 3) && contains(&ranges, 9) && !contains(&ranges, 10));
    }
}
