//! Who needs what: clauses from the references of a program.

use crate::draft::Draft;
use crate::preprocessor::{Preprocessor, words};
use crate::presence::Presence;
use crate::program::{Declaration, Program};
use lapidary_clang::{DirectiveKind, EntityId, FileId, Kind, Mark, NodeId, Syntax, TypeClass, TypeId};
use lapidary_logic::Var;
use std::collections::{HashMap, HashSet};

/// Adds the clauses of all units.
pub(crate) fn references(program: &Program, draft: &mut Draft, presence: &Presence, found: &Preprocessor) {
    directives_need_their_surroundings(program, draft, presence, found);
    macros_need_macros(program, draft, found);
    for unit in 0..program.units.len() {
        let syntax = &program.units[unit].syntax;
        let mut clauses = Clauses {
            program,
            presence,
            unit,
            syntax,
            includes: Includes::of(syntax, found),
            seen: HashSet::new(),
            draft,
            macros: found,
        };
        syntax.ids().for_each(|id| clauses.of_node(id));
    }
}

struct Clauses<'a> {
    program: &'a Program,
    presence: &'a Presence,
    unit: usize,
    syntax: &'a Syntax,
    includes: Includes,
    /// What was stated already: the innermost item, and what it needs.
    seen: HashSet<(Var, Needed)>,
    draft: &'a mut Draft,
    macros: &'a Preprocessor,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Needed {
    Declaration(EntityId),
    Body(EntityId),
}

