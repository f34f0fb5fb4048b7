//! Name lookup: qualified declarations, using, inherited members.

use super::Clauses;
use crate::source_text::SourceText;
use lapidary_clang::{EntityId, Kind, NodeId, Syntax};
use lapidary_logic::Var;
use std::collections::{HashMap, HashSet};

/// Declarations and directives that make names of other scopes visible.
#[derive(Default)]
pub(super) struct Usings {
    /// Using declarations by the entity they name.
    declarations: HashMap<EntityId, Vec<NodeId>>,
    /// Using declarations by name, because libclang looks through a typedef that is found this way.
    names: HashMap<Vec<u8>, Vec<NodeId>>,
    /// Using directives by namespace, without inline namespaces.
    directives: HashMap<String, Vec<NodeId>>,
    enumerations: Vec<NodeId>,
    inline: HashSet<String>,
}

impl Usings {
    pub fn of(syntax: &Syntax, texts: &[SourceText]) -> Usings {
        let mut usings = Usings { inline: inline_namespaces(syntax, texts), ..Usings::default() };
        for id in syntax.ids() {
            match syntax.node(id).kind {
                Kind::UsingDeclaration => {
                    for entity in named_by(syntax, id) {
                        usings.declarations.entry(entity).or_default().push(id);
                    }
                    let name = syntax.children(id).last().map(|last| syntax.text(last).to_vec());
                    name.into_iter().for_each(|name| usings.names.entry(name).or_default().push(id));
                }
                Kind::UsingDirective => {
                    let last = syntax.children(id).filter_map(|child| syntax.node(child).refers).last();
                    let name = last.map(|entity| usings.outer_namespace(&format!("{}@", syntax.entity(entity).usr)));
                    name.into_iter().for_each(|name| usings.directives.entry(name).or_default().push(id));
                }
                Kind::OtherDeclaration | Kind::Enum if is_using_enum(syntax.text(id)) => usings.enumerations.push(id),
                _ => {}
            }
        }
        usings
    }

    pub fn named(&self, name: &[u8]) -> Vec<NodeId> {
        self.names.get(name).cloned().unwrap_or_default()
    }

    /// Returns the namespace part of a USR, without trailing inline namespaces.
    fn outer_namespace(&self, usr: &str) -> String {
        const LIBRARY: [&str; 5] = ["__cxx11", "__1", "__8", "_V2", "__ndk1"];
        let mut namespace = namespace_of(usr);
        while let Some(at) = namespace.rfind("@N@") {
            let is_inline = self.inline.contains(&namespace) || LIBRARY.contains(&&namespace[at + 3..]);
            if !is_inline {
                break;
            }
            namespace.truncate(at);
        }
        namespace
    }
}

/// Returns the entities that a using declaration names.
fn named_by(syntax: &Syntax, id: NodeId) -> Vec<EntityId> {
    let last = syntax.children(id).last();
    last.map(|last| syntax.overloads(last).chain(syntax.node(last).refers).collect()).unwrap_or_default()
}

fn is_using_enum(text: &[u8]) -> bool {
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next() == Some(b"using") && words.next() == Some(b"enum")
}

fn inline_namespaces(syntax: &Syntax, texts: &[SourceText]) -> HashSet<String> {
    let is_inline = |id: &NodeId| {
        let node = syntax.node(*id);
        let text = &texts[node.file.index()];
        node.kind == Kind::Namespace && text.has_before(node.start as usize..node.location as usize, &["inline"])
    };
    let entities = syntax.ids().filter(is_inline).filter_map(|id| syntax.node(id).declares);
    entities.map(|entity| syntax.entity(entity).usr.clone()).collect()
}

/// Extracts the namespace of a USR: `c:@N@a@N@b` of `c:file@N@a@aN@N@b@S@c`. The USR of an entity
/// local to a file contains the file, and unnamed namespaces do not count.
fn namespace_of(usr: &str) -> String {
    let mut namespace = "c:".to_owned();
    let mut rest = usr.find('@').map_or("", |at| &usr[at..]);
    loop {
        if let Some(after) = rest.strip_prefix("@aN").filter(|after| after.starts_with('@')) {
            rest = after;
        } else if let Some((name, _)) = rest.strip_prefix("@N@").and_then(|after| after.split_once('@')) {
            namespace.push_str("@N@");
            namespace.push_str(name);
            rest = &rest["@N@".len() + name.len()..];
        } else {
            return namespace;
        }
    }
}

