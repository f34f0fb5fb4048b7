//! The lexer. Comments and white space lie between tokens and belong to none of them.

use crate::error::{FjiError, Position};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Identifier,
    Keyword,
    /// A punctuation mark, including `...`.
    Symbol,
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    pub range: Range<usize>,
}

impl Token<'_> {
    /// The name of the token in an error message.
    pub fn description(&self) -> String {
        match self.kind {
            TokenKind::End => "the end of the program".to_owned(),
            TokenKind::Keyword => format!("the keyword `{}`", self.text),
            TokenKind::Identifier | TokenKind::Symbol => format!("`{}`", self.text),
        }
    }
}

const KEYWORDS: [&str; 8] = ["class", "interface", "extends", "implements", "return", "new", "super", "this"];
const SYMBOLS: [&str; 9] = ["...", "{", "}", "(", ")", ";", ",", ".", "="];

/// All tokens, the last of which is the end of the text.
pub(crate) fn tokenize(source: &str) -> Result<Vec<Token<'_>>, FjiError> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    loop {
        offset = skip_trivia(source, offset)?;
        let Some(length) = token_length(source, offset)? else { break };
        let range = offset..offset + length;
        tokens.push(Token { kind: kind_of(&source[range.clone()]), text: &source[range.clone()], range });
        offset += length;
    }
    tokens.push(Token { kind: TokenKind::End, text: "", range: source.len()..source.len() });
    Ok(tokens)
}

fn skip_trivia(source: &str, mut offset: usize) -> Result<usize, FjiError> {
    loop {
        let rest = &source[offset..];
        let blank = rest.len() - rest.trim_start().len();
        let length = blank + comment_length(source, offset + blank)?;
        if length == 0 {
            return Ok(offset);
        }
        offset += length;
    }
}

/// The length of the comment that starts here; zero if none does.
fn comment_length(source: &str, offset: usize) -> Result<usize, FjiError> {
    let rest = &source[offset..];
    if rest.starts_with("//") {
        return Ok(rest.find('\n').unwrap_or(rest.len()));
    }
    let Some(inside) = rest.strip_prefix("/*") else { return Ok(0) };
    match inside.find("*/") {
        Some(length) => Ok(length + 4),
        None => Err(FjiError::Syntax {
            position: Position::of(source, offset),
            expected: "`*/` somewhere behind `/*`".to_owned(),
            found: "the end of the program".to_owned(),
        }),
    }
}

/// The length of the token that starts here; `None` at the end.
fn token_length(source: &str, offset: usize) -> Result<Option<usize>, FjiError> {
    let rest = &source[offset..];
    let Some(first) = rest.chars().next() else { return Ok(None) };
    if is_identifier_start(first) {
        let length = rest.find(|c: char| !is_identifier_start(c) && !c.is_numeric()).unwrap_or(rest.len());
        return Ok(Some(length));
    }
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        return Ok(Some(symbol.len()));
    }
    Err(FjiError::Syntax {
        position: Position::of(source, offset),
        expected: "a name, a keyword or a punctuation mark".to_owned(),
        found: format!("`{}`", first.escape_default()),
    })
}

fn is_identifier_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

fn kind_of(text: &str) -> TokenKind {
    if KEYWORDS.contains(&text) {
        TokenKind::Keyword
    } else if text.starts_with(is_identifier_start) {
        TokenKind::Identifier
    } else {
        TokenKind::Symbol
    }
}
