//! Tokens as items. A pair of brackets or quotes is two items: one for the pair with everything
//! between, and one for the pair alone.

use crate::Language;
use crate::lexer::{Class, Token, tokens as lex};
use crate::patches::{Collector, Lines};
use crate::single::Text;
use lapidary_logic::Var;
use std::ops::Range;

pub(crate) fn tokens(language: Option<&Language>, text: &[u8]) -> Option<Box<dyn Text>> {
    let tokens = lex(language, text);
    let partner = partners(text, &tokens);
    let mut collector = Collector::default();
    let mut lines = Lines::new(text);
    let mut groups: Vec<Var> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let line = lines.of(token.range.start);
        match partner[index] {
            Some(close) if close > index => {
                let group = collector.item(format!("brackets @{line}"), "brackets", groups.last().copied());
                let pair = collector.item(format!("bracket pair @{line}"), "bracket pair", Some(group));
                let end = tokens[close].range.end;
                collector.patch(group, removed(text, &tokens, index).start..end, "");
                collector.patch(pair, token.range.clone(), "");
                collector.patch(pair, tokens[close].range.clone(), "");
                groups.push(group);
            }
            Some(_) => drop(groups.pop()),
            None => {
                let shown = String::from_utf8_lossy(&text[token.range.clone()]).chars().take(24).collect::<String>();
                let item =
                    collector.item(format!("token {} @{line}", shown.escape_debug()), "token", groups.last().copied());
                collector.patch(item, removed(text, &tokens, index), "");
                if token.class == Class::Quoted && is_closed(&text[token.range.clone()]) {
                    let quotes = collector.item(format!("quotes @{line}"), "quotes", Some(item));
                    collector.patch(quotes, token.range.start..token.range.start + 1, "");
                    collector.patch(quotes, token.range.end - 1..token.range.end, "");
                }
            }
        }
    }
    collector.finish(text, true)
}

/// Returns whether a text starts and ends with the same quote and has content between them.
fn is_closed(quoted: &[u8]) -> bool {
    quoted.len() > 2 && quoted.first() == quoted.last()
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// The partner of each bracket or quote that has one. Quotes are separate tokens where a grammar
/// looks into strings.
fn partners(text: &[u8], tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partner = vec![None; tokens.len()];
    let mut open: Vec<(u8, usize)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let closing = match &text[token.range.clone()] {
            b"(" | b"[" | b"{" => {
                open.push((text[token.range.start], index));
                continue;
            }
            &[quote] if is_quote(quote) && open.last().is_none_or(|&(bracket, _)| bracket != quote) => {
                open.push((quote, index));
                continue;
            }
            &[quote] if is_quote(quote) => quote,
            b")" => b'(',
            b"]" => b'[',
            b"}" => b'{',
            _ => continue,
        };
        // A quote without a partner, as in a Rust lifetime, does not prevent brackets from
        // matching.
        while open.last().is_some_and(|&(bracket, _)| is_quote(bracket) && bracket != closing) {
            open.pop();
        }
        if open.last().is_some_and(|&(bracket, _)| bracket == closing)
            && let Some((_, start)) = open.pop()
        {
            partner[start] = Some(index);
            partner[index] = Some(start);
        }
    }
    partner
}

/// The range to remove for a token: with the gap before it, or for the first of a line, with the
/// gap behind it.
fn removed(text: &[u8], tokens: &[Token], index: usize) -> Range<usize> {
    let range = tokens[index].range.clone();
    let before = index.checked_sub(1).map_or(0, |index| tokens[index].range.end);
    let after = tokens.get(index + 1).map_or(text.len(), |token| token.range.start);
    let has_newline = |range: Range<usize>| text[range].contains(&b'\n');
    let first_of_line = before == 0 || has_newline(before..range.start);
    if first_of_line && !has_newline(range.end..after) { range.start..after } else { before..range.end }
}
