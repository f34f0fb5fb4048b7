//! Expressions that had several values in the original's run. Such an expression may be replaced by
//! its last value only where it is computed once.

use crate::run::Course;
use crate::sameness::LineMap;
use lapidary_clang::tokens;
use lapidary_reduce::{Entry, FileTree};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The expressions, filled in once the original has been watched.
#[derive(Debug, Default)]
pub struct Varying(OnceLock<Vec<Expression>>);

#[derive(Debug)]
struct Expression {
    /// The file, named as in failures.
    file: PathBuf,
    line: u32,
    tokens: Vec<Vec<u8>>,
}

impl Varying {
    /// Records the expressions, given by file, line and text. Later calls have no effect.
    pub(crate) fn learn<'a>(&self, expressions: impl Iterator<Item = (PathBuf, u32, &'a [u8])>) {
        let expression = |(file, line, text): (PathBuf, u32, &[u8])| Expression { file, line, tokens: spelled(text) };
        self.0.get_or_init(|| expressions.map(expression).collect());
    }

    /// Describes an expression that a candidate has replaced by one of its values although its line
    /// runs several times.
    pub(crate) fn fixed_in(&self, candidate: &FileTree, course: &Course, lines: &LineMap) -> Option<String> {
        let is_fixed = |expression: &&Expression| {
            let now = lines.get(&expression.file, expression.line);
            let text = now.and_then(|line| line_of(candidate, &expression.file, line)).unwrap_or_default();
            let left = spelled(text);
            let is_written = left.windows(expression.tokens.len()).any(|window| window == expression.tokens);
            !is_written && now.is_some_and(|line| course.repeats(&expression.file, line))
        };
        let fixed = self.0.get()?.iter().find(is_fixed)?;
        let text = String::from_utf8_lossy(&fixed.tokens.join(&b' ')).into_owned();
        Some(format!("`{text}` in line {} had several values", fixed.line))
    }
}

fn line_of<'t>(tree: &'t FileTree, path: &Path, line: u32) -> Option<&'t [u8]> {
    let path = if tree.is_directory() { path } else { Path::new("") };
    let Some(Entry::File { content, .. }) = tree.entry(path) else { return None };
    content.split(|byte| *byte == b'\n').nth(line.checked_sub(1)? as usize)
}

fn spelled(text: &[u8]) -> Vec<Vec<u8>> {
    tokens(text).into_iter().map(|token| text[token.range].to_vec()).collect()
}
