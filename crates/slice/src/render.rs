//! Renders a slice as text.

use crate::slice::{Slice, SlicedFile};
use std::path::PathBuf;

/// The way in which text outside the slice is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Its lines are blank, so that the others keep their line numbers.
    Blank,
    /// Its lines are removed if nothing else is on them.
    Compact,
    /// It is printed faint, with terminal escape codes.
    Dimmed,
}

/// Renders every file of a slice.
pub fn render(slice: &Slice, style: Style) -> Vec<(PathBuf, Vec<u8>)> {
    slice.files.iter().map(|file| (file.path.clone(), file.render(style))).collect()
}

impl SlicedFile {
    pub fn render(&self, style: Style) -> Vec<u8> {
        let mut result = Vec::new();
        let mut at = 0;
        for removal in &self.removed {
            result.extend(&self.text[at..removal.start]);
            let gone = &self.text[removal.start..removal.end];
            match style {
                Style::Dimmed => dim(gone, &mut result),
                Style::Blank | Style::Compact => {
                    result.extend(removal.replacement.as_bytes());
                    result.extend(gone.iter().filter(|byte| **byte == b'\n'));
                }
            }
            at = removal.end;
        }
        result.extend(&self.text[at..]);
        match style {
            Style::Compact => without_emptied_lines(&self.text, &result),
            Style::Blank | Style::Dimmed => result,
        }
    }
}

/// Dims a text line by line, so that pagers and `grep` show the escape codes correctly.
fn dim(text: &[u8], result: &mut Vec<u8>) {
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if index > 0 {
            result.push(b'\n');
        }
        if !line.trim_ascii().is_empty() {
            result.extend(b"\x1b[2m");
            result.extend(line);
            result.extend(b"\x1b[0m");
        }
    }
}

/// Removes lines that had text before and have none now.
fn without_emptied_lines(before: &[u8], after: &[u8]) -> Vec<u8> {
    let lines = before.split_inclusive(|byte| *byte == b'\n').zip(after.split_inclusive(|byte| *byte == b'\n'));
    let stays = |(old, new): &(&[u8], &[u8])| !new.trim_ascii().is_empty() || old.trim_ascii().is_empty();
    lines.filter(stays).flat_map(|(_, new)| new.iter().copied()).collect()
}
