//! The items of one translation unit: declarations, bodies, statements, headers of branches and
//! loops.
//!
//! Items nest like the text. For each node that declares something, `declared` holds the item it is
//! removed with. A node without an entry is removed with the text it is in.

mod classes;
mod functions;
mod groups;
mod statements;

use crate::draft::{Draft, List};
use crate::source_text::SourceText;
use lapidary_clang::{FileId, Kind, Mark, NodeId, Syntax};
use lapidary_logic::Var;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

/// The items found in one unit, for use by the clauses.
pub(crate) struct Outline {
    pub declared: Vec<Option<Var>>,
    /// For loops, switches and ifs, the item of the header.
    pub headers: Vec<Option<Var>>,
    /// For definitions of classes and functions, the item of the body.
    pub bodies: Vec<Option<Var>>,
}

pub(crate) fn outline(syntax: &Syntax, texts: &[SourceText], draft: &mut Draft) -> Outline {
    let none = || vec![None; syntax.nodes.len()];
    let outline = Outline { declared: none(), headers: none(), bodies: none() };
    let mut walk = Walk { syntax, texts, draft, outline };
    walk.declarations(syntax.roots().collect(), None);
    if syntax.is_cpp() {
        walk.instantiations();
    }
    walk.outline
}

struct Walk<'a> {
    syntax: &'a Syntax,
    texts: &'a [SourceText],
    draft: &'a mut Draft,
    outline: Outline,
}

