//! Queries shared by all rewrites: the tokens around a position, all uses of an entity, and which
//! text is safe to edit.

mod declarations;
mod names;
mod parameters;
mod precedence;
mod statements;
mod variables;

pub(crate) use variables::Variable;

use super::Opportunity;
use crate::Edit;
use lapidary_clang::{EntityId, FileId, Kind, NodeId, Syntax, Token, TokenKind, tokens};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub(crate) struct Program<'s> {
    pub syntax: &'s Syntax,
    nodes: Vec<NodeId>,
    tokens: Vec<Vec<Token>>,
    /// For each entity, the references to it, each place once.
    uses: Vec<Vec<NodeId>>,
    /// For each file, the ranges of macro calls, in order.
    expansions: Vec<Vec<Range<usize>>>,
    /// For each file, the starts of lines.
    lines: Vec<Vec<usize>>,
    /// The number of declarators that start at a place.
    declarators: HashMap<(Option<NodeId>, FileId, u32), usize>,
}

impl<'s> Program<'s> {
    pub fn new(syntax: &'s Syntax) -> Program<'s> {
        let texts = || syntax.files.iter().map(|file| &*file.text);
        let mut program = Program {
            syntax,
            nodes: Vec::new(),
            tokens: texts().map(tokens).collect(),
            uses: uses(syntax),
            expansions: expansions(syntax),
            lines: texts().map(line_starts).collect(),
            declarators: declarators(syntax),
        };
        program.nodes = program.own_nodes();
        program
    }

    fn own_nodes(&self) -> Vec<NodeId> {
        let mut seen = HashSet::new();
        let is_first = |id: &NodeId| {
            let node = self.syntax.node(*id);
            seen.insert((node.kind, node.file, node.start, node.end))
        };
        let has_text = |id: &NodeId| !self.in_macro(*id) && !self.range(*id).is_empty();
        self.syntax.ids().filter(has_text).filter(is_first).collect()
    }

    /// Returns all nodes with text of their own, each place once. libclang visits some declarations
    /// twice.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().copied()
    }

