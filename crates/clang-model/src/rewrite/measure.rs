//! The termination argument: each rewrite decreases the program in one well-founded order.
//!
//! The order compares, in this sequence: the number of tokens; the number of them that are names,
//! `union` or `class` rather than another keyword; the nesting depth of the tokens in braces; the
//! number of bytes; the bytes themselves. All but the last are natural numbers, and there are
//! finitely many texts of one length.

use super::Opportunity;
use super::program::Program;
use lapidary_clang::{FileId, TokenKind, tokens};
use std::cmp::Ordering;
use std::ops::Range;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Weight {
    tokens: i64,
    names: i64,
    nesting: i64,
    bytes: i64,
}

/// Decides whether rewrites decrease a program.
pub(crate) struct Measure<'p> {
    program: &'p Program<'p>,
    /// For each token of each file, the number of braces open before it.
    depths: Vec<Vec<i64>>,
}

impl<'p> Measure<'p> {
    pub fn new(program: &'p Program<'p>) -> Measure<'p> {
        let files = program.syntax.files.iter();
        let depths = files.enumerate().map(|(index, file)| {
            let mut depth = 0;
            program.all_tokens(index).iter().map(|token| step(&mut depth, &file.text[token.range.clone()])).collect()
        });
        Measure { program, depths: depths.collect() }
    }

    /// Returns whether the edits decrease the program.
    pub fn falls(&self, opportunity: &Opportunity) -> bool {
        let mut before = Weight::default();
        let mut after = Weight::default();
        for edit in &opportunity.edits {
            before.add(self.program.slice(edit.file, edit.range.clone()), self.depth(edit.file, &edit.range));
            after.add(&edit.with, self.depth(edit.file, &edit.range));
        }
        match after.cmp(&before) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => self.first_difference(opportunity) == Ordering::Less,
        }
    }

    fn first_difference(&self, opportunity: &Opportunity) -> Ordering {
        let compared = opportunity
            .edits
            .iter()
            .map(|edit| edit.with.as_slice().cmp(self.program.slice(edit.file, edit.range.clone())));
        compared.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    fn depth(&self, file: FileId, range: &Range<usize>) -> i64 {
        let all = self.program.tokens(file);
        let at = all.partition_point(|token| token.range.start < range.start);
        self.depths[file.index()].get(at).copied().unwrap_or(0)
    }
}

impl Weight {
    fn add(&mut self, text: &[u8], around: i64) {
        let mut depth = around;
        for token in tokens(text) {
            let spelled = &text[token.range.clone()];
            self.tokens += 1;
            self.names += i64::from(token.kind == TokenKind::Word && !is_plain(spelled));
            self.nesting += step(&mut depth, spelled);
        }
        self.bytes += text.len() as i64;
    }
}

/// Returns the depth after a token, and updates the running depth.
fn step(depth: &mut i64, token: &[u8]) -> i64 {
    match token {
        b"{" => *depth += 1,
        b"}" => *depth -= 1,
        _ => {}
    }
    *depth
}

/// Returns whether a word is a keyword that nothing simpler can replace.
fn is_plain(word: &[u8]) -> bool {
    matches!(word, b"int" | b"char" | b"short" | b"long" | b"unsigned" | b"signed" | b"float" | b"double" | b"void")
        || matches!(word, b"struct" | b"enum" | b"typedef" | b"static" | b"extern" | b"const" | b"bool" | b"_Bool")
        || matches!(word, b"auto" | b"return" | b"if" | b"else" | b"for" | b"while" | b"do" | b"switch" | b"case")
}
