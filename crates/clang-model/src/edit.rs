//! Replaces parts of a text.

use lapidary_clang::FileId;
use std::borrow::Cow;
use std::ops::Range;

/// A range of a file and the text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub file: FileId,
    pub range: Range<usize>,
    pub with: Vec<u8>,
}

impl Edit {
    pub fn delete(file: FileId, range: Range<usize>) -> Edit {
        Edit { file, range, with: Vec::new() }
    }

    /// Returns the file, the start and the end: the key by which edits are sorted.
    pub(crate) fn place(&self) -> (usize, usize, usize) {
        (self.file.index(), self.range.start, self.range.end)
    }
}

/// The treatment of line breaks in removed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Lines that become empty are removed.
    Compact,
    /// Line breaks stay, so that the remaining text keeps its line numbers.
    KeepLines,
}

/// Applies edits to a text. The edits must be sorted; of two that start together, the wider comes
/// first. An edit inside another is ignored.
pub fn apply<'e>(text: &[u8], edits: impl IntoIterator<Item = (Range<usize>, &'e [u8])>, layout: Layout) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let (mut reached, mut edited) = (0, 0);
    for (range, with) in edits {
        if range.start < edited {
            continue;
        }
        edited = range.end;
        let range = range.start.max(reached)..range.end.max(reached);
        out.extend_from_slice(&text[reached..range.start]);
        let with = match layout {
            Layout::KeepLines => with_fewer_breaks(with, count_breaks(&text[range.clone()])),
            Layout::Compact => Cow::Borrowed(with),
        };
        put_apart(&mut out, &with);
        reached = range.end;
        match layout {
            Layout::KeepLines => {
                let breaks = count_breaks(&text[range]).saturating_sub(count_breaks(&with));
                out.extend(std::iter::repeat_n(b'\n', breaks));
            }
            Layout::Compact if with.is_empty() => reached = drop_empty_line(&mut out, text, reached),
            Layout::Compact => {}
        }
        if runs_together(out.last(), text.get(reached)) {
            out.push(b' ');
        }
    }
    out.extend_from_slice(&text[reached..]);
    out
}

fn put_apart(out: &mut Vec<u8>, with: &[u8]) {
    if runs_together(out.last(), with.first()) {
        out.push(b' ');
    }
    out.extend_from_slice(with);
}

/// Returns whether two bytes that were not adjacent would be read as parts of one token.
fn runs_together(left: Option<&u8>, right: Option<&u8>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'"' | b'\'') || *byte >= 0x80;
    let is_operator = |byte: &u8| b"+-*/%&|<>=!:.#^".contains(byte);
    (is_word(left) && is_word(right)) || (is_operator(left) && is_operator(right))
}

/// Reduces a text to at most `most` line breaks by turning the last ones into blanks. A text with
/// line comments or directives, which need their line breaks, is left unchanged.
fn with_fewer_breaks(with: &[u8], most: usize) -> Cow<'_, [u8]> {
    let needs_lines = with.windows(2).any(|pair| pair == b"//" || pair == b"\\\n") || with.contains(&b'#');
    let breaks = count_breaks(with);
    if breaks <= most || needs_lines {
        return Cow::Borrowed(with);
    }
    let mut left = most;
    let fit = |byte: &u8| match (*byte, left) {
        (b'\n', 0) => b' ',
        (b'\n', _) => {
            left -= 1;
            b'\n'
        }
        (byte, _) => byte,
    };
    Cow::Owned(with.iter().map(fit).collect())
}

fn count_breaks(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte == b'\n').count()
}

/// Removes the line if only blanks are left on it. Returns the position after it.
fn drop_empty_line(out: &mut Vec<u8>, text: &[u8], reached: usize) -> usize {
    let kept = out.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |at| at + 1);
    let is_line_start = kept == 0 || out[kept - 1] == b'\n';
    let blanks = text[reached..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    match text.get(reached + blanks) {
        Some(b'\n') if is_line_start => {
            out.truncate(kept);
            reached + blanks + 1
        }
        _ => reached,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, edits: &[(Range<usize>, &str)], layout: Layout) -> String {
        let edits = edits.iter().map(|(range, with)| (range.clone(), with.as_bytes()));
        String::from_utf8(apply(text.as_bytes(), edits, layout)).unwrap()
    }

    #[test]
    fn an_empty_line_goes_or_stays() {
        let text = "a;\n  b;\nc;\n";
        assert_eq!(edited(text, &[(5..7, "")], Layout::Compact), "a;\nc;\n");
        assert_eq!(edited(text, &[(5..7, "")], Layout::KeepLines), "a;\n  \nc;\n");
    }

    #[test]
    fn line_breaks_in_removed_text_stay() {
        assert_eq!(edited("f(\n1,\n2);\nx", &[(2..7, "0")], Layout::KeepLines), "f(0\n\n);\nx");
    }

    #[test]
    fn replacements_add_no_lines() {
        assert_eq!(edited("f(1);\nx", &[(0..5, "{\n a;\n}")], Layout::KeepLines), "{  a; }\nx");
        assert_eq!(edited("f(\n1);\nx", &[(0..6, "{\n a;\n}")], Layout::KeepLines), "{\n a; }\nx");
        assert_eq!(edited("f();\nx", &[(0..4, "a; // b\nc;")], Layout::KeepLines), "a; // b\nc;\nx");
    }

    #[test]
    fn words_do_not_run_together() {
        assert_eq!(edited("return(x);", &[(6..9, "0")], Layout::Compact), "return 0;");
        assert_eq!(edited("a-(-b)", &[(2..3, ""), (5..6, "")], Layout::Compact), "a- -b");
    }

    #[test]
    fn an_edit_can_start_on_a_removed_line() {
        assert_eq!(edited("a:\n  b\n  , c\n{", &[(5..6, ""), (6..10, ""), (11..12, "")], Layout::Compact), "a:\n{");
    }

    #[test]
    fn the_outer_edit_wins() {
        assert_eq!(edited("abcdef", &[(1..5, ""), (2..3, "x")], Layout::Compact), "a f");
    }
}
