//! Declarations other than functions: a type and any number of declarators up to the semicolon.

use super::{Walk, is_definition};
use crate::draft::When;
use lapidary_clang::{Kind, NodeId, Type, TypeClass};
use lapidary_logic::Var;
use std::ops::Range;

impl Walk<'_> {
    pub(super) fn declaration(&mut self, nodes: &[NodeId], outer: Option<Var>) {
        let Some(range) = self.span(nodes) else {
            nodes.iter().for_each(|id| self.inside(*id, outer));
            return;
        };
        let (var, is_new) =
            self.whole(nodes[0], range.clone(), kind_of(self.syntax.node(nodes[nodes.len() - 1]).kind), outer);
        if is_new {
            self.draft.patch(var, self.syntax.node(nodes[0]).file, range, "");
        }
        self.declared_by(nodes, var);
    }

    /// Visits the nodes of one declaration, which is an item.
    pub(super) fn declared_by(&mut self, nodes: &[NodeId], var: Var) {
        nodes.iter().for_each(|id| self.outline.declared[id.index()] = Some(var));
        let is_declarator =
            |id: &NodeId| matches!(self.syntax.node(*id).kind, Kind::Variable | Kind::Field | Kind::Typedef);
        let declarators: Vec<NodeId> = nodes.iter().copied().filter(is_declarator).collect();
        let defines_type = nodes.iter().any(|id| self.is_named_definition(*id));
        if declarators.len() + usize::from(defines_type) > 1 {
            self.declarators(&declarators, defines_type, var);
        }
        nodes.iter().for_each(|id| self.inside(*id, Some(var)));
    }

    fn is_named_definition(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let is_type = node.kind.is_class() || node.kind == Kind::Enum;
        is_type && is_definition(self.syntax, id) && !node.is(lapidary_clang::Mark::Anonymous) && self.is_named(id)
    }

    /// Makes an item of each declarator if there are several, or if the declaration also defines a
    /// type.
    fn declarators(&mut self, declarators: &[NodeId], defines_type: bool, whole: Var) {
        let file = self.syntax.node(declarators[0]).file;
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for id in declarators {
            // The stars of a later declarator may precede its start according to libclang.
            let floor = ranges.last().map_or(self.syntax.node(*id).start as usize, |before| before.end);
            let Some(range) = self.declarator(*id, floor) else { return };
            ranges.push(range);
        }
        let Some(items) = self.comma_list(file, &ranges, "declarator", Some(whole)) else { return };
        for (id, item) in declarators.iter().zip(&items) {
            self.outline.declared[id.index()] = Some(*item);
        }
        if !defines_type {
            self.draft.need(&[whole], &items);
        } else if self.syntax.node(declarators[0]).kind == Kind::Typedef {
            let start = self.syntax.node(declarators[0]).start as usize;
            let text = self.text(declarators[0]);
            if let Some(word) = text.after(start).filter(|token| text.is(token, "typedef")) {
                self.draft.patch_when(When::AllAbsent(items), file, word.range.clone(), "");
            }
        }
    }

    /// Returns the range from the first star before the name to the end, but nothing before
    /// `floor`.
    fn declarator(&self, id: NodeId, floor: usize) -> Option<Range<usize>> {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let mut start = node.location as usize;
        while let Some(token) = text.before(start) {
            let is_part = ["*", "&", "&&", "(", "const", "volatile", "restrict", "__restrict"]
                .iter()
                .any(|part| text.is(token, part));
            if !is_part || token.range.start < floor {
                break;
            }
            start = token.range.start;
        }
        let starts_anew = text.is_preceded_by(start, &[","]) || start > node.start as usize;
        (starts_anew && node.location as usize >= node.start as usize).then_some(start..node.end as usize)
    }

    /// Visits the contents of one declaration.
    fn inside(&mut self, id: NodeId, outer: Option<Var>) {
        match self.syntax.node(id).kind {
            Kind::Enum => self.enumeration(id, outer),
            kind if kind.is_class() => self.class(id, outer),
            Kind::Variable | Kind::Field => self.variable(id, self.outline.declared[id.index()].or(outer)),
            Kind::Friend | Kind::Typedef => self.types_inside(id, outer),
            _ => self.blocks_inside(id, outer),
        }
    }

    /// Visits types that are defined where they are used.
    fn types_inside(&mut self, id: NodeId, outer: Option<Var>) {
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        for child in children {
            let kind = self.syntax.node(child).kind;
            if (kind.is_class() || kind == Kind::Enum) && !self.syntax.node(child).in_macro {
                self.outline.declared[child.index()] = outer;
                self.inside(child, outer);
            }
        }
    }

    fn variable(&mut self, id: NodeId, outer: Option<Var>) {
        self.types_inside(id, outer);
        let inner = match self.initialiser(id) {
            Some(range) => {
                let file = self.syntax.node(id).file;
                let name = super::label(self.syntax, id);
                let (var, is_new) = self.draft.item(file, range.clone(), "initialiser", outer, || format!("{name} ="));
                if is_new {
                    self.draft.patch(var, file, range, "");
                }
                Some(var)
            }
            None => outer,
        };
        self.blocks_inside(id, inner);
    }

    /// Returns the initialiser after the name, if the variable can do without it.
    fn initialiser(&self, id: NodeId) -> Option<Range<usize>> {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let kind = self.syntax.type_of(id)?;
        let tokens = text.within(node.range());
        let must_have = |word: &str| {
            tokens
                .iter()
                .take_while(|token| token.range.start < node.location as usize)
                .any(|token| text.is(token, word))
        };
        let words = ["auto", "constexpr", "constinit", "decltype"];
        if kind.class == TypeClass::Reference || words.into_iter().any(must_have) || self.must_be_initialised(id) {
            return None;
        }
        let has_value = self.syntax.children(id).any(|child| {
            let child = self.syntax.node(child);
            child.kind.is_expression() && child.end == node.end && child.start > node.location
        });
        let behind = |token: &&lapidary_clang::Token| token.range.start > node.location as usize;
        let mut after_name = tokens.iter().filter(behind);
        let next = after_name.next()?;
        let is_unsized = text.is(next, "[") && text.is_followed_by(next.range.end, "]");
        let is_sign = self.is_named(id) && ["=", "{", "("].iter().any(|sign| text.is(next, sign));
        let sign = if is_sign { next } else { after_name.find(|token| text.is(token, "="))? };
        let range = sign.range.start..text.closing(sign).unwrap_or(0).max(node.end as usize);
        (has_value && !is_unsized && text.is_balanced(&range)).then_some(range)
    }
}

