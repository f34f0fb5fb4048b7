//! The difference between the input and the best result, line by line.

use crate::document::Document;
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

/// The lines that differ, with three lines around them.
pub(crate) fn rows(input: &Document, best: &Document) -> Vec<Row> {
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
    if rows.is_empty() {
        rows.push(Row::new(Tag::Heading, "nothing was removed so far"));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary::FileTree;

    fn document(text: &str) -> Document {
        Document::of(&FileTree::file("a", text))
    }

    #[test]
    fn removed_lines_are_shown_with_some_around_them() {
        let input: String = (1..=20).map(|number| format!("{number}\n")).collect();
        let best = input.replace("10\n", "");
        let rows = rows(&document(&input), &document(&best));
        let shown: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(shown, ["line 7 of the input", "  7", "  8", "  9", "- 10", "  11", "  12", "  13"]);
        assert_eq!((rows[0].tag, rows[4].tag), (Tag::Heading, Tag::Removed));
    }

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(rows(&document("a\n"), &document("a\n")).len(), 1);
    }
}
