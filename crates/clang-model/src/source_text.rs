//! One file as text and tokens, with queries for the tokens around a position and for ranges.

use lapidary_clang::{Directive, DirectiveKind, SourceFile, Token, directives, tokens};
use std::ops::Range;
use std::sync::Arc;

pub(crate) struct SourceText {
    pub text: Arc<[u8]>,
    pub tokens: Vec<Token>,
    pub directives: Vec<Directive>,
}

impl SourceText {
    pub fn of(file: &SourceFile) -> SourceText {
        let tokens = tokens(&file.text);
        let directives = directives(&file.text, &tokens);
        SourceText { text: file.text.clone(), tokens, directives }
    }

    pub fn slice(&self, range: Range<usize>) -> &[u8] {
        &self.text[range]
    }

    pub fn is(&self, token: &Token, text: &str) -> bool {
        self.slice(token.range.clone()) == text.as_bytes()
    }

    /// Returns the first token that starts at or after a position.
    pub fn after(&self, offset: usize) -> Option<&Token> {
        self.tokens.get(self.index_after(offset))
    }

    /// Returns the last token that ends at or before a position.
    pub fn before(&self, offset: usize) -> Option<&Token> {
        let index = self.tokens.partition_point(|token| token.range.end <= offset);
        self.tokens[..index].last()
    }

    /// Returns the tokens that start at or after a position.
    pub fn from(&self, offset: usize) -> &[Token] {
        &self.tokens[self.index_after(offset)..]
    }

    pub fn within(&self, range: Range<usize>) -> &[Token] {
        let first = self.index_after(range.start);
        let end = self.tokens.partition_point(|token| token.range.end <= range.end);
        &self.tokens[first..end.max(first)]
    }

    fn index_after(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.range.start < offset)
    }

    pub fn is_followed_by(&self, offset: usize, text: &str) -> bool {
        self.after(offset).is_some_and(|token| self.is(token, text))
    }

    pub fn is_preceded_by(&self, offset: usize, texts: &[&str]) -> bool {
        self.before(offset).is_some_and(|token| texts.iter().any(|text| self.is(token, text)))
    }

    /// Returns the position after the next semicolon, if it follows directly or after attributes.
    pub fn past_semicolon(&self, offset: usize) -> Option<usize> {
        self.after(self.past_attributes(offset)).filter(|token| self.is(token, ";")).map(|token| token.range.end)
    }

    /// Returns the position after the attributes that follow.
    pub fn past_attributes(&self, offset: usize) -> usize {
        let mut end = offset;
        while let [word, open, ..] = self.from(end) {
            let is_attribute = self.is(word, "__attribute__") && self.is(open, "(");
            let Some(closing) = self.closing(open).filter(|_| is_attribute) else { break };
            end = closing;
        }
        end
    }

    /// Returns the start of a declaration, including the parts libclang leaves out: attributes,
    /// specifiers, outer template headers.
    pub fn with_prefix(&self, start: usize) -> usize {
        let mut index = self.index_after(start);
        while let Some(previous) = self.prefix_before(index) {
            index = previous;
        }
        self.tokens.get(index).map_or(start, |token| token.range.start.min(start))
    }

    /// Returns the first token of an attribute, specifier or template header that ends before a
    /// token.
    fn prefix_before(&self, index: usize) -> Option<usize> {
        const SPECIFIERS: [&str; 10] = [
            "__extension__",
            "extern",
            "inline",
            "static",
            "constexpr",
            "constinit",
            "consteval",
            "template",
            "friend",
            "typedef",
        ];
        const CALLED: [&str; 5] = ["__attribute__", "__attribute", "alignas", "__declspec", "_Alignas"];
        let last = index.checked_sub(1)?;
        let text = self.slice(self.tokens[last].range.clone());
        match text {
            b"]" => self.opening(last, b"[").filter(|first| self.is(&self.tokens[first + 1], "[")),
            b")" => self.opening(last, b"(")?.checked_sub(1).filter(|first| self.is_any(*first, &CALLED)),
            b">" | b">>" => self.template_header(last),
            _ => self.is_any(last, &SPECIFIERS).then_some(last),
        }
    }

    fn is_any(&self, index: usize, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(&self.tokens[index], text))
    }

    /// Returns the position after the bracket that closes an opening one.
    pub fn closing(&self, open: &Token) -> Option<usize> {
        let text = self.slice(open.range.clone());
        let close: &[u8] = match text {
            b"(" => b")",
            b"{" => b"}",
            _ => return None,
        };
        let mut depth = 0;
        for token in self.from(open.range.start) {
            let found = self.slice(token.range.clone());
            depth += i32::from(found == text) - i32::from(found == close);
            if depth == 0 {
                return Some(token.range.end);
            }
        }
        None
    }

    /// Returns the bracket that a closing one matches.
    fn opening(&self, last: usize, open: &[u8]) -> Option<usize> {
        let close = self.slice(self.tokens[last].range.clone());
        let mut depth = 0;
        for index in (0..=last).rev() {
            let text = self.slice(self.tokens[index].range.clone());
            depth += i32::from(text == close) - i32::from(text == open);
            if depth == 0 {
                return Some(index);
            }
        }
        None
    }

    /// Returns the first token of `template <…>`, given its last. The header contains neither
    /// braces nor semicolons.
    fn template_header(&self, last: usize) -> Option<usize> {
        let mut depth = 0;
        for index in (0..=last).rev() {
            match self.slice(self.tokens[index].range.clone()) {
                b">" => depth += 1,
                b">>" => depth += 2,
                b"<" => depth -= 1,
                b"{" | b"}" | b";" => return None,
                _ => {}
            }
            if depth <= 0 {
                return index.checked_sub(1).filter(|first| self.is_any(*first, &["template"]));
            }
        }
        None
    }

    /// Returns the explicit instantiations: `template …;` and `extern template …;`.
    pub fn instantiations(&self) -> Vec<Range<usize>> {
        let is_start = |index: &usize| {
            self.is_any(*index, &["template"])
                && self.tokens.get(index + 1).is_some_and(|next| !self.is(next, "<"))
                && (*index == 0 || self.is_any(index - 1, &[";", "}", "{", "extern"]))
        };
        let range = |index: usize| {
            let has_extern = index > 0 && self.is_any(index - 1, &["extern"]);
            let end = self.tokens[index..].iter().find(|token| self.is(token, ";"))?.range.end;
            Some(self.tokens[index - usize::from(has_extern)].range.start..end)
        };
        (0..self.tokens.len()).filter(is_start).filter_map(range).collect()
    }

    /// Returns whether one of the words occurs in the range.
    pub fn has_before(&self, range: Range<usize>, words: &[&str]) -> bool {
        self.within(range).iter().any(|token| words.iter().any(|word| self.is(token, word)))
    }

    /// Returns whether removing the range leaves no half of a conditional.
    pub fn is_balanced(&self, range: &Range<usize>) -> bool {
        let first = self.directives.partition_point(|directive| directive.range.start < range.start);
        let inside = self.directives[first..].iter().take_while(|directive| directive.range.start < range.end);
        let mut open = 0_i32;
        for directive in inside {
            match directive.kind {
                DirectiveKind::If => open += 1,
                DirectiveKind::EndIf => open -= 1,
                DirectiveKind::Else if open == 0 => return false,
                _ => {}
            }
            if open < 0 {
                return false;
            }
        }
        open == 0
    }

    /// Extends the range by its comments: those on the lines right above, and one after it on its
    /// last line.
    pub fn with_comments(&self, range: Range<usize>) -> Range<usize> {
        self.comment_above(range.start)..self.comment_behind(range.end)
    }

    fn comment_above(&self, start: usize) -> usize {
        let from = self.before(start).map_or(0, |token| token.range.end);
        let gap = &self.text[from..start];
        let own_line =
            if from == 0 { 0 } else { gap.iter().position(|byte| *byte == b'\n').map_or(gap.len(), |at| at + 1) };
        let above = &gap[own_line..];
        let near = after_last_blank_line(above);
        let has_comment = above[near..].contains(&b'/');
        if !has_comment {
            return start;
        }
        let blanks = above[near..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        from + own_line + near + blanks
    }

    fn comment_behind(&self, end: usize) -> usize {
        let to = self.after(end).map_or(self.text.len(), |token| token.range.start);
        let gap = &self.text[end..to];
        let blanks = gap.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let comment = &gap[blanks..];
        if comment.starts_with(b"//") {
            return end + blanks + comment.iter().position(|byte| *byte == b'\n').unwrap_or(comment.len());
        }
        let closed = comment.windows(2).skip(2).position(|pair| pair == b"*/").map(|at| at + 4);
        match closed {
            Some(length) if comment.starts_with(b"/*") && ends_line(&comment[length..]) => end + blanks + length,
            _ => end,
        }
    }
}