impl Clauses<'_> {
    /// Requires, besides a declaration, everything that makes a name visible where it is used.
    pub(super) fn reaches(&mut self, id: NodeId, entity: EntityId) {
        let node = self.syntax.node(id);
        let is_name = matches!(
            node.kind,
            Kind::TypeReference
                | Kind::TemplateReference
                | Kind::NamespaceReference
                | Kind::Name
                | Kind::Member
                | Kind::Call
        );
        if !self.syntax.is_cpp() || !is_name || node.in_macro {
            return;
        }
        let is_plain = !self.text_of(id).is_preceded_by(node.location as usize, &["::", ".", "->"]);
        if !is_plain {
            self.found_in_namespace(id, entity);
        }
        if is_plain && node.kind != Kind::Call {
            self.found_by_using(id, entity);
            self.inherited(id, entity);
        }
        self.named_in_class(id, entity);
        if let Some(class) = self.qualifying_class(id) {
            self.member_of_base(id, class, entity);
        }
    }

    /// Requires one of the preceding usings that make a name of another namespace visible.
    fn found_by_using(&mut self, id: NodeId, entity: EntityId) {
        let usr = &self.syntax.entity(entity).usr;
        let own = self.usings.outer_namespace(usr);
        let is_enumerator = self.is_scoped_enumerator(entity);
        let is_other = self.is_called_otherwise(id, entity);
        if self.is_inside_namespace(id, &own) && !is_enumerator && !is_other {
            return;
        }
        let declarations = self.usings.declarations.get(&entity);
        let by_name = || self.usings.names.get(self.syntax.text(id));
        let declarations = declarations.or_else(by_name).into_iter().flatten();
        let directives = self.usings.directives.get(&own).into_iter().flatten().filter(|_| own.len() > 2);
        let enumerations = self.usings.enumerations.iter().filter(|_| is_enumerator);
        let visible = declarations.chain(directives).chain(enumerations).copied().filter(|using| {
            let (using, node) = (self.syntax.node(*using), self.syntax.node(id));
            let is_before = using.file != node.file || using.start < node.start;
            is_before && using.parent.is_none_or(|scope| self.is_scope_of(scope, id))
        });
        let items: Option<Vec<Var>> = visible.map(|using| self.item_of(using)).collect();
        let premises = self.premises(id);
        if is_other && items.as_ref().is_some_and(Vec::is_empty) {
            let name = String::from_utf8_lossy(self.syntax.text(id)).into_owned();
            self.ask(&premises, &name);
        }
        items.into_iter().for_each(|items| self.draft.need(&premises, &items));
    }

    /// Returns whether a type is named by an alias that libclang looks through.
    fn is_called_otherwise(&self, id: NodeId, entity: EntityId) -> bool {
        let name = self.syntax.entity(entity).name.as_bytes();
        let is_type = self.syntax.node(id).kind == Kind::TypeReference;
        is_type && !name.is_empty() && self.syntax.text(id) != name
    }

    /// Requires the using declaration that brings a name into the namespace of `namespace::name`.
    fn found_in_namespace(&mut self, id: NodeId, entity: EntityId) {
        let Some(namespace) = self.qualifying_namespace(id) else { return };
        let own = self.usings.outer_namespace(&self.syntax.entity(entity).usr);
        let wanted = self.usings.outer_namespace(&format!("{}@", self.syntax.entity(namespace).usr));
        if own == wanted {
            return;
        }
        let is_there = |using: &NodeId| {
            let outer = self.syntax.ancestors(*using).find(|outer| self.syntax.node(*outer).kind == Kind::Namespace);
            let is_before = self.syntax.node(*using).end <= self.syntax.node(id).start;
            let entity = outer.and_then(|outer| self.syntax.node(outer).declares);
            is_before
                && entity.is_some_and(|entity| self.syntax.entity(entity).usr == self.syntax.entity(namespace).usr)
        };
        let named = self.usings.declarations.get(&entity);
        let by_name = || self.usings.names.get(self.syntax.text(id));
        let usings = named.or_else(by_name).into_iter().flatten().copied().filter(is_there);
        let items: Option<Vec<Var>> = usings.map(|using| self.item_of(using)).collect();
        let premises = self.premises(id);
        items.into_iter().for_each(|items| self.draft.need(&premises, &items));
    }

    /// Returns the namespace right before `::` and a name.
    fn qualifying_namespace(&self, id: NodeId) -> Option<EntityId> {
        let node = self.syntax.node(id);
        let text = self.text_of(id);
        let colons = text.before(node.location as usize)?.range.start;
        let around =
            self.syntax.children(id).chain(node.parent.into_iter().flat_map(|outer| self.syntax.children(outer)));
        let is_it = |other: &NodeId| {
            let other = self.syntax.node(*other);
            other.kind == Kind::NamespaceReference
                && text.before(colons).is_some_and(|token| token.range.end == other.end as usize)
        };
        around.into_iter().find(is_it).and_then(|found| self.syntax.node(found).refers)
    }

    /// Makes later declarations of an inline namespace need the first, which makes it inline.
    pub(super) fn namespace(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        let Some(entity) = node.declares.filter(|entity| self.usings.inline.contains(&self.syntax.entity(*entity).usr))
        else {
            return;
        };
        let says_so = |other: &NodeId| {
            let other = self.syntax.node(*other);
            self.text(other.file).has_before(other.start as usize..other.location as usize, &["inline"])
        };
        let inline = self.syntax.entity(entity).declarations.iter().filter(|other| says_so(other));
        let items: Option<Vec<Var>> = inline.map(|other| self.item_of(*other)).collect();
        let premises: Vec<Var> = self.item_of(id).into_iter().collect();
        items.filter(|_| !says_so(&id)).into_iter().for_each(|items| self.draft.need(&premises, &items));
    }

    /// Returns whether a node is in a scope. A namespace can be reopened; a block is in one place.
    fn is_scope_of(&self, scope: NodeId, id: NodeId) -> bool {
        let scope = match self.syntax.node(scope).kind {
            Kind::DeclarationStatement => self.syntax.node(scope).parent.unwrap_or(scope),
            _ => scope,
        };
        let is_same = |outer: NodeId| {
            let (scope, outer) = (self.syntax.node(scope), self.syntax.node(outer));
            scope.kind == Kind::Namespace && scope.declares == outer.declares
        };
        self.syntax.contains(scope, id) || self.syntax.ancestors(id).any(is_same)
    }

    fn is_inside_namespace(&self, id: NodeId, namespace: &str) -> bool {
        let innermost = self.syntax.ancestors(id).find(|outer| self.syntax.node(*outer).kind == Kind::Namespace);
        let entity = innermost.and_then(|outer| self.syntax.node(outer).declares);
        let usr = entity.map_or("c:", |entity| self.syntax.entity(entity).usr.as_str());
        namespace.len() <= 2
            || usr == namespace
            || usr.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('@'))
    }

    fn is_scoped_enumerator(&self, entity: EntityId) -> bool {
        let declaration = self.syntax.entity(entity).declarations.first();
        let is_enumerator = |id: &&NodeId| self.syntax.node(**id).kind == Kind::EnumConstant;
        let outer = declaration.filter(is_enumerator).and_then(|id| self.syntax.node(*id).parent);
        outer.is_some_and(|outer| {
            let node = self.syntax.node(outer);
            self.text_of(outer).has_before(node.start as usize..node.location as usize, &["class", "struct"])
        })
    }

    /// Requires the bases through which a member is used without an object, from inside a derived
    /// class.
    fn inherited(&mut self, id: NodeId, entity: EntityId) {
        let Some(base) = self.class_that_declares(entity) else { return };
        let Some(base_entity) = self.syntax.node(base).declares else { return };
        let has_object = self.syntax.node(id).kind == Kind::Member && self.syntax.children(id).next().is_some();
        if has_object || self.syntax.contains(base, id) {
            return;
        }
        let innermost = self.class_of(id);
        let around = innermost.into_iter().chain(innermost.into_iter().flat_map(|class| self.syntax.ancestors(class)));
        let classes: Vec<NodeId> = around.filter(|outer| self.syntax.node(*outer).kind.is_class()).collect();
        let premises = self.premises(id);
        for class in classes {
            if class == base || self.needs_way(&premises, class, base_entity) {
                return;
            }
        }
    }

    fn class_that_declares(&self, entity: EntityId) -> Option<NodeId> {
        let first = *self.syntax.entity(entity).declarations.first()?;
        let is_class = |outer: &NodeId| self.syntax.node(*outer).kind.is_class();
        let outer = self.syntax.node(first).parent?;
        let is_enum = self.syntax.node(outer).kind == Kind::Enum;
        if is_enum { self.syntax.node(outer).parent.filter(is_class) } else { Some(outer).filter(is_class) }
    }

    /// Returns the class before `::` in `Derived::member`, where the member belongs to a base.
    fn qualifying_class(&self, id: NodeId) -> Option<EntityId> {
        let is_qualifier = |child: &NodeId| self.syntax.node(*child).kind == Kind::TypeReference;
        let qualifier = self.syntax.children(id).filter(is_qualifier).last()?;
        let is_value = matches!(self.syntax.node(id).kind, Kind::Name | Kind::Member);
        let of_type = self.syntax.node(qualifier).of_type.filter(|_| is_value && self.is_qualifier(qualifier))?;
        self.record(of_type)
    }

    fn member_of_base(&mut self, id: NodeId, class: EntityId, entity: EntityId) {
        let base = self.class_that_declares(entity).and_then(|base| self.syntax.node(base).declares);
        let definition = self.syntax.definition(class);
        if let (Some(base), Some(definition)) = (base.filter(|base| *base != class), definition) {
            let premises = self.premises(id);
            self.needs_way(&premises, definition, base);
        }
    }

    /// Keeps using declarations in classes, which can make a member of a base accessible.
    fn named_in_class(&mut self, id: NodeId, entity: EntityId) {
        let in_class = |using: &NodeId| {
            let outer = self.syntax.node(*using).parent;
            outer.is_some_and(|outer| self.syntax.node(outer).kind.is_class())
        };
        let usings = self.usings.declarations.get(&entity).into_iter().flatten().copied();
        let items: Vec<Var> = usings.filter(in_class).filter_map(|using| self.item_of(using)).collect();
        let is_own = self.class_that_declares(entity).is_some_and(|class| self.syntax.contains(class, id));
        if !is_own && !items.is_empty() {
            let premises = self.premises(id);
            items.into_iter().for_each(|item| self.draft.need(&premises, &[item]));
        }
    }

    /// Makes a using declaration need a declaration to name. Constructors that it inherits are
    /// called implicitly.
    pub(super) fn using_declaration(&mut self, id: NodeId) {
        let named = named_by(self.syntax, id);
        let premises = self.premises(id);
        let all: Vec<NodeId> = named.iter().flat_map(|entity| self.visible_declarations(id, *entity)).collect();
        let items: Option<Vec<Var>> = all.iter().map(|other| self.item_of(*other)).collect();
        items.into_iter().for_each(|items| self.draft.need(&premises, &items));
        if all.is_empty() {
            let header = named.iter().find_map(|entity| self.syntax.entity(*entity).header);
            let needed = header.map(|header| self.includes.of_header(header).to_vec()).unwrap_or_default();
            needed.iter().for_each(|items| self.draft.need(&premises, items));
        }
        if let (Some(last), Some(first)) = (self.syntax.children(id).last(), named.first()) {
            self.found_in_namespace(last, *first);
        }
        let types = self.syntax.children(id).filter_map(|child| self.syntax.node(child).of_type);
        let base = types.filter_map(|of_type| self.record(of_type)).last();
        if let (Some(class), Some(base)) = (self.class_around(id), base) {
            self.needs_way(&premises, class, base);
        }
        let inherits = all.iter().any(|other| self.syntax.node(*other).kind == Kind::Constructor);
        let class = self.class_around(id).and_then(|class| self.inside_of(class));
        if let (Some(class), Some(own), true) = (class, self.item_of(id), inherits) {
            self.draft.need(&[class], &[own]);
        }
    }

    /// Adds clauses for declarations that libclang barely describes.
    pub(super) fn unexposed(&mut self, id: NodeId) {
        self.binding(id);
        self.specialises_variable(id);
        let entity = self.syntax.node(id).declares.filter(|_| is_using_enum(self.syntax.text(id)));
        if let Some(entity) = entity {
            let premises = self.premises(id);
            self.ask(&premises, &self.syntax.entity(entity).name);
        }
    }

    /// Makes a specialisation of a variable template need the template, which is the first of its
    /// name.
    fn specialises_variable(&mut self, id: NodeId) {
        let Some(entity) = self.syntax.node(id).declares else { return };
        let name = &self.syntax.entity(entity).name;
        let end = self.syntax.node(id).location as usize + name.len();
        if self.syntax.node(id).kind == Kind::OtherDeclaration && self.text_of(id).is_followed_by(end, "<") {
            let first = self.names.all(name.as_bytes()).first();
            let first = first.and_then(|first| self.syntax.entity(*first).declarations.first().copied());
            let item = first.filter(|first| *first != id).and_then(|first| self.item_of(first));
            let premises = self.premises(id);
            item.into_iter().for_each(|item| self.draft.need(&premises, &[item]));
        }
    }

    /// Makes a declaration with a qualified name need a declaration in its scope.
    pub(super) fn declared_outside(&mut self, id: NodeId) {
        let node = self.syntax.node(id);
        let (syntax, texts) = (self.syntax, &self.program.texts);
        let is_qualified = |id: NodeId| {
            let node = syntax.node(id);
            texts[node.file.index()].is_preceded_by(node.location as usize, &["::"])
        };
        let Some(entity) = node.declares.filter(|_| !node.in_macro && is_qualified(id)) else { return };
        let premises = self.outline.declared[id.index()].map_or_else(|| self.premises(id), |whole| vec![whole]);
        let inside = self.visible_declarations(id, entity).into_iter().filter(|other| *other != id);
        let inside: Option<Vec<Var>> =
            inside.filter(|other| !is_qualified(*other)).map(|other| self.item_of(other)).collect();
        if inside.as_ref().is_some_and(Vec::is_empty) && node.refers.is_none() {
            self.specialised_member(id, &premises);
        }
        inside.into_iter().for_each(|items| self.draft.need(&premises, &items));
        self.outline.bodies[id.index()].into_iter().for_each(|body| self.draft.need(&premises, &[body]));
    }
}

