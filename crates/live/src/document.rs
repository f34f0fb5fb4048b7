//! A file tree as lines that a person can scroll through: texts as they are, other files by name
//! and size.

use crate::harmless;
use crate::words::{counted, thousands};
use lapidary::{Entry, FileTree};

/// The most bytes of text that are shown.
const MOST: usize = 1 << 20;

/// A line longer than this is cut, since nobody scrolls that far.
const LONGEST: usize = 1000;

/// A file tree as lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The lines, without anything that a terminal obeys.
    pub lines: Vec<String>,
}

impl Document {
    /// The tree in lines. Several files have a line with name and size each.
    pub fn of(tree: &FileTree) -> Document {
        let mut document = Document::default();
        let (mut left, is_single) = (MOST, tree.only_file().is_some());
        for (path, entry) in tree.entries() {
            match entry {
                Entry::File { content, .. } => {
                    let text = as_text(&content[..content.len().min(left)]);
                    if !is_single || text.is_none() {
                        let name = if is_single { tree.name().into() } else { path.to_string_lossy() };
                        document.push(&format!("{:>12}  {name}", thousands(content.len() as u64)));
                    }
                    let Some(text) = text else { continue };
                    text.lines().for_each(|line| document.push(line));
                    left -= content.len().min(left);
                    if left == 0 {
                        let more = tree.bytes() as usize - MOST;
                        document.push(&format!("… and {} more", counted(more, "byte")));
                        break;
                    }
                }
                Entry::Link { target } => document.push(&format!("{} -> {}", path.display(), target.display())),
                Entry::EmptyDirectory => document.push(&format!("{}/", path.display())),
            }
        }
        document
    }

    fn push(&mut self, line: &str) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let end = line.char_indices().nth(LONGEST).map_or(line.len(), |(end, _)| end);
        let dots = if end < line.len() { "…" } else { "" };
        self.lines.push(format!("{}{dots}", harmless(&line[..end]).replace('\t', "    ")));
    }
}

/// The bytes as text, unless they are those of another kind of file.
fn as_text(bytes: &[u8]) -> Option<String> {
    const HEAD: usize = 4096;
    let is_binary = bytes[..bytes.len().min(HEAD)].contains(&0);
    (!is_binary).then(|| String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_is_shown_as_it_is_without_anything_a_terminal_obeys() {
        let tree = FileTree::file("a.c", "int a;\r\n\tb\x1b[2J\n\u{202e}x");
        assert_eq!(Document::of(&tree).lines, ["int a;", "    b\\u{1b}[2J", "\\u{202e}x"]);
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