impl Clauses<'_> {
    fn of_node(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        match node.kind {
            Kind::InclusionDirective | Kind::MacroDefinition => return,
            Kind::Break | Kind::Continue => self.belongs_to_header(id),
            Kind::Case | Kind::Default => self.label_belongs_to_switch(id),
            Kind::Goto => self.needs_a_label(id),
            kind if kind.is_function() => self.of_function(id),
            _ => {}
        }
        if let Some(entity) = node.refers {
            self.needs(id, Needed::Declaration(entity));
        }
        if let Some(entity) = self.must_be_complete(id) {
            self.needs(id, Needed::Body(entity));
        }
        if node.kind == Kind::OtherExpression {
            self.converts_to_base(id);
        }
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
        let conclusions = match needed {
            Needed::Declaration(entity) => self.declarations(id, entity),
            Needed::Body(entity) => self.body(entity),
        };
        if let Some(conclusions) = conclusions {
            self.draft.need(&premises, &conclusions);
        }
    }

    /// The items of which one declares the entity at this place; none if it is there in any case.
    fn declarations(&self, id: NodeId, entity: EntityId) -> Option<Vec<Var>> {
        let all = self.program.declarations_of(self.unit, entity);
        if all.is_empty() {
            let header = self.syntax.entity(entity).header?;
            let is_namespace = self.syntax.node(id).kind == Kind::NamespaceReference;
            return self.includes.reaching(header).filter(|_| !is_namespace);
        }
        let node = self.syntax.node(id);
        let is_before = |other: &&Declaration| other.file != node.file || other.start <= node.start as usize;
        let before: Vec<&Declaration> = all.iter().filter(is_before).collect();
        let visible = if before.is_empty() { all.iter().collect() } else { before };
        visible.into_iter().map(|declaration| self.item_of(declaration)).collect()
    }

    fn item_of(&self, declaration: &Declaration) -> Option<Var> {
        let node = self.program.units[declaration.unit].syntax.node(declaration.node);
        if node.kind == Kind::MacroDefinition {
            let directive = self.program.texts[node.file.index()].directives.iter().find(|directive| {
                directive.range.start <= node.start as usize && (node.start as usize) < directive.range.end
            })?;
            return self.macros.at.get(&(node.file, directive.range.start)).copied();
        }
        self.program.items_of(self.draft, self.presence, declaration.unit, declaration.node).first().copied()
    }

    fn body(&self, entity: EntityId) -> Option<Vec<Var>> {
        let all = self.program.declarations_of(self.unit, entity);
        let definition = all.iter().find(|declaration| self.node_of(declaration).is(Mark::Definition))?;
        self.program.units[definition.unit].outline.bodies[definition.node.index()].map(|body| vec![body])
    }

    fn node_of(&self, declaration: &Declaration) -> &lapidary_clang::Node {
        self.program.units[declaration.unit].syntax.node(declaration.node)
    }

    /// The class whose members or size this node looks at.
    fn must_be_complete(&self, id: NodeId) -> Option<EntityId> {
        let node = self.syntax.node(id);
        let has_body =
            |id: NodeId| self.syntax.children(id).any(|child| self.syntax.node(child).kind == Kind::Compound);
        let looks = match node.kind {
            Kind::Variable => !node.is(Mark::Extern),
            Kind::Field | Kind::BaseSpecifier => true,
            Kind::Parameter => node.parent.is_some_and(has_body),
            kind => kind.is_expression(),
        };
        let inside_size = node.kind == Kind::TypeReference
            && self
                .syntax
                .ancestors(id)
                .next()
                .is_some_and(|outer| matches!(self.syntax.node(outer).kind, Kind::TypeTrait | Kind::New));
        let of_type = node.of_type.filter(|_| looks || inside_size)?;
        let computes = matches!(node.kind, Kind::Binary | Kind::CompoundAssignment | Kind::Unary);
        if computes { self.pointed_record(of_type) } else { self.record(of_type) }
    }

    fn record(&self, of_type: TypeId) -> Option<EntityId> {
        let found = self.syntax.get_type(of_type);
        match found.class {
            TypeClass::Record => found.declaration,
            TypeClass::Array => self.record(found.inner?),
            _ => None,
        }
    }

    fn belongs_to_header(&mut self, id: NodeId) {
        let is_break = self.syntax.node(id).kind == Kind::Break;
        let belongs = |outer: &NodeId| {
            let kind = self.syntax.node(*outer).kind;
            kind.is_loop() || (is_break && kind == Kind::Switch)
        };
        let header = self
            .syntax
            .ancestors(id)
            .find(belongs)
            .and_then(|outer| self.program.units[self.unit].outline.headers[outer.index()]);
        let premises = self.premises(id);
        header.into_iter().for_each(|header| self.draft.need(&premises, &[header]));
    }

    fn label_belongs_to_switch(&mut self, id: NodeId) {
        let outline = &self.program.units[self.unit].outline;
        let switch = self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).kind == Kind::Switch);
        let header = switch.and_then(|switch| outline.headers[switch.index()]);
        if let (Some(label), Some(header)) = (outline.declared[id.index()], header) {
            self.draft.need(&[label], &[header]);
        }
    }

    /// A computed goto needs a label whose address is taken.
    fn needs_a_label(&mut self, id: NodeId) {
        let names_label =
            |id: NodeId| self.syntax.children(id).any(|child| self.syntax.node(child).kind == Kind::LabelReference);
        let Some(function) = self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).kind.is_function()) else {
            return;
        };
        if names_label(id) {
            return;
        }
        let taken = self
            .syntax
            .subtree(function)
            .filter(|id| self.syntax.node(*id).kind == Kind::OtherExpression && names_label(*id));
        let items: Option<Vec<Var>> = taken.map(|id| self.premises(id).first().copied()).collect();
        let premises = self.premises(id);
        items.into_iter().for_each(|items| self.draft.need(&premises, &items));
    }

    fn of_function(&mut self, id: NodeId) {
        if self.syntax.node(id).is(Mark::Virtual) {
            self.overrides(id);
        }
        if self.is_outside_of_its_class(id) {
            self.member_defined_outside(id);
        }
        if self.syntax.node(id).kind == Kind::Constructor {
            self.initialised_bases(id);
        }
    }

    fn is_outside_of_its_class(&self, id: NodeId) -> bool {
        let is_inside = self.syntax.node(id).parent.is_some_and(|outer| self.syntax.node(outer).kind.is_class());
        let is_member =
            matches!(self.syntax.node(id).kind, Kind::Method | Kind::Constructor | Kind::Destructor | Kind::Conversion);
        let names_class = || {
            self.syntax.children(id).any(|child| {
                self.syntax.node(child).kind == Kind::TypeReference
                    && self.syntax.node(child).end <= self.syntax.node(id).location
            })
        };
        !is_inside && (is_member || names_class())
    }

    /// A member that is defined outside of its class needs its declaration in it, and has to have a body.
    fn member_defined_outside(&mut self, id: NodeId) {
        let outline = &self.program.units[self.unit].outline;
        let (Some(whole), Some(entity)) = (outline.declared[id.index()], self.syntax.node(id).declares) else { return };
        outline.bodies[id.index()].into_iter().for_each(|body| self.draft.need(&[whole], &[body]));
        let is_member = |declaration: &&Declaration| {
            let unit = &self.program.units[declaration.unit].syntax;
            unit.node(declaration.node).parent.is_some_and(|outer| unit.node(outer).kind.is_class())
        };
        let inside = self.program.declarations_of(self.unit, entity).iter().find(is_member).cloned();
        if let Some(item) = inside.and_then(|inside| self.item_of(&inside)) {
            self.draft.need(&[whole], &[item]);
        }
        let qualifiers: Vec<NodeId> = self
            .syntax
            .children(id)
            .filter(|child| self.syntax.node(*child).end <= self.syntax.node(id).location)
            .collect();
        for class in qualifiers.into_iter().filter_map(|child| self.syntax.node(child).refers) {
            self.body(class).into_iter().for_each(|body| self.draft.need(&[whole], &body));
        }
    }

    /// A base that is initialised with arguments has to be a base, and has to be initialised.
    fn initialised_bases(&mut self, id: NodeId) {
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        for pair in children.windows(2) {
            let (name, call) = (self.syntax.node(pair[0]), self.syntax.node(pair[1]));
            let Some(base) = name.refers.filter(|_| {
                name.kind == Kind::TypeReference
                    && call.kind == Kind::Call
                    && name.start >= self.syntax.node(id).location
            }) else {
                continue;
            };
            let class = self.class_of(id).or_else(|| self.class_defined_by(id));
            let Some(specifier) = class.and_then(|class| self.specifier(class, base)) else { continue };
            let premises = self.premises(pair[1]);
            self.draft.need(&premises, &[specifier]);
            let body = self.program.units[self.unit].outline.bodies[id.index()];
            if let (Some(body), Some(initialiser), true) = (body, premises.first(), call.arguments > 0) {
                self.draft.need(&[body, specifier], &[*initialiser]);
            }
        }
    }

    fn class_defined_by(&self, id: NodeId) -> Option<NodeId> {
        let entity = self.syntax.node(id).declares?;
        let first = *self.syntax.entity(entity).declarations.first()?;
        self.class_of(first)
    }

    fn specifier(&self, class: NodeId, base: EntityId) -> Option<Var> {
        let is_it = |id: &NodeId| {
            self.syntax.node(*id).kind == Kind::BaseSpecifier && self.syntax.node(*id).refers == Some(base)
        };
        let found = self.syntax.children(class).find(is_it)?;
        self.program.units[self.unit].outline.declared[found.index()]
    }

    /// What says `override` needs what it overrides; a class that is to be created needs its pure methods defined.
    fn overrides(&mut self, id: NodeId) {
        let Some(entity) = self.syntax.node(id).declares else { return };
        let says_so = self
            .syntax
            .children(id)
            .any(|child| self.syntax.node(child).kind == Kind::Attribute && self.syntax.text(child) == b"override");
        let own = self.program.items_of(self.draft, self.presence, self.unit, id);
        for other in self.syntax.entity(entity).overrides.clone() {
            let Some(declaration) = self.program.declarations_of(self.unit, other).first().cloned() else { continue };
            let Some(overridden) = self.item_of(&declaration) else { continue };
            if says_so {
                self.draft.need(&own, &[overridden]);
                self.needs_bases(&own, id, &declaration);
            }
            if self.node_of(&declaration).is(Mark::PureVirtual) {
                let class = self.class_of(id);
                let body = class.and_then(|class| self.program.units[self.unit].outline.bodies[class.index()]);
                let premises: Vec<Var> = body.into_iter().chain([overridden]).collect();
                own.first().into_iter().for_each(|own| self.draft.need(&premises, &[*own]));
            }
        }
    }

    fn needs_bases(&mut self, own: &[Var], id: NodeId, overridden: &Declaration) {
        let base = self.program.units[overridden.unit].syntax.node(overridden.node).parent;
        let base = base.and_then(|base| self.program.units[overridden.unit].syntax.node(base).declares);
        let base = base.map(|base| self.program.number(overridden.unit, base));
        if let (Some(class), Some(base)) = (self.class_of(id), base) {
            self.draft_bases(own, class, base);
        }
    }

    fn class_of(&self, id: NodeId) -> Option<NodeId> {
        self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).kind.is_class())
    }

    /// A value of a class is taken for one of a base class: the bases in between have to stay.
    fn converts_to_base(&mut self, id: NodeId) {
        let Some(child) = self.syntax.children(id).next() else { return };
        let class = |id: NodeId| self.syntax.node(id).of_type.and_then(|of_type| self.pointed_record(of_type));
        let (Some(to), Some(from)) = (class(id), class(child)) else { return };
        let base = self.program.number(self.unit, to);
        if to == from {
            return;
        }
        if let Some(class) = self.syntax.definition(from) {
            let premises = self.premises(id);
            self.draft_bases(&premises, class, base);
        }
    }

    fn pointed_record(&self, of_type: TypeId) -> Option<EntityId> {
        let found = self.syntax.get_type(of_type);
        match found.class {
            TypeClass::Pointer | TypeClass::Reference => self.record(found.inner?),
            _ => self.record(of_type),
        }
    }

    /// All base specifiers on the way from a class to one of its bases.
    fn draft_bases(&mut self, premises: &[Var], class: NodeId, base: usize) {
        let mut way = Vec::new();
        if self.way_to(class, base, &mut way, 0) {
            way.into_iter().for_each(|item| self.draft.need(premises, &[item]));
        }
    }

    fn way_to(&self, class: NodeId, base: usize, way: &mut Vec<Var>, depth: usize) -> bool {
        const DEEPEST: usize = 64;
        let specifiers =
            self.syntax.children(class).filter(|child| self.syntax.node(*child).kind == Kind::BaseSpecifier);
        for specifier in specifiers.filter(|_| depth < DEEPEST) {
            let Some(entity) = self.syntax.node(specifier).refers else { continue };
            let length = way.len();
            way.extend(self.program.units[self.unit].outline.declared[specifier.index()]);
            let is_there = self.program.number(self.unit, entity) == base;
            let above = self.syntax.definition(entity);
            if is_there || above.is_some_and(|above| self.way_to(above, base, way, depth + 1)) {
                return true;
            }
            way.truncate(length);
        }
        false
    }
}

