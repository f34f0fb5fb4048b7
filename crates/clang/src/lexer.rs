//! Tokens of C and C++ with their positions. Comments and white space produce no token; a
//! preprocessor directive is one token.

use std::ops::Range;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Number,
    /// A string or character literal, with its prefix.
    Text,
    Punctuation,
    /// A preprocessor directive, from `#` to the end of the logical line.
    Directive,
}

/// A token and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub range: Range<usize>,
}

/// Returns all tokens of a text in order. For any input, each byte outside white space and comments
/// belongs to a token.
pub fn tokens(text: &[u8]) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0, is_line_start: true };
    std::iter::from_fn(|| lexer.next()).collect()
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether only white space precedes on this line.
    is_line_start: bool,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let start = self.at;
        let first = *self.text.get(start)?;
        let kind = match first {
            b'#' if self.is_line_start => self.directive(),
            b'%' if self.is_line_start && self.looking_at(b"%:") => self.directive(),
            b'"' | b'\'' => self.quoted(first),
            b'0'..=b'9' => self.number(),
            b'.' if self.text.get(start + 1).is_some_and(u8::is_ascii_digit) => self.number(),
            _ if is_word(first) => self.word(),
            _ => self.punctuation(),
        };
        self.is_line_start = false;
        Some(Token { kind, range: start..self.at })
    }

    fn looking_at(&self, what: &[u8]) -> bool {
        self.text[self.at..].starts_with(what)
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.text.get(self.at) {
            if self.looking_at(b"/*") {
                self.comment();
            } else if self.looking_at(b"//") {
                self.at = self.end_of_line();
            } else if self.looking_at(b"\\\n") || self.looking_at(b"\\\r\n") {
                self.at += if self.looking_at(b"\\\n") { 2 } else { 3 };
            } else if byte.is_ascii_whitespace() || *byte == 0x0b {
                self.is_line_start |= *byte == b'\n';
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// Returns the end of the logical line, which continues after a backslash at the end of a line.
    fn end_of_line(&self) -> usize {
        let mut at = self.at;
        while let Some(found) = self.text[at..].iter().position(|byte| *byte == b'\n') {
            let end = at + found;
            let before = self.text[..end].strip_suffix(b"\r").unwrap_or(&self.text[..end]);
            if !before.ends_with(b"\\") {
                return end;
            }
            at = end + 1;
        }
        self.text.len()
    }

    /// Reads a directive. A comment that starts on the directive's line may end on a later one,
    /// where the directive continues.
    fn directive(&mut self) -> TokenKind {
        let mut end = self.end_of_line();
        while self.at < end {
            if self.looking_at(b"/*") {
                self.comment();
                end = self.end_of_line();
            } else if self.looking_at(b"//") {
                self.at = end;
            } else if self.text[self.at] == b'"' {
                self.quoted(b'"');
            } else {
                self.at += 1;
            }
        }
        TokenKind::Directive
    }

    fn comment(&mut self) {
        let inside = &self.text[self.at + 2..];
        let length = inside.windows(2).position(|pair| pair == b"*/").map_or(inside.len(), |at| at + 2);
        self.at += 2 + length;
    }

    fn quoted(&mut self, quote: u8) -> TokenKind {
        self.at += 1;
        while let Some(byte) = self.text.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at = (self.at + 1).min(self.text.len()),
                b'\n' => {
                    self.at -= 1;
                    break;
                }
                _ if *byte == quote => break,
                _ => {}
            }
        }
        TokenKind::Text
    }

    fn number(&mut self) -> TokenKind {
        while let Some(byte) = self.text.get(self.at) {
            let is_sign = matches!(byte, b'+' | b'-') && matches!(self.text[self.at - 1], b'e' | b'E' | b'p' | b'P');
            let is_separator = *byte == b'\'' && self.text.get(self.at + 1).is_some_and(u8::is_ascii_alphanumeric);
            if !(is_word(*byte) || *byte == b'.' || is_sign || is_separator) {
                break;
            }
            self.at += 1;
        }
        TokenKind::Number
    }

    /// Reads a word, or the string literal that the word prefixes.
    fn word(&mut self) -> TokenKind {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|byte| is_word(*byte)) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        match self.text.get(self.at) {
            Some(b'"') if matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => self.raw_string(),
            Some(quote @ (b'"' | b'\'')) if matches!(word, b"L" | b"u" | b"U" | b"u8") => self.quoted(*quote),
            _ => TokenKind::Word,
        }
    }

    fn raw_string(&mut self) -> TokenKind {
        let rest = &self.text[self.at + 1..];
        let open = rest.iter().position(|byte| *byte == b'(').unwrap_or(rest.len());
        let closing = [b")", &rest[..open], b"\""].concat();
        let length =
            rest.windows(closing.len()).position(|part| part == closing).map_or(rest.len(), |at| at + closing.len());
        self.at += 1 + length;
        TokenKind::Text
    }

    fn punctuation(&mut self) -> TokenKind {
        const LONG: &[&[u8]] = &[
            b"%:%:", b"<=>", b"<<=", b">>=", b"...", b"->*", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==",
            b"!=", b"&&", b"||", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"::", b".*", b"##", b"<:",
            b":>", b"<%", b"%>", b"%:",
        ];
        let length = LONG.iter().find(|long| self.looking_at(long)).map_or(1, |long| long.len());
        self.at += length;
        TokenKind::Punctuation
    }
}

/// Returns whether a byte can be part of a name. Bytes beyond ASCII can, whatever the encoding.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        tokens(text.as_bytes()).into_iter().map(|token| &text[token.range]).collect()
    }

    #[test]
    fn comments_and_continued_lines_are_no_tokens() {
        assert_eq!(pieces("a /* b */ + // c \\\n still\n 1e+5;"), ["a", "+", "1e+5", ";"]);
    }

    #[test]
    fn a_directive_is_one_token() {
        assert_eq!(pieces("#define A \\\n 1\nint x;"), ["#define A \\\n 1", "int", "x", ";"]);
        assert_eq!(pieces("#define A /* x\n y */ 2\nint"), ["#define A /* x\n y */ 2", "int"]);
    }

    #[test]
    fn strings_of_all_sorts() {
        assert_eq!(pieces(r#"L"a\"b" 'x' u8R"z(")")z" 1'000"#), [r#"L"a\"b""#, "'x'", r#"u8R"z(")")z""#, "1'000"]);
        assert_eq!(pieces("\"open\n;"), ["\"open", ";"]);
    }

    #[test]
    fn any_bytes_are_split_into_tokens() {
        for text in [&b"\\"[..], b"/*", b"R\"", b"'\\", b"#", b"\xff\xfe", b"0'", b"#\""] {
            tokens(text);
        }
    }
}
