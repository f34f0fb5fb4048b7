//! Rejects candidates without compiling them: a statement that is gone does not fail.
//!
//! Line numbers are preserved, so a candidate whose failing line is empty fails elsewhere, if at
//! all. No candidate is rejected that could fail like the original.

use crate::failure::{Failure, Frame, Kind, text_of};
use crate::sameness::LineMap;
use lapidary_reduce::{Entry, FileTree};

/// The text that every program which fails like the original must contain.
#[derive(Clone, Debug, Default)]
pub struct Presence {
    /// The line of the failing statement.
    line: Option<Frame>,
    /// The asserted expression without white space, which is the message of the failure.
    assertion: Option<Vec<u8>>,
    /// Whether the word `main` is required.
    main: bool,
}

impl Presence {
    /// Returns the requirements. Only text that the original has can be required, since `#line` may
    /// change line numbers.
    pub fn of(failure: &Failure, original: &FileTree) -> Presence {
        // A stack overflow ends at a random place.
        let place = failure.place_in(original).filter(|_| failure.kind != Kind::StackOverflow);
        let line = place.filter(|place| has_code(original, place, place.line)).cloned();
        let says = |place: &Frame| line_of(original, place, place.line).map(without_blanks);
        let asserted = Some(&failure.message).filter(|_| failure.kind == Kind::Assertion);
        let asserted = asserted.map(|message| without_blanks(message.as_bytes())).filter(|text| !text.is_empty());
        let is_there = |text: &Vec<u8>| line.as_ref().and_then(says).is_some_and(|line| contains(&line, text));
        Presence {
            assertion: asserted.filter(is_there),
            line,
            main: files(original).any(|text| contains(text, b"main")),
        }
    }

    /// Returns what a candidate lacks. Its lines are where the map says.
    pub fn missing(&self, candidate: &FileTree, lines: &LineMap) -> Option<&'static str> {
        if let Some(place) = &self.line {
            let now = lines.get(&place.file, place.line);
            let Some(line) = now.filter(|now| has_code(candidate, place, *now)) else {
                return Some("the failing statement is gone");
            };
            let says = || line_of(candidate, place, line).map(without_blanks).unwrap_or_default();
            if self.assertion.as_ref().is_some_and(|text| !contains(&says(), text)) {
                return Some("something else is asserted");
            }
        }
        let has_main = || files(candidate).any(|text| contains(text, b"main"));
        (self.main && !has_main()).then_some("there is no main")
    }
}

/// Returns whether there is any text on a line of a frame's file.
fn has_code(tree: &FileTree, place: &Frame, line: u32) -> bool {
    line_of(tree, place, line).is_some_and(|line| !line.iter().all(u8::is_ascii_whitespace))
}

fn line_of<'t>(tree: &'t FileTree, place: &Frame, line: u32) -> Option<&'t [u8]> {
    text_of(tree, place)?.split(|byte| *byte == b'\n').nth(line.saturating_sub(1) as usize)
}

fn without_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

fn files(tree: &FileTree) -> impl Iterator<Item = &[u8]> {
    tree.entries().filter_map(|(_, entry)| match entry {
        Entry::File { content, .. } => Some(&content[..]),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    })
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presence(kind: Kind, text: &str) -> Presence {
        let frame = Frame { function: "main".into(), file: "a.c".into(), line: 2, column: None };
        let failure = Failure::new(kind, "", vec![frame]);
        Presence::of(&failure, &FileTree::file("a.c", text))
    }

    fn missing(presence: &Presence, text: &str) -> Option<&'static str> {
        presence.missing(&FileTree::file("a.c", text), &LineMap::new())
    }

    #[test]
    fn candidates_without_the_line_or_main_are_rejected() {
        let known = presence(Kind::Abort, "int main() {\nabort();\n}\n");
        assert_eq!(missing(&known, "int main() {\nabort();\n}\n"), None);
        assert_eq!(missing(&known, "int main() {\n \n}\n"), Some("the failing statement is gone"));
        assert_eq!(missing(&known, "int x;\nint y;\n"), Some("there is no main"));
    }

    #[test]
    fn a_failure_in_another_file_says_nothing_about_this_one() {
        let frame = Frame { function: "f".into(), file: "a.h".into(), line: 2, column: None };
        let failure = Failure::new(Kind::Abort, "", vec![frame]);
        let known = Presence::of(&failure, &FileTree::file("a.c", "#include \"a.h\"\nint main() { f(); }\n"));
        assert_eq!(missing(&known, "#include \"a.h\" int main() { f(); }\n\n"), None);
    }

    #[test]
    fn candidates_with_another_assertion_are_rejected() {
        let asserting = |message: &str, text: &str| {
            let frame = Frame { function: "main".into(), file: "a.c".into(), line: 2, column: None };
            let failure = Failure::new(Kind::Assertion, message, vec![frame]);
            Presence::of(&failure, &FileTree::file("a.c", text))
        };
        let known = asserting("a + b > c", "int main() {\n  if (n) assert(a + b  >c);\n}\n");
        assert_eq!(missing(&known, "int main() {\nassert( a +b > c);\n}\n"), None);
        assert_eq!(missing(&known, "int main() {\nassert(b > c);\n}\n"), Some("something else is asserted"));
        let unseen = asserting("a + b > c", "int main() {\ncheck(a, b, c);\n}\n");
        assert_eq!(missing(&unseen, "int main() {\ncheck(a, 0, c);\n}\n"), None, "a macro asserts it elsewhere");
    }

    #[test]
    fn nothing_is_rejected_that_may_fail() {
        let overflow = presence(Kind::StackOverflow, "int main() {\nmain();\n}\n");
        assert_eq!(missing(&overflow, "int main() {\n\nmain(); }\n"), None);
        for mark in ["#line 1", "# 1 \"a.c\"", "#  line 1"] {
            let renumbered = presence(Kind::Abort, &format!("{mark}\nint main() {{\nabort(); }}\n"));
            assert_eq!(missing(&renumbered, &format!("{mark}\n\nint main() {{ abort(); }}\n")), None, "{mark}");
        }
    }

    #[test]
    fn lines_that_moved_are_found() {
        let known = presence(Kind::Abort, "int main() {\nabort();\n}\n");
        let mut lines = LineMap::new();
        lines.insert("a.c", 2, 1);
        let candidate = FileTree::file("a.c", "int main() { abort(); }\n");
        assert_eq!(known.missing(&candidate, &lines), None);
        assert!(known.missing(&candidate, &LineMap::new()).is_some());
    }
}
