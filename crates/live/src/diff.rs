//! The difference between the input and the best result: which files are gone, and what changed in
//! the others, line by line.

use crate::classes::Classes;
use crate::document::{Document, MOST, readable};
use crate::words::counted;
use lapidary::{Entry, FileTree};
use similar::{Algorithm, ChangeTag, TextDiff};
use std::time::Duration;

/// A line of the text part of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The sort of line, which decides its colour.
    pub tag: Tag,
    /// The text, without anything that a terminal obeys.
    pub text: String,
}

/// The sort of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// An ordinary line.
    Plain,
    /// A line that only the best result has.
    Added,
    /// A line that only the input has.
    Removed,
    /// A line about others.
    Heading,
}

impl Row {
    /// A row of this sort.
    pub fn new(tag: Tag, text: impl Into<String>) -> Row {
        Row { tag, text: text.into() }
    }
}

/// After this time, the rest is shown as removed and added as a whole.
const PATIENCE: Duration = Duration::from_millis(200);

/// The differences between two trees. Texts are compared by their lines, classes by those of their
/// disassembly, other files as a whole.
pub(crate) fn rows(input: &FileTree, best: &FileTree, classes: &mut Classes) -> Vec<Row> {
    let mut rows = match input.is_directory() || best.is_directory() {
        false => lines(&Document::with(input, classes), &Document::with(best, classes)),
        true => files(input, best, classes),
    };
    if rows.is_empty() {
        rows.push(Row::new(Tag::Heading, "nothing was removed so far"));
    }
    rows
}

fn files(input: &FileTree, best: &FileTree, classes: &mut Classes) -> Vec<Row> {
    let mut room = [MOST; 2];
    let mut rows = Vec::new();
    for (path, old) in input.entries() {
        let name = path.to_string_lossy();
        let name = crate::harmless(&name);
        match best.entry(path) {
            None => rows.push(Row::new(Tag::Removed, format!("- {name} ({})", counted(old.bytes() as usize, "byte")))),
            Some(new) if new == old => {}
            Some(new) => {
                let sizes = format!("{name}: {} of {} left", new.bytes(), counted(old.bytes() as usize, "byte"));
                rows.push(Row::new(Tag::Heading, sizes));
                rows.extend(changed(old, new, classes, &mut room));
            }
        }
    }
    let is_new = |path: &std::path::Path| input.entry(path).is_none();
    let added = best.entries().filter(|(path, _)| is_new(path));
    rows.extend(added.map(|(path, _)| Row::new(Tag::Added, format!("+ {}", crate::harmless(&path.to_string_lossy())))));
    rows
}

/// The lines of a file that differ, as long as there is room for texts.
fn changed(old: &Entry, new: &Entry, classes: &mut Classes, room: &mut [usize; 2]) -> Vec<Row> {
    let (Entry::File { content: old, .. }, Entry::File { content: new, .. }) = (old, new) else { return Vec::new() };
    if room.contains(&0) {
        return Vec::new();
    }
    let [old, new] = [old, new].map(|content| readable(content, classes));
    let (Some(old), Some(new)) = (old, new) else { return Vec::new() };
    let [room_of_old, room_of_new] = room;
    lines(&Document::of_text(&old, room_of_old), &Document::of_text(&new, room_of_new))
}

/// The lines that differ, with three lines around them.
fn lines(input: &Document, best: &Document) -> Vec<Row> {
    const AROUND: usize = 3;
    let [old, new] = [input, best].map(|document| document.lines.iter().map(String::as_str).collect::<Vec<&str>>());
    let mut config = TextDiff::configure();
    let diff = config.algorithm(Algorithm::Patience).timeout(PATIENCE).diff_slices(&old, &new);
    let mut rows = Vec::new();
    for group in diff.grouped_ops(AROUND) {
        let first = group.first().map_or(0, |op| op.old_range().start);
        rows.push(Row::new(Tag::Heading, format!("line {} of the input", first + 1)));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (tag, sign) = match change.tag() {
                ChangeTag::Equal => (Tag::Plain, ' '),
                ChangeTag::Delete => (Tag::Removed, '-'),
                ChangeTag::Insert => (Tag::Added, '+'),
            };
            rows.push(Row::new(tag, format!("{sign} {}", change.value())));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::tests::class;
    use lapidary::Blob;

    fn shown(input: &FileTree, best: &FileTree) -> Vec<String> {
        rows(input, best, &mut Classes::default()).into_iter().map(|row| row.text).collect()
    }

    #[test]
    fn removed_lines_are_shown_with_some_around_them() {
        let input: String = (1..=20).map(|number| format!("{number}\n")).collect();
        let best = input.replace("10\n", "");
        let trees = [input, best].map(|text| FileTree::file("a", text.as_str()));
        let rows = rows(&trees[0], &trees[1], &mut Classes::default());
        let shown: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(shown, ["line 7 of the input", "  7", "  8", "  9", "- 10", "  11", "  12", "  13"]);
        assert_eq!((rows[0].tag, rows[4].tag), (Tag::Heading, Tag::Removed));
    }

    #[test]
    fn equal_texts_have_no_difference() {
        let tree = FileTree::file("a", "a\n");
        assert_eq!(shown(&tree, &tree), ["nothing was removed so far"]);
    }

    fn tree(files: &[(&str, Blob)]) -> FileTree {
        let files = files.iter().map(|(name, content)| (name.into(), Entry::file(content.clone())));
        FileTree::directory("p.jar", files.collect())
    }

    #[test]
    fn classes_differ_in_their_members_and_files_that_are_gone_are_named() {
        let old = class("p/A", &["x", "y"]);
        let new = class("p/A", &["y"]);
        let sizes = format!("p/A.class: {} of {} bytes left", new.len(), old.len());
        let same = Blob::from(class("p/C", &[]));
        let input = tree(&[("p/A.class", old.into()), ("p/B.class", "\0\u{202e}".into()), ("p/C.class", same.clone())]);
        let best = tree(&[("p/A.class", new.into()), ("p/C.class", same), ("\u{202e}new", "".into())]);
        let expected = [
            sizes.as_str(),
            "line 1 of the input",
            "  // class file 61.0, Java 17",
            "  public class p.A {",
            "-   int x;",
            "    int y;",
            "  }",
            "- p/B.class (4 bytes)",
            "+ \\u{202e}new",
        ];
        assert_eq!(shown(&input, &best), expected);
    }

    #[test]
    fn binary_files_that_changed_have_their_sizes() {
        let [input, best] = ["\0one", "\0"].map(|text| tree(&[("data", text.into())]));
        assert_eq!(shown(&input, &best), ["data: 1 of 4 bytes left"]);
    }
}
