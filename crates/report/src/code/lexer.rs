//! Colours: one pass over each line that knows comments, strings, numbers and keywords.
//!
//! It is a picture and no parser: a text that it misreads is shown whole all the same, in other
//! colours.

use super::language::{Grammar, Language};
use crate::text::{LONGEST_LINE, cut, push_cut, push_shown};

/// Turns lines into markup with colours. Comments and strings may go on from line to line, so every
/// line of a text must pass through it, in order.
#[derive(Clone, Debug)]
pub struct Highlighter {
    grammar: Option<&'static Grammar>,
    /// The end of the comment or string that the next line begins in, with its class.
    open: Option<(&'static str, char)>,
}

impl Highlighter {
    /// At the beginning of a text.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Highlighter { grammar: language.0, open: None }
    }

    /// Appends a line as markup. A very long line is cut.
    pub fn line(&mut self, line: &str, out: &mut String) {
        let shown = cut(line, LONGEST_LINE);
        let mut painter = Painter { out, class: None };
        self.scan(shown, &mut |class, text| painter.paint(class, text));
        painter.finish();
        if shown.len() < line.len() {
            push_cut(out, line.len() - shown.len());
        }
    }

    /// Passes over a line that is not shown.
    pub fn skip(&mut self, line: &str) {
        // Only what may go on in the next line matters.
        let may_open = self.grammar.is_some_and(|grammar| {
            grammar.block_comment.is_some_and(|(open, _)| line.contains(open))
                || grammar.long_quotes.iter().any(|quote| line.contains(quote))
        });
        if self.open.is_some() || may_open {
            self.scan(cut(line, LONGEST_LINE), &mut |_, _| {});
        }
    }

    /// Splits a line into pieces and passes each with its class: `c`omment, `s`tring, `n`umber,
    /// `k`eyword, `p`reprocessor, or none.
    fn scan<'l>(&mut self, line: &'l str, piece: &mut dyn FnMut(Option<char>, &'l str)) {
        let Some(grammar) = self.grammar else { return piece(None, line) };
        let mut rest = line;
        if self.open.is_none() && grammar.has_directives && line.trim_start().starts_with('#') {
            let end = line.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(line.len());
            let end = line[end..].find(|c: char| !c.is_ascii_alphabetic()).map_or(line.len(), |more| end + more);
            piece(Some('p'), &line[..end]);
            rest = &line[end..];
        }
        while !rest.is_empty() {
            let (class, length) = self.next(grammar, rest);
            piece(class, &rest[..length]);
            rest = &rest[length..];
        }
    }

    /// The class and length of the next piece.
    fn next(&mut self, grammar: &'static Grammar, rest: &str) -> (Option<char>, usize) {
        if let Some((end, class)) = self.open {
            return (Some(class), self.until(rest, 0, end));
        }
        if grammar.line_comments.iter().any(|start| rest.starts_with(start)) {
            return (Some('c'), rest.len());
        }
        if let Some((start, end)) = grammar.block_comment.filter(|(start, _)| rest.starts_with(start)) {
            self.open = Some((end, 'c'));
            return (Some('c'), self.until(rest, start.len(), end));
        }
        if let Some(quote) = grammar.long_quotes.iter().find(|quote| rest.starts_with(**quote)) {
            self.open = Some((quote, 's'));
            return (Some('s'), self.until(rest, quote.len(), quote));
        }
        let first = rest.chars().next().unwrap_or(' ');
        match first {
            quote if grammar.quotes.contains(&quote) => quoted(rest, quote),
            c if c.is_ascii_digit() => (Some('n'), word(rest, |c| c.is_alphanumeric() || c == '.' || c == '_')),
            c if c.is_alphabetic() || c == '_' || c == '$' => {
                let length = word(rest, |c| c.is_alphanumeric() || c == '_' || c == '$');
                (is_keyword(grammar, &rest[..length]).then_some('k'), length)
            }
            c => (None, c.len_utf8()),
        }
    }

    /// The length up to and with `end`, which closes what is open, or the rest of the line.
    fn until(&mut self, rest: &str, from: usize, end: &str) -> usize {
        match rest[from..].find(end) {
            Some(at) => {
                self.open = None;
                from + at + end.len()
            }
            None => rest.len(),
        }
    }
}

