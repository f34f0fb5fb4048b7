//! Edits of text.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A range of a file and the text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub file: PathBuf,
    pub range: Range<usize>,
    pub text: String,
}

/// Applies those edits that concern this file to its text. The edits must be in order and must not
/// overlap.
pub fn apply(edits: &[Edit], file: &Path, text: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits.iter().filter(|edit| edit.file == file) {
        result.extend(&text[at..edit.range.start]);
        result.extend(edit.text.as_bytes());
        at = edit.range.end;
    }
    result.extend(&text[at..]);
    result
}