/// Which includes of the user's files bring which header.
struct Includes {
    reaching: HashMap<u32, Option<Vec<Var>>>,
}

impl Includes {
    fn of(syntax: &Syntax, found: &Preprocessor) -> Includes {
        let mut into: HashMap<u32, Vec<u32>> = HashMap::new();
        for inclusion in &syntax.inclusions {
            into.entry(inclusion.from).or_default().push(inclusion.to);
        }
        let mut reaching: HashMap<u32, Option<Vec<Var>>> = HashMap::new();
        for inclusion in &syntax.inclusions {
            let Some(node) = inclusion.node.map(|node| syntax.node(node)) else { continue };
            let item = found.at.get(&(node.file, node.start as usize)).copied();
            for header in reached(inclusion.to, &into) {
                let items = reaching.entry(header).or_insert_with(|| Some(Vec::new()));
                match (item, items.as_mut()) {
                    (Some(item), Some(items)) => items.push(item),
                    _ => *items = None,
                }
            }
        }
        Includes { reaching }
    }

    fn reaching(&self, header: u32) -> Option<Vec<Var>> {
        self.reaching.get(&header).cloned().flatten()
    }
}

fn reached(from: u32, into: &HashMap<u32, Vec<u32>>) -> HashSet<u32> {
    let mut found = HashSet::from([from]);
    let mut open = vec![from];
    while let Some(header) = open.pop() {
        for next in into.get(&header).into_iter().flatten() {
            if found.insert(*next) {
                open.push(*next);
            }
        }
    }
    found
}

