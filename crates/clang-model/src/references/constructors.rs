//! Constructors: bases and members that must be initialised, and functions that are called
//! implicitly.

use super::Clauses;
use lapidary_clang::{EntityId, Kind, Mark, NodeId, TypeClass};
use lapidary_logic::Var;

impl Clauses<'_> {
    /// Makes an initialiser need its base or member, and requires initialisers where they are
    /// mandatory.
    pub(super) fn initialised(&mut self, id: NodeId) {
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        for pair in children.windows(2) {
            let (name, value) = (self.syntax.node(pair[0]), self.syntax.node(pair[1]));
            let is_initialiser = value.kind.is_expression() && name.start > self.syntax.node(id).location;
            let Some(entity) = name.refers.filter(|_| is_initialiser && !name.in_macro) else { continue };
            match name.kind {
                Kind::TypeReference | Kind::TemplateReference => self.initialised_base(id, pair[0], pair[1], entity),
                Kind::MemberReference => self.initialised_member(id, pair[0], entity),
                _ => {}
            }
        }
    }

    fn initialised_base(&mut self, id: NodeId, name: NodeId, value: NodeId, base: EntityId) {
        let of_type = self.syntax.node(name).of_type.and_then(|of_type| self.record(of_type));
        let class = self.class_of(id);
        let premises = self.premises(name);
        let is_own = class.is_some_and(|class| self.syntax.node(class).declares == Some(of_type.unwrap_or(base)));
        let is_fixed = is_own || class.is_none();
        if let (Some(body), Some(item), true) = (self.outline.bodies[id.index()], premises.first(), is_fixed) {
            return self.draft.need(&[body], &[*item]);
        }
        let Some(specifier) = class.and_then(|class| self.specifier(class, of_type.unwrap_or(base))) else { return };
        self.draft.need(&premises, &[specifier]);
        let is_default = self.syntax.node(value).kind == Kind::Call && self.syntax.node(value).arguments == 0;
        if let (Some(body), Some(item), false) = (self.outline.bodies[id.index()], premises.first(), is_default) {
            self.draft.need(&[body, specifier], &[*item]);
        }
    }

    fn specifier(&self, class: NodeId, base: EntityId) -> Option<Var> {
        let is_it = |id: &NodeId| {
            let node = self.syntax.node(*id);
            node.refers == Some(base) || node.of_type.and_then(|of_type| self.record(of_type)) == Some(base)
        };
        let found = self.specifiers(class).into_iter().find(is_it)?;
        self.outline.declared[found.index()]
    }

    /// Requires initialisers of members that are references, constants or objects, and of members
    /// whose declaration is not visible.
    fn initialised_member(&mut self, id: NodeId, name: NodeId, member: EntityId) {
        let (body, item) = (self.outline.bodies[id.index()], self.premises(name).first().copied());
        let Some(field) = self.syntax.entity(member).declarations.first().copied() else {
            return body.zip(item).into_iter().for_each(|(body, item)| self.draft.need(&[body], &[item]));
        };
        let has_to = self.has_to_be_given(field);
        if let (Some(body), Some(field), Some(item), true) = (body, self.item_of(field), item, has_to) {
            self.draft.need(&[body, field], &[item]);
        }
    }

    fn has_to_be_given(&self, field: NodeId) -> bool {
        self.syntax.type_of(field).is_some_and(|found| {
            found.is_const || matches!(found.class, TypeClass::Reference | TypeClass::Record | TypeClass::Other)
        })
    }

    /// Keeps the default constructor of a class for a constant without an initialiser, which
    /// requires a declared one.
    pub(super) fn constant_object(&mut self, id: NodeId) {
        let of_type = self.syntax.type_of(id).filter(|found| found.is_const && found.class == TypeClass::Record);
        let definition = of_type.and_then(|found| self.syntax.definition(found.declaration?));
        let has_value = self.syntax.children(id).any(|child| self.syntax.node(child).kind.is_expression());
        let Some(class) = definition.filter(|_| self.syntax.is_cpp() && !has_value) else { return };
        let is_default =
            |child: &NodeId| self.syntax.node(*child).kind == Kind::Constructor && self.needs_no_argument(*child);
        let items: Vec<Var> =
            self.syntax.children(class).filter(is_default).filter_map(|child| self.item_of(child)).collect();
        let premises = self.premises(id);
        items.into_iter().for_each(|item| self.draft.need(&premises, &[item]));
    }

    /// Keeps a default constructor as long as there is another constructor, since it is called
    /// implicitly and would not be generated any more. The same holds for copying where there is
    /// moving.
    pub(super) fn special_members(&mut self, class: NodeId) {
        let members: Vec<NodeId> = self.syntax.children(class).collect();
        let is_constructor = |id: &NodeId| self.syntax.node(*id).kind == Kind::Constructor;
        let (without, with): (Vec<NodeId>, Vec<NodeId>) =
            members.iter().copied().filter(is_constructor).partition(|id| self.needs_no_argument(*id));
        self.all_need(&with, &without);
        let copying: Vec<NodeId> = members.iter().copied().filter(|id| self.is_copying(*id, class)).collect();
        let moving: Vec<NodeId> = copying.iter().copied().filter(|id| self.is_moving(*id)).collect();
        self.all_need(&moving, &copying);
    }

    /// Returns whether a call without arguments would still find a constructor if this one were not
    /// declared. It must not initialise anything that requires an initialiser. Other cases need the
    /// declaration, see [`Self::special_members`].
    pub(super) fn is_there_unasked(&self, call: NodeId, constructor: EntityId) -> bool {
        let node = self.syntax.node(call);
        let is_bare = node.kind == Kind::Call && node.arguments == 0;
        let declarations = &self.syntax.entity(constructor).declarations;
        let is_plain = |id: &NodeId| {
            let is_made = self.syntax.node(*id).kind == Kind::Constructor && !self.gives_what_it_has_to(*id);
            is_made && !self.names.is_in_template(self.syntax.node(*id).file, self.syntax.node(*id).start as usize)
        };
        is_bare && !declarations.is_empty() && declarations.iter().all(is_plain)
    }

    fn gives_what_it_has_to(&self, constructor: NodeId) -> bool {
        let is_given = |id: NodeId| {
            let name = self.syntax.node(id);
            let is_initialiser = name.start > self.syntax.node(constructor).location;
            let field = name.refers.and_then(|member| self.syntax.entity(member).declarations.first());
            is_initialiser
                && match name.kind {
                    Kind::TypeReference | Kind::TemplateReference => true,
                    Kind::MemberReference => field.is_none_or(|field| self.has_to_be_given(*field)),
                    _ => false,
                }
        };
        self.syntax.children(constructor).any(is_given)
    }

    fn all_need(&mut self, who: &[NodeId], what: &[NodeId]) {
        for (one, other) in who.iter().flat_map(|one| what.iter().map(move |other| (*one, *other))) {
            if let (Some(one), Some(other)) = (self.item_of(one), self.item_of(other)) {
                self.draft.need(&[one], &[other]);
            }
        }
    }

    fn parameters(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.syntax.children(id).filter(|child| self.syntax.node(*child).kind == Kind::Parameter)
    }

    fn needs_no_argument(&self, id: NodeId) -> bool {
        let has_default = |parameter: NodeId| {
            self.syntax.children(parameter).any(|child| self.syntax.node(child).kind.is_expression())
        };
        self.parameters(id).next().is_none_or(has_default)
    }

    fn is_copying(&self, id: NodeId, class: NodeId) -> bool {
        let node = self.syntax.node(id);
        let entity = node.declares.map(|entity| self.syntax.entity(entity).name.as_str());
        let can_copy = node.kind == Kind::Constructor || (node.kind == Kind::Method && entity == Some("operator="));
        let mut parameters = self.parameters(id);
        let of_type = parameters.next().and_then(|first| self.syntax.node(first).of_type);
        let record = of_type.and_then(|of_type| self.pointed_record(of_type));
        can_copy && !node.is(Mark::Static) && record.is_some() && record == self.syntax.node(class).declares
    }

    fn is_moving(&self, id: NodeId) -> bool {
        let of_type = self.parameters(id).next().and_then(|first| self.syntax.type_of(first));
        of_type.is_some_and(|found| found.spelling.ends_with("&&"))
    }
}