impl Clauses<'_> {
    /// Makes a specialised constructor or destructor need the template's. libclang does not say
    /// which one it is.
    fn specialised_member(&mut self, id: NodeId, premises: &[Var]) {
        let kind = self.syntax.node(id).kind;
        let is_template = |child: &NodeId| self.syntax.node(*child).kind == Kind::TemplateReference;
        let templates = self.syntax.children(id).filter(is_template).filter_map(|child| self.syntax.node(child).refers);
        let class = templates.filter_map(|template| self.syntax.definition(template)).last();
        let members = class.into_iter().flat_map(|class| self.syntax.children(class));
        let same = members.filter(|member| self.syntax.node(*member).kind == kind);
        let items: Vec<Var> = same.filter_map(|member| self.item_of(member)).collect();
        let is_special = matches!(kind, Kind::Constructor | Kind::Destructor | Kind::Conversion);
        items.into_iter().filter(|_| is_special).for_each(|item| self.draft.need(premises, &[item]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_namespace_of_a_usr_is_its_first_part() {
        assert_eq!(namespace_of("c:@N@a@N@b@S@c@F@d#"), "c:@N@a@N@b");
        assert_eq!(namespace_of("c:@F@f#@N@x"), "c:");
        assert_eq!(namespace_of("c:a.cpp@N@a@aN@N@b@x"), "c:@N@a@N@b");
        assert_eq!(namespace_of(""), "c:");
    }

    #[test]
    fn using_an_enumeration_is_told_from_other_declarations() {
        assert!(is_using_enum(b"using  enum Level"));
        assert!(!is_using_enum(b"using Level = int"));
    }
}
