//! Declarations: the positions of their names and types, and whether a declaration stands alone.

use super::{Program, is_word};
use lapidary_clang::{FileId, Kind, NodeId, Token};
use std::ops::Range;

impl Program<'_> {
    /// Returns the range of the declared name.
    pub fn name_range(&self, id: NodeId) -> Option<Range<usize>> {
        let name = self.name(self.syntax.node(id).declares?).as_bytes();
        let file = self.file(id);
        let (mut depth, mut nested) = (0i32, None);
        let mut found = None;
        for token in self.tokens_in(file, self.range(id)) {
            match self.spelled(file, token) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth -= 1,
                b"=" if depth == 0 => break,
                text if text == name && self.ends_declarator(file, token) => {
                    if depth == 0 {
                        found = Some(token.range.clone());
                    } else {
                        nested.get_or_insert(token.range.clone());
                    }
                    if self.kind(id).is_function() || self.kind(id).is_class() {
                        break;
                    }
                }
                _ => {}
            }
        }
        found.or(nested)
    }

    /// Returns whether the following token can follow the name in a declaration, so that this token
    /// is a name and not a type.
    fn ends_declarator(&self, file: FileId, token: &Token) -> bool {
        let Some(next) = self.after(file, token.range.end) else { return true };
        !is_word(next) && !matches!(self.spelled(file, next), b"*" | b"&" | b"&&" | b"::" | b"<")
            || matches!(self.spelled(file, next), b"__attribute__" | b"__asm__" | b"asm" | b"final")
    }

    /// Returns whether the declaration declares nothing else and ends in a semicolon, so that it
    /// can be removed as a whole.
    pub fn is_alone(&self, id: NodeId) -> bool {
        let (file, range) = (self.file(id), self.range(id));
        let is_ended = self.next_is(file, range.end, ";").is_some();
        let is_first = self.previous_is(file, range.start, ",").is_none();
        is_ended && is_first && !self.is_in_header(id) && self.declarators_at(id) <= 1
    }

    /// Returns whether a variable is declared between the parentheses of a loop or a branch.
    fn is_in_header(&self, id: NodeId) -> bool {
        let around = self.syntax.ancestors(id).find(|id| self.kind(*id) != Kind::DeclarationStatement);
        around.is_some_and(|id| self.kind(id).is_loop() || matches!(self.kind(id), Kind::If | Kind::Switch))
    }

    /// Returns the range of a declaration that stands alone, with its semicolon.
    pub fn whole_declaration(&self, id: NodeId) -> Range<usize> {
        let range = self.range(id);
        let end = self.next_is(self.file(id), range.end, ";").map_or(range.end, |token| token.range.end);
        range.start..end
    }

    /// Returns the words that name the type at the start of a declaration: `unsigned long` of
    /// `static unsigned long x`.
    pub fn type_words(&self, id: NodeId) -> Option<Range<usize>> {
        self.type_words_in(self.file(id), self.range(id))
    }

    pub fn type_words_in(&self, file: FileId, range: Range<usize>) -> Option<Range<usize>> {
        let tokens = self.tokens_in(file, range);
        let text = |at: usize| tokens.get(at).map_or(&b""[..], |token| self.spelled(file, token));
        let mut at = 0;
        while is_specifier(text(at)) {
            at += 1;
        }
        let first = at;
        match text(at) {
            word if is_arithmetic(word) => {
                while is_arithmetic(text(at)) {
                    at += 1;
                }
            }
            b"struct" | b"union" | b"enum" | b"class" if tokens.get(at + 1).is_some_and(is_word) => at += 2,
            _ if tokens.get(at).is_some_and(is_word) => at = self.past_qualified_name(file, tokens, at)?,
            _ => return None,
        }
        (text(at) != b"{" && text(at) != b":" && at > first)
            .then(|| tokens[first].range.start..tokens[at - 1].range.end)
    }

    /// Returns the index of the token after `a::b<c>::d`.
    fn past_qualified_name(&self, file: FileId, tokens: &[Token], first: usize) -> Option<usize> {
        let text = |at: usize| tokens.get(at).map_or(&b""[..], |token| self.spelled(file, token));
        let mut at = first + 1;
        loop {
            match text(at) {
                b"<" => at = self.past_angle(file, tokens, at)?,
                b"::" => at += 2,
                _ => return Some(at),
            }
        }
    }

    fn past_angle(&self, file: FileId, tokens: &[Token], open: usize) -> Option<usize> {
        self.closing_angle(file, tokens, open).map(|(at, _)| at + 1)
    }

    /// Returns the token that closes a list opened by `<`, and the position after it. `>>` closes
    /// two.
    fn closing_angle(&self, file: FileId, tokens: &[Token], open: usize) -> Option<(usize, usize)> {
        let mut depth = 0i32;
        for (at, token) in tokens.iter().enumerate().skip(open) {
            let closed = match self.spelled(file, token) {
                b"<" => -1,
                b">" => 1,
                b">>" => 2,
                b";" | b"{" => return None,
                _ => 0,
            };
            depth -= closed;
            if depth <= 0 {
                return Some((at, token.range.end - usize::from(depth < 0)));
            }
        }
        None
    }

    /// Returns the range from `<` to `>` that follows a position.
    pub fn angle_brackets(&self, file: FileId, offset: usize) -> Option<Range<usize>> {
        let all = self.tokens(file);
        let first = all.partition_point(|token| token.range.start < offset);
        let open = all.get(first).filter(|token| self.spelled(file, token) == b"<")?;
        self.closing_angle(file, all, first).map(|(_, end)| open.range.start..end)
    }

    /// Returns whether parameters are declared in the parameter list, rather than after it as in
    /// old C.
    pub fn has_parameter_list(&self, function: NodeId) -> bool {
        let body = self.body(function);
        body.is_none_or(|body| self.previous_is(self.file(function), self.range(body).start, ";").is_none())
    }

    /// Returns whether this is `main` or one of its parameters, whose types the language fixes.
    pub fn is_fixed(&self, id: NodeId) -> bool {
        let function = if self.kind(id) == Kind::Parameter { self.syntax.node(id).parent } else { Some(id) };
        let entity = function.and_then(|function| self.syntax.node(function).declares);
        entity.is_some_and(|entity| self.name(entity) == "main")
    }

    /// Returns the initialiser of a variable: the expression after `=`.
    pub fn initialiser(&self, variable: NodeId) -> Option<NodeId> {
        let last = self.syntax.children(variable).last().filter(|id| self.kind(*id).is_expression())?;
        self.previous_is(self.file(variable), self.range(last).start, "=").map(|_| last)
    }

    /// Returns the range of `= initialiser`.
    pub fn initialisation(&self, variable: NodeId) -> Option<Range<usize>> {
        let value = self.initialiser(variable)?;
        let sign = self.previous_is(self.file(variable), self.range(value).start, "=")?;
        Some(sign.range.start..self.range(value).end)
    }
}

/// Returns whether a word may precede a type without being part of its name.
pub(crate) fn is_specifier(word: &[u8]) -> bool {
    matches!(word, b"static" | b"extern" | b"register" | b"typedef" | b"inline" | b"__inline" | b"__inline__")
        || matches!(word, b"const" | b"volatile" | b"__const" | b"__volatile__" | b"restrict" | b"__restrict")
        || matches!(word, b"constexpr" | b"consteval" | b"constinit" | b"virtual" | b"explicit" | b"friend")
        || matches!(word, b"mutable" | b"thread_local" | b"_Thread_local" | b"__thread" | b"_Noreturn")
        || matches!(word, b"__extension__")
}

fn is_arithmetic(word: &[u8]) -> bool {
    matches!(word, b"unsigned" | b"signed" | b"long" | b"short" | b"int" | b"char" | b"float" | b"double")
        || matches!(word, b"bool" | b"_Bool" | b"__signed__" | b"__int128" | b"wchar_t" | b"void")
}
