//! What `lapidary crash` says of its result, and how it counts.

use crate::follow::Follow;
use lapidary_reduce::{Counts, Entry, Event, FileTree, Observer, StageInfo};
use std::path::{Path, PathBuf};

/// A result and what it cost.
pub(super) struct Report<'a> {
    pub(super) result: &'a FileTree,
    /// File and line of the statement that fails.
    pub(super) failing: Option<(PathBuf, u32)>,
    /// How many sub-programs were tried, if that is all.
    pub(super) tried: Option<u32>,
    pub(super) tests: u64,
    /// The number that was shown on the way.
    pub(super) tests_with_speculation: u64,
    pub(super) runs: u64,
    pub(super) seconds: f64,
    pub(super) path: &'a Path,
}

impl Report<'_> {
    /// The result with the failing statement marked.
    pub(super) fn marked(&self) -> String {
        const LONGEST: usize = 100;
        let mut text = String::new();
        for (path, entry) in self.result.entries() {
            let Entry::File { content, .. } = entry else { continue };
            let name = if self.result.is_directory() { path.to_owned() } else { self.result.name().into() };
            let content = String::from_utf8_lossy(content);
            if content.lines().count() > LONGEST {
                continue;
            }
            text.push_str(&format!("--- {}\n", name.display()));
            for (number, line) in content.lines().enumerate() {
                let fails =
                    self.failing.as_ref().is_some_and(|(file, failing)| *file == name && *failing == number as u32 + 1);
                text.push_str(&format!("{} {line}\n", if fails { "-->" } else { "   " }));
            }
        }
        text
    }
}

/// Bytes that are not blanks between lines: during the search the lines stay.
pub(super) fn code_bytes(tree: &FileTree) -> u64 {
    let count = |entry: &Entry| match entry {
        Entry::File { content, .. } => content.iter().filter(|byte| !byte.is_ascii_whitespace()).count() as u64,
        _ => 0,
    };
    tree.entries().map(|(_, entry)| count(entry)).sum()
}

/// Follows a search whose candidates keep their lines: what is shown on the way is counted as in the end.
pub(super) struct CountingCode<'a, 'f> {
    pub(super) follow: &'a mut Follow<'f>,
    /// Everything that was the best for a time, in that order.
    pub(super) bests: Vec<FileTree>,
}

impl Observer for CountingCode<'_, '_> {
    fn stage(&mut self, stage: &StageInfo<'_>) -> Result<(), String> {
        self.follow.stage(stage)
    }

    fn test(&mut self, event: &Event<'_>, counts: &Counts) -> Result<(), String> {
        self.follow.test(event, counts)
    }

    fn improved(&mut self, best: &FileTree) -> Result<(), String> {
        self.follow.improved(best)?;
        self.follow.progress.improved(code_bytes(best));
        self.bests.push(best.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failing_line_is_marked_in_its_file_alone() {
        let files = ["a.c", "b.c"].map(|name| (name.into(), Entry::file("one\ntwo\n")));
        let result = FileTree::directory("p", files.into());
        let failing = Some(("b.c".into(), 2));
        let path = Path::new("p");
        let report = Report {
            result: &result,
            failing,
            tried: None,
            tests: 0,
            tests_with_speculation: 0,
            runs: 0,
            seconds: 0.0,
            path,
        };
        assert_eq!(report.marked(), "--- a.c\n    one\n    two\n--- b.c\n    one\n--> two\n");
        assert_eq!(code_bytes(&result), 12);
    }
}