impl Walk<'_> {
    /// Returns whether C++ requires an initialiser: a constant must have a value, and an object's
    /// constructor may need one.
    fn must_be_initialised(&self, id: NodeId) -> bool {
        let Some(of_type) = self.syntax.node(id).of_type.filter(|_| self.syntax.is_cpp()) else { return false };
        let mut found = self.syntax.get_type(of_type);
        let mut is_const = found.is_const;
        while let (TypeClass::Array, Some(inner)) = (found.class, found.inner) {
            found = self.syntax.get_type(inner);
            is_const |= found.is_const;
        }
        is_const
            || matches!(found.class, TypeClass::Other)
            || (found.class == TypeClass::Record && !self.is_plain(found))
    }

    /// Returns whether objects of a class can be created without arguments.
    fn is_plain(&self, class: &Type) -> bool {
        let Some(definition) = class.declaration.and_then(|entity| self.syntax.definition(entity)) else {
            return false;
        };
        let needs_care = |id: NodeId| {
            let node = self.syntax.node(id);
            let must_have = || {
                self.syntax.type_of(id).is_some_and(|found| {
                    found.class != TypeClass::Pointer
                        && (found.class == TypeClass::Reference || found.is_const || found.class == TypeClass::Record)
                })
            };
            matches!(
                node.kind,
                Kind::Constructor | Kind::FunctionTemplate | Kind::BaseSpecifier | Kind::UsingDeclaration
            ) || (node.kind == Kind::Field && must_have())
        };
        !self.syntax.children(definition).any(needs_care)
    }
}

fn kind_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Variable => "variable",
        Kind::Field => "field",
        Kind::Typedef | Kind::AliasTemplate => "typedef",
        Kind::Enum => "enumeration",
        Kind::UsingDirective | Kind::UsingDeclaration | Kind::NamespaceAlias => "using",
        _ if kind.is_class() => "class",
        _ => "declaration",
    }
}
