//! Clauses from the references of a program.
//!
//! An entity that libclang resolves is needed where it is used. A name that libclang leaves open,
//! mostly in templates, is needed by name (`names`). Members that library templates may use are
//! needed where a class is passed to such a template (`protocols`).

mod access;
mod classes;
mod completeness;
mod constants;
mod constructors;
mod includes;
mod jumps;
mod macros;
mod names;
mod protocols;
mod scopes;
mod values;

use crate::draft::Draft;
use crate::outline::Outline;
use crate::preprocessor::Preprocessor;
use crate::presence::Presence;
use crate::program::Program;
use crate::source_text::SourceText;
use includes::Includes;
use lapidary_clang::{EntityId, FileId, Kind, NodeId, Syntax};
use lapidary_logic::Var;
use names::Names;
pub(crate) use protocols::LOOKED_FOR;
use protocols::Protocols;
use scopes::Usings;
use std::collections::{HashMap, HashSet};

/// Adds the clauses of all units.
pub(crate) fn references(
    program: &Program,
    draft: &mut Draft,
    presence: &Presence,
    found: &Preprocessor,
    is_linked: bool,
) {
    macros::macros(program, draft, presence, found);
    for unit in &program.units {
        let mut clauses = Clauses {
            program,
            presence,
            syntax: &unit.syntax,
            outline: &unit.outline,
            includes: Includes::of(&unit.syntax, found),
            names: Names::of(&unit.syntax),
            usings: Usings::of(&unit.syntax, &program.texts),
            protocols: Protocols::of(&unit.syntax),
            specialisations: specialisations(&unit.syntax),
            specialised: HashMap::new(),
            seen: HashSet::new(),
            draft,
            directives: found,
            is_linked,
        };
        unit.syntax.ids().for_each(|id| clauses.of_node(id));
        clauses.unresolved_names();
        clauses.constants();
    }
}

fn specialisations(syntax: &Syntax) -> HashMap<EntityId, Vec<NodeId>> {
    let mut all: HashMap<EntityId, Vec<NodeId>> = HashMap::new();
    for id in syntax.ids().filter(|id| syntax.node(*id).kind.is_declaration()) {
        syntax.node(id).refers.into_iter().for_each(|template| all.entry(template).or_default().push(id));
    }
    all
}

struct Clauses<'a> {
    program: &'a Program,
    presence: &'a Presence,
    syntax: &'a Syntax,
    outline: &'a Outline,
    includes: Includes,
    names: Names<'a>,
    usings: Usings,
    protocols: Protocols,
    /// The specialisations of each template. `specialised` holds a variable that requires all of
    /// them.
    specialisations: HashMap<EntityId, Vec<NodeId>>,
    specialised: HashMap<EntityId, Option<Var>>,
    /// Clauses that have been added already, as the innermost item and the thing it needs.
    seen: HashSet<(Var, Needed)>,
    draft: &'a mut Draft,
    directives: &'a Preprocessor,
    /// Whether functions that may be called must be defined.
    is_linked: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Needed {
    Declaration(EntityId),
    Body(EntityId),
    Auxiliary(Var),
}