fn is_keyword(grammar: &Grammar, word: &str) -> bool {
    match grammar.ignores_case {
        true => grammar.keywords.binary_search(&&*word.to_ascii_lowercase()).is_ok(),
        false => grammar.keywords.binary_search(&word).is_ok(),
    }
}

fn word(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|c: char| !belongs(c)).unwrap_or(rest.len())
}

/// A string within a line. A `'` that is not closed within a few characters is a lifetime or an
/// apostrophe.
fn quoted(rest: &str, quote: char) -> (Option<char>, usize) {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return (Some('s'), at + 1),
            _ => {}
        }
    }
    if quote == '\'' { (None, 1) } else { (Some('s'), rest.len()) }
}

/// Writes pieces, neighbours of one class together.
struct Painter<'a> {
    out: &'a mut String,
    class: Option<char>,
}

impl Painter<'_> {
    fn paint(&mut self, class: Option<char>, text: &str) {
        if class != self.class {
            self.finish();
            if let Some(class) = class {
                self.out.push_str("<i class=\"");
                self.out.push(class);
                self.out.push_str("\">");
            }
            self.class = class;
        }
        push_shown(self.out, text);
    }

    fn finish(&mut self) {
        if self.class.take().is_some() {
            self.out.push_str("</i>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(language: &str, text: &str) -> String {
        let mut highlighter = Highlighter::new(Language::named(language));
        let mut out = String::new();
        for line in text.lines() {
            highlighter.line(line, &mut out);
            out.push('\n');
        }
        out
    }

    #[test]
    fn comments_strings_numbers_and_keywords_have_colours() {
        assert_eq!(
            painted("c", "int x = 0x1f; // no\nreturn \"a\\\"b\";"),
            "<i class=\"k\">int</i> x = <i class=\"n\">0x1f</i>; <i class=\"c\">// no</i>\n\
             <i class=\"k\">return</i> <i class=\"s\">&quot;a\\&quot;b&quot;</i>;\n"
        );
        assert_eq!(painted("c", "#include <a.h>"), "<i class=\"p\">#include</i> &lt;a.h&gt;\n");
        assert_eq!(painted("sql", "SELECT a -- b"), "<i class=\"k\">SELECT</i> a <i class=\"c\">-- b</i>\n");
        assert_eq!(painted("rust", "&'a str"), "&amp;&#39;a <i class=\"k\">str</i>\n");
    }

    #[test]
    fn comments_and_strings_go_on_in_the_next_line_even_if_lines_are_skipped() {
        let comment = "<i class=\"c\">/* a</i>\n<i class=\"c\">b */</i> c\n";
        assert_eq!(painted("java", "/* a\nb */ c"), comment);
        assert_eq!(
            painted("python", "'''a\nb''' c"),
            "<i class=\"s\">&#39;&#39;&#39;a</i>\n<i class=\"s\">b&#39;&#39;&#39;</i> c\n"
        );
        let mut highlighter = Highlighter::new(Language::named("c"));
        highlighter.skip("x /* y");
        highlighter.skip("int z;");
        let mut out = String::new();
        highlighter.line("still */ int", &mut out);
        assert_eq!(out, "<i class=\"c\">still */</i> <i class=\"k\">int</i>");
    }

    #[test]
    fn no_text_is_lost_whatever_it_is() {
        for text in ["'", "\"", "\\", "é'é", "#", "##é", "/*", "*/", "0x", "\u{202e}/*\0", "<!--", "`", "$"] {
            for language in ["c", "java", "js", "rust", "python", "json", "sql", "sh", "xml", "css", "nothing"] {
                let mut pieces = String::new();
                let mut highlighter = Highlighter::new(Language::named(language));
                highlighter.scan(text, &mut |_, piece| pieces.push_str(piece));
                assert_eq!(pieces, text, "{language}");
            }
        }
    }

    #[test]
    fn a_line_of_ten_megabytes_is_cut() {
        let out = painted("c", &"x+".repeat(5_000_000));
        assert!(out.len() < LONGEST_LINE + 200 && out.contains("10 MB more"), "{}", out.len());
    }
}
