//! Layout: the comments and white space that are removed with a piece of the text.
//!
//! The gap between two tokens is split once: the part on the line of the preceding token belongs to
//! it, the rest to the following token. A declaration thus owns the comment lines above it and the
//! comment behind its closing brace.

use crate::error::FjiError;
use crate::lexer::tokenize;
use crate::syntax::Span;
use std::ops::Range;

pub(crate) struct Layout {
    /// The start of each token and of its territory. The last entry is the end of the text.
    tokens: Vec<(usize, usize)>,
}

impl Layout {
    pub fn of(source: &str) -> Result<Layout, FjiError> {
        let mut tokens = Vec::new();
        let mut gap_start = 0;
        for token in tokenize(source)? {
            let gap = gap_start..token.range.start;
            let split = if tokens.is_empty() { behind_header(source, gap) } else { split(source, gap) };
            tokens.push((token.range.start, split));
            gap_start = token.range.end;
        }
        Ok(Layout { tokens })
    }

    /// The text that is removed with the tokens of `span`.
    pub fn territory(&self, span: &Span) -> Range<usize> {
        self.border(span.0.start)..self.border(span.0.end)
    }

    /// The split before the first token at or after `offset`.
    fn border(&self, offset: usize) -> usize {
        let index = self.tokens.partition_point(|&(start, _)| start < offset);
        self.tokens.get(index).or(self.tokens.last()).map_or(0, |&(_, split)| split)
    }
}

fn split(source: &str, gap: Range<usize>) -> usize {
    line_ends(source, gap.clone()).first().copied().unwrap_or(gap.start)
}

/// The end of the header comments of a file. Comments at the top that are followed by a blank line
/// belong to the file and not to its first declaration.
fn behind_header(source: &str, gap: Range<usize>) -> usize {
    let ends = line_ends(source, gap.clone());
    let blank = ends.windows(2).rev().find(|pair| source[pair[0]..pair[1]].trim().is_empty());
    blank.map_or(gap.start, |pair| pair[0])
}

/// The line breaks between two tokens that are not inside a comment.
fn line_ends(source: &str, gap: Range<usize>) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut offset = gap.start;
    while offset < gap.end {
        let rest = &source[offset..gap.end];
        offset += if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map_or(rest.len(), |length| length + 4)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            if rest.starts_with('\n') {
                ends.push(offset);
            }
            rest.chars().next().map_or(1, char::len_utf8)
        };
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without the territory of its only `X;`.
    fn without_x(source: &str) -> String {
        let start = source.find("X;").unwrap();
        let territory = Layout::of(source).unwrap().territory(&Span(start..start + 2));
        format!("{}{}", &source[..territory.start], &source[territory.end..])
    }

    #[test]
    fn comments_above_and_behind_go_with_it() {
        assert_eq!(without_x("a; // a's\n\n// x's\nX; // x's too\nb;"), "a; // a's\nb;");
        assert_eq!(without_x("a; X; b;"), "a; b;");
    }

    #[test]
    fn comments_are_not_cut_in_two() {
        assert_eq!(without_x("a; /* a's\n still */\nX; /* \n */ b;"), "a; /* a's\n still */ /* \n */ b;");
    }

    #[test]
    fn the_head_of_the_file_stays() {
        assert_eq!(without_x("// all\n\n// x's\nX;\nb;\n"), "// all\nb;\n");
        assert_eq!(without_x("// x's\nX;\n"), "\n");
    }
}