    pub fn nodes_of(&self, kind: Kind) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes().filter(move |id| self.kind(*id) == kind)
    }

    /// Returns whether the text of a node is not its own, or is a macro argument, which may be used
    /// more than once.
    pub fn in_macro(&self, id: NodeId) -> bool {
        let node = self.syntax.node(id);
        node.in_macro || self.is_in_expansion(node.file, node.range().start)
    }

    pub fn kind(&self, id: NodeId) -> Kind {
        self.syntax.node(id).kind
    }

    pub fn file(&self, id: NodeId) -> FileId {
        self.syntax.node(id).file
    }

    pub fn range(&self, id: NodeId) -> Range<usize> {
        self.syntax.node(id).range()
    }

    pub fn text(&self, id: NodeId) -> &'s [u8] {
        self.syntax.text(id)
    }

    /// Returns the text of a range, or nothing if the range is invalid.
    pub fn slice(&self, file: FileId, range: Range<usize>) -> &'s [u8] {
        self.syntax.files[file.index()].text.get(range).unwrap_or_default()
    }

    pub fn name(&self, entity: EntityId) -> &'s str {
        &self.syntax.entity(entity).name
    }

    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        self.syntax.children(id).collect()
    }

    pub fn uses(&self, entity: EntityId) -> &[NodeId] {
        &self.uses[entity.index()]
    }

    /// Returns the uses, if all of them can be edited.
    pub fn editable_uses(&self, entity: EntityId) -> Option<&[NodeId]> {
        let uses = self.uses(entity);
        uses.iter().all(|id| !self.in_macro(*id)).then_some(uses)
    }

    /// Returns the declarations of an entity, each place once, if all of them can be edited.
    pub fn declarations(&self, entity: EntityId) -> Option<Vec<NodeId>> {
        let mut seen = HashSet::new();
        let all = self.syntax.entity(entity).declarations.iter().copied();
        let once: Vec<NodeId> = all.filter(|id| seen.insert((self.file(*id), self.range(*id).start))).collect();
        once.iter().all(|id| !self.in_macro(*id)).then_some(once)
    }

    /// Returns the tokens of a file by its index.
    pub fn all_tokens(&self, file: usize) -> &[Token] {
        &self.tokens[file]
    }

    pub fn tokens(&self, file: FileId) -> &[Token] {
        &self.tokens[file.index()]
    }

    pub fn tokens_in(&self, file: FileId, range: Range<usize>) -> &[Token] {
        let all = self.tokens(file);
        let first = all.partition_point(|token| token.range.start < range.start);
        let end = all.partition_point(|token| token.range.end <= range.end);
        &all[first..end.max(first)]
    }

    /// Returns the first token that starts at or after a position.
    pub fn after(&self, file: FileId, offset: usize) -> Option<&Token> {
        let all = self.tokens(file);
        all.get(all.partition_point(|token| token.range.start < offset))
    }

    /// Returns the last token that ends at or before a position.
    pub fn before(&self, file: FileId, offset: usize) -> Option<&Token> {
        let all = self.tokens(file);
        all[..all.partition_point(|token| token.range.end <= offset)].last()
    }

    pub fn spelled(&self, file: FileId, token: &Token) -> &'s [u8] {
        self.slice(file, token.range.clone())
    }

    /// Returns the token after a position, if it has this spelling.
    pub fn next_is(&self, file: FileId, offset: usize, text: &str) -> Option<&Token> {
        self.after(file, offset).filter(|token| self.spelled(file, token) == text.as_bytes())
    }

    pub fn previous_is(&self, file: FileId, offset: usize, text: &str) -> Option<&Token> {
        self.before(file, offset).filter(|token| self.spelled(file, token) == text.as_bytes())
    }

    /// Returns the position after the bracket that closes the one at `open`.
    pub fn past_bracket(&self, file: FileId, open: usize) -> Option<usize> {
        let all = self.tokens(file);
        let first = all.partition_point(|token| token.range.start < open);
        let mut depth = 0usize;
        for token in &all[first..] {
            match self.spelled(file, token) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(token.range.end);
            }
        }
        None
    }

    /// Splits the text between brackets at the commas that are not nested. The last part may end
    /// inside a token, since `>>` closes two lists.
    pub fn list(&self, file: FileId, inside: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let (mut depth, mut start) = (0i32, None);
        for token in self.tokens_in(file, inside.clone()) {
            match self.spelled(file, token) {
                b"(" | b"[" | b"{" | b"<" => depth += 1,
                b")" | b"]" | b"}" | b">" => depth -= 1,
                b">>" => depth -= 2,
                b"," if depth == 0 => {
                    parts.extend(start.take());
                    continue;
                }
                _ => {}
            }
            let part: &mut Range<usize> = start.get_or_insert(token.range.clone());
            part.end = token.range.end;
        }
        let end = inside.start + self.slice(file, inside.clone()).trim_ascii_end().len();
        parts.extend(start.map(|part| part.start..end.max(part.end)));
        parts
    }

    /// Returns whether a position is in the name or the arguments of a macro call.
    pub fn is_in_expansion(&self, file: FileId, offset: usize) -> bool {
        let all = &self.expansions[file.index()];
        let next = all.partition_point(|range| range.start <= offset);
        all[..next].last().is_some_and(|range| offset < range.end)
    }

    pub fn line(&self, file: FileId, offset: usize) -> usize {
        self.lines[file.index()].partition_point(|start| *start <= offset)
    }

    /// Strips the implicit conversions around an expression.
    pub fn peeled(&self, id: NodeId) -> NodeId {
        let mut at = id;
        while self.kind(at) == Kind::OtherExpression {
            let mut children = self.syntax.children(at);
            match (children.next(), children.next()) {
                (Some(only), None) if self.range(only) == self.range(at) => at = only,
                _ => break,
            }
        }
        at
    }

    /// Returns the outermost implicit conversion around an expression.
    pub fn outermost(&self, id: NodeId) -> NodeId {
        let range = self.range(id);
        let around = self.syntax.ancestors(id);
        let is_conversion = |id: &NodeId| self.kind(*id) == Kind::OtherExpression && self.range(*id) == range;
        around.take_while(is_conversion).last().unwrap_or(id)
    }

    /// Returns the parent of an expression, skipping implicit conversions.
    pub fn context(&self, id: NodeId) -> Option<NodeId> {
        self.syntax.node(self.outermost(id)).parent
    }

    /// Returns the function definition around a node.
    pub fn function_around(&self, id: NodeId) -> Option<NodeId> {
        self.syntax.ancestors(id).find(|id| self.kind(*id).is_function() || self.kind(*id) == Kind::Lambda)
    }

    /// Returns the body of a function that is defined here.
    pub fn body(&self, function: NodeId) -> Option<NodeId> {
        self.syntax.children(function).filter(|id| self.kind(*id) == Kind::Compound).last()
    }

    pub fn parameters(&self, function: NodeId) -> Vec<NodeId> {
        self.syntax.children(function).filter(|id| self.kind(*id) == Kind::Parameter).collect()
    }

    /// Returns how many declarators a declaration has, as far as libclang gives them the same
    /// start.
    pub fn declarators_at(&self, id: NodeId) -> usize {
        let node = self.syntax.node(id);
        self.declarators.get(&(node.parent, node.file, node.start)).copied().unwrap_or(0)
    }

    /// Returns a short label that says where a node is and what happens there.
    pub fn label(&self, id: NodeId, what: &str) -> String {
        self.label_at(self.file(id), self.range(id), what)
    }

    pub fn label_at(&self, file: FileId, range: Range<usize>, what: &str) -> String {
        let line = self.line(file, range.start);
        format!("line {line}: {what} `{}`", shortened(self.slice(file, range)))
    }

    pub fn opportunity(&self, kind: &'static str, at: NodeId, what: &str, edits: Vec<Edit>) -> Opportunity {
        Opportunity { label: self.label(at, what), kind, edits }
    }

    pub fn delete(&self, at: NodeId, range: Range<usize>) -> Edit {
        Edit::delete(self.file(at), range)
    }

    pub fn replace(&self, id: NodeId, with: impl Into<Vec<u8>>) -> Edit {
        Edit { file: self.file(id), range: self.range(id), with: with.into() }
    }

    pub fn put(&self, at: NodeId, range: Range<usize>, with: impl Into<Vec<u8>>) -> Edit {
        Edit { file: self.file(at), range, with: with.into() }
    }

    /// Deletes everything around a part of a node.
    pub fn keep_only(&self, whole: &Range<usize>, at: NodeId, part: &Range<usize>) -> Vec<Edit> {
        let around = [whole.start..part.start, part.end..whole.end];
        around.into_iter().filter(|range| !range.is_empty()).map(|range| self.delete(at, range)).collect()
    }
}

