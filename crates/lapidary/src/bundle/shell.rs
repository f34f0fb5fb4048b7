//! The parts of a shell script: commands, quoted texts, here-documents and comments.

/// The kind of text that a byte of a script belongs to. Quotation marks belong to the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Command,
    Quoted,
    Here,
    Comment,
}

/// The part that each byte of a script belongs to. Where a quote is never closed, as in files for
/// `make`, each line is read by itself.
pub(crate) fn parts(script: &str) -> Vec<Part> {
    let (parts, is_closed) = Scan::of(script);
    match is_closed {
        true => parts,
        false => script.split_inclusive('\n').flat_map(|line| Scan::of(line).0).collect(),
    }
}

/// Whether a line is only a comment. `#include` in a text for another program is none.
pub(crate) fn is_comment(line: &str) -> bool {
    line.trim_start().strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '#', '!']))
}

/// A construct that is not closed yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Single,
    /// `$'…'`, in which a backslash escapes.
    Ansi,
    Double,
    Backtick,
    Parenthesis,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    parts: Vec<Part>,
    /// The open constructs with their places.
    open: Vec<(Open, usize)>,
    /// The delimiters of the here-documents that begin on the next line, and whether tabs before
    /// them are left out.
    here: Vec<(String, bool)>,
}

impl Scan<'_> {
    /// The parts, and whether everything that is opened is closed.
    fn of(text: &str) -> (Vec<Part>, bool) {
        let mut scan = Scan { text, at: 0, parts: Vec::new(), open: Vec::new(), here: Vec::new() };
        while scan.at < text.len() {
            match scan.open.last() {
                Some((Open::Single | Open::Ansi | Open::Double, _)) => scan.quoted(),
                _ => scan.command(),
            }
        }
        scan.parts.truncate(text.len());
        (scan.parts, scan.open.is_empty())
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(b'\n')
    }

    fn take(&mut self, length: usize, part: Part) {
        self.at += length;
        self.parts.resize(self.at, part);
    }

    fn opens(&mut self, construct: Open, length: usize) {
        self.open.push((construct, self.at));
        self.take(length, Part::Command);
    }

    fn closes(&mut self) {
        self.open.pop();
        self.take(1, Part::Command);
    }

    fn begins_word(&self) -> bool {
        self.at == 0 || b" \t\n;|&()".contains(&self.byte(self.at - 1))
    }

    fn command(&mut self) {
        let last = self.open.last().map(|(construct, _)| *construct);
        match self.byte(self.at) {
            b'\\' => self.take(2, Part::Command),
            b'\'' if self.at > 0 && self.byte(self.at - 1) == b'$' => self.opens(Open::Ansi, 1),
            b'\'' => self.opens(Open::Single, 1),
            b'"' => self.opens(Open::Double, 1),
            b'`' if last == Some(Open::Backtick) => self.closes(),
            b'`' => self.opens(Open::Backtick, 1),
            b'(' => self.opens(Open::Parenthesis, 1),
            // The patterns of `case` close what was never opened.
            b')' if last == Some(Open::Parenthesis) => self.closes(),
            b'#' if self.begins_word() => self.comment(if last == Some(Open::Backtick) { "\n`" } else { "\n" }),
            b'<' if self.text[self.at..].starts_with("<<<") => self.take(3, Part::Command),
            b'<' if self.byte(self.at + 1) == b'<' => self.delimiter(),
            b'\n' => self.line_end(),
            _ => self.take(1, Part::Command),
        }
    }

    fn quoted(&mut self) {
        let Some((construct, begin)) = self.open.last().copied() else { return };
        let byte = self.byte(self.at);
        // A program of another language in quotes has comments, too.
        let is_comment = || is_comment(&self.text[self.at..]) && self.text[begin..self.at].contains('\n');
        match (construct, byte) {
            (Open::Single | Open::Ansi, b'\'') | (Open::Double, b'"') => self.closes(),
            (Open::Ansi | Open::Double, b'\\') => self.take(2, Part::Quoted),
            (Open::Double, b'$') if self.byte(self.at + 1) == b'(' => self.opens(Open::Parenthesis, 2),
            (Open::Double, b'`') => self.opens(Open::Backtick, 1),
            (_, b'#') if self.begins_word() && is_comment() => {
                self.comment(if construct == Open::Double { "\n\"" } else { "\n'" })
            }
            _ => self.take(1, Part::Quoted),
        }
    }

    /// Skips a comment, which goes up to one of these characters.
    fn comment(&mut self, ends: &str) {
        let rest = &self.text[self.at..];
        self.take(rest.find(|c| ends.contains(c)).unwrap_or(rest.len()), Part::Comment);
    }

    /// Reads `<<` and the delimiter after it.
    fn delimiter(&mut self) {
        self.take(2, Part::Command);
        let rest = &self.text[self.at..];
        let (has_tabs, rest) = rest.strip_prefix('-').map_or((false, rest), |rest| (true, rest));
        let word = rest.trim_start_matches([' ', '\t']);
        let length = word.find(|c: char| c.is_whitespace() || ";|&()<>`".contains(c)).unwrap_or(word.len());
        let delimiter = word[..length].replace(['\'', '"', '\\'], "");
        let lines = || word[length..].lines().skip(1);
        let ends = |line: &str| (if has_tabs { line.trim_start_matches('\t') } else { line }) == delimiter;
        // `1 << 2` is a number.
        if !delimiter.is_empty() && lines().any(ends) {
            self.take(self.text[self.at..].len() - word.len() + length, Part::Comment);
            self.here.push((delimiter, has_tabs));
        }
    }

    /// Reads the end of a line, and the here-documents that follow.
    fn line_end(&mut self) {
        self.take(1, Part::Command);
        for (delimiter, has_tabs) in std::mem::take(&mut self.here) {
            for line in self.text[self.at..].split_inclusive('\n') {
                let shown = line.trim_end_matches('\n');
                let is_end = (if has_tabs { shown.trim_start_matches('\t') } else { shown }) == delimiter;
                let is_left_out = is_end || is_comment(shown);
                self.take(line.len(), if is_left_out { Part::Comment } else { Part::Here });
                if is_end {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script with a letter for the part of each character.
    fn letters(script: &str) -> String {
        let letter = |part: &Part| match part {
            Part::Command => 'c',
            Part::Quoted => 'q',
            Part::Here => 'h',
            Part::Comment => '-',
        };
        parts(script).iter().map(letter).collect()
    }

    #[test]
    fn quotes_commands_and_comments_are_told_apart() {
        for (script, expected) in [
            ("a 'b#' # c", "cccqqcc---"),
            ("a \"b $(c 'd\"') e\"", "cccqqcccccqqccqqc"),
            ("a\\'b $#", "ccccccc"),
            ("`a '#'` \"`b`\"", "ccccqcccccccc"),
            ("$'a\\'b' c", "ccqqqqccc"),
            ("a 'b\n # c\nd'", "cccqqq---qqc"),
            ("ä '", "cccc"),
        ] {
            assert_eq!(letters(script), expected, "{script}");
        }
    }

    #[test]
    fn here_documents_end_at_their_delimiters() {
        assert_eq!(letters("a <<'E' b\nit's\nE\nc"), "cccc---ccchhhhh--c");
        assert_eq!(letters("a <<-E\n\tx\n\tE\nc"), "cccc--chhh---c");
        assert_eq!(letters("$((1 << 2))\n'b'"), "cccccccccccccqc");
    }
}
