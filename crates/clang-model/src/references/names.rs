//! Names that libclang leaves open: in templates, in concepts, wherever it shows no reference.
//!
//! Such a name may mean anything that is called so. All of it has to stay, each member as long as its class does. Inside
//! of templates the same holds for operators.

use super::{Clauses, Needed};
use lapidary_clang::{EntityId, FileId, Kind, NodeId, Syntax, Token, TokenKind, TypeClass, TypeId};
use lapidary_logic::Var;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Functions that `new` and `delete` call.
const ALLOCATING: [&str; 4] = ["operator new", "operator new[]", "operator delete", "operator delete[]"];

pub(super) struct Names<'a> {
    /// What can be meant from afar: members of namespaces, classes and enumerations.
    entities: HashMap<&'a str, Vec<EntityId>>,
    /// For names that were asked for: true if all they may mean is there.
    asked: HashMap<&'a str, Var>,
    /// In each file: where types and operators may be anyone's.
    templates: Vec<Vec<Range<usize>>>,
}

impl<'a> Names<'a> {
    pub fn of(syntax: &'a Syntax) -> Names<'a> {
        let mut entities: HashMap<&str, Vec<EntityId>> = HashMap::new();
        let mut known = HashSet::new();
        for id in syntax.ids() {
            let Some(entity) = syntax.node(id).declares.filter(|_| is_lasting(syntax, id)) else { continue };
            let name = syntax.entity(entity).name.as_str();
            if !name.is_empty() && known.insert(entity) {
                entities.entry(name).or_default().push(entity);
            }
        }
        let templates = (0..syntax.files.len()).map(|index| templates(syntax, FileId::new(index))).collect();
        Names { entities, asked: HashMap::new(), templates }
    }

    pub fn all(&self, name: &[u8]) -> &[EntityId] {
        let name = std::str::from_utf8(name).ok();
        name.and_then(|name| self.entities.get(name)).map_or(&[], Vec::as_slice)
    }

    pub fn is_in_template(&self, file: FileId, place: usize) -> bool {
        contains(&self.templates[file.index()], place)
    }
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

/// Whether a declaration is seen outside of the block it is in.
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

impl<'a> Clauses<'a> {
    /// Everything that is called so is needed where the premises hold.
    pub(super) fn ask(&mut self, premises: &[Var], name: &str) {
        let Some((name, entities)) = self.names.entities.get_key_value(name) else { return };
        let (name, entities) = (*name, entities.clone());
        let known = self.names.asked.get(name).copied();
        let variable = known.unwrap_or_else(|| self.draft.auxiliary());
        if known.is_none() {
            self.names.asked.insert(name, variable);
            entities.into_iter().for_each(|entity| self.stays_with(variable, entity));
            self.usings_stay(variable, name);
        }
        if premises.len() != 1 || self.seen.insert((premises[0], Needed::Auxiliary(variable))) {
            self.draft.need(premises, &[variable]);
        }
    }

    /// With the variable, an entity stays as long as what it is a member of, and the classes it is about.
    pub(super) fn stays_with(&mut self, variable: Var, entity: EntityId) {
        let declarations = &self.syntax.entity(entity).declarations;
        let Some(first) = declarations.first().copied() else { return };
        let Some(item) = self.item_of(first) else { return };
        let class = self.class_around(first).and_then(|class| self.inside_of(class));
        let premises: Vec<Var> = match class {
            Some(class) => vec![variable, class],
            None => [variable].into_iter().chain(self.classes_of_parameters(first)).collect(),
        };
        self.draft.need(&premises, &[item]);
        let body = self.body(entity).filter(|_| self.syntax.node(first).kind.is_class());
        body.into_iter().for_each(|body| self.draft.need(&premises, &[body]));
    }

    fn usings_stay(&mut self, variable: Var, name: &str) {
        for using in self.usings.named(name.as_bytes()) {
            let class = self.class_around(using).and_then(|class| self.inside_of(class));
            let premises: Vec<Var> = [variable].into_iter().chain(class).collect();
            self.item_of(using).into_iter().for_each(|item| self.draft.need(&premises, &[item]));
        }
    }

    fn classes_of_parameters(&self, function: NodeId) -> Vec<Var> {
        let classes = self.classes_taken(function);
        classes.into_iter().filter_map(|entity| self.item_of(self.syntax.definition(entity)?)).collect()
    }

    /// The user's classes that a function takes.
    pub(super) fn classes_taken(&self, function: NodeId) -> Vec<EntityId> {
        let is_parameter = |id: &NodeId| self.syntax.node(*id).kind == Kind::Parameter;
        let types = self.syntax.children(function).filter(is_parameter).filter_map(|id| self.syntax.node(id).of_type);
        let mut classes: Vec<EntityId> = types.filter_map(|of_type| self.pointed_record(of_type)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// A loop over a range calls functions that it does not name.
    pub(super) fn range_for(&mut self, id: NodeId) {
        const CALLED: [&str; 6] = ["begin", "end", "operator!=", "operator==", "operator++", "operator*"];
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        let range = children.len().checked_sub(2).and_then(|at| self.syntax.type_of(children[at]));
        if range.is_some_and(|range| matches!(range.class, TypeClass::Record | TypeClass::Other)) {
            let premises = self.outline.headers[id.index()].map_or_else(|| self.premises(id), |header| vec![header]);
            CALLED.iter().for_each(|name| self.ask(&premises, name));
        }
    }

    /// All words of the text that no reference stands for.
    pub(super) fn unresolved_names(&mut self) {
        for index in 0..self.program.texts.len() {
            let file = FileId::new(index);
            let resolved = self.resolved(file);
            if resolved.is_empty() {
                continue;
            }
            let skipped = self.skipped(file);
            let text = &self.program.texts[index];
            for token in &text.tokens {
                if text.is(token, "<=>") && !contains(&skipped, token.range.start) {
                    let premises = self.presence.at(self.draft, file, &token.range);
                    self.compares(&premises);
                }
                if token.kind == TokenKind::Word && matches!(text.slice(token.range.clone()), b"new" | b"delete") {
                    let premises = self.presence.at(self.draft, file, &token.range);
                    ALLOCATING.iter().for_each(|name| self.ask(&premises, name));
                }
                let is_open = self.names.is_in_template(file, token.range.start);
                let Some(name) = self.name_of(text.slice(token.range.clone()), token, is_open) else { continue };
                if !resolved.contains(&token.range.start) && !contains(&skipped, token.range.start) {
                    let premises = self.presence.at(self.draft, file, &token.range);
                    self.ask(&premises, name);
                    self.names_itself(&premises, name);
                }
            }
        }
    }

    /// The compiler itself looks into the classes of what `<=>` gives.
    fn compares(&mut self, premises: &[Var]) {
        const GIVEN: [&str; 3] = ["strong_ordering", "weak_ordering", "partial_ordering"];
        for name in GIVEN {
            let is_new = !self.names.asked.contains_key(name);
            self.ask(premises, name);
            let entities = self.names.entities.get(name).cloned().unwrap_or_default();
            let variable = self.names.asked.get(name).copied().filter(|_| is_new);
            let class = entities.into_iter().find_map(|entity| self.syntax.definition(entity));
            if let (Some(variable), Some(class)) = (variable, class) {
                self.stays_as_it_is(variable, class);
            }
        }
    }

    /// Every declaration of every member.
    fn stays_as_it_is(&mut self, variable: Var, class: NodeId) {
        let members = self.syntax.children(class).filter_map(|id| self.syntax.node(id).declares);
        let all: Vec<NodeId> =
            members.flat_map(|entity| self.syntax.entity(entity).declarations.iter().copied()).collect();
        let items: Vec<Var> = all.into_iter().chain([class]).filter_map(|id| self.item_of(id)).collect();
        items.into_iter().chain(self.inside_of(class)).for_each(|item| self.draft.need(&[variable], &[item]));
    }

    /// A declaration that names what it declares, in an attribute say, follows another one.
    fn names_itself(&mut self, premises: &[Var], name: &str) {
        let Some(own) = premises.first() else { return };
        for entity in self.names.entities.get(name).cloned().unwrap_or_default() {
            let declarations = self.syntax.entity(entity).declarations.iter();
            let items: Vec<Var> = declarations.filter_map(|id| self.outline.declared[id.index()]).collect();
            if items.contains(own) {
                let others: Vec<Var> = items.into_iter().filter(|item| item != own).collect();
                self.draft.need(premises, &others);
            }
        }
    }

    /// The name a token may stand for, if something is called so.
    fn name_of(&self, text: &[u8], token: &Token, is_open: bool) -> Option<&'a str> {
        let text = std::str::from_utf8(text).ok()?;
        let known = |name: &str| self.names.entities.get_key_value(name).map(|(name, _)| *name);
        match token.kind {
            TokenKind::Word => known(text),
            TokenKind::Punctuation if is_open => known(match text {
                "(" => "operator()",
                "[" => "operator[]",
                _ => return known(&format!("operator{text}")),
            }),
            _ => None,
        }
    }

    /// Where references and declarations have their names.
    fn resolved(&self, file: FileId) -> HashSet<usize> {
        let stands_for = |id: &NodeId| {
            let node = self.syntax.node(*id);
            let refers = node.refers.is_some() && (node.kind.is_reference() || is_name(node.kind));
            let declares = node.declares.is_some() && node.kind != Kind::UsingDeclaration;
            node.file == file && (refers || declares || self.is_named_by_using(*id))
        };
        self.syntax.ids().filter(stands_for).map(|id| self.syntax.node(id).location as usize).collect()
    }

    fn is_named_by_using(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        node.kind == Kind::OverloadedReference
            && self.syntax.overloads(id).next().is_some()
            && node.parent.is_some_and(|outer| self.syntax.node(outer).kind == Kind::UsingDeclaration)
    }

    fn skipped(&self, file: FileId) -> Vec<Range<usize>> {
        let here = self.syntax.skipped.iter().filter(|(other, _)| *other == file);
        merged(here.map(|(_, range)| range.clone()).collect())
    }
}

fn is_name(kind: Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Member | Kind::MacroExpansion)
}

/// Sorted, and those that overlap made one.
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