impl<'a> Walk<'a> {
    fn text(&self, id: NodeId) -> &'a SourceText {
        &self.texts[self.syntax.node(id).file.index()]
    }

    /// Visits the declarations in a file or between two braces.
    fn declarations(&mut self, nodes: Vec<NodeId>, outer: Option<Var>) {
        let is_declaration = |id: &NodeId| is_member(self.syntax.node(*id).kind);
        let mut nodes: Vec<NodeId> = nodes.into_iter().filter(is_declaration).collect();
        nodes.sort_by_key(|id| (self.syntax.node(*id).file, self.syntax.node(*id).start));
        let mut at = 0;
        while at < nodes.len() {
            let count = self.group_length(&nodes[at..]);
            self.group(&nodes[at..at + count], outer);
            at += count;
        }
    }

    /// Returns how many nodes share one declaration: `struct S { … } a, *b;` has three.
    fn group_length(&self, nodes: &[NodeId]) -> usize {
        let first = self.syntax.node(nodes[0]);
        let mut end = first.end;
        let mut count = 1;
        for id in &nodes[1..] {
            let node = self.syntax.node(*id);
            let is_next = self.texts[first.file.index()].is_followed_by(end as usize, ",");
            if node.file != first.file || (node.start >= end && !is_next) {
                break;
            }
            end = end.max(node.end);
            count += 1;
        }
        count
    }

    fn group(&mut self, nodes: &[NodeId], outer: Option<Var>) {
        let kind = self.syntax.node(nodes[0]).kind;
        match kind {
            _ if nodes.iter().any(|id| self.syntax.node(*id).in_macro) => self.expansion(nodes, outer),
            Kind::Namespace | Kind::Linkage => self.namespace(nodes[0], outer),
            _ if kind.is_function() => nodes.iter().for_each(|id| self.function(*id, outer, nodes.len() == 1)),
            _ => self.declaration(nodes, outer),
        }
    }

    /// Makes an item of a macro call, with everything it expands to.
    fn expansion(&mut self, nodes: &[NodeId], outer: Option<Var>) {
        let Some(range) = self.span(nodes) else { return };
        let (var, is_new) = self.whole(nodes[0], range.clone(), "declaration", outer);
        if is_new {
            self.draft.patch(var, self.syntax.node(nodes[0]).file, range, "");
        }
        for id in nodes.iter().flat_map(|id| self.syntax.subtree(*id)) {
            self.outline.declared[id.index()] = Some(var);
        }
    }

    fn namespace(&mut self, id: NodeId, outer: Option<Var>) {
        let node = self.syntax.node(id);
        let text = self.text(id);
        let end = if text.slice(node.range()).ends_with(b"}") {
            Some(node.end as usize)
        } else {
            text.past_semicolon(node.end as usize)
        };
        let is_nested = text.is_preceded_by(node.location as usize, &["::"]);
        let range = end.map(|end| node.start as usize..end).filter(|range| text.is_balanced(range) && !is_nested);
        let inner = range.map(|range| {
            let range = text.with_comments(range);
            let (var, is_new) = self.whole(id, range.clone(), "namespace", outer);
            if is_new {
                self.draft.patch(var, node.file, range, "");
            }
            self.outline.declared[id.index()] = Some(var);
            var
        });
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        self.declarations(children.clone(), inner.or(outer));
        if let (Some(inner), true) = (inner, node.kind == Kind::Linkage && !self.has_braces(id)) {
            let items = children.into_iter().filter_map(|child| self.outline.declared[child.index()]);
            items.for_each(|item| self.draft.need(&[inner], &[item]));
        }
    }

    /// Returns whether `extern "C"` has braces and so covers more than one declaration.
    fn has_braces(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        let declarations = self.syntax.children(id).map(|child| self.syntax.node(child));
        let first = declarations.filter(|child| child.kind.is_declaration()).map(|child| child.start).min();
        let head = node.start as usize..first.unwrap_or(node.end) as usize;
        self.text(id).has_before(head, &["{", "<%"])
    }

    /// Returns the range from the start of the first node past the semicolon, if it can be removed.
    fn span(&self, nodes: &[NodeId]) -> Option<Range<usize>> {
        let text = self.text(nodes[0]);
        let start = text.with_prefix(nodes.iter().map(|id| self.syntax.node(*id).start).min()? as usize);
        let end = nodes.iter().map(|id| self.syntax.node(*id).end).max()? as usize;
        let end = text.past_semicolon(end).unwrap_or(end);
        let range = text.with_comments(start..end);
        text.is_balanced(&range).then_some(range)
    }

    /// Visits explicit instantiations of functions, which libclang does not show.
    fn instantiations(&mut self) {
        let declared: HashSet<(FileId, u32)> = self
            .syntax
            .nodes
            .iter()
            .filter(|node| node.kind.is_declaration())
            .map(|node| (node.file, node.start))
            .collect();
        let files: BTreeSet<FileId> = self.syntax.nodes.iter().map(|node| node.file).collect();
        for file in files {
            let text = &self.texts[file.index()];
            for range in text.instantiations() {
                if !declared.contains(&(file, range.start as u32)) && text.is_balanced(&range) {
                    let outer = self.namespace_around(file, range.start);
                    let label = || String::from_utf8_lossy(text.slice(range.clone())).into_owned();
                    let (var, is_new) = self.draft.item(file, range.clone(), "declaration", outer, label);
                    if is_new {
                        self.draft.patch(var, file, range, "");
                    }
                }
            }
        }
    }

    fn namespace_around(&self, file: FileId, place: usize) -> Option<Var> {
        let is_around = |id: &NodeId| {
            let node = self.syntax.node(*id);
            node.kind == Kind::Namespace && node.file == file && node.range().contains(&place)
        };
        let innermost = self.syntax.ids().filter(is_around).max_by_key(|id| self.syntax.node(*id).start)?;
        self.outline.declared[innermost.index()]
    }

    fn whole(&mut self, id: NodeId, range: Range<usize>, kind: &'static str, outer: Option<Var>) -> (Var, bool) {
        let syntax = self.syntax;
        self.draft.item(syntax.node(id).file, range, kind, outer, || label(syntax, id))
    }

    /// Makes items of the elements of a comma-separated list. `None` if there is anything else in
    /// between.
    fn comma_list(
        &mut self,
        file: FileId,
        elements: &[Range<usize>],
        kind: &'static str,
        outer: Option<Var>,
    ) -> Option<Vec<Var>> {
        let text = &self.texts[file.index()];
        let commas: Vec<Range<usize>> = elements.windows(2).map(|pair| pair[0].end..pair[1].start).collect();
        let is_comma = |range: &Range<usize>| matches!(text.within(range.clone()), [only] if text.is(only, ","));
        let is_plain = elements.iter().all(|range| text.is_balanced(range)) && commas.iter().all(is_comma);
        if !is_plain || elements.is_empty() {
            return None;
        }
        let label = |range: &Range<usize>| String::from_utf8_lossy(text.slice(range.clone())).into_owned();
        let made: Vec<(Var, bool)> =
            elements.iter().map(|range| self.draft.item(file, range.clone(), kind, outer, || label(range))).collect();
        if made.iter().all(|(_, is_new)| *is_new) {
            for ((var, _), range) in made.iter().zip(elements) {
                self.draft.patch(*var, file, range.clone(), "");
            }
            let list: List = made.iter().map(|(var, _)| Some(*var)).collect();
            self.draft.list(file, list, commas);
        }
        Some(made.into_iter().map(|(var, _)| var).collect())
    }

    /// Visits blocks inside expressions: bodies of lambdas and statement expressions.
    fn blocks_inside(&mut self, id: NodeId, outer: Option<Var>) {
        let children: Vec<NodeId> = self.syntax.children(id).collect();
        for child in children {
            match self.syntax.node(child).kind {
                Kind::Compound => self.block(child, outer),
                Kind::Lambda => self.lambda(child, outer),
                Kind::StatementExpression => self.statement_expression(child, outer),
                _ => self.blocks_inside(child, outer),
            }
        }
    }
}

/// Returns a label for a node: its name, or the start of its text if it has none.
pub(crate) fn label(syntax: &Syntax, id: NodeId) -> String {
    const LENGTH: usize = 48;
    let name = syntax.node(id).declares.map(|entity| syntax.entity(entity).name.clone()).unwrap_or_default();
    if !name.is_empty() {
        return name;
    }
    let text = String::from_utf8_lossy(syntax.text(id));
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LENGTH).collect()
}

/// Returns whether a node can be removed from a list of declarations. Template parameters appear
/// beside the members.
fn is_member(kind: Kind) -> bool {
    let is_parameter = matches!(
        kind,
        Kind::Parameter | Kind::TemplateTypeParameter | Kind::TemplateValueParameter | Kind::TemplateTemplateParameter
    );
    kind.is_declaration() && !is_parameter
}

/// Returns whether the node is a definition rather than just a declaration.
fn is_definition(syntax: &Syntax, id: NodeId) -> bool {
    syntax.node(id).is(Mark::Definition)
}