impl Clauses<'_> {
    fn of_node(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        match node.kind {
            Kind::InclusionDirective | Kind::MacroDefinition => return,
            Kind::Break | Kind::Continue => self.belongs_to_header(id),
            Kind::Case | Kind::Default => self.label_belongs_to_switch(id),
            Kind::Goto => self.needs_a_label(id),
            Kind::OtherStatement => self.falls_through(id),
            Kind::Variable => self.constant_object(id),
            Kind::RangeFor => self.range_for(id),
            Kind::Namespace => self.namespace(id),
            Kind::TemplateReference => self.may_be_specialised(id),
            Kind::Friend => self.friend(id),
            Kind::UsingDeclaration => self.using_declaration(id),
            Kind::InitialiserList => self.initialiser_list(id),
            Kind::OtherDeclaration | Kind::Enum => self.unexposed(id),
            kind if kind.is_function() => self.of_function(id),
            kind if kind.is_class() => self.of_class(id),
            _ => {}
        }
        if let Some(entity) = node.refers {
            if !self.is_there_unasked(id, entity) {
                self.needs(id, Needed::Declaration(entity));
            }
            self.reaches(id, entity);
        }
        self.overloads(id);
        self.must_be_complete(id);
        self.handed_over(id);
        if node.kind == Kind::OtherExpression {
            self.converts_to_base(id);
        }
        if node.kind.is_declaration() {
            self.declared_outside(id);
        }
    }

    fn text(&self, file: FileId) -> &'_ SourceText {
        &self.program.texts[file.index()]
    }

    fn text_of(&self, id: NodeId) -> &'_ SourceText {
        self.text(self.syntax.node(id).file)
    }

    fn premises(&self, id: NodeId) -> Vec<Var> {
        let node = self.syntax.node(id);
        self.presence.at(self.draft, node.file, &node.range())
    }

    fn needs(&mut self, id: NodeId, needed: Needed) {
        let premises = self.premises(id);
        if premises.len() == 1 && !self.seen.insert((premises[0], needed)) {
            return;
        }
        match needed {
            Needed::Declaration(entity) => self.needs_declaration(id, entity, &premises),
            Needed::Body(entity) => self.needs_body(entity, &premises),
            Needed::Auxiliary(variable) => self.draft.need(&premises, &[variable]),
        }
    }

    fn needs_body(&mut self, entity: EntityId, premises: &[Var]) {
        self.body(entity).into_iter().for_each(|body| self.draft.need(premises, &[body]));
        let found = self.syntax.entity(entity);
        if let Some(header) = found.header.filter(|_| found.declarations.is_empty()) {
            self.includes.of_header(header).iter().for_each(|items| self.draft.need(premises, items));
        }
    }

    /// Requires a declaration of the entity, and an include of the file that contains it.
    fn needs_declaration(&mut self, id: NodeId, entity: EntityId, premises: &[Var]) {
        let visible = self.visible_declarations(id, entity);
        let node = self.syntax.node(id);
        if visible.is_empty() {
            let is_namespace = node.kind == Kind::NamespaceReference;
            if let Some(header) = self.syntax.entity(entity).header.filter(|_| !is_namespace) {
                self.includes.of_header(header).iter().for_each(|items| self.draft.need(premises, items));
            }
            return;
        }
        if visible.iter().all(|other| self.syntax.node(*other).file != node.file) {
            let file = self.syntax.node(visible[0]).file;
            self.includes.of_file(file).iter().for_each(|items| self.draft.need(premises, items));
        }
        let items: Option<Vec<Var>> = visible.iter().map(|other| self.item_of(*other)).collect();
        items.into_iter().for_each(|items| self.draft.need(premises, &items));
        if matches!(node.kind, Kind::Call | Kind::TemplateReference) && visible.len() > 1 {
            self.defaults(premises, &visible);
        }
    }

    /// Returns the declarations before a place, or all of them if there are none. A friend
    /// declaration makes no name visible.
    fn visible_declarations(&self, id: NodeId, entity: EntityId) -> Vec<NodeId> {
        let node = self.syntax.node(id);
        let all = &self.syntax.entity(entity).declarations;
        let best = |is_good: &dyn Fn(&NodeId) -> bool, from: Vec<NodeId>| {
            let good: Vec<NodeId> = from.iter().copied().filter(|other| is_good(other)).collect();
            if good.is_empty() { from } else { good }
        };
        let is_before = |other: &NodeId| {
            let other = self.syntax.node(*other);
            other.file != node.file || other.location <= node.start
        };
        let is_public = |other: &NodeId| {
            let outer = self.syntax.node(*other).parent;
            outer.is_none_or(|outer| match self.syntax.node(outer).kind {
                Kind::Friend => false,
                Kind::DeclarationStatement => {
                    self.syntax.node(outer).parent.is_none_or(|block| self.syntax.contains(block, id))
                }
                _ => true,
            })
        };
        best(&is_before, best(&is_public, all.clone()))
    }

    /// Requires the declarations with default arguments. These may be in another declaration than
    /// the last.
    fn defaults(&mut self, premises: &[Var], declarations: &[NodeId]) {
        let has_default = |id: &NodeId| {
            let is_parameter = |child: &NodeId| {
                matches!(
                    self.syntax.node(*child).kind,
                    Kind::Parameter
                        | Kind::TemplateTypeParameter
                        | Kind::TemplateValueParameter
                        | Kind::TemplateTemplateParameter
                )
            };
            let mut parameters = self.syntax.children(*id).filter(is_parameter);
            parameters.any(|parameter| self.text_of(*id).has_before(self.syntax.node(parameter).range(), &["="]))
        };
        let with_defaults = declarations.iter().filter(|id| has_default(id));
        let items: Vec<Var> = with_defaults.filter_map(|id| self.item_of(*id)).collect();
        items.into_iter().for_each(|item| self.draft.need(premises, &[item]));
    }

    /// Returns the item that a declaration is removed with.
    fn item_of(&self, id: NodeId) -> Option<Var> {
        let node = self.syntax.node(id);
        if node.kind == Kind::MacroDefinition {
            let directives = &self.text_of(id).directives;
            let index = directives.partition_point(|directive| directive.range.start <= node.start as usize);
            let directive = &directives[index.checked_sub(1)?];
            return self.directives.at.get(&(node.file, directive.range.start)).copied();
        }
        self.outline.declared[id.index()].or_else(|| self.premises(id).first().copied())
    }

    /// Returns the item without which a class is incomplete, or a function undefined.
    fn body(&self, entity: EntityId) -> Option<Var> {
        let definition = self.syntax.definition(entity)?;
        self.outline.bodies[definition.index()]
    }

    /// Returns the item that contains the members of a class.
    fn inside_of(&self, class: NodeId) -> Option<Var> {
        self.outline.bodies[class.index()].or_else(|| self.item_of(class))
    }

    fn class_around(&self, id: NodeId) -> Option<NodeId> {
        self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).kind.is_class())
    }

    /// Returns the class that a node is in. A method defined outside its class counts as inside.
    fn class_of(&self, id: NodeId) -> Option<NodeId> {
        self.class_around(id).or_else(|| {
            let function =
                self.syntax.ancestors(id).chain([id]).find(|outer| self.syntax.node(*outer).kind.is_function())?;
            let entity = self.syntax.node(function).declares?;
            let inside = |other: &NodeId| self.class_around(*other);
            self.syntax.entity(entity).declarations.iter().find_map(inside)
        })
    }
}
