//! Removes the gaps from a candidate that has the lines of the original.

use crate::sameness::LineMap;
use lapidary_reduce::{Entry, FileTree};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Removes the lines that have become empty and returns where the others are now. Empty lines of
/// the author's stay, except a second one in a row and those at the start or end of a block.
pub fn compacted(original: &FileTree, candidate: &FileTree) -> (FileTree, LineMap) {
    let mut lines = LineMap::new();
    let mut result = candidate.clone();
    let paths: Vec<PathBuf> = candidate.entries().map(|(path, _)| path.to_path_buf()).collect();
    for path in paths {
        let (Some(before), Some(now)) = (text(original, &path), text(candidate, &path)) else { continue };
        if before == now {
            continue;
        }
        let name = if candidate.is_directory() { path.clone() } else { candidate.name().into() };
        let kept = kept_lines(before, now);
        let mut text = Vec::new();
        for (number, (line, content)) in kept.iter().enumerate() {
            lines.insert(name.clone(), *line, number as u32 + 1);
            text.extend_from_slice(content);
            text.push(b'\n');
        }
        result = result.with_file(&path, text.into());
    }
    (result, lines)
}

fn text<'t>(tree: &'t FileTree, path: &Path) -> Option<&'t [u8]> {
    match tree.entry(path)? {
        Entry::File { content, .. } => Some(content),
        Entry::Link { .. } | Entry::EmptyDirectory => None,
    }
}

/// Returns the lines that stay, with their numbers in the original.
fn kept_lines<'t>(before: &[u8], now: &'t [u8]) -> Vec<(u32, Cow<'t, [u8]>)> {
    let mut kept: Vec<(u32, Cow<'t, [u8]>)> = Vec::new();
    let was: Vec<&[u8]> = before.split(|byte| *byte == b'\n').collect();
    for (index, line) in now.split(|byte| *byte == b'\n').enumerate() {
        let is_welcome = !is_blank(line)
            || (was.get(index).is_some_and(|line| is_blank(line))
                && kept.last().is_some_and(|(_, last)| !is_blank(last) && !last.trim_ascii_end().ends_with(b"{")));
        if is_welcome {
            let closes = line.trim_ascii_start().starts_with(b"}");
            kept.pop_if(|(_, last)| closes && is_blank(last));
            let is_untouched = was.get(index) == Some(&line);
            kept.push((index as u32 + 1, if is_untouched { line.into() } else { without_gap(line) }));
        }
    }
    while kept.last().is_some_and(|(_, last)| is_blank(last)) {
        kept.pop();
    }
    kept
}

/// Removes the white space that removed text has left at the end of a line. The line ending stays
/// as the author wrote it.
fn without_gap(line: &[u8]) -> Cow<'_, [u8]> {
    match line.strip_suffix(b"\r") {
        Some(body) => [body.trim_ascii_end(), b"\r"].concat().into(),
        None => line.trim_ascii_end().into(),
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_go_and_the_authors_empty_lines_stay() {
        let original = FileTree::file("a.c", "int a;\nint b;\n\nint c;\nint d;\n\n\nint e;\n");
        let candidate = FileTree::file("a.c", "int a;\n\n\nint c;\n\n\n\nint e;\n");
        let (result, lines) = compacted(&original, &candidate);
        assert_eq!(result, FileTree::file("a.c", "int a;\n\nint c;\n\nint e;\n"));
        let place = |line| lines.get(Path::new("a.c"), line);
        assert_eq!([place(1), place(2), place(4), place(8)], [Some(1), None, Some(3), Some(5)]);
    }

    #[test]
    fn lines_end_as_the_author_ended_them() {
        let original = FileTree::file("a.c", "int a;\r\n\r\nint b; int c;\r\nint d;  \r\nint e;\r\n");
        let candidate = FileTree::file("a.c", "int a;\r\n\r\nint b;       \r\nint d;  \r\n      \r\n");
        let (result, _) = compacted(&original, &candidate);
        let text = "int a;\r\n\r\nint b;\r\nint d;  \r\n";
        assert_eq!(result, FileTree::file("a.c", text));
    }

    #[test]
    fn what_did_not_change_keeps_its_lines() {
        let tree = FileTree::file("a.c", "\n\n\nint a;");
        let (result, lines) = compacted(&tree, &tree);
        assert_eq!(result, tree);
        assert_eq!(lines.get(Path::new("a.c"), 4), Some(4));
    }
}
