//! Preprocessor directives and the conditionals they belong to.

use crate::lexer::{Token, TokenKind};
use std::ops::Range;

/// A preprocessor directive in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    pub kind: DirectiveKind,
    /// The bytes from `#` to the end of the logical line, without the line break.
    pub range: Range<usize>,
    /// The number of the conditional, counted through the file, if the directive is part of one.
    pub conditional: Option<usize>,
}

/// The kinds of preprocessor directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    Include,
    Define,
    Undefine,
    If,
    Else,
    EndIf,
    Pragma,
    Other,
}

/// Returns the directives among the tokens of a text.
pub fn directives(text: &[u8], tokens: &[Token]) -> Vec<Directive> {
    let mut open = Vec::new();
    let mut conditionals = 0;
    let lines = tokens.iter().filter(|token| token.kind == TokenKind::Directive);
    lines
        .map(|token| {
            let kind = kind_of(&text[token.range.clone()]);
            let conditional = match kind {
                DirectiveKind::If => {
                    open.push(conditionals);
                    conditionals += 1;
                    open.last().copied()
                }
                DirectiveKind::Else => open.last().copied(),
                DirectiveKind::EndIf => open.pop(),
                _ => None,
            };
            Directive { kind, range: token.range.clone(), conditional }
        })
        .collect()
}

fn kind_of(line: &[u8]) -> DirectiveKind {
    let line = line.strip_prefix(b"%:").or(line.strip_prefix(b"#")).unwrap_or(line).trim_ascii_start();
    let length = line.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_').count();
    match &line[..length] {
        b"include" | b"include_next" | b"import" => DirectiveKind::Include,
        b"define" => DirectiveKind::Define,
        b"undef" => DirectiveKind::Undefine,
        b"if" | b"ifdef" | b"ifndef" => DirectiveKind::If,
        b"else" | b"elif" | b"elifdef" | b"elifndef" => DirectiveKind::Else,
        b"endif" => DirectiveKind::EndIf,
        b"pragma" => DirectiveKind::Pragma,
        _ => DirectiveKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;

    #[test]
    fn parts_of_a_conditional_belong_together() {
        let text = b"#if A\n#ifdef B\n#endif\n# else\n#endif\n#define C";
        let found: Vec<_> =
            directives(text, &tokens(text)).into_iter().map(|found| (found.kind, found.conditional)).collect();
        let expected = [
            (DirectiveKind::If, Some(0)),
            (DirectiveKind::If, Some(1)),
            (DirectiveKind::EndIf, Some(1)),
            (DirectiveKind::Else, Some(0)),
            (DirectiveKind::EndIf, Some(0)),
            (DirectiveKind::Define, None),
        ];
        assert_eq!(found, expected);
    }
}