fn ends_line(rest: &[u8]) -> bool {
    rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).is_none_or(|byte| *byte == b'\n')
}

/// Returns the position after the last blank line.
fn after_last_blank_line(text: &[u8]) -> usize {
    let mut found = 0;
    let mut start = 0;
    for (at, byte) in text.iter().enumerate() {
        if *byte == b'\n' {
            if text[start..at].iter().all(u8::is_ascii_whitespace) {
                found = at + 1;
            }
            start = at + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> SourceText {
        SourceText::of(&SourceFile { path: "a.c".into(), text: text.as_bytes().into() })
    }

    fn with_comments(text: &str, what: &str) -> String {
        let start = text.find(what).unwrap();
        text[source(text).with_comments(start..start + what.len())].to_owned()
    }

    #[test]
    fn comments_are_removed_with_their_declaration() {
        let text = "int a; // first\n\n// not about b\n\n/* about b */\nint b; /* also */\nint c;";
        assert_eq!(with_comments(text, "int b;"), "/* about b */\nint b; /* also */");
        assert_eq!(with_comments(text, "int a;"), "int a; // first");
        assert_eq!(with_comments(text, "int c;"), "int c;");
    }

    #[test]
    fn a_declaration_starts_with_its_attributes_and_template_headers() {
        let start = |text: &str, what: &str| source(text).with_prefix(text.find(what).unwrap());
        assert_eq!(start("f(); [[nodiscard]] int f();", "int f"), 5);
        assert_eq!(start("; template <class T, int N = (3)> template <class U> void g();", "template <class U>"), 2);
        assert_eq!(start("x; __attribute__((unused)) static int a;", "int a"), 3);
        assert_eq!(start("FUNCTION(f) int a;", "int a"), 12);
    }

    #[test]
    fn half_a_conditional_cannot_go() {
        let source = source("#if A\nint a;\n#else\nint b;\n#endif\n");
        assert!(source.is_balanced(&(0..38)));
        assert!(!source.is_balanced(&(0..20)));
        assert!(source.is_balanced(&(6..12)));
    }
}