/// A line of the preprocessor goes with the text it is in.
fn directives_need_their_surroundings(program: &Program, draft: &mut Draft, presence: &Presence, found: &Preprocessor) {
    for ((file, start), var) in sorted(found) {
        let text = &program.texts[file.index()];
        let Some(directive) = text.directives.iter().find(|directive| directive.range.start == start) else { continue };
        let around: Vec<Var> =
            presence.at(draft, file, &directive.range).into_iter().filter(|item| *item != var).collect();
        around.into_iter().for_each(|item| draft.need(&[var], &[item]));
    }
}

/// A macro that is used in the text of another has to be there for it.
fn macros_need_macros(program: &Program, draft: &mut Draft, found: &Preprocessor) {
    let mut names: HashMap<&[u8], Vec<Var>> = HashMap::new();
    let mut bodies: Vec<(Var, Vec<&[u8]>)> = Vec::new();
    for ((file, start), var) in sorted(found) {
        let text = &program.texts[file.index()];
        let is_define = |directive: &&lapidary_clang::Directive| {
            directive.range.start == start && directive.kind == DirectiveKind::Define
        };
        let Some(directive) = text.directives.iter().find(is_define) else { continue };
        let mut words = words(text.slice(directive.range.clone())).skip(1);
        names.entry(words.next().unwrap_or_default()).or_default().push(var);
        bodies.push((var, words.collect()));
    }
    for (var, words) in bodies {
        for items in words.iter().filter_map(|word| names.get(word)) {
            draft.need(&[var], items);
        }
    }
}

fn sorted(found: &Preprocessor) -> Vec<((FileId, usize), Var)> {
    let mut all: Vec<_> = found.at.iter().map(|(place, var)| (*place, *var)).collect();
    all.sort_unstable();
    all
}
