//! Words and operators in the text for which libclang shows no reference.

use super::{Among, contains, merged};
use crate::references::Clauses;
use crate::source_text::SourceText;
use lapidary_clang::{EntityId, FileId, Kind, NodeId, TokenKind};
use lapidary_logic::Var;
use std::collections::HashSet;
use std::ops::Range;

/// Functions that `new` and `delete` call.
const ALLOCATING: [&str; 4] = ["operator new", "operator new[]", "operator delete", "operator delete[]"];

/// The names in one file that libclang resolves.
struct Known {
    /// The positions of the names of references and declarations.
    resolved: HashSet<usize>,
    /// The positions of names that refer to known functions.
    overloaded: HashSet<usize>,
    /// The ranges that the preprocessor skipped.
    skipped: Vec<Range<usize>>,
}

impl Clauses<'_> {
    pub(in crate::references) fn unresolved_names(&mut self) {
        for index in 0..self.program.texts.len() {
            let file = FileId::new(index);
            let known = self.known(file);
            if !known.resolved.is_empty() {
                self.words(file, &known);
            }
        }
    }

    fn words(&mut self, file: FileId, known: &Known) {
        let text = &self.program.texts[file.index()];
        for index in 0..text.tokens.len() {
            let place = text.tokens[index].range.start;
            if contains(&known.skipped, place) || known.resolved.contains(&place) {
                continue;
            }
            match text.tokens[index].kind {
                TokenKind::Word => self.word(file, text, index, known.overloaded.contains(&place)),
                TokenKind::Punctuation => self.operator(file, text, index),
                _ => {}
            }
        }
    }

    fn word(&mut self, file: FileId, text: &SourceText, index: usize, is_overloaded: bool) {
        let token = &text.tokens[index];
        let Ok(name) = std::str::from_utf8(text.slice(token.range.clone())) else { return };
        let is_allocating = matches!(name, "new" | "delete");
        if !is_allocating && self.names.all(name.as_bytes()).is_empty() {
            return;
        }
        let premises = self.presence.at(self.draft, file, &token.range);
        if is_allocating {
            return ALLOCATING.iter().for_each(|name| self.ask(&premises, name));
        }
        for among in self.found_among(text, index, is_overloaded) {
            self.ask_among(&premises, name, *among);
        }
        self.names_itself(&premises, name);
    }

    /// Returns where a name is looked up, depending on the preceding token.
    fn found_among(&self, text: &SourceText, index: usize, is_overloaded: bool) -> &'static [Among] {
        let before = |count: usize| index.checked_sub(count).map(|at| text.slice(text.tokens[at].range.clone()));
        let is_namespace =
            |name: &[u8]| std::str::from_utf8(name).is_ok_and(|name| self.names.namespaces.contains(name));
        match before(1) {
            Some(b"." | b"->") => &[Among::Members],
            Some(b"::") if is_overloaded => &[],
            Some(b"::") if before(2).is_some_and(is_namespace) => &[Among::Others],
            Some(b"::") => &[Among::Members],
            _ if is_overloaded => &[Among::Functions],
            _ => &[Among::Members, Among::Others],
        }
    }

    /// Requires operators. In a template, an operator may belong to any class.
    fn operator(&mut self, file: FileId, text: &SourceText, index: usize) {
        let token = &text.tokens[index];
        let Ok(sign) = std::str::from_utf8(text.slice(token.range.clone())) else { return };
        if sign == "<=>" {
            let premises = self.presence.at(self.draft, file, &token.range);
            self.compares(&premises);
        }
        let name = match sign {
            "(" => "operator()".to_owned(),
            "[" => "operator[]".to_owned(),
            _ => format!("operator{sign}"),
        };
        if self.names.is_in_template(file, token.range.start) && !self.names.all(name.as_bytes()).is_empty() {
            let premises = self.presence.at(self.draft, file, &token.range);
            self.ask_among(&premises, &name, Among::Members);
            self.ask_among(&premises, &name, Among::Functions);
        }
    }

    /// Makes a declaration that names its own entity, such as in an attribute, need another
    /// declaration of it.
    fn names_itself(&mut self, premises: &[Var], name: &str) {
        let Some(own) = premises.first() else { return };
        for entity in self.names.all(name.as_bytes()).to_vec() {
            let declarations = self.syntax.entity(entity).declarations.iter();
            let items: Vec<Var> = declarations.filter_map(|id| self.outline.declared[id.index()]).collect();
            if items.contains(own) {
                let others: Vec<Var> = items.into_iter().filter(|item| item != own).collect();
                self.draft.need(premises, &others);
            }
        }
    }

    fn known(&self, file: FileId) -> Known {
        let here = || self.syntax.ids().filter(|id| self.syntax.node(*id).file == file);
        let location = |id: NodeId| self.syntax.node(id).location as usize;
        let skipped = self.syntax.skipped.iter().filter(|(other, _)| *other == file).map(|(_, range)| range.clone());
        Known {
            resolved: here().filter(|id| self.is_resolved(*id)).map(location).collect(),
            overloaded: here().filter(|id| self.is_overloaded(*id)).map(location).collect(),
            skipped: merged(skipped.collect()),
        }
    }

    /// Returns whether a name may refer only to functions. A variable template has specialisations,
    /// which libclang does not list.
    fn is_overloaded(&self, id: NodeId) -> bool {
        let is_function = |entity: EntityId| {
            let declarations = &self.syntax.entity(entity).declarations;
            declarations.iter().all(|declaration| self.syntax.node(*declaration).kind.is_function())
        };
        self.syntax.overloads(id).next().is_some() && self.syntax.overloads(id).all(is_function)
    }

    fn is_resolved(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let is_name = node.kind.is_reference() || matches!(node.kind, Kind::Name | Kind::Member | Kind::MacroExpansion);
        let is_using = |outer: NodeId| self.syntax.node(outer).kind == Kind::UsingDeclaration;
        let is_named_by_using = || node.parent.is_some_and(is_using) && self.syntax.overloads(id).next().is_some();
        let declares = node.declares.is_some() && node.kind != Kind::UsingDeclaration;
        (node.refers.is_some() && is_name) || declares || is_named_by_using()
    }
}
