//! Tokens of a text: the leaves of its syntax tree if there is a language, otherwise by rules that
//! most languages share.

use crate::Language;
use crate::apart::is_word;
use crate::tree::Syntax;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// An identifier, or any word if the language is unknown.
    Word,
    /// A word that the grammar spells out.
    Keyword,
    Number,
    /// A string including its quotes.
    Quoted,
    /// The inside of a string.
    Content,
    Comment,
    Mark,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) range: Range<usize>,
    pub(crate) class: Class,
}

/// The tokens in order; only white space lies between them.
pub(crate) fn tokens(language: Option<&Language>, text: &[u8]) -> Vec<Token> {
    let syntax = language.and_then(|language| {
        let parsed = language.parse(text)?;
        Some((language, Syntax::new(language, &parsed, text)?))
    });
    let mut found = Vec::new();
    match syntax {
        None => lex(text, 0..text.len(), true, Class::Word, &mut found),
        Some((language, syntax)) => leaves(language, &syntax, text, &mut found),
    }
    found
}

fn leaves(language: &Language, syntax: &Syntax, text: &[u8], found: &mut Vec<Token>) {
    let mut reached = 0;
    for (index, node) in syntax.nodes.iter().enumerate() {
        if node.next as usize != index + 1 || node.range().is_empty() {
            continue;
        }
        lex(text, reached..node.range().start, true, Class::Word, found);
        reached = node.range().end;
        let name = language.slots().name(node.kind);
        let class = match () {
            () if node.extra => Some(Class::Comment),
            () if !node.named || node.error => None,
            () if matches!(text[node.range().start], b'"' | b'\'' | b'`') => Some(Class::Quoted),
            () if ["string", "content", "fragment", "char", "text", "escape"]
                .iter()
                .any(|part| name.contains(part)) =>
            {
                Some(Class::Content)
            }
            () => None,
        };
        match class {
            Some(class) => found.push(Token { range: node.range(), class }),
            None => {
                let words = if node.named || node.error { Class::Word } else { Class::Keyword };
                lex(text, node.range(), node.error, words, found);
            }
        }
    }
    lex(text, reached..text.len(), true, Class::Word, found);
}

/// Splits a range of text. Quotes and comments are recognised unless the range is one leaf of a
/// grammar.
fn lex(text: &[u8], range: Range<usize>, free: bool, words: Class, found: &mut Vec<Token>) {
    let mut at = range.start;
    while at < range.end {
        let rest = &text[at..range.end];
        let (length, class) = match rest[0] {
            byte if byte.is_ascii_whitespace() || byte == 0x0b => (1, None),
            byte if byte.is_ascii_digit() => (run(rest, |byte| is_word(byte) || byte == b'.'), Some(Class::Number)),
            byte if is_word(byte) => (run(rest, is_word), Some(words)),
            b'"' | b'\'' | b'`' if free => {
                quoted(rest).map_or((1, Some(Class::Mark)), |length| (length, Some(Class::Quoted)))
            }
            b'/' if free => comment(rest).map_or((1, Some(Class::Mark)), |length| (length, Some(Class::Comment))),
            _ => (1, Some(Class::Mark)),
        };
        found.extend(class.map(|class| Token { range: at..at + length, class }));
        at += length;
    }
}

fn run(text: &[u8], is_in: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| !is_in(byte)).unwrap_or(text.len())
}

/// The length of a string that ends on its own line.
fn quoted(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    for (index, &byte) in text.iter().enumerate().skip(1) {
        match byte {
            b'\n' => return None,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == text[0] => return Some(index + 1),
            _ => {}
        }
    }
    None
}

fn comment(text: &[u8]) -> Option<usize> {
    if text.starts_with(b"//") {
        return Some(run(text, |byte| byte != b'\n'));
    }
    let inside = text.strip_prefix(b"/*")?;
    inside.windows(2).position(|end| end == b"*/").map(|end| end + 4)
}
