//! The summary of a run, for people (stdout) and for programs (`--json`).

use crate::progress::{counted, thousands};
use crate::say::{complain, out, say};
use lapidary::{DocumentKind, FileTree, Report};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Prints what is left of the input, and the number of tests and the time.
pub fn print(report: &Report) {
    let percent = 100.0 * report.bytes_after as f64 / report.bytes_before.max(1) as f64;
    say!(
        "{}: {} of {} left ({percent:.1} %), {} in {:.1} s{}",
        report.input.display(),
        thousands(report.bytes_after),
        counted(report.bytes_before as usize, "byte"),
        counted(report.runs as usize, "test"),
        report.total.as_secs_f64(),
        share_before(report)
    );
    report.saved.iter().for_each(|path| say!("result: {}", path.display()));
    report.kept.iter().for_each(|labels| print_kept(labels));
    print_result(&report.result);
}

/// The time before the search, if it is long enough to be noticed.
fn share_before(report: &Report) -> String {
    match report.before >= Duration::from_secs(1) {
        true => format!(", {:.1} s of it before the search", report.before.as_secs_f64()),
        false => String::new(),
    }
}

/// Prints the labels of the remaining items, if there are few.
fn print_kept(labels: &[String]) {
    const FEW: usize = 60;
    if labels.len() <= FEW {
        say!("{} left: {}", counted(labels.len(), "item"), labels.join(", "));
    } else {
        say!("{} left", counted(labels.len(), "item"));
    }
}

/// Prints the result itself if it fits a screen.
fn print_result(result: &FileTree) {
    const LINES: usize = 40;
    let Some(Ok(text)) = result.only_file().map(|content| std::str::from_utf8(content)) else { return };
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
    Ok(DocumentKind::Summary.write(path, &format!("{summary:#}\n"))?)
}

/// The first failure of several documents that were all tried. The others are printed.
pub fn first_failure(tried: impl IntoIterator<Item = anyhow::Result<()>>) -> anyhow::Result<()> {
    let mut failures = tried.into_iter().filter_map(Result::err).collect::<Vec<_>>().into_iter();
    let first = failures.next();
    failures.for_each(|failure| complain!("lapidary: {failure:#}"));
    first.map_or(Ok(()), Err)
}
