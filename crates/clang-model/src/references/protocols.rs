//! Members that templates require of their argument classes without naming them in the user's text.
//!
//! A class that is passed to a template, or to a call of one, is created, copied and compared
//! there. Its constructors, operators and bases stay as long as it is passed anywhere, and so do
//! members that the standard library looks up by name. The class is also destroyed there, but a
//! class without a declared destructor gets one implicitly.

use super::{Clauses, Needed};
use lapidary_clang::{EntityId, Kind, NodeId, Syntax, TypeClass, TypeId};
use lapidary_logic::Var;
use std::collections::HashMap;

/// Names of members and functions that templates of the standard library call.
pub(crate) const LOOKED_FOR: [&str; 40] = [
    "begin",
    "end",
    "cbegin",
    "cend",
    "rbegin",
    "rend",
    "size",
    "empty",
    "data",
    "swap",
    "push_back",
    "pop_back",
    "push_front",
    "insert",
    "emplace",
    "emplace_back",
    "erase",
    "front",
    "back",
    "allocate",
    "deallocate",
    "construct",
    "destroy",
    "max_size",
    "lock",
    "unlock",
    "try_lock",
    "get",
    "reset",
    "release",
    "what",
    "min",
    "max",
    "length",
    "compare",
    "eq",
    "lt",
    "assign",
    "to_string",
    "clear",
];

/// A class that is passed to a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Handed {
    class: EntityId,
    /// Whether the template is not in the user's text, so that the members it names are unknown.
    abroad: bool,
}

#[derive(Default)]
pub(super) struct Protocols {
    /// For classes that are passed, a variable that requires everything the template may use.
    asked: HashMap<Handed, Var>,
    /// The classes that a type passes to templates.
    handed: HashMap<TypeId, Vec<Handed>>,
    /// Operators outside classes, and specialisations of library templates, by the classes they are
    /// about.
    about: HashMap<EntityId, Vec<NodeId>>,
}

impl Protocols {
    pub fn of(syntax: &Syntax) -> Protocols {
        let mut protocols = Protocols::default();
        for id in syntax.ids() {
            for class in classes_it_is_about(syntax, id) {
                let all = protocols.about.entry(class).or_default();
                if !all.contains(&id) {
                    all.push(id);
                }
            }
        }
        protocols
    }
}

fn classes_it_is_about(syntax: &Syntax, id: NodeId) -> Vec<EntityId> {
    let node = syntax.node(id);
    let mut found = Vec::new();
    let is_free = node.parent.is_none_or(|outer| !syntax.node(outer).kind.is_class());
    if node.kind.is_function() && is_free && is_looked_for(syntax, id) {
        let is_parameter = |child: &NodeId| syntax.node(*child).kind == Kind::Parameter;
        let types = syntax.children(id).filter(is_parameter).filter_map(|child| syntax.node(child).of_type);
        types.for_each(|of_type| classes_in(syntax, of_type, &mut found, 0));
    }
    let is_foreign = |entity: EntityId| syntax.entity(entity).header.is_some();
    if node.kind.is_class() && node.refers.is_some_and(is_foreign) {
        node.of_type.into_iter().for_each(|of_type| classes_in(syntax, of_type, &mut found, 0));
    }
    found.retain(|class| Some(*class) != node.declares);
    found
}

/// Adds all classes with a definition that a type consists of.
fn classes_in(syntax: &Syntax, of_type: TypeId, found: &mut Vec<EntityId>, depth: usize) {
    const DEEPEST: usize = 16;
    let all = syntax.get_type(of_type);
    if depth < DEEPEST {
        let own = all.declaration.filter(|_| matches!(all.class, TypeClass::Record | TypeClass::Enumeration));
        found.extend(own.filter(|entity| syntax.definition(*entity).is_some()));
        let inner = all.inner.iter().chain(&all.arguments);
        inner.for_each(|inner| classes_in(syntax, *inner, found, depth + 1));
    }
}

fn is_looked_for(syntax: &Syntax, id: NodeId) -> bool {
    let name = syntax.node(id).declares.map(|entity| syntax.entity(entity).name.as_str()).unwrap_or_default();
    name.starts_with("operator") || LOOKED_FOR.contains(&name)
}

