//! Access to members: specifiers and friends.

use super::Clauses;
use super::names::Among;
use lapidary_clang::{Kind, NodeId};
use lapidary_logic::Var;

/// A section of a class under one specifier. The first section has none.
struct Part {
    access: u8,
    specifier: Option<Var>,
}

const PUBLIC: u8 = 2;
const PROTECTED: u8 = 1;
const PRIVATE: u8 = 0;

impl Clauses<'_> {
    /// Keeps members from becoming less accessible than they were.
    pub(super) fn access(&mut self, class: NodeId) {
        let mut parts = vec![Part { access: self.default_access(class), specifier: None }];
        let members: Vec<NodeId> = self.syntax.children(class).collect();
        for id in members {
            if self.syntax.node(id).kind == Kind::AccessSpecifier {
                parts.push(Part { access: self.access_of(id), specifier: self.outline.declared[id.index()] });
            } else if let Some(item) = self.outline.declared[id.index()] {
                self.keeps_access(item, &parts);
            }
        }
    }

    fn keeps_access(&mut self, item: Var, parts: &[Part]) {
        let Some((own, before)) = parts.split_last() else { return };
        for (index, stricter) in before.iter().enumerate().filter(|(_, part)| part.access < own.access) {
            let premises: Vec<Var> = [item].into_iter().chain(stricter.specifier).collect();
            let enough = parts[index + 1..].iter().filter(|part| part.access >= own.access);
            let items: Option<Vec<Var>> = enough.map(|part| part.specifier).collect();
            items.into_iter().for_each(|items| self.draft.need(&premises, &items));
        }
    }

    fn default_access(&self, class: NodeId) -> u8 {
        let text = self.text_of(class);
        let node = self.syntax.node(class);
        let is_class = text.has_before(node.start as usize..node.location as usize, &["class"])
            && !text.has_before(node.start as usize..node.location as usize, &["struct", "union"]);
        if is_class { PRIVATE } else { PUBLIC }
    }

    fn access_of(&self, id: NodeId) -> u8 {
        let text = self.syntax.text(id);
        match () {
            () if text.starts_with(b"public") => PUBLIC,
            () if text.starts_with(b"protected") => PROTECTED,
            () => PRIVATE,
        }
    }

    /// Keeps a friend declaration as long as its class and the friend's definition are kept, since
    /// the friend may use private members.
    pub(super) fn friend(&mut self, id: NodeId) {
        let Some(item) = self.item_of(id) else { return };
        self.specialised_friends(id, item);
        self.qualified_friends(id, item);
        let class = self.class_around(id).and_then(|class| self.inside_of(class));
        let named = self.syntax.children(id).filter_map(|child| {
            let child = self.syntax.node(child);
            child.declares.or(child.refers)
        });
        let definitions: Vec<NodeId> = named.filter_map(|entity| self.syntax.definition(entity)).collect();
        for definition in definitions.into_iter().filter(|definition| !self.syntax.contains(id, *definition)) {
            let premises: Vec<Var> = self.inside_of(definition).into_iter().chain(class).collect();
            if premises.len() == 2 {
                self.draft.need(&premises, &[item]);
            }
        }
    }

    /// Keeps the template that `friend void f<>(C)` refers to, which is declared elsewhere.
    fn specialised_friends(&mut self, id: NodeId, item: Var) {
        let functions = self.syntax.children(id).filter(|child| self.syntax.node(*child).kind.is_function());
        let named = functions.filter(|child| self.has_template_arguments(*child));
        let names: Vec<String> = named
            .filter_map(|child| self.syntax.node(child).declares)
            .map(|entity| self.syntax.entity(entity).name.clone())
            .collect();
        names.iter().for_each(|name| self.ask_among(&[item], name, Among::Others));
    }

    /// Keeps the class that `template <…> friend struct outer::Name` refers to. libclang treats its
    /// other declaration as a different entity.
    fn qualified_friends(&mut self, id: NodeId, item: Var) {
        let is_qualified =
            |child: &NodeId| self.text_of(*child).is_preceded_by(self.syntax.node(*child).location as usize, &["::"]);
        let declared =
            self.syntax.children(id).filter(is_qualified).filter_map(|child| self.syntax.node(child).declares);
        let names: Vec<String> = declared.map(|entity| self.syntax.entity(entity).name.clone()).collect();
        names.iter().for_each(|name| self.ask(&[item], name));
    }

    /// Returns whether template arguments follow the name of a function.
    fn has_template_arguments(&self, function: NodeId) -> bool {
        let node = self.syntax.node(function);
        let text = &self.program.texts[node.file.index()];
        let from_name = text.from(node.location as usize);
        let before = from_name.iter().take_while(|token| !text.is(token, "(")).last();
        before.is_some_and(|token| text.is(token, ">"))
    }
}
