//! What happened, for people (stdout) and for programs (`--json`).

use crate::progress::{counted, thousands};
use crate::say::{out, say};
use lapidary_logic::VarSet;
use lapidary_reduce::{Content, Counts, Entry, FileTree, Item};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub struct Summary {
    pub input: PathBuf,
    pub model: String,
    pub strategy: String,
    pub items_before: usize,
    pub items_after: usize,
    pub clauses: usize,
    pub bytes_before: u64,
    pub bytes_after: u64,
    pub counts: Counts,
    /// How many times the test was run, checks and speculation included.
    pub runs: u64,
    /// How many candidates never came to the test, because they do not compile.
    pub refused: u64,
    /// How many candidates printed all that was to be preserved, and more.
    pub supersets: u64,
    pub total: Duration,
    /// How much of it passed before the search began.
    pub before: Duration,
    pub in_tests: Duration,
    pub result: PathBuf,
    pub complete: bool,
    /// The share of runs on the input that were interesting.
    pub reliability: f64,
}

impl Summary {
    pub fn json(&self) -> Value {
        json!({
            "command": "reduce",
            "input": self.input.to_string_lossy(),
            "model": self.model,
            "strategy": self.strategy,
            "items": { "before": self.items_before, "after": self.items_after },
            "bytes": { "before": self.bytes_before, "after": self.bytes_after },
            "clauses": self.clauses,
            "tests": {
                "search": self.counts.search,
                "confirm": self.counts.confirm,
                "run": self.runs,
                "cached": self.counts.cached,
                "interesting": self.counts.interesting,
                "unresolved": self.counts.unresolved,
                "timed_out": self.counts.timed_out,
                "supersets": self.supersets,
                "refused": self.refused,
            },
            "seconds": {
                "total": self.total.as_secs_f64(),
                "before": self.before.as_secs_f64(),
                "in_tests": self.in_tests.as_secs_f64(),
            },
            "reliability": self.reliability,
            "result": self.result.to_string_lossy(),
            "complete": self.complete,
        })
    }

    pub fn print(&self) {
        let percent = 100.0 * self.bytes_after as f64 / self.bytes_before.max(1) as f64;
        say!(
            "{}: {} of {} bytes left ({percent:.1} %), {} tests in {:.1} s{}",
            self.input.display(),
            thousands(self.bytes_after),
            thousands(self.bytes_before),
            thousands(self.runs),
            self.total.as_secs_f64(),
            self.share_before()
        );
        say!("result: {}", self.result.display());
    }

    /// What went into the checks before the search, where anybody would notice.
    fn share_before(&self) -> String {
        match self.before >= Duration::from_secs(1) {
            true => format!(", {:.1} s of it before the search", self.before.as_secs_f64()),
            false => String::new(),
        }
    }
}

/// The labels of what is left of a model with named items, when there are few.
pub fn print_kept(items: &[Item], kept: &VarSet) {
    const FEW: usize = 60;
    let labels: Vec<&str> =
        kept.iter().filter_map(|var| items.get(var.index())).map(|item| item.label.as_str()).collect();
    if labels.len() <= FEW {
        say!("{} left: {}", counted(labels.len(), "item"), labels.join(", "));
    } else {
        say!("{} left", counted(labels.len(), "item"));
    }
}

/// The result itself, when it fits a screen.
pub fn print_result(result: &FileTree) {
    const LINES: usize = 40;
    let Content::File(Entry::File { content, .. }) = result.content() else { return };
    let Ok(text) = std::str::from_utf8(content) else { return };
    let fits = text.len() < 4000
        && text.lines().count() <= LINES
        && !text.contains(|c: char| c.is_control() && !c.is_whitespace());
    if fits && !text.trim().is_empty() {
        say!("---");
        out(format_args!("{text}"));
        if !text.ends_with('\n') {
            say!("");
        }
        say!("---");
    }
}

/// Writes the JSON summary; `-` is standard output.
pub fn write_json(path: &Path, summary: &Value) -> anyhow::Result<()> {
    write_text(path, &format!("{summary:#}\n"))
}

/// Writes what a command made; `-` is standard output.
pub fn write_text(path: &Path, text: &str) -> anyhow::Result<()> {
    if path == Path::new("-") {
        out(format_args!("{text}"));
        return Ok(());
    }
    std::fs::write(path, text).map_err(|error| anyhow::anyhow!("cannot write {}: {error}", path.display()))
}
