//! Classes and their bases: a method needs those it overrides, and a conversion to a base needs the
//! base.

use super::{Clauses, Needed};
use lapidary_clang::{EntityId, Kind, Mark, NodeId};
use lapidary_logic::Var;

impl Clauses<'_> {
    pub(super) fn of_class(&mut self, id: NodeId) {
        if self.syntax.node(id).is(Mark::Definition) {
            self.access(id);
            self.special_members(id);
            self.keeps_bases(id);
        }
        self.specialises(id);
    }

    /// Keeps the bases of a template, since the members that it gets from them are unknown before
    /// it is instantiated.
    fn keeps_bases(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        let is_open = self.names.is_in_template(node.file, node.start as usize) || node.refers.is_some();
        if let Some(inside) = self.inside_of(id).filter(|_| is_open) {
            let specifiers = self.specifiers(id);
            let items: Vec<Var> = specifiers.into_iter().filter_map(|id| self.outline.declared[id.index()]).collect();
            items.into_iter().for_each(|item| self.draft.need(&[inside], &[item]));
        }
    }

    /// Keeps the body of a specialisation, which would hide the template if it were only declared.
    /// An explicit instance needs the template's members.
    fn specialises(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        let Some(template) = node.refers else { return };
        match (self.outline.declared[id.index()], self.outline.bodies[id.index()]) {
            (Some(whole), Some(body)) => self.draft.need(&[whole], &[body]),
            _ => self.needs(id, Needed::Body(template)),
        }
    }

    pub(super) fn of_function(&mut self, id: NodeId) {
        if self.syntax.node(id).is(Mark::Virtual) {
            self.overrides(id);
        }
        if matches!(self.syntax.node(id).kind, Kind::Constructor | Kind::FunctionTemplate) {
            self.initialised(id);
        }
    }

    /// Keeps all specialisations of a template that is used in a template or before `::`, where it
    /// is unknown which of them is meant.
    pub(super) fn may_be_specialised(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        let is_open = self.names.is_in_template(node.file, node.start as usize) || self.is_qualifier(id);
        let Some(template) = node.refers.filter(|_| is_open) else { return };
        if let Some(variable) = self.specialisations_of(template) {
            self.needs(id, Needed::Auxiliary(variable));
        }
    }

    /// Returns a variable that requires every specialisation of a template whose classes are kept.
    fn specialisations_of(&mut self, template: EntityId) -> Option<Var> {
        if let Some(known) = self.specialised.get(&template) {
            return *known;
        }
        let all = self.specialisations.get(&template).cloned();
        let variable = all.as_ref().map(|_| self.draft.auxiliary());
        self.specialised.insert(template, variable);
        if let (Some(all), Some(variable)) = (all, variable) {
            for id in all {
                let classes = self.types_named(self.syntax.children(id));
                let premises: Vec<Var> = [variable].into_iter().chain(classes).collect();
                self.item_of(id).into_iter().for_each(|item| self.draft.need(&premises, &[item]));
            }
        }
        variable
    }

    /// Makes a method with `override` need the overridden one. A class that is instantiated needs
    /// its pure methods defined.
    fn overrides(&mut self, id: NodeId) {
        let Some(entity) = self.syntax.node(id).declares else { return };
        let Some(own) = self.item_of(id) else { return };
        let has_to = self.has_to_override(id);
        for other in &self.syntax.entity(entity).overrides {
            let declaration = self.syntax.entity(*other).declarations.first().copied();
            let overridden = declaration.and_then(|declaration| self.item_of(declaration));
            if has_to {
                overridden.into_iter().for_each(|overridden| self.draft.need(&[own], &[overridden]));
                self.needs_bases(&[own], id, declaration);
            }
            let is_pure = declaration.is_some_and(|declaration| self.syntax.node(declaration).is(Mark::PureVirtual));
            if let Some(overridden) = overridden.filter(|_| is_pure) {
                let body = self.class_of(id).and_then(|class| self.inside_of(class));
                let premises: Vec<Var> = body.into_iter().chain([overridden]).collect();
                self.draft.need(&premises, &[own]);
            }
        }
    }

    /// Returns whether a method must override another: it says so, or it is virtual only because of
    /// that.
    fn has_to_override(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let says_so = |child: NodeId| {
            self.syntax.node(child).kind == Kind::Attribute && matches!(self.syntax.text(child), b"override" | b"final")
        };
        let text = self.text_of(id);
        let is_virtual = text.has_before(node.start as usize..node.location as usize, &["virtual"]);
        self.syntax.children(id).any(says_so) || (node.is(Mark::PureVirtual) && !is_virtual)
    }

    /// Requires the bases up to the class that declares the overridden method, or all bases if that
    /// class is not in the user's files.
    fn needs_bases(&mut self, own: &[Var], id: NodeId, overridden: Option<NodeId>) {
        let Some(class) = self.class_of(id) else { return };
        match overridden.and_then(|overridden| self.class_around(overridden)) {
            Some(base) => {
                let base = self.syntax.node(base).declares;
                if let Some(base) = base {
                    self.needs_way(own, class, base);
                }
            }
            None => {
                let specifiers = self.specifiers(class);
                let items = specifiers.into_iter().filter_map(|id| self.outline.declared[id.index()]);
                let items: Vec<Var> = items.collect();
                items.into_iter().for_each(|item| self.draft.need(own, &[item]));
            }
        }
    }

    pub(super) fn specifiers(&self, class: NodeId) -> Vec<NodeId> {
        let is_base = |child: &NodeId| self.syntax.node(*child).kind == Kind::BaseSpecifier;
        self.syntax.children(class).filter(is_base).collect()
    }

    /// Requires the bases between a class and the base class that a value is converted to.
    pub(super) fn converts_to_base(&mut self, id: NodeId) {
        let Some(child) = self.syntax.children(id).next() else { return };
        let class = |id: NodeId| self.syntax.node(id).of_type.and_then(|of_type| self.pointed_record(of_type));
        let (Some(to), Some(from)) = (class(id), class(child)) else { return };
        if let Some(class) = self.syntax.definition(from).filter(|_| to != from) {
            let premises = self.premises(id);
            self.needs_way(&premises, class, to);
        }
    }

    /// Requires all base specifiers on the way from a class to one of its bases. Returns false if
    /// it is not one of its bases.
    pub(super) fn needs_way(&mut self, premises: &[Var], class: NodeId, base: EntityId) -> bool {
        let mut way = Vec::new();
        let is_base = self.way_to(class, base, &mut way, 0);
        way.into_iter().for_each(|item| self.draft.need(premises, &[item]));
        is_base
    }

    /// Collects the base specifiers on the way from a class to a base. The bases of a library class
    /// are unknown, so any library class may lead to another.
    fn way_to(&self, class: NodeId, base: EntityId, way: &mut Vec<Var>, depth: usize) -> bool {
        const DEEPEST: usize = 64;
        let is_foreign = |entity: EntityId| self.syntax.entity(entity).declarations.is_empty();
        for specifier in self.specifiers(class).into_iter().filter(|_| depth < DEEPEST) {
            let Some(entity) = self.class_named_by(specifier) else { continue };
            let length = way.len();
            way.extend(self.outline.declared[specifier.index()]);
            let is_there = entity == base || (is_foreign(entity) && is_foreign(base));
            let above = self.syntax.definition(entity);
            if is_there || above.is_some_and(|above| self.way_to(above, base, way, depth + 1)) {
                return true;
            }
            way.truncate(length);
        }
        false
    }

    /// Returns the class of a base specifier, looking through typedefs.
    fn class_named_by(&self, specifier: NodeId) -> Option<EntityId> {
        let node = self.syntax.node(specifier);
        node.of_type.and_then(|of_type| self.record(of_type)).or(node.refers)
    }
}
