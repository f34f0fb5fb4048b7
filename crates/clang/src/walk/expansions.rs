//! Widens nodes that come from macros to the whole macro call.
//!
//! libclang locates a macro argument where the argument is written. A node can therefore start in
//! the middle of a macro call and end after it. A node that lies within one argument needs no
//! widening.

use crate::lexer::{Token, TokenKind, tokens};
use crate::tree::{Node, NodeId, Syntax};
use crate::{FileId, Kind};
use std::ops::Range;

/// Gives a start to nodes for which libclang reports none: the first token after the previous `;`,
/// brace or directive. A template declared only by `auto` parameters is such a node.
pub(crate) fn place(syntax: &mut Syntax, unplaced: &[NodeId]) {
    for id in unplaced {
        let node = &syntax.nodes[id.index()];
        let text = &syntax.files[node.file.index()].text;
        let tokens = tokens(text);
        let index = tokens.partition_point(|token| token.range.start < node.location as usize);
        let ends = |token: &&Token| {
            token.kind == TokenKind::Directive || matches!(&text[token.range.clone()], b";" | b"{" | b"}")
        };
        let before = tokens[..index].iter().rev().take_while(|token| !ends(token)).count();
        if let Some(first) = tokens.get(index - before) {
            syntax.nodes[id.index()].start = first.range.start as u32;
        }
    }
}

pub(crate) fn widen(syntax: &mut Syntax) {
    for index in 0..syntax.files.len() {
        let calls = outermost_calls(syntax, FileId::new(index));
        if calls.is_empty() {
            continue;
        }
        let text = syntax.files[index].text.clone();
        let tokens = tokens(&text);
        let is_here = |node: &&mut Node| node.file.index() == index && !is_directive(node.kind);
        for node in syntax.nodes.iter_mut().filter(is_here) {
            if let Some(call) = call_around(&calls, node.start as usize) {
                widen_node(node, call, &text, &tokens);
            }
        }
    }
}

fn is_directive(kind: Kind) -> bool {
    matches!(kind, Kind::MacroExpansion | Kind::MacroDefinition | Kind::InclusionDirective)
}

/// Returns the macro calls that are not inside an argument of another call.
fn outermost_calls(syntax: &Syntax, file: FileId) -> Vec<Range<usize>> {
    let is_call = |node: &&Node| node.kind == Kind::MacroExpansion && node.file == file;
    let mut all: Vec<Range<usize>> = syntax.nodes.iter().filter(is_call).map(Node::range).collect();
    all.sort_by_key(|call| (call.start, usize::MAX - call.end));
    let mut reached = 0;
    all.retain(|call| {
        let is_outer = call.start >= reached;
        reached = reached.max(call.end);
        is_outer
    });
    all
}

fn call_around(calls: &[Range<usize>], start: usize) -> Option<&Range<usize>> {
    let index = calls.partition_point(|call| call.start <= start).checked_sub(1)?;
    Some(&calls[index]).filter(|call| start < call.end)
}

fn widen_node(node: &mut Node, call: &Range<usize>, text: &[u8], tokens: &[Token]) {
    let is_argument = (node.start as usize) > call.start && (node.end as usize) < call.end;
    let is_sound = !node.in_macro && is_argument && is_one_argument(node.range(), text, tokens);
    let is_whole = node.start as usize == call.start && !node.in_macro;
    if !is_sound && !is_whole {
        node.in_macro = true;
        node.start = call.start as u32;
        node.end = node.end.max(call.end as u32);
    }
}

/// Returns whether the brackets in a range match and no comma is outside them.
fn is_one_argument(range: Range<usize>, text: &[u8], tokens: &[Token]) -> bool {
    let first = tokens.partition_point(|token| token.range.start < range.start);
    let mut depth = 0;
    for token in tokens[first..].iter().take_while(|token| token.range.end <= range.end) {
        match &text[token.range.clone()] {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            b"," if depth == 0 => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