impl Clauses<'_> {
    /// Requires the members of classes that are passed to templates here.
    pub(super) fn handed_over(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        if !self.syntax.is_cpp() {
            return;
        }
        let mut handed = node.of_type.map(|of_type| self.template_arguments(of_type)).unwrap_or_default();
        handed.extend(self.used_in_template(id).map(|class| Handed { class, abroad: false }));
        if let Some(called) = node.refers.filter(|entity| node.kind == Kind::Call && self.is_template(*entity)) {
            let abroad = self.is_abroad(called);
            let mut classes = Vec::new();
            let types = self.syntax.children(id).filter_map(|child| self.syntax.node(child).of_type);
            types.for_each(|of_type| classes_in(self.syntax, of_type, &mut classes, 0));
            handed.extend(classes.into_iter().map(|class| Handed { class, abroad }));
            self.instance_is_local(id);
        }
        handed.sort_unstable();
        handed.dedup();
        for one in handed {
            let variable = self.protocol_of(one);
            self.needs(id, Needed::Auxiliary(variable));
        }
    }

    fn is_abroad(&self, entity: EntityId) -> bool {
        self.syntax.entity(entity).declarations.is_empty()
    }

    /// Returns the class that a node inside a template uses. The template's uses of it are unknown.
    fn used_in_template(&self, id: NodeId) -> Option<EntityId> {
        let node = self.syntax.node(id);
        let class = match node.kind {
            Kind::TemplateReference => node.refers,
            Kind::TypeReference | Kind::Variable => node.of_type.and_then(|of_type| self.pointed_record(of_type)),
            _ => None,
        };
        let is_own =
            |class: EntityId| self.syntax.definition(class).is_none_or(|outer| self.syntax.contains(outer, id));
        class.filter(|class| !is_own(*class) && self.names.is_in_template(node.file, node.start as usize))
    }

    /// Requires the definition of an instance for a local type, which no other unit can name.
    fn instance_is_local(&mut self, call: NodeId) {
        const LOCAL: [&str; 3] = ["(lambda at", "(anonymous", "(unnamed"];
        let is_local = |id: NodeId| {
            let found = self.syntax.type_of(id);
            found.is_some_and(|found| LOCAL.iter().any(|local| found.spelling.contains(local)))
        };
        if let Some(entity) = self.syntax.node(call).refers.filter(|_| self.syntax.children(call).any(is_local)) {
            self.needs(call, Needed::Body(entity));
        }
    }

    fn template_arguments(&mut self, of_type: TypeId) -> Vec<Handed> {
        if let Some(known) = self.protocols.handed.get(&of_type) {
            return known.clone();
        }
        let mut found = Vec::new();
        self.add_arguments(of_type, &mut found, 0);
        found.sort_unstable();
        found.dedup();
        self.protocols.handed.insert(of_type, found.clone());
        found
    }

    fn add_arguments(&self, of_type: TypeId, found: &mut Vec<Handed>, depth: usize) {
        const DEEPEST: usize = 16;
        let all = self.syntax.get_type(of_type);
        let abroad = all.declaration.is_none_or(|template| self.is_abroad(template));
        for argument in all.arguments.iter().filter(|_| depth < DEEPEST) {
            let mut classes = Vec::new();
            classes_in(self.syntax, *argument, &mut classes, 0);
            found.extend(classes.into_iter().map(|class| Handed { class, abroad }));
            self.add_arguments(*argument, found, depth + 1);
        }
        all.inner.filter(|_| depth < DEEPEST).into_iter().for_each(|inner| self.add_arguments(inner, found, depth + 1));
    }

    /// Returns whether a function is a template or belongs to the library.
    fn is_template(&self, entity: EntityId) -> bool {
        let entity = self.syntax.entity(entity);
        let is_template = |id: NodeId| {
            let in_template = |outer: NodeId| {
                matches!(self.syntax.node(outer).kind, Kind::ClassTemplate | Kind::PartialSpecialization)
            };
            self.syntax.node(id).kind == Kind::FunctionTemplate || self.syntax.ancestors(id).any(in_template)
        };
        entity.declarations.first().map_or(entity.header.is_some(), |id| is_template(*id))
    }

    fn protocol_of(&mut self, handed: Handed) -> Var {
        if let Some(known) = self.protocols.asked.get(&handed) {
            return *known;
        }
        let variable = self.draft.auxiliary();
        self.protocols.asked.insert(handed, variable);
        let Some(definition) = self.syntax.definition(handed.class) else { return variable };
        self.members_stay(variable, definition, handed.abroad);
        self.bases_follow(variable, definition, handed.abroad);
        for id in self.protocols.about.get(&handed.class).cloned().unwrap_or_default() {
            let inside = self.inside_of(definition).filter(|_| handed.abroad);
            if let (Some(inside), Some(own)) = (inside, self.item_of(id)) {
                self.draft.need(&[variable, inside], &[own]);
            }
        }
        variable
    }

    /// Requires members that are called implicitly. For a template outside the user's text, also
    /// requires members that such templates usually name.
    fn members_stay(&mut self, variable: Var, class: NodeId, abroad: bool) {
        let Some(inside) = self.inside_of(class) else { return };
        let is_asked = |id: &NodeId| match self.syntax.node(*id).kind {
            Kind::Constructor | Kind::Conversion | Kind::BaseSpecifier | Kind::UsingDeclaration => true,
            Kind::FunctionTemplate if self.is_constructor(*id, class) => true,
            Kind::Friend | Kind::Typedef | Kind::AliasTemplate => abroad,
            Kind::Method | Kind::FunctionTemplate => abroad && is_looked_for(self.syntax, *id),
            _ => false,
        };
        let members: Vec<NodeId> = self.syntax.children(class).filter(is_asked).collect();
        let items: Vec<Var> = members.into_iter().filter_map(|id| self.item_of(id)).collect();
        for item in items {
            self.draft.need(&[variable, inside], &[item]);
        }
    }

    /// Returns whether a function template is a constructor. It has the name of the class, followed
    /// by its template parameters.
    fn is_constructor(&self, id: NodeId, class: NodeId) -> bool {
        let name = |id: NodeId| self.syntax.node(id).declares.map(|entity| self.syntax.entity(entity).name.as_str());
        let (own, class) = (name(id).unwrap_or_default(), name(class).unwrap_or_default());
        own.strip_prefix(class).is_some_and(|rest| rest.is_empty() || rest.starts_with('<'))
    }

    fn bases_follow(&mut self, variable: Var, class: NodeId, abroad: bool) {
        for specifier in self.specifiers(class) {
            let of_type = self.syntax.node(specifier).of_type;
            let base = of_type.and_then(|of_type| self.record(of_type));
            if let Some(base) = base.filter(|base| self.syntax.definition(*base).is_some()) {
                let above = self.protocol_of(Handed { class: base, abroad });
                self.draft.need(&[variable], &[above]);
            }
        }
    }
}
