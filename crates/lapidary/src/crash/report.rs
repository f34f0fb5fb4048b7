//! The report of a minimised crash, and how its bytes are counted.

use super::name_of;
use crate::follow::Follow;
use lapidary_crash::minimise::{Approach, Target};
use lapidary_crash::{Failure, LineMap};
use lapidary_reduce::{Counts, Entry, Event, FileTree, Observer, StageEnd, StageInfo, Stop};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The outcome of minimising a crash: the small program, and the cost of the search.
pub struct CrashReport {
    /// The program, as the caller named it.
    pub input: PathBuf,
    /// How the program fails.
    pub failure: Failure,
    /// How the result fails, if it was run once more.
    pub failure_of_result: Option<Failure>,
    /// The program as it was.
    pub original: FileTree,
    /// The lines of the original that had an influence on the failing statement in its run, by file;
    /// `None` if the search made no dynamic slice.
    pub sliced: Option<BTreeMap<PathBuf, BTreeSet<u32>>>,
    /// Where the lines of the original are in the result.
    pub lines: LineMap,
    /// The few statements that make it fail.
    pub result: FileTree,
    /// Where the result was saved.
    pub saved: Option<PathBuf>,
    /// File and line of the failing statement in the result.
    pub failing: Option<(PathBuf, u32)>,
    /// The number of smaller sub-programs that were tried, if these were all.
    pub tried: Option<u32>,
    /// The search that was used.
    pub approach: Approach,
    /// Whether the reason of the failure had to stay, and not only the error.
    pub keeps_reason: bool,
    /// Bytes of the program without white space.
    pub bytes_before: u64,
    /// Bytes of the result without white space.
    pub bytes_after: u64,
    /// How many tests of each kind the search needed.
    pub counts: Counts,
    /// How many times a program was run.
    pub runs: u64,
    /// How long everything took.
    pub total: Duration,
    /// Why the search ended early; the result is then the best so far.
    pub stop: Option<Stop>,
    /// Whether the result, run once more, did not fail like this.
    pub is_flaky: bool,
}

impl CrashReport {
    /// The report without the result itself, as docs/reference/cli.md describes it.
    pub fn json(&self) -> Value {
        json!({
            "command": "crash",
            "input": self.input.to_string_lossy(),
            "failure": self.failure,
            "strategy": name_of(self.approach),
            "bytes": { "before": self.bytes_before, "after": self.bytes_after },
            "tests": { "search": self.counts.search + self.counts.confirm, "run": self.runs },
            "seconds": { "total": self.total.as_secs_f64() },
            "smallest": self.tried.is_some(),
            "keeps_reason": self.keeps_reason,
            "line": self.failing.as_ref().map(|(_, line)| line),
            "result": self.saved.as_ref().map(|path| path.to_string_lossy()),
            "complete": self.stop.is_none(),
        })
    }

    /// The result with the failing statement marked. Files over 100 lines are left out.
    pub fn marked(&self) -> String {
        marked(&self.result, self.failing.as_ref())
    }
}

fn marked(result: &FileTree, failing: Option<&(PathBuf, u32)>) -> String {
    const LONGEST: usize = 100;
    let mut text = String::new();
    for (path, entry) in result.entries() {
        let Entry::File { content, .. } = entry else { continue };
        let name = if result.is_directory() { path.to_owned() } else { result.name().into() };
        let content = String::from_utf8_lossy(content);
        if content.lines().count() > LONGEST {
            continue;
        }
        text.push_str(&format!("--- {}\n", name.display()));
        for (number, line) in content.lines().enumerate() {
            let fails = failing.is_some_and(|(file, failing)| *file == name && *failing == number as u32 + 1);
            text.push_str(&format!("{} {line}\n", if fails { "-->" } else { "   " }));
        }
    }
    text
}

/// The lines of the dynamic slice of the original, with files as in its tree.
pub(super) fn sliced(target: &Target) -> Option<BTreeMap<PathBuf, BTreeSet<u32>>> {
    let name = |path: &Path| path.strip_prefix(&target.project.root).unwrap_or(path).to_owned();
    let files = &target.slice.get()?.files;
    Some(files.iter().map(|file| (name(&file.path), file.lines())).collect())
}

/// Bytes without white space, because the lines stay in place during the search.
pub(super) fn code_bytes(tree: &FileTree) -> u64 {
    let count = |entry: &Entry| match entry {
        Entry::File { content, .. } => content.iter().filter(|byte| !byte.is_ascii_whitespace()).count() as u64,
        _ => 0,
    };
    tree.entries().map(|(_, entry)| count(entry)).sum()
}

/// Follows a search and remembers its intermediate results.
pub(super) struct Remembering<'a, 'f> {
    pub(super) follow: &'a mut Follow<'f>,
    /// Every best result so far, in order.
    pub(super) bests: Vec<FileTree>,
}

impl Observer for Remembering<'_, '_> {
    fn stage(&mut self, stage: &StageInfo<'_>) -> Result<(), String> {
        self.follow.stage(stage)
    }

    fn test(&mut self, event: &Event<'_>, counts: &Counts) -> Result<(), String> {
        self.follow.test(event, counts)
    }

    fn stage_ended(&mut self, end: &StageEnd<'_>) -> Result<(), String> {
        self.follow.stage_ended(end)
    }

    fn warning(&mut self, text: &str) {
        self.follow.warning(text);
    }

    fn improved(&mut self, best: &FileTree) -> Result<(), String> {
        self.follow.improved(best)?;
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
        let failing = ("b.c".into(), 2);
        assert_eq!(marked(&result, Some(&failing)), "--- a.c\n    one\n    two\n--- b.c\n    one\n--> two\n");
        assert_eq!(code_bytes(&result), 12);
    }
}
