//! A file tree as lines that a person can scroll through: texts as they are, classes disassembled,
//! other files by name and size.

use crate::classes::Classes;
use crate::harmless;
use crate::words::{counted, thousands};
use lapidary::{Blob, Entry, FileTree};
use std::sync::Arc;

/// The most bytes of text that are shown.
pub(crate) const MOST: usize = 1 << 20;

/// A line longer than this is cut, since nobody scrolls that far.
const LONGEST: usize = 1000;

/// A file tree as lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The lines, without anything that a terminal obeys.
    pub lines: Vec<String>,
}

impl Document {
    /// The tree in lines. Several files have a line with name and size each; from the first one that
    /// is too long on, they have nothing else.
    pub fn of(tree: &FileTree) -> Document {
        Document::with(tree, &mut Classes::default())
    }

    /// The tree in lines, with classes that may be known already.
    pub(crate) fn with(tree: &FileTree, classes: &mut Classes) -> Document {
        let (mut document, mut room) = (Document::default(), MOST);
        let is_single = tree.only_file().is_some();
        for (path, entry) in tree.entries() {
            match entry {
                Entry::File { content, .. } => {
                    let text = if room > 0 { readable(content, classes) } else { None };
                    if !is_single || text.is_none() {
                        let name = if is_single { tree.name().into() } else { path.to_string_lossy() };
                        document.push(&format!("{:>12}  {name}", thousands(content.len() as u64)));
                    }
                    text.iter().for_each(|text| document.push_text(text, &mut room));
                }
                Entry::Link { target } => document.push(&format!("{} -> {}", path.display(), target.display())),
                Entry::EmptyDirectory => document.push(&format!("{}/", path.display())),
            }
        }
        document
    }

    /// A text alone.
    pub(crate) fn of_text(text: &str, room: &mut usize) -> Document {
        let mut document = Document::default();
        document.push_text(text, room);
        document
    }

    /// As much of a text as there is room for.
    fn push_text(&mut self, text: &str, room: &mut usize) {
        let shown = &text[..text.floor_char_boundary(*room)];
        shown.lines().for_each(|line| self.push(line));
        *room -= shown.len();
        if shown.len() < text.len() {
            self.push(&format!("… and {} more", counted(text.len() - shown.len(), "byte")));
            *room = 0;
        }
    }

    fn push(&mut self, line: &str) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let end = line.char_indices().nth(LONGEST).map_or(line.len(), |(end, _)| end);
        let dots = if end < line.len() { "…" } else { "" };
        self.lines.push(format!("{}{dots}", harmless(&line[..end]).replace('\t', "    ")));
    }
}

/// A file as text. `None` for files that have none.
pub(crate) fn readable(content: &Blob, classes: &mut Classes) -> Option<Arc<str>> {
    const HEAD: usize = 4096;
    let is_binary = content[..content.len().min(HEAD)].contains(&0);
    match is_binary {
        true => classes.text(content),
        false => Some(String::from_utf8_lossy(content).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::tests::class;

    #[test]
    fn one_text_is_shown_as_it_is_without_anything_a_terminal_obeys() {
        let tree = FileTree::file("a.c", "int a;\r\n\tb\x1b[2J\n\u{202e}x");
        assert_eq!(Document::of(&tree).lines, ["int a;", "    b\\u{1b}[2J", "\\u{202e}x"]);
    }

    #[test]
    fn classes_are_disassembled() {
        let class = class("p/A", &["x"]);
        let size = format!("{:>12}  p/A.class", class.len());
        let shown = ["// class file 61.0, Java 17", "public class p.A {", "  int x;", "}"];
        assert_eq!(Document::of(&FileTree::file("A.class", class.clone())).lines, shown);
        let files = [("p/A.class", Entry::file(class)), ("p/B.class", Entry::file(b"\xca\xfe\xba\xbe\0".to_vec()))];
        let files = files.map(|(name, entry)| (name.into(), entry));
        let lines = Document::of(&FileTree::directory("p", files.into())).lines;
        assert_eq!(lines, [&[size.as_str()][..], &shown[..], &["           5  p/B.class"][..]].concat());
    }

    #[test]
    fn after_a_file_that_is_too_long_there_are_only_names() {
        let files = [("a", "x\n".repeat(1 << 20)), ("b", "short\n".to_owned())];
        let files = files.map(|(name, text)| (name.into(), Entry::file(text.as_str())));
        let lines = Document::of(&FileTree::directory("p", files.into())).lines;
        assert_eq!(lines[lines.len() - 2..], ["… and 1,048,576 bytes more", "           6  b"]);
    }

    #[test]
    fn files_have_their_names_and_binary_ones_nothing_else() {
        let files =
            [("A.class", "\u{0}binary"), ("b.txt", "text\n")].map(|(name, text)| (name.into(), Entry::file(text)));
        let lines = Document::of(&FileTree::directory("p", files.into())).lines;
        assert_eq!(lines, ["           7  A.class", "           5  b.txt", "text"]);
    }

    #[test]
    fn a_huge_text_is_cut() {
        let lines = Document::of(&FileTree::file("a", "x\n".repeat(2 << 20).as_str())).lines;
        assert_eq!(lines.last().unwrap(), "… and 3,145,728 bytes more");
        let line = Document::of(&FileTree::file("a", "y".repeat(100_000).as_str())).lines.remove(0);
        assert_eq!(line.chars().count(), LONGEST + 1);
    }
}