pub(crate) fn shortened(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * LONGEST)]).into_owned();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Collects the uses of each entity. A call refers to its function by the name in it, so the call
/// itself is not a use; neither are conversions.
fn uses(syntax: &Syntax) -> Vec<Vec<NodeId>> {
    let mut uses = vec![Vec::new(); syntax.entities.len()];
    let mut seen = HashSet::new();
    for id in syntax.ids() {
        let node = syntax.node(id);
        let is_use = node.kind.is_reference() && node.kind != Kind::BaseSpecifier;
        let Some(entity) = node.refers.filter(|_| is_use || matches!(node.kind, Kind::Name | Kind::Member)) else {
            continue;
        };
        if seen.insert((entity, node.file, node.start, node.end)) {
            uses[entity.index()].push(id);
        }
    }
    uses
}

fn declarators(syntax: &Syntax) -> HashMap<(Option<NodeId>, FileId, u32), usize> {
    let mut result = HashMap::new();
    let is_declarator =
        |kind| matches!(kind, Kind::Variable | Kind::Field | Kind::Typedef | Kind::Function | Kind::Method);
    for node in syntax.nodes.iter().filter(|node| is_declarator(node.kind)) {
        *result.entry((node.parent, node.file, node.start)).or_insert(0) += 1;
    }
    result
}

fn expansions(syntax: &Syntax) -> Vec<Vec<Range<usize>>> {
    let mut result = vec![Vec::new(); syntax.files.len()];
    for node in syntax.nodes.iter().filter(|node| node.kind == Kind::MacroExpansion) {
        result[node.file.index()].push(node.range());
    }
    result.iter_mut().for_each(|ranges| {
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup_by(|later, earlier| later.start < earlier.end);
    });
    result
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let breaks = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(breaks).collect()
}

/// Returns whether a token is a word.
pub(crate) fn is_word(token: &Token) -> bool {
    token.kind == TokenKind::Word
}
