//! How a program failed, as its journal notes it for pages about the run.
//! `docs/reference/journal.md` describes the fields.

use lapidary_crash::{Failure, Frame, LineMap};
use lapidary_reduce::journal::OutputRecord;
use lapidary_reduce::{Entry, FileTree};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A failure of the input or of the result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FailureSeen {
    /// The failure in one line.
    pub headline: String,
    /// Addresses and values.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The history of the memory that it is about: `freed at list.c:7 in drop`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<String>,
    /// The stack in pieces, innermost first, each with the number of times it occurs in a row.
    pub stack: Vec<(Vec<FrameSeen>, usize)>,
    /// The number of further pieces.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
    /// File and line of the failing statement, where a listing of the file can show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<(String, u32)>,
    /// The files of the original; only with the failure of the result.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, FileSeen>,
    /// Whether a dynamic slice of the original was made.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_slice: bool,
}

/// An active function with its file and line.
pub type FrameSeen = (String, String, u32);

/// A file of the original.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileSeen {
    /// Its size, by which another version of the file is told.
    pub bytes: u64,
    /// The first and the last line of each part of the dynamic slice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slice: Vec<(u32, u32)>,
    /// For lines that have a place in the result: the first one, its line there, and how many follow
    /// each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<(u32, u32, u32)>,
}

impl FailureSeen {
    /// The note of a failure of this program.
    pub(crate) fn of(failure: &Failure, tree: &FileTree) -> FailureSeen {
        const PIECES: usize = 60;
        let name = |path: &Path| path.to_string_lossy().into_owned();
        let frame = |frame: &Frame| (frame.function.clone(), name(&frame.file), frame.line);
        let pieces = failure.repetitions();
        let shown = pieces.iter().take(PIECES);
        FailureSeen {
            headline: failure.headline(),
            detail: failure.detail.clone(),
            history: failure.sites.iter().map(|site| format!("{} at {}", site.done, site.frame.place())).collect(),
            stack: shown.map(|(frames, count)| (frames.iter().map(frame).collect(), *count)).collect(),
            more: pieces.len().saturating_sub(PIECES),
            place: failure.place_in(tree).map(|frame| (name(&frame.file), frame.line)),
            files: BTreeMap::new(),
            has_slice: false,
        }
    }

    /// Adds what became of the files of the original.
    pub(crate) fn with_files(
        self,
        original: &FileTree,
        sliced: Option<&BTreeMap<PathBuf, BTreeSet<u32>>>,
        lines: &LineMap,
    ) -> FailureSeen {
        let file = |(path, entry): (&Path, &Entry)| {
            let Entry::File { content, .. } = entry else { return None };
            let name = if original.is_directory() { path } else { Path::new(original.name()) };
            let count = u32::try_from(String::from_utf8_lossy(content).lines().count()).ok()?;
            let slice = sliced.and_then(|sliced| sliced.get(name)).into_iter().flatten();
            let left = (1..=count).filter_map(|line| Some((line, lines.get(name, line)?)));
            let seen = FileSeen { bytes: content.len() as u64, slice: ranges(slice.copied()), left: runs(left) };
            Some((name.to_string_lossy().into_owned(), seen))
        };
        FailureSeen { files: original.entries().filter_map(file).collect(), has_slice: sliced.is_some(), ..self }
    }

    /// The note in a journal; `None` if there is none that can be understood.
    pub fn read(output: &OutputRecord) -> Option<FailureSeen> {
        serde_json::from_value(output.failure.clone()?).ok()
    }

    /// The record with this note.
    pub(crate) fn noted_in(&self, output: OutputRecord) -> OutputRecord {
        OutputRecord { failure: serde_json::to_value(self).ok(), ..output }
    }
}

fn ranges(lines: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    ranges
}

fn runs(lines: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32, u32)> {
    let mut runs: Vec<(u32, u32, u32)> = Vec::new();
    for (line, now) in lines {
        match runs.last_mut() {
            Some((first, place, count)) if *first + *count == line && *place + *count == now => *count += 1,
            _ => runs.push((line, now, 1)),
        }
    }
    runs
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_crash::Kind;
    use lapidary_reduce::journal::Of;

    #[test]
    fn a_failure_is_read_back_from_its_note() {
        let frame = |line| Frame { function: "f".into(), file: "a.c".into(), line, column: None };
        let failure = Failure {
            kind: Kind::Signal("SIGFPE".into()),
            message: "integer division by zero".into(),
            detail: String::new(),
            frames: [vec![frame(2); 50], vec![frame(4)]].concat(),
            address: None,
            sites: Vec::new(),
        };
        let original = FileTree::file("a.c", "one\ntwo\nthree\nfour\n");
        let mut lines = LineMap::new();
        [(1, 1), (2, 2), (4, 3)].into_iter().for_each(|(line, now)| lines.insert("a.c", line, now));
        let sliced = BTreeMap::from([("a.c".into(), BTreeSet::from([1, 2, 4]))]);
        let seen = FailureSeen::of(&failure, &original).with_files(&original, Some(&sliced), &lines);
        assert_eq!(seen.stack, [(vec![("f".into(), "a.c".into(), 2)], 50), (vec![("f".into(), "a.c".into(), 4)], 1)]);
        assert_eq!(seen.files["a.c"].slice, [(1, 2), (4, 4)]);
        assert_eq!(seen.files["a.c"].left, [(1, 1, 2), (4, 3, 1)]);
        let noted = seen.noted_in(OutputRecord::new(Of::Result, "", b"", b""));
        assert_eq!(FailureSeen::read(&noted), Some(seen));
        assert_eq!(FailureSeen::read(&OutputRecord::new(Of::Result, "", b"", b"")), None, "as in earlier journals");
    }
}
